"""Cells that the same statements touch, grouped: within a box no cell can be told from another.

Counting works on boxes instead of cells: a box of k cells holds m mines in C(k, m) ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapper.knowledge.statements import Knowledge


@dataclass(frozen=True, slots=True)
class Box:
    """Interchangeable cells."""

    cells: tuple[int, ...]  # ascending
    statements: tuple[int, ...]  # indices into the knowledge's statements, ascending


def group_boxes(knowledge: Knowledge) -> tuple[list[Box], tuple[int, ...]]:
    """Return the boxes, and the unconstrained cells that no statement touches.

    >>> from sapper.knowledge.statements import read_knowledge
    >>> from sapper.observation import Observation
    >>> boxes, unconstrained = group_boxes(read_knowledge(Observation.parse("1##/### 2")))
    >>> [box.cells for box in boxes], unconstrained
    ([(1, 3, 4)], (2, 5))
    """
    touching: dict[int, list[int]] = {cell: [] for cell in knowledge.unknown}
    for number, statement in enumerate(knowledge.statements):
        for cell in statement.cells:
            touching[cell].append(number)
    members: dict[tuple[int, ...], list[int]] = {}
    for cell, numbers in touching.items():
        members.setdefault(tuple(numbers), []).append(cell)
    unconstrained = tuple(members.pop((), []))
    return [Box(tuple(cells), numbers) for numbers, cells in members.items()], unconstrained
