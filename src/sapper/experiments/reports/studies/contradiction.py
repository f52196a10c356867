"""Report 002: basic against contradiction on 16 x 16, over the density of mines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.experiments.plots import Line
from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Picture,
    Results,
    above,
    at_least,
    at_most,
    mean_of,
    mean_over,
    write,
    write_change,
)  # fmt: skip
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DENSITIES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
AGENTS = {
    "local": "basic, as reported",
    "basic": "basic, whole board",
    "contradiction": "improved, as reported",
    "contradiction-full": "improved, carried through",
}
HARD, AT = 0.9, 0.3  # the report's line between easy and hard


def _board(density: float) -> str:
    return f"16x16/{round(256 * density)} survey first-any no-cascade total-hidden"


def _tasks(count: Count) -> list[Task]:
    n_games = count(20, 300)
    swept = [
        Task(Condition.of(Rules.parse(_board(density)), agent), n_games, chunk_size=20)
        for agent in AGENTS
        for density in DENSITIES
    ]
    return [*swept, Task(Condition.of(Rules.parse(_board(AT)), "exact"), n_games, chunk_size=20)]


def _gains(results: Results, agent: str, over: str) -> list[NDArray[np.float64]]:
    return [
        results.column("score", agent, _board(density)) - results.column("score", over, _board(density))
        for density in DENSITIES
    ]


def _check(results: Results) -> list[Check]:
    def score(agent: str, density: float) -> str:
        return write(results.mean("score", agent, _board(density)))

    gains = [mean_of(gain) for gain in _gains(results, "contradiction", "local")]
    by_contradiction = _gains(results, "contradiction", "basic")
    by_looking_again = _gains(results, "basic", "local")
    over_basic, over_local = mean_over(by_contradiction), mean_over(by_looking_again)
    more = mean_over([one - other for one, other in zip(by_contradiction, by_looking_again, strict=True)])
    full_over_basic = mean_over(_gains(results, "contradiction-full", "basic"))
    before = [results.mean("score", "contradiction", _board(density)) for density in DENSITIES if density < AT]
    at_line = results.mean("score", "contradiction", _board(AT))
    below = next((density for density in DENSITIES if _score(results, "contradiction", density) < HARD), None)
    below_full = next((density for density in DENSITIES if _score(results, "contradiction-full", density) < HARD), None)
    return [
        Check(
            "The improved agent beats the basic one at every density.",
            f"The gain over the basic agent of the report, which looks only at the cell just opened, is between "
            f"{write_change(min(gains))} and {write_change(max(gains))}.",
            above(gains),
        ),
        Check(
            "What makes it better is the proof by contradiction.",
            f"A basic agent that looks at the whole board again after every move already gains "
            f"{write_change(over_local)} over the report's. To that the report's contradictions add "
            f"{write_change(over_basic, 4)} on average, and {write_change(full_over_basic, 4)} if carried through to "
            f"every cell of the frontier, both ways.",
            above([more]),
            "Nearly all of the difference comes from looking at old clues again, which the report's basic agent does "
            "not do. A mine assumed in the one least involved cell seldom leads to a contradiction, and never proves "
            "a mine.",
        ),
        Check(
            "Up to 0.25 the improved agent identifies at least 90 % of the mines.",
            f"{score('contradiction', 0.2)} at 0.2 and {score('contradiction', 0.25)} at 0.25; below 90 % from "
            f"{_name(below)} on. Carried through: {score('contradiction-full', 0.2)} at 0.2, below 90 % from "
            f"{_name(below_full)} on.",
            at_least(before, HARD),
            f"Where nothing is certain the agent guesses at random. At 0.3 the exact agent, which takes the least "
            f"risk, scores {score('exact', AT)}.",
        ),
        Check(
            "From 0.3 on the game is hard: less than 90 %.",
            f"{score('contradiction', AT)} at 0.3, {score('contradiction', 0.4)} at 0.4, "
            f"{score('contradiction', 0.5)} at 0.5; carried through {score('contradiction-full', AT)} at 0.3.",
            at_most([at_line], HARD),
        ),
    ]


def _score(results: Results, agent: str, density: float) -> float:
    return results.mean("score", agent, _board(density)).value


def _name(density: float | None) -> str:
    return "no density here" if density is None else str(density)


def _draw(results: Results) -> list[Picture]:
    lines = [
        Line(name, DENSITIES, [results.mean("score", agent, _board(density)) for density in DENSITIES])
        for agent, name in AGENTS.items()
    ]
    return [
        Picture(
            draw_curves(lines, "share of mines", "average score", most=1.0),
            "Average score against the density of mines, 16 x 16, total unknown, cells opened one by one.",
        )
    ]


EXPERIMENTS = (
    Experiment(
        "002",
        "002",
        "Basic against improved, 16 x 16",
        "The improved agent, which proves cells safe by contradiction, beats the basic one at every density; the "
        "game gets hard at a density of about 0.3, where the score drops below 90 %.",
        "local (the report's basic agent: only the cell just opened), basic (the same rules over the whole board), "
        "contradiction (the report's improved agent) and contradiction-full (every frontier cell, both ways), on the "
        "same boards; exact at 0.3.",
        _tasks,
        _check,
        _draw,
    ),
)
