"""The lines of a proof, a class for each rule, and what they have settled so far.

Each line follows from clues and from earlier lines. Sets of cells are Python integers, bit i for cell i.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from sapper.channel import ALWAYS_WRONG
from sapper.inference.facts import Bounded, Facts, cells_of

Needs = tuple[tuple[int, int], ...]  # earlier lines, and the cells that are taken from each


@dataclass(slots=True, eq=False)
class ProofLine:
    """A claim: among these cells lie between ``low`` and ``high`` mines, because of the sources and earlier lines."""

    rule: ClassVar[str]
    cells: int = 0
    low: int = 0
    high: int = 0
    sources: tuple[int, ...] = ()  # clues, and `cores.TOTAL` for the number of mines on the board
    needs: Needs = ()
    depth: int = 0  # suppositions that it stands under; a supposition and what refutes it included


class Suppose(ProofLine):
    """Assume the opposite of what is to be shown, until an `Absurdity` refutes it."""

    rule = "suppose"


class Hence(ProofLine):
    """Conclude the opposite of what was supposed."""

    rule = "hence"


class Cellwise(ProofLine):
    """A claim that can be cut down to some of the cells that it settles."""


@dataclass(slots=True, eq=False)
class RestSafe(Cellwise):
    """All mines of a source are found."""

    rule = "the rest is safe"
    mines: int = field(kw_only=True)


@dataclass(slots=True, eq=False)
class RestMines(Cellwise):
    """A source has no more cells left than it needs mines."""

    rule = "the rest are mines"
    left: int = field(kw_only=True)


@dataclass(slots=True, eq=False)
class Difference(Cellwise):
    """One statement is taken off another that holds all its cells."""

    rule = "difference"
    larger: Bounded = field(kw_only=True)
    smaller: Bounded = field(kw_only=True)


@dataclass(slots=True, eq=False)
class Shared(Cellwise):
    """What the cells that two statements share can hold settles the other cells of the first."""

    rule = "shared cells"
    common: Bounded = field(kw_only=True)
    first: Bounded = field(kw_only=True)


@dataclass(slots=True, eq=False)
class BoxBound(Cellwise):
    """What the other boxes of a source can hold bounds one of them."""

    rule = "box"
    others: tuple[Bounded, ...] = field(kw_only=True)


@dataclass(slots=True, eq=False)
class NotRight(ProofLine):
    """A clue that is always wrong may not be made right by its last cell."""

    rule = "a clue that is always wrong is not right"
    mines: int = field(kw_only=True)


class Counted(ProofLine):
    """The fewest or the most mines that some clues take."""

    rule = "count"


@dataclass(slots=True, eq=False)
class LeftOver(ProofLine):
    """The mines that the clues leave to all other cells."""

    rule = "left over"
    rest: int = field(kw_only=True)  # the other cells
    n_mines: int = field(kw_only=True)  # that must lie there


class Absurdity(ProofLine):
    """Something that cannot be: it refutes what was supposed."""


@dataclass(slots=True, eq=False)
class TooMany(Absurdity):
    """A source has more known mines than it allows."""

    rule = "too many mines"
    mines: int = field(kw_only=True)


@dataclass(slots=True, eq=False)
class TooFew(Absurdity):
    """A source has fewer cells left than it needs mines."""

    rule = "too few cells"
    left: int = field(kw_only=True)


@dataclass(slots=True, eq=False)
class Crowded(Absurdity):
    """The boxes of a source hold more mines than it allows."""

    rule = "boxes hold too many mines"
    boxes: tuple[Bounded, ...] = field(kw_only=True)


@dataclass(slots=True, eq=False)
class Sparse(Absurdity):
    """The boxes of a source hold fewer mines than it needs."""

    rule = "boxes hold too few mines"
    boxes: tuple[Bounded, ...] = field(kw_only=True)


class OverTotal(Absurdity):
    """The clues take more mines than there are."""

    rule = "more mines than the total"


@dataclass(slots=True, eq=False)
class UnderTotal(Absurdity):
    """The clues leave more mines than there are other cells."""

    rule = "fewer mines than the total"
    rest: int = field(kw_only=True)
    n_mines: int = field(kw_only=True)  # that would have to lie there


@dataclass(slots=True, eq=False)
class Right(Absurdity):
    """A clue that is always wrong would be right."""

    rule = "a clue that is always wrong would be right"
    mines: int = field(kw_only=True)


ABSURDITIES = tuple(one.rule for one in (TooMany, TooFew, Crowded, Sparse, OverTotal, UnderTotal, Right))


class Derivation(NamedTuple):
    """The lines, the last of which settles the cell, and the kind of reasoning."""

    kind: str
    lines: tuple[ProofLine, ...]


def keep_used(lines: list[ProofLine], last: int, cells: int, first: int = 0) -> tuple[ProofLine, ...]:
    """Return the lines, from ``first`` on, that the last one rests on, each cut down to the cells that are used."""
    used = {last: cells}
    for index in range(last, first - 1, -1):
        if index in used:
            for line, taken in lines[index].needs:
                used[line] = used.get(line, 0) | taken
    kept = [index for index in sorted(used) if index >= first]
    place = {index: number for number, index in enumerate(kept)}
    return tuple(
        replace(
            _cut(lines[index], used[index]),
            needs=tuple((place[line], taken) for line, taken in lines[index].needs if line in place),
        )
        for index in kept
    )


def _cut(line: ProofLine, used: int) -> ProofLine:
    """Restrict a line that settles cells to those that matter."""
    if not isinstance(line, Cellwise) or not used:
        return line
    if line.high == 0:
        return replace(line, cells=used)
    if line.low == line.cells.bit_count():
        return replace(line, cells=used, low=used.bit_count(), high=used.bit_count())
    return line


@dataclass
class Known:
    """Cells settled so far, and by which line; under how many suppositions."""

    mines: int = 0
    safe: int = 0
    by: dict[int, int] = field(default_factory=dict)
    depth: int = 0
    least: dict[int, tuple[int, int]] = field(default_factory=dict)  # box → mines in it at least, by which line
    most: dict[int, tuple[int, int]] = field(default_factory=dict)  # box → at most

    def deeper(self) -> Known:
        """Return a copy under one more supposition."""
        return Known(self.mines, self.safe, dict(self.by), self.depth + 1, dict(self.least), dict(self.most))

    def learn(self, cells: int, is_mine: bool, line: int) -> None:
        """Note what these cells are, and by which line."""
        if is_mine:
            self.mines |= cells
        else:
            self.safe |= cells
        for cell in cells_of(cells):
            self.by[cell] = line

    def needs(self, cells: int) -> Needs:
        """Return the lines that settled these cells."""
        lines: dict[int, int] = {}
        for cell in cells_of(cells):
            lines[self.by[cell]] = lines.get(self.by[cell], 0) | 1 << cell
        return tuple(sorted(lines.items()))

    def earliest(self, cells: int, n: int) -> int:
        """Return the ``n`` of these cells that were settled first: they rest on the fewest lines."""
        chosen = sorted(cells_of(cells), key=lambda cell: self.by[cell])[:n]
        return sum(1 << cell for cell in chosen)

    def least_in(self, box: int) -> int:
        """Return the fewest mines that a box can hold."""
        return max((box & self.mines).bit_count(), self.least[box][0] if box in self.least else 0)

    def most_in(self, box: int) -> int:
        """Return the most mines that a box can hold."""
        most = (box & ~self.safe).bit_count()
        return min(most, self.most[box][0]) if box in self.most else most


class Bounds(NamedTuple):
    """How many mines a box can hold, by its cells that were known then or by a line about it as a whole.

    Most are never written down, so the lines behind them are looked up only when needed.
    """

    box: int
    least: int
    least_line: int | None  # None: the cells say it
    most: int
    most_line: int | None
    mines: int  # of its cells, those known then
    safe: int

    def least_needs(self, known: Known) -> Needs:
        """Return the lines behind the lower bound."""
        return known.needs(self.mines) if self.least_line is None else ((self.least_line, self.box),)

    def most_needs(self, known: Known) -> Needs:
        """Return the lines behind the upper bound."""
        return known.needs(self.safe) if self.most_line is None else ((self.most_line, self.box),)


def find_boxes(statements: dict[int, Bounded]) -> dict[int, tuple[int, ...]]:
    """Return each source's cells, grouped by the statements that touch them."""
    touching: dict[int, tuple[int, ...]] = {}
    for source, (cells, _, _) in statements.items():
        for cell in cells_of(cells):
            touching[cell] = (*touching.get(cell, ()), source)
    groups: dict[tuple[int, ...], int] = {}
    for cell, sources in touching.items():
        groups[sources] = groups.get(sources, 0) | 1 << cell
    return {source: tuple(box for sources, box in groups.items() if source in sources) for source in statements}


def bounds_of(known: Known, box: int) -> Bounds:
    """Return what a box can hold, by its known cells or by what was found of it as a whole."""
    mines, safe = box & known.mines, box & known.safe
    least, most = mines.bit_count(), (box ^ safe).bit_count()
    least_line = most_line = None
    if box in known.least and known.least[box][0] > least:
        least, least_line = known.least[box]
    if box in known.most and known.most[box][0] < most:
        most, most_line = known.most[box]
    return Bounds(box, least, least_line, most, most_line, mines, safe)


def merge(parts: Iterable[Needs]) -> Needs:
    """Return the lines of all these together, each once."""
    lines: dict[int, int] = {}
    for part in parts:
        for line, cells in part:
            lines[line] = lines.get(line, 0) | cells
    return tuple(sorted(lines.items()))


def ruled_out(facts: Facts, clues: Iterable[int]) -> dict[int, int]:
    """Return, for each clue that is always wrong, the number of mines that its unknown cells do not hold.

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


def rule_out(known: Known, source: int, cells: int, number: int) -> ProofLine | None:
    """Return what follows for the last unknown cell of a clue whose cells do not hold this number of mines."""
    unknown = cells & ~(known.mines | known.safe)
    mines = cells & known.mines
    n_mines = mines.bit_count()
    needs = known.needs(cells ^ unknown)
    if not unknown and n_mines == number:
        return Right(sources=(source,), needs=needs, depth=known.depth, mines=mines)
    if unknown.bit_count() == 1 and number - n_mines in (0, 1):
        is_mine = int(n_mines == number)
        return NotRight(unknown, is_mine, is_mine, (source,), needs, known.depth, mines=mines)
    return None
