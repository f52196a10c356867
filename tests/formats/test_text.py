"""Sapper's own texts in files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.channel import Channel
from sapper.errors import FormatError, InputError
from sapper.formats import text
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import SHAPES, topology

LAYOUTS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=12)).map(
    lambda mines: Layout(topology("square", *mines.shape), mines)
)
CHANNELS = ["exact", "withheld:0.3", "withheld:0.3:redraws", "optimistic:0.25", "cautious:0.1"]


@st.composite
def positions(draw: st.DrawFn) -> Observation:
    mines = draw(arrays(bool, draw(array_shapes(min_dims=2, max_dims=2, max_side=8))))
    layout = Layout(topology(draw(st.sampled_from(SHAPES)), *mines.shape), mines)
    other = draw(arrays(np.int8, mines.shape, elements=st.sampled_from([0, HIDDEN, FLAG, NO_CLUE])))
    opened = np.where(layout.mines, EXPLODED, layout.clues())
    total = draw(st.sampled_from([None, layout.n_mines]))
    channel = Channel.parse(draw(st.sampled_from(CHANNELS)))
    return Observation(layout.topology, np.where(other == 0, opened, other), total, channel)


@pytest.mark.parametrize("data", [b"1#/## 2", b"1#/## 2\r\n", b"1#\n## 2\n", b"1#\r\n## 2\r\n", b"\xef\xbb\xbf1#/## 2"])
def test_a_position_is_read_on_one_line_or_a_line_per_row(data: bytes) -> None:
    assert text.read_position(data) == Observation.parse("1#/## 2")


@pytest.mark.parametrize("data", [b"*-/--", b"*-\n--\n", b"*-\r\n--\r\n"])
def test_a_layout_is_read_on_one_line_or_a_line_per_row(data: bytes) -> None:
    assert text.read_layout(data) == Layout.parse("*-/--")


@given(positions())
def test_every_position_comes_back(position: Observation) -> None:
    assert text.read_position(text.write_position(position)) == position


@given(LAYOUTS)
def test_every_layout_comes_back(layout: Layout) -> None:
    assert text.read_layout(text.write_layout(layout)) == layout


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The position is empty."),
        (b"1#\xc3/##", "Byte 2 is not text; a position is written in UTF-8."),
        (b"1#/# 2", "Row 1 has 1 cell but row 0 has 2."),
        (b"1#/#x 2", "Row 1, column 1: 'x' is not one of # hidden, 0-8, F flag, * exploded, . no clue."),
        (b"4#/## 2", "Row 0, column 0: the clue 4 touches only 3 cells."),
        (b"1#/## 5", "The total of 5 mines does not fit on 4 cells."),
        (b"1#/## 9999999999", "The number of mines 9999999999 after the rows is more than any board holds."),
        (b"1#/## 1 2", "'2' after the rows is a second number of mines, after '1'."),
        (b"1#/## 1 torus hex", "'hex' after the rows is a second topology, after 'torus'."),
        (b"1#/## cautious:0.1 exact", "'exact' after the rows is a second clue channel, after 'cautious:0.1'."),
        (b"1#/## many", "'many' after the rows is not a number of mines, a topology or a clue channel."),
    ],
)
def test_a_broken_position_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        text.read_position(data)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"\n", "The .layout file is empty."),
        (b"*-\x80", "Byte 2 is not text; a .layout file is written in UTF-8."),
        (b"*-/-", "Row 1 has 1 cell but row 0 has 2."),
        (b"*-/-0", "Row 1, column 1: '0' is neither * (mine) nor - (no mine)."),
    ],
)
def test_a_broken_layout_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        text.read_layout(data)
    assert str(caught.value) == sentence


def test_a_layout_whose_topology_the_text_would_lose_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^A \.layout file holds only square boards, not hex ones\.$"):
        text.write_layout(Layout.parse("*-/--", "hex"))
