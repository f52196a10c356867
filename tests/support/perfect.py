"""Perfect play, readable: sets of layouts as Python integers, bit i for layout i, and a dictionary for memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.backtracking import search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sapper.layout import Layout
    from sapper.observation import Observation
    from sapper.topology import Topology


class Solver:
    """Perfect play over a list of layouts of one board; what was worked out is remembered from call to call.

    ``n_tried`` says how many guesses are tried where so many layouts are left, the safest first; of equally safe ones
    those that come first in ``order``. Without it all are.
    """

    def __init__(
        self,
        board: Topology,
        layouts: Sequence[Layout],
        n_tried: Callable[[int], int] | None = None,
        order: Sequence[int] = (),
    ) -> None:
        self._n_tried = n_tried or (lambda _: board.n_cells)
        self._place = {cell: place for place, cell in enumerate(order)}
        self.n_layouts = len(layouts)
        self.everything = (1 << self.n_layouts) - 1
        self._values: dict[int, int] = {}
        mines = np.array([layout.mines.ravel() for layout in layouts], dtype=np.bool_).reshape(-1, board.n_cells)
        clues = np.array([layout.clues().ravel() for layout in layouts], dtype=np.int8).reshape(-1, board.n_cells)
        self.mined = [_as_set(mines[:, cell]) for cell in range(board.n_cells)]
        # By cell: the layouts in which it shows each clue that it can show.
        self.shows = [
            [_as_set(~mines[:, cell] & (clues[:, cell] == clue)) for clue in np.unique(clues[~mines[:, cell], cell])]
            for cell in range(board.n_cells)
        ]

    @property
    def n_states(self) -> int:
        """States worked out so far."""
        return len(self._values)

    def value(self, layouts: int) -> int:
        """How many of these layouts the best strategy wins."""
        if layouts.bit_count() <= 1:
            return layouts.bit_count()
        known = self._values.get(layouts)
        if known is None:
            known = self._work_out(layouts)
            self._values[layouts] = known
        return known

    def _work_out(self, layouts: int) -> int:
        n_layouts = layouts.bit_count()
        risky: list[tuple[int, int]] = []
        for cell, mined in enumerate(self.mined):
            n_mined = (layouts & mined).bit_count()
            if n_mined:
                risky.append((n_mined, cell))
                continue
            # Clear in all of them: it is opened, and whatever it shows is known.
            parts = [part for shown in self.shows[cell] if (part := layouts & shown)]
            if len(parts) > 1:
                return sum(self.value(part) for part in parts)
        best = 0
        risky.sort(key=lambda guess: (guess[0], self._place.get(guess[1], guess[1])))
        for n_mined, cell in risky[: self._n_tried(n_layouts)]:
            # No more can be won than survives the opening.
            if n_layouts - n_mined <= best:
                break
            best = max(best, self._open(layouts, cell, best))
        return best

    def wins_at(self, layouts: int, cell: int, floor: int = -1) -> int:
        """How many of these layouts are won if this cell is opened first; given up at ``floor`` or below."""
        return self._open(layouts, cell, floor)

    def _open(self, layouts: int, cell: int, floor: int) -> int:
        parts = [part for shown in self.shows[cell] if (part := layouts & shown)]
        # A cell that shows the same in every layout in which it is clear tells nothing more than that it is clear.
        left = sum(part.bit_count() for part in parts)
        won = 0
        for part in parts:
            if won + left <= floor:
                return won + left
            left -= part.bit_count()
            won += self.value(part)
        return won


def _as_set(chosen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> int:
    """The layouts chosen by a row of booleans, as an integer."""
    return int.from_bytes(np.packbits(chosen, bitorder="little").tobytes(), "little")


def list_layouts(position: Observation) -> tuple[Layout, ...]:
    """Every layout that fits a position, by the readable search of report 004."""
    found = search(position, find_all=True, node_limit=5_000_000)
    assert found.finished
    return found.layouts
