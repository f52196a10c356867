"""Exact probabilities per position: Sapper's engine and ms_toollib (Rust), in turns in one run, one thread.

The engines solve the whole corpus in turns, several times, so every position is fresh. Reported are the median, the
95th percentile and the maximum over the positions of each one's median time, and the ratios of the medians: for the
kernel and for the public call `mine_probabilities`. Run by `make bench`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import time
from typing import Any

import numpy as np
from benchmarks.results import ROOT, parse_arguments, save

from sapper import kernels
from sapper.errors import TooHard
from sapper.inference.posterior.exact import PosteriorQuery, mine_probabilities, run_engine
from sapper.inference.posterior.workspace import GrowingWorkspace
from sapper.observation import Observation

FOLDER = ROOT / "tests" / "data" / "positions"
# How many times as fast as ms_toollib: the kernel, and the public call.
GOALS = {
    "beginner": (40, 20),
    "intermediate": (45, 35),
    "expert": (60, 50),
    "expert_late": (70, 60),
    "snake": (200, 180),
    "large50": (40, 40),
    "huge100": (40, 40),
}


def read_positions(name: str) -> list[tuple[str, list[str], int]]:
    """Return the name, rows and mines of every position of a corpus."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    return [(entry["id"], entry["rows"], entry["mines"]) for entry in entries]


def time_ours(observation: Observation, workspace: GrowingWorkspace) -> float:
    """Seconds for one position, from the observation's arrays to probabilities in an array."""
    board = observation.topology
    settled, p = np.empty(board.n_cells, dtype=np.int8), np.empty(board.n_cells)
    position = kernels.Position(observation.cells.ravel(), settled, p)
    asked = kernels.Query(-1 if observation.total is None else observation.total)
    began = time.perf_counter()
    status = kernels.solve(workspace, board.graph, asked, position)
    spent = time.perf_counter() - began
    if status:
        raise RuntimeError(f"status {status}")
    return spent


def time_library(observation: Observation) -> float:
    """Seconds for one position through `mine_probabilities`, its Python included."""
    began = time.perf_counter()
    mine_probabilities(observation)
    return time.perf_counter() - began


def time_theirs(board: list[list[int]], mines: int) -> float:
    """Seconds for one position in ms_toollib."""
    import ms_toollib

    began = time.perf_counter()
    ms_toollib.cal_probability_onboard(board, mines)
    return time.perf_counter() - began


def measure(name: str, rounds: int) -> dict[str, Any]:
    """Measure one corpus."""
    positions = read_positions(name)
    observations = [Observation.parse(f"{'/'.join(rows)} {mines}") for _, rows, mines in positions]
    boards = [[[10 if cell == "#" else int(cell) for cell in row] for row in rows] for _, rows, _ in positions]
    workspace = GrowingWorkspace(max(observation.topology.n_cells for observation in observations), False)
    for observation in observations:
        # A first run grows the workspace to what the corpus needs.
        run_engine(PosteriorQuery(observation), workspace)
    ours: list[list[float]] = [[] for _ in positions]
    library: list[list[float]] = [[] for _ in positions]
    theirs: list[list[float]] = [[] for _ in positions]
    # In turns over the whole corpus: every position is fresh, and neither engine profits from the other's cache.
    for _ in range(rounds):
        for index, observation in enumerate(observations):
            ours[index].append(time_ours(observation, workspace))
        for index, observation in enumerate(observations):
            library[index].append(time_library(observation))
        for index, board in enumerate(boards):
            theirs[index].append(time_theirs(board, positions[index][2]))
    row: dict[str, Any] = {"corpus": name, "positions": len(positions), "rounds": rounds}
    for label, times in (("sapper", ours), ("library", library), ("ms_toollib", theirs)):
        each = [1e6 * statistics.median(one) for one in times]
        row[label] = {
            "median": statistics.median(each),
            "p95": float(np.percentile(each, 95)),
            "max": max(each),
        }
    row["ratio"] = row["ms_toollib"]["median"] / row["sapper"]["median"]
    row["library_ratio"] = row["ms_toollib"]["median"] / row["library"]["median"]
    row["goal"], row["library_goal"] = GOALS[name]
    row["megabytes"] = workspace.n_bytes / 2**20
    return row


def measure_lattices() -> list[dict[str, Any]]:
    """One run each of the lattices of isolated clues: seconds, states, and where the budget ends."""
    curve = []
    for name, rows, mines in read_positions("lattice"):
        observation = Observation.parse(f"{'/'.join(rows)} {mines}")
        began = time.perf_counter()
        entry: dict[str, Any] = {"position": name}
        try:
            mine_probabilities(observation)
        except TooHard as error:
            entry["too_hard"] = str(error)
        entry["seconds"] = time.perf_counter() - began
        curve.append(entry)
        print(f"  {name:16} {entry['seconds']:9.4f} s  {entry.get('too_hard', '')}", flush=True)
    return curve


def main() -> None:
    """Measure every corpus and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="how often each position is solved")
    options = parse_arguments(parser)
    print("microseconds; library: through mine_probabilities, Python included")
    heads = (
        "corpus", "n", "median", "p95", "max", "library", "ms_toollib", "p95", "max", "ratio", "goal", "library",
        "goal", "MB",
    )  # fmt: skip
    widths = (13, 4, 8, 8, 9, 8, 11, 10, 11, 8, 5, 8, 5, 5)
    print(" ".join(head.rjust(width) for head, width in zip(heads, widths, strict=True)))
    results = []
    for name in GOALS:
        rounds = options.rounds if name not in ("snake", "huge100") else min(options.rounds, 3)
        row = measure(name, rounds)
        results.append(row)
        cells = [
            row["corpus"], row["positions"], f"{row['sapper']['median']:.1f}", f"{row['sapper']['p95']:.1f}",
            f"{row['sapper']['max']:.1f}", f"{row['library']['median']:.1f}", f"{row['ms_toollib']['median']:.0f}",
            f"{row['ms_toollib']['p95']:.0f}", f"{row['ms_toollib']['max']:.0f}", f"{row['ratio']:.1f}x",
            f"{row['goal']}x", f"{row['library_ratio']:.1f}x", f"{row['library_goal']}x", f"{row['megabytes']:.1f}",
        ]  # fmt: skip
        print(" ".join(str(cell).rjust(width) for cell, width in zip(cells, widths, strict=True)), flush=True)
    print("lattices of isolated clues:")
    curve = measure_lattices()
    if options.write:
        save("positions", {"positions": results, "lattices": curve})


if __name__ == "__main__":
    main()
