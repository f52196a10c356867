"""Agents at several densities on one board size: a grid of games that several studies share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from sapper.experiments.reports.claims import StudyResults
    from sapper.statistics import Interval

DENSITIES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)


@dataclass(frozen=True, slots=True)
class DensityGrid:
    """Every agent at every density, on the same boards.

    >>> DensityGrid({}, 8, "survey").board(0.2)
    '8x8/13 survey'
    """

    agents: Mapping[str, str]  # name → what it is called in figures
    side: int  # rows and columns
    words: str  # the rest of the rules
    densities: tuple[float, ...] = DENSITIES

    def board(self, density: float) -> str:
        """Return the rules at a density."""
        return f"{self.side}x{self.side}/{round(self.side**2 * density)} {self.words}"

    def task(self, agent: str, density: float, n_games: int, chunk_size: int) -> SweepTask:
        """Return a task: games of an agent at a density."""
        return SweepTask(Condition.of(Rules.parse(self.board(density)), agent), n_games, chunk_size=chunk_size)

    def tasks(self, n_games: int, chunk_size: int) -> list[SweepTask]:
        """Return all tasks, agent by agent."""
        return [self.task(agent, density, n_games, chunk_size) for agent in self.agents for density in self.densities]

    def means(self, results: StudyResults, column: str, agent: str) -> list[Interval]:
        """Return the means of an agent, density by density."""
        return [results.mean(column, agent, self.board(density)) for density in self.densities]

    def differences(self, results: StudyResults, column: str, agent: str, other: str) -> list[NDArray[np.float64]]:
        """Return the differences between two agents, game by game, density by density."""
        return [
            results.column(column, agent, self.board(density)) - results.column(column, other, self.board(density))
            for density in self.densities
        ]

    def lines(self, results: StudyResults, column: str) -> list[Curve]:
        """Return a line for every agent."""
        return [Curve(name, self.densities, self.means(results, column, agent)) for agent, name in self.agents.items()]
