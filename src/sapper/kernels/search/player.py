"""What a player notes down while it looks ahead: the candidates, what was read of a position, and where clues lead.

Who decides: the memory of a player, by name. It holds the position of the game and the positions that are tried out.

Nothing is computed here. A player needs memory for a handful of boards; perfect play needs much more, by the number of
layouts (`Ending`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sapper.kernels.codes import MAX_DEGREE, OK
from sapper.kernels.engine.board import Board, Position, Query
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import (
    Bytes,
    Double,
    DoubleGrid,
    Doubles,
    Flag,
    Int,
    IntGrid,
    Ints,
    Longs,
    Public,
    doubles,
    ints,
    longs,
    value,
    view,
)
from sapper.kernels.search.layouts import Ending

if TYPE_CHECKING:
    pass


# Found by play on other boards than those reported: see docs/strength.md.
N_FRONTIER_EARLY = 10  # candidates on the frontier while little is open,
N_FRONTIER = 20  # and later
N_OFF = 3  # candidates off it,
N_BESIDE = 6  # and others that lie right beside it, later or before there is an opening
N_CANDIDATES = N_FRONTIER + N_OFF + N_BESIDE
N_FRONTIER_NEXT = 4  # the same for the guess after
N_OFF_NEXT = 2
N_SAFEST = 3  # cells by which a position ahead is judged
LONGEST_CHAIN = 8  # cells
MOST_CHAINS = 64  # in one position


@value
class Candidates:
    """A list of cells worth looking at, the best first."""

    cells: Ints  # (N_CANDIDATES,)
    ranks: Doubles  # (N_CANDIDATES,): what each of them was ranked by
    count: Int

    def __init__(self) -> None:
        self.cells, self.ranks, self.count = ints(N_CANDIDATES), doubles(N_CANDIDATES), 0


@value
class Chain:
    """A chain in the making: see chains.py."""

    length: Int
    cells: Ints  # (LONGEST_CHAIN,)
    side: Ints  # (n,): 1 or -1 for its cells, else 0
    lean: Ints  # (n,): how many more cells of the one side than of the other a cell touches
    clue: Ints  # (LONGEST_CHAIN + 1,): by length, the clue that leans, or -1
    excess: Ints  # (LONGEST_CHAIN + 1,): by length, how many more cells the one side has than the other
    tried: Ints  # (LONGEST_CHAIN + 1,): by length, how many cells were tried as the next one
    one_way: Doubles  # (LONGEST_CHAIN + 1,): by length, roughly the chance that the one side is mined,
    other_way: Doubles  # (LONGEST_CHAIN + 1,): and that the other side is
    n_steps: Int  # from this first cell
    numbers: Longs  # (n,): a number for every cell, by which chains are told apart
    known: Longs  # (MOST_CHAINS,): a number for every chain of this position
    n_known: Int

    def __init__(self, n_cells: Int) -> None:
        n = LONGEST_CHAIN + 1
        self.length, self.n_steps, self.n_known = 0, 0, 0
        self.cells, self.clue, self.tried, self.excess = ints(n), ints(n), ints(n), ints(n)
        self.side, self.lean = ints(n_cells), ints(n_cells)
        self.one_way, self.other_way = doubles(n), doubles(n)
        # Any numbers, but the same ones every time; the sum of some of them is hardly ever the sum of others.
        self.numbers, self.known = view(np.random.default_rng(0).integers(0, 2**58, n_cells)), longs(MOST_CHAINS)


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
        n, n_next = N_CANDIDATES, N_FRONTIER_NEXT + N_OFF_NEXT
        self.n_clues, self.first, self.end, self.looked = n_clues, ints(n), ints(n), ints(n)
        self.p_clue, self.log_weight, self.worth = doubles(n, n_clues), doubles(n, n_clues), doubles(n, n_clues)
        self.n_next, self.next_cell = ints(n, n_clues), ints(n * n_clues, n_next)
        self.next_safety = doubles(n * n_clues, n_next)
        self.next_first, self.next_end = ints(n * n_clues, n_next), ints(n * n_clues, n_next)


# Found by play on other boards than those reported: see docs/strength.md.
MOST_OUTSIDE = 3  # cells outside a swap, all of which would have to be mines: see swaps.py


@value
class Player:
    """The engine and its question, the position of the game, and the positions that are tried out."""

    ws: Workspace
    board: Board
    query: Query
    position: Position  # as the game stands
    ending: Ending  # None if `most` is 0
    most: Int  # play is perfect with at most this many layouts; 0: always the least risk
    log_now: Public[Double]  # logarithm of the weight of the position
    status: Public[Int]  # of the engine, where a decision failed

    # The position ahead, at the moment: see ahead/judging.py.
    draft: Bytes  # (n,): the name under which its cells can be written
    ahead: Position
    now: Reading  # of the position of the game
    then: Reading  # of a position one clue ahead
    living: Doubles  # (N_SAFEST,): the best safeties of cells that are not dead,
    dead: Doubles  # (N_SAFEST,): and of those that are
    doubts: Ints  # (MAX_DEGREE,): cells around one that leave it open what that would show: see ahead/dead.py

    # The choice among candidates: see ahead/lookahead.py.
    candidates: Candidates  # of the position of the game
    next_candidates: Candidates  # of the position ahead
    prospects: Prospects
    relief: Doubles  # (n,) out: one minus the chance to lose later by guesses that the cell settles
    scores: Doubles  # (n,) out: of the candidates, what each is worth a step ahead; a bound from above if that is poor
    further: Doubles  # (n,) out: the same for the close ones, a guess further; -1 for other candidates
    near_best: Public[Double]  # so many times the best of these, or more, is known exactly; less is a bound from above

    # Swaps: see ahead/swaps.py and ahead/chains.py.
    is_early: Flag  # whether little is open
    chain: Chain
    swap: Ints  # (LONGEST_CHAIN,): the cells of a swap, first the mines and then the clear cells
    beside: Ints  # (n,): the cell that had it as a neighbour last, or -1
    tells: Ints  # (n,): 1 if a cell may show a clue, more than MOST_OUTSIDE if it shows one, 0 if it is a mine
    told: Ints  # (n,): the same, added up over the neighbours of an unknown cell
    tilt: Ints  # (n,): how many more mines than clear cells of a swap a cell touches; zero between calls
    outside: Ints  # (MOST_OUTSIDE,): the hidden cells that would tell

    def __init__(
        self,
        ws: Workspace,
        board: Board,
        query: Query,
        position: Position,
        ending: Any = None,
        scores: Any = None,
        relief: Any = None,
        further: Any = None,
    ) -> None:
        """``scores``, ``relief`` and ``further`` are there for Python to share."""
        n = board.n_cells
        self.ws, self.board, self.query, self.position = ws, board, query, position
        self.ending, self.most = ending, 0 if ending is None else ending.most
        self.log_now, self.status = 0.0, OK
        draft = np.zeros(n, dtype=np.int8)
        self.draft, self.ahead = view(draft), Position(draft, np.zeros(n, dtype=np.int8), np.zeros(n))
        self.now, self.then = Reading(n), Reading(n)
        self.living, self.dead, self.doubts = doubles(N_SAFEST), doubles(N_SAFEST), ints(MAX_DEGREE)
        self.candidates, self.next_candidates, self.prospects = (
            Candidates(),
            Candidates(),
            Prospects(board.max_degree + 1),
        )
        self.relief = doubles(n) if relief is None else view(relief)
        self.scores = doubles(n) if scores is None else view(scores)
        self.further, self.near_best = doubles(n) if further is None else view(further), 1.0
        self.is_early, self.chain = False, Chain(n)
        self.swap, self.outside = ints(LONGEST_CHAIN), ints(MOST_OUTSIDE)
        self.beside, self.tells, self.told, self.tilt = ints(n), ints(n), ints(n), ints(n)
