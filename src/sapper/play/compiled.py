"""Whole games of the exact agents in compiled code: the same games, move for move, as `play_match` plays.

Games played on from a position to their end, on given layouts, by the compiled players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper import kernels
from sapper.errors import InputError
from sapper.inference.evaluation.decision import make_trials
from sapper.inference.evaluation.endgame import EXPERT, MASTER, Endgame, perfect_start
from sapper.inference.evaluation.openings import first_cell
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, Workspace
from sapper.kernels.codes import WON
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.world.generation import generate_layout, shown_clues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sapper.rules import Rules
    from sapper.topology import Cell


# Who can play in here, and from how many layouts on they play perfectly, or nearly so; `exact` never does.
AGENTS = {"exact": None, "expert": EXPERT, "optimal": MASTER, "master": MASTER}


class Seat:
    """An agent in front of a board, for one game after another: its memory and what it sees.

    Not for two threads at once.
    """

    def __init__(self, rules: Rules, agent: str, budget: Budget | None = None) -> None:
        n_cells = rules.topology.n_cells
        self._board, self._cascade = rules.topology.graph, rules.cascade
        self.cells: NDArray[np.int8] = np.full(n_cells, HIDDEN, dtype=np.int8)  # what the agent sees
        self.moves: NDArray[np.int32] = np.zeros(n_cells, dtype=np.int32)  # the cells that were chosen, in order
        self._opened = np.zeros(n_cells, dtype=np.int32)
        self._workspace = Workspace(n_cells, False, budget or USUAL_BUDGET)
        self._asked = kernels.Query(-1)
        position = kernels.Position(self.cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells))
        reach = AGENTS[agent]
        ending = None if reach is None else Endgame(n_cells, *reach).ending
        self._player = kernels.Player(self._workspace, self._board, self._asked, position, ending)
        self._trials = make_trials(rules.topology, self._workspace, self._asked) if agent == "master" else None

    def begin(self, mines: NDArray[np.bool_], shown: NDArray[np.int8], n_mines: int) -> kernels.Game:
        """Begin a game; ``cells`` say what is open of it."""
        self._field = kernels.Field(self.cells, shown, self._opened)
        game = kernels.Game(self._field, mines, self.moves, n_mines, self._cascade, self._trials)
        game.n_hidden = int(np.count_nonzero(self.cells == HIDDEN))
        return game

    def open(self, game: kernels.Game, cell: int) -> None:
        """Open a cell that is hidden and no mine, without counting it as a move."""
        game.n_hidden -= kernels.reveal(self._field, self._board, cell, self._cascade)

    def play(self, game: kernels.Game, total: int) -> bool:
        """Play a game to its end and say whether it is won; a total of -1 is unknown. Raises `TooHard`."""
        self._asked.total = total
        while (how := kernels.play_on(game, self._player)) >= 0:
            # It ran out of room in the middle of the game, and goes on from there.
            self._workspace.grow(how)
        return how == WON


class Result(NamedTuple):
    """How a game went."""

    won: bool
    n_moves: int
    n_guesses: int  # the first move included
    moves: tuple[int, ...]  # the chosen cells, by number


class CompiledPlayer:
    """Plays classic games with exact clues under the given rules. Not for two threads at once."""

    def __init__(self, rules: Rules, agent: str = "exact", budget: Budget | None = None) -> None:
        if agent not in AGENTS:
            raise InputError(f"Compiled games are played by {', '.join(AGENTS)}, not by {agent}.")
        if rules.opened_mine != "ends" or rules.channel.kind != "exact" or rules.dealing != "laid":
            raise InputError("Compiled games are classic ones with exact clues on laid boards.")
        self.rules = rules
        self._seat = Seat(rules, agent, budget)
        self.first = self._first_cell(agent)

    def _first_cell(self, agent: str) -> int:
        """The cell opened first: on a blank board every one has the same risk, and none is a mine where that counts."""
        board, total = self.rules.topology, self.rules.mines if self.rules.total_known else None
        if agent == "master":
            best = first_cell(Observation.of_game(board, self._seat.cells, total, self.rules.channel))
            if best is not None:
                return best
        if agent in ("optimal", "master"):
            best = perfect_start(board, total)
            if best is not None:
                return best
        return kernels.choose_least_risk(board.graph, self._seat.cells, np.full(board.n_cells, 0.5))

    def play(self, seed: int) -> Result:
        """Play the game of a seed."""
        layout = generate_layout(self.rules, seed, self.rules.topology.cell(self.first))
        return self.play_layout(layout, seed, self.first)

    def play_layout(self, layout: Layout, seed: int = 0, first: int | None = None) -> Result:
        """Play a given layout, beginning with a given cell if there is one; raises `TooHard` past the budget."""
        rules, seat = self.rules, self._seat
        mines = layout.mines.ravel()
        if first is not None and mines[first]:
            return Result(False, 1, 1, (first,))
        seat.cells.fill(HIDDEN)
        game = seat.begin(mines, shown_clues(layout, rules.channel, seed), rules.mines)
        if first is not None:
            seat.open(game, first)
            seat.moves[0] = first
            game.n_moves = game.n_guesses = 1
            if game.n_hidden == rules.mines:
                return Result(True, 1, 1, (first,))
        won = seat.play(game, rules.mines if rules.total_known else -1)
        return Result(won, game.n_moves, game.n_guesses, tuple(seat.moves[: game.n_moves].tolist()))


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
