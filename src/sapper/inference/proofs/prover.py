"""Derives a proof: from a few statements about hidden cells to the lines that settle one of them.

Tried in this order, the easiest first: the two rules of a single clue; one statement taken off another that holds all
its cells; two clues that share cells; then the opposite is supposed and refuted, by the two rules, by what the cells
that the same clues touch (a box) can hold at least and at most, and by splitting again where these say nothing. The
number of mines on the board is a statement too, about all hidden cells; where it is needed, the fewest and the most
mines that the clues take are counted. Only lines that the last one rests on are kept.

Fast for the handful of clues of a smallest proof; case splits are exponential at worst.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from sapper.inference.facts import Bounded
from sapper.inference.posterior.cores import TOTAL as WHOLE_BOARD
from sapper.inference.proofs.proof import (
    Bounds,
    BoxBound,
    Counted,
    Crowded,
    Derivation,
    Difference,
    Hence,
    Known,
    LeftOver,
    Needs,
    OverTotal,
    ProofLine,
    RestMines,
    RestSafe,
    Shared,
    Sparse,
    Suppose,
    TooFew,
    TooMany,
    UnderTotal,
    bounds_of,
    find_boxes,
    keep_used,
    merge,
    rule_out,
)
from sapper.inference.reasoning.single import CONTRADICTION, PAIR, SINGLE, SUBSET, TOTAL

# From cells supposed or proved to be mines, and others safe, to the fewest and the most mines that all hidden
# cells touched by the clues, and these, hold together: the cells, fewest, most.
CountMines = Callable[[int, int], Bounded]

# The statements derived from each other at most: beyond that, a case split is easier to read.
_MAX_DERIVED = 150


def prove(
    statements: dict[int, Bounded],
    cell: int,
    is_mine: bool,
    count: CountMines,
    ruled_out: Mapping[int, int] | None = None,
) -> Derivation:
    """Prove that a cell is safe or a mine, given that it follows from the statements.

    ``ruled_out`` gives, by source, a number of mines between its bounds that its cells nevertheless do not hold.
    """
    prover = _Prover(statements, count, ruled_out or {})
    known = Known()
    kind = prover.reason(known, cell)
    if kind is None and WHOLE_BOARD in statements:
        kind = prover.reason_with_total(known, cell, is_mine)
    if kind is None:
        prover.settle_by_supposing(known, cell, is_mine)
        kind = CONTRADICTION
    if WHOLE_BOARD in statements:
        kind = TOTAL
    return Derivation(kind, keep_used(prover.lines, known.by[cell], 1 << cell))


class _Said(NamedTuple):
    """A statement in use: the unknown cells it is about, its bounds, and where it comes from."""

    cells: int
    low: int
    high: int
    sources: tuple[int, ...]
    needs: Needs


class _Prover:
    def __init__(self, statements: dict[int, Bounded], count: CountMines, ruled_out: Mapping[int, int]) -> None:
        self.statements = statements
        self.clues = {source: said for source, said in statements.items() if source != WHOLE_BOARD}
        self.lines: list[ProofLine] = []
        self._count = count
        self._ruled_out = ruled_out
        self._boxes = find_boxes(statements)
        self._every_box = tuple(dict.fromkeys(box for boxes in self._boxes.values() for box in boxes))

    def reason(self, known: Known, cell: int) -> str | None:
        """Settle the cell by clues without supposing anything; return the hardest kind that it took, or None."""
        self._follow(known, self.clues)
        if cell in known.by:
            return SINGLE
        while self._subtract(known):
            self._follow(known, self.clues)
            if cell in known.by:
                return SUBSET
        while self._compare(known) or self._subtract(known):
            self._follow(known, self.clues)
            if cell in known.by:
                return PAIR
        return None

    def reason_with_total(self, known: Known, cell: int, is_mine: bool) -> str | None:
        """Settle the cell with the number of mines on the board."""
        self._follow(known, self.statements)
        if cell not in known.by:
            self._count_directly(known, cell, is_mine)
        return TOTAL if cell in known.by else None

    def settle_by_supposing(self, known: Known, cell: int, is_mine: bool) -> None:
        """Suppose the opposite, refute it and record what the cell is."""
        opposite = int(not is_mine)
        supposed = self._write(Suppose(1 << cell, opposite, opposite, depth=known.depth + 1))
        inner = known.deeper()
        inner.learn(1 << cell, not is_mine, supposed)
        absurd = self._refute(inner)
        needs = ((supposed, 1 << cell), (absurd, 0))
        hence = self._write(Hence(1 << cell, int(is_mine), int(is_mine), needs=needs, depth=known.depth))
        known.learn(1 << cell, is_mine, hence)

    def _refute(self, known: Known) -> int:
        """Write lines until something cannot hold, given that it cannot; return the last."""
        while True:
            broken = self._follow_further(known)
            if broken is not None:
                return broken
            cell, is_mine = self._choose_split(known)
            self.settle_by_supposing(known, cell, is_mine)

    def _follow_further(self, known: Known) -> int | None:
        """Follow the two rules, bound the boxes where these say nothing more, and count the mines at the end."""
        while True:
            broken = self._follow(known, self.statements)
            if broken is not None:
                return broken
            n_lines = len(self.lines)
            broken = self._bound_boxes(known)
            if broken is not None:
                return broken
            if len(self.lines) == n_lines:
                return self._count_too_many_or_few(known) if WHOLE_BOARD in self.statements else None

    def _follow(self, known: Known, statements: dict[int, Bounded]) -> int | None:
        """Apply the two rules round by round; return the line in which something cannot hold, if any."""
        while True:
            mines, safe = known.mines, known.safe
            changed = False
            for source, (cells, low, high) in statements.items():
                broken = self._find_broken(known, source, cells & mines, cells & ~safe)
                if broken is not None:
                    return broken
                unknown = cells & ~(known.mines | known.safe)
                if not unknown:
                    continue
                if (cells & mines).bit_count() == high:
                    found = cells & mines
                    line = RestSafe(unknown, 0, 0, (source,), known.needs(found), known.depth, mines=found)
                    known.learn(unknown, False, self._write(line))
                    changed = True
                elif (cells & ~safe).bit_count() == low:
                    n, needs = unknown.bit_count(), known.needs(cells & safe)
                    rest = RestMines(unknown, n, n, (source,), needs, known.depth, left=cells & ~safe)
                    known.learn(unknown, True, self._write(rest))
                    changed = True
                elif source in self._ruled_out and (last := rule_out(known, source, cells, self._ruled_out[source])):
                    known.learn(unknown, last.low == 1, self._write(last))
                    changed = True
            if not changed:
                return None

    def _find_broken(self, known: Known, source: int, mines: int, left: int) -> int | None:
        cells, low, high = self.statements[source]
        if mines.bit_count() > high:
            chosen = known.earliest(mines, high + 1)
            needs = known.needs(chosen)
            return self._write(TooMany(sources=(source,), needs=needs, depth=known.depth, mines=chosen))
        if left.bit_count() < low:
            chosen = known.earliest(cells & ~left, cells.bit_count() - low + 1)
            needs = known.needs(chosen)
            return self._write(TooFew(sources=(source,), needs=needs, depth=known.depth, left=cells & ~chosen))
        if source in self._ruled_out and not cells & ~(known.mines | known.safe):
            right = rule_out(known, source, cells, self._ruled_out[source])
            return None if right is None else self._write(right)
        return None

    def _bound_boxes(self, known: Known) -> int | None:
        """Bound each box by what the others of a clue can hold, once; return a line that cannot hold, if any."""
        bounds = {box: bounds_of(known, box) for box in self._every_box}
        for source, boxes in self._boxes.items():
            _, low, high = self.statements[source]
            least = sum(bounds[box].least for box in boxes)
            most = sum(bounds[box].most for box in boxes)
            if least > high:
                held = tuple((box, bounds[box].least, box.bit_count()) for box in boxes if bounds[box].least)
                needs = merge(bounds[box].least_needs(known) for box in boxes)
                return self._write(Crowded(sources=(source,), needs=needs, depth=known.depth, boxes=held))
            if most < low:
                held = tuple((box, 0, bounds[box].most) for box in boxes)
                needs = merge(bounds[box].most_needs(known) for box in boxes)
                return self._write(Sparse(sources=(source,), needs=needs, depth=known.depth, boxes=held))
            for box in boxes:
                at_least, at_most = low - most + bounds[box].most, high - least + bounds[box].least
                if at_least > known.least_in(box):
                    self._raise_least(known, source, at_least, box, [bounds[one] for one in boxes if one != box])
                if at_most < known.most_in(box):
                    self._lower_most(known, source, at_most, box, [bounds[one] for one in boxes if one != box])
        return None

    def _raise_least(self, known: Known, source: int, least: int, box: int, others: list[Bounds]) -> None:
        n = box.bit_count()
        held = tuple((other.box, 0, other.most) for other in others)
        needs = merge(other.most_needs(known) for other in others)
        line = self._write(BoxBound(box, least, n, (source,), needs, known.depth, others=held))
        known.least[box] = least, line
        if least == n:
            known.learn(box & ~(known.mines | known.safe), True, line)

    def _lower_most(self, known: Known, source: int, most: int, box: int, others: list[Bounds]) -> None:
        held = tuple((other.box, other.least, other.box.bit_count()) for other in others if other.least)
        needs = merge(other.least_needs(known) for other in others)
        line = self._write(BoxBound(box, 0, most, (source,), needs, known.depth, others=held))
        known.most[box] = most, line
        if most == 0:
            known.learn(box & ~(known.mines | known.safe), False, line)

    def _say(self, known: Known, source: int) -> _Said:
        """Return what a clue says of unknown cells."""
        cells, low, high = self.statements[source]
        unknown = cells & ~(known.mines | known.safe)
        n_mines = (cells & known.mines).bit_count()
        low, high = max(low - n_mines, 0), min(high - n_mines, unknown.bit_count())
        return _Said(unknown, low, high, (source,), known.needs(cells ^ unknown))

    def _subtract(self, known: Known) -> bool:
        """Take statements off others that hold all their cells, until a cell is settled; whether one was."""
        store: dict[int, _Said] = {}
        for source in self.clues:
            said = self._say(known, source)
            if said.cells:
                store.setdefault(said.cells, said)
        waiting = list(store.values())
        while waiting and len(store) < _MAX_DERIVED:
            derived: list[_Said] = []
            for one in waiting:
                for other in list(store.values()):
                    for smaller, larger in ((one, other), (other, one)):
                        if smaller.cells & larger.cells == smaller.cells != larger.cells:
                            derived += self._difference(known, smaller, larger, store)
            settled = [said for said in derived if said.high == 0 or said.low == said.cells.bit_count()]
            for said in settled:
                known.learn(said.cells & ~(known.mines | known.safe), said.high != 0, said.needs[0][0])
            if settled:
                return True
            waiting = derived
        return False

    def _difference(self, known: Known, smaller: _Said, larger: _Said, store: dict[int, _Said]) -> list[_Said]:
        """Write down what the cells hold that only one of two statements has, if that is new."""
        cells = larger.cells ^ smaller.cells
        low = max(larger.low - smaller.high, 0)
        high = min(larger.high - smaller.low, cells.bit_count())
        if low == 0 and high == cells.bit_count():
            return []
        before = store.get(cells)
        if before is not None and not (low >= before.low and high <= before.high and (low, high) != before[1:3]):
            return []
        sources = (*larger.sources, *smaller.sources)
        needs = tuple(sorted({*larger.needs, *smaller.needs}))
        line = Difference(cells, low, high, sources, needs, known.depth, larger=larger[:3], smaller=smaller[:3])
        said = _Said(cells, low, high, (), ((self._write(line), cells),))
        if high != 0 and low != cells.bit_count():
            store[cells] = said
        return [said]

    def _compare(self, known: Known) -> bool:
        """Compare all pairs of clues that share cells, once; whether a cell was settled."""
        all_said = [said for said in (self._say(known, source) for source in self.clues) if said.cells]
        found: list[ProofLine] = []
        for one in all_said:
            for other in all_said:
                if one is not other and one.cells & other.cells:
                    found += _settle_own_cells(one, other, known.depth)
        for line in found:
            fresh = line.cells & ~(known.mines | known.safe)
            known.learn(fresh, line.high != 0, self._write(line))
        return bool(found)

    def _count_directly(self, known: Known, cell: int, is_mine: bool) -> None:
        """Settle a cell that no clue touches: the clues take all mines, or leave as many as there are other cells."""
        everything, left, _ = self.statements[WHOLE_BOARD]
        cells, least, most = self._count(0, 0)
        rest = everything & ~cells
        if not rest >> cell & 1:
            return
        if not is_mine and least == left:
            counted = Counted(cells, least, cells.bit_count(), tuple(self.clues))
        elif is_mine and left - most == rest.bit_count():
            counted = Counted(cells, 0, most, tuple(self.clues))
        else:
            return
        needs = ((self._write(counted), cells),)
        n = int(is_mine)
        line = LeftOver(1 << cell, n, n, (WHOLE_BOARD,), needs, rest=rest, n_mines=left - most)
        known.learn(1 << cell, is_mine, self._write(line))

    def _count_too_many_or_few(self, known: Known) -> int | None:
        """Counted the mines under the suppositions; write why the total cannot be, if it cannot."""
        everything, left, _ = self.statements[WHOLE_BOARD]
        supposed = sum(1 << cell for cell, line in known.by.items() if isinstance(self.lines[line], Suppose | Hence))
        cells, least, most = self._count(supposed & known.mines, supposed & known.safe)
        rest = everything & ~cells
        if left <= most + rest.bit_count() and least <= left:
            return None
        low, high = (least, cells.bit_count()) if least > left else (0, most)
        counted = self._write(Counted(cells, low, high, tuple(self.clues), known.needs(supposed), known.depth))
        sources, needs = (WHOLE_BOARD,), ((counted, cells),)
        if least > left:
            return self._write(OverTotal(sources=sources, needs=needs, depth=known.depth))
        return self._write(UnderTotal(sources=sources, needs=needs, depth=known.depth, rest=rest, n_mines=left - most))

    def _choose_split(self, known: Known) -> tuple[int, bool]:
        """Return a cell, and what it turns out to be: the one whose opposite is refuted in the fewest lines.

        If none is refuted by the rules alone, the one whose opposite settles the most.
        """
        # Unknown cells of a box are interchangeable, so the first of each stands for all of them.
        boxes = {box & ~(known.mines | known.safe) for source in self.clues for box in self._boxes[source]}
        refuted: list[tuple[int, int, bool]] = []
        followed: list[tuple[int, int, bool]] = []
        start = len(self.lines)
        for cell in sorted((box & -box).bit_length() - 1 for box in boxes if box):
            for is_mine in (False, True):
                inner = known.deeper()
                inner.learn(1 << cell, not is_mine, self._write(Suppose(1 << cell)))
                broken = self._follow_further(inner)
                if broken is not None:
                    refuted.append((len(keep_used(self.lines, broken, 0, start)), cell, is_mine))
                else:
                    followed.append((-len(inner.by), cell, is_mine))
                del self.lines[start:]
        _, cell, is_mine = min(refuted or followed)
        return cell, is_mine

    def _write(self, line: ProofLine) -> int:
        self.lines.append(line)
        return len(self.lines) - 1


def _settle_own_cells(one: _Said, other: _Said, depth: int) -> list[ProofLine]:
    """Settle the cells that only the first of two statements has, if the shared ones leave them all mines, or none."""
    common = one.cells & other.cells
    own = one.cells ^ common
    n = own.bit_count()
    most = min(one.high, other.high, common.bit_count())
    least = max(one.low - n, other.low - (other.cells ^ common).bit_count(), 0)
    if not own or (one.high != least and one.low - most != n):
        return []
    n_mines = 0 if one.high == least else n
    needs = tuple(sorted({*one.needs, *other.needs}))
    sources, shared = (*one.sources, *other.sources), (common, least, most)
    return [Shared(own, n_mines, n_mines, sources, needs, depth, common=shared, first=one[:3])]
