"""The kinds of puzzle, and a short name for each puzzle that fits in a URL.

Six kinds are levels of reasoning, each including those before it. A one-two is a special case of pairs, placed before
them because people know it by heart; three special kinds ask about guesses, areas and chains.

The name of a seeded puzzle has kind, board and seed: ``one-two.8x8.10.torus.7``. One made from a given position has
kind and position: ``subsets.____-1221``, with ``_`` for hidden cells, ``-`` between rows and ``x`` for an open cell
without a clue; the position's other words follow after dots.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple, Self, TypeVar, get_args

from sapper.errors import GaveUp, InputError
from sapper.inference.facts import Facts, cells_of
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.one_two import deduce_one_two, why_not
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.topology import SHAPES, Cell, write_neighbourhood

T = TypeVar("T")
Level = Literal["single", "subsets", "one-two", "pairs", "cases", "total"]
LEVELS: tuple[Level, ...] = get_args(Level)

ABOUT: dict[Level, str] = {
    "single": "one clue at a time",
    "subsets": "a clue whose cells lie within those of another",
    "one-two": "a 1 beside a 2 along a wall",
    "pairs": "two clues that share some of their cells",
    "cases": "assume something and rule it out",
    "total": "count the remaining mines",
}

_RULES = {"single": deduce_single, "subsets": deduce_subsets, "one-two": deduce_one_two, "pairs": deduce_pairs}


def reason(facts: Facts, level: Level) -> None:
    """Learn everything that reasoning up to this level proves."""
    rules = list(_RULES.values())[: LEVELS.index(level) + 1]
    at = 0
    while at < len(rules):
        before = facts.unknown
        rules[at](facts, sorted(facts.clues))
        # After a discovery, start again with the easiest rule.
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
    """Return the hidden cells that reasoning up to this level proves safe, and those it proves mines; ignore flags.

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


Special = Literal["guess", "area", "chain"]
Kind = Level | Special
SPECIALS: tuple[Special, ...] = get_args(Special)
KINDS: tuple[Kind, ...] = (*LEVELS, *SPECIALS)

ABOUT_KINDS: dict[Kind, str] = {
    **{level: ABOUT[level] for level in LEVELS},
    "guess": "nothing is certain: which cell is best?",
    "area": "how many mines are in an area",
    "chain": "which clue settles a cell",
}

_LONGEST = 50_000  # characters: more than the largest position that is accepted anywhere
_CUSTOM = r"own:[\d,/]*"  # the neighbour table of a custom board: see topology.py
_FROM_SEED = re.compile(
    rf"([\w-]+)\.(\d{{1,9}}x\d{{1,9}})\.(\d{{1,9}})(?:\.({'|'.join(SHAPES)}|{_CUSTOM}))?\.(\d{{1,19}})", re.ASCII
)
_OF_POSITION = re.compile(rf"([\w-]+)\.([\w*-]+)((?:\.(?:\w+|{_CUSTOM}))*)", re.ASCII)
_SPELLED = str.maketrans("/#.", "-_x")
_READ = str.maketrans("-_x", "/#.")


def read_kind(name: object) -> Kind:
    """Return the kind of this name; raise `InputError` if there is none."""
    for kind in KINDS:
        if kind == name:
            return kind
    raise InputError(f"There is no puzzle kind {str(name)[:40]!r}; choose from {', '.join(KINDS)}.")


def kinds_on(rules: Rules) -> tuple[Kind, ...]:
    """Return the kinds of puzzle that a board can have, easiest first: one-two needs a wall.

    >>> from sapper.rules import Rules
    >>> "one-two" in kinds_on(Rules.parse("beginner")), "one-two" in kinds_on(Rules.parse("9x9/10 knight"))
    (True, False)
    """
    return tuple(kind for kind in KINDS if kind != "one-two" or not why_not(rules.topology))


def first_possible(kinds: list[Kind], make: Callable[[list[Kind]], T], pick: Callable[[list[Kind]], Kind]) -> T:
    """Call ``make`` with the kinds until it succeeds, removing each kind that the board turns out not to have.

    ``pick`` names the kind that ``make`` chooses from a list. Raises `GaveUp` if no kind is left.
    """
    while True:
        try:
            return make(kinds)
        except GaveUp:
            if len(kinds) == 1:
                raise
            kinds.remove(pick(kinds))


class Name(NamedTuple):
    """What identifies a puzzle: kind, board and seed, or kind and position.

    >>> name = Name.parse("one-two.8x8.10.torus.7")
    >>> name.board, name.seed
    ('8x8/10 torus', 7)
    >>> str(name)
    'one-two.8x8.10.torus.7'
    >>> Name.parse("subsets.____-1221").position
    '####/1221'
    """

    kind: Kind
    board: str  # short form: size, mines and shape
    seed: int | None
    position: str = ""  # empty if there is a seed

    @classmethod
    def of(cls, kind: Kind, board: str, seed: int | None, position: Observation | str = "") -> Self:
        """Name a puzzle; the board may be in any form, and the position is used only without a seed."""
        return cls(kind, _short(board), seed) if seed is not None else cls(kind, "", None, str(position))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name; raise `InputError` if the text is not one."""
        text = text.strip()
        if made := _FROM_SEED.fullmatch(text):
            kind, size, mines, shape, seed = made.groups()
            return cls(read_kind(kind), _short(f"{size}/{mines} {shape or ''}"), int(seed))
        if len(text) <= _LONGEST and (given := _OF_POSITION.fullmatch(text)):
            kind, cells, others = given.groups()
            position = Observation.parse(" ".join([cells.translate(_READ), *others.split(".")[1:]]))
            return cls(read_kind(kind), "", None, str(position))
        raise InputError(f"{text[:60]!r} is not a link to a puzzle; one looks like pairs.9x9.10.7.")

    def __str__(self) -> str:
        if self.seed is not None:
            size, _, others = self.board.partition(" ")
            return ".".join([self.kind, size.replace("/", "."), *others.split(), str(self.seed)])
        cells, *words = self.position.split()
        return ".".join([self.kind, cells.translate(_SPELLED), *words])


@lru_cache(maxsize=64)
def _short(board: str) -> str:
    """Return size, mines and shape of a board; the other rules are the same for all puzzles."""
    rules = Rules.parse(board)
    neighbourhood = "" if rules.shape == "square" else f" {write_neighbourhood(rules.topology)}"
    return f"{rules.rows}x{rules.cols}/{rules.mines}{neighbourhood}"
