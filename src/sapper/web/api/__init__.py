"""The routes, one file for each part of the page: they read, ask the services and respond. They compute nothing.

Only `server` imports them. They stand on `storage`, `jobs` and `http`.
"""
