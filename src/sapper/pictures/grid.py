"""Where the board is in a picture: its corner, its pitch and the number of cells, in several versions.

Borders of cells are straight lines about as long as a cell, again and again at the same distance both ways. So the
picture is turned into maps of short straight lines across and down; overlapping windows say at what distance they
repeat in both directions; where they do so on all sides of a cell is the board. Digits have no straight line as long as
a cell, and text repeats in one direction at most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sapper.pictures.image import Rgb

    Lines = NDArray[np.uint8]

MIN_PITCH, MAX_PITCH = 8, 240
MIN_SIDE, MIN_CELLS = 3, 12
MAX_CELLS = 20_000


class Scale(NamedTuple):
    """The length of lines, the side of the windows in which they are counted, and the pitches that they tell."""

    length: int
    side: int
    least: float
    most: float


_SCALES = (
    Scale(4, 128, MIN_PITCH, 17), Scale(8, 192, 12, 32), Scale(16, 352, 22, 64), Scale(32, 640, 44, 128),
    Scale(64, 1200, 88, MAX_PITCH),
)  # fmt: skip
_STEPS = 8  # values of a map for a difference of colour of 1
_CLIP = 24 * _STEPS  # a difference of colour that is enough for a line; stronger ones are not better lines
_FLOOR = 12  # 1.5, what JPEG and noise leave on flat areas


_ENOUGH = 4.0 * _STEPS  # the mean difference of colour along a clear line
_N_LAGS = 3  # distances that a window may say
_N_TRIED = 28  # lattices whose extent is measured
_PER_PITCH = 7  # of about the same pitch
# What a cell without lines costs, and how many grids are kept: cells of some boards have lines only where they differ
# from their neighbours.
_ALL_OVER, _MOST_ALIKE = 0.5, 2
_LOSSES = ((0.4, 8), (0.1, 5))


@dataclass(frozen=True)
class Grid:
    """Where the cells are: the corner of the board and the pitch, in pixels, and the number of rows and columns."""

    x: float
    y: float
    pitch_x: float
    pitch_y: float
    rows: int
    cols: int
    score: float = 0.0

    @property
    def merit(self) -> float:
        """The area in which lines and content repeat, in pixels."""
        return self.score * self.pitch_x * self.pitch_y

    def scaled(self, factor: float) -> Grid:
        """Return the same grid in a picture that is larger by a factor."""
        return Grid(
            self.x * factor, self.y * factor, self.pitch_x * factor, self.pitch_y * factor, self.rows, self.cols,
            self.score,
        )  # fmt: skip


def line_maps(rgb: Rgb) -> dict[tuple[int, int], Lines]:
    """Return how strong a straight line is that is centred at each pixel, by (axis, length); axis 1: vertical lines.

    Signed differences across a line are added along it, so that noise and strokes of digits cancel out.
    """
    values = rgb.astype(np.int16)
    red, green, blue = values[:, :, 0], values[:, :, 1], values[:, :, 2]
    # Brightness and two differences of colour find every line that the eye finds.
    planes = [(red + 2 * green + blue) >> 2, (red - blue) >> 1, (red + blue - 2 * green) >> 2]
    del values
    maps: dict[tuple[int, int], Lines] = {}
    for axis in (0, 1):
        best: dict[int, NDArray[np.int16]] = {}
        for plane in planes:
            total = np.diff(plane, axis=axis)
            length = 1
            while length < _SCALES[-1].length:
                if axis == 1:
                    total = total[:-length] + total[length:]
                else:
                    total = total[:, :-length] + total[:, length:]
                length *= 2
                if length < _SCALES[0].length or not total.size:
                    continue
                size = np.abs(total)
                best[length] = np.maximum(best[length], size, out=size) if length in best else size
        for length, size in best.items():
            # Lengths are powers of two: sums become eighths of a mean by shifting.
            mean = size >> (length.bit_length() - 4) if length >= _STEPS else size << 1
            mean -= _FLOOR
            found = np.zeros(planes[0].shape, np.uint8)
            kept = np.clip(mean, 0, _CLIP, out=mean)
            if axis == 1:
                found[length // 2 : length // 2 + len(kept), 1:] = kept
            else:
                found[1:, length // 2 : length // 2 + kept.shape[1]] = kept
            maps[axis, length] = found
    return maps


def find_grids(rgb: Rgb) -> list[Grid]:
    """Return the grids that a picture may show by their lines, the likeliest first; none if there are none."""
    maps = line_maps(rgb)
    starts = [(start, _bounded(maps, start)) for start in _lattices(maps)]
    refined: list[Grid] = []
    for loss, most in _LOSSES:
        found: list[Grid] = []
        for start, bounded in starts:
            grid = _extent(maps, start, loss, bounded)
            if grid is not None and not any(_same(grid, other) for other in found):
                found.append(grid)
        for grid in _varied(found, most):
            # Now that the pitch is known to a hundredth of a pixel, lines may be found further away.
            again = _extent(maps, grid, loss) or grid
            for divided in _divided(maps, again):
                # Gaps and the strokes of digits may divide a pitch too, but not all over the board.
                parts = _extent(maps, divided, loss)
                if parts is not None and parts.merit > _ALL_OVER * again.merit:
                    again = parts
                    break
            if not any(_same(again, other) for other in refined):
                refined.append(again)
    return sorted(refined, key=lambda grid: -grid.merit)


def _varied(grids: list[Grid], most: int) -> list[Grid]:
    """Return the best grids, few of about the same pitch: a pitch and its multiples have much the same lines."""
    found: list[Grid] = []
    for grid in sorted(grids, key=lambda grid: -grid.merit):
        alike = sum(abs(grid.pitch_x - other.pitch_x) < 0.03 * grid.pitch_x for other in found)
        if len(found) < most and alike < _MOST_ALIKE:
            found.append(grid)
    return found


def _same(one: Grid, other: Grid) -> bool:
    return (
        (one.rows, one.cols) == (other.rows, other.cols)
        and abs(one.x - other.x) < 0.12 * one.pitch_x
        and abs(one.y - other.y) < 0.12 * one.pitch_y
    )


# -- pitch and phase ------------------------------------------------------------------------------------------


class Echo(NamedTuple):
    """A distance at which the lines of a window repeat both ways."""

    strength: float
    lag: int
    scale: Scale
    across: NDArray[np.float32]  # the profile of the window's vertical lines
    down: NDArray[np.float32]
    left: int
    top: int


def _lattices(maps: dict[tuple[int, int], Lines]) -> list[Grid]:
    """Return lattices without extent that windows of the picture tell, the clearest first."""
    echoes = [echo for scale in _SCALES if (1, scale.length) in maps for echo in _echoes(maps, scale)]
    found: list[Grid] = []
    for echo in sorted(echoes, key=lambda echo: -echo.strength):
        if len(found) >= _N_TRIED:
            break
        near = sum(abs(other.pitch_x - echo.lag) < 0.03 * echo.lag for other in found)
        if near >= _PER_PITCH:
            continue
        pitch_x, pitch_y = _refine(_repeats(echo.across), echo.lag), _refine(_repeats(echo.down), echo.lag)
        for phase_x in _phases(echo.across, pitch_x):
            for phase_y in _phases(echo.down, pitch_y):
                start = Grid(echo.left + phase_x, echo.top + phase_y, pitch_x, pitch_y, 0, 0)
                if not any(_same_lattice(start, other) for other in found):
                    found.append(start)
    return found


def _echoes(maps: dict[tuple[int, int], Lines], scale: Scale) -> list[Echo]:
    """Return the distances at which lines repeat in each window of a scale."""
    half = scale.side // 2
    across, down = _profiles(maps[1, scale.length], half), _profiles(maps[0, scale.length].T, half).swapaxes(0, 1)
    found = []
    repeats_x, repeats_y = _widened(_repeats(across)), _widened(_repeats(down))
    both = np.sqrt(np.maximum(repeats_x, 0) * np.maximum(repeats_y, 0))
    least, most = round(scale.least), round(min(scale.most, 0.42 * scale.side))
    part = both[..., least : most + 1]
    inner = both[..., least - 1 : most + 2]
    is_top = (part >= inner[..., :-2]) & (part > inner[..., 2:]) & (part > 0.06)
    ranked = np.where(is_top, part, 0.0)
    # What repeats at a distance does so at its multiples.
    for divisor in (2, 3, 4):
        at = np.round(np.arange(least, most + 1) / divisor).astype(int)
        ranked[np.max([both[..., at - 1], both[..., at], both[..., at + 1]], axis=0) > 0.7 * part] *= 0.5
    order = np.argsort(-ranked, axis=-1)[..., :_N_LAGS]
    for row, col in np.argwhere(ranked.max(axis=-1) > 0).tolist():
        for at in order[row, col].tolist():
            strength = float(ranked[row, col, at])
            if strength > 0:
                found.append(
                    Echo(strength, at + least, scale, across[row, col], down[row, col], col * half, row * half)
                )
    return found


def _profiles(lines: Lines, half: int) -> NDArray[np.float32]:
    """Return the sums down the columns of each window, (rows of windows, columns of windows, side)."""
    height, width = lines.shape
    rows, cols = max(2, -(-height // half)), max(2, -(-width // half))
    sums = np.zeros((rows, cols * half), np.float32)
    sums[: -(-height // half), :width] = np.add.reduceat(lines, np.arange(0, height, half), axis=0, dtype=np.int32)
    pairs = (sums[:-1] + sums[1:]).reshape(rows - 1, cols, half)
    profiles = np.concatenate([pairs[:, :-1], pairs[:, 1:]], axis=2)
    # The side of a window or a bar is one line, however strong.
    limit = 4 * profiles.mean(axis=2, keepdims=True)
    return np.asarray(np.minimum(profiles, limit), dtype=np.float32)


def _repeats(profiles: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the correlation of profiles with themselves at each distance."""
    size = profiles.shape[-1]
    centred = profiles - profiles.mean(axis=-1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * size)
    found = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, 2 * size)[..., : size // 2]
    found = found / (1.0 - np.arange(size // 2) / size)
    return np.asarray(found / np.maximum(found[..., :1], 1e-6 * size), dtype=np.float32)


def _widened(repeats: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return each value or one beside it: the pitches across and down may differ by a part of a pixel."""
    wide = repeats.copy()
    np.maximum(wide[..., 1:], repeats[..., :-1], out=wide[..., 1:])
    np.maximum(wide[..., :-1], repeats[..., 1:], out=wide[..., :-1])
    return np.asarray((wide + repeats) / 2, dtype=np.float32)


def _refine(repeats: NDArray[np.float32], lag: int) -> float:
    """Return a pitch to a fraction of a pixel, by following its multiples as far as they show."""
    pitch = float(lag)
    for times in range(1, 12):
        reach = 2 if times == 1 else 1
        low, high = round(pitch * times) - reach, round(pitch * times) + reach + 1
        if high + 1 >= len(repeats) or low < 1:
            break
        top = low + int(np.argmax(repeats[low:high]))
        left, middle, right = (float(value) for value in repeats[top - 1 : top + 2])
        bend = left - 2 * middle + right
        if middle < 0.15 * repeats[lag] or not left <= middle >= right or bend >= 0:
            continue
        pitch = (top + 0.5 * (left - right) / bend) / times
    return max(pitch, MIN_PITCH)


def _phases(profile: NDArray[np.float32], pitch: float) -> list[float]:
    """Return where lines begin, from 0 to the pitch: the likeliest and another one if it is nearly as good."""
    n = int(pitch)
    smooth = np.maximum(np.maximum(profile, np.roll(profile, 1)), np.roll(profile, -1))
    at = np.round(np.arange(n)[:, None] + np.arange(0, len(profile) - pitch, pitch)).astype(int)
    comb = smooth[np.minimum(at, len(smooth) - 1)].mean(axis=1)
    found: list[float] = []
    for phase in np.argsort(-comb).tolist():
        if len(found) == 2 or comb[phase] < 0.5 * comb.max():
            break
        if all(min((phase - one) % pitch, (one - phase) % pitch) > 0.25 * pitch for one in found):
            found.append(float(phase))
    return found


def _same_lattice(one: Grid, other: Grid) -> bool:
    """Whether two lattices that begin at these points agree for a dozen cells around."""
    if abs(one.pitch_x - other.pitch_x) + abs(one.pitch_y - other.pitch_y) > 0.012 * one.pitch_x:
        return False
    off_x = (one.x - other.x) / other.pitch_x
    off_y = (one.y - other.y) / other.pitch_y
    return max(abs(off_x), abs(off_y)) < 25 and max(abs(off_x - round(off_x)), abs(off_y - round(off_y))) < 0.12


# -- corner and extent ----------------------------------------------------------------------------------------


def _lines_for(maps: dict[tuple[int, int], Lines], axis: int, pitch: float) -> Lines:
    """Return the map of lines of about half a pitch."""
    lengths = [length for (along, length) in maps if along == axis]
    return maps[axis, max((one for one in lengths if one <= 0.72 * pitch), default=min(lengths))]


def _sides(
    lines: Lines, starts: NDArray[np.float64], centres: NDArray[np.float64], pitch: float, axis: int
) -> NDArray[np.float32]:
    """Return the strength of the line at each start for each centre, (starts, centres); axis 1: vertical lines.

    It is 1 for a clear line and less where there are as many lines between the borders, as in text and texture.
    """
    size = lines.shape[axis]
    reach = max(1, round(0.06 * pitch))
    along = np.clip(np.round(centres).astype(int), 0, lines.shape[1 - axis] - 1)
    at = np.clip(np.round(starts).astype(int)[:, None] + np.arange(-reach, reach + 1), 0, size - 1)
    strips = lines[along].T if axis == 1 else lines[:, along]
    best = strips[at].max(axis=1).astype(np.float32)
    enough = min(_ENOUGH, max(2.0 * _STEPS, 0.5 * float(np.percentile(best, 90))))
    inner = np.arange(round(0.3 * pitch), round(0.7 * pitch) + 1)
    at = np.clip(np.round(starts).astype(int)[:, None] + inner, 0, size - 1)
    between = np.minimum(strips[at] / np.float32(enough), 1).mean(axis=1)
    best = np.maximum(np.minimum(best / enough, 1) - between, 0)
    # The edge of the picture is a line.
    best[(starts < reach + 1) | (starts > size - reach - 2)] = 1.0
    return np.asarray(best, dtype=np.float32)


class Bounded(NamedTuple):
    """How clear the lines on the sides of each cell of a lattice are, from 0 to 1, and where the lines are."""

    cells: NDArray[np.float32]  # (rows, cols)
    xs: NDArray[np.float64]
    ys: NDArray[np.float64]


def _bounded(maps: dict[tuple[int, int], Lines], start: Grid) -> Bounded | None:
    """Return how clear the lines around the cells of a lattice are, all over the picture; None if it is too small."""
    pitch_x, pitch_y = start.pitch_x, start.pitch_y
    vertical, horizontal = _lines_for(maps, 1, pitch_x), _lines_for(maps, 0, pitch_y)
    height, width = vertical.shape
    # A board may begin at the edge of the picture, half a pixel before the first line.
    xs = np.arange(start.x % pitch_x - pitch_x, width + 0.3 * pitch_x, pitch_x)
    ys = np.arange(start.y % pitch_y - pitch_y, height + 0.3 * pitch_y, pitch_y)
    xs, ys = xs[xs > -0.2 * pitch_x], ys[ys > -0.2 * pitch_y]
    if len(xs) < MIN_SIDE + 1 or len(ys) < MIN_SIDE + 1:
        return None
    upright = _sides(vertical, xs, ys[:-1] + pitch_y / 2, pitch_x, 1)  # (xs, rows)
    level = _sides(horizontal, ys, xs[:-1] + pitch_x / 2, pitch_y, 0)  # (ys, cols)
    across = (upright[:-1] + upright[1:]).T / 2
    down = (level[:-1] + level[1:]) / 2
    # Both ways: rows of text and the bars of a window have lines one way.
    return Bounded(np.sqrt(across * down), xs, ys)


def _extent(
    maps: dict[tuple[int, int], Lines], start: Grid, loss: float, bounded: Bounded | None = None
) -> Grid | None:
    """Return the rectangle of a lattice in which cells have lines on all sides; None if there is none."""
    bounded = bounded or _bounded(maps, start)
    if bounded is None:
        return None
    cells, xs, ys = bounded
    pitch_x, pitch_y = start.pitch_x, start.pitch_y
    top, left, bottom, right, score = best_rectangle(np.maximum(cells - 0.4, -loss))
    rows, cols = bottom - top, right - left
    if min(rows, cols) < MIN_SIDE or not MIN_CELLS <= rows * cols <= MAX_CELLS:
        return None
    vertical, horizontal = _lines_for(maps, 1, pitch_x), _lines_for(maps, 0, pitch_y)
    x, pitch_x = _straighten(vertical, xs[left], pitch_x, cols, (ys[top], ys[bottom]), 1)
    y, pitch_y = _straighten(horizontal, ys[top], pitch_y, rows, (xs[left], xs[right]), 0)
    inside = cells[top:bottom, left:right]
    # Cells without clear lines count half: they may belong to a board, but do not make one.
    score = max(float((inside - 0.4).sum()), 0.5 * score)
    return Grid(x, y, pitch_x, pitch_y, rows, cols, score * float(inside.mean()) ** 0.5)


def _divided(maps: dict[tuple[int, int], Lines], grid: Grid) -> Iterator[Grid]:
    """Yield the lattices of which a grid may have only every second, third … line."""
    top, bottom = round(grid.y), round(grid.y + grid.rows * grid.pitch_y)
    left, right = round(grid.x), round(grid.x + grid.cols * grid.pitch_x)
    part = slice(max(0, top), bottom), slice(max(0, left), right)
    for divisor in (5, 4, 3, 2):
        pitch_x, pitch_y = grid.pitch_x / divisor, grid.pitch_y / divisor
        if min(pitch_x, pitch_y) < MIN_PITCH:
            continue
        strengths = []
        for axis, start, pitch, n in ((1, grid.x, pitch_x, grid.cols), (0, grid.y, pitch_y, grid.rows)):
            profile = _lines_for(maps, axis, pitch)[part].sum(axis=1 - axis, dtype=np.int64)
            at = start - max(0, left if axis else top) + np.arange(1, n * divisor) * pitch
            reach = max(1, round(0.08 * pitch))
            near = np.round(at).astype(int)[:, None] + np.arange(-reach, reach + 1)
            lines = profile[np.clip(near, 0, len(profile) - 1)].max(axis=1)
            lines = lines - np.median(profile)
            is_new = np.arange(1, n * divisor) % divisor > 0
            strengths.append(np.median(lines[is_new]) > 0.4 * np.median(lines[~is_new]))
        if all(strengths):
            yield replace(grid, pitch_x=pitch_x, pitch_y=pitch_y)


def _straighten(
    lines: Lines, start: float, pitch: float, n: int, span: tuple[float, float], axis: int
) -> tuple[float, float]:
    """Return start and pitch so that the lines between two cells lie on both sides of the grid's own."""
    low, high = max(0, round(span[0])), round(span[1])
    part = lines[low:high].sum(axis=0) if axis == 1 else lines[:, low:high].sum(axis=1)
    reach = max(1, round(0.14 * pitch))
    offsets = np.arange(-reach, reach + 1)
    numbers = np.arange(1, n)
    at = np.round(start + numbers[:, None] * pitch).astype(int) + offsets
    weights = part[np.clip(at, 0, len(part) - 1)] * ((at >= 0) & (at < len(part)))
    together = weights.sum(axis=0)
    if together.max() <= 0:
        return float(start), pitch
    strong = np.flatnonzero(together > 0.45 * together.max())
    middle = (offsets[strong[0]] + offsets[strong[-1]]) / 2
    # A pitch that is a little off shows in the lines wandering off: follow the nearest ones.
    near = np.abs(offsets - middle) <= max(1.5, (strong[-1] - strong[0]) / 2 + 0.5)
    mass = weights * near
    seen = mass.sum(axis=1) > 0.2 * np.median(mass.sum(axis=1)) + 1e-9
    if seen.sum() >= max(4, n // 3):
        places = (mass * at).sum(axis=1)[seen] / mass.sum(axis=1)[seen]
        slope, origin = np.polyfit(numbers[seen], places, 1)
        off = places - (origin + slope * numbers[seen])
        if abs(slope - pitch) < 0.02 * pitch and float(np.abs(off).mean()) < 0.3 + 0.01 * pitch:
            return float(origin), float(slope)
    return float(start) + float(middle), pitch


def best_rectangle(gain: NDArray[np.floating]) -> tuple[int, int, int, int, float]:
    """Return the rectangle with the greatest sum (top, left, bottom, right, sum)."""
    # Only lines with something to gain can bound it.
    hopeful = np.flatnonzero((gain > 0).any(axis=1))
    if not len(hopeful):
        return 0, 0, 0, 0, 0.0
    first, last = int(hopeful[0]), int(hopeful[-1]) + 1
    sums = np.vstack([np.zeros(gain.shape[1]), np.cumsum(gain[first:last], axis=0)])
    tops, bottoms = np.triu_indices(len(sums), MIN_SIDE)
    best = (0, 0, 0, 0, 0.0)
    for at in range(0, len(tops), 2048):
        strips = sums[bottoms[at : at + 2048]] - sums[tops[at : at + 2048]]
        running = np.zeros((len(strips), gain.shape[1] + 1))
        np.cumsum(strips, axis=1, out=running[:, 1:])
        value = running[:, 1:] - np.minimum.accumulate(running, axis=1)[:, :-1]
        which, right = divmod(int(np.argmax(value)), gain.shape[1])
        if value[which, right] > best[4] + 1e-9:
            left = int(np.argmin(running[which, : right + 1]))
            best = (
                first + int(tops[at + which]), left, first + int(bottoms[at + which]), right + 1,
                float(value[which, right]),
            )  # fmt: skip
    return best
