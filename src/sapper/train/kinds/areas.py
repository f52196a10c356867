"""Puzzles that ask for a number: the mines in an area of which no single cell is known.

The area is what one clue has left beside another's, or two clues beside a third; so its number is a sum and a
difference of what clues say, whatever the layout is.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING, NamedTuple

from sapper.inference.reasoning.deduction import name_clue
from sapper.knowledge.facts import Facts, cells_of
from sapper.train.kinds.games import crossroads, with_flags
from sapper.train.puzzles import Puzzle
from sapper.words import count_mines, join_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.inference.posterior.exact import Posterior
    from sapper.rules import Rules

_MOST_TRIED = 20_000  # positions
_BASE = 950
_PER_CELL, _PER_CLUE = 20, 150


class _Sum(NamedTuple):
    """Clues that are added and one that is taken off; what is left is the area."""

    added: tuple[int, ...]
    taken: int
    area: int  # cells as bits
    number: int


def make_area(rules: Rules, seed: int) -> Puzzle | None:
    """The first position from this seed that has such an area, with one of its areas."""
    found = (area_of(posterior, seed) for posterior in islice(crossroads(rules, seed), _MOST_TRIED))
    return next((one for one in found if one is not None), None)


def area_of(posterior: Posterior, seed: int) -> Puzzle | None:
    """The puzzle of a position, with one of its areas; None if it has none."""
    position = with_flags(posterior)
    facts = Facts(position.with_flags_as_mines())
    safe = sum(1 << position.topology.index(*cell) for cell in posterior.safe)
    found = [one for one in _sums(facts) if not one.area & safe]
    if not found:
        return None
    chosen = found[seed % len(found)]
    marked = tuple(position.topology.cell(cell) for cell in cells_of(chosen.area))
    return Puzzle(
        "area",
        "",
        0,
        position,
        "How many mines are in the marked area?",
        (),
        _BASE + _PER_CELL * len(marked) + _PER_CLUE * (len(chosen.added) - 1),
        marked=marked,
        number=chosen.number,
        reason=_explain(facts, chosen),
    )


def _sums(facts: Facts) -> Iterator[_Sum]:
    said = facts.statements(sorted(facts.clues))
    for clue in said:
        others = [other for other in facts.overlapping(clue) if other in said]
        for n_added in (1, 2):
            for added in combinations(others, n_added):
                union = 0
                total = 0
                for one in added:
                    cells, low, _ = said[one]
                    if union & cells:
                        break
                    union, total = union | cells, total + low
                else:
                    taken, number, _ = said[clue]
                    area = union & ~taken
                    # All that is taken off must be there, and what is left must be a question.
                    if taken & ~union == 0 and 0 < total - number < area.bit_count():
                        yield _Sum(added, clue, area, total - number)


def _explain(facts: Facts, chosen: _Sum) -> str:
    said = {clue: facts.statement(clue)[1] for clue in (*chosen.added, chosen.taken)}
    added = join_words([f"{name_clue(facts, clue)} has {count_mines(said[clue])} left" for clue in chosen.added])
    total = sum(said[clue] for clue in chosen.added)
    together = f": {total} together" if len(chosen.added) > 1 else ""
    within = f"{_capital(name_clue(facts, chosen.taken))}, whose cells all lie among these, has {said[chosen.taken]}"
    return f"{_capital(added)}{together}. {within}. That leaves {count_mines(chosen.number)} for the marked area."


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
