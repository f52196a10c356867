"""Report 003: corners, 1s and 2s, and the fringe."""

from __future__ import annotations

from math import comb

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    EXACT,
    Check,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    change_of,
    write,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval, difference

AGENT, SOURCE = "simple-reported", "probe:fringe"
SIDE = 10
# Sizes with the same shares of mines: few, and as many as the punch likes best.
BOARDS = {"10 x 10, 5 mines": "10x10/5", "10 x 10, 15 mines": "10x10/15", "20 x 20, 20 mines": "20x20/20"}
DEGREES = {"corner": (3, 4), "edge": (5, 4 * (SIDE - 2)), "inside": (8, (SIDE - 2) ** 2)}  # neighbours, cells


def _board(name: str) -> str:
    return f"{BOARDS[name]} survey first-any no-cascade total-hidden"


def _tasks(count: Count) -> list[SweepTask]:
    return [
        SweepTask(Condition.of(Rules.parse(_board(name)), AGENT, SOURCE), count(10, 60), chunk_size=10)
        for name in BOARDS
    ]


# -- chances of the first cell, exactly ------------------------------------------------------------------------


def p_clue(clue: int, degree: int, mines: int, n_cells: int = SIDE**2) -> float:
    """Return the probability that a safe cell with this many neighbours shows a clue.

    >>> p_clue(0, 3, 1, 4)
    0.0
    >>> round(p_clue(0, 3, 20), 3), round(p_clue(0, 8, 20), 3)
    (0.504, 0.152)
    """
    rest = n_cells - 1 - degree
    if not 0 <= mines - clue <= rest:
        return 0.0
    return comb(degree, clue) * comb(rest, mines - clue) / comb(n_cells - 1, mines)


def expected_clues(clues: tuple[int, ...], mines: int) -> float:
    """Return the mean number of safe cells that show one of these clues."""
    safe = (SIDE**2 - mines) / SIDE**2
    return sum(n * safe * p_clue(clue, degree, mines) for degree, n in DEGREES.values() for clue in clues)


def _check_chances() -> list[Check]:
    zeros = {mines: [p_clue(0, degree, mines) for degree, _ in DEGREES.values()] for mines in range(1, 92)}
    at_once = {
        mines: [p_clue(0, degree, mines) + p_clue(degree, degree, mines) for degree, _ in DEGREES.values()]
        for mines in range(1, 99)
    }
    few = {mines: expected_clues((1, 2), mines) for mines in range(1, 101)}
    most = max(few, key=lambda mines: few[mines])
    return [
        Check(
            "A corner is likelier to show a 0 than an edge, and an edge than a cell inside.",
            "With 20 mines a safe cell shows 0 with probability "
            + ", ".join(f"{chance:.3f} ({place})" for place, chance in zip(DEGREES, zeros[20], strict=True))
            + ". The order is the same with every number of mines from 1 to 91.",
            all(corner > edge > inside for corner, edge, inside in zeros.values()),
            quote="Since corner tiles have only 3 hidden neighbors, they have the least chance to have a mine "
            "surrounding them, giving them a greater chance to reveal a '0'.",
            kind=EXACT,
        ),
        Check(
            "With fewer hidden neighbours one of the two rules is likelier to apply at once.",
            "With 50 mines the first cell, if safe, decides its neighbours with probability "
            + ", ".join(f"{chance:.3f} ({place})" for place, chance in zip(DEGREES, at_once[50], strict=True))
            + ". The order is the same with every number of mines from 1 to 98.",
            all(corner > edge > inside for corner, edge, inside in at_once.values()),
            quote="if there are less hidden neighbors to work with for a given tile, the chance of this either of "
            "these rules triggered is increased",
            kind=EXACT,
        ),
        Check(
            "With very many mines there are fewer 1s and 2s on the board.",
            f"On average {few[most]:.1f} with {most} mines, the maximum; {few[50]:.1f} with 50, "
            f"{few[80]:.1f} with 80 and {few[90]:.2f} with 90.",
            few[most] > few[50] > few[80] > few[90],
            quote="at very high mine densities, the total amount of 1s and 2s on the board is lower and therefore "
            "decreases the chance of triggering the rule.",
            kind=EXACT,
        ),
    ]


# -- the fringe ------------------------------------------------------------------------------------------------


def _check(results: StudyResults) -> list[Check]:
    def mean(column: str, name: str) -> Interval:
        return results.mean(column, AGENT, _board(name), source=SOURCE)

    grown, shrunk, sizes = (
        {name: mean(column, name) for name in BOARDS} for column in ("guesses", "moves", "identified")
    )
    slower = [
        change_of(
            results.column("moves", AGENT, _board(name), source=SOURCE)
            - results.column("guesses", AGENT, _board(name), source=SOURCE)
        )
        for name in BOARDS
    ]
    small, denser, large = BOARDS
    return [
        *_check_chances(),
        Check(
            "The fringe grows fast and shrinks slowly.",
            "Rounds in which it grows, and rounds in which it shrinks by as many cells in total: "
            + "; ".join(f"{write(grown[name], 1)} and {write(shrunk[name], 1)} ({name})" for name in BOARDS)
            + ". It loses one cell per round.",
            above(slower),
            quote="My fringe grows fast and shrinks slowly.",
        ),
        Check(
            "On large boards with few mines it holds many cells.",
            f"At most {write(sizes[small], 1)} cells on {small}, {write(sizes[denser], 1)} on {denser}, "
            f"{write(sizes[large], 1)} on {large}.",
            above([difference(sizes[large], sizes[small]), difference(sizes[small], sizes[denser])]),
            quote="For large board with low mine density, the fringe would have to use space to contain guesses and "
            "contain those guesses for quite a few rounds.",
        ),
    ]


def _draw(results: StudyResults) -> list[Picture]:
    del results
    places = {
        place: Curve(place, list(range(1, 92)), [_exactly(p_clue(0, degree, mines)) for mines in range(1, 92)])
        for place, (degree, _) in DEGREES.items()
    }
    clues = [_exactly(expected_clues((1, 2), mines)) for mines in range(1, 101)]
    return [
        Picture(
            draw_curves(list(places.values()), "mines on 10 x 10", "probability of a 0", most=1.0, marks=10),
            "Exact probability that a safe cell shows 0, by place.",
        ),
        Picture(
            draw_curves([Curve("1s and 2s", list(range(1, 101)), clues)], "mines on 10 x 10", "cells", marks=10),
            "Cells that show 1 or 2, on average.",
        ),
    ]


def _exactly(value: float) -> Interval:
    return Interval(value, value, value)


EXPERIMENTS = (Experiment.of("003-fringe", _tasks, _check, _draw),)
