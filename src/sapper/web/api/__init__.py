"""The routes, a file for each part of the page: they read, ask the services and answer. They compute nothing.

`server` puts them together; nobody else imports them. They stand on `games`, `work` and `requests`.
"""
