"""Which cells touch, where that does not show: pointing at a cell of a picture rings its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.words import join_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from sapper.topology import Topology

# On these boards the cells that touch are those that are drawn side by side, as far as there are any.
_PLAIN_TO_SEE = ("square", "torus", "hex")
_MOST_CELLS = 2_500  # a cell takes some 300 bytes
# Style sheets alone show and hide the rings, so the picture needs no script.
_STYLE = "<style>.at rect{fill:transparent}.at path{visibility:hidden}.at:hover path{visibility:visible}</style>"


def needs_pointing(board: Topology) -> bool:
    """Whether a picture of a board does not show by itself which cells touch."""
    return board.shape not in _PLAIN_TO_SEE


def say_neighbours(board: Topology, cell: int) -> str:
    """Name the cells that a cell touches.

    >>> from sapper.topology import topology
    >>> say_neighbours(topology("knight", 8, 8), 0), say_neighbours(topology("knight", 1, 1), 0)
    ('(0, 0) touches (1, 2) and (2, 1).', '(0, 0) touches no other cell.')
    """
    others = [str(board.cell(other)) for other in board.neighbours_of(cell)]
    return f"{board.cell(cell)} touches {join_words(others) if others else 'no other cell'}."


def draw_pointing(board: Topology, corner: Callable[[int], tuple[int, int]], size: int) -> list[str]:
    """Return a layer for the top of a picture, with a line for every cell; ``corner`` gives (left, top) of its square.

    On large boards there is no layer.
    """
    if not needs_pointing(board) or board.n_cells > _MOST_CELLS:
        return []
    layer = [_STYLE]
    for cell in range(board.n_cells):
        left, top = corner(cell)
        rings = "".join(
            f"M{at_left + 2} {at_top + 2}h{size - 4}v{size - 4}h{4 - size}z"
            for at_left, at_top in map(corner, board.neighbours_of(cell))
        )
        layer.append(
            f'<g class="at"><title>{say_neighbours(board, cell)}</title>'
            f'<rect x="{left}" y="{top}" width="{size}" height="{size}"/>'
            f'<path class="ring" pointer-events="none" d="{rings}"/></g>'
        )
    return layer
