"""Layouts and the clues they show, from a seed: the very ones that `world/generate.py` and `world/clues.py` draw.

The cells that may hold mines each get a random word as their key and the mines go to the smallest keys, which a heap
of as many as there are mines sorts out: n log m.

| array      | dtype   | shape       | meaning                                                                  |
|------------|---------|-------------|--------------------------------------------------------------------------|
| table      | int32   | (n, 8)      | neighbours of each cell                                                  |
| degree     | int8    | (n,)        | number of neighbours                                                     |
| cumulative | float64 | (9, 10, 9)  | by neighbours, row shown, truth: P(this row or an earlier); (0, 0, 0) if clues are exact |
| last       | int8    | (9, 9)      | by neighbours and truth: the last row that can be shown                  |
| mines      | bool    | (n,)        | out: the truth                                                           |
| shown      | int8    | (n,)        | out: what each cell shows when it is opened                              |
| generator  | uint64  | (8,)        | scratch: a generator                                                     |
| pool       | uint64  | (12,)       | scratch: its seeding                                                     |
| words      | uint64  | (n,)        | scratch: random words                                                    |
| keys       | uint64  | (≥ mines,)  | scratch: the heap, largest key on top                                    |
| places     | int32   | (≥ mines,)  | scratch: the cells of those keys                                         |
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


@inner_kernel
def _comes_later(keys: Words, places: Ints, one: int, other: int) -> bool:
    # Equal keys are told apart by their place.
    return keys[one] > keys[other] or (keys[one] == keys[other] and places[one] > places[other])


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
    # What the policy keeps clear is marked for the moment as if it were mined.
    if policy != ANY:
        mines[first] = True
    if policy == OPENING:
        for k in range(degree[first]):
            mines[table[first, k]] = True
    n = 0
    for cell in range(len(mines)):
        key = words[cell]
        if mines[cell]:
            mines[cell] = False
        elif n < n_mines:
            keys[n], places[n] = key, cell
            n += 1
            if n == n_mines:
                for top in range(n // 2 - 1, -1, -1):
                    _sift_down(keys, places, top, n)
        elif key < keys[0]:
            keys[0], places[0] = key, cell
            _sift_down(keys, places, 0, n)
    for k in range(n):
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
