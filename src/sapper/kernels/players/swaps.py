"""Guesses that have to be made sooner or later: mines and clear cells that may be swapped, and no clue ever tells.

Two cells, one of them a mine: if every cell around that is not a mine touches both or neither, nothing that can be
opened tells which. The same holds for four cells in a square with mines at two opposite corners. Cells *outside*, which
touch one side more often than the other, would tell, unless they are mines themselves.

Linear in the cells, and one sum for every swap that is likely enough to matter.
"""

from __future__ import annotations

from math import exp

from sapper.kernels.codes import CONTRADICTION, HIDDEN, MINE, OK, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Flag, Int, inner
from sapper.kernels.players.ahead import weigh_swapped
from sapper.kernels.players.player import MOST_OUTSIDE, Player

# Found by play on other boards than those reported: see docs/strength.md.
LEAST_LOSS = 0.004  # swaps less likely than this to cost the game are not weighed


@inner
def is_told(player: Player, board: Board, first: Int, second: Int) -> Flag:
    """Whether a clue outside tells two neighbours apart, or too many cells outside may do so.

    Most pairs end here, so it costs a look at the neighbours of one of them only.
    """
    common: Int = 0
    for k in range(board.degree[second]):
        cell = board.table[second, k]
        common += player.tells[cell] if player.beside[cell] == first else 0
    # Each of the two is a neighbour of the other, and not outside.
    outside = player.told[first] + player.told[second] - 2 * common - player.tells[first] - player.tells[second]
    return outside > MOST_OUTSIDE


@inner
def list_outside(player: Player, board: Board, position: Position, half: Int) -> Int:
    """List the hidden cells outside and return how many there are; -1 if one shows a clue, or if there are too many."""
    n_found: Int = 0
    for i in range(2 * half):
        member = player.swap[i]
        for k in range(board.degree[member]):
            player.tilt[board.table[member, k]] += 1 if i < half else -1
    for i in range(2 * half):
        player.tilt[player.swap[i]] = 0
    for i in range(2 * half):
        member = player.swap[i]
        for k in range(board.degree[member]):
            cell = board.table[member, k]
            if player.tilt[cell] == 0:
                continue
            player.tilt[cell] = 0
            if position.cells[cell] >= 0:
                n_found = -1
            elif n_found >= 0 and position.cells[cell] == HIDDEN and position.settled[cell] != MINE:
                if n_found == MOST_OUTSIDE:
                    n_found = -1
                    continue
                player.outside[n_found] = cell
                n_found += 1
    return n_found


@inner
def weigh_swap(player: Player, board: Board, position: Position, half: Int) -> Int:
    """Credit the cells that settle a swap of ``2 half`` cells with the chance that it costs the game.

    Swaps that are unlikely by a rough estimate are left out: no sum is made for them. Returns the engine's status.
    """
    rough = 1.0
    for i in range(half):
        rough *= position.p_mine[player.swap[i]] * (1.0 - position.p_mine[player.swap[half + i]])
    if rough < LEAST_LOSS:
        return OK
    n_outside = list_outside(player, board, position, half)
    for i in range(n_outside):
        rough *= position.p_mine[player.outside[i]]
    if n_outside < 0 or rough < LEAST_LOSS:
        return OK
    status = weigh_swapped(player, player.ws, board, half, n_outside)
    if status != OK:
        return OK if status == CONTRADICTION else status
    # Swapped it fits as well, so this is also the chance of guessing the wrong one of the two.
    p_lost = exp(player.ws.log_weight - player.log_now)
    if p_lost >= LEAST_LOSS:
        for i in range(2 * half):
            player.relief[player.swap[i]] *= 1.0 - p_lost
        for i in range(n_outside):
            player.relief[player.outside[i]] *= 1.0 - p_lost
    return OK


@inner
def touches(board: Board, first: Int, second: Int) -> Flag:
    """Whether two cells are neighbours."""
    for k in range(board.degree[first]):
        if board.table[first, k] == second:
            return True
    return False


@inner
def weigh_squares(player: Player, board: Board, first: Int, n_near: Int) -> Int:
    """Weigh the squares of four cells that all touch each other and begin with ``first``; return the engine's status.

    The first and the last are opposite corners, as cells are numbered row by row. Squares across the border of a torus
    are numbered otherwise and go without credit.
    """
    for i in range(n_near - 2):
        for j in range(i + 1, n_near - 1):
            second, third = player.near[i], player.near[j]
            if not touches(board, second, third):
                continue
            for k in range(j + 1, n_near):
                last = player.near[k]
                if touches(board, second, last) and touches(board, third, last):
                    player.swap[0], player.swap[1], player.swap[2], player.swap[3] = first, last, second, third
                    status = weigh_swap(player, board, player.position, 2)
                    if status != OK:
                        return status
    return OK


@inner
def list_near(player: Player, board: Board, position: Position, first: Int) -> Int:
    """List the unknown neighbours of a cell that come after it; return how many there are."""
    n_near: Int = 0
    for k in range(board.degree[first]):
        other = board.table[first, k]
        if other > first and position.cells[other] == HIDDEN and position.settled[other] == UNKNOWN:
            player.near[n_near] = other
            n_near += 1
    return n_near


@inner
def note_tellers(player: Player, board: Board, position: Position) -> None:
    """Note which cells tell by what they show, or may tell, and how many of them each unknown cell touches."""
    for cell in range(board.n_cells):
        player.tells[cell] = 0
        if position.cells[cell] >= 0:
            player.tells[cell] = MOST_OUTSIDE + 1
        elif position.cells[cell] == HIDDEN and position.settled[cell] != MINE:
            player.tells[cell] = 1
    for cell in range(board.n_cells):
        player.told[cell] = 0
        player.beside[cell] = -1
        if player.tells[cell] == 1:
            for k in range(board.degree[cell]):
                player.told[cell] += player.tells[board.table[cell, k]]


@inner
def weigh_pairs(player: Player, board: Board, first: Int, n_near: Int) -> Int:
    """Weigh the pairs of a cell and an unknown neighbour that comes after it; return the engine's status."""
    for k in range(board.degree[first]):
        player.beside[board.table[first, k]] = first
    for i in range(n_near):
        if is_told(player, board, first, player.near[i]):
            continue
        player.swap[0], player.swap[1] = first, player.near[i]
        status = weigh_swap(player, board, player.position, 1)
        if status != OK:
            return status
    return OK


@inner
def weigh_swaps(player: Player, board: Board, position: Position) -> Int:
    """Fill ``relief`` from all pairs and squares of unknown cells; return the engine's status.

    ``position`` is the player's, and has been read (ahead.py).
    """
    for cell in range(board.n_cells):
        player.relief[cell] = 1.0
    note_tellers(player, board, position)
    for first in range(board.n_cells):
        if position.cells[first] != HIDDEN or position.settled[first] != UNKNOWN:
            continue
        n_near = list_near(player, board, position, first)
        status = weigh_pairs(player, board, first, n_near)
        if status == OK:
            status = weigh_squares(player, board, first, n_near)
        if status != OK:
            return status
    return OK
