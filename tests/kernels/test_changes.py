"""Reading what changed since a position was read gives the same as reading all of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.kernels.codes import HIDDEN, OK
from sapper.kernels.engine.board import Board, Position, Query
from sapper.kernels.engine.frontier import read_changes
from sapper.kernels.engine.posterior import read_position, sum_position, write_chances, write_verdicts
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import to_bytes
from sapper.layout import Layout
from sapper.topology import Shape, topology

SHAPES: tuple[Shape, ...] = ("square", "torus", "hex", "knight")


def make_workspace(n_cells: int) -> Workspace:
    workspace = Workspace(n_cells)
    # The number of slots must be a power of two: their mask is one less.
    workspace.make_room(8192, 16384, 65536, 16384, 4096, 65536, noisy=False)
    return workspace


def solve(ws: Workspace, board: Board, n_mines: int, position: Position) -> tuple[bytes, bytes, float]:
    assert sum_position(ws, board, Query(n_mines), position, True) == OK
    write_verdicts(ws, position)
    write_chances(ws, position)
    return to_bytes(position.p_mine, board.n_cells), to_bytes(position.settled, board.n_cells), ws.log_weight


@pytest.mark.oracle
@given(st.sampled_from(SHAPES), st.integers(0, 10**6))
def test_reading_what_changed_is_reading_everything(shape: Shape, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, cols = rng.integers(2, 8, 2).tolist()
    n_cells, n_mines = rows * cols, int(rng.integers(1, 1 + rows * cols // 4))
    made = topology(shape, rows, cols)
    board = Board(cols, made.table, made.degree)
    mines = rng.choice(n_cells, n_mines, replace=False).tolist()
    clues = Layout.of_numbers(made, mines).clues().ravel()
    cells = np.full(n_cells, HIDDEN, dtype=np.int8)
    found = Position(cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells))
    ws, other = make_workspace(n_cells), make_workspace(n_cells)
    safe = [cell for cell in rng.permutation(n_cells).tolist() if cell not in mines]
    assert read_position(ws, board, Query(n_mines), found) == OK
    solve(ws, board, n_mines, found)
    while safe:
        n_opened = int(rng.integers(1, 8))
        cells[safe[:n_opened]] = clues[safe[:n_opened]]
        safe = safe[n_opened:]
        assert read_changes(ws.frontier, board, found) == OK
        expected = Position(cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells))
        assert read_position(other, board, Query(n_mines), expected) == OK
        assert to_bytes(ws.frontier.verdict, n_cells) == to_bytes(other.frontier.verdict, n_cells)
        # To the last bit.
        assert solve(ws, board, n_mines, found) == solve(other, board, n_mines, expected)
