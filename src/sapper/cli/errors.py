"""Exit statuses, and every error as one sentence: on standard error, and as JSON where the answer would be JSON."""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any

import typer

from sapper.cli.help import type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.errors import GaveUp


@cache
def former_names() -> dict[str, Any]:
    """Return ``commands`` and ``options`` (by command) of earlier versions, and what they are called now."""
    import tomllib
    from importlib.resources import files

    return tomllib.loads((files("sapper.data") / "former.toml").read_text("utf-8"))


class Status(IntEnum):
    """How a command ended."""

    DONE = 0
    NO = 1  # the answer is no: a certificate does not hold, no layout fits a puzzle
    WRONG = 2  # the input or the environment is wrong, and one sentence says how
    GAVE_UP = 3  # a limit was reached first; what was found until then is kept
    STOPPED = 130  # by Ctrl-C, as a shell counts it
    READER_GONE = 141  # the reader of the output has closed its pipe, as a shell counts it


def wants_json(arguments: Sequence[str]) -> bool:
    """Return whether a command with these arguments answers in JSON."""
    return "--json" in arguments


def report_error(sentence: str, status: Status = Status.WRONG, *, as_json: bool = False) -> Status:
    """Print an error to standard error, with ``as_json`` to standard output too; return its status.

    A program that asked for JSON finds ``{"error": "…"}`` in place of the answer.
    """
    # Where nothing can be written, the status alone must tell.
    with suppress(OSError):
        if as_json:
            print(json.dumps({"error": sentence}), flush=True)
    with suppress(OSError):
        print(f"sapper: {sentence}", file=sys.stderr, flush=True)
    return status


def explain_usage(error: typer.TyperException) -> str:
    """Return typer's complaint about the arguments as one sentence of ours."""
    parameter = getattr(error, "param", None)
    said = error.format_message()
    if parameter is not None and said.startswith("Missing"):
        return f"{_name(parameter)} is missing{_see_help(error)}."
    if parameter is not None and isinstance(error, typer.BadParameter):
        return f"{_name(parameter)} must be {_describe_value(parameter, said)}."
    wrong = getattr(error, "option_name", None)
    if wrong is not None and said.startswith("No such option"):
        context = getattr(error, "ctx", None)
        now = former_names()["options"].get(getattr(context, "info_name", None) or "", {}).get(wrong)
        if now is not None:
            return f"{wrong} is now {now}."
        near = getattr(error, "possibilities", None)
        return f"There is no option {wrong}{f'; did you mean {near[0]}?' if near else f'{_see_help(error)}.'}"
    if said.startswith("Got unexpected extra argument"):
        extra = said.partition("(")[2].rpartition("(")[2].rstrip(")")
        return f"There are too many arguments: {extra}{_see_help(error)}."
    if said.startswith("No such command"):
        name, _, near = said.removeprefix("No such command ").partition(". Did you mean ")
        former, now = name.strip("'."), former_names()["commands"]
        if former in now:
            return f"sapper {former} is now {now[former]}."
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
    """Describe a valid value of this option: a number, within the bound that was broken."""
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
    """Report what was given up and what is kept; return the exception that ends the command.

    What was found is on standard output already, as JSON if that was asked for, and nothing is added to it.
    """
    sys.stdout.flush()
    return typer.Exit(report_error(f"{gave_up}{kept}", Status.GAVE_UP))
