"""Layouts and the clues they show, from a seed: the very ones that `world/generation.py` draws.

The cells that may hold mines each get a random word as their key and the mines go to the smallest keys: those that
are small enough to be likely are gathered, and the largest of these are dropped again. About linear in the cells.
"""

from __future__ import annotations

from math import sqrt

from sapper.kernels.codes import NO_CLUE
from sapper.kernels.engine.board import Board
from sapper.kernels.environments.games import FIRST_ANY, FIRST_OPENING, ClueTables, EnvironmentRules, Games
from sapper.kernels.environments.pcg64 import WORD_BITS, Pcg64, fill_words, seed_generator
from sapper.kernels.language import (
    BitGrid,
    ByteGrid,
    Double,
    Int,
    Ints,
    Word,
    Words,
    inner,
    ints,
    to_word,
    value,
    words,
)

# One seed feeds several streams, told apart by these numbers.
LAYOUT_STREAM = 0
CLUE_STREAM = 1

ALL_WORDS = 2.0**64  # how many there are
FLOAT_STEP = 2.0**-53  # between random floats


@value
class Placement:
    """Scratch for placement boards of n cells."""

    generator: Pcg64
    clues: ClueTables
    n_cells: Int
    words: Words  # (n,): random words
    keys: Words  # (n + 1,): the keys gathered
    places: Ints  # (n + 1,): their cells; the first m are the mines in the end
    reserved: Ints  # (n,): 1 where the first-click policy keeps a cell clear; else 0

    def __init__(self, n_cells: Int, clues: ClueTables) -> None:
        self.n_cells, self.generator, self.clues = n_cells, Pcg64(), clues
        self.words, self.keys = words(n_cells), words(n_cells + 1)
        self.places, self.reserved = ints(n_cells + 1), ints(n_cells)


@inner
def swap_keys(placement: Placement, one: Int, other: Int) -> None:
    """Let two keys change places, and their cells with them."""
    key: Word = placement.keys[one]
    place = placement.places[one]
    placement.keys[one], placement.places[one] = placement.keys[other], placement.places[other]
    placement.keys[other], placement.places[other] = key, place


@inner
def bring_below(placement: Placement, n: Int, bound: Word) -> Int:
    """Bring the keys below a bound to the front; return how many they are."""
    n_below: Int = 0
    key: Word
    for k in range(n):
        # Without a branch, as in `gather_likely`.
        key = placement.keys[k]
        swap_keys(placement, k, n_below)
        n_below += key < bound
    return n_below


@inner
def find_smallest(placement: Placement, first: Int, last: Int) -> Int:
    """Return where the smallest key is; of equal ones the first cell's is the smaller."""
    smallest: Word = placement.keys[first]
    found: Int = first
    for k in range(first + 1, last):
        if placement.keys[k] <= smallest and (
            placement.keys[k] < smallest or placement.places[k] < placement.places[found]
        ):
            smallest, found = placement.keys[k], k
    return found


@inner
def find_largest(placement: Placement, last: Int) -> Int:
    """Return where the largest of the first keys is; of equal ones the last cell's is the larger."""
    largest: Word = placement.keys[0]
    found: Int = 0
    for k in range(1, last):
        if placement.keys[k] >= largest and (
            placement.keys[k] > largest or placement.places[k] > placement.places[found]
        ):
            largest, found = placement.keys[k], k
    return found


@inner
def keep_smallest(placement: Placement, n: Int, n_kept: Int, span: Double) -> None:
    """Bring the smallest of ``n`` keys, which are spread evenly up to ``span``, to the front."""
    if n == n_kept:
        return
    # This bound parts them as wanted, but for a few that change sides one by one.
    n_front = bring_below(placement, n, to_word(span * n_kept / n))
    while n_front > n_kept:
        n_front -= 1
        swap_keys(placement, find_largest(placement, n_front + 1), n_front)
    while n_front < n_kept:
        swap_keys(placement, find_smallest(placement, n_front, n), n_front)
        n_front += 1


@inner
def gather_likely(placement: Placement, below: Word) -> Int:
    """Gather the keys below a bound with their cells; return how many they are."""
    n: Int = 0
    for cell in range(placement.n_cells):
        # Written in any case and kept by counting on: a branch would be guessed wrong for every mine.
        placement.keys[n] = placement.words[cell]
        placement.places[n] = cell
        n += placement.words[cell] < below
    return n


@inner
def gather_all(placement: Placement) -> Int:
    """Gather the keys of all cells that are not reserved; return how many they are."""
    n: Int = 0
    for cell in range(placement.n_cells):
        if not placement.reserved[cell]:
            placement.keys[n], placement.places[n] = placement.words[cell], cell
            n += 1
    return n


@inner
def reserve(placement: Placement, board: Board, first: Int, first_click: Int) -> None:
    """Mark what the policy keeps clear; keys there are out of reach."""
    if first_click != FIRST_ANY:
        placement.reserved[first], placement.words[first] = 1, WORD_BITS
    if first_click == FIRST_OPENING:
        for k in range(board.degree[first]):
            placement.reserved[board.table[first, k]], placement.words[board.table[first, k]] = 1, WORD_BITS


@inner
def clear_reserved(placement: Placement, board: Board, first: Int) -> None:
    """Take the marks off again."""
    placement.reserved[first] = 0
    for k in range(board.degree[first]):
        placement.reserved[board.table[first, k]] = 0


@inner
def choose_mines(placement: Placement, board: Board, rules: EnvironmentRules, first: Int) -> None:
    """Bring the cells with the smallest keys to the front of ``places``."""
    n: Int = 0
    deviations = 2.0
    span = 0.0
    reserve(placement, board, first, rules.first_click)
    # Two deviations more than the mines are too few once in forty layouts, six once in a billion.
    while n < rules.n_mines and span < ALL_WORDS:
        span = ALL_WORDS * ((rules.n_mines + deviations * sqrt(rules.n_mines) + 1.0) / placement.n_cells)
        if span < ALL_WORDS:
            n = gather_likely(placement, to_word(span))
        else:
            n = gather_all(placement)
            span = ALL_WORDS
        deviations *= 3.0
    clear_reserved(placement, board, first)
    keep_smallest(placement, n, rules.n_mines, span)


@inner
def draw_clue(clues: ClueTables, word: Word, degree: Int, truth: Int) -> Int:
    """Return what a cell shows, by a random word."""
    uniform = (word >> 11) * FLOAT_STEP
    drawn: Int = 0
    while drawn < degree + 2 and uniform >= clues.cumulative[degree, drawn, truth]:
        drawn += 1
    if drawn > clues.last[degree, truth]:
        drawn = clues.last[degree, truth]
    return NO_CLUE if drawn > degree else drawn


@inner
def write_layout(placement: Placement, n_mines: Int, board: Board, mines: BitGrid, shown: ByteGrid, which: Int) -> None:
    """Write down the mines and the true clues."""
    for cell in range(placement.n_cells):
        mines[which, cell] = 0
    for cell in range(placement.n_cells):
        shown[which, cell] = 0
    for k in range(n_mines):
        place = placement.places[k]
        mines[which, place] = 1
        for j in range(board.degree[place]):
            shown[which, board.table[place, j]] += 1


@inner
def place_layout(
    placement: Placement, board: Board, rules: EnvironmentRules, games: Games, which: Int, first: Int
) -> None:
    """Draw the layout of a game whose first opened cell is ``first``, and what its cells show."""
    if rules.n_mines > 0:
        seed_generator(placement.generator, games.seeds[which], LAYOUT_STREAM)
        fill_words(placement.generator, placement.n_cells, placement.words)
        choose_mines(placement, board, rules, first)
    write_layout(placement, rules.n_mines, board, games.mines, games.shown, which)
    if placement.clues.is_exact:
        return
    seed_generator(placement.generator, games.seeds[which], CLUE_STREAM)
    fill_words(placement.generator, placement.n_cells, placement.words)
    for cell in range(placement.n_cells):
        games.shown[which, cell] = draw_clue(
            placement.clues, placement.words[cell], board.degree[cell], games.shown[which, cell]
        )


@inner
def draw_again(placement: Placement, board: Board, games: Games, which: Int, cell: Int) -> Int:
    """Return what a cell shows when it is asked again, by how often it was; linear in its number."""
    truth: Int = 0
    for k in range(board.degree[cell]):
        truth += games.mines[which, board.table[cell, k]]
    seed_generator(placement.generator, games.seeds[which], CLUE_STREAM + games.n_redraws[which, cell])
    fill_words(placement.generator, cell + 1, placement.words)
    return draw_clue(placement.clues, placement.words[cell], board.degree[cell], truth)
