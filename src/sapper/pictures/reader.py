"""`read_picture`: from a picture to a position, with what is doubtful about it.

Several grids are read; exact inference refuses labels that no layout fits, and what nothing can check is doubtful.
"""

from __future__ import annotations

import heapq
import os
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import InputError, TooHard, check_type
from sapper.inference.posterior.exact import is_possible
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.pictures.cells import choose_grids, covers, cut
from sapper.pictures.grid import MIN_SIDE, best_rectangle, find_grids
from sapper.pictures.image import PictureError, as_rgb, decode
from sapper.pictures.ink import GRAINS, read_inks
from sapper.pictures.labels import FLAG as FLAG_KIND
from sapper.pictures.labels import MINE, N_DIGITS, QUESTION, choose_hidden, cluster_glyphs
from sapper.pictures.marks import decide_marks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.pictures.cells import Patches
    from sapper.pictures.grid import Grid
    from sapper.pictures.image import Rgb
    from sapper.pictures.ink import Inks
    from sapper.pictures.labels import GlyphCluster, GroundDraft
    from sapper.topology import Cell

_N_GRIDS = 5
_LEAST_MERIT = 0.12  # of the best grid's, for another one to be read
_MAX_COST = 0.5  # violations and unlikely shapes per cell: more is not a board
_SENSIBLE = 0.03  # no other grid needs to be read
_DOUBTFUL = 0.12  # nothing is certain
_FEW = 5  # rows of a board that is likelier part of another one
_MAX_REPAIRS = 12
_MAX_TRIED = 250  # joint labellings that the engine is asked about
_CLEAR = 0.05  # by how much a label must be likelier than the next
_RARE = 3  # cells of a ground
_LIKE = 0.72  # the least similarity of a glyph that is read without doubt

NOT_FOUND = (
    "No Minesweeper board was found in this picture: crop it to the board, or take a screenshot in which the whole "
    "board is visible and its cells have at least 12 pixels."
)


@dataclass(frozen=True)
class PictureReading:
    """What a picture shows.

    position: the position, without the number of mines.
    doubts: the cells that may have been read wrongly, as (row, col).
    grid: where the cells are, in pixels of the picture.
    alternatives: other positions that the picture may show, the likeliest first.
    """

    position: Observation
    doubts: tuple[Cell, ...]
    grid: Grid
    alternatives: tuple[Observation, ...] = ()


def read_picture(source: str | os.PathLike[str] | bytes | NDArray[np.generic]) -> PictureReading:
    """Read the position that a screenshot shows: a file (PNG, JPEG, WebP or BMP), its bytes or an array of its pixels.

    Nothing is known of the program: the board is found by its lines, digits by their shape and hidden cells by what
    touches what. Raises `PictureError` if the picture is broken, larger than 40 megapixels or shows no board.
    """
    check_type(source, (str, os.PathLike, bytes, np.ndarray), "the name of a picture, its bytes or an array")
    if isinstance(source, np.ndarray):
        rgb, width = as_rgb(source), source.shape[1]
    else:
        data = source if isinstance(source, bytes) else Path(source).read_bytes()
        rgb, width = decode(data)
    found = _read(rgb)
    return replace(found, grid=found.grid.scaled(width / rgb.shape[1]))


def _read(rgb: Rgb) -> PictureReading:
    grids = choose_grids(rgb, find_grids(rgb))
    drafts: list[tuple[float, Grid, Inks, GroundDraft]] = []
    for candidate in grids[:_N_GRIDS]:
        grid = candidate
        if grid.merit < _LEAST_MERIT * grids[0].merit:
            break
        patches = cut(rgb, grid)
        inks, draft = _draft(patches)
        if draft.cost > _SENSIBLE:
            grid, inks, draft = _trimmed(grid, patches, inks, draft)
        # More of the picture that makes sense is better: half of a board makes as much sense as the board.
        area = grid.rows * grid.cols * grid.pitch_x * grid.pitch_y
        drafts.append(((_MAX_COST - draft.cost) * (grid.merit * area) ** 0.25, grid, inks, draft))
        if draft.cost < _SENSIBLE and not any(covers(grid, other) for other in grids[len(drafts) : _N_GRIDS]):
            break
    kept = [one for one in drafts if not any(_adds_page(one[1], one[2], other[1]) for other in drafts)]
    best = max(kept, key=lambda one: one[0], default=None)
    if best is None or best[0] <= 0:
        raise PictureError(NOT_FOUND)
    _, grid, inks, draft = best
    likely = [one for one in (draft.hidden, *draft.others) if _is_likely(inks, one)]
    hidden = likely[0] if likely else draft.hidden
    found = _label(grid, inks, hidden)
    doubts = np.zeros((grid.rows, grid.cols), bool)
    for row, col in found.doubts:
        doubts[row, col] = True
    for other in draft.others[: draft.n_close]:
        if other is not hidden and any(other is one for one in likely):
            doubts |= (other != hidden).reshape(doubts.shape)
    for _, other_grid, _, _ in drafts:
        if other_grid is not grid and covers(grid, other_grid):
            doubts |= _is_outside(grid, other_grid)
    if draft.cost > _DOUBTFUL or min(grid.rows, grid.cols) < _FEW:
        doubts[:] = True
    return replace(found, doubts=tuple((row, col) for row, col in np.argwhere(doubts).tolist()))


def _trimmed(grid: Grid, patches: Patches, inks: Inks, draft: GroundDraft) -> tuple[Grid, Inks, GroundDraft]:
    """Return the part of a grid that makes sense, if it makes more: the page beside a board may lie on its lines."""
    costs = draft.costs.reshape(grid.rows, grid.cols)
    top, left, bottom, right, _ = best_rectangle(_MAX_COST - costs)
    rows, cols = bottom - top, right - left
    if (rows, cols) == costs.shape or min(rows, cols) < MIN_SIDE:
        return grid, inks, draft
    inner_inks, inner = _draft(patches[top:bottom, left:right])
    if inner.cost >= draft.cost:
        return grid, inks, draft
    part = replace(
        grid, x=grid.x + left * grid.pitch_x, y=grid.y + top * grid.pitch_y, rows=rows, cols=cols,
        score=grid.score * rows * cols / (grid.rows * grid.cols),
    )  # fmt: skip
    return part, inner_inks, inner


def _adds_page(grid: Grid, inks: Inks, other: Grid) -> bool:
    """Whether all that a grid has and another has not is empty and looks like nothing on the board."""
    if grid is other or not covers(grid, other):
        return False
    outside = _is_outside(grid, other).ravel()
    is_page = ~inks.has_ink & ~np.isin(inks.ground, inks.ground[~outside])
    return bool(outside.any() and not outside.all() and is_page[outside].all())


def _is_outside(grid: Grid, other: Grid) -> NDArray[np.bool_]:
    """Return which cells of a grid lie outside another one on the same lattice."""
    row, col = round((other.y - grid.y) / grid.pitch_y), round((other.x - grid.x) / grid.pitch_x)
    outside = np.ones((grid.rows, grid.cols), bool)
    outside[max(0, row) : max(0, row + other.rows), max(0, col) : max(0, col + other.cols)] = False
    return outside


def _draft(patches: Patches) -> tuple[Inks, GroundDraft]:
    """Return what is drawn in the cells and which are hidden, at the grain that makes most sense."""
    best: tuple[Inks, GroundDraft] | None = None
    for grain in GRAINS:
        inks = read_inks(patches, grain)
        draft = choose_hidden(inks)
        if best is None or draft.cost < best[1].cost:
            best = inks, draft
        if best[1].cost < _SENSIBLE:
            break
    assert best is not None
    return best


def _is_likely(inks: Inks, hidden: NDArray[np.bool_]) -> bool:
    """Whether some layout fits the likeliest labels if these cells are hidden."""
    cells, clusters = _hidden_cells(inks, hidden), cluster_glyphs(inks, np.flatnonzero(~hidden & inks.has_ink))
    return _fits(_assign(inks, cells, clusters, [one.ranked()[0][1] for one in clusters]))


def _hidden_cells(inks: Inks, hidden: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return the codes of the hidden cells, those with marks as flags; 0 elsewhere."""
    return np.where(hidden, np.where(inks.has_ink, FLAG, HIDDEN), 0).astype(np.int8)


def _label(grid: Grid, inks: Inks, hidden: NDArray[np.bool_]) -> PictureReading:
    """Return the likeliest labels that some layout fits, and what is doubtful about them."""
    cells = _hidden_cells(inks, hidden)
    doubts = np.zeros(len(hidden), bool)
    clusters = cluster_glyphs(inks, np.flatnonzero(~hidden & inks.has_ink))
    labelled = _search(inks, cells, clusters)
    likeliest = labelled[0] if labelled else _assign(inks, cells, clusters, [one.ranked()[0][1] for one in clusters])
    for cluster in clusters:
        doubts[cluster.cells] |= _doubtful(likeliest, inks, cluster)
    if not labelled:
        likeliest, blamed = _repair(likeliest, inks)
        doubts |= blamed
    likeliest, unsure = decide_marks(likeliest, inks)
    doubts |= unsure
    at = [(cell // inks.cols, cell % inks.cols) for cell in np.flatnonzero(doubts).tolist()]
    others = tuple(Observation.from_array(decide_marks(other, inks)[0]) for other in labelled[1:])
    try:
        return PictureReading(Observation.from_array(likeliest), tuple(at), grid, others)
    except InputError:  # clues at the edge larger than any can be
        raise PictureError(NOT_FOUND) from None


def _assign(inks: Inks, cells: NDArray[np.int8], clusters: list[GlyphCluster], labels: list[int]) -> NDArray[np.int8]:
    given = cells.copy()
    for cluster, label in zip(clusters, labels, strict=True):
        given[cluster.cells] = EXPLODED if label == MINE else label + 1
    return given.reshape(inks.rows, inks.cols)


def _search(inks: Inks, cells: NDArray[np.int8], clusters: list[GlyphCluster]) -> list[NDArray[np.int8]]:
    """Return joint labellings of the clusters that some layout fits, the likeliest first; at most three."""
    options = [[option for option in cluster.ranked() if option[0] < 0.5][:6] for cluster in clusters]
    start = (0,) * len(options)
    order = count()
    queue = [(0.0, next(order), start)]
    seen = {start}
    found: list[NDArray[np.int8]] = []
    for _ in range(_MAX_TRIED):
        if not queue or len(found) == 3:
            break
        cost, _, chosen = heapq.heappop(queue)
        if found and cost > 0.12:
            break
        position = _assign(inks, cells, clusters, [options[at][one][1] for at, one in enumerate(chosen)])
        if _fits(position):
            found.append(position)
        for at, one in enumerate(chosen):
            if one + 1 < len(options[at]):
                further = (*chosen[:at], one + 1, *chosen[at + 1 :])
                if further not in seen:
                    seen.add(further)
                    heapq.heappush(queue, (cost + options[at][one + 1][0] - options[at][one][0], next(order), further))
    return found


def _fits(cells: NDArray[np.int8]) -> bool:
    """Whether some layout fits these codes."""
    try:
        return is_possible(Observation.from_array(cells))
    except TooHard:
        return True
    except InputError:  # a clue at the edge that is larger than the number of its neighbours
        return False


def _doubtful(cells: NDArray[np.int8], inks: Inks, cluster: GlyphCluster) -> NDArray[np.bool_]:
    """Return which cells of a cluster may be another digit, as far as the engine allows it."""
    flat = cells.ravel()
    label = int(flat[cluster.cells[0]])
    kind = MINE if label == EXPLODED else label - 1
    doubtful = np.zeros(len(cluster.cells), bool)
    others = [other for other in (*range(N_DIGITS), MINE) if other != kind]
    for other in others:
        if cluster.scores[other] > cluster.scores[kind] - _CLEAR:
            changed = flat.copy()
            changed[cluster.cells] = EXPLODED if other == MINE else other + 1
            doubtful |= _fits(changed.reshape(cells.shape))
    own = inks.scores[cluster.cells]
    rival = own[:, others].max(axis=1)
    unlike = (rival > own[:, kind] + 0.03) | (own[:, kind] < _LIKE - 0.1) | (cluster.scores[kind] < _LIKE)
    # A wrong flag on a ground of its own may look like a digit.
    own_ground = np.bincount(inks.ground)[inks.ground[cluster.cells]] <= _RARE
    marked = own_ground & (own[:, [FLAG_KIND, QUESTION]].max(axis=1) > own[:, kind] - _CLEAR)
    return np.asarray(doubtful | unlike | marked)


def _repair(cells: NDArray[np.int8], inks: Inks) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Change single clues that disagree with those around; return the codes and the cells in question."""
    blamed = np.zeros(cells.shape, bool)
    for _ in range(_MAX_REPAIRS):
        core = _conflict(cells)
        if core is None:
            break
        top, left, bottom, right = core
        part = cells[top:bottom, left:right]
        blamed[top:bottom, left:right] |= part >= 0
        better = _change_one(cells, core, inks)
        if better is None:
            break
        cells = better
    return cells, blamed.ravel()


def _conflict(cells: NDArray[np.int8]) -> tuple[int, int, int, int] | None:
    """Return a small window whose clues cannot all hold (top, left, bottom, right)."""
    for reach in (1, 2, 3):
        for row, col in np.argwhere(cells > 0).tolist():
            box = (
                max(0, row - reach), max(0, col - reach), min(cells.shape[0], row + reach + 1),
                min(cells.shape[1], col + reach + 1),
            )  # fmt: skip
            if not _window_fits(cells, box):
                return box
    return None


def _window_fits(cells: NDArray[np.int8], box: tuple[int, int, int, int]) -> bool:
    """Whether the clues of a window can hold together, whatever the others say."""
    top, left, bottom, right = box
    high, wide = max(0, top - 1), max(0, left - 1)
    around = cells[high : bottom + 1, wide : right + 1]
    kept = np.where(around >= 0, NO_CLUE, around).astype(np.int8)
    kept[top - high : bottom - high, left - wide : right - wide] = cells[top:bottom, left:right]
    return _fits(kept)


def _change_one(cells: NDArray[np.int8], box: tuple[int, int, int, int], inks: Inks) -> NDArray[np.int8] | None:
    """Return the codes with one clue of a window read otherwise, so that the others agree; None: there is none."""
    top, left, bottom, right = box
    changes = []
    for row in range(top, bottom):
        for col in range(left, right):
            scores = inks.scores[row * cells.shape[1] + col]
            if cells[row, col] > 0:
                changes += [
                    (float(scores.max() - scores[label]), row, col, label + 1)
                    for label in range(N_DIGITS)
                    if label + 1 != cells[row, col]
                ]
    for _, row, col, label in sorted(changes)[:16]:
        changed = cells.copy()
        changed[row, col] = label
        near = (max(0, row - 3), max(0, col - 3), min(cells.shape[0], row + 4), min(cells.shape[1], col + 4))
        if _window_fits(changed, near):
            return changed
    return None
