"""50/50s of a position: two cells with one mine between them, and whether anything can still tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from scripts.lessons.patterns import around_of, numbers_of

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import FLAG

if TYPE_CHECKING:
    from sapper.observation import Observation
    from sapper.topology import Cell


class Fifty(NamedTuple):
    """Two cells, each a mine with a chance of a half, of which some number says that just one is."""

    clue: Cell  # that number
    cells: tuple[Cell, Cell]
    witnesses: tuple[Cell, ...]  # cells without a mine, open or hidden, that touch only one of the two

    @property
    def is_final(self) -> bool:
        """Whether nothing can tell the two apart: with the mine in the other cell, every number would be the same."""
        return not self.witnesses


def find_fifties(position: Observation) -> list[Fifty]:
    """Every 50/50 of a position, by its numbers, each once."""
    posterior = mine_probabilities(position.with_flags_as_mines())
    found: dict[tuple[Cell, ...], Fifty] = {}
    for number in numbers_of(position):
        cells = tuple(sorted(number.hidden))
        if number.left == 1 and len(cells) == 2 and posterior.p_mine[cells[0]] == posterior.p_mine[cells[1]] == 0.5:
            one, other = (set(around_of(position, cell)) - set(cells) for cell in cells)
            mines = posterior.mines
            witnesses = tuple(
                cell for cell in sorted(one ^ other) if position.cells[cell] != FLAG and cell not in mines
            )
            found.setdefault(cells, Fifty(number.cell, (cells[0], cells[1]), witnesses))
    return list(found.values())
