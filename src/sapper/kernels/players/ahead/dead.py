"""Cells that tell nothing, because it is clear beforehand what they would show.

A cell shows the number of mines around it. That is clear if every neighbour is settled, or if the unsure ones are just
those of a clue, or of several: they say how many mines there are among them.
"""

from __future__ import annotations

from sapper.kernels.boards.proving import is_beside
from sapper.kernels.codes import HIDDEN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Flag, Int, inner
from sapper.kernels.players.player import Player
from sapper.kernels.players.remaining import is_on_frontier


@inner
def is_unsure(position: Position, cell: Int) -> Flag:
    """Whether a hidden cell may be a mine or not, by its chance."""
    return position.cells[cell] == HIDDEN and 0.0 < position.p_mine[cell] < 1.0


@inner
def list_doubts(player: Player, board: Board, position: Position, cell: Int) -> Int:
    """List the unsure neighbours of a cell; return how many there are, or -1 if a clue does not touch one of them."""
    n_doubts: Int = 0
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        if is_unsure(position, other):
            if not is_on_frontier(board, position, other):
                return -1
            player.doubts[n_doubts] = other
            n_doubts += 1
    return n_doubts


@inner
def counts_doubts(player: Player, board: Board, position: Position, cell: Int, clue: Int, n_doubts: Int) -> Flag:
    """Whether the unsure cells around a clue, the cell itself aside, are all among the doubts."""
    n_unsure: Int = 0
    n_listed: Int = 0
    for k in range(board.degree[clue]):
        n_unsure += board.table[clue, k] != cell and is_unsure(position, board.table[clue, k])
    for i in range(n_doubts):
        n_listed += is_beside(board, clue, player.doubts[i])
    return n_unsure == n_listed


@inner
def drop_doubts(player: Player, board: Board, clue: Int, n_doubts: Int) -> Int:
    """Take the neighbours of a clue off the doubts; return how many are left."""
    n_left: Int = 0
    for i in range(n_doubts):
        if not is_beside(board, clue, player.doubts[i]):
            player.doubts[n_left] = player.doubts[i]
            n_left += 1
    return n_left


@inner
def settle_doubts(player: Player, board: Board, position: Position, cell: Int, n_doubts: Int) -> Int:
    """Take off the doubts that one clue counts, if there is such a clue; return how many are left."""
    for i in range(n_doubts):
        doubt = player.doubts[i]
        for k in range(board.degree[doubt]):
            clue = board.table[doubt, k]
            if position.cells[clue] >= 0 and counts_doubts(player, board, position, cell, clue, n_doubts):
                return drop_doubts(player, board, clue, n_doubts)
    return n_doubts


@inner
def is_dead(player: Player, board: Board, position: Position, cell: Int) -> Flag:
    """Whether it is clear beforehand what a cell would show. The position has the chances of its cells."""
    before: Int = -1
    n_doubts = list_doubts(player, board, position, cell)
    while n_doubts > 0 and n_doubts != before:
        before = n_doubts
        n_doubts = settle_doubts(player, board, position, cell, n_doubts)
    return n_doubts == 0
