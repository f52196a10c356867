"""What a proof has settled so far: cells, and bounds on boxes, each with the line that says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sapper.knowledge.facts import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.inference.proofs.proof import Needs
    from sapper.knowledge.facts import Bounded


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
