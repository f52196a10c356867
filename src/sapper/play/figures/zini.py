"""ZiNi: how few clicks clear a layout with flags and chords, by the greedy recipe that players compare themselves to.

Zimmermann and Nikolaus: every safe cell has a *premium*, the clicks that opening it, flagging its mines and chording it
saves against opening the same cells one by one:

    premium = 3BV around it that is still to do - mines around it without a flag - 1 for the chord - 1 if it is closed

The cell of the highest premium is taken while that is not negative; of equal ones the first, column by column from the
left. Where no premium is left, the first cell that 3BV counts is opened by itself. *Human* ZiNi
opens all openings first and then chords open cells only. Both are upper bounds of the fewest clicks, and neither is
always the smaller one.

>>> from sapper.layout import Layout
>>> from sapper.play.figures.metrics import board_metrics
>>> layout = Layout.parse("*--*-/----*/-*---/-----")
>>> board_metrics(layout).bbbv, greedy_zini(layout), human_zini(layout)
(11, 7, 7)
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from sapper.play.figures.metrics import group_openings

if TYPE_CHECKING:
    from sapper.layout import Layout


def greedy_zini(layout: Layout) -> int:
    """Count the clicks of greedy ZiNi; about linear in the cells."""
    return _Board(layout).clear(chords_open_cells_only=False)


def human_zini(layout: Layout) -> int:
    """Count the clicks of human ZiNi; about linear in the cells."""
    board = _Board(layout)
    for cell in board.order:
        if board.is_zero[cell] and not board.is_open[cell]:
            board.click(cell)
    return board.clear(chords_open_cells_only=True)


class _Board:
    """A layout that is being cleared by somebody who knows it."""

    def __init__(self, layout: Layout) -> None:
        board = layout.topology
        openings, borders = group_openings(layout)
        self.is_mine: list[bool] = layout.mines.ravel().tolist()
        self.is_zero: list[bool] = (openings >= 0).tolist()
        degrees = board.degree.tolist()
        self.around = [row[:degree] for row, degree in zip(board.table.tolist(), degrees, strict=True)]
        self.openings_at = borders  # the openings that each cell is part of, or on the border of
        self.members: dict[int, list[int]] = {}
        for cell, found in enumerate(borders):
            for opening in found:
                self.members.setdefault(opening, []).append(cell)
        self.is_open = [False] * board.n_cells
        self.is_flagged = [False] * board.n_cells
        self.n_left = board.n_cells - layout.n_mines
        self.n_clicks = 0
        self.order: list[int] = np.arange(board.n_cells).reshape(board.rows, board.cols).T.ravel().tolist()
        rank = [0] * board.n_cells
        for place, cell in enumerate(self.order):
            rank[cell] = place
        self.rank = rank
        # Whether 3BV counts the cell by itself: no opening uncovers it.
        self.is_single = [not mine and not found for mine, found in zip(self.is_mine, borders, strict=True)]
        # One cell more, never counted, stands for the neighbours that a cell at the border does not have.
        single = np.append(np.array(self.is_single, dtype=np.int64), 0)
        n_single = single[:-1] + single[board.table].sum(axis=1)
        n_openings = np.array([len(found) for found in borders], dtype=np.int64)
        # Every cell is closed and no mine has a flag yet.
        self.premium: list[int] = (n_single + n_openings - layout.clues().ravel() - 2).tolist()
        self.queue: list[tuple[int, int]] = []
        for cell in range(board.n_cells):
            self._enqueue(cell)

    def clear(self, chords_open_cells_only: bool) -> int:
        """Clear what is left; return the clicks of the whole game."""
        next_single = 0
        while self.n_left:
            chosen = self._best(chords_open_cells_only)
            if chosen is None:
                while not self._needs_a_click(self.order[next_single]):
                    next_single += 1
                self.click(self.order[next_single])
                continue
            if not self.is_open[chosen]:
                self.click(chosen)
            for cell in self.around[chosen]:
                if self.is_mine[cell]:
                    self._flag(cell)
            self.n_clicks += 1
            for cell in self.around[chosen]:
                if not self.is_mine[cell]:
                    self._reveal(cell)
        return self.n_clicks

    def _needs_a_click(self, cell: int) -> bool:
        return not self.is_open[cell] and (self.is_zero[cell] or self.is_single[cell])

    def _best(self, open_only: bool) -> int | None:
        """The first cell of the highest premium that is not negative."""
        while self.queue:
            negative, place = self.queue[0]
            cell = self.order[place]
            if -negative != self.premium[cell] or (open_only and not self.is_open[cell]):
                # The premium has changed since, and the cell stands in the queue again if it is worth it.
                heapq.heappop(self.queue)
                continue
            return cell
        return None

    def _enqueue(self, cell: int) -> None:
        if self.premium[cell] >= 0 and not self.is_mine[cell]:
            heapq.heappush(self.queue, (-self.premium[cell], self.rank[cell]))

    def click(self, cell: int) -> None:
        """Open a cell by a click of its own."""
        self.n_clicks += 1
        self._reveal(cell)

    def _reveal(self, cell: int) -> None:
        if self.is_open[cell]:
            return
        if not self.is_zero[cell]:
            self._open(cell)
            return
        (opening,) = self.openings_at[cell]
        for member in self.members[opening]:
            if not self.is_open[member]:
                self._open(member)
            self._change(member, -1)

    def _open(self, cell: int) -> None:
        self.is_open[cell] = True
        self.n_left -= 1
        if self.is_single[cell]:
            for other in self.around[cell]:
                self._change(other, -1)
            self._change(cell, -1)
        self._change(cell, +1)

    def _flag(self, cell: int) -> None:
        if self.is_flagged[cell]:
            return
        self.is_flagged[cell] = True
        self.n_clicks += 1
        for other in self.around[cell]:
            self._change(other, +1)

    def _change(self, cell: int, by: int) -> None:
        self.premium[cell] += by
        self._enqueue(cell)
