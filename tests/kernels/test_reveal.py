"""Opening cells, compared with a naive flood fill."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts

from sapper.kernels import Field, reveal
from sapper.layout import Layout

pytestmark = pytest.mark.oracle


def naive_reveal(layout: Layout, flags: set[int], start: int) -> set[int]:
    clues = layout.clues().ravel()
    opened: set[int] = set()
    waiting = [start]
    while waiting:
        cell = waiting.pop()
        if cell in opened or (cell in flags and cell != start):
            continue
        opened.add(cell)
        if clues[cell] == 0:
            waiting += layout.topology.neighbours_of(cell)
    return opened


@given(layouts(), st.data())
def test_reveal_opens_what_a_naive_flood_opens(layout: Layout, data: st.DataObject) -> None:
    board = layout.topology
    safe = np.flatnonzero(~layout.mines).tolist()
    if not safe:
        return
    start = data.draw(st.sampled_from(safe))
    flags = data.draw(st.sets(st.integers(0, board.n_cells - 1))) - {start}
    cells = np.full(board.n_cells, -1, dtype=np.int8)
    cells[list(flags)] = -2
    out = np.empty(board.n_cells, dtype=np.int32)
    clues = layout.clues().ravel()
    n_opened = reveal(Field(cells, clues, out), board.graph, start, True)
    opened = out[:n_opened].tolist()
    assert opened[0] == start
    assert len(set(opened)) == n_opened
    assert set(opened) == naive_reveal(layout, flags, start)
    assert all(cells[cell] == clues[cell] for cell in opened)


def test_without_cascade_one_cell_opens() -> None:
    layout = Layout.parse("---/---/--*")
    cells, out = np.full(9, -1, dtype=np.int8), np.empty(9, dtype=np.int32)
    assert reveal(Field(cells, layout.clues().ravel(), out), layout.topology.graph, 0, False) == 1
    assert np.flatnonzero(cells == 0).tolist() == [0]
