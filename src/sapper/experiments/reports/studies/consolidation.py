"""Reports 000 and 001: what their knowledge bases cost, counted in comparisons of statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.experiments.games import Condition
from sapper.experiments.plots import Line
from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Picture,
    Results,
    above,
    at_most,
    change_of,
    mean_of,
    write,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.sweep import Task
from sapper.rules import Rules
from sapper.statistics import Interval, difference
from sapper.words import join_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SOUND = "statements"
SIDES = (6, 8, 12, 16)
COMPARISONS = "probe:comparisons"


def _field(side: int) -> str:
    return f"{side}x{side}/{round(0.2 * side**2)} survey first-any total-hidden"


def _cost_tasks(count: Count) -> list[Task]:
    return [
        Task(Condition.of(Rules.parse(_field(side)), SOUND, COMPARISONS), count(6, 40), chunk_size=5) for side in SIDES
    ]


def _check_cost(results: Results) -> list[Check]:
    def column(name: str, side: int) -> NDArray[np.float64]:
        return results.column(name, SOUND, _field(side), source=COMPARISONS)

    passes = {side: ratio_of(1000 * column("moves", side), column("guesses", side)) for side in SIDES}
    most = {side: mean_of(column("identified", side)) for side in SIDES}
    work = {side: mean_of(column("moves", side)) for side in SIDES}
    small, large = SIDES[0], SIDES[-1]
    listed = join_words([f"{write(passes[side], 1)} on {side} x {side}" for side in SIDES])
    return [
        Check(
            "Consolidating n statements takes at most on the order of n² comparisons.",
            f"Comparing every statement with every other until no difference is new takes {listed} times n².",
            at_most([difference(passes[large], passes[small])], passes[small].value),
            "One pass compares each of n statements with every other, n² in all. But the differences are statements "
            "too and are compared in their turn, and on larger boards more of them appear.",
            "using the knowledge base to make deductions and update itself takes, in the worst case, O(n²) time.",
        ),
        Check(
            "On larger boards there is more to store.",
            f"At most {write(most[small], 1)} statements at once on {small} x {small}, {write(most[large], 1)} on "
            f"{large} x {large}.",
            above([difference(most[large], most[small])]),
            quote="As the board size increases, the magnitude of information that must be stored in the knowledge to "
            "inform decision making increases as well.",
        ),
        Check(
            "On larger boards the program takes longer.",
            f"{write(work[small], 1)} thousand comparisons a game on {small} x {small}, {write(work[large], 0)} "
            f"thousand on {large} x {large}.",
            above([difference(work[large], work[small])]),
            quote="An increase in board size also results in a program that takes longer to run",
        ),
    ]


def ratio_of(above_line: NDArray[np.float64], below_line: NDArray[np.float64]) -> Interval:
    """The ratio of two sums over the same games, with an interval from its parts game by game (the delta method).

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


def _draw_cost(results: Results) -> list[Picture]:
    lines = [
        Line(
            "compared until nothing is new",
            SIDES,
            [mean_of(results.column("moves", SOUND, _field(side), source=COMPARISONS)) for side in SIDES],
        ),
        Line(
            "one pass: n²",
            SIDES,
            [mean_of(results.column("guesses", SOUND, _field(side), source=COMPARISONS) / 1000) for side in SIDES],
        ),
    ]
    return [
        Picture(
            draw_curves(lines, "rows and columns", "thousand comparisons a game"),
            "Comparisons of statements in a game, 20 % mines.",
        )
    ]


# -- report 001 ------------------------------------------------------------------------------------------------

PAIR_SIDES = (8, 16, 32)


def _pair_field(side: int) -> str:
    return f"{side}x{side}/{round(side**2 * 40 / 256)} first-any survey"


def _pair_tasks(count: Count) -> list[Task]:
    return [
        Task(Condition.of(Rules.parse(_pair_field(side)), "infer", COMPARISONS), count(4, 40), chunk_size=4)
        for side in PAIR_SIDES
    ]


def _pair_column(results: Results, name: str, side: int) -> NDArray[np.float64]:
    return results.column(name, "infer", _pair_field(side), source=COMPARISONS)


def _check_pairs(results: Results) -> list[Check]:
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
            "The time grows as the number of cells does.",
            "The two loops over the knowledge base compare, in all passes of a game together, "
            + ", ".join(f"{write(per_cell[side], 1)} pairs per cell ({side} x {side})" for side in PAIR_SIDES)
            + f", with {cells:.0f} times as many cells at the end as at first.",
            at_most([difference(per_cell[large], per_cell[small])], per_cell[small].value),
            "Every clue of the knowledge base is compared with every other, and before every guess again.",
            "the time complexity of this program will be O(L*W)",
        ),
        Check(
            "The knowledge base takes less room than the board.",
            ", ".join(f"{write(most[side], 1)} statements at most ({side} x {side})" for side in PAIR_SIDES) + ".",
            all(most[side].high < side**2 for side in PAIR_SIDES),
            quote="The knowledge base will only be created after Search and the space cost is less than O(L*W)",
        ),
    ]


def _draw_pairs(results: Results) -> list[Picture]:
    pairs = [mean_of(_pair_column(results, "guesses", side) / side**2) for side in PAIR_SIDES]
    return [
        Picture(
            draw_curves([Line("infer", PAIR_SIDES, pairs)], "rows and columns", "pairs compared per cell"),
            "Pairs of statements that Infer's two loops compare in a game, per cell, 15.6 % mines. Flat if the time "
            "grew as the board does.",
        )
    ]


OF_STATEMENTS = (
    Experiment(
        "000-cost",
        "000",
        "What the knowledge base costs, 6 x 6 to 16 x 16",
        "The report says how time and space grow with the board; it measures neither.",
        "statements with 20 % mines, total unknown; whenever it guesses, all its statements are compared with each "
        "other until no difference is new. Comparisons are counted and not timed, so they are the same everywhere.",
        _cost_tasks,
        _check_cost,
        _draw_cost,
    ),
)
OF_PAIRS = (
    Experiment(
        "001-cost",
        "001",
        "What Infer costs, 8 x 8 to 32 x 32",
        "The report says how time and space grow with the board; it measures neither.",
        "infer on larger and larger boards with the same share of mines, surveys so that every game goes to its end. "
        "Pairs of statements are counted as the report's two loops go through them, before every guess.",
        _pair_tasks,
        _check_pairs,
        _draw_pairs,
    ),
)
