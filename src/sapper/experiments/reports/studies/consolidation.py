"""Reports 000 and 001: the cost of their knowledge bases, counted in comparisons of statements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    at_most,
    change_of,
    mean_of,
    write,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval, difference
from sapper.words import join_words

REPORTED, SOUND = "statements-reported", "statements"
SIDES = (6, 8, 12, 16)
LOOKS, COMPARISONS = "probe:looks", "probe:compared"
SOURCES = {REPORTED: LOOKS, SOUND: COMPARISONS}


def _field(side: int) -> str:
    return f"{side}x{side}/{round(0.2 * side**2)} survey first-any total-hidden"


def _cost_tasks(count: Count) -> list[SweepTask]:
    return [
        SweepTask(Condition.of(Rules.parse(_field(side)), agent, source), count(6, 40), chunk_size=5)
        for agent, source in SOURCES.items()
        for side in SIDES
    ]


def _column(results: StudyResults, name: str, agent: str, side: int) -> NDArray[np.float64]:
    return results.column(name, agent, _field(side), source=SOURCES[agent])


def _check_cost(results: StudyResults) -> list[Check]:
    shares, sound_shares = (
        {side: ratio_of(*(_column(results, name, agent, side) for name in ("moves", "guesses"))) for side in SIDES}
        for agent in SOURCES
    )
    most, sound_most = (
        [mean_of(_column(results, "identified", agent, side)) for side in (SIDES[0], SIDES[-1])] for agent in SOURCES
    )
    work, sound_work = (
        [mean_of(_column(results, "moves", agent, side)) for side in (SIDES[0], SIDES[-1])] for agent in SOURCES
    )
    small, large = SIDES[0], SIDES[-1]
    return [
        Check(
            "Going through n statements takes O(n²) steps.",
            f"The agent of the play-by-play looks through its list after every click, from the newest statement to the "
            f"one it acts on: {_list(shares, 2)} times n². Comparing every pair of statements once, as in the "
            f"text, takes n². In the sound version the differences are compared in turn until none is new: "
            f"{_list(sound_shares, 1)} times n², "
            + ("growing faster." if _grows(sound_shares) else "without a significant trend."),
            at_most([difference(shares[large], shares[small])], shares[small].value),
            quote="using the knowledge base to make deductions and update itself takes, in the worst case, O(n²) time.",
        ),
        Check(
            "On larger boards there is more to store.",
            f"At most {write(most[0], 1)} statements at once on {small} x {small}, {write(most[1], 1)} on "
            f"{large} x {large}; the sound version, where single clues prove nothing, {write(sound_most[0], 1)} and "
            f"{write(sound_most[1], 1)}.",
            above([difference(most[1], most[0])]),
            quote="As the board size increases, the magnitude of information that must be stored in the knowledge to "
            "inform decision making increases as well.",
        ),
        Check(
            "On larger boards the program takes longer.",
            f"{write(work[0], 0)} statements are looked at in a game on {small} x {small}, {write(work[1], 0)} on "
            f"{large} x {large}; the sound version makes {write(sound_work[0], 0)} and {write(sound_work[1], 0)} "
            f"comparisons.",
            above([difference(work[1], work[0])]),
            quote="An increase in board size also results in a program that takes longer to run",
        ),
    ]


def _list(shares: dict[int, Interval], places: int) -> str:
    return join_words([f"{write(share, places)} on {side} x {side}" for side, share in shares.items()])


def _grows(shares: dict[int, Interval]) -> bool:
    return difference(shares[SIDES[-1]], shares[SIDES[0]]).low > shares[SIDES[0]].value


def ratio_of(above_line: NDArray[np.float64], below_line: NDArray[np.float64]) -> Interval:
    """Return the ratio of two sums over the same games, with an interval by the delta method.

    >>> import numpy as np
    >>> ratio_of(np.array([2.0, 4.0]), np.array([1.0, 2.0]))
    Interval(value=2.0, low=2.0, high=2.0)
    """
    whole = float(below_line.sum())
    if not whole:
        return Interval(0.0, 0.0, 0.0)
    ratio = float(above_line.sum()) / whole
    spread = change_of((above_line - ratio * below_line) / (whole / len(below_line)))
    return Interval(ratio, ratio + spread.low - spread.value, ratio + spread.high - spread.value)


def _draw_cost(results: StudyResults) -> list[Picture]:
    lines = [
        Curve(name, SIDES, [mean_of(_column(results, column, agent, side)) for side in SIDES])
        for name, column, agent in (
            ("looked at by the report's agent", "moves", REPORTED),
            ("compared once by the report's agent: n²", "guesses", REPORTED),
            ("compared until nothing is new: the sound version", "moves", SOUND),
        )
    ]
    return [
        Picture(
            draw_curves(lines, "rows and columns", "statements in a game"),
            "Statements looked at or compared in a game, 20% mines.",
        )
    ]


# -- report 001 ------------------------------------------------------------------------------------------------

PAIR_SIDES = (8, 16, 32)


def _pair_field(side: int) -> str:
    return f"{side}x{side}/{round(side**2 * 40 / 256)} first-any survey"


def _pair_tasks(count: Count) -> list[SweepTask]:
    return [
        SweepTask(Condition.of(Rules.parse(_pair_field(side)), "infer", COMPARISONS), count(4, 40), chunk_size=4)
        for side in PAIR_SIDES
    ]


def _pair_column(results: StudyResults, name: str, side: int) -> NDArray[np.float64]:
    return results.column(name, "infer", _pair_field(side), source=COMPARISONS)


def _check_pairs(results: StudyResults) -> list[Check]:
    squares = {
        side: mean_of(results.column("guesses", "infer", _pair_field(side), source=COMPARISONS)) for side in PAIR_SIDES
    }
    most = {
        side: mean_of(results.column("identified", "infer", _pair_field(side), source=COMPARISONS))
        for side in PAIR_SIDES
    }
    small, large = PAIR_SIDES[0], PAIR_SIDES[-1]
    cells = (large / small) ** 2
    per_cell = {side: Interval(*(part / side**2 for part in squares[side])) for side in PAIR_SIDES}
    return [
        Check(
            "The time is proportional to the number of cells.",
            "The two loops over the knowledge base compare, over a whole game, "
            + ", ".join(f"{write(per_cell[side], 1)} pairs per cell ({side} x {side})" for side in PAIR_SIDES)
            + f", with {cells:.0f} times as many cells on the largest board as on the smallest.",
            at_most([difference(per_cell[large], per_cell[small])], per_cell[small].value),
            "Every clue of the knowledge base is compared with every other, whenever Search ends.",
            "the time complexity of this program will be O(L*W)",
        ),
        Check(
            "The knowledge base takes less space than the board.",
            ", ".join(f"{write(most[side], 1)} statements at most ({side} x {side})" for side in PAIR_SIDES) + ".",
            all(most[side].high < side**2 for side in PAIR_SIDES),
            quote="The knowledge base will only be created after Search and the space cost is less than O(L*W)",
        ),
    ]


def _draw_pairs(results: StudyResults) -> list[Picture]:
    pairs = [mean_of(_pair_column(results, "guesses", side) / side**2) for side in PAIR_SIDES]
    return [
        Picture(
            draw_curves([Curve("infer", PAIR_SIDES, pairs)], "rows and columns", "pairs compared per cell"),
            "Pairs of statements that Infer's two loops compare in a game, per cell, 15.6% mines. Flat if the time "
            "is proportional to the board.",
        )
    ]


OF_STATEMENTS = (Experiment.of("000-cost", _cost_tasks, _check_cost, _draw_cost),)
OF_PAIRS = (Experiment.of("001-cost", _pair_tasks, _check_pairs, _draw_pairs),)
