"""Everything that follows: the cells that the exact engine finds certain.

What an agent that sums knows of a position: the posterior that its reasoning and its guessing share.

What the ways of guessing by the exact posterior have in common.

Cells that tell the most: what could be worked out from them, or how many bits they are worth.

The least exact risk: two ways to choose among the cells that have it.

Looking ahead: the best chance to go on, and perfect play, or nearly so, once few layouts are left.

The player that aims at the chance to win: an opening book, close calls tried out, perfect endings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.agents.guessing import DensityGuess, Guess
from sapper.errors import TooHard
from sapper.inference.evaluation.decision import Lookahead, Trying
from sapper.inference.evaluation.endgame import EXPERT, MASTER, Endgame, Reach, perfect_start
from sapper.inference.evaluation.openings import first_cell
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import Workspace
from sapper.inference.reasoning.contradiction import deduce_contradictions
from sapper.inference.reasoning.single import COMPLETE, SINGLE, Deduction, deduce, deduce_single, read_clue
from sapper.inference.reasoning.subsets import deduce_subsets_and_total
from sapper.kernels.codes import MINE, SAFE
from sapper.observation import Observation
from sapper.words import percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.inference.evaluation.endgame import Ending
    from sapper.inference.facts import Facts
    from sapper.inference.posterior.exact import Posterior


def deduce_complete(facts: Facts, posterior: Posterior) -> list[Deduction]:
    """Note what a posterior of the same position settles beyond what is known: mines first, each kind row by row.

    Where a single clue says so too, it gives the reason. Which clues the rest takes is not said: `explain` finds them
    and the argument for one cell, which for every cell would cost far more than the sum.
    """
    verdicts = posterior.verdicts.ravel()
    found: list[Deduction] = []
    for verdict, is_mine, reason in (
        (MINE, True, "it is a mine in every layout that fits"),
        (SAFE, False, "it is clear in every layout that fits"),
    ):
        new = [cell for cell in np.flatnonzero(verdicts == verdict).tolist() if facts.unknown >> cell & 1]
        clues = {other for cell in new for other in facts.neighbours[cell] if other in facts.clues}
        by_clue: dict[int, tuple[int, str]] = {}
        for clue in sorted(clues):
            said = read_clue(facts, clue)
            if said is not None and said[1] is is_mine:
                by_clue |= dict.fromkeys(said[0], (clue, said[2]))
        for cell in new:
            if cell in by_clue:
                clue, why = by_clue[cell]
                found += deduce(facts, [cell], is_mine, SINGLE, (clue,), why)
            else:
                found += deduce(facts, [cell], is_mine, COMPLETE, (), reason)
    return found


class Certainty:
    """The exact posterior of the position at hand, computed once; as a way of reasoning, everything that follows.

    Where the sum is too hard it says so with None, and reasons by what is cheap: single clues, subsets with the total,
    and assumptions refuted. All of that is sound; it may miss something.
    """

    def __init__(self, ignores_total: bool = False) -> None:
        self._ignores_total = ignores_total
        self._seen: Observation | None = None
        self._posterior: Posterior | None = None

    def look(self, facts: Facts) -> Posterior | None:
        """Return the posterior, or None if it is too hard."""
        observation = facts.observation
        if observation is not self._seen:
            self._seen = observation
            try:
                self._posterior = mine_probabilities(self._asked(observation))
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


class ByPosterior(ABC):
    """A way of guessing that looks at the posterior, and guesses roughly where that is too hard."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        self._certainty = certainty
        self._rng = rng
        self._rough = DensityGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Choose by the posterior, or roughly where it is too hard."""
        posterior = self._certainty.look(facts)
        if posterior is None:
            return too_hard(self._rough.guess(facts))
        return self._choose(facts, posterior)

    @abstractmethod
    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        """Choose an unknown cell; the posterior is that of the facts."""


def too_hard(guess: Guess) -> Guess:
    """Add to a rough guess why it is one."""
    return Guess(guess.cell, guess.p_mine, f"{guess.why} (the exact sum is too hard here)")


def write_risk(p: float) -> str:
    """Write a risk in percent; only what is certain is 0 or 100 %."""
    return percent(float(p), certain=p in (0.0, 1.0), places=1)


class MostWorkedOut(ByPosterior):
    """Report variant min-risk: the cell that maximises q R + (1 - q) S.

    q is its chance of a mine; R and S are how many cells could be worked out if it were a mine, or clear. Two sums for
    every cell on the frontier and one of the others, which are all alike.
    """

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
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
        for assumed in (observation.assuming(mines=[cell]), observation.assuming(safe=[cell])):
            try:
                found = mine_probabilities(assumed)
                counts.append(len(found.safe) + len(found.mines) - n_known)
            except TooHard:
                counts.append(0)
        if_mine, if_safe = counts
        return q * if_mine + (1.0 - q) * if_safe


class MostInformation(ByPosterior):
    """The cell whose opening tells the most: the largest entropy of what it may show.

    Some nine sums for every cell on the frontier and one of the others. A mine tells something too, but ends a classic
    game, so this is a player for surveys.
    """

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
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


class LeastRisk(ByPosterior):
    """The cell of least exact risk, or one a hair riskier that is likelier to tell something."""

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        p = posterior.p_mine.ravel()
        cell = kernels.choose_least_risk(facts.board.graph, facts.observation.cells.ravel(), p)
        return Guess(cell, float(p[cell]), f"nothing is certain; the least risk is {write_risk(p[cell])}")


class LeastCost(ByPosterior):
    """The cell of least risk, any of several at random: min-cost."""

    def _choose(self, facts: Facts, posterior: Posterior) -> Guess:
        best = posterior.best
        row, col = best[int(self._rng.integers(len(best)))]
        p = float(posterior.p_mine[row, col])
        one_of = f", as of {len(best) - 1} others" if len(best) > 1 else ""
        return Guess(row * facts.board.cols + col, p, f"nothing is certain; the least risk is {write_risk(p)}{one_of}")


class BestAhead:
    """The cell that leaves the best chance to go on: every clue it may show is followed one step ahead.

    Some hundred sums. Where few layouts are left, perfect play over them, or nearly so, as far as that reaches; perfect
    play, too, in a part of the board that is cut off from the rest. Clues that may be wrong are not followed; there it
    is the cell of least risk.
    """

    def __init__(self, certainty: Certainty, rng: np.random.Generator, reach: Reach = EXPERT) -> None:
        self._certainty = certainty
        self._least_risk = LeastRisk(certainty, rng)
        self._reach = reach
        self._memory: tuple[int, Lookahead, Workspace, Endgame] | None = None

    def guess(self, facts: Facts) -> Guess:
        """Choose by looking ahead, or by the risk alone where that is out of reach."""
        posterior = self._certainty.look(facts)
        # On a blank board there is nothing to tell the cells apart but where they lie.
        if posterior is None or posterior.question.soft or not facts.clues:
            return self._least_risk.guess(facts)
        endgame = self._remember(facts.board.n_cells)[2]
        ending = endgame.choose(posterior)
        if ending is not None:
            p = float(posterior.p_mine.flat[ending.cell])
            won = why_perfect(ending, endgame.is_perfect(ending))
            return Guess(ending.cell, p, f"nothing is certain; {won}, at a risk of {write_risk(p)}")
        ending = endgame.choose_in_part(posterior)
        if ending is not None:
            p = float(posterior.p_mine.flat[ending.cell])
            return Guess(ending.cell, p, f"nothing is certain; {why_in_part(ending)}, at a risk of {write_risk(p)}")
        try:
            cell, why = self._look_ahead(posterior)
        except TooHard:
            return too_hard(self._least_risk.guess(facts))
        p = float(posterior.p_mine.flat[cell])
        return Guess(cell, p, f"nothing is certain; {why}, at a risk of {write_risk(p)}")

    def _look_ahead(self, posterior: Posterior) -> tuple[int, str]:
        """Return the best cell and why it is the best; raises `TooHard`."""
        lookahead, workspace, _ = self._remember(posterior.p_mine.size)
        return lookahead.choose(posterior, workspace), "looking a step ahead it is the best"

    def _remember(self, n_cells: int) -> tuple[Lookahead, Workspace, Endgame]:
        if self._memory is None or self._memory[0] != n_cells:
            workspace = Workspace(n_cells, False)
            self._memory = n_cells, Lookahead(n_cells), workspace, Endgame(n_cells, *self._reach)
        return self._memory[1:]


class PerfectPlay(BestAhead):
    """Perfect play, or nearly so, as far as `MASTER` reaches, and on small boards from the first cell on."""

    def __init__(self, certainty: Certainty, rng: np.random.Generator) -> None:
        super().__init__(certainty, rng, MASTER)

    def guess(self, facts: Facts) -> Guess:
        """Choose the best first cell of a small board, else as before."""
        is_blank = not (facts.observation.cells >= 0).any() and facts.observation.closed.all()
        if is_blank and facts.observation.channel.kind == "exact":
            cell = perfect_start(facts.board, facts.total)
            if cell is not None:
                assert facts.total is not None
                return Guess(cell, facts.total / facts.board.n_cells, "nothing is certain; perfect play begins here")
        return super().guess(facts)


def why_perfect(ending: Ending, perfect: bool) -> str:
    """Say what a cell wins of all layouts that are left."""
    if perfect:
        return f"perfect play wins {ending.wins:,} of the {ending.layouts:,} layouts that are left"
    return f"nearly perfect play wins at least {ending.wins:,} of the {ending.layouts:,} layouts that are left"


def why_in_part(ending: Ending) -> str:
    """Say why a part is played at once that has nothing to do with the rest."""
    return (
        "this part of the board is cut off and nothing will tell more about it; perfect play wins "
        f"{ending.wins} of its {ending.layouts} layouts"
    )


class BestChance(PerfectPlay):
    """Perfect play, as far as it goes; where cells look alike a step ahead, what games played on with them win."""

    _trying: Trying | None = None

    def guess(self, facts: Facts) -> Guess:
        """Begin by the book, if the board is in it, else go on as before."""
        if not facts.clues:
            booked = first_cell(facts.observation)
            if booked is not None:
                p = None if facts.total is None else facts.total / facts.board.n_cells
                return Guess(booked, p, "nothing is certain; the opening book begins here")
        return super().guess(facts)

    def _look_ahead(self, posterior: Posterior) -> tuple[int, str]:
        board = posterior.observation.topology
        if self._trying is None or self._trying.board is not board:
            self._trying = Trying(board)
        tried = self._trying.choose(posterior)
        if tried.n_games == 0:
            return tried.cell, "looking a step ahead it is the best"
        return tried.cell, f"played on {tried.n_games} times it won {percent(tried.p_win, certain=False, places=1)}"
