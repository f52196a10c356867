"""The word that carries a puzzle."""

from __future__ import annotations

import string
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.errors import InputError
from sapper.train import KINDS, Kind, Name, Puzzle, of_position, puzzle, read_link

BOARDS = ("beginner", "8x8/10 torus", "8x8/10 hex", "7x7/9 knight", "8x8/14 orthogonal", "16x30/99")


@given(st.sampled_from(KINDS), st.sampled_from(BOARDS), st.integers(0, 2**63 - 1))
def test_a_name_reads_back_and_fits_into_any_address(kind: Kind, board: str, seed: int) -> None:
    name = Name.of(kind, board, seed)
    assert Name.parse(str(name)) == name
    assert quote(str(name), safe="") == str(name)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("board", ["beginner", "8x8/10 torus"])
def test_a_link_makes_the_same_puzzle(kind: Kind, board: str) -> None:
    made = puzzle(kind, 4, board=board)
    assert read_link(made.link) == made
    assert made.as_plain_values()["link"] == made.link
    assert Puzzle.from_plain_values(made.as_plain_values()) == made


@pytest.mark.slow
@given(st.sampled_from(KINDS), st.integers(0, 50), st.sampled_from(["6x6/7", "6x6/7 torus", "8x8/12 hex"]))
@settings(max_examples=30, deadline=None)
def test_a_link_carries_a_position_of_ones_own(kind: Kind, seed: int, board: str) -> None:
    made = puzzle(kind, seed, board=board)
    if kind == "chain" or (kind not in ("guess", "area") and not made.opens):
        return  # a position by itself says less: an easier cell may come first
    own = of_position(made.position, kind)
    assert own.seed is None
    again = read_link(own.link)
    assert again == own
    assert again.position == made.position
    assert set(own.link) <= {*string.ascii_letters, *string.digits, *"._-*"}
    assert Puzzle.from_plain_values(own.as_plain_values()) == own


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pairs",
        "pairs.9x9.10",
        "pairs.9x9.10.7.8",
        "tripels.9x9.10.7",
        "pairs.9x9.10.spiral.7",
        "pairs.9x9.10." + "9" * 19,
        "pairs.99x",
        "pairs.____-1221.2.pear",
        "subsets.____-122",
    ],
)
def test_what_is_no_link_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError) as refused:
        read_link(text)
    assert "\n" not in str(refused.value)


@given(st.text("pairs.9x01_-*F hex/", max_size=30))
@settings(deadline=None)
def test_any_text_is_a_link_or_a_sentence(text: str) -> None:
    try:
        name = Name.parse(text)
    except InputError:
        return
    assert Name.parse(str(name)) == name
