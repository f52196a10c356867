"""Cells cut out of a picture, and which of several grids their content fits: cells of one board nearly repeat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.pictures.grid import Grid
    from sapper.pictures.image import Rgb

    Patches = NDArray[np.float32]  # (rows, cols, size, size, 3)

SIZE = 32  # of the cells that are read, in pixels, whatever they are in the picture
_SMALL = 12  # of the cells that are compared with each other
_PAD = 16  # rows and columns around a grid that may belong to the board
_TWIN = 11.0  # root of the mean squared difference of cells that show the same
_RIM_TWIN = 6.5
_GROUND = 8.0  # by which a ground may differ from itself
_MOST_COMPARED = 250
_N_COMPARED = 6  # grids
_LEAST_INSIDE, _LEAST_OUTSIDE = 0.2, 0.75  # of the cells of a row that have a twin
_BLANK, _EVEN, _DRAWN = 8.0, 24.0, 40.0  # differences of colour within a cell
_MOST_BLANK = 3  # rows between others


def cut(rgb: Rgb, grid: Grid, size: int = SIZE) -> Patches:
    """Return the cells of a grid, each scaled to ``size``."""
    from PIL import Image

    height, width = rgb.shape[:2]
    left, top = grid.x, grid.y
    right, bottom = left + grid.cols * grid.pitch_x, top + grid.rows * grid.pitch_y
    # A grid may reach beyond the picture: what is not there looks like its edge.
    low_x, low_y = int(np.floor(min(left, 0))), int(np.floor(min(top, 0)))
    over_x, over_y = int(np.ceil(max(right - width, 0))), int(np.ceil(max(bottom - height, 0)))
    if low_x or low_y or over_x or over_y:
        rgb = np.pad(rgb, ((-low_y, over_y), (-low_x, over_x), (0, 0)), mode="edge")
    box = (left - low_x, top - low_y, right - low_x, bottom - low_y)
    x_most, y_most = rgb.shape[1], rgb.shape[0]
    clipped = (max(0.0, box[0]), max(0.0, box[1]), min(x_most, box[2]), min(y_most, box[3]))
    image = Image.fromarray(rgb).resize((grid.cols * size, grid.rows * size), Image.Resampling.BILINEAR, clipped)
    values = np.asarray(image, dtype=np.float32)
    return np.ascontiguousarray(values.reshape(grid.rows, size, grid.cols, size, 3).swapaxes(1, 2))


def choose_grids(rgb: Rgb, grids: list[Grid]) -> list[Grid]:
    """Return the grids by how well their cells repeat as well as by their lines, with rows that were missing."""
    found: list[tuple[Grid, Grid]] = []
    for grid in _distinct(grids):
        grown, share = _fit_extent(rgb, grid)
        if grown is None:
            continue
        scored = replace(grown, score=grown.score * share**2)
        if not any(covers(scored, other) for other, _ in found):
            found.append((scored, replace(grid, score=scored.score)))
    # By the area that makes sense: texture has lines at parts of the pitch, and many more of them.
    found.sort(key=lambda pair: -pair[0].merit)
    # What was added to the likeliest may be a row of buttons: its lines alone are another version.
    by_lines = [lines for grown, lines in found[:1] if (grown.rows, grown.cols) != (lines.rows, lines.cols)]
    return [grown for grown, _ in found[:1]] + by_lines + [grown for grown, _ in found[1:]]


def _distinct(grids: list[Grid]) -> list[Grid]:
    """Return the best grids that differ in more than a row."""
    found: list[Grid] = []
    for grid in grids:
        if not any(covers(grid, other) for other in found):
            found.append(grid)
        if len(found) == _N_COMPARED:
            break
    return found


def covers(one: Grid, other: Grid) -> bool:
    """Whether two grids are the same lattice, at about the same place."""
    if abs(one.pitch_x - other.pitch_x) > 0.02 * one.pitch_x or abs(one.pitch_y - other.pitch_y) > 0.02 * one.pitch_y:
        return False
    middle_x, middle_y = one.x + one.cols * one.pitch_x / 2, one.y + one.rows * one.pitch_y / 2
    off_x, off_y = (middle_x - other.x) / other.pitch_x, (middle_y - other.y) / other.pitch_y
    if not (0 <= off_x <= other.cols and 0 <= off_y <= other.rows):
        return False
    off_x -= one.cols / 2
    off_y -= one.rows / 2
    return max(abs(off_x - round(off_x)), abs(off_y - round(off_y))) < 0.2


def _fit_extent(rgb: Rgb, grid: Grid) -> tuple[Grid | None, float]:
    """Drop rows and columns that show what no other does, and add those that do; return the share of twins, too."""
    height, width = rgb.shape[:2]
    # As far as the picture reaches, and a little further: a board may be cut off.
    pads = [
        min(_PAD, max(0, int(room / pitch + 0.2)))
        for room, pitch in (
            (grid.y, grid.pitch_y), (grid.x, grid.pitch_x),
            (height - grid.y - grid.rows * grid.pitch_y, grid.pitch_y),
            (width - grid.x - grid.cols * grid.pitch_x, grid.pitch_x),
        )
    ]  # fmt: skip
    around = replace(
        grid, x=grid.x - pads[1] * grid.pitch_x, y=grid.y - pads[0] * grid.pitch_y,
        rows=grid.rows + pads[0] + pads[2], cols=grid.cols + pads[1] + pads[3],
    )  # fmt: skip
    box = [pads[0], pads[1], pads[0] + grid.rows, pads[1] + grid.cols]  # top, left, bottom, right
    twins = _Twins(cut(rgb, around, _SMALL), box)
    for _ in range(2):
        before = list(box)
        for side in range(4):
            _drop(twins, box, side)
        for side in range(4):
            _add(twins, box, side)
        if box == before:
            break
    rows, cols = box[2] - box[0], box[3] - box[1]
    if min(rows, cols) < 3:
        return None, 0.0
    changed = replace(
        around, x=around.x + box[1] * grid.pitch_x, y=around.y + box[0] * grid.pitch_y, rows=rows, cols=cols
    )
    return changed, twins.share_inside(box)


def _drop(twins: _Twins, box: list[int], side: int) -> None:
    """Move a side of the box inwards over rows or columns that show what no other does."""
    is_first = side < 2
    while box[2 + side % 2] - box[side % 2] > 3:
        line = box[side] if is_first else box[side] - 1
        if twins.share(box, line, side) >= _LEAST_INSIDE:
            break
        box[side] += 1 if is_first else -1


def _add(twins: _Twins, box: list[int], side: int) -> None:
    """Move a side of the box outwards over rows or columns that show what others do, the last one not blank."""
    is_first = side < 2
    limit = twins.rows if side % 2 == 0 else twins.cols
    line = box[side] - 1 if is_first else box[side]
    n_blank = 0
    while 0 <= line < limit and n_blank <= _MOST_BLANK:
        may_belong, shows_it = twins.judge(box, line, side)
        if not may_belong:
            break
        n_blank += 1
        if shows_it:
            box[side] = line if is_first else line + 1
            n_blank = 0
        line += -1 if is_first else 1


class _Twins:
    """Which cells show what cells of the box show."""

    def __init__(self, patches: Patches, box: list[int]) -> None:
        self.rows, self.cols = patches.shape[:2]
        n = self.rows * self.cols
        top, left, bottom, right = box
        inside = (np.arange(top, bottom)[:, None] * self.cols + np.arange(left, right)).ravel()
        if len(inside) > _MOST_COMPARED:
            inside = inside[np.linspace(0, len(inside) - 1, _MOST_COMPARED).astype(int)]
        self.chosen = inside
        itself = np.arange(n)[:, None] == inside
        inner = patches[:, :, 1:-1, 1:-1].reshape(n, -1)
        self.alike = (_distances(inner, inner[inside]) < _TWIN) & ~itself
        # What borders a cell on each side: top, left, bottom, right.
        sides = np.stack(
            [patches[:, :, 0].mean(axis=2), patches[:, :, :, 0].mean(axis=2), patches[:, :, -1].mean(axis=2),
             patches[:, :, :, -1].mean(axis=2)], axis=2,
        ).reshape(n, 4, 3)  # fmt: skip
        self.sides = sides
        self.is_blank = _spread(patches.reshape(n, -1, 3)) < _BLANK
        # Something in the middle that touches no border: a digit, and hardly ever a word.
        ring = np.ones((_SMALL, _SMALL), bool)
        ring[2:-2, 2:-2] = ring[:, [0, -1]] = ring[[0, -1]] = False
        cells = patches.reshape(n, _SMALL, _SMALL, 3)
        is_even, middle = (
            _spread(_without_extremes(cells[:, ring])) < _EVEN,
            _spread(cells[:, 2:-2, 2:-2].reshape(n, -1, 3)),
        )
        self.is_glyph, self.is_empty = is_even & (middle > _DRAWN), is_even & (middle < _EVEN)
        # The page around a board has another colour than its cells, or none of their lines.
        ground = np.median(cells[:, ring], axis=1)
        alike = np.abs(ground[:, None] - ground[inside][None]).max(axis=2) < _GROUND
        self.is_known = (alike & ~itself).any(axis=1)

    def _cells(self, box: list[int], line: int, side: int) -> NDArray[np.int64]:
        top, left, bottom, right = box
        if side % 2 == 0:
            return np.asarray(line * self.cols + np.arange(left, right))
        return np.asarray(np.arange(top, bottom) * self.cols + line)

    def _alike(self, cells: NDArray[np.int64], line: int, side: int, *, content: bool) -> NDArray[np.bool_]:
        """Return which cells of a row or column at a side of the box have a twin in the box beyond it.

        What they show counts and all their borders but the one to the outside: both if ``content``, else either.
        """
        rows, cols = np.divmod(self.chosen, self.cols)
        inside = (rows != line) if side % 2 == 0 else (cols != line)
        inner_sides = [other for other in range(4) if other != side]
        off = self.sides[cells][:, None, inner_sides] - self.sides[self.chosen[inside]][None][:, :, inner_sides]
        alike = np.abs(off).max(axis=(2, 3)) < _RIM_TWIN
        same = self.alike[np.ix_(cells, inside)]
        alike = alike & same if content else alike | same
        return np.asarray(alike.any(axis=1))

    def share(self, box: list[int], line: int, side: int) -> float:
        """Return the share of a row or column whose content or borders other cells have."""
        return float(self._alike(self._cells(box, line, side), line, side, content=False).mean())

    def judge(self, box: list[int], line: int, side: int) -> tuple[bool, bool]:
        """Return whether a row or column may belong to the board, and whether it shows that it does."""
        cells = self._cells(box, line, side)
        alike = self._alike(cells, line, side, content=True)
        if alike.mean() >= _LEAST_OUTSIDE and not self.is_blank[cells].all():
            return True, True
        shown = ~self.is_empty[cells]
        good = alike | self.is_glyph[cells] & self.is_known[cells]
        enough = max(2 if (alike & shown).any() else 3, 0.6 * shown.sum())
        may_belong = (good | ~shown & self.is_known[cells]).mean() >= _LEAST_OUTSIDE
        return bool(may_belong), bool(may_belong and (good & shown).sum() >= enough)

    def share_inside(self, box: list[int]) -> float:
        """Return the share of the cells in the box that have a twin in it."""
        top, left, bottom, right = box
        cells = (np.arange(top, bottom)[:, None] * self.cols + np.arange(left, right)).ravel()
        return float(self.alike[cells].any(axis=1).mean())


def _spread(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by how much the pixels of each cell differ, (cells); of (cells, pixels, 3)."""
    return np.asarray((colours.max(axis=1) - colours.min(axis=1)).max(axis=1))


def _without_extremes(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the pixels of each cell but the brightest and darkest eighth in each colour; (cells, pixels, 3)."""
    few = colours.shape[1] // 8
    return np.sort(colours, axis=1)[:, few:-few]


def _distances(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the root of the mean squared difference of every pair."""
    squares = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2 * (one @ other.T)
    return np.asarray(np.sqrt(np.maximum(squares, 0) / one.shape[1]))
