"""Whether a guess is forced, decided for one cell of one position.

A cell is **hopeless** if opening safe cells never settles it: open every cell that is certainly safe, then every cell
that is certainly safe now, and so on; whatever these cells show, the cell stays undecided. A guess is **forced** if the
cell is proved hopeless in one of these ways, tried in this order:

1. Nothing is safe anywhere.
2. The cell belongs to a symmetric exchange: mines and safe cells that can trade places without changing any clue.
3. The cell's part of the board has few layouts, and in none of them do safe openings within the part settle the cell,
   even if the number of mines in the part were known (`posterior.subproblem`).
4. The whole board has few layouts, and in none of them do safe openings settle the cell.

Any other guess is **unforced**: there is something safe to open instead. So a player who opens safe cells as long as
there are any makes no unforced guess.

>>> judge_guess("1#11#/1#11# 2", (0, 1))
Judgement(verdict='nothing-safe', cells=())
>>> judge_guess("#1001##/#1001## 2", (0, 0))
Judgement(verdict='swap', cells=((0, 0), (1, 0)))
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sapper.errors import InputError, TooHard
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.subproblem import list_everything, list_part
from sapper.inference.posterior.workspace import Budget
from sapper.kernels.codes import MINE, SAFE
from sapper.observation import Observation
from sapper.topology import Cell, Topology


def find_exchange(posterior: Posterior, cell: int, budget: Budget) -> tuple[int, ...]:
    """Return the cells of the symmetric exchange that an undecided cell belongs to, ascending; none if there is none.

    Some cells always equal the cell, and some are always its opposite. Invert all of them in a layout that fits. If
    both sides have the same number of cells, the total stays; if every other cell that may ever be opened touches as
    many of one side as of the other, no clue changes. Then the inverted layout fits too, whatever else is opened, and
    only opening one of these cells by a guess can tell the two apart. Costs two sums. Raises `TooHard` past the budget.
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
    if _is_observable(observation.topology, sides, posterior.verdicts.ravel() == MINE):
        return ()
    return tuple(np.flatnonzero(sides).tolist())


def _is_observable(board: Topology, sides: NDArray[np.int8], mines: NDArray[np.bool_]) -> bool:
    """Whether a cell that belongs to neither side, and is not a certain mine, touches more of one than of the other."""
    imbalance: dict[int, int] = {}
    for member in np.flatnonzero(sides).tolist():
        for other in board.neighbours_of(member):
            imbalance[other] = imbalance.get(other, 0) + int(sides[member])
    return any(by and not sides[other] and not mines[other] for other, by in imbalance.items())


# Real games need a few thousand states. The budget is fixed: a replayed game must take the same course.
BUDGET = Budget(states=200_000, megabytes=200)

Verdict = Literal[
    "safe",  # no guess: certainly safe
    "mine",  # no guess: certainly a mine
    "nothing-safe",  # forced: nothing is certainly safe anywhere
    "swap",  # forced: mines and safe cells can trade places without changing any clue
    "never-settled",  # forced: in none of the layouts do safe openings settle the cell
    "unforced",
    "too-hard",  # the exact sum exceeds the budget
]
FORCED: tuple[Verdict, ...] = ("nothing-safe", "swap", "never-settled")


class Judgement(NamedTuple):
    """What opening a cell would be, and the cells that show it: those of an exchange, or of a part of the board.

    verdict: ``safe``, ``mine``, ``nothing-safe``, ``swap``, ``never-settled``, ``unforced`` or ``too-hard``.
    cells: the cells that show it, if any.
    """

    verdict: Verdict
    cells: tuple[Cell, ...] = ()

    @property
    def is_guess(self) -> bool:
        """Whether the cell is undecided."""
        return self.verdict not in ("safe", "mine")

    @property
    def is_forced(self) -> bool:
        """Whether it is proved that safe openings cannot avoid the guess."""
        return self.verdict in FORCED


def judge_guess(position: Observation | str | ArrayLike, cell: Cell, mines: int | None = None) -> Judgement:
    """Judge whether a guess is forced: whether it is proved that opening safe cells never settles the cell.

    For positions with exact clues and a known number of mines. Takes one sum where nothing is safe, otherwise three and
    a list of at most a thousand layouts.
    """
    observation = Observation.of(position, mines).without_flags()
    if observation.channel.kind != "exact" or observation.total is None:
        raise InputError("Forced guesses can be judged only with exact clues and a known number of mines.")
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
    if exchange := find_exchange(posterior, cell, BUDGET):
        return Judgement("swap", tuple(map(board.cell, exchange)))
    # The whole board decides it; a part can only show the same with fewer cells.
    whole = list_everything(posterior)
    if whole is not None and not whole.is_never_settled(cell):
        return Judgement("unforced")
    part = list_part(posterior, cell)
    shown = part if part is not None and part.is_never_settled(cell) else whole
    if shown is None:
        return Judgement("unforced")
    return Judgement("never-settled", tuple(map(board.cell, sorted(shown.cells))))
