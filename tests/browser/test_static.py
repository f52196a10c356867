"""The files of the page: nothing from outside, nothing inline, nothing that is not there."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

import sapper.web
from sapper.draw.chances import _SCALE
from sapper.draw.palette import DARK, LIGHT, Palette

FOLDER = Path(sapper.web.__file__).parent / "static"
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file())
NAMESPACE = "http://www.w3.org/2000/svg"  # a name, not a request


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_comes_from_elsewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace(NAMESPACE, "")
    assert not re.search(r"https?://|(src|href)=\"//|@import|url\((?!#)", text)


def test_the_page_has_no_inline_code_or_style() -> None:
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text)


def test_every_file_that_is_named_is_there() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"(?:from|import\()\s*\"\./([\w.]+)\"", text) + re.findall(r"/static/([\w.]+)", text):
            assert (FOLDER / name).is_file(), f"{path.name} names {name}"


def test_every_icon_that_is_named_is_there() -> None:
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', (FOLDER / "icons.svg").read_text(encoding="utf-8")))
    for path in FILES:
        for name in re.findall(r"(?:icon\(\"|icons\.svg#)([a-z]+)", path.read_text(encoding="utf-8")):
            assert name in drawn, f"{path.name} names the icon {name}"


@pytest.mark.parametrize(("name", "palette"), [("LIGHT", LIGHT), ("DARK", DARK)])
def test_the_colours_are_those_of_every_other_picture(name: str, palette: Palette) -> None:
    text = (FOLDER / "palette.js").read_text(encoding="utf-8")
    found = re.search(rf"export const {name} = (\{{.*?\}});", text, re.DOTALL)
    assert found is not None
    values = json.loads(re.sub(r",\s*}", "}", re.sub(r"(\w+):", r'"\1":', found[1])))
    assert values | {"clues": tuple(values["clues"])} == asdict(palette)


def test_the_scale_of_chances_is_that_of_the_terminal() -> None:
    text = (FOLDER / "palette.js").read_text(encoding="utf-8")
    found = re.search(r"export const SCALE = (\[.*?\]);", text)
    assert found is not None
    assert tuple(json.loads(found[1])) == _SCALE
