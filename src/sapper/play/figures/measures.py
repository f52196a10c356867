"""The figures that players compare: of a layout, of a record and of a replay.

- *3BV done*: the openings that are all open, plus the open cells of islands.
- *clicks*: left, right and both together. A record holds only those that the game answered; a replay also the others.
- *effective* clicks changed something: an opening, a chord that opened a cell, the first flag on a mine.
- *IOE*, index of efficiency: 3BV done per click. Of a won game that is its *efficiency*.
- *throughput*: 3BV done per effective click; *correctness*: effective clicks per click. Their product is the IOE.
- *seconds*: from the first opened cell to the last click that the game answered.

>>> from sapper.play.matches.record import Record
>>> record = Record.parse('''Sapper-Record: 1
... Rules: 2x3/1
... Seed: 1
... Layout: *--/---
... Moves:
... open 0,2
... open 1,0
... ''')
>>> game = record_statistics(record)
>>> game.board.bbbv, game.board.zini, game.clicks, game.bbbv_done, game.ioe
(2, 2, 2, 2, 1.0)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sapper.play.figures.metrics import board_metrics, group_openings
from sapper.play.figures.zini import greedy_zini, human_zini
from sapper.play.matches.replays import new_game, play_clicks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.formats.rawvf import Replay
    from sapper.layout import Layout
    from sapper.play.matches.record import Action, Record
    from sapper.world.game import Game


@dataclass(frozen=True, slots=True)
class BoardStatistics:
    """How much work a layout is."""

    rows: int
    cols: int
    mines: int
    bbbv: int  # "3BV"; a Python name cannot begin with a digit
    openings: int
    islands: int
    zini: int  # greedy
    human_zini: int

    def as_plain_values(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        return _as_people_call_them(asdict(self))


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """How the work was done."""

    board: BoardStatistics
    outcome: str
    left: int
    right: int
    chords: int
    effective: int
    bbbv_done: int
    has_every_click: bool  # a record leaves out the clicks that the game did not answer
    seconds: float | None = None  # None: the times are not known

    @property
    def clicks(self) -> int:
        """Left, right and both together."""
        return self.left + self.right + self.chords

    @property
    def ioe(self) -> float | None:
        """3BV done per click."""
        return self.bbbv_done / self.clicks if self.clicks else None

    @property
    def efficiency(self) -> float | None:
        """3BV per click of a game that was won."""
        return self.ioe if self.outcome == "won" else None

    @property
    def zini_efficiency(self) -> float | None:
        """Greedy ZiNi per click of a game that was won."""
        return self.board.zini / self.clicks if self.outcome == "won" and self.clicks else None

    @property
    def throughput(self) -> float | None:
        """3BV done per effective click."""
        return self.bbbv_done / self.effective if self.effective else None

    @property
    def correctness(self) -> float | None:
        """Effective clicks per click; None where the others are not known."""
        return self.effective / self.clicks if self.clicks and self.has_every_click else None

    @property
    def bbbv_per_second(self) -> float | None:
        """3BV done per second."""
        return self.bbbv_done / self.seconds if self.seconds else None

    def as_plain_values(self) -> dict[str, Any]:
        """Return the figures for JSON."""
        names = ("clicks", "ioe", "efficiency", "zini_efficiency", "throughput", "correctness", "bbbv_per_second")
        plain = asdict(self) | {name: getattr(self, name) for name in names}
        return _as_people_call_them(plain | {"board": self.board.as_plain_values()})


def _as_people_call_them(figures: dict[str, Any]) -> dict[str, Any]:
    """The same figures with 3BV by its own name, which no name in Python can be."""
    return {name.replace("bbbv", "3bv"): value for name, value in figures.items()}


def board_statistics(layout: Layout) -> BoardStatistics:
    """Measure a layout; about linear in its cells."""
    board, found = layout.topology, board_metrics(layout)
    return BoardStatistics(
        board.rows,
        board.cols,
        layout.n_mines,
        found.bbbv,
        found.openings,
        found.islands,
        greedy_zini(layout),
        human_zini(layout),
    )


def record_statistics(record: Record) -> GameStatistics | None:
    """Measure the game on record; None if no cell was opened, so that there may be no layout yet."""
    counter = _Counter()
    for move, game in record.replay():
        if move is None:
            counter.begin(game)
        else:
            counter.count(move.action, move.row, move.col, game)
    return counter.finish(game, has_every_click=False)


def replay_statistics(replay: Replay) -> GameStatistics:
    """Measure the game that a replay shows, with every click on the board from the first opened cell on."""
    counter, game = _Counter(), new_game(replay)
    counter.begin(game)
    first = last = None
    idle_right = False
    for click, is_answered in play_clicks(game, replay):
        if is_answered:
            counter.count(click.action, click.row, click.col, game)
            last = click.milliseconds
            if first is None and click.action == "open":
                first = click.milliseconds
        elif first is not None:
            counter.waste(click.action)
        if click.action == "chord" and click.after_right and idle_right:
            # The right button was pressed on an open cell as the first half of the chord: one click, not two.
            counter.take_back_right()
        idle_right = click.action == "flag" and not is_answered and first is not None
    seconds = None if first is None or last is None else (last - first) / 1000
    found = counter.finish(game, has_every_click=True, seconds=seconds, layout=replay.layout)
    assert found is not None
    return found


class _Counter:
    """Counts the clicks of one game."""

    def __init__(self) -> None:
        self._left = self._right = self._chords = self._effective = 0
        self._flagged: set[tuple[int, int]] = set()

    def begin(self, game: Game) -> None:
        self._n_opened = game.counters.cells_opened

    def count(self, action: Action, row: int, col: int, game: Game) -> None:
        """Count a click that the game has answered."""
        self._left += action == "open"
        self._right += action == "flag"
        self._chords += action == "chord"
        if action == "flag":
            # Whether a mine is under it may be settled only by the first opening.
            self._flagged.add((row, col))
        else:
            # A chord that hits a mine opened something all the same, whatever else it did.
            hit = action == "chord" and game.outcome.value == "lost"
            self._effective += hit or game.counters.cells_opened > self._n_opened
        self._n_opened = game.counters.cells_opened

    def waste(self, action: Action) -> None:
        """Count a click that the game did not answer."""
        self._left += action == "open"
        self._right += action == "flag"
        self._chords += action == "chord"

    def take_back_right(self) -> None:
        self._right -= 1

    def finish(
        self, game: Game, has_every_click: bool, seconds: float | None = None, layout: Layout | None = None
    ) -> GameStatistics | None:
        truth = layout or game.layout or game.given_layout
        if truth is None:
            return None
        n_flagged_mines = sum(bool(truth.mines[cell]) for cell in self._flagged)
        is_open = game.observation.cells.ravel() >= 0
        return GameStatistics(
            board_statistics(truth),
            game.outcome.value,
            self._left,
            self._right,
            self._chords,
            self._effective + n_flagged_mines,
            count_done(truth, is_open),
            has_every_click,
            seconds,
        )


def count_done(layout: Layout, is_open: NDArray[np.bool_]) -> int:
    """Count the 3BV that is done: openings whose zeros are all open, and open cells that no opening uncovers."""
    group, uncovered_by = group_openings(layout)
    waiting = set(group[(group >= 0) & ~is_open].tolist())
    n_openings = len(set(group[group >= 0].tolist()) - waiting)
    single = np.array([not found for found in uncovered_by], dtype=np.bool_) & ~layout.mines.ravel()
    return n_openings + int(np.count_nonzero(single & is_open))
