"""The ``sapper`` command: one file for each subcommand in `commands/`, loaded when it runs.

`app` lists the commands, `options` and `files` are what they share, `help` draws help pages, `terminal` handles streams
and progress bars, `errors` has the exit statuses; `session` and `puzzle_source` are for ``sapper train``. No other
package imports from here.
"""

from sapper.cli.app import main

__all__ = ["main"]
