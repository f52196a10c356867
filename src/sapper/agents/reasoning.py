"""An agent made of parts: ways of reasoning, easiest first, and a way of guessing."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.agent import Decision
from sapper.knowledge.facts import Facts, cells_of
from sapper.observation import HIDDEN, NO_CLUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sapper.agents.guessing import Guesser
    from sapper.inference.reasoning.deduction import Deduction
    from sapper.observation import Observation

    # From what is known, and the clues that may say something new, to deductions; notes them among the facts.
    Way = Callable[[Facts, Iterable[int]], list[Deduction]]


class ReasoningAgent:
    """Opens what is proved safe, oldest first; reasons harder only when nothing is; guesses when nothing follows.

    Keeps what it has proved and looks only at clues with news, so a move costs what it changes. ``opens_blindly`` is
    report 001's opening: random cells, whatever is proved, until a zero shows. ``asks_again`` queries silent cells
    before it guesses, where a second question may be answered. ``zeros_first`` opens the neighbours of zeros before
    other safe cells.
    """

    def __init__(
        self,
        ways: tuple[Way, ...],
        guesser: Guesser,
        *,
        opens_blindly: bool = False,
        asks_again: bool = False,
        zeros_first: bool = False,
    ) -> None:
        self._ways = ways
        self._guesser = guesser
        self._opens_blindly = opens_blindly
        self._asks_again = asks_again
        self._zeros_first = zeros_first
        self._facts: Facts | None = None
        self._news: list[int] = []  # by way of reasoning: the clues it has not looked at since they changed, as a set
        self._proofs: dict[int, Deduction] = {}  # of safe cells, by number
        self._fringe: deque[int] = deque()  # with zeros_first: safe neighbours of zeros, oldest first
        self._asked: set[int] = set()

    def decide(self, observation: Observation) -> Decision:
        """Choose the next cell to open."""
        facts = self._read(observation)
        found = self._reason(facts)
        if self._opens_blindly and not self._has_zero(facts) and facts.unknown:
            return self._guess(facts, found)
        if facts.safe:
            cell = self._next_safe(facts)
            place = divmod(cell, facts.board.cols)
            return Decision(place, 0.0, f"Opened {place}: {self._proofs[cell].reason}.", found)
        silent = self._silent_cell(facts)
        if silent is not None:
            place = divmod(silent, facts.board.cols)
            return Decision(place, 0.0, f"Asked {place} again: it showed no clue.", found)
        if not facts.unknown:
            return Decision(None, None, "Nothing is left to open: every hidden cell is a mine.", found)
        if not np.any(observation.cells == HIDDEN):
            return Decision(None, None, "Nothing is left to open: every closed cell is flagged.", found)
        return self._guess(facts, found)

    def _read(self, observation: Observation) -> Facts:
        facts = self._facts
        if facts is None or not facts.take(observation):
            facts = self._facts = Facts(observation)
            self._news = [0] * len(self._ways)
            self._proofs = {}
            self._fringe.clear()
            self._asked = set()
        if facts.opened:
            self._asked.clear()
        return facts

    def _reason(self, facts: Facts) -> tuple[Deduction, ...]:
        found: list[Deduction] = []
        level = 0
        while level < len(self._ways) and not (level and facts.safe):
            self._spread(facts, 0)
            clues, self._news[level] = self._news[level], 0
            new = self._ways[level](facts, cells_of(clues))
            found += new
            if level == 0:
                # The first way goes on until nothing changes; what it touched is news to the others only.
                self._spread(facts, 1)
            level = 0 if new and level else level + 1
        cols = facts.board.cols
        for one in found:
            if not one.is_mine:
                cell = one.cell[0] * cols + one.cell[1]
                self._proofs[cell] = one
                if self._zeros_first and len(one.clues) == 1 and facts.observation.cells[one.clues[0]] == 0:
                    self._fringe.append(cell)
        return tuple(found)

    def _spread(self, facts: Facts, first: int) -> None:
        """Tell the ways of reasoning, from this one on, which clues have been touched."""
        if facts.touched:
            for level in range(first, len(self._news)):
                self._news[level] |= facts.touched
            facts.touched = 0

    def _next_safe(self, facts: Facts) -> int:
        while self._fringe:
            if self._fringe[0] in facts.safe:
                return self._fringe[0]
            self._fringe.popleft()
        return next(iter(facts.safe))

    def _silent_cell(self, facts: Facts) -> int | None:
        if not (self._asks_again and facts.channel.redraws):
            return None
        for cell, code in enumerate(facts.observation.cells.ravel().tolist()):
            if code == NO_CLUE and cell not in self._asked and facts.around[cell] & facts.unknown:
                self._asked.add(cell)
                return cell
        return None

    def _has_zero(self, facts: Facts) -> bool:
        return (0, 0) in facts.clues.values()

    def _guess(self, facts: Facts, found: tuple[Deduction, ...]) -> Decision:
        guess = self._guesser.guess(facts)
        place = divmod(guess.cell, facts.board.cols)
        return Decision(place, guess.p_mine, f"Opened {place}: {guess.why}.", found)
