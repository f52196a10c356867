"""Binary replays: the kept files, every way in which one can be broken, and a machine without ms-toollib."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from command import complaint, run
from effort import times
from replay_files import write_avf

from sapper.errors import InputError
from sapper.formats import FORMATS, videos
from sapper.formats.videos import READERS, read_video
from sapper.layout import Layout
from sapper.play.record import Move, Record
from sapper.play.replays import record_of

FOLDER = Path(__file__).parent.parent / "data" / "replays"
FILES = ("won.evf", "lost.avf")

pytestmark = pytest.mark.slow  # a process for every file
needs_toollib = pytest.mark.skipif(find_spec("ms_toollib") is None, reason="the extra `replays` is missing")


@needs_toollib
@pytest.mark.parametrize("name", FILES)
def test_a_kept_replay_is_the_game_on_record(name: str) -> None:
    replay = read_video((FOLDER / name).read_bytes(), Path(name).suffix)
    known = Record.parse((FOLDER / name).with_suffix(".record").read_text(encoding="utf-8"))
    record = record_of(replay)
    assert record.moves == known.moves
    assert record.result == known.result
    assert replay.layout == known.final_game().layout
    assert dict(replay.header)["Player"] == "Ada"
    assert FORMATS["rawvf"].read(FORMATS["rawvf"].write(replay)).events == replay.events  # type: ignore[union-attr]


@needs_toollib
def test_times_and_pixels_of_an_avf() -> None:
    layout = Layout.parse("*---/----/----/*--*")
    replay = read_video(write_avf(layout, (Move("open", 0, 3), Move("flag", 3, 3))), ".avf")
    assert replay.layout == layout
    assert [(event.milliseconds, event.op, event.row, event.col) for event in replay.events] == [
        (0, "mv", 0, 3), (100, "lc", 0, 3), (200, "lr", 0, 3), (300, "rc", 3, 3), (400, "rr", 3, 3),
    ]  # fmt: skip
    assert (replay.events[0].pixel_x, replay.events[0].pixel_y) == (57, 5)


@needs_toollib
@pytest.mark.parametrize("suffix", READERS)
@pytest.mark.parametrize("data", [b"abc", bytes(1000), b"\xff" * 1000], ids=["short", "zeros", "ones"])
def test_nonsense_is_refused_in_a_sentence(suffix: str, data: bytes) -> None:
    with pytest.raises(InputError, match=f"{suffix} file"):
        read_video(data, suffix)


@needs_toollib
def test_damaged_files_end_no_process_of_ours_and_leave_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = (FOLDER / "won.evf").read_bytes()
    n_refused = 0
    for place in range(0, len(whole), times(48, 24)):
        for data in (whole[:place], whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :]):
            try:
                record_of(read_video(data, ".evf"))
            except InputError:
                n_refused += 1
    assert n_refused > 10
    assert list(tmp_path.iterdir()) == []


def test_empty_and_huge_files_are_refused_unread() -> None:
    with pytest.raises(InputError, match=r"The \.avf file is empty\."):
        read_video(b"", ".avf")
    with pytest.raises(InputError, match="larger than 8 MiB"):
        read_video(bytes(videos.MAX_BYTES + 1), ".evf")


def test_without_ms_toollib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(videos, "find_spec", lambda _: None)
    with pytest.raises(InputError, match=r'pip install "sapper\[replays\]"'):
        read_video(b"\x04", ".evf")


@needs_toollib
def test_a_version_that_lacks_what_we_need_is_not_blamed_on_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(READERS, ".evf", "NoSuchVideo")
    with pytest.raises(InputError, match="ms-toollib does not work here: AttributeError"):
        read_video(b"\x04", ".evf")


def test_a_mouse_that_does_not_tell_a_press_from_a_release() -> None:
    told = [[0, "l", 8, 8], [1, "l", 8, 8], [2, "pf", 24, 8], [3, "lc", 8, 8], [4, "cc", 8, 8], [5, "r", 8, 8]]
    events = list(videos._read_events(told, 16, ".mvf"))
    assert [event.op for event in events] == ["lc", "lr", "rc", "rr", "lc", "rc", "rr"]
    assert (events[2].row, events[2].col) == (0, 1)
    with pytest.raises(InputError, match=r"Event 0 of the \.mvf file, 'zz', is not a mouse operation"):
        list(videos._read_events([[0, "zz", 8, 8]], 16, ".mvf"))


@needs_toollib
def test_conversion_on_the_command_line() -> None:
    done = run("convert", str(FOLDER / "won.evf"), "-", "--to", "rawvf")
    assert done.stdout.startswith("Program: Sapper\nPlayer: Ada\n")
    assert (
        run("convert", str(FOLDER / "won.evf"), "-", "--to", "layout").stdout
        == run("convert", "-", "-", "--from", "rawvf", "--to", "layout", stdin=done.stdout).stdout
    )
    assert "holds a position" in complaint("convert", str(FOLDER / "won.evf"), "x.mine")
