"""Files by the end of their names."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import sapper
from sapper.errors import FormatError, InputError
from sapper.formats import OpenedLayout, Replay
from sapper.play.reading import check_target, write_file

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


def test_bytes_are_never_taken_for_the_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sapper.write(LAYOUT, "0", format="layout")
    assert sapper.read("0") == LAYOUT
    assert sapper.read(b"0") == sapper.Observation.parse("0")


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


def test_a_format_error_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        sapper.write(LAYOUT, tmp_path / "a.pos")


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.layout"
    path.write_text("old", encoding="utf-8")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        sapper.write(LAYOUT, path)
    assert path.read_text(encoding="utf-8") == "old"
    assert [other.name for other in tmp_path.iterdir()] == ["a.layout"]


def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name in ("there/old.layout", "there/new.layout"):
        link = tmp_path / f"to-{Path(name).name}"
        link.symlink_to(name)
        if "old" in name:
            (tmp_path / name).write_text("old", encoding="utf-8")
        sapper.write(LAYOUT, link)
        assert link.is_symlink()
        assert sapper.read(tmp_path / name) == LAYOUT
    assert {path.name for path in (tmp_path / "there").iterdir()} == {"old.layout", "new.layout"}


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_file(pipe, b"through")
    reader.join(60)
    assert heard == [b"through"]
    assert pipe.is_fifo()
    write_file(os.devnull, b"gone")
    assert not Path(os.devnull).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_another_name_is_not_replaced(name: str, tmp_path: Path) -> None:
    if not Path(name).exists():
        pytest.skip(f"there is no {name} here")
    code = f"from sapper.play.reading import write_file; write_file({name!r}, b'one '); write_file({name!r}, b'two')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"one two"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"^There is no folder .*none to write a\.mbf into\.$"):
        sapper.write(LAYOUT, tmp_path / "none" / "a.mbf")
    with pytest.raises(InputError, match="is a folder, not a file"):
        write_file(tmp_path, b"")
    with pytest.raises(InputError, match="name of the file is empty"):
        write_file("", b"")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match=r"a\.mbf cannot be written: .* to write to the current folder\.$"):
        check_target("a.mbf")
    assert not any(tmp_path.iterdir())


def test_no_other_file_of_sapper_writes_by_itself() -> None:
    source = Path(sapper.__file__).parent
    writes = re.compile(r"""\.write_(text|bytes)\(|\bopen\([^)]*["'][wax]b?\+?["']""")
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if any(writes.search(line) for line in path.read_text(encoding="utf-8").splitlines())
    }
    # `amalgamation` writes the source that Cython compiles, `loader` opens the streams of a submission again, and the
    # columns of a data set are collected beside a target that is then put in place whole.
    data_set = {"experiments/dataset/files.py", "experiments/dataset/rows.py"}
    assert found == {"play/reading.py", "kernels/amalgamation.py", "agents/foreign/loader.py"} | data_set
