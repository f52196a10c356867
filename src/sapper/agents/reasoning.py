"""An agent made of parts: ways of reasoning, easiest first, and a way of guessing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from sapper.agents.agent import Decision
from sapper.agents.guessing import Guesser
from sapper.inference.facts import Facts, cells_of
from sapper.inference.reasoning.single import Deduction
from sapper.observation import HIDDEN, NO_CLUE, Observation

# From the facts and the clues to look at to deductions, which it adds to the facts.
Way = Callable[[Facts, Iterable[int]], list[Deduction]]


class ReasoningAgent:
    """Opens what is proved safe, oldest first; reasons harder only when nothing is; guesses when nothing follows.

    Keeps what it has proved and looks only at clues with news, so a move costs what it changes. ``opening`` is report
    001's: it chooses, whatever is proved, until a zero shows. ``asks_again`` asks a silent cell until it answers, where
    it may, before anything else. ``zeros_first`` opens the neighbours of zeros before other safe cells,
    ``newest_first`` what was proved last. ``stops`` says so once all mines of a known total are found. An agent whose
    ways are not sound ``reconsiders``: when nothing but its marks is left to open, it opens those.
    """

    def __init__(
        self,
        ways: tuple[Way, ...],
        guesser: Guesser,
        *,
        opening: Guesser | None = None,
        asks_again: bool = False,
        zeros_first: bool = False,
        newest_first: bool = False,
        stops: bool = False,
        reconsiders: bool = False,
    ) -> None:
        self._ways = ways
        self._guesser = guesser
        self._opening = opening
        self._asks_again = asks_again
        self._zeros_first = zeros_first
        self._newest_first = newest_first
        self._stops = stops
        self._reconsiders = reconsiders
        self._facts: Facts | None = None
        self._news: list[int] = []  # by rule: the clues that changed since it looked at them, as a bit set
        self._proofs: dict[int, Deduction] = {}  # of safe cells, by number
        self._fringe: deque[int] = deque()  # with zeros_first: safe neighbours of zeros, oldest first

    def decide(self, observation: Observation) -> Decision:
        """Choose the next cell to open."""
        facts = self._read(observation)
        decision = self._choose(facts, self._reason(facts))
        if self._stops and facts.mines.bit_count() == facts.total:
            return replace(decision, has_all=True)
        return decision

    def _choose(self, facts: Facts, found: tuple[Deduction, ...]) -> Decision:
        silent = self._silent_cells(facts)
        if silent:
            place = divmod(silent[0], facts.board.cols)
            return Decision(place, 0.0, f"Asked {place} again: it showed no clue.", found)
        if self._opening is not None and not self._has_zero(facts) and facts.unknown:
            return self._guess(facts, found, self._opening)
        if facts.safe:
            cell = self._next_safe(facts)
            place = divmod(cell, facts.board.cols)
            return Decision(place, 0.0, f"Opened {place}: {self._proofs[cell].reason}.", found)
        if not facts.unknown:
            return self._reconsider(facts, found)
        if not np.any(facts.observation.cells == HIDDEN):
            return Decision(None, None, "Nothing is left to open: every closed cell is flagged.", found)
        return self._guess(facts, found, self._guesser)

    def _read(self, observation: Observation) -> Facts:
        facts = self._facts
        if facts is None or not facts.take(observation):
            facts = self._facts = Facts(observation)
            self._news = [0] * len(self._ways)
            self._proofs = {}
            self._fringe.clear()
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
                # The first rule runs to its fixpoint; only the others look at what it changed.
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
        """Mark the clues that were touched as changed, for this rule and the later ones."""
        if facts.touched:
            for level in range(first, len(self._news)):
                self._news[level] |= facts.touched
            facts.touched = 0

    def _next_safe(self, facts: Facts) -> int:
        while self._fringe:
            if self._fringe[0] in facts.safe:
                return self._fringe[0]
            self._fringe.popleft()
        return next(reversed(facts.safe) if self._newest_first else iter(facts.safe))

    def _silent_cells(self, facts: Facts) -> list[int]:
        """Return the silent cells to ask now, the next one first."""
        if not (self._asks_again and facts.channel.redraws) or facts.channel.p == 1.0:
            return []
        # A cell among open cells and known mines is uninformative.
        hidden = facts.unknown | sum(1 << cell for cell in facts.safe)
        silent = np.flatnonzero(facts.observation.cells == NO_CLUE).tolist()
        return [cell for cell in silent if facts.around[cell] & hidden]

    def _has_zero(self, facts: Facts) -> bool:
        return (0, 0) in facts.clues.values()

    def _reconsider(self, facts: Facts, found: tuple[Deduction, ...]) -> Decision:
        if not self._reconsiders:
            return Decision(None, None, "Nothing is left to open: every hidden cell is a mine.", found)
        place = divmod(int(facts.observation.closed.ravel().argmax()), facts.board.cols)
        return Decision(place, None, f"Opened {place}: only its own marks are left, and one of them is wrong.", found)

    def _guess(self, facts: Facts, found: tuple[Deduction, ...], guesser: Guesser) -> Decision:
        guess = guesser.guess(facts)
        place = divmod(guess.cell, facts.board.cols)
        return Decision(place, guess.p_mine, f"Opened {place}: {guess.why}.", found)
