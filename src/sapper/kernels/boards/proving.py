"""What single clues and pairs of clues prove, kept up to date while cells open: the notes of a player without guesses.

Every cell has a tally of the mines that its clue still needs and of the unknown cells around it. So the two rules of a
single clue cost two comparisons, and a cell that becomes known costs one visit to each neighbour. Zeros need no
cascade here: a clue without mines clears what is around it.
"""

from __future__ import annotations

from typing import Any

from sapper.kernels.codes import HIDDEN, MINE, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board
from sapper.kernels.language import Bytes, Flag, Int, Ints, inner, ints, value, view

# Whether a clue that waits to be consolidated still has news, or was consolidated along with another one.
DIRTY = 1
CLEAN = 2

LAST_WALK = 2_000_000_000  # walks are numbered anew before 32 bits run out


@value
class ProofState:
    """What the player knows about a board, and the clues that it has still to think about."""

    shown: Ints  # (n,): the clue that each cell shows when it is opened
    cells: Bytes  # (n,): what the player sees: HIDDEN or a clue
    verdicts: Ints  # (n,): what it knows: UNKNOWN, SAFE (to be opened), MINE or OPEN
    n_open: Int  # open cells

    # By cell.
    need: Ints  # mines that its clue still needs among the unknown cells around it
    left: Ints  # how many unknown cells these are
    waits_alone: Ints  # 1: it is in the stack `alone`
    waits_paired: Ints  # 1: it is in the stack `paired`
    waits_joined: Ints  # DIRTY or CLEAN: it is in the stack `joined`
    seen_at: Ints  # the stamp of the walk that last met it
    common: Ints  # unknown cells that it shares with the clue at hand

    # Stacks of cells, and their heights.
    alone: Ints  # clues to look at one by one
    n_alone: Int
    paired: Ints  # clues to compare with those that they overlap
    n_paired: Int
    joined: Ints  # clues to consolidate with everything that hangs together with them
    n_joined: Int
    to_open: Ints  # cells that are proved safe
    n_to_open: Int
    met: Ints  # clues met by the walk at hand
    stamp: Int  # the number of this walk

    def __init__(self, board: Board, shown: Any, cells: Any, verdicts: Any) -> None:
        n = board.n_cells
        self.shown, self.cells, self.verdicts = view(shown), view(cells), view(verdicts)
        self.need, self.left, self.common, self.seen_at = ints(n), ints(n), ints(n), ints(n)
        self.waits_alone, self.waits_paired, self.waits_joined = ints(n), ints(n), ints(n)
        self.alone, self.paired, self.joined = ints(n), ints(n), ints(n)
        self.to_open, self.met = ints(n), ints(n)
        self.n_open, self.n_alone, self.n_paired, self.n_joined, self.n_to_open = 0, 0, 0, 0, 0
        self.stamp = 0


@inner
def empty_stacks(proof: ProofState, board: Board) -> None:
    """Forget which clues have news."""
    for cell in range(board.n_cells):
        proof.waits_alone[cell] = 0
        proof.waits_paired[cell] = 0
        proof.waits_joined[cell] = 0
    proof.n_alone, proof.n_paired, proof.n_joined, proof.n_to_open = 0, 0, 0, 0


@inner
def enqueue(proof: ProofState, clue: Int) -> None:
    """Have a clue looked at, alone and beside others."""
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


@inner
def note_proved(proof: ProofState, board: Board, cell: Int, verdict: Int) -> None:
    """Note that an unknown cell is a mine, or safe and waits to be opened."""
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


@inner
def begin_proof(proof: ProofState, board: Board, first: Int) -> None:
    """Forget everything: all cells are hidden, and the first is safe."""
    for cell in range(board.n_cells):
        proof.need[cell] = proof.shown[cell]
        proof.left[cell] = board.degree[cell]
        proof.verdicts[cell] = UNKNOWN
    for cell in range(board.n_cells):
        proof.cells[cell] = HIDDEN
    proof.n_open = 0
    empty_stacks(proof, board)
    if proof.stamp > LAST_WALK:
        proof.stamp = 0
        for cell in range(board.n_cells):
            proof.seen_at[cell] = 0
    note_proved(proof, board, first, SAFE)


@inner
def review_proof(proof: ProofState, board: Board) -> None:
    """Forget what was deduced, but not what is open: the clues have changed."""
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


@inner
def open_proved(proof: ProofState) -> None:
    """Open everything that is proved safe."""
    while proof.n_to_open > 0:
        proof.n_to_open -= 1
        cell = proof.to_open[proof.n_to_open]
        proof.cells[cell] = proof.shown[cell]
        proof.verdicts[cell] = OPEN
        proof.n_open += 1
        enqueue(proof, cell)


@inner
def reason_alone(proof: ProofState, board: Board) -> None:
    """Apply the two rules of a single clue and open what they clear, until nothing changes."""
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


@inner
def is_beside(board: Board, cell: Int, other: Int) -> Flag:
    """Whether two cells touch."""
    for k in range(board.degree[cell]):
        if board.table[cell, k] == other:
            return True
    return False


@inner
def settle_overlap(proof: ProofState, board: Board, clue: Int, other: Int, shared: Flag, verdict: Int) -> None:
    """Note the verdict on the unknown cells that a clue shares with another clue, or on those that it does not."""
    for k in range(board.degree[clue]):
        cell = board.table[clue, k]
        if proof.verdicts[cell] == UNKNOWN and is_beside(board, cell, other) == shared:
            note_proved(proof, board, cell, verdict)


@inner
def compare_clues(proof: ProofState, board: Board, clue: Int, other: Int) -> Flag:
    """Settle what follows from the bounds on the mines that two clues share; return whether anything does."""
    found: Flag = False
    common, need1, need2 = proof.common[other], proof.need[clue], proof.need[other]
    own1, own2 = proof.left[clue] - common, proof.left[other] - common
    least = max(need1 - own1, need2 - own2, 0)
    most = min(need1, need2, common)
    if most == 0 or least == common:
        settle_overlap(proof, board, clue, other, True, SAFE if most == 0 else MINE)
        found = True
    if own1 > 0 and (need1 == least or need1 - most == own1):
        settle_overlap(proof, board, clue, other, False, SAFE if need1 == least else MINE)
        found = True
    if own2 > 0 and (need2 == least or need2 - most == own2):
        settle_overlap(proof, board, other, clue, False, SAFE if need2 == least else MINE)
        found = True
    return found


@inner
def meet_overlapping(proof: ProofState, board: Board, clue: Int) -> Int:
    """Collect the clues that share unknown cells with one, and count these cells; return how many clues there are."""
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


@inner
def reason_in_pairs(proof: ProofState, board: Board) -> Flag:
    """Compare clues that have news with those that they overlap, until one comparison settles something."""
    while proof.n_paired > 0:
        proof.n_paired -= 1
        clue = proof.paired[proof.n_paired]
        proof.waits_paired[clue] = 0
        if proof.left[clue] == 0:
            continue
        for i in range(meet_overlapping(proof, board, clue)):
            if compare_clues(proof, board, clue, proof.met[i]):
                # The rest of its neighbours count as news again.
                enqueue(proof, clue)
                return True
    return False
