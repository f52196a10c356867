"""Report 000: the length of chains of influence by density of mines and size of the board."""

from __future__ import annotations

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import Check, Count, Experiment, Picture, StudyResults, above, write
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval, difference

SIZES = (8, 16)
DENSITIES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
AGENTS = {"statements-reported": "the report's agent", "statements": "the sound version"}
REPORTED, SOUND = AGENTS
SOURCE = "probe:chains"


def _board(size: int, density: float) -> str:
    return f"{size}x{size}/{round(size * size * density)} survey first-any total-hidden"


def _tasks(count: Count) -> list[SweepTask]:
    amounts = {8: count(40, 500), 16: count(12, 150)}
    return [
        SweepTask(Condition.of(Rules.parse(_board(size, density)), agent, SOURCE), amounts[size], chunk_size=12)
        for agent in AGENTS
        for size in SIZES
        for density in DENSITIES
    ]


def _lengths(results: StudyResults, agent: str, size: int) -> dict[float, Interval]:
    return {density: results.mean("moves", agent, _board(size, density), source=SOURCE) for density in DENSITIES}


def _check(results: StudyResults) -> list[Check]:
    n_games = {
        size: min(len(results.column("moves", REPORTED, _board(size, one), source=SOURCE)) for one in DENSITIES)
        for size in SIZES
    }
    reported, sound = ({size: _lengths(results, agent, size) for size in SIZES} for agent in AGENTS)
    return check_lengths(reported, sound, n_games)


def check_lengths(
    lengths: dict[int, dict[float, Interval]], sound: dict[int, dict[float, Interval]], n_games: dict[int, int]
) -> list[Check]:
    """Compare mean lengths, by size and density, with what the report expects; ``sound`` is only printed."""
    checks = []
    for size, by_density in lengths.items():
        first, *_, last = sorted(by_density)
        peak = _peak(by_density)
        checks.append(
            Check(
                f"Chains are longest with neither too few nor too many mines ({size} x {size}).",
                f"Longest at a density of {peak}: {write(by_density[peak], 1)} deductions, "
                f"against {write(by_density[first], 1)} at {first} and {write(by_density[last], 1)} at {last}. The "
                f"sound version at {_peak(sound[size])}: "
                + ", ".join(write(sound[size][density], 1) for density in (_peak(sound[size]), first))
                + f" and {write(sound[size][last], 1)}.",
                above([difference(by_density[peak], by_density[end]) for end in (first, last)]),
                quote="This situation is more likely as the number of mines is neither too small nor too large",
                n_seen=n_games[size],
            )
        )
    least, sound_least = (min(_growth(found)) for found in (lengths, sound))
    small, large = min(lengths), max(lengths)
    checks.append(
        Check(
            "Larger boards have longer chains.",
            (
                f"On {large} x {large} they are longer than on {small} x {small} at every density, by at least "
                f"{write(least, 1)} deductions"
                if least.low > 0
                else f"On {large} x {large} they are not longer than on {small} x {small} at every density: the least "
                f"difference is {write(least, 1)}"
            )
            + f"; the sound version's by at least {write(sound_least, 1)}.",
            above(_growth(lengths)),
            quote="The longest chain of influence is determined by the size of the board",
        )
    )
    return checks


def _peak(by_density: dict[float, Interval]) -> float:
    """Return the density between the extremes with the longest chains."""
    return max(sorted(by_density)[1:-1], key=lambda density: by_density[density].value)


def _growth(lengths: dict[int, dict[float, Interval]]) -> list[Interval]:
    small, large = min(lengths), max(lengths)
    return [difference(lengths[large][density], lengths[small][density]) for density in lengths[small]]


def _draw(results: StudyResults) -> list[Picture]:
    lines = [
        Curve(f"{size} x {size}, {name}", DENSITIES, list(_lengths(results, agent, size).values()))
        for agent, name in AGENTS.items()
        for size in SIZES
    ]
    return [
        Picture(
            draw_curves(lines, "share of mines", "deductions in the longest chain"),
            "Mean length of a game's longest chain of influence against the density of mines.",
        )
    ]


EXPERIMENTS = (Experiment.of("000-chains", _tasks, _check, _draw),)
