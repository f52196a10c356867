"""Games played on from a position to their end, on given layouts, by the compiled players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import InputError
from sapper.inference.workspace import NO_TABLES, Budget, Workspace
from sapper.kernels.playing import WON, play_on
from sapper.kernels.reveal import reveal
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN
from sapper.play.compiled import AGENTS, decision_scratch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sapper.inference.deduction import Cell
    from sapper.observation import Observation
    from sapper.rules import Rules


def can_play_on(rules: Rules) -> bool:
    """Whether games under these rules can be played on in here: classic ones with exact clues."""
    return rules.opened_mine == "ends" and rules.channel.kind == "exact"


class ContinuingPlayer:
    """Plays classic games with exact clues from any position on. Not for two threads at once."""

    def __init__(self, rules: Rules, agent: str = "exact", budget: Budget | None = None) -> None:
        if agent not in AGENTS:
            raise InputError(f"Games are played on by {', '.join(AGENTS)}, not by {agent}.")
        if not can_play_on(rules):
            raise InputError("Only classic games with exact clues can be played on.")
        board = self._board = rules.topology
        self._cascade = rules.cascade
        self._workspace = Workspace(board.n_cells, False, budget or Budget())
        self._cells = np.empty(board.n_cells, dtype=np.int8)
        # The same memory under a read-only name: another type to Numba, and the one that the engine is compiled for.
        self._seen = self._cells.view()
        self._seen.flags.writeable = False
        self._settled = np.empty(board.n_cells, dtype=np.int8)
        self._p = np.full(board.n_cells, 0.5)
        self._opened = np.empty(board.n_cells, dtype=np.int32)
        self._moves = np.empty(board.n_cells, dtype=np.int32)
        self._ahead, self._end = decision_scratch(agent, board.n_cells)

    @property
    def first_choice(self) -> Cell | None:
        """The cell that the player chose first in the last game, which depends on the position alone; None: none."""
        return self._board.cell(int(self._moves[0])) if self._moves[0] >= 0 else None

    def wins(self, position: Observation, mines: NDArray[np.bool_], first: Sequence[Cell] = ()) -> bool:
        """Open these cells, play on to the end and say whether the game is won; ``mines`` fit the position.

        Flags are opinions and are taken off. Raises `TooHard` past the budget.
        """
        board, workspace = self._board, self._workspace
        self._moves[0] = -1
        layout = Layout(board, mines)
        truth, shown = layout.mines.ravel(), layout.clues().ravel()
        self._cells[:] = position.cells.ravel()
        self._cells[self._cells == FLAG] = HIDDEN
        for cell in first:
            index = board.index(*cell)
            if truth[index]:
                return False
            if self._cells[index] == HIDDEN:
                reveal(self._cells, shown, board.table, board.degree, index, self._cascade, self._opened)
        tally = np.array([0, np.count_nonzero(self._cells == HIDDEN), 0])
        if tally[1] == layout.n_mines:
            return True
        total = -1 if position.total is None else position.total
        while True:
            status = play_on(
                truth, shown, layout.n_mines, self._cascade, self._cells, self._seen, board.table, board.degree,
                board.cols, total, 1.0, False, False, NO_TABLES, self._settled, self._p, workspace.ints,
                workspace.longs, workspace.floats, self._opened, self._moves, tally, self._ahead, self._end,
            )  # fmt: skip
            if status < 0:
                return bool(status == WON)
            # It went out of room in the middle of the game, and goes on from there.
            workspace.grow(status)
