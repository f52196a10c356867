"""Start-up time, memory, and how the engine's time grows with the board: `make bench`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.world.game import Game

SAPPER = Path(sys.executable).parent / "sapper"
ASK = """
import resource
import sapper
game = sapper.Game(sapper.Rules.parse("expert"), seed=3)
game.open(8, 15)
sapper.mine_probabilities(game.observation)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def time_process(command: list[str | Path]) -> float:
    """Return the seconds from the start of a process to its end."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def megabytes_of(command: list[str | Path]) -> float:
    """Return the peak memory that a process reports."""
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def position_after_openings(side: int, seed: int) -> Observation:
    """Return a board with a fifth of its cells mined, all openings opened."""
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
    ask: list[str | Path] = [sys.executable, "-c", ASK]
    print(f"start to the end of a first answer  {min(time_process(ask) for _ in range(9)):6.3f} s    (goal: 0.25 s)")
    help_time = min(time_process([SAPPER, "--help"]) for _ in range(9))
    print(f"sapper --help                       {help_time:6.3f} s    (goal: 0.2 s)")
    print(f"memory after an expert posterior    {megabytes_of(ask):6.1f} MB   (goal: 70 MB)")
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
