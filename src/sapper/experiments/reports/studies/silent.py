"""Report 001's bonus: cells that show no clue, and what asking them again is worth."""

from __future__ import annotations

from sapper.experiments.plots import Line
from sapper.experiments.reports.claims import (
    RATES,
    Check,
    Count,
    Experiment,
    Picture,
    Results,
    above,
    at_most,
    rate_of,
    write_change,
    write_rate,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.rules import Rules
from sapper.statistics import Interval, compare_paired, difference

BOARD = "16x16/40 first-any"
CHANCES = (0.1, 0.3, 0.5)


def _silent(p: float, again: bool) -> str:
    return f"16x16/40 first-any withheld:{p}{':redraws' if again else ''}"


def _silent_tasks(count: Count) -> list[Task]:
    return [
        Task(Condition.of(Rules.parse(board), "infer"), count(100, 1000), chunk_size=50)
        for board in (BOARD, *(_silent(p, again) for p in CHANCES for again in (False, True)))
    ]


def _silent_rate(results: Results, board: str) -> Interval:
    return rate_of(results.column("won", "infer", board))


def _check_silent(results: Results) -> list[Check]:
    full = _silent_rate(results, BOARD)
    left, asked = ({p: _silent_rate(results, _silent(p, again)) for p in CHANCES} for again in (False, True))
    pairs = {
        p: compare_paired(
            *([bool(won) for won in results.column("won", "infer", _silent(p, again))] for again in (True, False))
        )
        for p in CHANCES
    }
    last = CHANCES[-1]
    return [
        Check(
            f"The solver wins games in which cells show no clue (here: some, with p = {CHANCES[0]}).",
            "; ".join(f"{write_rate(left[p])} with p = {p}" for p in CHANCES) + ".",
            above([left[CHANCES[0]]]),
            quote='Our solver is capable of sweeping the mine with such uncertainty without revealing the "clue" cell.',
            kind=RATES,
        ),
        Check(
            "A clue that is not shown is a chance wasted, and games end early.",
            f"{write_rate(full)} of the games are won with all clues, {write_rate(left[last])} with p = {last}.",
            above([difference(full, left[last])]),
            quote="If the solver cannot get the clue information, it is same as the agent waste one chance obtaining "
            "more information, which cause the early end to the game.",
            kind=RATES,
        ),
        Check(
            "Asking a silent cell again, right after it, makes up for that.",
            "Games won: "
            + "; ".join(
                f"{write_rate(asked[p])} instead of {write_rate(left[p])} with p = {p}, "
                f"{write_change(pairs[p].difference)} on the same boards"
                for p in CHANCES
            )
            + ".",
            above([pairs[p].difference for p in CHANCES]),
            quote="The modification can be if cell is uncover with no clue, add the cell into the query again after "
            "the current one.",
            kind=RATES,
        ),
        Check(
            "Asked until it answers, a silent cell costs nothing: as many games are won as with all clues.",
            f"With p = {last} the share of games won changes by {write_change(difference(asked[last], full))}.",
            at_most([_away(difference(asked[last], full))], 0.05),
            kind=RATES,
        ),
    ]


def _away(value: Interval) -> Interval:
    """How far a difference is from zero, either way."""
    ends = sorted((abs(value.low), abs(value.high)))
    return Interval(abs(value.value), 0.0 if value.low <= 0 <= value.high else ends[0], ends[1])


def _draw_silent(results: Results) -> list[Picture]:
    full = _silent_rate(results, BOARD)
    lines = [
        Line(name, (0.0, *CHANCES), [full, *(_silent_rate(results, _silent(p, again)) for p in CHANCES)])
        for again, name in ((False, "silent for good"), (True, "asked until it answers"))
    ]
    return [
        Picture(
            draw_curves(lines, "chance that a cell shows no clue", "share of games won"),
            "Games won by Infer on 16 x 16 with 40 mines.",
        )
    ]


EXPERIMENTS = (
    Experiment(
        "001-silent",
        "001",
        "Cells without a clue, asked again, 16 x 16 with 40 mines",
        "The report's bonus: a cell that shows no clue goes back into the queue right after the current one. It gives "
        "no numbers.",
        "infer, where a cell that is opened shows no clue with chance p and stays silent for good, and where it is "
        "asked until it answers, on the same boards.",
        _silent_tasks,
        _check_silent,
        _draw_silent,
    ),
)
