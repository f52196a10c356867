"""Exit statuses, and every error as one sentence: on standard error, and as JSON where the answer would be JSON."""

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


# Commands and options of earlier versions, and what they are called now.
FORMER_COMMANDS = {
    "watch": "sapper play --watch",
    "course": "in the web app: sapper play",
    "boards": "sapper show",
    "demo": "sapper show --replay",
    "optimal": "sapper best --exact",
    "layouts": "sapper stats --compare",
    "bench": "sapper sweep",
    "runs": "sapper sweep --list",
}
_WORD_OF_BOARD = "a part of --board, as in --board '9x9/10 survey first-any'"
_RANGE_OF_BOARDS = "a part of --board, as in --board '8x8/0.1:0.3:0.1 survey'"
_RUNNING = {
    "--jobs": "--workers N",
    "--cluster": "--workers ADDRESS",
    "--patience": "the environment variable SAPPER_CLUSTER_WAIT",
}
FORMER_OPTIONS: dict[str, dict[str, str]] = {
    "serve": {"--trusted-proxy": "the environment variable FORWARDED_ALLOW_IPS"},
    "game": {"--record": "--output FILE"},
    "train": {
        "--level": "--kind",
        "--way": "--mode",
        "--export": "--output FILE.jsonl",
        "--sheet": "--output FILE.html",
        "--yes": "an answer: echo y | sapper train --forget",
    },
    "advise": {"--position": "an argument: sapper advise POSITION"},
    "show": {"--svg": "--output FILE.svg", "--plain": "the environment variable NO_COLOR"},
    "analyse": {"--output": "the shell's: > FILE"},
    "best": {"--most": "--top", "--start": "a word of the board, as in sapper best 'expert first-opening'"},
    "explain": {"--svg": "--output FILE.svg"},
    "review": {"--html": "--output FILE.html"},
    "trace": {
        "--html": "--output FILE.html",
        "--record": "--output FILE.record",
        **dict.fromkeys(
            ("--rows", "--cols", "--mines", "--survey", "--classic", "--total", "--no-total", "--cascade",
             "--no-cascade", "--first"),
            _WORD_OF_BOARD,
        ),
    },
    "puzzle": {
        "--puzzle": "--number",
        "--clues": "a word of --random, as in --random '6x6/8 clues:0.6'",
        "--all": "--find all",
        "--count": "--find count",
        "--children": "--as-reported N",
        **dict.fromkeys(
            ("--order", "--values", "--forward-checking", "--no-forward-checking", "--memory"),
            "a word of --heuristics, as in --heuristics degree,mine,memory",
        ),
    },
    "generate": {
        "--reasoning": "--no-guess KIND",
        "--tries": "--limit",
        "--mix": "--method repair:N",
        "--format": "--to",
    },
    "stats": {"--boards": "--count", "--histogram": "--output FILE.svg"},
    "convert": {"--puzzle": "--number"},
    "sweep": {
        **dict.fromkeys(("--size", "--densities", "--mines", "--channels", "--words", "--start"), _RANGE_OF_BOARDS),
        "--plot": "--output FILE.svg",
        "--resume": "the same command again",
        "--plan": "the same command again",
        "--chunk": "the environment variable SAPPER_CHUNK",
        "--csv": "--output FILE.csv",
        **_RUNNING,
    },
    "reproduce": {"--quick": "--games quick", **_RUNNING},
    "influence": {
        **dict.fromkeys(
            ("--size", "--densities", "--survey", "--classic", "--total", "--no-total"), _RANGE_OF_BOARDS
        ),
        "--record": "an argument: sapper influence FILE",
    },
}  # fmt: skip


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
        now = FORMER_OPTIONS.get(getattr(context, "info_name", None) or "", {}).get(wrong)
        if now is not None:
            return f"{wrong} is now {now}."
        near = getattr(error, "possibilities", None)
        return f"There is no option {wrong}{f'; did you mean {near[0]}?' if near else f'{_see_help(error)}.'}"
    if said.startswith("Got unexpected extra argument"):
        extra = said.partition("(")[2].rpartition("(")[2].rstrip(")")
        return f"There are too many arguments: {extra}{_see_help(error)}."
    if said.startswith("No such command"):
        name, _, near = said.removeprefix("No such command ").partition(". Did you mean ")
        former = name.strip("'.")
        if former in FORMER_COMMANDS:
            return f"sapper {former} is now {FORMER_COMMANDS[former]}."
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
