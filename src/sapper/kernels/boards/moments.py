"""Find layouts on which one reasoning level gets stuck while a harder level makes progress."""

from __future__ import annotations

from sapper.kernels.boards.noguess import BoardSearch, Draft, clear_further, place_mines
from sapper.kernels.boards.proving import ProofState, begin_proof, is_beside, note_proved, review_proof
from sapper.kernels.codes import MINE, OK, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import *

# Lucky guesses visit the cells in steps of this size, so that no corner is preferred. It is a prime greater than any
# side of a board, so that every cell is visited.
STRIDE = 7919


def find_punched(proof: ProofState, board: Board, one: Int, two: Int) -> Int:
    """Return the only unknown neighbour of clue ``two`` that is not a neighbour of clue ``one``, or -1."""
    found: Int = -1
    for k in range(board.degree[two]):
        cell = board.table[two, k]
        if proof.verdicts[cell] == UNKNOWN and not is_beside(board, cell, one):
            if found >= 0:
                return -1
            found = cell
    return found


def reason_by_one_two(proof: ProofState, board: Board, cols: Int) -> Flag:
    """Look for a 1 next to a 2, after subtracting known mines; return whether that proves a mine.

    The clues are neighbours in a row or a column of a board with ``cols`` columns; with 1, in any direction.
    """
    found: Flag = False
    for one in range(board.n_cells):
        if proof.verdicts[one] != OPEN or proof.need[one] != 1 or proof.left[one] == 0:
            continue
        for k in range(board.degree[one]):
            two = board.table[one, k]
            if proof.verdicts[two] != OPEN or proof.need[two] != 2:
                continue
            if one // cols != two // cols and one % cols != two % cols:
                continue
            cell = find_punched(proof, board, one, two)
            if cell >= 0:
                note_proved(proof, board, cell, MINE)
                found = True
    return found


def clear_until_stuck(ws: Workspace, board: Board, search: BoardSearch, cols: Int) -> Flag:
    """Clear as far as the level goes, with the one-two unless ``cols`` is 0; return whether it gets stuck."""
    if clear_further(ws, board, search):
        return False
    while cols > 0 and search.status == OK and reason_by_one_two(search.proof, board, cols):
        if clear_further(ws, board, search):
            return False
    return search.status == OK


def open_by_luck(proof: ProofState, board: Board, draft: Draft, start: Int) -> None:
    """Open a safe cell next to an open one without proof, visiting cells from ``start`` on."""
    visit: Long
    for place in range(board.n_cells):
        visit = (start + place) % board.n_cells
        cell: Int = visit * STRIDE % board.n_cells
        if proof.verdicts[cell] == UNKNOWN and draft.mines[cell] == 0:
            for k in range(board.degree[cell]):
                if proof.verdicts[board.table[cell, k]] == OPEN:
                    note_proved(proof, board, cell, SAFE)
                    return


def get_stuck(ws: Workspace, board: Board, search: BoardSearch, cols: Int, n_guesses: Int) -> Flag:
    """Clear the current layout from its first cell with ``n_guesses`` lucky guesses; return whether it gets stuck."""
    begin_proof(search.proof, board, search.first)
    for _ in range(n_guesses):
        if not clear_until_stuck(ws, board, search, cols):
            return False
        open_by_luck(search.proof, board, search.draft, search.n_tries)
    return clear_until_stuck(ws, board, search, cols)


def goes_beyond(ws: Workspace, board: Board, search: BoardSearch, beyond: Int) -> Flag:
    """Return whether reasoning at level ``beyond`` opens more cells."""
    level: Int = search.level
    n_open: Int = search.proof.n_open
    search.level = beyond
    clear_further(ws, board, search)
    search.level = level
    return search.status == OK and search.proof.n_open > n_open


def is_moment(ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int) -> Flag:
    """Return whether the search gets stuck on the current layout while level ``beyond`` opens more cells.

    If so, the proof is left where it got stuck. Where the harder level is stuck too, a lucky guess continues: reaching
    this point took most of the work, and later positions may qualify.
    """
    n_guesses: Int = 0
    n_open: Int
    is_stuck: Flag = get_stuck(ws, board, search, cols, 0)
    while is_stuck:
        if goes_beyond(ws, board, search, beyond):
            return get_stuck(ws, board, search, cols, n_guesses)
        if search.status != OK:
            return False
        # The harder level may have found mines that the easier one does not know.
        review_proof(search.proof, board)
        n_open = search.proof.n_open
        open_by_luck(search.proof, board, search.draft, search.n_tries)
        n_guesses += 1
        is_stuck = clear_until_stuck(ws, board, search, cols) and search.proof.n_open > n_open
    return False


def search_moments_on(ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int, max_tries: Int) -> Flag:
    """Try layouts until there is a moment, ``max_tries`` are made or the engine needs more room."""
    found: Flag = False
    search.status = OK
    while search.n_tries < max_tries and not found:
        # Every try has its own random numbers.
        place_mines(search.draft, board, search.n_tries * search.draft.n_mines)
        found = is_moment(ws, board, search, beyond, cols)
        if search.status != OK:
            return False
        search.n_tries += 1
    return found


@public
def search_moments(
    ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int, max_tries: Int
) -> tuple[Int, Flag]:
    """Try layouts until there is a moment or ``max_tries`` are made; return the engine's status, and success.

    After the status MORE_ROOM the call can be repeated with larger pools. It resumes with the unfinished try.
    """
    found: Flag
    with unlocked:
        found = search_moments_on(ws, board, search, beyond, cols, max_tries)
    return search.status, found
