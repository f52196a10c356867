"""The fewest clues that prove a cell: a smallest conflict with the opposite.

Assume that the cell is what it cannot be, an exploded mine or an open cell without a clue, and no layout fits any more;
a smallest set of clues that cannot hold then is a smallest proof. The total counts as one of the clues.

Without the total a smallest conflict hangs together through hidden cells and touches the cell, so one of n clues lies
within n steps of it: that keeps the search on a large board local.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import TooHard
from sapper.inference.posterior.cores import (
    MOST_TRIED,
    PATIENCE,
    TOTAL,
    Conflict,
    Judge,
    OutOfPatience,
    smallest_conflicts,
)
from sapper.inference.posterior.exact import Question, is_possible
from sapper.observation import EXPLODED, NO_CLUE, Observation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.inference.facts import Bounded, Facts

# What a search may cost: some tenths of a second on an expert board. Only counting the mines of a whole board would
# take more: that rests on dozens of clues, and nobody misses the one that might have been left out.
_PATIENCE = PATIENCE // 5
# But on a large board at least so many questions are asked.
_FEWEST_QUESTIONS = 1_500
_MOST_TRIED = MOST_TRIED // 20
# What a search for other proofs of the same size may cost; an easier one is welcome, but nobody waits for it.
_PATIENCE_FOR_OTHERS = _PATIENCE // 5


def find_grounds(facts: Facts, cell: int, is_mine: bool) -> Iterator[Conflict]:
    """Yield smallest sets of clues that prove a certain cell, at least one, those without the total first.

    ``facts`` are those of the position with nothing deduced yet. Where the search loses patience, the one set that it
    yields proves the cell but may be larger than it has to be, and says so.
    """
    said = facts.statements(facts.clues)
    alone = [clue for clue in facts.neighbours[cell] if clue in said and _settles(said[clue], is_mine)]
    if alone:
        # Nothing is smaller or easier, and most cells need nothing else.
        yield from (Conflict(frozenset((clue,)), True) for clue in alone)
        return
    if facts.total == facts.mines.bit_count():
        # One mine more than the total is refused as a position before anybody could reason about it.
        yield Conflict(frozenset((TOTAL,)), True)
        return
    judge = _OppositeJudge(facts, cell, is_mine)
    everything = {*said} if facts.total is None else {*said, TOTAL}
    try:
        near = _nearest_conflict(facts, said, cell, judge)
    except OutOfPatience:
        yield Conflict(frozenset(everything), False)
        return
    best: Conflict | None = None
    others: Iterator[Conflict] = iter(())
    if near is not None:
        best = next(smallest_conflicts(near, judge, most_tried=_MOST_TRIED))
        # Whatever is as small lies within as many steps.
        around = _steps_around(facts, said, cell, len(best.clues))
        others = smallest_conflicts(around | best.clues, judge, set(best.clues), _MOST_TRIED)
        best = next(others)
    if best is None or (facts.total is not None and _total_may_matter(facts, said, len(best.clues) - 2)):
        known = None if best is None else set(best.clues)
        with_total = smallest_conflicts(everything, judge, known, _MOST_TRIED)
        found = next(with_total)
        if best is None or len(found.clues) < len(best.clues):
            best, others = found, with_total
        elif not found.is_smallest:
            best = found
    yield judge.qualify(best)
    judge.patience = min(judge.patience, _PATIENCE_FOR_OTHERS)
    yield from map(judge.qualify, others)


def _settles(said: Bounded, is_mine: bool) -> bool:
    """Whether a statement alone makes all its cells mines, or clear."""
    cells, low, high = said
    return low == cells.bit_count() if is_mine else high == 0


class _OppositeJudge(Judge):
    """The judge of a position in which a certain cell is what it cannot be."""

    def __init__(self, facts: Facts, cell: int, is_mine: bool) -> None:
        cells = facts.observation.cells.copy()
        cells.flat[cell] = NO_CLUE if is_mine else EXPLODED
        self._was_too_hard = False
        patience = max(_PATIENCE, _FEWEST_QUESTIONS * cells.size)
        super().__init__(Observation(facts.board, cells, facts.total, facts.channel), self._ask, patience)

    def _ask(self, asked: Observation) -> bool:
        try:
            return is_possible(asked, Question(asked))
        except TooHard:
            # Taken for possible: what is found in the end is a proof all the same, but maybe not the smallest.
            self._was_too_hard = True
            return True

    def qualify(self, conflict: Conflict) -> Conflict:
        """Return a conflict that does not claim more than was looked at."""
        return conflict._replace(is_smallest=conflict.is_smallest and not self._was_too_hard)


def _nearest_conflict(facts: Facts, said: dict[int, Bounded], cell: int, judge: Judge) -> set[int] | None:
    """Return the clues within the fewest steps of the cell that prove it, if clues alone do."""
    reached: set[int] = set()
    for steps in range(1, len(said) + 1):
        wider = _steps_around(facts, said, cell, steps)
        if wider == reached:
            return None
        reached = wider
        if not judge(reached):
            return reached
    return None


def _steps_around(facts: Facts, said: dict[int, Bounded], cell: int, steps: int) -> set[int]:
    """The clues within so many steps: one leads to the clues around a cell, the next to those that share cells."""
    reached = {clue for clue in facts.neighbours[cell] if clue in said}
    last = reached
    for _ in range(steps - 1):
        last = {other for clue in last for other in facts.overlapping(clue)} - reached
        if not last:
            break
        reached |= last
    return reached


def _total_may_matter(facts: Facts, said: dict[int, Bounded], n_clues: int) -> bool:
    """Whether so few clues with the total might prove anything, judged by the largest numbers alone.

    However the clues are met, they take few mines and touch few cells; as long as the mines left suffice for them, and
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
