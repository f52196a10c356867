"""A question about an observation, and the answer to it: what small positions would spend most of their time on.

Python's part of a call must not take longer than the sum. So both are compiled, cells and results are exchanged as
bytes, and arrays are made only of what is looked at.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.codes import CONTRADICTION, OK
from sapper.kernels.engine.board import Board, Query, set_likelihood
from sapper.kernels.engine.posterior import read_position, solve_position, sum_position
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import *

FLOATS = np.dtype(np.float64)
CODES = np.dtype(np.int8)


class Question(Query):
    """A query about the position that an observation shows."""

    observation: ReadOnly[Any]
    density: ReadOnly[Double]  # the prior mine probability, if the number of mines is unknown
    budget: ReadOnly[Any]  # the limits of the sum; None: the usual ones

    def __init__(self, observation: Any, density: Double = 0.5, trust_flags: Flag = False, budget: Any = None) -> None:
        self.observation, self.density, self.trust_flags, self.budget = observation, density, trust_flags, budget
        self.total = -1 if observation.total is None else observation.total
        self.odds, self.is_noisy, self.max_surprisal = density / (1.0 - density), False, 0.0
        likelihood = observation.likelihoods
        if likelihood is not None:
            set_likelihood(self, likelihood)


class Answer:
    """What the engine found about a position of n cells."""

    question: ReadOnly[Any]
    log_weight: ReadOnly[Double]  # natural logarithm of the weight of all layouts together
    p_free: ReadOnly[Double]  # mine probability of a free cell
    n_free: ReadOnly[Int]  # free cells
    chances: bytes  # n floats: the mine probability of every cell
    settled: bytes  # n codes: the verdict of every cell
    p_mine_array: Any  # of `chances`; None until it is asked for
    verdict_array: Any  # of `settled`

    def __init__(
        self,
        question: Any,
        p_mine: Any = None,
        verdicts: Any = None,
        log_weight: Double = 0.0,
        p_free: Double = 0.0,
        n_free: Int = 0,
    ) -> None:
        self.question, self.log_weight, self.p_free, self.n_free = question, log_weight, p_free, n_free
        self.chances, self.settled, self.p_mine_array, self.verdict_array = b"", b"", None, None
        if p_mine is not None:
            self.chances, self.settled = p_mine.tobytes(), verdicts.tobytes()

    @property
    def p_mine(self) -> NDArray[np.float64]:
        """Mine probabilities, (rows, cols); NaN where open."""
        if self.p_mine_array is None:
            self.p_mine_array = np.ndarray(self.question.observation.cells.shape, FLOATS, self.chances)
        found: NDArray[np.float64] = self.p_mine_array
        return found

    @property
    def verdicts(self) -> NDArray[np.int8]:
        """Verdicts, (rows, cols), of `codes`: UNKNOWN, SAFE, MINE or OPEN."""
        if self.verdict_array is None:
            self.verdict_array = np.ndarray(self.question.observation.cells.shape, CODES, self.settled)
        found: NDArray[np.int8] = self.verdict_array
        return found


@public
def answer(ws: Workspace, board: Board, question: Question, cells: bytes, found: Answer) -> int:
    """Find the posterior of a position, given by its cells as bytes; return a status of `codes`."""
    load_bytes(cells, ws.cells)
    with unlocked:
        status = solve_position(ws, board, question, ws.position)
    if status == OK:
        found.chances = to_bytes(ws.position.p_mine, board.n_cells)
        found.settled = to_bytes(ws.position.settled, board.n_cells)
        found.log_weight, found.p_free, found.n_free = ws.log_weight, ws.p_free, ws.frontier.n_free
    return status


def weigh_each_clue(ws: Workspace, board: Board, query: Query, cell: Int, log_weight: Double, p_clue: Doubles) -> Int:
    """Fill the probabilities of the true clues of a hidden cell; return a status."""
    for truth in range(board.degree[cell] + 1):
        ws.cells[cell] = truth
        if query.is_noisy:
            # The clue itself is certain.
            for other in range(board.max_degree + 1):
                query.likelihood[cell, other] = 1.0 if other == truth else 0.0
        status = read_position(ws, board, query, ws.position)
        if status == OK:
            status = sum_position(ws, board, query, ws.position, False)
        if status > CONTRADICTION:
            return status
        p_clue[truth] = exp(ws.log_weight - log_weight) if status == OK else 0.0
    return OK


@public
def weigh_clues(
    ws: Workspace, board: Board, query: Query, cells: bytes, cell: Int, log_weight: Double, p_clue: NDArray[np.float64]
) -> int:
    """Find the probability that a hidden cell is safe and touches 0, 1, … mines; return a status.

    ``log_weight`` is that of the position. If clues are noisy, the cell's likelihoods are overwritten.
    """
    found: Doubles = view(p_clue)
    load_bytes(cells, ws.cells)
    with unlocked:
        status = weigh_each_clue(ws, board, query, cell, log_weight, found)
    return status
