r"""The moves of a replay, from its mouse events.

The left button opens where it is released, the right one flags where it is pressed, and both together or the middle
one chord. Clicks without an effect, on open cells or outside the board, are omitted.

>>> from sapper.formats import FORMATS
>>> replay = FORMATS["rawvf"].read(b"Board:\n*00\nEvents:\n0.1 rc 1 1\n0.2 rr 1 1\n0.3 lc 2 1\n0.4 lr 2 1\n")
>>> [str(move) for move in record_of(replay).moves]
['flag 0,0', 'open 0,1']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sapper.errors import SapperError
from sapper.formats.rawvf import Event, Replay
from sapper.play.record import Action, Move, Record
from sapper.rules import Rules
from sapper.world.game import Game, Outcome


class Click(NamedTuple):
    """The move that the buttons mean, whether or not it has an effect."""

    action: Action
    row: int
    col: int
    milliseconds: int
    after_right: bool = False  # a chord whose right button was pressed first


def record_of(replay: Replay) -> Record:
    """Return the record of a replayed game."""
    game = new_game(replay)
    answered: list[Move] = []
    for click, is_answered in play_clicks(game, replay):
        if is_answered:
            answered.append(Move(click.action, click.row, click.col))
    return Record.of(game, tuple(answered), dict(replay.header).get("Player", ""))


def play_clicks(game: Game, replay: Replay) -> Iterator[tuple[Click, bool]]:
    """Play a replay until the game is over; yield every click on the board and whether it was a legal move."""
    board = replay.layout.topology
    for click in read_clicks(replay.events):
        if not (0 <= click.row < board.rows and 0 <= click.col < board.cols):
            continue
        try:
            Move(click.action, click.row, click.col).play(game)
        except SapperError:
            yield click, False
        else:
            yield click, True
        if game.outcome is not Outcome.PLAYING:
            return


def new_game(replay: Replay) -> Game:
    """Return the game of a replay before its first click."""
    layout = replay.layout
    first = next((click for click in read_clicks(replay.events) if click.action == "open"), None)
    # Most programs promise a safe first cell, but the file does not say so.
    is_promised = first is not None and _is_clear(replay, first.row, first.col)
    board = layout.topology
    rules = Rules(board.rows, board.cols, layout.n_mines, first_click="safe" if is_promised else "any")
    return Game(rules, layout=layout)


def _is_clear(replay: Replay, row: int, col: int) -> bool:
    board = replay.layout.topology
    return 0 <= row < board.rows and 0 <= col < board.cols and not bool(replay.layout.mines[row, col])


def read_clicks(events: Iterable[Event]) -> Iterator[Click]:
    """Yield the moves that the buttons mean.

    Both buttons down arm a chord; the first release makes it. If the left button is still down, its release then means
    nothing; pressing the released button again arms another chord.
    """
    left = right = is_armed = is_spent = False
    right_first = False
    for event in events:
        if event.op in ("lc", "sc"):
            left, is_spent = True, False
            is_armed = right or event.op == "sc"
            right_first = right
        elif event.op == "rc":
            is_armed, right_first = left, False
            right = True
            if not left:
                yield Click("flag", event.row, event.col, event.milliseconds)
        elif event.op == "mr":
            yield Click("chord", event.row, event.col, event.milliseconds)
        elif event.op in ("lr", "rr"):
            if is_armed:
                yield Click("chord", event.row, event.col, event.milliseconds, right_first)
                is_spent = True
            elif event.op == "lr" and left and not is_spent:
                yield Click("open", event.row, event.col, event.milliseconds)
            is_armed = False
            if event.op == "lr":
                left = False
            else:
                right = False
