"""Game IDs of Simon Tatham's Mines."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.errors import FormatError, InputError
from sapper.formats import tatham
from sapper.formats.tatham import OpenedLayout
from sapper.layout import Layout
from sapper.topology import topology


@st.composite
def opened_layouts(draw: st.DrawFn) -> OpenedLayout:
    mines = draw(arrays(bool, draw(array_shapes(min_dims=2, max_dims=2, max_side=10))))
    assume(not mines.all())
    layout = Layout(topology("square", *mines.shape), mines)
    safe = sorted(set(range(mines.size)) - set(layout.mine_numbers()))
    return OpenedLayout(layout, layout.topology.cell(draw(st.sampled_from(safe))))


def test_four_cells_make_a_digit_and_the_first_click_names_its_column_first() -> None:
    # 10000 0|100 0 with rows of five: 1000 0010 00(00) = 8, 2, 0
    opened = OpenedLayout(Layout.parse("*----/-*---"), (1, 4))
    assert tatham.write(opened) == b"5x2:4,1,u820\n"
    assert tatham.read(b"5x2:4,1,u820") == opened


@pytest.mark.parametrize("data", [b"2x2:1,1,u8\r\n", b"2x2n1:1,1,u8", b"2x2n1a:1,1,u8", b" 2x2:1,1,u8 "])
def test_a_mine_count_and_line_ends_are_read(data: bytes) -> None:
    assert tatham.read(data) == OpenedLayout(Layout.parse("*-/--"), (1, 1))


def test_capital_digits_are_read() -> None:
    assert tatham.read(b"5x1:4,0,uF0") == tatham.read(b"5x1:4,0,uf0")


@given(opened_layouts())
def test_every_layout_and_first_click_come_back(opened: OpenedLayout) -> None:
    assert tatham.read(tatham.write(opened)) == opened


SHOULD = "must look like 9x9:4,4,u and then hexadecimal digits."


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\n", "The .tatham file is empty."),
        (b"2x2:1,1,u\xff", "Byte 9 is not text; a .tatham file is written in UTF-8."),
        (b"2x2:1,1,m8", "The mines of this game ID are obfuscated (m); only plain ones (u) can be read."),
        (
            b"9x9n10#12345",
            "This game ID holds a random seed and no mines; copy the specific ID of a game instead.",
        ),
        (
            b"9x9:r10,u,0123abc",
            "This game ID holds a random seed and no mines; copy the specific ID of a game instead.",
        ),
        (b"2x2:u8", f"The game ID '2x2:u8' {SHOULD}"),
        (b"2x2:-1,1,u8", f"The game ID '2x2:-1,1,u8' {SHOULD}"),
        (b"1#/## 2", f"The game ID '1#/## 2' {SHOULD}"),
        (b"2x2:1,1,u8\n8", f"The game ID '2x2:1,1,u8\\n8' {SHOULD}"),
        (b"0x2:0,0,u", "A board needs at least one row and one column, not 2 rows x 0 columns."),
        (b"9999x9999:0,0,u8", "A board of 9999 rows x 9999 columns has 99,980,001 cells; the limit is 1,000,000."),
        (b"2x2:1,1,u", "A board of 2 rows x 2 columns takes 1 base-16 digit, not 0."),
        (b"2x2:1,1,u88", "A board of 2 rows x 2 columns takes 1 base-16 digit, not 2."),
        (b"2x2:1,1,ug", "Digit 0 of the mines is 'g', which is not one of 0-9 and a-f."),
        (b"3x1:1,0,u1", "The last digit of the mines, '1', puts a mine after the last cell."),
        (b"2x2n3:1,1,u8", "The game ID says 3 mines but its digits hold 1."),
        (b"2x2:0,0,u8", "Row 0, column 0: the first click lies on a mine."),
        (b"2x2:2,0,u8", "There is no cell (0, 2) on a board of 2 rows x 2 columns."),
    ],
)
def test_a_broken_game_id_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        tatham.read(data)
    assert str(caught.value) == sentence


def test_a_torus_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^A \.tatham file holds only square boards, not torus ones\.$"):
        tatham.write(OpenedLayout(Layout.parse("*-/--", "torus"), (0, 1)))
