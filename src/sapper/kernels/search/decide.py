"""What to open now: the whole ladder, for one position or for a game to its end.

Where nothing is safe, the player's policy decides: the safest cell, or endgame search where few layouts are left, and
otherwise lookahead, with paired rollouts if the policy includes them.

A player in here sees what any agent sees: decisions depend on the position alone. A game's mines are read only to open
cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.boards.reveal import Field, open_cascade
from sapper.kernels.codes import EXPLODED, HIDDEN, LOST, OK, PAIRED_ROLLOUTS, SAFE, WON
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.engine.posterior import solve_position
from sapper.kernels.language import *
from sapper.kernels.search.paired import PairedRollouts, pick_by_rollouts
from sapper.kernels.search.player import Player
from sapper.kernels.search.policy import follow_policy, search_endgame


class CompiledGame:
    """A game in progress: the mines, what is open, and the moves so far."""

    field: Field  # what the player sees, and what the cells show when they are opened
    mines: ConstBits  # (n,)
    moves: Ints  # (n,) out: the chosen cells, in order
    n_mines: Public[Int]  # the game is won when only this many cells are hidden
    cascade: Public[Flag]  # whether zeros open their neighbours
    n_moves: Public[Int]
    n_hidden: Public[Int]  # cells that are not open
    n_guesses: Public[Int]
    paired: PairedRollouts  # the memory for paired rollouts, if that is the policy; else None

    def __init__(
        self,
        field: Field,
        mines: NDArray[np.bool_],
        moves: NDArray[np.int32],
        n_mines: Int,
        cascade: Flag,
        paired: Any = None,
    ) -> None:
        self.field, self.mines, self.moves = field, bits(mines), view(moves)
        self.n_mines, self.cascade = n_mines, cascade
        self.n_moves, self.n_hidden, self.n_guesses = 0, len(mines), 0
        self.paired = paired


def add_move(game: CompiledGame, cell: Int) -> None:
    """Record a move."""
    game.moves[game.n_moves] = cell
    game.n_moves += 1


def open_safe(game: CompiledGame, board: Board, position: Position) -> Flag:
    """Open every safe cell, in order; return whether there was any."""
    found: Flag = False
    for cell in range(board.n_cells):
        if position.settled[cell] == SAFE and position.cells[cell] == HIDDEN:
            found = True
            add_move(game, cell)
            game.n_hidden -= open_cascade(game.field, board, 0, cell, game.cascade)
    return found


def follow_with_rollouts(player: Player, paired: PairedRollouts) -> Int:
    """Return the cell that the policy of paired rollouts opens, as `follow_policy` does for the others."""
    cell: Int = -1
    if player.max_layouts > 0:
        cell = search_endgame(player, player.search)
    return cell if cell >= 0 else pick_by_rollouts(player, paired)


@public
def decide(player: Player, paired: Any = None) -> Int:
    """Return the cell to open in the player's position, which is solved and in which nothing is safe.

    ``log_weight`` is the logarithm of its weight; ``paired`` is the memory of paired rollouts, if that is the policy.
    The player then holds how the cell was chosen. A negative number: the engine needs more memory; see the status.
    """
    if player.policy != PAIRED_ROLLOUTS:
        with unlocked:
            cell = follow_policy(player)
        return cell
    memory: PairedRollouts = paired
    with unlocked:
        cell = follow_with_rollouts(player, memory)
    return cell


def play_to_end(game: CompiledGame, player: Player) -> Int:
    """Open what is safe, else guess, until the end; return WON, LOST or a status of the engine."""
    while True:
        status = solve_position(player.ws, player.board, player.query, player.position)
        if status != OK:
            return status
        if not open_safe(game, player.board, player.position):
            player.log_weight = player.ws.log_weight
            if player.policy == PAIRED_ROLLOUTS:
                cell = follow_with_rollouts(player, game.paired)
            else:
                cell = follow_policy(player)
            if cell < 0:
                return player.status
            add_move(game, cell)
            game.n_guesses += 1
            if game.mines[cell]:
                game.field.cells[cell] = EXPLODED
                return LOST
            game.n_hidden -= open_cascade(game.field, player.board, 0, cell, game.cascade)
        if game.n_hidden == game.n_mines:
            return WON


@public
def play_game(game: CompiledGame, player: Player) -> Int:
    """Play a game to its end; return WON or LOST, or a status of the engine: with more memory it can continue.

    The cells of the field are those of the player's position.
    """
    with unlocked:
        how = play_to_end(game, player)
    return how
