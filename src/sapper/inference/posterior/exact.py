"""The exact posterior of a position: mine probabilities, what is certain, the number of layouts.

>>> found = mine_probabilities("1##/### 2")
>>> found.p_mine.round(4).tolist()
[[nan, 0.3333, 0.5], [0.3333, 0.3333, 0.5]]
>>> found.n_layouts
6
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from numbers import Integral
from reprlib import repr as shorten

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapper import kernels
from sapper.errors import Contradiction, InputError, check_type
from sapper.inference.posterior.cores import explain_contradiction
from sapper.inference.posterior.limits import memory
from sapper.inference.posterior.reference import count_layouts, read_knowledge
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, GrowingWorkspace, check_budget
from sapper.kernels.codes import CONTRADICTION, MINE, OK, SAFE
from sapper.notebook import draw
from sapper.observation import Observation, check_code
from sapper.topology import Cell
from sapper.words import count, percent

_SAMPLES_PER_BATCH = 256


def check_density(density: object) -> None:
    """Raise `InputError` unless this is a prior mine probability: a number between 0 and 1."""
    if not (isinstance(density, int | float | np.floating | Fraction) and 0.0 < density < 1.0):
        raise InputError(f"The density of mines must be a number more than 0 and less than 1, not {shorten(density)}.")


class PosteriorQuery(kernels.Question):
    """What is asked of the engine: an observation, the prior mine probability, whether to trust flags, and the budget.

    Never changes.
    """

    __slots__ = ()

    observation: Observation
    budget: Budget | None

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return PosteriorQuery, (self.observation, self.density, self.trust_flags, self.budget)

    def workspace(self) -> GrowingWorkspace:
        """Return this thread's workspace for it."""
        observation = self.observation
        # Mostly it is the same board again, which is quicker to see than a key is to make.
        board, channel, budget, latest = memory.latest
        if latest and board is observation.topology and channel is observation.channel and budget is self.budget:
            return latest
        found = memory.take(observation.topology.n_cells, self.is_noisy, self.budget or USUAL_BUDGET)
        memory.latest = (observation.topology, observation.channel, self.budget, found)
        return found


class Posterior(kernels.Answer):
    """What is known of the mines, given an observation; never changes.

    question: what was asked.
    p_mine: mine probabilities, (rows, cols); NaN where open.
    verdicts: (rows, cols) of `kernels.codes`: UNKNOWN, SAFE, MINE, OPEN.
    log_weight: natural logarithm of the total weight of all layouts.
    p_free: mine probability of the cells that no clue touches.
    n_free: the number of these cells.
    """

    __slots__ = ()

    question: PosteriorQuery
    p_mine: NDArray[np.float64]
    verdicts: NDArray[np.int8]
    log_weight: float
    p_free: float
    n_free: int

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Posterior, (self.question, self.p_mine, self.verdicts, self.log_weight, self.p_free, self.n_free)

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
        """The position."""
        return self.question.observation

    @property
    def safe(self) -> tuple[Cell, ...]:
        """The hidden cells that are certainly safe, row by row."""
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
    def safest(self) -> tuple[Cell, ...]:
        """The hidden cells of least risk, row by row: the safe ones, if there are any."""
        if self.safe or not self.observation.closed.any():
            return self.safe
        least = np.nanmin(self.p_mine)
        # Equal probabilities may differ in their last bits, having been summed in different orders.
        near = self.observation.closed & (self.p_mine <= least * (1 + 1e-12))
        return tuple((int(row), int(col)) for row, col in np.argwhere(near))

    @property
    def log_layouts(self) -> float:
        """Natural logarithm of the number of layouts that fit."""
        question = self.question
        if not question.is_noisy and (question.total >= 0 or question.density == 0.5):
            return self.log_weight
        return math.log(self.n_layouts)

    @property
    def n_layouts(self) -> int:
        """The exact number of layouts that fit, counted in Python integers: slow on large boards."""
        return count_layouts(read_knowledge(self.observation, self.question.trust_flags))

    def as_position(self) -> kernels.Position:
        """Return the position and the answer for the kernels: a copy, since they may write to it."""
        return kernels.Position(
            self.observation.cells.ravel(), self.verdicts.ravel().copy(), self.p_mine.ravel().copy()
        )

    def p_clue(self, row: int, col: int) -> NDArray[np.float64]:
        """Return the probabilities that opening a hidden cell shows 0, 1, …; with that of a mine they sum to one.

        If the channel may withhold clues, the last entry is the probability of no clue. One run of the engine per clue.
        """
        observation = self.observation
        board = observation.topology
        index = board.index(row, col)
        if not observation.closed[row, col]:
            raise InputError(f"({row}, {col}) is open already.")
        question, p_truth = self.question, np.zeros(int(board.degree[index]) + 1)
        if question.is_noisy:
            # The kernel writes to its likelihoods.
            question = PosteriorQuery(observation, question.density, question.trust_flags, question.budget)
        workspace, cells = question.workspace(), observation.cells.tobytes()
        while (
            status := kernels.weigh_clues(workspace, board.graph, question, cells, index, self.log_weight, p_truth)
        ) != OK:
            workspace.grow(status)
        workspace.give_back()
        if observation.channel.kind == "exact":
            return p_truth
        shown: NDArray[np.float64] = observation.channel.likelihood(len(p_truth) - 1) @ p_truth
        return shown

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Draw n independent layouts from the posterior, exactly: (n, rows, cols), True = mine."""
        check_type(n, Integral, "an integer number of layouts")
        check_type(rng, np.random.Generator, "a NumPy random generator")
        out = np.empty((n, *self.observation.cells.shape), dtype=np.bool_)
        for start in range(0, n, _SAMPLES_PER_BATCH):
            part = out[start : start + _SAMPLES_PER_BATCH]
            part[:] = self.sample_by(rng.random((len(part), self.numbers_per_sample)))
        return out

    @property
    def numbers_per_sample(self) -> int:
        """The number of random numbers that one layout takes."""
        return 3 * self.observation.topology.n_cells + 8

    def sample_by(self, uniform: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Draw layouts by given uniform numbers, at least 0 and below 1: one row for each layout."""
        observation = self.observation
        workspace = self.question.workspace()
        # The workspace may have been used since, so everything is summed again, by variable elimination.
        workspace.by_elimination = True
        try:
            summed = run_engine(self.question, workspace)
        finally:
            workspace.by_elimination = False
        assert summed is not None
        out = np.empty((len(uniform), observation.topology.n_cells), dtype=np.bool_)
        status = kernels.sample(workspace, self.question, workspace.position, uniform, out)
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
    """Return the exact mine probability of every hidden cell.

    The position is an `Observation`, its one-line text, or an array as `Observation.from_array` takes it; ``mines`` is
    the number of mines, if the position does not include it.

    Every layout that fits the clues and the number of mines is equally likely; if that number is unknown, every cell
    has the prior probability ``density``. Flags are ignored unless ``trust_flags`` is set. Ordinary positions take
    microseconds; the cost is exponential only in the width of the frontier. Raises `Contradiction` if no layout fits,
    and `TooHard` if the sum exceeds the budget.

    >>> mine_probabilities("1# 1").p_mine[0, 1]
    np.float64(1.0)
    """
    observation = position if type(position) is Observation and mines is None else Observation.of(position, mines)
    # Checked here first: a call would take a tenth of the time of a small position.
    if not (type(density) is float and 0.0 < density < 1.0):
        check_density(density)
    question = PosteriorQuery(observation, density, trust_flags, None if budget is None else check_budget(budget))
    workspace = question.workspace()
    found = run_engine(question, workspace)
    if found is None:
        raise _contradiction_of(question)
    if workspace.has_grown:
        workspace.give_back()
    return found


def _contradiction_of(question: PosteriorQuery) -> Contradiction:
    return explain_contradiction(question.observation, lambda asked: is_possible(asked, question))


def run_engine(question: PosteriorQuery, workspace: GrowingWorkspace) -> Posterior | None:
    """Return the posterior, or None if nothing fits; grows the workspace as needed. Raises `TooHard`."""
    found, observation = Posterior(question), question.observation
    board, cells = observation.topology.graph, observation.cells.tobytes()
    while (status := kernels.answer(workspace, board, question, cells, found)) != OK:
        if status == CONTRADICTION:
            return None
        workspace.grow(status)
    return found


def is_possible(observation: Observation, like: PosteriorQuery | None = None) -> bool:
    """Whether any layout fits an observation, with flags and budget as in another query. Raises `TooHard`."""
    question = PosteriorQuery(observation)
    if like is not None:
        question = PosteriorQuery(observation, like.density, like.trust_flags, like.budget)
    return run_engine(question, question.workspace()) is not None


class Engine:
    """`mine_probabilities` with fixed settings, for the successive positions of a game.

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
        """Return the posterior after these cells of the last position showed these clues."""
        if self._position is None:
            raise InputError("Call posterior() before open().")
        last = self._position
        cells = last.cells.copy()
        check_type(shown, Mapping, "a mapping from cells, (row, col), to clues")
        for cell, clue in shown.items():
            check_type(cell, tuple, "a cell as (row, col)")
            row, col = cell
            cells.flat[last.topology.index(row, col)] = check_code(row, col, clue)
        return self.posterior(Observation(last.topology, cells, last.total, last.channel))
