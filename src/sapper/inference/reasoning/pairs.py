"""Two clues with cells in common: bounds on the mines they share settle what each has for itself.

Of the mines n1 and n2 of two clues, at least min_c = max(n1 - |own1|, n2 - |own2|, 0) and at most
max_c = min(n1, n2, |common|) lie in the common cells. Stronger than `subsets` for one pair of clues, but nothing new is
written down, so chains of more than two clues are out of reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.inference.reasoning.deduction import PAIR, Deduction, deduce, name_clue
from sapper.knowledge.facts import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.knowledge.facts import Bounded, Facts


def deduce_pairs(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Compare each of these clues with every clue that it overlaps, once; cost: some twenty comparisons per clue.

    >>> from sapper.knowledge.facts import Facts
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
            news = _compare(facts, clue, first, other, facts.statement(other))
            if news:
                found += news
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
    for cells, n_cells, fewest, upmost in (
        (common, n_common, least, most),
        (own1, n_own1, low1 - most, high1 - least),
        (own2, n_own2, low2 - most, high2 - least),
    ):
        if cells and (upmost == 0 or fewest == n_cells):
            is_mine = upmost != 0
            reason = f"{name_clue(facts, clue)} and {name_clue(facts, other)} leave {_share(is_mine, n_cells)}"
            found += deduce(facts, cells_of(cells), is_mine, PAIR, tuple(sorted((clue, other))), reason)
    return found


def _share(is_mine: bool, n_cells: int) -> str:
    whom = "it" if n_cells == 1 else f"these {n_cells} cells"
    return f"{n_cells if is_mine else 'no'} mine{'s' if is_mine and n_cells > 1 else ''} for {whom}"
