"""How long the engine takes to compile and to start, and how its time grows with the board. Run by `make bench`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from sapper.inference.exact import mine_probabilities
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.world.game import Game

SAPPER = Path(sys.executable).parent / "sapper"
ASK = """
import os, time
import sapper
sapper.mine_probabilities(sapper.Observation.parse("1##/### 2"))
print(time.time() - float(os.environ["STARTED"]))
"""


def time_process(command: list[str | Path]) -> float:
    """Seconds from the start of a process to its end."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def time_first_answer(cache: str) -> float:
    """Seconds from the start of a process to its first answer."""
    environment = os.environ | {"NUMBA_CACHE_DIR": cache, "STARTED": repr(time.time())}
    done = subprocess.run([sys.executable, "-c", ASK], check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)


def position_after_openings(side: int, seed: int) -> Observation:
    """A board with a fifth of its cells mined after every opening was opened."""
    game = Game(Rules.with_density(side, side, 0.2, first_click="opening"), seed)
    game.open(side // 2, side // 2)
    assert game.layout is not None
    zeros = (game.layout.clues() == 0) & ~game.layout.mines
    for row, col in np.argwhere(zeros).tolist():
        if game.observation.cells[row, col] < 0:
            game.open(row, col)
    return game.observation


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        cold = time_first_answer(folder)
        warm = min(time_first_answer(folder) for _ in range(5))
    print(f"first answer with a cold cache  {cold:6.2f} s   (goal: 20 s of compiling)")
    print(f"first answer with a warm cache  {warm:6.2f} s   (goal: 1 s)")
    help_time = min(time_process([SAPPER, "--help"]) for _ in range(5))
    print(f"sapper --help                   {help_time:6.2f} s   (goal: 0.4 s)")
    print("board          cells   microseconds   nanoseconds per cell")
    for side in (16, 32, 64, 128, 256, 512):
        position = position_after_openings(side, seed=side)
        mine_probabilities(position)
        times = []
        for _ in range(5):
            began = time.perf_counter()
            mine_probabilities(position)
            times.append(time.perf_counter() - began)
        best = min(times)
        print(f"{side:4}²  {side * side:12,}  {1e6 * best:13,.0f}  {1e9 * best / side**2:13.0f}", flush=True)


if __name__ == "__main__":
    main()
