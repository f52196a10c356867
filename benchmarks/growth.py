"""Growth: time and memory against the size of the board, and against games, processes and workers of a cluster.

``size``: the exact probabilities of one position on boards from 9x9 to 1000x1000, a fifth mined, all zeros open. Each
board has a process of its own, which reports its peak memory. To tell why the time per cell grows, the same position is
solved with the number of mines unknown, where nothing joins its components, and cut into boards of 50x50.

``work``: games of `exact` on expert boards, in this process, in two, and on a Dask cluster here of one to four workers
with a thread each, every finished chunk committed to a store; then chunks of one trivial game, which show the cost of a
chunk. The traffic of a chunk is what the task and its result weigh in the form in which they are sent.
"""

from __future__ import annotations

import argparse
import json
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import psutil  # type: ignore[import-untyped]
from benchmarks.results import ROOT, parse_arguments, save
from distributed import Client

from sapper.experiments.backends import make_backend
from sapper.experiments.games import Chunk, Condition, play_packed
from sapper.experiments.store import Store
from sapper.experiments.sweep import SweepTask, run_tasks
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import HIDDEN, Observation
from sapper.rules import Rules
from sapper.world.generation import generate_layout

sys.path.insert(0, str(ROOT / "tests" / "support"))

from processes import DaskCluster

SIDES = (9, 16, 30, 50, 100, 200, 300, 500, 700, 1000)
TILE = 50
SECONDS = 1.0  # for repetitions
GAMES = (1_000, 4_000, 16_000)
CHUNK = 500
N_CHUNKS = 500  # of one trivial game
N_ON_WORKERS = 8_000
SEED = 37


def make_position(side: int) -> Observation:
    """Return a board with all zeros and the cells around them open."""
    rules = Rules.with_density(side, side, 0.2)
    layout = generate_layout(rules, SEED, (side // 2, side // 2))
    zeros = np.pad((layout.clues() == 0) & ~layout.mines, 1)
    opened = np.zeros_like(layout.mines)
    for down in range(3):
        for right in range(3):
            opened |= zeros[down : down + side, right : right + side]
    cells = np.where(opened, layout.clues(), HIDDEN).astype(np.int8)
    return Observation(rules.topology, cells, rules.mines)


def time_all(positions: list[Observation]) -> float:
    """Return the least CPU seconds for all positions, of at least four times; the first grows the memory."""
    best, n_times, until = float("inf"), 0, time.process_time() + SECONDS
    while n_times < 4 or time.process_time() < until:
        began = time.process_time()
        for position in positions:
            mine_probabilities(position)
        best, n_times = min(best, time.process_time() - began), n_times + 1
    return best


def megabytes() -> float:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure_size(side: int) -> dict[str, Any]:
    """Measure one size, in this process."""
    position = make_position(side)
    made = megabytes()
    known = time_all([position])
    held = megabytes()
    unknown = time_all([Observation(position.topology, position.cells, None)])
    tiles = []
    if side % TILE == 0:
        board = Rules(TILE, TILE, 1).topology
        for row in range(0, side, TILE):
            for col in range(0, side, TILE):
                cells = position.cells[row : row + TILE, col : col + TILE].copy()
                # Clues on the border count mines outside: they are hidden.
                cells[[0, -1]] = cells[:, [0, -1]] = HIDDEN
                tiles.append(Observation(board, cells, None))
    return {
        "side": side, "cells": side * side, "seconds": known, "seconds, mines unknown": unknown,
        "seconds in tiles": time_all(tiles) if tiles else None, "MB before": made, "MB": held,
    }  # fmt: skip


def play(backend: object, condition: Condition, n_games: int, chunk_size: int) -> dict[str, float]:
    """Play games into a new store; return seconds and CPU seconds, of this process and of its workers."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "growth.sqlite") as store:
        before, began, own = cpu_of_children(), time.perf_counter(), time.process_time()
        run_tasks(store, [SweepTask(condition, n_games, SEED, chunk_size=chunk_size)], backend)  # type: ignore[arg-type]
        seconds, spent = time.perf_counter() - began, time.process_time() - own
        return {"seconds": seconds, "CPU here": spent, "CPU of workers": cpu_of_children() - before}


def cpu_of_children() -> float:
    """Return the CPU seconds of worker processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def play_on_cluster(condition: Condition, n_games: int, chunk_size: int, n_workers: int) -> dict[str, float]:
    """Play games on a cluster of this machine; the first games, which start it, do not count."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        cluster = DaskCluster(Path(folder), n_workers)
        stack.callback(cluster.stop)
        pids = [process.pid for process in (cluster.scheduler, *cluster.workers)]
        with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(n_workers)
        play(make_backend(cluster.address), condition, 20 * n_workers, 1)
        before = [cpu_of(pid) for pid in pids]
        found = play(make_backend(cluster.address), condition, n_games, chunk_size)
        spent = [cpu_of(pid) - was for pid, was in zip(pids, before, strict=True)]
        return found | {"CPU of scheduler": spent[0], "CPU of workers": sum(spent[1:])}


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a running process."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def measure_work() -> dict[str, Any]:
    """Measure games, processes, workers and the cost of a chunk."""
    expert, trivial = Condition.of(Rules.parse("expert"), "exact"), Condition.of(Rules.parse("1x2/1"), "exact")
    rows: list[dict[str, Any]] = []

    def note(where: str, n_workers: int, n_games: int, n_chunks: int, found: dict[str, float]) -> None:
        rows.append({"where": where, "workers": n_workers, "games": n_games, "chunks": n_chunks, **found})
        print(json.dumps(rows[-1]), flush=True)

    for n_games in GAMES:
        for n_workers in (1, 2):
            found = play(make_backend(n_workers), expert, n_games, CHUNK)
            note("processes", n_workers, n_games, n_games // CHUNK, found | {"MB": megabytes()})
    for n_workers in (1, 2):
        note("processes", n_workers, N_CHUNKS, N_CHUNKS, play(make_backend(n_workers), trivial, N_CHUNKS, 1))
    for n_workers in (1, 2, 3, 4):
        found = play_on_cluster(expert, N_ON_WORKERS, CHUNK, n_workers)
        note("cluster", n_workers, N_ON_WORKERS, N_ON_WORKERS // CHUNK, found)
        note("cluster", n_workers, N_CHUNKS, N_CHUNKS, play_on_cluster(trivial, N_CHUNKS, 1, n_workers))
    chunk = Chunk(expert, SEED, CHUNK)
    packed = play_packed(chunk)
    return {
        "rows": rows,
        "bytes": {"games": CHUNK, "chunk": len(pickle.dumps(chunk)), "result": len(pickle.dumps(packed))},
    }


def main() -> None:
    """Measure a part, print and save it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["size", "work"])
    parser.add_argument("--side", type=int, help="only this size, in this process")
    chosen = parse_arguments(parser)
    if chosen.side:
        print(json.dumps(measure_size(chosen.side)))
        return
    if chosen.part == "size":
        rows = []
        for side in SIDES:
            command = [sys.executable, "-m", "benchmarks.growth", "size", "--side", str(side)]
            done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
            rows.append(json.loads(done.stdout))
            print(done.stdout, end="", flush=True)
        found: dict[str, Any] = {"rows": rows}
    else:
        found = measure_work()
    if chosen.write:
        save(
            f"growth_{chosen.part}",
            found,
            seeds=str(SEED),
            of="kernels" if chosen.part == "size" else "kernels experiments",
        )


if __name__ == "__main__":
    main()
