"""How a server is set up: where it listens, where games are kept, and how much it lets a visitor ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

# The largest board that is played, and the largest position that is looked at.
MOST_ROWS = MOST_COLS = 200
MOST_CELLS = MOST_ROWS * MOST_COLS

# The largest board on which whole games are played by the server itself.
MOST_GAME_CELLS = 2_500

# Characters of a board of one's own: any 256 cells fit, however they touch. Rules are kept with every game and stand in
# every link, so what they say has to stay short.
MOST_TABLE = 8_000

# Longer than the one-line form of any rules that are taken: a table that is too long gets the sentence about tables.
MOST_RULES = 2 * MOST_TABLE


def default_folder() -> Path:
    """Where games and results are kept unless told otherwise."""
    return Path(platformdirs.user_data_dir("sapper"))


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that is fixed before the server starts."""

    host: str = "127.0.0.1"
    other_hosts: tuple[str, ...] = ()  # names by which visitors may call this machine besides
    folder: Path = field(default_factory=default_folder)
    rate: float = 1.0  # how many times the usual number of requests is let through
    workers: int = 2  # processes each for hints, analyses and no-guess boards; a hard one keeps one of them busy
    prefix: str = ""  # the path of the page behind a proxy, such as /sapper
    trusted_proxies: tuple[str, ...] = ()  # addresses and networks that say in X-Forwarded-For for whom they ask
