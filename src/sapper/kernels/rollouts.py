"""What a cell is worth, by playing on: many games from one position, each over a layout that fits it.

In these games nobody dies. When a guess hits a mine, the layout is exchanged for another one that fits and has that
cell clear, drawn with its exact chance; the game's value is the product of the safeties of its guesses. The mean is the
chance to win, as it is over plain wins and losses, and the variance a third. Where few layouts are left, the game is
not played to its end: what perfect play wins of them is known.

Every cell is judged over the same layouts with the same random numbers, so that what cells have in common cancels in
their difference.

| array   | dtype   | shape         | meaning                                                        |
|---------|---------|---------------|----------------------------------------------------------------|
| start   | int8    | (n,)          | the position                                                   |
| layouts | bool    | (k, n)        | layouts that fit it                                            |
| uniform | float64 | (k, r, 3n + 8) | random numbers for up to r exchanges in each game             |
| cells   | int8    | (n,)          | scratch: what the player sees; seen is the same, read-only     |
| trial   | int8    | (n,)          | scratch: the position with a cell clear; tried, read-only      |
| mines   | bool    | (1, n)        | scratch: the layout of the moment                              |
| shown   | int8    | (n,)          | scratch: its clues                                             |
| end     |         |               | scratch of endgame.py; its size says what few layouts are      |
| values  | float64 | (k,)          | out: what each game was worth                                  |
| others  |         |               | as in playing.py                                               |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.choosing import HIDDEN, choose_least_risk
from sapper.kernels.endgame import N_LAYOUTS, N_UNKNOWN, choose_perfectly
from sapper.kernels.frontier import EXPLODED, SAFE
from sapper.kernels.posterior import solve
from sapper.kernels.reveal import reveal
from sapper.kernels.sampling import sample
from sapper.kernels.workspace import LOG_WEIGHT, OK, PLAIN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.kernels.endgame import Scratch

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Bools = NDArray[np.bool_]

NO_CLUE = -4


@inner_kernel
def _count_clues(mines: Bools, table: Ints, degree: Int8s, shown: Int8s) -> None:
    for cell in range(len(shown)):
        clue = 0
        for k in range(degree[cell]):
            clue += mines[0, table[cell, k]]
        shown[cell] = clue


@inner_kernel
def _exchange(
    cell: int,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    tables: Floats,
    seen: Int8s,
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_mine: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    uniform: Floats,
    mines: Bools,
    shown: Int8s,
) -> int:
    """Draw another layout that fits what is seen, with this cell clear."""
    trial[:] = seen
    trial[cell] = NO_CLUE
    longs[PLAIN] = 1
    status = solve(tried, table, degree, cols, total, 1.0, False, False, tables, settled, p_mine, ints, longs, floats)
    longs[PLAIN] = 0
    if status == OK:
        sample(tried, settled, total, 1.0, False, ints, longs, floats, uniform, mines)
        _count_clues(mines, table, degree, shown)
    return status


@inner_kernel
def _share_won(seen: Int8s, settled: Int8s, table: Ints, degree: Int8s, total: int, end: Scratch) -> float:
    """The share of the layouts that perfect play wins; -1 where that is too much to find out."""
    cell = choose_perfectly(seen, settled, table, degree, total, 0, end)
    if cell < 0:
        return -1.0
    most = 0
    for k in range(end.tally[N_UNKNOWN]):
        most = max(most, end.wins[k])
    share: float = most / end.tally[N_LAYOUTS]
    return share


@kernel
def roll_out(
    start: Int8s,
    first: int,
    layouts: Bools,
    uniform: Floats,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    cascade: bool,
    tables: Floats,
    cells: Int8s,
    seen: Int8s,
    trial: Int8s,
    tried: Int8s,
    settled: Int8s,
    p_mine: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    opened: Ints,
    mines: Bools,
    shown: Int8s,
    end: Scratch,
    values: Floats,
) -> int:
    """Open a cell in every layout and play on by least risk; the risk of that first cell is not counted.

    Returns the engine's status; after any other than OK nothing is to be relied on.
    """
    n_exchanges = uniform.shape[1]
    log_few = np.log(len(end.order)) + 1e-9
    for game in range(len(layouts)):
        mines[0] = layouts[game]
        _count_clues(mines, table, degree, shown)
        cells[:] = start
        n_hidden, n_mines = 0, total
        for cell in range(len(start)):
            n_hidden += start[cell] == HIDDEN
            n_mines -= start[cell] == EXPLODED
        value = 1.0
        cell = first
        n_hit = 0
        while True:
            if mines[0, cell]:
                status = _exchange(
                    cell, table, degree, cols, total, tables, seen, trial, tried, settled, p_mine, ints, longs, floats,
                    uniform[game, n_hit % n_exchanges : n_hit % n_exchanges + 1], mines, shown,
                )  # fmt: skip
                if status != OK:
                    return status
                n_hit += 1
            n_hidden -= reveal(cells, shown, table, degree, cell, cascade, opened)
            found = True
            while found and n_hidden > n_mines:
                status = solve(
                    seen, table, degree, cols, total, 1.0, False, False, tables, settled, p_mine, ints, longs, floats
                )
                if status != OK:
                    return status
                found = False
                for safe in range(len(cells)):
                    if settled[safe] == SAFE and cells[safe] == HIDDEN:
                        found = True
                        n_hidden -= reveal(cells, shown, table, degree, safe, cascade, opened)
            if n_hidden <= n_mines:
                break
            if floats[LOG_WEIGHT] <= log_few:
                share = _share_won(seen, settled, table, degree, total, end)
                if share >= 0.0:
                    value *= share
                    break
            cell = choose_least_risk(seen, table, degree, p_mine)
            value *= 1.0 - p_mine[cell]
        values[game] = value
    return OK
