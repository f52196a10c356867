"""The files of the page: nothing from outside, nothing inline, nothing that is not there."""

from __future__ import annotations

import json
import re
import struct
from dataclasses import asdict
from pathlib import Path

import pytest

import sapper.web
from sapper.draw.palette import DARK, LIGHT, SCALE
from sapper.web.http.static import CONSTANTS, PAGE, WORKER, read_site

FOLDER = (Path(sapper.web.__file__).parent / "static").resolve()
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file())
TEXTS = [path for path in FILES if path.suffix != ".png"]
MODES = {path.parent.name for path in FOLDER.glob("modes/*/mode.js")}
MAX_ENTRIES = 12
NAMESPACE = "http://www.w3.org/2000/svg"  # a name, not a request


def _place(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def _room(path: Path) -> str:
    """The folder at the top that a file lies in, or the mode."""
    parts = _place(path).split("/")
    return parts[1] if parts[0] == "modes" else parts[0]


def _named(path: Path) -> dict[str, Path]:
    """The files that a file names, by how it names them: beside itself, or from the top as the server has them."""
    text = path.read_text(encoding="utf-8") if path in TEXTS else ""
    imported = re.findall(r"\b(?:from\s+|import\s+|import\()[\"']([^\"']+)[\"']", text) if path.suffix == ".js" else []
    icons = re.findall(r'"src": "([\w./-]+)"', text) if path.suffix == ".webmanifest" else []
    return {
        name: (FOLDER / name.removeprefix("/static/") if name.startswith("/") else path.parent / name).resolve()
        for name in [*imported, *(f"./{icon}" for icon in icons), *re.findall(r"/static/[\w./-]+", text)]
    }


def test_nothing_comes_from_elsewhere() -> None:
    texts = {_place(path): path.read_text(encoding="utf-8").replace(NAMESPACE, "") for path in TEXTS}
    elsewhere = re.compile(r"https?://|(src|href)=\"//|@import|url\((?!#)")
    assert [place for place, text in texts.items() if elsewhere.search(text)] == []


def test_the_page_has_no_inline_code_or_style() -> None:
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text)


def test_every_file_that_is_named_is_there() -> None:
    for path in FILES:
        for name, meant in _named(path).items():
            assert name.startswith(("./", "../", "/static/")), f"{_place(path)} names {name}"
            assert meant in {*FILES, FOLDER / CONSTANTS}, f"{_place(path)} names {name}"


def test_every_file_that_is_there_is_named() -> None:
    named = {meant for path in FILES for meant in _named(path).values()}
    assert set(FILES) - named == {FOLDER / PAGE, FOLDER / WORKER}  # which the server names


def test_no_mode_needs_another() -> None:
    found = re.search(r"export const MODES = (\[.*?\]);", (FOLDER / "common/router.js").read_text(encoding="utf-8"))
    assert found is not None
    assert set(json.loads(found[1])) == MODES
    for path in FILES:
        for name, meant in _named(path).items():
            # What two of them share lies outside of both; only the start of the page knows them all.
            if _room(meant) in MODES and path != FOLDER / "main.js":
                assert _room(path) == _room(meant), f"{_place(path)} names {name}"


def test_no_folder_is_crowded() -> None:
    for folder in [FOLDER, *(path for path in FOLDER.rglob("*") if path.is_dir())]:
        assert len(list(folder.iterdir())) <= MAX_ENTRIES, folder.name


def test_every_icon_that_is_named_is_there() -> None:
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', (FOLDER / "common/icons.svg").read_text(encoding="utf-8")))
    for path in TEXTS:
        for name in re.findall(r"(?:icon\(\"|icons\.svg#)([a-z]+)", path.read_text(encoding="utf-8")):
            assert name in drawn, f"{_place(path)} names the icon {name}"


def test_the_page_gets_the_constants_of_the_library() -> None:
    text = read_site().files[CONSTANTS].data.decode("utf-8")
    found = {name: json.loads(value) for name, value in re.findall(r"^export const (\w+) = (.+);$", text, re.MULTILINE)}
    assert found["LIGHT"] | {"clues": tuple(found["LIGHT"]["clues"])} == asdict(LIGHT)
    assert found["DARK"]["hidden"] == DARK.hidden
    assert tuple(found["SCALE"]) == SCALE
    assert found["OFFSETS"]["hex"][1][0] == [-1, 0]
    # Nothing of it is written down a second time.
    for path in TEXTS:
        if path.suffix == ".js" and path.name != CONSTANTS:
            assert not {LIGHT.hidden, SCALE[0]} & set(re.findall(r"#\w{6}", path.read_text(encoding="utf-8"))), path


@pytest.mark.parametrize("width", [180, 192, 512])
def test_the_pictures_of_the_icon_have_the_size_that_they_name(width: int) -> None:
    data = (FOLDER / f"app/icon-{width}.png").read_bytes()
    assert struct.unpack(">II", data[16:24]) == (width, width)
    assert len(data) < 16_000
