"""A position as coloured text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from sapper.draw.palette import LIGHT
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE

if TYPE_CHECKING:
    from collections.abc import Collection

    from sapper.observation import Observation

# Hidden cells carry a dot so that they can be counted; an open cell without mines around is blank.
GLYPHS = {HIDDEN: "·", FLAG: "F", EXPLODED: "*", NO_CLUE: "?", 0: " ", **{clue: str(clue) for clue in range(1, 9)}}


def cell_style(code: int) -> Style:
    """Return how a cell of this code is painted; background and ink are both set, so any terminal will do."""
    if code == HIDDEN:
        return Style(color=LIGHT.edge, bgcolor=LIGHT.hidden)
    if code == FLAG:
        return Style(color=LIGHT.flag, bgcolor=LIGHT.hidden, bold=True)
    if code == EXPLODED:
        return Style(color=LIGHT.edge, bgcolor=LIGHT.exploded, bold=True)
    return Style(color=LIGHT.clues[max(code, 0)], bgcolor=LIGHT.open, bold=code > 0)


def draw_terminal(observation: Observation, marked: Collection[int] = ()) -> Text:
    """Return the board with row and column numbers; ``marked`` cells stand between angle brackets."""
    step = max(3, len(str(observation.cols - 1)) + 1)
    margin = len(str(observation.rows - 1))
    faint = Style(dim=True)
    text = Text(" " * (margin + 1))
    text.append("".join(str(col).center(step) for col in range(observation.cols)), faint)
    for row, codes in enumerate(observation.cells.tolist()):
        text.append(f"\n{row:>{margin}} ", faint)
        if observation.topology.shape == "hex" and row % 2:
            text.append(" " * (step // 2))
        for col, code in enumerate(codes):
            glyph = GLYPHS[code]
            if row * observation.cols + col in marked:
                glyph = f">{glyph}<"
            text.append(glyph.center(step), cell_style(code))
    text.append(f"\n{observation.caption()}", faint)
    return text
