"""Writes `src/sapper/pictures/glyphs.npz`: the shapes that pictures are compared with.

``python scripts/glyphs.py`` draws the digits in every font of this machine and the marks in forms of our own, brings
them to one size as the reader does, and keeps the shapes that differ from those already kept.
"""

from __future__ import annotations

import math
import sys
from itertools import product
from pathlib import Path

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from sapper.pictures.glyphs import KINDS, TARGET, normalise, similarities  # noqa: E402

FOLDERS = (Path("/usr/share/fonts"), Path(mpl.get_data_path(), "fonts", "ttf"))
# Fonts without ordinary digits.
ODD = ("emoji", "symbol", "dingbat", "sizone", "siztwo", "sizthr", "sizfour", "sizfive", "nonuni", "lastresort", "cmex",
       "cmsy", "cmmi", "d050000l", "z003", "dsegweather")  # fmt: skip
# Fonts with flags and mines.
SYMBOL_FONTS = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "NotoSansSymbols",
    "NotoColorEmoji",
    "FreeSerif.ttf",
    "FreeMono.ttf",
)
FLAG_SYMBOLS, MINE_SYMBOLS = (
    "\u2690\u2691\U0001f6a9\U0001f3f4\U0001f3f3\U0001f3c1",
    "\U0001f4a3\u2738\u2739\u273a\u2731\u2742\u25cf\u263c",
)
SIZES = (9, 12, 18, 40)  # of the font in pixels; small ones look different
SCALE = 10
ALIKE = 0.965  # shapes that are more similar than this are one
MOST = 130  # of a kind


def font_files() -> list[Path]:
    """Return the fonts of this machine whose digits look like digits."""
    files = [file for folder in FOLDERS for file in sorted(folder.rglob("*")) if file.suffix in (".ttf", ".otf", ".t1")]
    latin = [file for file in files if not ("noto" in file.name.lower() and not _is_latin(file.name))]
    return [file for file in latin if not any(word in file.name.lower() for word in ODD)]


def _is_latin(name: str) -> bool:
    return name.split("-")[0] in ("NotoSans", "NotoSerif", "NotoSansMono", "NotoSansDisplay", "NotoSerifDisplay")


def draw_character(character: str, file: Path, size: int) -> NDArray[np.float32] | None:
    """Return the ink of a character, from 0 to 1."""
    try:
        font = ImageFont.truetype(str(file), size)
        image = Image.new("L", (3 * size, 3 * size), 0)
        ImageDraw.Draw(image).text((size, size // 2), character, 255, font=font)
    except OSError:
        return None
    ink = (np.asarray(image) / 255).astype(np.float32)
    return ink if ink.max() > 0.4 and (ink > 0.4).sum() >= 4 else None


def symbols(characters: str) -> list[NDArray[np.float32]]:
    """Return characters that stand for flags or mines, in the fonts that have them; emoji without their colour."""
    found = []
    for file in (file for folder in FOLDERS for file in sorted(folder.rglob("*.ttf"))):
        if not any(word in file.name for word in SYMBOL_FONTS):
            continue
        font = ImageFont.truetype(str(file), 109)  # the one size of emoji
        none = _draw_symbol(font, "\uffff")
        for character in characters:
            for ground in (40, 150, 230):
                ink = _draw_symbol(font, character, ground)
                if ink.max() > 0.1 and not np.array_equal(_draw_symbol(font, character), none):
                    found.append(ink / ink.max())
    return found


def _draw_symbol(font: ImageFont.FreeTypeFont, character: str, ground: int = 230) -> NDArray[np.float32]:
    image = Image.new("RGB", (200, 200), (ground,) * 3)
    colour = (20, 20, 20) if ground > 100 else (235, 235, 235)
    ImageDraw.Draw(image).text((30, 30), character, colour, font=font, embedded_color=True)
    ink = np.abs(np.asarray(image, dtype=np.float32) - ground).max(axis=2) / 255
    return np.asarray(ink, dtype=np.float32)


def flags() -> list[NDArray[np.float32]]:
    """Return flags of many forms: to either side, pointed or square, with and without a foot or a hill."""
    forms = product(
        (-1, 1), ("pointed", "square", "swallow", "wave"), ("none", "line", "steps"), (0.36, 0.5), (0.04, 0.1)
    )
    return [_draw_flag(*form) for form in forms]


def _draw_flag(side: int, cloth: str, foot: str, height: float, pole: float) -> NDArray[np.float32]:
    size = 16 * SCALE
    image = Image.new("L", (size, size), 0)
    draw = ImageDraw.Draw(image)
    middle = 0.5 * size if foot != "none" else (0.5 - 0.22 * side) * size
    half = pole * size / 2
    draw.rectangle((middle - half, 0.1 * size, middle + half, 0.9 * size), fill=255)
    top, low, tip = 0.1 * size, (0.1 + height) * size, middle + side * 0.5 * size
    if cloth == "pointed":
        points = [(middle, top), (tip, (top + low) / 2), (middle, low)]
    elif cloth == "square":
        points = [(middle, top), (tip, top), (tip, low), (middle, low)]
    elif cloth == "swallow":
        points = [(middle, top), (tip, top), (middle + side * 0.33 * size, (top + low) / 2), (tip, low), (middle, low)]
    else:
        steps = [at / 12 for at in range(13)]
        wave = [(middle + side * 0.5 * size * at, 0.05 * size * math.sin(6.3 * at)) for at in steps]
        points = [(x, top + y) for x, y in wave] + [(x, low + y) for x, y in reversed(wave)]
    draw.polygon(points, fill=255)
    if foot != "none":
        draw.rectangle((0.2 * size, 0.84 * size, 0.8 * size, 0.92 * size), fill=255)
    if foot == "steps":
        draw.rectangle((0.33 * size, 0.74 * size, 0.67 * size, 0.84 * size), fill=255)
    return (np.asarray(image) / 255).astype(np.float32)


def mines() -> list[NDArray[np.float32]]:
    """Return mines of many forms: discs with and without spikes, and with a fuse."""
    found = []
    for radius in (0.22, 0.3, 0.38):
        for spikes in (0, 4, 8):
            for width in (0.05, 0.1):
                for light in (False, True):
                    size = 16 * SCALE
                    image = Image.new("L", (size, size), 0)
                    draw = ImageDraw.Draw(image)
                    r = radius * size
                    for at in range(spikes):
                        angle = 2 * math.pi * at / spikes
                        end = (size / 2 + 0.46 * size * math.cos(angle), size / 2 + 0.46 * size * math.sin(angle))
                        draw.line((size / 2, size / 2, *end), fill=255, width=round(width * size))
                    draw.ellipse((size / 2 - r, size / 2 - r, size / 2 + r, size / 2 + r), fill=255)
                    if light:
                        q = 0.3 * r
                        x = size / 2 - 0.35 * r
                        draw.ellipse((x - q, x - q, x + q, x + q), fill=40)
                    if spikes == 0:
                        line = (size / 2 + r * 0.5, size / 2 - r * 0.7, size / 2 + r * 1.3, size / 2 - r * 1.6)
                        draw.line(line, fill=255, width=round(width * size))
                    found.append((np.asarray(image) / 255).astype(np.float32))
    return found


def choose(shapes: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return the shapes that differ, the most different first."""
    all_shapes = np.stack(shapes)
    kept = [0]
    nearest = similarities(all_shapes, all_shapes[:1])[:, 0]
    while len(kept) < MOST and nearest.min() < ALIKE:
        kept.append(int(np.argmin(nearest)))
        nearest = np.maximum(nearest, similarities(all_shapes, all_shapes[kept[-1:]])[:, 0])
    return all_shapes[kept]


def main() -> None:
    """Draw, choose and write."""
    shapes: dict[str, list[NDArray[np.float32]]] = {kind: [] for kind in KINDS}
    files = font_files()
    for file in files:
        for kind in "12345678?":
            for size in SIZES:
                ink = draw_character(kind, file, size)
                normal = None if ink is None else normalise(ink)
                if normal is not None:
                    shapes[kind].append(normal)
    for kind, drawn in (("F", flags() + symbols(FLAG_SYMBOLS)), ("*", mines() + symbols(MINE_SYMBOLS))):
        for ink in drawn:
            normal = normalise(ink)
            assert normal is not None
            shapes[kind].append(normal)
    chosen = {kind: choose(found) for kind, found in shapes.items()}
    kinds = np.concatenate([np.full(len(found), KINDS.index(kind), np.uint8) for kind, found in chosen.items()])
    values = np.concatenate([np.round(found * 255).astype(np.uint8) for found in chosen.values()])
    np.savez_compressed(TARGET, kinds=kinds, shapes=values)
    counts = ", ".join(f"{kind}: {len(found)}" for kind, found in chosen.items())
    print(f"{len(files)} fonts; kept {counts}; {TARGET.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
