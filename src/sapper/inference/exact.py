"""The exact posterior of a position: the chance of every cell, what is certain, how many layouts there are.

>>> from sapper.observation import Observation
>>> found = mine_probabilities(Observation.parse("1##/### 2"))
>>> found.p_mine.round(4).tolist()
[[nan, 0.3333, 0.5], [0.3333, 0.3333, 0.5]]
>>> found.n_layouts
6
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import InputError
from sapper.inference.conflict import explain_contradiction
from sapper.inference.reference import count_layouts
from sapper.inference.workspace import NO_TABLES, Budget, Workspace
from sapper.kernels import workspace as places
from sapper.kernels.frontier import MINE, SAFE
from sapper.kernels.posterior import solve
from sapper.knowledge.statements import read_knowledge
from sapper.observation import Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

Cell = tuple[int, int]

_SAMPLES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the engine, in the form in which the kernels take it."""

    observation: Observation
    density: float = 0.5  # with the total unknown: chance of a mine before any clue
    trust_flags: bool = False
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        if not 0.0 < self.density < 1.0:
            raise InputError(f"The density of mines must lie between 0 and 1, not at {self.density}.")

    @property
    def soft(self) -> bool:
        """Whether a shown clue may differ from the truth."""
        return self.observation.channel.kind in ("optimistic", "cautious")

    @property
    def odds(self) -> float:
        """Prior odds of a mine."""
        return self.density / (1.0 - self.density)

    @property
    def total(self) -> int:
        """The total as the kernels take it."""
        return -1 if self.observation.total is None else self.observation.total


class _Workspaces(threading.local):
    """The workspaces of a thread, the most recent few."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, bool, Budget], Workspace] = {}

    def take(self, question: Question) -> Workspace:
        key = (question.observation.topology.n_cells, question.soft, question.budget)
        found = self.kept.pop(key, None) or Workspace(*key)
        self.kept[key] = found  # the newest stands last
        if len(self.kept) > 8:
            del self.kept[next(iter(self.kept))]
        return found


_workspaces = _Workspaces()


def run_engine(
    question: Question, workspace: Workspace, tables: NDArray[np.float64] | None = None
) -> tuple[NDArray[np.int8], NDArray[np.float64]] | None:
    """Run the kernel, growing the workspace as need be; return verdicts and chances by cell, or None if nothing fits.

    ``tables`` are the likelihoods of soft clues, if others than the observation's. Raises `TooHard`.
    """
    observation = question.observation
    board = observation.topology
    cells = observation.cells.ravel()
    settled, p = np.empty(board.n_cells, dtype=np.int8), np.empty(board.n_cells)
    if tables is None:
        tables = likelihood_tables(observation) if question.soft else NO_TABLES
    while True:
        status = solve(
            cells, board.table, board.degree, board.cols, question.total, question.odds, question.trust_flags,
            question.soft, tables, settled, p, workspace.ints, workspace.longs, workspace.floats,
        )  # fmt: skip
        if status == places.OK:
            return settled, p
        if status == places.CONTRADICTION:
            return None
        workspace.grow(status)


def likelihood_tables(observation: Observation) -> NDArray[np.float64]:
    """Return for every open clue how likely each truth makes it: (n_cells, 9)."""
    shown = observation.cells.ravel()
    tables = np.zeros((shown.size, 9))
    degrees = observation.topology.degree
    for degree in np.unique(degrees).tolist():
        chosen = np.flatnonzero((degrees == degree) & (shown >= 0))
        tables[chosen, : degree + 1] = observation.channel.likelihood(degree)[shown[chosen]]
    return tables


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What is known of the mines, given an observation."""

    question: Question = field(repr=False)
    p_mine: NDArray[np.float64]  # (rows, cols) chance of a mine; NaN where open
    verdicts: NDArray[np.int8] = field(repr=False)  # (rows, cols) of kernels.frontier: UNKNOWN, SAFE, MINE, OPEN
    log_weight: float  # natural logarithm of the weight of all layouts together
    p_free: float  # chance of a mine where no clue reaches
    n_free: int  # number of such cells

    @property
    def observation(self) -> Observation:
        """The position that this is about."""
        return self.question.observation

    @property
    def safe(self) -> tuple[Cell, ...]:
        """The hidden cells that are certainly clear, row by row."""
        return self._cells_with(SAFE)

    @property
    def mines(self) -> tuple[Cell, ...]:
        """The hidden cells that are certainly mines, row by row."""
        return self._cells_with(MINE)

    def _cells_with(self, verdict: int) -> tuple[Cell, ...]:
        return tuple(
            self.observation.topology.cell(index) for index in np.flatnonzero(self.verdicts == verdict).tolist()
        )

    @property
    def best(self) -> tuple[Cell, ...]:
        """The hidden cells of least risk, row by row: the safe ones, if there are any."""
        if self.safe or not self.observation.closed.any():
            return self.safe
        least = np.nanmin(self.p_mine)
        # Equal chances may differ in their last bits, having been summed in different orders.
        near = self.observation.closed & (self.p_mine <= least * (1 + 1e-12))
        return tuple((int(row), int(col)) for row, col in np.argwhere(near))

    @property
    def log_layouts(self) -> float:
        """Natural logarithm of the number of layouts that fit."""
        question = self.question
        if not question.soft and (question.total >= 0 or question.density == 0.5):
            return self.log_weight
        return math.log(self.n_layouts)

    @property
    def n_layouts(self) -> int:
        """The exact number of layouts that fit, counted in Python integers: slow on large boards."""
        return count_layouts(read_knowledge(self.observation, self.question.trust_flags))

    def p_clue(self, row: int, col: int) -> NDArray[np.float64]:
        """Return the chance that opening a hidden cell shows 0, 1, …; with its chance of a mine they sum to one.

        Under a channel that may show nothing, that chance is the last entry. Costs one run of the engine per clue.
        """
        observation = self.observation
        board = observation.topology
        index = board.index(row, col)
        if not observation.closed[row, col]:
            raise InputError(f"({row}, {col}) is open already.")
        degree = int(board.degree[index])
        # The truth first: the weight of the position in which the cell shows it, relative to the weight now.
        tables = likelihood_tables(observation) if self.question.soft else None
        p_truth = np.zeros(degree + 1)
        workspace = _workspaces.take(self.question)
        for truth in range(degree + 1):
            cells = observation.cells.copy()
            cells[row, col] = truth
            opened = Observation(board, cells, observation.total, observation.channel)
            if tables is not None:
                tables[index] = 0.0
                tables[index, truth] = 1.0
            asked = Question(opened, self.question.density, self.question.trust_flags, self.question.budget)
            if run_engine(asked, workspace, tables) is not None:
                p_truth[truth] = math.exp(workspace.floats[places.LOG_WEIGHT] - self.log_weight)
        if observation.channel.kind == "exact":
            return p_truth
        shown: NDArray[np.float64] = observation.channel.likelihood(degree) @ p_truth
        return shown

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return n independent random layouts, each with exactly its posterior chance: (n, rows, cols), True = mine."""
        from sapper.kernels.sampling import sample

        observation = self.observation
        n_cells = observation.topology.n_cells
        workspace = _workspaces.take(self.question)
        # The workspace may have been used since; the sums are made again, once for all samples, and all by elimination.
        workspace.longs[places.PLAIN] = 1
        try:
            summed = run_engine(self.question, workspace)
        finally:
            workspace.longs[places.PLAIN] = 0
        assert summed is not None
        settled, _ = summed
        out = np.empty((n, n_cells), dtype=np.bool_)
        for start in range(0, n, _SAMPLES_AT_ONCE):
            part = out[start : start + _SAMPLES_AT_ONCE]
            sample(
                observation.cells.ravel(), settled, self.question.total, self.question.odds, self.question.soft,
                workspace.ints, workspace.longs, workspace.floats, rng.random((len(part), 3 * n_cells + 8)), part,
            )  # fmt: skip
        return out.reshape(n, observation.rows, observation.cols)


def mine_probabilities(
    observation: Observation,
    *,
    density: float = 0.5,
    trust_flags: bool = False,
    budget: Budget | None = None,
) -> Posterior:
    """Return the chance of a mine under every hidden cell, exactly.

    Every layout that fits the clues and the total is equally likely; with the total unknown, every cell is a mine
    with chance ``density`` to begin with. Flags are opinions and are ignored unless trusted. Microseconds on ordinary
    positions; exponential only in the width of the frontier. Raises `Contradiction` if no layout fits, and `TooHard`
    if the sum exceeds the budget.

    >>> from sapper.observation import Observation
    >>> mine_probabilities(Observation.parse("1# 1")).p_mine[0, 1]
    np.float64(1.0)
    """
    question = Question(observation, density, trust_flags, budget or Budget())
    return answer(question, _workspaces.take(question))


def answer(question: Question, workspace: Workspace) -> Posterior:
    """Return the posterior that a question asks for, or raise `Contradiction`."""
    summed = run_engine(question, workspace)
    if summed is None:
        raise explain_contradiction(question.observation, lambda asked: is_possible(asked, question))
    settled, p = summed
    shape = question.observation.cells.shape
    settled.flags.writeable = False
    p.flags.writeable = False
    info = workspace.floats
    return Posterior(
        question,
        p.reshape(shape),
        settled.reshape(shape),
        float(info[places.LOG_WEIGHT]),
        float(info[places.P_FREE]),
        int(info[places.N_FREE]),
    )


def is_possible(observation: Observation, like: Question) -> bool:
    """Whether any layout fits an observation, flags and budget as in another question."""
    question = Question(observation, like.density, like.trust_flags, like.budget)
    return run_engine(question, _workspaces.take(question)) is not None
