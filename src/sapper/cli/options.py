"""The options that commands share: how they are declared, refused and read.

A command takes frozen dataclasses, whose fields are its options, so that groups are shared and tested without typer::

    @dataclass(frozen=True, slots=True)
    class SizeOptions:
        rows: Annotated[int, typer.Option(help="Rows of the board.")] = 9
        cols: Annotated[int, typer.Option(help="Columns of the board.")] = 9

    @grouped
    def lay(*, seed: int = typer.Option(0), size: SizeOptions) -> None: ...

On the command line ``lay`` has the options --seed, --rows and --cols, in this order. (With the asterisk a group may
follow options that have defaults.) An option that would have no effect is refused in one sentence, and an option of
an earlier version is answered with its new name.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import time
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from sapper.cli.terminal import show_progress
from sapper.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sapper.experiments.backends import Backend
    from sapper.experiments.store import Store
    from sapper.experiments.sweep import SweepTask
    from sapper.rules import Rules
    from sapper.topology import Cell


# Options whose value may be left out: what they then mean, and what a value looks like.
OPTIONAL: dict[tuple[str, str], tuple[str, str]] = {
    ("play", "--watch"): ("report-002", r".+"),
    ("show", "--replay"): ("1", r"[\d.]+"),
    ("generate", "--no-guess"): ("any", r".*"),
    ("stats", "--compare"): ("plain,reject,repair", r"(plain|reject|repair)\b.*"),
    ("puzzle", "--as-reported"): ("4", r"\d+"),
}


def complete_values(command: str | None, arguments: list[str]) -> list[str]:
    """Give each option of `OPTIONAL` without a value its usual one.

    >>> complete_values("show", ["--replay", "game.sapper"]), complete_values("show", ["--replay", "2"])
    (['--replay=1', 'game.sapper'], ['--replay', '2'])
    """
    completed: list[str] = []
    for number, argument in enumerate(arguments):
        if argument == "--":
            return completed + arguments[number:]
        usual, looks = OPTIONAL.get((command or "", argument), ("", ""))
        following = arguments[number + 1] if number + 1 < len(arguments) else "-"
        bare = usual and (following.startswith("-") or re.fullmatch(looks, following, re.DOTALL) is None)
        completed.append(f"{argument}={usual}" if bare else argument)
    return completed


# The options and arguments that were typed for the command that runs; those with their default are not among them.
_TYPED: ContextVar[frozenset[str]] = ContextVar("typed", default=frozenset())


def note_typed(context: Any, parameters: Iterable[Any]) -> None:
    """Store which options and arguments of a command were typed: ``--json``, ``NAME``."""
    typed = [one for one in parameters if _was_typed(context, one)]
    _TYPED.set(frozenset(one.opts[0] if one.param_type_name == "option" else one.name.upper() for one in typed))


def refuse_without(needed: str, *options: str) -> None:
    """Raise `InputError` if one of these options was typed, which need ``needed``."""
    for option in options:
        if option in _TYPED.get():
            raise InputError(f"{option} needs {needed}.")


def refuse_with(other: str, *options: str) -> None:
    """Raise `InputError` if one of these options was typed, which have no effect with ``other``."""
    for option in options:
        if option in _TYPED.get():
            raise InputError(f"{option} has no effect with {other}; leave it out.")


def refuse_all_with(other: str, *but: str) -> None:
    """Raise `InputError` if anything was typed except ``other`` and what is in ``but``."""
    refuse_with(other, *sorted(_TYPED.get() - {other, *but}))


def _was_typed(context: Any, parameter: Any) -> bool:
    source = context.get_parameter_source(parameter.name)
    return source is not None and source.name == "COMMANDLINE"


Result = TypeVar("Result")


def grouped(command: Callable[..., Result]) -> Callable[..., Result]:
    """Return the command for typer: with the fields of each group in place of the group.

    Raises `TypeError` if two of the options then have the same name.
    """
    groups: dict[str, type[Any]] = {}
    options: dict[str, inspect.Parameter] = {}
    owners: dict[str, str] = {}
    hints = get_type_hints(command, include_extras=True)
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if isinstance(hint, type) and is_dataclass(hint):
            groups[parameter.name] = hint
            owner, expanded = hint.__name__, _options_of(hint)
        else:
            owner, expanded = f"{command.__name__}()", [_as_option(parameter, hint)]
        for option in expanded:
            if option.name in options:
                raise TypeError(f"{owners[option.name]} and {owner} both have an option {option.name!r}.")
            options[option.name] = option
            owners[option.name] = owner

    @wraps(command)
    def call(**given: Any) -> Result:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group) if field.name in given})
            for name, group in groups.items()
        }
        return command(**given, **made)

    # Typer reads both; without them it would see the groups through the wrapper.
    call.__signature__ = inspect.Signature(list(options.values()))  # type: ignore[attr-defined]
    call.__annotations__ = {name: option.annotation for name, option in options.items()}
    return call


@cache
def _options_of(group: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [_as_option(field, hints[field.name]) for field in inspect.signature(group).parameters.values()]


def _as_option(parameter: inspect.Parameter, hint: object) -> inspect.Parameter:
    # Typer calls by name, so an option without a default may follow one that has one.
    return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hint)


BOARD_HELP = "A name (sapper show lists them) or rows x cols / mines, then words for other rules: '16x30/99 torus'."
BOARDS_HELP = (
    "A board, or a range of boards: 8x8/1:16:1 or 8x8,16x16/0.1,0.2 (densities), then words for other rules; may be "
    "repeated."
)
POSITION_HELP = (
    "A position as text such as '01#/02#/02# 2', a file (.pos .txt .mine .csp), a picture (.png .jpg .webp .bmp), or - "
    "for standard input."
)
KINDS_HELP = "the hardest reasoning allowed is single, subsets, pairs, complete, count or any (the default)"

DENSITY_HELP = "The mine probability before any clue, where the number of mines is unknown."

BoardSeed = Annotated[int, typer.Option(min=0, max=2**62, help="The seed of the first board; the others follow.")]
FirstCell = Annotated[
    str | None, typer.Option(metavar="ROW,COL", help="The cell to open first; if not given, the middle.")
]


def first_cell(rules: Rules, text: str | None) -> Cell:
    """Return the first cell; if none is named, the middle of the board."""
    cell = (rules.rows // 2, rules.cols // 2) if text is None else read_first(text)
    rules.topology.number(cell)  # that it is one
    return cell


def read_first(text: str) -> tuple[int, int]:
    """Read the cell that --first names.

    >>> read_first("3,14")
    (3, 14)
    """
    match = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text, re.ASCII)
    if match is None:
        raise InputError(f"--first should look like 3,4, not {text[:40]!r}.")
    return int(match[1]), int(match[2])


def read_method(text: str, option: str = "--method") -> tuple[str, int]:
    """Read how no-guess boards are found: ``reject``, ``repair``, or ``repair:N`` with N random swaps afterwards.

    >>> read_method("repair:100"), read_method("reject")
    (('repair', 100), ('reject', 0))
    """
    method, _, mix = text.partition(":")
    if ":" in text and not (method == "repair" and re.fullmatch(r"\d{1,6}", mix, re.ASCII)):
        raise InputError(f"{option} {text[:40]!r} should look like repair:100, with at most 999,999 swaps.")
    return method, int(mix or 0)


def read_words(text: str, option: str) -> tuple[str, ...]:
    """Read words joined by commas, each of them once.

    >>> read_words("basic, exact", "--agents")
    ('basic', 'exact')
    """
    words = tuple(word.strip() for word in text.split(","))
    if not all(words):
        raise InputError(f"{option} is empty." if not text.strip() else f"{option} {text[:40]!r} has a comma too many.")
    twice = next((word for word in words if words.count(word) > 1), None)
    if twice is not None:
        raise InputError(f"{option} names {twice[:40]} twice.")
    return words


WorkersOption = Annotated[
    str | None,
    typer.Option(
        metavar="N|ADDRESS",
        help="How many processes play, or the Dask cluster that does: tcp://host:8786; by default one per core.",
    ),
]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Where results are stored, and what plays the games."""

    workers: WorkersOption = None
    store: Annotated[
        str | None, typer.Option(metavar="FILE", help="The file for results (SQLite); by default in your data folder.")
    ] = None

    def path(self) -> Path:
        """Return where the store is, or will be."""
        from sapper.experiments.store import default_path

        if self.store == "":
            raise InputError("The name of the store is empty.")
        return Path(self.store) if self.store is not None else default_path()

    def open_store(self, *, must_exist: bool = False) -> Store:
        """Open the store, a new one unless it ``must_exist``; nothing is written if the workers do not exist."""
        from sapper.experiments.cluster import Cluster
        from sapper.experiments.store import Store

        workers = self._read_workers()
        if isinstance(workers, str):
            Cluster(workers).check()
        return Store(self.path(), _seconds("SAPPER_STORE_WAIT", 30.0), must_exist=must_exist)

    def backend(self) -> Backend:
        """Return what plays the games; raises `InputError`."""
        from sapper.experiments.backends import make_backend
        from sapper.experiments.cluster import PATIENCE

        return make_backend(self._read_workers(), _seconds("SAPPER_CLUSTER_WAIT", PATIENCE), _say)

    def play(self, store: Store, tasks: list[SweepTask], what: str) -> None:
        """Play what is missing, with a progress bar; Ctrl-C keeps what is done."""
        from sapper.experiments.sweep import run_tasks

        backend = self.backend()
        began = time.monotonic()
        try:
            with show_progress(what) as watch:
                n_played = run_tasks(store, tasks, backend, watch)
        except KeyboardInterrupt:
            _say("Stopped; what is done is kept, and the same command continues from there.")
            raise
        n_games = sum(task.n_games for task in tasks)
        spent = time.monotonic() - began
        known = f", {n_games - n_played:,} were known already" if n_played < n_games else ""
        _say(f"{what}: {n_played:,} games in {spent:,.1f} s{known}.")

    def _read_workers(self) -> int | str | None:
        """Return the number of processes, None for one per core, or the address of the cluster."""
        text = self.workers
        if text is not None and re.fullmatch(r"\d{1,4}", text, re.ASCII) and 1 <= int(text) <= MAX_WORKERS:
            return int(text)
        if text is not None and ":" not in text:
            raise InputError(
                f"--workers should be a whole number from 1 to {MAX_WORKERS:,}, or the address of a cluster such as "
                f"tcp://host:8786, not {text[:40]!r}."
            )
        return text


MAX_WORKERS = 1024


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def chunk_size() -> int:
    """Return how many games are played and stored at a time: SAPPER_CHUNK, or 100."""
    from sapper.experiments.store import CHUNK_SIZE

    text = os.environ.get("SAPPER_CHUNK", str(CHUNK_SIZE))
    if not (re.fullmatch(r"\d{1,7}", text, re.ASCII) and 1 <= int(text) <= 10**6):
        raise InputError(f"SAPPER_CHUNK={text[:40]} should be a number of games, from 1 to 1,000,000.")
    return int(text)


def _seconds(variable: str, usual: float) -> float:
    """Return how long to wait, which an environment variable may say."""
    text = os.environ.get(variable, str(usual))
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= 1e6:
        raise InputError(f"{variable}={text[:40]} should be a number of seconds.")
    return seconds
