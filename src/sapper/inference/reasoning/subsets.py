"""Statements compared with each other: one within another, and two that overlap.

Subsets, as in report 000: if the cells of A lie within those of B, the rest of B holds b - a mines. The result is a
statement like any other and is compared in turn, until nothing new appears. Without the total, connected parts of the
board are treated separately, and only those that have changed. With the total, the board as a whole is a statement, and
so is everything outside each clue. There are too many differences of such large sets: only those about at most eight
cells are kept, as many as a clue usually has, and `MAX_NEW` of them, oldest first.

Pairs: of the mines n1 and n2 of two clues, at least min_c = max(n1 - |own1|, n2 - |own2|, 0) and at most
max_c = min(n1, n2, |common|) lie in the common cells, which settles what each has for itself. Stronger than subsets for
two clues, but derives no statements, so chains of more than two clues are out of reach.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from sapper.inference.facts import Bounded, Facts, cells_of
from sapper.inference.reasoning.single import (
    PAIR,
    SUBSET,
    TOTAL,
    Deduction,
    deduce,
    look_at_total,
    name_clue,
    name_clues,
)

MAX_CELLS = 8
MAX_NEW = 200
WHOLE_BOARD = -1  # stands for the total among the clues that a statement follows from

Sources = frozenset[int]


def deduce_subsets(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Compare all statements that are connected with these clues, to a fixpoint.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> facts = Facts(Observation.parse("###/121"))
    >>> for found in deduce_subsets(facts, [3]):
    ...     print(found)
    (0, 2) is a mine: the 1 at (1, 0) and the 2 at (1, 1) together settle it.
    (0, 0) is a mine: the 2 at (1, 1) and the 1 at (1, 2) together settle it.
    (0, 1) is safe: the 1 at (1, 0), the 2 at (1, 1) and the 1 at (1, 2) together settle it.
    """
    store = _Store()
    for clue, said in facts.statements(facts.connected(clues)).items():
        store.add(said, frozenset((clue,)))
    return _conclude(facts, store)


def deduce_subsets_and_total(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Compare all statements of the frontier, and the number of mines on the board if it is known."""
    everything = facts.everything()
    if everything is None:
        return deduce_subsets(facts, clues)
    found = look_at_total(facts)
    if found:
        return found
    store = _Store(MAX_NEW)
    cells, left, _ = everything
    store.add_large(everything, frozenset((WHOLE_BOARD,)))
    for clue, said in facts.statements(facts.clues).items():
        store.add(said, frozenset((clue,)))
        outside = (cells & ~said[0], left - said[2], left - said[1])
        store.add_large(outside, frozenset((clue, WHOLE_BOARD)))
    return _conclude(facts, store)


class _Store:
    """Statements by their cells, and which are still to be compared."""

    def __init__(self, max_new: int | None = None) -> None:
        self.bounds: dict[int, tuple[int, int, Sources]] = {}
        self.waiting: deque[int] = deque()
        self._room = max_new  # how many more differences are kept; None: all
        self._large: list[int] = []  # statements about most of the board, compared with all others
        self._holding: dict[int, list[int]] = {}  # by cell as a bit: the sets that hold it
        self._lowest: dict[int, list[int]] = {}  # by cell as a bit: the sets whose first cell it is

    def add(self, said: Bounded, sources: Sources) -> None:
        """Add a statement, or tighten the one about the same cells."""
        cells, low, high = said
        if not cells:
            return
        low, high = max(low, 0), min(high, cells.bit_count())
        known = self.bounds.get(cells)
        if known is None:
            self._enter(cells)
        else:
            if known[0] >= low and known[1] <= high:
                return
            tighter = known[0] if low <= known[0] else low, known[1] if high >= known[1] else high
            sources = known[2] | sources
            low, high = tighter
        self.bounds[cells] = low, high, sources
        self.waiting.append(cells)

    def add_large(self, said: Bounded, sources: Sources) -> None:
        """Add a statement about any number of cells."""
        if said[0].bit_count() <= MAX_CELLS:
            self.add(said, sources)
        elif said[0] not in self.bounds:
            self.bounds[said[0]] = said[1], said[2], sources
            self._large.append(said[0])
            self.waiting.append(said[0])

    def _enter(self, cells: int) -> None:
        self._lowest.setdefault(cells & -cells, []).append(cells)
        rest = cells
        while rest:
            bit = rest & -rest
            self._holding.setdefault(bit, []).append(cells)
            rest ^= bit

    def compare(self, cells: int) -> None:
        """Compare a statement with all that lie within it or around it."""
        within = []
        rest = cells
        if cells.bit_count() > MAX_CELLS:
            within = [other for other in self.bounds if other & cells == other != cells]
        else:
            while rest:
                bit = rest & -rest
                within += [other for other in self._lowest.get(bit, ()) if other & cells == other != cells]
                rest ^= bit
        for other in within:
            self._subtract(other, cells)
        # A set that holds all of these cells holds the first of them.
        around = self._holding.get(cells & -cells, ())
        for other in [*around, *self._large]:
            if other & cells == cells != other:
                self._subtract(cells, other)

    def _subtract(self, smaller: int, larger: int) -> None:
        rest = larger ^ smaller
        if self._room is not None and rest not in self.bounds:
            if not self._room or rest.bit_count() > MAX_CELLS:
                return
            self._room -= 1
        low1, high1, sources1 = self.bounds[smaller]
        low2, high2, sources2 = self.bounds[larger]
        self.add((rest, low2 - high1, high2 - low1), sources1 | sources2)


def settled_by_subsets(statements: dict[int, Bounded]) -> tuple[int, int]:
    """Return the cells that these statements alone prove safe, and those that they prove mines.

    >>> settled_by_subsets({3: (0b011, 1, 1), 4: (0b111, 2, 2)})
    (0, 4)
    """
    store = _Store()
    for clue, said in statements.items():
        store.add(said, frozenset((clue,)))
    proved = [0, 0]
    for cells in _settle(store):
        proved[store.bounds[cells][1] != 0] |= cells
    return proved[0], proved[1]


def _settle(store: _Store) -> dict[int, Sources]:
    """Compare until nothing is new; return the sets that are settled, in the order in which they were found."""
    settled: dict[int, Sources] = {}
    while store.waiting:
        cells = store.waiting.popleft()
        low, high, sources = store.bounds[cells]
        if high == 0 or low == cells.bit_count():
            settled.setdefault(cells, sources)
        store.compare(cells)
    return settled


def _conclude(facts: Facts, store: _Store) -> list[Deduction]:
    """Note what is settled, in the order in which it was found."""
    settled = _settle(store)
    found: list[Deduction] = []
    for cells, sources in settled.items():
        is_mine = store.bounds[cells][1] != 0
        clues = sorted(sources - {WHOLE_BOARD})
        with_total = WHOLE_BOARD in sources
        named = _name(facts, clues, with_total)
        reason = f"{named} together settle it" if len(sources) > 1 else f"{named} settles it"
        found += deduce(facts, cells_of(cells), is_mine, TOTAL if with_total else SUBSET, clues, reason)
    return found


def _name(facts: Facts, clues: list[int], with_total: bool) -> str:
    named = name_clues(facts, clues)
    if not with_total:
        return named
    total = f"the total of {facts.total}"
    return f"{named} and {total}" if clues else total


def deduce_pairs(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Compare each of these clues with every clue that it overlaps, once: about twenty comparisons per clue.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> facts = Facts(Observation.parse("####/1221"))
    >>> [str(found) for found in deduce_pairs(facts, [5])]
    ['(0, 2) is a mine: the 2 at (1, 1) and the 1 at (1, 0) leave 1 mine for it.']
    """
    found: list[Deduction] = []
    for clue in clues:
        first = facts.statement(clue)
        if not first[0]:
            continue
        for other in facts.overlapping(clue):
            new = _compare(facts, clue, first, other, facts.statement(other))
            if new:
                found += new
                first = facts.statement(clue)
    return found


def _compare(facts: Facts, clue: int, first: Bounded, other: int, second: Bounded) -> list[Deduction]:
    cells1, low1, high1 = first
    cells2, low2, high2 = second
    common = cells1 & cells2
    if not common:
        return []
    own1, own2 = cells1 ^ common, cells2 ^ common
    n_common, n_own1, n_own2 = common.bit_count(), own1.bit_count(), own2.bit_count()
    least = max(low1 - n_own1, low2 - n_own2, 0)
    most = min(high1, high2, n_common)
    found: list[Deduction] = []
    for cells, n_cells, fewest, highest in (
        (common, n_common, least, most),
        (own1, n_own1, low1 - most, high1 - least),
        (own2, n_own2, low2 - most, high2 - least),
    ):
        if cells and (highest == 0 or fewest == n_cells):
            is_mine = highest != 0
            reason = f"{name_clue(facts, clue)} and {name_clue(facts, other)} leave {_share(is_mine, n_cells)}"
            found += deduce(facts, cells_of(cells), is_mine, PAIR, tuple(sorted((clue, other))), reason)
    return found


def _share(is_mine: bool, n_cells: int) -> str:
    whom = "it" if n_cells == 1 else f"these {n_cells} cells"
    return f"{n_cells if is_mine else 'no'} mine{'s' if is_mine and n_cells > 1 else ''} for {whom}"
