"""What a player notes down while it looks ahead: the candidates, what was read of a position, and where clues lead."""

from __future__ import annotations

from sapper.kernels.language import DoubleGrid, Doubles, Int, IntGrid, Ints, doubles, ints, value

# Found by play on other boards than those reported: see docs/strength.md.
N_FRONTIER = 10  # candidates on the frontier
N_OFF = 3  # and off it
N_FRONTIER_NEXT = 3  # the same for the guess after
N_OFF_NEXT = 1


@value
class Candidates:
    """A list of cells worth looking at, the best first."""

    cells: Ints  # (N_FRONTIER + N_OFF,)
    ranks: Doubles  # (N_FRONTIER + N_OFF,): what each of them was ranked by
    count: Int

    def __init__(self) -> None:
        self.cells, self.ranks, self.count = ints(N_FRONTIER + N_OFF), doubles(N_FRONTIER + N_OFF), 0


@value
class Reading:
    """What the engine has read of a position when single clues have settled what they can."""

    verdict: Ints  # (n,): UNKNOWN, SAFE, MINE or OPEN
    high: Ints  # (n,): of a clue, the mines among its unknown neighbours
    n_around: Ints  # (n,): of a clue, how many unknown neighbours it has
    clues: Ints  # (n,): the clues that have any, in order
    n_clues: Int
    n_unknown: Int  # closed cells, without flags that are trusted
    n_known: Int  # mines in plain sight, and such flags
    n_safe: Int  # cells that are settled as safe,
    n_mines: Int  # and as mines

    def __init__(self, n_cells: Int) -> None:
        self.verdict, self.high, self.n_around = ints(n_cells), ints(n_cells), ints(n_cells)
        self.clues, self.n_clues = ints(n_cells), 0
        self.n_unknown, self.n_known, self.n_safe, self.n_mines = 0, 0, 0, 0


@value
class Prospects:
    """What was found a step ahead, by candidate and clue: close candidates are followed further from there."""

    n_clues: Int  # that a cell may show
    first: Ints  # (c,): by candidate, the least clue that it may show,
    end: Ints  # (c,): one more than the greatest,
    looked: Ints  # (c,): and one more than the last that was looked into
    p_clue: DoubleGrid  # (c, clues): the chance of the clue, or IMPOSSIBLE
    log_weight: DoubleGrid  # (c, clues): logarithm of the weight of the position that it leads to
    worth: DoubleGrid  # (c, clues): what that position is worth
    n_next: IntGrid  # (c, clues): the guesses that may follow; 0 if something is safe

    # By position ahead, a row for each candidate and clue, and by guess that may follow.
    next_cell: IntGrid  # (c clues, g): the cell,
    next_safety: DoubleGrid  # (c clues, g): the chance that it is clear,
    next_first: IntGrid  # (c clues, g): the least clue that it may show,
    next_end: IntGrid  # (c clues, g): and one more than the greatest

    def __init__(self, n_clues: Int) -> None:
        n, n_next = N_FRONTIER + N_OFF, N_FRONTIER_NEXT + N_OFF_NEXT
        self.n_clues, self.first, self.end, self.looked = n_clues, ints(n), ints(n), ints(n)
        self.p_clue, self.log_weight, self.worth = doubles(n, n_clues), doubles(n, n_clues), doubles(n, n_clues)
        self.n_next, self.next_cell = ints(n, n_clues), ints(n * n_clues, n_next)
        self.next_safety = doubles(n * n_clues, n_next)
        self.next_first, self.next_end = ints(n * n_clues, n_next), ints(n * n_clues, n_next)
