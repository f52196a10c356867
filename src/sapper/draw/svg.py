"""A position as a self-contained SVG picture that follows the reader's light or dark setting.

On boards whose neighbours are not evident, pointing at a cell rings its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from html import escape

import numpy as np
from numpy.typing import NDArray

from sapper.draw.palette import DARK, INK_ON_SCALE, LIGHT, MINE_COLOUR, SAFE_COLOUR, Palette, colour_of
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import Cell, Topology
from sapper.words import count, join_words, percent

# On these boards, the cells that touch are drawn side by side.
_PLAIN_TO_SEE = ("square", "torus", "hex")
_MAX_CELLS = 2_500  # a cell takes about 300 bytes
# Style sheets alone show and hide the rings, so the picture needs no script.
_STYLE = "<style>.at rect{fill:transparent}.at path{visibility:hidden}.at:hover path{visibility:visible}</style>"


def needs_pointing(board: Topology) -> bool:
    """Whether a picture of a board does not show which cells touch."""
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
    """Return the layer on top of a picture that rings neighbours; ``corner`` gives (left, top) of a cell.

    Large boards have none.
    """
    if not needs_pointing(board) or board.n_cells > _MAX_CELLS:
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


CELL = 24  # pixels
MARGIN = 26  # for the row and column numbers


def draw_svg(
    observation: Observation, marked: Collection[int] = (), palette: Palette | None = None, pointing: bool = True
) -> str:
    """Return the picture as text; ``marked`` cells get a ring. Linear in the cells.

    With a ``palette``, as for print, the reader's setting is ignored. With ``pointing``, pointing at a cell rings its
    neighbours on boards that do not show them.
    """
    codes = observation.cells.ravel().tolist()

    def draw(cell: int, left: int, top: int) -> str:
        drawn = _draw_cell(codes[cell], left, top)
        return drawn + _tile("ring", left, top) if cell in marked else drawn

    return _picture(observation.topology, str(observation), observation.caption(), draw, palette, pointing)


def draw_chances(
    observation: Observation, p_mine: NDArray[np.float64], safe: Collection[Cell], mines: Collection[Cell]
) -> str:
    """Return the picture with the mine probability of every hidden cell, or what is certain about it."""
    board, certainly_safe, certain_mines = observation.topology, set(safe), set(mines)
    codes = observation.cells.ravel().tolist()

    def draw(number: int, left: int, top: int) -> str:
        cell = board.cell(number)
        if cell in certainly_safe:
            return _tile("safe", left, top) + _write("sure", "safe", left, top, 3)
        if cell in certain_mines:
            return _tile("sure-mine", left, top) + _draw_mine("mine", left, top)
        if codes[number] not in (HIDDEN, FLAG):
            return _draw_cell(codes[number], left, top)
        p = float(p_mine[cell])
        label = escape(percent(p, certain=False).rstrip("%"))
        return _tile("rated", left, top, colour_of(p)) + _write("risk", label, left, top, 4)

    return _picture(board, str(observation), observation.caption(), draw)


def draw_layout(layout: Layout, marked: Collection[int] = ()) -> str:
    """Return a whole layout: every mine, and the clue of every other cell."""
    clues, mines = layout.clues().ravel().tolist(), layout.mines.ravel().tolist()

    def draw(cell: int, left: int, top: int) -> str:
        if mines[cell]:
            drawn = _tile("hidden", left, top) + _draw_mine("bare", left, top)
        else:
            drawn = _draw_cell(clues[cell], left, top)
        return drawn + _tile("ring", left, top) if cell in marked else drawn

    return _picture(layout.topology, str(layout), count(layout.n_mines, "mine"), draw)


def _picture(
    board: Topology,
    label: str,
    caption: str,
    draw: Callable[[int, int, int], str],
    palette: Palette | None = None,
    pointing: bool = True,
) -> str:
    half_cell = CELL // 2 if board.shape == "hex" else 0
    width = MARGIN + board.cols * CELL + half_cell + 4
    height = MARGIN + board.rows * CELL + 22
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(label, quote=True)}">',
        f"<style>{_style_sheet(palette)}</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
    ]

    def corner(cell: int) -> tuple[int, int]:
        row, col = board.cell(cell)
        return MARGIN + col * CELL + (half_cell if row % 2 else 0), MARGIN + row * CELL

    parts += [
        f'<text class="faint" x="{MARGIN + col * CELL + CELL / 2:g}" y="{MARGIN - 8}">{col}</text>'
        for col in range(board.cols)
    ]
    for row in range(board.rows):
        top = MARGIN + row * CELL
        parts.append(f'<text class="faint" x="{MARGIN / 2:g}" y="{top + CELL / 2 + 4:g}">{row}</text>')
        parts += [draw(cell, *corner(cell)) for cell in range(row * board.cols, (row + 1) * board.cols)]
    parts.append(f'<text class="caption" x="{MARGIN}" y="{height - 6}">{escape(caption)}</text>')
    if pointing:
        parts += draw_pointing(board, corner, CELL)
    parts.append("</svg>\n")
    return "\n".join(parts)


def _tile(kind: str, left: int, top: int, colour: str = "") -> str:
    style = f' style="fill:{colour}"' if colour else ""
    return f'<rect class="{kind}"{style} x="{left + 1}" y="{top + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="3"/>'


def _write(kind: str, label: str, left: int, top: int, below: int = 5) -> str:
    return f'<text class="{kind}" x="{left + CELL / 2:g}" y="{top + CELL / 2 + below:g}">{label}</text>'


def _draw_cell(code: int, left: int, top: int) -> str:
    drawn = _tile({HIDDEN: "hidden", FLAG: "hidden", EXPLODED: "exploded"}.get(code, "open"), left, top)
    if code == FLAG:
        return drawn + f'<path class="flag" d="M{left + 9} {top + 5}v14M{left + 9} {top + 5}l8 4l-8 4z"/>'
    if code == EXPLODED:
        return drawn + _draw_mine("mine", left, top)
    if code == NO_CLUE:
        return drawn + _write("c0", "?", left, top)
    return drawn + _write(f"c{min(code, 8)}", str(code), left, top) if code > 0 else drawn


def _draw_mine(kind: str, left: int, top: int) -> str:
    middle, base = left + CELL / 2, top + CELL / 2
    return (
        f'<circle class="{kind}" cx="{middle:g}" cy="{base:g}" r="5"/>'
        f'<path class="{kind}-rays" d="M{middle:g} {top + 4}v16M{left + 4} {base:g}h16"/>'
    )


def _style_sheet(palette: Palette | None) -> str:
    common = (
        "text{font:bold 14px system-ui,sans-serif;text-anchor:middle}"
        ".faint{font:10px system-ui,sans-serif}.caption{font:12px system-ui,sans-serif;text-anchor:start}"
        ".flag,.mine-rays,.bare-rays{stroke-width:2}.ring{fill:none;stroke-width:2.5}"
        f".risk{{font-size:11px;fill:{INK_ON_SCALE}}}.sure{{font-size:9px;fill:#fff}}"
        f".safe{{fill:{SAFE_COLOUR}}}.sure-mine{{fill:{MINE_COLOUR}}}"
    )
    if palette is not None:
        return common + _colours(palette)
    return common + _colours(LIGHT) + "@media(prefers-color-scheme:dark){" + _colours(DARK) + "}"


def _colours(palette: Palette) -> str:
    clues = "".join(f".c{clue}{{fill:{colour}}}" for clue, colour in enumerate(palette.clues))
    return (
        f".page{{fill:{palette.edge}}}.open{{fill:{palette.open}}}.hidden{{fill:{palette.hidden}}}"
        f".exploded{{fill:{palette.exploded}}}.mine{{fill:{palette.tile_ink}}}.mine-rays{{stroke:{palette.tile_ink}}}"
        f".bare{{fill:{palette.mine}}}.bare-rays{{stroke:{palette.mine}}}"
        f".flag{{fill:{palette.flag};stroke:{palette.flag}}}.ring{{stroke:{palette.ink}}}"
        f".faint,.caption{{fill:{palette.faint}}}{clues}"
    )
