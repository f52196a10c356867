"""The exact posterior of a position: the chance of every cell, what is certain, how many layouts there are.

>>> found = mine_probabilities("1##/### 2")
>>> found.p_mine.round(4).tolist()
[[nan, 0.3333, 0.5], [0.3333, 0.3333, 0.5]]
>>> found.n_layouts
6
"""

from __future__ import annotations

import math
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.channel import SOFT_KINDS
from sapper.errors import InputError
from sapper.inference.posterior.conflict import explain_contradiction
from sapper.inference.posterior.reference import count_layouts
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, Workspace
from sapper.kernels.codes import CONTRADICTION, MINE, OK, SAFE
from sapper.knowledge.statements import read_knowledge
from sapper.observation import Observation
from sapper.showing import draw
from sapper.words import count, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from sapper.topology import Cell


_SAMPLES_AT_ONCE = 256
_MOST_WORKSPACES = 8
_SECONDS_BETWEEN_LOOKS = 0.02  # whether somebody has changed their mind


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
        if not 0.0 < self.density < 1.0:
            raise InputError(f"The density of mines must be more than 0 and less than 1, not {self.density}.")

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

    def for_kernels(self, tables: NDArray[np.float64] | None = None) -> kernels.Question:
        """The same, as the kernels take it; ``tables`` are the likelihoods of soft clues, if others than usual."""
        if tables is None and self.observation.channel.kind in SOFT_KINDS:
            tables = likelihood_tables(self.observation)
        return kernels.Question(self.total, self.density / (1.0 - self.density), self.trust_flags, tables)


class _Workspaces(threading.local):
    """The workspaces of a thread: one for all boards, as large as the largest, by kind of clues and by budget."""

    def __init__(self) -> None:
        self.kept: dict[tuple[bool, Budget], Workspace] = {}
        self.is_over = threading.Event()  # whether the time of this thread's sums is over: see `time_limit`
        # Mostly it is the same board again, and that is quicker seen than a key is made.
        self.latest: tuple[object, object, object, Workspace | None] = (None, None, None, None)

    def take(self, question: Question) -> Workspace:
        observation, budget = question.observation, question.budget
        board, channel, allowed, latest = self.latest
        if latest and board is observation.topology and channel is observation.channel and allowed is budget:
            return latest
        key = (question.soft, budget)
        found = self.kept.get(key)
        if found is None or found.most_cells < observation.topology.n_cells:
            if len(self.kept) == _MOST_WORKSPACES:
                self.kept.clear()
            found = self.kept[key] = Workspace(observation.topology.n_cells, *key)
            # Whoever says that the time is over says it first and then stops what is kept, so nothing slips through.
            found.stop = self.is_over.is_set()
        self.latest = (observation.topology, observation.channel, budget, found)
        return found


_workspaces = _Workspaces()


@contextmanager
def time_limit(
    until: float, *others: kernels.Workspace | kernels.Ending, cancelled: Callable[[], bool] | None = None
) -> Iterator[None]:
    """Let sums of this thread, and those with ``others``, go on until a moment of `perf_counter` and no longer.

    A sum that is going on then ends within milliseconds, and `OutOfTime` is raised. A search for perfect play ends as
    if there were no room for it. Where ``cancelled`` becomes true, the time is over too. Limits do not lie within each
    other.
    """
    kept, is_over = _workspaces.kept, _workspaces.is_over  # of this thread; the one that watches is another
    is_done = threading.Event()

    def set_stop(stop: bool) -> None:
        if stop:
            is_over.set()
        else:
            is_over.clear()
        for one in (*kept.values(), *others):
            one.stop = stop

    def watch() -> None:
        while (left := until - perf_counter()) > 0 and not (cancelled and cancelled()):
            if is_done.wait(left if cancelled is None else min(left, _SECONDS_BETWEEN_LOOKS)):
                return
        set_stop(True)

    watching = threading.Thread(target=watch, name="time limit", daemon=True)
    watching.start()
    try:
        yield
    finally:
        is_done.set()
        watching.join()
        set_stop(False)


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
                p_truth[truth] = math.exp(workspace.log_weight - self.log_weight)
        if observation.channel.kind == "exact":
            return p_truth
        shown: NDArray[np.float64] = observation.channel.likelihood(degree) @ p_truth
        return shown

    def sample(self, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return n independent random layouts, each with exactly its posterior chance: (n, rows, cols), True = mine."""
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
        workspace = _workspaces.take(self.question)
        # The workspace may have been used since; the sums are made again, once for all samples, and all by elimination.
        workspace.by_elimination = True
        try:
            summed = run_engine(self.question, workspace)
        finally:
            workspace.by_elimination = False
        assert summed is not None
        out = np.empty((len(uniform), observation.topology.n_cells), dtype=np.bool_)
        kernels.sample(workspace, self.question.for_kernels(), summed[0], uniform, out)
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
    question = Question(observation, density, trust_flags, budget or USUAL_BUDGET)
    return answer(question, _workspaces.take(question))


def answer(question: Question, workspace: Workspace) -> Posterior:
    """Return the posterior that a question asks for, or raise `Contradiction`."""
    summed = run_engine(question, workspace)
    if summed is None:
        raise explain_contradiction(question.observation, lambda asked: is_possible(asked, question))
    _, verdicts, chances = summed
    return Posterior(question, chances, verdicts, workspace.log_weight, workspace.p_free, workspace.n_free)


def is_possible(observation: Observation, like: Question) -> bool:
    """Whether any layout fits an observation, flags and budget as in another question."""
    question = Question(observation, like.density, like.trust_flags, like.budget)
    return run_engine(question, _workspaces.take(question)) is not None
