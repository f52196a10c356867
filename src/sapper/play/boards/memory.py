"""The memory of a search for layouts, and its calls into the kernels: with room for the engine where it asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.errors import RulesError, TooHard
from sapper.inference.posterior.workspace import Budget, Workspace
from sapper.kernels.codes import OK
from sapper.words import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.layout import Layout
    from sapper.rules import Rules

# Boards beyond this are for nobody to reason about; the try counts as failed.
_BUDGET = Budget(states=200_000, megabytes=500)


def random_numbers(generator: np.random.PCG64, n: int) -> NDArray[np.float64]:
    """So many random numbers from 0 up to 1, from raw words that NumPy promises never to change."""
    uniforms: NDArray[np.float64] = (generator.random_raw(n) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return uniforms


class SearchMemory:
    """A search and the arrays that it shares with us."""

    def __init__(self, rules: Rules, first: int, level: int, counts: bool = False) -> None:
        n = rules.n_cells
        self.board = rules.topology.graph
        self.workspace = Workspace(n, False, _BUDGET)
        self.mines = np.zeros(n, dtype=np.int32)
        self.shown = np.zeros(n, dtype=np.int32)
        self.marks = np.zeros(n, dtype=np.int32)
        self.draft = kernels.Draft(rules.mines, _cells_for_mines(rules, first), self.mines, self.shown)
        self.search = kernels.BoardSearch(self.board, self.draft, self.marks, level, first, counts)

    def try_out(self, uniforms: NDArray[np.float64], n_tries: int) -> bool:
        """Look for a layout; a try that is too hard to reason about counts as failed."""
        self.draft.supply(uniforms)
        self.search.n_tries = 0
        while (status := kernels.search_boards(self.workspace, self.board, self.search, n_tries)) != OK:
            if not self._make_room(status):
                self.search.n_tries += 1
        return self.search.is_cleared

    def find_moment(self, uniforms: NDArray[np.float64], n_tries: int, beyond: int, cols: int = 0) -> bool:
        """Look for a layout on which the search gets stuck, and reasoning as hard as ``beyond`` does not.

        With ``cols`` it knows the one-two too: in the rows and columns of a board with so many, or, with 1, wherever
        two clues touch.
        """
        self.draft.supply(uniforms)
        self.search.n_tries = 0
        while True:
            status, found = kernels.search_moments(self.workspace, self.board, self.search, beyond, cols, n_tries)
            if status == OK:
                return found
            if not self._make_room(status):
                self.search.n_tries += 1

    def clears(self, layout: Layout) -> bool:
        """Whether a layout can be cleared; one that is too hard to reason about cannot."""
        return self.clears_mines(layout.mines.ravel(), layout.clues().ravel())

    def clears_mines(self, mines: NDArray[np.bool_], clues: NDArray[np.int8]) -> bool:
        """The same of mines and clues by the numbers of the cells, for who looks through many."""
        self.mines[:] = mines
        self.shown[:] = clues
        while (status := kernels.clear_board(self.workspace, self.board, self.search)) != OK:
            if not self._make_room(status):
                return False
        return self.search.is_cleared

    def _make_room(self, status: int) -> bool:
        """Give the engine what it asks for; return whether it may have that."""
        try:
            self.workspace.grow(status)
        except TooHard:
            return False
        return True


def _cells_for_mines(rules: Rules, first: int) -> NDArray[np.int32]:
    """The cells that may hold mines: never the first, whatever the policy, for a mine there is no proof of anything."""
    board = rules.topology
    allowed = np.ones(board.n_cells, dtype=np.bool_)
    allowed[first] = False
    if rules.first_click == "opening":
        allowed[list(board.neighbours_of(first))] = False
    cells = np.flatnonzero(allowed).astype(np.int32)
    if rules.mines > cells.size:
        raise RulesError(
            f"{count(rules.mines, 'mine leaves', 'mines leave')} no room to begin at {board.cell(first)}: only "
            f"{count(cells.size, 'cell is', 'cells are')} left."
        )
    return cells
