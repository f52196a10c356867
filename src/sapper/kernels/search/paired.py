"""Paired rollouts: compare close candidates over the same layouts, with least risk as the policy.

Lookahead knows most of how far candidates differ; close ones differ by about a point, which it cannot see. A few
rollouts with each of them see a part of that, though each is worth anything between nothing and one. So their
difference is added to that of lookahead, and shrunk: n rollouts get weight n / (n + PRIOR_GAMES). The same random
numbers are used every time, so the choice depends on the position alone.

A few dozen rollouts of about a hundred sums each.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.codes import FLAG, HIDDEN, LOOKAHEAD, OK, PAIRED_GAMES, PAIRED_ROLLOUTS
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.engine.sampling import sample_layouts
from sapper.kernels.language import *
from sapper.kernels.search.candidates import SAME_SCORE
from sapper.kernels.search.lookahead import pick_by_lookahead
from sapper.kernels.search.player import Player
from sapper.kernels.search.rollouts import Rollout, play_rollout

# Tuned by play on other boards than those reported: see docs/strength.md.
CLOSE_SHARE = 0.98  # candidates with more than this share of the best deep score are compared,
MAX_CLOSE = 3  # at most this many
N_FIRST_GAMES = 16  # rollouts before the first elimination, of PAIRED_GAMES
SCORE_WEIGHT = 0.65  # of a relative difference of deep scores
PRIOR_GAMES = 100.0  # rollouts that would weigh as much as the prior


class PairedRollouts:
    """The memory of paired rollouts: their player, the layouts, and their values."""

    player: Player  # has its own position, and the engine of the player that decides
    rollout: Rollout
    start: Bytes  # (n,): the start of the rollouts, writable,
    layouts: BitGrid  # (PAIRED_GAMES, n): and their layouts
    uniform: ConstDoubleGrid  # (PAIRED_GAMES, 3n + 8): random numbers for the layouts
    n_close: Public[Int]
    cells: Ints  # (MAX_CLOSE,): the close candidates, the one that lookahead rates best first
    plays: Ints  # (MAX_CLOSE,): 1 until a cell is eliminated
    values: DoubleGrid  # (MAX_CLOSE, PAIRED_GAMES): of each rollout

    def __init__(
        self,
        player: Player,
        rollout: Rollout,
        start: NDArray[np.int8],
        layouts: NDArray[np.bool_],
        uniform: NDArray[np.float64],
    ) -> None:
        """``start`` and ``layouts`` are those of the rollout."""
        self.player, self.rollout = player, rollout
        self.start, self.layouts, self.uniform = view(start), bits(layouts), view(uniform)
        self.n_close, self.cells, self.plays = 0, ints(MAX_CLOSE), ints(MAX_CLOSE)
        self.values = doubles(MAX_CLOSE, PAIRED_GAMES)


def list_close(paired: PairedRollouts, player: Player, chosen: Int) -> None:
    """List the chosen cell and the candidates close to it, the best first."""
    place: Int
    least = CLOSE_SHARE * player.deep_scores[chosen] * SAME_SCORE
    paired.cells[0], paired.n_close = chosen, 1
    for number in range(player.candidates.count):
        cell = player.candidates.cells[number]
        if cell == chosen or player.deep_scores[cell] <= least:
            continue
        place = paired.n_close
        while place > 1 and player.deep_scores[paired.cells[place - 1]] < player.deep_scores[cell]:
            place -= 1
        if place == MAX_CLOSE:
            continue
        paired.n_close = min(paired.n_close + 1, MAX_CLOSE)
        for k in range(paired.n_close - 1, place, -1):
            paired.cells[k] = paired.cells[k - 1]
        paired.cells[place] = cell
    for k in range(paired.n_close):
        paired.plays[k] = 1


def draw_layouts(paired: PairedRollouts, player: Player, other: Player) -> Int:
    """Draw the layouts; return a status."""
    for cell in range(player.board.n_cells):
        code = player.position.cells[cell]
        paired.start[cell] = HIDDEN if code == FLAG else code
        other.scratch_cells[cell] = paired.start[cell]
    other.ws.by_elimination = True
    status = solve_position(other.ws, other.board, other.query, other.scratch)
    other.ws.by_elimination = False
    if status == OK:
        status = sample_layouts(other.ws, other.query, other.scratch, paired.uniform, 0, PAIRED_GAMES, paired.layouts)
    return status


def run_rollouts(paired: PairedRollouts, player: Player, first: Int, end: Int) -> Int:
    """Run the rollouts of these numbers with every cell that is not eliminated; return a status."""
    for k in range(paired.n_close):
        if paired.plays[k] == 0:
            continue
        cell = paired.cells[k]
        safety = 1.0 - player.position.p_mine[cell]
        for number in range(first, end):
            status = play_rollout(paired.player, paired.rollout, cell, number)
            if status != OK:
                return status
            paired.values[k, number] = safety * paired.rollout.values[number]
    return OK


def mean_of(values: DoubleGrid, k: Int, n_games: Int) -> Double:
    """Return the mean value of the first rollouts with a cell."""
    total: Double = 0.0
    for number in range(n_games):
        total += values[k, number]
    return total / n_games


def rate_close(paired: PairedRollouts, player: Player, k: Int, n_games: Int) -> Double:
    """Estimate how much higher the win chance of a cell is than that of the one that lookahead rates best."""
    chosen = mean_of(paired.values, 0, n_games)
    by_score = player.deep_scores[paired.cells[k]] / player.deep_scores[paired.cells[0]] - 1.0
    played = mean_of(paired.values, k, n_games) - chosen
    return SCORE_WEIGHT * by_score * chosen + played * n_games / (n_games + PRIOR_GAMES)


def best_rated(paired: PairedRollouts, player: Player, n_games: Int) -> Int:
    """Return the index of the best cell that is not eliminated."""
    best: Int = 0
    highest: Double = 0.0
    for k in range(1, paired.n_close):
        if paired.plays[k] == 1:
            rate = rate_close(paired, player, k, n_games)
            if rate > highest:
                best, highest = k, rate
    return best


def error_between(values: DoubleGrid, k: Int, other: Int, n_games: Int) -> Double:
    """Return the standard error of the difference of two cells."""
    total: Double = 0.0
    squares: Double = 0.0
    for number in range(n_games):
        difference = values[k, number] - values[other, number]
        total += difference
        squares += difference * difference
    mean = total / n_games
    return sqrt(max(squares / n_games - mean * mean, 0.0) / n_games)


def eliminate(paired: PairedRollouts, player: Player, n_games: Int) -> Int:
    """Eliminate cells that are clearly worse than the best, but never the one that lookahead rates best.

    Returns how many cells are left.
    """
    n_left: Int = 1
    best = best_rated(paired, player, n_games)
    highest = rate_close(paired, player, best, n_games)
    for k in range(1, paired.n_close):
        error = error_between(paired.values, k, best, n_games) * n_games / (n_games + PRIOR_GAMES)
        if k != best and rate_close(paired, player, k, n_games) < highest - error:
            paired.plays[k] = 0
        n_left += paired.plays[k]
    return n_left


def compare_candidates(paired: PairedRollouts, player: Player) -> Int:
    """Run rollouts with the listed cells; return the best, or -1 with the player's status."""
    n_games: Int = N_FIRST_GAMES
    player.status = draw_layouts(paired, player, paired.player)
    if player.status == OK:
        player.status = run_rollouts(paired, player, 0, N_FIRST_GAMES)
    if player.status == OK and eliminate(paired, player, N_FIRST_GAMES) > 1:
        player.status = run_rollouts(paired, player, N_FIRST_GAMES, PAIRED_GAMES)
        n_games = PAIRED_GAMES
    if player.status != OK:
        return -1
    best = best_rated(paired, player, n_games)
    player.how, player.n_games, player.p_win = PAIRED_ROLLOUTS, n_games, mean_of(paired.values, best, n_games)
    return paired.cells[best]


def pick_by_rollouts(player: Player, paired: PairedRollouts) -> Int:
    """Return the best cell by lookahead, with rollouts for close candidates; nothing may be safe.

    Negative, with the player's status, if that takes more memory.
    """
    player.exact_above, player.how, player.n_games = CLOSE_SHARE, LOOKAHEAD, 0
    cell = pick_by_lookahead(player)
    # While little is open rollouts are long, and add nothing to lookahead.
    if cell < 0 or player.is_early or player.query.total < 0:
        return cell
    list_close(paired, player, cell)
    return compare_candidates(paired, player) if paired.n_close > 1 else cell
