"""Draw the pictures that the README shows."""

from __future__ import annotations

from pathlib import Path

from sapper.draw.svg import draw_svg
from sapper.rules import Rules
from sapper.world.game import Game

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def draw_expert() -> str:
    """An expert board after its opening, the best-known sight of the game."""
    game = Game(Rules.parse("expert first-opening"), seed=21)
    game.open(7, 12)
    return draw_svg(game.observation)


PICTURES = {"expert.svg": draw_expert}


def main() -> None:
    """Write every picture into docs/pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
        print(f"docs/pictures/{name}")


if __name__ == "__main__":
    main()
