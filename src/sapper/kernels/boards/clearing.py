"""Clearing a layout by reasoning alone, and finding layouts that can be cleared so.

The player in here opens what is proved and never guesses. It reasons as hard as the level allows, easy things first:
most boards take a handful of exact sums, and the rest of the work is some additions per cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels.boards.consolidating import Statements, reason_by_subsets
from sapper.kernels.boards.proving import Proof, begin_proof, note_proved, reason_alone, reason_in_pairs, review_proof
from sapper.kernels.boards.repairing import Draft, choose_partner, lay_mines, move_mine, repair_draft
from sapper.kernels.codes import MINE, OK, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board, Position, Question
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Flag, Int, Public, inner, unlocked, value

if TYPE_CHECKING:
    from numpy.typing import NDArray

# How hard the player may reason; each level has all that is before it.
BY_SINGLE_CLUES = 0
BY_SUBSETS = 1
BY_PAIRS = 2
BY_EVERYTHING = 3
BY_COUNTING = 4  # and with the number of mines


@value
class BoardSearch:
    """A search for layouts that can be cleared from their first cell, and what it has found."""

    draft: Draft  # the layout at hand
    proof: Proof  # what the player knows about it
    known: Statements  # what it has made of the clues
    asked: Question  # what it asks the engine
    position: Position  # what it sees, and what the engine makes of that

    # Settings.
    level: Int  # how hard the player may reason
    first: Int  # the cell that is opened first
    most_repairs: Public[Int]  # of one try
    n_mixes: Public[Int]  # exchanges in a layout that was found

    # Results.
    is_cleared: Public[Flag]  # whether the layout at hand can be cleared
    status: Int  # of the engine
    n_tries: Public[Int]  # tries made with the random numbers at hand
    n_repairs: Public[Int]  # of the last try
    n_all_repairs: Public[Int]  # of all tries

    def __init__(
        self, board: Board, draft: Draft, marks: NDArray[np.int32], level: Int, first: Int, counts: Flag = False
    ) -> None:
        cells = np.zeros(board.n_cells, dtype=np.int8)
        self.draft, self.proof, self.known = draft, Proof(board, draft.shown, cells, marks), Statements(board)
        self.asked = Question(draft.n_mines if counts or level == BY_COUNTING else -1)
        self.position = Position(cells, np.zeros(board.n_cells, dtype=np.int8), np.zeros(board.n_cells))
        self.level, self.first, self.most_repairs, self.n_mixes = level, first, 0, 0
        self.is_cleared, self.status, self.n_tries, self.n_repairs, self.n_all_repairs = False, OK, 0, 0, 0


@inner
def reason_exactly(ws: Workspace, board: Board, search: BoardSearch) -> Flag:
    """Note everything that follows; return whether some of it is safe. The status tells how the engine fared."""
    verdict: Int
    found: Flag = False
    search.status = solve_position(ws, board, search.asked, search.position)
    if search.status != OK:
        return False
    for cell in range(board.n_cells):
        verdict = search.position.settled[cell]
        if search.proof.marks[cell] == UNKNOWN and verdict in (SAFE, MINE):
            note_proved(search.proof, board, cell, verdict)
            if verdict == SAFE:
                found = True
    return found


@inner
def clear_further(ws: Workspace, board: Board, search: BoardSearch) -> Flag:
    """Open what is proved until nothing is; return whether the board is cleared.

    If it is not, the proof is stuck, or the engine could not go on and the status says why.
    """
    while True:
        reason_alone(search.proof, board)
        if search.proof.n_open == board.n_cells - search.draft.n_mines:
            return True
        if search.level == BY_SINGLE_CLUES:
            return False
        # Whoever sums exactly needs no subsets, but pairs are so cheap that they save most of the sums.
        if search.level < BY_EVERYTHING and reason_by_subsets(search.known, search.proof, board):
            continue
        if search.level == BY_SUBSETS:
            return False
        if reason_in_pairs(search.proof, board):
            continue
        if search.level == BY_PAIRS or not reason_exactly(ws, board, search):
            return False


@inner
def clear_from_first(ws: Workspace, board: Board, search: BoardSearch) -> Flag:
    """Open the first cell and what is proved from there on; return whether the board is cleared."""
    begin_proof(search.proof, board, search.first)
    return clear_further(ws, board, search)


@inner
def can_repair(search: BoardSearch) -> Flag:
    """Whether a board that was not cleared deserves another repair.

    A try that is stuck at the very first cell is given up: another layout is as good, and costs less.
    """
    return search.status == OK and search.n_repairs < search.most_repairs and search.proof.n_open > 1


@inner
def clear_with_repairs(ws: Workspace, board: Board, search: BoardSearch, at: Int) -> Flag:
    """Clear a layout from the first cell, with repairs wherever the proof is stuck; return whether it is cleared.

    After a repair the proof goes on from where it is. A repair may spoil what was proved before it, so the board is
    swept again from its first cell until a sweep needs no repair. Takes two random numbers for each, from ``at`` on.
    """
    n_before: Int = -1
    cleared: Flag = True
    search.n_repairs = 0
    while cleared and search.n_repairs != n_before:
        n_before = search.n_repairs
        cleared = clear_from_first(ws, board, search)
        while not cleared and can_repair(search):
            if not repair_draft(search.draft, search.proof, board, at + 2 * search.n_repairs):
                break
            search.n_repairs += 1
            review_proof(search.proof, board)
            cleared = clear_further(ws, board, search)
    return cleared


@inner
def mix_draft(ws: Workspace, board: Board, search: BoardSearch, at: Int) -> None:
    """Exchange any mine and any free cell, so many times, and back again where the board would need a guess then.

    That is Metropolis' walk, whose limit is every such layout equally often. Takes two random numbers for each
    exchange, from ``at`` on.
    """
    for _ in range(search.n_mixes):
        mined = choose_partner(search.draft, search.draft.uniforms[at], 1)
        free = choose_partner(search.draft, search.draft.uniforms[at + 1], 0)
        at += 2
        if mined < 0 or free < 0:
            return
        move_mine(search.draft, board, mined, free)
        if not clear_from_first(ws, board, search):
            if search.status != OK:
                return
            move_mine(search.draft, board, free, mined)


@inner
def search_on(ws: Workspace, board: Board, search: BoardSearch, most_tries: Int) -> None:
    """Lay mines until a layout can be cleared, so many times at most, or until the engine cannot go on."""
    at: Int
    stride = search.draft.n_mines + 2 * search.most_repairs + 2 * search.n_mixes
    search.is_cleared, search.status = False, OK
    while search.n_tries < most_tries and not search.is_cleared:
        # Every try has random numbers of its own.
        at = search.n_tries * stride
        lay_mines(search.draft, board, at)
        at += search.draft.n_mines
        search.is_cleared = clear_with_repairs(ws, board, search, at)
        if search.is_cleared:
            mix_draft(ws, board, search, at + 2 * search.most_repairs)
        if search.status != OK:
            search.is_cleared = False
            return
        search.n_tries += 1
        search.n_all_repairs += search.n_repairs


def search_boards(ws: Workspace, board: Board, search: BoardSearch, most_tries: Int) -> Int:
    """Lay mines until a layout can be cleared, up to so many tries in all; return OK or a status of the engine.

    With more room for the engine, the call can be made again: it begins with the try that it could not finish.
    """
    with unlocked:
        search_on(ws, board, search, most_tries)
    return search.status


def clear_board(ws: Workspace, board: Board, search: BoardSearch) -> Int:
    """Clear the layout that stands in the draft, without changing it; return OK or a status of the engine."""
    with unlocked:
        search.status = OK
        search.is_cleared = clear_from_first(ws, board, search)
    return search.status
