"""How a position of a lesson can end: by proof, or in a guess."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import HIDDEN, Observation

if TYPE_CHECKING:
    from numpy.typing import NDArray

_N_LAYOUTS = 40


def share_of_guesses(position: Observation) -> float:
    """Return the share of layouts, of 40 that fit, in which somebody who opens what is safe has to guess in the end."""
    layouts = mine_probabilities(position).sample(_N_LAYOUTS, np.random.default_rng(0))
    return sum(_ends_in_a_guess(position, mines.reshape(position.cells.shape)) for mines in layouts) / _N_LAYOUTS


def _ends_in_a_guess(position: Observation, mines: NDArray[np.bool_]) -> bool:
    board, cells = position.topology, position.without_flags().cells.copy()
    while True:
        safe = mine_probabilities(Observation(board, cells.copy(), position.total)).safe
        if not safe:
            return bool(((cells == HIDDEN) & ~mines).any())
        for cell in safe:
            around = (board.cell(other) for other in board.neighbours_of(board.index(*cell)))
            cells[cell] = sum(bool(mines[other]) for other in around)
