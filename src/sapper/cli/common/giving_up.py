"""What a command does when it gives up with part of the answer given: say so, with an exit status of its own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from sapper.cli.common.complaints import complain
from sapper.cli.common.statuses import Status

if TYPE_CHECKING:
    from sapper.errors import GaveUp


def give_up(gave_up: GaveUp, kept: str = "") -> typer.Exit:
    """Say what was given up, and what is kept all the same; return what ends the command.

    What was found stands on standard output already, as JSON if that was asked for, and stays the only thing there.
    """
    sys.stdout.flush()
    return typer.Exit(complain(f"{gave_up}{kept}", Status.GAVE_UP))
