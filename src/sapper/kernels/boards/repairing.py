"""Laying mines at random, and moving one from where a proof is stuck. Linear in the cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels.boards.proving import Proof
from sapper.kernels.codes import MINE, OPEN, UNKNOWN
from sapper.kernels.engine.board import Board
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
    value,
    view,
)

if TYPE_CHECKING:
    import numpy as np
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
def lay_mines(draft: Draft, board: Board, at: Int) -> None:
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
def choose_beside(draft: Draft, proof: Proof, board: Board, uniform: Double, own: Int, beside: Int) -> Int:
    """Return any cell with one mark that touches a cell with another, or -1."""
    n: Int = 0
    for cell in range(board.n_cells):
        if proof.marks[cell] != own:
            continue
        for k in range(board.degree[cell]):
            if proof.marks[board.table[cell, k]] == beside:
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
def repair_draft(draft: Draft, proof: Proof, board: Board, at: Int) -> Flag:
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
    proof.marks[other] = UNKNOWN
    return True
