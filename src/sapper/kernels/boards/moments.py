"""Finding layouts on which a player who reasons only so hard gets stuck, while a harder look goes on."""

from __future__ import annotations

from sapper.kernels.boards.noguess import BoardSearch, Draft, clear_further, place_mines
from sapper.kernels.boards.proving import ProofState, begin_proof, is_beside, note_proved, review_proof
from sapper.kernels.codes import MINE, OK, OPEN, SAFE, UNKNOWN
from sapper.kernels.engine.board import Board
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Flag, Int, Long, inner, unlocked

# Lucky guesses look at every so many-th cell, round and round: all over the board, so that no corner is preferred. A
# prime that no side of a board reaches, so that every cell has its turn.
STRIDE = 7919


@inner
def find_punched(proof: ProofState, board: Board, one: Int, two: Int) -> Int:
    """Return the only unknown cell that a clue of two touches and a clue of one does not, or -1."""
    found: Int = -1
    for k in range(board.degree[two]):
        cell = board.table[two, k]
        if proof.verdicts[cell] == UNKNOWN and not is_beside(board, cell, one):
            if found >= 0:
                return -1
            found = cell
    return found


@inner
def reason_by_one_two(proof: ProofState, board: Board, cols: Int) -> Flag:
    """Look for a 1 beside a 2, known mines taken off; return whether that proved a mine.

    Clues are beside each other in a row or a column of a board with so many columns; with 1, wherever they touch.
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


@inner
def clear_until_stuck(ws: Workspace, board: Board, search: BoardSearch, cols: Int) -> Flag:
    """Clear further as far as the level goes, with the one-two where ``cols`` is not 0; whether it gets stuck."""
    if clear_further(ws, board, search):
        return False
    while cols > 0 and search.status == OK and reason_by_one_two(search.proof, board, cols):
        if clear_further(ws, board, search):
            return False
    return search.status == OK


@inner
def open_by_luck(proof: ProofState, board: Board, draft: Draft, start: Int) -> None:
    """Open a cell that is clear and beside what is open, though nothing proves it, looking from ``start`` on."""
    turn: Long
    for place in range(board.n_cells):
        turn = (start + place) % board.n_cells
        cell: Int = turn * STRIDE % board.n_cells
        if proof.verdicts[cell] == UNKNOWN and draft.mines[cell] == 0:
            for k in range(board.degree[cell]):
                if proof.verdicts[board.table[cell, k]] == OPEN:
                    note_proved(proof, board, cell, SAFE)
                    return


@inner
def get_stuck(ws: Workspace, board: Board, search: BoardSearch, cols: Int, n_guesses: Int) -> Flag:
    """Clear the layout at hand from its first cell, through so many lucky guesses; return whether it gets stuck."""
    begin_proof(search.proof, board, search.first)
    for _ in range(n_guesses):
        if not clear_until_stuck(ws, board, search, cols):
            return False
        open_by_luck(search.proof, board, search.draft, search.n_tries)
    return clear_until_stuck(ws, board, search, cols)


@inner
def goes_beyond(ws: Workspace, board: Board, search: BoardSearch, beyond: Int) -> Flag:
    """Whether reasoning as hard as this opens more."""
    level: Int = search.level
    n_open: Int = search.proof.n_open
    search.level = beyond
    clear_further(ws, board, search)
    search.level = level
    return search.status == OK and search.proof.n_open > n_open


@inner
def is_moment(ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int) -> Flag:
    """Whether the search gets stuck on the layout at hand, and reasoning as hard as ``beyond`` opens more.

    If so, the proof is left where it was stuck. Where harder reasoning is stuck too, a lucky guess leads on: most
    layouts are spent on coming this far, and there are more moments behind.
    """
    n_guesses: Int = 0
    n_open: Int
    is_stuck: Flag = get_stuck(ws, board, search, cols, 0)
    while is_stuck:
        if goes_beyond(ws, board, search, beyond):
            return get_stuck(ws, board, search, cols, n_guesses)
        if search.status != OK:
            return False
        # Harder reasoning may have found mines, which nobody at the level knows.
        review_proof(search.proof, board)
        n_open = search.proof.n_open
        open_by_luck(search.proof, board, search.draft, search.n_tries)
        n_guesses += 1
        is_stuck = clear_until_stuck(ws, board, search, cols) and search.proof.n_open > n_open
    return False


@inner
def search_moments_on(ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int, max_tries: Int) -> Flag:
    """Lay mines until there is a moment, so many times at most, or until the engine cannot go on."""
    found: Flag = False
    search.status = OK
    while search.n_tries < max_tries and not found:
        # Every try has random numbers of its own.
        place_mines(search.draft, board, search.n_tries * search.draft.n_mines)
        found = is_moment(ws, board, search, beyond, cols)
        if search.status != OK:
            return False
        search.n_tries += 1
    return found


def search_moments(
    ws: Workspace, board: Board, search: BoardSearch, beyond: Int, cols: Int, max_tries: Int
) -> tuple[Int, Flag]:
    """Lay mines until there is a moment, up to so many tries in all; return OK or a status of the engine, and success.

    With more room for the engine, the call can be made again: it begins with the try that it could not finish.
    """
    found: Flag
    with unlocked:
        found = search_moments_on(ws, board, search, beyond, cols, max_tries)
    return search.status, found
