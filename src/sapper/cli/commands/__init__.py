"""One file for each command, or for two that are close. Each imports what it needs when it runs.

Only `sapper.cli.app` imports them.
"""
