"""Puzzles of every kind, shape and small size against every layout there is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from effort import times
from hypothesis import assume, example, given, reject, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from own_boards import mixed, words_of

from sapper.errors import GaveUp
from sapper.layout import Layout
from sapper.observation import FLAG, NO_CLUE, Observation
from sapper.topology import Cell
from sapper.train import KINDS, LEVELS, Kind, Puzzle, check, of_position, puzzle, read_link

MAX_HIDDEN = 17  # cells: some hundred thousand layouts
# By board: the kinds that there is no room for.
MISSING: dict[str, set[Kind]] = {
    "5x4/4": {"pairs", "cases", "chain"},
    "4x5/5 hex": {"one-two", "pairs", "cases", "chain"},
    "4x5/5 torus": {"total", "guess", "area"},
    "5x5/5": set(),
    "5x5/6 torus": set(),
    "5x5/6 hex": {"cases"},
    words_of(mixed(5, 5), 4): {"one-two"},
}
SHAPES = ("beginner", "8x8/10 torus", "8x8/10 hex", "7x12/15", "12x7/14 hex", "8x8/14 orthogonal", "7x7/9 knight")
wishes = st.sampled_from([(board, kind) for board in MISSING for kind in KINDS if kind not in MISSING[board]])
seeds = st.integers(0, 200)


def all_layouts(position: Observation) -> NDArray[np.bool_]:
    """Every layout that fits, (layouts, cells), by trying all; of ours it uses nothing but which cells touch."""
    board, codes = position.topology, position.cells.ravel().tolist()
    hidden = [cell for cell, code in enumerate(codes) if code in (-1, -2)]
    numbers = np.arange(1 << len(hidden), dtype=np.int64)
    laid = ((numbers[:, None] >> np.arange(len(hidden))) & 1).astype(np.int8)
    fits = laid.sum(axis=1) == position.total
    for cell, code in enumerate(codes):
        if code >= 0:
            around = [place for place, other in enumerate(hidden) if other in board.neighbours_of(cell)]
            fits &= laid[:, around].sum(axis=1) == code
    layouts = np.zeros((int(fits.sum()), board.n_cells), dtype=np.bool_)
    layouts[:, hidden] = laid[fits]
    return layouts


def certain(position: Observation, *, trust_flags: bool = False) -> tuple[set[Cell], set[Cell]]:
    """The hidden cells that are a mine in no layout, and those that are one in every layout."""
    layouts = all_layouts(position)
    if trust_flags:
        layouts = layouts[layouts[:, (position.cells == FLAG).ravel()].all(axis=1)]
    mined = layouts.mean(axis=0).reshape(position.cells.shape)
    hidden = [(int(row), int(col)) for row, col in np.argwhere(position.closed)]
    return {cell for cell in hidden if mined[cell] == 0}, {cell for cell in hidden if mined[cell] == 1}


def small_puzzle(kind: Kind, seed: int, board: str) -> Puzzle:
    try:
        made = puzzle(kind, seed, board=board)
    except GaveUp:
        reject()  # from some first cells a board this small has none
    assume(made.position.closed.sum() <= MAX_HIDDEN)
    return made


def flags_of(position: Observation) -> set[Cell]:
    return {(int(row), int(col)) for row, col in np.argwhere(position.cells == FLAG)}


@given(wishes, seeds)
@example(("5x5/6 torus", "total"), 0)
@example(("5x5/6 hex", "one-two"), 0)
@settings(max_examples=times(20, 60))
def test_solutions_are_exactly_what_every_layout_has_in_common(wish: tuple[str, Kind], seed: int) -> None:
    board, kind = wish
    made = small_puzzle(kind, seed, board)
    safe, mines = certain(made.position)
    flagged = flags_of(made.position)
    assert flagged <= mines
    if kind in LEVELS:
        assert set(made.solution) == (safe if made.opens else mines - flagged) != set()
    elif kind == "guess":
        assert not safe
        assert mines == flagged
    elif kind == "area":
        rows, cols = zip(*made.marked, strict=True)
        marked = all_layouts(made.position).reshape(-1, *made.position.cells.shape)[:, rows, cols]
        assert set(marked.sum(axis=1).tolist()) == {made.number}
        assert not set(made.marked) & (safe | mines)
    else:
        cell = made.marked[0]
        assert cell in safe | mines
        for clue in made.solution:
            cells = made.position.cells.copy()
            cells[clue] = NO_CLUE
            left = certain(replace(made.position, cells=cells), trust_flags=True)
            assert cell not in left[0] | left[1]


@given(wishes.filter(lambda wish: wish[1] in LEVELS), seeds)
@settings(max_examples=times(8, 20))
def test_every_cell_is_judged_as_the_layouts_say(wish: tuple[str, Kind], seed: int) -> None:
    made = small_puzzle(wish[1], seed, wish[0])
    layouts = all_layouts(made.position)
    safe, mines = certain(made.position)
    for row, col in np.argwhere(made.position.cells == -1).tolist():
        cell = (row, col)
        verdict = check(made, cell)
        assert verdict.is_right == (cell in made.solution)
        assert verdict.score == float(verdict.is_right)
        is_unsure = cell not in safe | mines
        # Why not this cell? Because of two layouts, if it is not certain.
        assert (verdict.layouts is not None) == is_unsure
        if verdict.layouts is not None:
            assert [layout.mines[cell] for layout in verdict.layouts] == [True, False]
            assert all(is_among(layout, layouts) for layout in verdict.layouts)


def is_among(layout: Layout, layouts: NDArray[np.bool_]) -> bool:
    return bool((layouts == layout.mines.ravel()).all(axis=1).any())


@given(wishes.filter(lambda wish: wish[1] in LEVELS), seeds)
@settings(max_examples=times(12, 30))
def test_a_link_of_the_position_asks_for_the_same(wish: tuple[str, Kind], seed: int) -> None:
    made = small_puzzle(wish[1], seed, wish[0])
    assume(made.opens)
    again = read_link(of_position(made.position).link)
    assert (again.kind, again.solution, again.position) == (made.kind, made.solution, made.position)


@given(st.sampled_from(SHAPES), st.sampled_from(KINDS), seeds)
@settings(max_examples=times(12, 30))
def test_nothing_boring_comes_on_boards_of_any_shape(board: str, kind: Kind, seed: int) -> None:
    if kind == "one-two" and board.endswith(("orthogonal", "knight")):
        reject()
    made = puzzle(kind, seed, board=board)
    assert read_link(made.link) == made
    if kind in LEVELS:
        assert made.proof is not None
        # More than one clue, and not so many right answers that any will do.
        assert 2 <= len(made.proof.clues) + made.proof.total <= 6
        assert 1 <= len(made.solution) <= 8
    if kind == "guess":
        assert len(made.solution) <= min(8, len(made.chances) // 2)
        assert made.chances[0][1] - made.chances[-1][1] >= 0.02
    if kind == "area":
        assert made.number is not None
        assert 0 < made.number < len(made.marked)
    assert 500 <= made.difficulty <= 2500
