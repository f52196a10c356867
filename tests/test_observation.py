from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import positions

from sapper.channel import Channel
from sapper.errors import InputError
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import topology


@given(positions())
def test_the_one_line_form_comes_back(position: Observation) -> None:
    assert Observation.parse(str(position)) == position
    assert hash(Observation.parse(str(position))) == hash(position)


@given(positions())
def test_rows_may_stand_on_lines_of_their_own(position: Observation) -> None:
    cells, *settings = str(position).split(" ")
    assert Observation.parse(" ".join([cells.replace("/", "\r\n"), *settings]) + "\n") == position


@pytest.mark.slow
@given(positions())
def test_the_pretty_form_has_a_line_per_row_and_every_symbol(position: Observation) -> None:
    lines = position.pretty().split("\n")
    assert len(lines) == position.rows + 2
    rows = ["".join(line.split("|")[1].split()) for line in lines[1:-1]]
    assert "/".join(rows) == str(position).split()[0]


def test_every_symbol_has_its_code() -> None:
    position = Observation.parse("#F*.0/12300 4 torus withheld:0.25")
    assert position.cells.tolist() == [[HIDDEN, FLAG, EXPLODED, NO_CLUE, 0], [1, 2, 3, 0, 0]]
    assert position.total == 4
    assert position.topology is topology("torus", 2, 5)
    assert position.channel == Channel("withheld", 0.25)


def test_a_single_cell_with_a_total() -> None:
    assert Observation.parse("# 1").total == 1
    assert Observation.parse("#").total is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "The position is empty"),
        ("  \n ", "The position is empty"),
        ("1#/###", "Row 1 has 3 cells but row 0 has 2"),
        ("1#//##", "Row 1 has 0 cells"),
        ("/", "at least one row and one column|Row"),
        ("1#/#x", "Row 1, column 1: 'x'"),
        ("4#/##", "Row 0, column 0: the clue 4 touches only 3 cells"),
        ("1", "the clue 1 touches only 0 cells"),
        ("7##/### hex", "touches only"),
        ("1#/## 5", "total of 5 mines does not fit on 4 cells"),
        ("**/## 1", "2 mines have exploded, more than the total of 1"),
        ("1#/## 1 2", "'2' after the rows"),
        ("1#/## -1", "'-1' after the rows"),
        ("1#/## 99999999999999999999", "after the rows"),
        ("1#/## cubic", "'cubic' after the rows"),
        ("1# 3\n##", "follows a row that is not the last"),
        ("1#/## ٣", "after the rows"),
    ],
)
def test_wrong_text_is_answered_with_what_and_where(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Observation.parse(text)


def test_a_huge_position_is_refused_before_it_is_read() -> None:
    with pytest.raises(InputError, match="limit"):
        Observation.parse("/".join(["#" * 1001] * 1000))


@given(st.text(max_size=60) | st.text(alphabet="#0123456789F*./ \nhex", max_size=60))
def test_any_text_gives_a_position_or_our_own_error(text: str) -> None:
    with contextlib.suppress(InputError):
        Observation.parse(text)


def test_cells_cannot_be_written() -> None:
    cells = np.full((2, 2), HIDDEN)
    position = Observation(topology("square", 2, 2), cells)
    cells[0, 0] = 1  # the caller's array is not the observation's
    assert position.cells[0, 0] == HIDDEN
    with pytest.raises(ValueError, match="read-only"):
        position.cells[0, 0] = 1


def test_codes_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="not a cell code"):
        Observation(topology("square", 1, 2), np.array([0, -9]))


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ([[257, -1, -1], [-1, -1, -1]], "Row 0, column 0: 257 is not a cell code."),
        ([[-1, -1, -1], [-1, -260, -1]], "Row 1, column 1: -260 is not a cell code."),
        ([[2**70, -1, -1], [-1, -1, -1]], "The cells must be integer codes, but the array has the type object."),
        ([[1.7, -1, -1], [-1, -1, -1]], "The cells must be integer codes, but the array has the type float64."),
        (np.full((2, 3), np.nan), "The cells must be integer codes, but the array has the type float64."),
        (np.zeros((2, 3), dtype=bool), "The cells must be integer codes, but the array has the type bool."),
        ([["#", "#", "#"], ["#", "#", "#"]], "The cells must be integer codes, but the array has the type <U1."),
        (np.full((3, 2), -1), "The cells have the shape (3, 2); the board has 2 rows x 3 columns."),
        (np.full((1, 6), -1), "The cells have the shape (1, 6); the board has 2 rows x 3 columns."),
        ([-1] * 5, "The cells have the shape (5,); the board has 2 rows x 3 columns."),
        ([[-1, -1, -1], [-1, -1]], "The cells are rows of different lengths."),
        (np.array([[-5, -1, -1], [-1, -1, -1]], dtype=np.int8), "Row 0, column 0: -5 is not a cell code."),
        (None, "The cells have the shape (); the board has 2 rows x 3 columns."),
    ],
)
def test_an_array_that_is_no_position_is_refused(cells: Any, says: str) -> None:
    with pytest.raises(InputError) as caught:
        Observation(topology("square", 2, 3), cells)
    assert str(caught.value) == says


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8, np.uint64])
def test_whole_numbers_of_any_width_are_taken(dtype: type) -> None:
    codes: Any = np.array([[1, 0, 1], [1, 1, 1]], dtype=dtype)
    for cells in (codes, codes.ravel(), codes.tolist()):
        assert Observation(topology("square", 2, 3), cells).cells.tolist() == codes.tolist()


def test_what_was_given_is_not_shared() -> None:
    codes = np.full((2, 3), HIDDEN, dtype=np.int8)
    position = Observation(topology("square", 2, 3), codes)
    codes[0, 0] = 1
    assert position.cells[0, 0] == HIDDEN
    assert not position.cells.flags.writeable


@pytest.mark.parametrize("total", [1.0, 1.5, True, "1", float("nan")])
def test_a_total_is_a_whole_number(total: Any) -> None:
    with pytest.raises(InputError, match="The number of mines must be an integer or None"):
        Observation(topology("square", 1, 2), np.full(2, HIDDEN), total)


def test_flags_can_be_taken_off() -> None:
    flagged = Observation.parse("F1#/.*F 3")
    assert str(flagged.without_flags()) == "#1#/.*# 3"
    assert str(flagged) == "F1#/.*F 3"
    plain = Observation.parse("#1# 1")
    assert plain.without_flags() is plain


def test_positions_are_made_from_arrays() -> None:
    made = Observation.from_array([[1, HIDDEN], [HIDDEN, FLAG]], mines=1, topology="hex")
    assert made == Observation.parse("1#/#F 1 hex")
    board = topology("torus", 2, 2)
    assert Observation.from_array(np.full((2, 2), HIDDEN), topology=board).topology is board
    assert Observation.from_array([[1, NO_CLUE]], channel=Channel("withheld", 0.5)).total is None


@pytest.mark.parametrize(
    ("cells", "options", "says"),
    [
        ([[1, 2], [3]], {}, "different lengths"),
        ([1, 2, 3], {}, r"array of \(rows, cols\), not of the shape \(3,\)"),
        (np.zeros((2, 2, 2), dtype=int), {}, "not of the shape"),
        ([[0.0, 1.0]], {}, "has the type float64"),
        ([[257]], {}, "257"),
        ([[True]], {}, "has the type bool"),
        ([[HIDDEN]], {"mines": 2}, "2 mines does not fit"),
        ([[HIDDEN]], {"mines": 0.5}, "integer or None, not 0.5"),
        ([[HIDDEN]], {"topology": "moebius"}, "no topology 'moebius'"),
        ([[HIDDEN]], {"topology": topology("square", 2, 2)}, "2 rows x 2 columns"),
    ],
)
def test_arrays_that_are_no_positions_are_named(cells: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Observation.from_array(cells, **options)


def test_a_position_may_come_in_any_form() -> None:
    position = Observation.parse("1#/## 1")
    assert Observation.of(position) is position
    assert Observation.of(position, mines=1) is position
    assert Observation.of("1#/## 1") == Observation.of("1#/##", mines=1) == position
    assert Observation.of(position.cells, mines=1) == Observation.of(position.cells.tolist(), mines=1) == position
    with pytest.raises(InputError, match="The position says 1 mine, not 2"):
        Observation.of("1#/## 1", mines=2)
