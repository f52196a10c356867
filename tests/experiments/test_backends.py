"""The same rows whoever plays, and whoever is killed while at it. Real processes and a real Dask cluster."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from command import complaint, run
from effort import times
from processes import (
    PATIENCE,
    DaskCluster,
    are_gone,
    children_of,
    games_around,
    rows_of,
    started,
    wait_until,
    workers_of,
)

from sapper.errors import ClusterError, InputError
from sapper.experiments import cluster as cluster_module
from sapper.experiments.backends import Backend, InProcess, Processes, make_backend
from sapper.experiments.cluster import Cluster
from sapper.experiments.games import Chunk, Condition
from sapper.experiments.store import Store
from sapper.experiments.sweep import SweepTask, run_tasks
from sapper.rules import Rules

SWEEP = ("--agents", "statements,basic", "--board", "8x8/6,10 survey first-any")
ENDLESS = ("--agents", "statements", "--board", "8x8/10 survey first-any", "--games", "1000000")
SLOW = Condition.of(Rules.parse("16x16/50 survey"), "statements")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands store a few games at a time."""
    monkeypatch.setenv("SAPPER_CHUNK", "20")


def tasks(n_games: int = 60, chunk_size: int = 10) -> list[SweepTask]:
    return [
        SweepTask(Condition.of(Rules.parse(rules), agent), n_games, seed=3, chunk_size=chunk_size)
        for rules, agent in (("5x5/5", "exact"), ("5x5/6 survey first-any withheld:0.2", "statements"))
    ]


def played(path: Path, backend: Backend) -> list[tuple[object, ...]]:
    with Store(path) as store:
        run_tasks(store, tasks(), backend)
    return rows_of(path)


@pytest.mark.slow
def test_a_pool_gives_the_same_rows_as_this_process(tmp_path: Path) -> None:
    here = played(tmp_path / "here.sqlite", InProcess())
    assert len(here) == 12
    assert played(tmp_path / "pool.sqlite", Processes(2)) == here


def test_the_backend_is_chosen_by_what_is_asked_for() -> None:
    assert isinstance(make_backend(1), InProcess)
    assert isinstance(make_backend(2), Processes)
    assert make_backend(None).n_workers == os.cpu_count()  # type: ignore[attr-defined]
    assert isinstance(make_backend("tcp://127.0.0.1:8786"), Cluster)


@pytest.mark.slow
def test_an_error_in_a_process_of_the_pool_comes_out_and_ends_the_pool() -> None:
    outdated = Condition("5x5/5", "exact", version=-1)
    before = workers_of(os.getpid())
    with pytest.raises(InputError, match=r"is at version \d+ here, but the run needs version -1"):
        list(Processes(2).play([(number, Chunk(outdated, 0, 5)) for number in range(3)]))
    assert workers_of(os.getpid()) <= before


@pytest.mark.slow
def test_a_pool_that_is_not_wanted_any_more_ends_at_once() -> None:
    slow = Condition.of(Rules.parse("30x30/180 survey"), "statements")
    before = workers_of(os.getpid())  # of other tests in this process
    playing = Processes(2).play([(0, Chunk(tasks()[0].condition, 0, 1)), (1, Chunk(slow, 0, 10_000))])
    assert next(playing)[0] == 0
    workers = workers_of(os.getpid()) - before
    assert workers
    began = time.monotonic()
    playing.close()
    assert time.monotonic() - began < 30.0  # the chunk would take minutes
    assert are_gone(workers)


# -- killed ---------------------------------------------------------------------------------------------------


def has_more_than(path: Path, n_chunks: int) -> bool:
    return len(rows_of(path)) > n_chunks


@pytest.mark.slow
def test_killed_again_and_again_and_resumed_the_rows_are_those_of_an_undisturbed_run(tmp_path: Path) -> None:
    undisturbed, killed = tmp_path / "undisturbed.sqlite", tmp_path / "killed.sqlite"
    chance = random.Random()
    n_left_over = []
    for attempt in range(times(2, 5)):
        with started("sweep", *ENDLESS, "--store", str(killed), "--workers", "2") as process:
            if attempt:
                # Not before something was added, so that it is killed in the middle of it.
                n_before = len(rows_of(killed))
                wait_until(partial(has_more_than, killed, n_before), "a chunk is committed")
                time.sleep(chance.uniform(0.0, 0.2))
            else:
                time.sleep(chance.uniform(0.0, times(1, 3)))
            workers = children_of(process.pid)
            process.kill()
            process.wait(PATIENCE)
            wait_until(partial(are_gone, workers), "the processes of a killed parent end")
        n_left_over.append(len(rows_of(killed)))
    assert n_left_over == sorted(n_left_over)
    assert n_left_over[-1] > 0
    n_games = games_around(rows_of(killed))
    for path, n_known in ((undisturbed, 0), (killed, 20 * n_left_over[-1])):
        done = run("sweep", *ENDLESS, "--games", str(n_games), "--store", str(path), "--workers", "1")
        assert done.returncode == 0
        assert f"Sweep: {n_games - n_known:,} games" in done.stderr
    assert rows_of(killed) == rows_of(undisturbed)


@pytest.mark.slow
def test_when_a_process_of_the_pool_is_killed_nothing_is_lost_and_nothing_twice(tmp_path: Path) -> None:
    here = played(tmp_path / "here.sqlite", InProcess())
    counts: list[int] = []
    victims: list[int] = []

    def watch(n_done: int, n_total: int) -> None:
        counts.append(n_done)
        if len(counts) in (2, 5) and (workers := workers_of(os.getpid())):
            victims.append(max(workers))
            os.kill(victims[-1], signal.SIGKILL)

    with Store(tmp_path / "pool.sqlite") as store:
        assert run_tasks(store, tasks(), Processes(2), watch) == 120
    assert len(victims) == 2
    assert counts == list(range(0, 121, 10))  # each chunk once
    assert rows_of(tmp_path / "pool.sqlite") == here


@pytest.mark.slow
def test_what_a_killed_process_had_handed_in_counts_once(tmp_path: Path) -> None:
    chunks = [(number, Chunk(tasks()[0].condition, number * 10, 10)) for number in range(6)]
    before = workers_of(os.getpid())
    playing = Processes(2).play(chunks)
    results = [next(playing)]
    time.sleep(3.0)  # nobody reads: everything that was handed out is finished and waits
    os.kill(max(workers_of(os.getpid()) - before), signal.SIGKILL)
    results += playing
    assert sorted(results[number][0] for number in range(6)) == [0, 1, 2, 3, 4, 5]
    expected = {key: result.games for key, result in InProcess().play(chunks)}
    assert {key: result.games for key, result in results} == expected


@pytest.mark.slow
def test_a_pool_whose_processes_are_always_killed_gives_up_with_a_sentence() -> None:
    slow = Condition.of(Rules.parse("30x30/180 survey"), "statements")
    over = threading.Event()
    before = workers_of(os.getpid())

    def kill_all() -> None:
        while not over.wait(0.05):
            for worker in workers_of(os.getpid()) - before:
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    continue

    killer = threading.Thread(target=kill_all)
    killer.start()
    try:
        with pytest.raises(ClusterError, match="killed 6 times in a row; finished games are kept"):
            list(Processes(2).play([(0, Chunk(slow, 0, 10_000))]))
    finally:
        over.set()
        killer.join()


@pytest.mark.slow
def test_two_processes_that_write_the_same_run_count_nothing_twice(tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone.sqlite", tmp_path / "shared.sqlite"
    arguments = ("sweep", *SWEEP, "--games", "100", "--workers", "1", "--json")
    assert run(*arguments, "--store", str(alone)).returncode == 0
    with started(*arguments, "--store", str(shared)) as one, started(*arguments, "--store", str(shared)) as other:
        assert one.wait(PATIENCE) == 0
        assert other.wait(PATIENCE) == 0
    assert rows_of(shared) == rows_of(alone)


# -- a cluster ------------------------------------------------------------------------------------------------


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    pytest.importorskip("distributed")
    (tmp_path / "dask").mkdir()
    made = DaskCluster(tmp_path / "dask", n_workers=2)
    try:
        yield made
    finally:
        made.stop()


@pytest.mark.slow
def test_a_killed_worker_loses_no_game_and_a_killed_scheduler_ends_the_run_with_a_sentence(
    tmp_path: Path, cluster: DaskCluster
) -> None:
    chunks = [(number, Chunk(SLOW, number * 2, 2)) for number in range(24)]
    playing = Cluster(cluster.address).play(chunks)
    results = [next(playing)]
    cluster.workers[0].kill()
    results += playing
    assert sorted(key for key, _ in results) == list(range(24))
    expected = {key: result.games for key, result in InProcess().play(chunks)}
    assert {key: result.games for key, result in results} == expected
    # So many games that they are not over before the scheduler is killed, however long that takes.
    there, address = tmp_path / "there.sqlite", cluster.address
    with started("sweep", *SWEEP, "--games", "1000000", "--store", str(there), "--workers", address) as process:
        wait_until(lambda: rows_of(there), "the cluster plays")
        cluster.scheduler.kill()
        status = process.wait(PATIENCE)
        assert process.stderr is not None
        said = process.stderr.read()
    assert status == 2
    *progress, last = said.splitlines()
    assert last == f"sapper: The connection to the scheduler at {address} was lost; finished games are kept."
    assert [line for line in progress if not line.startswith("Sweep: ")] == []
    assert rows_of(there)


@pytest.mark.slow
def test_a_cluster_that_is_none_or_has_no_workers_is_answered_with_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    from distributed import Client

    one = [(0, Chunk(tasks()[0].condition, 0, 1))]
    with pytest.raises(ClusterError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"):
        list(Cluster("tcp://127.0.0.1:9", timeout=0.5).play(one))
    with pytest.raises(
        ClusterError, match=r"'nonsense://1' is not the address of a Dask scheduler \(unknown address scheme"
    ):
        list(Cluster("nonsense://1", timeout=0.5).play(one))
    idle = DaskCluster(tmp_path, n_workers=0)
    try:
        with pytest.raises(ClusterError, match="has no workers"):
            list(Cluster(idle.address, timeout=1.0).play(one))
        idle.add_worker()
        with Client(idle.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(1, timeout=PATIENCE)
            worker = next(iter(client.ncores()))
        with pytest.raises(ClusterError, match=f"There is no Dask scheduler at {worker}, but a worker"):
            Cluster(worker).check()
    finally:
        idle.stop()


def test_a_cluster_may_be_asked_for_while_a_loop_is_running() -> None:
    """Notebooks always have one running."""
    pytest.importorskip("distributed")

    async def ask() -> None:
        Cluster("tcp://127.0.0.1:9", timeout=0.5).check()

    with pytest.raises(ClusterError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"):
        asyncio.run(ask())


@pytest.mark.slow
def test_a_nonsense_address_ends_the_command_at_once_with_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    for address in ("nonsense:", "tcp://127.0.0.1:abc", "http://127.0.0.1:8786"):
        said = complaint("sweep", "--games", "1", "--workers", address, "--store", "r.sqlite", folder=tmp_path)
        assert said.startswith(f"{address!r} is not the address of a Dask scheduler (")
        assert said.endswith("); it must look like tcp://host:8786.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("greeting", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 20])
def test_something_else_than_a_scheduler_is_said_to_be_none(greeting: bytes) -> None:
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as server:
        visitors = []

        def answer() -> None:
            with suppress(OSError):
                while True:
                    visitors.append(server.accept()[0])
                    visitors[-1].sendall(greeting)

        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"There is no Dask scheduler at {address}"):
            Cluster(address, timeout=1.0).check()
    for visitor in visitors:
        visitor.close()


@pytest.mark.long
def test_a_cluster_that_has_lost_its_workers_is_waited_for_with_patience(tmp_path: Path, cluster: DaskCluster) -> None:
    there = tmp_path / "there.sqlite"
    arguments = ("sweep", *SWEEP, "--games", "5000", "--store", str(there), "--workers", cluster.address)
    with started(*arguments, SAPPER_CLUSTER_WAIT="3") as process:
        wait_until(lambda: rows_of(there), "the cluster plays")
        for worker in cluster.workers:
            worker.kill()
        status = process.wait(PATIENCE)
        assert process.stderr is not None
        said = process.stderr.read()
    assert status == 3
    *progress, last = said.splitlines()
    absence = f"The cluster at {cluster.address} has had no workers for \\d+ seconds"
    assert re.fullmatch(f"sapper: {absence}; finished games are kept\\.", last)
    assert [line for line in progress if not line.startswith("Sweep: ")] == []
    kept = rows_of(there)
    assert kept
    # The same command goes on from there, wherever it is played.
    with Store(there) as store:
        assert sum(n_games for _, n_games, _ in store.runs()) == 20 * len(kept)


@pytest.mark.long
def test_workers_that_come_back_play_on_and_their_absence_is_told(
    cluster: DaskCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "SECONDS_BETWEEN_COUNTS", 0.5)
    monkeypatch.setattr(cluster_module, "SECONDS_BETWEEN_NOTICES", 1.0)
    chunks = [(number, Chunk(SLOW, number * 5, 5)) for number in range(60)]
    said: list[str] = []

    def say(sentence: str) -> None:
        said.append(sentence)
        if len(said) == 2:
            cluster.add_worker()

    playing = Cluster(cluster.address, patience=PATIENCE, say=say).play(chunks)
    results = [next(playing)]
    for worker in cluster.workers:
        worker.kill()
    results += playing
    assert sorted(key for key, _ in results) == list(range(60))
    assert len(said) >= 2
    for sentence in said:
        assert re.fullmatch(
            f"The cluster at {cluster.address} has had no workers for \\d+ seconds?; waiting 3 minutes more\\.",
            sentence,
        )
