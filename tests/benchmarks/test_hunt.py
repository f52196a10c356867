"""The study of the hunt for an opening: what it takes for one position, and which cells it tries."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import hunt
from sapper.observation import HIDDEN
from sapper.rules import Rules


def board_with(*clues: tuple[int, int, int]) -> np.ndarray:
    """A hidden expert board with these clues: row, column, clue."""
    rules = Rules.parse(hunt.BOARD)
    cells = np.full((rules.rows, rules.cols), HIDDEN, dtype=np.int8)
    for row, col, clue in clues:
        cells[row, col] = clue
    return cells


def test_mirror_images_are_one_position() -> None:
    corners = [board_with((row, col, 1)) for row in (0, 15) for col in (0, 29)]
    assert len({min(image.tobytes() for image in hunt.mirrored(cells)) for cells in corners}) == 1


def test_positions_are_counted_by_guesses() -> None:
    found = hunt.hunted(range(hunt.FIRST_SEED, hunt.FIRST_SEED + 40))
    one = min(image.tobytes() for image in hunt.mirrored(board_with((0, 0, 1))))
    assert found.most_common(1)[0][0] == one
    assert found.total() > 40


def test_two_along_the_edge() -> None:
    assert hunt.two_along_the_edge(board_with((0, 0, 1))) == [2, 60]
    assert hunt.two_along_the_edge(board_with((0, 5, 1))) == [3, 7]
    assert hunt.two_along_the_edge(board_with((5, 5, 1))) == []


def test_of_cells_that_mirror_each_other_one_is_played() -> None:
    cells = board_with((0, 0, 1), (0, 29, 1))
    assert hunt.promising(cells, np.full(cells.size, np.nan), chosen=450) == [450, 2, 60]


def test_a_position_is_played_on_with_every_promising_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunt, "ROUND", 4)
    row = hunt.study(4, (board_with((0, 0, 1)).tobytes(), 0.4))
    assert row["position"] == {"0,0": 1}
    assert row["a_game"] == 0.4
    assert [one["games"] for one in row["cells"]] == [4] * len(row["cells"])
    assert row["cells"][0]["more_than_chosen"] == 0.0
    assert {tuple(one["cell"]) for one in row["cells"]} >= {(0, 29), (0, 2)}
