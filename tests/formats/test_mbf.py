"""MBF and ABF boards."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.errors import FormatError, InputError
from sapper.formats import mbf
from sapper.layout import Layout
from sapper.topology import topology

LAYOUTS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=12)).map(
    lambda mines: Layout(topology("square", *mines.shape), mines)
)


def test_width_comes_before_height_and_column_before_row() -> None:
    layout = Layout.parse("---*/----/*---")
    data = bytes([4, 3, 0, 2, 3, 0, 0, 2])
    assert mbf.write(layout) == data
    assert mbf.read(data) == layout


def test_the_number_of_mines_is_written_with_the_high_byte_first() -> None:
    layout = Layout.parse("/".join(["*" * 20] * 20))
    data = mbf.write(layout)
    assert data[:4] == bytes([20, 20, 1, 144])  # 400 = 1 * 256 + 144
    assert mbf.read(data) == layout


def test_mines_may_come_in_any_order() -> None:
    assert mbf.read(bytes([2, 2, 0, 2, 1, 1, 0, 0])) == mbf.read(bytes([2, 2, 0, 2, 0, 0, 1, 1]))


def test_the_largest_board_fits() -> None:
    layout = Layout.of(topology("square", 255, 255), [(0, 0), (254, 254)])
    assert mbf.write(layout) == bytes([255, 255, 0, 2, 0, 0, 254, 254])
    assert mbf.read(mbf.write(layout)) == layout


@given(LAYOUTS)
def test_every_layout_comes_back(layout: Layout) -> None:
    assert mbf.read(mbf.write(layout)) == layout


@given(LAYOUTS, st.randoms(use_true_random=False))
def test_every_order_of_mines_gives_the_same_layout(layout: Layout, random: Random) -> None:
    data = mbf.write(layout)
    pairs = [data[offset : offset + 2] for offset in range(4, len(data), 2)]
    random.shuffle(pairs)
    assert mbf.read(data[:4] + b"".join(pairs)) == layout


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The .mbf file is empty."),
        (bytes([9, 9, 0]), "The .mbf file ends after 3 of the 4 bytes of its header."),
        (bytes([0, 9, 0, 0]), "A board needs at least one row and one column, not 9 rows x 0 columns."),
        (bytes([2, 2, 0, 5]), "Bytes 2-3 say 5 mines, more than the 4 cells of the board."),
        (bytes([2, 2, 0, 1, 0]), "With 1 mine the .mbf file must have 6 bytes, not 5."),
        (bytes([2, 2, 0, 1, 0, 0, 7]), "With 1 mine the .mbf file must have 6 bytes, not 7."),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        mbf.read(data)
    assert str(caught.value) == sentence


def test_a_mine_outside_the_board_is_named_with_its_place() -> None:
    with pytest.raises(InputError, match=r"^Byte 6: the mine at row 0, column 2 lies outside the board of 3 rows x 2"):
        mbf.read(bytes([2, 3, 0, 2, 0, 0, 2, 0]))


def test_a_mine_that_is_there_twice_is_named_with_its_place() -> None:
    with pytest.raises(InputError, match=r"^Byte 6: the mine at row 1, column 0 is listed twice\.$"):
        mbf.read(bytes([2, 3, 0, 2, 0, 1, 0, 1]))


def test_a_board_wider_than_a_byte_is_refused() -> None:
    with pytest.raises(FormatError, match=r"at most 255 rows and 255 columns, not 1 row x 256 columns\.$"):
        mbf.write(Layout.of(topology("square", 1, 256), []))


def test_a_torus_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^A \.mbf file holds only square boards, not torus ones\.$"):
        mbf.write(Layout.parse("*-/--", "torus"))
