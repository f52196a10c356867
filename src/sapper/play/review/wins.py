"""Chances to win, estimated by playing on: what the moves of a game were worth.

From a position, layouts are drawn with exactly the chance that each has (`Posterior.sample`). On every one of them the
game is played to its end twice by a compiled player who sees what anybody would see: once after the move that was made,
once by its own choice. Both on the same layouts, so most of the luck cancels out of the difference, the *wins lost*:
negative where the move did better than the player's own choice. The 95 % interval goes with McNemar's exact test. Where
no more layouts fit than games were asked for, each of them is played once, and the chances are exact. A move that opens
a certain mine loses exactly what the position was worth.

A move that is certainly safe loses nothing, with no need to play: the player opens everything safe before it guesses,
so both games come to the same position.

A move whose wins lost are above zero, the whole interval of them, is a *mistake* (`judging` knows the other two kinds);
extra risk is a fair guess if no part of the interval is.

>>> from sapper.observation import Observation
>>> from sapper.rules import Rules
>>> estimate = estimate_wins(Rules.parse("1x4/1 first-any"), Observation.parse("#1## 1"), [(0, 0)], n_games=200)
>>> estimate.n_games, estimate.best.value, estimate.lost.value
(2, 1.0, 0.5)
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.errors import InputError, TooHard
from sapper.inference.evaluation.endgame import list_layouts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.play.compiled import ContinuingPlayer, can_continue
from sapper.play.review.review import opened_by, risk_of
from sapper.statistics import Interval, compare_paired, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.inference.posterior.workspace import Budget
    from sapper.observation import Observation
    from sapper.play.review.review import Review, ReviewedMove
    from sapper.rules import Rules
    from sapper.topology import Cell


MAX_GAMES = 1_000_000
MOST_LISTED = 2_000  # layouts that are listed rather than drawn


class Winning(NamedTuple):
    """The chance to win before a move, and what the move made of it; with 95 % intervals."""

    n_games: int
    exact: bool  # every layout that fits was played, so the intervals have no width
    best: Interval  # playing on by the player's own choice
    played: Interval  # after the move that was made
    lost: Interval  # the first minus the second; nothing at all where the move was the player's own choice
    choice: Cell | None  # what the player would have opened; None if only mines are left
    is_own_choice: bool = False  # and it is what was opened


def estimate_wins(
    rules: Rules,
    position: Observation,
    opened: Sequence[Cell],
    *,
    n_games: int,
    seed: int = 0,
    agent: str = "exact",
    budget: Budget | None = None,
) -> Winning:
    """Estimate what opening these cells does to the chance to win. Raises `TooHard` past the budget."""
    player = ContinuingPlayer(rules, agent, budget)
    return _estimate(player, position, opened, n_games, np.random.default_rng(seed), budget)


def _estimate(
    player: ContinuingPlayer,
    position: Observation,
    opened: Sequence[Cell],
    n_games: int,
    rng: np.random.Generator,
    budget: Budget | None,
) -> Winning:
    plain = position.without_flags()
    posterior = mine_probabilities(plain, budget=budget)
    listed = _list_layouts(posterior, min(n_games, MOST_LISTED))
    exact = listed is not None
    layouts = posterior.sample(n_games, rng) if listed is None else listed
    best: list[bool] = []
    choice: Cell | None = None
    for mines in layouts:
        best.append(player.wins(plain, mines))
        # With the total hidden, nothing may be left to open in one layout and something in another.
        choice = player.first_choice or choice
    if list(opened) == [choice]:
        chance = _chance(best, exact)
        return Winning(len(best), exact, chance, chance, Interval(0.0, 0.0, 0.0), choice, True)
    if risk_of(posterior, opened, budget) == (1.0, True):
        chance = _chance(best, exact)
        return Winning(len(best), exact, chance, Interval(0.0, 0.0, 0.0), chance, choice)
    played = [player.wins(plain, mines, opened) for mines in layouts]
    lost = compare_paired(best, played).difference
    if exact:
        lost = Interval(lost.value, lost.value, lost.value)
    return Winning(len(best), exact, _chance(best, exact), _chance(played, exact), lost, choice)


def _list_layouts(posterior: Posterior, most: int) -> NDArray[np.bool_] | None:
    """Every layout that fits, all of which weigh the same in a classic game; None if they are too many."""
    # The logarithm may be off by a hair.
    if posterior.observation.total is None or posterior.log_layouts > math.log(most + 0.5):
        return None
    try:
        return np.array([layout.mines for layout in list_layouts(posterior.observation, most)])
    except TooHard:
        return None


def _chance(won: list[bool], exact: bool) -> Interval:
    rate = sum(won) / len(won)
    return Interval(rate, rate, rate) if exact else wilson(sum(won), len(won))


class Appraisal(NamedTuple):
    """What the moves of a reviewed game were worth, move by move; None: safe, a flag, the first move, or too hard."""

    review: Review  # its verdicts are those that the wins lost show
    n_games: int
    agent: str
    moves: tuple[Winning | None, ...]
    reason: str = ""  # why nothing was estimated, if nothing was

    @property
    def lost(self) -> Interval | None:
        """The wins lost by all moves together: the sum, with the moves' errors taken as independent."""
        known = [one.lost for one in self.moves if one is not None]
        if not known:
            return None
        total = sum(one.value for one in known)
        below = sum((one.value - one.low) ** 2 for one in known) ** 0.5
        above = sum((one.high - one.value) ** 2 for one in known) ** 0.5
        return Interval(total, total - below, total + above)


def appraise(
    review: Review,
    *,
    n_games: int,
    agent: str = "exact",
    seed: int = 0,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Appraisal:
    """Estimate for every move with a risk what it cost, and judge it by that; each takes ``n_games`` games, twice.

    The first cell of a board that promises it is left out: which layouts there are depends on that very cell.
    """
    if not 0 <= n_games <= MAX_GAMES:
        raise InputError(f"The number of games should be between 0 and {MAX_GAMES:,}.")
    nothing: tuple[Winning | None, ...] = (None,) * len(review.moves)
    if n_games == 0:
        return Appraisal(review, 0, agent, nothing, "no games were asked for")
    if not can_continue(review.rules):
        dealing = review.rules.dealing
        reason = "only classic games with exact clues can be played on"
        if dealing != "laid":
            reason = f"on a {dealing} board a guess is not a matter of chance"
        return Appraisal(review, 0, agent, nothing, reason)
    risky = risky_moves(review)
    found: dict[int, Winning | None] = {}
    for done, number in enumerate(risky):
        if progress is not None:
            progress(done, len(risky))
        found[number] = appraise_move(review, number, n_games=n_games, agent=agent, seed=seed, budget=budget)
    if progress is not None:
        progress(len(risky), len(risky))
    return join_appraisals(review, found, n_games=n_games, agent=agent)


def risky_moves(review: Review) -> list[int]:
    """The moves, counted from 0, that are worth an estimate."""
    return [number for number, one in enumerate(review.moves) if _has_risk(one)]


def appraise_move(
    review: Review, number: int, *, n_games: int, agent: str = "exact", seed: int = 0, budget: Budget | None = None
) -> Winning | None:
    """Estimate what one move did to the chance to win; None if the position is too hard.

    Every move has layouts of its own, so what one of them costs does not depend on the others.
    """
    one = review.moves[number]
    player = ContinuingPlayer(review.rules, agent, budget)
    rng = np.random.default_rng([seed, number])
    try:
        return _estimate(player, one.before, opened_by(one.move, one.before), n_games, rng, budget)
    except TooHard:
        return None


def join_appraisals(
    review: Review, found: Mapping[int, Winning | None], *, n_games: int, agent: str = "exact"
) -> Appraisal:
    """The appraisal of a game of which some moves were estimated, by their number; those are judged by it."""
    winnings = tuple(found.get(number) for number in range(len(review.moves)))
    return Appraisal(replace(review, moves=tuple(map(_judge, review.moves, winnings))), n_games, agent, winnings)


def _judge(one: ReviewedMove, winning: Winning | None) -> ReviewedMove:
    """The move with the verdict that its wins lost show, if they show anything."""
    if winning is not None and winning.lost.low > 0:
        return replace(one, verdict="mistake")
    if winning is not None and winning.lost.high <= 0 and one.verdict == "extra risk":
        return replace(one, verdict="unlucky" if one.hit else "fair guess")
    return one


def _has_risk(one: ReviewedMove) -> bool:
    return one.move.action != "flag" and one.verdict not in ("safe", "unknown") and bool(one.p_mine)
