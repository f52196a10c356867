"""Who decides: the memory of a player, by name. It holds the position of the game and the positions that are tried out.

Nothing is computed here. A player needs memory for a handful of boards; perfect play needs much more, by the number of
layouts (`Ending`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sapper.kernels.codes import MAX_DEGREE, OK
from sapper.kernels.engine.board import Board, Position, Question
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import (
    ByteGrid,
    Bytes,
    ConstIntGrid,
    ConstLongGrid,
    Double,
    Doubles,
    Flag,
    Int,
    IntGrid,
    Ints,
    LongGrid,
    Longs,
    Public,
    doubles,
    ints,
    longs,
    small,
    value,
    view,
)
from sapper.kernels.players.ahead.prospects import LONGEST_CHAIN, N_SAFEST, Candidates, Chain, Prospects, Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 16  # cells that are counted at once: see tallies.py

# Found by play on other boards than those reported: see docs/strength.md.
MOST_OUTSIDE = 3  # cells outside a swap, all of which would have to be mines: see swaps.py


@value
class Ending:
    """The memory of perfect play, or nearly so: the layouts that are left, and what is known about sets of them.

    Python shares ``unknown``, ``shows`` and ``wins`` and reads the results there.
    """

    most: Public[Int]  # layouts that there is room for
    perfect: Public[Int]  # so many are searched with every guess; more of them, with the safest guesses alone

    # The layouts that are left: see remaining.py.
    n_unknown: Public[Int]
    n_layouts: Public[Int]  # out; or TOO_MANY
    unknown: Ints  # (n,): the cells that may be mines or not; cells of the same clue are close together
    shows: ByteGrid  # (w, most): by unknown cell, of which there may be w, and layout, the clue there or MINED
    taken: Ints  # (n,): 1 where a cell is listed already
    need: Ints  # (n,): mines that a clue still needs
    around: Ints  # (n,): cells around a clue that are not decided yet
    place: Ints  # (n,): where a cell is in `unknown`, or -1
    choice: Ints  # (n + 1,): by unknown cell, 1 for a mine and 0 for a clear cell; -1 before either was tried

    # The search: see endgame.py. A state is a stretch of `order`.
    n_shown: Int  # how many clues a cell may show
    images: ConstIntGrid  # (k, n): where each symmetry of the position takes the cells; the first moves nothing
    numbers: ConstLongGrid  # (n, 4): random numbers of 31 bits for each cell
    marks: LongGrid  # (k, most): a number for each layout and each of its mirror images
    order: Ints  # (most,): the layouts; those of one state are side by side
    spare: Ints  # (most,): scratch of the sorting
    shown: Bytes  # (most,): scratch of the sorting, by place in `order`
    begin: Ints  # (MAX_DEGREE + 3,): scratch of the sorting, by what a cell shows
    ends: IntGrid  # (depth, MAX_DEGREE + 3): by depth and what the opened cell shows, where such layouts end
    lost: IntGrid  # (depth, w): by depth and guess, the layouts that have a mine there
    columns: IntGrid  # (depth, w): by depth and guess, its place in `unknown`
    live: IntGrid  # (depth + 1, w): by depth, the places in `unknown` at which layouts may differ
    n_live: Ints  # (depth + 1,): how many they are
    wins: Ints  # (n,) out: by unknown cell, the layouts won by opening it first or a bound from above; -1: not tried

    # The sums of a state: see tallies.py. There, w is larger by a block, so that the last one is whole.
    stride: Int  # bytes for each layout in `rows`
    rows: Bytes  # (most w,): the same as `shows`, layout by layout
    tally: Bytes  # (w,): scratch
    mined: Ints  # (w,): by place in `unknown`, in how many layouts there is a mine
    differs: Bytes  # (w,): the same; 0 where all layouts show the same

    # What is remembered about states, in a hash table.
    n_keys: Int  # the part of the table that is in use, a power of two
    n_states: Public[Int]  # states in it
    is_full: Flag  # it had no room for another state, or was stopped
    stop: Public[Flag]  # set while a search is going on: it ends as if there were no room
    keys: Longs  # the combined marks of a state; 0 where empty
    values: Ints  # twice its wins, plus one if they are exact and not just a bound from above

    def __init__(
        self,
        unknown: NDArray[np.int32],
        shows: NDArray[np.int8],
        wins: NDArray[np.int32],
        room: Int,
        images: Any = None,
        perfect: Any = None,
    ) -> None:
        """``room`` is the size of the hash table, a power of two; without ``images`` no two layouts are alike."""
        n, width, most = len(unknown), shows.shape[0], shows.shape[1]
        self.most, self.perfect = most, most if perfect is None else perfect
        self.n_unknown, self.n_layouts = 0, 0
        self.n_shown, self.n_keys, self.n_states, self.is_full, self.stop = 0, 0, 0, False, False
        self.unknown, self.shows, self.wins = view(unknown), view(shows), view(wins)
        self.taken, self.need, self.around, self.place, self.choice = ints(n), ints(n), ints(n), ints(n), ints(n + 1)
        if images is None:
            images = np.arange(n, dtype=np.int32)[np.newaxis]
        self.images = view(images)
        # Any numbers, but the same ones every time.
        self.numbers = view(np.random.default_rng(0).integers(0, 2**31, (n, 4)))
        self.marks = longs(len(images), most)
        self.order, self.spare, self.begin = ints(most), ints(most), ints(MAX_DEGREE + 3)
        self.shown, self.stride = small(most), 0
        # Every step down opens a cell and leaves fewer layouts.
        depth = min(width, most) + 2
        self.ends = ints(depth, MAX_DEGREE + 3)
        self.lost, self.columns = ints(depth, width), ints(depth, width)
        self.live, self.n_live = ints(depth + 1, width), ints(depth + 1)
        width += BLOCK
        self.rows, self.tally, self.differs, self.mined = small(most * width), small(width), small(width), ints(width)
        self.keys, self.values = longs(room), ints(room)


@value
class Player:
    """The engine and its question, the position of the game, and the positions that are tried out."""

    ws: Workspace
    board: Board
    asked: Question
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
        asked: Question,
        position: Position,
        ending: Any = None,
        scores: Any = None,
        relief: Any = None,
        further: Any = None,
    ) -> None:
        """``scores``, ``relief`` and ``further`` are there for Python to share."""
        n = board.n_cells
        self.ws, self.board, self.asked, self.position = ws, board, asked, position
        self.ending, self.most = ending, 0 if ending is None else ending.most
        self.log_now, self.status = 0.0, OK
        draft = np.zeros(n, dtype=np.int8)
        self.draft, self.ahead = view(draft), Position(draft, np.zeros(n, dtype=np.int8), np.zeros(n))
        self.now, self.then = Reading(n), Reading(n)
        self.living, self.dead, self.doubts = doubles(N_SAFEST), doubles(N_SAFEST), ints(MAX_DEGREE)
        self.candidates, self.next_candidates, self.prospects = Candidates(), Candidates(), Prospects(board.most + 1)
        self.relief = doubles(n) if relief is None else view(relief)
        self.scores = doubles(n) if scores is None else view(scores)
        self.further, self.near_best = doubles(n) if further is None else view(further), 1.0
        self.is_early, self.chain = False, Chain(n)
        self.swap, self.outside = ints(LONGEST_CHAIN), ints(MOST_OUTSIDE)
        self.beside, self.tells, self.told, self.tilt = ints(n), ints(n), ints(n), ints(n)
