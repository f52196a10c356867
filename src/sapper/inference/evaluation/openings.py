"""The first cell of a board: the opening book, and win chances by what the rules promise of the first cell.

``scripts/book.py`` finds the book by simulation, for each board and start rule. On a blank board the cells differ
only in where they lie and in what is promised of the first one: nothing (``any``), that it is safe, or that it opens.
Layouts are drawn as games draw them, and rolled out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from sapper.errors import InputError
from sapper.inference.evaluation.choice import Choice, How, by_rollouts
from sapper.inference.evaluation.endgame import MANY, Endgame
from sapper.inference.evaluation.rollouts import (
    MAX_CELLS_PLAYED,
    Effort,
    Rollouts,
    SuccessiveElimination,
    play_alone,
    round_of,
    time_for,
)
from sapper.inference.posterior.exact import Posterior
from sapper.observation import HIDDEN, Observation
from sapper.rules import reserved_cells
from sapper.words import count


@dataclass(frozen=True, slots=True)
class Opening:
    """A first cell of the book, with its win chance by many games and the standard error."""

    cell: tuple[int, int]
    p_win: float
    error: float


@cache
def read_book() -> dict[str, dict[str, tuple[Opening, ...]]]:
    """Return the openings by board (``16x30/99``) and start rule (``safe``, ``opening``), the best first."""
    text = files("sapper.data").joinpath("book.json").read_text(encoding="utf-8")
    return {
        board: {
            start: tuple(Opening((row, col), p_win, error) for row, col, p_win, error in openings)
            for start, openings in starts.items()
        }
        for board, starts in json.loads(text)["boards"].items()
    }


def openings(observation: Observation, start: str = "safe") -> tuple[Opening, ...]:
    """Return the openings of a blank board, the best first; none if the board is not in the book."""
    board = observation.topology
    if board.shape != "square" or observation.total is None or not observation.closed.all():
        return ()
    return read_book().get(f"{board.rows}x{board.cols}/{observation.total}", {}).get(start, ())


def book_choices(observation: Observation, start: str = "safe") -> list[Choice]:
    """Return the first cells of the book for a blank board, the best first; none if the board is not in the book."""
    index = observation.topology.index
    return [Choice(index(*one.cell), 0.0, How.BOOK, one.p_win, one.error) for one in openings(observation, start)]


ENOUGH_GAMES = 1024  # rollouts of the only candidate
NO_PRIOR = 1.0  # standard deviation of a prior that counts for nothing beside rollouts


def rank_first_cells(
    posterior: Posterior, start: str, effort: Effort, rng: np.random.Generator, cascade: bool = True
) -> list[Choice]:
    """Return promising first cells of a blank board, the best first, with their win chances under a start rule.

    Exact where few layouts are possible and the first cell is promised no more than to be safe; otherwise by rollouts.
    Raises `InputError` if the mines leave no room for the promise.
    """
    observation = posterior.observation
    n_cells = observation.topology.n_cells
    draw = _Draw(observation, start)
    risk = observation.total / n_cells if start == "any" and observation.total is not None else 0.0
    cells = [cell for cell in first_cells(observation) if draw.has_room(cell)] or draw.cells_with_room()[:1]
    if n_cells > MAX_CELLS_PLAYED:
        return [by_rollouts(cell, risk, np.empty(0)) for cell in cells]
    rollouts = Rollouts(n_cells)
    endgame = Endgame(n_cells, MANY)
    with time_for(effort, rollouts.workspace, rollouts.search, endgame.search) as clock:
        if start != "opening":
            found = endgame.rank(posterior)
            if found:
                return found if start == "any" else list(map(_given_safe, found))
        elimination = SuccessiveElimination(cells, np.zeros(len(cells)), NO_PRIOR)

        def play(chosen: list[int], n_games: int) -> NDArray[np.float64]:
            keys, numbers = rng.random((n_games, n_cells)), rollouts.numbers(n_games, rng)
            return np.array(
                [rollouts.play(observation, cell, draw.layouts(cell, keys), numbers, cascade) for cell in chosen]
            )

        if len(cells) == 1:
            values = [play_alone(play, cells[0], round_of(n_cells), min(effort.games, ENOUGH_GAMES), clock)]
        else:
            values = elimination.run(play, round_of(n_cells), effort.games, clock)
    return [by_rollouts(cells[i], risk, (1.0 - risk) * values[i]) for i in elimination.order(values)]


def _given_safe(found: Choice) -> Choice:
    """Return the same choice over the layouts in which its cell is safe, as promised."""
    layouts = round(found.layouts * (1.0 - found.p_mine))
    return Choice(found.cell, 0.0, found.how, found.wins / layouts, wins=found.wins, layouts=layouts)


def first_cells(observation: Observation) -> list[int]:
    """Return cells to try first: a corner, cells along the border and the diagonal, and the middle."""
    board = observation.topology
    middle = board.rows // 2, board.cols // 2
    places = [(0, 0), (0, middle[1]), (middle[0], 0), (1, 1), (2, 2), (3, 3), middle]
    if board.shape == "torus":
        places = [(0, 0)]  # all cells are alike
    inside = {board.index(row, col): None for row, col in places if row < board.rows and col < board.cols}
    free = [cell for cell in inside if observation.cells.flat[cell] == HIDDEN]
    return free or [int(np.flatnonzero(observation.cells.ravel() == HIDDEN)[0])]


class _Draw:
    """Draws layouts as games do once the first cell is known."""

    def __init__(self, observation: Observation, start: str) -> None:
        assert observation.total is not None
        self._board, self._mines, self._start = observation.topology, observation.total, start
        self._hidden: list[int] = np.flatnonzero(observation.cells.ravel() == HIDDEN).tolist()

    def _reserved(self, cell: int) -> list[int]:
        return list({cell} | reserved_cells(self._board, self._start, cell))

    def has_room(self, cell: int) -> bool:
        """Whether the mines fit when this cell is the first."""
        return self._board.n_cells - len(self._reserved(cell)) >= self._mines

    def cells_with_room(self) -> list[int]:
        """The cells that may be the first, at least one."""
        found = [cell for cell in self._hidden if self.has_room(cell)]
        if not found:
            on_board = f"{count(self._mines, 'mine')} on {count(self._board.n_cells, 'cell')}"
            promise = "opens" if self._start == "opening" else "is safe"
            raise InputError(f"There is no room for a first cell that {promise} beside {on_board}.")
        return found

    def layouts(self, cell: int, keys: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return a layout for every row of random keys: the mines are where the keys are smallest.

        With the same keys two cells get layouts that differ only around them, so that luck cancels.
        """
        keys = keys.copy()
        keys[:, self._reserved(cell)] = 2.0
        order = np.argsort(keys, axis=1)[:, : self._mines]
        layouts = np.zeros(keys.shape, dtype=np.bool_)
        np.put_along_axis(layouts, order, True, axis=1)
        return layouts
