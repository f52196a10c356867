"""The memory of a player: the engine, the position of the game, and scratch space for lookahead.

Nothing is computed here. A player needs memory for a handful of boards; endgame search needs much more, by the number
of layouts (`EndgameSearch`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sapper.kernels.codes import MAX_DEGREE, OK
from sapper.kernels.engine.board import Board, Position, Query
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import *
from sapper.kernels.search.layouts import EndgameSearch

# Tuned by play on other boards than those reported: see docs/strength.md.
N_FRONTIER_EARLY = 10  # candidates on the frontier while little is open,
N_FRONTIER = 20  # and later
N_OFF = 3  # candidates off the frontier,
N_BESIDE = 6  # and others right beside it, later or before there is an opening
N_CANDIDATES = N_FRONTIER + N_OFF + N_BESIDE
N_FRONTIER_NEXT = 4  # the same for the next guess
N_OFF_NEXT = 2
N_SAFEST = 3  # cells in the heuristic value of a position
MAX_EXCHANGE_CELLS = 8
MAX_EXCHANGES = 64  # in one position
MAX_OUTSIDE = 3  # cells outside an exchange, all of which would have to be mines: see exchanges.py


class Candidates:
    """A list of cells worth looking at, the best first."""

    cells: Ints  # (N_CANDIDATES,)
    ranks: Doubles  # (N_CANDIDATES,): what each of them was ranked by
    count: Int

    def __init__(self) -> None:
        self.cells, self.ranks, self.count = ints(N_CANDIDATES), doubles(N_CANDIDATES), 0


class Exchange:
    """An exchange under construction: see exchanges.py."""

    length: Int
    cells: Ints  # (MAX_EXCHANGE_CELLS,)
    side: Ints  # (n,): 1 or -1 for its cells, else 0
    imbalance: Ints  # (n,): how many more cells of side 1 than of side -1 a cell touches
    excess: Int  # how many more cells side 1 has than side -1
    p_one: Double  # estimated probability that side 1 is all mines,
    p_other: Double  # and side -1
    n_steps: Int  # from this first cell
    cell_keys: Longs  # (n,): Zobrist keys; the sum of some tells exchanges apart
    seen: Longs  # (MAX_EXCHANGES,): the keys of the exchanges of this position
    n_seen: Int

    def __init__(self, n_cells: Int) -> None:
        self.length, self.n_steps, self.n_seen = 0, 0, 0
        self.excess, self.p_one, self.p_other = 0, 1.0, 1.0
        self.cells, self.side, self.imbalance = ints(MAX_EXCHANGE_CELLS), ints(n_cells), ints(n_cells)
        self.cell_keys, self.seen = view(np.random.default_rng(0).integers(0, 2**58, n_cells)), longs(MAX_EXCHANGES)


class Snapshot:
    """The engine's reading of a position, once single clues have settled what they can."""

    verdict: Ints  # (n,): UNKNOWN, SAFE, MINE or OPEN
    high: Ints  # (n,): of a clue, the mines among its unknown neighbours
    n_around: Ints  # (n,): of a clue, how many unknown neighbours it has
    clues: Ints  # (n,): the clues that have any, in order
    n_clues: Int
    n_unknown: Int  # closed cells, without flags that are trusted
    n_known: Int  # visible mines, and such flags
    n_safe: Int  # cells that are settled as safe,
    n_mines: Int  # and as mines

    def __init__(self, n_cells: Int) -> None:
        self.verdict, self.high, self.n_around = ints(n_cells), ints(n_cells), ints(n_cells)
        self.clues, self.n_clues = ints(n_cells), 0
        self.n_unknown, self.n_known, self.n_safe, self.n_mines = 0, 0, 0, 0


class ClueTable:
    """What each clue of each candidate leads to: close candidates are followed further from there."""

    n_clues: Int  # that a cell may show
    first: Ints  # (c,): by candidate, the least clue that it may show,
    end: Ints  # (c,): one more than the greatest,
    n_filled: Ints  # (c,): and one more than the last in the table
    p_clue: DoubleGrid  # (c, clues): the probability of the clue; 0 if it contradicts others
    log_weight: DoubleGrid  # (c, clues): logarithm of the weight of the position that it leads to
    value: DoubleGrid  # (c, clues): heuristic value of that position
    n_next: IntGrid  # (c, clues): the guesses that may follow; 0 if something is safe

    # By row, candidate times clues plus clue, and next guess.
    next_cell: IntGrid  # (c clues, g): the cell,
    next_safety: DoubleGrid  # (c clues, g): the probability that it is safe,
    next_first: IntGrid  # (c clues, g): the least clue that it may show,
    next_end: IntGrid  # (c clues, g): and one more than the greatest

    def __init__(self, n_clues: Int) -> None:
        n, n_next = N_CANDIDATES, N_FRONTIER_NEXT + N_OFF_NEXT
        self.n_clues, self.first, self.end, self.n_filled = n_clues, ints(n), ints(n), ints(n)
        self.p_clue, self.log_weight, self.value = doubles(n, n_clues), doubles(n, n_clues), doubles(n, n_clues)
        self.n_next, self.next_cell = ints(n, n_clues), ints(n * n_clues, n_next)
        self.next_safety = doubles(n * n_clues, n_next)
        self.next_first, self.next_end = ints(n * n_clues, n_next), ints(n * n_clues, n_next)


class Player:
    """The engine, the question, the position of the game, the policy, and scratch space for lookahead."""

    ws: Workspace
    board: Board
    query: Query
    position: Position  # of the game
    log_weight: Public[Double]  # logarithm of its weight
    policy: Int  # LEAST_RISK, LOOKAHEAD or PAIRED_ROLLOUTS
    search: EndgameSearch  # None without endgame search
    max_layouts: Int  # that the search holds; 0 without one
    status: Public[Int]  # of the engine, where a decision failed

    # The decision.
    how: Public[Int]  # the policy, or the search, that chose the cell
    wins: Public[Int]  # of a search: the layouts that the cell wins,
    n_layouts: Public[Int]  # out of these
    n_games: Public[Int]  # rollouts with the cell; 0: none
    p_win: Public[Double]  # their mean value

    # A position ahead of the game: see clue_values.py.
    scratch_cells: Bytes  # (n,): the cells of `scratch`, writable
    scratch: Position
    snapshot: Snapshot  # of the position of the game
    next_snapshot: Snapshot  # of a position one clue ahead
    informative: Doubles  # (N_SAFEST,): the highest safe probabilities of informative cells,
    uninformative: Doubles  # (N_SAFEST,): and of the others
    unresolved: Ints  # (MAX_DEGREE,): undecided neighbours that leave a cell's clue open: see candidates.py

    # The choice among candidates: see lookahead.py.
    candidates: Candidates  # in the position of the game
    next_candidates: Candidates  # in the position ahead
    clue_table: ClueTable
    forced_loss_credit: Doubles  # (n,) out: one minus the probability to lose later by forced guesses the cell settles
    scores: Doubles  # (n,) out: of the candidates, their value one step ahead; an upper bound if that is poor
    deep_scores: Doubles  # (n,) out: of the close ones, their value one guess further; -1 for other candidates
    exact_above: Public[Double]  # this share of the best deep score, or more, is exact; less is an upper bound

    # Forced guesses: see exchanges.py.
    is_early: Flag  # little is open
    exchange: Exchange
    members: Ints  # (MAX_EXCHANGE_CELLS,): the cells of an exchange, first the mines and then the safe cells
    neighbour_of: Ints  # (n,): the last cell that had it as a neighbour, or -1
    observer_weight: Ints  # (n,): 1 if a cell may show a clue, more than MAX_OUTSIDE if it does, 0 if it is a mine
    n_observers: Ints  # (n,): the sum over the neighbours of an unknown cell
    imbalance: Ints  # (n,): how many more mines than safe cells of an exchange a cell touches; zero between calls
    outside: Ints  # (MAX_OUTSIDE,): the hidden cells that would observe it

    def __init__(
        self,
        ws: Workspace,
        board: Board,
        query: Query,
        position: Position,
        policy: Int,
        search: Any = None,
        scores: Any = None,
        forced_loss_credit: Any = None,
        deep_scores: Any = None,
    ) -> None:
        """Python may share the memory of ``scores``, ``forced_loss_credit`` and ``deep_scores``."""
        n = board.n_cells
        self.ws, self.board, self.query, self.position = ws, board, query, position
        self.search, self.max_layouts = search, 0 if search is None else search.capacity
        self.policy, self.log_weight, self.status = policy, 0.0, OK
        self.how, self.wins, self.n_layouts, self.n_games, self.p_win = policy, 0, 0, 0, 0.0
        cells = np.zeros(n, dtype=np.int8)
        self.scratch_cells, self.scratch = view(cells), Position(cells, np.zeros(n, dtype=np.int8), np.zeros(n))
        self.snapshot, self.next_snapshot = Snapshot(n), Snapshot(n)
        self.informative, self.uninformative = doubles(N_SAFEST), doubles(N_SAFEST)
        self.unresolved = ints(MAX_DEGREE)
        self.candidates, self.next_candidates = Candidates(), Candidates()
        self.clue_table = ClueTable(board.max_degree + 1)
        self.forced_loss_credit = doubles(n) if forced_loss_credit is None else view(forced_loss_credit)
        self.scores = doubles(n) if scores is None else view(scores)
        self.deep_scores, self.exact_above = doubles(n) if deep_scores is None else view(deep_scores), 1.0
        self.is_early, self.exchange = False, Exchange(n)
        self.members, self.outside = ints(MAX_EXCHANGE_CELLS), ints(MAX_OUTSIDE)
        self.neighbour_of, self.observer_weight, self.n_observers, self.imbalance = ints(n), ints(n), ints(n), ints(n)
