"""Compare the layouts of random boards with those of no-guess boards, made by rejection or by repair.

Rejection samples no-guess boards uniformly, so it shows the effect of the condition itself; the bias of repair is the
difference between the two. Means over boards have 95% intervals; differences are in units of their standard error, so
up to about 2 is noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sapper.errors import InputError
from sapper.experiments.plots import require_matplotlib, style_of
from sapper.layout import Layout
from sapper.play.metrics import board_metrics
from sapper.play.noguess.generate import NoGuessMaker, Reasoning
from sapper.rules import Rules
from sapper.statistics import Interval, mean_interval
from sapper.topology import Cell, Topology
from sapper.world.generation import generate_layout

if TYPE_CHECKING:
    from matplotlib.figure import Figure


PLAIN, REJECTED, REPAIRED = "plain", "reject", "repair"
KINDS = (PLAIN, REJECTED, REPAIRED)

# Larger distances are grouped together.
_FARTHEST_EDGE = 5
_FARTHEST_FIRST = 10


@dataclass(frozen=True, slots=True)
class Measure:
    """The mean of one statistic, for each kind of board."""

    group: str  # edge, first or board
    name: str
    by_kind: dict[str, Interval]

    def difference(self, one: str, other: str) -> float:
        """Return the difference of two means in units of its standard error."""
        first, second = self.by_kind[one], self.by_kind[other]
        error = math.hypot(first.high - first.value, second.high - second.value) / 1.959963984540054
        return (first.value - second.value) / error if error > 0 else 0.0


@dataclass(frozen=True, slots=True)
class LayoutComparison:
    """The statistics of boards made by different methods."""

    rules: Rules
    first: Cell
    n_boards: int
    measures: tuple[Measure, ...]

    def chi_square(self, group: str, one: str, other: str) -> tuple[float, int]:
        """Return the sum of the squared differences of a group of measures, and how many there are.

        All rings of a board together hold all its mines, so one difference follows from the others: by chance, the sum
        is about the number of measures less one.
        """
        found = [measure.difference(one, other) for measure in self.measures if measure.group == group]
        return sum(z * z for z in found), len(found)


def steps_from(board: Topology, starts: list[int]) -> NDArray[np.int64]:
    """Return the number of steps from each cell to the nearest of ``starts``; -1 if there is no path."""
    steps = np.full(board.n_cells, -1, dtype=np.int64)
    steps[starts] = 0
    waiting = list(starts)
    for cell in waiting:
        for other in board.neighbours_of(cell):
            if steps[other] < 0:
                steps[other] = steps[cell] + 1
                waiting.append(other)
    return steps


def compare_layouts(
    rules: Rules,
    first: Cell,
    n_boards: int,
    *,
    seed: int = 0,
    reasoning: Reasoning | None = None,
    kinds: tuple[str, ...] = KINDS,
    mix: int = 0,
    watch: Callable[[int, int], None] | None = None,
) -> LayoutComparison:
    """Make ``n_boards`` boards of each kind and measure where their mines are, their 3BV and their openings."""
    if n_boards < 2:
        raise InputError("A comparison needs at least two boards of each kind.")
    board = rules.topology
    rings = _rings(board, first)
    values: dict[str, NDArray[np.float64]] = {}
    done = 0
    for kind in kinds:
        make = _maker(rules, first, reasoning, kind, mix)
        values[kind] = np.empty((n_boards, len(rings) + 2))
        for number in range(n_boards):
            layout = make(seed + number)
            mines = layout.mines.ravel()
            metrics = board_metrics(layout)
            values[kind][number, :-2] = [mines[cells].mean() for _, _, cells in rings]
            values[kind][number, -2:] = metrics.bbbv, metrics.openings
            done += 1
            if watch is not None:
                watch(done, n_boards * len(kinds))
    names = [*((group, name) for group, name, _ in rings), ("board", "3BV"), ("board", "openings")]
    measures = tuple(
        Measure(group, name, {kind: _mean(values[kind][:, column]) for kind in kinds})
        for column, (group, name) in enumerate(names)
    )
    return LayoutComparison(rules, first, n_boards, measures)


def _maker(rules: Rules, first: Cell, reasoning: Reasoning | None, kind: str, mix: int) -> Callable[[int], Layout]:
    if kind == PLAIN:
        return lambda seed: generate_layout(rules, seed, first)
    if kind == REJECTED:
        maker = NoGuessMaker(rules, first, reasoning=reasoning, method="reject")
    else:
        maker = NoGuessMaker(rules, first, reasoning=reasoning, mix=mix)
    return lambda seed: maker.make(seed).layout


def _rings(board: Topology, first: Cell) -> list[tuple[str, str, NDArray[np.bool_]]]:
    """Group cells by their distance from the edge, if there is one, and from the first cell."""
    rings = []
    border = np.flatnonzero(board.degree < board.degree.max()).tolist()
    for group, starts, farthest in (
        ("edge", border, _FARTHEST_EDGE),
        ("first", [board.number(first)], _FARTHEST_FIRST),
    ):
        steps = steps_from(board, starts)
        last = min(farthest, int(steps.max()))
        for distance in range(0 if group == "edge" else 1, last + 1):
            is_open = distance == farthest and steps.max() > farthest
            cells = steps >= distance if is_open else steps == distance
            rings.append((group, f"{distance}{'+' if is_open else ''}", cells))
        if not starts:
            rings.clear()
    return rings


def _mean(values: NDArray[np.float64]) -> Interval:
    # Centre first, so that the sum of squares does not lose precision.
    middle = float(values.mean())
    rest = values - middle
    found = mean_interval(float(rest.sum()), float((rest * rest).sum()), values.size)
    return Interval(found.value + middle, found.low + middle, found.high + middle)


def write_table(comparison: LayoutComparison) -> str:
    """Return a Markdown table with a row per measure, and the sums of the differences."""
    kinds = list(comparison.measures[0].by_kind)
    pairs = [(one, other) for one, other in ((REJECTED, PLAIN), (REPAIRED, PLAIN), (REPAIRED, REJECTED))]
    pairs = [pair for pair in pairs if {*pair} <= {*kinds}]
    where = {"edge": "mines {} from the edge", "first": "mines {} from the first cell", "board": "{}"}
    lines = [
        "| " + " | ".join(["", *kinds, *(f"{one} - {other}" for one, other in pairs)]) + " |",
        "|---" * (1 + len(kinds) + len(pairs)) + "|",
    ]
    for measure in comparison.measures:
        cells = [where[measure.group].format(measure.name)]
        for kind in kinds:
            value, _, high = measure.by_kind[kind]
            digits = ".2f" if measure.group == "board" else ".4f"
            cells.append(f"{value:{digits}} ± {high - value:{digits}}")
        cells += [f"{measure.difference(one, other):+.1f}" for one, other in pairs]
        lines.append("| " + " | ".join(cells) + " |")
    for group in ("edge", "first"):
        sums = [comparison.chi_square(group, one, other) for one, other in pairs]
        if sums and sums[0][1]:
            name = f"squares of the {sums[0][1]} differences from the {'edge' if group == 'edge' else 'first cell'}"
            lines.append("| " + " | ".join([name, *("" for _ in kinds), *(f"{total:.0f}" for total, _ in sums)]) + " |")
    return "\n".join(lines) + "\n"


def draw_comparison(comparison: LayoutComparison) -> Figure:
    """Draw the share of mines by distance from the edge and from the first cell."""
    require_matplotlib()
    from matplotlib.figure import Figure

    groups = [group for group in ("edge", "first") if any(one.group == group for one in comparison.measures)]
    figure = Figure(figsize=(4.4 * len(groups), 3.8), layout="constrained")
    for axes, group in zip(figure.subplots(1, len(groups), squeeze=False)[0], groups, strict=True):
        # Leave out distances at which the first-click rule allows no mines.
        measures = [
            one
            for one in comparison.measures
            if one.group == group and any(found.value for found in one.by_kind.values())
        ]
        places = list(range(len(measures)))
        for number, kind in enumerate(comparison.measures[0].by_kind):
            colour, dash, marker = style_of(number)
            found = [one.by_kind[kind] for one in measures]
            axes.plot(places, [one.value for one in found], color=colour, linestyle=dash, marker=marker, label=kind)
            axes.fill_between(
                places, [one.low for one in found], [one.high for one in found], color=colour, alpha=0.18, linewidth=0
            )
        axes.set_xticks(places, [one.name for one in measures])
        axes.set_xlabel("steps from the edge" if group == "edge" else "steps from the first cell")
        axes.set_ylabel("share of mines")
        axes.grid(visible=True, color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=9)
    return figure
