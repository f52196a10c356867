"""Why no layout fits: a smallest set of clues that cannot all hold.

Smallest unsatisfiable subsets by implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, 2015): every
set of clues whose removal makes the position possible must be hit; a smallest set that hits all of them known so
far is either possible, which yields a new one, or the answer. Each question is put to the engine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.errors import Contradiction
from sapper.observation import NO_CLUE, Observation
from sapper.words import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


TOTAL = -1  # stands for the number of mines among the clues

# How many cells the engine may look at, over all its questions, before the smallest set found so far has to do: some
# seconds. Conflicts of real boards have a handful of clues and need a thousandth of it; one that takes hundreds of
# clues together may be named larger than it has to be.
PATIENCE = 2_000_000

# So many clues are named in the message; the error itself has them all.
_MOST_NAMED = 8


# The same for the search among sets, in steps: one with many clues that overlap in many ways has too many to try.
MOST_TRIED = 200_000


class OutOfPatience(Exception):
    """The search has asked enough."""


class Judge:
    """Whether some of the clues, the total among them, can all hold while the others are silent. Patience is bounded.

    A clue that is silenced still lies open, so its cell is known to be clear; exploded mines stay in plain sight.
    """

    def __init__(
        self, observation: Observation, is_possible: Callable[[Observation], bool], patience: int = PATIENCE
    ) -> None:
        self.patience = patience  # in cells that the engine may still look at
        self._observation = observation
        self._is_possible = is_possible
        self._shown = observation.cells.ravel()
        self._silent = np.where(self._shown >= 0, np.int8(NO_CLUE), self._shown)
        self._answers: dict[frozenset[int], bool] = {}

    def __call__(self, clues: set[int]) -> bool:
        """Whether these clues alone can all hold."""
        asked = frozenset(clues)
        if asked not in self._answers:
            self.patience -= self._shown.size
            if self.patience < 0:
                raise OutOfPatience
            self._answers[asked] = self._is_possible(self.restrict(clues))
        return self._answers[asked]

    def restrict(self, clues: set[int]) -> Observation:
        """Return the position in which only these clues speak."""
        cells = self._silent.copy()
        spoken = [clue for clue in clues if clue != TOTAL]
        cells[spoken] = self._shown[spoken]
        whole = self._observation
        # Without the checks: there are thousands of these, and each says less than what has been checked.
        return Observation.of_game(whole.topology, cells, whole.total if TOTAL in clues else None, whole.channel)


def explain_contradiction(observation: Observation, is_possible: Callable[[Observation], bool]) -> Contradiction:
    """Return the error that names a smallest set of clues, the total among them if need be."""
    everything = set(np.flatnonzero(observation.cells.ravel() >= 0).tolist())
    if observation.total is not None:
        everything.add(TOTAL)
    return _describe(observation, smallest_conflict(everything, Judge(observation, is_possible)))


def smallest_conflict(everything: set[int], holds: Callable[[set[int]], bool]) -> set[int]:
    """Return a smallest subset that does not hold, given that the whole does not. Exponential at worst.

    If ``holds`` loses patience, the smallest found so far.
    """
    return set(next(smallest_conflicts(everything, holds)).clues)


class Conflict(NamedTuple):
    """A set that does not hold."""

    clues: frozenset[int]
    is_smallest: bool  # no smaller one exists; else nothing can be left out or patience ran out


def smallest_conflicts(
    everything: set[int],
    holds: Callable[[set[int]], bool],
    known: set[int] | None = None,
    most_tried: int = MOST_TRIED,
) -> Iterator[Conflict]:
    """Yield the smallest subsets that do not hold, one after the other, until all are found or patience is lost.

    At least one is yielded. ``known`` is one that does not hold, to begin with.
    """
    best = set(known if known is not None else everything)
    search = _HittingSets(everything, holds, most_tried)
    try:
        for smaller in _shrink(best, holds):
            best = smaller
        best = search.next_conflict(len(best) - 1, best) or best
    except OutOfPatience:
        yield Conflict(frozenset(best), False)
        return
    while True:
        yield Conflict(frozenset(best), True)
        search.found.append(frozenset(best))
        try:
            following = search.next_conflict(len(best), best)
        except OutOfPatience:
            return
        if following is None:
            return
        best = following


class _HittingSets:
    """Sets that meet every correction known so far: whatever does not hold is one of them."""

    def __init__(self, everything: set[int], holds: Callable[[set[int]], bool], most_tried: int) -> None:
        self.found: list[frozenset[int]] = []  # conflicts not wanted again
        self._everything = everything
        self._holds = holds
        self._corrections: list[frozenset[int]] = []  # sets without which the rest holds
        self._n_left = most_tried

    def next_conflict(self, largest: int, last: set[int]) -> set[int] | None:
        """Return a smallest set that does not hold and was not found yet, of at most so many elements."""
        while (candidate := self._smallest(largest)) is not None:
            if not self._holds(candidate):
                return candidate
            grown = _grow(candidate, self._everything, last, self._holds)
            self._corrections.append(frozenset(self._everything - grown))
        return None

    def _smallest(self, largest: int) -> set[int] | None:
        best: set[int] | None = None
        limit = largest + 1

        def search(chosen: set[int]) -> None:
            nonlocal best, limit
            self._n_left -= 1
            if self._n_left < 0:
                raise OutOfPatience
            open_sets = [one for one in self._corrections if not one & chosen]
            if not open_sets:
                if len(chosen) < limit and chosen not in self.found:
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


def name_sources(clues: list[str], total: int | None) -> list[str]:
    """The clues that something rests on, by name, the last of many only counted, and the total if it is one.

    >>> name_sources(["the 1 at (0, 0)"], 2)
    ['the 1 at (0, 0)', 'the total of 2 mines']
    """
    named = clues
    if len(clues) > _MOST_NAMED:
        named = [*clues[: _MOST_NAMED - 1], f"{len(clues) - _MOST_NAMED + 1} more clues"]
    return named if total is None else [*named, f"the total of {count(total, 'mine')}"]


def _describe(observation: Observation, conflict: set[int]) -> Contradiction:
    clues = tuple(observation.topology.cell(index) for index in sorted(conflict - {TOTAL}))
    named = [f"the {observation.cells[cell]} at {cell}" for cell in clues]
    shown = name_sources(named, observation.total if TOTAL in conflict else None)
    if len(shown) == 1:
        return Contradiction(f"No layout fits: {shown[0]} cannot hold.", clues, TOTAL in conflict)
    both = "both" if len(shown) == 2 else "all"
    listed = f"{', '.join(shown[:-1])} and {shown[-1]}"
    return Contradiction(f"No layout fits: {listed} cannot {both} hold.", clues, TOTAL in conflict)
