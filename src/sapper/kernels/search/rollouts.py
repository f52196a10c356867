"""Rollouts: games played from a position over layouts that fit it, to estimate a cell's win chance.

Hitting a mine does not end a rollout: the layout is resampled from those that fit and have that cell safe, with their
exact probability, and the value of the rollout is the product of the safe probabilities of its guesses. Its mean is the
win chance, as that of plain wins and losses is, with a third of the variance. Where few layouts are left, exact search
gives the rest of the value.

All cells are compared over the same layouts with the same random numbers, so that luck cancels in their differences.
About a hundred sums for each rollout.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.boards.placement import count_clues
from sapper.kernels.boards.reveal import Field, open_cascade
from sapper.kernels.codes import EXPLODED, HIDDEN, NO_CLUE, OK, SAFE
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.engine.frontier import read_changes
from sapper.kernels.engine.posterior import (
    read_position,
    solve_position,
    sum_position,
    write_chances,
    write_settled,
    write_verdicts,
)
from sapper.kernels.engine.sampling import sample_layouts
from sapper.kernels.language import *
from sapper.kernels.search.endgame import pick_by_search
from sapper.kernels.search.layouts import EndgameSearch
from sapper.kernels.search.player import Player
from sapper.kernels.search.policy import follow_policy, most_wins


class Rollout:
    """Rollouts from one position: their layouts, and the current game."""

    start: ConstBytes  # (n,): the position
    layouts: ConstBitGrid  # (k, n): layouts that fit it, one for each rollout
    uniform: ConstDoubleGrid  # (k r, 3n + 8): random numbers to resample r times in each rollout
    n_resamples: Int  # r; a rollout that resamples more often uses them again
    values: Doubles  # (k,) out: the value of each rollout
    cascade: Flag  # whether zeros open what is around them

    # The current game.
    field: Field  # what the player sees, and what the cells show when they are opened
    shown: ByteGrid  # (1, n): the clues of the field, writable
    mines: BitGrid  # (1, n): its layout
    n_hidden: Int
    n_mines: Int  # hidden mines
    n_hit: Int  # mines that were hit

    def __init__(
        self,
        start: NDArray[np.int8],
        layouts: NDArray[np.bool_],
        uniform: NDArray[np.float64],
        values: NDArray[np.float64],
        cells: NDArray[np.int8],
        cascade: Flag,
    ) -> None:
        """``uniform`` is (k, r, 3n + 8); ``cells`` are those of the player's position."""
        n = len(start)
        self.start, self.layouts, self.values = view(start), bits(layouts), view(values)
        self.cascade = cascade
        self.uniform, self.n_resamples = view(uniform.reshape(-1, uniform.shape[2])), uniform.shape[1]
        shown = np.zeros((1, n), dtype=np.int8)
        self.shown, self.field = view(shown), Field(cells, shown[0], np.zeros(n, dtype=np.int32))
        self.mines = bits(np.zeros((1, n), dtype=np.bool_))
        self.n_hidden, self.n_mines, self.n_hit = 0, 0, 0


def begin_rollout(rollout: Rollout, board: Board, total: Int, number: Int) -> None:
    """Set up the rollout of a number."""
    rollout.n_hidden, rollout.n_mines, rollout.n_hit = 0, total, 0
    for cell in range(board.n_cells):
        rollout.mines[0, cell] = rollout.layouts[number, cell]
        rollout.field.cells[cell] = rollout.start[cell]
        rollout.n_hidden += rollout.start[cell] == HIDDEN
        rollout.n_mines -= rollout.start[cell] == EXPLODED
    count_clues(board, rollout.mines, rollout.shown)


def resample_layout(player: Player, rollout: Rollout, cell: Int, number: Int) -> Int:
    """Draw another layout that fits what is seen, with this cell safe; return a status."""
    for other in range(player.board.n_cells):
        player.scratch_cells[other] = player.position.cells[other]
    player.scratch_cells[cell] = NO_CLUE
    player.ws.by_elimination = True
    status = solve_position(player.ws, player.board, player.query, player.scratch)
    player.ws.by_elimination = False
    if status == OK:
        row = number * rollout.n_resamples + rollout.n_hit % rollout.n_resamples
        status = sample_layouts(player.ws, player.query, player.scratch, rollout.uniform, row, 1, rollout.mines)
    if status == OK:
        count_clues(player.board, rollout.mines, rollout.shown)
        rollout.n_hit += 1
    return status


def open_certain(player: Player, rollout: Rollout, board: Board, position: Position) -> Int:
    """Open safe cells until there are none or the game is won; return a status.

    Where single clues name safe cells, these are opened before anything is summed.
    """
    found: Flag = True
    status = read_position(player.ws, board, player.query, position)
    while status == OK and rollout.n_hidden > rollout.n_mines:
        if player.ws.frontier.n_safe > 0:
            write_settled(player.ws, position)
        else:
            status = sum_position(player.ws, board, player.query, position, True)
            if status != OK:
                return status
            write_verdicts(player.ws, position)
        found = False
        for cell in range(board.n_cells):
            if position.settled[cell] == SAFE and position.cells[cell] == HIDDEN:
                found = True
                rollout.n_hidden -= open_cascade(rollout.field, board, 0, cell, rollout.cascade)
        if not found:
            write_chances(player.ws, position)
            break
        status = read_changes(player.ws.frontier, board, position)
    return status


def share_won(search: EndgameSearch, board: Board, position: Position, total: Int) -> Double:
    """Return the share of the layouts that perfect play wins; -1 if they cannot be searched."""
    if pick_by_search(search, board, position, total, 0) < 0:
        return -1.0
    return float(most_wins(search)) / search.n_layouts


def play_rollout(player: Player, rollout: Rollout, first: Int, number: Int) -> Int:
    """Play the rollout of a number, opening ``first``; return a status."""
    share: Double
    worth = 1.0
    cell: Int = first
    log_few = log(player.max_layouts) + 1e-9
    begin_rollout(rollout, player.board, player.query.total, number)
    while True:
        if rollout.mines[0, cell]:
            status = resample_layout(player, rollout, cell, number)
            if status != OK:
                return status
        rollout.n_hidden -= open_cascade(rollout.field, player.board, 0, cell, rollout.cascade)
        status = open_certain(player, rollout, player.board, player.position)
        if status != OK:
            return status
        if rollout.n_hidden <= rollout.n_mines:
            break
        if player.ws.log_weight <= log_few:
            share = share_won(player.search, player.board, player.position, player.query.total)
            if share >= 0.0:
                worth *= share
                break
        player.log_weight = player.ws.log_weight
        cell = follow_policy(player)
        if cell < 0:
            return player.status
        worth *= 1.0 - player.position.p_mine[cell]
    rollout.values[number] = worth
    return OK


def play_rollouts(player: Player, rollout: Rollout, first: Int) -> Int:
    """Play all rollouts; return a status."""
    for number in range(rollout.layouts.shape[0]):
        status = play_rollout(player, rollout, first, number)
        if status != OK:
            return status
    return OK


@public
def roll_out(player: Player, rollout: Rollout, first: Int) -> Int:
    """Open a cell in every layout and follow the player's policy; the risk of that first cell is not counted.

    Exact search takes over where the player's search holds the remaining layouts. Returns a status of the engine; after
    any other than OK, ``values`` mean nothing.
    """
    with unlocked:
        status = play_rollouts(player, rollout, first)
    return status
