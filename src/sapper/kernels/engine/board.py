"""The engine's input: the board, the query and the position, which also receives the results."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.codes import MAX_DEGREE
from sapper.kernels.language import *


class Board:
    """The cells and their neighbours: any graph with at most MAX_DEGREE neighbours per cell."""

    n_cells: Public[Int]
    n_cols: Public[Int]  # turns cells into places on the board; only the elimination order depends on it
    max_degree: Public[Int]  # maximum number of neighbours: the width of the table
    table: ConstIntGrid  # (n, max_degree): neighbours of each cell, ascending
    degree: ConstBytes  # (n,): number of neighbours

    def __init__(self, n_cols: Int, table: NDArray[np.int32], degree: NDArray[np.int8]) -> None:
        if table.shape[1] > MAX_DEGREE:
            raise ValueError(f"a cell may have at most {MAX_DEGREE} neighbours")
        self.n_cells, self.n_cols, self.max_degree = len(degree), n_cols, table.shape[1]
        self.table, self.degree = view(table), view(degree)


class Query:
    """What to compute for a position, and under which assumptions."""

    total: Public[Int]  # mines on the board; -1: unknown
    odds: Public[Double]  # prior odds of a mine, if the total is unknown
    trust_flags: Public[Flag]  # whether flags count as known mines
    is_noisy: Public[Flag]  # whether a shown clue may differ from the truth
    likelihood: DoubleGrid  # (n, max_degree + 1): noisy clues: likelihood of the shown clue, by true clue
    max_surprisal: Double  # noisy clues: -ln of the smallest positive likelihood

    def __init__(self, total: Int, odds: Double = 1.0, trust_flags: Flag = False, likelihood: Any = None) -> None:
        self.total, self.odds, self.trust_flags = total, odds, trust_flags
        self.is_noisy, self.max_surprisal = False, 0.0
        if likelihood is not None:
            set_likelihood(self, likelihood)


@public
def set_likelihood(query: Query, likelihood: NDArray[np.float64]) -> None:
    """Let clues be noisy."""
    query.is_noisy, query.likelihood = True, view(likelihood)
    query.max_surprisal = -math.log(likelihood.min(initial=1.0, where=likelihood > 0.0))


class Position:
    """What the player sees, and what the engine finds."""

    cells: ConstBytes  # (n,): HIDDEN, FLAG, EXPLODED, NO_CLUE or the clue
    settled: Bytes  # (n,) out: UNKNOWN, SAFE or MINE where hidden, else OPEN; SAFE and MINE are certain
    p_mine: Doubles  # (n,) out: mine probability; NaN where open

    def __init__(self, cells: NDArray[np.int8], settled: NDArray[np.int8], p_mine: NDArray[np.float64]) -> None:
        self.cells, self.settled, self.p_mine = view(cells), view(settled), view(p_mine)


class Batch(Position):
    """Many positions of one board, concatenated, and room for all results."""

    all_cells: ConstBytes  # (k n,)
    all_settled: Bytes  # (k n,) out
    all_p_mine: Doubles  # (k n,) out
    totals: ConstInts  # (k,): mines of each; -1: unknown
    log_weights: Doubles  # (k,) out
    statuses: Bytes  # (k,) out: OK or CONTRADICTION

    def __init__(
        self, cells: NDArray[np.int8], totals: NDArray[np.int32], settled: NDArray[np.int8],
        p_mine: NDArray[np.float64], log_weights: NDArray[np.float64], statuses: NDArray[np.int8],
    ) -> None:  # fmt: skip
        self.all_cells, self.totals = view(cells), view(totals)
        self.all_settled, self.all_p_mine = view(settled), view(p_mine)
        self.log_weights, self.statuses = view(log_weights), view(statuses)
