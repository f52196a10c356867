"""Exact rewards for single steps, from the posterior before each: risk, excess risk and information.

The risk of an opening is the mine probability of its cell; the excess risk is what it exceeds the least risk on the
board by, so that a needless guess costs even if it survives; the information is -log2 of the probability of what the
opening showed, in bits. A cell that the rules promise to be safe has no risk, and an opened mine informs nobody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.env.task import EnvironmentTask
from sapper.errors import InputError, TooHard
from sapper.inference.posterior.batch import ANSWERED, TOO_HARD, solve_range
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import GrowingWorkspace
from sapper.kernels.codes import EXPLODED, FLAG, HIDDEN, MINE, SAFE, UNKNOWN
from sapper.observation import Observation
from sapper.topology import Cell


@dataclass(frozen=True, slots=True)
class Transition:
    """A valid step, for a reward function.

    before, after: the position before and after the action.
    action: its number.
    cell: the cell that it opens or flags.
    risk, excess_risk, information: what the step was worth exactly; 0 for flags.
    exploded: whether a mine was opened.
    ended: whether the game is over.
    result: 1 for a won game, else 0; in a finished survey the score.
    """

    before: Observation
    action: int
    cell: Cell
    after: Observation
    risk: float
    excess_risk: float
    information: float
    exploded: bool
    ended: bool
    result: float


class ExactPositions:
    """The posteriors of the positions of several games; one past the engine's budget has none.

    cells: the positions, (e, n); the games write to them.
    p_mine: mine probabilities, (e, n); NaN where open or too hard.
    verdicts: (e, n), as in `Posterior`; UNKNOWN where too hard.
    log_weights: natural logarithms of the weights of all layouts, (e,); NaN where too hard.
    """

    def __init__(self, task: EnvironmentTask, cells: NDArray[np.int8]) -> None:
        n_games, n_cells = cells.shape
        self._task, self.cells = task, cells
        self.p_mine = np.full(cells.shape, np.nan)
        self.verdicts = np.zeros(cells.shape, dtype=np.int8)
        self.log_weights = np.zeros(n_games)
        self._status = np.full(n_games, ANSWERED, dtype=np.int8)
        total = task.rules.mines if task.rules.total_known else -1
        totals = np.full(n_games, total, dtype=np.int32)
        arrays: tuple[Any, ...] = (cells, totals, self.verdicts, self.p_mine, self.log_weights, self._status)
        self._batch = kernels.Batch(*(array.reshape(-1) for array in arrays))
        self._query = kernels.Query(total)
        self._workspace = GrowingWorkspace(n_cells, False)
        self._blank = mine_probabilities(task.observation(np.full(n_cells, HIDDEN, dtype=np.int8)))

    def begin(self, which: NDArray[np.bool_]) -> None:
        """Note that games begin."""
        self.p_mine[which], self.verdicts[which] = self._blank.p_mine.ravel(), self._blank.verdicts.ravel()
        self.log_weights[which] = self._blank.log_weight

    def solve(self) -> None:
        """Find the posterior of every position."""
        if self._task.rules.channel.kind == "exact":
            board = self._task.rules.topology
            solve_range(self._workspace, board, self._query, self._batch, self._status, 0, len(self.cells))
            failed = self._status == TOO_HARD
        else:
            # The likelihoods of noisy clues differ from position to position, so they are not solved in batches.
            failed = np.array([not self._solve_one(which) for which in range(len(self.cells))])
        if failed.any():
            self.p_mine[failed], self.verdicts[failed], self.log_weights[failed] = np.nan, UNKNOWN, np.nan

    def _solve_one(self, which: int) -> bool:
        try:
            found = mine_probabilities(self._task.observation(self.cells[which]))
        except TooHard:
            return False
        self.p_mine[which], self.verdicts[which] = found.p_mine.ravel(), found.verdicts.ravel()
        self.log_weights[which] = found.log_weight
        return True

    def least(self) -> NDArray[np.float64]:
        """Return the least risk of each position, (e,); flags are opinions, so flagged cells count."""
        closed = (self.cells == HIDDEN) | (self.cells == FLAG)
        lowest: NDArray[np.float64] = np.where(closed, self.p_mine, np.inf).min(axis=1)
        return lowest

    def describe(self) -> dict[str, NDArray[Any]]:
        """Return copies of what environments can put into their infos, each (e, n)."""
        return {"p_mine": self.p_mine.copy(), "safe": self.verdicts == SAFE, "mines": self.verdicts == MINE}


class StepJudge:
    """Pays what the posterior says of the steps of several games, and fills their infos."""

    def __init__(self, task: EnvironmentTask, cells: NDArray[np.int8]) -> None:
        self._task = task
        needs_posterior = task.info or task.rewards.guess or task.reward not in (None, "win")
        self._positions = ExactPositions(task, cells) if needs_posterior else None
        self._every = np.arange(len(cells))
        # By number of cells that the rules keep free: the logarithm of the layouts before the first opening.
        self._log_layouts: dict[int, float] = {}
        # Of the current step.
        self._actions = np.zeros(len(cells), dtype=np.int64)
        self._opens = self._acts = np.zeros(len(cells), dtype=np.bool_)
        self._measures = dict.fromkeys(("risk", "excess-risk", "information"), np.zeros(len(cells)))
        self._guesses = self._opens
        self._before = cells

    def begin(self, which: NDArray[np.bool_]) -> None:
        """Note that games begin."""
        if self._positions is not None:
            self._positions.begin(which)

    def judge(self, valid: NDArray[np.bool_], actions: NDArray[np.int64], is_first: NDArray[np.bool_]) -> None:
        """Judge the valid ones of these actions before they are taken."""
        if self._positions is None:
            return
        found, rules = self._positions, self._task.rules
        cells = actions % rules.n_cells
        self._actions, self._acts = actions, valid
        self._opens = valid & (actions < rules.n_cells) & (found.cells[self._every, cells] != EXPLODED)
        # A cell without a clue may be opened again; that it is safe is known.
        is_new = self._opens & (found.cells[self._every, cells] == HIDDEN)
        promised = is_new & is_first & (rules.first_click != "any")
        is_open_question = is_new & ~promised
        self._guesses = is_open_question & (found.verdicts[self._every, cells] != SAFE)
        p_mine = found.p_mine[self._every, cells]
        is_known = is_open_question & ~np.isnan(p_mine)
        self._measures["risk"] = np.where(is_known, p_mine, 0.0)
        self._measures["excess-risk"] = np.where(is_known, p_mine - found.least(), 0.0)
        self._measures["information"] = found.log_weights.copy()
        for which in np.flatnonzero(promised).tolist():
            self._measures["information"][which] = self._log_layouts_with(int(cells[which]))
        if callable(self._task.reward):
            self._before = found.cells.copy()

    def _log_layouts_with(self, first: int) -> float:
        """Return the logarithm of the number of layouts that the rules allow if this cell is the first."""
        rules = self._task.rules
        n_free = rules.n_cells - len(rules.reserved(first) | {first})
        if n_free not in self._log_layouts:
            n_layouts = math.comb(n_free, rules.mines) if rules.total_known else 2**n_free
            self._log_layouts[n_free] = math.log(n_layouts)
        return self._log_layouts[n_free]

    def pay(self, rewards: NDArray[np.float64], terminated: NDArray[np.bool_], results: NDArray[np.float64]) -> None:
        """Add what the steps earned, now that they are taken."""
        if self._positions is None:
            return
        self._positions.solve()
        reward = self._task.reward
        rewards[self._guesses] += self._task.rewards.guess
        self._measures["information"] = self._information()
        if callable(reward):
            for which in np.flatnonzero(self._acts).tolist():
                rewards[which] += _as_number(reward(self._transition(which, terminated, results)))
        elif reward == "information":
            rewards += self._measures[reward]
        elif reward in self._measures:
            rewards -= self._measures[reward]

    def _information(self) -> NDArray[np.float64]:
        """Return the bits that each opening showed."""
        assert self._positions is not None
        n_bits = (self._measures["information"] - self._positions.log_weights) / math.log(2)
        shown = self._positions.cells[self._every, self._actions % self._task.rules.n_cells]
        # Equal weights that were summed in different orders differ in their last bits.
        return np.where(self._opens & (shown != EXPLODED) & (n_bits > 1e-9), n_bits, 0.0)

    def _transition(self, which: int, terminated: NDArray[np.bool_], results: NDArray[np.float64]) -> Transition:
        assert self._positions is not None
        action = int(self._actions[which])
        cell = action % self._task.rules.n_cells
        after = self._positions.cells[which]
        risk, excess, bits = (float(values[which]) for values in self._measures.values())
        return Transition(
            self._task.observation(self._before[which]), action, self._task.rules.topology.cell(cell),
            self._task.observation(after), risk, excess, bits, bool(self._opens[which] and after[cell] == EXPLODED),
            bool(terminated[which]), float(results[which]),
        )  # fmt: skip

    def info(self, shape: tuple[int, ...]) -> dict[str, NDArray[Any]]:
        """Return what the task asks for about the current positions."""
        if self._positions is None:
            return {}
        found = self._positions.describe()
        return {name: found[name].reshape(shape) for name in self._task.info}


def _as_number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not math.isfinite(value):
        raise InputError(f"A reward function must return a finite number, not {value!r}.")
    return float(value)
