"""Report 003: two rules, the One-Two Punch, corners and edges, on 10 x 10 with 1 to 100 mines.

Judged with the report's own agents, as its text describes them, and with its own score: mines marked / mines, whatever
else is marked. The sound agents play the same boards beside them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    NEVER,
    Check,
    ComparisonRow,
    Count,
    Experiment,
    Number,
    Picture,
    StudyResults,
    above,
    at_least,
    below,
    by_seed,
    change_of,
    mean_of,
    meets,
    of_runs,
    rounded,
    write,
    write_change,
    write_rate,
)
from sapper.experiments.reports.figures import Bars, draw_bars, draw_curves
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval, difference, wilson
from sapper.words import join_words

MINES = range(1, 101)
# Boards of one seed are alike whatever the number of mines, so every number has seeds of its own.
SEEDS = 1_000_000
N_RUNS = 3
# What the report prints: the average over all densities, in three runs of 10,000 games for each agent.
RUNS = {
    "simple": (0.24585884674717068, 0.24228749562835164, 0.2428324111706662),
    "punch": (0.24372115452358356, 0.2560143361178739, 0.2554053608734517),
    "corners": (0.2787299798705679, 0.277570540552588, 0.28125086125693965),
}
NAMES = {
    "simple": "with the two rules",
    "punch": "with the One-Two Punch",
    "corners": "with guesses at corners, then edges",
}

# Who plays: the agent's name and the source of its games. The report's agents, the sound ones, and other readings of
# the report's text.
MARKS = "probe:marks"
REPORTED = {
    "simple": ("simple-reported", MARKS),
    "punch": ("one-two-reported", MARKS),
    "corners": ("one-two-corners-reported", MARKS),
}
SOUND = {
    "sound simple": ("basic", "seeds"),
    "sound punch": ("one-two", "seeds"),
    "sound corners": ("one-two-corners", "seeds"),
}
READINGS = {
    "known simple": ("simple-reported", "probe:marks-known"),
    "waiting punch": ("one-two-reported", "probe:marks-waiting"),
    "waiting corners": ("one-two-corners-reported", "probe:marks-waiting"),
}
PLAYERS = REPORTED | SOUND | READINGS


def _board(mines: int) -> str:
    return f"10x10/{mines} survey first-any no-cascade total-hidden"


def _tasks(count: Count) -> list[SweepTask]:
    amounts = {name: count(9, 60 * N_RUNS) if name in REPORTED else count(3, 30) for name in PLAYERS}
    return [
        SweepTask(Condition.of(Rules.parse(_board(mines)), agent, source), amounts[name], SEEDS * mines, chunk_size=60)
        for name, (agent, source) in PLAYERS.items()
        for mines in MINES
    ]


def _scores(
    results: StudyResults, player: str, first: int = 1, last: int = 100, *, cancelled: bool = False
) -> list[NDArray[np.float64]]:
    """Return a player's scores for each number of mines; wrong marks count only if ``cancelled``."""
    agent, source = PLAYERS[player]
    as_reported = source != "seeds" and not cancelled
    return [
        results.column("moves", agent, _board(mines), source=source) / mines
        if as_reported
        else results.column("score", agent, _board(mines), source=source)
        for mines in range(first, last + 1)
    ]


def _average(
    results: StudyResults, player: str, first: int = 1, last: int = 100, *, cancelled: bool = False
) -> Interval:
    return mean_of(by_seed(_scores(results, player, first, last, cancelled=cancelled)), 1.0)


def _runs(results: StudyResults, player: str) -> list[float]:
    """Return the averages of three runs, each a third of the games."""
    games = by_seed(_scores(results, player))
    return [float((run if run.size else games).mean()) for run in np.array_split(games, N_RUNS)]


def _gain(results: StudyResults, player: str, over: str, first: int = 1, last: int = 100) -> Interval:
    pairs = zip(_scores(results, player, first, last), _scores(results, over, first, last), strict=True)
    return change_of(by_seed([one - other for one, other in pairs]))


def _n_games(results: StudyResults) -> int:
    """Return the number of games of the report's agents for each number of mines."""
    return min(len(scores) for player in REPORTED for scores in _scores(results, player))


def _check(results: StudyResults) -> list[Check]:
    return [
        *_check_averages(results),
        *_check_punch(results),
        *_check_punch_by_density(results),
        *_check_corners(results),
        *_check_difficulty(results),
        *_check_marks(results),
    ]


def _check_averages(results: StudyResults) -> list[Check]:
    printed = {player: join_words([f"{run:.3f}" for run in runs]) for player, runs in RUNS.items()}
    checks = []
    for player, name in NAMES.items():
        average, sound = _average(results, player), _average(results, f"sound {player}")
        ours = join_words([f"{run:.4f}" for run in _runs(results, player)])
        checks.append(
            Check(
                f"In three runs the average over all densities is {printed[player]} {name}.",
                f"{ours} in three runs, {write(average, 4)} together. The sound version, "
                f"{PLAYERS[f'sound {player}'][0]}, averages {write(sound)}.",
                meets(average, of_runs(RUNS[player])),
                quote=" / ".join(map(str, RUNS[player])),
                number=of_runs(RUNS[player]),
                n_seen=_n_games(results),
            )
        )
    missed = _average(results, "sound simple"), _average(results, "simple")
    checks.append(
        Check(
            "The simple agent misses deductions.",
            f"The same two rules, applied to the whole board until nothing changes, average {write(missed[0])} on such "
            f"boards; the report's agent {write(missed[1])}.",
            above([difference(*missed)]),
            quote="My program doesn't deduce all possible information that it can",
        )
    )
    return checks


def _check_punch(results: StudyResults) -> list[Check]:
    punch, sound = _gain(results, "punch", "simple"), _gain(results, "sound punch", "sound simple")
    number = rounded(0.01, 2)
    return [
        Check(
            "The One-Two Punch identifies 1% more.",
            f"{write_change(punch, 4)} on the same boards; the sound version {write_change(sound, 4)}.",
            meets(punch, number),
            quote="my improved algorithm tends to work things out 1% more than the simple.",
            number=number,
            n_seen=_n_games(results),
        )
    ]


def _check_punch_by_density(results: StudyResults) -> list[Check]:
    parts = ((1, 20), (21, 39), (40, 70), (71, 90))
    low, more, middle, end = (_gain(results, "punch", "simple", *part) for part in parts)
    beyond = _gain(results, "punch", "simple", 21, 100)
    sound_low, sound_more, sound_middle, sound_end = (
        _gain(results, "sound punch", "sound simple", *part) for part in parts
    )
    n_games = _n_games(results)
    return [
        Check(
            "The punch helps with few mines, up to 20.",
            f"{write_change(low, 4)} with 1 to 20 mines; the sound version {write_change(sound_low, 4)}.",
            above([low]),
            quote="There appears to be a decently higher average final score when mine density is between 0 and 20 "
            "compared to the simple algorithm.",
            n_seen=n_games,
        ),
        Check(
            "It helps less with more mines.",
            f"{write_change(low, 4)} with 1 to 20 mines, {write_change(beyond, 4)} with more: {write_change(more, 4)} "
            f"with 21 to 39, {write_change(middle, 4)} with 40 to 70, {write_change(end, 4)} with 71 to 90. The sound "
            f"version {write_change(sound_low, 4)}, {write_change(sound_more, 4)}, {write_change(sound_middle, 4)} and "
            f"{write_change(sound_end, 4)}.",
            above([difference(low, beyond)]),
            quote="I can see however though that the improved algorithm is much better at lower mine densities because "
            "it works with only 1s and 2s",
            n_seen=n_games,
        ),
        Check(
            "That it looks slightly worse with 40 to 70 mines is chance.",
            f"{write_change(middle, 4)} with 40 to 70 mines; the sound version {write_change(sound_middle, 4)}.",
            at_least([middle], 0.0),
            quote="I concluded that this variance is just random because I don't see a way that this new "
            "implementation could harm the performance of the algorithm.",
            n_seen=n_games,
        ),
        Check(
            "It is slightly better near the end.",
            f"{write_change(end, 4)} with 71 to 90 mines; the sound version {write_change(sound_end, 4)}.",
            above([end]),
            quote="The Improved algorithm also shows slightly better performance near the end",
            n_seen=n_games,
        ),
        *_check_uptrend(results),
    ]


def _check_uptrend(results: StudyResults) -> list[Check]:
    before, towards = {}, {}
    for player in ("simple", "punch"):
        before[player], towards[player] = _average(results, player, 71, 80), _average(results, player, 81, 90)
    rises = {player: difference(towards[player], before[player]) for player in before}
    return [
        Check(
            "With the punch the score rises until about 90 mines.",
            f"{write(before['punch'])} with 71 to 80 mines, {write(towards['punch'])} with 81 to 90.",
            above([rises["punch"]]),
            quote="an uptrend can be seen that lasts until mine density approaches 90%.",
            n_seen=_n_games(results),
        ),
        Check(
            "That is longer than without it.",
            f"From 71 to 80 mines to 81 to 90 the score changes by {write_change(rises['punch'])} with the punch and "
            f"by {write_change(rises['simple'])} without it.",
            above([difference(rises["punch"], rises["simple"])]),
            quote="This uptrend lasts longer than the simple algorithm and shows that the improved algorithm can "
            "withstand a higher percent of mine density.",
            n_seen=_n_games(results),
        ),
    ]


def _check_corners(results: StudyResults) -> list[Check]:
    parts = ((1, 100), (1, 29), (30, 80))
    whole, few, middle = (_gain(results, "corners", "punch", *part) for part in parts)
    sound_whole, sound_few, sound_middle = (_gain(results, "sound corners", "sound punch", *part) for part in parts)
    overall, between = rounded(0.02, 2), Number(0.05, 0.10, 0.005, "half a unit of the last digit")
    n_games = _n_games(results)
    return [
        Check(
            "Guessing corners, then edges, adds 2% more.",
            f"{write_change(whole, 4)}; the sound version {write_change(sound_whole, 4)}.",
            meets(whole, overall),
            quote="As there were so many trials to strengthen the data, there appears to be a clear 2% increase in "
            "performance",
            number=overall,
            n_seen=n_games,
        ),
        Check(
            "With few mines it does worse.",
            f"{write_change(few, 4)} with 1 to 29 mines; the sound version {write_change(sound_few, 4)}.",
            below([few]),
            quote="At first glance looking at the graph, it seems to have a harder time performing at lower mine "
            "densities.",
            n_seen=n_games,
        ),
        Check(
            "Between 30 and 80 mines it adds 5 to 10%.",
            f"{write_change(middle, 4)} with 30 to 80 mines; the sound version {write_change(sound_middle, 4)}.",
            meets(middle, between),
            quote="it seems to perform nearly 5-10% better on average between the mine density range of 30-80.",
            number=between,
            n_seen=n_games,
        ),
    ]


def _check_difficulty(results: StudyResults) -> list[Check]:
    parts = ((26, 35), (71, 80), (91, 100))
    at_30, at_80, end = (_average(results, "simple", *part) for part in parts)
    sound_30, sound_80, sound_end = (_average(results, "sound simple", *part) for part in parts)
    n_games = _n_games(results)
    return [
        Check(
            "The game gets slowly easier from 30 mines to 80.",
            f"{write(at_30)} with 26 to 35 mines and {write(at_80)} with 71 to 80; the sound version {write(sound_30)} "
            f"and {write(sound_80)}.",
            above([difference(at_80, at_30)]),
            quote="It seems to slowly get easier as mine density passes from 30 to 80 which is interesting.",
            n_seen=n_games,
        ),
        Check(
            "It becomes hard at 80 mines, with a sharp fall towards 100 (here: to less than half).",
            f"{write(at_80)} with 71 to 80 mines, {write(end)} with 91 to 100; the sound version {write(sound_80)} and "
            f"{write(sound_end)}.",
            above([difference(Interval(*(part / 2 for part in at_80)), end)]),
            quote="Minesweeper becomes hard as it reaches 80%, with a sharp down trend on the way to 100%.",
            n_seen=n_games,
        ),
    ]


def _check_marks(results: StudyResults) -> list[Check]:
    """Check whether the pattern is always right; the two rules are, so every wrong mark is the pattern's."""
    agent, source = REPORTED["punch"]
    n_wrong, n_right = (
        int(sum(results.column(column, agent, _board(mines), source=source).sum() for mines in MINES))
        for column in ("guesses", "moves")
    )
    n_marks = n_wrong + n_right
    share = f" ({write_rate(wilson(n_wrong, n_marks))})" if n_marks else ""
    return [
        Check(
            "A 1 beside a 2 along a hidden wall: the cell diagonal to the 2 is always a mine.",
            f"Of {n_marks:,} cells that the agent marks, by the two rules or by the punch, {n_wrong:,}{share} are "
            f"safe. The two rules alone are never wrong.",
            n_wrong == 0,
            "The 1 and the 2 may touch mines elsewhere. The sound version subtracts known mines from both and requires "
            "that exactly one hidden cell touches only the 2; it never marks a safe cell.",
            "the block diagonally away from the two in the opposite direction of the one will always be a mine.",
            kind=NEVER,
            n_seen=n_marks,
        )
    ]


def _compare(results: StudyResults) -> list[ComparisonRow]:
    rows = []
    for player, name in NAMES.items():
        sound = write(_average(results, f"sound {player}"), 4)
        for number, (reported, ours) in enumerate(zip(RUNS[player], _runs(results, player), strict=True), start=1):
            rows.append(ComparisonRow(f"run {number}, {name}", f"{reported:.4f}", f"{ours:.4f}"))
        rows.append(
            ComparisonRow(
                f"mean, {name}",
                f"{sum(RUNS[player]) / N_RUNS:.4f}",
                write(_average(results, player), 4),
                sound,
            )
        )
    for what, player, cancelled in (
        ("if wrong marks cancel right ones, with the punch", "punch", True),
        ("the same with corners", "corners", True),
        ("if the pattern waits for the cell beyond the 2", "waiting punch", False),
        ("the same with corners", "waiting corners", False),
        ("if cells that wait in the fringe are not hidden", "known simple", False),
    ):
        rows.append(ComparisonRow(what, "", write(_average(results, player, cancelled=cancelled), 4)))
    return rows


def _draw(results: StudyResults) -> list[Picture]:
    names = {"simple": "two rules", "punch": "with the punch", "corners": "with corners"}

    def lines(prefix: str) -> list[Curve]:
        return [
            Curve(name, list(MINES), [mean_of(scores, 1.0) for scores in _scores(results, f"{prefix}{player}")])
            for player, name in names.items()
        ]

    reported = [Interval(sum(runs) / len(runs), min(runs), max(runs)) for runs in RUNS.values()]
    ours = [Interval(sum(runs) / len(runs), min(runs), max(runs)) for runs in (_runs(results, name) for name in RUNS)]
    bars = [Bars("the report", reported), Bars("the report's agents, here", ours)]
    return [
        Picture(
            draw_bars(list(names.values()), bars, "average over all densities"),
            "The averages that the report prints, and those of its agents here, with the range of three runs each. "
            "Its plots are not available.",
        ),
        Picture(
            draw_curves(lines(""), "mines on 10 x 10", "average score", most=0.8, marks=10),
            "The report's agents: average score against the number of mines, 10 x 10, total unknown, cells opened one "
            "by one.",
        ),
        Picture(
            draw_curves(lines("sound "), "mines on 10 x 10", "average score", most=1.0, marks=10),
            "The sound agents on the same kind of board.",
        ),
    ]


EXPERIMENTS = (Experiment.of("003-scores", _tasks, _check, _draw, _compare),)
