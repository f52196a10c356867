"""How the backtracking search scales: random puzzles from 6x6 to 30x30, with several settings.

The puzzles are like those of report 004, with 10 mines per 36 cells and 16 of 26 safe cells shown, or sparser, with 40%
shown, which leaves more to decide. Each search has a limit of nodes and seconds. One core.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

from benchmarks.results import parse_arguments, save

from sapper.cli.commands.puzzle import make_puzzle
from sapper.inference.backtracking import Heuristics, search

SIZES = (6, 8, 10, 12, 16, 20, 24, 30)
CLUES = (16 / 26, 0.4)
SETTINGS = (
    Heuristics("mrv", "lcv"),
    Heuristics("mrv", "clear"),
    Heuristics("degree", "lcv"),
    Heuristics("nearest", "lcv"),
    Heuristics("first", "clear"),
    Heuristics("first", "clear", forward_checking=False, memory=True),
    Heuristics("mrv", "lcv", forward_checking=False),
    Heuristics("first", "clear", forward_checking=False),
)


def measure(size: int, clues: float, heuristics: Heuristics, limits: argparse.Namespace) -> dict[str, Any]:
    """Search the puzzles of one size; medians are over all of them, and missing if half of them failed."""
    nodes, seconds, n_solved = [], [], 0
    for seed in range(limits.puzzles):
        position = make_puzzle(f"{size}x{size}/{round(size * size * 10 / 36)}", clues, seed)
        began = time.process_time()
        found = search(position, heuristics, node_limit=limits.nodes, seconds=limits.seconds)
        seconds.append(time.process_time() - began)
        nodes.append(found.n_nodes if found.finished else float("inf"))
        n_solved += bool(found.layouts)
    median = statistics.median(nodes)
    return {
        "size": size,
        "unknown": int(position.closed.sum()),
        "solved": n_solved,
        "median_nodes": None if median == float("inf") else median,
        "median_seconds": round(statistics.median(seconds), 4),
    }


def main() -> None:
    """Print the tables and save them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=10, help="puzzles of each size")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=3.0)
    limits = parse_arguments(parser)
    tables = []
    for clues in CLUES:
        print(f"\n{clues:.0%} of the safe cells shown; nodes (median of {limits.puzzles}), and how many were solved")
        print(f"{'':<34}" + "".join(f"{f'{size}x{size}':>12}" for size in SIZES))
        for heuristics in SETTINGS:
            rows: list[dict[str, Any]] = []
            for size in SIZES:
                # A setting that solves no puzzle of a size solves none of a larger size.
                if not rows or rows[-1]["solved"]:
                    rows.append(measure(size, clues, heuristics, limits))
            shown = [f"{_count(row['median_nodes'])} {row['solved']:>2}" for row in rows]
            print(f"{heuristics!s:<34}" + "".join(f"{text:>12}" for text in shown), flush=True)
            tables.append({"clues": clues, "heuristics": str(heuristics), "sizes": rows})
    if limits.write:
        about = {"puzzles": limits.puzzles, "nodes": limits.nodes, "seconds": limits.seconds}
        save("puzzles", {"limits": about, "tables": tables}, seeds=f"0 to {limits.puzzles - 1}", of="inference")


def _count(nodes: float | None) -> str:
    return "-" if nodes is None else f"{nodes:,.0f}"


if __name__ == "__main__":
    main()
