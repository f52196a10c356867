"""A learner's history: attempts come back as they were, whether in the file of games or in the terminal's."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import StoreError
from sapper.train import Attempt
from sapper.train import history as module
from sapper.train.history import History, HistoryFile
from sapper.train.learner import learn
from sapper.web.storage import store as store_module
from sapper.web.storage.store import GameStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    with closing(GameStore(tmp_path / "games.sqlite")) as opened:
        yield opened


def made(number: int, **fields: Any) -> Attempt:
    known: dict[str, Any] = {"difficulty": 1200, "score": 1.0, "seconds": 5.0, "at": 1000.0 + number}
    return Attempt("pairs", "9x9/10", number, **(known | fields))


@pytest.fixture(params=["games", "file"])
def database(request: pytest.FixtureRequest, store: GameStore, tmp_path: Path) -> GameStore | HistoryFile:
    return store if request.param == "games" else HistoryFile(tmp_path / "folder" / "training.sqlite")


def test_attempts_come_back_as_they_were(database: GameStore | HistoryFile) -> None:
    history = History(database, "ada")
    kept = [made(1), made(2, score=0.25, way="sprint", began=990.0)]
    given = replace(made(3), seed=None, position="####/1221", kind="subsets")
    for attempt in (*kept, given):
        history.add(attempt)
    assert history.attempts() == [*kept, given]
    assert History(database, "bob").attempts() == []
    assert history.solved() == {kept[0].name, given.name}


def test_only_first_and_due_attempts_count(database: GameStore | HistoryFile) -> None:
    history = History(database)
    day = 86_400.0
    first = history.record(made(1, score=0.0))
    assert (first.counts, first.rating_before) == (True, 1000.0)
    again = history.record(made(1, at=1100.0))
    assert (again.counts, again.rating_before, len(history.attempts())) == (False, None, 1)
    # In free training the first right answer is stored, so that a lesson can be finished; it does not count.
    free = history.record(made(1, at=1200.0, way="free"))
    assert (free.counts, len(history.attempts())) == (False, 2)
    assert history.record(made(1, at=1300.0, way="free")).counts is False
    history.record(made(2, score=0.0, at=2000.0))
    due = history.record(made(2, at=2000.0 + 2 * day))
    assert (due.counts, due.rating_before, len(history.attempts())) == (True, None, 4)


def test_a_learner_is_brought_up_to_date_as_if_all_were_read_again(store: GameStore) -> None:
    one, other = History(store, "ada"), History(store, "ada")  # two servers on one file
    for number in range(6):
        (one if number % 2 else other).add(made(number, score=float(number % 3 > 0)))
        expected = learn(one.attempts()).as_plain_values(2000.0)
        assert one.learner().as_plain_values(2000.0) == expected
    assert other.learner().as_plain_values(2000.0) == expected
    assert one.learner(3600.0).streaks.utc_offset == 3600.0
    assert one.learner().streaks.utc_offset == 3600.0
    store.forget("ada")
    assert one.learner().overall.n == other.learner().overall.n == 0


def test_a_clock_that_goes_back_keeps_the_order(database: GameStore | HistoryFile) -> None:
    history = History(database)
    history.add(made(1, at=5000.0))
    assert history.add(made(2, at=10.0)).at > 5000.0
    assert [one.seed for one in history.attempts()] == [1, 2]
    assert history.learner().overall.n == 2


def test_the_oldest_attempts_make_room(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ATTEMPTS", 20)
    history = History(store, "ada")
    for number in range(21):
        history.add(made(number))
        history.learner()
    assert [one.seed for one in history.attempts()] == list(range(2, 21))
    assert history.learner().overall.n == 19
    monkeypatch.setattr(store_module, "MAX_ATTEMPTS", 5)
    store.trim_attempts()
    assert [one.seed for one in history.attempts()] == list(range(16, 21))


def test_a_file_of_the_version_before_gets_the_table(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for step in store_module._STEPS[:2]:
            db.executescript(step)
        db.execute("PRAGMA user_version = 2")
    with closing(GameStore(path)) as store:
        History(store, "ada").add(made(1))
        assert len(History(store, "ada").attempts()) == 1


def test_as_many_attempts_as_were_forgotten_are_not_taken_for_them(store: GameStore) -> None:
    history = History(store, "ada")
    history.add(made(1, score=0.0))
    history.learner()
    store.forget("ada")
    history.add(made(2, score=1.0))
    assert history.learner().seen == {made(2).name}


def test_attempts_that_another_server_removes_meanwhile_are_not_counted(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(store, "ada")
    history.add(made(1))
    look_up = history.attempts

    def be_overtaken(*since: float) -> list[Attempt]:
        monkeypatch.setattr(history, "attempts", look_up)
        store.forget("ada")
        return look_up(*since)

    monkeypatch.setattr(history, "attempts", be_overtaken)
    assert history.learner().overall.n == 0
    history.add(made(2))
    assert history.learner().overall.n == 1


# -- the terminal's file ---------------------------------------------------------------------------------------


def test_reading_makes_no_file(tmp_path: Path) -> None:
    assert History(HistoryFile(tmp_path / "training.sqlite")).learner().overall.n == 0
    assert not list(tmp_path.iterdir())


def test_answers_of_an_earlier_version_are_read_once(tmp_path: Path) -> None:
    old = tmp_path / "training.jsonl"
    lines = [made(1, score=0.0), made(1, at=1001.5), made(2, at=1001.0)]  # the second does not count
    text = "".join(json.dumps(one.as_plain_values()) + "\n" for one in lines)
    old.write_bytes(text.encode() + b'[]\n{"kind": "pairs"}\nnull\n\xff\n\n{')
    file = HistoryFile(tmp_path / "training.sqlite")
    assert [one.seed for one in History(file).attempts()] == [1, 2]
    assert file.n_unreadable == 5
    again = HistoryFile(file.path)
    assert len(History(again).attempts()) == 2
    assert again.n_unreadable == 0
    again.forget()
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "training.sqlite"
    path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    with pytest.raises(StoreError, match=r"training\.sqlite cannot be used: file is not a database\."):
        History(HistoryFile(path)).learner()
