"""Games that go on from a position of another: their rules, their layout, and the moves that lead there.

Only the server itself gets these answers: they contain the mines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import IllegalMove, InputError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, NO_CLUE
from sapper.play.fair.starting import start_game
from sapper.play.matches.record import Move
from sapper.rules import Rules
from sapper.web.games.live import check_moves
from sapper.web.work.positions import BUDGET, read_position
from sapper.web.work.whole_games import read_game
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from sapper.observation import Observation

_OVER = "The game is over at this point, so there is nothing to play on; go back to an earlier move."
_OPEN = "No cell is left to open here, so there is nothing to play on."


def after_moves(text: str, suffix: str | None, n_moves: int) -> dict[str, object]:
    """The game of a record after so many moves, on its own layout.

    A board that is dealt as the game goes on has none: same rules, same seed and same moves deal the same, so the game
    goes on as fair, kind or cruel as it was.
    """
    record = read_game(text, suffix)
    if n_moves > len(record.moves):
        raise InputError(f"The game has only {len(record.moves):,} moves.")
    check_moves(record.rules, n_moves)
    layout = record.final_game().layout if record.rules.dealing == "laid" else None
    moves = record.moves[:n_moves]
    game = start_game(record.rules, record.seed, layout)
    for move in moves:
        move.play(game)
    if game.outcome is not Outcome.PLAYING:
        raise IllegalMove(_OVER)
    return _tell(record.rules, record.seed, layout, list(moves))


def from_position(text: str, seed: int) -> dict[str, object]:
    """A game from a position, on a layout that is drawn with exactly the chance that the clues give it.

    >>> told = from_position("1#/## 1", 0)
    >>> told["rules"], told["moves"]
    ('2x2/1 first-any', [['open', 0, 0]])
    """
    observation = read_position(text)
    cells = observation.cells
    if observation.channel.kind != "exact" or (cells == NO_CLUE).any():
        raise InputError("Clues of this position may be missing or wrong, so it cannot be played on.")
    if observation.total is None:
        raise InputError("Enter the number of mines first: without it no board can be dealt.")
    # Flags are opinions; a wrong one is no contradiction.
    posterior = mine_probabilities(observation.without_flags(), budget=BUDGET)
    mines = posterior.sample(1, np.random.default_rng(seed))[0] | (cells == EXPLODED)
    layout = Layout(observation.topology, mines)
    board = observation.topology
    opened_mine = "explodes" if (cells == EXPLODED).any() else "ends"
    rules = Rules.on(board, layout.n_mines, first_click="any", opened_mine=opened_mine)
    return _tell(rules, seed, layout, _moves_to(observation, Game(rules, seed, layout)))


def _moves_to(observation: Observation, game: Game) -> list[Move]:
    """The moves that lead to a position; an open cell without mines around it opens its neighbours as well."""
    cells = observation.cells
    flags = [Move("flag", row, col) for row, col in np.argwhere(cells == FLAG).tolist()]
    # The cells with most behind them first, so that few moves are needed.
    is_open = (cells >= 0) | (cells == EXPLODED)
    opened = sorted(np.argwhere(is_open).tolist(), key=lambda cell: int(cells[cell[0], cell[1]]) != 0)
    moves: list[Move] = []
    for move in [*flags, *(Move("open", row, col) for row, col in opened)]:
        if move.action == "open" and not game.observation.closed[move.row, move.col]:
            continue
        if game.outcome is not Outcome.PLAYING:
            break
        move.play(game)
        moves.append(move)
    if game.outcome is not Outcome.PLAYING:
        raise IllegalMove(_OPEN)
    return moves


def _tell(rules: Rules, seed: int, layout: Layout | None, moves: list[Move]) -> dict[str, object]:
    return {
        "rules": str(rules),
        "seed": seed,
        "layout": None if layout is None else str(layout),
        "moves": [[move.action, move.row, move.col] for move in moves],
    }
