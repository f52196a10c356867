"""Find the easiest reasoning that proves some cell of a position safe; as dear as that reasoning."""

from __future__ import annotations

from sapper.kernels.boards.noguess import BY_COUNTING, BoardSearch, clear_further
from sapper.kernels.boards.proving import review_proof
from sapper.kernels.codes import OK
from sapper.kernels.engine.board import Board
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import *

NOTHING_SAFE = -1


def climb_levels(ws: Workspace, board: Board, search: BoardSearch) -> Int:
    """Return the first level that opens a cell, or NOTHING_SAFE; ``status`` becomes the engine's."""
    search.status = OK
    review_proof(search.proof, board)
    n_open: Int = search.proof.n_open
    for level in range(BY_COUNTING + 1):
        search.level = level
        search.query.total = search.draft.n_mines if level == BY_COUNTING else -1
        clear_further(ws, board, search)
        if search.status != OK or search.proof.n_open > n_open:
            return level
    return NOTHING_SAFE


@public
def find_level(ws: Workspace, board: Board, search: BoardSearch) -> tuple[Int, Int]:
    """Return the engine's status and the easiest level that proves a cell safe, or -1 if none does.

    The position is what the verdicts of the search say is open; its draft has the layout.
    """
    with unlocked:
        level = climb_levels(ws, board, search)
    return search.status, level
