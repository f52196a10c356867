"""Endgame search: the cell that wins the most of the remaining layouts.

A state of knowledge is a set of layouts, a range of ``order``. Opening a cell loses the layouts with a mine there and
splits the others by the clue that it shows; cells that are safe in all of them are opened at once, which can only help,
so the set alone is the state. States are stored in a transposition table by Zobrist hashing (Zobrist 1970): the keys of
their layouts, of 62 bits, are combined, so that two sets among a million collide with a probability of one in a
million. Sets that are symmetric images of each other, under symmetries that leave the position as it is, are one state
too. As in alpha-beta search, ``alpha`` is the number of wins to beat: a result of at most ``alpha`` is only an upper
bound.

With more layouts than `EndgameSearch.max_exact` this is a beam search: while a set is large, only its safest guesses
are tried. Its wins are a lower bound, and its first guess is hardly ever worse than the best.

A part of the board is searched by itself if it has nothing to do with the rest. Two unknown cells are linked if they
are neighbours, since opening one says something about the other, or if one clue touches both. What is not linked,
directly or through others, meets only in the number of mines. A part that holds the same number in every layout is
separate from that too: win chances multiply, in whatever order the parts are played.

Exponential at worst; linear in the cells to find that no part is separate.
"""

from __future__ import annotations

from sapper.kernels.codes import ANY_NUMBER, MINED, NO_CHOICE, NO_PART, NO_ROOM, TOO_MANY
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import *
from sapper.kernels.search.layouts import (
    EndgameSearch,
    count_left,
    enumerate_layouts,
    is_unknown,
    list_around,
    list_cell,
    order_unknown,
    pack_rows,
    tally_layouts,
)

NOT_KNOWN = -1  # wins of a state that is not in the table

MIN_TT_SIZE = 64

# Beam search tries every guess in sets of up to ALL_GUESSES layouts, the three safest up to THREE_GUESSES, and the two
# safest in larger ones. Tuned by regret: see docs/decisions/0007-how-the-strongest-player-decides.md.
ALL_GUESSES = 20
THREE_GUESSES = 200


def hash_layouts(search: EndgameSearch) -> None:
    """Compute Zobrist keys for layouts and their symmetric images."""
    a: Long
    b: Long
    c: Long
    d: Long
    for image in range(search.images.shape[0]):
        for row in range(search.n_layouts):
            a, b, c, d = 0, 0, 0, 0
            for k in range(search.n_unknown):
                if search.shows[k, row] == MINED:
                    cell = search.images[image, search.unknown[k]]
                    a ^= search.cell_keys[cell, 0]
                    b ^= search.cell_keys[cell, 1]
                    c ^= search.cell_keys[cell, 2]
                    d ^= search.cell_keys[cell, 3]
            # Products, because set hashes combine keys by exclusive or: keys made by that alone would cancel.
            search.layout_keys[image, row] = (a * b) ^ (c * d)


def set_hash(search: EndgameSearch, low: Int, high: Int) -> Long:
    """Return the hash of a set of layouts: the least of those of its symmetric images."""
    least: Long = 0
    key: Long
    for image in range(search.layout_keys.shape[0]):
        key = 0
        for i in range(low, high):
            key ^= search.layout_keys[image, search.order[i]]
        if image == 0 or key < least:
            least = key
    # 0 is an empty slot.
    return least + 1


def tt_slot(search: EndgameSearch, key: Long) -> Long:
    """Return the slot of a state, or the empty one for it."""
    slot: Long = key & (search.tt_size - 1)
    while search.tt_keys[slot] != 0 and search.tt_keys[slot] != key:
        slot = (slot + 1) & (search.tt_size - 1)
    return slot


def tt_probe(search: EndgameSearch, key: Long, alpha: Int) -> Int:
    """Return the stored wins of a state, if they are exact or at most ``alpha``; else NOT_KNOWN."""
    slot = tt_slot(search, key)
    if search.tt_keys[slot] == 0:
        return NOT_KNOWN
    wins = search.tt_values[slot] >> 1
    return wins if search.tt_values[slot] & 1 == 1 or wins <= alpha else NOT_KNOWN


def tt_store(search: EndgameSearch, key: Long, wins: Int, exact: Flag) -> None:
    """Store a state in the transposition table, or set ``is_full``."""
    slot = tt_slot(search, key)
    if search.tt_keys[slot] == 0:
        if 2 * search.n_states >= search.tt_size:
            search.is_full = True
            return
        search.n_states += 1
        search.tt_keys[slot] = key
    search.tt_values[slot] = 2 * wins + (1 if exact else 0)


def sort_layouts(search: EndgameSearch, low: Int, high: Int, column: Int, depth: Int) -> None:
    """Sort a range of layouts by what they show in a column, mines first, then zeros and so on; fill ``ends``."""
    for group in range(search.n_shown + 2):
        search.begin[group] = 0
    for i in range(low, high):
        # A mine is -1.
        search.shown[i] = search.shows[column, search.order[i]] + 1
        search.begin[search.shown[i] + 1] += 1
    search.begin[0] = low
    for group in range(1, search.n_shown + 2):
        search.begin[group] += search.begin[group - 1]
        search.ends[depth, group - 1] = search.begin[group]
    for i in range(low, high):
        search.spare[search.begin[search.shown[i]]] = search.order[i]
        search.begin[search.shown[i]] += 1
    for i in range(low, high):
        search.order[i] = search.spare[i]


def insert_guess(search: EndgameSearch, depth: Int, count: Int, n_mined: Int, column: Int) -> None:
    """Insert a guess after those of ``count`` that lose no more layouts."""
    place: Int = count
    while place > 0 and search.lost[depth, place - 1] > n_mined:
        search.lost[depth, place] = search.lost[depth, place - 1]
        search.columns[depth, place] = search.columns[depth, place - 1]
        place -= 1
    search.lost[depth, place] = n_mined
    search.columns[depth, place] = column


def list_guesses(search: EndgameSearch, low: Int, high: Int, depth: Int) -> tuple[Int, Int]:
    """List the cells that are mines in some layouts of a state, safest first; return their number, and -1.

    If a safe cell is informative, return 0 and its column instead. Columns in which all layouts show the same are left
    out further down.
    """
    n_found: Int = 0
    n_live: Int = 0
    safe: Int = -1
    tally_layouts(search, low, high)
    for k in range(search.n_live[depth]):
        column = search.live[depth, k]
        if search.differs[column] == 0:
            continue
        search.live[depth + 1, n_live] = column
        n_live += 1
        if safe < 0 and search.mined[column] == 0:
            safe = column
        elif safe < 0:
            insert_guess(search, depth, n_found, search.mined[column], column)
            n_found += 1
    search.n_live[depth + 1] = n_live
    return n_found if safe < 0 else 0, safe


def win_by_opening(
    search: EndgameSearch, column: Int, low: Int, n_mined: Int, high: Int, alpha: Int, depth: Int
) -> Int:
    """Return how many layouts of a range are won by opening a cell that is a mine in ``n_mined`` of them."""
    start: Int = low + n_mined
    group: Int = 0
    won: Int = 0
    sort_layouts(search, low, high, column, depth)
    while start < high and won + high - start > alpha:
        group += 1
        stop = search.ends[depth, group]
        if stop > start:
            won += count_wins(search, start, stop, alpha - won - (high - stop), depth + 1)
        if search.is_full:
            return 0
        start = stop
    return won + high - start


def beam_width(search: EndgameSearch, n_layouts: Int, n_guesses: Int) -> Int:
    """Return how many guesses of a state with ``n_layouts`` are tried, the safest first."""
    if search.n_layouts <= search.max_exact or n_layouts <= ALL_GUESSES:
        return n_guesses
    return min(n_guesses, 3 if n_layouts <= THREE_GUESSES else 2)


def win_by_guessing(search: EndgameSearch, low: Int, high: Int, alpha: Int, n_guesses: Int, depth: Int) -> Int:
    """Return how many layouts the best of the guesses wins."""
    best: Int = max(0, alpha)
    upper: Int = 0
    for turn in range(n_guesses):
        n_mined = search.lost[depth, turn]
        # The others lose as many or more.
        if turn > 0 and high - low - n_mined <= best:
            upper = max(upper, high - low - n_mined)
            break
        won = win_by_opening(search, search.columns[depth, turn], low, n_mined, high, best, depth)
        if search.is_full:
            return 0
        best, upper = max(best, won), max(upper, won)
    # Above alpha the best is exact: columns were only given up when they could not exceed it.
    return best if best > alpha else min(upper, alpha)


def count_wins(search: EndgameSearch, low: Int, high: Int, alpha: Int, depth: Int) -> Int:
    """Return how many layouts of a range the best strategy wins; meaningless once the table is full."""
    # One layout is won; of several, all at best.
    if high - low <= max(1, alpha):
        return high - low
    if search.stop:
        search.is_full = True
        return 0
    key = set_hash(search, low, high)
    wins: Int = tt_probe(search, key, alpha)
    if wins != NOT_KNOWN:
        return wins
    n_guesses, safe = list_guesses(search, low, high, depth)
    if safe >= 0:
        wins = win_by_opening(search, safe, low, 0, high, alpha, depth)
    else:
        wins = win_by_guessing(search, low, high, alpha, beam_width(search, high - low, n_guesses), depth)
    if not search.is_full:
        tt_store(search, key, wins, wins > alpha)
    return wins


def pick_first(search: EndgameSearch, slack: Int) -> Int:
    """Return the cell that wins the most of all layouts, NO_CHOICE or NO_ROOM; fill ``wins``."""
    best: Int = -1
    best_cell: Int = NO_CHOICE
    count = search.n_layouts
    for i in range(count):
        search.order[i] = i
    for k in range(search.n_unknown):
        search.wins[k] = -1
        search.live[0, k] = k
    search.n_live[0] = search.n_unknown
    n_guesses, safe = list_guesses(search, 0, count, 0)
    if safe >= 0:
        # A cell that is safe in all of them and informative: opening it costs nothing.
        n_guesses, search.lost[0, 0], search.columns[0, 0] = 1, 0, safe
    for turn in range(n_guesses):
        n_mined, column = search.lost[0, turn], search.columns[0, turn]
        if count - n_mined <= best - slack:
            search.wins[column] = count - n_mined
            continue
        search.wins[column] = win_by_opening(search, column, 0, n_mined, count, best - slack, 0)
        if search.is_full:
            return NO_ROOM
        if search.wins[column] > best:
            best, best_cell = search.wins[column], search.unknown[column]
    return best_cell


def search_layouts(search: EndgameSearch, board: Board, slack: Int) -> Int:
    """Return the cell that wins the most of the enumerated layouts, or a negative answer of `pick_by_search`."""
    capacity: Int = search.tt_keys.shape[0]
    cell: Int
    search.n_states = 0
    if search.n_layouts == TOO_MANY:
        return TOO_MANY
    if search.n_layouts <= 1:
        return NO_CHOICE
    search.n_shown = board.max_degree + 1
    hash_layouts(search)
    pack_rows(search)
    # As much of the table as it takes: clearing all of it would cost more than a short search.
    search.tt_size = min(capacity, MIN_TT_SIZE)
    while search.tt_size < 4 * search.n_layouts and search.tt_size < capacity:
        search.tt_size *= 2
    while True:
        for slot in range(search.tt_size):
            search.tt_keys[slot] = 0
        search.n_states, search.is_full = 0, False
        cell = pick_first(search, slack)
        if cell != NO_ROOM or search.tt_size == capacity or search.stop:
            return cell
        search.tt_size = min(8 * search.tt_size, capacity)


def pick_by_search(search: EndgameSearch, board: Board, position: Position, total: Int, slack: Int) -> Int:
    """Return the cell that wins the most layouts, the safest of several.

    With ``slack`` 1 the wins of cells as good as the best are exact too, not only bounds. A negative answer: TOO_MANY
    layouts, NO_ROOM for the states, or NO_CHOICE, where one layout is left. A cell that is safe in all layouts and
    informative is returned at once; cells in ``settled`` that are safe and not yet opened are ignored.
    """
    order_unknown(search, board, position)
    enumerate_layouts(search, board, position, count_left(board, position, total), search.capacity)
    return search_layouts(search, board, slack)


@public
def choose_by_search(search: EndgameSearch, board: Board, position: Position, total: Int, slack: Int) -> Int:
    """Return the cell that wins the most layouts, the safest of several; or TOO_MANY, NO_ROOM or NO_CHOICE.

    With ``slack`` 1 the wins of cells as good as the best are exact too; with more, those of others.
    """
    with unlocked:
        cell = pick_by_search(search, board, position, total, slack)
    return cell


def gather_part(search: EndgameSearch, board: Board, position: Position, start: Int) -> Flag:
    """List the cells linked to a cell; return whether clues touch all of them."""
    all_touched: Flag = True
    touched: Flag
    at: Int = 0
    search.n_unknown = 0
    list_cell(search, start)
    while at < search.n_unknown:
        cell = search.unknown[at]
        at += 1
        touched = False
        for k in range(board.degree[cell]):
            other = board.table[cell, k]
            if is_unknown(position, other):
                if search.taken[other] == 0:
                    list_cell(search, other)
            elif position.cells[other] >= 0:
                touched = True
                list_around(search, board, position, other)
        all_touched &= touched
    return all_touched


def holds_same_number(search: EndgameSearch) -> Flag:
    """Whether all layouts have the same number of mines."""
    n_mined: Int
    first: Int = -1
    for row in range(search.n_layouts):
        n_mined = 0
        for k in range(search.n_unknown):
            n_mined += search.shows[k, row] == MINED
        if first < 0:
            first = n_mined
        elif n_mined != first:
            return False
    return True


def pick_in_part(search: EndgameSearch, board: Board, position: Position, slack: Int) -> Int:
    """Return the best cell of the first separate part that can be searched, or NO_PART. No cell may be safe.

    ``unknown`` and ``shows`` are left with the cells of that part and its layouts.
    """
    for cell in range(board.n_cells):
        search.taken[cell] = 0
    for start in range(board.n_cells):
        if search.taken[start] == 1 or not is_unknown(position, start):
            continue
        # Whether a cell that no clue touches is a mine depends on the rest of the board.
        if not gather_part(search, board, position, start):
            continue
        count = enumerate_layouts(search, board, position, ANY_NUMBER, search.max_exact)
        if count < 2 or not holds_same_number(search):
            continue
        chosen = search_layouts(search, board, slack)
        # Another part may be small enough where this one is not.
        if chosen >= 0:
            return chosen
    return NO_PART


@public
def choose_in_part(search: EndgameSearch, board: Board, position: Position, slack: Int) -> Int:
    """Return the best cell of the first separate part that can be searched, or NO_PART. No cell may be safe."""
    with unlocked:
        cell = pick_in_part(search, board, position, slack)
    return cell
