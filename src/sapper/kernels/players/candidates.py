"""The cells worth looking at when nothing is safe. Linear in the cells times the length of the list."""

from __future__ import annotations

from sapper.kernels.codes import HIDDEN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Double, Flag, Int, inner
from sapper.kernels.players.player import Candidates, Player

SAME_SCORE = 1.0 + 1e-9  # equal scores may differ by this factor, in their last bits


@inner
def rank_cell(player: Player, board: Board, position: Position, cell: Int) -> Double:
    """Return its safety with the relief credited; of equal cells the one likeliest to open up ranks first."""
    p_opens: Double = 1.0
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        p = position.p_mine[other]
        if position.cells[other] < 0 and p == p:
            p_opens *= 1.0 - p
    return (1.0 - position.p_mine[cell]) / player.relief[cell] * (1.0 + 1e-3 * p_opens)


@inner
def is_on_frontier(board: Board, position: Position, cell: Int) -> Flag:
    """Whether a clue touches a cell."""
    for k in range(board.degree[cell]):
        if position.cells[board.table[cell, k]] >= 0:
            return True
    return False


@inner
def insert_candidate(found: Candidates, cell: Int, rank: Double, start: Int, most: Int) -> None:
    """Put a cell where it belongs by its rank, among those from ``start`` on; there are at most ``most`` of them."""
    place: Int = found.count
    while place > start and rank > found.ranks[place - 1] * SAME_SCORE:
        place -= 1
    if place - start >= most:
        return
    for k in range(min(found.count, start + most - 1), place, -1):
        found.cells[k], found.ranks[k] = found.cells[k - 1], found.ranks[k - 1]
    found.cells[place], found.ranks[place] = cell, rank
    found.count = min(found.count + 1, start + most)


@inner
def list_candidates(
    player: Player, board: Board, position: Position, found: Candidates, near: Double, n_frontier: Int, n_off: Int
) -> None:
    """List the cells with at least ``near`` times the best safety: the best on the frontier, then the best off it."""
    wanted: Flag
    start: Int
    least = 0.0
    for cell in range(board.n_cells):
        if position.cells[cell] == HIDDEN:
            least = max(least, near * (1.0 - position.p_mine[cell]) / player.relief[cell])
    found.count = 0
    for turn in range(2):
        wanted = turn == 0
        start = found.count
        most = n_frontier if turn == 0 else n_off
        for cell in range(board.n_cells):
            if position.cells[cell] != HIDDEN or (1.0 - position.p_mine[cell]) / player.relief[cell] < least:
                continue
            if is_on_frontier(board, position, cell) == wanted:
                insert_candidate(found, cell, rank_cell(player, board, position, cell), start, most)
