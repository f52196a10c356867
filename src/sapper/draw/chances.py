"""A position with the chance of a mine in every hidden cell, as coloured text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from sapper.draw.palette import INK_ON_SCALE, MINE_COLOUR, SAFE_COLOUR, SCALE, colour_of
from sapper.draw.terminal import GLYPHS, board_lines, cell_style
from sapper.observation import FLAG, HIDDEN
from sapper.words import percent

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import numpy as np
    from numpy.typing import NDArray

    from sapper.observation import Observation

_BY_COLOUR = {colour: Style(color=INK_ON_SCALE, bgcolor=colour) for colour in SCALE}
_SAFE = Style(color="#ffffff", bgcolor=SAFE_COLOUR, bold=True)
_MINE = Style(color="#ffffff", bgcolor=MINE_COLOUR, bold=True)


def draw_chances(
    observation: Observation,
    p_mine: NDArray[np.float64],
    safe: Collection[tuple[int, int]],
    mines: Collection[tuple[int, int]],
    best: Collection[tuple[int, int]] = (),
) -> Text:
    """Return the board with percentages; certain cells read ``safe`` and ``MINE``, ``best`` ones have brackets."""
    return Text("\n").join(chances_lines(observation, p_mine, safe, mines, best))


def chances_lines(
    observation: Observation,
    p_mine: NDArray[np.float64],
    safe: Collection[tuple[int, int]],
    mines: Collection[tuple[int, int]],
    best: Collection[tuple[int, int]] = (),
) -> Iterator[Text]:
    """Give the same line by line, so that a large board can be printed while it is drawn."""
    certain_safe, certain_mines, best_cells = set(safe), set(mines), set(best)

    def label(row: int, col: int, code: int) -> tuple[str, Style]:
        cell = (row, col)
        if cell in certain_safe:
            words, style = "safe", _SAFE
        elif cell in certain_mines:
            words, style = "MINE", _MINE
        elif code in (HIDDEN, FLAG):
            p = float(p_mine[cell])
            words, style = percent_label(p), _BY_COLOUR[colour_of(p)]
        else:
            words, style = GLYPHS[code], cell_style(code)
        return f">{words}<" if cell in best_cells else words, style

    return board_lines(observation, 6, label)


def percent_label(p: float) -> str:
    """A chance that is not certain, in at most three characters."""
    return percent(p, certain=False).rstrip("%")
