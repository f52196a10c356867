"""Why no layout fits: a smallest set of clues that cannot all hold.

Smallest unsatisfiable subsets by implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, 2015): every
set of clues whose removal makes the position possible must be hit; a smallest set that hits all of them known so
far is either possible, which yields a new one, or the answer. Each question is put to the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import Contradiction
from sapper.observation import NO_CLUE, Observation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TOTAL = -1  # stands for the number of mines among the clues

# How many cells the engine may look at, over all its questions, before the smallest set found so far has to do: some
# seconds. Conflicts of real boards have a handful of clues and need a thousandth of it; one that takes hundreds of
# clues together may be named larger than it has to be.
PATIENCE = 2_000_000

# So many clues are named in the message; the error itself has them all.
_MOST_NAMED = 8


class _OutOfPatience(Exception):
    """The search has asked enough."""


def explain_contradiction(observation: Observation, is_possible: Callable[[Observation], bool]) -> Contradiction:
    """Return the error that names a smallest set of clues, the total among them if need be."""
    n_asked = 0

    def holds(clues: set[int]) -> bool:
        """Whether these clues alone can all hold."""
        nonlocal n_asked
        n_asked += observation.topology.n_cells
        if n_asked > PATIENCE:
            raise _OutOfPatience
        cells = observation.cells.copy().ravel()
        for index in np.flatnonzero(cells >= 0).tolist():
            if index not in clues:
                cells[index] = NO_CLUE
        total = observation.total if TOTAL in clues else None
        return is_possible(Observation(observation.topology, cells, total, observation.channel))

    everything = set(np.flatnonzero(observation.cells.ravel() >= 0).tolist())
    if observation.total is not None:
        everything.add(TOTAL)
    return _describe(observation, smallest_conflict(everything, holds))


def smallest_conflict(everything: set[int], holds: Callable[[set[int]], bool]) -> set[int]:
    """Return a smallest subset that does not hold, given that the whole does not. Exponential at worst.

    If ``holds`` loses patience, the smallest found so far.
    """
    upper = set(everything)
    try:
        for smaller in _shrink(everything, holds):
            upper = smaller
        corrections: list[frozenset[int]] = []
        while (candidate := _smallest_hitting_set(corrections, len(upper))) is not None:
            if not holds(candidate):
                return candidate
            corrections.append(frozenset(everything - _grow(candidate, everything, upper, holds)))
    except _OutOfPatience:
        pass
    return upper


def _shrink(conflict: set[int], holds: Callable[[set[int]], bool]) -> Iterator[set[int]]:
    """Drop elements in ever smaller chunks while what is left still does not hold; the last one is irreducible."""
    chunk = max(1, len(conflict) // 2)
    while True:
        elements = sorted(conflict)
        for start in range(0, len(elements), chunk):
            smaller = conflict - set(elements[start : start + chunk])
            if len(smaller) < len(conflict) and not holds(smaller):
                conflict = smaller
                yield conflict
        if chunk == 1:
            return
        chunk = max(1, chunk // 2)


def _grow(seed: set[int], everything: set[int], last: set[int], holds: Callable[[set[int]], bool]) -> set[int]:
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


def _smallest_hitting_set(sets: list[frozenset[int]], below: int) -> set[int] | None:
    """Return a smallest set that meets all of these, if it has fewer than ``below`` elements."""
    best: set[int] | None = None
    limit = below

    def search(chosen: set[int]) -> None:
        nonlocal best, limit
        open_sets = [one for one in sets if not one & chosen]
        if not open_sets:
            if len(chosen) < limit:
                best, limit = set(chosen), len(chosen)
            return
        # Sets that share nothing each need an element of their own.
        disjoint: set[int] = set()
        n_disjoint = 0
        for one in sorted(open_sets, key=len):
            if not one & disjoint:
                disjoint |= one
                n_disjoint += 1
        if len(chosen) + n_disjoint >= limit:
            return
        smallest = min(open_sets, key=lambda one: len(one))
        for element in sorted(smallest):
            search(chosen | {element})

    search(set())
    return best


def _describe(observation: Observation, conflict: set[int]) -> Contradiction:
    clues = tuple(observation.topology.cell(index) for index in sorted(conflict - {TOTAL}))
    shown = [f"the {observation.cells[cell]} at {cell}" for cell in clues]
    if len(shown) > _MOST_NAMED:
        shown = [*shown[: _MOST_NAMED - 1], f"{len(shown) - _MOST_NAMED + 1} more clues"]
    if TOTAL in conflict:
        shown.append(f"the total of {observation.total} mine{'s' if observation.total != 1 else ''}")
    if len(shown) == 1:
        return Contradiction(f"No layout fits: {shown[0]} cannot hold.", clues, TOTAL in conflict)
    both = "both" if len(shown) == 2 else "all"
    listed = f"{', '.join(shown[:-1])} and {shown[-1]}"
    return Contradiction(f"No layout fits: {listed} cannot {both} hold.", clues, TOTAL in conflict)
