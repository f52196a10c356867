"""Report 000's chains of influence: how long they are, against the density of mines and the size of the board."""

from __future__ import annotations

from sapper.experiments.games import Condition
from sapper.experiments.plots import Line
from sapper.experiments.reports.claims import Check, Count, Experiment, Picture, Results, above, write
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.sweep import Task
from sapper.play.influence.measure import DEFAULT_AGENT
from sapper.rules import Rules
from sapper.statistics import Interval, difference

SIZES = (8, 16)
DENSITIES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
SOURCE = "probe:chains"


def _board(size: int, density: float) -> str:
    return f"{size}x{size}/{round(size * size * density)} survey first-any total-hidden"


def _tasks(count: Count) -> list[Task]:
    amounts = {8: count(40, 500), 16: count(12, 150)}
    return [
        Task(Condition.of(Rules.parse(_board(size, density)), DEFAULT_AGENT, SOURCE), amounts[size], chunk_size=12)
        for size in SIZES
        for density in DENSITIES
    ]


def _lengths(results: Results, size: int) -> dict[float, Interval]:
    return {
        density: results.mean("moves", DEFAULT_AGENT, _board(size, density), source=SOURCE) for density in DENSITIES
    }


def _check(results: Results) -> list[Check]:
    n_games = {
        size: min(len(results.column("moves", DEFAULT_AGENT, _board(size, one), source=SOURCE)) for one in DENSITIES)
        for size in SIZES
    }
    return check_lengths({size: _lengths(results, size) for size in SIZES}, n_games)


def check_lengths(lengths: dict[int, dict[float, Interval]], n_games: dict[int, int]) -> list[Check]:
    """Compare mean lengths, by size and density, with what the report expects of them."""
    checks = []
    for size, by_density in lengths.items():
        first, *inner, last = sorted(by_density)
        peak = max(inner, key=lambda density: by_density[density].value)
        checks.append(
            Check(
                f"Chains are longest with neither too few nor too many mines ({size} x {size}).",
                f"Between the extremes longest at a density of {peak}: {write(by_density[peak], 1)} deductions, "
                f"against {write(by_density[first], 1)} at {first} and {write(by_density[last], 1)} at {last}.",
                above([difference(by_density[peak], by_density[end]) for end in (first, last)]),
                quote="This situation is more likely as the number of mines is neither too small nor too large",
                n_seen=n_games[size],
            )
        )
    small, large = min(lengths), max(lengths)
    differences = [difference(lengths[large][density], lengths[small][density]) for density in lengths[small]]
    least = min(differences)
    checks.append(
        Check(
            "The size of the board bounds them: larger boards have longer chains.",
            f"On {large} x {large} they are longer than on {small} x {small} at every density, by at least "
            f"{write(least, 1)} deductions."
            if least.low > 0
            else f"On {large} x {large} they are not longer than on {small} x {small} at every density: the least "
            f"difference is {write(least, 1)}.",
            above(differences),
            quote="The longest chain of influence is determined by the size of the board",
        )
    )
    return checks


def _draw(results: Results) -> list[Picture]:
    lines = [Line(f"{size} x {size}", DENSITIES, list(_lengths(results, size).values())) for size in SIZES]
    return [
        Picture(
            draw_curves(lines, "share of mines", "deductions in the longest chain"),
            "Mean length of a game's longest chain of influence against the density of mines.",
        )
    ]


EXPERIMENTS = (
    Experiment(
        "000-chains",
        "000",
        "Chains of influence against density",
        "One opened cell settles another, which settles a third. The report says in words on which boards such chains "
        "are long; it names neither boards nor lengths.",
        f"{DEFAULT_AGENT}, whose deductions name the clues they rest on, followed deduction by deduction, total "
        f"unknown.",
        _tasks,
        _check,
        _draw,
        "The report's other questions about chains (what they cost, how far they reach, whether zeros divide the "
        "board) are answered by sapper influence.",
    ),
)
