"""A puzzle: a position, a task, every right answer, and why it is right; and the verdict on an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from sapper.train.levels import ABOUT, LEVELS, Level

if TYPE_CHECKING:
    from sapper.inference.proofs.explain import Explanation
    from sapper.layout import Layout
    from sapper.observation import Observation
    from sapper.topology import Cell

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


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with a task. Flags stand on mines that easier reasoning proves; they are right."""

    kind: Kind
    rules: str  # the board it comes from
    seed: int
    position: Observation = field(repr=False)
    task: str  # what to do, in a sentence
    solution: tuple[Cell, ...]  # every cell that is a right answer; empty where a number is asked for
    difficulty: int  # on the scale of ratings: 600 is easy, 2000 is hard
    proof: Explanation | None = field(default=None, repr=False)  # of the easiest cell
    marked: tuple[Cell, ...] = ()  # what the task is about: an area, or the cell to settle
    number: int | None = None  # the answer where a number is asked for
    reason: str = field(default="", repr=False)  # why, where there is no proof
    chances: tuple[tuple[Cell, float], ...] = field(default=(), repr=False)  # of a guess: to win, by cell, best first

    def __str__(self) -> str:
        return f"{self.position.pretty()}\n{self.task}"

    def _repr_svg_(self) -> str | None:
        return self.position._repr_svg_()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an answer is worth, and why."""

    is_right: bool
    score: float  # from 0 to 1; less than 1 for a guess that is not the best
    said: tuple[str, ...]  # in sentences
    proof: Explanation | None = field(default=None, repr=False)
    layouts: tuple[Layout, Layout] | None = field(default=None, repr=False)  # with and without a mine at a wrong cell

    def __str__(self) -> str:
        return " ".join(self.said)
