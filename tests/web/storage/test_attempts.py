"""Attempts in the file of games: they come back as they were, and a learner follows from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sapper.train import Attempt
from sapper.train.learner import learn
from sapper.web.storage import attempts as attempts_module
from sapper.web.storage.attempts import Attempts
from sapper.web.storage.store import GameStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    with closing(GameStore(tmp_path / "games.sqlite")) as opened:
        yield opened


def made(number: int, **fields: Any) -> Attempt:
    known: dict[str, Any] = {"difficulty": 1200, "score": 1.0, "seconds": 5.0, "at": 1000.0 + number}
    return Attempt("pairs", "9x9/10", number, **(known | fields))


def test_attempts_come_back_as_they_were(store: GameStore) -> None:
    attempts = Attempts(store)
    kept = [made(1), made(2, score=0.25, way="sprint", began=990.0)]
    given = replace(made(3), seed=None, position="####/1221", kind="subsets")
    for attempt in (*kept, given):
        attempts.add("ada", attempt)
    assert attempts.of("ada") == [*kept, given]
    assert attempts.of("bob") == []
    assert attempts.solved("ada") == {kept[0].name, given.name}


def test_a_learner_is_brought_up_to_date_as_if_all_were_gone_through_again(store: GameStore) -> None:
    one, other = Attempts(store), Attempts(store)  # two servers on one file
    for number in range(6):
        (one if number % 2 else other).add("ada", made(number, score=float(number % 3 > 0)))
        expected = learn(one.of("ada")).as_plain_values(2000.0)
        assert one.learner("ada").as_plain_values(2000.0) == expected
    assert other.learner("ada").as_plain_values(2000.0) == expected
    store.forget("ada")
    assert one.learner("ada").overall.n == other.learner("ada").overall.n == 0


def test_a_clock_that_goes_back_keeps_the_order(store: GameStore) -> None:
    attempts = Attempts(store)
    attempts.add("ada", made(1, at=5000.0))
    later = attempts.add("ada", made(2, at=10.0))
    assert later.at > 5000.0
    assert [one.seed for one in attempts.of("ada")] == [1, 2]
    assert attempts.learner("ada").overall.n == 2


def test_the_oldest_attempts_make_room(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts_module, "MOST_OWN_ATTEMPTS", 20)
    attempts = Attempts(store)
    for number in range(21):
        attempts.add("ada", made(number))
        attempts.learner("ada")
    assert [one.seed for one in attempts.of("ada")] == list(range(2, 21))
    assert attempts.learner("ada").overall.n == 19
    monkeypatch.setattr(attempts_module, "MOST_ATTEMPTS", 5)
    attempts.make_room()
    assert [one.seed for one in attempts.of("ada")] == list(range(16, 21))


def test_a_file_of_the_version_before_gets_the_table(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    GameStore(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE attempts")
        db.execute("PRAGMA user_version = 2")
        db.commit()
    with closing(GameStore(path)) as store:
        attempts = Attempts(store)
        attempts.add("ada", made(1))
        assert len(attempts.of("ada")) == 1


def test_a_learner_whose_place_another_visitor_takes_meanwhile_is_there_all_the_same(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts_module, "MOST_KNOWN", 1)
    attempts = Attempts(store)
    attempts.learner("ada")
    attempts.add("ada", made(1))
    look_up = attempts.of

    def be_overtaken(owner: str, *since: float) -> list[Attempt]:
        monkeypatch.setattr(attempts, "of", look_up)
        # Another thread, for somebody else.
        attempts.learner("bob")
        return look_up(owner, *since)

    monkeypatch.setattr(attempts, "of", be_overtaken)
    assert attempts.learner("ada").overall.n == 1
    assert attempts.learner("ada").overall.n == 1


def test_as_many_attempts_as_were_forgotten_are_not_taken_for_them(store: GameStore) -> None:
    attempts = Attempts(store)
    attempts.add("ada", made(1, score=0.0))
    attempts.learner("ada")
    store.forget("ada")
    attempts.add("ada", made(2, score=1.0))
    assert attempts.learner("ada").seen == {made(2).name}


def test_attempts_that_another_server_removes_meanwhile_are_not_counted(
    store: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = Attempts(store)
    attempts.add("ada", made(1))
    look_up = attempts.of

    def be_overtaken(owner: str, *since: float) -> list[Attempt]:
        monkeypatch.setattr(attempts, "of", look_up)
        store.forget(owner)
        return look_up(owner, *since)

    monkeypatch.setattr(attempts, "of", be_overtaken)
    assert attempts.learner("ada").overall.n == 0
    attempts.add("ada", made(2))
    assert attempts.learner("ada").overall.n == 1
