"""Laying mines at random, and moving one from where a proof is stuck. Linear in the cells.

Clearing a layout by reasoning alone, and finding layouts that can be cleared so.

The player in here opens what is proved and never guesses. It reasons as hard as the level allows, easy things first:
most boards take a handful of exact sums, and the rest of the work is some additions per cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels.boards.proving import (
    ProofState,
    begin_proof,
    note_proved,
    reason_alone,
    reason_in_pairs,
    review_proof,
)
from sapper.kernels.boards.subsets import Statements, reason_by_subsets
from sapper.kernels.codes import MINE, OK, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board, Position, Query
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import (
    ConstDoubles,
    ConstInts,
    Double,
    Flag,
    Int,
    Ints,
    Public,
    inner,
    ints,
    truncate,
    unlocked,
    value,
    view,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


@value
class Draft:
    """A layout in the making, with the random numbers that it is made from."""

    n_mines: Public[Int]
    n_allowed: Public[Int]
    allowed: ConstInts  # (n_allowed,): the cells that may hold mines
    mines: Ints  # (n,): 1: the cell holds a mine
    shown: Ints  # (n,): the mines around each cell
    uniforms: ConstDoubles  # random numbers from 0 up to 1
    order: Ints  # (n,): scratch: cells to choose from

    def __init__(
        self, n_mines: Int, allowed: NDArray[np.int32], mines: NDArray[np.int32], shown: NDArray[np.int32]
    ) -> None:
        self.n_mines, self.n_allowed = n_mines, len(allowed)
        self.allowed, self.mines, self.shown = view(allowed), view(mines), view(shown)
        self.order = ints(len(mines))

    def supply(self, uniforms: NDArray[np.float64]) -> None:
        """Hand over the random numbers of the next tries."""
        self.uniforms = view(uniforms)


@inner
def put_mine(draft: Draft, board: Board, cell: Int) -> None:
    """Put a mine into a cell that has none; the clues around follow."""
    draft.mines[cell] = 1
    for k in range(board.degree[cell]):
        draft.shown[board.table[cell, k]] += 1


@inner
def take_mine(draft: Draft, board: Board, cell: Int) -> None:
    """Take the mine out of a cell; the clues around follow."""
    draft.mines[cell] = 0
    for k in range(board.degree[cell]):
        draft.shown[board.table[cell, k]] -= 1


@inner
def move_mine(draft: Draft, board: Board, source: Int, target: Int) -> None:
    """Move the mine of one cell into another that has none."""
    take_mine(draft, board, source)
    put_mine(draft, board, target)


@inner
def place_mines(draft: Draft, board: Board, at: Int) -> None:
    """Lay the mines, every placement as likely as any other; takes a random number for each, from ``at`` on."""
    for cell in range(board.n_cells):
        draft.mines[cell] = 0
        draft.shown[cell] = 0
    for i in range(draft.n_allowed):
        draft.order[i] = draft.allowed[i]
    for i in range(draft.n_mines):
        k = i + truncate(draft.uniforms[at + i] * (draft.n_allowed - i))
        cell = draft.order[k]
        draft.order[k] = draft.order[i]
        put_mine(draft, board, cell)


@inner
def choose_beside(draft: Draft, proof: ProofState, board: Board, uniform: Double, own: Int, beside: Int) -> Int:
    """Return any cell with one mark that touches a cell with another, or -1."""
    n: Int = 0
    for cell in range(board.n_cells):
        if proof.verdicts[cell] != own:
            continue
        for k in range(board.degree[cell]):
            if proof.verdicts[board.table[cell, k]] == beside:
                draft.order[n] = cell
                n += 1
                break
    return draft.order[truncate(uniform * n)] if n > 0 else -1


@inner
def choose_partner(draft: Draft, uniform: Double, mined: Int) -> Int:
    """Return any mine on the board (``mined`` = 1), or any cell without one that may hold one (0); or -1."""
    n: Int = 0
    for i in range(draft.n_allowed):
        if draft.mines[draft.allowed[i]] == mined:
            draft.order[n] = draft.allowed[i]
            n += 1
    return draft.order[truncate(uniform * n)] if n > 0 else -1


@inner
def repair_draft(draft: Draft, proof: ProofState, board: Board, at: Int) -> Flag:
    """Exchange a cell at which the proof is stuck with any opposite cell of the board; return whether there is one.

    Stuck is an unknown cell beside an open one. Where there is none, unknown cells lie behind a wall of known mines,
    and one of these gives way. The other cell comes from the whole board, open cells included, which are hidden again:
    if it came from the hidden ones alone, mines would gather where proofs end. Takes two random numbers, at ``at``.
    """
    stuck = choose_beside(draft, proof, board, draft.uniforms[at], UNKNOWN, OPEN)
    if stuck < 0:
        stuck = choose_beside(draft, proof, board, draft.uniforms[at], MINE, UNKNOWN)
        if stuck < 0:
            return False
    mined = draft.mines[stuck]
    other = choose_partner(draft, draft.uniforms[at + 1], 1 - mined)
    if other < 0:
        return False
    if mined == 1:
        move_mine(draft, board, stuck, other)
    else:
        move_mine(draft, board, other, stuck)
    proof.verdicts[other] = UNKNOWN
    return True


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
    proof: ProofState  # what the player knows about it
    known: Statements  # what it has made of the clues
    query: Query  # what it asks the engine
    position: Position  # what it sees, and what the engine makes of that

    # Settings.
    level: Int  # how hard the player may reason
    first: Int  # the cell that is opened first
    max_repairs: Public[Int]  # of one try
    n_mixes: Public[Int]  # exchanges in a layout that was found

    # Results.
    is_cleared: Public[Flag]  # whether the layout at hand can be cleared
    status: Int  # of the engine
    n_tries: Public[Int]  # tries made with the random numbers at hand
    n_repairs: Public[Int]  # of the last try
    n_all_repairs: Public[Int]  # of all tries

    def __init__(
        self, board: Board, draft: Draft, verdicts: NDArray[np.int32], level: Int, first: Int, counts: Flag = False
    ) -> None:
        cells = np.zeros(board.n_cells, dtype=np.int8)
        self.draft, self.proof, self.known = draft, ProofState(board, draft.shown, cells, verdicts), Statements(board)
        self.query = Query(draft.n_mines if counts or level == BY_COUNTING else -1)
        self.position = Position(cells, np.zeros(board.n_cells, dtype=np.int8), np.zeros(board.n_cells))
        self.level, self.first, self.max_repairs, self.n_mixes = level, first, 0, 0
        self.is_cleared, self.status, self.n_tries, self.n_repairs, self.n_all_repairs = False, OK, 0, 0, 0


@inner
def reason_exactly(ws: Workspace, board: Board, search: BoardSearch) -> Flag:
    """Note everything that follows; return whether some of it is safe. The status tells how the engine fared."""
    verdict: Int
    found: Flag = False
    search.status = solve_position(ws, board, search.query, search.position)
    if search.status != OK:
        return False
    for cell in range(board.n_cells):
        verdict = search.position.settled[cell]
        if search.proof.verdicts[cell] == UNKNOWN and verdict in (SAFE, MINE):
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
    return search.status == OK and search.n_repairs < search.max_repairs and search.proof.n_open > 1


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
def search_on(ws: Workspace, board: Board, search: BoardSearch, max_tries: Int) -> None:
    """Lay mines until a layout can be cleared, so many times at most, or until the engine cannot go on."""
    at: Int
    stride = search.draft.n_mines + 2 * search.max_repairs + 2 * search.n_mixes
    search.is_cleared, search.status = False, OK
    while search.n_tries < max_tries and not search.is_cleared:
        # Every try has random numbers of its own.
        at = search.n_tries * stride
        place_mines(search.draft, board, at)
        at += search.draft.n_mines
        search.is_cleared = clear_with_repairs(ws, board, search, at)
        if search.is_cleared:
            mix_draft(ws, board, search, at + 2 * search.max_repairs)
        if search.status != OK:
            search.is_cleared = False
            return
        search.n_tries += 1
        search.n_all_repairs += search.n_repairs


def search_boards(ws: Workspace, board: Board, search: BoardSearch, max_tries: Int) -> Int:
    """Lay mines until a layout can be cleared, up to so many tries in all; return OK or a status of the engine.

    With more room for the engine, the call can be made again: it begins with the try that it could not finish.
    """
    with unlocked:
        search_on(ws, board, search, max_tries)
    return search.status


def clear_board(ws: Workspace, board: Board, search: BoardSearch) -> Int:
    """Clear the layout that stands in the draft, without changing it; return OK or a status of the engine."""
    with unlocked:
        search.status = OK
        search.is_cleared = clear_from_first(ws, board, search)
    return search.status
