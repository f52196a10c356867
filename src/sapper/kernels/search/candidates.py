"""The cells worth looking at when nothing is safe. Linear in the cells times the length of the list.

Cells that tell nothing, because it is clear beforehand what they would show.

A cell shows the number of mines around it. That is clear if every neighbour is settled, or if the unsure ones are just
those of a clue, or of several: they say how many mines there are among them.
"""

from __future__ import annotations

from sapper.kernels.boards.proving import is_beside
from sapper.kernels.codes import HIDDEN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Double, Flag, Int, inner
from sapper.kernels.search.layouts import is_on_frontier
from sapper.kernels.search.player import Candidates, Player

SAME_SCORE = 1.0 + 1e-9  # equal scores may differ by this factor, in their last bits


@inner
def credit(safety: Double, relief: Double) -> Double:
    """Return a safety with the relief credited, which hardly any cell has: a division takes its time."""
    return safety if relief == 1.0 else safety / relief


@inner
def credited_safety(player: Player, position: Position, cell: Int) -> Double:
    """Return the safety of a hidden cell, with the relief credited; -1 for others.

    Where a cell ahead is safe but tells nothing, one that does is looked for: a safe one is no candidate.
    """
    if position.cells[cell] != HIDDEN or position.p_mine[cell] <= 0.0:
        return -1.0
    return credit(1.0 - position.p_mine[cell], player.relief[cell])


@inner
def best_safety(player: Player, board: Board, position: Position) -> Double:
    """Return the best credited safety of all cells."""
    best: Double = 0.0
    for cell in range(board.n_cells):
        best = max(best, credited_safety(player, position, cell))
    return best


@inner
def look_around(board: Board, position: Position, cell: Int) -> tuple[Flag, Double]:
    """Return whether a clue touches a cell, and roughly the chance that it shows no mines around."""
    on_frontier: Flag = False
    p_opens: Double = 1.0
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        p = position.p_mine[other]
        if position.cells[other] >= 0:
            on_frontier = True
        elif p == p:
            p_opens *= 1.0 - p
    return on_frontier, p_opens


@inner
def insert_candidate(found: Candidates, cell: Int, rank: Double, start: Int, count: Int, most: Int) -> Int:
    """Put a cell where it belongs by its rank, among the ``count`` from ``start`` on; return how many there are then.

    There are at most ``most`` of them.
    """
    place: Int = start + count
    while place > start and rank > found.ranks[place - 1] * SAME_SCORE:
        place -= 1
    if place - start >= most:
        return count
    for k in range(min(start + count, start + most - 1), place, -1):
        found.cells[k], found.ranks[k] = found.cells[k - 1], found.ranks[k - 1]
    found.cells[place], found.ranks[place] = cell, rank
    return min(count + 1, most)


@inner
def list_candidates(
    player: Player, board: Board, position: Position, found: Candidates, near: Double, n_frontier: Int, n_off: Int
) -> None:
    """List the cells with at least ``near`` times the best safety: the best on the frontier, then the best off it.

    Cells rank by safety, with the relief credited; of equal ones the likeliest to open up comes first.
    """
    n_on: Int = 0
    n_other: Int = 0
    least = near * best_safety(player, board, position)
    for cell in range(board.n_cells):
        safety = credited_safety(player, position, cell)
        if safety < least:
            continue
        on_frontier, p_opens = look_around(board, position, cell)
        rank = safety * (1.0 + 1e-3 * p_opens)
        if on_frontier:
            n_on = insert_candidate(found, cell, rank, 0, n_on, n_frontier)
        else:
            n_other = insert_candidate(found, cell, rank, n_frontier, n_other, n_off)
    for k in range(n_other):
        found.cells[n_on + k], found.ranks[n_on + k] = found.cells[n_frontier + k], found.ranks[n_frontier + k]
    found.count = n_on + n_other


@inner
def rank_beside(board: Board, position: Position, cell: Int) -> Double:
    """Rank a cell off the frontier: the more unsure cells around it lie on the frontier, and the fewer do not."""
    n_near: Int = 0
    n_far: Int = 0
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        if position.cells[other] != HIDDEN or position.p_mine[other] >= 1.0:
            continue
        if is_on_frontier(board, position, other):
            n_near += 1
        else:
            n_far += 1
    return n_near / (1.0 + n_far)


@inner
def is_candidate(found: Candidates, n_found: Int, cell: Int) -> Flag:
    """Whether a cell is among the first that were listed."""
    for k in range(n_found):
        if found.cells[k] == cell:
            return True
    return False


@inner
def add_beside(player: Player, board: Board, position: Position, found: Candidates, near: Double, most: Int) -> None:
    """Add cells to the candidates that lie off the frontier, but right beside it."""
    n_added: Int = 0
    start: Int = found.count
    least = near * best_safety(player, board, position)
    for cell in range(board.n_cells):
        if credited_safety(player, position, cell) < least:
            continue
        if is_on_frontier(board, position, cell) or is_candidate(found, start, cell):
            continue
        rank = rank_beside(board, position, cell)
        if rank > 0.0:
            n_added = insert_candidate(found, cell, rank, start, n_added, most)
    found.count = start + n_added


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
