"""A position as an array of pixels, for videos and for agents that learn from pictures."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from sapper.draw.palette import LIGHT
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import USUAL_DEGREE

SIZE = 16  # pixels per side of a cell

# Three columns by five rows, each point drawn as 2 x 2 pixels; a zero is blank.
_GLYPHS = {
    1: ".#. ##. .#. .#. ###",
    2: "##. ..# .#. #.. ###",
    3: "##. ..# .#. ..# ##.",
    4: "#.# #.# ### ..# ..#",
    5: "### #.. ##. ..# ##.",
    6: ".## #.. ### #.# ###",
    7: "### ..# .#. .#. .#.",
    8: "### #.# ### #.# ###",
    # Only custom boards have clues above 8; from 10 on they are letters.
    9: "### #.# ### ..# ##.",
    10: ".#. #.# ### #.# #.#",
    11: "##. #.# ##. #.# ##.",
    12: ".## #.. #.. #.. .##",
    13: "##. #.# #.# #.# ##.",
    14: "### #.. ##. #.. ###",
    15: "### #.. ##. #.. #..",
    FLAG: "##. ### ##. #.. #..",
    EXPLODED: "#.# .#. ### .#. #.#",
    NO_CLUE: "##. ..# .#. ... .#.",
}


def draw_pixels(observation: Observation) -> NDArray[np.uint8]:
    """Return a picture of the board: (rows · 16, cols · 16, 3), half a cell wider on hex boards.

    >>> from sapper.observation import Observation
    >>> draw_pixels(Observation.parse("1#/## 1")).shape
    (32, 32, 3)
    """
    is_hex = observation.topology.shape == "hex"
    width = observation.cols * SIZE + (SIZE // 2 if is_hex else 0)
    picture = np.empty((observation.rows * SIZE, width, 3), dtype=np.uint8)
    picture[:] = _colour(LIGHT.edge)
    for row, codes in enumerate(observation.cells.tolist()):
        # Odd rows of a hex board are shifted half a cell to the right.
        left = SIZE // 2 if is_hex and row % 2 else 0
        line = np.concatenate([_tile(code) for code in codes], axis=1)
        picture[row * SIZE : (row + 1) * SIZE, left : left + observation.cols * SIZE] = line
    return picture


@cache
def _tile(code: int) -> NDArray[np.uint8]:
    tile = np.empty((SIZE, SIZE, 3), dtype=np.uint8)
    tile[:] = _colour(LIGHT.edge)
    ground = LIGHT.hidden if code in (HIDDEN, FLAG) else LIGHT.exploded if code == EXPLODED else LIGHT.open
    tile[1:, 1:] = _colour(ground)
    if code in _GLYPHS:
        points = np.array([[point == "#" for point in line] for line in _GLYPHS[code].split()])
        others = {FLAG: LIGHT.flag, EXPLODED: LIGHT.tile_ink, NO_CLUE: LIGHT.faint}
        ink = others.get(code) or LIGHT.clues[min(code, USUAL_DEGREE)]
        tile[4:14, 6:12][np.kron(points, np.ones((2, 2), dtype=np.bool_))] = _colour(ink)
    tile.flags.writeable = False
    return tile


def _colour(name: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(name[1:]))
