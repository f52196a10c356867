"""Clicks, 3BV done and the figures made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from effort import times

from sapper.formats.rawvf import Event, Operation, Replay
from sapper.layout import Layout
from sapper.play.metrics import GameStatistics, record_statistics, replay_statistics
from sapper.play.record import Record
from sapper.play.replays import record_of
from sapper.topology import topology


def record(text: str, *moves: str) -> GameStatistics | None:
    return record_statistics(Record.parse("\n".join(["Sapper-Record: 1", *text.split("; "), "Moves:", *moves, ""])))


def test_a_game_by_hand() -> None:
    rules = "Rules: 3x3/2; Seed: 0; Layout: *--/-*-/---"
    found = record(rules, "open 0,1", "flag 0,0", "flag 0,0", "flag 0,0", "chord 0,1")
    assert found is not None
    assert (found.left, found.right, found.chords) == (1, 3, 1)
    # The cell and the first flag did something; a chord with too few flags did not.
    assert (found.outcome, found.effective, found.board.bbbv, found.bbbv_done) == ("playing", 2, 7, 1)
    won = record(rules, "open 0,1", "flag 0,0", "flag 1,1", "chord 0,1", "chord 1,2", "chord 2,1")
    assert won is not None
    assert (won.outcome, won.efficiency, won.zini_efficiency) == ("won", 7 / 6, 4 / 6)


def test_flags_before_the_first_cell_count_once_the_layout_is_known() -> None:
    drawn = record("Rules: beginner; Seed: 3", "open 0,0")
    assert drawn is not None
    mine = Record.parse("Sapper-Record: 1\nRules: beginner\nSeed: 3\nMoves:\nopen 0,0\n").final_game().layout
    assert mine is not None
    row, col = map(int, np.argwhere(mine.mines)[0])
    flagged = record("Rules: beginner; Seed: 3", f"flag {row},{col}", "open 0,0")
    assert flagged is not None
    assert (flagged.right, flagged.effective) == (1, drawn.effective + 1)
    assert record("Rules: beginner; Seed: 3", f"flag {row},{col}") is None  # there is no layout to speak of


def test_the_figures_of_a_lost_game() -> None:
    found = record("Rules: 1x7/2 first-any; Seed: 0; Layout: -*---*-", "open 0,0", "open 0,3", "open 0,1")
    assert found is not None
    assert (found.outcome, found.board.bbbv, found.bbbv_done) == ("lost", 3, 2)
    assert (found.clicks, found.effective) == (3, 2)
    assert found.ioe == pytest.approx(2 / 3)
    assert found.throughput == 1.0
    assert (found.efficiency, found.correctness, found.seconds, found.bbbv_per_second) == (None, None, None, None)


def events(*told: tuple[int, Operation, int, int]) -> tuple[Event, ...]:
    return tuple(Event(time, op, row, col, 16 * col + 8, 16 * row + 8) for time, op, row, col in told)


def test_times_and_wasted_clicks_of_a_replay() -> None:
    layout = Layout.parse("*--/---/--*")
    clicks = events(
        (0, "lc", 0, 2), (500, "lr", 0, 2),  # the clock starts when the first cell opens
        (600, "lc", 0, 2), (700, "lr", 0, 2),  # wasted
        (800, "rc", 0, 2), (900, "rr", 0, 2),  # wasted: open cells take no flag
        (1000, "lc", 2, 0), (1500, "lr", 2, 0),
    )  # fmt: skip
    found = replay_statistics(Replay((), layout, clicks))
    assert (found.left, found.right, found.chords, found.effective) == (3, 1, 0, 2)
    assert found.correctness == 0.5
    assert found.seconds == 1.0
    assert found.bbbv_per_second == found.bbbv_done


def test_a_right_button_on_a_clue_is_half_of_a_chord() -> None:
    layout = Layout.parse("*---/----/----/---*")
    opened = events((0, "lc", 0, 1), (10, "lr", 0, 1), (20, "rc", 0, 0), (30, "rr", 0, 0))
    chord = events((40, "rc", 0, 1), (50, "lc", 0, 1), (60, "rr", 0, 1), (70, "lr", 0, 1))
    replay = Replay((), layout, opened + chord)
    found = replay_statistics(replay)
    assert [str(move) for move in record_of(replay).moves] == ["open 0,1", "flag 0,0", "chord 0,1"]
    assert (found.left, found.right, found.chords) == (1, 1, 1)


def test_a_second_chord_without_letting_go_of_the_right_button() -> None:
    layout = Layout.parse("*--*-/-----/-----/-----")
    told = events(
        (0, "lc", 0, 1), (1, "lr", 0, 1), (2, "rc", 0, 0), (3, "rr", 0, 0),
        (4, "lc", 0, 1), (5, "rc", 0, 1), (6, "lr", 0, 1), (7, "lc", 0, 1), (8, "lr", 0, 1), (9, "rr", 0, 1),
    )  # fmt: skip
    moves = [move.action for move in record_of(Replay((), layout, told)).moves]
    assert moves == ["open", "flag", "chord", "chord"]


_GESTURES: tuple[tuple[Operation, ...], ...] = (
    ("lc", "lr"),
    ("lc", "lr"),
    ("rc", "rr"),
    ("lc", "rc", "rr", "lr"),
    ("rc", "lc", "lr", "rr"),
    ("lc", "rc", "lr", "rr"),
    ("rc", "lc", "lr", "lc", "rr", "lr"),
    ("lc", "rc", "rr", "rc", "lr", "rr"),
    ("mc", "mr"),
)


@pytest.mark.slow
def test_clicks_agree_with_ms_toollib() -> None:
    ms_toollib = pytest.importorskip("ms_toollib", reason="the extra `replays` is not installed")
    rng = np.random.default_rng(5)
    outcomes = {"playing": 2, "won": 3, "lost": 4}
    seen = set()
    for _ in range(times(400, 1500)):
        layout, told, theirs = _random_replay(rng, ms_toollib)
        found = replay_statistics(Replay((), layout, tuple(told)))
        ours = (found.left, found.right, found.chords, found.effective, outcomes[found.outcome])
        assert ours == (theirs.left, theirs.right, theirs.double, theirs.ce, theirs.game_board_state), str(layout)
        seen.add(found.outcome)
        if found.outcome == "lost" and found.bbbv_done != theirs.bbbv_solved:
            # A chord that hits a mine: theirs counts everything around it, ours what opened before the mine.
            assert told[-1].op in ("lr", "rr", "mr")
            assert found.bbbv_done < theirs.bbbv_solved
        else:
            assert found.bbbv_done == theirs.bbbv_solved, str(layout)
    assert seen == set(outcomes)


def _random_replay(rng: np.random.Generator, ms_toollib: Any) -> tuple[Layout, list[Event], Any]:
    while True:
        rows, cols = int(rng.integers(2, 8)), int(rng.integers(2, 8))
        layout = Layout(topology("square", rows, cols), rng.random(rows * cols) < rng.uniform(0.05, 0.35))
        if 0 < layout.n_mines < rows * cols:
            break
    theirs = ms_toollib.MinesweeperBoard(np.where(layout.mines, -1, layout.clues()).tolist())
    told: list[Event] = []

    def do(op: Operation, row: int, col: int) -> None:
        told.append(Event(len(told), op, row, col, 16 * col + 8, 16 * row + 8))
        theirs.step(op, (row, col))

    clear, mined = np.argwhere(~layout.mines), np.argwhere(layout.mines)
    row, col = map(int, rng.choice(clear))
    for op in _GESTURES[0]:
        do(op, row, col)
    for _ in range(60):
        if theirs.game_board_state in (3, 4):
            break
        if rng.random() < 0.5:
            row, col = map(int, rng.choice(mined))
            gesture = _GESTURES[2] if rng.random() < 0.95 else _GESTURES[0]
        else:
            row, col = map(int, rng.choice(clear))
            # A flag on a zero lets an opening open in parts, and theirs counts each of them.
            gesture = _GESTURES[int(rng.integers(len(_GESTURES))) if layout.clues()[row, col] else 0]
        for op in gesture:
            do(op, row, col)
    return layout, told, theirs
