"""The best cell of a position, with its win chance and the candidates beside it.

>>> from sapper.observation import Observation
>>> found = best_cell(Observation.parse("1##/### 2"), seconds=0.1)
>>> found.cell, round(found.p_win, 4), found.exact
((0, 1), 0.3333, True)
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from sapper.agents.registry import make_agent, make_generator
from sapper.agents.sentences import PROMISED, why_candidate
from sapper.errors import InputError, TooHard, check_type
from sapper.inference.evaluation.choice import Choice
from sapper.inference.evaluation.decision import Decider, least_risk
from sapper.inference.evaluation.rollouts import LEAST_SECONDS, Effort, time_for
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.kernels.codes import MINE
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.topology import Cell
from sapper.words import name_cells

MAX_GAMES = 1_000_000  # time runs out before
LEAST_FOR_POSTERIOR = 1.0  # seconds: everything else rests on it, and a machine may be busy


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that may be worth opening, and what there is to say of it."""

    cell: Cell
    risk: float
    p_win: float | None  # None: unknown
    error: float  # standard error of the win chance; 0 if exact
    n_games: int  # rollouts
    reason: str


@dataclass(frozen=True, slots=True)
class Best:
    """The answer: the best cell, or the one that an agent opens, and the candidates, the best first."""

    agent: str | None  # None: the highest win chance that was found
    cell: Cell
    certain: bool  # safe, so that no guess is needed
    candidates: tuple[Candidate, ...]

    @property
    def chosen(self) -> Candidate:
        """The candidate that is opened."""
        return next(candidate for candidate in self.candidates if candidate.cell == self.cell)

    @property
    def p_win(self) -> float | None:
        """The win chance of opening it."""
        return self.chosen.p_win

    @property
    def exact(self) -> bool:
        """Whether that win chance is exact, and not an estimate."""
        return self.p_win is not None and self.chosen.n_games == 0 and self.chosen.error == 0.0

    def opening(self, cell: Cell, risk: float, reason: str) -> Best:
        """Return the answer with another cell to open; one that is not among the candidates is added to them."""
        others = () if cell in {one.cell for one in self.candidates} else (Candidate(cell, risk, None, 0.0, 0, reason),)
        return replace(self, cell=cell, candidates=self.candidates + others)

    def as_plain_values(self) -> dict[str, object]:
        """Return the answer as JSON can write it."""
        return {
            "agent": self.agent,
            "cell": list(self.cell),
            "certain": self.certain,
            "p_win": self.p_win,
            "exact": self.exact,
            "candidates": [
                {
                    "cell": list(one.cell), "risk": one.risk, "p_win": one.p_win, "error": one.error,
                    "games": one.n_games, "reason": one.reason,
                }
                for one in self.candidates
            ],
        }  # fmt: skip


def best_cell(
    position: Observation | str | ArrayLike,
    agent: str | None = None,
    seconds: float = 2.0,
    seed: int = 0,
    start: str = "safe",
    *,
    mines: int | None = None,
    progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> Best:
    """Return the cell with the highest win chance, and the candidates beside it; takes about the seconds given.

    With an ``agent``, the cell is the one that it opens. The position, in any form that `mine_probabilities` takes,
    needs exact clues and a known total. ``start`` says what the first cell is promised, for a board on which nothing is
    open yet: ``any`` (nothing), ``safe`` or ``opening``. ``progress`` is called with the share of the time that is
    over. Once another thread sets ``cancel``, the answer comes at once, by what was found until then. Raises
    `Contradiction` if no layout fits and `TooHard` where the sum is out of reach, or out of reach in that time. Any
    number of threads may ask at the same time.

    >>> best_cell("#####/#1###/#3###/##### 5").cell
    (0, 2)
    """
    observation = Observation.of(position, mines)
    if agent is not None:
        check_type(agent, str, "the name of an agent")
    check_type(seconds, (int, float), "a number of seconds")
    rng = make_generator(seed)
    _check(observation, start)
    begun = perf_counter()
    cancelled = cancel.is_set if cancel is not None else None

    def report() -> None:
        if progress is not None:
            progress(min(1.0, (perf_counter() - begun) / max(seconds, LEAST_SECONDS)))

    with time_for(Effort(seconds=max(seconds, LEAST_FOR_POSTERIOR), cancelled=cancelled)):
        posterior = mine_probabilities(observation.without_flags())  # flags are opinions
    if np.all(posterior.verdicts[observation.cells == HIDDEN] == MINE):
        raise InputError("Every hidden cell is a mine: there is nothing to open.")
    effort = Effort(MAX_GAMES, max(0.0, seconds - (perf_counter() - begun)), cancelled, report)
    ranked = Decider(observation.topology).rank(posterior, effort, rng, start)
    promising = _as_candidates(ranked, observation, start)
    candidates = [one for one in promising if observation.cells[one.cell] == HIDDEN]
    if not candidates:
        cells = name_cells([one.cell for one in promising])
        raise InputError(f"The best cells are flagged: {cells}. Remove a flag.")
    best = Best(agent, candidates[0].cell, bool(posterior.safe), tuple(candidates))
    if agent is not None:
        cell = make_agent(agent, seed).decide(observation).cell
        if cell is None:
            raise InputError(f"{agent} finds nothing to open here.")
        best = best.opening(cell, float(posterior.p_mine[cell]), f"{agent} opens it; not among the promising cells")
    if progress is not None:
        progress(1.0)
    return best


def _as_candidates(ranked: list[Choice], observation: Observation, start: str) -> list[Candidate]:
    blank = start if observation.closed.all() else None
    return [
        Candidate(
            observation.topology.cell(one.cell), one.p_mine, one.p_win, one.error, one.n_games,
            why_candidate(one, ranked, blank),
        )
        for one in ranked
    ]  # fmt: skip


def _check(observation: Observation, start: str) -> None:
    """Raise `InputError` if the position has no best cell."""
    if start not in PROMISED:
        raise InputError(f"A start must be one of {', '.join(PROMISED)}, not {start!r}.")
    if observation.total is None or observation.channel.kind != "exact":
        raise InputError("The best cell is for positions with exact clues and a known number of mines.")
    if not observation.closed.any():
        mine_probabilities(observation)  # that the clues hold
        raise InputError("Every cell is open already.")
    if not np.any(observation.cells == HIDDEN):
        raise InputError("Every closed cell is flagged. Remove a flag to ask what to open.")


def best_guess(posterior: Posterior, start: str = "safe", budget: Budget | None = None) -> Choice:
    """Return what `master` opens where nothing is safe; the safest cell if that is flagged or too hard to decide.

    Every hint asks this. ``start`` says what the rules promise about the first cell.
    """
    observation = posterior.observation
    if observation.channel.kind != "exact":
        return least_risk(posterior)
    try:
        found = Decider(observation.topology, budget=budget).decide(posterior, start)
    except TooHard:
        return least_risk(posterior)
    return least_risk(posterior) if observation.cells.flat[found.cell] == FLAG else found
