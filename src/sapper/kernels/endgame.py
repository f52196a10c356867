"""Perfect play where few layouts are left: list them, then search over sets of them.

A state of knowledge is a set of layouts, a stretch of ``order``. Opening a cell loses the layouts with a mine there and
splits the others by the clue that it shows; cells that are clear in all of them are opened at once, which can only
help, so the set alone is the state. Sets are remembered by the combined marks of their layouts: 62 bits, so that two
sets among a million are mistaken for each other with a chance of one in a million. Sets that are mirror images of each
other, under symmetries that leave the position as it is, are one state too.

| array   | dtype | shape       | meaning                                                                           |
|---------|-------|-------------|-----------------------------------------------------------------------------------|
| seen    | int8  | (n,)        | what the player sees                                                              |
| settled | int8  | (n,)        | what the engine settled in it                                                     |
| unknown to shows |  |          | as in remaining.py                                                                |
| images  | int32 | (k, n)      | cells under the symmetries of the position, the first of which changes nothing    |
| bits    | int64 | (n, 4)      | random numbers of 31 bits for each cell                                           |
| marks   | int64 | (k, most)   | scratch: a number for each layout and each of its mirror images                   |
| order   | int32 | (most,)     | scratch: the layouts, those of one state in one stretch                           |
| spare   | int32 | (most,)     | scratch of the sorting                                                            |
| stack   | int32 | (most + 2, N_FIELDS + 2n) | scratch: a row for each state on the way down, with candidates      |
| keys    | int64 | (2^k,)      | memory: the combined marks of a state; 0 where empty                              |
| values  | int32 | (2^k,)      | memory: twice the wins, plus one if exact and not just a bound from above         |
| wins    | int32 | (n,)        | out: by unknown cell the layouts won by opening it first, or no less than that    |
| tally   | int64 | (3,)        | out: layouts, unknown cells, states remembered                                    |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.remaining import MINED, TOO_MANY, count_left, line_up, list_what_shows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]

NO_ROOM = -2  # more states than the memory holds
NO_CHOICE = -3  # nothing left to decide

N_LAYOUTS, N_UNKNOWN, N_STATES = 0, 1, 2

# Fields of the states on the stack.
LOW, HIGH, FLOOR, BEST, UPPER, TURN, N_CANDIDATES, NEXT, TOTAL, COLUMN = range(10)
N_FIELDS = 10
NO_GUESS = -1  # TURN of a state in which a clear cell tells something


class Scratch(NamedTuple):
    """The memory of a search, for boards of one size."""

    unknown: Ints
    need: Ints
    around: Ints
    choice: Int8s
    shows: Int8s
    images: Ints
    bits: Longs
    marks: Longs
    order: Ints
    spare: Ints
    stack: Ints
    keys: Longs
    values: Ints
    wins: Ints
    tally: Longs


def make_scratch(n_cells: int, most: int, n_keys: int, images: Ints | None = None) -> Scratch:
    """Allocate what `choose_perfectly` needs for up to ``most`` layouts; without images, nothing is taken for alike."""

    def ints(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.int32)

    def longs(*shape: int) -> Longs:
        return np.zeros(shape, dtype=np.int64)

    if images is None:
        images = np.arange(n_cells, dtype=np.int32)[np.newaxis]
    return Scratch(
        unknown=ints(n_cells),
        need=ints(n_cells),
        around=ints(n_cells),
        choice=np.zeros(n_cells + 1, dtype=np.int8),
        shows=np.zeros((most, n_cells), dtype=np.int8),
        images=images,
        # Any numbers, the same ones every time.
        bits=np.random.default_rng(0).integers(0, 2**31, (n_cells, 4)),
        marks=longs(len(images), most),
        order=ints(most),
        spare=ints(most),
        stack=ints(most + 2, N_FIELDS + 2 * n_cells),
        keys=longs(n_keys),
        values=ints(n_keys),
        wins=ints(n_cells),
        tally=longs(3),
    )


@inner_kernel
def _mark_layouts(
    count: int, n_unknown: int, unknown: Ints, shows: Int8s, images: Ints, bits: Longs, marks: Longs
) -> None:
    """Give every layout, and every mirror image of it, a mark that depends on where the mines are and nothing else."""
    for image in range(len(images)):
        for row in range(count):
            a, b, c, d = 0, 0, 0, 0
            for k in range(n_unknown):
                if shows[row, k] == MINED:
                    cell = images[image, unknown[k]]
                    a ^= bits[cell, 0]
                    b ^= bits[cell, 1]
                    c ^= bits[cell, 2]
                    d ^= bits[cell, 3]
            # Products, because marks are combined by exclusive or: marks made by that alone would cancel.
            marks[image, row] = (a * b) ^ (c * d)


@inner_kernel
def _sort(low: int, high: int, column: int, shows: Int8s, order: Ints, spare: Ints) -> None:
    """Sort a stretch of layouts by what they show in a column: mines first, then zeros and so on."""
    begin = np.zeros(11, np.int32)
    for i in range(low, high):
        begin[shows[order[i], column] + 2] += 1
    for shown in range(1, 11):
        begin[shown] += begin[shown - 1]
    for i in range(low, high):
        shown = shows[order[i], column] + 1
        spare[low + begin[shown]] = order[i]
        begin[shown] += 1
    order[low:high] = spare[low:high]


@inner_kernel
def _end_of_part(start: int, high: int, column: int, shows: Int8s, order: Ints) -> int:
    """Where the layouts end that show the same in a sorted column as the one at ``start``."""
    end = start + 1
    while end < high and shows[order[end], column] == shows[order[start], column]:
        end += 1
    return end


@inner_kernel
def _slot(key: int, keys: Longs) -> int:
    slot = key & (len(keys) - 1)
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@inner_kernel
def _key(low: int, high: int, order: Ints, marks: Longs) -> int:
    """The combined marks of a set of layouts, or of that mirror image of it for which they are least."""
    least = 0
    for image in range(len(marks)):
        key = marks[image, order[low]]
        for i in range(low + 1, high):
            key ^= marks[image, order[i]]
        if image == 0 or key < least:
            least = key
    # 0 is an empty place.
    return least + 1


@inner_kernel
def _list_candidates(frame: Ints, n_columns: int, shows: Int8s, order: Ints) -> int:
    """List the cells that are mines in some layouts of a state, safest first; a clear cell that tells something: it."""
    low, high = frame[LOW], frame[HIGH]
    n_found = 0
    for column in range(n_columns):
        n_mined = 0
        first, differs = shows[order[low], column], False
        for i in range(low, high):
            shown = shows[order[i], column]
            n_mined += shown == MINED
            differs |= shown != first
        if n_mined == 0 and differs:
            return column
        if n_mined == 0 or n_mined == high - low:
            continue
        # In pairs behind the fields: how many layouts are lost, and the column.
        place = n_found
        while place > 0 and frame[N_FIELDS + 2 * place - 2] > n_mined:
            frame[N_FIELDS + 2 * place] = frame[N_FIELDS + 2 * place - 2]
            frame[N_FIELDS + 2 * place + 1] = frame[N_FIELDS + 2 * place - 1]
            place -= 1
        frame[N_FIELDS + 2 * place] = n_mined
        frame[N_FIELDS + 2 * place + 1] = column
        n_found += 1
    frame[N_CANDIDATES] = n_found
    return -1


@inner_kernel
def _begin_column(frame: Ints, n_mined: int, column: int, shows: Int8s, order: Ints, spare: Ints) -> None:
    _sort(frame[LOW], frame[HIGH], column, shows, order, spare)
    frame[NEXT] = frame[LOW] + n_mined
    frame[TOTAL] = 0
    frame[COLUMN] = column


@inner_kernel
def count_wins(
    low: int,
    high: int,
    floor: int,
    n_columns: int,
    shows: Int8s,
    marks: Longs,
    order: Ints,
    spare: Ints,
    stack: Ints,
    keys: Longs,
    values: Ints,
    tally: Longs,
) -> int:
    """Return how many layouts of a stretch the best strategy wins, if more than ``floor``; else a bound from above.

    NO_ROOM if the memory is full. Exponential at worst; what is remembered holds from call to call.
    """
    depth = 0
    stack[0, LOW], stack[0, HIGH], stack[0, FLOOR] = low, high, floor
    result = 0
    entering = True
    while True:
        frame = stack[depth]
        low, high = frame[LOW], frame[HIGH]
        finished = False
        if entering:
            # One layout is won; of several, all at best.
            if high - low <= max(1, frame[FLOOR]):
                result, finished = high - low, True
            else:
                slot = _slot(_key(low, high, order, marks), keys)
                if keys[slot] != 0 and (values[slot] & 1 == 1 or values[slot] >> 1 <= frame[FLOOR]):
                    result, finished = values[slot] >> 1, True
            if finished:
                depth -= 1
                if depth < 0:
                    return result
                entering = False
                continue
            frame[BEST], frame[UPPER] = max(0, frame[FLOOR]), 0
            column = _list_candidates(frame, n_columns, shows, order)
            if column >= 0:
                frame[TURN] = NO_GUESS
                _begin_column(frame, 0, column, shows, order, spare)
            else:
                frame[TURN] = 0
                _begin_column(frame, frame[N_FIELDS], frame[N_FIELDS + 1], shows, order, spare)
            entering = False
        else:
            frame[TOTAL] += result
        # Go on with the next part of the column, or the next column, or be done with the state.
        while True:
            start = frame[NEXT]
            bound = frame[FLOOR] if frame[TURN] == NO_GUESS else frame[BEST]
            if start < high and frame[TOTAL] + high - start > bound:
                end = _end_of_part(start, high, frame[COLUMN], shows, order)
                frame[NEXT] = end
                depth += 1
                stack[depth, LOW], stack[depth, HIGH] = start, end
                stack[depth, FLOOR] = bound - frame[TOTAL] - (high - end)
                entering = True
                break
            exact = start == high
            total = frame[TOTAL] + high - start
            frame[UPPER] = max(frame[UPPER], total)
            if frame[TURN] != NO_GUESS:
                frame[BEST] = max(frame[BEST], total)
                frame[TURN] += 1
                if frame[TURN] < frame[N_CANDIDATES]:
                    n_mined = frame[N_FIELDS + 2 * frame[TURN]]
                    if high - low - n_mined > frame[BEST]:
                        column = frame[N_FIELDS + 2 * frame[TURN] + 1]
                        _begin_column(frame, n_mined, column, shows, order, spare)
                        continue
                    frame[UPPER] = max(frame[UPPER], high - low - n_mined)
                # Above the floor the best is exact: columns were only given up when they could not exceed it.
                exact = frame[BEST] > frame[FLOOR]
                total = frame[BEST] if exact else min(frame[UPPER], frame[FLOOR])
            elif total <= frame[FLOOR]:
                exact = False
            slot = _slot(_key(low, high, order, marks), keys)
            if keys[slot] == 0:
                if 2 * tally[N_STATES] >= len(keys):
                    return NO_ROOM
                tally[N_STATES] += 1
                keys[slot] = _key(low, high, order, marks)
            values[slot] = 2 * total + exact
            result = int(total)
            depth -= 1
            if depth < 0:
                return result
            break


@inner_kernel
def _choose(
    count: int,
    n_unknown: int,
    slack: int,
    unknown: Ints,
    shows: Int8s,
    marks: Longs,
    order: Ints,
    spare: Ints,
    stack: Ints,
    keys: Longs,
    values: Ints,
    wins: Ints,
    tally: Longs,
) -> int:
    for i in range(count):
        order[i] = i
    # A state of its own, below all those of the search.
    top = stack[len(stack) - 1]
    top[LOW], top[HIGH] = 0, count
    wins[:n_unknown] = -1
    column = _list_candidates(top, n_unknown, shows, order)
    if column >= 0:
        # A cell that is clear in all of them and tells something: opening it costs nothing.
        top[N_CANDIDATES], top[N_FIELDS], top[N_FIELDS + 1] = 1, 0, column
    best = -1
    best_cell: int = NO_CHOICE
    for turn in range(top[N_CANDIDATES]):
        n_mined, column = top[N_FIELDS + 2 * turn], top[N_FIELDS + 2 * turn + 1]
        floor = best - slack
        if count - n_mined <= floor:
            wins[column] = count - n_mined
            continue
        _sort(0, count, column, shows, order, spare)
        won, start = 0, n_mined
        while start < count and won + count - start > floor:
            end = _end_of_part(start, count, column, shows, order)
            part = count_wins(
                start, end, floor - won - (count - end), n_unknown, shows, marks, order, spare, stack, keys, values,
                tally,
            )  # fmt: skip
            if part == NO_ROOM:
                return NO_ROOM
            won += part
            start = end
        wins[column] = won + count - start
        if wins[column] > best:
            best, best_cell = wins[column], unknown[column]
    return best_cell


@inner_kernel
def search(count: int, n_unknown: int, slack: int, end: Scratch) -> int:
    """Return the cell that wins the most of the listed layouts, or a negative answer of `choose_perfectly`."""
    tally, keys = end.tally, end.keys
    tally[N_LAYOUTS], tally[N_UNKNOWN], tally[N_STATES] = count, n_unknown, 0
    if count == TOO_MANY:
        return TOO_MANY
    if count <= 1:
        return NO_CHOICE
    _mark_layouts(count, n_unknown, end.unknown, end.shows, end.images, end.bits, end.marks)
    # Only as much of the memory as it takes: clearing all of it would cost more than a short search.
    n_keys = min(len(keys), 64)
    while n_keys < 4 * count and n_keys < len(keys):
        n_keys *= 2
    while True:
        keys[:n_keys] = 0
        tally[N_STATES] = 0
        cell = _choose(
            count, n_unknown, slack, end.unknown, end.shows, end.marks, end.order, end.spare, end.stack, keys[:n_keys],
            end.values, end.wins, tally,
        )  # fmt: skip
        if cell != NO_ROOM or n_keys == len(keys):
            return cell
        n_keys = min(8 * n_keys, len(keys))


@kernel
def choose_perfectly(
    seen: Int8s, settled: Int8s, table: Ints, degree: Int8s, total: int, slack: int, end: Scratch
) -> int:
    """Return the cell that wins the most layouts, the safest of several.

    With ``slack`` 1 the wins of cells as good as the best are exact too, not only bounds. A negative answer: TOO_MANY
    layouts, NO_ROOM for the states, or NO_CHOICE, where one layout is left. A cell that is clear in all layouts and
    tells something is returned at once, with the wins that are left; the cells in ``settled`` that are safe and not yet
    opened are not looked at.
    """
    n_unknown = line_up(seen, settled, table, degree, end.unknown, end.need)
    left = count_left(seen, settled, total)
    count = list_what_shows(
        seen, settled, table, degree, left, len(end.order), end.unknown, n_unknown, end.need, end.around, end.choice,
        end.shows,
    )  # fmt: skip
    return search(count, n_unknown, slack, end)
