"""What the moves of a game did to the win chance, by exact search or by rollouts.

A move is compared with the best cell: a safe one, or the best guess as every hint names it (`best_guess`). Where few
enough layouts are left for exact search, both win chances are those of perfect play. Otherwise layouts are drawn from
the posterior (`Posterior.sample`), and on each of them a compiled agent that sees only the clues finishes the game
twice: after the move that was made, and after the best cell. Both rollouts use the same layout (common random numbers),
so most of the luck cancels out of the difference, the *win chance lost*: negative where the move did better. Its 95%
interval goes with McNemar's exact test. If no more layouts fit than rollouts were requested, each is played once and
the estimates are exact. A move that opens a certain mine loses the whole win chance of the position.

A safe move loses nothing, without any rollout: the agent opens everything safe before it guesses, so both games reach
the same position. What the estimates mean for the verdict is up to `verdict.judge`.

>>> from sapper.observation import Observation
>>> from sapper.rules import Rules
>>> estimate = estimate_wins(Rules.parse("1x4/1 first-any"), Observation.parse("#1## 1"), [(0, 0)], n_games=200)
>>> estimate.n_games, estimate.best.value, estimate.lost.value
(2, 1.0, 0.5)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sapper.agents.best import best_guess
from sapper.errors import InputError, TooHard
from sapper.inference.evaluation.endgame import MASTER, Endgame
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.subproblem import list_layouts
from sapper.inference.posterior.workspace import Budget
from sapper.observation import Observation
from sapper.play.compiled import ContinuingPlayer, can_continue
from sapper.play.review.review import Review, risk_of
from sapper.rules import Rules
from sapper.statistics import Interval, compare_paired, wilson
from sapper.topology import Cell

MAX_GAMES = 1_000_000
MAX_LISTED = 2_000  # layouts that are enumerated instead of sampled


class WinEstimate(NamedTuple):
    """The win chance before and after a move, with 95% intervals."""

    n_games: int
    exact: bool  # by exact search, or every layout that fits was played, so the intervals are points
    best: Interval  # after the best cell
    played: Interval  # after the move that was made
    lost: Interval  # best minus played; zero if the move opened the best cell
    choice: Cell | None  # the best cell; None if only mines are left
    is_own_choice: bool = False  # and that is what was opened


def estimate_wins(
    rules: Rules,
    position: Observation,
    opened: Sequence[Cell],
    *,
    n_games: int,
    seed: int | tuple[int, int] = 0,
    agent: str = "exact",
    budget: Budget | None = None,
) -> WinEstimate:
    """Estimate what opening these cells does to the win chance. Raises `TooHard` past the budget."""
    plain = position.without_flags()
    posterior = mine_probabilities(plain, budget=budget)
    found = _search(posterior, opened)
    if found is not None:
        return found
    player = ContinuingPlayer(rules, agent, budget)
    choice = None if posterior.safe else _guess(posterior, rules, budget)
    first = () if choice is None else (choice,)
    # All layouts are equally likely in a classic game.
    listed = list_layouts(posterior, min(n_games, MAX_LISTED))
    exact = listed is not None
    layouts = posterior.sample(n_games, np.random.default_rng(seed)) if listed is None else listed
    best: list[bool] = []
    for mines in layouts:
        best.append(player.wins(plain, mines, first))
        if posterior.safe:
            # If the total is hidden, a layout may have nothing left to open where another has.
            choice = player.first_choice or choice
    if list(opened) == [choice]:
        chance = _chance(best, exact)
        return WinEstimate(len(best), exact, chance, chance, Interval(0.0, 0.0, 0.0), choice, True)
    if risk_of(posterior, opened, budget) == (1.0, True):
        chance = _chance(best, exact)
        return WinEstimate(len(best), exact, chance, Interval(0.0, 0.0, 0.0), chance, choice)
    played = [player.wins(plain, mines, opened) for mines in layouts]
    lost = compare_paired(best, played).difference
    if exact:
        lost = Interval(lost.value, lost.value, lost.value)
    return WinEstimate(len(best), exact, _chance(best, exact), _chance(played, exact), lost, choice)


def _search(posterior: Posterior, opened: Sequence[Cell]) -> WinEstimate | None:
    """Return what exact search says of opening one cell; None if there are too many layouts, or anything is safe."""
    board = posterior.observation.topology
    if len(opened) != 1 or posterior.safe or not (posterior.observation.cells >= 0).any():
        return None
    ranked = Endgame(board.n_cells, *MASTER).rank(posterior)
    if not ranked:
        return None
    n_layouts, most, made = ranked[0].layouts, ranked[0].wins, board.index(*opened[0])
    wins = next((one.wins for one in ranked if one.cell == made), 0)  # a certain mine is not ranked
    # Of cells that win equally often each is the best.
    is_best = wins == most
    choice = opened[0] if is_best else board.cell(ranked[0].cell)
    best, played, lost = (
        Interval(share, share, share) for share in (most / n_layouts, wins / n_layouts, (most - wins) / n_layouts)
    )
    return WinEstimate(n_layouts, True, best, played, lost, choice, is_best)


def _guess(posterior: Posterior, rules: Rules, budget: Budget | None) -> Cell | None:
    """Return the best guess, as every hint names it; None if only mines are left."""
    best = best_guess(posterior, rules.first_click, budget)
    return None if best.p_mine == 1.0 else posterior.observation.topology.cell(best.cell)


def _chance(won: list[bool], exact: bool) -> Interval:
    rate = sum(won) / len(won)
    return Interval(rate, rate, rate) if exact else wilson(sum(won), len(won))


class Appraisal(NamedTuple):
    """The win estimates of a reviewed game, move by move; None: safe, a flag, a promised first cell, or too hard."""

    review: Review  # with verdicts that take the estimates into account
    n_games: int
    agent: str
    moves: tuple[WinEstimate | None, ...]
    reason: str = ""  # why nothing was estimated; empty: something was

    @property
    def lost(self) -> Interval | None:
        """The win chance lost by all moves: the sum, with independent errors."""
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
    """Estimate what every risky move cost, by twice ``n_games`` rollouts each, and judge it by that.

    A promised first cell is left out: the possible layouts depend on that very cell.
    """
    if not 0 <= n_games <= MAX_GAMES:
        raise InputError(f"The number of games must be between 0 and {MAX_GAMES:,}.")
    nothing: tuple[WinEstimate | None, ...] = (None,) * len(review.moves)
    if n_games == 0:
        return Appraisal(review, 0, agent, nothing, "no rollouts were requested")
    if not can_continue(review.rules):
        dealing = review.rules.dealing
        reason = "rollouts need a classic game with exact clues"
        if dealing != "laid":
            reason = f"guesses on a {dealing} board are not random"
        return Appraisal(review, 0, agent, nothing, reason)
    risky = risky_moves(review)
    found: dict[int, WinEstimate | None] = {}
    for done, number in enumerate(risky):
        if progress is not None:
            progress(done, len(risky))
        found[number] = appraise_move(review, number, n_games=n_games, agent=agent, seed=seed, budget=budget)
    if progress is not None:
        progress(len(risky), len(risky))
    return join_appraisals(review, found, n_games=n_games, agent=agent)


def risky_moves(review: Review) -> list[int]:
    """Return the moves that could hit a mine, counted from 0: what they cost is worth estimating."""
    return [number for number, one in enumerate(review.moves) if one.has_risk]


def appraise_move(
    review: Review, number: int, *, n_games: int, agent: str = "exact", seed: int = 0, budget: Budget | None = None
) -> WinEstimate | None:
    """Estimate what one move did to the win chance; None if the position is too hard.

    Every move samples its own layouts, so its estimate does not depend on the other moves.
    """
    one = review.moves[number]
    try:
        return estimate_wins(
            review.rules, one.before, one.evidence.opened,
            n_games=n_games, seed=(seed, number), agent=agent, budget=budget,
        )  # fmt: skip
    except TooHard:
        return None


def join_appraisals(
    review: Review, found: Mapping[int, WinEstimate | None], *, n_games: int, agent: str = "exact"
) -> Appraisal:
    """Return the review with the estimates of some moves, by their number."""
    winnings = tuple(found.get(number) for number in range(len(review.moves)))
    moves = tuple(
        one if winning is None else replace(one, evidence=replace(one.evidence, wins_lost=winning.lost))
        for one, winning in zip(review.moves, winnings, strict=True)
    )
    return Appraisal(replace(review, moves=moves), n_games, agent, winnings)
