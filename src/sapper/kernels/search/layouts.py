"""The remaining layouts: every one that fits a position, what each shows, and sums over sets of them.

The unknown cells are assigned one after the other, and unassigned when a clue can no longer be met. The work is limited
by the number of layouts that there is room for.

Most of the work of a search is to sum over a set of layouts: in how many of them each cell is a mine, and where they
differ. What the layouts show is stored once more, layout by layout, in rows of whole blocks, since processors add a
block of cells at once. The sums are bytes, and are carried over before one of them can overflow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.codes import ANY_NUMBER, EXPLODED, MAX_DEGREE, MINE, MINED, TOO_MANY, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import *

BLOCK = 16  # cells that are summed at once


class EndgameSearch:
    """The memory of an endgame search: the remaining layouts, and what is known about sets of them.

    Python shares ``unknown``, ``shows`` and ``wins`` and reads the results there.
    """

    capacity: Public[Int]  # layouts
    max_exact: Public[Int]  # up to this many layouts every guess is searched; with more, the safest only

    # The remaining layouts.
    n_unknown: Public[Int]
    n_layouts: Public[Int]  # out; or TOO_MANY
    unknown: Ints  # (n,): the cells that may be mines or not; cells of the same clue are close together
    shows: ByteGrid  # (w, capacity): by unknown cell, up to w of them, and layout, the clue there or MINED
    taken: Ints  # (n,): 1 where a cell is listed already
    need: Ints  # (n,): mines that a clue still needs
    around: Ints  # (n,): unassigned cells around a clue
    place: Ints  # (n,): index of a cell in `unknown`, or -1
    assigned: Ints  # (n + 1,): by unknown cell, 1 for a mine and 0 for a safe cell; -1 before either was tried

    # The search: see endgame.py. A state is a range of `order`.
    n_shown: Int  # how many clues a cell may show
    images: ConstIntGrid  # (k, n): where each symmetry of the position takes the cells; the first moves nothing
    cell_keys: ConstLongGrid  # (n, 4): random numbers of 31 bits for each cell, for Zobrist hashing
    layout_keys: LongGrid  # (k, capacity): the Zobrist key of each layout and of each of its symmetric images
    order: Ints  # (capacity,): the layouts; those of one state are side by side
    spare: Ints  # (capacity,): scratch for sorting
    shown: Bytes  # (capacity,): scratch for sorting, by index in `order`
    begin: Ints  # (MAX_DEGREE + 3,): scratch for sorting, by what a cell shows
    ends: IntGrid  # (depth, MAX_DEGREE + 3): by depth and what the opened cell shows, where such layouts end
    lost: IntGrid  # (depth, w): by depth and guess, the layouts that have a mine there
    columns: IntGrid  # (depth, w): by depth and guess, its index in `unknown`
    live: IntGrid  # (depth + 1, w): by depth, the indices in `unknown` at which layouts may differ
    n_live: Ints  # (depth + 1,): how many there are
    wins: Ints  # (n,) out: by unknown cell, the layouts won by opening it first or an upper bound; -1: not tried

    # The sums of a state. There, w is larger by a block, so that the last one is whole.
    stride: Int  # bytes for each layout in `rows`
    rows: Bytes  # (capacity w,): the same as `shows`, layout by layout
    tally: Bytes  # (w,): scratch
    mined: Ints  # (w,): by index in `unknown`, in how many layouts there is a mine
    differs: Bytes  # (w,): the same; 0 where all layouts show the same

    # The transposition table.
    tt_size: Int  # slots in use, a power of two
    n_states: Public[Int]  # states in it
    is_full: Flag  # there was no room for another state, or the search was stopped
    stop: Public[Flag]  # set while a search runs: it ends as if the table were full
    tt_keys: Longs  # the hash of a state; 0 where empty
    tt_values: Ints  # twice its wins, plus one if they are exact and not an upper bound

    def __init__(
        self,
        unknown: NDArray[np.int32],
        shows: NDArray[np.int8],
        wins: NDArray[np.int32],
        table_size: Int,
        images: Any = None,
        max_exact: Any = None,
    ) -> None:
        """``table_size``, of the transposition table, is a power of two; without ``images`` there are no symmetries."""
        n, width, capacity = len(unknown), shows.shape[0], shows.shape[1]
        self.capacity, self.max_exact = capacity, capacity if max_exact is None else max_exact
        self.n_unknown, self.n_layouts = 0, 0
        self.n_shown, self.tt_size, self.n_states, self.is_full, self.stop = 0, 0, 0, False, False
        self.unknown, self.shows, self.wins = view(unknown), view(shows), view(wins)
        self.taken, self.need, self.around, self.place, self.assigned = ints(n), ints(n), ints(n), ints(n), ints(n + 1)
        if images is None:
            images = np.arange(n, dtype=np.int32)[np.newaxis]
        self.images = view(images)
        # The same keys every time.
        self.cell_keys = view(np.random.default_rng(0).integers(0, 2**31, (n, 4)))
        self.layout_keys = longs(len(images), capacity)
        self.order, self.spare, self.begin = ints(capacity), ints(capacity), ints(MAX_DEGREE + 3)
        self.shown, self.stride = small(capacity), 0
        # Every step down opens a cell and leaves fewer layouts.
        depth = min(width, capacity) + 2
        self.ends = ints(depth, MAX_DEGREE + 3)
        self.lost, self.columns = ints(depth, width), ints(depth, width)
        self.live, self.n_live = ints(depth + 1, width), ints(depth + 1)
        width += BLOCK
        self.rows, self.tally, self.differs, self.mined = (
            small(capacity * width),
            small(width),
            small(width),
            ints(width),
        )
        self.tt_keys, self.tt_values = longs(table_size), ints(table_size)


STEPS_PER_LAYOUT = 200


def is_known_mine(position: Position, cell: Int) -> Flag:
    """Whether a cell is certainly a mine."""
    seen = position.cells[cell]
    return seen == EXPLODED or (seen < 0 and position.settled[cell] == MINE)


def is_unknown(position: Position, cell: Int) -> Flag:
    """Whether a cell may be a mine or not."""
    return position.cells[cell] < 0 and position.settled[cell] == UNKNOWN


def list_cell(search: EndgameSearch, cell: Int) -> None:
    """Add a cell to the unknown ones."""
    search.taken[cell] = 1
    search.unknown[search.n_unknown] = cell
    search.n_unknown += 1


def list_around(search: EndgameSearch, board: Board, position: Position, centre: Int) -> None:
    """Add the unknown cells around a cell that are not listed yet."""
    for k in range(board.degree[centre]):
        cell = board.table[centre, k]
        if search.taken[cell] == 0 and is_unknown(position, cell):
            list_cell(search, cell)


def is_on_frontier(board: Board, position: Position, cell: Int) -> Flag:
    """Whether a clue touches a cell."""
    for k in range(board.degree[cell]):
        if position.cells[board.table[cell, k]] >= 0:
            return True
    return False


def order_unknown(search: EndgameSearch, board: Board, position: Position) -> None:
    """List the unknown cells, from clue to clue, and last those that no clue touches."""
    at: Int
    for cell in range(board.n_cells):
        search.taken[cell] = 0
    search.n_unknown = 0
    for turn in range(2):
        for start in range(board.n_cells):
            if search.taken[start] == 1 or not is_unknown(position, start):
                continue
            if turn == 0 and not is_on_frontier(board, position, start):
                continue
            at = search.n_unknown
            list_cell(search, start)
            while at < search.n_unknown:
                cell = search.unknown[at]
                at += 1
                for k in range(board.degree[cell]):
                    clue = board.table[cell, k]
                    if position.cells[clue] >= 0:
                        list_around(search, board, position, clue)


def count_left(board: Board, position: Position, total: Int) -> Int:
    """Return the number of mines in the unknown cells."""
    n_known: Int = 0
    for cell in range(board.n_cells):
        n_known += is_known_mine(position, cell)
    return total - n_known


def count_around(search: EndgameSearch, board: Board, position: Position) -> None:
    """Count for every clue the mines that it still needs, and the unknown cells around it."""
    n_mines: Int
    n_unknown: Int
    for cell in range(board.n_cells):
        if position.cells[cell] < 0:
            continue
        n_mines, n_unknown = 0, 0
        for k in range(board.degree[cell]):
            n_mines += is_known_mine(position, board.table[cell, k])
            n_unknown += is_unknown(position, board.table[cell, k])
        search.need[cell], search.around[cell] = position.cells[cell] - n_mines, n_unknown


def assign_cell(search: EndgameSearch, board: Board, position: Position, cell: Int, mine: Int, sign: Int) -> Flag:
    """Apply (``sign`` 1) or undo (-1) a cell's value in its clues; return whether they can still be met."""
    fits: Flag = True
    for k in range(board.degree[cell]):
        clue = board.table[cell, k]
        if position.cells[clue] >= 0:
            search.around[clue] -= sign
            search.need[clue] -= sign * mine
            fits &= 0 <= search.need[clue] <= search.around[clue]
    return fits


def enumerate_mines(search: EndgameSearch, board: Board, position: Position, left: Int, most: Int) -> Int:
    """Fill ``shows`` with zeros and ones for the mines, a layout to a row.

    Return how many layouts there are; TOO_MANY if there are more than ``most``, or more cells than there is room for.
    """
    fits: Flag
    any_number: Flag = left == ANY_NUMBER
    count: Int = 0
    n_steps: Int = 0
    at: Int = 0
    if search.n_unknown > search.shows.shape[0]:
        return TOO_MANY
    count_around(search, board, position)
    search.assigned[0] = -1
    while at >= 0:
        if at == search.n_unknown:
            if count == most:
                return TOO_MANY
            for k in range(search.n_unknown):
                search.shows[k, count] = search.assigned[k]
            count += 1
            at -= 1
            continue
        cell = search.unknown[at]
        if search.assigned[at] >= 0:
            assign_cell(search, board, position, cell, search.assigned[at], -1)
            left += search.assigned[at]
        search.assigned[at] += 1
        if search.assigned[at] == 2:
            at -= 1
            continue
        n_steps += 1
        if n_steps > STEPS_PER_LAYOUT * most:
            return TOO_MANY
        left -= search.assigned[at]
        fits = assign_cell(search, board, position, cell, search.assigned[at], 1)
        if fits and (any_number or 0 <= left < search.n_unknown - at):
            at += 1
            search.assigned[at] = -1
    return count


def enumerate_layouts(search: EndgameSearch, board: Board, position: Position, left: Int, most: Int) -> Int:
    """Enumerate the ways to put ``left`` mines, or ANY_NUMBER, into the unknown cells, up to ``most`` of them.

    Return their number, or TOO_MANY. The cells are all the unknown ones, or a part that neither a clue nor a
    border links to the others.
    """
    clue: Int
    count = enumerate_mines(search, board, position, left, most)
    search.n_layouts = count
    for cell in range(board.n_cells):
        search.place[cell] = -1
    for k in range(search.n_unknown):
        search.place[search.unknown[k]] = k
    for row in range(count):
        for k in range(search.n_unknown):
            search.assigned[k] = search.shows[k, row]
        for k in range(search.n_unknown):
            cell = search.unknown[k]
            clue = 0
            for j in range(board.degree[cell]):
                other = board.table[cell, j]
                if search.place[other] >= 0:
                    clue += search.assigned[search.place[other]]
                else:
                    clue += is_known_mine(position, other)
            search.shows[k, row] = MINED if search.assigned[k] == 1 else clue
    return count


@public
def list_remaining(search: EndgameSearch, board: Board, position: Position, left: Int) -> Int:
    """List the ways to put ``left`` mines, or ANY_NUMBER, into all unknown cells; return how many, or TOO_MANY.

    ``unknown`` and ``shows`` are left with the cells and with what each shows in each layout.
    """
    with unlocked:
        order_unknown(search, board, position)
        count = enumerate_layouts(search, board, position, left, search.capacity)
    return count


MAX_IN_BYTE = 127


def pack_rows(search: EndgameSearch) -> None:
    """Store what the layouts show, a row for each; the rest of its last block is zero."""
    base: Long = 0
    search.stride = (search.n_unknown + BLOCK - 1) // BLOCK * BLOCK
    for row in range(search.n_layouts):
        for k in range(search.stride):
            search.rows[base + k] = search.shows[k, row] if k < search.n_unknown else 0
        base += search.stride


def add_rows(
    rows: Bytes, order: Ints, tally: Bytes, differs: Bytes, stride: Int, start: Int, stop: Int, first: Long
) -> None:
    """Sum the mines of the rows in a range of ``order``, and mark where they differ from the row at ``first``."""
    # As arguments, the compiler may assume that the arrays do not overlap.
    base: Long
    for k in range(stride):
        tally[k] = 0
    for i in range(start, stop):
        base = order[i]
        base *= stride
        for k in range(stride):
            tally[k] += rows[base + k] == MINED
            differs[k] |= rows[base + k] ^ rows[first + k]


def tally_layouts(search: EndgameSearch, low: Int, high: Int) -> None:
    """Set ``mined`` and ``differs`` for a range of layouts."""
    stop: Int
    start: Int = low
    first: Long = search.order[low]
    first *= search.stride
    for k in range(search.stride):
        search.mined[k], search.differs[k] = 0, 0
    while start < high:
        stop = min(start + MAX_IN_BYTE, high)
        add_rows(search.rows, search.order, search.tally, search.differs, search.stride, start, stop, first)
        for k in range(search.stride):
            search.mined[k] += search.tally[k]
        start = stop
