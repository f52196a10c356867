"""Boards in any form: layouts as text, in files of every format, and the rules that go with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper.cli.files import board_of_layout, load_content, load_layout, load_position
from sapper.errors import InputError
from sapper.formats import FORMATS, convert
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.play.reading import names_a_file
from sapper.web.jobs.positions import read_position

LAYOUT = Layout.parse("*--/---")
HOLDING = [name for name, entry in FORMATS.items() if entry.carries is not Observation]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", HOLDING)
def test_a_layout_is_read_from_every_format_that_tells_one(name: str, folder: Path) -> None:
    path = folder / f"board{FORMATS[name].suffixes[0]}"
    path.write_bytes(convert(LAYOUT, FORMATS[name]))
    assert names_a_file(str(path))
    assert load_layout(str(path)) == LAYOUT
    assert load_content(str(path), name) == FORMATS[name].read(path.read_bytes())


def test_a_layout_is_read_from_text_and_from_a_record(folder: Path) -> None:
    assert load_layout("*--/---") == LAYOUT
    assert load_layout("*--/---", "torus").topology.shape == "torus"
    record = "Sapper-Record: 1\nRules: 2x3/1 first-any\nSeed: 0\nLayout: *--/---\nMoves:\nopen 1,1\n"
    (folder / "a.sapper").write_text(record, encoding="utf-8")
    assert load_layout("a.sapper") == LAYOUT


def test_a_record_without_moves_has_no_mines(folder: Path) -> None:
    (folder / "a.sapper").write_text("Sapper-Record: 1\nRules: 2x3/1\nSeed: 0\nMoves:\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.sapper: Nothing was opened, so no mines were placed\."):
        load_layout("a.sapper")


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        ("missing.mbf", "There is no file missing.mbf."),
        ("hello", "There is no file 'hello', and it is neither a position nor a layout."),
        ("", "This is empty: write a position such as '1#/## 1' or a layout such as '*--/---'."),
        ("*-/-", "Row 1 has 1 cell but row 0 has 2."),
        ("a.pos", "a.pos: This is a position, which does not say where the mines are."),
        ("bad.mbf", "bad.mbf: The .mbf file ends after 1 of the 4 bytes of its header."),
    ],
)
def test_what_is_no_layout_is_said_in_a_sentence(argument: str, says: str, folder: Path) -> None:
    (folder / "a.pos").write_text("1#/## 1\n", encoding="utf-8")
    (folder / "bad.mbf").write_bytes(b"\x03")
    with pytest.raises(InputError) as raised:
        load_layout(argument)
    assert str(raised.value) == says


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("?b=33&m=04", "000/111/### 1"),
        ("2x2:1,0,u8", "#1/## 1"),
        ("*--/---", "#10/#10 1"),
        ("2x2x1\n1H\nHH", "1#/## 1"),
    ],
)
def test_the_command_and_the_page_open_the_same_position(text: str, opened: str, folder: Path) -> None:
    (folder / "board").write_text(text, encoding="utf-8")
    assert str(load_position(text)) == str(load_position("board")) == str(read_position(text)) == opened


def test_a_board_full_of_mines_is_a_layout() -> None:
    assert load_layout("**/**") == Layout.parse("**/**")


def test_the_rules_of_a_layout_promise_nothing() -> None:
    rules, layout = board_of_layout("*--/---", None)
    assert (str(rules), layout) == ("2x3/1 first-any", LAYOUT)
    rules, layout = board_of_layout("*--/---", "2x3/1 survey torus")
    assert str(rules) == "2x3/1 torus first-any survey"
    assert layout.topology == rules.topology
