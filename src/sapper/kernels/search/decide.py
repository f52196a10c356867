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

from sapper.kernels.boards.placement import Placement, count_clues, draw_mines, write_layout
from sapper.kernels.boards.reveal import Field, open_cascade
from sapper.kernels.codes import EXPLODED, HIDDEN, LOST, OK, PAIRED_ROLLOUTS, SAFE, WON
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.engine.frontier import read_changes
from sapper.kernels.engine.posterior import read_position, sum_position, write_chances, write_verdicts
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import *
from sapper.kernels.search.paired import PairedRollouts, pick_by_rollouts
from sapper.kernels.search.player import Player
from sapper.kernels.search.policy import follow_policy, search_endgame


class CompiledGame:
    """A game in progress on a board of n cells: the mines, what is open, and the moves so far."""

    field: Field  # what the player sees, and what the cells show when they are opened
    shown: ByteGrid  # (1, n): the clues of the field, writable
    mines: BitGrid  # (1, n)
    moves: Ints  # (n,) out: the chosen cells, in order
    placement: Placement
    n_mines: Public[Int]  # the game is won when only this many cells are hidden
    first_click: Int  # of placement.py
    cascade: Public[Flag]  # whether zeros open their neighbours
    n_moves: Public[Int]
    n_hidden: Public[Int]  # cells that are not open
    n_guesses: Public[Int]
    paired: PairedRollouts  # the memory for paired rollouts, if that is the policy; else None

    def __init__(
        self,
        field: Field,
        shown: NDArray[np.int8],
        mines: NDArray[np.bool_],
        moves: NDArray[np.int32],
        n_mines: Int,
        first_click: Int,
        cascade: Flag,
        paired: Any = None,
    ) -> None:
        self.field, self.shown, self.mines, self.moves = field, view(shown), bits(mines), view(moves)
        self.n_mines, self.first_click, self.cascade, self.paired = n_mines, first_click, cascade, paired
        self.placement, self.n_moves, self.n_hidden, self.n_guesses = Placement(len(moves)), 0, len(moves), 0


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


def open_guess(game: CompiledGame, board: Board, cell: Int) -> Flag:
    """Open a cell that may be a mine; return whether it is safe."""
    add_move(game, cell)
    game.n_guesses += 1
    if game.mines[0, cell]:
        game.field.cells[cell] = EXPLODED
        return False
    game.n_hidden -= open_cascade(game.field, board, 0, cell, game.cascade)
    return True


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


def guess_next(game: CompiledGame, player: Player) -> Int:
    """Return the cell that the policy opens in a position where nothing is safe; negative with the player's status."""
    write_chances(player.ws, player.position)
    player.log_weight = player.ws.log_weight
    if player.policy == PAIRED_ROLLOUTS:
        return follow_with_rollouts(player, game.paired)
    return follow_policy(player)


def play_to_end(game: CompiledGame, player: Player, ws: Workspace, board: Board, position: Position) -> Int:
    """Open what is safe, else guess, until the end; return WON, LOST or a status of the engine."""
    status = read_position(ws, board, player.query, position)
    while status == OK and game.n_hidden > game.n_mines:
        status = sum_position(ws, board, player.query, position, True)
        if status != OK:
            return status
        write_verdicts(ws, position)
        if open_safe(game, board, position):
            status = read_changes(ws.frontier, board, position)
            continue
        cell = guess_next(game, player)
        if cell < 0:
            return player.status
        if not open_guess(game, board, cell):
            return LOST
        status = read_position(ws, board, player.query, position)
    return WON if status == OK else status


def play_from_seed(game: CompiledGame, player: Player, board: Board, seed: Word, first: Int) -> Int:
    """Draw the layout of a seed, open its first cell and play to the end."""
    draw_mines(game.placement, board, game.n_mines, game.first_click, seed, first)
    write_layout(game.placement, game.n_mines, board, game.mines, game.shown, 0)
    for cell in range(board.n_cells):
        game.field.cells[cell] = HIDDEN
    game.n_moves, game.n_guesses, game.n_hidden = 0, 0, board.n_cells
    if not open_guess(game, board, first):
        return LOST
    return play_to_end(game, player, player.ws, board, player.position)


@public
def play_seed(game: CompiledGame, player: Player, seed: Word, first: Int) -> Int:
    """Play the game of a seed from its first cell to its end; returns what `play_game` does."""
    with unlocked:
        how = play_from_seed(game, player, player.board, seed, first)
    return how


@public
def set_layout(game: CompiledGame, board: Board) -> None:
    """Begin a game on the layout and with the open cells that are in its memory; no move is made yet."""
    game.n_moves, game.n_guesses, game.n_hidden, game.n_mines = 0, 0, 0, 0
    with unlocked:
        count_clues(board, game.mines, game.shown)
        for cell in range(board.n_cells):
            game.n_hidden += game.field.cells[cell] == HIDDEN
            game.n_mines += (game.field.cells[cell] == HIDDEN) & game.mines[0, cell]


@public
def play_game(game: CompiledGame, player: Player) -> Int:
    """Play a game to its end; return WON or LOST, or a status of the engine: with more memory it can continue.

    The cells of the field are those of the player's position.
    """
    with unlocked:
        how = play_to_end(game, player, player.ws, player.board, player.position)
    return how
