"""An experiment in one call: these agents, these boards, so many games of each.

>>> from sapper.experiments.sweeps import sweep
>>> results = sweep(["basic", "exact"], ["beginner"], games=50)
>>> results.rows[0].won.value < results.rows[1].won.value
True
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from sapper.agents import own
from sapper.agents.registry import AGENTS, Entry, is_own, register
from sapper.errors import InputError, check_type
from sapper.experiments.results import Results
from sapper.experiments.runs.backends import InProcess, make_backend
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task, run_tasks, try_agents
from sapper.experiments.runs.store import Store
from sapper.rules import Rules
from sapper.world.generate import check_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sapper.agents.contract import Maker
    from sapper.experiments.runs.backends import Backend

_IN_MEMORY = Path(":memory:")  # as SQLite calls a store that is kept nowhere


def sweep(
    agents: str | Maker | Iterable[str | Maker],
    boards: str | Rules | Iterable[str | Rules],
    games: int = 100,
    seed: int = 0,
    *,
    jobs: int | None = 1,
    cluster: str | None = None,
    store: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Results:
    """Let every agent play so many games on every board, the same seeds for all, and sum up.

    An agent is a name (see ``sapper agents``), one of your own as ``"module:make"``, or what makes it: a function or a
    class that takes a random generator. One that can be imported by its name is played wherever the others are. Any
    other, such as a lambda or a function of a notebook, is played in this process, and its results cannot be stored,
    because nobody could tell later what they were the results of.

    ``jobs`` are processes to play with; None is one for each core, and a script that starts any has to be guarded by
    ``if __name__ == "__main__":``. With a ``store`` each chunk is kept in that file as it is finished, and what is
    there already is not played again; without one, nothing is written anywhere. ``progress`` is told the games done and
    the games in all, at the start and after every chunk.
    """
    _check_amounts(games, seed, jobs)
    rules = _read_boards(boards)
    with ExitStack() as stack:
        names = [stack.enter_context(_named(agent, store)) for agent in _list_agents(agents)]
        # The same agent or board twice is played once.
        conditions = dict.fromkeys(Condition.of(one, name) for name in names for one in rules)
        if not conditions:
            raise InputError("A sweep needs at least one agent and one board.")
        tasks = [Task(condition, games, seed) for condition in conditions]
        try_agents(tasks)
        results = stack.enter_context(Store(_IN_MEMORY if store is None else Path(store)))
        _play(results, tasks, make_backend(jobs, cluster), progress)
        return Results.of_tasks(results, tasks)


def _play(store: Store, tasks: list[Task], backend: Backend, progress: Callable[[int, int], None] | None) -> None:
    """Play what can be played anywhere wherever it was asked for, and the rest here."""
    n_total, n_before = sum(task.n_games for task in tasks), 0
    is_here = [_is_unknown_elsewhere(task.condition.agent) for task in tasks]
    for here, player in ((True, InProcess()), (False, backend)):
        chosen = [task for task, stays in zip(tasks, is_here, strict=True) if stays is here]
        if chosen:
            watch = None if progress is None else partial(_tell, progress, n_before, n_total)
            run_tasks(store, chosen, player, watch)
            n_before += sum(task.n_games for task in chosen)


def _tell(progress: Callable[[int, int], None], n_before: int, n_total: int, n_done: int, _: int) -> None:
    progress(n_before + n_done, n_total)


def _check_amounts(games: int, seed: int, jobs: int | None) -> None:
    for name, value in (("games", games), ("jobs", 1 if jobs is None else jobs)):
        if not isinstance(value, int) or value < 1:
            raise InputError(f"The number of {name} should be a whole number, at least 1, not {value!r}.")
    check_seed(seed)
    check_seed(seed + games - 1)


def _read_boards(given: str | Rules | Iterable[str | Rules]) -> list[Rules]:
    check_type(given, (Rules, Iterable), "a board or several, each as rules or as text")
    return [Rules.of(given)] if isinstance(given, (str, Rules)) else [Rules.of(board) for board in given]


def _list_agents(given: str | Maker | Iterable[str | Maker]) -> list[str | Maker]:
    if isinstance(given, str):
        return [name.strip() for name in given.split(",")]
    if callable(given):
        return [given]
    check_type(given, Iterable, "an agent or several")
    return list(given)


@contextmanager
def _named(agent: str | Maker, store: object) -> Iterator[str]:
    """The name of an agent; one that has none is on the list under a name of its own as long as the games last."""
    if isinstance(agent, str):
        yield agent
        return
    if not callable(agent):
        raise InputError(f"An agent is a name or what makes it, a function or a class, not {agent!r}.")
    found = next((entry.name for entry in AGENTS.values() if entry.make is agent), None) or own.name_of(agent)
    if found is not None:
        yield found
        return
    if store is not None:
        raise InputError(
            f"Results of {own.call_name(agent)} cannot be stored, because it cannot be imported again; put it into a "
            "module and name it module:make."
        )
    name = _free_name(own.call_name(agent))
    register(Entry(name, 1, own.guarded(name, agent), own.about(agent), sound=False))
    try:
        yield name
    finally:
        del AGENTS[name]


def _free_name(wanted: str) -> str:
    names = chain([wanted], (f"{wanted}-{number}" for number in count(2)))
    return next(name for name in names if name not in AGENTS)


def _is_unknown_elsewhere(agent: str) -> bool:
    """Whether an agent is on the list of this process alone."""
    return agent in AGENTS and is_own(agent)
