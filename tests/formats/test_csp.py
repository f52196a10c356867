"""CSP puzzles."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.errors import FormatError, InputError
from sapper.formats import csp
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.topology import topology

PUZZLES = Path(__file__).parents[1] / "data" / "csp_puzzles.txt"


@st.composite
def puzzles(draw: st.DrawFn) -> Observation:
    mines = draw(arrays(bool, draw(array_shapes(min_dims=2, max_dims=2, max_side=8))))
    layout = Layout(topology("square", *mines.shape), mines)
    hidden = draw(arrays(bool, mines.shape)) | mines
    return Observation(layout.topology, np.where(hidden, HIDDEN, layout.clues()), layout.n_mines)


def test_rows_come_before_columns() -> None:
    assert csp.read(b"1 3 1 -1 1 0") == Observation.parse("#10 1")


def test_line_breaks_mean_nothing_and_comments_are_passed_over() -> None:
    data = b"# a puzzle\r\n2 2\r\n1 # one mine\r\n-1 1 1\r\n1\r\n"
    assert csp.read(data) == Observation.parse("#1/11 1")


def test_a_puzzle_is_written_on_one_line() -> None:
    assert csp.write(Observation.parse("#1/11 1")) == b"2 2 1 -1 1 1 1\n"


@given(puzzles())
def test_every_puzzle_comes_back(puzzle: Observation) -> None:
    assert csp.read(csp.write(puzzle)) == puzzle


@given(st.lists(puzzles(), min_size=1, max_size=4))
def test_several_puzzles_in_a_file_come_back_in_order(several: list[Observation]) -> None:
    assert csp.read_all(b"".join(map(csp.write, several))) == several


def test_the_four_published_puzzles_are_read() -> None:
    data = PUZZLES.read_bytes()
    found = csp.read_all(data)
    assert [(puzzle.rows, puzzle.cols, puzzle.total) for puzzle in found] == [(6, 6, 10)] * 4
    assert str(found[0]) == "###11#/#3###0/23#332/##2###/#223#3/#1###1 10"
    numbers_only = [line for line in data.decode().splitlines() if not line.startswith("#")]
    assert [csp.write(puzzle).decode().strip() for puzzle in found] == numbers_only


@pytest.mark.parametrize(("index", "n_layouts"), [(0, 8), (1, 2), (2, 9), (3, 2)])
def test_the_published_puzzles_have_as_many_layouts_as_their_comments_say(index: int, n_layouts: int) -> None:
    puzzle = csp.read_all(PUZZLES.read_bytes())[index]
    assert count_layouts(puzzle) == n_layouts


def count_layouts(puzzle: Observation) -> int:
    """Count by trying, clue after clue, every way to place the mines that it still lacks."""
    board, shown = puzzle.topology, puzzle.cells.ravel()
    clued = [index for index in range(board.n_cells) if shown[index] >= 0]

    def extend(clue: int, known: dict[int, bool]) -> int:
        if clue == len(clued):
            n_free = int((shown == HIDDEN).sum()) - len(known)
            n_left = (puzzle.total or 0) - sum(known.values())
            assert n_free == 0  # true of these puzzles, so every remaining way is one layout
            return int(n_left == 0)
        around = [cell for cell in board.neighbours_of(clued[clue]) if shown[cell] == HIDDEN]
        free = [cell for cell in around if cell not in known]
        n_lacking = int(shown[clued[clue]]) - sum(known.get(cell, False) for cell in around)
        if not 0 <= n_lacking <= len(free):
            return 0
        ways = combinations(free, n_lacking)
        return sum(extend(clue + 1, known | {cell: cell in way for cell in free}) for way in ways)

    return extend(0, {})


def test_a_file_with_several_puzzles_says_how_many() -> None:
    with pytest.raises(InputError, match=r"^The \.csp file holds 4 puzzles, but only one can be used here\.$"):
        csp.read(PUZZLES.read_bytes())


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The .csp file is empty."),
        (b"# nothing\n", "The .csp file holds 0 puzzles, but only one can be used here."),
        (b"\x80", "Byte 0 is not text; a .csp file is written in UTF-8."),
        (b"2 2 1\n-1 x 1 1", "Line 2: 'x' is not a number of at most 9 digits."),
        (b"2 2 1\n-1 1.5 1 1", "Line 2: '1.5' is not a number of at most 9 digits."),
        (b"9" * 5000 + b" 1 1", f"Line 1: '{'9' * 40}' is not a number of at most 9 digits."),
        (b"2 2", "Line 1: a puzzle starts with rows, columns and mines, but the file ends first."),
        (b"0 2 0", "A board needs at least one row and one column, not 0 rows x 2 columns."),
        (b"-2 2 0", "A board needs at least one row and one column, not -2 rows x 2 columns."),
        (b"1001 1000 0", "A board of 1001 rows x 1000 columns has 1,001,000 cells; the limit is 1,000,000."),
        (b"\n2 2 1 -1 1 1", "The puzzle on line 2 has 2 rows x 2 columns, but the file ends after 3 cells."),
        (b"1 2 1 -1 1 1", "Line 1: a puzzle starts with rows, columns and mines, but the file ends first."),
        (b"2 2 1\n-1 1\n1 9", "Line 3: 9 at row 1, column 1 is neither -1 (hidden) nor a clue 0-8."),
        (b"2 2 1\n-2 1\n1 1", "Line 2: -2 at row 0, column 0 is neither -1 (hidden) nor a clue 0-8."),
        (b"2 2 1 -1 1 4 1", "In the puzzle on line 1: Row 1, column 0: the clue 4 touches only 3 cells."),
        (b"2 2 5 -1 1 1 1", "In the puzzle on line 1: The total of 5 mines does not fit on 4 cells."),
        (b"2 2 -1 -1 1 1 1", "In the puzzle on line 1: The total of -1 mines does not fit on 4 cells."),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        csp.read(data)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("1#/#F 1", "Row 1, column 1: a .csp file cannot hold a flag."),
        ("1*/## 1", "Row 0, column 1: a .csp file cannot hold an exploded mine."),
        (".# 1", "Row 0, column 0: a .csp file cannot hold an open cell without a clue."),
        ("1#", "A .csp file needs the number of mines, which this position does not say."),
        ("1# 1 torus", "A .csp file holds only square boards, not torus ones."),
        ("1# 1 cautious:0.2", "A .csp file holds only exact clues, not cautious:0.2 ones."),
    ],
)
def test_what_the_format_cannot_hold_is_refused(position: str, sentence: str) -> None:
    with pytest.raises(FormatError) as caught:
        csp.write(Observation.parse(position))
    assert str(caught.value) == sentence
