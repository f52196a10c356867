"""The rollout policies: the safest cell, or endgame search and lookahead.

`decide` adds paired rollouts to these. They cannot be policies here, since rollouts follow a policy themselves.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.codes import BEAM_SEARCH, EXACT_SEARCH, HIDDEN, LEAST_RISK, LOOKAHEAD, PART_SEARCH
from sapper.kernels.engine.board import Board
from sapper.kernels.language import *
from sapper.kernels.search.endgame import pick_by_search, pick_in_part
from sapper.kernels.search.layouts import EndgameSearch
from sapper.kernels.search.lookahead import pick_by_lookahead
from sapper.kernels.search.player import Player

# Each neighbour that shows a clue, or is not hidden, outweighs this much risk, up to MAX_EXTRA_RISK in all. Tuned by
# play: see docs/strength.md.
NEIGHBOUR_VALUE = 0.0035
MAX_EXTRA_RISK = 0.05

SAME_RISK = 1e-10  # equal probabilities may differ in their last bits, having been summed in different orders


def pick_least_risk(board: Board, cells: ConstBytes, p_mine: ConstDoubles) -> Int:
    """Return the safest hidden cell, or one nearly as safe with better neighbours; -1 if no cell is hidden.

    A cell with more clues and fewer hidden cells around it, such as a corner, is preferred to a slightly safer one. Of
    equal cells the first is chosen. Flagged cells are ignored.
    """
    best: Int = -1
    least = 2.0
    for cell in range(board.n_cells):
        if cells[cell] == HIDDEN and p_mine[cell] < least:
            least = p_mine[cell]
    best_score = -1e9
    for cell in range(board.n_cells):
        if cells[cell] != HIDDEN or p_mine[cell] > least + MAX_EXTRA_RISK:
            continue
        score = -p_mine[cell]
        for k in range(board.degree[cell]):
            other = cells[board.table[cell, k]]
            if other >= 0:
                score += NEIGHBOUR_VALUE
            elif other == HIDDEN:
                score -= NEIGHBOUR_VALUE
        if score > best_score + SAME_RISK:
            best, best_score = cell, score
    return best


@public
def choose_least_risk(board: Board, cells: NDArray[np.int8], p_mine: NDArray[np.float64]) -> Int:
    """Return the cell of `pick_least_risk`."""
    seen: ConstBytes = view(cells)
    risks: ConstDoubles = view(p_mine)
    with unlocked:
        cell = pick_least_risk(board, seen, risks)
    return cell


def most_wins(search: EndgameSearch) -> Int:
    """Return how many layouts the best cell of the last search wins."""
    most: Int = 0
    for k in range(search.n_unknown):
        most = max(most, search.wins[k])
    return most


def search_endgame(player: Player, search: EndgameSearch) -> Int:
    """Return the cell that wins the most layouts of the board or of a separate part; -1 where neither is searchable.

    The player's result says how many layouts it wins, out of how many.
    """
    cell: Int = -1
    player.how = EXACT_SEARCH
    if player.query.total >= 0 and player.log_weight <= log(player.max_layouts) + 1e-9:
        cell = pick_by_search(search, player.board, player.position, player.query.total, 0)
        if search.n_layouts > search.max_exact:
            player.how = BEAM_SEARCH
    if cell < 0:
        player.how = PART_SEARCH
        cell = pick_in_part(search, player.board, player.position, 0)
    player.wins, player.n_layouts = most_wins(search), search.n_layouts
    return cell


def follow_policy(player: Player) -> Int:
    """Return the cell that a policy other than paired rollouts opens; nothing may be safe, and ``log_weight`` is set.

    Negative, with the player's status, if that takes more memory.
    """
    cell: Int = -1
    if player.policy == LEAST_RISK:
        player.how = LEAST_RISK
        return pick_least_risk(player.board, player.position.cells, player.position.p_mine)
    if player.max_layouts > 0:
        cell = search_endgame(player, player.search)
    if cell < 0:
        player.how = LOOKAHEAD
        cell = pick_by_lookahead(player)
    return cell
