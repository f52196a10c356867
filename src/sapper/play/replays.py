r"""From the mouse events of a replay to the moves of a record.

A left button opens where it is released, a right button flags where it is pressed, both together or the middle one
chord. Clicks that no game answers, on open cells or outside the board, are left out.

>>> from sapper.formats import FORMATS
>>> replay = FORMATS["rawvf"].read(b"Board:\n*00\nEvents:\n0.1 rc 1 1\n0.2 rr 1 1\n0.3 lc 2 1\n0.4 lr 2 1\n")
>>> [str(move) for move in record_of(replay).moves]
['flag 0,0', 'open 0,1']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import SapperError
from sapper.play.record import Action, Move, Record
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.formats.rawvf import Event, Replay


def record_of(replay: Replay) -> Record:
    """Return the record of the game that a replay shows."""
    layout = replay.layout
    board = layout.topology
    clicks = list(_clicks(replay.events))
    first = next((click for click in clicks if click[0] == "open"), None)
    # Most programs promise the first cell, but the file does not say so.
    is_promised = first is not None and _is_clear(replay, first[1], first[2])
    rules = Rules(board.rows, board.cols, layout.n_mines, first_click="safe" if is_promised else "any")
    game = Game(rules, layout=layout)
    moves: list[Move] = []
    for action, row, col in clicks:
        if game.outcome is not Outcome.PLAYING:
            break
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            continue
        move = Move(action, row, col)
        try:
            move.play(game)
        except SapperError:
            continue
        moves.append(move)
    return Record.of(game, tuple(moves), dict(replay.header).get("Player", ""))


def _is_clear(replay: Replay, row: int, col: int) -> bool:
    board = replay.layout.topology
    return 0 <= row < board.rows and 0 <= col < board.cols and not bool(replay.layout.mines[row, col])


def _clicks(events: tuple[Event, ...]) -> Iterator[tuple[Action, int, int]]:
    """What the buttons meant, whether or not the game answers."""
    left = right = is_chord = False
    for event in events:
        here = event.row, event.col
        if event.op in ("lc", "sc"):
            left = True
            is_chord |= right or event.op == "sc"
        elif event.op == "rc":
            right = True
            if left:
                is_chord = True
            else:
                yield "flag", *here
        elif event.op == "mr":
            yield "chord", *here
        elif event.op == "lr" and left:
            left = False
            if is_chord:
                yield "chord", *here
                # The other button is still down and means nothing any more.
                is_chord = False
                right = False
            else:
                yield "open", *here
        elif event.op == "rr":
            if is_chord and right:
                yield "chord", *here
                is_chord = False
                left = False
            right = False
