r"""The file formats in which Minesweeper players exchange layouts, positions and replays.

Each format is a module that reads and writes bytes; this one lists them and converts between them.

>>> replay = FORMATS["rawvf"].read(b"Board:\n*0\n00\nEvents:\n")
>>> convert(replay, FORMATS["mbf"]).hex(" ")
'02 02 00 01 00 00'
>>> convert(replay, format_of("board.tatham"))
b'2x2:1,0,u8\n'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np

from sapper.errors import FormatError, InputError
from sapper.formats import csp, mbf, mine, ptta, rawvf, tatham, text
from sapper.formats.rawvf import Event, Replay
from sapper.formats.tatham import OpenedLayout
from sapper.layout import Layout
from sapper.observation import Observation

Content = Layout | Observation | OpenedLayout | Replay

__all__ = ["FORMATS", "Content", "Event", "Format", "OpenedLayout", "Replay", "convert", "first_click", "format_of"]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its name, what it holds, and how to read and write it."""

    name: str
    suffixes: tuple[str, ...]
    carries: type[Content]
    read: Callable[[bytes], Content]
    write: Callable[[Any], bytes]  # takes what `carries` says, as `convert` ensures
    summary: str

    @property
    def noun(self) -> str:
        """What to call a file of this format; a position file may end in .pos or .txt."""
        return "position file" if self.name == "position" else f"{self.suffixes[0]} file"


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format("mbf", (".mbf", ".abf"), Layout, mbf.read, mbf.write, "a whole layout, in bytes"),
        Format("mine", (".mine",), Observation, mine.read, mine.write, "a position of the JSMinesweeper analyser"),
        Format("ptta", (".ptta",), Layout, ptta.read, ptta.write, "a whole layout in a web address, b=…&m=…"),
        Format(
            "tatham", (".tatham",), OpenedLayout, tatham.read, tatham.write, "a game ID: a layout and the first click"
        ),
        Format("rawvf", (".rawvf",), Replay, rawvf.read, rawvf.write, "a replay: a layout and every mouse event"),
        Format("csp", (".csp",), Observation, csp.read, csp.write, "a position as numbers, for constraint solvers"),
        Format(
            "position",
            (".pos", ".txt"),
            Observation,
            text.read_position,
            text.write_position,
            "a position as Sapper writes it, 1#/## 1",
        ),
        Format(
            "layout", (".layout",), Layout, text.read_layout, text.write_layout, "a layout as Sapper writes it, *-/--"
        ),
    )
}


def format_of(path_name: str, given: str | None = None) -> Format:
    """Return the format with this name; without one, the format of the file's suffix."""
    if given is not None:
        if given not in FORMATS:
            raise InputError(f"There is no format {given!r}; choose from {', '.join(FORMATS)}.")
        return FORMATS[given]
    suffix = PurePath(path_name).suffix.lower()
    for entry in FORMATS.values():
        if suffix in entry.suffixes:
            return entry
    suffixes = ", ".join(known for entry in FORMATS.values() for known in entry.suffixes)
    raise InputError(
        f"The name {path_name!r} does not tell the format: use one of the suffixes {suffixes}, or name the format "
        f"({', '.join(FORMATS)})."
    )


def convert(value: Content, target: Format, first: tuple[int, int] | None = None) -> bytes:
    """Convert what was read from one format to another.

    Replays and first clicks are left out where the target has no place for them. Where it needs a first click,
    that is ``first``, or else `first_click`.
    """
    if first is not None and target.carries is not OpenedLayout:
        raise InputError(f"A {target.noun} has no place for a first click.")
    if isinstance(value, target.carries) and first is None:
        return target.write(value)
    if isinstance(value, Observation):
        raise FormatError(
            f"A {target.noun} holds a whole layout, but this is a position, which does not tell where the mines are."
        )
    if target.carries is Observation:
        raise FormatError(
            f"A {target.noun} holds a position, but this is a whole layout, of which a position shows "
            "only the cells that a player has opened."
        )
    layout = value if isinstance(value, Layout) else value.layout
    if target.carries is OpenedLayout:
        return target.write(OpenedLayout(layout, first or first_click(layout)))
    return target.write(Replay.of(layout) if target.carries is Replay else layout)


def first_click(layout: Layout) -> tuple[int, int]:
    """Return the first cell, in row order, that opens a region; or the first without a mine."""
    safe = ~layout.mines
    for cells in (safe & (layout.clues() == 0), safe):
        if cells.any():
            return layout.topology.cell(int(np.argmax(cells)))
    raise FormatError("Every cell of the board is a mine, so there is none to click first.")
