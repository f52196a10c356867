"""Games played on from a position to their end, on given layouts, by the compiled players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import InputError
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN
from sapper.play.matches.compiled import AGENTS, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sapper.inference.posterior.workspace import Budget
    from sapper.observation import Observation
    from sapper.rules import Rules
    from sapper.topology import Cell


def can_play_on(rules: Rules) -> bool:
    """Whether games under these rules can be played on in here: classic ones with exact clues, on laid boards."""
    return rules.opened_mine == "ends" and rules.channel.kind == "exact" and rules.dealing == "laid"


class ContinuingPlayer:
    """Plays classic games with exact clues from any position on. Not for two threads at once."""

    def __init__(self, rules: Rules, agent: str = "exact", budget: Budget | None = None) -> None:
        if agent not in AGENTS:
            raise InputError(f"Games are played on by {', '.join(AGENTS)}, not by {agent}.")
        if not can_play_on(rules):
            raise InputError("Only classic games with exact clues on laid boards can be played on.")
        self._board = rules.topology
        self._seat = Seat(rules, agent, budget)

    @property
    def first_choice(self) -> Cell | None:
        """The cell that the player chose first in the last game, which depends on the position alone; None: none."""
        first = int(self._seat.moves[0])
        return self._board.cell(first) if first >= 0 else None

    def wins(self, position: Observation, mines: NDArray[np.bool_], first: Sequence[Cell] = ()) -> bool:
        """Open these cells, play on to the end and say whether the game is won; ``mines`` fit the position.

        Flags are opinions and are taken off. Raises `TooHard` past the budget.
        """
        board, seat = self._board, self._seat
        seat.moves[0] = -1
        layout = Layout(board, mines)
        truth = layout.mines.ravel()
        seat.cells[:] = position.cells.ravel()
        seat.cells[seat.cells == FLAG] = HIDDEN
        game = seat.begin(truth, layout.clues().ravel(), layout.n_mines)
        for cell in first:
            index = board.index(*cell)
            if truth[index]:
                return False
            if seat.cells[index] == HIDDEN:
                seat.open(game, index)
        if game.n_hidden == layout.n_mines:
            return True
        return seat.play(game, -1 if position.total is None else position.total)
