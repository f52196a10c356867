"""A sweep: agents x sizes x numbers of mines x channels, as a list of tasks."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from sapper.errors import InputError
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.experiments.runs.store import CHUNK_SIZE
from sapper.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_CONDITIONS = 10_000


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is varied, and how many games each combination gets."""

    agents: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]
    densities: tuple[float, ...] = ()  # either these
    mines: tuple[int, ...] = ()  # or these
    channels: tuple[str, ...] = ("exact",)
    words: str = "survey first-any"  # the rest of the rules
    n_games: int = 100
    seed: int = 0
    restart_opening: bool = False
    chunk_size: int = CHUNK_SIZE

    def __post_init__(self) -> None:
        if bool(self.densities) == bool(self.mines):
            raise InputError("A sweep varies either the densities or the numbers of mines.")
        n = len(self.agents) * len(self.sizes) * len(self.channels) * len(self.densities or self.mines)
        if not 0 < n <= MOST_CONDITIONS:
            raise InputError(f"The sweep has {n:,} combinations; from 1 to {MOST_CONDITIONS:,} can be run at once.")

    def tasks(self) -> list[Task]:
        """The tasks, agent by agent."""
        conditions = [
            Condition.of(rules, agent, restart_opening=self.restart_opening) for agent, rules in self.combinations()
        ]
        return [Task(condition, self.n_games, self.seed, chunk_size=self.chunk_size) for condition in conditions]

    def combinations(self) -> list[tuple[str, Rules]]:
        """Who plays what, agent by agent."""
        found = {}
        for agent, (rows, cols), channel in product(self.agents, self.sizes, self.channels):
            for mines in self._mines_on(rows * cols):
                rules = Rules.parse(f"{rows}x{cols}/{mines} {self.words} {'' if channel == 'exact' else channel}")
                # Two densities may mean the same number of mines on a small board.
                found[agent, str(rules)] = rules
        return [(agent, rules) for (agent, _), rules in found.items()]

    def _mines_on(self, n_cells: int) -> list[int]:
        if self.densities:
            if not all(0.0 <= density <= 1.0 for density in self.densities):
                raise InputError("Densities lie between 0 and 1.")
            return [round(density * n_cells) for density in self.densities]
        return list(self.mines)

    def settings(self) -> dict[str, object]:
        """As plain values, for the store."""
        return asdict(self)

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> Sweep:
        """Make a sweep again from what the store kept."""
        lists = {name: tuple(value) for name, value in settings.items() if isinstance(value, list)}
        lists["sizes"] = tuple((rows, cols) for rows, cols in settings["sizes"])
        return cls(**{**settings, **lists})
