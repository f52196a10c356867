"""Thousands of positions in one call, compared with a loop over `mine_probabilities` and with ms_toollib (Rust).

    python -m benchmarks.many --write

The positions of a corpus are repeated until there are enough of them, and all programs solve them in turns, several
times. Reported are microseconds per position (the median over the turns of the mean over the positions, since a batch
has only a mean) and the smallest and largest ratio of a turn. Then the same with two threads.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.positions import read_positions, time_theirs
from benchmarks.results import parse_arguments, save

from sapper.inference.posterior.batch import ANSWERED, mine_probabilities_many
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation

if TYPE_CHECKING:
    from collections.abc import Callable

CORPORA = ("beginner", "intermediate", "expert")
GOAL = 40  # times ms_toollib, on the first two


def timed(work: Callable[[], object], n: int) -> float:
    """Microseconds of each of n positions."""
    began = time.perf_counter()
    work()
    return 1e6 * (time.perf_counter() - began) / n


def measure(name: str, n_positions: int, turns: int) -> dict[str, Any]:
    """Measure one corpus."""
    corpus = read_positions(name)
    observations = [Observation.parse(f"{'/'.join(rows)} {mines}") for _, rows, mines in corpus]
    boards = [[[10 if cell == "#" else int(cell) for cell in row] for row in rows] for _, rows, _ in corpus]
    times = -(-n_positions // len(corpus))
    cells = np.tile(np.array([observation.cells for observation in observations]), (times, 1, 1))
    totals = np.tile(np.array([mines for _, _, mines in corpus]), times)
    found = mine_probabilities_many(cells, mines=totals)
    if (found.status != ANSWERED).any():
        raise RuntimeError("some positions were not answered")
    each: dict[str, list[float]] = {"one thread": [], "two threads": [], "loop": [], "ms_toollib": []}
    for _ in range(turns):
        each["one thread"].append(timed(lambda: mine_probabilities_many(cells, mines=totals), len(cells)))
        each["two threads"].append(timed(lambda: mine_probabilities_many(cells, mines=totals, threads=2), len(cells)))
        each["loop"].append(timed(lambda: [mine_probabilities(one) for one in observations], len(observations)))
        theirs = [time_theirs(board, mines) for board, (_, _, mines) in zip(boards, corpus, strict=True)]
        each["ms_toollib"].append(1e6 * statistics.mean(theirs))
    return {
        "corpus": name,
        "positions": len(cells),
        "turns": turns,
        **{player: statistics.median(all_turns) for player, all_turns in each.items()},
        "times ms_toollib": spread([b / a for a, b in zip(each["one thread"], each["ms_toollib"], strict=True)]),
        "times the loop": spread([b / a for a, b in zip(each["one thread"], each["loop"], strict=True)]),
        "two threads against one": spread(
            [a / b for a, b in zip(each["one thread"], each["two threads"], strict=True)]
        ),
    }


def spread(ratios: list[float]) -> list[float]:
    """Return the median, the minimum and the maximum."""
    return [statistics.median(ratios), min(ratios), max(ratios)]


def main() -> None:
    """Measure every corpus and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=12_000, help="how many in a batch")
    parser.add_argument("--turns", type=int, default=7)
    options = parse_arguments(parser)
    rows = []
    for name in CORPORA:
        row = measure(name, options.positions, options.turns)
        rows.append(row)
        print(
            f"{name}: "
            + ", ".join(
                f"{player} {row[player]:.1f} µs" for player in ("one thread", "two threads", "loop", "ms_toollib")
            )
        )
        for ratio in ("times ms_toollib", "times the loop", "two threads against one"):
            middle, least, most = row[ratio]
            print(f"  {ratio}: {middle:.1f} [{least:.1f}, {most:.1f}]")
    if options.write:
        save("many", {"goal": GOAL, "batches": rows})


if __name__ == "__main__":
    main()
