"""Training puzzles: the time to make one, and whether puzzles of every level are correct.

CPU time per puzzle is measured by kind and board, over consecutive seeds, in one process. The check makes many puzzles
of every level and verifies each: reasoning one level below finds only the flags, the level finds something, and the
solution is exactly what the engine calls certain. It counts in which quarter of the board the deciding cells lie. For
some puzzles it also counts how many clues a player limited to the level looks at, to compare that with the difficulty,
and repeats this on seeds that played no part in defining the difficulty.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Any, NamedTuple

from benchmarks.results import parse_arguments, save
from benchmarks.training_effort import looks_needed
from scipy.stats import spearmanr

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import FLAG
from sapper.train import KINDS, LEVELS, Kind, Level, Puzzle, puzzle, what_follows

BOARDS = ("beginner", "intermediate", "expert")
CHUNK = 250
FRESH = 1_000_000  # the first seed that played no part in choosing the difficulty
ORDERS = 5  # random orders in which the restricted player looks at the clues


def measure(kind: Kind, board: str, n_seeds: int) -> dict[str, Any]:
    """Return the CPU milliseconds to make the puzzle of each seed."""
    puzzle(kind, 10**9, board=board)  # not counted: memory grows to the size that the board needs
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
    """Return whether a puzzle is of its level and its solution is what is certain."""
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


class Looked(NamedTuple):
    """The figures of one puzzle."""

    position: str
    is_sound: bool
    difficulty: int
    n_solutions: int
    quarter: str  # of the board with the cell that is easiest to prove; empty in the middle
    looks: float | None  # of the restricted player, on average; None if not counted


def look_at(level: Level, board: str, first: int, count: int, played_below: int) -> list[Looked]:
    """Verify the puzzles of some seeds; those of seeds below ``played_below`` are played too."""
    found = []
    for seed in range(first, first + count):
        made = puzzle(level, seed, board=board)
        looks = statistics.mean(looks_needed(made, order) for order in range(ORDERS)) if seed < played_below else None
        found.append(
            Looked(
                str(made.position), is_sound(made, level), made.difficulty, len(made.solution), quarter_of(made), looks
            )
        )
    return found


def quarter_of(made: Puzzle) -> str:
    """Return the quarter of the deciding cell: top or bottom, left or right."""
    assert made.proof is not None
    row, col = made.proof.cell
    rows, cols = made.position.rows, made.position.cols
    if 2 * row + 1 == rows or 2 * col + 1 == cols:
        return ""
    return ("top" if 2 * row < rows else "bottom") + (" left" if 2 * col < cols else " right")


def sum_up(level: Level, board: str, looked: list[Looked]) -> dict[str, Any]:
    """The row of a level."""
    quarters = Counter(one.quarter for one in looked if one.quarter)
    played = [one for one in looked if one.looks is not None]
    return {
        "level": level,
        "board": board,
        "puzzles": len(looked),
        "different": len({one.position for one in looked}),
        "unsound": sum(not one.is_sound for one in looked),
        "mean_difficulty": round(statistics.mean(one.difficulty for one in looked)),
        "mean_solutions": round(statistics.mean(one.n_solutions for one in looked), 2),
        "quarters": {name: round(n / quarters.total(), 3) for name, n in sorted(quarters.items())},
        "played": len(played),
        "median_looks": round(statistics.median(one.looks or 0 for one in played)),
        "spearman": rank_correlation(played),
    }


def rank_correlation(played: list[Looked]) -> float:
    """Return Spearman's correlation of the difficulty with the player's looks."""
    return round(float(spearmanr([one.difficulty for one in played], [one.looks for one in played]).statistic), 3)


def time_all(n_seeds: int) -> dict[str, Any]:
    """Time every kind on every board."""
    print(f"{'CPU ms to make one':<22}{'median':>9}{'95%':>9}{'worst':>9}")
    times = []
    for board in BOARDS:
        for kind in KINDS:
            row = measure(kind, board, n_seeds)
            times.append(row)
            print(f"{board + ' ' + kind:<22}{row['median_ms']:>9}{row['ms_95']:>9}{row['worst_ms']:>9}", flush=True)
    return {"times": times}


def check_all(board: str, start: int, count: int, n_played: int, n_processes: int) -> dict[str, Any]:
    """Check the puzzles of every level, and whether their difficulty predicts a player's effort."""
    print(f"{'level':<10}{'puzzles':>9}{'different':>11}{'unsound':>9}{'difficulty':>12}{'looks':>8}{'Spearman':>10}")
    checks, everything = [], []
    firsts = range(start, start + count, CHUNK)
    counts = [min(CHUNK, start + count - first) for first in firsts]
    with ProcessPoolExecutor(n_processes) as pool:
        for level in LEVELS:
            chunks = pool.map(look_at, repeat(level), repeat(board), firsts, counts, repeat(start + n_played))
            looked = [one for chunk in chunks for one in chunk]
            row = sum_up(level, board, looked)
            checks.append(row)
            everything += [one for one in looked if one.looks is not None]
            print(
                f"{level:<10}{row['puzzles']:>9,}{row['different']:>11,}{row['unsound']:>9}"
                f"{row['mean_difficulty']:>12}{row['median_looks']:>8}{row['spearman']:>10}",
                flush=True,
            )
    whole = rank_correlation(everything)
    print(f"Spearman's correlation over all levels: {whole}")
    return {"checks": checks, "spearman_of_all": whole}


def main() -> None:
    """Print and save the tables of each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("times", "checks", "fresh"), help="measure only this")
    parser.add_argument("--seeds", type=int, default=300, help="puzzles of each kind and board that are timed")
    parser.add_argument("--count", type=int, default=10_000, help="puzzles of each level that are checked")
    parser.add_argument("--played", type=int, default=1_000, help="how many of these the restricted player plays")
    parser.add_argument("--board", default="beginner", help="the board of the check")
    parser.add_argument("--processes", type=int, default=2, help="processes for the check; times are measured in one")
    chosen = parse_arguments(parser)

    def check(start: int, count: int) -> dict[str, Any]:
        return check_all(chosen.board, start, count, chosen.played, chosen.processes)

    parts: dict[str, tuple[int, int, Callable[[], dict[str, Any]]]] = {
        "times": (0, chosen.seeds, lambda: time_all(chosen.seeds)),
        "checks": (0, chosen.count, lambda: check(0, chosen.count)),
        "fresh": (FRESH, chosen.played, lambda: check(FRESH, chosen.played)),
    }
    for part, (start, count, work) in parts.items():
        if chosen.only in (None, part):
            found = work()
            if chosen.write:
                save(f"training_{part}", found, seeds=f"{start} to {start + count - 1}", of="kernels train")


if __name__ == "__main__":
    main()
