"""Layouts and the clues they show, from a seed: the very ones that `world/generate.py` and `world/clues.py` draw.

The cells that may hold mines each get a random word as their key and the mines go to the smallest keys: those that
are small enough to be likely are gathered; a few are sorted, of many a heap keeps the smallest. At most n log m.

| array      | dtype   | shape       | meaning                                                                  |
|------------|---------|-------------|--------------------------------------------------------------------------|
| table      | int32   | (n, 8)      | neighbours of each cell                                                  |
| degree     | int8    | (n,)        | number of neighbours                                                     |
| cumulative | float64 | (9, 10, 9)  | by neighbours, row shown, truth: P(this row or an earlier); empty: exact |
| last       | int8    | (9, 9)      | by neighbours and truth: the last row that can be shown                  |
| mines      | bool    | (n,)        | out: the truth                                                           |
| shown      | int8    | (n,)        | out: what each cell shows when it is opened                              |
| generator  | uint64  | (8,)        | scratch: a generator                                                     |
| pool       | uint64  | (12,)       | scratch: its seeding                                                     |
| words      | uint64  | (n,)        | scratch: random words                                                    |
| keys       | uint64  | (n + 1,)    | scratch: the keys gathered                                               |
| places     | int32   | (n + 1,)    | scratch: their cells; the first m are the mines in the end               |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel
from sapper.kernels.pcg64 import fill_words, seed_generator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Words = NDArray[np.uint64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

NO_CLUE = -4

# First-click policies.
ANY, SAFE, OPENING = 0, 1, 2

# One seed feeds several streams, told apart by these numbers.
LAYOUT_STREAM = np.uint64(0)
CLUE_STREAM = np.uint64(1)

FEW = 48  # keys up to which sorting by insertion is faster than a heap

_LARGEST = np.uint64(2**64 - 1)


@inner_kernel
def _comes_later(keys: Words, places: Ints, one: int, other: int) -> bool:
    # Equal keys are told apart by their place.
    return bool(keys[one] > keys[other] or (keys[one] == keys[other] and places[one] > places[other]))


@inner_kernel
def _sift_down(keys: Words, places: Ints, top: int, n: int) -> None:
    while True:
        child = 2 * top + 1
        if child >= n:
            return
        if child + 1 < n and _comes_later(keys, places, child + 1, child):
            child += 1
        if not _comes_later(keys, places, child, top):
            return
        keys[top], keys[child] = keys[child], keys[top]
        places[top], places[child] = places[child], places[top]
        top = child


@inner_kernel
def _keep_smallest(keys: Words, places: Ints, n: int, n_kept: int) -> None:
    """Bring the smallest keys and their places to the front, in the order of a heap."""
    for top in range(n_kept // 2 - 1, -1, -1):
        _sift_down(keys, places, top, n_kept)
    for k in range(n_kept, n):
        # Of equal keys the first cell's is the smaller, and the cells come in order.
        if keys[k] < keys[0]:
            keys[0], places[0] = keys[k], places[k]
            _sift_down(keys, places, 0, n_kept)


@inner_kernel
def _sort(keys: Words, places: Ints, n: int) -> None:
    """Sort keys and their places by insertion, which leaves equal keys in the order of their cells."""
    for k in range(1, n):
        key, place, to = keys[k], places[k], k
        while to > 0 and keys[to - 1] > key:
            keys[to], places[to] = keys[to - 1], places[to - 1]
            to -= 1
        keys[to], places[to] = key, place


@inner_kernel
def _gather_likely(below: np.uint64, words: Words, keys: Words, places: Ints) -> int:
    """Gather the keys below a bound with their cells; return how many they are."""
    n = 0
    for cell in range(len(words)):
        # Written in any case and kept by counting on: a branch would be guessed wrong for every mine.
        keys[n] = words[cell]
        places[n] = cell
        n += 1 if words[cell] < below else 0
    return n


@inner_kernel
def _gather_all(words: Words, reserved: Bools, keys: Words, places: Ints) -> int:
    """Gather the keys of all cells that are not reserved; return how many they are."""
    n = 0
    for cell in range(len(words)):
        if not reserved[cell]:
            keys[n], places[n] = words[cell], cell
            n += 1
    return n


@inner_kernel
def _lay_mines(
    n_mines: int,
    first: int,
    policy: int,
    table: Ints,
    degree: Int8s,
    mines: Bools,
    words: Words,
    keys: Words,
    places: Ints,
) -> None:
    # What the policy keeps clear is marked for the moment as if it were mined, and its keys are out of reach.
    if policy != ANY:
        mines[first], words[first] = True, _LARGEST
    if policy == OPENING:
        for k in range(degree[first]):
            mines[table[first, k]], words[table[first, k]] = True, _LARGEST
    # Two deviations more than the mines: once in forty layouts these are too few, and all are gathered.
    n, share = 0, (n_mines + 2.0 * np.sqrt(n_mines) + 1.0) / len(mines)
    if share < 1.0:
        n = _gather_likely(np.uint64(share * 2.0**64), words, keys, places)
    if n < n_mines:
        n = _gather_all(words, mines, keys, places)
    mines[:] = False
    if n <= FEW:
        _sort(keys, places, n)
    else:
        _keep_smallest(keys, places, n, n_mines)
    for k in range(n_mines):
        mines[places[k]] = True


@inner_kernel
def _draw_clue(word: np.uint64, degree: int, truth: int, cumulative: Floats, last: Int8s) -> int:
    uniform = np.float64(word >> np.uint64(11)) * 2.0**-53
    drawn = 0
    while drawn < degree + 2 and uniform >= cumulative[degree, drawn, truth]:
        drawn += 1
    drawn = min(drawn, last[degree, truth])
    return NO_CLUE if drawn > degree else drawn


@inner_kernel
def lay(
    seed: np.int64,
    first: int,
    n_mines: int,
    policy: int,
    table: Ints,
    degree: Int8s,
    cumulative: Floats,
    last: Int8s,
    mines: Bools,
    shown: Int8s,
    generator: Words,
    pool: Words,
    words: Words,
    keys: Words,
    places: Ints,
) -> None:
    """Draw the layout of a seed for a game whose first opened cell is ``first``, and what its cells show."""
    mines[:] = False
    if n_mines:
        seed_generator(np.uint64(seed), LAYOUT_STREAM, generator, pool)
        fill_words(generator, len(mines), words)
        _lay_mines(n_mines, first, policy, table, degree, mines, words, keys, places)
    shown[:] = 0
    for k in range(n_mines):
        for j in range(degree[places[k]]):
            shown[table[places[k], j]] += 1
    if len(cumulative) == 0:
        return
    seed_generator(np.uint64(seed), CLUE_STREAM, generator, pool)
    fill_words(generator, len(shown), words)
    for cell in range(len(shown)):
        shown[cell] = _draw_clue(words[cell], degree[cell], shown[cell], cumulative, last)


@inner_kernel
def ask_again(
    seed: np.int64,
    cell: int,
    n_asked: int,
    table: Ints,
    degree: Int8s,
    cumulative: Floats,
    last: Int8s,
    mines: Bools,
    generator: Words,
    pool: Words,
    words: Words,
) -> int:
    """Return what a cell shows when it is asked again, for the ``n_asked``-th time; linear in its number."""
    seed_generator(np.uint64(seed), CLUE_STREAM + np.uint64(n_asked), generator, pool)
    truth = 0
    for k in range(degree[cell]):
        if mines[table[cell, k]]:
            truth += 1
    fill_words(generator, cell + 1, words)
    return _draw_clue(words[cell], degree[cell], truth, cumulative, last)
