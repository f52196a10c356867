"""What the engine is given: the board, the question and the position; answers are written into the position."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sapper.kernels.codes import MAX_DEGREE
from sapper.kernels.language import (
    Bytes,
    ConstBytes,
    ConstDoubleGrid,
    ConstIntGrid,
    ConstInts,
    Double,
    Doubles,
    Flag,
    Int,
    Long,
    Public,
    value,
    view,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@value
class Board:
    """The cells and who touches whom: any graph whose cells have at most MAX_DEGREE neighbours."""

    n_cells: Public[Int]
    n_cols: Public[Int]  # only to find a good order of summation: what the numbers of cells say about places
    most: Public[Int]  # neighbours that a cell may have: the width of the table
    table: ConstIntGrid  # (n, most): neighbours of each cell, ascending
    degree: ConstBytes  # (n,): how many they are

    def __init__(self, n_cols: Int, table: NDArray[np.int32], degree: NDArray[np.int8]) -> None:
        if table.shape[1] > MAX_DEGREE:
            raise ValueError(f"a cell may have {MAX_DEGREE} neighbours at most")
        self.n_cells, self.n_cols, self.most = len(degree), n_cols, table.shape[1]
        self.table, self.degree = view(table), view(degree)


@value
class Question:
    """What is asked about a position."""

    total: Public[Int]  # mines on the board; -1: unknown
    odds: Public[Double]  # with the total unknown: prior odds of a mine
    trust_flags: Public[Flag]  # whether a flag is as good as a mine
    is_soft: Public[Flag]  # whether a shown clue may differ from the truth
    tables: ConstDoubleGrid  # (n, most + 1): soft clues: likelihood of what is shown, by truth
    log_doubt: Double  # minus the natural logarithm of the least of them that is not zero

    def __init__(self, total: Int, odds: Double = 1.0, trust_flags: Flag = False, tables: Any = None) -> None:
        self.total, self.odds, self.trust_flags = total, odds, trust_flags
        self.is_soft, self.log_doubt = tables is not None, 0.0
        if tables is not None:
            self.tables = view(tables)
            self.log_doubt = -math.log(tables.min(initial=1.0, where=tables > 0.0))


@value
class Position:
    """What the player sees, and what the engine finds out about it."""

    cells: ConstBytes  # (n,): HIDDEN, FLAG, EXPLODED, NO_CLUE or the clue
    settled: Bytes  # (n,) out: UNKNOWN, SAFE or MINE where hidden, else OPEN; SAFE and MINE are certain
    p_mine: Doubles  # (n,) out: chance of a mine; NaN where open

    def __init__(self, cells: NDArray[np.int8], settled: NDArray[np.int8], p_mine: NDArray[np.float64]) -> None:
        self.cells, self.settled, self.p_mine = view(cells), view(settled), view(p_mine)


@value
class Answers(Position):
    """Positions of one board after another, with room for the answers about several of them."""

    all_settled: Bytes  # (k n,): the answers, one behind the other
    all_p_mine: Doubles  # (k n,)

    def __init__(self, settled: NDArray[np.int8], p_mine: NDArray[np.float64]) -> None:
        self.all_settled, self.all_p_mine = view(settled), view(p_mine)

    def turn_to(self, cells: NDArray[np.int8], k: Long) -> None:
        """Take the next position; the answers go to the k-th place."""
        n: Long = len(cells)
        self.cells = view(cells)
        self.settled, self.p_mine = self.all_settled[k * n : k * n + n], self.all_p_mine[k * n : k * n + n]


@value
class Batch(Position):
    """Many positions of one board, one behind the other, and room for the answers about all of them."""

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
