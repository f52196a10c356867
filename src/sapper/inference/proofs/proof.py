"""A proof as lines, each of which follows from clues and from earlier lines. Sets of cells are Python integers.

What a proof has settled so far: cells, and bounds on boxes, each with the line that says so.

Clues that never tell the truth: each rules out one number of mines, in the middle of those that it allows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sapper.channel import ALWAYS_WRONG
from sapper.inference.facts import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.inference.facts import Bounded, Facts


if TYPE_CHECKING:
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


@dataclass
class Known:
    """Cells settled so far, and by which line; under how many suppositions."""

    mines: int = 0
    clear: int = 0
    by: dict[int, int] = field(default_factory=dict)
    depth: int = 0
    least: dict[int, tuple[int, int]] = field(default_factory=dict)  # box → mines in it at least, by which line
    most: dict[int, tuple[int, int]] = field(default_factory=dict)  # box → at most

    def deeper(self) -> Known:
        """The same under one supposition more."""
        return Known(self.mines, self.clear, dict(self.by), self.depth + 1, dict(self.least), dict(self.most))

    def learn(self, cells: int, is_mine: bool, line: int) -> None:
        """Note what these cells are, and by which line."""
        if is_mine:
            self.mines |= cells
        else:
            self.clear |= cells
        for cell in cells_of(cells):
            self.by[cell] = line

    def needs(self, cells: int) -> Needs:
        """The lines that settled these cells."""
        lines: dict[int, int] = {}
        for cell in cells_of(cells):
            lines[self.by[cell]] = lines.get(self.by[cell], 0) | 1 << cell
        return tuple(sorted(lines.items()))

    def earliest(self, cells: int, n: int) -> int:
        """So many of these cells, the first that were settled: they rest on the fewest lines."""
        chosen = sorted(cells_of(cells), key=lambda cell: self.by[cell])[:n]
        return sum(1 << cell for cell in chosen)

    def least_in(self, box: int) -> int:
        """The mines that a box has at least."""
        return max((box & self.mines).bit_count(), self.least[box][0] if box in self.least else 0)

    def most_in(self, box: int) -> int:
        """The mines that a box has at most."""
        most = (box & ~self.clear).bit_count()
        return min(most, self.most[box][0]) if box in self.most else most


class Bounds(NamedTuple):
    """How many mines a box can hold, by its cells that were known then or by a line about it as a whole.

    Many are looked at and few are written down, so the lines that say so are looked up only then.
    """

    box: int
    least: int
    least_line: int | None  # None: the cells say it
    most: int
    most_line: int | None
    mines: int  # of its cells, those known then
    clear: int

    def least_needs(self, known: Known) -> Needs:
        """The lines that say how many there are at least."""
        return known.needs(self.mines) if self.least_line is None else ((self.least_line, self.box),)

    def most_needs(self, known: Known) -> Needs:
        """The lines that say how many there are at most."""
        return known.needs(self.clear) if self.most_line is None else ((self.most_line, self.box),)


def find_boxes(statements: dict[int, Bounded]) -> dict[int, tuple[int, ...]]:
    """By source: its cells, grouped by the statements that touch them."""
    touching: dict[int, tuple[int, ...]] = {}
    for source, (cells, _, _) in statements.items():
        for cell in cells_of(cells):
            touching[cell] = (*touching.get(cell, ()), source)
    groups: dict[tuple[int, ...], int] = {}
    for cell, sources in touching.items():
        groups[sources] = groups.get(sources, 0) | 1 << cell
    return {source: tuple(box for sources, box in groups.items() if source in sources) for source in statements}


def bounds_of(known: Known, box: int) -> Bounds:
    """What a box can hold, by its cells that are known or by what was found of it as a whole."""
    mines, clear = box & known.mines, box & known.clear
    least, most = mines.bit_count(), (box ^ clear).bit_count()
    least_line = most_line = None
    if box in known.least and known.least[box][0] > least:
        least, least_line = known.least[box]
    if box in known.most and known.most[box][0] < most:
        most, most_line = known.most[box]
    return Bounds(box, least, least_line, most, most_line, mines, clear)


def merge(parts: Iterable[Needs]) -> Needs:
    """Return the lines of all these together, each once."""
    lines: dict[int, int] = {}
    for part in parts:
        for line, cells in part:
            lines[line] = lines.get(line, 0) | cells
    return tuple(sorted(lines.items()))


def ruled_out(facts: Facts, clues: Iterable[int]) -> dict[int, int]:
    """By clue that is always wrong: the number of mines that its unknown cells do not hold.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> ruled_out(Facts(Observation.parse("1#/## liar")), [0]), ruled_out(Facts(Observation.parse("0#/## liar")), [0])
    ({0: 1}, {})
    """
    if facts.channel != ALWAYS_WRONG:
        return {}
    found = {}
    for clue in clues:
        least, most = facts.clues[clue]
        if least < facts.shown(clue) < most:
            found[clue] = facts.shown(clue) - (facts.around[clue] & facts.mines).bit_count()
    return found


def rule_out(known: Known, source: int, cells: int, number: int) -> Line | None:
    """What a clue says that does not have this number of mines in its cells, once at most one of them is unknown."""
    unknown = cells & ~(known.mines | known.clear)
    mines = cells & known.mines
    n_mines = mines.bit_count()
    needs = known.needs(cells ^ unknown)
    via = ((mines, n_mines, n_mines),)
    if not unknown and n_mines == number:
        return Line(RIGHT, 0, 0, 0, (source,), needs, known.depth, via)
    if unknown.bit_count() == 1 and number - n_mines in (0, 1):
        is_mine = int(n_mines == number)
        return Line(NOT_RIGHT, unknown, is_mine, is_mine, (source,), needs, known.depth, via)
    return None
