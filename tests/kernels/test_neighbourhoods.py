"""The engine on other graphs than Minesweeper boards: up to fifteen neighbours, knight's moves, random ones."""

from __future__ import annotations

import numpy as np
import pytest
from brute_force import brute_force
from hypothesis import assume, given
from hypothesis import strategies as st

from sapper import kernels
from sapper.kernels.codes import CONTRADICTION, HIDDEN, MAX_DEGREE, MINE, OK, SAFE

pytestmark = pytest.mark.oracle

KNIGHT = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
AROUND_AND_BEYOND = tuple((row, col) for row in (-1, 0, 1) for col in (-2, -1, 0, 1, 2) if (row, col) != (0, 0))
CROSS = ((-1, 0), (0, -1), (0, 1), (1, 0))


def neighbours_by(steps: tuple[tuple[int, int], ...], rows: int, cols: int) -> list[list[int]]:
    return [
        sorted((r + dr) * cols + c + dc for dr, dc in steps if 0 <= r + dr < rows and 0 <= c + dc < cols)
        for r in range(rows)
        for c in range(cols)
    ]


def board_of(neighbours: list[list[int]], cols: int) -> kernels.Board:
    width = max(1, *(len(cells) for cells in neighbours))
    table = np.full((len(neighbours), width), -1, dtype=np.int32)
    for cell, others in enumerate(neighbours):
        table[cell, : len(others)] = others
    return kernels.Board(cols, table, np.array([len(others) for others in neighbours], dtype=np.int8))


def solve(
    neighbours: list[list[int]], cols: int, cells: np.ndarray, total: int | None, by_elimination: bool
) -> tuple[int, np.ndarray, np.ndarray]:
    board = board_of(neighbours, cols)
    workspace = kernels.Workspace(board.n_cells, board.max_degree)
    workspace.by_elimination = by_elimination
    workspace.make_room(4096, 8192, 65536, 4096, 4096, 65536, noisy=False)
    settled, p = np.empty(cells.size, dtype=np.int8), np.empty(cells.size)
    position = kernels.Position(cells, settled, p)
    return kernels.solve(workspace, board, kernels.Query(-1 if total is None else total), position), settled, p


def check(neighbours: list[list[int]], cols: int, cells: np.ndarray, total: int | None) -> None:
    weight, _, chances = brute_force(cells.tolist(), neighbours, total)
    for by_elimination in (False, True):
        status, settled, p = solve(neighbours, cols, cells, total, by_elimination)
        assert status == (OK if weight else CONTRADICTION)
        if status == OK:
            for cell, chance in enumerate(chances):
                if chance is not None:
                    assert p[cell] == pytest.approx(float(chance), abs=1e-12)
                    assert (settled[cell] == SAFE) == (chance == 0)
                    assert (settled[cell] == MINE) == (chance == 1)


@pytest.mark.slow
@pytest.mark.parametrize("steps", [KNIGHT, AROUND_AND_BEYOND, CROSS], ids=["knight", "wide", "cross"])
@given(data=st.data())
def test_neighbourhoods_against_brute_force(steps: tuple[tuple[int, int], ...], data: st.DataObject) -> None:
    rows, cols = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 5))
    neighbours = neighbours_by(steps, rows, cols)
    n = rows * cols
    mines = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    hidden = data.draw(st.sets(st.integers(0, n - 1), max_size=10)) | set(np.flatnonzero(mines).tolist())
    assume(len(hidden) <= 12)
    cells = np.array([-1 if c in hidden else int(mines[neighbours[c]].sum()) for c in range(n)], dtype=np.int8)
    total = int(mines.sum()) if data.draw(st.booleans()) else None
    check(neighbours, cols, cells, total)


@pytest.mark.slow
@given(data=st.data())
def test_fifteen_neighbours_against_brute_force(data: st.DataObject) -> None:
    # Two clues, and as many cells around each as four bits can count.
    n_hidden = data.draw(st.integers(1, 13))
    first = data.draw(st.sets(st.integers(0, n_hidden - 1), min_size=1))
    second = data.draw(st.sets(st.integers(0, n_hidden - 1), min_size=1))
    mines = np.array(data.draw(st.lists(st.booleans(), min_size=n_hidden, max_size=n_hidden)))
    neighbours = [
        [n_hidden + clue for clue, cells in enumerate((first, second)) if c in cells] for c in range(n_hidden)
    ]
    neighbours += [sorted(first), sorted(second)]
    shown = [int(mines[sorted(cells)].sum()) for cells in (first, second)]
    check(neighbours, 8, np.array([HIDDEN] * n_hidden + shown, dtype=np.int8), int(mines.sum()))


def test_a_clue_of_fifteen_is_certain() -> None:
    neighbours = [[MAX_DEGREE]] * MAX_DEGREE + [list(range(MAX_DEGREE))]
    for clue, verdict in ((MAX_DEGREE, MINE), (0, SAFE)):
        cells = np.array([HIDDEN] * MAX_DEGREE + [clue], dtype=np.int8)
        status, settled, _ = solve(neighbours, 4, cells, None, by_elimination=False)
        assert status == OK
        assert settled[:MAX_DEGREE].tolist() == [verdict] * MAX_DEGREE


def test_more_neighbours_are_refused() -> None:
    n = MAX_DEGREE + 2
    with pytest.raises(ValueError, match="15 neighbours"):
        kernels.Board(4, np.zeros((n, MAX_DEGREE + 1), dtype=np.int32), np.zeros(n, dtype=np.int8))
