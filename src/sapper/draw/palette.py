"""The colours of a board, for light and dark surroundings.

Neighbouring clues differ in lightness as well as in hue, and every state has its own shape, so nothing depends on
colour alone.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Hexadecimal colours of everything on a board."""

    clues: tuple[str, ...]  # of the digits 0 … 8
    open: str
    hidden: str
    edge: str
    flag: str
    exploded: str
    ink: str
    faint: str
    mine: str  # on a hidden cell
    tile_ink: str  # of what else stands on a hidden cell
    shadow: str  # of a hidden cell, on the open ones beside it


LIGHT = Palette(
    clues=("#8a94a0", "#1d5fc4", "#14713a", "#b8231a", "#4b2a8c", "#7a3e00", "#0b6a70", "#1c1f23", "#5c636b"),
    open="#f6f3ec",
    hidden="#2f6f73",
    edge="#e2ddd2",
    flag="#ffc24a",
    exploded="#c8362b",
    ink="#0b1718",
    faint="#5a6364",
    mine="#0b1718",
    tile_ink="#fbf8f1",
    shadow="#1d242566",
)

DARK = Palette(
    clues=("#6d7782", "#82b6ff", "#74d592", "#ff9486", "#cba8ff", "#f2b566", "#66dada", "#f4f6f8", "#aeb6bf"),
    open="#182022",
    hidden="#34737a",
    edge="#0d1314",
    flag="#ffc24a",
    exploded="#c8362b",
    ink="#f2efe8",
    faint="#98a5a5",
    mine="#0b1718",
    tile_ink="#fbf8f1",
    shadow="#00000099",
)


@dataclass(frozen=True, slots=True)
class Ground:
    """Hexadecimal colours of a document around its boards: those of the web app (web/static/styles/base.css)."""

    paper: str
    card: str
    line: str
    ink: str
    faint: str
    accent: str


LIGHT_GROUND = Ground("#eaede8", "#f9faf6", "#cbd2ca", "#1d2425", "#515d5e", "#0f6166")
DARK_GROUND = Ground("#0f1415", "#182021", "#344143", "#f2f1ec", "#a9b6b6", "#72d0c7")

# From safe to mine, all light enough for one ink. Colour-blind people can distinguish blue from orange too. Guesses are
# between risks below a third, so the steps are finer there: 8% and 20% are three colours apart.
SCALE = ("#7db9ff", "#a6d0ff", "#cfe4f8", "#edf0cd", "#fbe3a6", "#fdca78", "#ffb03f", "#ff981f")
SCALE_STEPS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75)  # from each on, the next colour
INK_ON_SCALE = "#14181d"
SAFE_COLOUR = "#1d5fc4"  # of certain cells, with white ink
MINE_COLOUR = "#a3160d"


def colour_of(p_mine: float) -> str:
    """Return the colour of a mine probability that is not certain.

    >>> colour_of(0.08), colour_of(0.2), colour_of(0.5)
    ('#a6d0ff', '#fbe3a6', '#ffb03f')
    """
    return SCALE[bisect(SCALE_STEPS, p_mine)]
