"""Plan and run sweeps: every agent on every board, a number of games each, stored and summarised.

`sweep` does it in one call; `Sweep` lists combinations as tasks, and `run_tasks` plays what the store lacks.

>>> from sapper.experiments.sweep import sweep
>>> results = sweep(["basic", "exact"], ["beginner"], games=50)
>>> results.rows[0].won.value < results.rows[1].won.value
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import chain, count, product
from pathlib import Path
from typing import Any

from sapper.agents import custom
from sapper.agents.agent import Maker
from sapper.agents.registry import AGENTS, Entry, is_own, register
from sapper.errors import InputError, check_type
from sapper.experiments.backends import Backend, InProcess, make_backend
from sapper.experiments.games import Chunk, Condition, try_agent
from sapper.experiments.results import Results
from sapper.experiments.store import CHUNK_SIZE, Run, Store, chunks_to_play
from sapper.formats.given_boards import GivenBoard
from sapper.inference.facts import MAX_CELLS
from sapper.rules import Rules
from sapper.world.generation import check_seed


@dataclass(frozen=True, slots=True)
class SweepTask:
    """A number of games of one condition."""

    condition: Condition
    n_games: int
    seed: int = 0
    boards: tuple[GivenBoard, ...] = field(default=(), repr=False)
    chunk_size: int = CHUNK_SIZE

    def run_in(self, store: Store) -> Run:
        """Return the run of this task in a store."""
        return store.open_run(self.condition, self.seed, self.chunk_size)


def try_agents(tasks: Iterable[SweepTask]) -> None:
    """Raise what would stop an agent at its first move, checked once for each agent and board size.

    Built-in agents are checked only on boards that may be too large for them.
    """
    tried = set()
    for task in tasks:
        rules = Rules.parse(task.condition.rules)
        kind = task.condition.agent, rules.shape, rules.rows, rules.cols
        if kind not in tried and (is_own(task.condition.agent) or rules.n_cells > MAX_CELLS):
            try_agent(task.condition, task.seed)
        tried.add(kind)


def run_tasks(
    store: Store,
    tasks: list[SweepTask],
    backend: Backend,
    watch: Callable[[int, int], None] | None = None,
) -> int:
    """Play what the store lacks, committing each finished chunk; return how many games were played.

    ``watch`` gets the number of games done and the number of all games, at the start and after every commit.
    """
    missing: list[tuple[tuple[Run, int], Chunk]] = []
    n_total = 0
    for task in tasks:
        run = task.run_in(store)
        n_total += task.n_games
        missing += [
            ((run, number), chunk) for number, chunk in chunks_to_play(run, task.n_games, store.done(run), task.boards)
        ]
    n_missing = sum(chunk.n_games for _, chunk in missing)
    n_done = n_total - n_missing
    if watch:
        watch(n_done, n_total)
    # Close the backend in any case, so that workers stop when nothing more can be stored.
    with closing(backend.play(missing)) as finished:
        for (run, number), result in finished:
            store.add(run, number, result)
            n_done += result.n_games
            if watch:
                watch(n_done, n_total)
    return n_missing


MAX_CONDITIONS = 10_000


@dataclass(frozen=True, slots=True)
class Sweep:
    """Combinations of agents, sizes, numbers of mines and channels, each with the same number of games."""

    agents: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...] = ()
    densities: tuple[float, ...] = ()  # either densities
    mines: tuple[int, ...] = ()  # or numbers of mines
    boards: tuple[str, ...] = ()  # or boards, as `expand_boards` reads them, instead of sizes, channels and words
    channels: tuple[str, ...] = ("exact",)
    words: str = "survey first-any"  # the rest of the rules
    n_games: int = 100
    seed: int = 0
    restart_opening: bool = False
    chunk_size: int = CHUNK_SIZE

    def __post_init__(self) -> None:
        if [bool(self.densities), bool(self.mines), bool(self.boards)].count(True) != 1:
            raise InputError("A sweep needs either densities or numbers of mines.")
        if self.boards:
            n = len(self.agents) * sum(len(expand_boards(board)) for board in self.boards)
        else:
            n = len(self.agents) * len(self.sizes) * len(self.channels) * len(self.densities or self.mines)
        if not 0 < n <= MAX_CONDITIONS:
            raise InputError(f"The sweep has {n:,} combinations; it must have from 1 to {MAX_CONDITIONS:,}.")

    def tasks(self) -> list[SweepTask]:
        """Return the tasks, agent by agent."""
        conditions = [
            Condition.of(rules, agent, restart_opening=self.restart_opening) for agent, rules in self.combinations()
        ]
        return [SweepTask(condition, self.n_games, self.seed, chunk_size=self.chunk_size) for condition in conditions]

    def combinations(self) -> list[tuple[str, Rules]]:
        """Return pairs of agent and rules, agent by agent."""
        listed = [rules for board in self.boards for _, rules in expand_boards(board)]
        found = {(agent, str(rules)): rules for agent, rules in product(self.agents, listed)}
        for agent, (rows, cols), channel in product(self.agents, self.sizes, self.channels):
            for mines in self._mines_on(rows * cols):
                rules = Rules.parse(f"{rows}x{cols}/{mines} {self.words} {'' if channel == 'exact' else channel}")
                # On a small board, two densities may give the same number of mines.
                found[agent, str(rules)] = rules
        return [(agent, rules) for (agent, _), rules in found.items()]

    def _mines_on(self, n_cells: int) -> list[int]:
        if self.densities:
            if not all(0.0 <= density <= 1.0 for density in self.densities):
                raise InputError("Densities must be between 0 and 1.")
            return [round(density * n_cells) for density in self.densities]
        return list(self.mines)

    def settings(self) -> dict[str, object]:
        """Return plain values for the store."""
        return asdict(self)

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> Sweep:
        """Make a sweep from stored settings."""
        lists = {name: tuple(value) for name, value in settings.items() if isinstance(value, list)}
        lists["sizes"] = tuple((rows, cols) for rows, cols in settings["sizes"])
        return cls(**{**settings, **lists})


MAX_NUMBERS = 1000  # in one range


def expand_boards(text: str) -> list[tuple[float, Rules]]:
    """Return every board that a text stands for, with its mine density as written: sizes and numbers may be several.

    Numbers are joined by commas or form a range with both ends, ``first:last:step``. With a decimal point they are
    densities, else numbers of mines.

    >>> [str(rules) for _, rules in expand_boards("8x8/0.1:0.3:0.1 survey")]
    ['8x8/6 survey', '8x8/13 survey', '8x8/19 survey']
    >>> [str(rules) for _, rules in expand_boards("4x4,5x5/2,3")]
    ['4x4/2', '4x4/3', '5x5/2', '5x5/3']
    """
    board, _, words = text.strip().partition(" ")
    sizes, _, numbers = board.partition("/")
    if not {*",:."} & {*sizes, *numbers} or not sizes[:1].isdecimal():
        rules = Rules.parse(text)
        return [(rules.mines / rules.n_cells, rules)]
    if re.fullmatch(r"\d+x\d+(,\d+x\d+)*", sizes, re.ASCII) is None:
        raise InputError(f"{sizes[:40]!r} is not a board size; write 8x8, or several as 8x8,16x16.")
    found: dict[str, tuple[float, Rules]] = {}
    for size, number in product(sizes.split(","), _read_numbers(numbers)):
        rows, cols = map(int, size.split("x"))
        mines = round(number * rows * cols) if "." in numbers else round(number)
        rules = Rules.parse(f"{size}/{mines} {words}")
        # On a small board, two densities may give the same number of mines.
        found.setdefault(str(rules), (number if "." in numbers else mines / rules.n_cells, rules))
    return list(found.values())


def _read_numbers(text: str) -> list[float]:
    """Read ``0.1,0.2`` or the range ``1:16:1``."""
    try:
        if ":" in text:
            first, last, step = (float(part) for part in text.split(":"))
            if not (step > 0 and 0 <= first <= last and (last - first) / step <= MAX_NUMBERS):
                raise ValueError
            numbers = [round(first + index * step, 12) for index in range(int((last - first) / step + 1e-9) + 1)]
        else:
            numbers = [float(part) for part in text.split(",")]
        if not all(0 <= number <= 1e9 and ("." in text or number == int(number)) for number in numbers):
            raise ValueError
    except (ValueError, OverflowError):
        raise InputError(
            f"{text[:40]!r} is not a list of mines; write 10,20 or 1:16:1, or densities such as 0.1:0.3:0.1."
        ) from None
    return numbers


_IN_MEMORY = Path(":memory:")  # SQLite's name for a database without a file


def sweep(
    agents: str | Maker | Iterable[str | Maker],
    boards: str | Rules | Iterable[str | Rules],
    games: int = 100,
    seed: int = 0,
    *,
    workers: int | str | None = 1,
    store: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Results:
    """Let every agent play ``games`` games on every board, with the same seeds for all, and summarise them.

    An agent is a name (see ``sapper agents``), a custom agent as ``"module:make"``, or a function or class that takes a
    random generator. Agents that can be imported by name run wherever the others do. Any other, such as a lambda or a
    function in a notebook, always runs in this process and cannot use a ``store``: nothing would identify its results
    later.

    ``workers`` is the number of processes, None for one per core, or the address of a Dask cluster; a script that uses
    several processes must be guarded by ``if __name__ == "__main__":``. With a ``store``, each finished chunk is
    written to that file, and stored games are not played again; without one, nothing is written. ``progress`` gets the
    number of games done and the number of all games, at the start and after every chunk.
    """
    _check_amounts(games, seed, workers)
    check_type(boards, (Rules, Iterable), "a board or several, each as rules or as text")
    rules = [Rules.of(boards)] if isinstance(boards, (str, Rules)) else [Rules.of(board) for board in boards]
    with ExitStack() as stack:
        names = [stack.enter_context(_named(agent, store)) for agent in _list_agents(agents)]
        # Play a repeated agent or board only once.
        conditions = dict.fromkeys(Condition.of(one, name) for name in names for one in rules)
        if not conditions:
            raise InputError("A sweep needs at least one agent and one board.")
        tasks = [SweepTask(condition, games, seed) for condition in conditions]
        try_agents(tasks)
        results = stack.enter_context(Store(_IN_MEMORY if store is None else Path(store)))
        _play(results, tasks, make_backend(workers), progress)
        return Results.of_tasks(results, tasks)


def _play(store: Store, tasks: list[SweepTask], backend: Backend, progress: Callable[[int, int], None] | None) -> None:
    """Play agents that only this process knows here, and the others on the backend."""
    n_total, n_before = sum(task.n_games for task in tasks), 0
    is_here = [(task.condition.agent in AGENTS and is_own(task.condition.agent)) for task in tasks]
    for here, player in ((True, InProcess()), (False, backend)):
        chosen = [task for task, stays in zip(tasks, is_here, strict=True) if stays is here]
        if chosen:
            watch = None if progress is None else partial(_report, progress, n_before, n_total)
            run_tasks(store, chosen, player, watch)
            n_before += sum(task.n_games for task in chosen)


def _report(progress: Callable[[int, int], None], n_before: int, n_total: int, n_done: int, _: int) -> None:
    progress(n_before + n_done, n_total)


def _check_amounts(games: int, seed: int, workers: int | str | None) -> None:
    for name, value in (("games", games), ("workers", 1 if workers is None or isinstance(workers, str) else workers)):
        if not isinstance(value, int) or value < 1:
            raise InputError(f"The number of {name} must be a whole number of at least 1, not {value!r}.")
    check_seed(seed)
    check_seed(seed + games - 1)


def _list_agents(given: str | Maker | Iterable[str | Maker]) -> list[str | Maker]:
    if isinstance(given, str):
        return [name.strip() for name in given.split(",")]
    if callable(given):
        return [given]
    check_type(given, Iterable, "an agent or several")
    return list(given)


@contextmanager
def _named(agent: str | Maker, store: object) -> Iterator[str]:
    """Yield the name of an agent, registering an unnamed one while its games last."""
    if isinstance(agent, str):
        yield agent
        return
    if not callable(agent):
        raise InputError(f"An agent must be a name, a function or a class, not {agent!r}.")
    found = next((entry.name for entry in AGENTS.values() if entry.make is agent), None) or custom.name_of(agent)
    if found is not None:
        yield found
        return
    if store is not None:
        raise InputError(
            f"Results of {custom.call_name(agent)} cannot be stored, because it cannot be imported again. Put it into "
            "a module and name it module:make."
        )
    name = _free_name(custom.call_name(agent))
    register(Entry(name, 1, custom.guarded(name, agent), custom.about(agent), sound=False))
    try:
        yield name
    finally:
        del AGENTS[name]


def _free_name(wanted: str) -> str:
    names = chain([wanted], (f"{wanted}-{number}" for number in count(2)))
    return next(name for name in names if name not in AGENTS)
