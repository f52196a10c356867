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
_PAD = 2  # rows and columns around a grid that may belong to the board
_TWIN = 11.0  # root of the mean squared difference of cells that show the same
_RIM_TWIN = 6.5
_MOST_COMPARED = 300
_N_COMPARED = 7  # grids


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
    found: list[Grid] = []
    for grid in _distinct(grids):
        grown, share = _fit_extent(rgb, grid)
        if grown is None:
            continue
        scored = replace(grown, score=grown.score * share**2)
        if not any(_covers(scored, other) for other in found):
            found.append(scored)
    # By the area that makes sense: texture has lines at parts of the pitch, and many more of them.
    return sorted(found, key=lambda one: -one.merit)


def _distinct(grids: list[Grid]) -> list[Grid]:
    """Return the best grids that differ in more than a row."""
    found: list[Grid] = []
    for grid in grids:
        if not any(_covers(grid, other) for other in found):
            found.append(grid)
        if len(found) == _N_COMPARED:
            break
    return found


def _covers(one: Grid, other: Grid) -> bool:
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
    """Add rows and columns that show what others do and drop those that do not; return the share of twins, too."""
    around = replace(
        grid, x=grid.x - _PAD * grid.pitch_x, y=grid.y - _PAD * grid.pitch_y, rows=grid.rows + 2 * _PAD,
        cols=grid.cols + 2 * _PAD,
    )  # fmt: skip
    patches = cut(rgb, around, _SMALL)
    outside = _outside(rgb, around)
    twin = _Twins(patches, outside)
    box = [_PAD, _PAD, _PAD + grid.rows, _PAD + grid.cols]  # top, left, bottom, right
    for _ in range(2 * _PAD):
        before = list(box)
        for side in range(4):
            row_wise, is_first = side % 2 == 0, side < 2
            step = -1 if is_first else 1
            beyond = box[side] if not is_first else box[side] - 1
            limit = around.rows if row_wise else around.cols
            if 0 <= beyond < limit and twin.share(box, beyond, side, content=True) >= 0.75:
                box[side] += step
            else:
                inner = box[side] if is_first else box[side] - 1
                if box[2 + side % 2] - box[side % 2] > 3 and twin.share(box, inner, side, content=False) < 0.3:
                    box[side] -= step
        if box == before:
            break
    rows, cols = box[2] - box[0], box[3] - box[1]
    if rows * cols < 9:
        return None, 0.0
    changed = replace(
        around, x=around.x + box[1] * grid.pitch_x, y=around.y + box[0] * grid.pitch_y, rows=rows, cols=cols
    )
    return changed, twin.share_inside(box)


def _outside(rgb: Rgb, grid: Grid) -> NDArray[np.bool_]:
    """Return which cells of a grid lie beyond the picture by more than a fifth, (rows, cols)."""
    height, width = rgb.shape[:2]
    x = grid.x + np.arange(grid.cols) * grid.pitch_x
    y = grid.y + np.arange(grid.rows) * grid.pitch_y
    off_x = (x < -0.2 * grid.pitch_x) | (x + 0.8 * grid.pitch_x > width)
    off_y = (y < -0.2 * grid.pitch_y) | (y + 0.8 * grid.pitch_y > height)
    return np.asarray(off_y[:, None] | off_x[None, :])


class _Twins:
    """Which cells show what other cells show."""

    def __init__(self, patches: Patches, outside: NDArray[np.bool_]) -> None:
        self.rows, self.cols = patches.shape[:2]
        n = self.rows * self.cols
        self.outside = outside
        inner = patches[:, :, 1:-1, 1:-1].reshape(n, -1)
        self.chosen = np.arange(n) if n <= _MOST_COMPARED else np.linspace(0, n - 1, _MOST_COMPARED).astype(int)
        self.alike = _distances(inner, inner[self.chosen]) < _TWIN
        self.alike[np.arange(n)[:, None] == self.chosen] = False
        self.alike[outside.ravel()] = False
        # What borders a cell on each side: top, left, bottom, right.
        sides = np.stack(
            [patches[:, :, 0].mean(axis=2), patches[:, :, :, 0].mean(axis=2), patches[:, :, -1].mean(axis=2),
             patches[:, :, :, -1].mean(axis=2)], axis=2,
        ).reshape(n, 4, 3)  # fmt: skip
        self.bordered_alike = np.abs(sides[:, None] - sides[self.chosen][None]).max(axis=3) < _RIM_TWIN
        self.bordered_alike[np.arange(n)[:, None] == self.chosen] = False
        self.bordered_alike[outside.ravel()] = False

    def share(self, box: list[int], line: int, side: int, *, content: bool) -> float:
        """Return the share of a row or column at a side of the box whose cells have a twin in the box beyond it.

        Beside what they show, if ``content``, all their borders count but the one to the outside.
        """
        top, left, bottom, right = box
        row_wise = side % 2 == 0
        if row_wise:
            cells = line * self.cols + np.arange(left, right)
        else:
            cells = np.arange(top, bottom) * self.cols + line
        rows, cols = np.divmod(self.chosen, self.cols)
        inside = (rows >= top) & (rows < bottom) & (cols >= left) & (cols < right)
        inside &= (rows != line) if row_wise else (cols != line)
        inner_sides = [other for other in range(4) if other != side]
        alike = self.bordered_alike[np.ix_(cells, inside, np.array(inner_sides))].all(axis=2)
        if content:
            alike &= self.alike[np.ix_(cells, inside)]
        return float(alike.any(axis=1).mean())

    def share_inside(self, box: list[int]) -> float:
        """Return the share of the cells in the box that have a twin in it."""
        top, left, bottom, right = box
        rows, cols = np.divmod(self.chosen, self.cols)
        inside = (rows >= top) & (rows < bottom) & (cols >= left) & (cols < right)
        cells = (np.arange(top, bottom)[:, None] * self.cols + np.arange(left, right)).ravel()
        return float(self.alike[np.ix_(cells, inside)].any(axis=1).mean()) if inside.any() else 0.0


def _distances(one: NDArray[np.float32], other: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the root of the mean squared difference of every pair."""
    squares = (one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2 * (one @ other.T)
    return np.asarray(np.sqrt(np.maximum(squares, 0) / one.shape[1]))
