"""PTTA queries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.errors import FormatError, InputError
from sapper.formats import ptta
from sapper.layout import Layout
from sapper.topology import topology

LAYOUTS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=14)).map(
    lambda mines: Layout(topology("square", *mines.shape), mines)
)


def empty(rows: int, cols: int) -> Layout:
    return Layout.of(topology("square", rows, cols), [])


def test_five_cells_make_a_digit_with_the_first_cell_highest() -> None:
    # 10000 = 16 = g, 00001 = 1, 01010 = 10 = a, 11111 = 31 = v
    layout = Layout.parse("*----/----*/-*-*-/*****")
    assert ptta.write(layout) == b"b=54&m=g1av\n"
    assert ptta.read(b"b=54&m=g1av") == layout


def test_digits_run_over_the_ends_of_rows_and_the_last_one_is_padded_on_the_right() -> None:
    # --*/*-- : 00110 0(0000) = 6, 0 and --*/--* : 00100 1(0000) = 4, 16 = g
    assert ptta.write(Layout.parse("--*/*--")) == b"b=32&m=60\n"
    assert ptta.write(Layout.parse("--*/--*")) == b"b=32&m=4g\n"


def test_a_board_from_the_wild_is_read() -> None:
    layout = ptta.read(
        b"https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/?b=4005&m=vvvvvvvv000000010000000194i94i95vvvvvvvv"
    )
    assert layout.mines.shape == (5, 40)
    assert layout.mines[0].all()
    assert layout.mines[4].all()
    assert np.flatnonzero(layout.mines[1]).tolist() == [39]


@pytest.mark.parametrize(
    ("rows", "cols", "size"),
    [
        (9, 9, b"1"),
        (16, 16, b"2"),
        (16, 30, b"3"),
        (30, 16, b"1630"),
        (5, 4, b"45"),
        (5, 40, b"4005"),
        (100, 8, b"008100"),
        (1, 1, b"11"),
    ],
)
def test_each_size_is_written_in_one_way(rows: int, cols: int, size: bytes) -> None:
    data = ptta.write(empty(rows, cols))
    assert data.startswith(b"b=" + size + b"&m=0")
    assert ptta.read(data) == empty(rows, cols)


@pytest.mark.parametrize(
    "data",
    [
        b"b=21&m=g",
        b"?b=21&m=g",
        b"m=G&c=xyz&b=21\r\n",
        b"https://example.org/board?x=1&b=21&m=g#top",
        b"https://example.org/#/game/board-editor?b=21&m=g",
    ],
)
def test_queries_and_whole_addresses_are_read(data: bytes) -> None:
    assert ptta.read(data) == Layout.parse("*-")


@given(LAYOUTS)
def test_every_layout_comes_back(layout: Layout) -> None:
    assert ptta.read(ptta.write(layout)) == layout


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The .ptta file is empty."),
        (b"\xff", "Byte 0 is not text; a .ptta file is written in UTF-8."),
        (b"m=g", "The query has no b=, the size of the board; it must look like b=1&m=…."),
        (b"https://example.org/", "The query has no b=, the size of the board; it must look like b=1&m=…."),
        (b"b=21", "The query has no m=, the mines; it must look like b=1&m=…."),
        (b"b=21&m=g&b=22", "The query gives b= twice."),
        (b"b=4&m=g", "The size '4' in b= is neither 1, 2 or 3 nor a width and a height of equally many digits."),
        (b"b=405&m=g", "The size '405' in b= is neither 1, 2 or 3 nor a width and a height of equally many digits."),
        (b"b=&m=g", "The size '' in b= is neither 1, 2 or 3 nor a width and a height of equally many digits."),
        (b"b=4x5&m=g", "The size '4x5' in b= is neither 1, 2 or 3 nor a width and a height of equally many digits."),
        (b"b=0400&m=g", "A board needs at least one row and one column, not 0 rows x 4 columns."),
        (
            b"b=99999999&m=g",
            "A board of 9999 rows x 9999 columns has 99,980,001 cells; the limit is 1,000,000.",
        ),
        (b"b=21&m=gg", "A board of 1 row x 2 columns takes 1 base-32 digit, not 2."),
        (b"b=1&m=g", "A board of 9 rows x 9 columns takes 17 base-32 digits, not 1."),
        (b"b=54&m=g8w2", "Digit 2 of the mines is 'w', which is not one of 0-9 and a-v."),
        (b"b=21&m=4", "The last digit of the mines, '4', puts a mine after the last cell."),
    ],
)
def test_a_broken_query_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        ptta.read(data)
    assert str(caught.value) == sentence


def test_a_size_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(InputError, match=r"^The size '9{40}' in b= is neither"):
        ptta.read(b"b=" + b"9" * 10_000 + b"&m=g")


def test_a_hex_board_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^A \.ptta file holds only square boards, not hex ones\.$"):
        ptta.write(Layout.parse("*-/--", "hex"))
