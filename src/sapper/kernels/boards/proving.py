"""Incremental reasoning with single clues and pairs of clues, for a player that never guesses.

Every cell has a count of the mines that its clue still needs and of the unknown cells around it. So the two single-clue
rules cost two comparisons, and a newly proved cell costs one visit to each neighbour. Zeros need no cascade: their
neighbours are proved safe like any others.
"""

from __future__ import annotations

from typing import Any

from sapper.kernels.codes import HIDDEN, MINE, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board
from sapper.kernels.language import *

# The state of a clue in the stack `joined`: changed since it was last consolidated, or consolidated with another one.
DIRTY = 1
CLEAN = 2

MAX_WALK = 2_000_000_000  # walk numbers are reset before they overflow


class ProofState:
    """What the player knows about a board, and the clues that are still to be processed."""

    shown: Ints  # (n,): the clue that each cell shows once open
    cells: Bytes  # (n,): what the player sees: HIDDEN or a clue
    verdicts: Ints  # (n,): what the player knows: UNKNOWN, SAFE (still to be opened), MINE or OPEN
    n_open: Int  # open cells

    # By cell.
    need: Ints  # mines that its clue still needs among its unknown neighbours
    left: Ints  # its unknown neighbours
    waits_alone: Ints  # 1: it is in the stack `alone`
    waits_paired: Ints  # 1: it is in the stack `paired`
    waits_joined: Ints  # DIRTY or CLEAN: it is in the stack `joined`
    seen_at: Ints  # the number of the walk that last visited it
    common: Ints  # unknown cells that it shares with the current clue

    # Stacks of cells, and their heights.
    alone: Ints  # clues for the single-clue rules
    n_alone: Int
    paired: Ints  # clues to compare with overlapping ones
    n_paired: Int
    joined: Ints  # clues to consolidate with all that are connected to them
    n_joined: Int
    to_open: Ints  # cells that were proved safe
    n_to_open: Int
    met: Ints  # clues visited by the current walk
    stamp: Int  # the number of the current walk

    def __init__(self, board: Board, shown: Any, cells: Any, verdicts: Any) -> None:
        n = board.n_cells
        self.shown, self.cells, self.verdicts = view(shown), view(cells), view(verdicts)
        self.need, self.left, self.common, self.seen_at = ints(n), ints(n), ints(n), ints(n)
        self.waits_alone, self.waits_paired, self.waits_joined = ints(n), ints(n), ints(n)
        self.alone, self.paired, self.joined = ints(n), ints(n), ints(n)
        self.to_open, self.met = ints(n), ints(n)
        self.n_open, self.n_alone, self.n_paired, self.n_joined, self.n_to_open = 0, 0, 0, 0, 0
        self.stamp = 0


def empty_stacks(proof: ProofState, board: Board) -> None:
    """Empty all stacks."""
    for cell in range(board.n_cells):
        proof.waits_alone[cell] = 0
        proof.waits_paired[cell] = 0
        proof.waits_joined[cell] = 0
    proof.n_alone, proof.n_paired, proof.n_joined, proof.n_to_open = 0, 0, 0, 0


def enqueue(proof: ProofState, clue: Int) -> None:
    """Enqueue a clue for every reasoning level."""
    if proof.waits_alone[clue] == 0:
        proof.waits_alone[clue] = 1
        proof.alone[proof.n_alone] = clue
        proof.n_alone += 1
    if proof.waits_paired[clue] == 0:
        proof.waits_paired[clue] = 1
        proof.paired[proof.n_paired] = clue
        proof.n_paired += 1
    if proof.waits_joined[clue] == 0:
        proof.joined[proof.n_joined] = clue
        proof.n_joined += 1
    proof.waits_joined[clue] = DIRTY


def note_proved(proof: ProofState, board: Board, cell: Int, verdict: Int) -> None:
    """Record that an unknown cell is a mine, or safe and to be opened."""
    proof.verdicts[cell] = verdict
    one_mine: Int = 1 if verdict == MINE else 0
    for k in range(board.degree[cell]):
        clue = board.table[cell, k]
        proof.left[clue] -= 1
        proof.need[clue] -= one_mine
        if proof.verdicts[clue] == OPEN:
            enqueue(proof, clue)
    if verdict == SAFE:
        proof.to_open[proof.n_to_open] = cell
        proof.n_to_open += 1


def begin_proof(proof: ProofState, board: Board, first: Int) -> None:
    """Start with all cells hidden and the first one safe."""
    for cell in range(board.n_cells):
        proof.need[cell] = proof.shown[cell]
        proof.left[cell] = board.degree[cell]
        proof.verdicts[cell] = UNKNOWN
    for cell in range(board.n_cells):
        proof.cells[cell] = HIDDEN
    proof.n_open = 0
    empty_stacks(proof, board)
    if proof.stamp > MAX_WALK:
        proof.stamp = 0
        for cell in range(board.n_cells):
            proof.seen_at[cell] = 0
    note_proved(proof, board, first, SAFE)


def review_proof(proof: ProofState, board: Board) -> None:
    """Discard all deductions but keep cells open, because the clues have changed."""
    count: Int
    empty_stacks(proof, board)
    proof.n_open = 0
    for cell in range(board.n_cells):
        proof.need[cell] = proof.shown[cell]
        if proof.verdicts[cell] == OPEN:
            proof.cells[cell] = proof.shown[cell]
            proof.n_open += 1
        else:
            proof.cells[cell] = HIDDEN
            proof.verdicts[cell] = UNKNOWN
    for cell in range(board.n_cells):
        count = 0
        for k in range(board.degree[cell]):
            count += proof.verdicts[board.table[cell, k]] == UNKNOWN
        proof.left[cell] = count
        if proof.verdicts[cell] == OPEN and count > 0:
            enqueue(proof, cell)


def open_proved(proof: ProofState) -> None:
    """Open all cells that are proved safe."""
    while proof.n_to_open > 0:
        proof.n_to_open -= 1
        cell = proof.to_open[proof.n_to_open]
        proof.cells[cell] = proof.shown[cell]
        proof.verdicts[cell] = OPEN
        proof.n_open += 1
        enqueue(proof, cell)


def reason_alone(proof: ProofState, board: Board) -> None:
    """Apply the two single-clue rules and open safe cells, to a fixpoint."""
    verdict: Int
    open_proved(proof)
    while proof.n_alone > 0:
        proof.n_alone -= 1
        clue = proof.alone[proof.n_alone]
        proof.waits_alone[clue] = 0
        left, need = proof.left[clue], proof.need[clue]
        if left == 0 or (need != 0 and need != left):
            continue
        verdict = SAFE if need == 0 else MINE
        for k in range(board.degree[clue]):
            cell = board.table[clue, k]
            if proof.verdicts[cell] == UNKNOWN:
                note_proved(proof, board, cell, verdict)
        open_proved(proof)


def is_beside(board: Board, cell: Int, other: Int) -> Flag:
    """Return whether two cells are neighbours."""
    for k in range(board.degree[cell]):
        if board.table[cell, k] == other:
            return True
    return False


def settle_overlap(proof: ProofState, board: Board, clue: Int, other: Int, shared: Flag, verdict: Int) -> None:
    """Record a verdict on the unknown cells that a clue shares with another (``shared``), or on those it does not."""
    for k in range(board.degree[clue]):
        cell = board.table[clue, k]
        if proof.verdicts[cell] == UNKNOWN and is_beside(board, cell, other) == shared:
            note_proved(proof, board, cell, verdict)


def compare_clues(proof: ProofState, board: Board, clue: Int, other: Int) -> Flag:
    """Settle cells by the bounds on the mines that two clues share; return whether there are any."""
    found: Flag = False
    common, need1, need2 = proof.common[other], proof.need[clue], proof.need[other]
    own1, own2 = proof.left[clue] - common, proof.left[other] - common
    low = max(need1 - own1, need2 - own2, 0)
    high = min(need1, need2, common)
    if high == 0 or low == common:
        settle_overlap(proof, board, clue, other, True, SAFE if high == 0 else MINE)
        found = True
    if own1 > 0 and (need1 == low or need1 - high == own1):
        settle_overlap(proof, board, clue, other, False, SAFE if need1 == low else MINE)
        found = True
    if own2 > 0 and (need2 == low or need2 - high == own2):
        settle_overlap(proof, board, other, clue, False, SAFE if need2 == low else MINE)
        found = True
    return found


def meet_overlapping(proof: ProofState, board: Board, clue: Int) -> Int:
    """Collect the clues that share unknown cells with a clue, and count these cells; return the number of clues."""
    n_met: Int = 0
    proof.stamp += 1
    for k in range(board.degree[clue]):
        cell = board.table[clue, k]
        if proof.verdicts[cell] != UNKNOWN:
            continue
        for i in range(board.degree[cell]):
            other = board.table[cell, i]
            if proof.verdicts[other] != OPEN or other == clue:
                continue
            if proof.seen_at[other] != proof.stamp:
                proof.seen_at[other] = proof.stamp
                proof.common[other] = 0
                proof.met[n_met] = other
                n_met += 1
            proof.common[other] += 1
    return n_met


def reason_in_pairs(proof: ProofState, board: Board) -> Flag:
    """Compare changed clues with those that they overlap until a comparison settles a cell; return whether one does."""
    while proof.n_paired > 0:
        proof.n_paired -= 1
        clue = proof.paired[proof.n_paired]
        proof.waits_paired[clue] = 0
        if proof.left[clue] == 0:
            continue
        for i in range(meet_overlapping(proof, board, clue)):
            if compare_clues(proof, board, clue, proof.met[i]):
                # The other overlapping clues are still to be compared.
                enqueue(proof, clue)
                return True
    return False
