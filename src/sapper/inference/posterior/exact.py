"""The exact posterior of a position: the chance of every cell, what is certain, how many layouts there are.

>>> found = mine_probabilities("1##/### 2")
>>> found.p_mine.round(4).tolist()
[[nan, 0.3333, 0.5], [0.3333, 0.3333, 0.5]]
>>> found.n_layouts
6

A step ahead, for one observation after another: asks `kernels.choose_by_lookahead`, with more memory when needed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from reprlib import repr as shorten
from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.channel import SOFT_KINDS
from sapper.errors import InputError, check_type
from sapper.inference.posterior.cores import explain_contradiction
from sapper.inference.posterior.limits import memory
from sapper.inference.posterior.reference import count_layouts, read_knowledge
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, Workspace, check_budget
from sapper.kernels.codes import CONTRADICTION, MINE, OK, SAFE
from sapper.notebook import draw
from sapper.observation import Observation, check_code
from sapper.words import count, percent

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sapper.topology import Cell


_SAMPLES_AT_ONCE = 256


def check_density(density: object) -> None:
    """Raise `InputError` unless this is a chance that a cell may have before any clue."""
    if not (isinstance(density, int | float | np.floating | Fraction) and 0.0 < density < 1.0):
        raise InputError(f"The density of mines must be a number more than 0 and less than 1, not {shorten(density)}.")


# Questions and posteriors are read and never changed. They are not frozen all the same: setting the fields of a frozen
# dataclass takes longer than the engine takes for a small position.
@dataclass(slots=True, eq=False)
class Question:
    """What is asked of the engine."""

    observation: Observation
    density: float = 0.5  # with the total unknown: chance of a mine before any clue
    trust_flags: bool = False
    budget: Budget = USUAL_BUDGET

    def __post_init__(self) -> None:
        # Looked at here first: a call would be a tenth of the time of a small position.
        if not (type(self.density) is float and 0.0 < self.density < 1.0):
            check_density(self.density)

    @property
    def soft(self) -> bool:
        """Whether a shown clue may differ from the truth."""
        return self.observation.channel.kind in SOFT_KINDS

    @property
    def odds(self) -> float:
        """Prior odds of a mine."""
        return self.density / (1.0 - self.density)

    @property
    def total(self) -> int:
        """The total as the kernels take it: -1 if it is unknown."""
        return -1 if self.observation.total is None else self.observation.total

    def workspace(self) -> Workspace:
        """Return the memory that this thread has for it."""
        observation = self.observation
        # Mostly it is the same board again, and that is quicker seen than a key is made.
        board, channel, budget, latest = memory.latest
        if latest and board is observation.topology and channel is observation.channel and budget is self.budget:
            return latest
        found = memory.take(observation.topology.n_cells, self.soft, self.budget)
        memory.latest = (observation.topology, observation.channel, self.budget, found)
        return found

    def for_kernels(self, tables: NDArray[np.float64] | None = None) -> kernels.Query:
        """The same, as the kernels take it; ``tables`` are the likelihoods of soft clues, if others than usual."""
        if tables is None and self.observation.channel.kind in SOFT_KINDS:
            tables = likelihood_tables(self.observation)
        return kernels.Query(self.total, self.density / (1.0 - self.density), self.trust_flags, tables)


def run_engine(
    question: Question, workspace: Workspace, tables: NDArray[np.float64] | None = None
) -> tuple[kernels.Position, NDArray[np.int8], NDArray[np.float64]] | None:
    """Run the kernel, growing the workspace as need be; return None if nothing fits.

    Otherwise verdicts and chances, and the position that they are about as the kernels have it until the workspace is
    used again. ``tables`` are the likelihoods of soft clues, if others than the observation's. Raises `TooHard`.
    """
    observation = question.observation
    asked = question.for_kernels(tables)
    found = workspace.next_answer(observation.cells)
    while (status := kernels.solve(workspace, observation.topology.graph, asked, found[0])) != OK:
        if status == CONTRADICTION:
            return None
        workspace.grow(status)
    return found


def likelihood_tables(observation: Observation) -> NDArray[np.float64]:
    """Return for every open clue how likely each truth makes it: (n_cells, most neighbours + 1)."""
    shown = observation.cells.ravel()
    degrees = observation.topology.degree
    tables = np.zeros((shown.size, observation.topology.table.shape[1] + 1))
    for degree in np.unique(degrees).tolist():
        chosen = np.flatnonzero((degrees == degree) & (shown >= 0))
        tables[chosen, : degree + 1] = observation.channel.likelihood(degree)[shown[chosen]]
    return tables


@dataclass(slots=True, eq=False, repr=False)
class Posterior:
    """What is known of the mines, given an observation."""

    question: Question  # what was asked
    p_mine: NDArray[np.float64]  # (rows, cols) chance of a mine; NaN where open
    verdicts: NDArray[np.int8]  # (rows, cols) of kernels.codes: UNKNOWN, SAFE, MINE, OPEN
    log_weight: float  # natural logarithm of the weight of all layouts together
    p_free: float  # chance of a mine where no clue reaches
    n_free: int  # number of such cells

    def __repr__(self) -> str:
        board = self.observation.topology
        found = f"{len(self.safe)} safe, {count(len(self.mines), 'mine')}"
        if not self.safe and self.observation.closed.any():
            least = float(np.nanmin(self.p_mine))
            found += f", least risk {percent(least, certain=least == 1.0, places=1)}"
        return f"<Posterior {board.rows}x{board.cols} {board.shape}: {found}>"

    def _repr_svg_(self) -> str | None:
        return draw(self.observation.topology, "draw_chances", self.observation, self.p_mine, self.safe, self.mines)

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
        workspace = self.question.workspace()
        for truth in range(degree + 1):
            cells = observation.cells.copy()
            cells[row, col] = truth
            opened = Observation(board, cells, observation.total, observation.channel)
            if tables is not None:
                tables[index] = 0.0
                tables[index, truth] = 1.0
            asked = Question(opened, self.question.density, self.question.trust_flags, self.question.budget)
            if run_engine(asked, workspace, tables) is not None:
                p_truth[truth] = math.exp(workspace.log_weight - self.log_weight)
        workspace.give_back()
        if observation.channel.kind == "exact":
            return p_truth
        shown: NDArray[np.float64] = observation.channel.likelihood(degree) @ p_truth
        return shown

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return n independent random layouts, each with exactly its posterior chance: (n, rows, cols), True = mine."""
        check_type(n, Integral, "a whole number of layouts")
        check_type(rng, np.random.Generator, "a generator of NumPy")
        out = np.empty((n, *self.observation.cells.shape), dtype=np.bool_)
        for start in range(0, n, _SAMPLES_AT_ONCE):
            part = out[start : start + _SAMPLES_AT_ONCE]
            part[:] = self.sample_by(rng.random((len(part), self.numbers_per_sample)))
        return out

    @property
    def numbers_per_sample(self) -> int:
        """How many random numbers it takes to draw a layout."""
        return 3 * self.observation.topology.n_cells + 8

    def sample_by(self, uniform: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return random layouts, drawn by numbers from 0 to below 1 that are given: a row for each layout."""
        observation = self.observation
        workspace = self.question.workspace()
        # The workspace may have been used since; the sums are made again, once for all samples, and all by elimination.
        workspace.by_elimination = True
        try:
            summed = run_engine(self.question, workspace)
        finally:
            workspace.by_elimination = False
        assert summed is not None
        out = np.empty((len(uniform), observation.topology.n_cells), dtype=np.bool_)
        status = kernels.sample(workspace, self.question.for_kernels(), summed[0], uniform, out)
        if status != OK:
            workspace.grow(status)
        workspace.give_back()
        return out.reshape(-1, observation.rows, observation.cols)


def mine_probabilities(
    position: Observation | str | ArrayLike,
    *,
    mines: int | None = None,
    density: float = 0.5,
    trust_flags: bool = False,
    budget: Budget | None = None,
) -> Posterior:
    """Return the chance of a mine under every hidden cell, exactly.

    The position is an `Observation`, its one-line text, or an array of rows and columns as `Observation.from_array`
    takes it; ``mines`` is the total, where the position does not say it.

    Every layout that fits the clues and the total is equally likely; with the total unknown, every cell is a mine
    with chance ``density`` to begin with. Flags are opinions and are ignored unless trusted. Microseconds on ordinary
    positions; exponential only in the width of the frontier. Raises `Contradiction` if no layout fits, and `TooHard`
    if the sum exceeds the budget.

    >>> mine_probabilities("1# 1").p_mine[0, 1]
    np.float64(1.0)
    """
    observation = position if type(position) is Observation and mines is None else Observation.of(position, mines)
    question = Question(observation, density, trust_flags, USUAL_BUDGET if budget is None else check_budget(budget))
    return answer(question)


def answer(question: Question) -> Posterior:
    """Return the posterior that a question asks for, or raise `Contradiction`."""
    workspace = question.workspace()
    summed = run_engine(question, workspace)
    if summed is None:
        raise explain_contradiction(question.observation, lambda asked: is_possible(asked, question))
    _, verdicts, chances = summed
    found = Posterior(question, chances, verdicts, workspace.log_weight, workspace.p_free, workspace.n_free)
    workspace.give_back()
    return found


def is_possible(observation: Observation, like: Question) -> bool:
    """Whether any layout fits an observation, flags and budget as in another question."""
    question = Question(observation, like.density, like.trust_flags, like.budget)
    return run_engine(question, question.workspace()) is not None


class Engine:
    """`mine_probabilities` with its settings given once, for position after position of a game.

    >>> engine = Engine()
    >>> round(float(engine.posterior("1###/####/####/###1 4").p_mine[0, 1]), 4)
    0.3333
    >>> round(float(engine.open({(0, 3): 1}).p_mine[0, 1]), 4)
    0.3333
    """

    def __init__(self, *, density: float = 0.5, trust_flags: bool = False, budget: Budget | None = None) -> None:
        self.density = density
        self.trust_flags = trust_flags
        self.budget = budget
        self._position: Observation | None = None

    def posterior(self, position: Observation | str | ArrayLike) -> Posterior:
        """Return the posterior of a position, in any form that `mine_probabilities` takes."""
        found = mine_probabilities(position, density=self.density, trust_flags=self.trust_flags, budget=self.budget)
        self._position = found.observation
        return found

    def open(self, shown: Mapping[tuple[int, int], int]) -> Posterior:
        """Return the posterior after more cells of the last position showed these clues."""
        if self._position is None:
            raise InputError("Ask for the posterior of a position first; it goes on from there.")
        last = self._position
        cells = last.cells.copy()
        check_type(shown, Mapping, "a mapping from cells, (row, col), to clues")
        for cell, clue in shown.items():
            check_type(cell, tuple, "a cell as (row, col)")
            row, col = cell
            cells.flat[last.topology.index(row, col)] = check_code(row, col, clue)
        return self.posterior(Observation(last.topology, cells, last.total, last.channel))


def as_position(posterior: Posterior) -> kernels.Position:
    """Return what is seen and known, as the kernels take it: a copy, since kernels may write there."""
    cells = posterior.observation.cells.ravel()
    return kernels.Position(cells, posterior.verdicts.ravel().copy(), posterior.p_mine.ravel().copy())
