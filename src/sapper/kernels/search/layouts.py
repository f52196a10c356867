"""Who decides: the memory of a player, by name. It holds the position of the game and the positions that are tried out.

Nothing is computed here. A player needs memory for a handful of boards; perfect play needs much more, by the number of
layouts (`Ending`).

The layouts that are left: every one that fits a position, and what each would show.

The unknown cells are decided one after the other, and taken back when a clue cannot be met any more. The work is
limited by the number of layouts that there is room for.

In how many layouts of a set each cell is a mine, and where they differ: most of the work of a search over layouts.

What the layouts show is laid out once more, layout by layout, in rows of whole blocks: processors add a block of cells
at once. So the sums are bytes, and are carried over before one of them can run over.

Linear in the layouts of the set times the unknown cells, whichever of them still matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sapper.kernels.codes import ANY_NUMBER, EXPLODED, MAX_DEGREE, MINE, MINED, TOO_MANY, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import (
    ByteGrid,
    Bytes,
    ConstIntGrid,
    ConstLongGrid,
    Flag,
    Int,
    IntGrid,
    Ints,
    Long,
    LongGrid,
    Longs,
    Public,
    inner,
    ints,
    longs,
    small,
    unlocked,
    value,
    view,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


BLOCK = 16  # cells that are counted at once: see tallies.py


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


DECISIONS_PER_LAYOUT = 200


@inner
def is_known_mine(position: Position, cell: Int) -> Flag:
    """Whether a cell is certainly a mine."""
    seen = position.cells[cell]
    return seen == EXPLODED or (seen < 0 and position.settled[cell] == MINE)


@inner
def is_unknown(position: Position, cell: Int) -> Flag:
    """Whether a cell may be a mine or not."""
    return position.cells[cell] < 0 and position.settled[cell] == UNKNOWN


@inner
def list_cell(end: Ending, cell: Int) -> None:
    """Add a cell to the unknown ones."""
    end.taken[cell] = 1
    end.unknown[end.n_unknown] = cell
    end.n_unknown += 1


@inner
def list_around(end: Ending, board: Board, position: Position, centre: Int) -> None:
    """Add the unknown cells around a cell that are not listed yet."""
    for k in range(board.degree[centre]):
        cell = board.table[centre, k]
        if end.taken[cell] == 0 and is_unknown(position, cell):
            list_cell(end, cell)


@inner
def is_on_frontier(board: Board, position: Position, cell: Int) -> Flag:
    """Whether a clue touches a cell."""
    for k in range(board.degree[cell]):
        if position.cells[board.table[cell, k]] >= 0:
            return True
    return False


@inner
def line_up(end: Ending, board: Board, position: Position) -> None:
    """List the unknown cells, going from clue to clue, and last those that no clue touches."""
    at: Int
    for cell in range(board.n_cells):
        end.taken[cell] = 0
    end.n_unknown = 0
    for turn in range(2):
        for start in range(board.n_cells):
            if end.taken[start] == 1 or not is_unknown(position, start):
                continue
            if turn == 0 and not is_on_frontier(board, position, start):
                continue
            at = end.n_unknown
            list_cell(end, start)
            while at < end.n_unknown:
                cell = end.unknown[at]
                at += 1
                for k in range(board.degree[cell]):
                    clue = board.table[cell, k]
                    if position.cells[clue] >= 0:
                        list_around(end, board, position, clue)


@inner
def count_left(board: Board, position: Position, total: Int) -> Int:
    """Return how many mines there are in the unknown cells."""
    n_known: Int = 0
    for cell in range(board.n_cells):
        n_known += is_known_mine(position, cell)
    return total - n_known


@inner
def count_around(end: Ending, board: Board, position: Position) -> None:
    """Note for every clue the mines that it still needs, and the unknown cells around it."""
    n_mines: Int
    n_unknown: Int
    for cell in range(board.n_cells):
        if position.cells[cell] < 0:
            continue
        n_mines, n_unknown = 0, 0
        for k in range(board.degree[cell]):
            n_mines += is_known_mine(position, board.table[cell, k])
            n_unknown += is_unknown(position, board.table[cell, k])
        end.need[cell], end.around[cell] = position.cells[cell] - n_mines, n_unknown


@inner
def decide_cell(end: Ending, board: Board, position: Position, cell: Int, mine: Int, sign: Int) -> Flag:
    """Tell the clues around a cell what was decided (sign 1), or take it back (-1); False if a clue cannot be met."""
    fits: Flag = True
    for k in range(board.degree[cell]):
        clue = board.table[cell, k]
        if position.cells[clue] >= 0:
            end.around[clue] -= sign
            end.need[clue] -= sign * mine
            fits &= 0 <= end.need[clue] <= end.around[clue]
    return fits


@inner
def list_mines(end: Ending, board: Board, position: Position, left: Int, most: Int) -> Int:
    """Fill ``shows`` with zeros and ones for the mines, a layout to a row.

    Return how many layouts there are; TOO_MANY if there are more than ``most``, or more cells than there is room for.
    """
    fits: Flag
    any_number: Flag = left == ANY_NUMBER
    count: Int = 0
    n_decisions: Int = 0
    at: Int = 0
    if end.n_unknown > end.shows.shape[0]:
        return TOO_MANY
    count_around(end, board, position)
    end.choice[0] = -1
    while at >= 0:
        if at == end.n_unknown:
            if count == most:
                return TOO_MANY
            for k in range(end.n_unknown):
                end.shows[k, count] = end.choice[k]
            count += 1
            at -= 1
            continue
        cell = end.unknown[at]
        if end.choice[at] >= 0:
            decide_cell(end, board, position, cell, end.choice[at], -1)
            left += end.choice[at]
        end.choice[at] += 1
        if end.choice[at] == 2:
            at -= 1
            continue
        n_decisions += 1
        if n_decisions > DECISIONS_PER_LAYOUT * most:
            return TOO_MANY
        left -= end.choice[at]
        fits = decide_cell(end, board, position, cell, end.choice[at], 1)
        if fits and (any_number or 0 <= left < end.n_unknown - at):
            at += 1
            end.choice[at] = -1
    return count


@inner
def list_what_shows(end: Ending, board: Board, position: Position, left: Int, most: Int) -> Int:
    """List the ways to put ``left`` mines, or ANY_NUMBER, into the unknown cells, up to ``most`` of them.

    Return how many they are, or TOO_MANY. The cells are all the unknown ones, or a part that neither a clue nor a
    border links to the others.
    """
    clue: Int
    count = list_mines(end, board, position, left, most)
    end.n_layouts = count
    for cell in range(board.n_cells):
        end.place[cell] = -1
    for k in range(end.n_unknown):
        end.place[end.unknown[k]] = k
    for row in range(count):
        for k in range(end.n_unknown):
            end.choice[k] = end.shows[k, row]
        for k in range(end.n_unknown):
            cell = end.unknown[k]
            clue = 0
            for j in range(board.degree[cell]):
                other = board.table[cell, j]
                if end.place[other] >= 0:
                    clue += end.choice[end.place[other]]
                else:
                    clue += is_known_mine(position, other)
            end.shows[k, row] = MINED if end.choice[k] == 1 else clue
    return count


def list_remaining(end: Ending, board: Board, position: Position, left: Int) -> Int:
    """List the ways to put ``left`` mines, or ANY_NUMBER, into all unknown cells; return how many, or TOO_MANY.

    ``unknown`` and ``shows`` are left with the cells and with what each shows in each layout.
    """
    with unlocked:
        line_up(end, board, position)
        count = list_what_shows(end, board, position, left, end.most)
    return count


MOST_IN_BYTE = 127


@inner
def lay_rows(end: Ending) -> None:
    """Lay out what the listed layouts show, a row for each; the rest of its last block is zero."""
    base: Long = 0
    end.stride = (end.n_unknown + BLOCK - 1) // BLOCK * BLOCK
    for row in range(end.n_layouts):
        for k in range(end.stride):
            end.rows[base + k] = end.shows[k, row] if k < end.n_unknown else 0
        base += end.stride


@inner
def add_rows(
    rows: Bytes, order: Ints, tally: Bytes, differs: Bytes, stride: Int, start: Int, stop: Int, first: Long
) -> None:
    """Count the mines of the rows in a stretch of ``order``, and note where they differ from the row at ``first``."""
    # The arrays are arguments of their own: else the compiler could not know that they do not overlap.
    base: Long
    for k in range(stride):
        tally[k] = 0
    for i in range(start, stop):
        base = order[i]
        base *= stride
        for k in range(stride):
            tally[k] += rows[base + k] == MINED
            differs[k] |= rows[base + k] ^ rows[first + k]


@inner
def tally_layouts(end: Ending, low: Int, high: Int) -> None:
    """Set ``mined`` and ``differs`` for the layouts of a stretch."""
    stop: Int
    start: Int = low
    first: Long = end.order[low]
    first *= end.stride
    for k in range(end.stride):
        end.mined[k], end.differs[k] = 0, 0
    while start < high:
        stop = min(start + MOST_IN_BYTE, high)
        add_rows(end.rows, end.order, end.tally, end.differs, end.stride, start, stop, first)
        for k in range(end.stride):
            end.mined[k] += end.tally[k]
        start = stop
