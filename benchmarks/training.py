"""Training puzzles: how long one takes to make, and whether many of every level are what they say.

CPU time per puzzle by kind and board, over consecutive seeds. The check makes many puzzles of every level and looks
at each again: reasoning one level below finds nothing but the flags, the level finds something, and the solution is
exactly what the engine calls certain. One core. Results go to results/training.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from pathlib import Path
from typing import Any

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import FLAG
from sapper.train import KINDS, LEVELS, Kind, Level, Puzzle, puzzle, what_follows

BOARDS = ("beginner", "intermediate", "expert")
OUTPUT = Path(__file__).parent / "results" / "training.json"


def measure(kind: Kind, board: str, n_seeds: int) -> dict[str, Any]:
    """Milliseconds of CPU time to make the puzzle of each seed."""
    puzzle(kind, 10**9, board=board)  # not counted: memory grows to what the board needs
    took = []
    for seed in range(n_seeds):
        began = time.process_time()
        puzzle(kind, seed, board=board)
        took.append(1000 * (time.process_time() - began))
    took.sort()
    return {
        "kind": kind,
        "board": board,
        "median_ms": round(statistics.median(took), 1),
        "ms_95": round(took[int(0.95 * (n_seeds - 1))], 1),
        "worst_ms": round(took[-1], 1),
    }


def is_sound(made: Puzzle, level: Level) -> bool:
    """Whether a puzzle is of its level, and its solution what is certain."""
    position = made.position
    flagged = {(int(row), int(col)) for row, col in zip(*(position.cells == FLAG).nonzero(), strict=True)}
    if level != LEVELS[0]:
        safe, mines = what_follows(position, LEVELS[LEVELS.index(level) - 1])
        if safe or set(mines) != flagged:
            return False
    safe, mines = what_follows(position, level)
    found = set(safe) if made.opens else set(mines) - flagged
    posterior = mine_probabilities(position)
    certain = set(posterior.safe) if made.opens else set(posterior.mines) - flagged
    return bool(found) and found <= certain == set(made.solution)


def check(level: Level, board: str, count: int) -> dict[str, Any]:
    """Look at so many puzzles of a level again."""
    made = [puzzle(level, seed, board=board) for seed in range(count)]
    return {
        "level": level,
        "board": board,
        "puzzles": count,
        "different": len({str(one.position) for one in made}),
        "unsound": sum(not is_sound(one, level) for one in made),
        "mean_difficulty": round(statistics.mean(one.difficulty for one in made)),
        "mean_solutions": round(statistics.mean(len(one.solution) for one in made), 2),
    }


def main() -> None:
    """Print the tables and keep them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=300, help="puzzles of each kind and board that are timed")
    parser.add_argument("--count", type=int, default=10_000, help="puzzles of each level that are checked")
    parser.add_argument("--board", default="beginner", help="the board of the check")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    chosen = parser.parse_args()
    print(f"{'CPU ms to make one':<22}{'median':>9}{'95 %':>9}{'worst':>9}")
    times = []
    for board in BOARDS:
        for kind in KINDS:
            row = measure(kind, board, chosen.seeds)
            times.append(row)
            print(f"{board + ' ' + kind:<22}{row['median_ms']:>9}{row['ms_95']:>9}{row['worst_ms']:>9}", flush=True)
    print(f"\n{'level':<10}{'puzzles':>9}{'different':>11}{'unsound':>9}{'difficulty':>12}")
    checks = []
    for level in LEVELS:
        row = check(level, chosen.board, chosen.count)
        checks.append(row)
        print(
            f"{level:<10}{row['puzzles']:>9,}{row['different']:>11,}{row['unsound']:>9}{row['mean_difficulty']:>12}",
            flush=True,
        )
    found = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}, one core",
        "seeds": f"0 to {chosen.seeds - 1} timed, 0 to {chosen.count - 1} checked",
        "times": times,
        "checks": checks,
    }
    chosen.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
