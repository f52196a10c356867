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


class Bounds(NamedTuple):
    """How many mines a box can hold, and the lines that say so."""

    box: int
    least: int
    least_needs: Needs
    most: int
    most_needs: Needs


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
    least, least_needs = mines.bit_count(), known.needs(mines)
    most, most_needs = (box ^ clear).bit_count(), known.needs(clear)
    if box in known.least and known.least[box][0] > least:
        least, line = known.least[box]
        least_needs = ((line, box),)
    if box in known.most and known.most[box][0] < most:
        most, line = known.most[box]
        most_needs = ((line, box),)
    return Bounds(box, least, least_needs, most, most_needs)


def merge(parts: Iterable[Needs]) -> Needs:
    """Return the lines of all these together, each once."""
    lines: dict[int, int] = {}
    for part in parts:
        for line, cells in part:
            lines[line] = lines.get(line, 0) | cells
    return tuple(sorted(lines.items()))
