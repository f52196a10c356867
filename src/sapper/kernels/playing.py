"""Whole classic games without going back to Python: reveal, sum exactly, decide, until the end.

The player in here sees what any agent sees: the decisions take the observation's arrays and nothing else. The truth is
read only to open cells.

| array  | dtype   | shape  | meaning                                                                       |
|--------|---------|--------|-------------------------------------------------------------------------------|
| mines  | bool    | (n,)   | the truth                                                                     |
| shown  | int8    | (n,)   | the clue that each cell shows when it is opened                               |
| cells  | int8    | (n,)   | what the player sees; the state of the game                                   |
| seen   | int8    | (n,)   | the same memory, read-only: the type for which the engine is compiled already |
| opened | int32   | (n,)   | scratch of the reveal                                                         |
| moves  | int32   | (n,)   | out: the cells that were chosen, in order                                     |
| tally  | int64   | (3,)   | in and out: moves made, cells still hidden, guesses                           |
| ahead  |         |        | None: least risk; else the scratch of lookahead.py, from trial to scores      |
| end    |         |        | the same for endgame.py; None where ahead is None                             |
| others |         |        | as in posterior.py                                                            |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import kernel
from sapper.kernels.choosing import choose_least_risk
from sapper.kernels.endgame import choose_perfectly
from sapper.kernels.frontier import SAFE
from sapper.kernels.lookahead import FAILED, choose_by_lookahead
from sapper.kernels.parts import choose_in_part
from sapper.kernels.posterior import solve
from sapper.kernels.reveal import HIDDEN, reveal
from sapper.kernels.workspace import LOG_WEIGHT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.kernels.endgame import Scratch as EndScratch
    from sapper.kernels.lookahead import Scratch

    Int8s = NDArray[np.int8]
    Ints = NDArray[np.int32]
    Longs = NDArray[np.int64]
    Floats = NDArray[np.float64]

EXPLODED = -3

# What a call reports: one of these, or a status of the engine. A game that needs more memory goes on where it stopped.
WON = -1
LOST = -2

N_MOVES, N_HIDDEN, N_GUESSES = 0, 1, 2


@kernel
def play_on(
    mines: NDArray[np.bool_],
    shown: Int8s,
    n_mines: int,
    cascade: bool,
    cells: Int8s,
    seen: Int8s,
    table: Ints,
    degree: Int8s,
    cols: int,
    total: int,
    odds: float,
    trust_flags: bool,
    is_soft: bool,
    tables: Floats,
    settled: Int8s,
    p_mine: Floats,
    ints: Ints,
    longs: Longs,
    floats: Floats,
    opened: Ints,
    moves: Ints,
    tally: Longs,
    ahead: Scratch | None,
    end: EndScratch | None,
) -> int:
    """Play on: everything certain is opened in order of the cells, then a guess; return how it ended."""
    while True:
        status = solve(
            seen, table, degree, cols, total, odds, trust_flags, is_soft, tables, settled, p_mine, ints, longs, floats
        )
        if status != 0:
            return status
        found = False
        for cell in range(len(cells)):
            if settled[cell] == SAFE and cells[cell] == HIDDEN:
                found = True
                moves[tally[N_MOVES]] = cell
                tally[N_MOVES] += 1
                tally[N_HIDDEN] -= reveal(cells, shown, table, degree, cell, cascade, opened)
        if not found:
            # Numba compiles only the branch that the argument's type calls for, so either player pays for itself alone.
            if ahead is None or end is None:
                cell = choose_least_risk(seen, table, degree, p_mine)
            else:
                log_now = floats[LOG_WEIGHT]
                cell = -1
                if total >= 0 and log_now <= np.log(len(end.order)) + 1e-9:
                    cell = choose_perfectly(seen, settled, table, degree, total, 0, end)
                if cell < 0:
                    cell = choose_in_part(seen, settled, table, degree, 0, end)
                if cell < 0:
                    trial, tried, settled_next, p_next, candidates, relief, scores = ahead
                    cell = choose_by_lookahead(
                        seen, table, degree, cols, total, odds, trust_flags, is_soft, tables, settled, p_mine, log_now,
                        trial, tried, settled_next, p_next, ints, longs, floats, candidates, relief, scores,
                    )  # fmt: skip
                if cell < 0:
                    return FAILED - cell
            moves[tally[N_MOVES]] = cell
            tally[N_MOVES] += 1
            tally[N_GUESSES] += 1
            if mines[cell]:
                cells[cell] = EXPLODED
                return LOST
            tally[N_HIDDEN] -= reveal(cells, shown, table, degree, cell, cascade, opened)
        if tally[N_HIDDEN] == n_mines:
            return WON
