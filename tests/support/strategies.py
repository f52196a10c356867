"""Hypothesis strategies for the values that everything is made of."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from own_boards import random_board

from sapper.channel import EXACT, KINDS, Channel
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.rules import Rules
from sapper.topology import OWN, SHAPES, Shape, Topology, topology
from sapper.world.generation import shown_clues

sizes = st.integers(1, 7)


@st.composite
def topologies(draw: st.DrawFn, shapes: tuple[str, ...] = SHAPES) -> Topology:
    return draw(boards_of(draw(st.sampled_from(shapes)), draw(sizes), draw(sizes)))


@st.composite
def boards_of(draw: st.DrawFn, shape: Shape, rows: int, cols: int) -> Topology:
    """The board of a shape and size, or any board of one's own of this size."""
    if shape != OWN:
        return topology(shape, rows, cols)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return random_board(rows, cols, draw(st.sampled_from((0.1, 0.3, 0.9))), rng)


@st.composite
def layouts(draw: st.DrawFn, shapes: tuple[str, ...] = SHAPES) -> Layout:
    board = draw(topologies(shapes))
    mines = draw(st.lists(st.booleans(), min_size=board.n_cells, max_size=board.n_cells))
    return Layout(board, np.array(mines))


@st.composite
def channels(draw: st.DrawFn) -> Channel:
    kind = draw(st.sampled_from(KINDS))
    if kind == "exact":
        return EXACT
    p = draw(st.sampled_from((0.0, 1.0)) | st.floats(1e-4, 1 - 1e-4))
    return Channel(kind, p, redraws=kind == "withheld" and draw(st.booleans()))


@st.composite
def positions(draw: st.DrawFn) -> Observation:
    """Positions that can be written down; nothing promises that any layout fits them."""
    board = draw(topologies((*SHAPES, OWN)))
    cells = [
        draw(st.sampled_from([HIDDEN, HIDDEN, FLAG, EXPLODED, NO_CLUE, *range(int(degree) + 1)]))
        for degree in board.degree.tolist()
    ]
    n_exploded = cells.count(EXPLODED)
    total = draw(st.none() | st.integers(n_exploded, board.n_cells))
    return Observation(board, np.array(cells), total, draw(channels()))


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    rows, cols = draw(sizes), draw(sizes)
    policy = draw(st.sampled_from(("any", "safe", "opening")))
    board = draw(boards_of(draw(st.sampled_from((*SHAPES, OWN))), rows, cols))
    most = board.n_cells - {"any": 0, "safe": 1, "opening": 1 + int(board.degree.max())}[policy]
    return Rules.on(
        board,
        draw(st.integers(0, most)),
        first_click=policy,
        cascade=draw(st.booleans()),
        opened_mine=draw(st.sampled_from(("ends", "explodes"))),
        total_known=draw(st.booleans()),
        channel=draw(channels()),
    )


@st.composite
def played_positions(draw: st.DrawFn, max_hidden: int = 12, noisy: bool = True) -> Observation:
    """Positions that a game can reach: at least one layout fits, and few enough cells are hidden to list them all."""
    board = draw(boards_of(draw(st.sampled_from((*SHAPES, OWN))), draw(st.integers(1, 5)), draw(st.integers(1, 5))))
    density = draw(st.sampled_from((0.1, 0.2, 0.4, 0.7)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    layout = Layout(board, rng.random(board.n_cells) < density)
    channel = draw(channels()) if noisy else EXACT
    shown = shown_clues(layout, channel, draw(st.integers(0, 2**32)))
    cells = np.full(board.n_cells, HIDDEN, dtype=np.int8)
    n_hidden = min(board.n_cells, draw(st.integers(0, max_hidden)))
    for index in rng.permutation(board.n_cells)[n_hidden:].tolist():
        cells[index] = EXPLODED if layout.mines.flat[index] else shown[index]
    cells[(cells == HIDDEN) & (rng.random(board.n_cells) < 0.1)] = FLAG
    return Observation(board, cells, draw(st.sampled_from((layout.n_mines, None))), channel)
