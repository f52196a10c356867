"""What a cell is worth, by playing on: many games from one position, each over a layout that fits it.

In these games nobody dies. When a guess hits a mine, the layout is exchanged for another one that fits and has that
cell clear, drawn with its exact chance; the value of the game is the product of the safeties of its guesses. The mean
is the chance to win, as it is over plain wins and losses, and the variance is a third. Where few layouts are left, the
game is not played to its end: what perfect play wins of them is known.

Every cell is judged over the same layouts with the same random numbers, so that what cells have in common cancels in
their difference. About a hundred sums for each game.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels.boards.reveal import Field, open_cascade
from sapper.kernels.codes import EXPLODED, HIDDEN, NO_CLUE, OK, SAFE
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.engine.sampling import sample_layouts
from sapper.kernels.language import (
    BitGrid,
    Bytes,
    ConstBitGrid,
    ConstBytes,
    ConstDoubleGrid,
    Double,
    Doubles,
    Flag,
    Int,
    bits,
    inner,
    unlocked,
    value,
    view,
)
from sapper.kernels.search.endgame import pick_perfectly
from sapper.kernels.search.layouts import Ending
from sapper.kernels.search.player import Player
from sapper.kernels.search.policy import pick_expertly, pick_least_risk

if TYPE_CHECKING:
    from numpy.typing import NDArray


@value
class Rollout:
    """Games that go on from one position: the layouts that they are played on, and the game at hand."""

    start: ConstBytes  # (n,): the position
    layouts: ConstBitGrid  # (k, n): layouts that fit it, one for each game
    uniform: ConstDoubleGrid  # (k r, 3n + 8): random numbers for r exchanges in each game
    n_exchanges: Int  # r; a game with more of them uses the random numbers again
    values: Doubles  # (k,) out: what each game was worth
    cascade: Flag  # whether zeros open what is around them
    expertly: Flag  # whether games go on by looking ahead, not by least risk: ten times slower

    # The game at hand.
    field: Field  # what the player sees, and what the cells show when they are opened
    shown: Bytes  # (n,): the name under which the clues of the field can be written
    mines: BitGrid  # (1, n): its layout
    n_hidden: Int
    n_mines: Int  # hidden mines
    n_hit: Int  # mines that were hit and exchanged

    def __init__(
        self,
        start: NDArray[np.int8],
        layouts: NDArray[np.bool_],
        uniform: NDArray[np.float64],
        values: NDArray[np.float64],
        cells: NDArray[np.int8],
        cascade: Flag,
        expertly: Flag = False,
    ) -> None:
        """``uniform`` is (k, r, 3n + 8); ``cells`` are those of the player's position."""
        n = len(start)
        self.start, self.layouts, self.values = view(start), bits(layouts), view(values)
        self.cascade, self.expertly = cascade, expertly
        self.uniform, self.n_exchanges = view(uniform.reshape(-1, uniform.shape[2])), uniform.shape[1]
        shown = np.zeros(n, dtype=np.int8)
        self.shown, self.field = view(shown), Field(cells, shown, np.zeros(n, dtype=np.int32))
        self.mines = bits(np.zeros((1, n), dtype=np.bool_))
        self.n_hidden, self.n_mines, self.n_hit = 0, 0, 0


@inner
def count_shown(rollout: Rollout, board: Board) -> None:
    """Write what the cells of the layout at hand show."""
    clue: Int
    for cell in range(board.n_cells):
        clue = 0
        for k in range(board.degree[cell]):
            clue += rollout.mines[0, board.table[cell, k]]
        rollout.shown[cell] = clue


@inner
def begin_rollout(rollout: Rollout, board: Board, total: Int, number: Int) -> None:
    """Set up the game of a number."""
    rollout.n_hidden, rollout.n_mines, rollout.n_hit = 0, total, 0
    for cell in range(board.n_cells):
        rollout.mines[0, cell] = rollout.layouts[number, cell]
        rollout.field.cells[cell] = rollout.start[cell]
        rollout.n_hidden += rollout.start[cell] == HIDDEN
        rollout.n_mines -= rollout.start[cell] == EXPLODED
    count_shown(rollout, board)


@inner
def exchange_layout(player: Player, rollout: Rollout, cell: Int, number: Int) -> Int:
    """Draw another layout that fits what is seen, with this cell clear; return a status."""
    for other in range(player.board.n_cells):
        player.draft[other] = player.position.cells[other]
    player.draft[cell] = NO_CLUE
    player.ws.by_elimination = True
    status = solve_position(player.ws, player.board, player.query, player.ahead)
    player.ws.by_elimination = False
    if status == OK:
        row = number * rollout.n_exchanges + rollout.n_hit % rollout.n_exchanges
        status = sample_layouts(player.ws, player.query, player.ahead, rollout.uniform, row, 1, rollout.mines)
    if status == OK:
        count_shown(rollout, player.board)
        rollout.n_hit += 1
    return status


@inner
def open_certain(player: Player, rollout: Rollout, board: Board, position: Position) -> Int:
    """Open safe cells until there are none or the game is won; return a status."""
    found: Flag = True
    while found and rollout.n_hidden > rollout.n_mines:
        status = solve_position(player.ws, board, player.query, position)
        if status != OK:
            return status
        found = False
        for cell in range(board.n_cells):
            if position.settled[cell] == SAFE and position.cells[cell] == HIDDEN:
                found = True
                rollout.n_hidden -= open_cascade(rollout.field, board, 0, cell, rollout.cascade)
    return OK


@inner
def share_won(end: Ending, board: Board, position: Position, total: Int) -> Double:
    """Return the share of the layouts that perfect play wins; -1 where that is too much to find out."""
    most: Int = 0
    if pick_perfectly(end, board, position, total, 0) < 0:
        return -1.0
    for k in range(end.n_unknown):
        most = max(most, end.wins[k])
    return float(most) / end.n_layouts


@inner
def pick_next(player: Player, rollout: Rollout) -> Int:
    """Return the cell to guess where nothing is safe; negative, with the player's status, if that takes more memory."""
    if rollout.expertly:
        return pick_expertly(player)
    return pick_least_risk(player.board, player.position.cells, player.position.p_mine)


@inner
def play_rollout(player: Player, rollout: Rollout, first: Int, number: Int) -> Int:
    """Play the game of a number, opening ``first`` and going on from there; return a status."""
    share: Double
    worth = 1.0
    cell: Int = first
    log_few = log(player.most) + 1e-9
    begin_rollout(rollout, player.board, player.query.total, number)
    while True:
        if rollout.mines[0, cell]:
            status = exchange_layout(player, rollout, cell, number)
            if status != OK:
                return status
        rollout.n_hidden -= open_cascade(rollout.field, player.board, 0, cell, rollout.cascade)
        status = open_certain(player, rollout, player.board, player.position)
        if status != OK:
            return status
        if rollout.n_hidden <= rollout.n_mines:
            break
        if player.ws.log_weight <= log_few:
            share = share_won(player.ending, player.board, player.position, player.query.total)
            if share >= 0.0:
                worth *= share
                break
        cell = pick_next(player, rollout)
        if cell < 0:
            return player.status
        worth *= 1.0 - player.position.p_mine[cell]
    rollout.values[number] = worth
    return OK


@inner
def play_rollouts(player: Player, rollout: Rollout, first: Int) -> Int:
    """Play all games; return a status."""
    for number in range(rollout.layouts.shape[0]):
        status = play_rollout(player, rollout, first, number)
        if status != OK:
            return status
    return OK


def roll_out(player: Player, rollout: Rollout, first: Int) -> Int:
    """Open a cell in every layout and play on; the risk of that first cell is not counted.

    Play is perfect with as few layouts as the player's ending holds. Returns a status of the engine; after any other
    than OK, ``values`` are not to be relied on.
    """
    with unlocked:
        status = play_rollouts(player, rollout, first)
    return status
