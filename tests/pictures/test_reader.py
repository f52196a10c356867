"""Pictures that we draw ourselves are read: every skin, several scales; anything else is refused in a sentence."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from command import run
from effort import more
from PIL import Image
from skins import SKINS, Picture, draw_picture, play_position

import sapper
from sapper.pictures.image import MAX_PIXELS, PictureError, is_picture

# Skins with a coarse texture on hidden cells are read less well; the benchmark counts them.
SMOOTH = sorted(name for name, skin in SKINS.items() if skin.stipple == 0)


def picture_of(name: str, pitch: float, side: int = 9) -> Picture:
    rng = np.random.default_rng([1, round(pitch)])
    return draw_picture(play_position(rng, side, side, side * side // 8), SKINS[name], pitch, rng)


@pytest.mark.slow
@pytest.mark.parametrize("pitch", [24.0, *more(16.0, 32.0, 48.0, 80.0)])
@pytest.mark.parametrize("name", ["bevelled", "coloured grounds", "dark", "raised", *more(*SMOOTH)])
def test_every_cell_is_right_or_doubtful(name: str, pitch: float) -> None:
    picture = picture_of(name, pitch)
    found = sapper.read_picture(picture.data())
    truth = sapper.Observation.parse(picture.position)
    assert found.position.cells.shape == truth.cells.shape
    wrong = {(int(row), int(col)) for row, col in np.argwhere(found.position.cells != truth.cells)}
    assert wrong <= set(found.doubts)
    assert abs(found.grid.x - picture.corner[0]) < pitch / 4
    assert abs(found.grid.pitch_x - pitch) < 0.02 * pitch


@pytest.mark.slow
def test_a_large_board_is_read() -> None:
    rng = np.random.default_rng(5)
    picture = draw_picture(play_position(rng, 25, 50, 230), SKINS["dark"], 24.0, rng)
    assert str(sapper.read_picture(picture.data()).position) == picture.position


@pytest.mark.slow
def test_files_bytes_and_arrays_say_the_same(tmp_path: Path) -> None:
    picture = picture_of("raised", 24.0, side=6)
    path = tmp_path / "board.bmp"
    path.write_bytes(picture.data("BMP"))
    by_file = sapper.read_picture(path)
    assert str(by_file.position) == picture.position
    assert sapper.read_picture(np.asarray(picture.image)).position == by_file.position
    assert sapper.read(path) == by_file.position
    assert run("convert", str(path), "-", "--to", "position").stdout.strip() == picture.position
    assert run("convert", "-", "-", "--to", "position", stdin=picture.data()).stdout.strip() == picture.position


def png(width: int, height: int) -> bytes:
    stream = io.BytesIO()
    Image.new("1", (width, height)).save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (png(300, 200), "No Minesweeper board"),
        (png(10, 10), "too small"),
        (png(8000, MAX_PIXELS // 8000 + 1), "40 megapixels"),
        (png(300, 200)[:60], "broken"),
        (b"\xff\xd8\xff\xe0 no picture at all", "broken"),
    ],
)
def test_what_shows_no_board_is_refused_in_a_sentence(data: bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=said):
        sapper.read_picture(data)
    path = tmp_path / "picture.png"
    path.write_bytes(data)
    found = run("analyse", str(path))
    assert found.returncode == 2
    assert said in " ".join(found.stderr.split())
    assert "Traceback" not in found.stderr


def test_text_is_no_picture() -> None:
    assert not any(is_picture(text) for text in (b"", b"1#/## 1", b"BM", b"BMW is no picture, nor is this text"))
