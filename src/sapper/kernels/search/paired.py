"""Which of several close candidates to open: each is opened and played on, over the same layouts, by least risk.

Looking ahead knows most of how far candidates differ, but not all: close ones differ by a point or so, which it cannot
see. A few games with each of them see a part of it, though each game is worth anything between nothing and one. So what
the games say is added to what looking ahead says, the less of it the fewer they are. The games use the same random
numbers every time: the choice depends on the position alone.

Some dozens of games, a hundred sums each.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels.codes import FLAG, HIDDEN, OK, TRIAL_GAMES
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.engine.sampling import sample_layouts
from sapper.kernels.language import (
    BitGrid,
    Bytes,
    ConstDoubleGrid,
    Double,
    DoubleGrid,
    Int,
    Ints,
    Public,
    bits,
    doubles,
    inner,
    ints,
    unlocked,
    value,
    view,
)
from sapper.kernels.search.candidates import SAME_SCORE
from sapper.kernels.search.lookahead import pick_by_lookahead
from sapper.kernels.search.player import Player
from sapper.kernels.search.rollouts import Rollout, play_rollout

if TYPE_CHECKING:
    from numpy.typing import NDArray


# Found by play on other boards than those reported: see docs/strength.md.
NEAR_BEST = 0.98  # candidates with so many times the best score, a guess further, are tried,
N_TRIED = 3  # at most so many
N_FIRST = 16  # games after which those that are behind drop out, of TRIAL_GAMES
BY_SCORE = 0.65  # what a difference of the scores is worth
DOUBT = 100.0  # so many games say as much as is kept of what they say


@value
class Trials:
    """The memory of trying out: who plays on, the layouts, and what came of it."""

    player: Player  # has a position of its own, and the engine of whoever asks
    rollout: Rollout
    start: Bytes  # (n,): the name under which the start of the games can be written,
    layouts: BitGrid  # (TRIAL_GAMES, n): and their layouts
    uniform: ConstDoubleGrid  # (TRIAL_GAMES, 3n + 8): random numbers for the layouts
    n_tried: Public[Int]
    cells: Ints  # (N_TRIED,): those that are tried, the best ahead first
    plays: Ints  # (N_TRIED,): 1 while a cell gets games
    values: DoubleGrid  # (N_TRIED, TRIAL_GAMES): what each game was worth
    n_played: Public[Int]  # out: games with the cell that was chosen; 0 if nothing was tried
    share_won: Public[Double]  # out: and what they were worth on average

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
        self.n_tried, self.cells, self.plays = 0, ints(N_TRIED), ints(N_TRIED)
        self.values = doubles(N_TRIED, TRIAL_GAMES)
        self.n_played, self.share_won = 0, 0.0


@inner
def list_tried(trials: Trials, player: Player, chosen: Int) -> None:
    """List the chosen cell, and the others that come close to it a guess further, the best first."""
    place: Int
    least = NEAR_BEST * player.further[chosen] * SAME_SCORE
    trials.cells[0], trials.n_tried = chosen, 1
    for number in range(player.candidates.count):
        cell = player.candidates.cells[number]
        if cell == chosen or player.further[cell] <= least:
            continue
        place = trials.n_tried
        while place > 1 and player.further[trials.cells[place - 1]] < player.further[cell]:
            place -= 1
        if place == N_TRIED:
            continue
        trials.n_tried = min(trials.n_tried + 1, N_TRIED)
        for k in range(trials.n_tried - 1, place, -1):
            trials.cells[k] = trials.cells[k - 1]
        trials.cells[place] = cell
    for k in range(trials.n_tried):
        trials.plays[k] = 1


@inner
def draw_layouts(trials: Trials, player: Player, other: Player) -> Int:
    """Draw the layouts of the games; return a status."""
    for cell in range(player.board.n_cells):
        code = player.position.cells[cell]
        trials.start[cell] = HIDDEN if code == FLAG else code
        other.draft[cell] = trials.start[cell]
    other.ws.by_elimination = True
    status = solve_position(other.ws, other.board, other.query, other.ahead)
    other.ws.by_elimination = False
    if status == OK:
        status = sample_layouts(other.ws, other.query, other.ahead, trials.uniform, 0, TRIAL_GAMES, trials.layouts)
    return status


@inner
def play_games(trials: Trials, player: Player, first: Int, end: Int) -> Int:
    """Play the games of these numbers with every cell that still gets some; return a status."""
    for k in range(trials.n_tried):
        if trials.plays[k] == 0:
            continue
        cell = trials.cells[k]
        safety = 1.0 - player.position.p_mine[cell]
        for number in range(first, end):
            status = play_rollout(trials.player, trials.rollout, cell, number)
            if status != OK:
                return status
            trials.values[k, number] = safety * trials.rollout.values[number]
    return OK


@inner
def mean_of(values: DoubleGrid, k: Int, n_games: Int) -> Double:
    """Return what the first games with a cell were worth on average."""
    total: Double = 0.0
    for number in range(n_games):
        total += values[k, number]
    return total / n_games


@inner
def rate_tried(trials: Trials, player: Player, k: Int, n_games: Int) -> Double:
    """Return by how much a cell is thought to win more than the one that is best ahead."""
    chosen = mean_of(trials.values, 0, n_games)
    ahead = player.further[trials.cells[k]] / player.further[trials.cells[0]] - 1.0
    played = mean_of(trials.values, k, n_games) - chosen
    return BY_SCORE * ahead * chosen + played * n_games / (n_games + DOUBT)


@inner
def best_tried(trials: Trials, player: Player, n_games: Int) -> Int:
    """Return the place of the best of the cells that had so many games."""
    best: Int = 0
    highest: Double = 0.0
    for k in range(1, trials.n_tried):
        if trials.plays[k] == 1:
            rate = rate_tried(trials, player, k, n_games)
            if rate > highest:
                best, highest = k, rate
    return best


@inner
def error_between(values: DoubleGrid, k: Int, other: Int, n_games: Int) -> Double:
    """Return how far the games may be off about the difference of two cells, as a standard error."""
    total: Double = 0.0
    squares: Double = 0.0
    for number in range(n_games):
        difference = values[k, number] - values[other, number]
        total += difference
        squares += difference * difference
    mean = total / n_games
    return sqrt(max(squares / n_games - mean * mean, 0.0) / n_games)


@inner
def drop_behind(trials: Trials, player: Player, n_games: Int) -> Int:
    """Give no more games to cells that are clearly behind, but always to the one that is best ahead.

    Returns how many cells get more.
    """
    n_left: Int = 1
    best = best_tried(trials, player, n_games)
    highest = rate_tried(trials, player, best, n_games)
    for k in range(1, trials.n_tried):
        error = error_between(trials.values, k, best, n_games) * n_games / (n_games + DOUBT)
        if k != best and rate_tried(trials, player, k, n_games) < highest - error:
            trials.plays[k] = 0
        n_left += trials.plays[k]
    return n_left


@inner
def try_out(trials: Trials, player: Player) -> Int:
    """Play on with the cells that are listed; return the best, or -1 with the player's status."""
    n_games: Int = N_FIRST
    player.status = draw_layouts(trials, player, trials.player)
    if player.status == OK:
        player.status = play_games(trials, player, 0, N_FIRST)
    if player.status == OK and drop_behind(trials, player, N_FIRST) > 1:
        player.status = play_games(trials, player, N_FIRST, TRIAL_GAMES)
        n_games = TRIAL_GAMES
    if player.status != OK:
        return -1
    best = best_tried(trials, player, n_games)
    trials.n_played, trials.share_won = n_games, mean_of(trials.values, best, n_games)
    return trials.cells[best]


@inner
def pick_by_trying(player: Player, trials: Trials) -> Int:
    """Return the cell to open, looking ahead and trying out what is close. Nothing may be safe; ``log_now`` is set.

    Negative, with the player's status, if that takes more memory.
    """
    player.near_best, trials.n_played = NEAR_BEST, 0
    cell = pick_by_lookahead(player)
    # While little is open games are long, and say nothing that looking ahead does not.
    if cell < 0 or player.is_early or player.query.total < 0:
        return cell
    list_tried(trials, player, cell)
    return try_out(trials, player) if trials.n_tried > 1 else cell


def choose_by_trying(player: Player, trials: Trials) -> Int:
    """Return the best cell of the player's position by `pick_by_trying`, or a negative number: see its status.

    The position is solved and nothing is safe; ``log_now`` is the logarithm of its weight.
    """
    with unlocked:
        cell = pick_by_trying(player, trials)
    return cell
