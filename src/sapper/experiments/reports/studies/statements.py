"""Report 000: the statements knowledge base on 4 x 4, without the total and with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.experiments.plots import Line
from sapper.experiments.reports.claims import (
    Check,
    Experiment,
    Picture,
    Results,
    above,
    at_least,
    at_most,
    below,
    by_seed,
    change_of,
    falls,
    write,
    write_change,
)  # fmt: skip
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.rules import Rules
from sapper.words import count_mines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sapper.statistics import Interval

MINES = range(1, 17)


def _board(mines: int, total: bool) -> str:
    return f"4x4/{mines} survey first-any{'' if total else ' total-hidden'}"


def _is_told(agent: str) -> bool:
    return agent == "statements-count"


def _sweep(agents: tuple[str, ...], n_games: int) -> list[Task]:
    return [
        Task(Condition.of(Rules.parse(_board(mines, _is_told(agent))), agent), n_games)
        for agent in agents
        for mines in MINES
    ]


def _scores(results: Results, agent: str) -> list[Interval]:
    return [results.mean("score", agent, _board(mines, _is_told(agent))) for mines in MINES]


def _draw_scores(results: Results, names: dict[str, str]) -> list[Picture]:
    lines = [Line(name, list(MINES), _scores(results, agent)) for agent, name in names.items()]
    return [
        Picture(
            draw_curves(lines, "mines on 4 x 4", "average score", most=1.0),
            "Average score against the number of mines, 4 x 4.",
        )
    ]


# -- without the total -----------------------------------------------------------------------------------------


def _check_sweep(results: Results) -> list[Check]:
    scores = dict(zip(MINES, _scores(results, "statements"), strict=True))
    once = dict(zip(MINES, _scores(results, "local"), strict=True))

    def some(first: int, last: int) -> list[Interval]:
        return [scores[mines] for mines in range(first, last + 1)]

    def blame(mines: int, limit: float) -> str:
        between = "lies between the two" if once[mines].value < limit < scores[mines].value else "lies elsewhere"
        return (
            f"With {mines} mines an agent that looks at each clue only once, when it opens, scores "
            f"{write(once[mines], 2)}, one that finds every consequence {write(scores[mines], 2)}; the report's figure "
            f"{between}."
        )

    return [
        Check(
            "The score lies between 0.5 and 1 with 1 to 5 mines.",
            f"From {write(scores[1], 2)} with 1 mine to {write(scores[5], 2)} with 5.",
            at_least(some(1, 5), 0.5),
            blame(5, 0.5),
            "The average final score ranges between 0.5 and 1 for mine densities 1-5.",
        ),
        Check(
            "It lies between 0 and 0.5 with 6 to 16 mines.",
            f"{write(scores[6], 2)} with 6 mines, {write(scores[9], 2)} with 9, {write(scores[16], 2)} with 16.",
            at_most(some(6, 16), 0.5),
            blame(6, 0.5),
            "For mine densities 6-16, the average final score falls between 0 and 0.5.",
        ),
        Check(
            "It falls as mines are added.",
            f"From {write(scores[1], 2)} to {write(scores[16], 2)}, with no rise on the way that chance does not allow."
            if falls(some(1, 16))
            else f"From {write(scores[1], 2)} to {write(scores[16], 2)}.",
            falls(some(1, 16)),
            quote="The average final score generally decreases as mine density increases",
        ),
        Check(
            "Hard boards begin at 8 mines: at most 40 % of the mines are identified.",
            f"{write(scores[8], 2)} with 8 mines; at most 40 % from {_first_below(scores, 0.4)} mines on.",
            at_most(some(8, 16), 0.4),
            blame(8, 0.4),
            "For a mine density of 8 (half of the total number of cells) and greater, the program is able to safely "
            "identify up to 40% of the mines present on average.",
        ),
        Check(
            "From 13 mines on it is at most 30 %.",
            f"{write(scores[13], 2)} with 13 mines; at most 30 % from {_first_below(scores, 0.3)} mines on.",
            at_most(some(13, 16), 0.3),
            blame(13, 0.3),
            "For a mine density of 13 and greater, the program is only able to do so for up to 30% of the mines "
            "present.",
        ),
    ]


def _first_below(scores: dict[int, Interval], limit: float) -> int:
    """The number of mines from which on all scores are at most so large."""
    return max((mines for mines, score in scores.items() if score.value > limit), default=0) + 1


# -- with the total --------------------------------------------------------------------------------------------


def _gain(results: Results, column: str, mines: int) -> NDArray[np.float64]:
    """With the total minus without it, game by game on the same boards."""
    told = results.column(column, "statements-count", _board(mines, True))
    return told - results.column(column, "statements", _board(mines, False))


def _check_total(results: Results) -> list[Check]:
    gains = {mines: change_of(_gain(results, "score", mines)) for mines in MINES}
    overall = change_of(by_seed([_gain(results, "score", mines) for mines in MINES]))
    guesses = change_of(by_seed([_gain(results, "guesses", mines) for mines in MINES]))
    full = results.mean("score", "statements-count", _board(16, True))
    least = min(gains, key=lambda mines: gains[mines].value)
    return [
        Check(
            "The number of mines is information that deductions can use, so fewer cells are opened at random.",
            f"{write_change(guesses, 2)} openings per game that nothing proves safe.",
            below([guesses]),
            quote="This, expressed as a logical statement, provides additional information to the agent which can be "
            "used when making deductions and decisions.",
        ),
        Check(
            "With the number of mines known, more of them are identified.",
            f"{write_change(overall)} on average over 1 to 16 mines.",
            above([overall]),
        ),
        Check(
            "That is so whatever the number of mines.",
            f"The least gain is {write_change(gains[least])}, with {count_mines(least)}; the largest "
            f"{write_change(max(gains.values()))}. A board full of mines takes no opening at all: its score goes from "
            f"0 to {full.value:.2f}, so with the total the hardest boards are no longer the fullest.",
            above(gains.values()),
            "With some numbers of mines the total settles nothing that the clues had not settled.",
        ),
    ]


EXPERIMENTS = (
    Experiment(
        "000-sweep",
        "000",
        "4 x 4, 1 to 16 mines, total unknown",
        "The report plots the average score against the number of mines, and calls boards hard from 8 mines on.",
        "statements (every consequence of the report's rules) and, to see what missed deductions cost, local (each "
        "clue once, when it opens), on the same boards.",
        lambda count: _sweep(("statements", "local"), count(100, 2000)),
        _check_sweep,
        lambda results: _draw_scores(results, {"statements": "statements", "local": "each clue once"}),
        "The report's agent misses deductions that its text claims; Sapper's finds every consequence of the same "
        "rules.",
    ),
    Experiment(
        "000-total",
        "000",
        "4 x 4, 1 to 16 mines, total known",
        "The report takes the number of mines for one more statement and draws its plot again. It says what the "
        "number is good for, but not by how much the score changes.",
        "statements-count, which takes the total for a statement about the whole board, and statements on the same "
        "boards.",
        lambda count: _sweep(("statements", "statements-count"), count(100, 2000)),
        _check_total,
        lambda results: _draw_scores(results, {"statements": "total unknown", "statements-count": "total known"}),
    ),
)
