"""How fair, kind and cruel games end, in fractions: every draw of every game, one by one. Imports nothing of ours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from continuations import HIDDEN, settled_by_safe_openings

Layouts = list[frozenset[int]]


class Ending(NamedTuple):
    """Where the mines are in the end, and whether the game is won."""

    mines: frozenset[int]
    won: bool


class Dealer:
    """Deals small boards under one of the settings to a player who opens cells by their number.

    A patient player opens what is safe first; a hasty one opens the first cell that is not certainly a mine.
    """

    def __init__(self, setting: str, neighbours: Sequence[Sequence[int]], total: int, is_patient: bool) -> None:
        self._setting, self._neighbours, self._total, self._is_patient = setting, neighbours, total, is_patient

    def endings(self, reserved: frozenset[int]) -> dict[Ending, Fraction]:
        """Return the chance of every ending; cells that the first click reserves hold no mine, the first one opens."""
        n_cells = len(self._neighbours)
        self._found: dict[Ending, Fraction] = defaultdict(Fraction)
        layouts = [mines for mines in map(frozenset, combinations(range(n_cells), self._total)) if not mines & reserved]
        hidden = (HIDDEN,) * n_cells
        if reserved:
            self._show(hidden, layouts, min(reserved), Fraction(1))
        else:
            self._go_on(hidden, layouts, Fraction(1))
        return dict(self._found)

    def choose(self, cells: Sequence[int], layouts: Layouts) -> int:
        """The cell that the player opens."""
        hidden = [cell for cell, code in enumerate(cells) if code == HIDDEN]
        if self._is_patient:
            for cell in hidden:
                if not any(cell in mines for mines in layouts):
                    return cell
        return next(cell for cell in hidden if not all(cell in mines for mines in layouts))

    def _go_on(self, cells: tuple[int, ...], layouts: Layouts, chance: Fraction) -> None:
        if cells.count(HIDDEN) == self._total:
            self._found[Ending(layouts[0], True)] += chance
            return
        cell = self.choose(cells, layouts)
        mined = [mines for mines in layouts if cell in mines]
        clear = [mines for mines in layouts if cell not in mines]
        p_survives = Fraction(1)
        if mined and self._setting != "kind":
            is_forced = cell not in settled_by_safe_openings(cells, self._neighbours, self._total)
            p_survives = Fraction(is_forced)
            if self._setting == "cruel" and is_forced:
                p_survives = Fraction(len(clear), len(layouts))
        for mines in mined:
            self._found[Ending(mines, False)] += chance * (1 - p_survives) / len(mined)
        if p_survives:
            self._show(cells, clear, cell, chance * p_survives)

    def _show(self, cells: tuple[int, ...], clear: Layouts, cell: int, chance: Fraction) -> None:
        """Open a cell that is clear in all these layouts, which are equally likely."""
        shown: dict[tuple[int, ...], Layouts] = {}
        for mines in clear:
            shown.setdefault(self._open(cells, mines, cell), []).append(mines)
        for after, left in shown.items():
            self._go_on(after, left, chance * Fraction(len(left), len(clear)))

    def _open(self, cells: tuple[int, ...], mines: frozenset[int], cell: int) -> tuple[int, ...]:
        opened, waiting = list(cells), [cell]
        while waiting:
            one = waiting.pop()
            if opened[one] == HIDDEN:
                opened[one] = len(mines.intersection(self._neighbours[one]))
                waiting += self._neighbours[one] if opened[one] == 0 else ()
        return tuple(opened)
