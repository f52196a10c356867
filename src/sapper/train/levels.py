"""How hard a puzzle is to see through: levels of reasoning, each with all that are before it.

A one-two is a pair of clues too, but one that people know by heart; it comes before the pairs in general, or there
would be nothing left of it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.one_two import deduce_one_two
from sapper.inference.reasoning.pairs import deduce_pairs
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_subsets
from sapper.knowledge.facts import Facts, cells_of

if TYPE_CHECKING:
    from sapper.observation import Observation
    from sapper.topology import Cell

Level = Literal["single", "subsets", "one-two", "pairs", "cases", "total"]
LEVELS: tuple[Level, ...] = get_args(Level)

ABOUT: dict[Level, str] = {
    "single": "one clue after the other",
    "subsets": "a clue whose cells lie within those of another",
    "one-two": "a 1 beside a 2 along a wall",
    "pairs": "two clues that share some of their cells",
    "cases": "suppose something and rule it out",
    "total": "count the mines that are left",
}

_RULES = {"single": deduce_single, "subsets": deduce_subsets, "one-two": deduce_one_two, "pairs": deduce_pairs}


def reason(facts: Facts, level: Level) -> None:
    """Learn everything that reasoning up to this level proves, until nothing is new."""
    rules = list(_RULES.values())[: LEVELS.index(level) + 1]
    at = 0
    while at < len(rules):
        before = facts.unknown
        rules[at](facts, sorted(facts.clues))
        # Whatever is new is news to the easier rules first.
        at = 0 if at and facts.unknown != before else at + 1
    if level in ("cases", "total"):
        observation = facts.observation if level == "total" else replace(facts.observation, total=None)
        posterior = mine_probabilities(observation)
        for cells, is_mine in ((posterior.mines, True), (posterior.safe, False)):
            for cell in cells:
                index = facts.board.index(*cell)
                if facts.unknown >> index & 1:
                    facts.learn(index, is_mine)


def what_follows(observation: Observation, level: Level) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    """The hidden cells that reasoning up to this level proves safe, and those that it proves mines; flags are ignored.

    >>> from sapper.observation import Observation
    >>> what_follows(Observation.parse("####/1221"), "single")
    ((), ())
    >>> what_follows(Observation.parse("####/1221"), "subsets")
    (((0, 0), (0, 3)), ((0, 1), (0, 2)))
    """
    facts = Facts(observation)
    known = facts.mines
    reason(facts, level)
    cell = observation.topology.cell
    return tuple(cell(index) for index in sorted(facts.safe)), tuple(cell(i) for i in cells_of(facts.mines & ~known))
