"""Compiled games of the exact agents: whole games, or games continued from a position on given layouts.

They are the same games, move for move, as `play_match` plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.errors import InputError
from sapper.inference.evaluation.decision import POLICIES, Decider
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.workspace import Budget
from sapper.kernels.codes import WON
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.rules import FIRST_CLICKS, Rules
from sapper.topology import Cell
from sapper.world.generation import cells_for_mines, check_seed

AGENTS = tuple(POLICIES)


class Seat:
    """An agent at a board, for one game after another: its memory and what it sees.

    Not for two threads at once.
    """

    def __init__(self, rules: Rules, agent: str, budget: Budget | None = None) -> None:
        n_cells = rules.topology.n_cells
        self._board = rules.topology.graph
        self.cells: NDArray[np.int8] = np.full(n_cells, HIDDEN, dtype=np.int8)  # what the agent sees
        self.moves: NDArray[np.int32] = np.zeros(n_cells, dtype=np.int32)  # the chosen cells, in order
        self._mines = np.zeros((1, n_cells), dtype=np.bool_)
        shown = np.zeros((1, n_cells), dtype=np.int8)
        self.decider = Decider(rules.topology, POLICIES[agent], budget)
        position = kernels.Position(self.cells, np.zeros(n_cells, dtype=np.int8), np.zeros(n_cells))
        self._player = self.decider.player(position)
        self._field = kernels.Field(self.cells, shown[0], np.zeros(n_cells, dtype=np.int32))
        self.game = kernels.CompiledGame(
            self._field, shown, self._mines, self.moves, rules.mines, FIRST_CLICKS.index(rules.first_click),
            rules.cascade, self.decider.paired,
        )  # fmt: skip

    def begin(self, mines: NDArray[np.bool_]) -> None:
        """Begin a game on a given layout; ``cells`` says what is open."""
        self._mines[0] = mines
        kernels.set_layout(self.game, self._board)

    def open(self, cell: int) -> None:
        """Open a hidden cell that is not a mine, without counting it as a move."""
        self.game.n_hidden -= kernels.reveal(self._field, self._board, cell, self.game.cascade)

    def play_seed(self, seed: int, first: int, n_mines: int, total: int) -> bool:
        """Play the game of a seed, beginning with its first cell, as `play` does."""
        self.decider.question.total, self.game.n_mines = total, n_mines
        return self._finish(kernels.play_seed(self.game, self._player, seed, first))

    def play(self, total: int) -> bool:
        """Play the game to its end and say whether it is won; a total of -1 is unknown. Raises `TooHard`."""
        self.decider.question.total = total
        return self._finish(kernels.play_game(self.game, self._player))

    def _finish(self, how: int) -> bool:
        while how >= 0:
            # The game stopped for want of memory, and continues from there.
            self.decider.workspace.grow(how)
            how = kernels.play_game(self.game, self._player)
        return how == WON


class CompiledResult(NamedTuple):
    """The result of a game."""

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
            raise InputError("Compiled games are classic, with exact clues, on standard boards.")
        self.rules = rules
        self._seat = Seat(rules, agent, budget)
        total = rules.mines if rules.total_known else None
        blank = Observation.of_game(rules.topology, self._seat.cells, total, rules.channel)
        self._total = -1 if total is None else total
        self.first = self._seat.decider.decide(mine_probabilities(blank)).cell
        self._has_room = rules.mines + len(rules.reserved(self.first)) <= rules.n_cells

    def play(self, seed: int) -> CompiledResult:
        """Play the game of a seed; raises `TooHard` past the budget."""
        if not self._has_room:
            cells_for_mines(self.rules, self.first)  # raises `RulesError`
        return self._result(self._seat.play_seed(int(check_seed(seed)), self.first, self.rules.mines, self._total))

    def play_layout(self, layout: Layout, first: int | None = None) -> CompiledResult:
        """Play a given layout, starting with a given cell if there is one; raises `TooHard` past the budget."""
        seat, mines = self._seat, layout.mines.ravel()
        if first is not None and mines[first]:
            return CompiledResult(False, 1, 1, (first,))
        seat.cells.fill(HIDDEN)
        seat.begin(mines)
        if first is not None:
            seat.open(first)
            seat.moves[0] = first
            seat.game.n_moves = seat.game.n_guesses = 1
        return self._result(seat.play(self._total))

    def _result(self, won: bool) -> CompiledResult:
        game = self._seat.game
        return CompiledResult(won, game.n_moves, game.n_guesses, tuple(self._seat.moves[: game.n_moves].tolist()))


def can_continue(rules: Rules) -> bool:
    """Whether games under these rules can be continued here: classic ones with exact clues, on standard boards."""
    return rules.opened_mine == "ends" and rules.channel.kind == "exact" and rules.dealing == "laid"


class ContinuingPlayer:
    """Continues classic games with exact clues from any position. Not for two threads at once."""

    def __init__(self, rules: Rules, agent: str = "exact", budget: Budget | None = None) -> None:
        if agent not in AGENTS:
            raise InputError(f"Games are continued by {', '.join(AGENTS)}, not by {agent}.")
        if not can_continue(rules):
            raise InputError("Only classic games with exact clues on standard boards can be continued.")
        self._board = rules.topology
        self._seat = Seat(rules, agent, budget)

    @property
    def first_choice(self) -> Cell | None:
        """The player's first choice in the last game, which depends on the position alone; None if it made none."""
        first = int(self._seat.moves[0])
        return self._board.cell(first) if first >= 0 else None

    def wins(self, position: Observation, mines: NDArray[np.bool_], first: Sequence[Cell] = ()) -> bool:
        """Open these cells, continue to the end and return whether the game is won; ``mines`` fit the position.

        Flags are ignored. Raises `TooHard` past the budget.
        """
        board, seat = self._board, self._seat
        seat.moves[0] = -1
        layout = Layout(board, mines)
        truth = layout.mines.ravel()
        seat.cells[:] = position.cells.ravel()
        seat.cells[seat.cells == FLAG] = HIDDEN
        seat.begin(truth)
        for cell in first:
            index = board.index(*cell)
            if truth[index]:
                return False
            if seat.cells[index] == HIDDEN:
                seat.open(index)
        return seat.play(-1 if position.total is None else position.total)
