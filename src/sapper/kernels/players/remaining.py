"""The layouts that are left: every one that fits a position, and what each would show.

The unknown cells are decided one after the other, and taken back when a clue cannot be met any more. The work is
limited by the number of layouts that there is room for.
"""

from __future__ import annotations

from sapper.kernels.codes import ANY_NUMBER, EXPLODED, MINE, MINED, TOO_MANY, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Flag, Int, inner, unlocked
from sapper.kernels.players.player import Ending

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
