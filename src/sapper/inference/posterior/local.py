"""What a handful of statements settles, exactly, at a cost that does not depend on the board.

The engine asks only which cells touch which: so the statements become a small board of their own, each a clue cell that
touches its unknown cells. Boards are padded to a few sizes, for which memory is kept.

>>> settle_statements({7: ((1, 2), 1), 8: ((2,), 1)})
{1: False, 2: True}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper import kernels
from sapper.errors import Contradiction, TooHard
from sapper.inference.posterior.workspace import Budget, Workspace, cache_in_thread
from sapper.kernels.codes import CONTRADICTION, MAX_DEGREE, MINE, OK, SAFE
from sapper.observation import HIDDEN, NO_CLUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    # By clue: its unknown cells, and how many of them are mines.
    Statements = Mapping[int, tuple[tuple[int, ...], int]]

_SMALLEST = 64
_BUDGET = Budget(states=500_000, megabytes=500)


@cache_in_thread(8)
class _Board:
    """Arrays for statements about so many cells, clues included."""

    def __init__(self, n: int) -> None:
        self.workspace = Workspace(n, False, _BUDGET)
        self.cells = np.full(n, NO_CLUE, dtype=np.int8)
        self.table = np.full((n, MAX_DEGREE), -1, dtype=np.int32)
        self.degree = np.zeros(n, dtype=np.int8)
        self.graph = kernels.Board(8, self.table, self.degree)
        self.settled = np.empty(n, dtype=np.int8)
        self.position = kernels.Position(self.cells, self.settled, np.empty(n))


def settle_statements(
    statements: Statements, others: Iterable[int] = (), left: int | None = None
) -> dict[int, bool] | None:
    """Return which cells are certain, and whether they are mines; None where that takes too much to find out.

    With ``left``, all these cells and ``others``, which no statement touches, hold so many mines together.
    """
    numbers: dict[int, int] = {}
    for cells, _ in statements.values():
        for cell in cells:
            numbers.setdefault(cell, len(numbers))
    if left is not None:
        for cell in others:
            numbers.setdefault(cell, len(numbers))
    n_cells = len(numbers)
    n = n_cells + len(statements)
    board = _Board(max(_SMALLEST, 1 << (n - 1).bit_length()))
    codes, degree, table = board.cells, board.degree, board.table
    codes[:] = NO_CLUE
    codes[:n_cells] = HIDDEN
    degree[:] = 0
    for clue, (cells, n_mines) in enumerate(statements.values(), start=n_cells):
        codes[clue] = n_mines
        degree[clue] = len(cells)
        for k, cell in enumerate(cells):
            number = numbers[cell]
            table[clue, k] = number
            table[number, degree[number]] = clue
            degree[number] += 1
    asked = kernels.Question(-1 if left is None else left)
    while (status := kernels.solve(board.workspace, board.graph, asked, board.position)) != OK:
        if status == CONTRADICTION:
            raise Contradiction("No layout fits these statements.")
        try:
            board.workspace.grow(status)
        except TooHard:
            return None
    board.workspace.give_back()
    verdicts = board.settled[:n_cells].tolist()
    return {cell: verdicts[number] == MINE for cell, number in numbers.items() if verdicts[number] in (SAFE, MINE)}
