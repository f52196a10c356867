"""Kernels report missing weight: they neither divide by it nor use it as an index."""

from __future__ import annotations

import numpy as np

from sapper.kernels.codes import FAILED, OUT_OF_RANGE
from sapper.kernels.engine.board import Position, Query
from sapper.kernels.engine.sampling import draw_boxes, draw_component, sample_layouts
from sapper.kernels.engine.totals import weigh_outside
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import view

UNIFORM = view(np.full((1, 64), 0.5))


def workspace_without_weight() -> Workspace:
    """A component of one box whose polynomial has entries, and everything around it has weight zero."""
    ws = Workspace(4)
    ws.make_room(8, 8, 8, 8, 64, 8, noisy=False)
    ws.n_cells, ws.component.track, ws.frontier.component_count, ws.frontier.box_count = 4, 1, 1, 1
    ws.totals.begin[1], ws.frontier.start[1], ws.totals.n_mines_left, ws.frontier.n_free = 2, 1, 1, 2
    ws.totals.poly[0], ws.totals.poly[1] = 1.0, 1.0
    ws.totals.suffix_at[1], ws.totals.suffix_at[2] = 1, 3
    return ws


def test_missing_outside_weight_is_reported() -> None:
    ws = workspace_without_weight()
    assert not weigh_outside(ws.frontier, ws.component, ws.totals)


def test_a_draw_from_nothing_fails() -> None:
    ws = workspace_without_weight()
    assert draw_boxes(ws, False, UNIFORM, 0) == FAILED
    ws.pools.layer[1], ws.pools.layer[2], ws.frontier.size[0] = 1, 2, 1
    assert not draw_component(ws, False, 0, 1, UNIFORM, 0)


def test_samples_from_nothing_have_a_status() -> None:
    ws = workspace_without_weight()
    ws.totals.n_mines_left, ws.frontier.n_free = 9, 2  # more than there is room for
    position = Position(np.full(4, -1, dtype=np.int8), np.zeros(4, dtype=np.int8), np.zeros(4))
    out = view(np.zeros((1, 4), dtype=np.uint8))
    assert sample_layouts(ws, Query(9), position, UNIFORM, 0, 1, out) == OUT_OF_RANGE
