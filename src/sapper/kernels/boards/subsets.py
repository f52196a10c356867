"""The subset rule: if statement A lies within statement B, the rest of B holds b - a mines.

Only connected parts of the frontier with changed clues are consolidated, each as a whole. The result is the fixpoint,
which does not depend on the order, so it equals that of `inference/reasoning/subsets.py`. Each statement lies within
the neighbours of some clue. There are usually tens of them, and each is compared only with those that share its cells.
"""

from __future__ import annotations

from sapper.kernels.boards.proving import CLEAN, DIRTY, ProofState, note_proved
from sapper.kernels.codes import MAX_DEGREE, MINE, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board
from sapper.kernels.language import *

N_BUCKETS = 1024
MAX_STATEMENTS = 8192  # frontiers of real games have hundreds
PLACES = MAX_DEGREE + 1  # a place is a cell of a statement: statement * PLACES + index


class Statements:
    """Sets of cells with bounds on the number of mines among them."""

    # By statement. The cells of a candidate are written after the last one, before deciding whether to keep it.
    n_kept: Int
    cells: IntGrid  # (capacity, max_degree): its cells, ascending
    size: Ints  # the number of its cells
    low: Ints  # minimum number of mines among them
    high: Ints  # maximum number of mines among them
    met_at: Ints  # the comparison round that last visited it
    turn: Int  # comparison rounds so far: one statement against all others

    # A hash table finds the statement with given cells.
    bucket: Ints  # (N_BUCKETS,): the first statement in each bucket, or -1
    next_in_bucket: Ints  # by statement: the next one, or -1

    # Linked lists of places find the statements that contain a cell.
    first_with: Ints  # (n,): by cell: the first place with it, or -1
    next_with: IntGrid  # (capacity, max_degree): by place: the next one with the same cell, or -1

    # A ring buffer of statements that are still to be compared.
    waits: Ints  # 1: it is in the ring
    ring: Ints
    front: Int
    end: Int

    def __init__(self, board: Board) -> None:
        capacity, max_degree = MAX_STATEMENTS, board.max_degree
        self.cells, self.next_with = ints(capacity, max_degree), ints(capacity, max_degree)
        self.size, self.low, self.high, self.met_at = ints(capacity), ints(capacity), ints(capacity), ints(capacity)
        self.bucket, self.next_in_bucket, self.first_with = ints(N_BUCKETS), ints(capacity), ints(board.n_cells)
        self.waits, self.ring = ints(capacity), ints(capacity)
        self.n_kept, self.turn, self.front, self.end = 0, 0, 0, 0


def empty_statements(known: Statements) -> None:
    """Remove all statements; `collect_joined_clues` resets the lists of the cells it meets."""
    for i in range(N_BUCKETS):
        known.bucket[i] = -1
    known.n_kept, known.turn, known.front, known.end = 0, 0, 0, 0


def hash_cells(known: Statements, size: Int) -> Int:
    """Return the bucket of the candidate's cells."""
    bucket: Int = 0
    for k in range(size):
        bucket = (bucket * 31 + known.cells[known.n_kept, k]) % N_BUCKETS
    return bucket


def has_same_cells(known: Statements, one: Int, size: Int) -> Flag:
    """Return whether a statement has the candidate's cells."""
    if known.size[one] != size:
        return False
    for k in range(size):
        if known.cells[one, k] != known.cells[known.n_kept, k]:
            return False
    return True


def find_statement(known: Statements, bucket: Int, size: Int) -> Int:
    """Return the statement with the candidate's cells, or -1."""
    one = known.bucket[bucket]
    while one >= 0 and not has_same_cells(known, one, size):
        one = known.next_in_bucket[one]
    return one


def append_statement(known: Statements, bucket: Int, size: Int) -> Int:
    """Keep the candidate as a new statement with trivial bounds; return it."""
    one = known.n_kept
    known.n_kept += 1
    known.size[one], known.low[one], known.high[one] = size, 0, size
    known.waits[one], known.met_at[one] = 0, 0
    known.next_in_bucket[one] = known.bucket[bucket]
    known.bucket[bucket] = one
    for k in range(size):
        cell = known.cells[one, k]
        known.next_with[one, k] = known.first_with[cell]
        known.first_with[cell] = one * PLACES + k
    return one


def make_statement(known: Statements, size: Int, low: Int, high: Int) -> None:
    """Add bounds on the mines among the candidate's cells, unless they are known already."""
    bucket = hash_cells(known, size)
    one = find_statement(known, bucket, size)
    if one < 0:
        one = append_statement(known, bucket, size)
    elif known.low[one] >= max(low, 0) and known.high[one] <= min(high, size):
        return
    known.low[one] = max(known.low[one], low)
    known.high[one] = min(known.high[one], high)
    if known.waits[one] == 0:
        known.waits[one] = 1
        known.ring[known.end] = one
        known.end = (known.end + 1) % MAX_STATEMENTS


def lies_within(known: Statements, smaller: Int, larger: Int) -> Flag:
    """Return whether the cells of one statement are a subset of a larger one's."""
    k: Int = 0
    size = known.size[larger]
    for i in range(known.size[smaller]):
        cell = known.cells[smaller, i]
        while k < size and known.cells[larger, k] < cell:
            k += 1
        if k == size or known.cells[larger, k] != cell:
            return False
    return True


def subtract_statement(known: Statements, smaller: Int, larger: Int) -> None:
    """Add the statement about a larger statement's cells without a smaller one's."""
    k: Int = 0
    size: Int = 0
    if known.n_kept + 1 >= MAX_STATEMENTS:
        return
    for i in range(known.size[larger]):
        cell = known.cells[larger, i]
        if k < known.size[smaller] and known.cells[smaller, k] == cell:
            k += 1
        else:
            known.cells[known.n_kept, size] = cell
            size += 1
    low, high = known.low[larger] - known.high[smaller], known.high[larger] - known.low[smaller]
    make_statement(known, size, low, high)


def compare_statement(known: Statements, one: Int) -> None:
    """Compare a statement with all its subsets and supersets."""
    place: Int
    other: Int
    known.turn += 1
    known.met_at[one] = known.turn
    for i in range(known.size[one]):
        place = known.first_with[known.cells[one, i]]
        while place >= 0:
            other = place // PLACES
            place = known.next_with[other, place % PLACES]
            if known.met_at[other] == known.turn:
                continue
            known.met_at[other] = known.turn
            if known.size[other] < known.size[one]:
                if lies_within(known, other, one):
                    subtract_statement(known, other, one)
            elif known.size[other] > known.size[one] and lies_within(known, one, other):
                subtract_statement(known, one, other)


def collect_joined_clues(known: Statements, proof: ProofState, board: Board, start: Int) -> Int:
    """Collect the clues that are connected to one through unknown cells, and mark them clean; return their number."""
    n_met: Int = 1
    at: Int = 0
    proof.stamp += 1
    proof.seen_at[start] = proof.stamp
    proof.met[0] = start
    while at < n_met:
        clue = proof.met[at]
        at += 1
        if proof.waits_joined[clue] == DIRTY:
            proof.waits_joined[clue] = CLEAN
        for k in range(board.degree[clue]):
            cell = board.table[clue, k]
            if proof.verdicts[cell] != UNKNOWN or proof.seen_at[cell] == proof.stamp:
                continue
            proof.seen_at[cell] = proof.stamp
            known.first_with[cell] = -1
            for i in range(board.degree[cell]):
                other = board.table[cell, i]
                if proof.verdicts[other] == OPEN and proof.seen_at[other] != proof.stamp:
                    proof.seen_at[other] = proof.stamp
                    proof.met[n_met] = other
                    n_met += 1
    return n_met


def state_clues(known: Statements, proof: ProofState, board: Board, n_clues: Int) -> None:
    """Make a statement of every collected clue."""
    size: Int
    for i in range(n_clues):
        if known.n_kept + 1 >= MAX_STATEMENTS:
            return
        clue = proof.met[i]
        size = 0
        for k in range(board.degree[clue]):
            if proof.verdicts[board.table[clue, k]] == UNKNOWN:
                known.cells[known.n_kept, size] = board.table[clue, k]
                size += 1
        make_statement(known, size, proof.need[clue], proof.need[clue])


def consolidate_clues(known: Statements, proof: ProofState, board: Board, n_clues: Int) -> Flag:
    """Apply the subset rule to the collected clues, to a fixpoint; return whether it settles a cell."""
    found: Flag = False
    empty_statements(known)
    state_clues(known, proof, board, n_clues)
    while known.front != known.end:
        one = known.ring[known.front]
        known.front = (known.front + 1) % MAX_STATEMENTS
        known.waits[one] = 0
        compare_statement(known, one)
    for one in range(known.n_kept):
        if known.high[one] != 0 and known.low[one] != known.size[one]:
            continue
        for k in range(known.size[one]):
            if proof.verdicts[known.cells[one, k]] == UNKNOWN:
                note_proved(proof, board, known.cells[one, k], SAFE if known.high[one] == 0 else MINE)
                found = True
    return found


def reason_by_subsets(known: Statements, proof: ProofState, board: Board) -> Flag:
    """Consolidate changed parts of the frontier until one settles a cell; return whether one does."""
    is_dirty: Flag
    while proof.n_joined > 0:
        proof.n_joined -= 1
        clue = proof.joined[proof.n_joined]
        is_dirty = proof.waits_joined[clue] == DIRTY and proof.left[clue] > 0
        proof.waits_joined[clue] = 0
        if is_dirty:
            n_clues = collect_joined_clues(known, proof, board, clue)
            if consolidate_clues(known, proof, board, n_clues):
                return True
    return False
