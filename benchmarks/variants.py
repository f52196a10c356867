"""Other neighbourhoods and noisy channels: the time of exact sums, and whether reasoning is sound.

``times``: exact probabilities, time per position, one thread. Positions come from games in which random safe cells are
opened, between two and a third of the board; position N of a board is the same everywhere. The public call
`mine_probabilities` solves each several times; reported are the median, the 95th percentile and the maximum over the
positions of each one's minimum time, and how many were too hard.

``reasoning``: every method of reasoning, run to its fixpoint on positions of the same kind, and how many of its
deductions the exact engine refutes. Sides are from 4 to 9 with at most a quarter of the cells mined, so that there is
much to deduce.

    python -m benchmarks.variants times --positions 200
    python -m benchmarks.variants reasoning --positions 5000
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.results import parse_arguments, save

from sapper.errors import TooHard
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.contradiction import deduce_contradictions, deduce_least_involved
from sapper.inference.reasoning.one_two import deduce_one_two
from sapper.inference.reasoning.single import Deduction, deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets, deduce_subsets_and_total
from sapper.observation import HIDDEN, Observation
from sapper.rules import Rules
from sapper.topology import Shape, Topology, topology
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Way = Callable[[Facts, Iterable[int]], list[Deduction]]

SHAPES = ("9x9/10", "9x9/10 torus", "9x9/10 hex", "9x9/10 knight", "9x9/10 orthogonal", "16x16/40", "16x16/40 hex")
LARGER = ("16x16/40 knight", "16x16/40 orthogonal", "16x30/99 knight", "16x30/99 orthogonal")
CHANNELS = ("9x9/10 optimistic:0.3", "9x9/10 cautious:0.3", "9x9/10 liar:0.3", "9x9/10 liar", "9x9/10 knight liar")
ROUNDS = 3
REASONED: tuple[Shape, ...] = ("knight", "orthogonal", "own")
WAYS: dict[str, Way] = {
    "single": deduce_single,
    "subsets": deduce_subsets,
    "subsets and total": deduce_subsets_and_total,
    "pairs": deduce_pairs,
    "one-two": deduce_one_two,
    "contradictions": deduce_contradictions,
    "least involved": deduce_least_involved,
}


def make_position(rules: Rules, number: int) -> Observation:
    """Return a position by its number: a game with some safe cells opened, cascades included."""
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
    """Return the minimum of a few times, in microseconds; None if the sum is too hard."""
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


def board_of(shape: Shape, rows: int, cols: int) -> Topology:
    """Return a board of a shape; the custom one combines knight and orthogonal neighbours, up to twelve."""
    if shape != "own":
        return topology(shape, rows, cols)
    knight, sides = topology("knight", rows, cols), topology("orthogonal", rows, cols)
    both = [[*knight.neighbours_of(cell), *sides.neighbours_of(cell)] for cell in range(rows * cols)]
    return Topology.of_neighbours(rows, cols, both)


def deductions(observation: Observation, way: Way) -> list[Deduction]:
    """Return what single clues and a method find together, in turns until neither finds anything."""
    facts = Facts(observation)
    found: list[Deduction] = []
    while new := deduce_single(facts, list(facts.clues)) or way(facts, list(facts.clues)):
        found += new
    return found


def check_reasoning(shape: Shape, n_positions: int) -> dict[str, Any]:
    """Count what every method deduces on random positions of a shape, and what of it the engine refutes."""
    tally = {name: {"deductions": 0, "refuted": 0} for name in WAYS}
    for number in range(n_positions):
        rng = np.random.default_rng([number, 21])
        board = board_of(shape, *rng.integers(4, 10, size=2).tolist())
        mines = int(rng.choice([0.12, 0.18, 0.25]) * board.n_cells)
        observation = make_position(Rules.on(board, mines), number)
        certain = mine_probabilities(observation)
        for name, way in WAYS.items():
            found = deductions(observation, way)
            tally[name]["deductions"] += len(found)
            wrong = (one.cell not in (certain.mines if one.is_mine else certain.safe) for one in found)
            tally[name]["refuted"] += sum(wrong)
    return {"shape": shape, "positions": n_positions, "ways": tally}


def main() -> None:
    """Measure every kind and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["times", "reasoning"])
    parser.add_argument("--positions", type=int, default=200, help="positions of each kind of board")
    asked = parse_arguments(parser)
    rows: list[dict[str, Any]] = []
    for one in (*SHAPES, *LARGER, *CHANNELS) if asked.part == "times" else REASONED:
        rows.append(measure(one, asked.positions) if asked.part == "times" else check_reasoning(one, asked.positions))  # type: ignore[arg-type]
        print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    if asked.write:
        save(f"variants_{asked.part}", {"rows": rows}, seeds=f"positions 0 to {asked.positions - 1}")


if __name__ == "__main__":
    main()
