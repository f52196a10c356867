from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from strategies import layouts

from sapper.errors import InputError
from sapper.layout import Layout
from sapper.play.metrics import board_metrics
from sapper.topology import topology

Transform = Callable[[NDArray[np.generic]], NDArray[np.generic]]

SYMMETRIES: list[Transform] = [
    lambda array, turns=turns, mirror=mirror: np.rot90(array.T if mirror else array, turns)  # type: ignore[misc]
    for turns in range(4)
    for mirror in (False, True)
]


@given(layouts())
def test_the_text_form_comes_back(layout: Layout) -> None:
    assert Layout.parse(str(layout), layout.topology.shape) == layout


@given(layouts())
def test_clues_count_the_mines_around(layout: Layout) -> None:
    mines = layout.mines.ravel()
    expected = [
        sum(int(mines[other]) for other in layout.topology.neighbours_of(index))
        for index in range(layout.topology.n_cells)
    ]
    assert layout.clues().ravel().tolist() == expected


@given(layouts(shapes=("square", "torus")), st.sampled_from(SYMMETRIES))
def test_the_eight_symmetries_leave_counts_unchanged(layout: Layout, transform: Transform) -> None:
    turned = transform(layout.mines)
    image = Layout(topology(layout.topology.shape, *turned.shape), turned)  # type: ignore[arg-type]
    assert np.array_equal(image.clues(), transform(layout.clues()))
    assert board_metrics(image) == board_metrics(layout)


def test_layouts_are_made_from_their_mines() -> None:
    layout = Layout.of(topology("square", 2, 3), [(0, 0), (1, 2)])
    assert str(layout) == "*--/--*"
    assert layout.mined_cells() == [(0, 0), (1, 2)]
    with pytest.raises(InputError, match=r"no cell \(2, 0\)"):
        Layout.of(topology("square", 2, 3), [(2, 0)])
    assert Layout.of_numbers(topology("square", 2, 3), layout.mine_numbers()) == layout
    assert not layout.mines.flags.writeable
    with pytest.raises(InputError, match="no cell number 6"):
        Layout.of_numbers(topology("square", 2, 3), [6])


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "at least one"), ("*-/*", "Row 1 has 1 cell but row 0 has 2"), ("*-/*x", "Row 1, column 1: 'x'")],
)
def test_wrong_layouts_are_named(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Layout.parse(text)


@pytest.mark.parametrize(
    ("mines", "says"),
    [
        ([[0, 2, 0], [0, 0, 0]], "True or False, 1 or 0"),
        ([[0, -1, 0], [0, 0, 0]], "True or False, 1 or 0"),
        ([[0.2, 0, 0], [0, 0, 0]], "True or False, 1 or 0"),
        ([["*", "-", "-"], ["-", "-", "-"]], "True or False, 1 or 0"),
        (np.zeros((3, 2), dtype=bool), r"The mines have the shape \(3, 2\); the board has 2 rows x 3 columns."),
        ([[True], [True, False]], "rows of different lengths"),
    ],
)
def test_an_array_that_is_no_layout_is_refused(mines: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Layout(topology("square", 2, 3), mines)
