"""Finding layouts on which a player who reasons only so hard gets stuck, while a harder look goes on."""

from __future__ import annotations

from sapper.kernels.boards.clearing import BoardSearch, clear_from_first, clear_further
from sapper.kernels.boards.proving import Proof, is_beside, note_proved
from sapper.kernels.boards.repairing import lay_mines
from sapper.kernels.codes import MINE, OK, OPEN, UNKNOWN
from sapper.kernels.engine.board import Board
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Flag, Int, inner, unlocked


@inner
def find_punched(proof: Proof, board: Board, one: Int, two: Int) -> Int:
    """Return the only unknown cell that a clue of two touches and a clue of one does not, or -1."""
    found: Int = -1
    for k in range(board.degree[two]):
        cell = board.table[two, k]
        if proof.marks[cell] == UNKNOWN and not is_beside(board, cell, one):
            if found >= 0:
                return -1
            found = cell
    return found


@inner
def reason_by_one_two(proof: Proof, board: Board, cols: Int) -> Flag:
    """Look for a 1 beside a 2, known mines taken off; return whether that proved a mine.

    Clues are beside each other in a row or a column of a board with so many columns; with 1, wherever they touch.
    """
    found: Flag = False
    for one in range(board.n_cells):
        if proof.marks[one] != OPEN or proof.need[one] != 1 or proof.left[one] == 0:
            continue
        for k in range(board.degree[one]):
            two = board.table[one, k]
            if proof.marks[two] != OPEN or proof.need[two] != 2:
                continue
            if one // cols != two // cols and one % cols != two % cols:
                continue
            cell = find_punched(proof, board, one, two)
            if cell >= 0:
                note_proved(proof, board, cell, MINE)
                found = True
    return found


@inner
def get_stuck(ws: Workspace, board: Board, search: BoardSearch, cols: Int) -> Flag:
    """Clear the layout at hand as far as the level goes, with the one-two where ``cols`` is not 0; whether it ends."""
    if clear_from_first(ws, board, search):
        return False
    while cols > 0 and search.status == OK and reason_by_one_two(search.proof, board, cols):
        if clear_further(ws, board, search):
            return False
    return search.status == OK


@inner
def is_moment(ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int) -> Flag:
    """Whether the search gets stuck on the layout at hand, and reasoning as hard as ``beyond`` opens more.

    If so, the proof is left where it was stuck.
    """
    level: Int = search.level
    goes_on: Flag
    if not get_stuck(ws, board, search, cols):
        return False
    n_open: Int = search.proof.n_open
    search.level = beyond
    clear_further(ws, board, search)
    search.level = level
    goes_on = search.status == OK and search.proof.n_open > n_open
    if goes_on:
        get_stuck(ws, board, search, cols)
    return goes_on


@inner
def search_moments_on(
    ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int, most_tries: Int
) -> Flag:
    """Lay mines until there is a moment, so many times at most, or until the engine cannot go on."""
    found: Flag = False
    search.status = OK
    while search.n_tries < most_tries and not found:
        # Every try has random numbers of its own.
        lay_mines(search.draft, board, search.n_tries * search.draft.n_mines)
        found = is_moment(ws, board, search, beyond, cols)
        if search.status != OK:
            return False
        search.n_tries += 1
    return found


def search_moments(
    ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int, most_tries: Int
) -> tuple[Int, Flag]:
    """Lay mines until there is a moment, up to so many tries in all; return OK or a status of the engine, and success.

    With more room for the engine, the call can be made again: it begins with the try that it could not finish.
    """
    found: Flag
    with unlocked:
        found = search_moments_on(ws, board, search, beyond, cols, most_tries)
    return search.status, found
