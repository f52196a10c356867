"""A position with the chance of a mine in every hidden cell, as coloured text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from sapper.draw.terminal import GLYPHS, cell_style
from sapper.words import percent

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np
    from numpy.typing import NDArray

    from sapper.observation import Observation

# From safe to mined, even in lightness so that black ink is readable on all of them; blue to orange is told apart by
# colour-blind people as well.
_SCALE = ("#8fc1ff", "#a9cffb", "#c6dcf3", "#dfe5ea", "#f1e2cd", "#f7d3a4", "#fbc27a", "#ffb04d")
_SAFE = Style(color="#ffffff", bgcolor="#1d5fc4", bold=True)
_MINE = Style(color="#ffffff", bgcolor="#a3160d", bold=True)


def draw_chances(
    observation: Observation,
    p_mine: NDArray[np.float64],
    safe: Collection[tuple[int, int]],
    mines: Collection[tuple[int, int]],
    best: Collection[tuple[int, int]] = (),
) -> Text:
    """Return the board with percentages; certain cells read ``safe`` and ``MINE``, ``best`` ones have brackets."""
    certain_safe, certain_mines, best_cells = set(safe), set(mines), set(best)
    margin = len(str(observation.rows - 1))
    faint = Style(dim=True)
    text = Text(" " * (margin + 1))
    text.append("".join(str(col).center(6) for col in range(observation.cols)), faint)
    for row, codes in enumerate(observation.cells.tolist()):
        text.append(f"\n{row:>{margin}} ", faint)
        if observation.topology.shape == "hex" and row % 2:
            text.append("   ")
        for col, code in enumerate(codes):
            cell = (row, col)
            if cell in certain_safe:
                label, style = "safe", _SAFE
            elif cell in certain_mines:
                label, style = "MINE", _MINE
            elif observation.closed[cell]:
                p = float(p_mine[cell])
                label = percent_label(p)
                style = Style(color="#1c1f23", bgcolor=_SCALE[min(int(p * len(_SCALE)), len(_SCALE) - 1)])
            else:
                label, style = GLYPHS[code], cell_style(code)
            if cell in best_cells:
                label = f">{label}<"
            text.append(label.center(6), style)
    return text


def percent_label(p: float) -> str:
    """A chance that is not certain, in at most three characters."""
    return percent(p, certain=False).rstrip("%")
