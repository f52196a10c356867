from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from strategies import topologies

from sapper.errors import InputError
from sapper.topology import MAX_CELLS, SHAPES, Topology, topology


def touches(board: Topology, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two cells touch, by geometry alone."""
    if one == other:
        return False
    (row, col), (to_row, to_col) = one, other
    if board.shape == "hex":
        # Centres of bricks: rows are sqrt(3)/2 apart, so touching cells are at distance 1.
        x, y = col + (row % 2) / 2, row * 3**0.5 / 2
        to_x, to_y = to_col + (to_row % 2) / 2, to_row * 3**0.5 / 2
        return (x - to_x) ** 2 + (y - to_y) ** 2 < 1.1
    rows, cols = abs(row - to_row), abs(col - to_col)
    if board.shape == "knight":
        return rows * rows + cols * cols == 5
    if board.shape == "orthogonal":
        return rows + cols == 1
    if board.shape == "torus":
        rows, cols = min(rows, board.rows - rows), min(cols, board.cols - cols)
    return max(rows, cols) <= 1


@given(topologies())
def test_the_table_agrees_with_geometry(board: Topology) -> None:
    cells = [board.cell(index) for index in range(board.n_cells)]
    for index, cell in enumerate(cells):
        expected = tuple(other for other, to in enumerate(cells) if touches(board, cell, to))
        assert board.neighbours_of(index) == expected
        assert (board.table[index, len(expected) :] == -1).all()


def test_interior_degrees() -> None:
    degrees = {shape: int(topology(shape, 5, 5).degree[12]) for shape in SHAPES}
    assert degrees == {"square": 8, "torus": 8, "hex": 6, "knight": 8, "orthogonal": 4}


def test_a_torus_of_one_row_touches_each_neighbour_once() -> None:
    assert topology("torus", 1, 4).neighbours_of(0) == (1, 3)
    assert topology("torus", 2, 2).neighbours_of(0) == (1, 2, 3)
    assert topology("torus", 1, 1).neighbours_of(0) == ()


def test_tables_are_shared_and_read_only() -> None:
    board = topology("square", 4, 4)
    assert topology("square", 4, 4) is board
    with pytest.raises(ValueError, match="read-only"):
        board.table[0, 0] = 3


def test_a_pickled_topology_comes_back_as_the_shared_one() -> None:
    board = topology("hex", 4, 6)
    assert pickle.loads(pickle.dumps(board)) is board


@pytest.mark.parametrize(("rows", "cols"), [(0, 5), (5, -1), (1001, 1000), (10**12, 10**12)])
def test_impossible_sizes_are_refused(rows: int, cols: int) -> None:
    with pytest.raises(InputError, match="rows"):
        topology("square", rows, cols)


@pytest.mark.slow
def test_the_largest_board_is_allowed() -> None:
    assert int(np.sum(topology("square", 1000, MAX_CELLS // 1000).degree)) == 2 * (999 * 1000 * 2 + 999 * 999 * 2)


def test_a_cell_off_the_board_is_named() -> None:
    with pytest.raises(InputError, match=r"no cell \(3, 0\) on a board of 3 rows x 3 columns"):
        topology("square", 3, 3).index(3, 0)


@pytest.mark.parametrize(("row", "col"), [(0.5, 0), (0, 1.0), ("0", 0), (None, 0), (float("nan"), 0)])
def test_what_is_no_number_of_a_row_is_no_cell(row: Any, col: Any) -> None:
    with pytest.raises(InputError, match="There is no cell"):
        topology("square", 3, 3).index(row, col)


@pytest.mark.parametrize(("rows", "cols"), [(3.0, 3), (3, "3"), (None, 3), (2.5, 2)])
def test_sizes_are_whole_numbers(rows: Any, cols: Any) -> None:
    topology("square", 3, 3)
    with pytest.raises(InputError, match="two integers"):
        topology("square", rows, cols)


def test_numbers_of_numpy_are_whole_numbers_too() -> None:
    assert topology("square", np.int64(3), np.int32(3)) is topology("square", 3, 3)
    assert topology("square", 3, 3).index(np.int8(2), np.int64(1)) == 7


def test_cells_and_their_numbers() -> None:
    board = topology("square", 3, 4)
    assert [board.number(board.cell(number)) for number in range(12)] == list(range(12))
    for wrong in (5, (1,), (1, 2, 3), None):
        with pytest.raises(InputError, match=r"A cell must be given as \(row, col\), not as"):
            board.number(wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"There is no cell \(3, 0\)"):
        board.number((3, 0))
