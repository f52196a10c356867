"""Agents that sum exactly: what they know of a position, and their ways of guessing from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.agents.guessing import DensityGuess, Guess
from sapper.draw.percent import percent
from sapper.errors import TooHard
from sapper.inference.complete import deduce_complete
from sapper.inference.contradiction import deduce_contradictions
from sapper.inference.endgame import FEW, MANY, Endgame
from sapper.inference.engine import Engine
from sapper.inference.lookahead import Lookahead
from sapper.inference.optimal import perfect_start
from sapper.inference.single import deduce_single
from sapper.inference.subsets import deduce_subsets_and_total
from sapper.inference.workspace import Workspace
from sapper.observation import EXPLODED, NO_CLUE, Observation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.inference.deduction import Deduction
    from sapper.inference.endgame import Ending
    from sapper.inference.exact import Posterior
    from sapper.knowledge.facts import Facts


class Certainty:
    """The exact posterior of the position at hand, computed once; as a way of reasoning, everything that follows.

    Where the sum is too hard it says so with None, and reasons by what is cheap: single clues, subsets with the total,
    and assumptions refuted. All of that is sound; it may miss something.
    """

    def __init__(self, ignores_total: bool = False) -> None:
        self._engine = Engine()
        self._ignores_total = ignores_total
        self._seen: Observation | None = None
        self._posterior: Posterior | None = None

    def look(self, facts: Facts) -> Posterior | None:
        """Return the posterior, or None if it is too hard."""
        observation = facts.observation
        if observation is not self._seen:
            self._seen = observation
            try:
                self._posterior = self._engine.look(self._asked(observation))
            except TooHard:
                self._posterior = None
        return self._posterior

    def _asked(self, observation: Observation) -> Observation:
        if not self._ignores_total or observation.total is None:
            return observation
        return Observation(observation.topology, observation.cells, None, observation.channel)

    def __call__(self, facts: Facts, clues: Iterable[int]) -> list[Deduction]:
        """Deduce everything that follows, unless something safe is waiting to be opened."""
        if facts.safe:
            return []
        posterior = self.look(facts)
        if posterior is not None:
            return deduce_complete(facts, posterior)
        return (
            deduce_single(facts, clues) + deduce_subsets_and_total(facts, clues) + deduce_contradictions(facts, clues)
        )


class LeastRisk:
    """The cell of least exact risk, or one a hair riskier that is likelier to tell something."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        self._certainty = certainty
        self._rough = DensityGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Choose by the posterior, or roughly where it is too hard."""
        posterior = self._certainty.look(facts)
        if posterior is None:
            return _too_hard(self._rough.guess(facts))
        p = posterior.p_mine.ravel()
        cell = kernels.choose_least_risk(facts.board.graph, facts.observation.cells.ravel(), p)
        return Guess(cell, float(p[cell]), f"nothing is certain; the least risk is {write_risk(p[cell])}")


class BestAhead:
    """The cell that leaves the best chance to go on: every clue it may show is followed one step ahead.

    Some hundred sums. Where at most ``most`` layouts are left, perfect play over them; likewise in a part of the board
    that is cut off from the rest. Clues that may be wrong are not followed; there it is the cell of least risk.
    """

    def __init__(self, certainty: Certainty, rng: np.random.Generator, most: int = FEW) -> None:
        self._certainty = certainty
        self._least_risk = LeastRisk(certainty, rng)
        self._most = most
        self._memory: tuple[int, Lookahead, Workspace, Endgame] | None = None

    def guess(self, facts: Facts) -> Guess:
        """Choose by looking ahead, or by the risk alone where that is out of reach."""
        posterior = self._certainty.look(facts)
        # On a blank board there is nothing to tell the cells apart but where they lie.
        if posterior is None or posterior.question.soft or not facts.clues:
            return self._least_risk.guess(facts)
        lookahead, workspace, endgame = self._remember(facts.board.n_cells)
        ending = endgame.choose(posterior)
        if ending is not None:
            p = float(posterior.p_mine.flat[ending.cell])
            won = f"perfect play wins {ending.wins} of the {ending.layouts} layouts that are left"
            return Guess(ending.cell, p, f"nothing is certain; {won}, at a risk of {write_risk(p)}")
        ending = endgame.choose_in_part(posterior)
        if ending is not None:
            p = float(posterior.p_mine.flat[ending.cell])
            return Guess(ending.cell, p, f"nothing is certain; {why_in_part(ending)}, at a risk of {write_risk(p)}")
        try:
            cell = lookahead.choose(posterior, workspace)
        except TooHard:
            return _too_hard(self._least_risk.guess(facts))
        p = float(posterior.p_mine.flat[cell])
        why = f"nothing is certain; looking a step ahead it is the best, at a risk of {write_risk(p)}"
        return Guess(cell, p, why)

    def _remember(self, n_cells: int) -> tuple[Lookahead, Workspace, Endgame]:
        if self._memory is None or self._memory[0] != n_cells:
            workspace = Workspace(n_cells, False)
            self._memory = n_cells, Lookahead(n_cells), workspace, Endgame(n_cells, self._most)
        return self._memory[1:]


class PerfectPlay(BestAhead):
    """Perfect play from `MANY` layouts on, and from the first cell of small boards; before that, a step ahead."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        super().__init__(certainty, rng, MANY)

    def guess(self, facts: Facts) -> Guess:
        """Choose the best first cell of a small board, else as before."""
        is_blank = not (facts.observation.cells >= 0).any() and facts.observation.closed.all()
        if is_blank and facts.observation.channel.kind == "exact":
            cell = perfect_start(facts.board, facts.total)
            if cell is not None:
                assert facts.total is not None
                return Guess(cell, facts.total / facts.board.n_cells, "nothing is certain; perfect play begins here")
        return super().guess(facts)


class LeastCost:
    """The cell of least risk, any of several at random: min-cost."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        self._certainty = certainty
        self._rough = DensityGuess(rng)
        self._rng = rng

    def guess(self, facts: Facts) -> Guess:
        """Choose by the posterior, or roughly where it is too hard."""
        posterior = self._certainty.look(facts)
        if posterior is None:
            return _too_hard(self._rough.guess(facts))
        best = posterior.best
        row, col = best[int(self._rng.integers(len(best)))]
        p = float(posterior.p_mine[row, col])
        one_of = f", as of {len(best) - 1} others" if len(best) > 1 else ""
        return Guess(row * facts.board.cols + col, p, f"nothing is certain; the least risk is {write_risk(p)}{one_of}")


class MostWorkedOut:
    """Report variant min-risk: the cell that maximises q R + (1 - q) S.

    q is its chance of a mine; R and S are how many cells could be worked out if it were a mine, or clear. Two sums for
    every cell on the frontier and one of the others, which are all alike.
    """

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        self._certainty = certainty
        self._rough = DensityGuess(rng)
        self._rng = rng
        self._engine = Engine()

    def guess(self, facts: Facts) -> Guess:
        """Choose by what could be worked out; the safest of several, then any."""
        posterior = self._certainty.look(facts)
        if posterior is None:
            return _too_hard(self._rough.guess(facts))
        p = posterior.p_mine.ravel()
        worth = {cell: self._worth(posterior, cell, float(p[cell])) for cell in distinct_cells(facts)}
        most = max((value, -p[cell]) for cell, value in worth.items())
        # Equal to a person, whatever the last bits are.
        choices = [cell for cell, value in worth.items() if value >= most[0] - 1e-9 and -p[cell] >= most[1] - 1e-9]
        cell = choices[int(self._rng.integers(len(choices)))]
        return Guess(
            cell,
            float(p[cell]),
            f"nothing is certain; it works out {worth[cell]:.2f} cells on average, at a risk of {write_risk(p[cell])}",
        )

    def _worth(self, posterior: Posterior, cell: int, q: float) -> float:
        if not 0.0 < q < 1.0:
            return 0.0
        observation = posterior.observation
        n_known = len(posterior.safe) + len(posterior.mines)
        counts = []
        for code in (EXPLODED, NO_CLUE):
            cells = observation.cells.copy()
            cells.flat[cell] = code
            try:
                found = self._engine.look(
                    Observation(observation.topology, cells, observation.total, observation.channel)
                )
                counts.append(len(found.safe) + len(found.mines) - n_known)
            except TooHard:
                counts.append(0)
        if_mine, if_clear = counts
        return q * if_mine + (1.0 - q) * if_clear


class MostInformation:
    """The cell whose opening tells the most: the largest entropy of what it may show.

    Some nine sums for every cell on the frontier and one of the others. A mine tells something too, but ends a classic
    game, so this is a player for surveys.
    """

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        self._certainty = certainty
        self._rough = DensityGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Choose by entropy; the lowest of several."""
        posterior = self._certainty.look(facts)
        if posterior is None:
            return _too_hard(self._rough.guess(facts))
        bits = {}
        for cell in distinct_cells(facts):
            row, col = divmod(cell, facts.board.cols)
            chances = np.append(posterior.p_clue(row, col), posterior.p_mine[row, col])
            chances = chances[chances > 0]
            bits[cell] = round(float(-(chances * np.log2(chances)).sum()), 9)
        cell = max(bits, key=lambda one: (bits[one], -one))
        p = float(posterior.p_mine.flat[cell])
        return Guess(
            cell, p, f"nothing is certain; it tells the most, {bits[cell]:.2f} bits, at a risk of {write_risk(p)}"
        )


def distinct_cells(facts: Facts) -> list[int]:
    """The unknown cells on the frontier, and of those that no clue touches one for each number of neighbours."""
    frontier: list[int] = []
    others: dict[tuple[int, int], int] = {}
    unknown = facts.observation.closed.ravel()
    for cell in np.flatnonzero(unknown).tolist():
        if not facts.unknown >> cell & 1:
            continue
        if any(other in facts.clues for other in facts.neighbours[cell]):
            frontier.append(cell)
        else:
            hidden_around = sum(bool(unknown[other]) for other in facts.neighbours[cell])
            others.setdefault((len(facts.neighbours[cell]), hidden_around), cell)
    return sorted([*frontier, *others.values()])


def why_in_part(ending: Ending) -> str:
    """Say why a part is played at once that has nothing to do with the rest."""
    return (
        "this part of the board is cut off and nothing will tell more about it; perfect play wins "
        f"{ending.wins} of its {ending.layouts} layouts"
    )


def _too_hard(guess: Guess) -> Guess:
    return Guess(guess.cell, guess.p_mine, f"{guess.why} (the exact sum is too hard here)")


def write_risk(p: float) -> str:
    """Write a risk in percent; only what is certain is 0 or 100 %."""
    return percent(float(p), certain=p in (0.0, 1.0), places=1)
