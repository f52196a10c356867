"""Which cell to open when nothing is safe: the least risk, or near it the cell that is likeliest to tell something.

Linear in the cells.

What `expert` opens where nothing is safe: as perfect play does, where that can be found out, or the best ahead.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from sapper.kernels.codes import HIDDEN
from sapper.kernels.engine.board import Board
from sapper.kernels.language import ConstBytes, ConstDoubles, Int, inner, unlocked, view
from sapper.kernels.search.endgame import pick_in_part, pick_perfectly
from sapper.kernels.search.lookahead import pick_by_lookahead
from sapper.kernels.search.player import Player

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# A neighbour that shows a clue, or that is not hidden, is worth this much more risk, up to the second number. Found by
# play: see docs/strength.md.
WORTH = 0.0035
RISKIER = 0.05

SAME_RISK = 1e-10  # equal chances may differ in their last bits, having been summed in different orders


@inner
def pick_least_risk(board: Board, cells: ConstBytes, p_mine: ConstDoubles) -> Int:
    """Return the hidden cell of least risk, or -1 if none is hidden.

    A cell with many clues around it and few hidden neighbours, such as one in a corner, is preferred to one that is a
    hair safer. Of equal ones the first is taken. Flagged cells are left alone.
    """
    best: Int = -1
    least = 2.0
    for cell in range(board.n_cells):
        if cells[cell] == HIDDEN and p_mine[cell] < least:
            least = p_mine[cell]
    best_score = -1e9
    for cell in range(board.n_cells):
        if cells[cell] != HIDDEN or p_mine[cell] > least + RISKIER:
            continue
        score = -p_mine[cell]
        for k in range(board.degree[cell]):
            other = cells[board.table[cell, k]]
            if other >= 0:
                score += WORTH
            elif other == HIDDEN:
                score -= WORTH
        if score > best_score + SAME_RISK:
            best, best_score = cell, score
    return best


def choose_least_risk(board: Board, cells: NDArray[np.int8], p_mine: NDArray[np.float64]) -> Int:
    """Return the hidden cell of least risk, or -1 if none is hidden."""
    seen: ConstBytes = view(cells)
    chances: ConstDoubles = view(p_mine)
    with unlocked:
        cell = pick_least_risk(board, seen, chances)
    return cell


@inner
def pick_for_sure(player: Player) -> Int:
    """Return the cell that perfect play opens, on all of the board or a part; -1 where that is too much."""
    cell: Int = -1
    player.log_now = player.ws.log_weight
    if player.query.total >= 0 and player.log_now <= log(player.most) + 1e-9:
        cell = pick_perfectly(player.ending, player.board, player.position, player.query.total, 0)
    if cell < 0:
        cell = pick_in_part(player.ending, player.board, player.position, 0)
    return cell


@inner
def pick_expertly(player: Player) -> Int:
    """Return the cell to open where nothing is safe; negative, with the player's status, if that takes more memory."""
    cell = pick_for_sure(player)
    return cell if cell >= 0 else pick_by_lookahead(player)
