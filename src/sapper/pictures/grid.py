"""Where the board is in a picture: its corner, its pitch and the number of cells, in several versions.

Borders of cells are straight lines as long as a cell, again and again at the same distance. So the picture is turned
into a map of short straight lines across and down; what distance they repeat at is the pitch; where they do so on all
sides is the board. Digits have no straight line as long as a cell, and text repeats in one direction at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.pictures.image import Rgb

    Lines = NDArray[np.float32]
    Region = tuple[slice, slice]

MIN_PITCH, MAX_PITCH = 8, 240
MIN_SIDE, MIN_CELLS = 3, 12
MAX_CELLS = 20_000

_WINDOWS = (5, 8, 14, 26, 50, 100)  # lengths of lines that maps are made for, in pixels
_CLIP = 24.0  # a difference of colour that is enough for a line; stronger ones are not better lines
_FLOOR = 1.5  # differences that JPEG and noise leave on flat areas
_N_PITCHES = 3
_PRESENT = 6.0  # a line that is there, for repeats: those of a pale board count as much as black text beside it
# Lengths of lines, and the pitches that they are asked about: shorter ones find text, too.
_SCALES = ((6.0 / 0.6, 8, 17), (8.0 / 0.6, 12, 30), (14.0 / 0.6, 20, 55), (26.0 / 0.6, 36, MAX_PITCH))


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


class LineMaps:
    """Maps of straight lines: how strong a vertical or horizontal line of a length is that is centred at each pixel."""

    def __init__(self, rgb: Rgb) -> None:
        values = rgb.astype(np.int16)
        red, green, blue = values[:, :, 0], values[:, :, 1], values[:, :, 2]
        # Brightness and two differences of colour find every line that the eye finds.
        self._planes = [(red + 2 * green + blue) >> 2, (red - blue) >> 1, (red + blue - 2 * green) >> 2]
        self._made: dict[tuple[int, int], Lines] = {}
        self.shape = rgb.shape[:2]

    def lines(self, axis: int, pitch: float) -> Lines:
        """Return the map of lines that are about 0.6 of the pitch long; axis 1: vertical lines."""
        window = max((one for one in _WINDOWS if one <= 0.62 * pitch), default=_WINDOWS[0])
        if (axis, window) not in self._made:
            self._made[axis, window] = self._make(axis, window)
        return self._made[axis, window]

    def _make(self, axis: int, window: int) -> Lines:
        """Average signed differences across a line along it: noise and strokes of digits cancel out."""
        best: Lines | None = None
        for plane in self._planes:
            difference = np.zeros(plane.shape, np.int32)
            if axis == 1:
                difference[:, 1:] = plane[:, 1:] - plane[:, :-1]
            else:
                difference[1:] = plane[1:] - plane[:-1]
            along = 1 - axis
            total = np.cumsum(difference, axis=along, dtype=np.int32)
            mean = np.zeros(plane.shape, np.float32)
            half = window // 2
            if axis == 1:
                mean[half + 1 : half + 1 + len(total) - window] = total[window:] - total[:-window]
            else:
                mean[:, half + 1 : half + 1 + total.shape[1] - window] = total[:, window:] - total[:, :-window]
            np.abs(mean, out=mean)
            best = mean if best is None else np.maximum(best, mean, out=best)
        assert best is not None
        best /= window
        best -= _FLOOR
        return np.clip(best, 0.0, _CLIP, out=best)


def find_grids(rgb: Rgb) -> list[Grid]:
    """Return the grids that a picture may show by their lines, the likeliest first; none if there are none."""
    maps = LineMaps(rgb)
    found: list[Grid] = []
    tried: list[Grid] = []
    for region in _regions(*maps.shape):
        for pitch_x, pitch_y in _pitches(maps, region):
            for grid in _fit(maps, region, pitch_x, pitch_y, tried):
                if not any(_same(grid, other) for other in found):
                    found.append(grid)
    return sorted(found, key=lambda grid: -grid.score)


def _regions(height: int, width: int) -> list[Region]:
    """Return the whole picture and overlapping parts of it: elsewhere on a desktop other things repeat."""
    found = [(slice(0, height), slice(0, width))]
    if height * width > 200 * 200:
        side = max(160, min(540, min(height, width) * 2 // 3))
        for top in range(0, max(1, height - side // 2), side // 2):
            found += [
                (slice(top, min(height, top + side)), slice(left, min(width, left + side)))
                for left in range(0, max(1, width - side // 2), side // 2)
            ]
    return found


def _same(one: Grid, other: Grid) -> bool:
    return (
        (one.rows, one.cols) == (other.rows, other.cols)
        and abs(one.x - other.x) < 0.12 * one.pitch_x
        and abs(one.y - other.y) < 0.12 * one.pitch_y
    )


# -- pitch ----------------------------------------------------------------------------------------------------


def _repeats(lines: Lines, axis: int, step: int) -> NDArray[np.float64]:
    """Return how often a line has another one at each distance, as a share of all lines."""
    signal = np.minimum(lines[::step] if axis == 1 else lines[:, ::step].T, _PRESENT)
    size = signal.shape[1]
    n = 1 << (size + min(size, 4 * MAX_PITCH)).bit_length()
    power = np.zeros(n // 2 + 1)
    for start in range(0, len(signal), 64):
        spectrum = np.fft.rfft(signal[start : start + 64], n, axis=1)
        power += (spectrum.real**2 + spectrum.imag**2).sum(axis=0)
    repeats = np.fft.irfft(power, n)[:size]
    return np.asarray(repeats / repeats[0]) if repeats[0] > 0 else np.zeros(size)


def _peaks(repeats: NDArray[np.float64], least: float, most: float) -> list[tuple[float, float]]:
    """Return (distance, height above its surroundings) of the peaks between two distances, the highest first."""
    found: list[tuple[int, float]] = []
    end = min(int(most), MAX_PITCH, len(repeats) // MIN_SIDE)
    inner = repeats[1:-1]
    tops = 1 + np.flatnonzero((inner > 0.004) & (inner >= repeats[:-2]) & (inner >= repeats[2:]))
    for lag in tops[(tops >= max(MIN_PITCH, least)) & (tops < end)].tolist():
        height = repeats[lag]
        around = repeats[max(2, int(lag * 0.72)) : int(lag * 1.28) + 2]
        prominence = height - float(np.median(around))
        if prominence > 0.004:
            found.append((lag, prominence))
    return [(_refine(repeats, lag), high) for lag, high in sorted(found, key=lambda peak: -peak[1])[:6]]


def _refine(repeats: NDArray[np.float64], lag: int) -> float:
    """Return a pitch to a fraction of a pixel, by following its multiples as far as they show."""
    pitch = float(lag)
    for times in range(1, 40):
        reach = max(1, round(0.5 + min(0.06 * pitch, 2.0))) if times > 1 else 1
        low, high = round(pitch * times) - reach, round(pitch * times) + reach + 1
        if high + 1 >= len(repeats):
            break
        top = low + int(np.argmax(repeats[low:high]))
        if repeats[top] < 0.15 * repeats[lag] or not repeats[top - 1] <= repeats[top] >= repeats[top + 1]:
            continue
        left, middle, right = repeats[top - 1 : top + 2]
        bend = left - 2 * middle + right
        exact = top + (0.5 * (left - right) / bend if bend < 0 else 0.0)
        if times == 1 or abs(exact / times - pitch) < 0.04 * pitch:
            pitch = exact / times
    return pitch


def _pitches(maps: LineMaps, region: Region) -> list[tuple[float, float]]:
    """Return likely pitches across and down, which are equal but for a few hundredths."""
    ranked: list[tuple[float, float]] = []
    for length, least, most in _SCALES:
        step = max(2, int(length) // 3)
        across = _peaks(_repeats(maps.lines(1, length)[region], 1, step), least, most)
        down = _peaks(_repeats(maps.lines(0, length)[region], 0, step), least, most)
        pairs = [
            ((high_x * high_y) ** 0.5, pitch_x, pitch_y)
            for pitch_x, high_x in across
            for pitch_y, high_y in down
            if abs(pitch_x - pitch_y) < 0.02 * pitch_x + 0.3
        ]
        # Cells are square, and one direction may show it better than the other.
        pairs += [(high / 2, pitch, pitch) for pitch, high in (*across[:2], *down[:2])]
        for _, pitch_x, pitch_y in sorted(pairs, reverse=True)[:_N_PITCHES]:
            if not any(abs(one[0] - pitch_x) + abs(one[1] - pitch_y) < 0.015 * pitch_x for one in ranked):
                ranked.append((pitch_x, pitch_y))
    return ranked


# -- corner and extent ----------------------------------------------------------------------------------------


def _fit(maps: LineMaps, region: Region, pitch_x: float, pitch_y: float, tried: list[Grid]) -> list[Grid]:
    vertical, horizontal = maps.lines(1, pitch_x), maps.lines(0, pitch_y)
    found = []
    top, left = region[0].start, region[1].start
    for phase_x in _phases(vertical[region].sum(axis=0), pitch_x)[:2]:
        for phase_y in _phases(horizontal[region].sum(axis=1), pitch_y)[:2]:
            start = Grid(left + phase_x, top + phase_y, pitch_x, pitch_y, 0, 0)
            if any(_same_lattice(start, other) for other in tried):
                continue
            tried.append(start)
            grid = _extent(vertical, horizontal, start.x % pitch_x, start.y % pitch_y, pitch_x, pitch_y)
            if grid is not None:
                found.append(grid)
    return sorted(found, key=lambda grid: -grid.score)[:2]


def _same_lattice(one: Grid, other: Grid) -> bool:
    """Whether two lattices that begin at these points agree for a dozen cells around."""
    if abs(one.pitch_x - other.pitch_x) + abs(one.pitch_y - other.pitch_y) > 0.01 * one.pitch_x:
        return False
    off_x = (one.x - other.x) / other.pitch_x
    off_y = (one.y - other.y) / other.pitch_y
    return max(abs(off_x), abs(off_y)) < 25 and max(abs(off_x - round(off_x)), abs(off_y - round(off_y))) < 0.12


def _phases(profile: NDArray[np.float32], pitch: float) -> list[float]:
    """Return where lines begin, from 0 to the pitch, the likeliest first."""
    n = int(pitch)
    # A wide background of lines, such as the side of a window, counts as much as one border at most.
    limit = 3.0 * float(np.percentile(profile, 95)) + 1e-6
    capped = np.minimum(profile, limit)
    smooth = np.maximum(np.maximum(capped, np.roll(capped, 1)), np.roll(capped, -1))
    at = np.round(np.arange(n)[:, None] + np.arange(0, len(profile) - pitch, pitch)).astype(int)
    comb = smooth[np.minimum(at, len(smooth) - 1)].mean(axis=1)
    found: list[float] = []
    for phase in np.argsort(-comb).tolist():
        if all(min((phase - one) % pitch, (one - phase) % pitch) > 0.25 * pitch for one in found):
            found.append(float(phase))
    return found


def _sides(
    lines: Lines, starts: NDArray[np.float64], centres: NDArray[np.float64], reach: int, axis: int
) -> NDArray[np.float64]:
    """Return the strength of the line at each start for each centre, (starts, centres); axis 1: vertical lines."""
    best = np.zeros((len(starts), len(centres)))
    size = lines.shape[axis]
    along = np.clip(np.round(centres).astype(int), 0, lines.shape[1 - axis] - 1)
    for shift in range(-reach, reach + 1):
        at = np.clip(np.round(starts).astype(int) + shift, 0, size - 1)
        part = lines[np.ix_(along, at)].T if axis == 1 else lines[np.ix_(at, along)]
        np.maximum(best, part, out=best)
    # The edge of the picture is a line.
    best[(starts < reach + 1) | (starts > size - reach - 2)] = _CLIP / 2
    return best


def _extent(vertical: Lines, horizontal: Lines, x: float, y: float, pitch_x: float, pitch_y: float) -> Grid | None:
    height, width = vertical.shape
    # A board may begin at the edge of the picture, half a pixel before the first line.
    xs = np.arange(x - pitch_x, width + 0.3 * pitch_x, pitch_x)
    ys = np.arange(y - pitch_y, height + 0.3 * pitch_y, pitch_y)
    xs, ys = xs[xs > -0.2 * pitch_x], ys[ys > -0.2 * pitch_y]
    if len(xs) < MIN_SIDE + 1 or len(ys) < MIN_SIDE + 1:
        return None
    reach = max(1, round(0.06 * pitch_x))
    upright = _sides(vertical, xs, ys[:-1] + pitch_y / 2, reach, 1)  # (xs, rows)
    level = _sides(horizontal, ys, xs[:-1] + pitch_x / 2, reach, 0)  # (ys, cols)
    enough = min(12.0, max(2.0, 0.5 * float(np.percentile(upright, 90))))
    upright, level = np.minimum(upright / enough, 1.0), np.minimum(level / enough, 1.0)
    across = np.minimum(upright[:-1], upright[1:]).T
    down = np.minimum(level[:-1], level[1:])
    # Both ways: rows of text and the bars of a window have lines one way.
    bounded = np.minimum(across, down) ** 1.5
    top, left, bottom, right, score = _best_rectangle(bounded - 0.15)
    rows, cols = bottom - top, right - left
    if min(rows, cols) < MIN_SIDE or not MIN_CELLS <= rows * cols <= MAX_CELLS:
        return None
    x, pitch_x = _straighten(vertical, xs[left], pitch_x, cols, (ys[top], ys[bottom]), 1)
    y, pitch_y = _straighten(horizontal, ys[top], pitch_y, rows, (xs[left], xs[right]), 0)
    inside = bounded[top:bottom, left:right]
    return Grid(x, y, pitch_x, pitch_y, rows, cols, float(score) * float(inside.mean()) ** 0.5)


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


def _best_rectangle(gain: NDArray[np.float64]) -> tuple[int, int, int, int, float]:
    """Return the rectangle with the greatest sum (top, left, bottom, right, sum)."""
    rows, cols = gain.shape
    sums = np.vstack([np.zeros(cols), np.cumsum(gain, axis=0)])
    best = (0, 0, 0, 0, 0.0)
    for top in range(rows):
        strips = sums[top + 1 :] - sums[top]  # (bottoms, cols)
        running = np.hstack([np.zeros((len(strips), 1)), np.cumsum(strips, axis=1)])
        lowest = np.minimum.accumulate(running, axis=1)
        value = running[:, 1:] - lowest[:, :-1]
        at = int(np.argmax(value))
        bottom, right = divmod(at, cols)
        if value[bottom, right] > best[4] + 1e-9:
            left = int(np.argmin(running[bottom, : right + 1]))
            best = (top, left, top + 1 + bottom, right + 1, float(value[bottom, right]))
    return best
