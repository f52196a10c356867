"""Choose the next puzzle: a mistake that is due, or else one whose difficulty matches the learner's rating."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from sapper.rules import Rules
from sapper.train.attempts import Round
from sapper.train.kinds import KINDS, LEVELS, Kind, Name, first_possible
from sapper.train.learner import Learner
from sapper.train.making import read_board, read_link
from sapper.train.puzzle import Puzzle

# Mean difficulty by kind on a beginner board, measured by `benchmarks.training`.
TYPICAL: dict[Kind, int] = {
    "single": 620,
    "subsets": 900,
    "one-two": 1110,
    "pairs": 1325,
    "cases": 1725,
    "total": 1540,
    "guess": 1555,
    "area": 1145,
    "chain": 1250,
}
_CANDIDATES = 3  # seeds to try; the puzzle nearest in difficulty is used
_WIDTH, _WIDTH_OF_ROUNDS = 250.0, 120.0  # standard deviation of difficulty around the target, in rating points
_LEAST = 0.02  # added to every weight, so that every kind appears sometimes
_AGAIN = 0.3  # weight factor for each recent puzzle of the same kind
_FIRST_LEVELS = 10  # attempts before special kinds appear unasked: their questions are unusual
_MAX_SEED = 2**31


class PuzzleChoice(NamedTuple):
    """Candidates for the next puzzle, and the difficulty wanted."""

    names: tuple[Name, ...]
    target: int
    is_repetition: bool = False

    def make(self) -> Puzzle:
        """Make the candidates and return the one nearest to the target; raise `GaveUp` if the board has none."""
        return min((read_link(name) for name in self.names), key=lambda one: abs(one.difficulty - self.target))


def choose(
    learner: Learner,
    now: float,
    *,
    kinds: Collection[Kind] = (),
    board: Rules | str = "beginner",
    seed: int = 0,
    within: Round | None = None,
) -> PuzzleChoice:
    """Choose the next puzzle without making it: deterministic for the same attempts, time and seed.

    Due mistakes come first, except in a round. Otherwise a kind is drawn: likelier if its typical difficulty is near
    the target, less likely if it came up recently. The target is the overall rating, the kind's rating if only one kind
    is wanted, or the round's target. ``seed`` varies the choice between learners. Without ``kinds``, all are used; new
    learners and rounds get only levels, whose answers are right or wrong.
    """
    wanted = [kind for kind in KINDS if kind in (kinds or usual_kinds(learner, within))]
    rules = read_board(board)
    if within is None:
        due = next((name for name in learner.schedule.due(now) if name.kind in wanted), None)
        if due is not None:
            return PuzzleChoice((due,), 0, is_repetition=True)
    target = _target(learner, wanted, within)
    rng = np.random.default_rng((seed, learner.overall.n))
    weights = np.array([_weight(learner, kind, target, in_round=within is not None) for kind in wanted])
    kind = wanted[int(rng.choice(len(wanted), p=weights / weights.sum()))]
    names: list[Name] = []
    while len(names) < _CANDIDATES:
        name = Name.of(kind, str(rules), int(rng.integers(_MAX_SEED)))
        if name not in learner.seen:
            names.append(name)
    return PuzzleChoice(tuple(names), target)


def next_puzzle(
    learner: Learner,
    now: float,
    *,
    kinds: Collection[Kind] = (),
    board: Rules | str = "beginner",
    seed: int = 0,
    within: Round | None = None,
) -> Puzzle:
    """Make the puzzle that `choose` chooses, skipping kinds that the board does not have.

    Raises `GaveUp` if the board has none of the kinds.
    """

    def choose_among(left: list[Kind]) -> PuzzleChoice:
        return choose(learner, now, kinds=left, board=board, seed=seed, within=within)

    return first_possible(
        list(kinds or usual_kinds(learner, within)),
        lambda left: choose_among(left).make(),
        lambda left: choose_among(left).names[0].kind,
    )


def usual_kinds(learner: Learner, within: Round | None) -> tuple[Kind, ...]:
    """Return the default kinds: only levels in a round and for new learners."""
    return LEVELS if within is not None or learner.overall.n < _FIRST_LEVELS else KINDS


def _target(learner: Learner, wanted: list[Kind], within: Round | None) -> int:
    if within is not None:
        return within.target
    only = learner.by_kind.get(wanted[0]) if len(wanted) == 1 else None
    return round((only or learner.overall).rating.rating)


def _weight(learner: Learner, kind: Kind, target: int, in_round: bool) -> float:
    if in_round:
        # No floor here: the first puzzles of a round must all be easy.
        return float(np.exp(-(((TYPICAL[kind] - target) / _WIDTH_OF_ROUNDS) ** 2) / 2)) + 1e-9
    away = (TYPICAL[kind] - target) / _WIDTH
    return float((np.exp(-away * away / 2) + _LEAST) * _AGAIN ** learner.last_kinds.count(kind))
