"""The state of a game as its player may see it: the mines are included only once the game is over."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sapper.observation import EXPLODED, FLAG, SYMBOLS, Observation
from sapper.play.dealt import DealtGame, count_by_kind
from sapper.play.metrics import board_metrics, greedy_zini
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from sapper.web.storage.store import StoredGame

# On larger boards ZiNi would delay the end of the game.
_MAX_CELLS_FOR_ZINI = 10_000

_LOWEST = min(SYMBOLS)
_CHARACTERS = np.frombuffer("".join(SYMBOLS[code] for code in sorted(SYMBOLS)).encode(), dtype=np.uint8)


def position_text(observation: Observation, settings: str) -> str:
    """Return the one-line form of a position from cells and ``settings``; fast on large boards."""
    characters = _CHARACTERS[observation.cells - _LOWEST]
    rows = b"/".join(row.tobytes() for row in characters).decode("ascii")
    return f"{rows} {settings}" if settings else rows


def settings_text(observation: Observation) -> str:
    """Return the words that follow the board in the one-line form of a position."""
    return str(observation).partition(" ")[2]


def describe_game(
    stored: StoredGame, game: Game, settings: str, metrics: dict[str, object] | None
) -> dict[str, object]:
    """Return the state of a game for its player."""
    observation = game.observation
    is_over = game.outcome is not Outcome.PLAYING
    state: dict[str, object] = {
        "id": stored.id,
        "rules": stored.rules,
        "position": position_text(observation, settings),
        "outcome": game.outcome.value,
        "over": is_over,
        "mines_left": _mines_left(observation, game.outcome),
        "moves": stored.n_own,
        "seconds": round(stored.clock(time.time()), 3),
        "started": as_time(stored.started),
        "undone": stored.undone,
        "no_guess": stored.no_guess,
        # During play it would reveal whether a flag is right.
        "score": game.score if is_over else None,
    }
    if stored.daily is not None:
        state["daily"] = stored.daily
    if stored.practice is not None:
        state["practice"] = stored.practice
    if stored.played_on:
        # Its layout does not follow from the seed.
        state["played_on"] = True
    elif is_over or stored.seed_given:
        # With the rules it reveals the layout.
        state["seed"] = stored.seed
    if isinstance(game, DealtGame):
        state["guesses"] = count_by_kind(game.guesses)
    if is_over:
        state["layout"] = mined_cells(game)
        state["metrics"] = metrics
    return state


def _mines_left(observation: Observation, outcome: Outcome) -> int | None:
    """Return the mine counter: 0 once the game is won, whether or not all mines are flagged."""
    if observation.total is None:
        return None
    if outcome is Outcome.WON:
        return 0
    n_marked = int(np.count_nonzero((observation.cells == FLAG) | (observation.cells == EXPLODED)))
    return observation.total - n_marked


def mined_cells(game: Game) -> list[list[int]]:
    """Return the mines."""
    cells: list[list[int]] = [] if game.layout is None else np.argwhere(game.layout.mines).tolist()
    return cells


def measure(game: Game) -> dict[str, object] | None:
    """Return 3BV and related metrics of a game; None before its mines are placed."""
    if game.layout is None:
        return None
    found = board_metrics(game.layout)
    counters = game.counters
    clicks = counters.opens + counters.flags + counters.chords + counters.queries
    won = game.outcome is Outcome.WON and clicks > 0
    return {
        "3bv": found.bbbv,
        "openings": found.openings,
        "islands": found.islands,
        # Only for wins, since it takes ten times as long as the rest.
        "zini": greedy_zini(game.layout) if won and game.rules.n_cells <= _MAX_CELLS_FOR_ZINI else None,
        "clicks": clicks,
        "efficiency": found.bbbv / clicks if won else None,
    }


def changed_cells(before: NDArray[np.int8], after: NDArray[np.int8]) -> list[list[int]]:
    """Return the cells that a move changed, as [row, col, code]."""
    places = np.argwhere(before != after)
    changed: list[list[int]] = np.column_stack([places, after[before != after]]).tolist()
    return changed


def describe_entry(stored: StoredGame) -> dict[str, object]:
    """Return an entry of the list of games."""
    return {
        "id": stored.id,
        "rules": stored.rules,
        "outcome": stored.outcome,
        "moves": stored.n_own,
        "started": as_time(stored.started),
        "undone": stored.undone,
    }


def as_time(seconds: float) -> str:
    """Format a time in ISO 8601.

    >>> as_time(0.0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
