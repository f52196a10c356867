"""Advice for a game played elsewhere: an agent names a cell, the player enters what the real game showed.

The session is independent of terminals. It keeps every position, so any entry can be undone. An entry that no layout
fits is refused and changes nothing.

>>> from sapper.agents.registry import make_agent
>>> from sapper.rules import Rules
>>> advice = Advice(Rules.parse("1x4/1"), make_agent("exact"))
>>> advice.decision.cell, advice.risk
((0, 0), 0.0)
>>> advice.enter({(0, 0): 1})
>>> advice.finished, advice.mines
(False, ((0, 1),))
>>> advice.undo()
>>> str(advice.observation)
'#### 1'
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from sapper.agents.agent import Agent, Decision
from sapper.channel import SOFT_KINDS
from sapper.errors import Contradiction, IllegalMove, InputError, TooHard
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.inference.reasoning.single import Deduction
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, SYMBOLS, Observation
from sapper.play.reading import under_rules
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.words import count
from sapper.world.game import Outcome

_NOTHING_LEFT = Decision(None, None, "Nothing is left to open.")


@dataclass(frozen=True, slots=True)
class _Moment:
    """The session after one entry."""

    observation: Observation
    posterior: Posterior | None  # None: too hard
    outcome: Outcome
    decision: Decision
    mines: tuple[Cell, ...]  # hidden cells that are certainly mines, row by row


class Advice:
    """A session with one agent about one real game, from a blank board or a position."""

    def __init__(self, rules: Rules, agent: Agent, start: Observation | None = None) -> None:
        self.rules = rules
        self._agent = agent
        self._other: Cell | None = None  # opened in the real game instead of the cell that was named
        self._one_by_one = False  # the player skipped the region of a zero
        self._proofs: dict[Cell, Deduction] = {}  # of safe cells, by the agent
        blank = Observation(
            rules.topology, np.full(rules.n_cells, HIDDEN), rules.mines if rules.total_known else None, rules.channel
        )
        self._history = [self._look_at(blank if start is None else under_rules(start, rules), ())]

    # -- what is known -------------------------------------------------------------------------------------

    @property
    def observation(self) -> Observation:
        """The position entered so far."""
        return self._history[-1].observation

    @property
    def posterior(self) -> Posterior | None:
        """The posterior; None: too hard."""
        return self._history[-1].posterior

    @property
    def decision(self) -> Decision:
        """What the agent would do now; its cell is None at the end."""
        return self._history[-1].decision

    @property
    def outcome(self) -> Outcome:
        """The state of the real game, by the entries."""
        return self._history[-1].outcome

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.outcome is not Outcome.PLAYING

    @property
    def mines(self) -> tuple[Cell, ...]:
        """The hidden cells that are certainly mines, row by row."""
        return self._history[-1].mines

    @property
    def new_mines(self) -> tuple[Cell, ...]:
        """The certain mines that were not certain before the last entry."""
        before = self._history[-2].mines if len(self._history) > 1 else ()
        return tuple(cell for cell in self.mines if cell not in before)

    @property
    def n_entries(self) -> int:
        """The number of entries that can be undone."""
        return len(self._history) - 1

    @property
    def is_promised(self) -> bool:
        """Whether the first-click policy makes the next cell safe, whatever its probability."""
        return self.rules.promises_safety(self.observation.closed)

    @property
    def risk(self) -> float | None:
        """The risk of the named cell: exact, else the agent's estimate; None: unknown."""
        cell = self.decision.cell
        if cell is None:
            return None
        if self.is_promised or not self.observation.closed[cell]:
            return 0.0
        return self.decision.p_mine if self.posterior is None else float(self.posterior.p_mine[cell])

    @property
    def names_clues(self) -> bool:
        """Whether the agent's reason names the clues that prove its cell safe."""
        proof = self._proofs.get(self.decision.cell) if self.decision.cell is not None else None
        return self.decision.p_mine == 0.0 and proof is not None and bool(proof.clues)

    @property
    def region(self) -> tuple[Cell, ...]:
        """The cells that the real game must have opened around zeros and that were not entered yet, row by row."""
        if not (self.rules.cascade and self.rules.channel.zero_is_certain):
            return ()
        board = self.observation.topology
        around = np.unique(board.table[np.flatnonzero(self.observation.cells == 0)])
        closed = self.observation.closed.ravel()
        return tuple(board.cell(index) for index in around.tolist() if index >= 0 and closed[index])

    @property
    def asked(self) -> tuple[Cell, ...]:
        """The cells that the next entry should be about: one, or adjacent ones in a zero's region."""
        if self.finished:
            return ()
        if self._other is not None:
            return (self._other,)
        if self.asks_for_region:
            # Return the first of these cells and those that follow it in the same row without a gap.
            run = self.region[:1]
            for row, col in self.region[1:]:
                if (row, col) != (run[-1][0], run[-1][1] + 1):
                    break
                run += ((row, col),)
            return run
        cell = self.decision.cell
        assert cell is not None
        return (cell,)

    @property
    def asks_for_region(self) -> bool:
        """Whether the next entry should be about a zero's region, rather than the cell that was named."""
        return not (self.finished or self._other or self._one_by_one) and bool(self.region)

    # -- entries -------------------------------------------------------------------------------------------

    def enter(self, shown: Mapping[Cell, int]) -> None:
        """Enter what cells of the real game show: clues, NO_CLUE or EXPLODED; all of it, or nothing.

        Raises `IllegalMove` or `InputError` where the rules forbid it and `Contradiction` where no layout fits.
        """
        self._require_playing()
        cells = self.observation.cells.copy()
        says_something = False
        for cell, code in shown.items():
            self.observation.topology.index(*cell)
            says_something |= self._check(cell, code)
            cells[cell] = code
        if not says_something:
            first = next(iter(shown), None)
            raise IllegalMove(f"{first} is open already." if first else "That says nothing about any cell.")
        if len(shown) == 1:
            self._check_promise(*shown.values())
        try:
            self._append(cells)
        except Contradiction as error:
            raise self._refusal(shown, error) from None
        if 0 in shown.values():
            self._one_by_one = False

    def replace(self, position: Observation) -> None:
        """Continue from another position of the same game; this can be undone too."""
        self._append(under_rules(position, self.rules).cells)

    def ask(self, cell: Cell) -> None:
        """Note that a cell other than the named one was opened: the next entry is about it."""
        self._require_playing()
        self.observation.topology.index(*cell)
        code = int(self.observation.cells[cell])
        if not (self.observation.closed[cell] or (code == NO_CLUE and self.rules.channel.redraws)):
            raise IllegalMove(f"{cell} is open already.")
        if cell in self.mines:
            raise IllegalMove(self._prove(cell))
        self._other = cell

    def skip_region(self) -> None:
        """Stop asking about the region of a zero: the agent names those cells one by one, until the next zero."""
        self._one_by_one = True

    def declare_won(self) -> None:
        """Note that the real game is won: every hidden cell is a mine.

        Only a game with an unknown number of mines needs this; otherwise cells can be counted.
        """
        self._require_playing()
        if self.observation.total is not None:
            n_safe = int(self.observation.closed.sum()) - self._n_mines_left(self.observation)
            raise IllegalMove(
                f"That cannot be: {n_safe} safe cell{'s are' if n_safe != 1 else ' is'} still hidden, by the total of "
                f"{count(self.observation.total, 'mine')}."
            )
        now = self._history[-1]
        mines = tuple((int(row), int(col)) for row, col in np.argwhere(self.observation.closed))
        self._history.append(replace(now, outcome=self._solved, decision=_NOTHING_LEFT, mines=mines))

    def undo(self) -> None:
        """Undo the last entry, or raise `IllegalMove` if there is none."""
        if self._other is not None:
            self._other = None
            return
        if len(self._history) == 1:
            raise IllegalMove("There is nothing to undo.")
        self._history.pop()
        self._one_by_one = False

    # -- internals -----------------------------------------------------------------------------------------

    @property
    def _solved(self) -> Outcome:
        return Outcome.FINISHED if self.rules.opened_mine == "explodes" else Outcome.WON

    def _require_playing(self) -> None:
        if self.finished:
            raise IllegalMove("The game is over; undo the last entry to continue.")

    def _check(self, cell: Cell, code: int) -> bool:
        """Return whether this is new about a cell; raise if it is impossible."""
        if code in (HIDDEN, FLAG) or code not in SYMBOLS:
            raise InputError(f"{cell}: {SYMBOLS.get(code, str(code))!r} is not something that an open cell shows.")
        if code == NO_CLUE and self.rules.channel.kind != "withheld":
            raise IllegalMove(f"{cell} must show a clue: under these rules every open cell does.")
        known = int(self.observation.cells[cell])
        if self.observation.closed[cell] or (known == NO_CLUE and self.rules.channel.redraws and code != EXPLODED):
            return True
        if code != known:
            raise IllegalMove(f"{cell} is open already and shows {SYMBOLS[known]}, not {SYMBOLS[code]}.")
        return False

    def _check_promise(self, code: int) -> None:
        if not self.is_promised:
            return
        if code == EXPLODED:
            raise IllegalMove("The rules promise that the first cell is not a mine; first-any promises nothing.")
        if self.rules.first_click == "opening" and code > 0 and self.rules.channel.kind not in SOFT_KINDS:
            raise IllegalMove(
                "The rules promise that the first cell is a zero; first-safe only promises that it is not a mine."
            )

    def _append(self, cells: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> None:
        now = self.observation
        following = Observation(now.topology, cells, now.total, now.channel)
        self._history.append(self._look_at(following, self.mines))
        self._other = None

    def _look_at(self, observation: Observation, known_mines: tuple[Cell, ...]) -> _Moment:
        posterior: Posterior | None = None
        with suppress(TooHard):
            posterior = mine_probabilities(observation)
        outcome = self._outcome(observation, posterior)
        decision = _NOTHING_LEFT
        if outcome is Outcome.PLAYING:
            decision = self._agent.decide(observation)
            self._proofs |= {found.cell: found for found in decision.deductions if not found.is_mine}
            if decision.cell is None:
                outcome = self._solved
        if posterior is not None:
            return _Moment(observation, posterior, outcome, decision, posterior.mines)
        proved = {found.cell for found in decision.deductions if found.is_mine}.union(known_mines)
        closed = observation.closed
        mines = tuple(sorted(cell for cell in proved if closed[cell]))
        return _Moment(observation, None, outcome, decision, mines)

    def _outcome(self, observation: Observation, posterior: Posterior | None) -> Outcome:
        if self.rules.opened_mine == "ends" and (observation.cells == EXPLODED).any():
            return Outcome.LOST
        n_closed = int(observation.closed.sum())
        if n_closed == self._n_mines_left(observation) or (posterior is not None and len(posterior.mines) == n_closed):
            return self._solved
        return Outcome.PLAYING

    def _n_mines_left(self, observation: Observation) -> int:
        """Return the number of hidden mines; -1: unknown."""
        if observation.total is None:
            return -1
        return observation.total - int((observation.cells == EXPLODED).sum())

    def _refusal(self, shown: Mapping[Cell, int], error: Contradiction) -> Contradiction:
        if len(shown) == 1 and self.posterior is not None:
            ((cell, code),) = shown.items()
            for is_mine, certain in ((True, self.posterior.mines), (False, self.posterior.safe)):
                if cell in certain and (code == EXPLODED) != is_mine:
                    return Contradiction(self._prove(cell), error.clues, error.total)
        return error

    def _prove(self, cell: Cell) -> str:
        """Return why a certain cell is safe or a mine, as a sentence."""
        try:
            return explain(self.observation, *cell).summary[0]
        except TooHard:
            return f"{cell} is {'a mine' if cell in self.mines else 'safe'} because of the clues so far."
