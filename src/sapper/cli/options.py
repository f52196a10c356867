"""Options that would have no effect: to type one is a mistake, and a sentence says so instead of silence.

Groups of options: a command takes a few dataclasses, and their fields are its options.

A group is a frozen dataclass whose fields have real defaults, so it works and is tested without typer::

    @dataclass(frozen=True, slots=True)
    class SizeOptions:
        rows: Annotated[int, typer.Option(help="Rows of the board.")] = 9
        cols: Annotated[int, typer.Option(help="Columns of the board.")] = 9

    @grouped
    def lay(*, seed: int = typer.Option(0), size: SizeOptions) -> None: ...

On the command line ``lay`` has the options --seed, --rows and --cols, in this order. (With the asterisk a group may
follow options that have defaults.)

Options that commands of several folders share, in the same words, and how they are read.

What the commands that run experiments share: where results are kept, who plays, how a run ends.
"""

from __future__ import annotations

import inspect
import os
import re
import time
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from sapper.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sapper.experiments.store import Store
    from sapper.experiments.sweep import SweepTask
    from sapper.rules import Rules
    from sapper.topology import Cell


# The options that were typed for the command that runs; those with their default are not among them.
_TYPED: ContextVar[frozenset[str]] = ContextVar("typed options", default=frozenset())


def note_typed(context: Any, parameters: Iterable[Any]) -> None:
    """Note which options of a command were typed."""
    options = (one for one in parameters if one.param_type_name == "option")
    _TYPED.set(frozenset(one.opts[0] for one in options if _was_typed(context, one)))


def refuse_without(needed: str, *options: str) -> None:
    """Raise `InputError` if one of these options was typed, which mean something beside ``needed`` alone."""
    for option in options:
        if option in _TYPED.get():
            raise InputError(f"{option} needs {needed}.")


def refuse_with(other: str, *options: str) -> None:
    """Raise `InputError` if one of these options was typed, which mean nothing beside ``other``."""
    for option in options:
        if option in _TYPED.get():
            raise InputError(f"{option} has no effect with {other}; leave it out.")


def refuse_all_with(other: str, *but: str) -> None:
    """Raise `InputError` if any option was typed that is neither ``other`` nor one of those after it."""
    refuse_with(other, *sorted(_TYPED.get() - {other, *but}))


def _was_typed(context: Any, parameter: Any) -> bool:
    source = context.get_parameter_source(parameter.name)
    return source is not None and source.name == "COMMANDLINE"


Result = TypeVar("Result")


def grouped(command: Callable[..., Result]) -> Callable[..., Result]:
    """Return the command as typer is to see it: with the fields of each group in place of the group.

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

    # Typer reads both; without them it would look through the wrapper at the groups themselves.
    call.__signature__ = inspect.Signature(list(options.values()))  # type: ignore[attr-defined]
    call.__annotations__ = {name: option.annotation for name, option in options.items()}
    return call


@cache
def _options_of(group: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [_as_option(field, hints[field.name]) for field in inspect.signature(group).parameters.values()]


def _as_option(parameter: inspect.Parameter, hint: object) -> inspect.Parameter:
    # Typer calls by name, and only so may an option without a default follow one that has one.
    return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hint)


BOARD_HELP = "A name (see sapper boards) or rows x cols / mines, then words for other rules: '16x30/99 torus'."
POSITION_HELP = "A position as text such as '01#/02#/02# 2', a file (.pos .txt .mine .csp), or - for standard input."

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
    from sapper.errors import InputError

    match = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text, re.ASCII)
    if match is None:
        raise InputError(f"--first should look like 3,4, not {text[:40]!r}.")
    return int(match[1]), int(match[2])


AGENTS_HELP = "Which agents, joined by commas; see sapper agents. Your own: mymodule:make."
GameSeed = Annotated[int, typer.Option(min=0, max=2**62, help="The first game's seed; the others follow.")]
ChunkSize = Annotated[
    int | None,
    typer.Option(metavar="GAMES", min=1, max=10**6, help="How many games to play and store at a time; by default 100."),
]


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """Which store."""

    store: Annotated[
        str | None, typer.Option(metavar="FILE", help="The file for results (SQLite); by default in your data folder.")
    ] = None

    def open_store(self, *, must_exist: bool = False) -> Store:
        """Open the store of this name, or the usual one; a new one is made unless it ``must_exist``."""
        from sapper.experiments.store import Store

        return Store(self.path(), _seconds_to_wait(), must_exist=must_exist)

    def path(self) -> Path:
        """Where the store is, or will be."""
        from sapper.errors import InputError
        from sapper.experiments.store import default_path

        if self.store == "":
            raise InputError("The name of the store is empty.")
        return Path(self.store) if self.store is not None else default_path()


@dataclass(frozen=True, slots=True)
class RunOptions(StoreOptions):
    """Where results are kept, and who plays."""

    jobs: Annotated[
        int | None, typer.Option(min=1, max=1024, help="How many processes play; by default one per core.")
    ] = None
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on a Dask cluster: tcp://host:8786.")] = (
        None
    )
    patience: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0.0, max=1e6, help="With --cluster: give up after this long without a worker."
        ),
    ] = 600.0

    def open_store(self, *, must_exist: bool = False) -> Store:
        """Open the store as `StoreOptions` do, but only if whoever is to play is there: else nothing is written."""
        from sapper.experiments.cluster import Cluster

        if self.cluster is None:
            refuse_without("--cluster", "--patience")
        else:
            refuse_with("--cluster", "--jobs")
            Cluster(self.cluster).check()
        return StoreOptions.open_store(self, must_exist=must_exist)

    def play(self, store: Store, tasks: list[SweepTask], what: str) -> None:
        """Play what is missing, with a bar; Ctrl-C keeps what is done and says how to go on."""
        import sys

        from sapper.cli.terminal import show_progress
        from sapper.experiments.backends import make_backend
        from sapper.experiments.sweep import run_tasks

        def say(sentence: str) -> None:
            print(sentence, file=sys.stderr, flush=True)

        backend = make_backend(self.jobs, self.cluster, self.patience, say)
        began = time.monotonic()
        try:
            with show_progress(what) as watch:
                n_played = run_tasks(store, tasks, backend, watch)
        except KeyboardInterrupt:
            print("Stopped; what is done is kept, and the same command continues from there.", file=sys.stderr)
            raise
        n_games = sum(task.n_games for task in tasks)
        spent = time.monotonic() - began
        known = f", {n_games - n_played:,} were known already" if n_played < n_games else ""
        print(f"{what}: {n_played:,} games in {spent:,.1f} s{known}.", file=sys.stderr)


def _seconds_to_wait() -> float:
    """How long to wait for another process that is writing: SAPPER_STORE_WAIT, or half a minute."""
    from sapper.errors import InputError

    text = os.environ.get("SAPPER_STORE_WAIT", "30")
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= 1e6:
        raise InputError(f"SAPPER_STORE_WAIT={text[:40]} should be a number of seconds.")
    return seconds


def parse_words(text: str, name: str) -> tuple[str, ...]:
    """Read words joined by commas.

    >>> parse_words("basic, exact", "agents")
    ('basic', 'exact')
    """
    from sapper.errors import InputError

    words = tuple(word.strip() for word in text.split(","))
    if not all(words):
        raise InputError(f"--{name} is empty." if not text.strip() else f"--{name} {text[:40]!r} has a comma too many.")
    return words


def parse_size(word: str) -> tuple[int, int] | None:
    """Read ``16x30``, or ``8`` for 8 x 8; None if it is no size.

    >>> parse_size("16x30"), parse_size(" 8"), parse_size("8 x 8")
    ((16, 30), (8, 8), None)
    """
    match = re.fullmatch(r"(\d{1,6})(?:x(\d{1,6}))?", word.strip(), re.ASCII)
    return None if match is None else (int(match[1]), int(match[2] or match[1]))


def parse_whole_numbers(text: str, name: str) -> list[int]:
    """Read ``1,5,10`` or ``1:16:1``.

    >>> parse_whole_numbers("1:4:1", "mines")
    [1, 2, 3, 4]
    """
    from sapper.errors import InputError

    numbers = parse_numbers(text, name, ("1,5,10", "1:16:1"))
    if any(number != int(number) for number in numbers):
        raise InputError(f"--{name} {text[:40]!r} should be whole numbers.")
    return [int(number) for number in numbers]


def parse_numbers(
    text: str, name: str, such_as: tuple[str, str] = ("0.1,0.2", "0.1:0.5:0.1"), most: int = 1000
) -> list[float]:
    """Read ``0.1,0.2,0.3`` or a range ``0.1:0.5:0.1`` (ends included); ``such_as`` are examples to show.

    >>> parse_numbers("1,2", "mines"), parse_numbers("0.1:0.3:0.1", "densities")
    ([1.0, 2.0], [0.1, 0.2, 0.3])
    """
    from sapper.errors import InputError

    try:
        if ":" in text:
            first, last, step = (float(part) for part in text.split(":"))
            if not step > 0 or last < first:
                raise ValueError
            n_steps = int((last - first) / step + 1e-9)
            numbers = [round(first + index * step, 12) for index in range(min(n_steps, most) + 1)]
        else:
            numbers = [float(part) for part in text.split(",")]
    except (ValueError, OverflowError):
        raise InputError(f"--{name} {text[:40]!r} should look like {such_as[0]} or like {such_as[1]}.") from None
    if not numbers or len(numbers) > most or any(number != number or abs(number) > 1e9 for number in numbers):
        raise InputError(f"--{name} takes up to {most} plain numbers.")
    return numbers
