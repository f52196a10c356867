"""A position as coloured text for a terminal, optionally with the mine probability of every hidden cell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray
from rich.style import Style
from rich.text import Text

from sapper.draw.palette import INK_ON_SCALE, LIGHT, MINE_COLOUR, SAFE_COLOUR, SCALE, colour_of
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, SYMBOLS, Observation
from sapper.words import percent

# Hidden cells have a dot so that they can be counted; a zero is blank.
FAINT = Style(dim=True)
MARKED = Style(color=LIGHT.tile_ink, bgcolor=LIGHT.hidden, bold=True)  # a hidden cell, whose own ink is faint
GLYPHS = {HIDDEN: "·", FLAG: "F", EXPLODED: "*", NO_CLUE: "?", 0: " ", **{clue: SYMBOLS[clue] for clue in range(1, 16)}}


@cache
def cell_style(code: int) -> Style:
    """Return the style of a cell; it sets background and ink, so that any terminal will do."""
    if code == HIDDEN:
        return Style(color=LIGHT.edge, bgcolor=LIGHT.hidden)
    if code == FLAG:
        return Style(color=LIGHT.flag, bgcolor=LIGHT.hidden, bold=True)
    if code == EXPLODED:
        return Style(color=LIGHT.tile_ink, bgcolor=LIGHT.exploded, bold=True)
    return Style(color=LIGHT.clues[min(max(code, 0), 8)], bgcolor=LIGHT.open, bold=code > 0)


def draw_terminal(observation: Observation, marked: Collection[int] = ()) -> Text:
    """Return the board with row and column numbers; ``marked`` cells are in angle brackets."""
    return Text("\n").join(terminal_lines(observation, marked))


def terminal_lines(observation: Observation, marked: Collection[int] = ()) -> Iterator[Text]:
    """Yield the same line by line, so that a large board can be printed while it is drawn."""
    step = max(3, len(str(observation.cols - 1)) + 1)

    def label(row: int, col: int, code: int) -> tuple[str, Style]:
        glyph = GLYPHS[code]
        if row * observation.cols + col not in marked:
            return glyph, cell_style(code)
        return f">{glyph}<", MARKED if code == HIDDEN else cell_style(code)

    yield from board_lines(observation, step, label)
    yield Text(observation.caption(), FAINT)


def board_lines(
    observation: Observation, step: int, label: Callable[[int, int, int], tuple[str, Style]]
) -> Iterator[Text]:
    """Yield the lines of a board: its columns, then each row with the ``label`` of (row, col, code)."""
    margin = len(str(observation.rows - 1))
    head = Text(" " * (margin + 1))
    head.append("".join(str(col).center(step) for col in range(observation.cols)), FAINT)
    yield head
    for row, codes in enumerate(observation.cells.tolist()):
        line = Text()
        line.append(f"{row:>{margin}} ", FAINT)
        if observation.topology.shape == "hex" and row % 2:
            line.append(" " * (step // 2))
        for col, code in enumerate(codes):
            words, style = label(row, col, code)
            line.append(words.center(step), style)
        yield line


_BY_COLOUR = {colour: Style(color=INK_ON_SCALE, bgcolor=colour) for colour in SCALE}
_SAFE = Style(color="#ffffff", bgcolor=SAFE_COLOUR, bold=True)
_MINE = Style(color="#ffffff", bgcolor=MINE_COLOUR, bold=True)


def chances_lines(
    observation: Observation,
    p_mine: NDArray[np.float64],
    safe: Collection[tuple[int, int]],
    mines: Collection[tuple[int, int]],
    best: Collection[tuple[int, int]] = (),
) -> Iterator[Text]:
    """Yield a board with percentages; certain cells read ``safe`` and ``MINE``, ``best`` ones have brackets."""
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
    """Return a probability that is not certain in at most three characters."""
    return percent(p, certain=False).rstrip("%")
