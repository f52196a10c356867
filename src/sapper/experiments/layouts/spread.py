"""The figures of many layouts: how they are spread, as a table and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.experiments.plots import require_matplotlib
from sapper.play.figures.measures import board_statistics
from sapper.world.generate import generate_layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.figure import Figure

    from sapper.play.figures.measures import BoardStatistics
    from sapper.rules import Rules

# What is measured of every layout → what people call it.
MEASURES = {
    "bbbv": "3BV", "openings": "openings", "islands": "islands", "zini": "ZiNi", "human_zini": "human ZiNi",
}  # fmt: skip


class Spread(NamedTuple):
    """How one figure is spread over many layouts."""

    measure: str
    least: int
    low: float  # a twentieth of the layouts lie below
    median: float
    mean: float
    high: float  # a twentieth lie above
    most: int
    deviation: float


def measure_boards(rules: Rules, n_boards: int, seed: int = 0) -> Iterator[BoardStatistics]:
    """Measure the layouts of seeds from ``seed`` on, laid for a first click in the corner."""
    for number in range(n_boards):
        yield board_statistics(generate_layout(rules, seed + number, (0, 0)))


def spread_of(measured: Sequence[BoardStatistics]) -> list[Spread]:
    """Say how each figure is spread; the standard deviation is that of a sample.

    >>> from sapper.rules import Rules
    >>> [spread.median for spread in spread_of(list(measure_boards(Rules.parse("beginner"), 100)))]
    [15.0, 3.0, 3.0, 13.0, 13.5]
    """
    spreads = []
    for measure in MEASURES:
        values = np.array([getattr(one, measure) for one in measured])
        low, median, high = np.quantile(values, (0.05, 0.5, 0.95)).tolist()
        deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        spreads.append(
            Spread(measure, int(values.min()), low, median, float(values.mean()), high, int(values.max()), deviation)
        )
    return spreads


def draw_histograms(measured: Sequence[BoardStatistics], title: str) -> Figure:
    """Draw 3BV beside ZiNi, and the openings."""
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 3.6), layout="constrained")
    clicks, openings = figure.subplots(1, 2, width_ratios=(2, 1))
    series = {name: [getattr(one, name) for one in measured] for name in ("bbbv", "zini", "openings")}
    values = series["bbbv"] + series["zini"]
    # Whole numbers: every bar holds equally many of them.
    width = max(1, -(-(max(values) - min(values) + 1) // 40))
    edges = np.arange(min(values), max(values) + width + 1, width) - 0.5
    clicks.hist(series["bbbv"], edges, color="#004c78", alpha=0.85, label="3BV")
    clicks.hist(series["zini"], edges, color="#d55e00", histtype="step", linewidth=1.8, label="ZiNi (greedy)")
    clicks.set_xlabel("clicks")
    clicks.legend(frameon=False, fontsize=9)
    openings.hist(series["openings"], np.arange(max(series["openings"]) + 2) - 0.5, color="#117733")
    openings.set_xlabel("openings")
    clicks.set_ylabel("boards")
    for axes in (clicks, openings):
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{title}, {len(measured):,} boards" if title else f"{len(measured):,} boards", fontsize=11)
    return figure
