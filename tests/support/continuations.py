"""Whether safe openings ever settle a cell, by trying all of them, in every order, in every layout. Imports nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

HIDDEN, FLAG = -1, -2


def layouts_that_fit(cells: Sequence[int], neighbours: Sequence[Sequence[int]], total: int) -> list[frozenset[int]]:
    """List every set of mines that fits what the cells show."""
    hidden = [cell for cell, code in enumerate(cells) if code in (HIDDEN, FLAG)]
    return [
        mines
        for mines in map(frozenset, combinations(hidden, total))
        if all(code < 0 or len(mines.intersection(neighbours[cell])) == code for cell, code in enumerate(cells))
    ]


def settled_by_safe_openings(cells: Sequence[int], neighbours: Sequence[Sequence[int]], total: int) -> set[int]:
    """Return the cells that are certain after some continuation in which only safe cells are opened, one by one.

    Those that are certain already are among them.
    """
    found: set[int] = set()

    @cache
    def go_on(left: frozenset[frozenset[int]], hidden: frozenset[int]) -> None:
        safe = {cell for cell in hidden if not any(cell in mines for mines in left)}
        found.update(safe, (cell for cell in hidden if all(cell in mines for mines in left)))
        for cell in safe:
            shown: dict[int, set[frozenset[int]]] = {}
            for mines in left:
                shown.setdefault(len(mines.intersection(neighbours[cell])), set()).add(mines)
            for those in shown.values():
                go_on(frozenset(those), hidden - {cell})

    go_on(
        frozenset(layouts_that_fit(cells, neighbours, total)),
        frozenset(cell for cell, code in enumerate(cells) if code in (HIDDEN, FLAG)),
    )
    return found
