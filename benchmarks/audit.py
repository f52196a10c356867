"""Check the compiled engine against exact fractions, on as many random positions as there is time for.

Position N is the same everywhere: its board, its layout, what is open and how clues are shown follow from its number.
Boards go from a single row to 16 x 30, on all topologies and channels, with the total known and unknown, with flags,
exploded mines and silent cells; one in twenty is nonsense that mostly nothing fits. Every position is answered by the
compiled engine and by the reference in Python's fractions. They must agree on whether anything fits, on every certain
cell exactly, and on every chance to within a few roundings. Positions that would take the reference longer than some
seconds are left out, and counted.

    python benchmarks/audit.py --count 100000 --jobs 2
    python benchmarks/audit.py --first 1234 --count 1    # one position again, and what it is
    python benchmarks/audit.py --variants --count 20000  # on knight and orthogonal boards, and with liars for clues

Exits with status 1 if anything differs, and prints the positions.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sapper.channel import Channel
from sapper.errors import Contradiction
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.posterior.reference import posterior
from sapper.kernels.codes import MINE, SAFE
from sapper.knowledge.boxes import group_boxes
from sapper.knowledge.components import group_components
from sapper.knowledge.statements import read_knowledge
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import SHAPES, Shape, topology
from sapper.world.clues import shown_clues

if TYPE_CHECKING:
    from numpy.typing import NDArray

OUTPUT = Path(__file__).parent / "results" / "audit.json"
CHUNK = 500
CHANNELS = ("exact", "exact", "exact", "exact", "withheld")
SOFT = ("optimistic", "cautious")
USUAL_SHAPES: tuple[Shape, ...] = ("square", "torus", "hex")
# With --variants: every position has one of these shapes, or liars for clues, or both.
OTHER_SHAPES: tuple[Shape, ...] = ("knight", "orthogonal")
LIAR = "liar"
ONE_IN_LIAR = 8
ONE_IN_SOFT = 50  # fractions of likelihoods are long, and take thirty times as long
LARGE = ((8, 8), (9, 9), (16, 16), (16, 30))
ONE_IN_LARGE = 200  # the reference takes a thousand times as long on large boards
ONE_IN_NONSENSE = 20
MOST_WIDTH = 12  # clues open at once: some seconds
ALLOWED = 1e-9  # of a chance; roundings come to some 1e-14


@dataclass
class Tally:
    """What was checked, and what was wrong."""

    positions: int = 0
    left_out: int = 0  # too wide for the reference
    impossible: int = 0  # no layout fits, and both say so
    cells: int = 0  # chances compared
    certain: int = 0  # cells that are certainly safe or mines
    worst: float = 0.0  # the largest difference of a chance
    wrong: list[str] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Count another tally in."""
        self.positions += other.positions
        self.left_out += other.left_out
        self.impossible += other.impossible
        self.cells += other.cells
        self.certain += other.certain
        self.worst = max(self.worst, other.worst)
        self.wrong += other.wrong
        for kind, n in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + n


def make_position(number: int, variants: bool = False) -> Observation:
    """Return the position of a number; the positions of the usual boards are others than those of the variants."""
    rng = np.random.default_rng([20261117, number, 1] if variants else [20261117, number])
    large = rng.integers(ONE_IN_LARGE) == 0
    rows, cols = LARGE[rng.integers(len(LARGE))] if large else (int(rng.integers(1, 7)), int(rng.integers(1, 8)))
    lies = variants and not large and rng.integers(ONE_IN_LIAR) == 0
    shapes = SHAPES if lies else OTHER_SHAPES if variants else USUAL_SHAPES
    board = topology(shapes[rng.integers(len(shapes))], rows, cols)
    kinds = (LIAR,) if lies else SOFT if rng.integers(ONE_IN_SOFT) == 0 else CHANNELS
    kind = "exact" if large else kinds[rng.integers(len(kinds))]
    channel = Channel() if kind == "exact" else Channel(kind, float(rng.choice([0.1, 0.3, 0.5, 1.0])))  # type: ignore[arg-type]
    if rng.integers(ONE_IN_NONSENSE) == 0 and not large:
        cells = np.minimum(rng.integers(NO_CLUE, 9, board.n_cells), board.degree)
        return Observation(board, cells, None, channel)
    layout = Layout(board, rng.random(board.n_cells) < rng.choice([0.1, 0.2] if large else [0.1, 0.2, 0.2, 0.35, 0.6]))
    shown = shown_clues(layout, channel, number).ravel()
    if large:
        opened = open_as_in_games(layout, rng)
    else:
        opened = rng.random(board.n_cells) < rng.choice([0.1, 0.3, 0.5, 0.7])
    exploded = layout.mines.ravel() & opened & (rng.random(board.n_cells) < 0.2)
    cells = np.where(opened & ~layout.mines.ravel(), shown, HIDDEN).astype(np.int8)
    cells[exploded] = EXPLODED
    cells[(cells == HIDDEN) & (rng.random(board.n_cells) < 0.05)] = FLAG
    cells[(cells >= 0) & (rng.random(board.n_cells) < 0.05)] = NO_CLUE
    return Observation(board, cells, layout.n_mines if rng.random() < 0.6 else None, channel)


def open_as_in_games(layout: Layout, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which cells of a large board are open after a few of its cells, with what their zeros open."""
    clues, mines, board = layout.clues().ravel(), layout.mines.ravel(), layout.topology
    opened = np.zeros(board.n_cells, dtype=np.bool_)
    waiting = rng.permutation(np.flatnonzero(~mines))[: rng.choice([2, 6, 20])].tolist()
    while waiting:
        cell = waiting.pop()
        if not opened[cell]:
            opened[cell] = True
            waiting += board.neighbours_of(cell) if clues[cell] == 0 else ()
    # One mine in five of those opened explodes; so some have to be.
    return opened | (mines & (rng.random(board.n_cells) < 0.02))


def width(observation: Observation) -> int:
    """Return how many clues the reference has open at once; its work is exponential in that."""
    boxes, _ = group_boxes(read_knowledge(observation))
    widest = 0
    for component in group_components(boxes):
        closes_at = {clue: step for step, box in enumerate(component) for clue in box.statements}
        opens_at = {clue: step for step, box in reversed(list(enumerate(component))) for clue in box.statements}
        for step in range(len(component)):
            widest = max(widest, sum(opens_at[clue] <= step < closes_at[clue] for clue in closes_at))
    return widest


def check(number: int, tally: Tally, variants: bool) -> None:
    """Answer a position in both ways and compare."""
    observation = make_position(number, variants)
    if width(observation) > MOST_WIDTH:
        tally.left_out += 1
        return
    density = (Fraction(1, 2), Fraction(1, 5), Fraction(3, 4))[number % 3]
    expected = posterior(observation, density)
    tally.positions += 1
    total = "known" if observation.total is not None else "unknown"
    kind = f"{observation.topology.shape}, {observation.channel.kind}, total {total}"
    tally.kinds[kind] = tally.kinds.get(kind, 0) + 1
    try:
        found = mine_probabilities(observation, density=float(density))
    except Contradiction:
        if expected is not None:
            tally.wrong.append(f"{number}: a contradiction is found where there is none: {observation}")
        tally.impossible += 1
        return
    if expected is None:
        tally.wrong.append(f"{number}: no contradiction is found: {observation}")
        return
    verdicts, chances = found.verdicts.ravel(), found.p_mine.ravel()
    for cell, chance in expected.p_mine.items():
        tally.cells += 1
        tally.certain += chance in (0, 1)
        tally.worst = max(tally.worst, abs(float(chances[cell]) - float(chance)))
        if (verdicts[cell] == SAFE) != (chance == 0) or (verdicts[cell] == MINE) != (chance == 1):
            tally.wrong.append(f"{number}: cell {observation.topology.cell(cell)} is {chance}: {observation}")
        elif abs(float(chances[cell]) - float(chance)) > ALLOWED:
            tally.wrong.append(f"{number}: {chances[cell]} instead of {float(chance)} at cell {cell}: {observation}")


def check_chunk(first: int, count: int, variants: bool = False) -> Tally:
    """Check so many positions from a number on."""
    tally = Tally()
    for number in range(first, first + count):
        check(number, tally, variants)
    return tally


def main() -> None:
    """Check positions and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="the number of the first position")
    parser.add_argument("--count", type=int, default=1_000_000, help="how many positions")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--minutes", type=float, default=600.0, help="stop beginning new ones after so long")
    parser.add_argument("--variants", action="store_true", help="knight and orthogonal boards, and liars for clues")
    parser.add_argument("--write", action="store_true", help=f"write the figures to {OUTPUT.parent.name}/")
    asked = parser.parse_args()
    if asked.count < 1 or asked.jobs < 1 or asked.first < 0:
        parser.error("counts, jobs and numbers are positive.")
    begun, total = time.monotonic(), Tally()
    firsts = iter(range(asked.first, asked.first + asked.count, CHUNK))
    with ProcessPoolExecutor(asked.jobs) as pool:
        waiting: set[Future[Tally]] = set()
        while True:
            while len(waiting) < 2 * asked.jobs and time.monotonic() - begun < 60 * asked.minutes:
                first = next(firsts, None)
                if first is None:
                    break
                n = min(CHUNK, asked.first + asked.count - first)
                waiting.add(pool.submit(check_chunk, first, n, asked.variants))
            if not waiting:
                break
            done = next(as_completed(waiting))
            waiting.remove(done)
            total.add(done.result())
            if (total.positions + total.left_out) % (20 * CHUNK) == 0:
                print(f"{total.positions:,} positions, {len(total.wrong)} wrong", file=sys.stderr, flush=True)
    figures = {**vars(total), "first": asked.first, "seconds": round(time.monotonic() - begun, 1)}
    print(json.dumps(figures, indent=1))
    if asked.write:
        output = OUTPUT.with_stem("audit_variants") if asked.variants else OUTPUT
        output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    sys.exit(1 if total.wrong else 0)


if __name__ == "__main__":
    main()
