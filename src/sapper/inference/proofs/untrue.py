"""Clues that never tell the truth: each rules out one number of mines, in the middle of those that it allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.channel import ALWAYS_WRONG
from sapper.inference.proofs.proof import NOT_RIGHT, RIGHT, Line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.inference.proofs.settled import Known
    from sapper.knowledge.facts import Facts


def ruled_out(facts: Facts, clues: Iterable[int]) -> dict[int, int]:
    """By clue that is always wrong: the number of mines that its unknown cells do not hold.

    >>> from sapper.knowledge.facts import Facts
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


def rule_out(known: Known, source: int, cells: int, number: int) -> Line | None:
    """What a clue says that does not have this number of mines in its cells, once at most one of them is unknown."""
    unknown = cells & ~(known.mines | known.clear)
    mines = cells & known.mines
    n_mines = mines.bit_count()
    needs = known.needs(cells ^ unknown)
    via = ((mines, n_mines, n_mines),)
    if not unknown and n_mines == number:
        return Line(RIGHT, 0, 0, 0, (source,), needs, known.depth, via)
    if unknown.bit_count() == 1 and number - n_mines in (0, 1):
        is_mine = int(n_mines == number)
        return Line(NOT_RIGHT, unknown, is_mine, is_mine, (source,), needs, known.depth, via)
    return None
