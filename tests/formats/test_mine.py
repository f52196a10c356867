"""MINE positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.errors import FormatError, InputError
from sapper.formats import mine
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, Observation
from sapper.topology import topology


@st.composite
def positions(draw: st.DrawFn) -> Observation:
    mines = draw(arrays(bool, draw(array_shapes(min_dims=2, max_dims=2, max_side=8))))
    layout = Layout(topology("square", *mines.shape), mines)
    closed = draw(arrays(np.int8, mines.shape, elements=st.sampled_from([0, HIDDEN, FLAG])))
    opened = np.where(layout.mines, EXPLODED, layout.clues())
    return Observation(layout.topology, np.where(closed == 0, opened, closed), layout.n_mines)


def test_every_symbol_has_its_meaning() -> None:
    assert mine.read(b"4x2x3\n01HF\n2?MH\n") == Observation.parse("01#F/2**# 3")


def test_a_shown_mine_is_written_as_a_question_mark() -> None:
    assert mine.write(Observation.parse("01#F/2**# 3")) == b"4x2x3\n01HF\n2??H\n"


def test_width_comes_before_height() -> None:
    position = mine.read(b"3x1x0\n000")
    assert (position.rows, position.cols) == (1, 3)


@pytest.mark.parametrize("data", [b"2x1x1\n1H", b"2x1x1\r\n1H\r\n", b"2x1x1\n1H\n\n", b"\xef\xbb\xbf2x1x1\n1H\n"])
def test_line_ends_and_byte_order_marks_of_other_editors_are_read(data: bytes) -> None:
    assert mine.read(data) == Observation.parse("1# 1")


@given(positions())
def test_every_position_comes_back(position: Observation) -> None:
    assert mine.read(mine.write(position)) == position


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The .mine file is empty."),
        (b" \r\n\n", "The .mine file is empty."),
        (b"2x2x1\n\xff\xfe\n", "Byte 6 is not text; a .mine file is written in UTF-8."),
        (b"2x2\n1H\nHH\n", "Line 1: '2x2' is not width x height x mines as in 9x9x10."),
        (b"2x-2x1\n", "Line 1: '2x-2x1' is not width x height x mines as in 9x9x10."),
        (b"9" * 5000 + b"x2x1\n", f"Line 1: '{'9' * 40}' is not width x height x mines as in 9x9x10."),
        (b"0x2x0\n\n", "A board needs at least one row and one column, not 2 rows x 0 columns."),
        (b"1001x1000x0\n", "A board of 1000 rows x 1001 columns has 1,001,000 cells; the limit is 1,000,000."),
        (b"2x2x1\n1H\n", "Line 1 says 2 rows, but 1 line follows."),
        (b"2x1x1\n1H\n1H\n", "Line 1 says 1 row, but 2 lines follow."),
        (b"2x2x1\n1H\n1HH\n", "Row 1 has 3 cells but line 1 says 2 columns."),
        (b"2x2x1\n1H\n1#\n", "Row 1, column 1: '#' is not one of 0-8, H hidden, F flag, ? or M shown mine."),
        (b"2x2x1\n1H\n9H\n", "Row 1, column 0: '9' is not one of 0-8, H hidden, F flag, ? or M shown mine."),
        (b"2x2x1\n4H\nHH\n", "Row 0, column 0: the clue 4 touches only 3 cells."),
        (b"2x2x5\nHH\nHH\n", "The total of 5 mines does not fit on 4 cells."),
        (b"2x2x1\n??\nHH\n", "2 mines have exploded, more than the total of 1."),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        mine.read(data)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("1# 1 hex", "A .mine file holds only square boards, not hex ones."),
        ("1# 1 withheld:0.3", "A .mine file holds only exact clues, not withheld:0.3 ones."),
        ("1#", "A .mine file needs the number of mines, which this position does not say."),
        ("1#/#. 1", "Row 1, column 1: a .mine file cannot hold an open cell without a clue."),
    ],
)
def test_what_the_format_cannot_hold_is_refused(position: str, sentence: str) -> None:
    with pytest.raises(FormatError) as caught:
        mine.write(Observation.parse(position))
    assert str(caught.value) == sentence
