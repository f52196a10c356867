"""Exact probabilities on other neighbourhoods and under channels that may be wrong: time per position, one thread.

Positions come from games in which random safe cells are opened, between two and a third of the board; position N of a
board is the same everywhere. Each is answered several times by the public call `mine_probabilities`; reported are the
median, the 95th percentile and the maximum over the positions of the least time of each, and how many were too hard.
Results go to results/variants.json.

    python benchmarks/variants.py --positions 200
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from sapper import kernels
from sapper.errors import TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import HIDDEN, Observation
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

OUTPUT = Path(__file__).parent / "results" / "variants.json"
SHAPES = ("9x9/10", "9x9/10 torus", "9x9/10 hex", "9x9/10 knight", "9x9/10 orthogonal", "16x16/40", "16x16/40 hex")
LARGER = ("16x16/40 knight", "16x16/40 orthogonal", "16x30/99 knight", "16x30/99 orthogonal")
CHANNELS = ("9x9/10 optimistic:0.3", "9x9/10 cautious:0.3", "9x9/10 liar:0.3", "9x9/10 liar", "9x9/10 knight liar")
ROUNDS = 3


def make_position(rules: Rules, number: int) -> Observation:
    """The position of a number: some safe cells of a game opened, with what their zeros open."""
    rng = np.random.default_rng([number, rules.n_cells])
    game = Game(rules, number)
    game.open(int(rng.integers(rules.rows)), int(rng.integers(rules.cols)))
    for _ in range(int(rng.integers(2, max(3, rules.n_cells // 3)))):
        assert game.layout is not None
        left = np.argwhere((game.observation.cells == HIDDEN) & ~game.layout.mines)
        if game.outcome is not Outcome.PLAYING or len(left) < 2:
            break
        game.open(*left[rng.integers(len(left))].tolist())
    return game.observation


def time_one(observation: Observation) -> float | None:
    """The least of a few times, in microseconds; None if the sum is too hard."""
    least = float("inf")
    for _ in range(ROUNDS):
        began = time.perf_counter()
        try:
            mine_probabilities(observation)
        except TooHard:
            return None
        least = min(least, time.perf_counter() - began)
    return 1e6 * least


def measure(text: str, n_positions: int) -> dict[str, Any]:
    """Measure one kind of board."""
    rules = Rules.parse(text)
    times = [time_one(make_position(rules, number)) for number in range(n_positions)]
    kept = [one for one in times if one is not None]
    median, p95 = (round(float(np.percentile(kept, q)), 1) for q in (50, 95))
    return {
        "board": text, "positions": n_positions, "too_hard": n_positions - len(kept),
        "median_us": median, "p95_us": p95, "max_us": round(max(kept), 1),
    }  # fmt: skip


def main() -> None:
    """Measure every kind and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200, help="positions of each kind of board")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    asked = parser.parse_args()
    rows = []
    for text in (*SHAPES, *LARGER, *CHANNELS):
        rows.append(measure(text, asked.positions))
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    found = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, one thread, load {os.getloadavg()[0]:.0f}",
        "python": platform.python_version(),
        "kernels": kernels.BUILD,
        "rows": rows,
    }
    asked.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
