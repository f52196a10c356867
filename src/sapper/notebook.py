"""How values are displayed: as one line in a console, as a picture in a notebook.

Pictures are drawn by `sapper.draw`, which stands above these values; so it is imported only when a notebook asks.
"""

from __future__ import annotations

from importlib import import_module

from sapper.topology import OWN, Topology

MAX_CELLS_IN_LINE = 200  # of larger boards only the size is shown
MAX_CELLS_IN_PICTURE = 20_000  # a cell takes some hundred bytes, and browsers get slow


def show_text(kind: str, arguments: str, board: Topology, otherwise: str) -> str:
    """Return the `repr` of a value: how to parse it, or something shorter for large and custom boards."""
    if board.n_cells <= MAX_CELLS_IN_LINE and board.shape != OWN:
        return f"{kind}.parse({arguments})"
    return f"<{kind} {board.rows}x{board.cols} {board.shape}: {otherwise}>"


def draw(board: Topology, function: str, *arguments: object) -> str | None:
    """Return the picture by a function of `sapper.draw.svg`; None if the board is too large."""
    if board.n_cells > MAX_CELLS_IN_PICTURE:
        return None
    picture: str = getattr(import_module("sapper.draw.svg"), function)(*arguments)
    return picture
