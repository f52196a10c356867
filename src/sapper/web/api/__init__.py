"""The routes, a file for each part of the page: they read, ask the services and answer. They compute nothing."""
