"""Statements consolidated against each other: if A lies within B, the rest of B holds b - a; compiled `subsets`.

Only the parts of the frontier that have news are looked at, each as a whole. The outcome is the fixpoint, which does
not depend on the order, so it is what `inference/reasoning/subsets.py` finds. Each statement lies within the neighbours
of some clue. There are tens of them as a rule, and each is compared only with those that share cells with it.
"""

from __future__ import annotations

from sapper.kernels.boards.proving import CLEAN, DIRTY, ProofState, note_proved
from sapper.kernels.codes import MAX_DEGREE, MINE, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board
from sapper.kernels.language import Flag, Int, IntGrid, Ints, inner, ints, value

N_BUCKETS = 1024
MAX_STATEMENTS = 8192  # frontiers of real games take hundreds
PLACES = MAX_DEGREE + 1  # a place is a statement and one of its cells: statement * PLACES + which


@value
class Statements:
    """What is known about the mines among some cells: at least so many and at most so many, for each set of cells."""

    # By statement. The cells of a new one are written behind the last, before it is decided whether to keep it.
    n_kept: Int
    cells: IntGrid  # (room, most): the cells that it is about, ascending as in the table of the board
    size: Ints  # how many they are
    low: Ints  # fewest mines among them
    high: Ints  # most mines among them
    met_at: Ints  # the turn in which it was last compared
    turn: Int  # comparisons of one statement with all others so far

    # Those with the same cells are found by a hash table of chains.
    bucket: Ints  # (N_BUCKETS,): the first statement in each bucket, or -1
    next_in_bucket: Ints  # by statement: the next one, or -1

    # Those that share a cell are found by a chain of places for each cell.
    first_with: Ints  # (n,): by cell: the first place that holds it, or -1
    next_with: IntGrid  # (room, most): by place: the next one that holds the same cell, or -1

    # A ring of statements that are still to be compared.
    waits: Ints  # 1: it is in the ring
    ring: Ints
    front: Int
    end: Int

    def __init__(self, board: Board) -> None:
        room, most = MAX_STATEMENTS, board.max_degree
        self.cells, self.next_with = ints(room, most), ints(room, most)
        self.size, self.low, self.high, self.met_at = ints(room), ints(room), ints(room), ints(room)
        self.bucket, self.next_in_bucket, self.first_with = ints(N_BUCKETS), ints(room), ints(board.n_cells)
        self.waits, self.ring = ints(room), ints(room)
        self.n_kept, self.turn, self.front, self.end = 0, 0, 0, 0


@inner
def empty_statements(known: Statements) -> None:
    """Forget all statements; cells are reset by those who meet them."""
    for i in range(N_BUCKETS):
        known.bucket[i] = -1
    known.n_kept, known.turn, known.front, known.end = 0, 0, 0, 0


@inner
def hash_cells(known: Statements, size: Int) -> Int:
    """Return the bucket of the cells behind the last statement."""
    bucket: Int = 0
    for k in range(size):
        bucket = (bucket * 31 + known.cells[known.n_kept, k]) % N_BUCKETS
    return bucket


@inner
def has_same_cells(known: Statements, one: Int, size: Int) -> Flag:
    """Whether a statement is about the cells behind the last statement."""
    if known.size[one] != size:
        return False
    for k in range(size):
        if known.cells[one, k] != known.cells[known.n_kept, k]:
            return False
    return True


@inner
def find_statement(known: Statements, bucket: Int, size: Int) -> Int:
    """Return the statement about the cells behind the last one, or -1."""
    one = known.bucket[bucket]
    while one >= 0 and not has_same_cells(known, one, size):
        one = known.next_in_bucket[one]
    return one


@inner
def append_statement(known: Statements, bucket: Int, size: Int) -> Int:
    """Keep the cells behind the last statement as a new one, about which nothing is known yet; return it."""
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


@inner
def make_statement(known: Statements, size: Int, low: Int, high: Int) -> None:
    """Note the bounds on the mines among the cells behind the last statement, unless they say nothing new."""
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


@inner
def lies_within(known: Statements, smaller: Int, larger: Int) -> Flag:
    """Whether the cells of one statement are among those of a larger one."""
    k: Int = 0
    size = known.size[larger]
    for i in range(known.size[smaller]):
        cell = known.cells[smaller, i]
        while k < size and known.cells[larger, k] < cell:
            k += 1
        if k == size or known.cells[larger, k] != cell:
            return False
    return True


@inner
def subtract_statement(known: Statements, smaller: Int, larger: Int) -> None:
    """State what is left of a statement without one that lies within it."""
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


@inner
def compare_statement(known: Statements, one: Int) -> None:
    """Compare a statement with all that lie within it or around it."""
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


@inner
def collect_joined_clues(known: Statements, proof: ProofState, board: Board, start: Int) -> Int:
    """Collect the clues that hang together with one through unknown cells, and return how many there are.

    None of them is news any more.
    """
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


@inner
def state_clues(known: Statements, proof: ProofState, board: Board, n_clues: Int) -> None:
    """Make a statement of every clue that was collected."""
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


@inner
def consolidate_clues(known: Statements, proof: ProofState, board: Board, n_clues: Int) -> Flag:
    """Draw every conclusion from the clues that were collected; return whether there is any."""
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


@inner
def reason_by_subsets(known: Statements, proof: ProofState, board: Board) -> Flag:
    """Consolidate the parts of the frontier that have news, until one of them yields something."""
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
