"""An agent that trusts every clue: what it costs not to know that clues may be wrong.

>>> import numpy as np
>>> from sapper.observation import Observation
>>> believer = Believer(np.random.default_rng(0))
>>> believer.decide(Observation.parse("0##/### 1 optimistic:0.5")).p_mine
0.0
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper.agents.agent import Decision
from sapper.agents.exact import Certainty, PolicyGuess
from sapper.agents.guessing import Guess
from sapper.channel import EXACT, SOFT_KINDS
from sapper.errors import TooHard
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import is_possible
from sapper.inference.reasoning.single import Deduction
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation


class Believer:
    """Plays like `exact`, as if every clue were exact.

    Where clues are exact or only withheld it decides as `exact` does, since silence says nothing. Where they may be
    wrong, so may its deductions be. When the clues that it believes cannot all hold, it has no way to tell which to
    doubt: it goes through them in an order drawn once for all and stops believing the first that cannot hold beside
    those before it, until something fits. What it doubts, it doubts to the end of the game, and it may come to open a
    cell that it has marked.

    A doubt costs a handful of runs of the engine. A smallest set of clues that disagree would be a better place to look
    for the culprit, but where the total is part of it the search for one takes seconds.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._certainty = Certainty()
        self._guesser = PolicyGuess(self._certainty, rng)
        # A separate generator, so that guesses draw the same numbers without it.
        self._trust_seed = int(rng.spawn(1)[0].integers(2**63))
        self._last: Observation | None = None
        self._facts: Facts | None = None  # what follows from the clues that it believes
        self._proofs: dict[int, Deduction] = {}  # of cells that it believes to be safe
        self._marked: set[int] = set()  # cells that it has called mines
        self._doubted: set[int] = set()  # clues that it does not believe any more

    def decide(self, observation: Observation) -> Decision:
        """Choose the next cell to open."""
        self._take(observation)
        if not observation.closed.any():
            return Decision(None, None, "Nothing is left to open: every cell is open.")
        facts, found = self._reason(observation)
        new = self._to_report(found, observation)
        cols = observation.cols
        if facts.safe:
            cell = next(iter(facts.safe))
            place = divmod(cell, cols)
            return Decision(place, 0.0, f"Opened {place}: {self._proofs[cell].reason}.", new)
        guess = self._guess(facts)
        place = divmod(guess.cell, cols)
        return Decision(place, guess.p_mine, f"Opened {place}: {guess.why}.", new)

    def _take(self, observation: Observation) -> None:
        if self._last is None or not _follows(observation, self._last):
            self._facts = None
            self._marked, self._doubted = set(), set()
        elif any(observation.cells.flat[cell] == EXPLODED for cell in self._proofs):
            # A cell believed safe was a mine: everything else believed safe must be reconsidered.
            self._facts = None
        self._last = observation

    def _reason(self, observation: Observation) -> tuple[Facts, list[Deduction]]:
        facts = self._read(observation)
        # `Certainty` skips positions with safe cells left to open, so they are not checked either.
        if not facts.safe and observation.channel.kind in SOFT_KINDS:
            while facts.clues and not _may_hold(facts.observation):
                self._doubt_one(facts.clues, observation)
                facts = self._read(observation)
        found = self._certainty(facts, list(facts.clues))
        self._proofs |= {one.cell[0] * observation.cols + one.cell[1]: one for one in found if not one.is_mine}
        return facts, found

    def _read(self, observation: Observation) -> Facts:
        believed = self._believe(observation, self._doubted)
        if self._facts is None or not self._facts.take(believed):
            self._facts = Facts(believed)
            self._proofs = {}
        return self._facts

    def _believe(self, observation: Observation, doubted: Iterable[int]) -> Observation:
        """Return the position as it is believed: clues exact, doubted ones silent."""
        silenced = observation.assuming(silent=doubted)
        return Observation.of_game(silenced.topology, silenced.cells, silenced.total, EXACT)

    def _doubt_one(self, believed: Iterable[int], observation: Observation) -> None:
        """Stop believing the first clue that contradicts those before it, found by bisection."""
        trust = np.random.default_rng(self._trust_seed).permutation(observation.topology.n_cells)
        clues = sorted(believed, key=lambda clue: int(trust[clue]))
        fits, fails = 0, len(clues)  # the first `fits` clues are consistent, the first `fails` are not
        while fails - fits > 1:
            middle = (fits + fails) // 2
            if _may_hold(self._believe(observation, {*self._doubted, *clues[middle:]})):
                fits = middle
            else:
                fails = middle
        self._doubted.add(clues[fits])

    def _to_report(self, found: list[Deduction], observation: Observation) -> tuple[Deduction, ...]:
        """Leave out mines named before: after a change of belief everything is deduced again."""
        new = []
        for one in found:
            cell = one.cell[0] * observation.cols + one.cell[1]
            if one.is_mine:
                if cell in self._marked or observation.cells.flat[cell] == FLAG:
                    continue
                self._marked.add(cell)
            new.append(one)
        return tuple(new)

    def _guess(self, facts: Facts) -> Guess:
        posterior = self._certainty.look(facts)
        hidden = np.flatnonzero(facts.observation.cells.ravel() == HIDDEN)
        if hidden.size and (posterior is not None or facts.unknown):
            guess = self._guesser.guess(facts)
            if guess.p_mine != 1.0:
                return guess
            return Guess(guess.cell, 1.0, _ALL_MINES)
        closed = hidden if hidden.size else np.flatnonzero(facts.observation.closed.ravel())
        # Marks are beliefs: if nothing else is left, one of them was wrong.
        risks = posterior.p_mine.ravel()[closed] if posterior is not None else np.ones(closed.size)
        return Guess(int(closed[risks.argmin()]), float(risks.min()), _ALL_MINES)


_ALL_MINES = "everything left looks like a mine, yet the game goes on"


def _may_hold(believed: Observation) -> bool:
    try:
        return is_possible(believed)
    except TooHard:
        return True


def _follows(observation: Observation, last: Observation) -> bool:
    """Return whether a position may follow in the same game: open cells show the same, or show a clue at last."""
    if (observation.topology, observation.total, observation.channel) != (last.topology, last.total, last.channel):
        return False
    was_open = ~last.closed & (last.cells != NO_CLUE)
    silent = last.cells == NO_CLUE
    same = bool((observation.cells == last.cells)[was_open].all())
    return same and not observation.closed[silent].any()
