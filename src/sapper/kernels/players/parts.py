"""Parts of the board that have nothing to do with the rest, each played perfectly by itself.

Two unknown cells are linked if they are neighbours, since opening one tells about the other, or if one clue touches
both. What is not linked, directly or through others, meets only in the number of mines. A part that holds the same
number in every layout is cut off from that too: the chance to win is the product of its own and that of the rest, in
whatever order they are played.

Linear in the cells where nothing is cut off; else as perfect play in the part.
"""

from __future__ import annotations

from sapper.kernels.codes import ANY_NUMBER, MINED, NO_PART
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Flag, Int, inner, unlocked
from sapper.kernels.players.endgame import search_layouts
from sapper.kernels.players.player import Ending
from sapper.kernels.players.remaining import is_unknown, list_around, list_cell, list_what_shows


@inner
def gather_part(end: Ending, board: Board, position: Position, start: Int) -> Flag:
    """List the part of a cell; return whether clues touch all of its cells."""
    all_touched: Flag = True
    touched: Flag
    at: Int = 0
    end.n_unknown = 0
    list_cell(end, start)
    while at < end.n_unknown:
        cell = end.unknown[at]
        at += 1
        touched = False
        for k in range(board.degree[cell]):
            other = board.table[cell, k]
            if is_unknown(position, other):
                if end.taken[other] == 0:
                    list_cell(end, other)
            elif position.cells[other] >= 0:
                touched = True
                list_around(end, board, position, other)
        all_touched &= touched
    return all_touched


@inner
def holds_same_number(end: Ending) -> Flag:
    """Whether all layouts have the same number of mines."""
    n_mined: Int
    first: Int = -1
    for row in range(end.n_layouts):
        n_mined = 0
        for k in range(end.n_unknown):
            n_mined += end.shows[k, row] == MINED
        if first < 0:
            first = n_mined
        elif n_mined != first:
            return False
    return True


@inner
def pick_in_part(end: Ending, board: Board, position: Position, slack: Int) -> Int:
    """Return the best cell of the first part that is cut off and can be searched, or NO_PART. No cell may be safe.

    ``unknown`` and ``shows`` are left with the cells of that part and its layouts.
    """
    for cell in range(board.n_cells):
        end.taken[cell] = 0
    for start in range(board.n_cells):
        if end.taken[start] == 1 or not is_unknown(position, start):
            continue
        # A cell that no clue touches may be a mine or not, as the rest of the board has it.
        if not gather_part(end, board, position, start):
            continue
        count = list_what_shows(end, board, position, ANY_NUMBER, end.perfect)
        if count < 2 or not holds_same_number(end):
            continue
        chosen = search_layouts(end, board, slack)
        # Another part may be small enough where this one is not.
        if chosen >= 0:
            return chosen
    return NO_PART


def choose_in_part(end: Ending, board: Board, position: Position, slack: Int) -> Int:
    """Return the best cell of the first part that is cut off and can be searched, or NO_PART. No cell may be safe."""
    with unlocked:
        cell = pick_in_part(end, board, position, slack)
    return cell
