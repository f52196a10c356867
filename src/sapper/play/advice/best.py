"""The best cell of a position, with the chance to win and the candidates beside it.

>>> from sapper.observation import Observation
>>> found = best_cell(Observation.parse("1##/### 2"), seconds=0.1)
>>> found.cell, round(found.p_win, 4), found.exact
((0, 1), 0.3333, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.registry import make_agent
from sapper.errors import InputError, check_type
from sapper.inference.evaluation.decision import Chance, Chances, by_games, rank_by_risk
from sapper.inference.evaluation.openings import openings, rank_first_cells
from sapper.inference.evaluation.rollouts import (
    LEAST_SECONDS,
    MOST_CELLS_PLAYED,
    Effort,
    Rollouts,
    play_alone,
    round_of,
    time_for,
)
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.kernels.codes import MINE
from sapper.observation import HIDDEN, Observation
from sapper.words import name_cells
from sapper.world.generation import check_seed

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from sapper.topology import Cell

    Left = Callable[[], Effort]  # what may still be done, asked when it is begun


MOST_GAMES = 1_000_000  # time runs out before
LEAST_FOR_CHANCES = 1.0  # seconds: everything else rests on them, and a machine may be busy
SAFE_GAMES = 256  # to tell the chance to win where the choice is clear
PROMISED = {"any": "the first cell may be a mine", "safe": "the first cell is safe", "opening": "the first cell opens"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cell that may be worth opening, and what is to be said of it."""

    cell: Cell
    risk: float
    p_win: float | None  # None: not looked into
    error: float  # standard error of the chance to win; 0 if exact
    n_games: int
    reason: str


@dataclass(frozen=True, slots=True)
class Best:
    """The answer: the cell that an agent opens, and the candidates, the best first."""

    agent: str
    cell: Cell
    certain: bool  # safe, so that nothing has to be guessed
    candidates: tuple[Candidate, ...]

    @property
    def chosen(self) -> Candidate:
        """The candidate that the agent opens."""
        return next(candidate for candidate in self.candidates if candidate.cell == self.cell)

    @property
    def p_win(self) -> float | None:
        """The chance to win with it."""
        return self.chosen.p_win

    @property
    def exact(self) -> bool:
        """Whether that chance is exact, and not an estimate by games."""
        return self.p_win is not None and self.chosen.n_games == 0 and self.chosen.error == 0.0

    def as_plain_values(self) -> dict[str, object]:
        """The answer as JSON can write it."""
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
    agent: str = "master",
    seconds: float = 2.0,
    seed: int = 0,
    start: str = "safe",
    *,
    mines: int | None = None,
    progress: Callable[[float], None] | None = None,
    cancel: threading.Event | None = None,
) -> Best:
    """Return the cell that an agent opens, and what the candidates are worth; takes about the seconds given.

    The position, in any form that `mine_probabilities` takes, needs exact clues and a known total. ``start`` says what
    the first cell is promised, for a board on which nothing is open yet: ``any`` (nothing), ``safe`` or ``opening``.
    ``progress`` is told now and then which share of the time is over. Once another thread sets ``cancel``, the answer
    comes at once, by what was found until then. Raises `Contradiction` if no layout fits and `TooHard` where the sum
    is out of reach, or out of reach in that time. Any number of threads may ask at the same time.

    >>> best_cell("#####/#1###/#3###/##### 5").cell
    (0, 2)
    """
    observation = Observation.of(position, mines)
    check_type(agent, str, "the name of an agent")
    check_type(seconds, (int, float), "a number of seconds")
    check_seed(seed)
    _check(observation, start)
    begun = perf_counter()
    cancelled = cancel.is_set if cancel is not None else None

    def tell() -> None:
        if progress is not None:
            progress(min(1.0, (perf_counter() - begun) / max(seconds, LEAST_SECONDS)))

    with time_for(Effort(seconds=max(seconds, LEAST_FOR_CHANCES), cancelled=cancelled)):
        posterior = mine_probabilities(observation.without_flags())  # flags are opinions
    if np.all(posterior.verdicts[observation.cells == HIDDEN] == MINE):
        raise InputError("Every hidden cell is a mine: there is nothing to open.")

    def left() -> Effort:
        return Effort(MOST_GAMES, max(0.0, seconds - (perf_counter() - begun)), cancelled, tell)

    promising = _candidates(posterior, start, left, np.random.default_rng(seed))
    candidates = [one for one in promising if observation.cells[one.cell] == HIDDEN]
    if not candidates:
        cells = name_cells([one.cell for one in promising])
        raise InputError(f"What is worth opening is flagged: {cells}. Take a flag off.")
    cell = candidates[0].cell
    if agent != "master":
        decision = make_agent(agent, seed).decide(observation)
        if decision.cell is None:
            raise InputError(f"{agent} sees nothing to open here.")
        cell = decision.cell
        if cell not in {candidate.cell for candidate in candidates}:
            risk = float(posterior.p_mine[cell])
            candidates.append(Candidate(cell, risk, None, 0.0, 0, f"what {agent} opens; not among the promising cells"))
    if progress is not None:
        progress(1.0)
    return Best(agent, cell, bool(posterior.safe), tuple(candidates))


def _check(observation: Observation, start: str) -> None:
    """Raise `InputError` if there is nothing to be said of a position."""
    if start not in PROMISED:
        raise InputError(f"A start is one of {', '.join(PROMISED)}, not {start!r}.")
    if observation.total is None or observation.channel.kind != "exact":
        raise InputError("The best cell is for positions with exact clues and a known number of mines.")
    if not observation.closed.any():
        mine_probabilities(observation)  # that the clues hold
        raise InputError("Every cell is open already.")
    if not np.any(observation.cells == HIDDEN):
        raise InputError("Every closed cell is flagged: take a flag off to ask what to open.")


def _candidates(posterior: Posterior, start: str, left: Left, rng: np.random.Generator) -> list[Candidate]:
    observation = posterior.observation
    if posterior.safe:
        return _of_safe_cells(posterior, left, rng)
    if observation.closed.all():
        if openings(observation, start):
            return _of_the_book(posterior, start)
        return _of_starts(posterior, rank_first_cells(posterior, start, left(), rng), start)
    n_cells = observation.topology.n_cells
    if n_cells > MOST_CELLS_PLAYED and (left().seconds or 0.0) < LEAST_SECONDS:
        return _of_chances(posterior, rank_by_risk(posterior))
    # To make room for it takes a while on large boards, which is part of the time.
    chances = Chances(n_cells)
    ranked = chances.rank(posterior, left(), rng)
    in_part = ranked[0].part is not None
    return _of_part(posterior, ranked, left, rng) if in_part else _of_chances(posterior, ranked)


def _play_on(posterior: Posterior, cell: int, left: Left, rng: np.random.Generator) -> Chance:
    """What one cell is worth, where the choice is clear, by as many games as there is time for."""
    n_cells = posterior.observation.topology.n_cells
    risk = float(posterior.p_mine.flat[cell])
    if n_cells > MOST_CELLS_PLAYED:
        return by_games(cell, risk, np.empty(0))
    rollouts = Rollouts(n_cells)
    with time_for(left(), rollouts.workspace, rollouts.ending) as clock:
        values = play_alone(
            lambda cells, n: rollouts.values(posterior, cells, n, rng),
            cell,
            round_of(n_cells),
            SAFE_GAMES,
            clock,
        )
    return by_games(cell, risk, values)


def _of_safe_cells(posterior: Posterior, left: Left, rng: np.random.Generator) -> list[Candidate]:
    # Whichever of them is opened first, all of them are: the chance is the same.
    one = _play_on(posterior, posterior.observation.topology.index(*posterior.safe[0]), left, rng)
    reason = "safe in every layout that fits"
    return [Candidate(cell, 0.0, one.p_win, one.error, one.n_games, reason) for cell in posterior.safe]


def _of_the_book(posterior: Posterior, start: str) -> list[Candidate]:
    return [
        Candidate(opening.cell, 0.0, opening.p_win, opening.error, 0, f"opening book, where {PROMISED[start]}")
        for opening in openings(posterior.observation, start)
    ]


def _of_starts(posterior: Posterior, ranked: list[Chance], start: str) -> list[Candidate]:
    board = posterior.observation.topology
    candidates = []
    for one in ranked:
        how = f", {one.n_games:,} games" if one.n_games else ", perfect play" if one.p_win is not None else ""
        candidates.append(
            Candidate(board.cell(one.cell), one.risk, one.p_win, one.error, one.n_games, f"{PROMISED[start]}{how}")
        )
    return candidates


def _of_part(posterior: Posterior, ranked: list[Chance], left: Left, rng: np.random.Generator) -> list[Candidate]:
    board = posterior.observation.topology
    whole = _play_on(posterior, ranked[0].cell, left, rng)
    candidates = []
    best = ranked[0].part
    for chance in ranked:
        assert best is not None
        assert chance.part is not None
        # The rest of the board is the same whichever cell is opened here, so the chances are as the wins in the part.
        share = chance.part.wins / best.wins
        reason = f"perfect play in a part that is cut off wins {chance.part.wins} of its {chance.part.layouts} layouts"
        p_win = None if whole.p_win is None else share * whole.p_win
        candidates.append(
            Candidate(board.cell(chance.cell), chance.risk, p_win, share * whole.error, whole.n_games, reason)
        )
    return candidates


def _of_chances(posterior: Posterior, ranked: list[Chance]) -> list[Candidate]:
    board = posterior.observation.topology
    least = min(chance.risk for chance in ranked)
    most_games = max(chance.n_games for chance in ranked)
    return [
        Candidate(
            board.cell(chance.cell), chance.risk, chance.p_win, chance.error, chance.n_games,
            _reason(chance, least, most_games),
        )
        for chance in ranked
    ]  # fmt: skip


def _reason(chance: Chance, least: float, most_games: int) -> str:
    more = chance.risk - least
    risk = "safest" if more <= 1e-9 else f"{100 * more:.1f} points more risk"
    if chance.p_win is None:
        return risk
    if chance.n_games == 0:
        return f"{risk}, perfect play"
    return f"{risk}, {'given up after ' if chance.n_games < most_games else ''}{chance.n_games:,} games"
