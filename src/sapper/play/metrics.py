"""The figures that players compare: 3BV and ZiNi of a layout, and statistics of a record or a replay.

An *opening* is a connected group of zeros with the clues around it: one click opens it. The safe cells outside all
openings form *islands*; each of them costs a click. 3BV (Bechtel's Board Benchmark Value) is the number of openings
plus those cells: the fewest left clicks that clear the board without flags.

>>> from sapper.layout import Layout
>>> board_metrics(Layout.parse("*----/----*"))
BoardMetrics(bbbv=3, openings=1, islands=2)

ZiNi (Zimmermann and Nikolaus) is a greedy estimate of the fewest clicks that clear a layout with flags and chords.
Every safe cell has a *premium*, the clicks that opening it, flagging its mines and chording it saves over opening the
same cells one by one:

    premium = 3BV left around it - mines around it without a flag - 1 for the chord - 1 if it is hidden

The cell with the highest premium is taken while that is not negative; of equal ones the first, column by column from
the left. Then the first cell that 3BV counts is opened. *Human* ZiNi opens all openings first and then only chords open
cells. Both are upper bounds of the fewest clicks; either may be the smaller one.

>>> from sapper.layout import Layout
>>> from sapper.play.metrics import board_metrics
>>> layout = Layout.parse("*--*-/----*/-*---/-----")
>>> board_metrics(layout).bbbv, greedy_zini(layout), human_zini(layout)
(11, 7, 7)

Of a game:

- *3BV done*: the openings that are all open, plus the open cells of islands.
- *clicks*: left, right and both together. A record holds only legal moves; a replay holds every click.
- *effective* clicks changed something: an opening, a chord that opened a cell, the first flag on a mine.
- *IOE*, index of efficiency: 3BV done per click. For a won game, that is its *efficiency*.
- *throughput*: 3BV done per effective click; *correctness*: effective clicks per click. Their product is the IOE.
- *seconds*: from the first opened cell to the last legal move.

>>> from sapper.play.record import Record
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

import heapq
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.formats.rawvf import Replay
from sapper.layout import Layout
from sapper.play.record import Action, Record
from sapper.play.replays import new_game, play_clicks
from sapper.topology import Topology
from sapper.world.game import Game

UNSEEN, NO_MEMBER = -2, -1  # not numbered yet


@dataclass(frozen=True, slots=True)
class BoardMetrics:
    """Openings, islands and 3BV of a layout."""

    bbbv: int  # "3BV"; a Python name cannot begin with a digit
    openings: int
    islands: int


def board_metrics(layout: Layout | str) -> BoardMetrics:
    """Measure a layout, given as a value or as text; linear in its cells."""
    layout = Layout.given(layout)
    board = layout.topology
    mines = layout.mines.ravel()
    zeros = (layout.clues().ravel() == 0) & ~mines
    n_openings, _ = _connected(board, zeros)
    opened_by_zeros = zeros.copy()
    around = board.table[zeros].ravel()
    opened_by_zeros[around[around >= 0]] = True
    single = ~mines & ~opened_by_zeros
    n_islands, _ = _connected(board, single)
    return BoardMetrics(n_openings + int(np.count_nonzero(single)), n_openings, n_islands)


def group_openings(layout: Layout) -> tuple[NDArray[np.int32], list[tuple[int, ...]]]:
    """Return the opening of each zero, by number (-1: not a zero), and for every cell the openings that open it."""
    board = layout.topology
    zeros = (layout.clues().ravel() == 0) & ~layout.mines.ravel()
    _, group = _connected(board, zeros)
    uncovered_by: list[tuple[int, ...]] = [()] * board.n_cells
    for zero in np.flatnonzero(zeros).tolist():
        own = int(group[zero])
        for cell in (zero, *board.neighbours_of(zero)):
            if own not in uncovered_by[cell]:
                uncovered_by[cell] = (*uncovered_by[cell], own)
    return group, uncovered_by


def _connected(board: Topology, members: NDArray[np.bool_]) -> tuple[int, NDArray[np.int32]]:
    """Return the number of connected groups of member cells, and the group of each cell (-1: none)."""
    # Lists, because Python reads single elements of arrays several times as slowly. The table pads neighbours with -1,
    # which indexes the last element of `group`.
    group = [*np.where(members, UNSEEN, NO_MEMBER).tolist(), NO_MEMBER]
    cells = np.flatnonzero(members)
    around = dict(zip(cells.tolist(), board.table[cells].tolist(), strict=True))
    n_groups = 0
    for start in around:
        if group[start] != UNSEEN:
            continue
        group[start] = n_groups
        stack = [start]
        while stack:
            for neighbour in around[stack.pop()]:
                if group[neighbour] == UNSEEN:
                    group[neighbour] = n_groups
                    stack.append(neighbour)
        n_groups += 1
    return n_groups, np.array(group[:-1], dtype=np.int32)


def greedy_zini(layout: Layout) -> int:
    """Count the clicks of greedy ZiNi; about linear in the cells."""
    return _Board(layout).clear(chords_open_cells_only=False)


def human_zini(layout: Layout) -> int:
    """Count the clicks of human ZiNi; about linear in the cells."""
    board = _Board(layout)
    for cell in board.order:
        if board.is_zero[cell] and not board.is_open[cell]:
            board.click(cell)
    return board.clear(chords_open_cells_only=True)


class _Board:
    """A layout that is cleared with full knowledge of its mines."""

    def __init__(self, layout: Layout) -> None:
        board = layout.topology
        openings, borders = group_openings(layout)
        self.is_mine: list[bool] = layout.mines.ravel().tolist()
        self.is_zero: list[bool] = (openings >= 0).tolist()
        degrees = board.degree.tolist()
        self.around = [row[:degree] for row, degree in zip(board.table.tolist(), degrees, strict=True)]
        self.openings_at = borders  # the openings that each cell is part of, or on the border of
        self.members: dict[int, list[int]] = {}
        for cell, found in enumerate(borders):
            for opening in found:
                self.members.setdefault(opening, []).append(cell)
        self.is_open = [False] * board.n_cells
        self.is_flagged = [False] * board.n_cells
        self.n_left = board.n_cells - layout.n_mines
        self.n_clicks = 0
        self.order: list[int] = np.arange(board.n_cells).reshape(board.rows, board.cols).T.ravel().tolist()
        rank = [0] * board.n_cells
        for place, cell in enumerate(self.order):
            rank[cell] = place
        self.rank = rank
        # Whether 3BV counts the cell itself: no opening contains it.
        self.is_single = [not mine and not found for mine, found in zip(self.is_mine, borders, strict=True)]
        # An extra cell, never counted, stands for the neighbours that a cell at the border lacks.
        single = np.append(np.array(self.is_single, dtype=np.int64), 0)
        n_single = single[:-1] + single[board.table].sum(axis=1)
        n_openings = np.array([len(found) for found in borders], dtype=np.int64)
        # Every cell is hidden and no mine is flagged yet.
        self.premium: list[int] = (n_single + n_openings - layout.clues().ravel() - 2).tolist()
        self.queue: list[tuple[int, int]] = []
        for cell in range(board.n_cells):
            self._enqueue(cell)

    def clear(self, chords_open_cells_only: bool) -> int:
        """Clear the rest; return the clicks of the whole game."""
        next_single = 0
        while self.n_left:
            chosen = self._best(chords_open_cells_only)
            if chosen is None:
                while not self._needs_a_click(self.order[next_single]):
                    next_single += 1
                self.click(self.order[next_single])
                continue
            if not self.is_open[chosen]:
                self.click(chosen)
            for cell in self.around[chosen]:
                if self.is_mine[cell]:
                    self._flag(cell)
            self.n_clicks += 1
            for cell in self.around[chosen]:
                if not self.is_mine[cell]:
                    self._reveal(cell)
        return self.n_clicks

    def _needs_a_click(self, cell: int) -> bool:
        return not self.is_open[cell] and (self.is_zero[cell] or self.is_single[cell])

    def _best(self, open_only: bool) -> int | None:
        """Return the first cell with the highest premium that is not negative; None: there is none."""
        while self.queue:
            negative, place = self.queue[0]
            cell = self.order[place]
            if -negative != self.premium[cell] or (open_only and not self.is_open[cell]):
                # The premium has changed since; the cell is queued again if it is worth it.
                heapq.heappop(self.queue)
                continue
            return cell
        return None

    def _enqueue(self, cell: int) -> None:
        if self.premium[cell] >= 0 and not self.is_mine[cell]:
            heapq.heappush(self.queue, (-self.premium[cell], self.rank[cell]))

    def click(self, cell: int) -> None:
        """Open a cell by a single click."""
        self.n_clicks += 1
        self._reveal(cell)

    def _reveal(self, cell: int) -> None:
        if self.is_open[cell]:
            return
        if not self.is_zero[cell]:
            self._open(cell)
            return
        (opening,) = self.openings_at[cell]
        for member in self.members[opening]:
            if not self.is_open[member]:
                self._open(member)
            self._change(member, -1)

    def _open(self, cell: int) -> None:
        self.is_open[cell] = True
        self.n_left -= 1
        if self.is_single[cell]:
            for other in self.around[cell]:
                self._change(other, -1)
            self._change(cell, -1)
        self._change(cell, +1)

    def _flag(self, cell: int) -> None:
        if self.is_flagged[cell]:
            return
        self.is_flagged[cell] = True
        self.n_clicks += 1
        for other in self.around[cell]:
            self._change(other, +1)

    def _change(self, cell: int, by: int) -> None:
        self.premium[cell] += by
        self._enqueue(cell)


@dataclass(frozen=True, slots=True)
class BoardStatistics:
    """The figures of a layout."""

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
    """The figures of a game."""

    board: BoardStatistics
    outcome: str
    left: int
    right: int
    chords: int
    effective: int
    bbbv_done: int
    has_every_click: bool  # records omit clicks that were not legal moves
    seconds: float | None = None  # None: unknown

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
        """Effective clicks per click; None where clicks without an effect are unknown."""
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
    """Return the figures with ``bbbv`` renamed ``3bv``, an invalid Python identifier."""
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
    """Measure a recorded game; None if no cell was opened, so that there may be no layout."""
    counter = _Counter()
    for move, game in record.replay():
        if move is None:
            counter.begin(game)
        else:
            counter.count(move.action, move.row, move.col, game)
    return counter.finish(game, has_every_click=False)


def replay_statistics(replay: Replay) -> GameStatistics:
    """Measure a replayed game, with every click on the board from the first opened cell on."""
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
            # Pressing the right button on an open cell began the chord: one click, not two.
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
        """Count a legal move."""
        self.waste(action)
        if action == "flag":
            # Before the first opening, the mines may not be placed yet.
            self._flagged.add((row, col))
        else:
            # A chord that hits a mine still opened something.
            hit = action == "chord" and game.outcome.value == "lost"
            self._effective += hit or game.counters.cells_opened > self._n_opened
        self._n_opened = game.counters.cells_opened

    def waste(self, action: Action) -> None:
        """Count a click by itself, as if it were not a legal move."""
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
    """Count the 3BV done: openings whose zeros are all open, and open cells outside all openings."""
    group, uncovered_by = group_openings(layout)
    waiting = set(group[(group >= 0) & ~is_open].tolist())
    n_openings = len(set(group[group >= 0].tolist()) - waiting)
    single = np.array([not found for found in uncovered_by], dtype=np.bool_) & ~layout.mines.ravel()
    return n_openings + int(np.count_nonzero(single & is_open))
