"""Smallest sets of clues that cannot all hold: why no layout fits, and what proves a cell.

Such a set is a minimal unsatisfiable subset (MUS), or core, of the clues; the number of mines counts as one of them.
The smallest are found by hitting-set dualization (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS
extraction with minimal hitting set dualization", CP 2015). A correction is a set of clues without which the others can
hold, so every core hits every correction. A smallest set that hits all corrections known so far either can hold, which
yields another correction, or is a smallest core.

A cell is certain if its opposite contradicts the clues: the cores of the position in which a safe cell is an exploded
mine, or a mine is open without a clue, are the smallest proofs of it. Without the total, such a core hangs together
through hidden cells and touches the cell, so a core of n clues lies within n steps of it: the search stays local on a
large board.

The engine is an argument, ``is_possible``: whether any layout fits an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sapper.errors import Contradiction, TooHard
from sapper.inference.facts import Bounded, Facts
from sapper.observation import NO_CLUE, Observation
from sapper.words import join_words, name_sources

IsPossible = Callable[[Observation], bool]
Holds = Callable[[set[int]], bool]


TOTAL = -1  # stands for the number of mines among the clues

# The cells that the engine may look at, over all its questions, before the smallest set found so far has to do: a few
# seconds. Cores of real boards have a handful of clues and need a thousandth of it; one of hundreds of clues may be
# reported larger than necessary.
BUDGET = 2_000_000
# The same for the search among sets, in steps: many clues that overlap in many ways have too many hitting sets to try.
MAX_TRIED = 200_000

# A proof costs some tenths of a second at most on an expert board, but on a large board a minimum of questions is
# allowed. Only counting the mines of a whole board would take more: that rests on dozens of clues anyway.
_PROOF_BUDGET = BUDGET // 5
_MIN_QUESTIONS = 1_500
_MAX_TRIED_FOR_PROOF = MAX_TRIED // 20
_BUDGET_FOR_OTHERS = _PROOF_BUDGET // 5  # for other proofs of the same size, one of which may be easier


class OutOfBudget(Exception):
    """The oracle's budget is spent."""


class Core(NamedTuple):
    """A set of clues that cannot all hold."""

    clues: frozenset[int]
    is_smallest: bool  # no smaller one exists; otherwise the budget ran out before that was known


class Oracle:
    """Tells whether some of the clues, the total among them, can all hold while the others are silent.

    A silent clue is still open, so its cell is safe; exploded mines stay visible. Each question costs as much of the
    budget as there are cells.
    """

    def __init__(self, observation: Observation, is_possible: IsPossible, budget: int = BUDGET) -> None:
        self.budget = budget
        self.was_too_hard = False  # a set was taken for possible, so what is found may not be smallest
        self._observation = observation
        self._is_possible = is_possible
        self._shown = observation.cells.ravel()
        self._silent = np.where(self._shown >= 0, np.int8(NO_CLUE), self._shown)
        self._answers: dict[frozenset[int], bool] = {}

    def __call__(self, clues: set[int]) -> bool:
        """Whether these clues alone can all hold. Raises `OutOfBudget`."""
        asked = frozenset(clues)
        if asked not in self._answers:
            self.budget -= self._shown.size
            if self.budget < 0:
                raise OutOfBudget
            try:
                self._answers[asked] = self._is_possible(self._restrict(clues))
            except TooHard:
                self._answers[asked] = self.was_too_hard = True
        return self._answers[asked]

    def _restrict(self, clues: set[int]) -> Observation:
        """Return the position with only these clues; unchecked, since there are thousands of these."""
        cells = self._silent.copy()
        spoken = [clue for clue in clues if clue != TOTAL]
        cells[spoken] = self._shown[spoken]
        whole = self._observation
        return Observation.of_game(whole.topology, cells, whole.total if TOTAL in clues else None, whole.channel)


def explain_contradiction(observation: Observation, is_possible: IsPossible) -> Contradiction:
    """Return the error that names a smallest core of an impossible position."""
    everything = set(np.flatnonzero(observation.cells.ravel() >= 0).tolist())
    if observation.total is not None:
        everything.add(TOTAL)
    core = next(smallest_cores(everything, Oracle(observation, is_possible))).clues
    clues = tuple(observation.topology.cell(index) for index in sorted(core - {TOTAL}))
    named = [f"the {observation.cells[cell]} at {cell}" for cell in clues]
    shown = name_sources(named, observation.total if TOTAL in core else None)
    both = {1: "", 2: "both "}.get(len(shown), "all ")
    return Contradiction(f"No layout fits: {join_words(shown)} cannot {both}hold.", clues, TOTAL in core)


def find_proofs(facts: Facts, cell: int, is_mine: bool, is_possible: IsPossible) -> Iterator[Core]:
    """Yield smallest sets of clues that prove a certain cell, at least one, those without the total first.

    ``facts`` are those of the position with nothing deduced yet. Where the budget runs out, the one set that is yielded
    proves the cell but may be larger than necessary, and says so.
    """
    said = facts.statements(facts.clues)
    alone = [clue for clue in facts.neighbours[cell] if clue in said and _settles(said[clue], is_mine)]
    if alone:
        # Nothing is smaller or easier, and most cells need nothing else.
        yield from (Core(frozenset((clue,)), True) for clue in alone)
        return
    if facts.total == facts.mines.bit_count():
        yield Core(frozenset((TOTAL,)), True)
        return
    seen = facts.observation
    opposite = seen.assuming(safe=[cell]) if is_mine else seen.assuming(mines=[cell])
    oracle = Oracle(opposite, is_possible, max(_PROOF_BUDGET, _MIN_QUESTIONS * facts.board.n_cells))
    everything = {*said} if facts.total is None else {*said, TOTAL}
    try:
        near = _nearest_core(facts, said, cell, oracle)
    except OutOfBudget:
        yield Core(frozenset(everything), False)
        return
    best: Core | None = None
    others: Iterator[Core] = iter(())
    if near is not None:
        best = next(smallest_cores(near, oracle, max_tried=_MAX_TRIED_FOR_PROOF))
        # Every core that is as small lies within as many steps.
        around = _steps_around(facts, said, cell, len(best.clues))
        others = smallest_cores(around | best.clues, oracle, set(best.clues), _MAX_TRIED_FOR_PROOF)
        best = next(others)
    if best is None or (facts.total is not None and _total_may_matter(facts, said, len(best.clues) - 2)):
        known = None if best is None else set(best.clues)
        with_total = smallest_cores(everything, oracle, known, _MAX_TRIED_FOR_PROOF)
        found = next(with_total)
        if best is None or len(found.clues) < len(best.clues):
            best, others = found, with_total
        elif not found.is_smallest:
            best = found

    def qualify(core: Core) -> Core:
        return core._replace(is_smallest=core.is_smallest and not oracle.was_too_hard)

    yield qualify(best)
    oracle.budget = min(oracle.budget, _BUDGET_FOR_OTHERS)
    yield from map(qualify, others)


def _settles(said: Bounded, is_mine: bool) -> bool:
    """Whether a statement alone makes all its cells mines, or safe."""
    cells, low, high = said
    return low == cells.bit_count() if is_mine else high == 0


def _nearest_core(facts: Facts, said: dict[int, Bounded], cell: int, holds: Holds) -> set[int] | None:
    """Return the clues within the fewest steps of the cell that prove it, if clues alone do."""
    reached: set[int] = set()
    for steps in range(1, len(said) + 1):
        wider = _steps_around(facts, said, cell, steps)
        if wider == reached:
            return None
        reached = wider
        if not holds(reached):
            return reached
    return None


def _steps_around(facts: Facts, said: dict[int, Bounded], cell: int, steps: int) -> set[int]:
    """Return the clues within some steps: one leads to the clues around a cell, the next to those that share cells."""
    reached = {clue for clue in facts.neighbours[cell] if clue in said}
    last = reached
    for _ in range(steps - 1):
        last = {other for clue in last for other in facts.overlapping(clue)} - reached
        if not last:
            break
        reached |= last
    return reached


def _total_may_matter(facts: Facts, said: dict[int, Bounded], n_clues: int) -> bool:
    """Whether ``n_clues`` clues with the total might prove anything, by the largest numbers alone.

    However the clues are met, they take few mines and touch few cells. As long as the mines left suffice for them, and
    fit into the cells left over, the total says nothing.
    """
    if n_clues < 0:
        return False
    everything = facts.everything()
    assert everything is not None
    cells, left, _ = everything
    mines = sorted((min(high, mask.bit_count()) for mask, _, high in said.values()), reverse=True)[:n_clues]
    touched = sorted((mask.bit_count() for mask, _, _ in said.values()), reverse=True)[:n_clues]
    return left < sum(mines) + 1 or left > cells.bit_count() - sum(touched) - 1


def smallest_cores(
    everything: set[int], holds: Holds, known: set[int] | None = None, max_tried: int = MAX_TRIED
) -> Iterator[Core]:
    """Yield the smallest subsets that do not hold, given that the whole does not. Exponential at worst.

    At least one is yielded, the smallest found so far if the budget runs out. ``known`` is a core to start from.
    """
    best = set(known if known is not None else everything)
    search = _HittingSets(everything, holds, max_tried)
    try:
        for smaller in _shrink(best, holds):
            best = smaller
        best = search.next_core(len(best) - 1, best) or best
    except OutOfBudget:
        yield Core(frozenset(best), False)
        return
    while True:
        yield Core(frozenset(best), True)
        search.found.append(frozenset(best))
        try:
            following = search.next_core(len(best), best)
        except OutOfBudget:
            return
        if following is None:
            return
        best = following


class _HittingSets:
    """Sets that hit every correction known so far: every core is one of them."""

    def __init__(self, everything: set[int], holds: Holds, max_tried: int) -> None:
        self.found: list[frozenset[int]] = []  # cores not wanted again
        self._everything = everything
        self._holds = holds
        self._corrections: list[frozenset[int]] = []
        self._n_left = max_tried

    def next_core(self, max_size: int, last: set[int]) -> set[int] | None:
        """Return a smallest core that was not found yet, of at most ``max_size`` elements."""
        while (candidate := self._smallest(max_size)) is not None:
            if not self._holds(candidate):
                return candidate
            grown = _grow(candidate, self._everything, last, self._holds)
            self._corrections.append(frozenset(self._everything - grown))
        return None

    def _smallest(self, max_size: int) -> set[int] | None:
        best: set[int] | None = None
        limit = max_size + 1

        def search(chosen: set[int]) -> None:
            nonlocal best, limit
            self._n_left -= 1
            if self._n_left < 0:
                raise OutOfBudget
            open_sets = [one for one in self._corrections if not one & chosen]
            if not open_sets:
                if len(chosen) < limit and chosen not in self.found:
                    best, limit = set(chosen), len(chosen)
                return
            # Disjoint sets each need an element of their own.
            disjoint: set[int] = set()
            n_disjoint = 0
            for one in sorted(open_sets, key=len):
                if not one & disjoint:
                    disjoint |= one
                    n_disjoint += 1
            if len(chosen) + n_disjoint >= limit:
                return
            smallest = min(open_sets, key=len)
            for element in sorted(smallest):
                search(chosen | {element})

        search(set())
        return best


def _shrink(core: set[int], holds: Holds) -> Iterator[set[int]]:
    """Drop elements in ever smaller chunks while the rest still does not hold; the last yielded is irreducible."""
    chunk = max(1, len(core) // 2)
    while True:
        elements = sorted(core)
        for start in range(0, len(elements), chunk):
            smaller = core - set(elements[start : start + chunk])
            if len(smaller) < len(core) and not holds(smaller):
                core = smaller
                yield core
        if chunk == 1:
            return
        chunk = max(1, chunk // 2)


def _grow(seed: set[int], everything: set[int], last: set[int], holds: Holds) -> set[int]:
    """Add elements in chunks while the set still holds, those of ``last`` at the end; the result is maximal."""
    grown = set(seed)
    waiting = [*sorted(everything - seed - last), *sorted(last - seed)]
    chunks = [waiting] if waiting else []
    while chunks:
        chunk = chunks.pop()
        if holds(grown | set(chunk)):
            grown |= set(chunk)
        elif len(chunk) > 1:
            middle = len(chunk) // 2
            chunks += [chunk[middle:], chunk[:middle]]
    return grown
