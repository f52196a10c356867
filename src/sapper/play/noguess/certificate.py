"""A certificate that a layout needs no guess: the order in which cells are opened, and the clues that prove each step.

It reads like a game: the first cell is opened, then every step names open clues and the hidden cells that they prove
safe or mines, and the safe ones are opened. As text it is one line of JSON, with cells numbered row by row.

>>> steps = (
...     CertificateStep("single", ((0, 1),), (), ((0, 0), (1, 0))),
...     CertificateStep("single", ((2, 1),), ((2, 0),), ()),
... )
>>> certificate = Certificate(Rules.parse("3x4/2"), Layout.parse("*---/*---/----"), (0, 3), "single", steps)
>>> str(certificate)[-56:]
'"steps":[["single",[1],[],[0,4]],["single",[9],[8],[]]]}'
>>> Certificate.parse(str(certificate)) == certificate
True
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from sapper.errors import InputError, check_type
from sapper.layout import Layout
from sapper.notebook import draw
from sapper.rules import Rules
from sapper.topology import Cell, Topology
from sapper.words import count

VERSION = 1

# The kinds of reasoning in a step, easiest first, named as in `Deduction`.
KINDS = ("single", "subset", "pair", "complete", "total")
# The reasoning allowed → the hardest kind of step that it allows.
HARDEST_KIND = dict(zip(("single", "subsets", "pairs", "complete", "count"), KINDS, strict=True))


@dataclass(frozen=True, slots=True)
class CertificateStep:
    """Open clues, and what they prove given the earlier steps."""

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
        """The difficulty: the square of the number of clues, counting the number of mines as one."""
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
    steps: tuple[CertificateStep, ...]

    @property
    def hardest(self) -> str:
        """The hardest kind of its steps; ``none`` if the first cell opens everything."""
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
        """Read a certificate, or raise `InputError`; `verify` checks what it proves."""
        check_type(text, str, "a certificate as text")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError("The certificate is not JSON.") from None
        if not isinstance(value, dict):
            raise InputError("A certificate must be a JSON object.")
        if value.get("sapper_certificate") != VERSION:
            raise InputError(f'This is not a certificate: it must say "sapper_certificate": {VERSION}.')
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
    # True is an integer to Python.
    return type(value) is int and 0 <= value < n_cells


def _read_step(number: int, step: object, board: Topology) -> CertificateStep:
    if not isinstance(step, list) or len(step) != 4 or step[0] not in KINDS:
        raise InputError(f"Step {number} must be a list of a kind ({', '.join(KINDS)}), clues, safe cells and mines.")
    for cells in step[1:]:
        if not isinstance(cells, list) or not all(_is_cell(cell, board.n_cells) for cell in cells):
            raise InputError(f"Step {number} names something that is not the number of a cell on the board.")
    clues, safe, mines = (tuple(map(board.cell, _ascending(number, cells))) for cells in step[1:])
    return CertificateStep(step[0], clues, safe, mines)


def _ascending(number: int, cells: Sequence[int]) -> tuple[int, ...]:
    if any(one >= other for one, other in pairwise(cells)):
        raise InputError(f"Step {number} must name its cells in ascending order, each once.")
    return tuple(cells)
