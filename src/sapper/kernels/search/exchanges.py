"""Forced guesses: symmetric exchanges of mines and safe cells that no clue will ever observe.

Take two cells, one of them a mine: if every cell around them that is not a mine touches both or neither, nothing that
can be opened tells which is which. The same holds for more cells, as many mines as safe ones, if every cell around
touches as many of the one side as of the other. Swapping the sides is then a *symmetric exchange*: both layouts fit
equally well, for ever. Cells *outside* that touch one side more often than the other would observe it, unless they are
mines themselves.

Such a guess has to be made sooner or later. A cell that settles it is credited with what it would cost: one sum for
each exchange that is likely enough. Pairs of neighbours, the most frequent ones, are found first. Longer exchanges grow
cell by cell: the first clue with an imbalance needs another cell on the other side. If no clue has one but one side has
more cells, a cell that no clue touches, such as a corner, may make up for it; otherwise the number of mines would tell.
This finds two cells in a dead end, four in a square, a row of them along an edge. A few hundred steps from each cell at
most.
"""

from __future__ import annotations

from math import exp

from sapper.kernels.boards.proving import is_beside
from sapper.kernels.codes import CONTRADICTION, HIDDEN, MINE, OK, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import *
from sapper.kernels.search.clue_values import sum_exchanged
from sapper.kernels.search.layouts import is_on_frontier
from sapper.kernels.search.player import MAX_EXCHANGE_CELLS, MAX_EXCHANGES, MAX_OUTSIDE, Exchange, Player

# Tuned by play on other boards than those reported: see docs/strength.md.
LEAST_LOSS = 0.004  # exchanges less likely than this to cost the game are ignored
LEAST_ROUGH = 0.003  # estimated probability of a long exchange; too low, since its cells are correlated
MAX_EXCHANGE_STEPS = 300  # from one cell


def list_outside(player: Player, board: Board, position: Position, half: Int) -> Int:
    """List the hidden cells outside and return their number; -1 if one shows a clue, or if there are too many."""
    n_found: Int = 0
    for i in range(2 * half):
        member = player.members[i]
        for k in range(board.degree[member]):
            player.imbalance[board.table[member, k]] += 1 if i < half else -1
    for i in range(2 * half):
        player.imbalance[player.members[i]] = 0
    for i in range(2 * half):
        member = player.members[i]
        for k in range(board.degree[member]):
            cell = board.table[member, k]
            if player.imbalance[cell] == 0:
                continue
            player.imbalance[cell] = 0
            if position.cells[cell] >= 0:
                n_found = -1
            elif n_found >= 0 and position.cells[cell] == HIDDEN and position.settled[cell] != MINE:
                if n_found == MAX_OUTSIDE:
                    n_found = -1
                    continue
                player.outside[n_found] = cell
                n_found += 1
    return n_found


def estimate_exchange_probability(player: Player, position: Position, half: Int) -> Double:
    """Estimate (not bound) the probability that an exchange stays unresolved, as if its cells were independent.

    Both sides are equally likely to be the mines, and no likelier than any of the cells is to be a mine or to be safe.
    While little is open one side is enough: there are many exchanges then, and hardly any lasts.
    """
    one_way: Double = 1.0
    other_way: Double = 1.0
    most: Double = 1.0
    for i in range(half):
        a, b = position.p_mine[player.members[i]], position.p_mine[player.members[half + i]]
        one_way *= a * (1.0 - b)
        other_way *= b * (1.0 - a)
        most = min(most, min(a, 1.0 - a), min(b, 1.0 - b))
    return one_way if player.is_early else min(max(one_way, other_way), most)


def weigh_exchange(player: Player, board: Board, position: Position, half: Int, least: Double) -> Int:
    """Credit the cells that settle an exchange of ``2 half`` cells with the probability that it costs the game.

    Exchanges whose estimated probability is less than ``least`` are not summed. Returns the engine's status.
    """
    rough = estimate_exchange_probability(player, position, half)
    if rough < least:
        return OK
    n_outside = list_outside(player, board, position, half)
    for i in range(n_outside):
        rough *= position.p_mine[player.outside[i]]
    if n_outside < 0 or rough < least:
        return OK
    status = sum_exchanged(player, player.ws, board, half, n_outside)
    if status != OK:
        return OK if status == CONTRADICTION else status
    # Exchanged it fits as well, so this is also the probability of guessing the wrong side.
    p_lost = exp(player.ws.log_weight - player.log_weight)
    if p_lost >= LEAST_LOSS:
        for i in range(2 * half):
            player.forced_loss_credit[player.members[i]] *= 1.0 - p_lost
        for i in range(n_outside):
            player.forced_loss_credit[player.outside[i]] *= 1.0 - p_lost
    return OK


def count_observers(player: Player, board: Board, position: Position) -> None:
    """Weigh the cells that show a clue, or may show one, and sum them around each unknown cell."""
    for cell in range(board.n_cells):
        player.observer_weight[cell] = 0
        if position.cells[cell] >= 0:
            player.observer_weight[cell] = MAX_OUTSIDE + 1
        elif position.cells[cell] == HIDDEN and position.settled[cell] != MINE:
            player.observer_weight[cell] = 1
    for cell in range(board.n_cells):
        player.n_observers[cell] = 0
        player.neighbour_of[cell] = -1
        if player.observer_weight[cell] == 1:
            for k in range(board.degree[cell]):
                player.n_observers[cell] += player.observer_weight[board.table[cell, k]]


def is_observed(player: Player, board: Board, first: Int, second: Int) -> Flag:
    """Whether a clue outside tells two neighbours apart, or too many cells outside may.

    Most pairs end here, so only the neighbours of one of them are visited.
    """
    common: Int = 0
    for k in range(board.degree[second]):
        cell = board.table[second, k]
        common += player.observer_weight[cell] if player.neighbour_of[cell] == first else 0
    # Each of the two is a neighbour of the other, and not outside.
    outside = (
        player.n_observers[first]
        + player.n_observers[second]
        - 2 * common
        - player.observer_weight[first]
        - player.observer_weight[second]
    )
    return outside > MAX_OUTSIDE


def weigh_pairs(player: Player, board: Board, position: Position) -> Int:
    """Weigh all pairs of unknown neighbours; return the engine's status."""
    count_observers(player, board, position)
    for first in range(board.n_cells):
        if position.cells[first] != HIDDEN or position.settled[first] != UNKNOWN:
            continue
        for k in range(board.degree[first]):
            player.neighbour_of[board.table[first, k]] = first
        for k in range(board.degree[first]):
            second = board.table[first, k]
            if second <= first or position.cells[second] != HIDDEN or position.settled[second] != UNKNOWN:
                continue
            if is_observed(player, board, first, second):
                continue
            player.members[0], player.members[1] = first, second
            status = weigh_exchange(player, board, position, 1, LEAST_LOSS)
            if status != OK:
                return status
    return OK


def can_join(position: Position, cell: Int) -> Flag:
    """Whether a cell may be part of an exchange that matters."""
    p = position.p_mine[cell]
    if position.cells[cell] != HIDDEN or position.settled[cell] != UNKNOWN:
        return False
    return p >= LEAST_LOSS and 1.0 - p >= LEAST_LOSS


def first_imbalanced(exchange: Exchange, board: Board, position: Position) -> Int:
    """Return the first clue that touches one side more often than the other, or -1."""
    found: Int = -1
    for i in range(exchange.length):
        for k in range(board.degree[exchange.cells[i]]):
            clue = board.table[exchange.cells[i], k]
            if position.cells[clue] >= 0 and exchange.imbalance[clue] != 0 and (found < 0 or clue < found):
                found = clue
    return found


def add_imbalance(exchange: Exchange, board: Board, cell: Int, sign: Int) -> None:
    """Add ``sign`` to each neighbour's imbalance."""
    for k in range(board.degree[cell]):
        exchange.imbalance[board.table[cell, k]] += sign


def first_beside(exchange: Exchange, board: Board, cell: Int) -> Int:
    """Return the index of the exchange's first cell that touches a cell; its length if none does."""
    for i in range(exchange.length):
        if is_beside(board, exchange.cells[i], cell):
            return i
    return exchange.length


def is_new(exchange: Exchange) -> Flag:
    """Remember an exchange; False if it was seen before, or if there is no room."""
    key: Long = 0
    for i in range(exchange.length):
        key += exchange.side[exchange.cells[i]] * exchange.cell_keys[exchange.cells[i]]
    for i in range(exchange.n_seen):
        if exchange.seen[i] == key:
            return False
    if exchange.n_seen == MAX_EXCHANGES:
        return False
    exchange.seen[exchange.n_seen] = key
    exchange.n_seen += 1
    return True


def weigh_complete(player: Player, board: Board, position: Position, exchange: Exchange) -> Int:
    """Weigh a complete exchange; return the engine's status."""
    n_mines: Int = 0
    n_safe: Int = exchange.length // 2
    # Neighbours were weighed as a pair.
    if exchange.length == 2 and is_beside(board, exchange.cells[0], exchange.cells[1]):
        return OK
    if not is_new(exchange):
        return OK
    for i in range(exchange.length):
        if exchange.side[exchange.cells[i]] > 0:
            player.members[n_mines] = exchange.cells[i]
            n_mines += 1
        else:
            player.members[n_safe] = exchange.cells[i]
            n_safe += 1
    return weigh_exchange(player, board, position, exchange.length // 2, LEAST_ROUGH)


def extend_with(player: Player, board: Board, position: Position, exchange: Exchange, cell: Int, sign: Int) -> Int:
    """Extend the exchange by one cell, if it stays likely enough, and follow it; return the engine's status."""
    p = position.p_mine[cell]
    p_one, p_other = exchange.p_one, exchange.p_other
    one: Double = p_one * (p if sign > 0 else 1.0 - p)
    other: Double = p_other * (1.0 - p if sign > 0 else p)
    if exchange.side[cell] != 0 or max(one, other) < LEAST_ROUGH:
        return OK
    exchange.n_steps += 1
    exchange.cells[exchange.length], exchange.side[cell] = cell, sign
    exchange.length += 1
    exchange.excess += sign
    exchange.p_one, exchange.p_other = one, other
    add_imbalance(exchange, board, cell, sign)
    status = follow_exchange(player, board, position, exchange)
    add_imbalance(exchange, board, cell, -sign)
    exchange.p_one, exchange.p_other = p_one, p_other
    exchange.excess -= sign
    exchange.length -= 1
    exchange.side[cell] = 0
    return status


def follow_exchange(player: Player, board: Board, position: Position, exchange: Exchange) -> Int:
    """Weigh the exchange if it is complete, else extend it by each cell it may need; return the engine's status."""
    status: Int = OK
    sign: Int
    clue = first_imbalanced(exchange, board, position)
    if clue < 0 and exchange.excess == 0:
        return weigh_complete(player, board, position, exchange)
    if exchange.length == MAX_EXCHANGE_CELLS:
        return OK
    if clue >= 0:
        sign = -1 if exchange.imbalance[clue] > 0 else 1
        for k in range(board.degree[clue]):
            cell = board.table[clue, k]
            # Each exchange is found from the first of its cells that clues touch.
            if cell <= exchange.cells[0] or not can_join(position, cell) or exchange.n_steps >= MAX_EXCHANGE_STEPS:
                continue
            status = extend_with(player, board, position, exchange, cell, sign)
            if status != OK:
                break
        return status
    sign = -1 if exchange.excess > 0 else 1
    for i in range(exchange.length):
        for k in range(board.degree[exchange.cells[i]]):
            cell = board.table[exchange.cells[i], k]
            if exchange.n_steps >= MAX_EXCHANGE_STEPS or not can_join(position, cell):
                continue
            # Several of its cells may touch it: it is tried once.
            if is_on_frontier(board, position, cell) or first_beside(exchange, board, cell) != i:
                continue
            status = extend_with(player, board, position, exchange, cell, sign)
            if status != OK:
                return status
    return status


def weigh_long(player: Player, board: Board, position: Position, exchange: Exchange) -> Int:
    """Weigh all exchanges but pairs of neighbours; return the engine's status."""
    exchange.n_seen, exchange.length, exchange.excess = 0, 0, 0
    exchange.p_one, exchange.p_other = 1.0, 1.0
    for first in range(board.n_cells):
        if not can_join(position, first) or not is_on_frontier(board, position, first):
            continue
        exchange.n_steps = -1  # the first cell is not a step
        status = extend_with(player, board, position, exchange, first, 1)
        if status != OK:
            return status
    return OK


def weigh_exchanges(player: Player, board: Board, position: Position) -> Int:
    """Fill ``forced_loss_credit``; return the engine's status.

    ``position`` is the player's, and has been read (clue_values.py).
    """
    for cell in range(board.n_cells):
        player.forced_loss_credit[cell] = 1.0
    status = weigh_pairs(player, board, position)
    if status != OK or player.is_early:
        return status
    return weigh_long(player, board, position, player.exchange)
