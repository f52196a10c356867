"""Further than the reports: clues that are off by one, now and then or always."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    Check,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    by_seed,
    change_of,
    write,
    write_change,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.reports.studies.uncertainty import AGENTS, paid_by_believing, rules_of
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules

if TYPE_CHECKING:
    from sapper.statistics import Interval


LIAR = "liar"
CHANCES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
HALF, ALWAYS = 0.5, 1.0
# Games for each condition, quick and full, and how many a chunk holds.
AMOUNTS = {"5x5/15": (60, 1000, 50), "9x9/10": (20, 300, 20), "16x16/40": (4, 60, 5)}


def _tasks_on(board: str, count: Count) -> list[SweepTask]:
    quick, full, chunk_size = AMOUNTS[board]
    conditions = [Condition.of(Rules.parse(rules_of(board, LIAR, p)), agent) for agent in AGENTS for p in CHANCES]
    return [SweepTask(condition, count(quick, full), chunk_size=chunk_size) for condition in conditions]


def _detonated(results: StudyResults, board: str, p: float) -> Interval:
    return results.mean("detonations", "exact", rules_of(board, LIAR, p))


def _rise(results: StudyResults, board: str, start: float, end: float) -> Interval:
    """What a player who knows pays more at one chance than at another, game by game."""
    one, other = (results.column("detonations", "exact", rules_of(board, LIAR, p)) for p in (start, end))
    return change_of(other - one)


def _check_on(board: str, results: StudyResults) -> list[Check]:
    rise = _rise(results, board, 0.0, HALF)
    relief = _rise(results, board, ALWAYS, HALF)
    paid = {p: paid_by_believing(results, board, LIAR, p) for p in CHANCES[1:]}
    overall = change_of(by_seed(list(paid.values())))
    return [
        Check(
            "Clues that are off by one every other time cost mines, even to a player who knows it.",
            f"{write(_detonated(results, board, 0.0), 2)} with exact clues, "
            f"{write(_detonated(results, board, HALF), 2)} at p = 0.5: {write_change(rise, 2)}.",
            above([rise]),
        ),
        Check(
            "A liar who always lies tells more than one who lies every other time.",
            f"{write(_detonated(results, board, ALWAYS), 2)} mines at p = 1: "
            f"{write_change(relief, 2)} more of them at p = 0.5.",
            above([relief]),
            "Where nearly every clue lies between its ends, off by one either way says little more than perhaps off "
            "by one.",
        ),
        Check(
            "Believing liars costs mines.",
            f"{write_change(overall, 2)} mines a game on average over p = 0.1 to 1; "
            f"{write_change(change_of(paid[0.1]), 2)} at 0.1 and {write_change(change_of(paid[ALWAYS]), 2)} at 1.",
            above([overall]),
            "Where nearly everything is a guess, there is little left to lose.",
        ),
    ]


def _draw_on(board: str, results: StudyResults) -> list[Picture]:
    size = board.replace("x", " x ").replace("/", ", ")
    pictures = []
    for column, y_name in (("detonations", "mines detonated"), ("score", "average score")):
        lines = [
            Curve(word, CHANCES, [results.mean(column, agent, rules_of(board, LIAR, p)) for p in CHANCES])
            for agent, word in AGENTS.items()
        ]
        caption = f"{y_name.capitalize()} against the chance p that a clue is off by one; {size} mines, total known."
        pictures.append(Picture(draw_curves(lines, "p", y_name, most=1.0 if column == "score" else None), caption))
    return pictures


def _on(board: str) -> Experiment:
    size, mines = board.split("/")
    rows, cols = size.split("x")
    return Experiment(
        f"liars-{size}",
        "uncertainty",
        f"Liars on {rows} x {cols} with {mines} mines",
        "A clue that lies is off by one, up or down with equal chance. One player knows how often that happens; the "
        "other believes every clue.",
        "exact and believer on the same boards, clues off by one with probability p = 0 to 1, total known.",
        lambda count: _tasks_on(board, count),
        lambda results: _check_on(board, results),
        lambda results: _draw_on(board, results),
    )


EXPERIMENTS = tuple(_on(board) for board in AMOUNTS)
