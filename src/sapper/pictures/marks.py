"""What marks on cells are: flags, question marks or mines, which clues tell apart better than shapes do.

Mines are shown when a game is over, all of them at once. So where clues still miss some, no mark is a mine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import Contradiction, InputError, TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.pictures.glyphs import similarities
from sapper.pictures.labels import FLAG as FLAG_KIND
from sapper.pictures.labels import MINE, N_DIGITS, QUESTION, cluster_glyphs, neighbour_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.pictures.ink import Inks

_OVER = 0.96  # of the clues miss no mine, but for what was misread
_AGREES = 0.6
_RARE, _MANY = 2, 6  # cells
_MORE = 5.0  # pixels of ink, of 16x16
_ODD = 0.02  # less similar to the others than they are
_CLEARLY_SHOWN = 0.1  # by how much more similar to a mine than to a flag a mark is that ends a game
_CLEARLY_QUESTION, _CLEARLY_MINE = 0.04, 0.02  # by how much more similar a mark is to one than to a flag
_LIKE, _SURELY, _CLEAR = 0.72, 0.85, 0.05


def decide_marks(codes: NDArray[np.int8], inks: Inks) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the codes with every mark decided, and which of the marks are doubtful."""
    rows, cols = codes.shape
    decided, doubts = codes.ravel().copy(), np.zeros(codes.size, bool)
    marks = np.flatnonzero(inks.has_ink & (decided < 0))
    if not len(marks):
        return codes, doubts
    is_mark = np.zeros(codes.size)
    is_mark[marks] = 1.0
    near = neighbour_sums(is_mark, rows, cols)
    rare = np.bincount(inks.ground)[inks.ground] <= _RARE
    beside = near + neighbour_sums((decided < 0).astype(float), rows, cols) > 0
    # What has a ground to itself may be no clue at all.
    clues = np.flatnonzero((decided > 0) & beside & ~rare)
    missing = decided[clues] - near[clues]
    clusters = cluster_glyphs(inks, marks)
    shows_mines = any(one.scores[MINE] > max(one.scores[FLAG_KIND] + _CLEARLY_SHOWN, _SURELY) for one in clusters)
    # Beside a wrong flag a clue has too many.
    is_over = not len(clues) or bool(
        (missing <= 0).mean() >= _OVER and (shows_mines or (missing == 0).mean() >= _AGREES)
    )
    p_mine = _chances(codes, marks, clues[missing <= 0]) if is_over else np.full(codes.size, 0.5)
    agree = np.zeros((codes.size, 3))
    agree[clues, 0], agree[clues, 1], agree[clues, 2] = missing == 0, 1.0, missing < 0
    agree = neighbour_sums(agree, rows, cols)
    for cluster in clusters:
        cells, scores = cluster.cells, cluster.scores
        flag, question, mine = scores[FLAG_KIND], scores[QUESTION], scores[MINE]
        right, seen, too_many = agree[cells].sum(axis=0)
        # Question marks agree with clues by chance alone.
        as_mines = len(cells) >= 3 and seen > 0 and right / seen >= _AGREES
        label = FLAG
        rivals = [question]
        # Where a game ends with a single mine, it has a ground of its own.
        is_single = len(cells) <= _RARE and rare[cells].all() and mine > max(flag, _LIKE)
        # A crossed flag looks like nothing else.
        if (is_over and mine > max(flag + _CLEARLY_MINE, question, _LIKE)) or is_single:
            label, rivals = EXPLODED, [flag, question]
        elif question > max(flag + _CLEARLY_QUESTION, _LIKE) and (question > _SURELY or not as_mines):
            # After the end, what has a ground of its own is a wrong flag.
            label, rivals = FLAG if is_over and rare[cells].all() else HIDDEN, [flag]
        else:
            rivals = [question, mine]
        if label != EXPLODED and len(cells) >= _MANY and too_many > 0.5 * seen:
            # Most clues would have too many flags: this is how the program draws its hidden cells.
            label = HIDDEN
            doubts[marks[np.isin(inks.ground[marks], inks.ground[cells])]] = True
        kind = {FLAG: FLAG_KIND, EXPLODED: MINE, HIDDEN: QUESTION}[label]
        own = scores[kind]
        decided[cells] = label
        if label == EXPLODED:
            # Wrong flags are crossed mines in some programs.
            sure = p_mine[cells][np.abs(p_mine[cells] - 0.5) > 0.49]
            wrong = cells[p_mine[cells] < (0.99 if len(sure) and sure.mean() < 0.5 else 0.5)]
            decided[wrong], doubts[wrong] = FLAG, True
        unlike = own < max(rivals) + _CLEAR or scores[:N_DIGITS].max() > own + 0.02
        doubts[cells] |= unlike and not (label == FLAG and as_mines and flag >= mine)
        doubts[cells[inks.scores[cells, kind] < _LIKE]] = True
        alike = np.median(similarities(inks.shapes[cells], inks.shapes[cells]), axis=1)
        doubts[cells] |= alike < np.median(alike) - _ODD
        # Wrong flags are mines in another colour in some programs.
        doubts[cells] |= label == EXPLODED and not is_single and 3 * len(cells) < (decided == EXPLODED).sum()
    if not is_over and (decided == FLAG).any():
        # A question mark may be drawn on a flag.
        flags = [cluster.cells[decided[cluster.cells] == FLAG] for cluster in clusters]
        usual = np.median(inks.shapes[max(flags, key=len)], axis=0)
        for cells in flags:
            more = cells[np.array([_is_more(inks.shapes[cell], usual) for cell in cells], bool)]
            decided[more], doubts[more] = HIDDEN, True
    if is_over and (decided == EXPLODED).any():
        crossed = np.flatnonzero((decided > 0) & rare & (inks.scores[:, :N_DIGITS].max(axis=1) < _SURELY))
        decided[crossed], doubts[crossed] = FLAG, True
    too_many = np.zeros(codes.size)
    too_many[clues[missing < 0]] = 1.0
    doubts |= (decided == EXPLODED) & (neighbour_sums(too_many, rows, cols) > 0) & (np.abs(p_mine - 0.5) < 0.49)
    return decided.reshape(codes.shape), doubts


def _chances(codes: NDArray[np.int8], marks: NDArray[np.int64], clues: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return how likely each mark is a mine where all mines are marked; ½ where clues contradict each other."""
    cells = np.full(codes.size, NO_CLUE, np.int8)
    cells[marks] = HIDDEN
    cells[clues] = codes.ravel()[clues]
    try:
        found = mine_probabilities(Observation.from_array(cells.reshape(codes.shape)))
    except (InputError, Contradiction, TooHard):
        return np.full(codes.size, 0.5)
    return np.nan_to_num(found.p_mine.ravel(), nan=0.5)


def _is_more(shape: NDArray[np.float32], usual: NDArray[np.float32]) -> bool:
    """Whether a shape is the usual one and something more."""
    added = float(np.maximum(shape - _widened(usual), 0).sum())
    return added > _MORE and float(np.maximum(usual - _widened(shape), 0).sum()) < _MORE / 3


def _widened(shape: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the most ink within a pixel of each."""
    height, width = shape.shape
    around = np.pad(shape, 1)
    return np.asarray(np.max([around[y : y + height, x : x + width] for y in range(3) for x in range(3)], axis=0))
