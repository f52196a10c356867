"""The colours of a board: what stands on a cell can be read, and cells can be distinguished by lightness alone."""

from __future__ import annotations

from importlib.resources import files

import pytest

from sapper.draw.palette import (
    DARK,
    DARK_GROUND,
    INK_ON_SCALE,
    LIGHT,
    LIGHT_GROUND,
    MINE_COLOUR,
    SAFE_COLOUR,
    SCALE,
    Ground,
    Palette,
)

TEXT, SIGN = 4.5, 3.0  # the least contrasts that WCAG 2.2 asks for


def luminance(colour: str) -> float:
    parts = [value / 255 for value in bytes.fromhex(colour[1:])]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_what_stands_on_a_cell_can_be_read(palette: Palette) -> None:
    for clue in palette.clues[1:]:
        assert contrast(clue, palette.open) >= TEXT, clue
    assert contrast(palette.tile_ink, palette.hidden) >= TEXT
    assert contrast(palette.ink, palette.edge) >= TEXT
    assert contrast(palette.faint, palette.edge) >= TEXT
    for sign in (palette.flag, palette.mine, palette.ink, palette.open):
        assert contrast(sign, palette.hidden) >= SIGN, sign
    assert contrast(palette.tile_ink, palette.exploded) >= SIGN


def test_chances_and_certain_cells_can_be_read() -> None:
    assert all(contrast(INK_ON_SCALE, colour) >= TEXT for colour in SCALE)
    assert all(contrast("#ffffff", colour) >= TEXT for colour in (SAFE_COLOUR, MINE_COLOUR))


@pytest.mark.parametrize(
    ("ground", "palette", "at"), [(LIGHT_GROUND, LIGHT, 0), (DARK_GROUND, DARK, 1)], ids=["light", "dark"]
)
def test_documents_have_the_ground_of_the_web_app_and_can_be_read(ground: Ground, palette: Palette, at: int) -> None:
    style = (files("sapper.web") / "static" / "styles" / "base.css").read_text("utf-8").split(":root {")[at + 1]
    names = {"paper": "page", "card": "card", "line": "line", "ink": "ink", "faint": "soft", "accent": "accent"}
    for name, variable in names.items():
        assert f"--{variable}: {getattr(ground, name)};" in style
    for ink in (ground.ink, ground.faint, ground.accent, palette.faint):
        assert contrast(ink, ground.paper) >= TEXT
