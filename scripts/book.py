"""Make the opening book again: ``python scripts/book.py [--games 4000]``.

For each board and start rule, every kind of first cell (one of each set of mirror images, near the corner and in the
middle) begins the same number of games. In these games nobody dies: each is worth the product of the safeties of its
guesses (see ``sapper/kernels/players/rollouts.py``), whose mean is the chance to win, for a third of the variance.
Cells that fall clearly behind after a quarter of the games get no more.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sapper.inference.evaluation.rollouts import N_RESAMPLES, Rollouts
from sapper.observation import HIDDEN, Observation
from sapper.rules import Rules
from sapper.world.generation import generate_layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

OUT = Path(__file__).resolve().parents[1] / "src" / "sapper" / "data" / "book.json"
BOARDS = ("beginner", "intermediate", "expert")
AT_ONCE = 64  # games; each takes random numbers of its own
FIRST_SEED = 70_000_000  # far from the seeds of any comparison


def kinds_of_cells(rules: Rules) -> list[tuple[int, int]]:
    """The cells near a corner, and those half way along the edges and in the middle."""
    rows, cols = rules.rows, rules.cols
    near = [(row, col) for row in range(min(4, rows // 2)) for col in range(min(5, cols // 2)) if row <= col or row < 2]
    return sorted({*near, (0, cols // 2), (rows // 2, 0), (rows // 2, cols // 2)})


def play(rules: Rules, cell: tuple[int, int], seeds: range) -> NDArray[np.float64]:
    """What games that begin with a cell are worth, one for each seed."""
    board = rules.topology
    first = board.index(*cell)
    blank = Observation(board, np.full((rules.rows, rules.cols), HIDDEN, dtype=np.int8), rules.mines)
    rollouts, rng = Rollouts(board.n_cells), np.random.default_rng(seeds[0])
    values = []
    for start in range(0, len(seeds), AT_ONCE):
        part = seeds[start : start + AT_ONCE]
        layouts = np.array([generate_layout(rules, seed, rules.topology.cell(first)).mines.ravel() for seed in part])
        uniform = rng.random((len(part), N_RESAMPLES, 3 * board.n_cells + 8))
        values.append(rollouts.play(blank, first, layouts, uniform))
    return np.concatenate(values)


def measure(rules: Rules, n_games: int) -> list[tuple[int, int, float, float]]:
    """The first cells by their chance to win, the best first."""
    quarter = range(FIRST_SEED, FIRST_SEED + n_games // 4)
    rest = range(FIRST_SEED + n_games // 4, FIRST_SEED + n_games)
    values = {cell: play(rules, cell, quarter) for cell in kinds_of_cells(rules)}
    best = max(value.mean() for value in values.values())
    for cell, value in values.items():
        if value.mean() > best - 4.0 * value.std() / len(value) ** 0.5:
            values[cell] = np.concatenate([value, play(rules, cell, rest)])
    found = [(*cell, float(value.mean()), float(value.std() / len(value) ** 0.5)) for cell, value in values.items()]
    return sorted(found, key=lambda one: -one[2])


def main() -> None:
    """Measure, and write the book."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4000, help="games for each promising first cell")
    games = parser.parse_args().games
    book: dict[str, dict[str, list[list[float]]]] = {}
    for name in BOARDS:
        for start in ("safe", "opening"):
            rules = Rules.parse(f"{name} first-{start}")
            found = measure(rules, games)
            book.setdefault(f"{rules.rows}x{rules.cols}/{rules.mines}", {})[start] = [
                [row, col, round(p_win, 4), round(error, 4)] for row, col, p_win, error in found
            ]
            print(name, start, *(f"({row}, {col}) {p:.4f}±{error:.4f}" for row, col, p, error in found[:4]), flush=True)
    about = {"games": games, "first_seed": FIRST_SEED, "row": ["row", "col", "chance to win", "standard error"]}
    lines = json.dumps({"about": about, "boards": book}, indent=1)
    OUT.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
