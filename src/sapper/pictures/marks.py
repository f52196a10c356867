"""What marks on cells are: flags, question marks or mines, which clues tell apart better than shapes do.

Mines are shown when a game is over, all of them at once. So where clues still miss some, no mark is a mine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
    from sapper.pictures.labels import GlyphCluster

_OVER = 0.96  # of the clues miss no mine, but for what was misread
_AGREES = 0.6
_RARE, _MANY = 2, 6  # cells
_MORE, _LESS = 12, 4  # pixels of ink, of 24x24
_ODD = 0.02  # less similar to the others than they are
_CLEARLY_SHOWN = 0.1  # by how much more similar to a mine than to a flag a mark is that ends a game
_CLEARLY_QUESTION, _CLEARLY_MINE = 0.04, 0.02  # by how much more similar a mark is to one than to a flag
_LIKE, _SURELY, _CLEAR = 0.72, 0.85, 0.05
_SURE = 0.49  # of a chance, from one half


class _Evidence(NamedTuple):
    """What clues say of marks.

    is_over: whether the game has ended, so that every mine is marked.
    p_mine: how likely each cell is a mine if so; ½ where nothing is known.
    agreeing, touching, exceeded: how many clues beside each cell have as many marks as they need, any, too many.
    rare: which cells have a ground almost to themselves.
    """

    is_over: bool
    p_mine: NDArray[np.float64]
    agreeing: NDArray[np.float64]
    touching: NDArray[np.float64]
    exceeded: NDArray[np.float64]
    rare: NDArray[np.bool_]


def decide_marks(codes: NDArray[np.int8], inks: Inks) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the codes with every mark decided, and which of the marks are doubtful."""
    decided, doubts = codes.ravel().copy(), np.zeros(codes.size, bool)
    marks = np.flatnonzero(inks.has_ink & (decided < 0))
    if not len(marks):
        return codes, doubts
    clusters = cluster_glyphs(inks, marks)
    evidence = _weigh(codes, inks, marks, clusters)
    for cluster in clusters:
        cells, scores = cluster.cells, cluster.scores
        as_mines = _agrees(cells, evidence)
        label, rivals = _label(cluster, evidence, as_mines=as_mines)
        if label != EXPLODED and len(cells) >= _MANY and _is_exceeded(cells, evidence):
            # Most clues would have too many flags: this is how the program draws its hidden cells.
            label = HIDDEN
            doubts[marks[np.isin(inks.ground[marks], inks.ground[cells])]] = True
        decided[cells] = label
        kind = {FLAG: FLAG_KIND, EXPLODED: MINE, HIDDEN: QUESTION}[label]
        own = scores[kind]
        unlike = own < scores[rivals].max() + _CLEAR or scores[:N_DIGITS].max() > own + 0.02
        doubts[cells] |= unlike and not (label == FLAG and as_mines and scores[FLAG_KIND] >= scores[MINE])
        doubts[cells[inks.scores[cells, kind] < _LIKE]] = True
        alike = np.median(similarities(inks.shapes[cells], inks.shapes[cells]), axis=1)
        doubts[cells] |= alike < np.median(alike) - _ODD
        if label == EXPLODED:
            # Wrong flags are crossed mines in some programs, mines in another colour in others.
            is_minor = 3 * len(cells) < (decided == EXPLODED).sum() and not evidence.rare[cells].all()
            wrong = _wrong_flags(cells, evidence.p_mine)
            doubts[cells] |= is_minor
            decided[wrong], doubts[wrong] = FLAG, True
    if evidence.is_over:
        _find_crossed(decided, doubts, inks, evidence.rare)
    else:
        _find_questions(decided, doubts, inks, clusters)
    doubts |= (decided == EXPLODED) & (evidence.exceeded > 0) & (np.abs(evidence.p_mine - 0.5) < _SURE)
    return decided.reshape(codes.shape), doubts


def _weigh(codes: NDArray[np.int8], inks: Inks, marks: NDArray[np.int64], clusters: list[GlyphCluster]) -> _Evidence:
    """Return what clues say of the marks."""
    rows, cols = codes.shape
    flat = codes.ravel()
    is_mark = np.zeros(codes.size)
    is_mark[marks] = 1.0
    near = neighbour_sums(is_mark, rows, cols)
    rare = np.bincount(inks.ground)[inks.ground] <= _RARE
    # What has a ground to itself may be no clue at all.
    clues = np.flatnonzero((flat > 0) & (near + neighbour_sums((flat < 0).astype(float), rows, cols) > 0) & ~rare)
    missing = flat[clues] - near[clues]
    shows_mines = any(one.scores[MINE] > max(one.scores[FLAG_KIND] + _CLEARLY_SHOWN, _SURELY) for one in clusters)
    # Beside a wrong flag a clue has too many.
    is_over = not len(clues) or bool(
        (missing <= 0).mean() >= _OVER and (shows_mines or (missing == 0).mean() >= _AGREES)
    )
    counts = np.zeros((codes.size, 3))
    counts[clues] = np.stack([missing == 0, np.ones(len(clues)), missing < 0], axis=1)
    p_mine = _chances(codes, marks, clues[missing <= 0]) if is_over else np.full(codes.size, 0.5)
    agreeing, touching, exceeded = neighbour_sums(counts, rows, cols).T
    return _Evidence(is_over, p_mine, agreeing, touching, exceeded, rare)


def _agrees(cells: NDArray[np.int64], evidence: _Evidence) -> bool:
    """Whether clues take marks for mines; with question marks they agree by chance alone."""
    seen = evidence.touching[cells].sum()
    return len(cells) >= 3 and seen > 0 and bool(evidence.agreeing[cells].sum() / seen >= _AGREES)


def _is_exceeded(cells: NDArray[np.int64], evidence: _Evidence) -> bool:
    return bool(evidence.exceeded[cells].sum() > 0.5 * evidence.touching[cells].sum())


def _label(cluster: GlyphCluster, evidence: _Evidence, *, as_mines: bool) -> tuple[int, list[int]]:
    """Return what marks of one shape are, and the kinds that they might be instead."""
    flag, question, mine = (cluster.scores[kind] for kind in (FLAG_KIND, QUESTION, MINE))
    has_ground = bool(evidence.rare[cluster.cells].all())
    # Where a game ends with a single mine, it has a ground of its own.
    is_single = len(cluster.cells) <= _RARE and has_ground and mine > max(flag, _LIKE)
    # A crossed flag looks like nothing else.
    if (evidence.is_over and mine > max(flag + _CLEARLY_MINE, question, _LIKE)) or is_single:
        return EXPLODED, [FLAG_KIND, QUESTION]
    if question > max(flag + _CLEARLY_QUESTION, _LIKE) and (question > _SURELY or not as_mines):
        # After the end, what has a ground of its own is a wrong flag.
        return FLAG if evidence.is_over and has_ground else HIDDEN, [FLAG_KIND]
    return FLAG, [QUESTION, MINE]


def _wrong_flags(cells: NDArray[np.int64], p_mine: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return which cells that show mines of one shape are none: all that may be, if that is what the shape means."""
    sure = p_mine[cells][np.abs(p_mine[cells] - 0.5) > _SURE]
    return cells[p_mine[cells] < (0.5 + _SURE if len(sure) and sure.mean() < 0.5 else 0.5)]


def _find_crossed(decided: NDArray[np.int8], doubts: NDArray[np.bool_], inks: Inks, rare: NDArray[np.bool_]) -> None:
    """Where mines are shown, what has a ground of its own and is hardly a digit is a wrong flag."""
    if (decided == EXPLODED).any():
        crossed = np.flatnonzero((decided > 0) & rare & (inks.scores[:, :N_DIGITS].max(axis=1) < _SURELY))
        decided[crossed], doubts[crossed] = FLAG, True


def _find_questions(
    decided: NDArray[np.int8], doubts: NDArray[np.bool_], inks: Inks, clusters: list[GlyphCluster]
) -> None:
    """A question mark may be drawn on a flag."""
    flags = max((cluster.cells[decided[cluster.cells] == FLAG] for cluster in clusters), key=len)
    if not len(flags):
        return
    usual = np.median(inks.drawn[flags], axis=0) > 0.5
    for cell in np.flatnonzero(decided == FLAG):
        if _is_more(inks.drawn[cell], usual):
            decided[cell], doubts[cell] = HIDDEN, True


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


def _is_more(drawn: NDArray[np.bool_], usual: NDArray[np.bool_]) -> bool:
    """Whether what is drawn is the usual and something more."""
    return bool((drawn & ~_widened(usual)).sum() >= _MORE and (usual & ~_widened(drawn)).sum() <= _LESS)


def _widened(drawn: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the pixels within one of those drawn."""
    height, width = drawn.shape
    around = np.pad(drawn, 1)
    return np.asarray(np.any([around[y : y + height, x : x + width] for y in range(3) for x in range(3)], axis=0))
