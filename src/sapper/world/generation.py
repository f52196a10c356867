"""Layouts and shown clues from a seed.

Layouts are uniform over every placement that the first-click policy allows. No mine is moved away from the first
click, which would make some layouts likelier than others. Each cell that may hold a mine gets a random 64-bit key, and
the mines go to the smallest keys. The keys are the raw output of PCG64 (O'Neill 2014), which NumPy promises never to
change, so a seed means the same layout on every machine and with every version. `kernels/boards/placement.py` draws the
same layouts; uncompiled it takes twenty times as long as NumPy here, so both exist and tests compare them.

The clue that a cell shows depends on the seed, the cell and the number of queries, never on the order of play: two
agents that open the same cell of the same board see the same clue.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sapper.channel import Channel
from sapper.errors import InputError, RulesError, check_type
from sapper.layout import Layout
from sapper.observation import NO_CLUE
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.words import count

# One seed feeds several independent streams, numbered like this.
LAYOUT_STREAM = 0
CLUE_STREAM = 1  # and the numbers after it, one per query
DEAL_STREAM = 2**32  # and the numbers after it, one per resampled layout

MAX_SEED = 2**63 - 1


def check_seed(seed: int) -> int:
    """Return a valid seed, or raise `InputError`."""
    check_type(seed, (int, np.integer), f"a seed, an integer from 0 to {MAX_SEED}")
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"A seed must be an integer from 0 to {MAX_SEED}, not {seed}.")
    return seed


def random_words(seed: int, stream: int, n_words: int) -> NDArray[np.uint64]:
    """Return raw 64-bit random words that depend only on the seed and the stream."""
    words: NDArray[np.uint64] = np.random.PCG64(np.random.SeedSequence((check_seed(seed), stream))).random_raw(n_words)
    return words


def random_uniforms(seed: int, stream: int, n: int) -> NDArray[np.float64]:
    """Return random numbers in [0, 1) that depend only on the seed and the stream."""
    uniforms: NDArray[np.float64] = (random_words(seed, stream, n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return uniforms


def generate_layout(rules: Rules | str, seed: int, first: Cell) -> Layout:
    """Return the layout of this seed for a game in which ``first``, a (row, col), is opened first.

    >>> from sapper.rules import Rules
    >>> str(generate_layout(Rules(3, 4, 3), seed=7, first=(0, 0)))
    '---*/--*-/---*'
    """
    rules = Rules.of(rules)
    board = rules.topology
    cells = cells_for_mines(rules, board.number(first))
    mines = np.zeros(board.n_cells, dtype=np.bool_)
    if rules.mines:
        keys = random_words(seed, LAYOUT_STREAM, board.n_cells)[cells]
        # A stable sort orders equal keys (once in 10^13 boards) by cell; a partition would not guarantee that.
        mines[cells[np.argsort(keys, kind="stable")[: rules.mines]]] = True
    return Layout(board, mines)


def generate_mines(rules: Rules, seeds: Sequence[int], first: Cell) -> NDArray[np.bool_]:
    """Return the mines of several seeds at once, as `generate_layout` places them: (n_seeds, n_cells)."""
    n_cells, cells = rules.n_cells, cells_for_mines(rules, rules.topology.number(first))
    mines = np.zeros((len(seeds), n_cells), dtype=np.bool_)
    if rules.mines:
        keys = np.array([random_words(seed, LAYOUT_STREAM, n_cells) for seed in seeds])[:, cells]
        chosen = np.argsort(keys, axis=1, kind="stable")[:, : rules.mines]
        mines[np.arange(len(seeds))[:, None], cells[chosen]] = True
    return mines


def cells_for_mines(rules: Rules, first: int, reserved: frozenset[int] = frozenset()) -> NDArray[np.intp]:
    """Return the cells that may hold mines, ascending: those that neither the rules nor ``reserved`` keep free."""
    allowed = np.ones(rules.n_cells, dtype=np.bool_)
    allowed[list(rules.reserved(first) | reserved)] = False
    cells = np.flatnonzero(allowed)
    if rules.mines > cells.size:
        raise RulesError(
            f"{count(rules.mines, 'mine leaves', 'mines leave')} no room to begin at {rules.topology.cell(first)}: "
            f"only {count(cells.size, 'cell is', 'cells are')} left."
        )
    return cells


def shown_clues(layout: Layout, channel: Channel, seed: int, query: int = 0) -> NDArray[np.int8]:
    """Return what each cell shows when it is asked for the ``query``-th time, or NO_CLUE: (n_cells,).

    Mined cells have an entry too, which is never shown.
    """
    truths = layout.clues().ravel()
    if channel.kind == "exact":
        return truths
    uniform = random_uniforms(seed, CLUE_STREAM + (query if channel.redraws else 0), layout.topology.n_cells)
    shown = np.empty_like(truths)
    for degree in np.unique(layout.topology.degree).tolist():
        cells = np.flatnonzero(layout.topology.degree == degree)
        # The cumulative sum of column t is the distribution function of the clue shown for a true count t.
        likelihood = channel.likelihood(degree)
        drawn = (uniform[cells] >= likelihood.cumsum(axis=0)[:, truths[cells]]).sum(axis=0)
        # A sum of floats may end just below one; a draw above it belongs to the last possible row.
        last_possible = degree + 1 - (likelihood[::-1] > 0).argmax(axis=0)
        drawn = np.minimum(drawn, last_possible[truths[cells]])
        shown[cells] = np.where(drawn > degree, NO_CLUE, drawn)
    return shown
