"""The best cell of a position, with the chance to win and the candidates beside it.

>>> from sapper.observation import Observation
>>> found = best_cell(Observation.parse("1##/### 2"), seconds=0.1)
>>> found.cell, round(found.p_win, 4), found.exact
((0, 1), 0.3333, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.book import openings
from sapper.agents.registry import make_agent
from sapper.errors import InputError
from sapper.inference.chances.ranking import Chance, Chances, Effort
from sapper.inference.chances.rollouts import Rollouts
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.observation import HIDDEN

if TYPE_CHECKING:
    from sapper.observation import Observation
    from sapper.topology import Cell


MOST_GAMES = 1_000_000  # time runs out before
SAFE_GAMES = 256  # to tell the chance to win where the choice is clear


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
    observation: Observation, agent: str = "master", seconds: float = 2.0, seed: int = 0, start: str = "safe"
) -> Best:
    """Return the cell that an agent opens, and what the candidates are worth; takes about the seconds given.

    ``start`` says what the first cell is promised, for a board on which nothing is open yet. The position needs exact
    clues and a known total. Raises `Contradiction` if no layout fits and `TooHard` where the sum is out of reach.
    """
    if observation.total is None or observation.channel.kind != "exact":
        raise InputError("The best cell is for positions with exact clues and a known number of mines.")
    if not observation.closed.any():
        raise InputError("Nothing is hidden any more: there is no cell to open.")
    if not np.any(observation.cells == HIDDEN):
        raise InputError("Every closed cell is flagged: take a flag off to ask what to open.")
    posterior = mine_probabilities(observation)
    rng = np.random.default_rng(seed)
    if posterior.safe:
        candidates = _of_safe_cells(posterior, rng)
    elif not np.any(observation.cells >= 0) and openings(observation, start):
        candidates = _of_the_book(posterior, start)
    else:
        ranked = Chances(observation.topology.n_cells).rank(posterior, Effort(MOST_GAMES, seconds), rng)
        in_part = ranked[0].part is not None
        candidates = _of_part(posterior, ranked, rng) if in_part else _of_chances(posterior, ranked)
    cell = candidates[0].cell
    if agent != "master":
        decision = make_agent(agent, seed).decide(observation)
        if decision.cell is None:
            raise InputError(f"{agent} sees nothing to open here.")
        cell = decision.cell
        if cell not in {candidate.cell for candidate in candidates}:
            risk = float(posterior.p_mine[cell])
            candidates.append(Candidate(cell, risk, None, 0.0, 0, f"what {agent} opens; not among the promising cells"))
    return Best(agent, cell, bool(posterior.safe), tuple(candidates))


def _of_safe_cells(posterior: Posterior, rng: np.random.Generator) -> list[Candidate]:
    board = posterior.observation.topology
    first = board.index(*posterior.safe[0])
    # Whichever of them is opened first, all of them are: the chance is the same.
    values = Rollouts(board.n_cells).values(posterior, [first], SAFE_GAMES, rng)[0]
    p_win, error = float(values.mean()), float(values.std()) / len(values) ** 0.5
    reason = "safe in every layout that fits"
    return [Candidate(cell, 0.0, p_win, error, len(values), reason) for cell in posterior.safe]


def _of_the_book(posterior: Posterior, start: str) -> list[Candidate]:
    promised = {"safe": "the first cell is safe", "opening": "the first cell opens"}[start]
    return [
        Candidate(opening.cell, 0.0, opening.p_win, opening.error, 0, f"opening book, where {promised}")
        for opening in openings(posterior.observation, start)
    ]


def _of_part(posterior: Posterior, ranked: list[Chance], rng: np.random.Generator) -> list[Candidate]:
    board = posterior.observation.topology
    values = Rollouts(board.n_cells).values(posterior, [ranked[0].cell], SAFE_GAMES, rng)[0]
    p_win, error = float(values.mean()), float(values.std()) / len(values) ** 0.5
    candidates = []
    best = ranked[0].part
    for chance in ranked:
        assert best is not None
        assert chance.part is not None
        # The rest of the board is the same whichever cell is opened here, so the chances are as the wins in the part.
        share = chance.part.wins / best.wins
        reason = f"perfect play in a part that is cut off wins {chance.part.wins} of its {chance.part.layouts} layouts"
        candidates.append(
            Candidate(board.cell(chance.cell), chance.risk, share * p_win, share * error, len(values), reason)
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
