"""``sapper game``: Minesweeper in the terminal by typed moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import typer

from sapper.cli.common.options import BOARD_HELP

if TYPE_CHECKING:
    from rich.console import Console

    from sapper.play.matches.record import Move
    from sapper.world.game import Game

HELP = "ROW COL opens · f ROW COL flags · c ROW COL chords · s FILE saves · ? helps · q quits"
_ACTIONS = {"": "open", "o": "open", "f": "flag", "c": "chord"}
_MOVE = re.compile(r"([a-z]?)\s*(\d{1,6})[\s,]+(\d{1,6})", re.ASCII)


def game(
    board: str = typer.Option("beginner", help=BOARD_HELP),
    seed: int | None = typer.Option(None, help="Same seed, same board; without it, a new one every time."),
    record: str | None = typer.Option(None, metavar="FILE", help="Write the record of the game here at the end."),
) -> None:
    """Play a game in the terminal by typed moves.

    Example: sapper game --board expert --seed 7
    """
    import secrets

    from rich.console import Console

    from sapper.cli.common.files import check_target, write_bytes
    from sapper.draw.terminal import draw_terminal
    from sapper.play.matches.record import Record
    from sapper.rules import Rules
    from sapper.world.game import Game, Outcome

    if record is not None:
        check_target(record)
    playing = Game(Rules.parse(board), secrets.randbelow(2**31) if seed is None else seed)
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{playing.rules}, seed {playing.seed}. {HELP}")
    moves: list[Move] = []
    try:
        _play(playing, moves, console)
    except (EOFError, KeyboardInterrupt):
        console.print()
    finally:
        finished = Record.of(playing, tuple(moves), player="person")
        if playing.outcome is Outcome.LOST and playing.layout is not None and console.is_terminal:
            console.print("The mines were here:")
            console.print(draw_terminal(playing.observation, marked=playing.layout.mined_cells()))
        console.print(f"{finished.result.capitalize()}." if moves else "Nothing was played.")
        if record is not None:
            write_bytes(record, str(finished).encode())


def _play(playing: Game, moves: list[Move], console: Console) -> None:
    from sapper.errors import SapperError
    from sapper.play.matches.record import Move
    from sapper.world.game import Outcome

    _draw(playing, console)
    while playing.outcome is Outcome.PLAYING:
        line = console.input("> ").strip()
        if line in ("q", "quit"):
            return
        if line in ("?", "h", "help"):
            console.print(HELP)
            continue
        if line.startswith("s "):
            _save(playing, moves, line[2:].strip(), console)
            continue
        match = _MOVE.fullmatch(line)
        if match is None or match[1] not in _ACTIONS:
            console.print(f"{line!r} is no move. {HELP}" if line else HELP)
            continue
        try:
            move = Move(_ACTIONS[match[1]], int(match[2]), int(match[3]))  # type: ignore[arg-type]
            move.play(playing)
        except SapperError as error:
            console.print(str(error))
            continue
        moves.append(move)
        _draw(playing, console)


def _draw(playing: Game, console: Console) -> None:
    from sapper.draw.terminal import draw_terminal

    if console.is_terminal:
        console.print(draw_terminal(playing.observation))
    else:
        print(playing.observation.pretty())


def _save(playing: Game, moves: list[Move], name: str, console: Console) -> None:
    from sapper.cli.common.files import write_bytes
    from sapper.errors import SapperError
    from sapper.play.matches.record import Record

    try:
        write_bytes(name, str(Record.of(playing, tuple(moves), player="person")).encode())
        console.print(f"Saved {name}.")
    except (SapperError, OSError) as error:
        console.print(str(error))
