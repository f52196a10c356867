"""Guesses that have to be made sooner or later: mines and clear cells that may be swapped, and no clue ever tells.

Two cells, one of them a mine: if every cell around that is not a mine touches both or neither, nothing that can be
opened tells which. The same holds for more cells, as many mines as clear ones, if every cell around touches as many of
these as of those. Cells *outside*, which touch one side more often than the other, would tell, unless they are mines
themselves.

Here a swap is weighed: what it will cost, one sum. Pairs of neighbours are found here too, as they are so many and so
quickly told; longer ones grow in chains.py.
"""

from __future__ import annotations

from math import exp

from sapper.kernels.codes import CONTRADICTION, HIDDEN, MINE, OK, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Double, Flag, Int, inner
from sapper.kernels.players.ahead.judging import weigh_swapped
from sapper.kernels.players.player import MOST_OUTSIDE, Player

# Found by play on other boards than those reported: see docs/strength.md.
LEAST_LOSS = 0.004  # swaps less likely than this to cost the game are not weighed


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
def roughly(player: Player, position: Position, half: Int) -> Double:
    """Return roughly the chance that a swap stays open, from the chances of its cells one by one.

    Either way round it has the same chance, which is at most that of any of its cells to be a mine, or to be clear.
    While little is open, the way at hand says enough: there are many swaps then, and hardly any lasts.
    """
    one_way: Double = 1.0
    other_way: Double = 1.0
    most: Double = 1.0
    for i in range(half):
        a, b = position.p_mine[player.swap[i]], position.p_mine[player.swap[half + i]]
        one_way *= a * (1.0 - b)
        other_way *= b * (1.0 - a)
        most = min(most, min(a, 1.0 - a), min(b, 1.0 - b))
    return one_way if player.is_early else min(max(one_way, other_way), most)


@inner
def weigh_swap(player: Player, board: Board, position: Position, half: Int, least: Double) -> Int:
    """Credit the cells that settle a swap of ``2 half`` cells with the chance that it costs the game.

    Swaps whose rough chance is less than ``least`` are left out: no sum is made for them. Returns the engine's status.
    """
    rough = roughly(player, position, half)
    if rough < least:
        return OK
    n_outside = list_outside(player, board, position, half)
    for i in range(n_outside):
        rough *= position.p_mine[player.outside[i]]
    if n_outside < 0 or rough < least:
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
def weigh_pairs(player: Player, board: Board, position: Position) -> Int:
    """Weigh all pairs of unknown neighbours; return the engine's status."""
    note_tellers(player, board, position)
    for first in range(board.n_cells):
        if position.cells[first] != HIDDEN or position.settled[first] != UNKNOWN:
            continue
        for k in range(board.degree[first]):
            player.beside[board.table[first, k]] = first
        for k in range(board.degree[first]):
            second = board.table[first, k]
            if second <= first or position.cells[second] != HIDDEN or position.settled[second] != UNKNOWN:
                continue
            if is_told(player, board, first, second):
                continue
            player.swap[0], player.swap[1] = first, second
            status = weigh_swap(player, board, position, 1, LEAST_LOSS)
            if status != OK:
                return status
    return OK
