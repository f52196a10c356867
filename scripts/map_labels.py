"""What is written in the rooms of the map, and how large rooms and letters are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.code_figures import Room
    from scripts.map_plan import Box

Span = tuple[float, float]  # from where to where
Text = tuple[str, str, float]  # words, their class, their size
Label = list[list[Text]]  # line by line

SMALLEST = 9  # of all letters
SPACE = 8  # between a name and what follows it


@dataclass(frozen=True)
class Style:
    """How rooms are drawn, in pixels."""

    down: bool  # layers are rows that follow each other downwards, not columns from left to right
    depth: float  # of a row from top to bottom, or of a column from left to right, if that is enough
    shape: float  # width by height of a room, in rows at least, in columns at most
    layer_gap: float  # between layers
    gap: float  # between the rooms of a layer, and between lanes
    padding: float
    fonts: tuple[float, float, float]  # of names, sizes and lists of modules
    stroke: float  # of an arrow that stands for one import
    head: float  # half the breadth of an arrowhead


OUTER = Style(down=True, depth=80, shape=1.7, layer_gap=36, gap=22, padding=8, fonts=(14, 11, 10), stroke=1.1, head=4.5)
COLUMNS = Style(down=False, depth=40, shape=3, layer_gap=17, gap=8, padding=6, fonts=(11, 9.5, 9), stroke=0.9, head=3)
ROWS = replace(COLUMNS, down=True, depth=30, shape=0.8, layer_gap=15)


def find_corner(label: Label, style: Style) -> Span:
    """Return where rooms within may begin: at the right of the label or, in a room within a room, below it."""
    if style is OUTER:
        return max(map(text_width, label), default=0) + 2 * style.padding, style.padding
    return style.padding, label_height(label) + 1.6 * style.padding


def least_label(box: Box, style: Style) -> Label:
    """Return the label for which a room with rooms in it must have space."""
    if style is OUTER:
        size = style.fonts[1]
        return [[(box.room.name, "name", style.fonts[0])], *([(words, "size", size)] for words in box.room.counts)]
    return _fullest_label(box.room, box.room.own_names, box.width, box.height / 2, style)


def find_label(box: Box, style: Style) -> Label:
    """Return what is written in a room: as much as there is space for."""
    names, width = box.room.own_names, box.width
    if box.inside is None:
        names = names + [room.name for room in box.room.rooms]
    elif style is OUTER:
        width -= box.inside.width + style.padding
    else:
        return least_label(box, style)
    return _fullest_label(box.room, names, width, box.height, style)


def _fullest_label(room: Room, names: Sequence[str], width: float, height: float, style: Style) -> Label:
    """Return the first label that fits, from all that could be said down to the name alone."""
    width, height = width - 2 * style.padding + 1e-6, height - 0.8 * style.padding
    for label in _labels(room, names, width, style):
        below = 0.5 * style.padding * any(line[0][1] == "list" for line in label)
        if label_height(label) + below <= height and max(map(text_width, label)) <= width:
            return label
    return []


def _labels(room: Room, names: Sequence[str], width: float, style: Style) -> Iterator[Label]:
    """Give labels for a room, the fullest first."""
    large, middle, small = style.fonts
    heads: list[Label] = []
    for scale in (1, 0.9, 0.8, 0.7, SMALLEST / large):
        name: Text = (room.name, "name", max(SMALLEST, large * scale))
        size = max(SMALLEST, middle * scale)
        both: Text = (" · ".join(room.counts), "size", size)
        heads += [[[name, both]], [[name], [both]], [[name], *([(words, "size", size)] for words in room.counts)]]
    for size in (small, SMALLEST):
        listed = wrap_words(names, width, size)
        yield from (head + listed for head in heads[:6])
    yield from heads
    yield from ([head[0], head[-1]] for head in heads[2::3])
    yield from ([head[0]] for head in heads[2::3])


def wrap_words(words: Sequence[str], width: float, size: float) -> Label:
    """List words with commas, in lines of a width."""
    lines: list[str] = []
    for i, word in enumerate(words):
        listed = word + "," * (i + 1 < len(words))
        if lines and word_width(f"{lines[-1]} {listed}", "list", size) <= width:
            lines[-1] += f" {listed}"
        else:
            lines.append(listed)
    return [[(line, "list", size)] for line in lines]


@cache
def word_width(words: str, kind: str, size: float) -> float:
    """Estimate the width of words, for usual fonts rather too large than too small."""
    ems = sum(0.32 if c in "ijl .,·" else 0.42 if c in "frt" else 0.97 if c in "mw" else 0.63 for c in words)
    return ems * size * (1.12 if kind == "name" else 1)


def text_width(line: Sequence[Text]) -> float:
    """Estimate the width of a line."""
    return sum(word_width(*text) for text in line) + SPACE * (len(line) - 1)


def label_height(label: Label) -> float:
    """Return the height of all lines."""
    return sum(1.3 * line[0][2] for line in label)
