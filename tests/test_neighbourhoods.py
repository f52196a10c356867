"""Boards of one's own in words: the table comes back from rules, positions, records and stores, or is refused."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_boards import OWN_RULES, crowd, random_board, ring
from strategies import topologies

from sapper.errors import InputError, RulesError, SapperError
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.topology import OWN, SHAPES, Topology, read_neighbourhood, topology, write_neighbourhood


@given(topologies((*SHAPES, OWN)))
def test_every_board_comes_back_from_its_word(board: Topology) -> None:
    word = write_neighbourhood(board)
    assert read_neighbourhood(word, board.rows, board.cols) == board
    assert len(word.split()) == 1


def test_a_pair_may_be_said_once_or_twice() -> None:
    once, twice = (read_neighbourhood(word, 1, 4) for word in ("own:1,3/2/3", "own:1,3/0,2/1,3/0,2"))
    assert once == twice == ring(4)
    assert write_neighbourhood(twice) == "own:1,3/2/3"
    nobody = read_neighbourhood("own:", 2, 2)
    assert nobody.degree.tolist() == [0, 0, 0, 0]
    assert write_neighbourhood(nobody) == "own:"


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("own:1,", "is not a table of neighbours"),
        ("own:a", "is not a table of neighbours"),
        ("own:-1", "is not a table of neighbours"),
        ("own:1//,", "is not a table of neighbours"),
        ("own:3", "Cell 0 touches cell 3; they are numbered from 0 to 2"),
        ("own:0", "Cell 0 touches itself"),
        ("own:1/2///", "has 5 cells, but the board has only 3"),
        ("round", "does not say which cells touch"),
    ],
)
def test_wrong_tables_are_named(word: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_neighbourhood(word, 1, 3)


@pytest.mark.parametrize("text", OWN_RULES.values(), ids=OWN_RULES)
def test_rules_with_a_board_of_ones_own_are_values(text: str) -> None:
    rules = Rules.parse(f"{text} first-any")
    again = Rules.on(rules.topology, rules.mines, first_click="any")
    assert rules == again
    assert hash(rules) == hash(again)
    assert str(rules) == f"{text} first-any"
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules.in_short == f"{text.split()[0]} own first-any"
    assert replace(rules, mines=1).topology == rules.topology
    assert rules != Rules.on(topology("square", rules.rows, rules.cols), rules.mines, first_click="any")
    assert rules != replace(rules, own=Topology.of_neighbours(rules.rows, rules.cols, [[]] * rules.n_cells))


def test_boards_with_a_name_need_no_table() -> None:
    assert Rules.on(topology("hex", 4, 5), 3) == Rules.parse("4x5/3 hex")
    assert Rules.parse("4x5/3 hex").own is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1x4/1 own", "The rules say 'own', which is not one of"),
        ("1x4/1 own:1 hex", "both 'own:1' and 'hex'"),
        ("1x4/1 own:9", "Cell 0 touches cell 9"),
        ("1x4/4 own:1 first-opening", "leave no room"),
    ],
)
def test_rules_that_are_none(text: str, says: str) -> None:
    with pytest.raises(SapperError, match=says):
        Rules.parse(text)


def test_a_shape_and_a_board_of_ones_own_have_to_agree() -> None:
    with pytest.raises(RulesError, match="needs a table of neighbours"):
        Rules(1, 4, 1, shape="own")
    with pytest.raises(RulesError, match="its shape must be 'own', not 'hex'"):
        Rules(1, 4, 1, shape="hex", own=ring(4))
    with pytest.raises(RulesError, match="say 2 x 2, but the custom board is 1 x 4"):
        replace(Rules.on(ring(4), 1), rows=2, cols=2)


def test_clues_beyond_eight_are_written_as_digits_and_letters() -> None:
    board = crowd(4, 5)
    layout = Layout(board, np.arange(20) % 3 > 0)
    position = Observation(board, layout.clues())
    text = str(position)
    assert set("9abc") & set(text.split()[0])
    assert Observation.parse(text) == position
    with pytest.raises(InputError, match="'g' is not one of # hidden, 0-9, a-f, F flag"):
        Observation.parse(f"g### {write_neighbourhood(ring(4))}")
    with pytest.raises(InputError, match="'9' is not one of # hidden, 0-8, F flag"):
        Observation.parse("9###")


@given(st.integers(0, 2**32))
def test_layouts_are_read_on_the_board_they_belong_to(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layout = Layout(random_board(3, 4, 0.4, rng), rng.random(12) < 0.3)
    assert Layout.parse(str(layout), layout.topology) == layout
    with pytest.raises(InputError, match="the board has 1 row x 4 columns"):
        Layout.parse(str(layout), ring(4))
