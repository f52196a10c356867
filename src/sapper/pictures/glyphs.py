"""Shapes in cells, without colour: nearest neighbours among shapes that `scripts/glyphs.py` drew in many fonts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Shape = NDArray[np.float32]  # (SIDE, SIDE), ink from 0 to 1

TARGET = Path(__file__).parent / "glyphs.npz"
KINDS = "12345678?F*"
SIDE = 16
_INK = 0.35  # of the strongest ink, from which on something is drawn
_NEIGHBOURS = 2  # of a kind, whose similarity counts
_COPY = 0.985  # the similarity of two shapes that are one


def normalise(ink: NDArray[np.float32]) -> Shape | None:
    """Return ink cut out and scaled to the height of 16, its proportions kept; None if there is too little of it."""
    from PIL import Image

    drawn = ink > _INK
    rows, cols = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    if len(rows) < 3 or not len(cols):
        return None
    top, bottom, left, right = rows[0], rows[-1] + 1, cols[0], cols[-1] + 1
    height, width = bottom - top, right - left
    side = max(height, width)
    # A line around it: what is half inked at the edge belongs to the shape.
    pad = max(1, round(side / SIDE))
    square = np.zeros((side + 2 * pad, side + 2 * pad), np.float32)
    cut = ink[max(0, top - pad) : bottom + pad, max(0, left - pad) : right + pad]
    y = (side - height) // 2
    x = (side - width) // 2
    cut = cut[: square.shape[0] - y, : square.shape[1] - x]
    square[y : y + cut.shape[0], x : x + cut.shape[1]] = cut
    smooth = Image.Resampling.BOX if side > 2 * SIDE else Image.Resampling.BILINEAR
    image = Image.fromarray(square).resize((SIDE, SIDE), smooth)
    return np.clip(np.asarray(image, dtype=np.float32), 0.0, 1.0)


def _unit(shapes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return shapes, a little blurred, as vectors of mean 0 and length 1."""
    padded = np.pad(shapes, ((0, 0), (1, 1), (1, 1)))
    across = padded[:, 1:-1, :-2] + padded[:, 1:-1, 2:]
    down = padded[:, :-2, 1:-1] + padded[:, 2:, 1:-1]
    blurred = (2 * padded[:, 1:-1, 1:-1] + across + down) / 6
    flat = blurred.reshape(len(shapes), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6), dtype=np.float32)


def similarities(shapes: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the correlation of every shape with every other, at the best shift by a pixel, (shapes, others)."""
    return _at_best_shift(shapes, _unit(others))


def _at_best_shift(shapes: NDArray[np.float32], reference: NDArray[np.float32]) -> NDArray[np.float32]:
    best = np.full((len(shapes), len(reference)), -1.0, np.float32)
    for shift in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
        np.maximum(best, _unit(np.roll(shapes, shift, axis=(1, 2))) @ reference.T, out=best)
    return best


@cache
def _prototypes() -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the kinds of the shapes that are known, and the shapes as vectors of length 1."""
    with np.load(TARGET) as stored:
        return stored["kinds"], _unit(stored["shapes"].astype(np.float32) / 255)


def compare(shapes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how similar each shape is to each of `KINDS`, (shapes, kinds), at most 1."""
    found = np.zeros((len(shapes), len(KINDS)), np.float32)
    if not len(shapes):
        return found
    leaders, group = _group(shapes)
    kinds, prototypes = _prototypes()
    near = _at_best_shift(shapes[leaders], prototypes)
    scores = np.zeros((len(leaders), len(KINDS)), np.float32)
    for kind in range(len(KINDS)):
        best = np.sort(near[:, kinds == kind], axis=1)[:, -_NEIGHBOURS:]
        scores[:, kind] = 0.75 * best[:, -1] + 0.25 * best.mean(axis=1)
    return scores[group]


def _group(shapes: NDArray[np.float32]) -> tuple[list[int], NDArray[np.int64]]:
    """Return shapes of which the others are copies, and which each is a copy of: cells of a picture repeat."""
    alike = (units := _unit(shapes)) @ units.T > _COPY
    group = np.full(len(shapes), -1, np.int64)
    leaders: list[int] = []
    for shape in range(len(shapes)):
        if group[shape] < 0:
            group[alike[shape] & (group < 0)] = len(leaders)
            leaders.append(shape)
    return leaders, group
