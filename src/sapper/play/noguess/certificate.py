"""The proof that a layout needs no guess: what is opened in which order, and which clues every step follows from.

A certificate is read as a game: the first cell is opened, then every step names open clues, says which hidden cells
they prove safe and which mines, and the safe ones are opened. On paper it is one line of JSON, in which cells are
numbers, counted row by row.

>>> steps = (Step("single", ((0, 1),), (), ((0, 0), (1, 0))), Step("single", ((2, 1),), ((2, 0),), ()))
>>> certificate = Certificate(Rules.parse("3x4/2"), Layout.parse("*---/*---/----"), (0, 3), "single", steps)
>>> str(certificate)[-56:]
'"steps":[["single",[1],[],[0,4]],["single",[9],[8],[]]]}'
>>> Certificate.parse(str(certificate)) == certificate
True
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, cast

from sapper.errors import InputError, check_type
from sapper.layout import Layout
from sapper.notebook import draw
from sapper.rules import Rules
from sapper.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.topology import Cell, Topology


VERSION = 1

# The kinds of reasoning that a step can need, easiest first, in the words of `Deduction`.
KINDS = ("single", "subset", "pair", "complete", "total")
# What a player may be asked for → the hardest kind of step that this allows.
HARDEST_KIND = dict(zip(("single", "subsets", "pairs", "complete", "count"), KINDS, strict=True))


@dataclass(frozen=True, slots=True)
class Step:
    """Some open clues, and what they prove together with what was proved before."""

    kind: str  # one of KINDS
    clues: tuple[Cell, ...]  # the cells that show them
    safe: tuple[Cell, ...]  # proved safe, and opened now
    mines: tuple[Cell, ...]  # proved to be mines

    @property
    def total(self) -> bool:
        """Whether the number of mines on the board is needed too."""
        return self.kind == "total"

    @property
    def weight(self) -> int:
        """How hard it is: the square of the number of things to be kept in mind at once, clues and the total."""
        return (len(self.clues) + self.total) ** 2


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """A layout, its first cell, and the steps that clear it.

    rules: the rules of the game.
    layout: the mines.
    first: the cell that is opened first.
    reasoning: the hardest reasoning that is allowed, such as ``pairs`` or ``complete``.
    steps: the proof, step by step.
    """

    rules: Rules
    layout: Layout
    first: Cell
    reasoning: str
    steps: tuple[Step, ...]

    @property
    def hardest(self) -> str:
        """The hardest kind of reasoning in it; ``none`` where the first cell opens everything."""
        return max((step.kind for step in self.steps), key=KINDS.index, default="none")

    @property
    def score(self) -> int:
        """The difficulty: the sum of the weights of its steps."""
        return sum(step.weight for step in self.steps)

    def __repr__(self) -> str:
        steps = count(len(self.steps), "step")
        board = f"{self.rules.in_short} from {self.first}"
        return f"<Certificate {board}: {steps}, hardest {self.hardest}, score {self.score}>"

    def _repr_svg_(self) -> str | None:
        return draw(self.layout.topology, "draw_layout", self.layout, (self.layout.topology.number(self.first),))

    def __str__(self) -> str:
        number = self.layout.topology.number
        return json.dumps(
            {
                "sapper_certificate": VERSION,
                "rules": str(self.rules),
                "first": number(self.first),
                "reasoning": self.reasoning,
                "hardest": self.hardest,
                "score": self.score,
                "layout": str(self.layout),
                "steps": [
                    [step.kind, *([number(cell) for cell in some] for some in (step.clues, step.safe, step.mines))]
                    for step in self.steps
                ],
            },
            separators=(",", ":"),
        )

    @classmethod
    def parse(cls, text: str) -> Certificate:
        """Read a certificate, or raise `InputError`; whether it proves anything is for `verify` to say."""
        check_type(text, str, "a certificate as text")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError("The certificate is not JSON.") from None
        if not isinstance(value, dict):
            raise InputError("A certificate is an object in braces.")
        if value.get("sapper_certificate") != VERSION:
            raise InputError(f'This is not a certificate: it should say "sapper_certificate": {VERSION}.')
        rules = Rules.parse(_text(value, "rules"))
        layout = Layout.parse(_text(value, "layout"), rules.own or rules.shape)
        reasoning = _text(value, "reasoning")
        if reasoning not in HARDEST_KIND:
            raise InputError(f"There is no reasoning {reasoning[:40]!r}; it is one of {', '.join(HARDEST_KIND)}.")
        first = value.get("first")
        if not _is_cell(first, rules.n_cells):
            raise InputError('The certificate\'s "first" is not the number of a cell on the board.')
        steps = value.get("steps")
        if not isinstance(steps, list):
            raise InputError('The certificate has no list of "steps".')
        board = rules.topology
        read = tuple(_read_step(number, step, board) for number, step in enumerate(steps, start=1))
        certificate = cls(rules, layout, board.cell(cast("int", first)), reasoning, read)
        for name in ("hardest", "score"):
            if name not in value:
                raise InputError(f'The certificate has no "{name}".')
            if type(value[name]) is not type(getattr(certificate, name)) or value[name] != getattr(certificate, name):
                raise InputError(f'The certificate\'s "{name}" does not match its steps.')
        return certificate


def _text(value: dict[str, object], name: str) -> str:
    found = value.get(name)
    if not isinstance(found, str):
        raise InputError(f'The certificate has no text "{name}".')
    return found


def _is_cell(value: object, n_cells: int) -> bool:
    # True is a whole number to Python.
    return type(value) is int and 0 <= value < n_cells


def _read_step(number: int, step: object, board: Topology) -> Step:
    if not isinstance(step, list) or len(step) != 4 or step[0] not in KINDS:
        raise InputError(f"Step {number} should be a list of a kind ({', '.join(KINDS)}), clues, safe cells and mines.")
    for cells in step[1:]:
        if not isinstance(cells, list) or not all(_is_cell(cell, board.n_cells) for cell in cells):
            raise InputError(f"Step {number} names something that is not the number of a cell on the board.")
    clues, safe, mines = (tuple(map(board.cell, _ascending(number, cells))) for cells in step[1:])
    return Step(step[0], clues, safe, mines)


def _ascending(number: int, cells: Sequence[int]) -> tuple[int, ...]:
    if any(one >= other for one, other in pairwise(cells)):
        raise InputError(f"Step {number} should name its cells in ascending order, each once.")
    return tuple(cells)
