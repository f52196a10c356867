"""Whole classic games without going back to Python: open, sum exactly, decide, until the end.

The player in here sees what any agent sees: the decisions take the position and nothing else. The truth is read only
to open cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sapper.kernels.boards.reveal import Field, open_cascade
from sapper.kernels.codes import EXPLODED, HIDDEN, LOST, OK, SAFE, WON
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.language import ConstBits, Flag, Int, Ints, Public, bits, inner, unlocked, value, view
from sapper.kernels.search.paired import Trials, pick_by_trying
from sapper.kernels.search.player import Player
from sapper.kernels.search.policy import pick_expertly, pick_for_sure, pick_least_risk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@value
class Game:
    """A game under way: the truth, what is open of it, and the moves made so far."""

    field: Field  # what the player sees, and what the cells show when they are opened
    mines: ConstBits  # (n,): the truth
    moves: Ints  # (n,) out: the cells that were chosen, in order
    n_mines: Public[Int]  # the game is won when only this many cells are hidden
    cascade: Public[Flag]  # whether zeros open what is around them
    n_moves: Public[Int]
    n_hidden: Public[Int]  # cells that are not open
    n_guesses: Public[Int]
    tries: Flag  # whether the player tries close candidates out
    trials: Trials  # the memory for that, or None

    def __init__(
        self,
        field: Field,
        mines: NDArray[np.bool_],
        moves: NDArray[np.int32],
        n_mines: Int,
        cascade: Flag,
        trials: Any = None,
    ) -> None:
        self.field, self.mines, self.moves = field, bits(mines), view(moves)
        self.n_mines, self.cascade = n_mines, cascade
        self.n_moves, self.n_hidden, self.n_guesses = 0, len(mines), 0
        self.tries, self.trials = trials is not None, trials


@inner
def note_move(game: Game, cell: Int) -> None:
    """Write down that a cell was chosen."""
    game.moves[game.n_moves] = cell
    game.n_moves += 1


@inner
def open_safe(game: Game, board: Board, position: Position) -> Flag:
    """Open every safe cell, in order of the cells; return whether there was any."""
    found: Flag = False
    for cell in range(board.n_cells):
        if position.settled[cell] == SAFE and position.cells[cell] == HIDDEN:
            found = True
            note_move(game, cell)
            game.n_hidden -= open_cascade(game.field, board, 0, cell, game.cascade)
    return found


@inner
def pick_cell(game: Game, player: Player) -> Int:
    """Return the cell to open where nothing is safe; negative, with the player's status, if that takes more memory."""
    if player.most == 0:
        return pick_least_risk(player.board, player.position.cells, player.position.p_mine)
    if not game.tries:
        return pick_expertly(player)
    cell = pick_for_sure(player)
    return cell if cell >= 0 else pick_by_trying(player, game.trials)


@inner
def play_to_end(game: Game, player: Player) -> Int:
    """Open what is safe, else guess, until the end; return WON, LOST or a status of the engine."""
    while True:
        status = solve_position(player.ws, player.board, player.query, player.position)
        if status != OK:
            return status
        if not open_safe(game, player.board, player.position):
            cell = pick_cell(game, player)
            if cell < 0:
                return player.status
            note_move(game, cell)
            game.n_guesses += 1
            if game.mines[cell]:
                game.field.cells[cell] = EXPLODED
                return LOST
            game.n_hidden -= open_cascade(game.field, player.board, 0, cell, game.cascade)
        if game.n_hidden == game.n_mines:
            return WON


def play_on(game: Game, player: Player) -> Int:
    """Play a game to its end; return WON or LOST, or a status of the engine: with more memory it can be played on.

    The cells of the field are those of the player's position.
    """
    with unlocked:
        how = play_to_end(game, player)
    return how
