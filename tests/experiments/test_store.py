"""The file of results: what is committed stays, nothing is counted twice, and whatever is wrong is said."""

from __future__ import annotations

import ctypes
import os
import random
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from command import SAPPER, complaint, run
from effort import times
from processes import rows_of

from sapper.errors import StoreError
from sapper.experiments.backends import InProcess
from sapper.experiments.games import ChunkResult, Condition, GameResult
from sapper.experiments.store import SCHEMA, Run, Store, chunks_to_play, default_path
from sapper.experiments.sweep import SweepTask, run_tasks
from sapper.formats.given_boards import GivenBoard
from sapper.rules import Rules

CONDITION = Condition.of(Rules.parse("4x4/3 survey"), "basic")


def result_of(first: int, n: int) -> ChunkResult:
    return ChunkResult(tuple(GameResult(number % 2, number, 1, 2, 3) for number in range(first, first + n)), n / 100)


def filled(path: Path, n_chunks: int = 5) -> None:
    """A store with a run of chunks of ten games each."""
    with Store(path) as store:
        run = store.open_run(CONDITION, seed=0, chunk_size=10)
        for number in range(n_chunks):
            store.add(run, number, result_of(10 * number, 10))


# -- what it keeps --------------------------------------------------------------------------------------------


def test_a_chunk_is_there_as_soon_as_it_is_added_and_whoever_looks(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path) as store, Store(path) as other:
        run = store.open_run(CONDITION, seed=7)
        store.add(run, 0, result_of(0, 100))
        assert other.done(other.open_run(CONDITION, seed=7)) == {0: 100}
        assert other.totals(run).games.tolist() == [list(game) for game in result_of(0, 100).games]
        assert other.totals(run).cpu_seconds == 1.0
        assert [(found, n) for found, n, _ in other.runs()] == [(run, 100)]


def test_a_run_has_one_name_and_every_part_of_it_counts(tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        runs = [
            store.open_run(condition, seed, size)
            for condition in (
                CONDITION,
                Condition("4x4/4 survey", "basic", 1),
                Condition("4x4/3 survey", "exact", 1),
                Condition("4x4/3 survey", "basic", 2),
                Condition("4x4/3 survey", "basic", 1, source="boards:1234:safe"),
                Condition("4x4/3 survey", "basic", 1, restart_opening=True),
            )
            for seed in (0, 1)
            for size in (10, 100)
        ]
        assert len({run.id for run in runs}) == 24
        assert store.open_run(CONDITION, 1, 10).id == runs[2].id
        assert len(store.runs()) == 24


def test_a_chunk_that_is_there_stays_and_only_a_cut_one_grows(tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        run = store.open_run(CONDITION, seed=0, chunk_size=10)
        store.add(run, 0, result_of(0, 10))
        store.add(run, 0, result_of(500, 10))
        assert store.totals(run).games[:, 1].tolist() == list(range(10))
        store.add(run, 1, result_of(10, 4))
        assert store.done(run) == {0: 10, 1: 4}
        store.add(run, 1, result_of(10, 10))
        store.add(run, 1, result_of(10, 4))
        assert store.totals(run).games[:, 1].tolist() == list(range(20))


def test_only_what_is_missing_is_played() -> None:
    run = Run(1, CONDITION, seed=100, chunk_size=10)
    wanted = chunks_to_play(run, 34, {0: 10, 2: 7})
    assert [(number, chunk.first_seed, chunk.n_games) for number, chunk in wanted] == [
        (1, 110, 10),
        (2, 120, 10),
        (3, 130, 4),
    ]
    assert chunks_to_play(run, 34, {0: 10, 1: 10, 2: 10, 3: 4}) == []
    boards = tuple(GivenBoard((number,), 15) for number in range(14))
    assert [chunk.boards for _, chunk in chunks_to_play(run, 14, {}, boards)] == [boards[:10], boards[10:]]


def test_a_games_place_tells_its_seed_even_while_there_are_gaps(tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        run = store.open_run(CONDITION, seed=0, chunk_size=10)
        for number in (0, 1, 3):
            store.add(run, number, result_of(10 * number, 10))
        assert store.totals(run).games[:, 1].tolist() == list(range(20))
        store.add(run, 2, result_of(20, 6))
        assert store.totals(run).games[:, 1].tolist() == list(range(26))
        assert store.totals(run, 13).games[:, 1].tolist() == list(range(13))
        assert store.totals(run, 13).cpu_seconds == pytest.approx(0.13)
        store.add(run, 2, result_of(20, 10))
        assert store.totals(run).games[:, 1].tolist() == list(range(40))
        assert sum(len(part.games) for part in store.parts(run, 25)) == 25


def test_more_games_of_a_run_keep_the_ones_it_has(tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        task = SweepTask(CONDITION, 25, chunk_size=10)
        assert run_tasks(store, [task], InProcess()) == 25
        few = store.totals(task.run_in(store)).games
        more = SweepTask(CONDITION, 40, chunk_size=10)
        # The chunk of five has to be played again, as ten; the two full ones are known.
        assert run_tasks(store, [more], InProcess()) == 20
        many = store.totals(more.run_in(store)).games
        assert many.shape == (40, 6)
        assert np.array_equal(many[:25], few)
        assert run_tasks(store, [more, task], InProcess()) == 0


def test_plans_are_noted_once(tmp_path: Path) -> None:
    with Store(tmp_path / "results.sqlite") as store:
        assert store.add_plan("sweep", {"a": 1, "b": [2]}, "yesterday") == 1
        assert store.add_plan("sweep", {"b": [2], "a": 1}, "today") == 1
        assert store.add_plan("sweep", {"a": 2}, "today") == 2
        assert store.plans() == [(1, "sweep", {"a": 1, "b": [2]}, "yesterday"), (2, "sweep", {"a": 2}, "today")]


def test_the_usual_place_is_in_the_users_folder() -> None:
    assert default_path().name == "results.sqlite"
    assert default_path().is_absolute()


# -- what goes wrong ------------------------------------------------------------------------------------------


def test_a_locked_file_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    filled(path)
    before = rows_of(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other, Store(path, timeout=0.1) as store:
        run = store.open_run(CONDITION, seed=0, chunk_size=10)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="in use by another process; nothing was lost"):
            store.add(run, 5, result_of(50, 10))
        # Reading does not wait for a writer.
        assert len(store.totals(run).games) == 50
        other.execute("ROLLBACK")
        store.add(run, 5, result_of(50, 10))
    assert rows_of(path)[:5] == before
    assert len(rows_of(path)) == 6


def test_the_command_says_that_a_file_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.sqlite"
    filled(path)
    monkeypatch.setenv("SAPPER_STORE_WAIT", "0.2")
    arguments = ("sweep", "--agents", "basic", "--board", "4x4/3", "--workers", "1", "--store", str(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "is in use by another process" in complaint(*arguments)
    assert len(rows_of(path)) == 5
    monkeypatch.setenv("SAPPER_STORE_WAIT", "long")
    assert complaint(*arguments) == "SAPPER_STORE_WAIT=long should be a number of seconds."


@pytest.mark.parametrize("n_bytes", [10, 5000])
def test_random_bytes_are_no_store_and_stay_as_they_are(tmp_path: Path, n_bytes: int) -> None:
    path = tmp_path / "results.sqlite"
    noise = random.Random(n_bytes).randbytes(n_bytes)
    path.write_bytes(noise)
    with pytest.raises(StoreError, match="is damaged or not a file of results"):
        Store(path)
    assert path.read_bytes() == noise


def test_the_command_says_that_a_file_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "noise.sqlite").write_bytes(random.Random(1).randbytes(5000))
    assert "is damaged or not a file of results" in complaint(
        "sweep", "--list", "--store", str(tmp_path / "noise.sqlite")
    )


def read_everything(path: Path) -> int:
    with Store(path) as store:
        store.plans()
        return sum(len(store.totals(run).games) for run, _, _ in store.runs())


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9, 0.99])
def test_a_truncated_store_is_damaged(tmp_path: Path, share: float) -> None:
    path = tmp_path / "results.sqlite"
    filled(path, n_chunks=400)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(StoreError, match="is damaged"):
        read_everything(path)


def test_a_flipped_byte_in_a_chunk_is_found_and_named(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    filled(path)
    with closing(sqlite3.connect(path)) as store:
        (blob,) = store.execute("SELECT games FROM chunks WHERE number = 3").fetchone()
    data = path.read_bytes()
    assert data.count(blob) == 1
    for place in range(0, len(blob), 3):
        flipped = bytearray(data)
        flipped[data.index(blob) + place] ^= 0x10
        path.write_bytes(flipped)
        with pytest.raises(StoreError, match=r"is damaged: chunk 3 of run 1 cannot be read; it was left as it is"):
            read_everything(path)
        with Store(path) as opened:  # the chunks before it are sound
            assert len(opened.totals(opened.open_run(CONDITION, 0, 10), 30).games) == 30


@pytest.mark.slow
def test_a_flipped_byte_anywhere_is_answered_with_a_sentence_if_at_all(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    filled(path, n_chunks=40)
    with Store(path) as store:
        store.add_plan("sweep", {"agents": ["basic"]}, "today")
    whole = path.read_bytes()
    chance = random.Random(5)
    n_noticed = 0
    for _ in range(times(100, 400)):
        damaged = bytearray(whole)
        damaged[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        try:
            read_everything(path)
        except StoreError:
            n_noticed += 1
    assert n_noticed > times(10, 40)


def test_a_store_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    filled(path)
    with closing(sqlite3.connect(path)) as store:
        store.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    before = path.read_bytes()
    sentence = complaint("sweep", "--list", "--store", str(path))
    assert sentence.endswith(f"was written by another version of Sapper (schema {SCHEMA + 1}, not {SCHEMA}).")
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [0, SCHEMA])
def test_somebody_elses_database_is_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "music.sqlite"
    with closing(sqlite3.connect(path)) as music:
        music.execute("CREATE TABLE songs (name TEXT)")
        music.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is a database, but not one of results; it was left as it is"):
        Store(path)
    assert path.read_bytes() == before


def test_a_folder_or_a_place_that_cannot_be_is_named(tmp_path: Path) -> None:
    assert complaint("sweep", "--list", "--store", str(tmp_path)) == f"{tmp_path} is a folder, not a file of results."
    assert complaint(*BENCH, "--store", str(tmp_path)) == f"{tmp_path} is a folder, not a file of results."
    assert complaint(*BENCH, "--store", os.devnull) == f"{os.devnull} is a device, not a file of results."
    assert complaint(*BENCH, "--store", "") == "The name of the store is empty."
    (tmp_path / "file").write_text("")
    inside = str(tmp_path / "file" / "results.sqlite")
    assert complaint("sweep", "--list", "--store", inside) == f"There is no file of results {inside}."
    assert complaint(*BENCH, "--store", inside) == f"There is no folder {tmp_path}/file to write results.sqlite into."


def test_reading_never_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "empty.sqlite").write_text("")
    typo = tmp_path / "no" / "typo.sqlite"
    assert complaint("sweep", "--list", "--store", str(typo)) == f"There is no file of results {typo}."
    said = complaint("sweep", "--list", "--store", "empty.sqlite", folder=tmp_path)
    assert said == "empty.sqlite is empty, so there are no results in it."
    # Nobody who has not played yet has mistyped anything.
    listed = run("sweep", "--list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.endswith("results.sqlite: 0 plans, 0 runs.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["empty.sqlite"]
    assert (tmp_path / "empty.sqlite").read_bytes() == b""


def test_reading_a_store_leaves_it_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    filled(path)
    before = path.read_bytes()
    assert run("sweep", "--list", "--store", str(path)).returncode == 0
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["results.sqlite"]


def without_privileges() -> None:
    """Root may write anywhere; give that up in the process to be started, or leave the test."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(24, 1, 0, 0, 0) != 0:  # drop CAP_DAC_OVERRIDE for good
        os._exit(77)


def run_limited(preparation: Callable[[], None], *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [SAPPER, *arguments], capture_output=True, text=True, check=False, preexec_fn=preparation, timeout=120
    )
    if done.returncode == 77:
        pytest.skip("root's privileges cannot be given up here")
    return done


BENCH = ("sweep", "--agents", "random", "--board", "4x4/3", "--workers", "1")


@pytest.mark.slow
def test_a_read_only_file_can_be_read_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    filled(path)
    path.chmod(0o444)
    listed = run_limited(without_privileges, "sweep", "--list", "--store", str(path))
    assert listed.returncode == 0, listed.stderr
    assert "50 games" in listed.stdout
    done = run_limited(without_privileges, *BENCH, "--games", "5", "--store", str(path))
    assert done.returncode == 2
    assert done.stderr.strip().endswith("results.sqlite cannot be written (attempt to write a readonly database).")
    assert len(rows_of(path)) == 5


@pytest.mark.slow
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    done = run_limited(without_privileges, *BENCH, "--games", "5", "--store", str(folder / "results.sqlite"))
    assert done.returncode == 2
    assert done.stderr.strip().endswith("results.sqlite cannot be written (unable to open database file).")


def add_many(store: Store, run: Run, n_chunks: int) -> None:
    for number in range(n_chunks):
        store.add(run, number, result_of(number, 10))


def test_a_full_database_is_named_and_what_was_committed_stays(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        run = store.open_run(CONDITION, seed=0, chunk_size=10)
        store._db.execute("PRAGMA max_page_count = 12")
        with pytest.raises(StoreError, match=r"The disk is full, so .* cannot grow; everything committed before"):
            add_many(store, run, 10_000)
        number = len(store.done(run))
        assert number > 10
        assert len(store.totals(run).games) == 10 * number
    filled_up = len(rows_of(path))
    with Store(path) as store:
        store.add(run, number, result_of(number, 10))
    assert len(rows_of(path)) == filled_up + 1 == number + 1


@pytest.mark.slow
def test_a_file_that_may_not_grow_ends_a_run_with_a_sentence_and_it_goes_on_later(tmp_path: Path) -> None:
    path, other = tmp_path / "results.sqlite", tmp_path / "roomy.sqlite"
    arguments = (*BENCH, "--games", "3000")

    def leave_little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))

    done = run_limited(leave_little_room, *arguments, "--store", str(path))
    assert done.returncode == 2
    assert done.stderr.strip().endswith("(disk I/O error); everything committed before is kept.")
    assert "Traceback" not in done.stderr
    n_kept = len(rows_of(path))
    assert 0 < n_kept < 60
    assert run(*arguments, "--store", str(path)).returncode == 0
    assert run(*arguments, "--store", str(other)).returncode == 0
    assert rows_of(path) == rows_of(other)


@pytest.mark.slow
def test_a_disk_that_is_really_full_ends_a_run_with_a_sentence(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare to make a small disk")
    disk = tmp_path / "disk"
    disk.mkdir()
    # A disk of 200 KiB that only these processes see; what it holds is copied out before it vanishes.
    script = (
        'mount -t tmpfs -o size=200k none "$1" || exit 77; shift_from="$1"; keep="$2"; shift 2; '
        '"$@"; status=$?; cp "$shift_from"/results.sqlite* "$keep"; exit $status'
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, "sh", str(disk), str(tmp_path), str(SAPPER), *BENCH,
         "--games", "100000", "--store", str(disk / "results.sqlite")],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    if done.returncode in (1, 77):
        pytest.skip(f"no small disk can be made here: {done.stderr.strip()}")
    assert done.returncode == 2
    assert "sapper: The disk is full, so" in done.stderr
    assert "Traceback" not in done.stderr
    assert read_everything(tmp_path / "results.sqlite") == 100 * len(rows_of(tmp_path / "results.sqlite")) > 0


def test_a_folder_is_made_for_the_usual_store_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match=r"^There is no folder .*sub to write x\.db into\.$"):
        Store(tmp_path / "sub" / "x.db")
    assert not any(tmp_path.iterdir())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Store(default_path()).close()
    assert default_path().is_file()
