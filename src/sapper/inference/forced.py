"""Swaps that nothing ever sees: mines and clear cells that may change places, and every clue stays as it is.

Some cells always go together with a cell, and some are always its opposite: whoever knows one of them knows them all.
Turn all of them over in a layout that fits. If each side has as many cells as the other, the total stays; if every
other cell that may ever be opened touches as many of the one side as of the other, no clue changes. So the layout that
results fits too, whatever else is opened, and nobody will know before one of these cells is opened by a guess.

Two sums; then a look at the neighbours of the cells that were found.

Whether a guess is forced, decided for one cell of one position.

A cell is **hopeless** if opening safe cells never settles it: open all that is certainly clear, then all that is clear
for certain then, and so on; whatever these cells show, nobody knows the cell in the end. A guess is **forced** if it is
proved that the cell is hopeless, in one of these ways, tried in this order:

1. Nothing is safe anywhere.
2. The cell is one of a swap that nothing ever sees (`swaps`).
3. The cell's part of the board has few layouts, and in none of them do safe openings within the part settle the cell,
   not even for somebody who is told how many mines the part holds (`listing`).
4. The whole board has few layouts, and in none of them do safe openings settle the cell.

Any other guess is **unforced**; there is something safe to open instead. So whoever opens what is safe, as long as
anything is, makes no unforced guess.

>>> judge_guess("1#11#/1#11# 2", (0, 1))
Judgement(verdict='nothing-safe', cells=())
>>> judge_guess("#1001##/#1001## 2", (0, 0))
Judgement(verdict='swap', cells=((0, 0), (1, 0)))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from sapper.errors import InputError, TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.subproblem import list_everything, list_part
from sapper.inference.posterior.workspace import Budget
from sapper.kernels.codes import MINE, SAFE
from sapper.observation import Observation

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sapper.inference.posterior.exact import Posterior
    from sapper.topology import Cell, Topology


def find_swap(posterior: Posterior, cell: int, budget: Budget) -> tuple[int, ...]:
    """Return the cells that can be swapped together with an unsure one, unseen for ever; none if there are none.

    They are ascending, with the cell itself. Raises `TooHard` past the budget.
    """
    observation = posterior.observation
    if_mine, if_safe = (
        mine_probabilities(assumed, budget=budget).verdicts.ravel()
        for assumed in (observation.assuming(mines=[cell]), observation.assuming(safe=[cell]))
    )
    alike = (if_mine == MINE) & (if_safe == SAFE)
    alike[cell] = True
    opposite = (if_mine == SAFE) & (if_safe == MINE)
    if np.count_nonzero(alike) != np.count_nonzero(opposite):
        return ()
    sides = alike.astype(np.int8) - opposite.astype(np.int8)
    if _is_seen(observation.topology, sides, posterior.verdicts.ravel() == MINE):
        return ()
    return tuple(np.flatnonzero(sides).tolist())


def _is_seen(board: Topology, sides: NDArray[np.int8], mines: NDArray[np.bool_]) -> bool:
    """Whether a cell of neither side, and no certain mine, touches more of one side than of the other."""
    lean: dict[int, int] = {}
    for member in np.flatnonzero(sides).tolist():
        for other in board.neighbours_of(member):
            lean[other] = lean.get(other, 0) + int(sides[member])
    return any(by and not sides[other] and not mines[other] for other, by in lean.items())


# Real games need a few thousand states. The same for everybody: a game that is played again must go the same way.
BUDGET = Budget(states=200_000, megabytes=200)

Verdict = Literal[
    "safe",  # no guess: certainly clear
    "mine",  # no guess: certainly a mine
    "nothing-safe",  # forced: nothing is certainly clear anywhere
    "swap",  # forced: mines and clear cells may change places, and no clue ever tells
    "never-settled",  # forced: in none of the layouts do safe openings settle the cell
    "unforced",
    "too-hard",  # the exact sum takes too much
]
FORCED: tuple[Verdict, ...] = ("nothing-safe", "swap", "never-settled")


class Judgement(NamedTuple):
    """What opening a cell would be, and the cells that show it: those of a swap, or of a part of the board."""

    verdict: Verdict
    cells: tuple[Cell, ...] = ()

    @property
    def is_guess(self) -> bool:
        """Whether nobody can know what the cell is."""
        return self.verdict not in ("safe", "mine")

    @property
    def is_forced(self) -> bool:
        """Whether it is a guess that safe openings are proved not to spare."""
        return self.verdict in FORCED


def judge_guess(position: Observation | str | ArrayLike, cell: Cell, mines: int | None = None) -> Judgement:
    """Say whether a guess is forced: whether it is proved that opening what is safe never settles the cell.

    For positions with exact clues and a known total. One sum where nothing is safe; otherwise three, and a list of at
    most a thousand layouts.
    """
    observation = Observation.of(position, mines).without_flags()
    if observation.channel.kind != "exact" or observation.total is None:
        raise InputError("Whether a guess is forced can be said where clues are exact and the total is known.")
    number = observation.topology.number(cell)
    if not observation.closed.flat[number]:
        raise InputError(f"{cell} is open already.")
    try:
        return judge(mine_probabilities(observation, budget=BUDGET), number)
    except TooHard:
        return Judgement("too-hard")


def judge(posterior: Posterior, cell: int) -> Judgement:
    """Judge the opening of a hidden cell, by its number, from the posterior of a position without flags.

    Raises `TooHard` past the budget.
    """
    if posterior.verdicts.flat[cell] == SAFE:
        return Judgement("safe")
    if posterior.verdicts.flat[cell] == MINE:
        return Judgement("mine")
    if not (posterior.verdicts == SAFE).any():
        return Judgement("nothing-safe")
    board = posterior.observation.topology
    if swap := find_swap(posterior, cell, BUDGET):
        return Judgement("swap", tuple(map(board.cell, swap)))
    # A list of the whole board leaves nothing open, so a part can only say the same of fewer cells.
    whole = list_everything(posterior)
    if whole is not None and not whole.is_never_settled(cell):
        return Judgement("unforced")
    part = list_part(posterior, cell)
    shown = part if part is not None and part.is_never_settled(cell) else whole
    if shown is None:
        return Judgement("unforced")
    return Judgement("never-settled", tuple(map(board.cell, sorted(shown.cells))))
