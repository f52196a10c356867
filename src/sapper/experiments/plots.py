"""Draw results of sweeps, and how statistics of layouts are distributed.

Lines differ in lightness, dash and marker as well as in hue: they suit readers who see colours differently, and survive
a grey copy.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.channel import Channel
from sapper.errors import InputError
from sapper.play.metrics import BoardStatistics, board_statistics
from sapper.play.reading import check_target, write_file
from sapper.rules import Rules
from sapper.statistics import Interval
from sapper.world.generation import generate_layout

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sapper.experiments.results import Summary


# After Okabe and Ito, with different lightness for each; neighbours in the list differ most.
COLOURS = ("#000000", "#d55e00", "#004c78", "#e69f00", "#117733", "#94d4f2", "#55104a", "#44aa99")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (3, 1)), (0, (1, 3)), (0, (9, 3)))
NO_SCORE = "Only surveys have a score; for other games, draw wins."
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h", "d", "8", "H", "+")


def style_of(number: int) -> tuple[str, object, str]:
    """Return colour, dash and marker of a line; colours repeat after eight lines, with other dashes and markers.

    >>> style_of(0), style_of(8)
    (('#000000', '-', 'o'), ('#000000', '--', '<'))
    """
    return (
        COLOURS[number % len(COLOURS)],
        DASHES[(number + number // len(COLOURS)) % len(DASHES)],
        MARKERS[number % len(MARKERS)],
    )


class Curve(NamedTuple):
    """A named line: values with their intervals."""

    name: str
    xs: Sequence[float]
    values: Sequence[Interval]


def require_matplotlib() -> None:
    """Raise `InputError` if matplotlib is not installed."""
    # Without a writable home directory it would warn at length, and work all the same.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise InputError("Drawing needs matplotlib: pip install 'sapper[plots]'.") from None


def draw_lines(lines: Sequence[Curve], x_name: str, y_name: str, title: str = "", log: bool = False) -> Figure:
    """Draw lines with their 95% bands."""
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    for number, line in enumerate(lines):
        colour, dash, marker = style_of(number)
        middle = [value.value for value in line.values]
        axes.plot(line.xs, middle, color=colour, linestyle=dash, marker=marker, markersize=4.5, label=line.name)
        low, high = [value.low for value in line.values], [value.high for value in line.values]
        axes.fill_between(line.xs, low, high, color=colour, alpha=0.18, linewidth=0)
    if log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.set_xlabel(x_name)
    axes.set_ylabel(y_name)
    if title:
        axes.set_title(title, fontsize=11)
    axes.grid(visible=True, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if len(lines) > 1 or (lines and lines[0].name):
        axes.legend(frameon=False, fontsize=9)
    return figure


def draw_scores(rows: Sequence[Summary], title: str = "") -> Figure:
    """Draw the score of surveys against density, a line for each agent, size and channel."""
    surveys = [row for row in rows if row.is_survey]
    if rows and not surveys:
        raise InputError(NO_SCORE)
    return _draw(surveys, lambda row: row.density, lambda row: row.score, "share of mines", "score", title)


def draw_wins(rows: Sequence[Summary], title: str = "") -> Figure:
    """Draw games won against density."""
    return _draw(rows, lambda row: row.density, lambda row: row.won, "share of mines", "games won", title)


def draw_detonations(rows: Sequence[Summary], title: str = "") -> Figure:
    """Draw detonations against the probability that a clue is withheld or wrong."""
    return _draw(rows, channel_chance, lambda row: row.detonations, "chance of a bad clue", "detonations", title)


def draw_times(rows: Sequence[Summary], title: str = "") -> Figure:
    """Draw CPU time per game, without intervals, against the number of cells, on logarithmic scales."""
    groups: dict[str, list[Summary]] = {}
    for row in rows:
        groups.setdefault(row.agent, []).append(row)
    lines = []
    for agent, members in groups.items():
        members.sort(key=lambda row: row.rows * row.cols)
        times = [Interval(row.seconds, row.seconds, row.seconds) for row in members]
        lines.append(Curve(agent, [row.rows * row.cols for row in members], times))
    return draw_lines(lines, "cells", "CPU seconds per game", title, log=True)


def channel_chance(row: Summary) -> float:
    """Return the probability of a row's channel; 0 for exact clues."""
    return Channel.parse(row.channel).p


def _draw(
    rows: Sequence[Summary],
    x_of: Callable[[Summary], float],
    y_of: Callable[[Summary], Interval],
    x_name: str,
    y_name: str,
    title: str,
) -> Figure:
    groups: dict[str, list[Summary]] = {}
    for row, names in zip(rows, _names(rows, x_of is channel_chance), strict=True):
        for name in names:
            groups.setdefault(name, []).append(row)
    lines = []
    for name, members in groups.items():
        members.sort(key=x_of)
        lines.append(Curve(name, [x_of(row) for row in members], [y_of(row) for row in members]))
    return draw_lines(lines, x_name, y_name, title)


def _names(rows: Sequence[Summary], by_channel: bool) -> list[list[str]]:
    """Name each row's line by what differs between lines; exact clues begin the line of every kind of channel."""
    several_sizes = len({(row.rows, row.cols) for row in rows}) > 1
    several_channels = len({row.channel for row in rows}) > 1 and not by_channel
    several_rules = len({row.words for row in rows}) > 1
    kinds = sorted({row.channel.split(":")[0] for row in rows} - {"exact"})
    names = []
    for row in rows:
        words = [row.agent]
        if several_sizes:
            words.append(f"{row.rows}x{row.cols}")
        if several_channels:
            words.append(row.channel)
        if several_rules:
            words.append(row.words or "usual rules")
        if by_channel and len(kinds) > 1:
            own = kinds if row.channel == "exact" else [row.channel.split(":")[0]]
            names.append([", ".join([*words, kind]) for kind in own])
        else:
            names.append([", ".join(words)])
    return names


def check_figure_name(name: str) -> str:
    """Return the format of a figure by its file name, png or svg; raise `InputError` if it cannot be written."""
    require_matplotlib()
    check_target(name)
    path = Path(name)
    suffix = path.suffix.lower()
    if suffix not in (".png", ".svg"):
        raise InputError(f"A figure must be .png or .svg, not {path.name!r}.")
    return suffix[1:]


def save(figure: Figure, name: str) -> None:
    """Write a figure as PNG or SVG, by its suffix; equal figures give equal bytes."""
    write_file(name, render(figure, check_figure_name(name)))


def render(figure: Figure, kind: str) -> bytes:
    """Return a figure as the bytes of a PNG or SVG file."""
    import io

    import matplotlib as mpl

    buffer = io.BytesIO()
    # For reproducible bytes: no date, and a fixed salt for the names in an SVG. Text stays text.
    with mpl.rc_context({"svg.hashsalt": "sapper", "svg.fonttype": "none"}):
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(buffer, format=kind, dpi=150, metadata=metadata)
    return buffer.getvalue()


# Figures of a sweep by name.
FIGURES = {"score": draw_scores, "wins": draw_wins, "detonations": draw_detonations, "time": draw_times}


# Statistics of a layout: field → name.
MEASURES = {
    "bbbv": "3BV", "openings": "openings", "islands": "islands", "zini": "ZiNi", "human_zini": "human ZiNi",
}  # fmt: skip


class Spread(NamedTuple):
    """The distribution of one statistic over many layouts."""

    measure: str
    least: int
    low: float  # 5% quantile
    median: float
    mean: float
    high: float  # 95% quantile
    most: int
    deviation: float


def measure_boards(rules: Rules, n_boards: int, seed: int = 0) -> Iterator[BoardStatistics]:
    """Measure layouts of consecutive seeds, generated for a first click in the corner."""
    for number in range(n_boards):
        yield board_statistics(generate_layout(rules, seed + number, (0, 0)))


def spread_of(measured: Sequence[BoardStatistics]) -> list[Spread]:
    """Describe the distribution of each statistic; the standard deviation is that of a sample.

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
    # The values are integers: every bar covers equally many of them.
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
