"""The ``sapper`` command: wiring only, a file for each subcommand, which imports what it needs when it runs.

`command` lists them all. They lie by what people do: `playing/`, `analysing/`, `boards/` (made, checked, measured,
converted) and `research/`; `common/` is what they share. Nothing imports from here.
"""

from sapper.cli.command import main

__all__ = ["main"]
