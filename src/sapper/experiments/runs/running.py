"""From tasks to committed results: plays what the store lacks, wherever it is told to, and says how it goes."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sapper.agents.registry import is_own
from sapper.experiments.runs.games import try_agent
from sapper.experiments.runs.store import CHUNK_SIZE, Run, Store, chunks_to_play
from sapper.knowledge.facts import MAX_CELLS
from sapper.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sapper.experiments.runs.backends import Backend
    from sapper.experiments.runs.games import Board, Chunk, Condition


@dataclass(frozen=True, slots=True)
class Task:
    """So many games of one condition."""

    condition: Condition
    n_games: int
    seed: int = 0
    boards: tuple[Board, ...] = field(default=(), repr=False)
    chunk_size: int = CHUNK_SIZE

    def run_in(self, store: Store) -> Run:
        """The run of this task."""
        return store.open_run(self.condition, self.seed, self.chunk_size)


def try_agents(tasks: Iterable[Task]) -> None:
    """Raise what would end the games of an agent at their very first move, once for each agent and size of board.

    Ours are tried only on boards that may be too large for them: elsewhere they have decided before.
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
    tasks: list[Task],
    backend: Backend,
    watch: Callable[[int, int], None] | None = None,
) -> int:
    """Play whatever the tasks lack and commit each chunk as it is finished; return how many games were played.

    ``watch`` is told the games done and the games in all: once at the start, then after every commit.
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
    # Closed whatever happens, so that nobody plays on for a store that takes nothing any more.
    with closing(backend.play(missing)) as finished:
        for (run, number), result in finished:
            store.add(run, number, result)
            n_done += result.n_games
            if watch:
                watch(n_done, n_total)
    return n_missing
