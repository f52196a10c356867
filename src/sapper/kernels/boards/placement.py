"""Draw layouts from seeds, identical to those of `world/generation.py`, and count their clues.

Each cell that may hold a mine gets a random word as its key, and the mines go to the smallest keys. Keys below a bound
that probably suffices are gathered, and the largest of these are dropped. Roughly linear in the cells.
"""

from __future__ import annotations

from math import sqrt

from sapper.kernels.boards.pcg64 import WORD_BITS, Pcg64, fill_words, seed_generator
from sapper.kernels.engine.board import Board
from sapper.kernels.language import *

# First-click policies: what the rules promise about the first cell.
FIRST_ANY = 0
FIRST_SAFE = 1  # it is safe
FIRST_OPENING = 2  # so are its neighbours

LAYOUT_STREAM = 0  # of a seed

ALL_WORDS = 2.0**64


class Placement:
    """Scratch memory for placing the mines of a board of n cells."""

    generator: Pcg64
    n_cells: Int
    words: Words  # (n,): random words
    keys: Words  # (n + 1,): the gathered keys
    places: Ints  # (n + 1,): their cells; the first m become the mines
    reserved: Ints  # (n,): 1 where the first-click policy keeps a cell safe; else 0

    def __init__(self, n_cells: Int) -> None:
        self.n_cells, self.generator = n_cells, Pcg64()
        self.words, self.keys = words(n_cells), words(n_cells + 1)
        self.places, self.reserved = ints(n_cells + 1), ints(n_cells)


def swap_keys(placement: Placement, one: Int, other: Int) -> None:
    """Swap two keys and their cells."""
    key: Word = placement.keys[one]
    place = placement.places[one]
    placement.keys[one], placement.places[one] = placement.keys[other], placement.places[other]
    placement.keys[other], placement.places[other] = key, place


def bring_below(placement: Placement, n: Int, bound: Word) -> Int:
    """Move the keys below a bound to the front; return their number."""
    n_below: Int = 0
    key: Word
    for k in range(n):
        # Branch-free, as in `gather_likely`.
        key = placement.keys[k]
        swap_keys(placement, k, n_below)
        n_below += key < bound
    return n_below


def find_smallest(placement: Placement, first: Int, last: Int) -> Int:
    """Return the index of the smallest key; ties go to the first cell."""
    smallest: Word = placement.keys[first]
    found: Int = first
    for k in range(first + 1, last):
        if placement.keys[k] <= smallest and (
            placement.keys[k] < smallest or placement.places[k] < placement.places[found]
        ):
            smallest, found = placement.keys[k], k
    return found


def find_largest(placement: Placement, last: Int) -> Int:
    """Return the index of the largest key before ``last``; ties go to the last cell."""
    largest: Word = placement.keys[0]
    found: Int = 0
    for k in range(1, last):
        if placement.keys[k] >= largest and (
            placement.keys[k] > largest or placement.places[k] > placement.places[found]
        ):
            largest, found = placement.keys[k], k
    return found


def keep_smallest(placement: Placement, n: Int, n_kept: Int, span: Double) -> None:
    """Move the smallest ``n_kept`` of ``n`` keys, which are uniform up to ``span``, to the front."""
    if n == n_kept:
        return
    # The expected bound separates all but a few, which are moved one by one.
    n_front = bring_below(placement, n, to_word(span * n_kept / n))
    while n_front > n_kept:
        n_front -= 1
        swap_keys(placement, find_largest(placement, n_front + 1), n_front)
    while n_front < n_kept:
        swap_keys(placement, find_smallest(placement, n_front, n), n_front)
        n_front += 1


def gather_likely(placement: Placement, below: Word) -> Int:
    """Gather the keys below a bound and their cells; return their number."""
    n: Int = 0
    for cell in range(placement.n_cells):
        # Write always and keep by counting: a branch would be mispredicted for every mine.
        placement.keys[n] = placement.words[cell]
        placement.places[n] = cell
        n += placement.words[cell] < below
    return n


def gather_all(placement: Placement) -> Int:
    """Gather the keys of all cells that are not reserved; return their number."""
    n: Int = 0
    for cell in range(placement.n_cells):
        if not placement.reserved[cell]:
            placement.keys[n], placement.places[n] = placement.words[cell], cell
            n += 1
    return n


def reserve(placement: Placement, board: Board, first: Int, first_click: Int) -> None:
    """Reserve the cells that the policy keeps safe, by keys that are never gathered."""
    if first_click != FIRST_ANY:
        placement.reserved[first], placement.words[first] = 1, WORD_BITS
    if first_click == FIRST_OPENING:
        for k in range(board.degree[first]):
            placement.reserved[board.table[first, k]], placement.words[board.table[first, k]] = 1, WORD_BITS


def release_reserved(placement: Placement, board: Board, first: Int) -> None:
    """Release the reserved cells."""
    placement.reserved[first] = 0
    for k in range(board.degree[first]):
        placement.reserved[board.table[first, k]] = 0


def choose_mines(placement: Placement, board: Board, n_mines: Int, first_click: Int, first: Int) -> None:
    """Move the cells with the smallest keys to the front of ``places``."""
    n: Int = 0
    deviations = 2.0
    span = 0.0
    reserve(placement, board, first, first_click)
    # Two standard deviations above the mines are too few once in forty layouts, six once in a billion.
    while n < n_mines and span < ALL_WORDS:
        span = ALL_WORDS * ((n_mines + deviations * sqrt(n_mines) + 1.0) / placement.n_cells)
        if span < ALL_WORDS:
            n = gather_likely(placement, to_word(span))
        else:
            n = gather_all(placement)
            span = ALL_WORDS
        deviations *= 3.0
    release_reserved(placement, board, first)
    keep_smallest(placement, n, n_mines, span)


def draw_mines(placement: Placement, board: Board, n_mines: Int, first_click: Int, seed: Word, first: Int) -> None:
    """Draw the mines of a seed for a game whose first opened cell is ``first``, to the front of ``places``."""
    if n_mines > 0:
        seed_generator(placement.generator, seed, LAYOUT_STREAM)
        fill_words(placement.generator, placement.n_cells, placement.words)
        choose_mines(placement, board, n_mines, first_click, first)


def write_layout(placement: Placement, n_mines: Int, board: Board, mines: BitGrid, shown: ByteGrid, which: Int) -> None:
    """Write the mines and the true clues."""
    for cell in range(placement.n_cells):
        mines[which, cell] = 0
    for cell in range(placement.n_cells):
        shown[which, cell] = 0
    for k in range(n_mines):
        place = placement.places[k]
        mines[which, place] = 1
        for j in range(board.degree[place]):
            shown[which, board.table[place, j]] += 1


def count_clues(board: Board, mines: BitGrid, shown: ByteGrid) -> None:
    """Write the true clues of a given layout; both have one row."""
    for cell in range(board.n_cells):
        shown[0, cell] = 0
    for cell in range(board.n_cells):
        if mines[0, cell]:
            for k in range(board.degree[cell]):
                shown[0, board.table[cell, k]] += 1
