"""A cell worth opening, with its risk, its win chance and how it was found: what decisions and rankings consist of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

FEWEST_GAMES = 8  # rollouts for a mean with a standard error


class How(Enum):
    """How a cell was chosen."""

    SAFE = "safe"  # proved
    BOOK = "book"  # opening book
    SOLVED_BOARD = "solved board"  # exact search of the whole game
    EXACT_SEARCH = "exact search"  # over all remaining layouts
    BEAM_SEARCH = "beam search"  # the same, with the safest guesses only
    PART_SEARCH = "part search"  # exact, in a part of the board that nothing links to the rest
    LOOKAHEAD = "lookahead"
    ROLLOUTS = "rollouts"
    SAFEST = "safest"  # no cell has less risk
    NEARLY_SAFEST = "nearly safest"  # slightly more risk, but more clues or fewer hidden cells around it


@dataclass(frozen=True, slots=True)
class Choice:
    """A cell by number, and what is known of opening it."""

    cell: int
    p_mine: float
    how: How
    p_win: float | None = None  # None: unknown
    error: float = 0.0  # standard error of the win chance; 0 if exact
    wins: int = 0  # of a search: the layouts that it wins, at least these by beam search,
    layouts: int = 0  # out of these; of a part, if that was searched
    n_games: int = 0  # rollouts


def by_rollouts(cell: int, p_mine: float, values: NDArray[np.float64]) -> Choice:
    """Return what rollouts say of a cell; its win chance is unknown if they are too few."""
    n_games = len(values)
    if n_games < FEWEST_GAMES:
        return Choice(cell, p_mine, How.LOOKAHEAD, n_games=n_games)
    return Choice(cell, p_mine, How.ROLLOUTS, float(values.mean()), float(values.std()) / n_games**0.5, n_games=n_games)
