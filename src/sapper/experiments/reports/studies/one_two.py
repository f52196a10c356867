"""Report 003: two rules, the One-Two Punch, corners and edges, on 10 x 10 with 1 to 100 mines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.experiments.plots import Line
from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Number,
    Picture,
    Results,
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
)
from sapper.experiments.reports.figures import Bars, draw_bars, draw_curves
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.rules import Rules
from sapper.statistics import Interval, difference
from sapper.words import join_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MINES = range(1, 101)
# Boards of one seed are alike whatever the number of mines, so every number has seeds of its own.
SEEDS = 1_000_000
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

# Who plays: the agent's name and the source of its games. The last three are not the report's agents made sound but
# the report's agent as its text describes it, and both with guesses that walk along the border.
PLAYERS = {
    "simple": ("basic", "seeds"),
    "punch": ("one-two", "seeds"),
    "corners": ("one-two-corners", "seeds"),
    "border": ("one-two-corners", "probe:border"),
    "once": ("local", "probe:once"),
    "once-border": ("local", "probe:once-border"),
}


def _board(mines: int) -> str:
    return f"10x10/{mines} survey first-any no-cascade total-hidden"


def _tasks(count: Count) -> list[Task]:
    return [
        Task(Condition.of(Rules.parse(_board(mines)), agent, source), count(10, 100), SEEDS * mines, chunk_size=50)
        for agent, source in PLAYERS.values()
        for mines in MINES
    ]


def _scores(results: Results, player: str, first: int = 1, last: int = 100) -> list[NDArray[np.float64]]:
    agent, source = PLAYERS[player]
    return [results.column("score", agent, _board(mines), source=source) for mines in range(first, last + 1)]


def _average(results: Results, player: str, first: int = 1, last: int = 100) -> Interval:
    return mean_of(by_seed(_scores(results, player, first, last)), 1.0)


def _gain(results: Results, player: str, over: str, first: int = 1, last: int = 100) -> Interval:
    pairs = zip(_scores(results, player, first, last), _scores(results, over, first, last), strict=True)
    return change_of(by_seed([one - other for one, other in pairs]))


def _check(results: Results) -> list[Check]:
    return [
        *_check_averages(results),
        *_check_punch(results),
        *_check_punch_by_density(results),
        *_check_corners(results),
        *_check_difficulty(results),
    ]


def _check_averages(results: Results) -> list[Check]:
    averages = {player: _average(results, player) for player in (*RUNS, "once")}
    gap = averages["simple"].value - sum(RUNS["simple"]) / len(RUNS["simple"])
    explained = (averages["simple"].value - averages["once"].value) / gap if gap else 0.0
    why = (
        f"The report applies its rules to a tile only when it is opened, and opens as safe only the neighbours of "
        f"zeros, whatever else is proved. An agent that does just that averages {write(averages['once'])}, which "
        f"is {100 * explained:.0f} % of the way. The safe neighbours counted as 8 - clue, wrong at borders, may "
        f"be the rest."
    )
    printed = {player: join_words([f"{run:.3f}" for run in runs]) for player, runs in RUNS.items()}
    return [
        Check(
            f"In three runs the average over all densities is {printed[player]} {name}.",
            f"{write(averages[player])}.",
            meets(averages[player], of_runs(RUNS[player])),
            why if player == "simple" else "For the same reason.",
            " / ".join(map(str, RUNS[player])),
            of_runs(RUNS[player]),
        )
        for player, name in NAMES.items()
    ]


def _check_punch(results: Results) -> list[Check]:
    punch = _gain(results, "punch", "simple")
    number = rounded(0.01, 2)
    return [
        Check(
            "The One-Two Punch works out 1 % more.",
            f"{write_change(punch, 4)} on the same boards.",
            meets(punch, number),
            quote="my improved algorithm tends to work things out 1% more than the simple.",
            number=number,
        )
    ]


def _check_punch_by_density(results: Results) -> list[Check]:
    parts = ((1, 20), (21, 39), (40, 70), (71, 90))
    low, more, middle, end = (_gain(results, "punch", "simple", *part) for part in parts)
    return [
        Check(
            "The punch helps with few mines, up to 20.",
            f"{write_change(low, 4)} with 1 to 20 mines.",
            above([low]),
            quote="There appears to be a decently higher average final score when mine density is between 0 and 20 "
            "compared to the simple algorithm.",
        ),
        Check(
            "It helps more there than with more mines.",
            f"{write_change(low, 4)} with 1 to 20 mines, {write_change(more, 4)} with 21 to 39, "
            f"{write_change(middle, 4)} with 40 to 70.",
            above([difference(low, more), difference(low, middle)]),
            "With few mines the two rules leave nothing to add: nearly every mine is identified without the punch.",
            "I can see however though that the improved algorithm is much better at lower mine densities because it "
            "works with only 1s and 2s",
        ),
        Check(
            "That it looks slightly worse from 40 to 70 mines is chance.",
            f"{write_change(middle, 4)} with 40 to 70 mines.",
            at_least([middle], 0.0),
            quote="I concluded that this variance is just random because I don't see a way that this new "
            "implementation could harm the performance of the algorithm.",
        ),
        Check(
            "It is slightly better near the end.",
            f"{write_change(end, 4)} with 71 to 90 mines.",
            above([end]),
            quote="The Improved algorithm also shows slightly better performance near the end",
        ),
    ]


def _check_corners(results: Results) -> list[Check]:
    corners, border = _gain(results, "corners", "punch"), _gain(results, "border", "punch")
    once_border = _gain(results, "once-border", "once")
    few, middle = _gain(results, "corners", "punch", 1, 29), _gain(results, "corners", "punch", 30, 80)
    overall, between = rounded(0.02, 2), Number(0.05, 0.10, 0.005, "half a unit of the last digit")
    return [
        Check(
            "Guessing corners, then edges, adds 2 % more.",
            f"{write_change(corners, 4)}, with edges in random order.",
            meets(corners, overall),
            f"What helps is less that corners and edges have few neighbours than that edges come in a row, so that "
            f"each new clue has open neighbours: one beside the other they add {write_change(border, 4)}. An agent "
            f"that also uses its rules as the report does gains {write_change(once_border, 4)}, which the report's "
            f"number {'meets' if meets(once_border, overall) else 'does not meet'}."
            if border.low > corners.high
            else "",
            "As there were so many trials to strengthen the data, there appears to be a clear 2% increase in "
            "performance",
            overall,
        ),
        Check(
            "With few mines it does worse.",
            f"{write_change(few, 4)} with 1 to 29 mines.",
            below([few]),
            quote="At first glance looking at the graph, it seems to have a harder time performing at lower mine "
            "densities.",
        ),
        Check(
            "Between 30 and 80 mines it adds 5 to 10 %.",
            f"{write_change(middle, 4)} with 30 to 80 mines.",
            meets(middle, between),
            quote="it seems to perform nearly 5-10% better on average between the mine density range of 30-80.",
            number=between,
        ),
    ]


def _check_difficulty(results: Results) -> list[Check]:
    at_30, at_80 = _average(results, "simple", 26, 35), _average(results, "simple", 71, 80)
    once_40, once_80 = _average(results, "once", 31, 40), _average(results, "once", 71, 80)
    end = _average(results, "simple", 91, 100)
    return [
        Check(
            "The game gets slowly easier from 30 mines to 80.",
            f"With the two rules {write(at_30)} with 26 to 35 mines and {write(at_80)} with 71 to 80.",
            above([difference(at_80, at_30)]),
            f"That is a mark of missed deductions: with each clue used once the score does rise, from {write(once_40)} "
            f"with 31 to 40 mines to {write(once_80)} with 71 to 80."
            if once_80.low > once_40.high
            else "",
            "It seems to slowly get easier as mine density passes from 30 to 80 which is interesting.",
        ),
        Check(
            "It becomes hard at 80 mines, with a sharp fall towards 100 (here: to less than half).",
            f"{write(at_80)} with 71 to 80 mines, {write(end)} with 91 to 100.",
            above([difference(Interval(*(part / 2 for part in at_80)), end)]),
            quote="Minesweeper becomes hard as it reaches 80%, with a sharp down trend on the way to 100%.",
        ),
    ]


def _draw(results: Results) -> list[Picture]:
    names = {"simple": "two rules", "punch": "with the punch", "corners": "with corners", "once": "each clue once"}
    lines = [
        Line(name, list(MINES), [mean_of(scores, 1.0) for scores in _scores(results, player)])
        for player, name in names.items()
    ]
    measured = [_average(results, player) for player in RUNS]
    once = [_average(results, player) for player in ("once", "once-border")]
    reported = [Interval(sum(runs) / len(runs), min(runs), max(runs)) for runs in RUNS.values()]
    nothing = Interval(float("nan"), float("nan"), float("nan"))
    return [
        Picture(
            draw_curves(lines, "mines on 10 x 10", "average score", most=1.0, marks=10),
            "Average score against the number of mines, 10 x 10, total unknown, cells opened one by one.",
        ),
        Picture(
            draw_bars(
                ["two rules", "punch", "corners"],
                [
                    Bars("Sapper", measured),
                    Bars("each clue once", [once[0], nothing, once[1]]),
                    Bars("report", reported),
                ],
                "average over all densities",
            ),
            "The three averages; for the report, with the least and the largest of its three runs. In the middle, the "
            "agent that uses its rules as the report describes: with random guesses and with guesses along the border.",
        ),
    ]


EXPERIMENTS = (
    Experiment(
        "003",
        "003",
        "Two rules, One-Two Punch, corners and edges, 10 x 10",
        "The report plots the score against 1 to 100 mines for three agents and prints their averages, in three runs "
        "of 10,000 games each: about 0.244 with the two rules, 0.252 with the One-Two Punch, 0.279 when guesses go to "
        "corners, then edges.",
        "basic, one-two and one-two-corners on the same boards. To find out why they differ from the report: an "
        "agent that uses each clue once and opens as safe only neighbours of zeros, and guesses that walk along the "
        "border.",
        _tasks,
        _check,
        _draw,
    ),
)
