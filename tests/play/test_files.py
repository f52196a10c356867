"""Files by the end of their names."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

import sapper
from sapper.errors import FormatError, InputError
from sapper.formats import OpenedLayout, Replay

LAYOUT = sapper.Layout.parse("*--/---/---")


@pytest.mark.parametrize("name", ["a.mbf", "a.ptta", "a.layout"])
def test_a_layout_comes_back(name: str, tmp_path: Path) -> None:
    sapper.write(LAYOUT, tmp_path / name)
    assert sapper.read(tmp_path / name) == LAYOUT
    assert sapper.read(str(tmp_path / name)) == LAYOUT


@pytest.mark.parametrize("name", ["a.mine", "a.csp", "a.pos", "a.txt"])
def test_a_position_comes_back(name: str, tmp_path: Path) -> None:
    position = sapper.Observation.parse("01#/02#/02# 2")
    sapper.write(position, tmp_path / name)
    found = sapper.read(tmp_path / name)
    assert isinstance(found, sapper.Observation)
    assert found.cells.tolist() == position.cells.tolist()


def test_games_come_back(tmp_path: Path) -> None:
    record = sapper.play_match(sapper.Game(sapper.Rules.parse("4x4/3"), seed=2), sapper.make_agent("exact"))
    sapper.write(record, tmp_path / "won.sapper")
    assert sapper.read(tmp_path / "won.sapper") == record
    (tmp_path / "renamed.txt").write_text(str(record), encoding="utf-8")
    assert sapper.read(tmp_path / "renamed.txt") == record
    sapper.write(LAYOUT, tmp_path / "board.rawvf")
    assert isinstance(sapper.read(tmp_path / "board.rawvf"), Replay)


def test_the_first_click_may_be_said(tmp_path: Path) -> None:
    sapper.write(LAYOUT, tmp_path / "a.tatham", first=(2, 1))
    found = sapper.read(tmp_path / "a.tatham")
    assert isinstance(found, OpenedLayout)
    assert (found.layout, found.first) == (LAYOUT, (2, 1))


def test_the_format_may_be_said(tmp_path: Path) -> None:
    sapper.write(LAYOUT, tmp_path / "board", format="mbf")
    assert sapper.read(tmp_path / "board", format="mbf") == LAYOUT


def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "bad.mbf").write_bytes(b"\x02")
    with pytest.raises(InputError, match=r"bad\.mbf: The \.mbf file ends"):
        sapper.read(tmp_path / "bad.mbf")
    (tmp_path / "bad.mbf").rename(tmp_path / "bad.xyz")
    with pytest.raises(InputError, match="does not tell the format"):
        sapper.read(tmp_path / "bad.xyz")
    with pytest.raises(FormatError, match="holds a position"):
        sapper.write(LAYOUT, tmp_path / "a.pos")
    record = sapper.Record(sapper.Rules.parse("3x3/1"), 1)
    with pytest.raises(FormatError, match=r"ends in \.sapper"):
        sapper.write(record, tmp_path / "a.mbf")
    with pytest.raises(FileNotFoundError):
        sapper.read(tmp_path / "none.mbf")
    assert {path.name for path in tmp_path.iterdir()} == {"bad.xyz"}


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.layout"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    sapper.write(LAYOUT, path)
    assert sapper.read(path) == LAYOUT
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [other.name for other in tmp_path.iterdir()] == ["a.layout"]
