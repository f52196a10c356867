"""What the clues of an observation say, as statements about hidden cells.

>>> from sapper.observation import Observation
>>> known = read_knowledge(Observation.parse("1#/## 1"))
>>> known.statements
(Statement(source=0, cells=(1, 2, 3), weights=(0, 1, 0, 0)),)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sapper.channel import SOFT_KINDS
from sapper.observation import EXPLODED, FLAG, HIDDEN

if TYPE_CHECKING:
    from sapper.observation import Observation

Weight = int | Fraction


@dataclass(frozen=True, slots=True)
class Statement:
    """How likely each number of mines among some hidden cells makes what the clue shows."""

    source: int  # the cell that shows the clue
    cells: tuple[int, ...]  # hidden cells, ascending
    weights: tuple[Weight, ...]  # by number of mines among the cells, 0 … len(cells)

    @property
    def n_mines(self) -> int | None:
        """The number of mines among the cells, if only one is possible."""
        possible = [count for count, weight in enumerate(self.weights) if weight]
        return possible[0] if len(possible) == 1 else None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything an observation says: what is unknown, what is known to be a mine, and the statements."""

    unknown: tuple[int, ...]  # cells that may or may not be mines, ascending
    mines: tuple[int, ...]  # exploded, or flagged by a player who is trusted
    statements: tuple[Statement, ...]
    total_left: int | None  # mines among the unknown cells; None: not told


def read_knowledge(observation: Observation, trust_flags: bool = False) -> Knowledge:
    """Turn an observation into statements; linear in its cells. Flags are opinions unless trusted."""
    cells = observation.cells.ravel().tolist()
    board = observation.topology
    mine_codes = (EXPLODED, FLAG) if trust_flags else (EXPLODED,)
    mines = tuple(index for index, code in enumerate(cells) if code in mine_codes)
    unknown = tuple(index for index, code in enumerate(cells) if code in (HIDDEN, FLAG) and code not in mine_codes)
    statements = []
    for index, shown in enumerate(cells):
        if shown < 0:
            continue
        around = board.neighbours_of(index)
        hidden = tuple(cell for cell in around if cells[cell] in (HIDDEN, FLAG) and cells[cell] not in mine_codes)
        n_known = sum(cells[cell] in mine_codes for cell in around)
        truths = range(n_known, n_known + len(hidden) + 1)
        weights = tuple(_likelihood(observation, len(around), shown, truth) for truth in truths)
        statements.append(Statement(index, hidden, weights))
    total_left = None if observation.total is None else observation.total - len(mines)
    return Knowledge(unknown, mines, tuple(statements), total_left)


def _likelihood(observation: Observation, n_neighbours: int, shown: int, truth: int) -> Weight:
    channel = observation.channel
    if channel.kind not in SOFT_KINDS:
        # A withheld clue that is shown after all is the truth; how likely it was to be shown cancels out.
        return int(shown == truth)
    return Fraction(channel.likelihood(n_neighbours)[shown, truth])
