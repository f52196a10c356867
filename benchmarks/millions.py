"""Millions of games of `expert`, on boards drawn from seeds: how often it wins, to a few hundredths of a point.

    nice -n 19 python -m benchmarks.millions --start expert_safe
    python -m benchmarks.millions --write

Hours of work, in pieces: every 10,000 games are committed to a store, so it may be stopped at any time, even killed.
``--write`` moves what is in the store to the results; the next run, here or elsewhere, goes on behind them.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks.results import load, save

from sapper.experiments.backends import make_backend
from sapper.experiments.games import Condition
from sapper.experiments.store import Store
from sapper.experiments.sweep import SweepTask, run_tasks
from sapper.rules import Rules
from sapper.statistics import wilson

AGENT = "expert"
CHUNK = 10_000
# The board, its first seed, used nowhere else, and how many games there are to be.
STARTS = {
    "expert_safe": ("expert first-safe", 1_000_000_000, 10_000_000),
    "expert_zero": ("expert first-opening", 1_020_000_000, 5_000_000),
    "intermediate_safe": ("intermediate first-safe", 1_040_000_000, 2_000_000),
}


def read_results() -> dict[str, Any]:
    """Return what was published: for each start its runs, one behind the other."""
    return {start: runs for start, runs in load("millions").items() if start in STARTS}


def task_of(start: str) -> SweepTask:
    """Return what is still to play of a start: the seeds behind the published ones."""
    board, seed, n_games = STARTS[start]
    n_published = sum(run["games"] for run in read_results().get(start, []))
    condition = Condition.of(Rules.parse(board), AGENT)
    return SweepTask(condition, max(0, n_games - n_published), seed + n_published, chunk_size=CHUNK)


def publish(store: Store, start: str, task: SweepTask) -> None:
    """Add the games in the store to the results: those before the first gap, so that seeds stay consecutive."""
    totals = store.totals(task.run_in(store))
    if not len(totals.games):
        return
    results = read_results()
    results.setdefault(start, []).append(
        {
            "agent": f"{AGENT} {task.condition.version}",
            "first seed": task.seed,
            "games": len(totals.games),
            "won": int(totals.games[:, 0].sum()),
            "CPU seconds": round(totals.cpu_seconds),
        }
    )
    save("millions", results, seeds="consecutive, from the first of each run")


def main() -> None:
    """Play what is missing, or publish, and say how far it came."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", choices=STARTS, action="append", help="which boards; all if not given")
    parser.add_argument("--store", type=Path, default=Path("millions.sqlite"), help="where games are kept")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="play nothing; publish what is in the store")
    chosen = parser.parse_args()
    with Store(chosen.store) as store:
        for start in chosen.start or STARTS:
            task = task_of(start)
            if chosen.write:
                publish(store, start, task)
            else:
                run_tasks(store, [task], make_backend(chosen.jobs))
            runs = read_results().get(start, [])
            games, won = (sum(run[name] for run in runs) for name in ("games", "won"))
            value, low, high = wilson(won, games)
            print(f"{start}: {value:.3%} [{low:.3%}, {high:.3%}] of {games:,} games" if games else f"{start}: no game")


if __name__ == "__main__":
    main()
