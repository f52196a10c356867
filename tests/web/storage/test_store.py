"""The file of games: neither a clock that is wrong nor a full store nor a commit that fails costs a game."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from processes import PATIENCE

from sapper.errors import StoreError
from sapper.play.record import Move
from sapper.web.http.responses import Refusal
from sapper.web.storage import results as results_module
from sapper.web.storage import store as module
from sapper.web.storage.results import GameEnding, ResultStore
from sapper.web.storage.store import GameStore

YEAR = 365 * 24 * 3600.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[GameStore]:
    with closing(GameStore(path)) as opened:
        yield opened


def shift(path: Path, seconds: float) -> None:
    """Let every game be of another time, as if the clock had been wrong when it was played, or were now."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("UPDATE games SET started = started + ?, touched = touched + ?", (seconds, seconds))


def test_a_clock_that_is_years_ahead_costs_no_game(path: Path) -> None:
    with closing(GameStore(path)) as store:
        game = store.create("ada", "9x9/10", 3)
        store.add_move(game, Move("open", 4, 4), "playing")
    shift(path, -3 * YEAR)
    with closing(GameStore(path)) as store:
        store.create("ada", "9x9/10", 4)
        assert store.find(game.id, "ada").n_moves == 1
        assert store.moves(game.id) == [Move("open", 4, 4)]


def test_a_full_store_makes_room_by_forgotten_games_and_no_others(
    path: Path, store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_GAMES", 3)
    forgotten = [store.create("ada", "9x9/10", seed).id for seed in range(2)]
    shift(path, -YEAR)
    kept = [store.create("bob", "9x9/10", seed).id for seed in range(3)]
    for game_id in forgotten:
        with pytest.raises(Refusal, match="no such game"):
            store.find(game_id, "ada")
    with pytest.raises(Refusal, match="Game storage is full"):
        store.create("eve", "9x9/10", 5)
    assert [game.id for game in store.list_recent("bob")] == kept[::-1]


def test_a_clock_that_went_back_does_not_make_the_newest_game_the_first_to_go(
    path: Path, store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_OWN_GAMES", 3)
    for seed in range(3):
        store.create("ada", "9x9/10", seed)
    shift(path, YEAR)
    new = [store.create("ada", "9x9/10", seed).id for seed in range(3, 7)]
    assert [game.id for game in store.list_recent("ada")] == new[:0:-1]


def test_a_game_of_the_future_has_a_clock_that_does_not_run_backwards(path: Path, store: GameStore) -> None:
    game = store.add_move(store.create("ada", "9x9/10", 3), Move("flag", 0, 0), "playing")
    shift(path, YEAR)
    game = store.add_move(store.find(game.id, "ada"), Move("flag", 0, 1), "playing")
    assert 0.0 <= game.seconds <= game.clock(time.time()) < module.LONGEST_PAUSE


def test_a_commit_that_fails_leaves_nothing_behind(store: GameStore) -> None:
    def fail() -> None:
        with store._lock, store._explained(), store._change():
            # Looked at when it is committed, and wrong then.
            store._db.execute("PRAGMA defer_foreign_keys = ON")
            store._db.execute("INSERT INTO moves VALUES ('nobody', 0, 'open', 0, 0)")

    with pytest.raises(StoreError, match="nothing was changed"):
        fail()
    game = store.add_move(store.create("ada", "9x9/10", 3), Move("flag", 0, 0), "playing")
    assert game.n_moves == 1


def test_a_file_of_the_first_version_is_brought_up_to_date(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in module._STEPS[0].split(";\n"):
            db.execute(statement)
        db.execute("PRAGMA user_version = 1")
        db.execute("INSERT INTO games VALUES ('g', 'ada', '9x9/10', 3, 0, 0, NULL, 'playing', 1, 1, 1, 2.5, 1e9, 1e9)")
        db.execute("INSERT INTO moves VALUES ('g', 0, 'open', 4, 4)")
    for _ in range(2):
        with closing(GameStore(path)) as store:
            game = store.find("g", "ada")
            assert (game.undone, game.helped, game.daily, game.played_on) == (True, False, None, False)
            assert store.moves("g") == [Move("open", 4, 4)]
            store.add_move(game, Move("open", 0, 0), "playing")
            store.undo(store.find("g", "ada"), "playing")


def test_a_file_of_a_later_version_is_left_alone(path: Path) -> None:
    GameStore(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {module.SCHEMA + 1}")
    with pytest.raises(StoreError, match="not a file of games that this version of Sapper can read"):
        GameStore(path)


def test_help_is_kept_over_moves(store: GameStore) -> None:
    game = store.create("ada", "9x9/10", 3)
    store.note_help(game)
    assert store.add_move(game, Move("open", 4, 4), "playing").n_moves == 1
    assert store.find(game.id, "ada").helped


def test_a_game_with_moves_is_one_transaction(store: GameStore) -> None:
    statements: list[str] = []
    store._db.set_trace_callback(statements.append)
    moves = [Move("flag", number // 9 % 9, number % 9) for number in range(500)]
    game = store.create("ada", "9x9/10", 3, moves=moves)
    assert statements.count("COMMIT") == 1
    assert store.moves(game.id) == moves
    assert store.add_move(game, Move("open", 0, 0), "playing").n_moves == 501


def test_whoever_reads_does_not_wait_for_whoever_writes(path: Path, store: GameStore) -> None:
    game = store.create("ada", "9x9/10", 3)
    with closing(sqlite3.connect(path, isolation_level=None)) as other, ThreadPoolExecutor(1) as threads:
        # Another server is in the middle of a change, and so are we.
        other.execute("BEGIN IMMEDIATE")
        with store._lock:
            assert threads.submit(store.find, game.id, "ada").result(PATIENCE) == game
            assert threads.submit(store.moves, game.id).result(PATIENCE) == []
            assert threads.submit(store.list_recent, "ada").result(PATIENCE) == [game]
            assert threads.submit(ResultStore(store).of, "ada").result(PATIENCE) == []


def test_however_much_is_removed_moves_come_in_between(
    path: Path, store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_REMOVED_GAMES", 2)
    monkeypatch.setattr(module, "MAX_REMOVED_LINES", 2)
    games = [store.create("ada", "9x9/10", seed) for seed in range(5)]
    for game in games:
        store.add_move(game, Move("open", 0, 0), "lost", GameEnding(10, 1, None))
    statements: list[str] = []
    store._db.set_trace_callback(statements.append)
    monkeypatch.setattr(results_module, "MAX_RESULTS", 0)
    ResultStore(store).make_room()
    assert ResultStore(store).of("ada") == []
    assert statements.count("COMMIT") == 3
    assert sorted(store.forget("ada")) == sorted(game.id for game in games)
    assert statements.count("COMMIT") == 3 + 4
    # A full store makes room as carefully.
    for seed in range(3):
        store.create("bob", "9x9/10", seed)
    shift(path, -YEAR)
    monkeypatch.setattr(module, "MAX_GAMES", 3)
    store.create("eve", "9x9/10", 1)
    assert len(store.list_recent("bob")) == 1


def test_the_number_of_games_is_changed_by_one_thread_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[bool] = []

    class Noticing(GameStore):
        @property
        def _n_games(self) -> int:
            return self._counted

        @_n_games.setter
        def _n_games(self, number: int) -> None:
            self._counted = number
            changed.append(self._lock.locked())

    with closing(Noticing(path)) as store:
        changed.clear()  # nobody else knows a store that is being opened
        for seed in range(3):
            store.create("ada", "9x9/10", seed)
        monkeypatch.setattr(module, "MAX_OWN_GAMES", 2)
        store.create("ada", "9x9/10", 3)
        assert store._n_games == 2
        store.forget("ada")
        assert store._n_games == 0
    assert changed
    assert all(changed)
