"""A lesson: what it teaches in words, an example that moves frame by frame, puzzles, and one sentence to remember."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from sapper.observation import Observation
from sapper.train.plain import read_cell, read_cells, reading

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sapper.topology import Cell
    from sapper.train.puzzles import Puzzle

# What a cell is lit up for. Safe and mine are certain; what is supposed holds for the sake of the argument.
Role = Literal["clue", "area", "safe", "mine", "supposed-safe", "supposed-mine"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of an example, with the cells that its caption speaks of lit up by their role.

    Cells lit up as safe or as mines follow from the clues lit up with them, from the flags, which stand on mines, and
    from frames before that show the same position.
    """

    position: Observation = field(repr=False)
    caption: str  # one sentence
    lit: tuple[tuple[Role, tuple[Cell, ...]], ...] = ()
    total: bool = False  # whether the number of mines on the board is lit up too
    risks: tuple[tuple[Cell, float], ...] = ()  # the exact chance of a mine, where the caption speaks of it
    chances: tuple[tuple[Cell, float], ...] = ()  # the exact chance to win with a cell, likewise

    def cells(self, role: Role) -> tuple[Cell, ...]:
        """The cells that are lit up in this role.

        >>> frame = Frame(Observation.parse("1#/11"), "The 1 touches one hidden cell.", (("clue", ((0, 0),)),))
        >>> frame.cells("clue"), frame.cells("mine")
        (((0, 0),), ())
        """
        return dict(self.lit).get(role, ())

    def as_plain_values(self) -> dict[str, Any]:
        """The same for JSON; `from_plain_values` reads it."""
        return {
            "position": str(self.position),
            "caption": self.caption,
            "lit": {role: [list(cell) for cell in cells] for role, cells in self.lit},
            "total": self.total,
            "risks": [{"cell": list(cell), "p_mine": p_mine} for cell, p_mine in self.risks],
            "chances": [{"cell": list(cell), "p_win": p_win} for cell, p_win in self.chances],
        }

    @classmethod
    def from_plain_values(cls, values: Mapping[str, Any]) -> Frame:
        """Read a frame again; raise `InputError` if it is none.

        >>> frame = Frame(Observation.parse("1#/11"), "Here is a mine.", (("mine", ((0, 1),)),), total=True)
        >>> Frame.from_plain_values(frame.as_plain_values()) == frame
        True
        """
        with reading("a frame"):
            position = Observation.parse(values["position"])
            lit = values["lit"]
            return cls(
                position,
                str(values["caption"]),
                tuple((role, read_cells(position, lit[role])) for role in ROLES if role in lit),
                bool(values["total"]),
                tuple((read_cell(position, one["cell"]), float(one["p_mine"])) for one in values["risks"]),
                tuple((read_cell(position, one["cell"]), float(one["p_win"])) for one in values["chances"]),
            )


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson of the course."""

    number: int  # from 1
    name: str  # for links and for the command
    title: str
    about: str  # what it teaches, for a list of lessons
    text: tuple[str, ...] = field(repr=False)  # short paragraphs
    example: tuple[Frame, ...] = field(repr=False)
    puzzles: tuple[Puzzle, ...] = field(repr=False)  # easiest first
    remember: str = field(repr=False)  # one sentence

    def __str__(self) -> str:
        return f"{self.number}. {self.title}: {self.about}"

    def as_plain_values(self) -> dict[str, Any]:
        """The same for JSON; puzzles as `Puzzle.as_plain_values` gives them."""
        return {
            "number": self.number,
            "name": self.name,
            "title": self.title,
            "about": self.about,
            "text": list(self.text),
            "example": [frame.as_plain_values() for frame in self.example],
            "puzzles": [puzzle.as_plain_values() for puzzle in self.puzzles],
            "remember": self.remember,
        }
