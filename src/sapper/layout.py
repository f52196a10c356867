"""A full placement of mines on a board: the one of a game, or one that a player considers possible.

>>> layout = Layout.parse("*--/---")
>>> layout.n_mines, layout.clues().tolist()
(1, [[0, 1, 0], [1, 1, 0]])
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sapper.errors import InputError, check_type
from sapper.notebook import draw, show_text
from sapper.topology import Cell, Shape, Topology, check_size, topology
from sapper.words import count


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Layout:
    """Where the mines are; read-only.

    topology: the board.
    mines: whether each cell is a mine, (rows, cols).
    """

    topology: Topology
    mines: NDArray[np.bool_]

    def __post_init__(self) -> None:
        check_type(self.topology, Topology, "a topology")
        given = self.topology.fit(self.mines, "mines")
        # Counts, probabilities and cell codes do not say whether a cell is a mine.
        if given.dtype.kind not in "biu" or (given.dtype.kind != "b" and ((given < 0) | (given > 1)).any()):
            raise InputError("A layout says of every cell whether it is a mine: True or False, 1 or 0.")
        mines = given.astype(np.bool_)
        mines.flags.writeable = False
        object.__setattr__(self, "mines", mines)

    @classmethod
    def given(cls, layout: Layout | str, board: Shape | Topology = "square") -> Layout:
        """Return a layout given as a value or as text, which does not say which cells touch.

        >>> Layout.given("*--/---").n_mines
        1
        """
        check_type(layout, (Layout, str), "a layout, as a value or as text such as '*--/---'")
        return cls.parse(layout, board) if isinstance(layout, str) else layout

    @classmethod
    def of(cls, board: Topology, mines: Iterable[Cell]) -> Layout:
        """Make a layout from its mined cells."""
        check_type(board, Topology, "a topology")
        check_type(mines, Iterable, "the mined cells")
        return cls.of_numbers(board, map(board.number, mines))

    @classmethod
    def of_numbers(cls, board: Topology, mines: Iterable[int]) -> Layout:
        """Make a layout from the numbers of its mined cells, counted row by row."""
        flat = np.zeros(board.n_cells, dtype=np.bool_)
        for index in mines:
            if not 0 <= index < board.n_cells:
                raise InputError(f"There is no cell number {index} on a board of {count(board.n_cells, 'cell')}.")
            flat[index] = True
        return cls(board, flat)

    @classmethod
    def parse(cls, text: str, board: Shape | Topology = "square") -> Layout:
        """Read rows of ``*`` (mine) and ``-`` (no mine), joined by ``/`` or one per line.

        The text does not say which cells touch: ``board``, a shape or a topology, does.
        """
        check_type(text, str, "a layout as text such as '*--/---'")
        rows = text.strip().replace("/", "\n").split("\n")
        width = len(rows[0])
        check_size(len(rows), width)
        for row, line in enumerate(rows):
            if len(line) != width:
                raise InputError(f"Row {row} has {count(len(line), 'cell')} but row 0 has {width}.")
            for col, character in enumerate(line):
                if character not in "*-":
                    raise InputError(f"Row {row}, column {col}: {character!r} is neither * (mine) nor - (no mine).")
        made = board if isinstance(board, Topology) else topology(board, len(rows), width)
        return cls(made, np.array([[c == "*" for c in line] for line in rows]))

    def __str__(self) -> str:
        return "/".join("".join("*" if mine else "-" for mine in row) for row in self.mines.tolist())

    def __repr__(self) -> str:
        board = self.topology
        shape = "" if board.shape == "square" else f", {board.shape!r}"
        return show_text("Layout", f"'{self}'{shape}", board, count(self.n_mines, "mine"))

    def _repr_svg_(self) -> str | None:
        return draw(self.topology, "draw_layout", self)

    @property
    def n_mines(self) -> int:
        """The number of mines."""
        return int(np.count_nonzero(self.mines))

    def mined_cells(self) -> list[Cell]:
        """Return the mined cells, row by row."""
        return [self.topology.cell(number) for number in self.mine_numbers()]

    def mine_numbers(self) -> list[int]:
        """Return the numbers of the mined cells, ascending."""
        found: list[int] = np.flatnonzero(self.mines).tolist()
        return found

    def clues(self) -> NDArray[np.int8]:
        """Return the number of mines that touch each cell, mined or not: (rows, cols)."""
        # An extra cell, never a mine, stands for the neighbours that a cell at the border lacks.
        padded = np.append(self.mines.ravel(), False)
        counts: NDArray[np.int8] = padded[self.topology.table].sum(axis=1, dtype=np.int8)
        return counts.reshape(self.mines.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.topology == other.topology and bool(np.array_equal(self.mines, other.mines))

    def __hash__(self) -> int:
        return hash((self.topology, self.mines.tobytes()))
