"""The colours of a board, for light and dark surroundings.

Neighbouring clues differ in lightness as well as in hue, and every state has its own shape, so nothing depends on
colour alone.
"""

from __future__ import annotations

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


LIGHT = Palette(
    clues=("#8a94a0", "#1d5fc4", "#14713a", "#b8231a", "#4b2a8c", "#7a3e00", "#0b6a70", "#1c1f23", "#5c636b"),
    open="#f3f5f7",
    hidden="#b4c0cd",
    edge="#ffffff",
    flag="#a3160d",
    exploded="#d7372c",
    ink="#1c1f23",
    faint="#67717c",
)

DARK = Palette(
    clues=("#6d7782", "#82b6ff", "#74d592", "#ff9486", "#cba8ff", "#f2b566", "#66dada", "#f4f6f8", "#aeb6bf"),
    open="#22272d",
    hidden="#4a5663",
    edge="#15181c",
    flag="#ff9486",
    exploded="#c8362b",
    ink="#f4f6f8",
    faint="#98a2ad",
)

# From safe to mine, of even lightness so that one ink is readable on all of them. Colour-blind people can distinguish
# blue from orange too.
SCALE = ("#8fc1ff", "#a9cffb", "#c6dcf3", "#dfe5ea", "#f1e2cd", "#f7d3a4", "#fbc27a", "#ffb04d")
INK_ON_SCALE = "#14181d"
SAFE_COLOUR = "#1d5fc4"  # of certain cells, with white ink
MINE_COLOUR = "#a3160d"


def colour_of(p_mine: float) -> str:
    """Return the colour of a mine probability that is not certain.

    >>> colour_of(0.01), colour_of(0.5)
    ('#8fc1ff', '#f1e2cd')
    """
    return SCALE[min(int(p_mine * len(SCALE)), len(SCALE) - 1)]
