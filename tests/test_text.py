"""Positions in words and back; moves from what models answer."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product

import numpy as np
import pytest
from effort import times
from hypothesis import given, settings
from hypothesis import strategies as st
from small_boards import small_position

from sapper.channel import EXACT, Channel
from sapper.errors import InputError
from sapper.observation import EXPLODED, Observation
from sapper.text import describe, parse_move, read_description
from sapper.topology import OWN, SHAPES

CHANNELS = (EXACT, Channel.parse("liar:0.4"), Channel.parse("withheld:0.3:redraws"))


@settings(max_examples=times(60, 600))
@given(st.sampled_from((*SHAPES, OWN)), st.sampled_from(CHANNELS), st.integers(0, 2**32))
def test_grids_and_coordinates_hold_the_whole_position(shape: str, channel: Channel, seed: int) -> None:
    position = small_position(shape, channel, np.random.default_rng(seed))
    assert read_description(describe(position, "grid")) == position
    assert read_description(describe(position, "coordinates")) == position


@settings(max_examples=times(30, 300))
@given(st.sampled_from((*SHAPES, OWN)), st.integers(0, 2**32))
def test_statements_leave_the_layouts_that_the_clues_leave(shape: str, seed: int) -> None:
    position = small_position(shape, EXACT, np.random.default_rng(seed))
    board = position.topology
    hidden = np.flatnonzero(position.closed).tolist()
    said = []
    for line in describe(position, "statements").split("\n")[1:]:
        cells = {board.index(int(row), int(col)) for row, col in re.findall(r"\((\d+), (\d+)\)", line)}
        found = re.match(r"Exactly (-?\d+) mines? among", line)
        if found:
            said.append((cells, int(found[1])))
        else:
            assert line.startswith("Hidden: ")
            assert cells == set(hidden)
    exploded = set(np.flatnonzero(position.cells == EXPLODED).tolist())
    clues = [(cell, code) for cell, code in enumerate(position.cells.ravel().tolist()) if code >= 0]
    for choice in product((False, True), repeat=len(hidden)):
        mines = {cell for cell, mine in zip(hidden, choice, strict=True) if mine}
        fits = all(len((mines | exploded) & set(board.neighbours_of(cell))) == code for cell, code in clues)
        fits &= position.total is None or len(mines | exploded) == position.total
        # A clue all of whose neighbours are open says nothing about the hidden cells, even if it is wrong.
        silent = [c for c, _ in clues if not set(board.neighbours_of(c)) & set(hidden)]
        wrong = any(len(exploded & set(board.neighbours_of(c))) != code for c, code in clues if c in silent)
        if not wrong:
            assert fits == all(len(mines & cells) == n for cells, n in said)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("open (3, 4)", "open (3, 4)"),
        ("Open 3 4", "open (3, 4)"),
        ("open 3,4.", "open (3, 4)"),
        ("R3C4", "open (3, 4)"),
        ("r3 c4", "open (3, 4)"),
        ("row 3, column 4", "open (3, 4)"),
        ("Row: 3\nColumn: 4", "open (3, 4)"),
        ("[3, 4]", "open (3, 4)"),
        ("flag (3, 4)", "flag (3, 4)"),
        ('{"row": 3, "col": 4}', "open (3, 4)"),
        ('```json\n{"action": "flag", "cell": [3, 4]}\n```', "flag (3, 4)"),
        ('{"move": "open (3, 4)"}', "open (3, 4)"),
        ('{"open": [3, 4], "reason": "the 1 at (2, 2)"}', "open (3, 4)"),
        ("<think>open (0, 0)? No.</think> **Open (3, 4)**", "open (3, 4)"),
        ("The 1 at (0, 0) is settled by (0, 1).\nSo I will open the cell at (3, 4).", "open (3, 4)"),
        ("I could open (1, 1) or flag (2, 2).\n<answer>R3C4</answer>", "open (3, 4)"),
        (r"By (1, 1) and (2, 2), \boxed{(3, 4)}", "open (3, 4)"),
        ("Because (1, 1) is a mine. Final answer: (3, 4)", "open (3, 4)"),
        ("reveal row 3 and column 4", "open (3, 4)"),
        ("column 4, row 3", "open (3, 4)"),
        ("Answer: 3 4", "open (3, 4)"),
        ("open(row=3, col=4)", "open (3, 4)"),
        ("flag(row=3, col=4)", "flag (3, 4)"),
        ("Action: flag\nCell: (3, 4)", "flag (3, 4)"),
        ("**Answer**: $(3, 4)$", "open (3, 4)"),
        (r"$$\boxed{\text{open } \left(3, 4\right)}$$", "open (3, 4)"),
        (r"The safe cell is \(3, 4\)", "open (3, 4)"),
        ("\N{FULLWIDTH LEFT PARENTHESIS}3\N{FULLWIDTH COMMA}4\N{FULLWIDTH RIGHT PARENTHESIS}", "open (3, 4)"),
        ("The 1 at (0, 0) has (0, 1).\n\nI could open (1, 1).\n\nSo, (3, 4).", "open (3, 4)"),
        ("Open (3, 4).\nThe 1 at (2, 2) is settled by the mine at (1, 1).", "open (3, 4)"),
        ("Answer: open (3, 4)\nWhy: the 1 at (2, 2) is settled by (1, 1).", "open (3, 4)"),
        ("I would not open (1, 1), since (0, 0) needs a mine; open (3, 4).", "open (3, 4)"),
        ("so (1, 1) or (1, 2)\n</think>\nopen (3, 4)", "open (3, 4)"),
        ("{'row': 3, 'col': 4}", "open (3, 4)"),
        ('{"row": "3", "column": 4.0}', "open (3, 4)"),
        ('{"name": "flag", "arguments": {"row": 3, "col": 4}}', "flag (3, 4)"),
        ('{"action": {"type": "open", "cell": "R3C4"}}', "open (3, 4)"),
    ],
)
def test_moves_are_read_as_models_write_them(answer: str, move: str) -> None:
    assert str(parse_move(answer)) == move


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("", "is empty"),
        ("I give up.", "names no cell; write one move such as open (3, 4)"),
        ("Open B3.", "'B3' is not a cell, since columns have no letters; write one move such as open (3, 4)"),
        ("x=0, y=1", "'x=0, y=1' does not say which is the row"),
        ("The third row, second column: (2, 1)", "says 'third row', but rows and columns count from 0"),
        ("open (1, 2) (1-indexed)", "says '1-indexed', but rows and columns count from 0"),
        ("open (\N{MINUS SIGN}1, 2)", "(-1, 2) is not a cell"),
        ("(0, 1, 2)", "names no cell"),
        ("Its chance is 1/3, 2/3 with (", "names no cell"),
        ("{" * 100_000, "names no cell"),
        ('{"a":' * 20_000, "names no cell"),
        ("open (0, 1) and (1, 1)", "several moves"),
        ("Do not open (0, 1).", "names no cell"),
        ("<think>open (0, 1)", "is empty"),
        ("The cell 7", "names no cell"),
        ("(0, 0) or (0, 1)", "names several moves (open (0, 0), open (0, 1)); write only one."),
        ("open (0, 0) and open (0, 1)", "several moves"),
        ("open (-1, 2)", "(-1, 2) is not a cell: rows and columns count from 0."),
        ("open (3, 4)", "(3, 4) is not on the board of 2 rows and 2 columns."),
        ("open (0, 0)", "(0, 0) is open already; choose a hidden cell."),
        ("{}", "names no cell"),
        ('{"row": "x", "action": ""}', "names no cell"),
    ],
)
def test_what_is_not_a_move_is_explained(answer: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        parse_move(answer, Observation.parse("1#/## 1"))


@pytest.mark.slow
@settings(max_examples=times(100, 2000))
@given(st.text(alphabet='(){}[],:"<>/\\ opencardflgwRC-0123456789\n', max_size=60) | st.text(max_size=60))
def test_any_answer_is_a_move_or_a_sentence(answer: str) -> None:
    with suppress(InputError):
        assert min(parse_move(answer).cell) >= 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Hello", "A description begins with the board"),
        ("Board: 1 row, 2 columns. Mines: 1.\nOpen: (0, 0) shows 1.", "does not say what (0, 1) is"),
        ("Board: 1 row, 1 column. Mines: 1.\nHidden: (0, 1).", "(0, 1) is not on the board"),
        ("Board: 1 row, 1 column. Mines: 1.\nShut: (0, 0).", "begins with Open, Hidden"),
        ("Board: 2 rows, 2 columns. Mines: 1.\n0 | # #", "1 and 2 are shown"),
        ("Board: 99999999999 rows, 99999999999 columns. Mines: 1.\nHidden: (0, 0).", "does not say what (0, 1) is"),
        ("Board: 1 row, 1 column. Mines: 1.\nHidden: (0, 0).\nOpen: (0, 0) shows 1.", "names (0, 0) twice"),
        ("Board: 1 row, 2 columns. Mines: 1.\nExactly 1 mine among (0, 1).", "in another style"),
    ],
)
def test_what_is_not_a_description_is_explained(text: str, says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        read_description(text)


def test_noisy_clues_are_not_statements_and_styles_have_names() -> None:
    with pytest.raises(InputError, match="Statements need exact clues, and these are liar"):
        describe("1#/## 1 liar")
    with pytest.raises(InputError, match="choose from grid, coordinates, statements"):
        describe("1#/## 1", "prose")  # type: ignore[arg-type]
