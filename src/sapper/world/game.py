"""One playthrough: it holds the layout, takes moves and shows observations.

>>> from sapper.rules import Rules
>>> game = Game(Rules.parse("3x5/2"), seed=12)
>>> opened = game.open(0, 0)
>>> print(game.observation)
00000/12110/###10 2
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sapper.errors import IllegalMove, RulesError
from sapper.kernels import Field, reveal
from sapper.layout import Layout
from sapper.notebook import draw
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, SYMBOLS, Observation
from sapper.rules import Dealing, Rules
from sapper.topology import Cell
from sapper.words import count
from sapper.world.generation import check_seed, generate_layout, shown_clues


class Outcome(Enum):
    """The state of a game. A survey is never lost: it is finished when every cell is open or flagged."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    FINISHED = "finished"


@dataclass(slots=True)
class Counters:
    """Counts of a player's moves and their effects."""

    opens: int = 0
    flags: int = 0
    chords: int = 0
    queries: int = 0  # of open cells, for a clue that they withheld
    detonations: int = 0
    cells_opened: int = 0  # safe cells, by any move


class Game:
    """A game under given rules. Its layout is given, or drawn when the first cell is opened."""

    dealings: ClassVar[tuple[Dealing, ...]] = ("laid",)

    def __init__(self, rules: Rules | str, seed: int = 0, layout: Layout | str | None = None) -> None:
        rules = Rules.of(rules)
        if layout is not None:
            layout = Layout.given(layout, rules.topology)
        if rules.dealing not in self.dealings:
            raise RulesError(f"The mines of a {rules.dealing} board are dealt during play: use start_game, not Game.")
        if layout is not None and (layout.topology != rules.topology or layout.n_mines != rules.mines):
            raise RulesError(
                f"The layout ({layout.topology.rows} x {layout.topology.cols} {layout.topology.shape}, "
                f"{count(layout.n_mines, 'mine')}) does not fit the rules {rules.in_short}."
            )
        self.rules = rules
        self.seed = check_seed(seed)
        self.counters = Counters()
        self.given_layout = layout
        self._board = rules.topology
        self._cells = np.full(self._board.n_cells, HIDDEN, dtype=np.int8)
        self._opened = np.empty(self._board.n_cells, dtype=np.int32)  # the cells opened last
        self._n_closed = self._board.n_cells  # neither open nor exploded
        self._n_flags = 0
        self._n_asked: dict[int, int] = {}
        self._layout: Layout | None = None
        self._n_changes = 0  # made to the cells
        self._seen: tuple[int, Observation] | None = None  # the last observation, and the changes it includes
        self._lost = False
        if layout is not None:
            self._lay(layout)

    def __repr__(self) -> str:
        opened = f"{self.counters.cells_opened} of {self.rules.n_cells - self.rules.mines} safe cells open"
        return f"<{type(self).__name__} {self.rules.in_short}, seed {self.seed}: {self.outcome.value}, {opened}>"

    def _repr_svg_(self) -> str | None:
        return draw(self._board, "draw_svg", self.observation)

    # -- what a player may see ----------------------------------------------------------------------------

    @property
    def observation(self) -> Observation:
        """The position as the player sees it now."""
        # Another thread may make a move meanwhile. Changes are counted once they are complete and read here before the
        # cells, so an outdated observation is never taken for the current one.
        n_changes, seen = self._n_changes, self._seen
        if seen is None or seen[0] != n_changes:
            total = self.rules.mines if self.rules.total_known else None
            seen = n_changes, Observation.of_game(self._board, self._cells, total, self.rules.channel)
            self._seen = seen
        return seen[1]

    @property
    def outcome(self) -> Outcome:
        """Whether the game is still being played, or how it ended."""
        if self._lost:
            return Outcome.LOST
        if self.rules.opened_mine == "explodes":
            return Outcome.FINISHED if self._n_closed == self._n_flags else Outcome.PLAYING
        return Outcome.WON if self._n_closed == self.rules.mines else Outcome.PLAYING

    # -- what depends on the layout -----------------------------------------------------------------------

    @property
    def layout(self) -> Layout | None:
        """The mines, once they are placed: for records, scores and the display after the end."""
        return self._layout

    @property
    def score(self) -> float:
        """The share of mines safely identified: flagged and never opened, minus the flags on safe cells; at least 0.

        A wrong flag costs what a right one earns, so flagging at random gains nothing.
        """
        return self.n_identified / self.rules.mines if self.rules.mines else 1.0

    @property
    def n_identified(self) -> int:
        """The number of mines that count towards the score: right flags minus wrong ones, at least 0."""
        if self._layout is None:
            # Before the first opening, the mines are known only on a board that is full of them.
            return self._n_flags if self.rules.mines == self._board.n_cells else 0
        n_wrong = self._n_flags - self.n_right_flags
        return max(0, self.n_right_flags - n_wrong)

    @property
    def n_right_flags(self) -> int:
        """The number of flags on mines; 0 before the mines are placed."""
        if self._layout is None:
            return 0
        return int(np.count_nonzero(self._layout.mines.ravel() & (self._cells == FLAG)))

    # -- moves --------------------------------------------------------------------------------------------

    def open(self, row: int, col: int) -> list[Cell]:
        """Open a hidden cell and return the cells that opened, the clicked one first.

        They include a mine that exploded. Opening an open cell without a clue asks for its clue again.
        """
        index = self._board.index(row, col)
        self._require_playing()
        code = self._cells[index]
        if code == FLAG:
            raise IllegalMove(f"({row}, {col}) is flagged; remove the flag before opening it.")
        if code == NO_CLUE:
            return self._ask_again(index)
        if code != HIDDEN:
            raise IllegalMove(f"({row}, {col}) is open already.")
        if self._layout is None:
            self._lay(generate_layout(self.rules, self.seed, (row, col)))
        self.counters.opens += 1
        return self._uncover(index)

    def flag(self, row: int, col: int) -> bool:
        """Flag a hidden cell or remove its flag; return whether it is flagged now."""
        index = self._board.index(row, col)
        self._require_playing()
        code = self._cells[index]
        if code not in (HIDDEN, FLAG):
            raise IllegalMove(f"({row}, {col}) is open; only hidden cells take a flag.")
        self.counters.flags += 1
        self._cells[index] = FLAG if code == HIDDEN else HIDDEN
        self._n_flags += 1 if code == HIDDEN else -1
        self._n_changes += 1
        return bool(code == HIDDEN)

    def chord(self, row: int, col: int) -> list[Cell]:
        """Open every unflagged neighbour of a clue with as many flags around it; return the cells that opened.

        Exploded mines count as flags. With too few or too many, nothing happens.
        """
        index = self._board.index(row, col)
        self._require_playing()
        clue = self._cells[index]
        if clue < 0:
            raise IllegalMove(f"({row}, {col}) shows {SYMBOLS[int(clue)]!r}; only an open clue can be chorded.")
        around = self._board.neighbours_of(index)
        self.counters.chords += 1
        if sum(self._cells[cell] in (FLAG, EXPLODED) for cell in around) != clue:
            return []
        opened: list[Cell] = []
        for cell in around:
            # An earlier neighbour may have opened this one by its cascade, or ended the game.
            if self._cells[cell] == HIDDEN and not self._lost:
                opened += self._uncover(cell)
        return opened

    # -- internals ----------------------------------------------------------------------------------------

    def _lay(self, layout: Layout) -> None:
        self._layout = layout
        self._shown: NDArray[np.int8] = shown_clues(layout, self.rules.channel, self.seed)
        self._field = Field(self._cells, self._shown, self._opened)

    def _require_playing(self) -> None:
        if self.outcome is not Outcome.PLAYING:
            raise IllegalMove(f"The game is over: {self.outcome.value}.")

    def _uncover(self, index: int) -> list[Cell]:
        assert self._layout is not None
        if self._layout.mines.flat[index]:
            self._cells[index] = EXPLODED
            self._n_closed -= 1
            self._n_changes += 1
            self.counters.detonations += 1
            self._lost = self.rules.opened_mine == "ends"
            return [self._board.cell(index)]
        cascade = self.rules.cascade and self.rules.channel.zero_is_certain
        n_opened = reveal(self._field, self._board.graph, index, cascade)
        self._n_closed -= n_opened
        self._n_changes += 1
        self.counters.cells_opened += n_opened
        cols = self._board.cols
        return [divmod(cell, cols) for cell in self._opened[:n_opened].tolist()]

    def _ask_again(self, index: int) -> list[Cell]:
        assert self._layout is not None
        self.counters.queries += 1
        self._n_asked[index] = self._n_asked.get(index, 0) + 1
        shown = shown_clues(self._layout, self.rules.channel, self.seed, self._n_asked[index])[index]
        if shown == NO_CLUE:
            return []
        # The cell is hidden for a moment so that a zero cascades like any other.
        self._cells[index] = HIDDEN
        self._shown[index] = shown
        self._n_closed += 1
        self.counters.cells_opened -= 1
        return self._uncover(index)
