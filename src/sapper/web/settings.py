"""Settings of a server and limits on requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

# The largest board to play, and the largest position to analyse.
MAX_ROWS = MAX_COLS = 200
MAX_CELLS = MAX_ROWS * MAX_COLS

# The largest boards on which the server plays whole games, and makes puzzles (expert has 480 cells).
MAX_GAME_CELLS = 2_500
MAX_PUZZLE_CELLS = 1_000

# Characters of a neighbour table: enough for any board of 256 cells. Rules are stored with every game and part of every
# link, so they must stay short.
MAX_TABLE = 8_000

# Longer than any valid rules, so that a table that is too long gets the message about tables.
MAX_RULES = 2 * MAX_TABLE


def default_folder() -> Path:
    """Return the default folder of games and results."""
    return Path(platformdirs.user_data_dir("sapper"))


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server."""

    host: str = "127.0.0.1"
    other_hosts: tuple[str, ...] = ()  # further host names of this machine
    folder: Path = field(default_factory=default_folder)
    rate: float = 1.0  # factor on the request limits
    workers: int = 2  # each for hints, analyses and no-guess boards
    prefix: str = ""  # path of the web app behind a proxy, such as /sapper
    trusted_proxies: tuple[str, ...] = ()  # addresses and networks whose X-Forwarded-For is believed
