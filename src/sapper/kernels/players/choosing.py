"""Which cell to open when nothing is safe: the least risk, or near it the cell that is likeliest to tell something.

Linear in the cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels.codes import HIDDEN
from sapper.kernels.engine.board import Board
from sapper.kernels.language import ConstBytes, ConstDoubles, Int, inner, unlocked, view

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
