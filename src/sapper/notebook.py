"""How values show themselves: in one line where somebody types, as a picture in a notebook.

Pictures are drawn in `sapper.draw`, which stands on these values and which they do not know; so it is looked up when a
notebook asks, as the front door looks names up, and nothing is loaded before.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sapper.topology import OWN

if TYPE_CHECKING:
    from sapper.topology import Topology


MOST_CELLS_IN_LINE = 200  # a longer line says how large the board is instead
MOST_CELLS_IN_PICTURE = 20_000  # a cell takes some hundred bytes, and browsers get slow


def show_text(kind: str, arguments: str, board: Topology, otherwise: str) -> str:
    """Return what `repr` says: how the value can be read again, or of a large board something shorter."""
    if board.n_cells <= MOST_CELLS_IN_LINE and board.shape != OWN:  # which no text says
        return f"{kind}.parse({arguments})"
    return f"<{kind} {board.rows}x{board.cols} {board.shape}: {otherwise}>"


def draw(board: Topology, function: str, *arguments: object) -> str | None:
    """Return what a function of `sapper.draw.svg` draws; None, and so no picture, if the board is too large."""
    if board.n_cells > MOST_CELLS_IN_PICTURE:
        return None
    picture: str = getattr(import_module("sapper.draw.svg"), function)(*arguments)
    return picture
