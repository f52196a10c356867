"""Guesses that have to be made sooner or later: mines and clear cells that may be swapped, and no clue ever tells.

Two cells, one of them a mine: if every cell around that is not a mine touches both or neither, nothing that can be
opened tells which. The same holds for more cells, as many mines as clear ones, if every cell around touches as many of
these as of those. Cells *outside*, which touch one side more often than the other, would tell, unless they are mines
themselves.

Here a swap is weighed: what it will cost, one sum. Pairs of neighbours are found here too, as they are so many and so
quickly told; longer ones grow in chains.py.

Swaps that are linked through clues: cells with two sides that no clue can tell apart, wherever they lie.

Every clue that touches such a chain touches as many cells of the one side as of the other. If one side is all mines and
the other all clear, exchanging them is invisible to every clue. A chain grows cell by cell: the first clue that leans
to one side wants another cell of the other side. If no clue leans but one side has more cells, a cell that no clue
touches, such as a corner, may make up for it: otherwise the number of mines would tell. What is complete is a swap
(swaps.py): two cells in a dead end, four in a square, a row of them along an edge.

A few hundred steps from every cell at most, and one sum for every chain that is likely enough to matter.
"""

from __future__ import annotations

from math import exp

from sapper.kernels.boards.proving import is_beside
from sapper.kernels.codes import CONTRADICTION, HIDDEN, MAX_DEGREE, MINE, OK, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Double, Flag, Int, Long, inner
from sapper.kernels.search.clue_values import weigh_swapped
from sapper.kernels.search.layouts import is_on_frontier
from sapper.kernels.search.player import LONGEST_CHAIN, MOST_CHAINS, MOST_OUTSIDE, Chain, Player

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


# Found by play on other boards than those reported: see docs/strength.md.
LEAST_CHAIN = 0.003  # rough chance of a chain; it is too low, as its cells hang together
MOST_STEPS = 300  # from one cell


@inner
def can_join(position: Position, cell: Int) -> Flag:
    """Whether a cell may be one of a chain that matters."""
    p = position.p_mine[cell]
    if position.cells[cell] != HIDDEN or position.settled[cell] != UNKNOWN:
        return False
    return p >= LEAST_LOSS and 1.0 - p >= LEAST_LOSS


@inner
def first_leaning(chain: Chain, board: Board, position: Position) -> Int:
    """Return the first clue that touches one side more often than the other, or -1."""
    found: Int = -1
    for i in range(chain.length):
        for k in range(board.degree[chain.cells[i]]):
            clue = board.table[chain.cells[i], k]
            if position.cells[clue] >= 0 and chain.lean[clue] != 0 and (found < 0 or clue < found):
                found = clue
    return found


@inner
def lean_on(chain: Chain, board: Board, cell: Int, sign: Int) -> None:
    """Have the cells around lean to one side."""
    for k in range(board.degree[cell]):
        chain.lean[board.table[cell, k]] += sign


@inner
def add_link(chain: Chain, board: Board, position: Position, cell: Int, sign: Int) -> None:
    """Add a cell to one of the sides."""
    p = position.p_mine[cell]
    n = chain.length
    chain.cells[n], chain.side[cell] = cell, sign
    chain.one_way[n + 1] = chain.one_way[n] * (p if sign > 0 else 1.0 - p)
    chain.other_way[n + 1] = chain.other_way[n] * (1.0 - p if sign > 0 else p)
    chain.excess[n + 1] = chain.excess[n] + sign
    chain.length = n + 1
    lean_on(chain, board, cell, sign)
    chain.clue[n + 1], chain.tried[n + 1] = first_leaning(chain, board, position), 0


@inner
def drop_link(chain: Chain, board: Board) -> None:
    """Take the last cell off."""
    chain.length -= 1
    cell = chain.cells[chain.length]
    lean_on(chain, board, cell, -chain.side[cell])
    chain.side[cell] = 0


@inner
def first_beside(chain: Chain, board: Board, cell: Int) -> Int:
    """Return the place of the first cell of the chain that touches a cell; the chain's length if none does."""
    for i in range(chain.length):
        if is_beside(board, chain.cells[i], cell):
            return i
    return chain.length


@inner
def next_beside(chain: Chain, board: Board, position: Position) -> Int:
    """Return the next cell to try that no clue touches and a cell of the chain does, or -1."""
    n = chain.length
    while chain.tried[n] < n * MAX_DEGREE:
        i, k = chain.tried[n] // MAX_DEGREE, chain.tried[n] % MAX_DEGREE
        chain.tried[n] += 1
        if k >= board.degree[chain.cells[i]]:
            continue
        cell = board.table[chain.cells[i], k]
        # Others touch it too: it is tried once.
        if (
            can_join(position, cell)
            and not is_on_frontier(board, position, cell)
            and first_beside(chain, board, cell) == i
        ):
            return cell
    return -1


@inner
def next_around(chain: Chain, board: Board, position: Position, clue: Int) -> Int:
    """Return the next cell to try around the clue that leans, or -1."""
    n = chain.length
    while chain.tried[n] < board.degree[clue]:
        cell = board.table[clue, chain.tried[n]]
        chain.tried[n] += 1
        # Every chain is found from the first of its cells that clues touch.
        if cell > chain.cells[0] and can_join(position, cell):
            return cell
    return -1


@inner
def grow_chain(chain: Chain, board: Board, position: Position) -> Flag:
    """Add the next cell that the chain may want; False if there is none left."""
    n = chain.length
    clue = chain.clue[n]
    sign: Int = -1 if (chain.lean[clue] if clue >= 0 else chain.excess[n]) > 0 else 1
    p: Double
    while n < LONGEST_CHAIN and chain.n_steps < MOST_STEPS:
        cell = next_around(chain, board, position, clue) if clue >= 0 else next_beside(chain, board, position)
        if cell < 0:
            break
        p = position.p_mine[cell] if sign > 0 else 1.0 - position.p_mine[cell]
        if chain.side[cell] != 0 or max(chain.one_way[n] * p, chain.other_way[n] * (1.0 - p)) < LEAST_CHAIN:
            continue
        chain.n_steps += 1
        add_link(chain, board, position, cell, sign)
        return True
    return False


@inner
def note_chain(chain: Chain) -> Flag:
    """Note a chain; False if it was noted before, or if there is no room."""
    key: Long = 0
    for i in range(chain.length):
        key += chain.side[chain.cells[i]] * chain.numbers[chain.cells[i]]
    for i in range(chain.n_known):
        if chain.known[i] == key:
            return False
    if chain.n_known == MOST_CHAINS:
        return False
    chain.known[chain.n_known] = key
    chain.n_known += 1
    return True


@inner
def weigh_chain(player: Player, board: Board, position: Position, chain: Chain) -> Int:
    """Weigh a chain that is complete; return the engine's status."""
    mined: Int = 0
    clear: Int = chain.length // 2
    # Neighbours were weighed as a pair.
    if chain.length == 2 and is_beside(board, chain.cells[0], chain.cells[1]):
        return OK
    if not note_chain(chain):
        return OK
    for i in range(chain.length):
        if chain.side[chain.cells[i]] > 0:
            player.swap[mined] = chain.cells[i]
            mined += 1
        else:
            player.swap[clear] = chain.cells[i]
            clear += 1
    return weigh_swap(player, board, position, chain.length // 2, LEAST_CHAIN)


@inner
def weigh_chains(player: Player, board: Board, position: Position, chain: Chain) -> Int:
    """Weigh all chains but pairs of neighbours; return the engine's status."""
    status: Int = OK
    chain.n_known, chain.length = 0, 0
    chain.one_way[0], chain.other_way[0], chain.excess[0] = 1.0, 1.0, 0
    for first in range(board.n_cells):
        if not can_join(position, first) or not is_on_frontier(board, position, first):
            continue
        chain.n_steps = 0
        add_link(chain, board, position, first, 1)
        while chain.length > 0:
            if grow_chain(chain, board, position):
                if chain.clue[chain.length] >= 0 or chain.excess[chain.length] != 0:
                    continue
                if status == OK:
                    status = weigh_chain(player, board, position, chain)
            drop_link(chain, board)
        if status != OK:
            break
    return status


@inner
def weigh_swaps(player: Player, board: Board, position: Position) -> Int:
    """Fill ``relief`` from all that no clue can tell apart; return the engine's status.

    ``position`` is the player's, and has been read (judging.py).
    """
    for cell in range(board.n_cells):
        player.relief[cell] = 1.0
    status = weigh_pairs(player, board, position)
    if status != OK or player.is_early:
        return status
    return weigh_chains(player, board, position, player.chain)
