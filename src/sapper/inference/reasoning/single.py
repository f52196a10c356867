"""Deductions, and the two rules of a single clue, applied until nothing changes.

A clue whose mines are all known makes the rest of its neighbours safe; a clue that needs as many mines as it has
unknown neighbours makes all of them mines. Linear in the clues that have changed.

A `Deduction` is what every way of reasoning returns. Its reason completes a sentence: "Opened (2, 1): *the 2 at (1, 2)
already touches 2 mines*."
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sapper.inference.facts import Facts, cells_of
from sapper.topology import Cell
from sapper.words import count, count_mines, join_words

# The kinds of reasoning, easiest first. `TOTAL` means that the number of mines on the board is needed.
SINGLE = "single"
SUBSET = "subset"
PAIR = "pair"
ONE_TWO = "one-two"
CONTRADICTION = "contradiction"
COMPLETE = "complete"
TOTAL = "total"
RULES = (SINGLE, SUBSET, PAIR, ONE_TWO, CONTRADICTION, COMPLETE, TOTAL)
CLAIM = "claim"  # what a foreign agent says, for whatever reason


class Deduction(NamedTuple):
    """A cell that must be safe or must be a mine.

    cell: the cell.
    is_mine: whether it is a mine.
    rule: the kind of reasoning, one of `RULES`, or `CLAIM`.
    clues: the clues that it follows from, row by row, with what was deduced before.
    reason: why, as the end of a sentence.
    """

    cell: Cell
    is_mine: bool
    rule: str
    clues: tuple[Cell, ...]
    reason: str

    def __str__(self) -> str:
        return f"{self.cell} is {'a mine' if self.is_mine else 'safe'}: {self.reason}."


def deduce(
    facts: Facts, cells: Iterable[int], is_mine: bool, rule: str, clues: Sequence[int], reason: str
) -> list[Deduction]:
    """Note that these cells are mines, or safe, and return a deduction for each that was unknown."""
    cols = facts.board.cols
    sources = tuple(divmod(clue, cols) for clue in clues)
    found = []
    for cell in cells:
        if facts.unknown >> cell & 1:
            facts.learn(cell, is_mine)
            found.append(Deduction(divmod(cell, cols), is_mine, rule, sources, reason))
    return found


def name_clue(facts: Facts, clue: int) -> str:
    """Name an open clue: ``the 2 at (1, 2)``."""
    return f"the {facts.shown(clue)} at {divmod(clue, facts.board.cols)}"


def name_clues(facts: Facts, clues: Sequence[int]) -> str:
    """Name several clues, joined as people do."""
    return join_words([name_clue(facts, clue) for clue in clues])


def deduce_single(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Apply the two rules to these clues and to all that are affected, to a fixpoint.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> facts = Facts(Observation.parse("1#/11"))
    >>> [str(found) for found in deduce_single(facts, facts.clues)]
    ['(0, 1) is a mine: the 1 at (0, 0) has 1 hidden neighbour left for 1 mine.']
    """
    found: list[Deduction] = []
    around, bounds = facts.around, facts.clues
    waiting = list(clues)
    touched = facts.touched
    while waiting:
        facts.touched = 0
        for clue in waiting:
            # Most clues say nothing new, so this is checked inline first.
            cells = around[clue] & facts.unknown
            if cells:
                known = (around[clue] & facts.mines).bit_count()
                low, high = bounds[clue]
                if high == known or low - known == cells.bit_count():
                    found += look_at_clue(facts, clue)
        touched |= facts.touched
        waiting = cells_of(facts.touched)
    # Harder reasoning has to examine all of them.
    facts.touched = touched
    return found


def deduce_local(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Apply the two rules once to the cells that have just opened, and to no other: report 002's basic agent."""
    del clues
    found: list[Deduction] = []
    for cell in facts.opened:
        if cell in facts.clues:
            found += look_at_clue(facts, cell)
    return found


def deduce_queried(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Look for mines around the cells that have just opened, once: report 003's simple agent.

    It deduces no safe cells: its program opens the neighbours of zeros and no others, and until they are open they are
    hidden cells like any other.
    """
    del clues
    found: list[Deduction] = []
    for cell in facts.opened:
        said = read_clue(facts, cell) if cell in facts.clues else None
        if said is not None and said[1]:
            found += deduce(facts, *said[:2], SINGLE, (cell,), said[2])
    return found


def deduce_newest(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """Act on the newest clue that settles something, and on no other: report 000's agent in its play-by-play."""
    del clues
    for clue in reversed(facts.clues):
        found = look_at_clue(facts, clue)
        if found:
            return found
    return []


def deduce_newest_and_total(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
    """The same with report 000's improvement: each clue above 0 gives a second, newer statement about all other cells.

    >>> from sapper.inference.facts import Facts
    >>> from sapper.observation import Observation
    >>> for found in deduce_newest_and_total(Facts(Observation.parse("3##/### 3")), ()):
    ...     print(found)
    (0, 2) is safe: the 3 at (0, 0) and the total of 3 leave no mine for the rest of the board.
    (1, 2) is safe: the 3 at (0, 0) and the total of 3 leave no mine for the rest of the board.
    """
    del clues
    for clue in reversed(facts.clues):
        found = look_outside(facts, clue) or look_at_clue(facts, clue)
        if found:
            return found
    return []


def look_outside(facts: Facts, clue: int) -> list[Deduction]:
    """Apply the two rules to what a clue above 0 and the number of mines, if it is known, leave for all other cells."""
    everything = facts.everything()
    if everything is None or facts.clues[clue][1] == 0:
        return []
    near, low, high = facts.statement(clue)
    cells, left = everything[0] & ~near, everything[1]
    n_cells = cells.bit_count()
    is_clear = left == low
    if not cells or not (is_clear or left - high == n_cells):
        return []
    leave = f"{name_clue(facts, clue)} and the total of {facts.total} leave"
    rest = "no mine for the rest of the board"
    if not is_clear:
        rest = f"{count_mines(n_cells)} for the {count(n_cells, 'other unknown cell')}"
    return deduce(facts, cells_of(cells), not is_clear, TOTAL, (clue,), f"{leave} {rest}")


def look_at_clue(facts: Facts, clue: int) -> list[Deduction]:
    """Apply the two rules to one clue, once."""
    said = read_clue(facts, clue)
    return deduce(facts, said[0], said[1], SINGLE, (clue,), said[2]) if said is not None else []


def read_clue(facts: Facts, clue: int) -> tuple[list[int], bool, str] | None:
    """Return what the two rules say of one clue: the cells that it settles, whether they are mines, and why."""
    cells, low, high = facts.statement(clue)
    if not cells:
        return None
    if high == 0:
        return cells_of(cells), False, _why_safe(facts, clue)
    n_cells = cells.bit_count()
    if low == n_cells:
        left = f"{count(n_cells, 'hidden neighbour')} left for {count_mines(low)}"
        return cells_of(cells), True, f"{name_clue(facts, clue)} has {left}"
    return None


def look_at_total(facts: Facts) -> list[Deduction]:
    """Apply the two rules to the number of mines on the board, if it is known."""
    everything = facts.everything()
    if everything is None or not everything[0]:
        return []
    cells, left, _ = everything
    if left == 0:
        reason = _all_found(facts.total) if facts.total else "there is no mine on the board"
        return deduce(facts, cells_of(cells), False, TOTAL, (), reason)
    if left == cells.bit_count():
        reason = f"{count_mines(left)} and as many unknown cells are left on the board"
        return deduce(facts, cells_of(cells), True, TOTAL, (), reason)
    return []


def _all_found(total: int | None) -> str:
    return "the only mine is found" if total == 1 else f"all {total} mines are found"


def _why_safe(facts: Facts, clue: int) -> str:
    most = facts.clues[clue][1]
    if most == 0:
        return f"{name_clue(facts, clue)} touches no mine"
    return f"{name_clue(facts, clue)} already touches {count_mines(most)}"
