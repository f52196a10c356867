"""What a command does when a search for boards gives up: say so, with an exit status of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from sapper.cli.common.statuses import Status

if TYPE_CHECKING:
    from sapper.errors import GaveUp


def give_up(gave_up: GaveUp, kept: str = "") -> typer.Exit:
    """Say what was given up, and what is kept all the same; return what ends the command."""
    sys.stdout.flush()
    print(f"sapper: {gave_up}{kept}", file=sys.stderr)
    return typer.Exit(Status.GAVE_UP)
