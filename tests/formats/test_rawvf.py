"""RawVF replays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.errors import FormatError, InputError
from sapper.formats import rawvf
from sapper.formats.rawvf import OPERATIONS, Event, Replay
from sapper.layout import Layout
from sapper.topology import topology

BOARD = "Board:\n*0\n00\n"


def events_of(*lines: str, header: str = "") -> tuple[Event, ...]:
    return rawvf.read("\n".join([f"{header}{BOARD}Events:", *lines, ""]).encode()).events


WORDS = st.text("abcXYZ09 .:-é双\t", max_size=12).map(str.strip)
KEYS = WORDS.map(lambda word: ("Key" + word.replace(":", "")).strip())


@st.composite
def replays(draw: st.DrawFn) -> Replay:
    mines = draw(arrays(bool, draw(array_shapes(min_dims=2, max_dims=2, max_side=8))))
    layout = Layout(topology("square", *mines.shape), mines)
    rows, cols = mines.shape
    size = draw(st.sampled_from([None, 1, 16, 21, 64]))
    header = [("Width", str(cols)), ("height", str(rows)), ("MINES", str(layout.n_mines))]
    header += [] if size is None else [("SquareSize", str(size))]
    header += draw(st.lists(st.tuples(KEYS, WORDS), max_size=3))
    pixels = st.integers(-2000, 2000)
    events = [
        Event(milliseconds, op, pixel_y // (size or 16), pixel_x // (size or 16), pixel_x, pixel_y)
        for milliseconds, op, pixel_x, pixel_y in draw(
            st.lists(st.tuples(st.integers(-5000, 10**9), st.sampled_from(OPERATIONS), pixels, pixels), max_size=6)
        )
    ]
    return Replay(tuple(draw(st.permutations(header))), layout, tuple(events))


def test_a_replay_is_read_in_full() -> None:
    replay = rawvf.read(
        b"RawVF_Version: Rev6\r\nProgram: Minesweeper Arbiter \r\nTimestamp: 5.6.2021.11:10:39\r\nWidth: 3\r\n"
        b"Height: 2\r\nMines: 1\r\nBoard:\r\n00*\r\n000\r\nEvents:\r\n0.000 lc 2 1 (17 5)\r\n1.290 lr 1 2 (3 31)\r\n"
    )
    assert replay.header == (
        ("RawVF_Version", "Rev6"),
        ("Program", "Minesweeper Arbiter"),
        ("Timestamp", "5.6.2021.11:10:39"),
        ("Width", "3"),
        ("Height", "2"),
        ("Mines", "1"),
    )
    assert replay.layout == Layout.parse("--*/---")
    assert replay.events == (Event(0, "lc", 0, 1, 17, 5), Event(1290, "lr", 1, 0, 3, 31))


def test_a_replay_is_written_with_columns_and_rows_from_one() -> None:
    replay = Replay((("Player", "Ada"), ("Mines", "1")), Layout.parse("--*/---"), (Event(1290, "mv", 1, 0, 3, 31),))
    assert rawvf.write(replay) == (
        b"Player: Ada\nMines: 1\nWidth: 3\nHeight: 2\nBoard:\n00*\n000\nEvents:\n1.290 mv 1 2 (3 31)\n"
    )


def test_pixels_are_trusted_over_cells_that_count_from_zero() -> None:
    assert events_of("0.5 lc 1 0 (20 5)") == events_of("0.50 lc 2 1 (20 5)") == (Event(500, "lc", 0, 1, 20, 5),)


def test_without_pixels_cells_count_from_one_and_the_middle_is_meant() -> None:
    assert events_of("0.500 lc 2 1") == (Event(500, "lc", 0, 1, 24, 8),)


def test_without_cells_the_pixels_tell() -> None:
    assert events_of("0.500 lc (20 5)") == (Event(500, "lc", 0, 1, 20, 5),)


def test_the_header_may_tell_the_size_of_a_cell() -> None:
    assert events_of("0.1 lc 2 1 (21 20)", header="SquareSize: 21\n") == (Event(100, "lc", 0, 1, 21, 20),)


def test_the_mouse_may_leave_the_board() -> None:
    moved, released = events_of("0.1 mv (-1 40)", "0.2 lr -3 2 (-50 17)")
    assert (moved.row, moved.col) == (2, -1)
    assert (released.row, released.col) == (1, -4)


def test_an_event_may_precede_the_start_of_the_clock() -> None:
    (event,) = events_of("-0.25 rc 1 1 (0 0)")
    assert event.milliseconds == -250
    assert b"-0.250 rc 1 1 (0 0)" in rawvf.write(Replay((), Layout.parse("-"), (event,)))


def test_the_buttons_that_are_down_may_follow_the_pixels() -> None:
    assert events_of("0.1 mv 1 1 (5 5) (lr)") == (Event(100, "mv", 0, 0, 5, 5),)


def test_what_the_program_did_in_answer_is_passed_over() -> None:
    lines = ["0.000 start", "0.000 lc (5 1)", "pressed 1 1", "number1 2 2", "", "flag 1 1", "3.424 won", "won"]
    assert events_of(*lines) == (Event(0, "lc", 0, 0, 5, 1),)


def test_old_files_without_a_line_that_announces_the_events_are_read() -> None:
    replay = rawvf.read(b"Board:\n*0\n00\n0.000 start\n0.000 lc (5 1)\n")
    assert replay.layout == Layout.parse("*-/--")
    assert replay.events == (Event(0, "lc", 0, 0, 5, 1),)


def test_a_file_may_end_with_the_board_and_have_blank_lines_between_its_parts() -> None:
    assert rawvf.read(b"Width: 2\n\nBoard:\n*0\n00\n\nEvents:\n") == rawvf.read(b"Width: 2\nBoard:\n*0\n00")


@given(replays())
def test_every_replay_comes_back(replay: Replay) -> None:
    assert rawvf.read(rawvf.write(replay)) == replay


def test_a_replay_of_a_layout_has_no_events_and_tells_the_size() -> None:
    assert rawvf.write(Replay.of(Layout.parse("*-"))) == (
        b"RawVF_Version: Rev6\nProgram: Sapper\nWidth: 2\nHeight: 1\nMines: 1\nBoard:\n*0\nEvents:\n"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The .rawvf file is empty."),
        ("Width: 2\n", "The .rawvf file has no line 'Board:' followed by the rows of the board."),
        ("Width 2\n" + BOARD, "Line 1: 'Width 2' is not a header line such as Player: Ada."),
        (": 2\n" + BOARD, "Line 1: ': 2' is not a header line such as Player: Ada."),
        ("Events:\n" + BOARD, "Line 1: 'Events:' is where Board: and its rows must be."),
        ("Board: *0\n00\n", "Line 1: 'Board: *0' is where Board: and its rows must be."),
        ("Width: 2\nBoard:\nEvents:\n", "Line 2: no rows follow Board:."),
        ("Board:\n*0\n0\n", "Row 1 has 1 cell but row 0 has 2."),
        ("Board:\n*0\n01\n", "Row 1, column 1: '1' is neither * (mine) nor 0 (no mine)."),
        ("Width: 3\n" + BOARD, "The header says Width: 3 but the board shows 2."),
        ("Height: 3\n" + BOARD, "The header says Height: 3 but the board shows 2."),
        ("mines: 2\n" + BOARD, "The header says mines: 2 but the board shows 1."),
        ("Width: 2\nWidth: 3\n" + BOARD, "The header says Width: 3 but the board shows 2."),
        ("Width: two\n" + BOARD, "Width in the header must be an integer of at most 9 digits, not 'two'."),
        ("Width: -2\n" + BOARD, "Width in the header must be an integer of at most 9 digits, not '-2'."),
        ("SquareSize: 0\n" + BOARD, "SquareSize in the header must be between 1 and 999, not 0."),
        (BOARD + "Events:\nEvents:\n", "Line 5: 'Events:' is not an event such as 0.250 lc 2 1 (20 5)."),
        (BOARD + "Events:\n0 lc 1 1\n", "Line 5: '0 lc 1 1' is not an event such as 0.250 lc 2 1 (20 5)."),
        (BOARD + "Events:\n0.1 lc 1 (5 5)\n", "Line 5: '0.1 lc 1 (5 5)' is not an event such as 0.250 lc 2 1 (20 5)."),
        (
            BOARD + "Events:\n0.1 xx 1 1 (5 5)\n",
            "Line 5: There is no operation 'xx'; choose from lc, lr, rc, rr, mc, mr, mv, sc, mt.",
        ),
        (BOARD + "Events:\n0.1 lc\n", "Line 5: '0.1 lc' has neither a cell nor pixels."),
        (BOARD + "Events:\n0.1 lc 1 9999999\n", "Line 5: '0.1 lc 1 9999999' names a cell that no board has."),
        (
            "Board:\n" + ("0" * 1001 + "\n") * 1000,
            "A board of 1000 rows x 1001 columns has 1,001,000 cells; the limit is 1,000,000.",
        ),
    ],
)
def test_a_broken_file_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        rawvf.read(text.encode())
    assert str(caught.value) == sentence


def test_a_file_that_is_not_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"^Byte 9 is not text; a \.rawvf file is written in UTF-8\.$"):
        rawvf.read(b"Player: A\xe4a\nBoard:\n0\n")


def test_an_event_whose_pixels_lie_in_another_cell_is_refused() -> None:
    with pytest.raises(InputError, match=r"^Event 0 names row 1, column 1, but its pixels lie in row 0, column 1\.$"):
        Replay((), Layout.parse("*-/--"), (Event(0, "lc", 1, 1, 20, 5),))


@pytest.mark.parametrize(("milliseconds", "pixel"), [(10**12, 0), (0, 16 * 10**9)])
def test_an_event_too_far_away_to_be_written_is_refused(milliseconds: int, pixel: int) -> None:
    with pytest.raises(InputError, match=r"^The seconds and pixels of an event have at most 9 digits\.$"):
        Event(milliseconds, "mv", 0, pixel // 16, pixel, 0)


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (
            ("Player", "Ada\nBoard:"),
            "The header line 'Player' has spaces or line breaks that a .rawvf file would lose.",
        ),
        (("Player ", "Ada"), "The header line 'Player ' has spaces or line breaks that a .rawvf file would lose."),
        (("Player:Name", "Ada"), "A .rawvf file cannot hold a header line with the key 'Player:Name'."),
        (("", "Ada"), "A .rawvf file cannot hold a header line with the key ''."),
        (("Board", ""), "A .rawvf file cannot hold a header line with the key 'Board'."),
        (("Player", "\ud800"), "The header of a .rawvf file cannot hold half of a surrogate pair."),
    ],
)
def test_a_header_that_would_not_come_back_is_refused(header: tuple[str, str], sentence: str) -> None:
    with pytest.raises(FormatError) as caught:
        rawvf.write(Replay((header,), Layout.parse("*-")))
    assert str(caught.value) == sentence


def test_a_torus_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^A \.rawvf file holds only square boards, not torus ones\.$"):
        rawvf.write(Replay.of(Layout.parse("*-/--", "torus")))
