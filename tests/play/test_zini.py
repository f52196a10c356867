"""ZiNi: by hand, against a naive twin on every topology, and against ms-toollib on squares."""

from __future__ import annotations

import numpy as np
import pytest
from effort import times
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.layout import Layout
from sapper.play.metrics import board_metrics, greedy_zini, human_zini
from sapper.topology import SHAPES, Shape, topology


@pytest.mark.parametrize(
    ("layout", "greedy", "human"),
    [
        ("---/---", 1, 1),  # one opening
        ("***/***", 0, 0),  # nothing to clear
        ("*-*", 1, 1),
        # Three cells: a click, a flag and a chord cost what three clicks do.
        ("*-/--", 3, 3),
        # Eight cells around a mine: a click, a flag and a chord open five of them, two more chords the others. Human
        # ZiNi has no opening to begin with and clicks the first corner, which is worth less.
        ("---/-*-/---", 5, 6),
        ("*--*-/----*/-*---/-----", 7, 7),
    ],
)
def test_small_boards_by_hand(layout: str, greedy: int, human: int) -> None:
    found = Layout.parse(layout)
    assert (greedy_zini(found), human_zini(found)) == (greedy, human)


def naive_zini(layout: Layout, human: bool) -> int:
    """The recipe word for word: every premium worked out anew before every move."""
    board = layout.topology
    mines = layout.mines.ravel().tolist()
    clues = layout.clues().ravel().tolist()
    zeros = {cell for cell in range(board.n_cells) if not mines[cell] and clues[cell] == 0}
    openings: list[tuple[set[int], set[int]]] = []  # the zeros of each, and everything that it uncovers
    left = set(zeros)
    while left:
        group, stack = set(), [min(left)]
        while stack:
            cell = stack.pop()
            if cell in group:
                continue
            group.add(cell)
            stack += [other for other in board.neighbours_of(cell) if other in zeros]
        left -= group
        openings.append((group, group | {other for cell in group for other in board.neighbours_of(cell)}))
    uncovered = {cell for _, cells in openings for cell in cells}
    order = [board.index(row, col) for col in range(board.cols) for row in range(board.rows)]
    is_open: set[int] = set()
    flags: set[int] = set()
    n_clicks = 0

    def reveal(cell: int) -> None:
        is_open.add(cell)
        for group, cells in openings:
            if cell in group:
                is_open.update(cells)

    def premium(cell: int) -> int:
        near = {cell, *board.neighbours_of(cell)}
        singles = sum(not mines[other] and other not in uncovered and other not in is_open for other in near)
        closed = sum(cell in cells and not group <= is_open for group, cells in openings)
        missing = sum(mines[other] and other not in flags for other in near)
        return singles + closed - missing - 1 - (cell not in is_open)

    if human:
        for cell in order:
            if cell in zeros and cell not in is_open:
                reveal(cell)
                n_clicks += 1
    while len(is_open) < board.n_cells - layout.n_mines:
        allowed = [cell for cell in order if not mines[cell] and (cell in is_open or not human)]
        best = max(allowed, key=premium, default=None)  # the first of equal ones
        if best is None or premium(best) < 0:
            needed = [cell for cell in order if not mines[cell] and cell not in is_open]
            reveal(next(cell for cell in needed if cell in zeros or cell not in uncovered))
            n_clicks += 1
            continue
        n_clicks += best not in is_open
        reveal(best)
        for other in board.neighbours_of(best):
            n_clicks += mines[other] and other not in flags
            if mines[other]:
                flags.add(other)
        n_clicks += 1
        for other in board.neighbours_of(best):
            if not mines[other]:
                reveal(other)
    return n_clicks


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    shape: Shape = draw(st.sampled_from(SHAPES))
    least = 3 if shape == "torus" else 1
    rows, cols = draw(st.integers(least, 8)), draw(st.integers(least, 8))
    board = topology(shape, rows, cols)
    mines = draw(st.lists(st.sampled_from((False, False, False, True)), min_size=rows * cols, max_size=rows * cols))
    return Layout(board, np.array(mines))


@given(layouts())
@settings(max_examples=times(40, 200), deadline=None)
def test_the_queue_finds_what_working_everything_out_anew_finds(layout: Layout) -> None:
    assert greedy_zini(layout) == naive_zini(layout, human=False)
    assert human_zini(layout) == naive_zini(layout, human=True)


@given(layouts())
@settings(max_examples=times(40, 200), deadline=None)
def test_zini_never_takes_more_clicks_than_3bv(layout: Layout) -> None:
    metrics = board_metrics(layout)
    assert max(greedy_zini(layout), human_zini(layout)) <= metrics.bbbv
    # Whatever is flagged, somebody has to open the first cell, and human ZiNi clicks every opening.
    assert greedy_zini(layout) >= min(metrics.bbbv, 1)
    assert human_zini(layout) >= metrics.openings


@pytest.mark.slow
def test_many_boards_agree_with_ms_toollib() -> None:
    ms_toollib = pytest.importorskip("ms_toollib", reason="the extra `replays` is not installed")
    rng = np.random.default_rng(4)
    for number in range(times(800, 3000)):
        rows, cols = (16, 30) if number % 50 == 0 else (int(rng.integers(1, 13)), int(rng.integers(1, 13)))
        layout = Layout(topology("square", rows, cols), rng.random(rows * cols) < rng.uniform(0.02, 0.5))
        board = np.where(layout.mines, -1, layout.clues()).tolist()
        theirs = ms_toollib.Board(board)
        metrics = board_metrics(layout)
        assert (metrics.bbbv, metrics.openings, metrics.islands) == (theirs.bbbv, theirs.op, theirs.isl), str(layout)
        assert (greedy_zini(layout), human_zini(layout)) == (theirs.zini, theirs.hzini), str(layout)
