"""The cells worth looking at where nothing is safe, and those whose clue is known beforehand.

A cell is *uninformative* if what it would show is certain: every neighbour is settled, or the undecided ones are
exactly those of a clue, or of several, which say how many mines there are among them.

Linear in the cells times the length of the list.
"""

from __future__ import annotations

from sapper.kernels.boards.proving import is_beside
from sapper.kernels.codes import HIDDEN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import *
from sapper.kernels.search.layouts import is_on_frontier
from sapper.kernels.search.player import Candidates, Player

SAME_SCORE = 1.0 + 1e-9  # equal scores may differ by this factor, in their last bits


def apply_credit(safety: Double, credit: Double) -> Double:
    """Return a safe probability divided by the forced-loss credit; few cells have one, and division is slow."""
    return safety if credit == 1.0 else safety / credit


def credited_safety(player: Player, position: Position, cell: Int) -> Double:
    """Return the safe probability of a hidden cell with its forced-loss credit; -1 for others.

    A safe cell is not a candidate: where one is safe but uninformative, an informative one is looked for.
    """
    if position.cells[cell] != HIDDEN or position.p_mine[cell] <= 0.0:
        return -1.0
    return apply_credit(1.0 - position.p_mine[cell], player.forced_loss_credit[cell])


def best_safety(player: Player, board: Board, position: Position) -> Double:
    """Return the highest credited safe probability of all cells."""
    best: Double = 0.0
    for cell in range(board.n_cells):
        best = max(best, credited_safety(player, position, cell))
    return best


def look_around(board: Board, position: Position, cell: Int) -> tuple[Flag, Double]:
    """Return whether a clue touches a cell, and estimate the probability that it shows a zero."""
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


def insert_candidate(found: Candidates, cell: Int, rank: Double, start: Int, count: Int, most: Int) -> Int:
    """Insert a cell by its rank among the ``count`` from ``start`` on; return their new number, at most ``most``."""
    place: Int = start + count
    while place > start and rank > found.ranks[place - 1] * SAME_SCORE:
        place -= 1
    if place - start >= most:
        return count
    for k in range(min(start + count, start + most - 1), place, -1):
        found.cells[k], found.ranks[k] = found.cells[k - 1], found.ranks[k - 1]
    found.cells[place], found.ranks[place] = cell, rank
    return min(count + 1, most)


def list_candidates(
    player: Player, board: Board, position: Position, found: Candidates, near: Double, n_frontier: Int, n_off: Int
) -> None:
    """List the cells with at least ``near`` times the best safe probability: the best on the frontier, then off it.

    They rank by credited safe probability; of equal ones the likeliest to show a zero comes first.
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


def rank_beside(board: Board, position: Position, cell: Int) -> Double:
    """Rank a cell off the frontier, higher with more undecided cells around it on the frontier and fewer off it."""
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


def is_candidate(found: Candidates, n_found: Int, cell: Int) -> Flag:
    """Whether a cell is among the first ``n_found`` candidates."""
    for k in range(n_found):
        if found.cells[k] == cell:
            return True
    return False


def add_beside(player: Player, board: Board, position: Position, found: Candidates, near: Double, most: Int) -> None:
    """Add candidates off the frontier but right beside it."""
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


def is_undecided(position: Position, cell: Int) -> Flag:
    """Whether a hidden cell may be a mine or not, by its probability."""
    return position.cells[cell] == HIDDEN and 0.0 < position.p_mine[cell] < 1.0


def list_unresolved(player: Player, board: Board, position: Position, cell: Int) -> Int:
    """List the undecided neighbours of a cell; return their number, or -1 if no clue touches one of them."""
    n_unresolved: Int = 0
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        if is_undecided(position, other):
            if not is_on_frontier(board, position, other):
                return -1
            player.unresolved[n_unresolved] = other
            n_unresolved += 1
    return n_unresolved


def counts_unresolved(
    player: Player, board: Board, position: Position, cell: Int, clue: Int, n_unresolved: Int
) -> Flag:
    """Whether the undecided cells around a clue, the cell itself aside, are all unresolved ones."""
    n_undecided: Int = 0
    n_listed: Int = 0
    for k in range(board.degree[clue]):
        n_undecided += board.table[clue, k] != cell and is_undecided(position, board.table[clue, k])
    for i in range(n_unresolved):
        n_listed += is_beside(board, clue, player.unresolved[i])
    return n_undecided == n_listed


def drop_unresolved(player: Player, board: Board, clue: Int, n_unresolved: Int) -> Int:
    """Remove the neighbours of a clue from the unresolved cells; return how many are left."""
    n_left: Int = 0
    for i in range(n_unresolved):
        if not is_beside(board, clue, player.unresolved[i]):
            player.unresolved[n_left] = player.unresolved[i]
            n_left += 1
    return n_left


def resolve(player: Player, board: Board, position: Position, cell: Int, n_unresolved: Int) -> Int:
    """Remove the unresolved cells that one clue counts, if there is such a clue; return how many are left."""
    for i in range(n_unresolved):
        other = player.unresolved[i]
        for k in range(board.degree[other]):
            clue = board.table[other, k]
            if position.cells[clue] >= 0 and counts_unresolved(player, board, position, cell, clue, n_unresolved):
                return drop_unresolved(player, board, clue, n_unresolved)
    return n_unresolved


def is_uninformative(player: Player, board: Board, position: Position, cell: Int) -> Flag:
    """Whether it is certain beforehand what a cell would show. The position has been solved."""
    before: Int = -1
    n_unresolved = list_unresolved(player, board, position, cell)
    while n_unresolved > 0 and n_unresolved != before:
        before = n_unresolved
        n_unresolved = resolve(player, board, position, cell, n_unresolved)
    return n_unresolved == 0
