"""A position as a self-contained SVG picture that follows the reader's light or dark setting."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sapper.draw.palette import DARK, LIGHT
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE

if TYPE_CHECKING:
    from collections.abc import Collection

    from sapper.draw.palette import Palette
    from sapper.observation import Observation

CELL = 24  # pixels
MARGIN = 26  # for the row and column numbers


def draw_svg(observation: Observation, marked: Collection[int] = ()) -> str:
    """Return the picture as text; ``marked`` cells get a ring. Linear in the cells."""
    half_cell = CELL // 2 if observation.topology.shape == "hex" else 0
    width = MARGIN + observation.cols * CELL + half_cell + 4
    height = MARGIN + observation.rows * CELL + 22
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(str(observation), quote=True)}">',
        f"<style>{_style_sheet()}</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
    ]
    parts += [
        f'<text class="faint" x="{MARGIN + col * CELL + CELL / 2:g}" y="{MARGIN - 8}">{col}</text>'
        for col in range(observation.cols)
    ]
    for row, codes in enumerate(observation.cells.tolist()):
        top = MARGIN + row * CELL
        parts.append(f'<text class="faint" x="{MARGIN / 2:g}" y="{top + CELL / 2 + 4:g}">{row}</text>')
        left = MARGIN + (half_cell if row % 2 else 0)
        for col, code in enumerate(codes):
            ring = row * observation.cols + col in marked
            parts.append(_draw_cell(code, left + col * CELL, top, ring))
    parts.append(f'<text class="caption" x="{MARGIN}" y="{height - 6}">{escape(observation.caption())}</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)


def _draw_cell(code: int, left: int, top: int, ring: bool) -> str:
    middle, base = left + CELL / 2, top + CELL / 2
    kind = {HIDDEN: "hidden", FLAG: "hidden", EXPLODED: "exploded"}.get(code, "open")
    drawn = [f'<rect class="{kind}" x="{left + 1}" y="{top + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="3"/>']
    if code == FLAG:
        drawn.append(f'<path class="flag" d="M{left + 9} {top + 5}v14M{left + 9} {top + 5}l8 4l-8 4z"/>')
    elif code == EXPLODED:
        drawn.append(f'<circle class="mine" cx="{middle:g}" cy="{base:g}" r="5"/>')
        drawn.append(f'<path class="rays" d="M{middle:g} {top + 4}v16M{left + 4} {base:g}h16"/>')
    elif code == NO_CLUE:
        drawn.append(f'<text class="c0" x="{middle:g}" y="{base + 5:g}">?</text>')
    elif code > 0:
        drawn.append(f'<text class="c{code}" x="{middle:g}" y="{base + 5:g}">{code}</text>')
    if ring:
        drawn.append(f'<rect class="ring" x="{left + 1}" y="{top + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="3"/>')
    return "".join(drawn)


def _style_sheet() -> str:
    common = (
        "text{font:bold 14px system-ui,sans-serif;text-anchor:middle}"
        ".faint{font:10px system-ui,sans-serif}.caption{font:12px system-ui,sans-serif;text-anchor:start}"
        ".flag,.rays{stroke-width:2}.ring{fill:none;stroke-width:2.5}"
    )
    return common + _colours(LIGHT) + "@media(prefers-color-scheme:dark){" + _colours(DARK) + "}"


def _colours(palette: Palette) -> str:
    clues = "".join(f".c{clue}{{fill:{colour}}}" for clue, colour in enumerate(palette.clues))
    return (
        f".page{{fill:{palette.edge}}}.open{{fill:{palette.open}}}.hidden{{fill:{palette.hidden}}}"
        f".exploded{{fill:{palette.exploded}}}.mine{{fill:{palette.edge}}}.rays{{stroke:{palette.edge}}}"
        f".flag{{fill:{palette.flag};stroke:{palette.flag}}}.ring{{stroke:{palette.ink}}}"
        f".faint,.caption{{fill:{palette.faint}}}{clues}"
    )
