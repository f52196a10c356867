"""Whole games of the exact agents in compiled code: the same games, move for move, as `play_match` plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.errors import InputError
from sapper.inference.endgame import FEW, MANY, Endgame
from sapper.inference.lookahead import Lookahead
from sapper.inference.optimal import perfect_start
from sapper.inference.workspace import NO_TABLES, Budget, Workspace
from sapper.kernels import workspace as places
from sapper.kernels.choosing import choose_least_risk
from sapper.kernels.playing import N_GUESSES, N_MOVES, WON, play_on
from sapper.kernels.reveal import reveal
from sapper.observation import HIDDEN
from sapper.world.clues import shown_clues
from sapper.world.generate import generate_layout

if TYPE_CHECKING:
    from sapper.kernels.endgame import Scratch as EndScratch
    from sapper.kernels.lookahead import Scratch as AheadScratch
    from sapper.layout import Layout
    from sapper.rules import Rules


# Who can play in here, and from how many layouts on they play perfectly; `exact` never does.
AGENTS = {"exact": 0, "expert": FEW, "optimal": MANY}


def decision_scratch(agent: str, n_cells: int) -> tuple[AheadScratch | None, EndScratch | None]:
    """Return the memory that an agent's decisions take in compiled games."""
    most = AGENTS[agent]
    return (Lookahead(n_cells).scratch(), Endgame(n_cells, most).scratch()) if most else (None, None)


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
        if rules.opened_mine != "ends" or rules.channel.kind != "exact":
            raise InputError("Compiled games are classic ones with exact clues.")
        self.rules = rules
        board = self._board = rules.topology
        self._workspace = Workspace(board.n_cells, False, budget or Budget())
        self._cells = np.full(board.n_cells, HIDDEN, dtype=np.int8)
        # The same memory under a read-only name: another type to Numba, and the one that the engine is compiled for.
        self._seen = self._cells.view()
        self._seen.flags.writeable = False
        self._settled = np.empty(board.n_cells, dtype=np.int8)
        self._p = np.full(board.n_cells, 0.5)
        self._opened = np.empty(board.n_cells, dtype=np.int32)
        self._moves = np.empty(board.n_cells, dtype=np.int32)
        self._tally = np.zeros(3, dtype=np.int64)
        self._ahead, self._end = decision_scratch(agent, board.n_cells)
        self.first = self._first_cell(agent)

    def _first_cell(self, agent: str) -> int:
        """The cell opened first: on a blank board every one has the same risk, and none is a mine where that counts."""
        board = self._board
        if agent == "optimal":
            best = perfect_start(board, self.rules.mines if self.rules.total_known else None)
            if best is not None:
                return best
        return int(choose_least_risk(self._seen, board.table, board.degree, self._p))

    def play(self, seed: int) -> Result:
        """Play the game of a seed."""
        return self.play_layout(generate_layout(self.rules, seed, self.first), seed, self.first)

    def play_layout(self, layout: Layout, seed: int = 0, first: int | None = None) -> Result:
        """Play a given layout, beginning with a given cell if there is one; raises `TooHard` past the budget."""
        rules, board, workspace = self.rules, self._board, self._workspace
        self._cells[:] = HIDDEN
        self._tally[:] = 0, board.n_cells, 0
        shown = shown_clues(layout, rules.channel, seed)
        mines = layout.mines.ravel()
        total = rules.mines if rules.total_known else -1
        if first is not None:
            if mines[first]:
                return Result(False, 1, 1, (first,))
            n_opened = reveal(self._cells, shown, board.table, board.degree, first, rules.cascade, self._opened)
            self._moves[0] = first
            self._tally[:] = 1, board.n_cells - n_opened, 1
            if board.n_cells - n_opened == rules.mines:
                return Result(True, 1, 1, (first,))
        while True:
            status = play_on(
                mines, shown, rules.mines, rules.cascade, self._cells, self._seen, board.table, board.degree,
                board.cols, total, 1.0, False, False, NO_TABLES, self._settled, self._p, workspace.ints,
                workspace.longs, workspace.floats, self._opened, self._moves, self._tally, self._ahead, self._end,
            )  # fmt: skip
            if status < 0:
                break
            assert status != places.CONTRADICTION
            workspace.grow(status)
        n_moves = int(self._tally[N_MOVES])
        return Result(status == WON, n_moves, int(self._tally[N_GUESSES]), tuple(self._moves[:n_moves].tolist()))
