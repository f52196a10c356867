"""Search for no-guess boards: layouts that reasoning alone clears from the first cell.

The player opens only proved cells. It reasons as hard as its level allows, trying easy rules first: most boards need a
handful of exact sums and otherwise a few additions per cell. Where it gets stuck, a repair moves a mine. Placing mines
and repairs are linear in the cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
from sapper.kernels.language import *


class Draft:
    """A layout under construction, with the random numbers for it."""

    n_mines: Public[Int]
    n_allowed: Public[Int]
    allowed: ConstInts  # (n_allowed,): the cells that may hold mines
    mines: Ints  # (n,): 1: the cell holds a mine
    shown: Ints  # (n,): the true clue of each cell
    uniforms: ConstDoubles  # random numbers from 0 up to 1
    order: Ints  # (n,) scratch: cells to choose from

    def __init__(
        self, n_mines: Int, allowed: NDArray[np.int32], mines: NDArray[np.int32], shown: NDArray[np.int32]
    ) -> None:
        self.n_mines, self.n_allowed = n_mines, len(allowed)
        self.allowed, self.mines, self.shown = view(allowed), view(mines), view(shown)
        self.order = ints(len(mines))

    def supply(self, uniforms: NDArray[np.float64]) -> None:
        """Supply the random numbers of the next tries."""
        self.uniforms = view(uniforms)


def put_mine(draft: Draft, board: Board, cell: Int) -> None:
    """Put a mine into a safe cell and update the clues around."""
    draft.mines[cell] = 1
    for k in range(board.degree[cell]):
        draft.shown[board.table[cell, k]] += 1


def take_mine(draft: Draft, board: Board, cell: Int) -> None:
    """Remove the mine from a cell and update the clues around."""
    draft.mines[cell] = 0
    for k in range(board.degree[cell]):
        draft.shown[board.table[cell, k]] -= 1


def move_mine(draft: Draft, board: Board, source: Int, target: Int) -> None:
    """Move a mine from one cell to a safe one."""
    take_mine(draft, board, source)
    put_mine(draft, board, target)


def place_mines(draft: Draft, board: Board, at: Int) -> None:
    """Place the mines uniformly at random, with one random number each, from ``at`` on."""
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


def choose_beside(draft: Draft, proof: ProofState, board: Board, uniform: Double, own: Int, beside: Int) -> Int:
    """Return a random cell with verdict ``own`` next to one with verdict ``beside``, or -1."""
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


def choose_partner(draft: Draft, uniform: Double, mined: Int) -> Int:
    """Return a random mine (``mined`` = 1) or a random safe cell that may hold one (0); or -1."""
    n: Int = 0
    for i in range(draft.n_allowed):
        if draft.mines[draft.allowed[i]] == mined:
            draft.order[n] = draft.allowed[i]
            n += 1
    return draft.order[truncate(uniform * n)] if n > 0 else -1


def repair_draft(draft: Draft, proof: ProofState, board: Board, at: Int) -> Flag:
    """Swap a cell where the proof is stuck with a random opposite cell (mine or safe); return whether there is one.

    The proof is stuck at the unknown cells next to open ones. If there are none, known mines wall off the unknown
    cells, and one of these mines moves. The other cell comes from the whole board, and is hidden again if it was open:
    taking only hidden cells would concentrate mines where proofs end. Uses two random numbers, from ``at`` on.
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


# Reasoning levels; each includes those before it.
BY_SINGLE_CLUES = 0
BY_SUBSETS = 1
BY_PAIRS = 2
BY_EVERYTHING = 3
BY_COUNTING = 4  # BY_EVERYTHING and the number of mines


class BoardSearch:
    """A search for layouts that can be cleared from their first cell, and its result."""

    draft: Draft  # the current layout
    proof: ProofState  # what the player knows about it
    known: Statements  # the subset rule's statements
    query: Query  # for the engine
    position: Position  # what the player sees, and what the engine finds

    # Settings.
    level: Int  # the reasoning level
    first: Int  # the first cell to open
    max_repairs: Public[Int]  # per try
    n_mixes: Public[Int]  # swaps in a layout that was found

    # Results.
    is_cleared: Public[Flag]  # whether the current layout can be cleared
    status: Int  # of the engine
    n_tries: Public[Int]  # tries made with the current random numbers
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


def reason_exactly(ws: Workspace, board: Board, search: BoardSearch) -> Flag:
    """Record all certain cells; return whether one of them is safe. ``status`` becomes the engine's."""
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


def clear_further(ws: Workspace, board: Board, search: BoardSearch) -> Flag:
    """Open proved cells until there are none; return whether the board is cleared.

    If not, the proof is stuck, or ``status`` says why the engine stopped.
    """
    while True:
        reason_alone(search.proof, board)
        if search.proof.n_open == board.n_cells - search.draft.n_mines:
            return True
        if search.level == BY_SINGLE_CLUES:
            return False
        # Exact sums make subsets redundant, but pairs are so cheap that they are worth trying before a sum.
        if search.level < BY_EVERYTHING and reason_by_subsets(search.known, search.proof, board):
            continue
        if search.level == BY_SUBSETS:
            return False
        if reason_in_pairs(search.proof, board):
            continue
        if search.level == BY_PAIRS or not reason_exactly(ws, board, search):
            return False


def clear_from_first(ws: Workspace, board: Board, search: BoardSearch) -> Flag:
    """Open the first cell, then proved ones; return whether the board is cleared."""
    begin_proof(search.proof, board, search.first)
    return clear_further(ws, board, search)


def can_repair(search: BoardSearch) -> Flag:
    """Return whether to repair a board that was not cleared.

    A try that is stuck at its first cell is abandoned: a new layout is cheaper.
    """
    return search.status == OK and search.n_repairs < search.max_repairs and search.proof.n_open > 1


def clear_with_repairs(ws: Workspace, board: Board, search: BoardSearch, at: Int) -> Flag:
    """Clear a layout from the first cell, with repairs where the proof gets stuck; return whether it is cleared.

    After a repair the proof continues. A repair may invalidate earlier steps, so the board is cleared again from its
    first cell until no repair is needed. Each repair uses two random numbers, from ``at`` on.
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


def mix_draft(ws: Workspace, board: Board, search: BoardSearch, at: Int) -> None:
    """Swap a random mine and a random safe cell ``n_mixes`` times, undoing swaps after which a guess is needed.

    This is a Metropolis walk (N. Metropolis et al., "Equation of state calculations by fast computing machines", 1953)
    whose limit is uniform over the no-guess layouts that it can reach. Each swap uses two random numbers, from ``at``
    on.
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


def search_on(ws: Workspace, board: Board, search: BoardSearch, max_tries: Int) -> None:
    """Try layouts until one can be cleared, ``max_tries`` are made or the engine needs more room."""
    at: Int
    stride = search.draft.n_mines + 2 * search.max_repairs + 2 * search.n_mixes
    search.is_cleared, search.status = False, OK
    while search.n_tries < max_tries and not search.is_cleared:
        # Every try has its own random numbers.
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


@public
def search_boards(ws: Workspace, board: Board, search: BoardSearch, max_tries: Int) -> Int:
    """Try layouts until one can be cleared or ``max_tries`` are made; return the engine's status.

    After the status MORE_ROOM the call can be repeated with larger pools. It resumes with the unfinished try.
    """
    with unlocked:
        search_on(ws, board, search, max_tries)
    return search.status


@public
def clear_board(ws: Workspace, board: Board, search: BoardSearch) -> Int:
    """Clear the layout of the draft without changing it; return the engine's status."""
    with unlocked:
        search.status = OK
        search.is_cleared = clear_from_first(ws, board, search)
    return search.status
