"""Boxes that influence each other through shared statements, grouped. Components meet only in the total."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapper.knowledge.boxes import Box


def group_components(boxes: list[Box]) -> list[list[Box]]:
    """Split boxes into components, each in an order good for elimination.

    Next comes always the box that leaves the fewest statements open: touched by a box that has been summed
    and by one that has not. The cost of summing is exponential in that number.
    """
    by_statement: dict[int, set[int]] = {}
    for index, box in enumerate(boxes):
        for statement in box.statements:
            by_statement.setdefault(statement, set()).add(index)
    waiting = set(range(len(boxes)))
    components = []
    while waiting:
        component: list[int] = []
        reached = {min(waiting)}
        done: set[int] = set()
        while reached:
            chosen = min(reached, key=lambda index: (_n_left_open(boxes[index], by_statement, done | {index}), index))
            component.append(chosen)
            done.add(chosen)
            reached |= {other for statement in boxes[chosen].statements for other in by_statement[statement]}
            reached -= done
        waiting -= done
        components.append([boxes[index] for index in component])
    return components


def _n_left_open(box: Box, by_statement: dict[int, set[int]], done: set[int]) -> int:
    """Statements that this box newly opens, less those that it closes."""
    change = 0
    for statement in box.statements:
        touching = by_statement[statement]
        n_done = len(touching & done)
        if n_done == 1 and len(touching) > 1:
            change += 1
        elif n_done == len(touching) > 1:
            change -= 1
    return change
