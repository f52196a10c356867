"""Pictures of boards in skins of our own, with what they show: for tests of `sapper.pictures` and its benchmark.

A skin is a way to draw; `draw_picture` makes all its random choices (colours, fonts, gaps) from one generator, so a
seed is a picture. What is drawn may be put on a desktop, scaled, blurred by JPEG and covered with noise.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

import sapper

Colour = tuple[int, int, int]
_MATPLOTLIB = find_spec("matplotlib")  # there wherever the tests run, and slow to import
assert _MATPLOTLIB is not None
FONT_FOLDER = Path(str(_MATPLOTLIB.origin)).parent / "mpl-data" / "fonts" / "ttf"
FONTS = (
    "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansMono.ttf",
    "DejaVuSansMono-Bold.ttf", "STIXGeneral.ttf", "STIXGeneralBol.ttf", "cmb10.ttf", "cmss10.ttf", "Pillow",
)  # fmt: skip
CLASSIC = ("#0000ff", "#008000", "#ff0000", "#000080", "#800000", "#008080", "#000000", "#808080")
BRIGHT = ("#7cc7ff", "#66c266", "#ff7788", "#ee88ff", "#ddaa22", "#66cccc", "#999999", "#d0d8e0")
OLIVE = ("#1976d2", "#388e3c", "#d32f2f", "#7b1fa2", "#ff8f00", "#0097a7", "#424242", "#9e9e9e")


def rgb(colour: str) -> Colour:
    """Return the three numbers of a colour such as #0000ff."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@dataclass(frozen=True)
class Skin:
    """How cells look. Colours of hidden and open cells alternate as on a chessboard if there are two."""

    hidden: tuple[str, ...] = ("#c0c0c0",)
    open: tuple[str, ...] = ("#c0c0c0",)
    digits: tuple[str, ...] = CLASSIC
    grounds: tuple[str, ...] = ()  # of clues 0 … 8, instead of `open`
    page: str = "#c0c0c0"
    line: str | None = "#808080"  # around every cell
    open_line: bool = True  # whether open cells have it too
    gap: float = 0.0  # between cells, of the pitch
    rounding: float = 0.0
    bevel: float = 0.0  # of the pitch; raised if hidden
    gradient: int = 0  # brighter above, darker below, on hidden cells
    open_gradient: int = 0
    stipple: int = 0  # amplitude of a texture that is the same on each hidden cell
    wash: int = 0  # a gradient across the whole board
    glyph: float = 0.62  # height of digits, of the pitch
    flag: str = "pole"
    flag_colour: str = "#e00000"
    wrong: str = "crossed flag"  # or "crossed mine" or "red ground": a wrong flag after the end
    exploded: str = "red ground"  # or "red mine"
    question: str = "letter"  # or "small, on a flag"
    bold: bool = False
    fonts: tuple[str, ...] = FONTS
    frame: int = 0


SKINS: dict[str, Skin] = {
    "bevelled": Skin(bevel=0.12, line="#808080", open_line=True, bold=True, frame=6, wrong="crossed mine"),
    "raised": Skin(hidden=("#d4d4d4",), open=("#c8c8c8",), page="#eeeeee", line="#8c8c8c", bevel=0.08, frame=2),
    "chequered": Skin(
        hidden=("#aad751", "#a2d149"), open=("#e5c29f", "#d7b899"), page="#4a752c", line=None, digits=OLIVE,
        flag="pennant", flag_colour="#f23607", wrong="red ground",
    ),
    "dark": Skin(
        hidden=("#4d545c",), open=("#2e3439",), page="#1e2226", line="#22262a", gap=0.04, digits=BRIGHT,
        flag_colour="#ff5566", wrong="crossed mine",
    ),
    "coloured grounds": Skin(
        hidden=("#babdb6",), grounds=("#dededc", "#ddfac3", "#ecedbf", "#eddab4", "#edc38a", "#f7a1a2", "#fea785",
        "#ff7d60", "#ff323c"), page="#f2f1f0", line=None, gap=0.07, digits=("#2e3436",) * 8, rounding=0.05,
        wrong="red ground", exploded="red mine",
    ),
    "gradients": Skin(
        hidden=("#8ca8c8",), open=("#e8ecf0",), page="#dfe3e8", line="#60788f", gradient=36, open_gradient=8,
        rounding=0.18, gap=0.03,
    ),
    "paper": Skin(
        hidden=("#6f8fc0",), open=("#ffffff",), page="#ffffff", line="#b8c4d8", digits=OLIVE, flag="banner",
        flag_colour="#ffe060", exploded="red mine",
    ),
    "neon": Skin(
        hidden=("#101018",), open=("#000000",), page="#000000", line="#3030a0", digits=BRIGHT, flag="pennant",
        flag_colour="#ff20a0", bevel=0.05,
    ),
    "black and white": Skin(
        hidden=("#b0b0b0",), open=("#ffffff",), page="#ffffff", line="#000000", stipple=40, digits=("#000000",) * 8,
        flag_colour="#000000",
    ),
    "tiles": Skin(
        hidden=("#f4a259",), open=("#fbf2e3",), page="#fff8ee", line=None, gap=0.12, rounding=0.2, digits=OLIVE,
        flag="banner", flag_colour="#2f4f9f", question="small, on a flag", wrong="crossed mine",
    ),
    "no lines": Skin(
        hidden=("#9bbbe0",), open=("#f7f7f7",), page="#dcdcdc", line="#7a96b8", open_line=False, rounding=0.1,
    ),
    "meadow": Skin(
        hidden=("#4f8f3a",), open=("#d8c79a",), page="#7a5c3a", line="#3b6b2c", stipple=16, digits=CLASSIC,
        flag_colour="#d01818",
    ),
    "washed": Skin(
        hidden=("#7090c0",), open=("#c8d4e8",), page="#5878a8", line="#405880", wash=45, bevel=0.05,
    ),
    "inverted": Skin(
        hidden=("#f0f0f0",), open=("#707880",), page="#505860", line="#404850", digits=("#ffffff",) * 8,
        flag_colour="#3050d0", flag="pennant",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """A picture and what it shows."""

    image: Image.Image
    glyphs: tuple[str, ...]  # rows, as a position, with ? question mark, X wrong flag, E exploded mine
    pitch: float
    corner: tuple[float, float]  # x, y

    @property
    def position(self) -> str:
        """The position in Sapper's text, without the number of mines."""
        return "/".join(self.glyphs).translate(str.maketrans("?XE", "#F*"))

    def data(self, kind: str = "PNG") -> bytes:
        """Return the bytes of a file."""
        stream = io.BytesIO()
        self.image.save(stream, kind)
        return stream.getvalue()


@dataclass(frozen=True)
class Damage:
    """What happens to a picture after the program has drawn it."""

    scale: float = 1.0
    jpeg: int | None = None
    noise: float = 0.0
    blur: float = 0.0
    desktop: bool = False


def play_position(rng: np.random.Generator, rows: int, cols: int, n_mines: int, *, share: float = 0.6) -> list[str]:
    """Return the glyphs of a game in progress, or lost now and then, with flags and question marks; won if share is 1.

    When a game is lost, all mines are shown and some flags turn out to be wrong.
    """
    layout = sapper.generate_layout(f"{rows}x{cols}/{n_mines} first-opening", int(rng.integers(2**31)), first=(0, 0))
    game = sapper.Game(f"{rows}x{cols}/{n_mines} first-any", layout=layout)
    game.open(0, 0)
    safe = np.argwhere(~layout.mines)
    goal = int(share * len(safe))
    for row, col in rng.permutation(safe).tolist():
        if int((game.observation.cells >= 0).sum()) >= goal:
            break
        # Most moves lie beside open cells, as in a real game.
        near = game.observation.cells[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
        if game.observation.cells[row, col] < 0 and ((near >= 0).any() or rng.random() < 0.03):
            game.open(row, col)
    cells = game.observation.cells
    rows_of = [[str(code) if code >= 0 else "#" for code in row] for row in cells.tolist()]
    lost = share < 1 and rng.random() < 0.12
    for row, col in np.argwhere(cells < 0).tolist():
        near = cells[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
        if layout.mines[row, col] and (share == 1 or ((near >= 0).any() and rng.random() < 0.5)):
            rows_of[row][col] = "F"
        elif layout.mines[row, col] and lost:
            rows_of[row][col] = "*"
        elif lost and (near >= 0).any() and rng.random() < 0.08:
            rows_of[row][col] = "X"
        elif rng.random() < 0.01:
            rows_of[row][col] = "?"
    if lost:
        mines = [(row, col) for row, line in enumerate(rows_of) for col, one in enumerate(line) if one == "*"]
        if mines:
            row, col = mines[int(rng.integers(len(mines)))]
            rows_of[row][col] = "E"
    return ["".join(row) for row in rows_of]


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    if name == "Pillow":
        return ImageFont.load_default(size)
    return ImageFont.truetype(name if "/" in name else str(FONT_FOLDER / name), size)


def _tint(colour: Colour, by: float) -> Colour:
    red, green, blue = (int(min(255, max(0, part + by))) for part in colour)
    return red, green, blue


def _varied(skin: Skin, rng: np.random.Generator) -> Skin:
    """Return a skin whose colours are a little different, as every program's are."""

    def vary(colour: str) -> str:
        moved = _tint(rgb(colour), 0.0)
        return "#" + "".join(f"{min(255, max(0, part + int(rng.integers(-8, 9)))):02x}" for part in moved)

    hidden, opened = tuple(map(vary, skin.hidden)), tuple(map(vary, skin.open))
    return replace(
        skin,
        hidden=hidden,
        open=hidden if skin.hidden == skin.open else opened,  # one colour stays one
        grounds=tuple(map(vary, skin.grounds)),
        gap=skin.gap * rng.uniform(0.7, 1.3),
        glyph=skin.glyph * rng.uniform(0.85, 1.1),
    )


class _Painter:
    """Draws a board cell by cell; shapes at four times the size, digits as the font's hints want them."""

    SCALE = 4

    def __init__(self, skin: Skin, pitch: float, font: str, rng: np.random.Generator) -> None:
        self.skin, self.pitch, self.font, self.rng = skin, pitch, font, rng
        size = max(1, round(pitch))
        self.texture = rng.uniform(-skin.stipple, skin.stipple, (size + 2, size + 2, 1))
        self.tiles: dict[tuple[str, int, int, int], Image.Image] = {}

    def tile(self, glyph: str, parity: int, width: int, height: int) -> Image.Image:
        """Return the picture of a cell, the same for equal cells."""
        key = (glyph, parity, width, height)
        if key not in self.tiles:
            self.tiles[key] = self._draw(*key)
        return self.tiles[key]

    def _draw(self, glyph: str, parity: int, width: int, height: int) -> Image.Image:
        skin, scale = self.skin, self.SCALE
        is_open = glyph in "012345678*E"
        size = (width * scale, height * scale)
        image = Image.new("RGB", size, rgb(skin.page))
        ground = rgb(self._ground(glyph, parity, is_open))
        gap = skin.gap * self.pitch * scale / 2
        box = (gap, gap, size[0] - 1 - gap, size[1] - 1 - gap)
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).rounded_rectangle(box, skin.rounding * self.pitch * scale, fill=255)
        slope = skin.open_gradient if is_open else skin.gradient
        ramp = np.linspace(slope, -slope, size[1])[:, None, None]
        face = np.clip(np.full((size[1], size[0], 3), ground, dtype=float) + ramp, 0, 255)
        image.paste(Image.fromarray(face.astype(np.uint8)), (0, 0), mask)
        draw = ImageDraw.Draw(image)
        if skin.bevel and not is_open:
            self._bevel(draw, size, ground)
        if skin.line and (not is_open or skin.open_line):
            line = scale * max(1, round(self.pitch / 40))
            if skin.rounding:
                draw.rounded_rectangle(box, skin.rounding * self.pitch * scale, outline=rgb(skin.line), width=line)
            elif not skin.bevel or is_open:
                draw.rectangle((0, 0, size[0], line - 1), fill=rgb(skin.line))
                draw.rectangle((0, 0, line - 1, size[1]), fill=rgb(skin.line))
        self._mark(draw, size, glyph)
        image = image.resize((width, height), Image.Resampling.BOX)
        if skin.stipple and not is_open:
            values = np.asarray(image, dtype=float) + self.texture[:height, :width]
            image = Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))
        if glyph in "12345678?":
            self._write(image, glyph)
        return image

    def _mark(self, draw: ImageDraw.ImageDraw, size: tuple[int, int], glyph: str) -> None:
        w, h = size
        crossed = glyph == "X" and self.skin.wrong.startswith("crossed")
        if glyph in "*E" or (crossed and self.skin.wrong == "crossed mine"):
            self._mine(draw, size, glyph)
        elif glyph in "FX" or (glyph == "?" and self.skin.question == "small, on a flag"):
            self._flag(draw, size)
        if crossed:
            for line in (((0.15 * w, 0.15 * h), (0.85 * w, 0.85 * h)), ((0.85 * w, 0.15 * h), (0.15 * w, 0.85 * h))):
                draw.line(line, fill=(200, 0, 0), width=max(1, w // 14))

    def _ground(self, glyph: str, parity: int, is_open: bool) -> str:
        skin = self.skin
        if (glyph == "E" and skin.exploded == "red ground") or (glyph == "X" and skin.wrong == "red ground"):
            return "#e02020"
        if is_open and skin.grounds:
            return skin.grounds[int(glyph) if glyph.isdigit() else 0]
        colours = skin.open if is_open else skin.hidden
        return colours[parity % len(colours)]

    def _bevel(self, draw: ImageDraw.ImageDraw, size: tuple[int, int], ground: Colour) -> None:
        (w, h), deep = size, max(self.SCALE, round(self.skin.bevel * self.pitch) * self.SCALE)
        light, dark = _tint(ground, 60), _tint(ground, -64)
        draw.polygon([(0, 0), (w, 0), (w - deep, deep), (deep, deep), (deep, h - deep), (0, h)], fill=light)
        draw.polygon([(w, h), (0, h), (deep, h - deep), (w - deep, h - deep), (w - deep, deep), (w, 0)], fill=dark)

    def _flag(self, draw: ImageDraw.ImageDraw, size: tuple[int, int]) -> None:
        w, h = size
        colour, pole = rgb(self.skin.flag_colour), (20, 20, 20) if sum(rgb(self.skin.hidden[0])) > 200 else (230,) * 3
        x = 0.52 * w if self.skin.flag == "pole" else 0.36 * w
        draw.rectangle((x, 0.22 * h, x + 0.06 * w, 0.76 * h), fill=pole)
        if self.skin.flag == "pole":
            draw.polygon([(x + 0.05 * w, 0.2 * h), (x + 0.05 * w, 0.5 * h), (0.25 * w, 0.35 * h)], fill=colour)
            draw.rectangle((0.3 * w, 0.7 * h, 0.76 * w, 0.78 * h), fill=pole)
        elif self.skin.flag == "pennant":
            draw.polygon([(x, 0.2 * h), (x, 0.54 * h), (0.76 * w, 0.37 * h)], fill=colour)
        else:
            draw.rectangle((x, 0.22 * h, 0.74 * w, 0.5 * h), fill=colour)

    def _mine(self, draw: ImageDraw.ImageDraw, size: tuple[int, int], glyph: str) -> None:
        w, h = size
        dark = sum(rgb(self.skin.open[0])) < 200
        colour: Colour = (230, 230, 230) if dark else (10, 10, 10)
        if glyph == "E" and self.skin.exploded == "red mine":
            colour = (210, 0, 0)
        draw.ellipse((0.28 * w, 0.28 * h, 0.72 * w, 0.72 * h), fill=colour)
        thick = max(1, w // 14)
        draw.line((0.16 * w, 0.5 * h, 0.84 * w, 0.5 * h), fill=colour, width=thick)
        draw.line((0.5 * w, 0.16 * h, 0.5 * w, 0.84 * h), fill=colour, width=thick)
        draw.line((0.26 * w, 0.26 * h, 0.74 * w, 0.74 * h), fill=colour, width=thick)
        draw.line((0.74 * w, 0.26 * h, 0.26 * w, 0.74 * h), fill=colour, width=thick)
        draw.ellipse((0.38 * w, 0.38 * h, 0.48 * w, 0.48 * h), fill=(255, 255, 255) if not dark else (90, 90, 90))

    def _write(self, image: Image.Image, glyph: str) -> None:
        skin = self.skin
        on_flag = glyph == "?" and skin.question == "small, on a flag"
        size = max(7, round(self.pitch * skin.glyph * (1.0 if on_flag else 1.38)))
        font = _font(self.font, size)
        colour = rgb(skin.digits[int(glyph) - 1]) if glyph != "?" else rgb(skin.digits[6])
        stroke = 1 if skin.bold and "Bold" not in self.font and self.pitch >= 20 else 0
        draw = ImageDraw.Draw(image)
        middle = (image.width // 2, image.height // 2 + (skin.line is not None))
        if on_flag:
            middle = (round(0.68 * image.width), round(0.6 * image.height))
        left, top, right, bottom = draw.textbbox((0, 0), glyph, font=font, stroke_width=stroke)
        draw.text(
            (middle[0] - (left + right) // 2, middle[1] - (top + bottom) // 2), glyph, colour, font=font,
            stroke_width=stroke,
        )  # fmt: skip


def draw_picture(
    glyphs: list[str], skin: Skin, pitch: float, rng: np.random.Generator, damage: Damage | None = None
) -> Picture:
    """Draw a board in a skin, ``pitch`` pixels a cell, inside a window, and damage the picture."""
    damage = damage or Damage()
    skin = _varied(skin, rng)
    font = str(rng.choice(skin.fonts))
    rows, cols = len(glyphs), len(glyphs[0])
    painter = _Painter(skin, pitch, font, rng)
    xs = [round(col * pitch) for col in range(cols + 1)]
    ys = [round(row * pitch) for row in range(rows + 1)]
    board = Image.new("RGB", (xs[-1], ys[-1]), rgb(skin.page))
    for row, line in enumerate(glyphs):
        for col, glyph in enumerate(line):
            tile = painter.tile(glyph, (row + col) % 2, xs[col + 1] - xs[col], ys[row + 1] - ys[row])
            board.paste(tile, (xs[col], ys[row]))
    if skin.wash:
        slope = np.add.outer(np.linspace(-1, 1, ys[-1]), np.linspace(-1, 1, xs[-1]))[:, :, None] * skin.wash / 2
        board = Image.fromarray(np.clip(np.asarray(board, dtype=float) + slope, 0, 255).astype(np.uint8))
    image, corner = _window(board, skin, rng)
    if damage.desktop:
        image, corner = _desktop(image, corner, rng)
    if damage.scale != 1.0:
        size = (round(image.width * damage.scale), round(image.height * damage.scale))
        image = image.resize(size, Image.Resampling.BICUBIC)
        pitch, corner = pitch * damage.scale, (corner[0] * damage.scale, corner[1] * damage.scale)
    if damage.blur:
        image = image.filter(ImageFilter.GaussianBlur(damage.blur))
    if damage.noise:
        values = np.asarray(image, dtype=float)
        image = Image.fromarray(np.clip(values + rng.normal(0, damage.noise, values.shape), 0, 255).astype(np.uint8))
    if damage.jpeg is not None:
        stream = io.BytesIO()
        image.save(stream, "JPEG", quality=damage.jpeg)
        image = Image.open(stream)
        image.load()
    return Picture(image, tuple(glyphs), pitch, corner)


def _window(board: Image.Image, skin: Skin, rng: np.random.Generator) -> tuple[Image.Image, tuple[float, float]]:
    """Put a board into a window with a bar above it, in which counters and words stand."""
    margin, bar = int(rng.integers(0, 24)), int(rng.integers(24, 60))
    size = (board.width + 2 * margin, board.height + bar + margin)
    image = Image.new("RGB", size, rgb(skin.page))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0], min(22, bar)), fill=(60, 64, 70))
    draw.text((6, 4), "Board  Help", (235, 235, 235), font=_font("DejaVuSans.ttf", 12))
    if skin.frame:
        box = (margin - skin.frame, bar - skin.frame, size[0] - margin + skin.frame, size[1] - margin + skin.frame)
        draw.rectangle(box, outline=(128, 128, 128), width=max(1, skin.frame // 2))
    image.paste(board, (margin, bar))
    return image, (margin, bar)


def _desktop(
    window: Image.Image, corner: tuple[float, float], rng: np.random.Generator
) -> tuple[Image.Image, tuple[float, float]]:
    """Put a window onto a desktop with a background, another window of text, and icons."""
    width, height = window.width + int(rng.integers(120, 600)), window.height + int(rng.integers(80, 300))
    first, second = rng.integers(0, 256, 3), rng.integers(0, 256, 3)
    slope = np.linspace(0, 1, height)[:, None, None]
    values = np.broadcast_to((1 - slope) * first + slope * second, (height, width, 3))
    image = Image.fromarray(values.astype(np.uint8))
    draw = ImageDraw.Draw(image)
    left = int(rng.integers(0, width - window.width))
    draw.rectangle((left + 60, 20, width - 20, height - 60), fill=(252, 252, 252), outline=(90, 90, 90))
    for at in range(40, height - 90, 18):
        words = "".join(rng.choice(list("etaoin shrdlu ")) for _ in range(60))
        draw.text((left + 80, at), words, (40, 40, 40), font=_font("DejaVuSans.ttf", 13))
    for at in range(4):
        draw.rounded_rectangle((12, 20 + 76 * at, 52, 60 + 76 * at), 6, fill=tuple(rng.integers(0, 256, 3).tolist()))
        draw.text((8, 64 + 76 * at), "Folder", (255, 255, 255), font=_font("DejaVuSans.ttf", 11))
    top = int(rng.integers(0, height - window.height))
    image.paste(window, (left, top))
    return image, (corner[0] + left, corner[1] + top)


def choose_damage(rng: np.random.Generator) -> Damage:
    """Return damage as pictures that people send have it; half of them have none."""
    kinds: list[Callable[[], Damage]] = [
        lambda: Damage(), lambda: Damage(desktop=True), lambda: Damage(jpeg=int(rng.integers(70, 95))),
        lambda: Damage(scale=float(rng.uniform(0.75, 1.6))), lambda: Damage(noise=4.0),
        lambda: Damage(desktop=True, jpeg=85), lambda: Damage(blur=0.5),
    ]  # fmt: skip
    return kinds[int(rng.integers(len(kinds)))]() if rng.random() < 0.6 else Damage()
