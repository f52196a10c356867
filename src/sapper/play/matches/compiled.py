"""Whole games of the exact agents in compiled code: the same games, move for move, as `play_match` plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper import kernels
from sapper.agents.book import first_cell
from sapper.errors import InputError
from sapper.inference.chances.endgame import EXPERT, MASTER, Endgame
from sapper.inference.chances.optimal import perfect_start
from sapper.inference.chances.trials import make_trials
from sapper.inference.posterior.workspace import USUAL_BUDGET, Budget, Workspace
from sapper.kernels.codes import WON
from sapper.observation import HIDDEN, Observation
from sapper.world.clues import shown_clues
from sapper.world.generate import generate_layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.layout import Layout
    from sapper.rules import Rules


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
        self._asked = kernels.Question(-1)
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
