"""A game looked at afterwards: the risk of every move beside the least there was, and a verdict.

A *mistake* is a move that is shown to be wrong. Of two kinds that is plain before the move: the opening of a certain
mine, and a flag on a cell that is certainly safe. The third kind, a move that gave away chances to win, takes games to
show: `winning.appraise` plays them. More risk than there had to be is *extra risk* until they do: a risk that has to be
taken sooner or later may as well be taken first.

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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from sapper.errors import Contradiction, TooHard, check_type
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.play.dealt import DealtGame
from sapper.play.reading import promises_safety
from sapper.play.record import Record, describe_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.inference.posterior.exact import Posterior
    from sapper.inference.posterior.workspace import Budget
    from sapper.play.dealt import Guess
    from sapper.play.record import Move
    from sapper.rules import Rules
    from sapper.topology import Cell
    from sapper.world.game import Game


Verdict = Literal["safe", "forced guess", "fair guess", "extra risk", "unlucky", "mistake", "unknown"]

# A guess with so little more risk than the least may have had its reasons: what it may open up, for one.
FAIR = 0.03


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move, what was known before it, and what is to be said of it.

    - ``safe``: nothing could happen; a flag on what is certainly a mine, or one taken off.
    - ``forced guess``: nothing was certainly safe, and no cell had less risk.
    - ``fair guess``: nothing was certainly safe, and the risk was at most `FAIR` above the least; or it was more and is
      shown to have lost no wins; or a flag on a guess.
    - ``extra risk``: something was safe, or had a risk smaller by more than `FAIR`; whether it lost wins is not shown.
    - ``unlucky``: a forced or fair guess that hit a mine.
    - ``mistake``: shown to be wrong: opened a certain mine, flagged a certainly safe cell, or gave away chances to win.
    - ``unknown``: the exact sum was too hard.

    On a fair, kind or cruel board a guess is forced or not, whatever its risk; one that was not is a mistake, but extra
    risk where the board is kind.
    """

    move: Move
    before: Observation
    after: Observation
    verdict: Verdict
    p_mine: float | None  # chance that the move hits a mine; of a flag: that it stands on one
    best_p: float | None  # the least chance of hitting one that any cell had
    best: tuple[Cell, ...]  # the cells that had it, row by row
    extra_risk: float  # chance of hitting a mine beyond the least; `winning` estimates the wins it cost
    is_certain: bool  # the chance is 0 or 1 by proof, not by rounding
    guesses: tuple[Guess, ...] = ()  # that it made on a fair, kind or cruel board

    @property
    def hit(self) -> bool:
        """Whether a mine went off."""
        return bool(((self.after.cells == EXPLODED) & (self.before.cells != EXPLODED)).any())


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game, reviewed."""

    rules: Rules
    start: Observation
    moves: tuple[ReviewedMove, ...]
    result: str  # in a phrase: lost after 12 moves, score 0/10

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
    """Play a record again and judge every move by what was known before it.

    Costs one exact sum a move, two for a chord that opens several cells. Raises `InputError` where the record cannot be
    played; a position that is too hard is called so and the review goes on.
    """
    check_type(record, Record, "a record")
    reviewer = _Reviewer(record.rules, budget)
    moves: list[ReviewedMove] = []
    replayed = record.replay()
    _, game = next(replayed)
    start = before = game.observation
    n_guesses = 0
    for move, game in replayed:
        assert move is not None
        after = game.observation
        guesses = guesses_in(game)
        moves.append(_judge_dealt(reviewer.judge(move, before, after), guesses[n_guesses:], record.rules))
        before, n_guesses = after, len(guesses)
    return Review(record.rules, start, tuple(moves), describe_result(game, len(record.moves)))


def guesses_in(game: Game) -> tuple[Guess, ...]:
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
    """Judges the moves of one game, in order."""

    def __init__(self, rules: Rules, budget: Budget | None) -> None:
        self._rules = rules
        self._budget = budget
        self._seen: tuple[bytes, Posterior | None] | None = None

    def judge(self, move: Move, before: Observation, after: Observation) -> ReviewedMove:
        """Say what is to be said of a move."""
        posterior = self._look(before)
        if move.action == "flag":
            return self._judge_flag(move, before, after, posterior)
        opened = opened_by(move, before)
        if promises_safety(self._rules, before):
            closed = tuple((int(row), int(col)) for row, col in np.argwhere(before.closed))
            return ReviewedMove(move, before, after, "safe", 0.0, 0.0, closed, 0.0, True)
        if posterior is None:
            verdict: Verdict = "unknown" if opened else "safe"
            return ReviewedMove(move, before, after, verdict, None, None, (), 0.0, False)
        best = posterior.safest
        best_p = 0.0 if posterior.safe else float(posterior.p_mine[best[0]]) if best else None
        try:
            risk = risk_of(posterior, opened, self._budget)
        except TooHard:
            return ReviewedMove(move, before, after, "unknown", None, best_p, best, 0.0, False)
        is_best = len(opened) == 1 and opened[0] in best
        extra = 0.0 if best_p is None or is_best else max(0.0, risk.p_mine - best_p)
        judged = ReviewedMove(move, before, after, "safe", risk.p_mine, best_p, best, extra, risk.is_certain)
        return replace(judged, verdict=_judge_risk(risk, extra, bool(posterior.safe), judged.hit))

    def _judge_flag(
        self, move: Move, before: Observation, after: Observation, posterior: Posterior | None
    ) -> ReviewedMove:
        cell = (move.row, move.col)
        p = None if posterior is None else float(posterior.p_mine[cell])
        is_mine = posterior is not None and cell in posterior.mines
        is_clear = posterior is not None and cell in posterior.safe
        verdict: Verdict = "fair guess"
        if before.cells[cell] == FLAG or is_mine:
            verdict = "safe"
        elif is_clear:
            verdict = "mistake"
        elif posterior is None:
            verdict = "unknown"
        return ReviewedMove(move, before, after, verdict, p, None, (), 0.0, is_mine or is_clear)

    def _look(self, observation: Observation) -> Posterior | None:
        # Flags are opinions: a position with one more is the same to the engine.
        plain = observation.without_flags()
        name = plain.cells.tobytes()
        if self._seen is None or self._seen[0] != name:
            found: Posterior | None = None
            if plain.closed.any():
                try:
                    found = mine_probabilities(plain, budget=self._budget)
                except TooHard:
                    found = None
            self._seen = name, found
        return self._seen[1]


class Risk(NamedTuple):
    """The chance that a move hits a mine, and whether that is 0 or 1 by proof."""

    p_mine: float
    is_certain: bool


def risk_of(posterior: Posterior, opened: Sequence[Cell], budget: Budget | None = None) -> Risk:
    """Return the chance that one of these cells is a mine. Raises `TooHard` past the budget."""
    safe = set(posterior.safe)
    doubtful = [cell for cell in opened if cell not in safe]
    if not doubtful:
        return Risk(0.0, True)
    if any(cell in posterior.mines for cell in doubtful):
        return Risk(1.0, True)
    if len(doubtful) == 1:
        return Risk(float(posterior.p_mine[doubtful[0]]), False)
    # The weight of all layouts in which they are clear, relative to the weight of all.
    observation = posterior.observation
    cells = observation.cells.copy()
    for cell in doubtful:
        cells[cell] = NO_CLUE
    cleared = Observation(observation.topology, cells, observation.total, observation.channel)
    try:
        left = mine_probabilities(cleared, budget=budget)
    except Contradiction:
        return Risk(1.0, True)
    return Risk(1.0 - math.exp(min(0.0, left.log_weight - posterior.log_weight)), False)


def _judge_risk(risk: Risk, extra: float, is_any_safe: bool, hit: bool) -> Verdict:
    if risk.is_certain:
        return "mistake" if risk.p_mine else "safe"
    if is_any_safe or extra > FAIR:
        return "extra risk"
    if hit:
        return "unlucky"
    return "forced guess" if extra <= 1e-12 else "fair guess"


def _judge_dealt(one: ReviewedMove, guesses: tuple[Guess, ...], rules: Rules) -> ReviewedMove:
    """The same move, judged by what its guesses meet on a fair, kind or cruel board."""
    verdicts = {guess.judgement.verdict for guess in guesses}
    if not verdicts:
        return one
    if "too-hard" in verdicts:
        return replace(one, verdict="unknown", guesses=guesses)
    if "unforced" in verdicts:
        return replace(one, verdict="extra risk" if rules.dealing == "kind" else "mistake", guesses=guesses)
    if rules.dealing == "cruel" and verdicts == {"nothing-safe"}:
        # What is forced has its true chance, so the risk is what counts, as ever.
        return replace(one, guesses=guesses)
    return replace(one, verdict="unlucky" if one.hit else "forced guess", extra_risk=0.0, guesses=guesses)
