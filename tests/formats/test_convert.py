"""The list of formats and the way from one to another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from sapper.errors import FormatError, InputError
from sapper.formats import FORMATS, Event, Format, OpenedLayout, Replay, convert, format_of
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.topology import topology

# A mine in the middle of the left edge: the first cell that touches none is (0, 2).
LAYOUT = Layout.parse("---/*--/---")
POSITION = Observation.parse("11#/##1 1")
REPLAY = Replay((("Player", "Ada"),), LAYOUT, (Event(5, "lc", 0, 0, 1, 2),))
LAYOUTS = arrays(bool, array_shapes(min_dims=2, max_dims=2, max_side=10)).map(
    lambda mines: Layout(topology("square", *mines.shape), mines)
)
OF_LAYOUTS = [entry for entry in FORMATS.values() if entry.carries is not Observation]
OF_POSITIONS = [entry for entry in FORMATS.values() if entry.carries is Observation]


def name_of(entry: Format) -> str:
    return entry.name


def test_the_formats_are_listed_under_their_names() -> None:
    assert list(FORMATS) == ["mbf", "mine", "ptta", "tatham", "rawvf", "csp", "position", "layout"]
    assert all(name == entry.name for name, entry in FORMATS.items())


def test_no_two_formats_share_a_suffix() -> None:
    suffixes = [suffix for entry in FORMATS.values() for suffix in entry.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize(
    ("path_name", "name"),
    [
        ("a.mbf", "mbf"),
        ("a.abf", "mbf"),
        ("A.MINE", "mine"),
        ("a.ptta", "ptta"),
        ("dir.mbf/a.tatham", "tatham"),
        ("a.b.rawvf", "rawvf"),
        ("a.csp", "csp"),
        ("a.pos", "position"),
        ("a.txt", "position"),
        ("a.layout", "layout"),
    ],
)
def test_the_end_of_a_name_tells_the_format(path_name: str, name: str) -> None:
    assert format_of(path_name).name == name


def test_a_format_that_is_named_wins_over_the_end_of_the_file_name() -> None:
    assert format_of("a.mbf", "csp") is FORMATS["csp"]


@pytest.mark.parametrize("path_name", ["board", "board.xyz", "-", "", ".mbf"])
def test_a_name_that_tells_no_format_is_answered_with_the_choices(path_name: str) -> None:
    with pytest.raises(InputError) as caught:
        format_of(path_name)
    assert str(caught.value) == (
        f"The name {path_name!r} does not tell the format: use one of the suffixes .mbf, .abf, .mine, .ptta, .tatham, "
        ".rawvf, .csp, .pos, .txt, .layout, or name the format (mbf, mine, ptta, tatham, rawvf, csp, position, layout)."
    )


def test_an_unknown_format_is_answered_with_the_choices() -> None:
    with pytest.raises(InputError, match=r"^There is no format 'avf'; choose from mbf, mine, .*, position, layout\.$"):
        format_of("a.mbf", "avf")


@pytest.mark.parametrize("target", OF_LAYOUTS, ids=name_of)
@pytest.mark.parametrize(
    "value", [LAYOUT, OpenedLayout(LAYOUT, (0, 1)), REPLAY], ids=lambda value: type(value).__name__
)
def test_whatever_holds_a_layout_can_be_written_wherever_a_layout_fits(
    value: Layout | OpenedLayout | Replay, target: Format
) -> None:
    written = target.read(convert(value, target))
    assert isinstance(written, target.carries)
    assert (written if isinstance(written, Layout) else written.layout) == LAYOUT  # type: ignore[union-attr]


@given(LAYOUTS, st.permutations(OF_LAYOUTS))
def test_a_layout_survives_a_tour_through_all_formats(layout: Layout, tour: list[Format]) -> None:
    if layout.mines.all():
        tour = [entry for entry in tour if entry.carries is not OpenedLayout]
    content = FORMATS["layout"].read(convert(layout, FORMATS["layout"]))
    for entry in [*tour, FORMATS["layout"]]:
        content = entry.read(convert(content, entry))
    assert content == layout


@pytest.mark.parametrize("target", OF_POSITIONS, ids=name_of)
def test_a_position_can_be_written_wherever_a_position_fits(target: Format) -> None:
    assert target.read(convert(POSITION, target)) == POSITION


def test_what_a_format_holds_is_kept_in_full() -> None:
    assert FORMATS["rawvf"].read(convert(REPLAY, FORMATS["rawvf"])).events == REPLAY.events  # type: ignore[union-attr]
    opened = OpenedLayout(LAYOUT, (2, 1))
    assert FORMATS["tatham"].read(convert(opened, FORMATS["tatham"])) == opened


def first_click(layout: Layout | OpenedLayout | Replay, first: tuple[int, int] | None = None) -> tuple[int, int]:
    opened = FORMATS["tatham"].read(convert(layout, FORMATS["tatham"], first))
    assert isinstance(opened, OpenedLayout)
    return opened.first


def test_the_first_click_is_the_first_cell_that_touches_no_mine() -> None:
    assert first_click(LAYOUT) == (0, 2)


def test_where_every_cell_touches_a_mine_the_first_click_is_the_first_safe_cell() -> None:
    assert first_click(Layout.parse("*-*/---")) == (0, 1)


def test_a_first_click_that_is_given_wins() -> None:
    assert first_click(LAYOUT, (0, 0)) == (0, 0)
    assert first_click(OpenedLayout(LAYOUT, (2, 2)), (0, 0)) == (0, 0)
    assert first_click(REPLAY, (2, 1)) == (2, 1)


def test_a_first_click_on_a_mine_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match=r"^Row 1, column 0: the first click lies on a mine\.$"):
        convert(LAYOUT, FORMATS["tatham"], (1, 0))


def test_a_first_click_outside_the_board_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match=r"^There is no cell \(0, -1\) on a board of 3 rows x 3 columns\.$"):
        convert(LAYOUT, FORMATS["tatham"], (0, -1))


def test_a_board_full_of_mines_has_no_first_click() -> None:
    with pytest.raises(FormatError, match=r"^Every cell of the board is a mine, so there is none to click first\.$"):
        convert(Layout.parse("**"), FORMATS["tatham"])


def test_a_first_click_that_the_target_would_lose_is_refused() -> None:
    with pytest.raises(InputError, match=r"^A \.mbf file has no place for a first click\.$"):
        convert(LAYOUT, FORMATS["mbf"], (0, 0))


@pytest.mark.parametrize("target", OF_LAYOUTS, ids=name_of)
def test_a_position_is_no_layout(target: Format) -> None:
    with pytest.raises(FormatError) as caught:
        convert(POSITION, target)
    assert str(caught.value) == (
        f"A {target.noun} holds a whole layout, but this is a position, which does not tell where the mines are."
    )


@pytest.mark.parametrize("target", OF_POSITIONS, ids=name_of)
@pytest.mark.parametrize(
    "value", [LAYOUT, OpenedLayout(LAYOUT, (0, 1)), REPLAY], ids=lambda value: type(value).__name__
)
def test_a_layout_is_no_position(value: Layout | OpenedLayout | Replay, target: Format) -> None:
    with pytest.raises(FormatError) as caught:
        convert(value, target)
    assert str(caught.value) == (
        f"A {target.noun} holds a position, but this is a whole layout, of which a position shows only "
        "the cells that a player has opened."
    )
