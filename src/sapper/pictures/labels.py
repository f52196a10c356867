"""Which grounds are hidden cells and what each glyph is, decided together and without the engine.

An open cell without a clue touches no hidden cell, and a clue needs as many neighbours that may be mines as it says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sapper.pictures.glyphs import KINDS, similarities

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.pictures.ink import Inks

N_DIGITS = 8
QUESTION, FLAG, MINE = KINDS.index("?"), KINDS.index("F"), KINDS.index("*")

_ENUMERATED = 6  # grounds whose assignments are all tried; smaller ones follow one by one
_PAIRED = 14  # the largest grounds, which are also changed two at a time
_SHAPE_WEIGHT, _LIKE = 12.0, 0.88  # what is as similar as this, well drawn glyphs of any font are
_UNKNOWN_MARK = 0.70  # the similarity of a mark that looks like none of ours
_VIOLATION = 3.0
_GROUND = 0.3  # the more grounds there are, the more they can explain
_EMPTY, _MOST_EMPTY = 0.3, 10.0  # for an open cell without a clue, and as many of a ground as count
_NEAR, _CLOSE, _MOST_OTHERS = 15.0, 4.0, 6
_SAME_SHAPE, _SAME_COLOUR = 0.9, 48.0
_PURE, _COLOUR = 0.7, 0.06  # of the cells of a colour that show one digit, and what that adds to its similarity


@dataclass(frozen=True)
class GroundDraft:
    """A first labelling.

    hidden: which cells have a hidden ground, in reading order.
    cost: the violations, unlikely shapes and grounds per cell.
    costs: the violations and unlikely shapes of each cell.
    others: other choices of the hidden cells that are nearly as good, the best first.
    n_close: how many of them are so by less than a violation or two.
    """

    hidden: NDArray[np.bool_]
    cost: float
    costs: NDArray[np.float64]
    others: tuple[NDArray[np.bool_], ...] = ()
    n_close: int = 0


def neighbour_sums(values: NDArray[np.float64], rows: int, cols: int) -> NDArray[np.float64]:
    """Return the sum over the eight neighbours of each cell; (cells, …) in and out."""
    grid = values.reshape(rows, cols, -1)
    padded = np.pad(grid, ((1, 1), (1, 1), (0, 0)))
    total = sum(padded[1 + down : 1 + down + rows, 1 + across : 1 + across + cols] for down, across in _AROUND)
    return np.asarray(total).reshape(values.shape)


_AROUND = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0)]


def choose_hidden(inks: Inks) -> GroundDraft:
    """Return which cells are hidden: the assignment of grounds with the fewest violations and likeliest shapes."""
    n_grounds = int(inks.ground.max()) + 1
    of_ground = np.eye(n_grounds)[inks.ground]
    n_tried = min(n_grounds, _ENUMERATED)
    marks, digits = _mark_scores(inks), _digit_scores(inks)
    choices = (np.arange(2**n_tried)[:, None] >> np.arange(n_tried) & 1).astype(bool)
    assignments = np.zeros((2 * len(choices), n_grounds), bool)
    assignments[:, :n_tried] = np.tile(choices, (2, 1))
    # A ground with ink is what its ink looks like; empty ones begin as all hidden or all open.
    for number in range(n_tried, n_grounds):
        cells = (inks.ground == number) & inks.has_ink
        assignments[:, number] = marks[cells].sum() > digits[cells].sum() if cells.any() else False
        if not cells.any():
            assignments[: len(choices), number] = True
    costs = _costs(inks, of_ground, assignments, marks, digits)
    # Then one ground and two at a time, as far as that helps, from the best of either beginning.
    singles = np.eye(n_grounds, dtype=bool)
    few = singles[: min(n_grounds, _PAIRED)]
    moves = np.vstack([singles, *(few[at] | few[at + 1 :] for at in range(len(few) - 1))])
    found = []
    for half in np.split(np.arange(len(assignments)), 2):
        best = assignments[half[np.argmin(costs[half])]]
        for _ in range(6):
            changes = np.vstack([best, best ^ moves])
            costs_near = _costs(inks, of_ground, changes, marks, digits)
            best = changes[int(np.argmin(costs_near))]
            if int(np.argmin(costs_near)) == 0:
                break
        found.append((float(costs_near.min()), changes, costs_near))
        if n_grounds == n_tried:
            break  # the halves are the same
    _, changes, costs = min(found, key=lambda one: one[0])
    best = changes[int(np.argmin(costs))]
    # Clues part the hidden cells from the empty ones, so these two may be exchanged at little cost: the engine decides.
    near = [at for at in np.argsort(costs, kind="stable")[1:].tolist() if costs[at] < costs.min() + _NEAR]
    others = tuple(changes[at][inks.ground] for at in near[:_MOST_OTHERS])
    cost = (float(costs.min()) + _GROUND * n_grounds) / len(inks.ground)
    n_close = sum(bool(costs[at] < costs.min() + _CLOSE) for at in near[:_MOST_OTHERS])
    of_cells = _cell_costs(inks, of_ground, best[None], marks, digits)[:, 0]
    return GroundDraft(best[inks.ground], cost, of_cells, others, n_close)


def _mark_scores(inks: Inks) -> NDArray[np.float64]:
    return np.asarray(np.maximum(inks.scores[:, [QUESTION, FLAG, MINE]].max(axis=1), _UNKNOWN_MARK), dtype=float)


def _digit_scores(inks: Inks) -> NDArray[np.float64]:
    return np.asarray(np.maximum(inks.scores[:, :N_DIGITS].max(axis=1), inks.scores[:, MINE]), dtype=float)


def _costs(
    inks: Inks,
    of_ground: NDArray[np.float64],
    assignments: NDArray[np.bool_],
    marks: NDArray[np.float64],
    digits: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return what is wrong with each assignment, (assignments)."""
    empties = np.minimum((~inks.has_ink).astype(float) @ of_ground, _MOST_EMPTY)
    # Without any clue, this is a new board, all hidden.
    empty_bonus = _EMPTY if (inks.scores[:, :N_DIGITS].max(axis=1) > 0.8).any() else -_EMPTY
    # Empty cells that no hidden cell touches are hardly so by chance.
    bonus = empty_bonus * (~assignments @ empties)
    parts = [assignments[first : first + 64] for first in range(0, len(assignments), 64)]
    sums = [_cell_costs(inks, of_ground, part, marks, digits).sum(axis=0) for part in parts]
    return np.asarray(np.concatenate(sums) - bonus)


def _cell_costs(
    inks: Inks,
    of_ground: NDArray[np.float64],
    assignments: NDArray[np.bool_],
    marks: NDArray[np.float64],
    digits: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return what is wrong with each cell, (cells, assignments)."""
    near = neighbour_sums(of_ground, inks.rows, inks.cols)  # (cells, grounds)
    is_mine = inks.has_ink & (inks.scores.argmax(axis=1) == MINE)
    mines_near = neighbour_sums(is_mine.astype(float), inks.rows, inks.cols)[:, None]
    clue = 1 + inks.scores[:, :N_DIGITS].argmax(axis=1)
    has_clue, is_empty = inks.has_ink & ~is_mine, ~inks.has_ink
    chosen = assignments.T.astype(float)  # (grounds, choices)
    closed_near, hidden = near @ chosen, of_ground @ chosen
    is_open = 1.0 - hidden
    wrong = is_empty[:, None] * is_open * (np.minimum(closed_near, 2) / 2 + (mines_near > 0) > 0.25)
    wrong = wrong + has_clue[:, None] * is_open * (closed_near + mines_near < clue[:, None])
    likely = hidden * marks[:, None] + is_open * digits[:, None]
    unlike = inks.has_ink[:, None] * np.maximum(_LIKE - likely, 0)
    return np.asarray(_VIOLATION * wrong + _SHAPE_WEIGHT * unlike)


@dataclass(frozen=True)
class GlyphCluster:
    """Cells of the same ink, and how likely each digit is for them.

    cells: their numbers.
    scores: similarity to each of `KINDS`.
    """

    cells: NDArray[np.int64]
    scores: NDArray[np.float64]

    def ranked(self) -> list[tuple[float, int]]:
        """Return (cost, label) of the digits and the mine, the likeliest first."""
        options = [*range(N_DIGITS), MINE]
        best = max(self.scores[label] for label in options)
        weight = min(len(self.cells), 6) ** 0.5
        return sorted((float(best - self.scores[label]) * weight, label) for label in options)


def cluster_glyphs(inks: Inks, cells: NDArray[np.int64]) -> list[GlyphCluster]:
    """Return groups of cells whose ink has the same shape and colour."""
    found: list[list[int]] = []
    scores_of = inks.scores.astype(float)
    if len(cells):
        alike = similarities(inks.shapes[cells], inks.shapes[cells]) > _SAME_SHAPE
        same = alike & (_colour_distances(inks, cells) < _SAME_COLOUR)
        scores_of[cells] = _with_colours(inks, cells)
        left = np.ones(len(cells), bool)
        while left.any():
            counts = (same & left).sum(axis=1) * left
            members = same[int(np.argmax(counts))] & left
            found.append(cells[members].tolist())
            left &= ~members
    clusters = []
    for group in found:
        numbers = np.array(group)
        scores = scores_of[numbers]
        # A few badly drawn cells do not outvote the others.
        clusters.append(GlyphCluster(numbers, np.median(scores, axis=0) * 0.6 + scores.mean(axis=0) * 0.4))
    return clusters


def _colour_distances(inks: Inks, cells: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return by how much cells differ in the colours of their ink and, four times as much, of their ground."""
    colours = np.concatenate([inks.colours[cells], 4 * inks.ground_colours[cells]], axis=1)
    return np.asarray(np.abs(colours[:, None] - colours[None]).max(axis=2))


def _with_colours(inks: Inks, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the scores of cells, a little higher for the digit that most cells of the same colours show.

    Only where colours tell digits apart: which colour is which digit, every program decides for itself.
    """
    scores = inks.scores[cells].astype(float)
    alike = (_colour_distances(inks, cells) < _SAME_COLOUR).astype(float)
    counts = alike @ np.eye(N_DIGITS)[scores[:, :N_DIGITS].argmax(axis=1)]
    usual = counts.argmax(axis=1)
    is_pure = (counts.max(axis=1) >= _PURE * counts.sum(axis=1)) & (counts.sum(axis=1) >= 3)
    if len(np.unique(usual[is_pure])) > 1:
        scores[is_pure, usual[is_pure]] += _COLOUR
    return scores
