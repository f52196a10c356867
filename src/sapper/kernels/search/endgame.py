"""Perfect play where few layouts are left: list them, then search over sets of them.

A state of knowledge is a set of layouts, a stretch of ``order``. Opening a cell loses the layouts with a mine there and
splits the others by the clue that it shows; cells that are clear in all of them are opened at once, which can only
help, so the set alone is the state. Sets are remembered by the combined marks of their layouts: 62 bits, so that two
sets among a million are mistaken for each other with a chance of one in a million. Sets that are mirror images of each
other, under symmetries that leave the position as it is, are one state too.

With more layouts than `Ending.perfect` the search is narrow: while a set is large, only its safest guesses are tried.
What that wins is a bound from below, and the first guess that it finds is hardly ever worse than the best.

Exponential at worst.

Parts of the board that have nothing to do with the rest, each played perfectly by itself.

Two unknown cells are linked if they are neighbours, since opening one tells about the other, or if one clue touches
both. What is not linked, directly or through others, meets only in the number of mines. A part that holds the same
number in every layout is cut off from that too: the chance to win is the product of its own and that of the rest, in
whatever order they are played.

Linear in the cells where nothing is cut off; else as perfect play in the part.
"""

from __future__ import annotations

from sapper.kernels.codes import ANY_NUMBER, MINED, NO_CHOICE, NO_PART, NO_ROOM, TOO_MANY
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.language import Flag, Int, Long, inner, unlocked
from sapper.kernels.search.layouts import (
    Ending,
    count_left,
    is_unknown,
    lay_rows,
    line_up,
    list_around,
    list_cell,
    list_what_shows,
    tally_layouts,
)

NOT_KNOWN = -1  # wins of a state that is not remembered

FEWEST_KEYS = 64

# A narrow search: sets of so many layouts are searched with every guess, of so many with the three safest guesses, and
# larger ones with the two safest. Found by regret: see docs/decisions/0007-how-the-strongest-player-decides.md.
ALL_GUESSES = 20
THREE_GUESSES = 200


@inner
def mark_layouts(end: Ending) -> None:
    """Give every layout, and every mirror image of it, a mark that depends on where the mines are and nothing else."""
    a: Long
    b: Long
    c: Long
    d: Long
    for image in range(end.images.shape[0]):
        for row in range(end.n_layouts):
            a, b, c, d = 0, 0, 0, 0
            for k in range(end.n_unknown):
                if end.shows[k, row] == MINED:
                    cell = end.images[image, end.unknown[k]]
                    a ^= end.numbers[cell, 0]
                    b ^= end.numbers[cell, 1]
                    c ^= end.numbers[cell, 2]
                    d ^= end.numbers[cell, 3]
            # Products, because marks are combined by exclusive or: marks made by that alone would cancel.
            end.marks[image, row] = (a * b) ^ (c * d)


@inner
def combine_marks(end: Ending, low: Int, high: Int) -> Long:
    """Return the combined marks of a set of layouts: those of the mirror image for which they are least."""
    least: Long = 0
    key: Long
    for image in range(end.marks.shape[0]):
        key = 0
        for i in range(low, high):
            key ^= end.marks[image, end.order[i]]
        if image == 0 or key < least:
            least = key
    # 0 is an empty place.
    return least + 1


@inner
def find_key(end: Ending, key: Long) -> Long:
    """Return where a state is remembered, or would be."""
    slot: Long = key & (end.n_keys - 1)
    while end.keys[slot] != 0 and end.keys[slot] != key:
        slot = (slot + 1) & (end.n_keys - 1)
    return slot


@inner
def recall_wins(end: Ending, key: Long, floor: Int) -> Int:
    """Return what is remembered of a state, if that is exact or no more than ``floor``; else NOT_KNOWN."""
    slot = find_key(end, key)
    if end.keys[slot] == 0:
        return NOT_KNOWN
    wins = end.values[slot] >> 1
    return wins if end.values[slot] & 1 == 1 or wins <= floor else NOT_KNOWN


@inner
def remember_wins(end: Ending, key: Long, wins: Int, exact: Flag) -> None:
    """Remember a state, or notice that the memory is full."""
    slot = find_key(end, key)
    if end.keys[slot] == 0:
        if 2 * end.n_states >= end.n_keys:
            end.is_full = True
            return
        end.n_states += 1
        end.keys[slot] = key
    end.values[slot] = 2 * wins + (1 if exact else 0)


@inner
def sort_layouts(end: Ending, low: Int, high: Int, column: Int, depth: Int) -> None:
    """Sort a stretch of layouts by what they show in a column, mines first, then zeros and so on; fill ``ends``."""
    for group in range(end.n_shown + 2):
        end.begin[group] = 0
    for i in range(low, high):
        # A mine is -1.
        end.shown[i] = end.shows[column, end.order[i]] + 1
        end.begin[end.shown[i] + 1] += 1
    end.begin[0] = low
    for group in range(1, end.n_shown + 2):
        end.begin[group] += end.begin[group - 1]
        end.ends[depth, group - 1] = end.begin[group]
    for i in range(low, high):
        end.spare[end.begin[end.shown[i]]] = end.order[i]
        end.begin[end.shown[i]] += 1
    for i in range(low, high):
        end.order[i] = end.spare[i]


@inner
def insert_guess(end: Ending, depth: Int, count: Int, n_mined: Int, column: Int) -> None:
    """Put a guess behind those of ``count`` that lose no more layouts."""
    place: Int = count
    while place > 0 and end.lost[depth, place - 1] > n_mined:
        end.lost[depth, place] = end.lost[depth, place - 1]
        end.columns[depth, place] = end.columns[depth, place - 1]
        place -= 1
    end.lost[depth, place] = n_mined
    end.columns[depth, place] = column


@inner
def list_guesses(end: Ending, low: Int, high: Int, depth: Int) -> tuple[Int, Int]:
    """List the cells that are mines in some layouts of a state, safest first; return how many there are, and -1.

    If a clear cell tells something, return 0 and its column instead. Columns in which all layouts show the same are not
    looked at any further down.
    """
    n_found: Int = 0
    n_live: Int = 0
    clear: Int = -1
    tally_layouts(end, low, high)
    for k in range(end.n_live[depth]):
        column = end.live[depth, k]
        if end.differs[column] == 0:
            continue
        end.live[depth + 1, n_live] = column
        n_live += 1
        if clear < 0 and end.mined[column] == 0:
            clear = column
        elif clear < 0:
            insert_guess(end, depth, n_found, end.mined[column], column)
            n_found += 1
    end.n_live[depth + 1] = n_live
    return n_found if clear < 0 else 0, clear


@inner
def win_by_opening(end: Ending, column: Int, low: Int, n_mined: Int, high: Int, floor: Int, depth: Int) -> Int:
    """Return how many layouts of a stretch are won by opening a cell that is a mine in ``n_mined`` of them.

    Exact if more than ``floor``; else a bound from above.
    """
    start: Int = low + n_mined
    group: Int = 0
    won: Int = 0
    sort_layouts(end, low, high, column, depth)
    while start < high and won + high - start > floor:
        group += 1
        stop = end.ends[depth, group]
        if stop > start:
            won += count_wins(end, start, stop, floor - won - (high - stop), depth + 1)
        if end.is_full:
            return 0
        start = stop
    return won + high - start


@inner
def limit_guesses(end: Ending, n_layouts: Int, n_guesses: Int) -> Int:
    """Return how many guesses are tried, the safest first, where so many layouts are left."""
    if end.n_layouts <= end.perfect or n_layouts <= ALL_GUESSES:
        return n_guesses
    return min(n_guesses, 3 if n_layouts <= THREE_GUESSES else 2)


@inner
def win_by_guessing(end: Ending, low: Int, high: Int, floor: Int, n_guesses: Int, depth: Int) -> Int:
    """Return how many layouts the best of the guesses wins, if more than ``floor``; else a bound from above."""
    best: Int = max(0, floor)
    upper: Int = 0
    for turn in range(n_guesses):
        n_mined = end.lost[depth, turn]
        # The others lose as many or more.
        if turn > 0 and high - low - n_mined <= best:
            upper = max(upper, high - low - n_mined)
            break
        won = win_by_opening(end, end.columns[depth, turn], low, n_mined, high, best, depth)
        if end.is_full:
            return 0
        best, upper = max(best, won), max(upper, won)
    # Above the floor the best is exact: columns were only given up when they could not exceed it.
    return best if best > floor else min(upper, floor)


@inner
def count_wins(end: Ending, low: Int, high: Int, floor: Int, depth: Int) -> Int:
    """Return how many layouts of a stretch the best strategy wins, if more than ``floor``; else a bound from above.

    Meaningless once the memory is full. What is remembered holds from call to call.
    """
    # One layout is won; of several, all at best.
    if high - low <= max(1, floor):
        return high - low
    if end.stop:
        end.is_full = True
        return 0
    key = combine_marks(end, low, high)
    wins: Int = recall_wins(end, key, floor)
    if wins != NOT_KNOWN:
        return wins
    n_guesses, clear = list_guesses(end, low, high, depth)
    if clear >= 0:
        wins = win_by_opening(end, clear, low, 0, high, floor, depth)
    else:
        wins = win_by_guessing(end, low, high, floor, limit_guesses(end, high - low, n_guesses), depth)
    if not end.is_full:
        remember_wins(end, key, wins, wins > floor)
    return wins


@inner
def pick_first(end: Ending, slack: Int) -> Int:
    """Return the cell that wins the most of all layouts, NO_CHOICE or NO_ROOM; fill ``wins``."""
    best: Int = -1
    best_cell: Int = NO_CHOICE
    count = end.n_layouts
    for i in range(count):
        end.order[i] = i
    for k in range(end.n_unknown):
        end.wins[k] = -1
        end.live[0, k] = k
    end.n_live[0] = end.n_unknown
    n_guesses, clear = list_guesses(end, 0, count, 0)
    if clear >= 0:
        # A cell that is clear in all of them and tells something: opening it costs nothing.
        n_guesses, end.lost[0, 0], end.columns[0, 0] = 1, 0, clear
    for turn in range(n_guesses):
        n_mined, column = end.lost[0, turn], end.columns[0, turn]
        if count - n_mined <= best - slack:
            end.wins[column] = count - n_mined
            continue
        end.wins[column] = win_by_opening(end, column, 0, n_mined, count, best - slack, 0)
        if end.is_full:
            return NO_ROOM
        if end.wins[column] > best:
            best, best_cell = end.wins[column], end.unknown[column]
    return best_cell


@inner
def search_layouts(end: Ending, board: Board, slack: Int) -> Int:
    """Return the cell that wins the most of the listed layouts, or a negative answer of `pick_perfectly`."""
    room: Int = end.keys.shape[0]
    cell: Int
    end.n_states = 0
    if end.n_layouts == TOO_MANY:
        return TOO_MANY
    if end.n_layouts <= 1:
        return NO_CHOICE
    end.n_shown = board.max_degree + 1
    mark_layouts(end)
    lay_rows(end)
    # Only as much of the memory as it takes: clearing all of it would cost more than a short search.
    end.n_keys = min(room, FEWEST_KEYS)
    while end.n_keys < 4 * end.n_layouts and end.n_keys < room:
        end.n_keys *= 2
    while True:
        for slot in range(end.n_keys):
            end.keys[slot] = 0
        end.n_states, end.is_full = 0, False
        cell = pick_first(end, slack)
        if cell != NO_ROOM or end.n_keys == room or end.stop:
            return cell
        end.n_keys = min(8 * end.n_keys, room)


@inner
def pick_perfectly(end: Ending, board: Board, position: Position, total: Int, slack: Int) -> Int:
    """Return the cell that wins the most layouts, the safest of several.

    With ``slack`` 1 the wins of cells as good as the best are exact too, not only bounds. A negative answer: TOO_MANY
    layouts, NO_ROOM for the states, or NO_CHOICE, where one layout is left. A cell that is clear in all layouts and
    tells something is returned at once, with the wins that are left; the cells in ``settled`` that are safe and not yet
    opened are not looked at.
    """
    line_up(end, board, position)
    list_what_shows(end, board, position, count_left(board, position, total), end.most)
    return search_layouts(end, board, slack)


def choose_perfectly(end: Ending, board: Board, position: Position, total: Int, slack: Int) -> Int:
    """Return the cell that wins the most layouts, the safest of several; or TOO_MANY, NO_ROOM or NO_CHOICE.

    With ``slack`` 1 the wins of cells as good as the best are exact too; with more, those of others.
    """
    with unlocked:
        cell = pick_perfectly(end, board, position, total, slack)
    return cell


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
