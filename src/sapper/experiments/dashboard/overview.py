"""What a store holds, in order: the sweeps that somebody planned, with how far they are, and everything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sapper.errors import SapperError
from sapper.experiments.results import Results, name_boards
from sapper.experiments.runs.summary import summarise_run
from sapper.experiments.runs.sweep import Sweep

if TYPE_CHECKING:
    from sapper.experiments.runs.store import Run, Store
    from sapper.experiments.runs.summary import Summary


@dataclass(frozen=True, slots=True)
class Planned:
    """A sweep that was planned, and what there is of it."""

    number: int
    made: str
    sweep: Sweep
    n_done: int
    n_total: int
    results: Results

    @property
    def is_finished(self) -> bool:
        """Whether every game was played."""
        return self.n_done >= self.n_total


@dataclass(frozen=True, slots=True)
class Group:
    """Runs on the same boards that no plan asks for: those of benches, reports and programs."""

    rules: str
    boards: str
    results: Results


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything in a store."""

    name: str
    n_runs: int
    n_games: int
    seconds: float  # CPU time
    planned: tuple[Planned, ...]  # the newest first
    groups: tuple[Group, ...]
    n_strange: int = 0  # plans that this version of Sapper does not know


def look_at(store: Store) -> Overview:
    """Read a store; nothing is written, and no agent is imported."""
    listed = store.runs()
    known = _Known(store, {run.id: (run, n_games) for run, n_games, _ in listed})
    planned, n_strange = [], 0
    for number, kind, settings, made in store.plans():
        try:
            sweep = Sweep.of_settings(settings) if kind == "sweep" else None
        except (TypeError, KeyError, ValueError, SapperError):
            sweep = None
        if sweep is None:
            n_strange += 1
        else:
            planned.append(known.read_plan(number, made, sweep))
    return Overview(
        store.path.name,
        len(listed),
        sum(n_games for _, n_games, _ in listed),
        sum(seconds for *_, seconds in listed),
        tuple(reversed(planned)),
        known.group_others(),
        n_strange,
    )


class _Known:
    """The runs of a store, and which of them belong to a plan."""

    def __init__(self, store: Store, runs: dict[int, tuple[Run, int]]) -> None:
        self._store = store
        self._runs = runs
        self._planned: set[int] = set()
        self._by_name: dict[tuple[object, ...], list[int]] = {}
        for number, (run, _) in runs.items():
            one = run.condition
            name = one.agent, one.rules, one.source, one.restart_opening, run.seed, run.chunk_size
            self._by_name.setdefault(name, []).append(number)

    def read_plan(self, number: int, made: str, sweep: Sweep) -> Planned:
        """Find the runs of a plan; of an agent that has changed since, the one of its newest version."""
        rows: list[Summary] = []
        runs: list[Run] = []
        n_done, combinations = 0, sweep.combinations()
        for agent, rules in combinations:
            name = agent, str(rules), "seeds", sweep.restart_opening, sweep.seed, sweep.chunk_size
            found = self._by_name.get(name, [])
            self._planned.update(found)
            if found and self._runs[found[-1]][1]:
                run, n_games = self._runs[found[-1]]
                n_done += min(n_games, sweep.n_games)
                runs.append(run)
                rows.append(summarise_run(self._store, run, sweep.n_games))
        return Planned(
            number, made, sweep, n_done, len(combinations) * sweep.n_games, Results(tuple(rows), tuple(runs))
        )

    def group_others(self) -> tuple[Group, ...]:
        """The runs that belong to no plan, by what was played, the oldest first."""
        groups: dict[tuple[str, str], list[Run]] = {}
        for number, (run, n_games) in self._runs.items():
            if n_games and number not in self._planned:
                groups.setdefault((run.condition.rules, name_boards(run)), []).append(run)
        return tuple(
            Group(rules, boards, Results(tuple(summarise_run(self._store, run) for run in runs), tuple(runs)))
            for (rules, boards), runs in groups.items()
        )
