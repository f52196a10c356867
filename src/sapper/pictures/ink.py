"""What is drawn in cells: their grounds, which few cells have to themselves, and the ink on them.

A ground is the colour of a cell inside its border, with what its border looks like: a raised border is darker on one
side. Cells of one ground are all hidden or all open. Ink is what differs from the ground.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.pictures.cells import SIZE
from sapper.pictures.glyphs import KINDS, compare, normalise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.pictures.cells import Patches

_MARGIN = 4  # of a cell, in its pixels, where borders are
_RING = 8  # from the margin to here, ground shows on all sides even of a tall digit
_LINK = 1.5  # as far as leaders of one ground may differ, of the difference from a leader
_DRAWN = 0.35  # of the strongest ink of a cell
_FAINT = 18.0  # the least difference that is ink
_STRONG = 80.0  # more than any shading; flags can have a ground to themselves
_GLYPH_LIKE = 0.8
_MOST_GROUNDS = 40


class Grain(NamedTuple):
    """How finely grounds are told apart.

    border: the weight of a border beside the ground.
    leader: the difference of colour within a ground.
    """

    border: float
    leader: float


# Small, blurred or noisy cells have grounds in common that a fine grain parts; flat ones differ by little.
GRAINS = (Grain(0.6, 5.0), Grain(0.0, 8.0), Grain(0.6, 12.0), Grain(0.3, 12.0))


@dataclass(frozen=True)
class Inks:
    """What the cells show, in reading order.

    ground: the number of each cell's ground.
    scores: how similar the ink is to each of `KINDS`, (cells, kinds); 0 without ink.
    has_ink: whether something is drawn.
    shapes: the ink, (cells, 16, 16).
    colours: its colour less the ground's, (cells, 3).
    ground_colours: the ground's, (cells, 3).
    drawn: which pixels of the inside of each cell have ink, where it is in the cell, (cells, 24, 24).
    """

    rows: int
    cols: int
    ground: NDArray[np.int64]
    has_ink: NDArray[np.bool_]
    scores: NDArray[np.float32]
    shapes: NDArray[np.float32]
    colours: NDArray[np.float32]
    ground_colours: NDArray[np.float32]
    drawn: NDArray[np.bool_]


def read_inks(patches: Patches, grain: Grain = GRAINS[0]) -> Inks:
    """Return what is drawn in the cells."""
    rows, cols = patches.shape[:2]
    patches = _without_wash(patches).reshape(rows * cols, SIZE, SIZE, 3)
    grounds = _ground_colours(patches)
    ground = _cluster(np.concatenate([grounds, grain.border * _stripes(patches, grounds)], axis=1), grain.leader)
    ink = _differences(patches, grounds, ground)
    n = len(patches)
    has_ink = np.zeros(n, bool)
    shapes = np.zeros((n, 16, 16), np.float32)
    colours = np.zeros((n, 3), np.float32)
    for cell in range(n):
        shape = _shape_of(ink[cell])
        if shape is None:
            continue
        has_ink[cell], shapes[cell] = True, shape
        strong = ink[cell] > 0.75 * ink[cell].max()
        inner = patches[cell, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
        colours[cell] = np.median(inner[strong], axis=0) - grounds[cell]
    scores = np.zeros((n, len(KINDS)), np.float32)
    scores[has_ink] = compare(shapes[has_ink])
    drawn = ink > _DRAWN * ink.max(axis=(1, 2), keepdims=True)
    return Inks(rows, cols, ground, has_ink, scores, shapes, colours, grounds, drawn)


def _ring() -> NDArray[np.bool_]:
    ring = np.zeros((SIZE, SIZE), bool)
    ring[_MARGIN + 1 : -_MARGIN - 1, _MARGIN + 1 : -_MARGIN - 1] = True
    ring[_RING:-_RING, _RING:-_RING] = False
    return ring


def _ground_colours(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.median(patches[..., _ring(), :], axis=-2), dtype=np.float32)


def _without_wash(patches: Patches) -> Patches:
    """Take away a gradient across the whole board: most neighbours have one ground, so they differ by it alone."""
    grounds = _ground_colours(patches)
    rows, cols = grounds.shape[:2]
    for axis, n in ((0, rows), (1, cols)):
        steps = np.diff(grounds, axis=axis).reshape(-1, 3)
        small = steps[np.abs(steps).max(axis=1) < 12]
        if len(small) < 0.4 * len(steps):
            continue
        slope = np.mean(small, axis=0)
        if np.abs(slope).max() * n > 10 and np.abs(np.median(small, axis=0)).max() > 0.3:
            shape = (n, 1, 1, 1, 1) if axis == 0 else (1, n, 1, 1, 1)
            patches = patches - (np.arange(n, dtype=np.float32) - n / 2).reshape(shape) * slope
    return patches


def _stripes(patches: NDArray[np.float32], grounds: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the colours of the four borders less the ground's, (cells, 12)."""
    inner = slice(_MARGIN, -_MARGIN)
    sides = (
        patches[:, :_MARGIN, inner], patches[:, -_MARGIN:, inner], patches[:, inner, :_MARGIN],
        patches[:, inner, -_MARGIN:],
    )  # fmt: skip
    return np.concatenate([side.mean(axis=(1, 2)) - grounds for side in sides], axis=1)


def _cluster(features: NDArray[np.float32], reach: float) -> NDArray[np.int64]:
    """Return the number of each cell's cluster, the largest first: groups around leaders, joined where they touch."""
    leaders: list[NDArray[np.float32]] = []
    group = np.zeros(len(features), np.int64)
    for cell, feature in enumerate(features):
        if leaders:
            off = np.abs(np.stack(leaders) - feature).max(axis=1)
            nearest = int(np.argmin(off))
            if off[nearest] < reach:
                group[cell] = nearest
                continue
        leaders.append(feature)
        group[cell] = len(leaders) - 1
    off = np.abs(np.stack(leaders)[:, None] - np.stack(leaders)[None]).max(axis=2)
    joined = np.arange(len(leaders))
    for one, other in np.argwhere(off < _LINK * reach).tolist():
        joined[joined == joined[one]] = joined[other]
    _, numbers, counts = np.unique(joined[group], return_inverse=True, return_counts=True)
    order = np.argsort(np.argsort(-counts, kind="stable"), kind="stable")
    return np.asarray(order[numbers], dtype=np.int64)


def _differences(
    patches: NDArray[np.float32], grounds: NDArray[np.float32], ground: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return by how much the inside of each cell differs from what its ground looks like without ink."""
    inner = patches[:, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN] - grounds[:, None, None]
    ink = np.zeros(inner.shape[:3], np.float32)
    for number in range(int(ground.max()) + 1):
        cells = np.flatnonzero(ground == number)
        part = inner[cells]
        if len(cells) >= 4:
            # Ink adds to what a ground shows, so the quietest cells are the emptiest.
            loud = np.abs(part).max(axis=3).mean(axis=(1, 2))
            usual = np.median(part[np.argsort(loud)[: max(3, len(cells) // 3)]], axis=0)
            strength = np.abs(usual).max(axis=2)
            if _FAINT / 3 < np.quantile(strength, 0.97) < _STRONG and not _is_glyph(strength):
                part = part - usual
        found = np.abs(part).max(axis=3)
        # Noise and texture: what the quiet cells have.
        quiet = float(np.quantile(np.quantile(found, 0.97, axis=(1, 2)), 0.4)) if len(cells) >= 4 else 0.0
        found[found < max(_FAINT, min(1.5 * quiet, 45.0))] = 0.0
        ink[cells] = found
    return ink


def _is_glyph(ink: NDArray[np.float32]) -> bool:
    """Whether what all cells of a ground share is a glyph, as a flag on a won board, rather than shading."""
    if ink.max() < _FAINT:
        return False
    shape = _shape_of(np.where(ink < _FAINT, 0.0, ink).astype(np.float32))
    return shape is not None and float(compare(shape[None]).max()) > _GLYPH_LIKE


def _shape_of(ink: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Return the shape of the ink of a cell; None if there is too little to be a glyph."""
    drawn = ink > 0
    if drawn.sum() < 10:
        return None
    peak = float(np.quantile(ink[drawn], 0.9))
    level = np.minimum(ink / peak, 1.0)
    if (level > 0.5).sum() < 8:
        return None
    return normalise(_without_specks(level))


def _without_specks(level: NDArray[np.float32]) -> NDArray[np.float32]:
    """Remove ink in the margin of the cell that nothing connects to the middle, which borders leave."""
    drawn = level > 0.25
    size = len(level)
    reached = drawn.copy()
    reached[: size // 5] = reached[-(size // 5) :] = False
    reached[:, : size // 5] = reached[:, -(size // 5) :] = False
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= grown[:, :-1].copy()
        grown[:, :-1] |= grown[:, 1:].copy()
        grown &= drawn
        if (grown == reached).all():
            return np.where(reached, level, 0.0).astype(np.float32)
        reached = grown
