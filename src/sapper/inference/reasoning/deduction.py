"""Something that follows with certainty, and why: the one value that every way of reasoning returns.

A reason is the part of a sentence behind the colon: "Opened (2, 1): *the 2 at (1, 2) already touches 2 mines*."
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sapper.words import join_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sapper.knowledge.facts import Facts
    from sapper.topology import Cell


# The kinds of reasoning, easiest first. `TOTAL` means that the number of mines on the board is needed.
SINGLE = "single"
SUBSET = "subset"
PAIR = "pair"
ONE_TWO = "one-two"
CONTRADICTION = "contradiction"
COMPLETE = "complete"
TOTAL = "total"
RULES = (SINGLE, SUBSET, PAIR, ONE_TWO, CONTRADICTION, COMPLETE, TOTAL)


class Deduction(NamedTuple):
    """A cell that must be clear or must be a mine."""

    cell: Cell
    is_mine: bool
    rule: str  # one of RULES
    clues: tuple[Cell, ...]  # the clues it follows from, row by row; with what was deduced before
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
