"""What to open now: the one place that decides, for agents, compiled games, `best_cell` and hints.

`Decider.decide` follows an agent's policy and depends on the position alone: the kernel `decide` searches the endgame
where few layouts are left, else looks ahead, and compares close candidates by paired rollouts. `Decider.rank` takes
time instead, and gives every promising cell its win chance. Where few layouts are left, or in a part of the board that
is separate from the rest, exact search ranks the cells. Otherwise rollouts do, over layouts drawn with their exact
probability: first a few with many cells, then more with those that may still be the best. Lookahead is their prior, so
few rollouts change little. All cells are compared over the same layouts, so that luck cancels in their differences.

>>> from sapper.inference.posterior.exact import mine_probabilities
>>> from sapper.observation import Observation
>>> seen = Observation.parse("1##/### 2")
>>> chosen = Decider(seen.topology).decide(mine_probabilities(seen))
>>> chosen.cell, chosen.how, chosen.wins, chosen.layouts
(1, <How.EXACT_SEARCH: 'exact search'>, 2, 6)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.errors import OutOfTime
from sapper.inference.evaluation.choice import Choice, How, by_rollouts
from sapper.inference.evaluation.endgame import (
    EXPERT,
    MASTER,
    Endgame,
    SearchLimits,
    has_exact_clues,
    is_solvable,
    solve_board,
)
from sapper.inference.evaluation.openings import book_choices, rank_first_cells
from sapper.inference.evaluation.rollouts import (
    FINAL,
    LEAST_SECONDS,
    MAX_CELLS_PLAYED,
    Clock,
    Effort,
    Rollouts,
    SuccessiveElimination,
    play_alone,
    round_of,
    time_for,
)
from sapper.inference.posterior.exact import Posterior
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, GrowingWorkspace
from sapper.kernels.codes import (
    BEAM_SEARCH,
    EXACT_SEARCH,
    LEAST_RISK,
    LOOKAHEAD,
    PAIRED_GAMES,
    PAIRED_ROLLOUTS,
    PART_SEARCH,
)
from sapper.observation import HIDDEN, Observation
from sapper.topology import Topology


@dataclass(frozen=True, slots=True)
class Policy:
    """How an agent decides where nothing is safe."""

    limits: SearchLimits | None = None  # of endgame search, before lookahead; None: the safest cell, without either
    solves_boards: bool = False  # small boards are solved before the first move
    uses_book: bool = False
    uses_rollouts: bool = False  # of close candidates


POLICIES = {
    "exact": Policy(),
    "expert": Policy(EXPERT),
    "optimal": Policy(MASTER, solves_boards=True),
    "master": Policy(MASTER, solves_boards=True, uses_book=True, uses_rollouts=True),
}
LOOKAHEAD_ONLY = Policy(SearchLimits(0, 0))

MAX_CELLS_PAIRED = 10_000  # on larger boards paired rollouts take longer than most people wait
N_PAIRED_RESAMPLES = 3  # sets of random numbers for each paired rollout; one that hits more mines uses them again
SAFE_GAMES = 256  # rollouts to estimate the win chance where the choice is clear

N_SAFEST = 2  # cells ranked only because they are safe
N_SCORED = 6  # cells that lookahead rates best
# How far lookahead is off, as a standard deviation of the win chance: measured by many rollouts, see docs/strength.md.
# While little is open it is hardly ever off and rollouts are long: they are run only under a time limit.
SPREAD, EARLY_SPREAD = 0.03, 0.01
NOT_SCORED = -0.03  # prior of a cell that lookahead did not score, relative to the best
EARLY = 0.1  # less than this share of the board is open
SAME_RISK = 1e-9

_HOW = {
    LOOKAHEAD: How.LOOKAHEAD,
    PAIRED_ROLLOUTS: How.ROLLOUTS,
    EXACT_SEARCH: How.EXACT_SEARCH,
    BEAM_SEARCH: How.BEAM_SEARCH,
    PART_SEARCH: How.PART_SEARCH,
}


class Decider:
    """Decides and ranks on one board. It takes memory as needed. Not for two threads at once."""

    def __init__(self, board: Topology, policy: Policy = POLICIES["master"], budget: Budget | None = None) -> None:
        self.board, self.policy = board, policy
        self.question = kernels.Query(-1)  # of compiled games and paired rollouts
        self.scores: NDArray[np.float64] = np.full(board.n_cells, np.nan)  # of lookahead; NaN for other cells
        # Of lookahead: what forced guesses that a cell settles would leave of the win chance.
        self.forced_loss_credit: NDArray[np.float64] = np.ones(board.n_cells)
        self._budget = budget or USUAL_BUDGET

    @cached_property
    def workspace(self) -> GrowingWorkspace:
        """The engine's memory."""
        return GrowingWorkspace(self.board.n_cells, False, self._budget)

    @cached_property
    def paired(self) -> kernels.PairedRollouts | None:
        """The memory of paired rollouts; None if the policy, or the size of the board, rules them out."""
        n = self.board.n_cells
        if not self.policy.uses_rollouts or n > MAX_CELLS_PAIRED:
            return None
        # The same numbers every time: a decision depends on the position alone.
        numbers = np.random.default_rng(0)
        cells, start = np.zeros(n, dtype=np.int8), np.zeros(n, dtype=np.int8)
        position = kernels.Position(cells, np.zeros(n, dtype=np.int8), np.zeros(n))
        search = Endgame(n, FINAL).search
        player = kernels.Player(self.workspace, self.board.graph, self.question, position, LEAST_RISK, search)
        layouts = np.zeros((PAIRED_GAMES, n), dtype=np.bool_)
        uniform = numbers.random((PAIRED_GAMES, N_PAIRED_RESAMPLES, 3 * n + 8))
        rollout = kernels.Rollout(start, layouts, uniform, np.zeros(PAIRED_GAMES), cells, True)
        return kernels.PairedRollouts(player, rollout, start, layouts, numbers.random((PAIRED_GAMES, 3 * n + 8)))

    @cached_property
    def _endgame(self) -> Endgame:
        return Endgame(self.board.n_cells, *(self.policy.limits or MASTER))

    @cached_property
    def _rollouts(self) -> Rollouts:
        return Rollouts(self.board.n_cells)

    def player(
        self, position: kernels.Position, question: kernels.Query | None = None, searches: bool = True
    ) -> kernels.Player:
        """Return a player for the kernels that follows the policy, in a position that they may solve."""
        limits = self.policy.limits
        kind = LEAST_RISK if limits is None else LOOKAHEAD if self.paired is None else PAIRED_ROLLOUTS
        search = self._endgame.search if searches and limits is not None and max(limits) > 0 else None
        return kernels.Player(
            self.workspace, self.board.graph, question or self.question, position, kind, search,
            self.scores, self.forced_loss_credit,
        )  # fmt: skip

    def decide(self, posterior: Posterior, start: str = "safe") -> Choice:
        """Return the cell that the policy opens where nothing is safe; raises `TooHard`.

        ``start`` says what the first cell is promised: ``any`` (nothing), ``safe`` or ``opening``.
        """
        observation, question = posterior.observation, posterior.question
        first = self._decide_first(observation, start)
        if first is not None:
            return first
        # On a blank board only the place of a cell matters; clues that may be wrong are not looked ahead to.
        if self.policy.limits is None or question.is_noisy or not (observation.cells >= 0).any():
            return least_risk(posterior)
        self.question.total = question.total
        player = self.player(posterior.as_position(), question, has_exact_clues(posterior))
        cell = self._run(player, posterior, self.paired)
        how, p_mine = _HOW[player.how], float(posterior.p_mine.flat[cell])
        if how is How.LOOKAHEAD:
            return Choice(cell, p_mine, how)
        if how is How.ROLLOUTS:
            return Choice(cell, p_mine, how, player.p_win, n_games=player.n_games)
        p_win = None if how is How.PART_SEARCH else player.wins / player.n_layouts
        return Choice(cell, p_mine, how, p_win, wins=player.wins, layouts=player.n_layouts)

    def look_ahead(self, posterior: Posterior) -> int:
        """Return the best cell by lookahead alone, and fill ``scores`` and ``forced_loss_credit``; raises `TooHard`.

        For positions with exact clues in which nothing is safe.
        """
        player = kernels.Player(
            self.workspace, self.board.graph, posterior.question, posterior.as_position(), LOOKAHEAD,
            None, self.scores, self.forced_loss_credit,
        )  # fmt: skip
        return self._run(player, posterior)

    def rank(
        self,
        posterior: Posterior,
        effort: Effort,
        rng: np.random.Generator,
        start: str = "safe",
        cascade: bool = True,
    ) -> list[Choice]:
        """Return the promising cells with their win chances, the best first, or every safe cell; raises `TooHard`.

        For positions with exact clues. A time limit is kept: what was found by then is the answer.
        """
        observation, left = posterior.observation, effort.countdown()
        if posterior.safe:
            # Whichever is opened first, all of them are: the win chance is the same.
            cells = [self.board.index(*cell) for cell in posterior.safe]
            one = self.estimate(posterior, cells[0], left(), rng, cascade)
            return [replace(one, cell=cell, how=How.SAFE) for cell in cells]
        if observation.closed.all():
            return book_choices(observation, start) or rank_first_cells(posterior, start, left(), rng, cascade)
        if self.board.n_cells > MAX_CELLS_PLAYED and (left().seconds or 0.0) < LEAST_SECONDS:
            return rank_by_risk(posterior)
        # Taking memory is part of the time on large boards.
        limited = (self.workspace, self._endgame.search, self._rollouts.workspace, self._rollouts.search)
        with time_for(left(), *limited) as clock:
            found = self._endgame.rank(posterior)
            in_part = [] if found else self._endgame.rank_in_part(posterior)
            if not found and not in_part:
                return self._rank_by_rollouts(posterior, left(), clock, rng, cascade)
        if found:
            return found
        # The rest is the same whichever cell is opened here, so win chances are proportional to wins in the part.
        whole, most = self.estimate(posterior, in_part[0].cell, left(), rng, cascade), in_part[0].wins
        return [
            replace(
                one, p_win=None if whole.p_win is None else one.wins / most * whole.p_win,
                error=one.wins / most * whole.error, n_games=whole.n_games,
            )
            for one in in_part
        ]  # fmt: skip

    def estimate(
        self, posterior: Posterior, cell: int, effort: Effort, rng: np.random.Generator, cascade: bool = True
    ) -> Choice:
        """Return what rollouts say of one cell, where the choice is clear; for exact clues and a known total."""
        n_cells, values = self.board.n_cells, np.empty(0)
        if n_cells <= MAX_CELLS_PLAYED:
            rollouts = self._rollouts
            with time_for(effort, rollouts.workspace, rollouts.search) as clock:
                values = play_alone(
                    lambda cells, n: rollouts.values(posterior, cells, n, rng, cascade),
                    cell,
                    round_of(n_cells),
                    min(effort.games, SAFE_GAMES),
                    clock,
                )
        return by_rollouts(cell, float(posterior.p_mine.flat[cell]), values)

    def _decide_first(self, observation: Observation, start: str) -> Choice | None:
        """The first cell of a blank board, from the book or by exact search; None where neither knows it."""
        total = observation.total
        if total is None or not observation.closed.all():
            return None
        p_mine = total / self.board.n_cells  # agents do not know what the rules promise
        is_exact = observation.channel.kind == "exact"
        if self.policy.uses_book and (booked := book_choices(observation, start)):
            # The book's win chances are for exact clues.
            return replace(booked[0], p_mine=p_mine, p_win=booked[0].p_win if is_exact else None)
        if self.policy.solves_boards and is_exact and start == "safe" and is_solvable(self.board, total):
            found = solve_board(self.board, total)
            cell, p_win = self.board.index(*found.best[0]), found.wins / found.layouts
            return Choice(cell, p_mine, How.SOLVED_BOARD, p_win, wins=found.wins, layouts=found.layouts)
        return None

    def _run(self, player: kernels.Player, posterior: Posterior, paired: kernels.PairedRollouts | None = None) -> int:
        player.log_weight = posterior.log_weight
        while True:
            self.scores.fill(np.nan)
            cell = kernels.decide(player, paired)
            if cell >= 0:
                return cell
            self.workspace.grow(player.status)

    def _rank_by_rollouts(
        self, posterior: Posterior, effort: Effort, clock: Clock, rng: np.random.Generator, cascade: bool
    ) -> list[Choice]:
        p = posterior.p_mine.ravel()
        try:
            best = self.look_ahead(posterior)
        except OutOfTime:
            return rank_by_risk(posterior)
        scores = self.scores
        cells = self._promising(best, p)
        early = float((posterior.observation.cells >= 0).mean()) < EARLY
        plays = p.size <= MAX_CELLS_PLAYED and posterior.question.total >= 0
        if not plays or (early and effort.seconds is None):
            return [Choice(cell, float(p[cell]), How.LOOKAHEAD) for cell in cells]
        # Close candidates were looked at further, so the best is not always the one with the highest score.
        prior = np.array([min(scores[cell] - scores[best], 0.0) if scores[cell] > 0 else NOT_SCORED for cell in cells])
        elimination = SuccessiveElimination(cells, prior, EARLY_SPREAD if early else SPREAD)
        values = elimination.run(
            lambda chosen, n: self._rollouts.values(posterior, chosen, n, rng, cascade),
            round_of(p.size),
            effort.games,
            clock,
        )
        return [by_rollouts(cells[i], float(p[cells[i]]), values[i]) for i in elimination.order(values)]

    def _promising(self, best: int, p: NDArray[np.float64]) -> list[int]:
        """The cells worth rollouts, the one that lookahead rates best first."""
        scored = np.argsort(-self.scores, kind="stable")[:N_SCORED].tolist()
        cells = [best, *(cell for cell in scored if self.scores[cell] > 0 and cell != best)]
        return cells + [cell for cell in _safest(p, N_SAFEST + len(cells)) if cell not in cells][:N_SAFEST]


def least_risk(posterior: Posterior) -> Choice:
    """Return the safest hidden cell, or one slightly riskier with better neighbours: what `exact` opens.

    Flagged cells are ignored, unless there are no others.
    """
    observation = posterior.observation
    cells, p = observation.cells.ravel(), posterior.p_mine.ravel()
    cell = kernels.choose_least_risk(observation.topology.graph, cells, p)
    if cell < 0:
        cell = observation.topology.index(*posterior.safest[0])
    least = least_of(posterior)
    return Choice(cell, float(p[cell]), How.SAFEST if p[cell] <= least + SAME_RISK else How.NEARLY_SAFEST)


def least_of(posterior: Posterior) -> float:
    """Return the least risk of the hidden cells, flagged ones aside unless there are no others."""
    observation = posterior.observation
    is_hidden = observation.cells == HIDDEN
    return float(posterior.p_mine[is_hidden if is_hidden.any() else observation.closed].min())


def rank_by_risk(posterior: Posterior) -> list[Choice]:
    """Return the safest cells, for want of time to look any further."""
    p = posterior.p_mine.ravel()
    cells = _safest(p, N_SCORED)
    return [
        Choice(cell, float(p[cell]), How.SAFEST if p[cell] <= p[cells[0]] + SAME_RISK else How.NEARLY_SAFEST)
        for cell in cells
    ]


def _safest(p: NDArray[np.float64], n: int) -> list[int]:
    """The n cells of least risk, certain mines aside; open cells have no risk."""
    return [cell for cell in np.argsort(p, kind="stable")[:n].tolist() if p[cell] < 1.0]
