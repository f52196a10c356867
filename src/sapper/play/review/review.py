"""Reviews of finished games: the risk of every move beside the least there was, and a verdict.

>>> from sapper.play.record import Record
>>> review = review_record(Record.parse('''Sapper-Record: 1
... Rules: 1x4/1 first-any
... Seed: 5
... Layout: *---
... Moves:
... open 0,1
... open 0,0
... '''))
>>> [(one.verdict, one.p_mine, one.best_p) for one in review.moves]
[('forced guess', 0.25, 0.25), ('extra risk', 0.5, 0.0)]
>>> review.last_safe
1
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from sapper.errors import Contradiction, TooHard, check_type
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.observation import EXPLODED, FLAG, HIDDEN, Observation
from sapper.play.dealt import DealtGame, DealtGuess
from sapper.play.record import Move, Record, describe_result
from sapper.play.review.verdict import Evidence, Verdict, judge
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.world.game import Game, Outcome


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move, the positions around it, and the evidence that its verdict rests on."""

    move: Move
    before: Observation
    after: Observation
    evidence: Evidence
    best_p: float | None  # the least risk of any cell; None: too hard, or a flag
    best: tuple[Cell, ...]  # the cells that had it, row by row

    @property
    def verdict(self) -> Verdict:
        """What the move was, by `judge`."""
        return judge(self.evidence)

    @property
    def p_mine(self) -> float | None:
        """The probability that the move hits a mine, or that the flag is on one; None: too hard."""
        return self.evidence.p_mine

    @property
    def is_certain(self) -> bool:
        """Whether `p_mine` is 0 or 1 by proof, not by rounding."""
        return self.evidence.is_certain

    @property
    def extra_risk(self) -> float:
        """The risk above the least, which `wins` prices; 0 for forced guesses that the board decides."""
        return 0.0 if self.evidence.is_spared else self.evidence.extra_risk

    @property
    def guesses(self) -> tuple[DealtGuess, ...]:
        """The guesses that the move made on a fair, kind or cruel board."""
        return self.evidence.guesses

    @property
    def hit(self) -> bool:
        """Whether a mine exploded."""
        return self.evidence.hit

    @property
    def has_risk(self) -> bool:
        """Whether the move opened a cell that could be a mine."""
        return self.move.action != "flag" and bool(self.p_mine)


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game, reviewed."""

    rules: Rules
    start: Observation
    moves: tuple[ReviewedMove, ...]
    outcome: Outcome
    result: str  # as a phrase: lost after 12 moves, score 0/10

    @property
    def last_safe(self) -> int | None:
        """The number, from 0, of the last opening before which some cell was certainly safe; None: there was none."""
        numbers = [number for number, one in enumerate(self.moves) if one.best_p == 0.0 and one.move.action != "flag"]
        return numbers[-1] if numbers else None

    @property
    def mistakes(self) -> tuple[int, ...]:
        """The numbers, from 0, of the moves that were mistakes."""
        return tuple(number for number, one in enumerate(self.moves) if one.verdict == "mistake")


def review_record(record: Record, budget: Budget | None = None) -> Review:
    """Play a record again and judge every move of its player by what was known before it.

    Given moves are not judged: the review begins at the position to which they lead.
    Costs one exact sum a move, two for a chord that opens several cells. Raises `InputError` where the record cannot be
    played; a position that is too hard is called so and the review goes on.
    """
    check_type(record, Record, "a record")
    reviewer = _Reviewer(record.rules, budget)
    moves: list[ReviewedMove] = []
    replayed = record.replay()
    *_, (_, game) = islice(replayed, 1 + record.n_given)
    start = before = game.observation
    n_guesses = len(guesses_in(game))
    for move, game in replayed:
        assert move is not None
        after = game.observation
        guesses = guesses_in(game)
        moves.append(reviewer.review(move, before, after, guesses[n_guesses:]))
        before, n_guesses = after, len(guesses)
    return Review(record.rules, start, tuple(moves), game.outcome, describe_result(game, record.n_own))


def guesses_in(game: Game) -> tuple[DealtGuess, ...]:
    """The guesses of a game so far, if its mines are dealt as it is played."""
    return tuple(game.guesses) if isinstance(game, DealtGame) else ()


def opened_by(move: Move, before: Observation) -> list[Cell]:
    """Return the hidden cells that a move opens by itself, before anything cascades."""
    if move.action == "flag":
        return []
    if move.action == "open":
        return [(move.row, move.col)] if before.closed[move.row, move.col] else []
    board = before.topology
    around = [board.cell(cell) for cell in board.neighbours_of(board.index(move.row, move.col))]
    n_marked = sum(before.cells[cell] in (FLAG, EXPLODED) for cell in around)
    if n_marked != before.cells[move.row, move.col]:
        return []
    return [(int(row), int(col)) for row, col in around if before.cells[row, col] == HIDDEN]


class _Reviewer:
    """Collects the evidence about the moves of one game, in order."""

    def __init__(self, rules: Rules, budget: Budget | None) -> None:
        self._rules = rules
        self._budget = budget
        self._seen: tuple[bytes, Posterior | None] | None = None

    def review(
        self, move: Move, before: Observation, after: Observation, guesses: tuple[DealtGuess, ...]
    ) -> ReviewedMove:
        """Compute the risks of a move."""
        posterior = self._look(before)
        opened = tuple(opened_by(move, before))
        p_mine, is_certain, best_p, extra = None, False, None, 0.0
        best: tuple[Cell, ...] = ()
        if move.action == "flag":
            if posterior is not None:
                cell = (move.row, move.col)
                p_mine, is_certain = float(posterior.p_mine[cell]), cell in posterior.safe or cell in posterior.mines
        elif self._rules.promises_safety(before.closed):
            best = tuple((int(row), int(col)) for row, col in np.argwhere(before.closed))
            p_mine, is_certain, best_p = 0.0, True, 0.0
        elif posterior is not None:
            best = posterior.safest
            best_p = 0.0 if posterior.safe else float(posterior.p_mine[best[0]]) if best else None
            try:
                p_mine, is_certain = risk_of(posterior, opened, self._budget)
            except TooHard:
                pass
            else:
                is_best = len(opened) == 1 and opened[0] in best
                extra = 0.0 if best_p is None or is_best else max(0.0, p_mine - best_p)
        evidence = Evidence(
            opened=opened,
            flagged=move.action == "flag" and before.cells[move.row, move.col] != FLAG,
            p_mine=p_mine,
            is_certain=is_certain,
            any_safe=posterior is not None and bool(posterior.safe),
            extra_risk=extra,
            hit=bool(((after.cells == EXPLODED) & (before.cells != EXPLODED)).any()),
            dealing=self._rules.dealing,
            guesses=guesses,
        )
        return ReviewedMove(move, before, after, evidence, best_p, best)

    def _look(self, observation: Observation) -> Posterior | None:
        # Flags are opinions: the engine ignores them.
        plain = observation.without_flags()
        key = plain.cells.tobytes()
        if self._seen is None or self._seen[0] != key:
            found: Posterior | None = None
            if plain.closed.any():
                try:
                    found = mine_probabilities(plain, budget=self._budget)
                except TooHard:
                    found = None
            self._seen = key, found
        return self._seen[1]


class MoveRisk(NamedTuple):
    """The chance that a move hits a mine, and whether that is 0 or 1 by proof."""

    p_mine: float
    is_certain: bool


def risk_of(posterior: Posterior, opened: Sequence[Cell], budget: Budget | None = None) -> MoveRisk:
    """Return the chance that one of these cells is a mine. Raises `TooHard` past the budget."""
    safe = set(posterior.safe)
    doubtful = [cell for cell in opened if cell not in safe]
    if not doubtful:
        return MoveRisk(0.0, True)
    if any(cell in posterior.mines for cell in doubtful):
        return MoveRisk(1.0, True)
    if len(doubtful) == 1:
        return MoveRisk(float(posterior.p_mine[doubtful[0]]), False)
    # The weight of all layouts in which they are safe, relative to the weight of all.
    observation = posterior.observation
    try:
        left = mine_probabilities(observation.assuming(safe=map(observation.topology.number, doubtful)), budget=budget)
    except Contradiction:
        return MoveRisk(1.0, True)
    return MoveRisk(1.0 - math.exp(min(0.0, left.log_weight - posterior.log_weight)), False)
