"""The ``sapper`` command: wiring only, one file for each subcommand in `commands/`, loaded when it runs.

`app` lists the commands, `options` and `files` hold what they share, `help` draws the help pages, `terminal` the
streams and progress bars, `errors` the exit statuses; `session`, `puzzle_source` and `diary` are the terminal's
training. Nothing imports from here.
"""

from sapper.cli.app import main

__all__ = ["main"]
