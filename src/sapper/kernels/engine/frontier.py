"""From cells to components: settle what single clues settle, then group the rest into boxes and components.

Linear in the cells. Ordinary positions spend most of their time here, not in the sums. So cheap deductions come first,
and boxes are built only from the cells that these leave.
"""

from __future__ import annotations

from sapper.kernels.codes import CONTRADICTION, EXPLODED, FLAG, HIDDEN, MINE, OK, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board, Position, Query
from sapper.kernels.engine.workspace import Frontier
from sapper.kernels.language import *


def bound_noisy_clues(frontier: Frontier, board: Board, query: Query, position: Position) -> None:
    """Replace each clue by the range of truths that it may stand for: the maximum and the slack below it."""
    for cell in range(board.n_cells):
        if position.cells[cell] < 0:
            continue
        least, greatest = -1, -2
        for truth in range(board.degree[cell] + 1):
            if query.likelihood[cell, truth] > 0.0:
                greatest = truth
                if least < 0:
                    least = truth
        frontier.max_left[cell] = greatest
        frontier.max_truth[cell] = greatest
        frontier.slack[cell] = greatest - least


def subtract_known_mines(frontier: Frontier, board: Board, trust_flags: Flag, position: Position) -> tuple[Int, Int]:
    """Subtract exploded mines and trusted flags from the clues around; return the number of each."""
    n_exploded: Int = 0
    n_flags: Int = 0
    trusted: Flag
    for cell in range(board.n_cells):
        trusted = trust_flags and position.cells[cell] == FLAG
        if not (trusted or position.cells[cell] == EXPLODED):
            continue
        if trusted:
            n_flags += 1
            frontier.verdict[cell] = MINE
        else:
            n_exploded += 1
        for k in range(board.degree[cell]):
            clue = board.table[cell, k]
            frontier.max_left[clue] -= 1
            if trusted:
                frontier.n_around[clue] -= 1
    return n_exploded, n_flags


def read_clues(frontier: Frontier, board: Board, query: Query, position: Position) -> None:
    """Classify the cells and count the unknown cells around every clue.

    Branch-free loops: open cells defeat branch prediction.
    """
    n_closed: Int = 0
    n_special: Int = 0
    count: Int
    closed: Int
    code: Int
    n = board.n_cells
    for cell in range(n):
        code = position.cells[cell]
        closed = (code == HIDDEN) | (code == FLAG)
        frontier.verdict[cell] = UNKNOWN if closed else OPEN
        frontier.max_left[cell] = code
        frontier.n_around[cell] = 0
        frontier.box_of[cell] = -1
        n_closed += closed
        n_special += (code == FLAG) | (code == EXPLODED)
    # Count from the hidden cells or from the open ones, whichever are fewer.
    if 2 * n_closed < n:
        for cell in range(n):
            if frontier.verdict[cell] == UNKNOWN:
                for k in range(board.degree[cell]):
                    frontier.n_around[board.table[cell, k]] += 1
    else:
        for cell in range(n):
            if frontier.verdict[cell] == OPEN:
                count = 0
                for k in range(board.degree[cell]):
                    count += frontier.verdict[board.table[cell, k]] == UNKNOWN
                frontier.n_around[cell] = count
    if query.is_noisy:
        bound_noisy_clues(frontier, board, query, position)
    frontier.n_unknown, frontier.n_known = n_closed, 0
    if n_special > 0:
        n_exploded, n_flags = subtract_known_mines(frontier, board, query.trust_flags, position)
        frontier.n_unknown, frontier.n_known = n_closed - n_flags, n_exploded + n_flags


def gather_clues(frontier: Frontier, board: Board, is_noisy: Flag, position: Position) -> tuple[Flag, Int]:
    """Collect the clues with unknown neighbours, and enqueue those to which a single-clue rule applies.

    Returns whether a clue is violated, and the length of the queue.
    """
    impossible: Int = 0
    n_clues: Int = 0
    n_waiting: Int = 0
    is_clue: Int
    is_left: Int
    for cell in range(board.n_cells):
        allow, left = frontier.max_left[cell], frontier.n_around[cell]
        need = allow - frontier.slack[cell] if is_noisy else allow
        is_clue = position.cells[cell] >= 0
        is_left = is_clue & (left > 0)
        impossible |= is_clue & ((allow < 0) | (need > left))
        frontier.clue_of[n_clues] = cell
        n_clues += is_left
        frontier.queue[n_waiting] = cell
        n_waiting += is_left & ((allow == 0) | (need == left))
    frontier.clue_count = n_clues
    return impossible != 0, n_waiting


def mark_safe(frontier: Frontier, board: Board, is_noisy: Flag, position: Position, cell: Int, n_waiting: Int) -> Int:
    """Record that a cell is safe; return the new length of the queue, or -1 if a clue is violated."""
    impossible: Int = 0
    is_clue: Int
    frontier.verdict[cell] = SAFE
    for i in range(board.degree[cell]):
        other = board.table[cell, i]
        left = frontier.n_around[other] - 1
        frontier.n_around[other] = left
        need = frontier.max_left[other] - frontier.slack[other] if is_noisy else frontier.max_left[other]
        is_clue = position.cells[other] >= 0
        impossible |= is_clue & (need > left)
        # A clue loses its last spare cell once and gets its last mine once, so the queue never exceeds 2n.
        frontier.queue[n_waiting] = other
        n_waiting += is_clue & (need == left) & (left > 0)
    return -1 if impossible else n_waiting


def mark_mine(frontier: Frontier, board: Board, position: Position, cell: Int, n_waiting: Int) -> Int:
    """Record that a cell is a mine; return the new length of the queue, or -1 if a clue is violated."""
    impossible: Int = 0
    is_clue: Int
    frontier.verdict[cell] = MINE
    for i in range(board.degree[cell]):
        other = board.table[cell, i]
        left, allow = frontier.n_around[other] - 1, frontier.max_left[other] - 1
        frontier.n_around[other] = left
        frontier.max_left[other] = allow
        is_clue = position.cells[other] >= 0
        impossible |= is_clue & (allow < 0)
        frontier.queue[n_waiting] = other
        n_waiting += is_clue & (allow == 0) & (left > 0)
    return -1 if impossible else n_waiting


def settle_waiting(frontier: Frontier, board: Board, is_noisy: Flag, position: Position, n_waiting: Int) -> Int:
    """Apply the two single-clue rules to the clues in the queue, and to those that join it; return a status.

    If a clue allows no more mines, its unknown neighbours are safe; if it needs all of them, they are mines. Counts are
    kept for cells without a clue too, and ignored.
    """
    is_safe: Flag
    while n_waiting > 0:
        n_waiting -= 1
        clue = frontier.queue[n_waiting]
        if frontier.n_around[clue] == 0:
            continue
        is_safe = frontier.max_left[clue] == 0
        for k in range(board.degree[clue]):
            cell = board.table[clue, k]
            if frontier.verdict[cell] != UNKNOWN:
                continue
            if is_safe:
                n_waiting = mark_safe(frontier, board, is_noisy, position, cell, n_waiting)
                frontier.n_safe += 1
            else:
                n_waiting = mark_mine(frontier, board, position, cell, n_waiting)
                frontier.n_mines += 1
            if n_waiting < 0:
                return CONTRADICTION
    return OK


def settle_by_single_clues(frontier: Frontier, board: Board, is_noisy: Flag, position: Position) -> Int:
    """Apply the single-clue rules to a fixpoint; return a status."""
    frontier.n_safe, frontier.n_mines = 0, 0
    impossible, n_waiting = gather_clues(frontier, board, is_noisy, position)
    return CONTRADICTION if impossible else settle_waiting(frontier, board, is_noisy, position, n_waiting)


def uncover(frontier: Frontier, board: Board, position: Position, cell: Int, n_waiting: Int) -> Int:
    """Take an unknown cell that was opened from the clues around it; return the new length of the queue."""
    frontier.verdict[cell] = SAFE
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        left = frontier.n_around[other] - 1
        frontier.n_around[other] = left
        # As in `mark_safe`; clues that were opened too are still to be read.
        frontier.queue[n_waiting] = other
        n_waiting += (
            (frontier.verdict[other] == OPEN)
            & (position.cells[other] >= 0)
            & (frontier.max_left[other] == left)
            & (left > 0)
        )
    return n_waiting


def read_opened(frontier: Frontier, board: Board, position: Position, cell: Int) -> None:
    """Read the clue of a cell that was opened."""
    left: Int = 0
    allow: Int = position.cells[cell]
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        left += frontier.verdict[other] == UNKNOWN
        allow -= (frontier.verdict[other] == MINE) | (position.cells[other] == EXPLODED)
    frontier.verdict[cell] = OPEN
    frontier.n_around[cell], frontier.max_left[cell] = left, allow


def read_changes(frontier: Frontier, board: Board, position: Position) -> Int:
    """Read the safe cells that were opened since the position was read or changed, and settle what follows.

    The result is what reading all of it would give, for a fraction of the time. Only for exact clues. Returns a status.
    """
    n_waiting: Int = 0
    n_clues: Int = 0
    is_left: Int
    for i in range(frontier.cell_count):
        frontier.box_of[frontier.cells[i]] = -1
    frontier.cell_count = 0
    for cell in range(board.n_cells):
        if position.cells[cell] >= 0 and frontier.verdict[cell] != OPEN:
            frontier.n_unknown -= 1
            if frontier.verdict[cell] == SAFE:
                frontier.n_safe -= 1
            else:
                n_waiting = uncover(frontier, board, position, cell, n_waiting)
    for cell in range(board.n_cells):
        if position.cells[cell] >= 0 and frontier.verdict[cell] != OPEN:
            read_opened(frontier, board, position, cell)
            allow, left = frontier.max_left[cell], frontier.n_around[cell]
            frontier.queue[n_waiting] = cell
            n_waiting += (left > 0) & ((allow == 0) | (allow == left))
        is_left = (position.cells[cell] >= 0) & (frontier.n_around[cell] > 0)
        frontier.clue_of[n_clues] = cell
        n_clues += is_left
    frontier.clue_count = n_clues
    return settle_waiting(frontier, board, False, position, n_waiting)


def find_box(frontier: Frontier, first_box: Int, new_box: Int) -> Int:
    """Return the box, from ``first_box`` on, that is touched by the same clues as the new one, or -1."""
    same: Int
    n_touching = frontier.n_clues[new_box]
    for box in range(first_box, new_box):
        if frontier.n_clues[box] != n_touching:
            continue
        same = 1
        for i in range(n_touching):
            same &= frontier.clues[box, i] == frontier.clues[new_box, i]
        if same:
            return box
    return -1


def build_boxes(frontier: Frontier, board: Board, position: Position) -> None:
    """Group the unknown cells around the remaining clues: cells touched by the same clues share a box."""
    clue_count: Int = 0
    box_count: Int = 0
    cell_count: Int = 0
    n_touching: Int
    for i in range(frontier.clue_count):
        cell = frontier.clue_of[i]
        frontier.clue_index[cell] = clue_count
        frontier.clue_of[clue_count] = cell
        frontier.n_boxes[clue_count] = 0
        clue_count += frontier.n_around[cell] > 0
    for clue in range(clue_count):
        # Cells without a box have this clue as their first, so only boxes made for this clue can match.
        first_box = box_count
        source = frontier.clue_of[clue]
        for k in range(board.degree[source]):
            cell = board.table[source, k]
            if frontier.verdict[cell] != UNKNOWN or frontier.box_of[cell] >= 0:
                continue
            frontier.cells[cell_count] = cell
            cell_count += 1
            n_touching = 0
            for i in range(board.degree[cell]):
                other = board.table[cell, i]
                frontier.clues[box_count, n_touching] = frontier.clue_index[other]
                n_touching += position.cells[other] >= 0
            frontier.n_clues[box_count] = n_touching
            found = find_box(frontier, first_box, box_count)
            if found >= 0:
                frontier.box_of[cell] = found
                frontier.size[found] += 1
                continue
            frontier.box_of[cell] = box_count
            frontier.size[box_count] = 1
            for i in range(n_touching):
                touching = frontier.clues[box_count, i]
                frontier.boxes[touching, frontier.n_boxes[touching]] = box_count
                frontier.n_boxes[touching] += 1
            box_count += 1
    frontier.clue_count, frontier.box_count, frontier.cell_count = clue_count, box_count, cell_count


def tighten(frontier: Frontier, is_noisy: Flag) -> Int:
    """Propagate bounds on the mines of each box, clue by clue, to a fixpoint; return a status.

    The bounds of a clue's other boxes bound this one.
    """
    fewest: Int
    greatest: Int
    changed: Flag = True
    for box in range(frontier.box_count):
        frontier.min_mines[box] = 0
        frontier.max_mines[box] = frontier.size[box]
    while changed:
        changed = False
        for clue in range(frontier.clue_count):
            source = frontier.clue_of[clue]
            fewest = 0
            greatest = 0
            for i in range(frontier.n_boxes[clue]):
                fewest += frontier.min_mines[frontier.boxes[clue, i]]
                greatest += frontier.max_mines[frontier.boxes[clue, i]]
            allow = frontier.max_left[source]
            need = allow - frontier.slack[source] if is_noisy else allow
            if greatest < need or fewest > allow:
                return CONTRADICTION
            if greatest <= allow and fewest >= need:
                continue
            for i in range(frontier.n_boxes[clue]):
                box = frontier.boxes[clue, i]
                at_least = need - (greatest - frontier.max_mines[box])
                if at_least > frontier.min_mines[box]:
                    fewest += at_least - frontier.min_mines[box]
                    frontier.min_mines[box] = at_least
                    changed = True
                at_most = allow - (fewest - frontier.min_mines[box])
                if at_most < frontier.max_mines[box]:
                    greatest -= frontier.max_mines[box] - at_most
                    frontier.max_mines[box] = at_most
                    changed = True
                if frontier.min_mines[box] > frontier.max_mines[box]:
                    return CONTRADICTION
    return OK


def flood_component(frontier: Frontier, first: Int, component: Int) -> Int:
    """Assign a component to all free boxes that clues connect with a box; return the number of boxes."""
    n_waiting: Int = 1
    n_members: Int = 1
    frontier.component_of[first] = component
    frontier.queue[0] = first
    while n_waiting > 0:
        n_waiting -= 1
        box = frontier.queue[n_waiting]
        for i in range(frontier.n_clues[box]):
            clue = frontier.clues[box, i]
            for k in range(frontier.n_boxes[clue]):
                other = frontier.boxes[clue, k]
                if frontier.component_of[other] < 0 and frontier.min_mines[other] != frontier.max_mines[other]:
                    frontier.component_of[other] = component
                    frontier.queue[n_waiting] = other
                    n_waiting += 1
                    n_members += 1
    return n_members


def split_components(frontier: Frontier) -> None:
    """Group the free boxes into components; the component of a fixed box is -1.

    Component c has the boxes ``members[start[c]]`` to ``members[start[c + 1] - 1]``, ascending.
    """
    n_components: Int = 0
    for box in range(frontier.box_count):
        frontier.component_of[box] = -1
    frontier.start[0] = 0
    for first in range(frontier.box_count):
        if frontier.component_of[first] < 0 and frontier.min_mines[first] != frontier.max_mines[first]:
            frontier.start[n_components + 1] = frontier.start[n_components] + flood_component(
                frontier, first, n_components
            )
            n_components += 1
    for component in range(n_components):
        frontier.queue[component] = frontier.start[component]
    for box in range(frontier.box_count):
        if frontier.component_of[box] >= 0:
            frontier.members[frontier.queue[frontier.component_of[box]]] = box
            frontier.queue[frontier.component_of[box]] += 1
    frontier.component_count = n_components
