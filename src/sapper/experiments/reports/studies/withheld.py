"""Report 000: withheld clues on 5 x 5 with 15 mines, and what ten games can show."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    Check,
    ComparisonRow,
    Count,
    Experiment,
    Number,
    Picture,
    StudyResults,
    above,
    at_most,
    change_of,
    meets,
    rounded,
    write,
    write_change,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Z95, Interval, difference

MINES = 15
RUNS = 10  # the report's number of games
LEVELS = {0.0: 11, 0.3: 14}  # what it says of them
QUOTE = "the number of mines detonated on average, rose from 11 to 14."
CHANCES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
REPORTED, SOUND, ONCE = "statements-reported", "statements", "local"
_PLAYERS = {REPORTED: "the report's agent", SOUND: "the sound version", ONCE: "each clue once", "exact": "exact"}
HARD = 0.4  # of the mines identified: the report's own line


def _withheld(p: float) -> str:
    return f"5x5/{MINES} survey first-any total-hidden{f' withheld:{p}' if p else ''}"


def _withheld_tasks(count: Count) -> list[SweepTask]:
    n_games = count(60, 1500)
    return [SweepTask(Condition.of(Rules.parse(_withheld(p)), agent), n_games) for agent in _PLAYERS for p in CHANCES]


def _detonations(results: StudyResults, agent: str, p: float) -> NDArray[np.float64]:
    return results.column("detonations", agent, _withheld(p))


def _rise(results: StudyResults, agent: str) -> NDArray[np.float64]:
    """Return the detonations that withheld clues cost an agent, game by game."""
    return _detonations(results, agent, 0.3) - _detonations(results, agent, 0.0)


def _check_withheld(results: StudyResults) -> list[Check]:
    rise, sound_rise = (change_of(_rise(results, agent)) for agent in (REPORTED, SOUND))
    full, poor = (results.mean("detonations", REPORTED, _withheld(p)) for p in (0.0, 0.3))
    scores = [results.mean("score", agent, _withheld(0.0)) for agent in (REPORTED, SOUND)]
    return [
        Check(
            "More mines are detonated when 30% of the clues are withheld.",
            f"{write(full, 2)} rises to {write(poor, 2)}: {write_change(rise, 2)} on the same boards; the sound "
            f"version {write_change(sound_rise, 2)}.",
            above([rise]),
            quote="More mines are detonated as the solver attempts to clear the board.",
        ),
        *(_check_level(results, p, level) for p, level in LEVELS.items()),
        _check_rise(results, rise),
        Check(
            "Such a board is hard even with all clues (here: by the report's limit, at most 40% identified).",
            f"{write(scores[0])} of the mines are identified; the sound version {write(scores[1])}.",
            at_most(scores[:1], HARD),
            quote="The ratio of mines to number of cells already makes this specific version very hard to solve.",
        ),
    ]


def _check_level(results: StudyResults, p: float, level: int) -> Check:
    found, sound, once = (results.mean("detonations", agent, _withheld(p)) for agent in (REPORTED, SOUND, ONCE))
    ten, ten_once = (mean_of_runs(_detonations(results, agent, p)) for agent in (REPORTED, ONCE))
    number = rounded(level, 0)
    by_chance = "could" if ten.low <= level <= ten.high else "do not"
    alike = (
        "could: the program may have missed more than its play-by-play shows"
        if ten_once.low <= level <= ten_once.high
        else "do not either"
    )
    return Check(
        f"{level} of {MINES} mines are detonated with {'30% of the clues withheld' if p else 'all clues'}.",
        f"{write(found, 2)}; the sound version {write(sound, 2)}. The mean of 10 games of the report's agent is "
        f"between {ten.low:.1f} and {ten.high:.1f} in 95 of 100 repetitions.",
        meets(found, number),
        f"Ten games of the report's agent {by_chance} give {level} by chance. Those of one that uses each clue "
        f"only once, when it opens, and detonates {write(once, 1)}, {alike}.",
        QUOTE,
        number,
        is_guess=True,
    )


def _check_rise(results: StudyResults, rise: Interval) -> Check:
    full, poor = (mean_of_runs(_detonations(results, REPORTED, p)) for p in (0.0, 0.3))
    ten = difference(poor, full)
    number = Number(3, 3, 1, "the difference of two whole numbers")
    by_chance = "so ten games can give 3 by chance" if ten.low <= 3 <= ten.high else "so even ten games seldom give 3"
    return Check(
        "That is a rise of 3.",
        f"{write_change(rise, 2)} on the same boards.",
        meets(rise, number),
        f"With 10 games each, the rise is between {ten.low:+.1f} and {ten.high:+.1f}, {by_chance}. It is "
        f"{write(change_of(_rise(results, ONCE)), 2)} for an agent that uses each clue once and "
        f"{write(change_of(_rise(results, 'exact')), 2)} for the exact one.",
        QUOTE,
        number,
    )


def mean_of_runs(values: NDArray[np.float64], n_runs: int = RUNS) -> Interval:
    """Return the range of the mean of this few games in 95 of 100 repetitions.

    >>> import numpy as np
    >>> round(mean_of_runs(np.array([1.0, 3.0] * 500), 4).high, 2)
    2.98
    """
    mean = float(values.mean())
    half = Z95 * float(values.std(ddof=1)) / math.sqrt(n_runs) if len(values) > 1 else math.nan
    return Interval(mean, max(mean - half, 0.0), min(mean + half, float(MINES)))


def _compare(results: StudyResults) -> list[ComparisonRow]:
    rows = [
        ComparisonRow(
            f"mines detonated of {MINES}, {'30% of the clues withheld' if p else 'all clues'}",
            str(level),
            *(write(results.mean("detonations", agent, _withheld(p)), 2) for agent in (REPORTED, SOUND)),
        )
        for p, level in LEVELS.items()
    ]
    rises = [write_change(change_of(_rise(results, agent)), 2) for agent in (REPORTED, SOUND)]
    return [*rows, ComparisonRow("the rise", "3", *rises)]


def _draw_withheld(results: StudyResults) -> list[Picture]:
    lines = [
        Curve(name, CHANCES, [results.mean("detonations", agent, _withheld(p)) for p in CHANCES])
        for agent, name in _PLAYERS.items()
    ]
    lines.append(Curve("the report", list(LEVELS), [Interval(level, level, level) for level in LEVELS.values()]))
    return [
        Picture(
            draw_curves(lines, "probability that a clue is withheld", f"mines detonated of {MINES}"),
            f"Detonations against the probability that a clue is withheld, 5 x 5 with {MINES} mines.",
        )
    ]


EXPERIMENTS = (Experiment.of("000-withheld", _withheld_tasks, _check_withheld, _draw_withheld, _compare),)
