"""From the cells of a position to boxes: what single clues settle, and what is left to sum.

Linear in the cells. Most of the time of an ordinary position is spent here and not in the summation, so the cheap
deductions come first and boxes are built only from what they leave.
"""

from __future__ import annotations

from sapper.kernels.codes import CONTRADICTION, EXPLODED, FLAG, HIDDEN, MINE, OK, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board, Position, Question
from sapper.kernels.engine.workspace import Frontier
from sapper.kernels.language import Flag, Int, inner


@inner
def bound_soft_clues(frontier: Frontier, board: Board, asked: Question, position: Position) -> None:
    """Replace each clue by the truths that may be behind it: the greatest, and how far below it the least lies."""
    for cell in range(board.n_cells):
        if position.cells[cell] < 0:
            continue
        least, greatest = -1, -2
        for truth in range(board.degree[cell] + 1):
            if asked.tables[cell, truth] > 0.0:
                greatest = truth
                if least < 0:
                    least = truth
        frontier.max_left[cell] = greatest
        frontier.max_truth[cell] = greatest
        frontier.slack[cell] = greatest - least


@inner
def take_known_mines(frontier: Frontier, board: Board, trust_flags: Flag, position: Position) -> tuple[Int, Int]:
    """Take exploded mines, and flags that are trusted, out of the clues around; return how many of each there are."""
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


@inner
def read_clues(frontier: Frontier, board: Board, asked: Question, position: Position) -> None:
    """Classify the cells and count around every clue.

    Loops without branches: which cell is open is anybody's guess, to a processor too.
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
    # Counting from the closed cells or from the open ones gives the same; the fewer are quicker.
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
    if asked.is_soft:
        bound_soft_clues(frontier, board, asked, position)
    frontier.n_unknown, frontier.n_known = n_closed, 0
    if n_special > 0:
        n_exploded, n_flags = take_known_mines(frontier, board, asked.trust_flags, position)
        frontier.n_unknown, frontier.n_known = n_closed - n_flags, n_exploded + n_flags


@inner
def gather_clues(frontier: Frontier, board: Board, is_soft: Flag, position: Position) -> tuple[Flag, Int]:
    """List the clues with unknown neighbours, and in the queue those to which a rule of a single clue applies.

    Returns whether a clue cannot hold, and how many are in the queue.
    """
    impossible: Int = 0
    n_clues: Int = 0
    n_waiting: Int = 0
    is_clue: Int
    is_left: Int
    for cell in range(board.n_cells):
        allow, left = frontier.max_left[cell], frontier.n_around[cell]
        need = allow - frontier.slack[cell] if is_soft else allow
        is_clue = position.cells[cell] >= 0
        is_left = is_clue & (left > 0)
        impossible |= is_clue & ((allow < 0) | (need > left))
        frontier.clue_of[n_clues] = cell
        n_clues += is_left
        frontier.queue[n_waiting] = cell
        n_waiting += is_left & ((allow == 0) | (need == left))
    frontier.clue_count = n_clues
    return impossible != 0, n_waiting


@inner
def clear_cell(frontier: Frontier, board: Board, is_soft: Flag, position: Position, cell: Int, n_waiting: Int) -> Int:
    """Note that a cell is safe; return how many clues are in the queue then, or -1 if one cannot hold any more."""
    impossible: Int = 0
    is_clue: Int
    frontier.verdict[cell] = SAFE
    for i in range(board.degree[cell]):
        other = board.table[cell, i]
        left = frontier.n_around[other] - 1
        frontier.n_around[other] = left
        need = frontier.max_left[other] - frontier.slack[other] if is_soft else frontier.max_left[other]
        is_clue = position.cells[other] >= 0
        impossible |= is_clue & (need > left)
        # Just now the last spare cell went. That happens once to a clue, and so does finding its last mine: the queue
        # never holds more than 2n.
        frontier.queue[n_waiting] = other
        n_waiting += is_clue & (need == left) & (left > 0)
    return -1 if impossible else n_waiting


@inner
def mark_mine(frontier: Frontier, board: Board, position: Position, cell: Int, n_waiting: Int) -> Int:
    """Note that a cell is a mine; return how many clues are in the queue then, or -1 if one cannot hold any more."""
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


@inner
def settle_waiting(frontier: Frontier, board: Board, is_soft: Flag, position: Position, n_waiting: Int) -> Int:
    """Apply the two rules of a single clue to the clues in the queue, and to those for which one begins to hold.

    A clue that allows no more mines clears its neighbours; one that needs all of them makes them mines. Cells that
    show no clue are counted along like clues: their tallies mean nothing and are never looked at. Returns a status.
    """
    is_clear: Flag
    while n_waiting > 0:
        n_waiting -= 1
        clue = frontier.queue[n_waiting]
        if frontier.n_around[clue] == 0:
            continue
        is_clear = frontier.max_left[clue] == 0
        for k in range(board.degree[clue]):
            cell = board.table[clue, k]
            if frontier.verdict[cell] != UNKNOWN:
                continue
            if is_clear:
                n_waiting = clear_cell(frontier, board, is_soft, position, cell, n_waiting)
                frontier.n_safe += 1
            else:
                n_waiting = mark_mine(frontier, board, position, cell, n_waiting)
                frontier.n_mines += 1
            if n_waiting < 0:
                return CONTRADICTION
    return OK


@inner
def settle_by_single_clues(frontier: Frontier, board: Board, is_soft: Flag, position: Position) -> Int:
    """Settle what single clues settle, to a fixpoint; return a status."""
    frontier.n_safe, frontier.n_mines = 0, 0
    impossible, n_waiting = gather_clues(frontier, board, is_soft, position)
    return CONTRADICTION if impossible else settle_waiting(frontier, board, is_soft, position, n_waiting)


@inner
def find_box(frontier: Frontier, first_box: Int, new_box: Int) -> Int:
    """Return the box, from ``first_box`` on, that the same clues touch as the new one, or -1."""
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


@inner
def build_boxes(frontier: Frontier, board: Board, position: Position) -> None:
    """Group the unknown cells around the clues that are left: those that the same clues touch share a box."""
    clue_count: Int = 0
    box_count: Int = 0
    cell_count: Int = 0
    n_touching: Int
    for i in range(frontier.clue_count):
        cell = frontier.clue_of[i]
        frontier.number_of[cell] = clue_count
        frontier.clue_of[clue_count] = cell
        frontier.n_boxes[clue_count] = 0
        clue_count += frontier.n_around[cell] > 0
    for clue in range(clue_count):
        # Cells that were not boxed before this clue have it as their first: only the boxes made here can fit.
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
                frontier.clues[box_count, n_touching] = frontier.number_of[other]
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


@inner
def tighten(frontier: Frontier, is_soft: Flag) -> Int:
    """Narrow the possible numbers of mines in each box, clue by clue, to a fixpoint; return a status.

    What the other boxes of a clue can hold bounds what this one must hold.
    """
    fewest: Int
    greatest: Int
    changed: Flag = True
    for box in range(frontier.box_count):
        frontier.least[box] = 0
        frontier.most[box] = frontier.size[box]
    while changed:
        changed = False
        for clue in range(frontier.clue_count):
            source = frontier.clue_of[clue]
            fewest = 0
            greatest = 0
            for i in range(frontier.n_boxes[clue]):
                fewest += frontier.least[frontier.boxes[clue, i]]
                greatest += frontier.most[frontier.boxes[clue, i]]
            allow = frontier.max_left[source]
            need = allow - frontier.slack[source] if is_soft else allow
            if greatest < need or fewest > allow:
                return CONTRADICTION
            if greatest <= allow and fewest >= need:
                continue
            for i in range(frontier.n_boxes[clue]):
                box = frontier.boxes[clue, i]
                at_least = need - (greatest - frontier.most[box])
                if at_least > frontier.least[box]:
                    fewest += at_least - frontier.least[box]
                    frontier.least[box] = at_least
                    changed = True
                at_most = allow - (fewest - frontier.least[box])
                if at_most < frontier.most[box]:
                    greatest -= frontier.most[box] - at_most
                    frontier.most[box] = at_most
                    changed = True
                if frontier.least[box] > frontier.most[box]:
                    return CONTRADICTION
    return OK


@inner
def flood_component(frontier: Frontier, first: Int, component: Int) -> Int:
    """Label all free boxes that a box is linked to through clues; return how many they are."""
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
                if frontier.component_of[other] < 0 and frontier.least[other] != frontier.most[other]:
                    frontier.component_of[other] = component
                    frontier.queue[n_waiting] = other
                    n_waiting += 1
                    n_members += 1
    return n_members


@inner
def split_components(frontier: Frontier) -> None:
    """Group the boxes that are not fixed into components; fixed boxes get the label -1.

    Component c has the boxes ``members[start[c]]`` to ``members[start[c + 1] - 1]``, ascending.
    """
    n_components: Int = 0
    for box in range(frontier.box_count):
        frontier.component_of[box] = -1
    frontier.start[0] = 0
    for first in range(frontier.box_count):
        if frontier.component_of[first] < 0 and frontier.least[first] != frontier.most[first]:
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
