"""``sapper demo``: a recorded game, replayed with its reasons."""

from __future__ import annotations

import time

import typer


def demo(
    speed: float = typer.Option(1.0, min=0.01, max=1000.0, help="How fast: 2 is twice the usual speed."),
) -> None:
    """Watch a recorded game, with the reason for every move; then play one yourself with sapper game.

    Example: sapper demo --speed 5
    """
    from importlib.resources import files

    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    from sapper.draw.terminal import draw_terminal
    from sapper.play.record import describe_result, read_record

    record = read_record((files("sapper") / "data" / "demo.record").read_bytes())
    console = Console(highlight=False)
    with Live(console=console, auto_refresh=False) as live:
        for number, (move, game) in enumerate(record.replay()):
            marked = () if move is None else (game.rules.topology.index(move.row, move.col),)
            words = (
                "A beginner's board."
                if move is None
                else f"{number}. {move.action} ({move.row}, {move.col}): {move.reason}"
            )
            if console.is_terminal:
                live.update(Group(draw_terminal(game.observation, marked), Text(words)), refresh=True)
                time.sleep(0.7 / speed)
            else:
                console.print(words)
    console.print(f"The game was {describe_result(game, len(record.moves))}. Your turn: sapper game --board beginner")
