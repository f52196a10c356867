"""The exit statuses of every command; docs/commands.md has the same table in words.

What goes wrong, as one sentence for people; and, where the answer should be JSON, as an object for programs.

What a command does when it gives up with part of the answer given: say so, with an exit status of its own.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import typer

from sapper.cli.help import type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.errors import GaveUp


class Status(IntEnum):
    """How a command ended."""

    DONE = 0
    NO = 1  # it was looked into, and the answer is no: a certificate does not hold, no layout fits a puzzle
    WRONG = 2  # something about the input or the surroundings is wrong, and one sentence says what
    GAVE_UP = 3  # a limit was reached first; what was found until then is kept
    STOPPED = 130  # by Ctrl-C, as a shell counts it
    READER_GONE = 141  # whoever read the output has seen enough; as a shell counts a closed pipe


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command with these arguments answers in JSON."""
    return "--json" in arguments


def complain(sentence: str, status: Status = Status.WRONG, *, as_json: bool = False) -> Status:
    """Say on standard error what is wrong, and on standard output too if the answer should be JSON; return the status.

    Whoever asked for JSON reads standard output and finds ``{"error": "…"}`` there in place of the answer.
    """
    # Where nothing can be written, the status has to say it all.
    with suppress(OSError):
        if as_json:
            print(json.dumps({"error": sentence}), flush=True)
    with suppress(OSError):
        print(f"sapper: {sentence}", file=sys.stderr, flush=True)
    return status


def explain_usage(error: typer.TyperException) -> str:
    """Say in a sentence what is wrong with the arguments; typer knows it, in words of its own."""
    parameter = getattr(error, "param", None)
    said = error.format_message()
    if parameter is not None and said.startswith("Missing"):
        return f"{_name(parameter)} is missing{_see_help(error)}."
    if parameter is not None and isinstance(error, typer.BadParameter):
        return f"{_name(parameter)} should be {_describe_value(parameter, said)}."
    wrong = getattr(error, "option_name", None)
    if wrong is not None and said.startswith("No such option"):
        near = getattr(error, "possibilities", None)
        return f"There is no option {wrong}{f'; did you mean {near[0]}?' if near else f'{_see_help(error)}.'}"
    if said.startswith("Got unexpected extra argument"):
        extra = said.partition("(")[2].rpartition("(")[2].rstrip(")")
        return f"There are too many arguments: {extra}{_see_help(error)}."
    if said.startswith("No such command"):
        name, _, near = said.removeprefix("No such command ").partition(". Did you mean ")
        return f"There is no command {name.rstrip('.')}; " + (f"did you mean {near}" if near else "see sapper --help.")
    return said if said.endswith((".", "?")) else f"{said}."


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "option":
        return str(parameter.opts[0])
    return str(parameter.metavar or parameter.name.upper()).strip("[]")


def _see_help(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"; see {context.command_path} --help" if context is not None else ""


def _describe_value(parameter: Any, said: str) -> str:
    """What a value of this option should be: a number, within the bound that it breaks."""
    number = "a whole number" if type_of(parameter) is int else "a number"
    beyond = re.search(r"(\S+) is not in the range", said)
    if beyond is None:
        return number
    least = parameter.type.min
    if least is not None and float(beyond[1]) < least:
        return f"{number}, at least {_write(least)}"
    return f"{number}, at most {_write(parameter.type.max)}"


def _write(bound: float) -> str:
    return f"{int(bound):,}" if bound == int(bound) else f"{bound:g}"


def give_up(gave_up: GaveUp, kept: str = "") -> typer.Exit:
    """Say what was given up, and what is kept all the same; return what ends the command.

    What was found stands on standard output already, as JSON if that was asked for, and stays the only thing there.
    """
    sys.stdout.flush()
    return typer.Exit(complain(f"{gave_up}{kept}", Status.GAVE_UP))
