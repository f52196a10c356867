"""Report 002: basic against contradiction on 16 x 16, over the density of mines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Picture,
    Results,
    above,
    below,
    by_seed,
    change_of,
    meets,
    rounded,
    write,
    write_change,
)  # fmt: skip
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.reports.studies.densities import DENSITIES, DensityGrid
from sapper.statistics import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sapper.experiments.runs.running import Task

GRID = DensityGrid(
    {
        "local": "basic, as reported",
        "basic": "basic, whole board",
        "contradiction": "improved, as reported",
        "contradiction-full": "improved, carried through",
    },
    16,
    "survey first-any no-cascade total-hidden",
)
HARD, AT = 0.9, 0.3  # the report's line between easy and hard


def _tasks(count: Count) -> list[Task]:
    n_games = count(20, 300)
    return [*GRID.tasks(n_games, 20), GRID.task("exact", AT, n_games, 20)]


def _gains(results: Results, agent: str, over: str) -> list[NDArray[np.float64]]:
    return GRID.differences(results, "score", agent, over)


def _check(results: Results) -> list[Check]:
    return [*_check_gain(results), *_check_hard(results)]


def _check_gain(results: Results) -> list[Check]:
    gains = [change_of(gain) for gain in _gains(results, "contradiction", "local")]
    by_contradiction = _gains(results, "contradiction", "basic")
    by_looking_again = _gains(results, "basic", "local")
    over_basic, over_local = change_of(by_seed(by_contradiction)), change_of(by_seed(by_looking_again))
    more = change_of(by_seed([one - other for one, other in zip(by_looking_again, by_contradiction, strict=True)]))
    full_over_basic = change_of(by_seed(_gains(results, "contradiction-full", "basic")))
    return [
        Check(
            "The improved agent beats the basic one at every density.",
            f"The gain over the basic agent of the report, which looks only at the cell just opened, is between "
            f"{write_change(min(gains))} and {write_change(max(gains))}.",
            above(gains),
            quote="The improved agent consistently beat out the basic agent across all bomb density.",
        ),
        Check(
            "What the improved agent gains comes mostly from looking at old clues again, not from contradictions.",
            f"A basic agent that looks at the whole board again after every move already gains "
            f"{write_change(over_local)} over the report's. To that the report's contradictions add "
            f"{write_change(over_basic, 4)} on average, and {write_change(full_over_basic, 4)} if carried through to "
            f"every cell of the frontier, both ways.",
            above([more]),
        ),
    ]


def _check_hard(results: Results) -> list[Check]:
    scores = {agent: GRID.means(results, "score", agent) for agent in ("contradiction", "contradiction-full")}
    where = {agent: find_crossing(found) for agent, found in scores.items()}
    at_line = {agent: found[DENSITIES.index(AT)] for agent, found in scores.items()}
    exact = write(results.mean("score", "exact", GRID.board(AT)))
    quote = (
        "From the graph the point were the minesweeper game gets hard at around 0.3 bomb density as the success rate "
        "drops below 90 percent."
    )
    number = rounded(AT, 1, "“around”: half a unit of its last digit")
    return [
        Check(
            "The score of the improved agent drops below 90 % at a density of around 0.3.",
            f"It drops below 90 % {_name(where['contradiction'])}; carried through to every cell of the frontier, "
            f"{_name(where['contradiction-full'])}.",
            meets(where["contradiction"], number),
            f"Where nothing is certain the agent guesses at random. At 0.3 the exact agent, which takes the least "
            f"risk, scores {exact}.",
            quote,
            number,
        ),
        Check(
            "At 0.3 it is below 90 %.",
            f"{write(at_line['contradiction'])}; carried through {write(at_line['contradiction-full'])}.",
            below([at_line["contradiction"]], HARD),
            quote=quote,
        ),
    ]


def find_crossing(scores: Sequence[Interval]) -> Interval:
    """The density at which scores drop below 90 %, between the measured ones on straight lines; infinite if nowhere."""
    return Interval(*(_cross([score[part] for score in scores]) for part in range(3)))


def _cross(values: Sequence[float]) -> float:
    last = next((number for number, value in enumerate(values) if value < HARD), None)
    if last is None:
        return math.inf
    if last == 0:
        return DENSITIES[0]
    share = (values[last - 1] - HARD) / (values[last - 1] - values[last])
    return DENSITIES[last - 1] + share * (DENSITIES[last] - DENSITIES[last - 1])


def _name(density: Interval) -> str:
    if math.isinf(density.value):
        return f"nowhere up to {DENSITIES[-1]}"
    return f"at a density of {write(density)}"


def _draw(results: Results) -> list[Picture]:
    return [
        Picture(
            draw_curves(GRID.lines(results, "score"), "share of mines", "average score", most=1.0),
            "Average score against the density of mines, 16 x 16, total unknown, cells opened one by one.",
        )
    ]


EXPERIMENTS = (
    Experiment(
        "002",
        "002",
        "Basic against improved, 16 x 16",
        "The report plots the scores of both agents against the density of mines: the basic one, and the improved one, "
        "which proves cells safe by contradiction.",
        "local (the report's basic agent: only the cell just opened), basic (the same rules over the whole board), "
        "contradiction (the report's improved agent) and contradiction-full (every frontier cell, both ways), on the "
        "same boards; exact at 0.3.",
        _tasks,
        _check,
        _draw,
        "The report's basic agent does not look at old clues again. A mine assumed in the one least involved cell "
        "seldom leads to a contradiction, and never proves a mine.",
    ),
)
