"""What a submission is worth: shares of what was right, points by a rubric, and how strong it is beside others."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sapper.experiments.grading.judge import (
    LEVELS,
    MISSED,
    MISSED_MINE,
    MUTATES,
    NOT_REPEATABLE,
    OPENS_MINE,
    PRINTS,
    RISK,
)
from sapper.rules import Rules
from sapper.statistics import Comparison, Interval, compare_paired, mean_interval, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.experiments.grading.judge import Tally
    from sapper.experiments.grading.run import Class, Submission

WON, SCORE, MOVES, SECONDS, FORFEITED = range(5)  # the columns of `Tally.games`


@dataclass(frozen=True, slots=True)
class Strength:
    """Wins in classic games and scores in surveys, with the differences from an agent of Sapper on the same boards."""

    wins: Interval
    score: Interval
    wins_against: dict[str, Comparison]
    score_against: dict[str, Interval]


@dataclass(frozen=True, slots=True)
class Grade:
    """The result of a submission.

    shares: criterion → share from 0 to 1; None if nothing of the kind came up.
    points, maxima: criterion → points, and the most there are, of those in the rubric.
    seconds: board → seconds a move.
    """

    submission: Submission
    shares: dict[str, float | None]
    points: dict[str, float]
    maxima: dict[str, float]
    strength: Strength | None
    seconds: dict[str, float]

    @property
    def total(self) -> float:
        """The sum of the points."""
        return sum(self.points.values())

    def is_asked(self, kind: str) -> bool:
        """Whether a fault costs points, or keeps the agent from playing."""
        level = next((level for level in LEVELS if kind in (MISSED[level], MISSED_MINE[level])), None)
        if level is not None:
            return level in self.maxima
        asked_by = {OPENS_MINE: "", MUTATES: "", RISK: "guesses", PRINTS: "quiet", NOT_REPEATABLE: "repeatable"}
        return asked_by.get(kind, "runs") in {"runs", *self.maxima}

    @property
    def first_to_mend(self) -> str | None:
        """The kind of the first fault that costs points."""
        return next((kind for kind in self.submission.examples if self.is_asked(kind)), None)

    @property
    def most(self) -> float:
        """The most points there are."""
        return sum(self.maxima.values())

    def as_plain_values(self) -> dict[str, object]:
        """Return plain values for JSON."""
        one, tally = self.submission, self.submission.total
        strength = self.strength
        return {
            "name": one.name,
            "agent": one.agent,
            "points": round(self.total, 2),
            "of": self.most,
            "criteria": {
                name: {"share": self.shares[name], "points": round(points, 2)} for name, points in self.points.items()
            },
            "shares": self.shares,
            "games": len(tally.games),
            "missing": one.missing or None,
            "faults": {
                kind: {
                    "games": tally.faults.get(kind, 0), "position": example.position, "cell": example.cell,
                    "order": example.order, "rules": example.rules, "seed": example.seed, "detail": example.detail,
                    "smallest": not example.is_whole,
                }
                for kind, example in one.examples.items()
            },
            "wins": None if strength is None else _plain(strength.wins),
            "score": None if strength is None else _plain(strength.score),
            "against": {}
            if strength is None
            else {
                name: {
                    "wins": _plain(strength.wins_against[name].difference) if name in strength.wins_against else None,
                    "score": _plain(strength.score_against[name]) if name in strength.score_against else None,
                }
                for name in {**strength.wins_against, **strength.score_against}
            },
            "seconds_per_move": self.seconds,
        }  # fmt: skip


def _plain(interval: Interval) -> list[float | None]:
    return [None if math.isnan(part) else round(part, 6) for part in interval]


def grade_submission(made: Class, one: Submission) -> Grade:
    """Return the grade of a submission."""
    tally = one.total
    shares = _shares(made, one, tally)
    points = {}
    # An agent that plays less than half of the games has shown less.
    shown = min(1.0, 2 * (shares["runs"] or 0.0))
    for name, criterion in made.rubric.points.items():
        share = shares[name]
        # What never came up is not a fault.
        worth = criterion.worth(share) if share is not None else criterion.points
        points[name] = worth * (1.0 if name == "runs" else shown)
    maxima = {name: criterion.points for name, criterion in made.rubric.points.items()}
    seconds = {
        board: sum(game[SECONDS] for game in found.games) / n_moves
        for board, found in one.boards.items()
        if (n_moves := sum(game[MOVES] for game in found.games))
    }
    strength = None if one.missing or not tally.games else _measure(made, one)
    return Grade(one, shares, points, maxima, strength, seconds)


def _shares(made: Class, one: Submission, tally: Tally) -> dict[str, float | None]:
    n_games = len(tally.games)
    shares: dict[str, float | None] = {
        "runs": sum(not game[FORFEITED] for game in tally.games) / n_games if n_games else 0.0,
        "sound": tally.claims[1] / tally.claims[0] if tally.claims[0] else None,
    }
    for level in LEVELS:
        found, chances = (sum(numbers) for numbers in zip(*completeness(one, tally, level), strict=True))
        shares[level] = found / chances if chances else None
    shares["guesses"] = 1 - tally.guesses[1] / tally.guesses[0] if tally.guesses[0] else None
    shares["repeatable"] = float(NOT_REPEATABLE not in tally.faults) if n_games else None
    shares["quiet"] = 1 - tally.faults.get(PRINTS, 0) / n_games if n_games else None
    for name, column, survey in (("wins", WON, False), ("score", SCORE, True)):
        boards = [board for board in one.boards if is_survey(board) is survey]
        theirs = [game[column] for board in boards for game in one.boards[board].games]
        ours = [game[column] for board in boards for game in made.references.get("exact", {}).get(board, ())]
        shares[name] = sum(theirs) / len(theirs) if theirs else None
        shares[f"{name}-of-exact"] = min(1.0, sum(theirs) / sum(ours)) if theirs and sum(ours) else None
    return shares


def completeness(one: Submission, tally: Tally, level: str) -> tuple[Sequence[int], Sequence[int]]:
    """Return (found, all) of decisions with a certain safe cell and of certain mines that take a kind of reasoning.

    Whoever claims no mine at all, and need not, is not asked for mines.
    """
    claims_mines = one.agent.startswith("cs50:") or any(found for found, _ in tally.mines.values())
    return tally.found.get(level, (0, 0)), tally.mines.get(level, (0, 0)) if claims_mines else (0, 0)


def is_survey(board: str) -> bool:
    """Whether play goes on after a mine on a board."""
    return "survey" in board.split()


def density_of(board: str) -> float:
    """Return the share of cells that are mines."""
    rules = Rules.parse(board)
    return rules.mines / rules.n_cells


def _measure(made: Class, one: Submission) -> Strength:
    classic = [board for board in one.boards if not is_survey(board)]
    surveys = [board for board in one.boards if is_survey(board)]
    won = [bool(game[WON]) for board in classic for game in one.boards[board].games]
    scores = [game[SCORE] for board in surveys for game in one.boards[board].games]
    wins_against, score_against = {}, {}
    for name, boards in made.references.items():
        ours = [bool(game[WON]) for board in classic for game in boards.get(board, ())]
        if won and len(ours) == len(won):
            wins_against[name] = compare_paired(won, ours)
        theirs = [game[SCORE] for board in surveys for game in boards.get(board, ())]
        if scores and len(theirs) == len(scores):
            score_against[name] = mean_of([one - two for one, two in zip(scores, theirs, strict=True)])
    return Strength(wilson(sum(won), len(won)), mean_of(scores), wins_against, score_against)


def mean_of(values: list[float]) -> Interval:
    """Return a mean with its interval."""
    return mean_interval(sum(values), sum(value * value for value in values), len(values))


def write_csv(grades: list[Grade]) -> str:
    """Return a table with a line for each submission."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    criteria = list(grades[0].points) if grades else []
    shares = list(grades[0].shares) if grades else []
    table.writerow(["name", "points", "of", *(f"points {name}" for name in criteria), *shares, "faults", "not run"])
    for grade in grades:
        table.writerow([
            grade.submission.name, f"{grade.total:.2f}", f"{grade.most:g}",
            *(f"{grade.points[name]:.2f}" for name in criteria),
            *("" if (share := grade.shares[name]) is None else f"{share:.4f}" for name in shares),
            " ".join(grade.submission.examples), grade.submission.missing,
        ])  # fmt: skip
    return out.getvalue()
