"""Report 002: basic against contradiction on 16 x 16, over the density of mines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition
from sapper.experiments.reports.claims import (
    Check,
    ComparisonRow,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    below,
    by_seed,
    change_of,
    mean_of,
    meets,
    rounded,
    write,
    write_change,
)
from sapper.experiments.reports.figures import Band, DensityGrid, draw_curves, draw_words
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval

DENSITIES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
# The report draws its basic agent black and the improved one red, which are the first two colours of our figures too.
GRID = DensityGrid(
    {
        "local": "basic, as reported",
        "contradiction": "improved, as reported",
        "basic": "basic, whole board",
        "contradiction-full": "improved, carried through",
    },
    16,
    "survey first-any no-cascade total-hidden",
    DENSITIES,
)
REPORTED = ("local", "contradiction")
CALLS = "probe:calls"
CALLED_AT = (0.15, 0.3)
HARD, AT = 0.9, 0.3  # the report's line between easy and hard


def _tasks(count: Count) -> list[SweepTask]:
    n_games = count(12, 200)
    called = [
        SweepTask(Condition.of(Rules.parse(GRID.board(density)), agent, CALLS), count(4, 40), chunk_size=4)
        for agent in REPORTED
        for density in CALLED_AT
    ]
    return [*GRID.tasks(n_games, 20), GRID.task("exact", AT, n_games, 20), *called]


def _gains(results: StudyResults, agent: str, over: str) -> list[NDArray[np.float64]]:
    return GRID.differences(results, "score", agent, over)


def _check(results: StudyResults) -> list[Check]:
    return [*_check_gain(results), *_check_hard(results), *_check_bombs(results), *_check_cost(results)]


def _check_gain(results: StudyResults) -> list[Check]:
    gains = [change_of(gain) for gain in _gains(results, "contradiction", "local")]
    by_contradiction = _gains(results, "contradiction", "basic")
    by_looking_again = _gains(results, "basic", "local")
    over_basic, over_local = change_of(by_seed(by_contradiction)), change_of(by_seed(by_looking_again))
    more = change_of(by_seed([one - other for one, other in zip(by_looking_again, by_contradiction, strict=True)]))
    full_over_basic = change_of(by_seed(_gains(results, "contradiction-full", "basic")))
    return [
        Check(
            "The improved agent beats the basic one at every density.",
            f"The gain over the report's basic agent, which looks only at the cell just opened, is between "
            f"{write_change(min(gains))} and {write_change(max(gains))}, at {len(gains)} densities from "
            f"{DENSITIES[0]} to {DENSITIES[-1]}: "
            + ", ".join(f"{gain.value:+.3f} ({density})" for density, gain in zip(DENSITIES, gains, strict=True))
            + ".",
            above(gains),
            quote="The improved agent consistently beat out the basic agent across all bomb density.",
        ),
        Check(
            "The improved agent gains mostly by looking at old clues again, not by contradictions.",
            f"A basic agent that looks at the whole board again after every move already gains "
            f"{write_change(over_local)} over the report's. The report's contradictions add another "
            f"{write_change(over_basic, 4)} on average, and {write_change(full_over_basic, 4)} if carried through to "
            f"every cell of the frontier, both ways.",
            above([more]),
        ),
    ]


def _check_hard(results: StudyResults) -> list[Check]:
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
            "The score of the improved agent drops below 90% at a density of around 0.3.",
            f"It drops below 90% {_name(where['contradiction'])}; carried through to every cell of the frontier, "
            f"{_name(where['contradiction-full'])}.",
            meets(where["contradiction"], number),
            f"If nothing is certain, the agent guesses at random. At 0.3 the exact agent, which deduces everything "
            f"and takes the least risk, scores {exact}.",
            quote,
            number,
        ),
        Check(
            "At 0.3 it is below 90%.",
            f"{write(at_line['contradiction'])}; carried through {write(at_line['contradiction-full'])}.",
            below([at_line["contradiction"]], HARD),
            quote=quote,
        ),
    ]


def _check_bombs(results: StudyResults) -> list[Check]:
    spared = [change_of(one) for one in GRID.differences(results, "detonations", "local", "contradiction")]
    at_line = [results.mean("detonations", agent, GRID.board(AT)) for agent in REPORTED]
    rates = {agent: [_per_query(results, agent, density) for density in DENSITIES] for agent in REPORTED}
    more = [change_of(rates["contradiction"][place] - rates["local"][place]) for place in range(len(DENSITIES))]
    line = DENSITIES.index(AT)
    guesses = [results.mean("guesses", agent, GRID.board(DENSITIES[2])) for agent in REPORTED]
    return [
        Check(
            "The improved agent steps on fewer bombs.",
            f"At 0.3 on {write(at_line[1], 1)} of {round(256 * AT)}, the basic agent on {write(at_line[0], 1)}. "
            f"Between {write_change(min(spared), 1)} and {write_change(max(spared), 1)} are avoided, by density.",
            above(spared),
            quote="thus the IBM agent steps on less bombs than the basic agent.",
        ),
        Check(
            "It flags more bombs per query.",
            f"At 0.3 {write(mean_of(rates['contradiction'][line]))} for each opened cell, the basic agent "
            f"{write(mean_of(rates['local'][line]))}. The smallest gain over all densities is "
            f"{write_change(min(more))}.",
            above(more),
            quote="The IBM agent is able to deduce and flag the locations for bombs a lot more effectively per query "
            "compared to the basic agent",
        ),
        Check(
            "Both agents reach points where they can only choose at random.",
            f"With {round(256 * DENSITIES[2])} mines, nearly the report's 40, {write(guesses[0], 1)} times per game "
            f"(basic) and {write(guesses[1], 1)} times (improved).",
            above(guesses),
            quote="These moves occur when the agent can no longer deduces anymore information and randomly choose an "
            "available cell to click on.",
        ),
    ]


def _per_query(results: StudyResults, agent: str, density: float) -> NDArray[np.float64]:
    """Return mines identified per opened cell; every move is an opening or a mark."""
    found, moves = (results.column(name, agent, GRID.board(density)) for name in ("identified", "moves"))
    return np.asarray(found / np.maximum(moves - found, 1))


def _check_cost(results: StudyResults) -> list[Check]:
    calls = {
        density: [results.mean("moves", agent, GRID.board(density), source=CALLS) for agent in REPORTED]
        for density in CALLED_AT
    }
    more = [
        change_of(
            results.column("moves", "contradiction", GRID.board(density), source=CALLS)
            - results.column("moves", "local", GRID.board(density), source=CALLS)
        )
        for density in CALLED_AT
    ]
    return [
        Check(
            "The improved agent takes far longer (here: computes more, counted in function calls).",
            "; ".join(
                f"{write(improved, 0)} hundred calls per game at {density}, the basic agent {write(basic, 0)}"
                for density, (basic, improved) in calls.items()
            )
            + ".",
            above(more),
            quote="As the improved agent preforms far more computations then the basic agent it takes far longer to "
            "run compared to the basic agent.",
            n_seen=min(len(results.column("moves", agent, GRID.board(AT), source=CALLS)) for agent in REPORTED),
        )
    ]


def _compare(results: StudyResults) -> list[ComparisonRow]:
    improved = ("contradiction", "contradiction-full")
    where, sound = (find_crossing(GRID.means(results, "score", agent)) for agent in improved)
    at_line = [results.mean("score", agent, GRID.board(AT)) for agent in improved]
    basic = [results.mean("score", agent, GRID.board(AT)) for agent in ("local", "basic")]
    return [
        ComparisonRow("density at which the improved agent drops below 90%", "around 0.3", write(where), write(sound)),
        ComparisonRow("its score at 0.3", "below 0.9", write(at_line[0]), write(at_line[1])),
        ComparisonRow("the basic agent's score at 0.3", "", write(basic[0]), write(basic[1])),
    ]


def find_crossing(scores: Sequence[Interval]) -> Interval:
    """Return the density at which scores drop below 90%, by linear interpolation; infinite if nowhere."""
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


def _draw(results: StudyResults) -> list[Picture]:
    bands = [Band(0.0, AT, HARD, 1.0), Band(AT, AT, HARD, HARD), Band(AT, 1.0, 0.0, HARD)]
    lines = GRID.lines(results, "score")
    return [
        Picture(
            draw_words(bands, "share of mines", "average score", 1.0),
            "The report's figure 10 as its text describes it: the improved agent, also red there, drops below 90% at "
            "around 0.3; the basic one, black, is below it everywhere.",
        ),
        Picture(
            draw_curves(lines[: len(REPORTED)], "share of mines", "average score", most=1.0),
            "Figure 10 again: both agents as reported, 16 x 16, total unknown, cells opened one by one.",
        ),
        Picture(
            draw_curves(lines, "share of mines", "average score", most=1.0),
            "The same with the basic rules over the whole board, and with contradictions carried through.",
        ),
    ]


EXPERIMENTS = (Experiment.of("002", _tasks, _check, _draw, _compare),)
