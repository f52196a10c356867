"""Swaps that are linked through clues: cells with two sides that no clue can tell apart, wherever they lie.

Every clue that touches such a chain touches as many cells of the one side as of the other. If one side is all mines and
the other all clear, exchanging them is invisible to every clue. A chain grows cell by cell: the first clue that leans
to one side wants another cell of the other side. If no clue leans but one side has more cells, a cell that no clue
touches, such as a corner, may make up for it: otherwise the number of mines would tell. What is complete is a swap
(swaps.py): two cells in a dead end, four in a square, a row of them along an edge.

A few hundred steps from every cell at most, and one sum for every chain that is likely enough to matter.
"""

from __future__ import annotations

from sapper.kernels.boards.proving import is_beside
from sapper.kernels.codes import HIDDEN, MAX_DEGREE, OK, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Double, Flag, Int, Long, inner
from sapper.kernels.players.ahead.prospects import LONGEST_CHAIN, MOST_CHAINS, Chain
from sapper.kernels.players.ahead.swaps import LEAST_LOSS, weigh_pairs, weigh_swap
from sapper.kernels.players.player import Player
from sapper.kernels.players.remaining import is_on_frontier

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
