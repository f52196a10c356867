"""Draw the figures of the report page: small enough for a phone, in the style of `plots`.

`DensityGrid` is what several studies share: agents at several densities on one board size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition
from sapper.experiments.plots import COLOURS, Curve, draw_lines, require_matplotlib
from sapper.experiments.reports.claims import StudyResults
from sapper.experiments.sweep import SweepTask
from sapper.observation import EXPLODED, FLAG, HIDDEN, SYMBOLS, Observation
from sapper.rules import Rules
from sapper.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SIZE = (5.0, 3.7)  # inches: readable at the width of a phone

_HATCHES = ("", "//", "..", "xx")  # to distinguish bars in grey


class Band(NamedTuple):
    """What a report says about a part of its figure: the range of values from ``first`` to ``last``."""

    first: float
    last: float
    low: float
    high: float


class Bars(NamedTuple):
    """A named series of bars, one for each place."""

    name: str
    values: Sequence[Interval]


def draw_curves(
    lines: Sequence[Curve], x_name: str, y_name: str, *, most: float | None = None, marks: int = 1
) -> Figure:
    """Draw lines with their bands; ``most`` is the largest possible value, ``marks`` the distance between markers."""
    figure = draw_lines(lines, x_name, y_name)
    figure.set_size_inches(*SIZE)
    (axes,) = figure.axes
    for line in axes.get_lines():
        line.set_markevery(marks)
    _, top = axes.get_ylim()
    # Scores and counts start at zero, even if intervals of a few games reach below it.
    margin = 0.03 * (most or top)
    axes.set_ylim(-margin, most + margin if most is not None else top)
    if lines and len(lines) > 1:
        axes.legend(frameon=False, fontsize=8.5)
    return figure


def draw_bars(places: Sequence[str], bars: Sequence[Bars], y_name: str, *, log: bool = False) -> Figure:
    """Draw groups of bars with their intervals and values."""
    figure = draw_lines([], "", y_name)
    figure.set_size_inches(*SIZE)
    (axes,) = figure.axes
    width = 0.8 / len(bars)
    for number, (name, values) in enumerate(bars):
        colour, hatch = COLOURS[number % len(COLOURS)], _HATCHES[number % len(_HATCHES)]
        at = [place + (number - (len(bars) - 1) / 2) * width for place in range(len(places))]
        middle = [one.value for one in values]
        errors = [[one.value - one.low for one in values], [one.high - one.value for one in values]]
        filled = colour if number == 0 else "none"
        axes.bar(at, middle, 0.9 * width, color=filled, edgecolor=colour, hatch=hatch, label=name, linewidth=1.2)
        if any(low or high for low, high in zip(*errors, strict=True)):
            axes.errorbar(at, middle, yerr=errors, fmt="none", ecolor="#7f7f7f", capsize=3, linewidth=1.2)
    axes.set_xticks(range(len(places)), places)
    axes.grid(visible=False, axis="x")
    if log:
        axes.set_yscale("log")
    if len(bars) > 1:
        # Above the bars, which leave no room between them.
        axes.legend(frameon=False, fontsize=8.5, ncols=len(bars), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


def draw_words(bands: Sequence[Band], x_name: str, y_name: str, most: float) -> Figure:
    """Draw what a report says about a figure that is not available."""
    figure = draw_lines([], x_name, y_name)
    figure.set_size_inches(*SIZE)
    (axes,) = figure.axes
    for first, last, low, high in bands:
        if low == high:
            axes.plot([first, last], [low, high], color=COLOURS[1], marker="o", linewidth=2)
        axes.fill_between([first, last], [low, low], [high, high], color=COLOURS[1], alpha=0.25, linewidth=0)
    axes.set_ylim(-0.03 * most, 1.03 * most)
    return figure


def draw_boards(boards: Sequence[tuple[str, Observation]], columns: int) -> Figure:
    """Draw positions in rows, each under its title, as in a report: X is a detonated mine."""
    require_matplotlib()
    from matplotlib.figure import Figure

    symbols = {**SYMBOLS, HIDDEN: "", FLAG: "m", EXPLODED: "X"}
    figure = Figure(figsize=(SIZE[0], SIZE[0] / columns * -(-len(boards) // columns) * 1.15), layout="constrained")
    places = figure.subplots(-(-len(boards) // columns), columns, squeeze=False).ravel()
    for axes, (title, position) in zip(places, boards, strict=False):
        for row in range(position.rows + 1):
            axes.plot([0, position.cols], [row, row], color="#7f7f7f", linewidth=0.8)
        for col in range(position.cols + 1):
            axes.plot([col, col], [0, position.rows], color="#7f7f7f", linewidth=0.8)
        for row, codes in enumerate(position.cells.tolist()):
            for col, code in enumerate(codes):
                axes.text(col + 0.5, row + 0.5, symbols[code], ha="center", va="center", fontsize=9)
        axes.set_title(title, fontsize=9)
        axes.set_aspect("equal")
        axes.invert_yaxis()
    for axes in places:
        axes.set_axis_off()
    return figure


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
