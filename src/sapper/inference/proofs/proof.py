"""A proof as lines, each of which follows from clues and from earlier lines. Sets of cells are Python integers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sapper.knowledge.facts import Bounded

    # Earlier lines, and the cells that are taken from each.
    Needs = tuple[tuple[int, int], ...]

# What a line does. A supposition is opened, ends where a clue or the total cannot hold, and its opposite is concluded.
SUPPOSE = "suppose"
TOO_MANY = "too many mines"  # known ones
TOO_FEW = "too few cells"  # left for mines
OVER_TOTAL = "more mines than the total"  # counted
UNDER_TOTAL = "fewer mines than the total"
CROWDED = "boxes hold too many mines"
SPARSE = "boxes hold too few mines"
RIGHT = "a clue that is always wrong would be right"
ABSURDITIES = (TOO_MANY, TOO_FEW, CROWDED, SPARSE, OVER_TOTAL, UNDER_TOTAL, RIGHT)
HENCE = "hence"
# The other lines claim something.
REST_CLEAR = "the rest is clear"
REST_MINES = "the rest are mines"
DIFFERENCE = "difference"
SHARED = "shared cells"
BOX = "box"
NOT_RIGHT = "a clue that is always wrong is not right"
COUNT = "count"
LEFT_OVER = "left over"


class Line(NamedTuple):
    """One line: among these cells lie between ``low`` and ``high`` mines, because of the sources and earlier lines."""

    rule: str
    cells: int
    low: int
    high: int
    sources: tuple[int, ...] = ()  # clues, and `WHOLE_BOARD` for the total
    needs: Needs = ()
    depth: int = 0  # suppositions that it stands under; a supposition and what refutes it included
    via: tuple[Bounded, ...] = ()  # what the sentence mentions on the way


class Proof(NamedTuple):
    """The lines, the last of which settles the cell, and the kind of reasoning."""

    kind: str
    lines: tuple[Line, ...]


def keep_used(lines: list[Line], last: int, cells: int, first: int = 0) -> tuple[Line, ...]:
    """Return the lines, from ``first`` on, that the last one rests on, each cut down to the cells that are used."""
    used = {last: cells}
    for index in range(last, first - 1, -1):
        if index in used:
            for line, taken in lines[index].needs:
                used[line] = used.get(line, 0) | taken
    kept = [index for index in sorted(used) if index >= first]
    place = {index: number for number, index in enumerate(kept)}
    return tuple(
        _cut(lines[index], used[index])._replace(
            needs=tuple((place[line], taken) for line, taken in lines[index].needs if line in place)
        )
        for index in kept
    )


def _cut(line: Line, used: int) -> Line:
    """A line that settles cells says so only of those that matter."""
    if line.rule not in (REST_CLEAR, REST_MINES, DIFFERENCE, SHARED, BOX) or not used:
        return line
    if line.high == 0:
        return line._replace(cells=used)
    if line.low == line.cells.bit_count():
        return line._replace(cells=used, low=used.bit_count(), high=used.bit_count())
    return line
