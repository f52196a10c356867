"""Check the engine against exact fractions, on as many random positions as there is time for.

Position N is the same on every machine: its number determines board, layout, open cells, channel and density. Boards
range from a single cell to 16 x 30, on all topologies and channels, with known and unknown totals, densities from 1e-12
to 1 - 1e-12, flags, exploded mines and cells without clues. One position in twenty is random nonsense, mostly
contradictory; one in a hundred is a strip of up to 6 x 400 or a lattice of clues; a few are boards of 200 x 200. The
engine and the reference in Python's fractions solve every position. They must agree on whether a layout fits, on every
certain cell exactly, and on every probability and the weight of all layouts up to rounding. The same positions are then
solved again by one `Engine`, in batches and from eight threads at once, bit-for-bit identically. Positions that would
take the reference longer than a few seconds are skipped and counted.

    python -m benchmarks.audit --count 100000 --jobs 2
    python -m benchmarks.audit --first 1234 --count 1    # repeat and show one position
    python -m benchmarks.audit --variants --count 20000  # knight and orthogonal boards, off-by-one clues
    SAPPER_KERNELS=checked python -m benchmarks.audit --count 100000

Exits with status 1 if anything differs, and prints the positions.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from math import log
from typing import TYPE_CHECKING

import numpy as np
from benchmarks.results import parse_arguments, save

from sapper.channel import Channel
from sapper.errors import Contradiction, TooHard
from sapper.inference.posterior.batch import ANSWERED, mine_probabilities_many
from sapper.inference.posterior.exact import Engine, Posterior, mine_probabilities
from sapper.inference.posterior.reference import group_boxes, group_components, posterior, read_knowledge
from sapper.kernels import BUILD
from sapper.kernels.codes import MINE, SAFE
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, Observation
from sapper.topology import SHAPES, Shape, topology
from sapper.world.generation import shown_clues

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHUNK = 500
CHANNELS = ("exact", "exact", "exact", "exact", "withheld")
SOFT = ("optimistic", "cautious")
USUAL_SHAPES: tuple[Shape, ...] = ("square", "torus", "hex")
# With --variants, every position has one of these shapes, off-by-one clues or both.
OTHER_SHAPES: tuple[Shape, ...] = ("knight", "orthogonal")
LIAR = "liar"
ONE_IN_LIAR = 8
ONE_IN_SOFT = 50  # likelihoods are long fractions, thirty times as slow
LARGE = ((8, 8), (9, 9), (16, 16), (16, 30))
ONE_IN_LARGE = 200  # the reference takes a thousand times as long on large boards
ONE_IN_NONSENSE = 20
ONE_IN_LONG = 100
ONE_IN_HUGE = 5_000
HUGE = (200, 200)
LONGEST = 400
DENSITIES = (0.5, 0.5, 0.2, 0.75, 1e-12, 1e-6, 0.0032, 1.0 - 1e-6, 1.0 - 1e-12)
MAX_WORK = 20_000_000  # operations of the reference: a few seconds
ALLOWED = 1e-9  # relative error of a probability; rounding causes about 1e-13
SMALLEST = 1e-290  # smaller probabilities are only known to be positive
N_THREADS = 8


@dataclass
class Tally:
    """What was checked, and the errors found."""

    positions: int = 0
    left_out: int = 0  # too wide for the reference
    too_hard: int = 0  # the engine gives up
    again: int = 0  # answers compared bit by bit: through one engine, in batches, from threads
    impossible: int = 0  # contradictions found by both
    cells: int = 0  # probabilities compared
    certain: int = 0  # certain cells
    worst: float = 0.0  # the largest error of a probability
    wrong: list[str] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Add another tally."""
        self.positions += other.positions
        self.left_out += other.left_out
        self.too_hard += other.too_hard
        self.again += other.again
        self.impossible += other.impossible
        self.cells += other.cells
        self.certain += other.certain
        self.worst = max(self.worst, other.worst)
        self.wrong += other.wrong
        for kind, n in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + n


def make_position(number: int, variants: bool = False) -> Observation:
    """Return a position by its number; variants have their own positions."""
    rng = np.random.default_rng([20261118, number, 1] if variants else [20261118, number])
    if not variants and rng.integers(ONE_IN_LONG) == 0:
        return make_long_position(number, rng)
    large = rng.integers(ONE_IN_LARGE) == 0
    huge = large and not variants and rng.integers(ONE_IN_HUGE // ONE_IN_LARGE) == 0
    rows, cols = LARGE[rng.integers(len(LARGE))] if large else (int(rng.integers(1, 7)), int(rng.integers(1, 8)))
    if huge:
        rows, cols = HUGE
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
    opened = open_as_in_games(layout, rng) if large else rng.random(board.n_cells) < rng.choice([0.1, 0.3, 0.5, 0.7])
    return show(layout, opened, channel, number, rng, total_known=rng.random() < 0.6)


def make_long_position(number: int, rng: np.random.Generator) -> Observation:
    """Return a strip or a lattice: long narrow frontiers, whose weights exceed the range of floats."""
    rows, cols = int(rng.integers(2, 7)), int(10 * (LONGEST / 10) ** rng.random())
    board = topology("square", *((rows, cols) if rng.random() < 0.7 else (cols, rows)))
    mines = rng.random(board.n_cells) < rng.choice([0.05, 0.2, 0.4, 0.8])
    row, col = np.divmod(np.arange(board.n_cells), board.cols)
    along = row if board.rows == rows else col
    opened = (
        along % 2 == rng.integers(2),  # rows of clues between hidden rows
        along % 3 == rng.integers(3),
        (row % 2 == 1) & (col % 2 == 1),  # a lattice
        (row + col) % 2 == 0,
        (row % 2 == 1) & (col % 3 == 1),
        rng.random(board.n_cells) < 0.3,
    )[rng.integers(6)]
    if rng.random() < 0.5:
        mines &= ~opened
    if rng.random() < 0.2:
        # Repeating rows can be filled in few ways, each of which determines the whole strip.
        mines = (np.arange(board.n_cells) % rng.integers(2, 5) == 0) & ~opened
    return show(Layout(board, mines), opened, Channel(), number, rng, total_known=rng.random() < 0.3)


def show(
    layout: Layout,
    opened: NDArray[np.bool_],
    channel: Channel,
    number: int,
    rng: np.random.Generator,
    total_known: bool,
) -> Observation:
    """Return what a player sees of a layout, with some flags, explosions and cells without clues."""
    board, mines = layout.topology, layout.mines.ravel()
    exploded = mines & opened & (rng.random(board.n_cells) < 0.2)
    cells = np.where(opened & ~mines, shown_clues(layout, channel, number).ravel(), HIDDEN).astype(np.int8)
    cells[exploded] = EXPLODED
    if rng.random() < 0.5:
        cells[(cells == HIDDEN) & (rng.random(board.n_cells) < 0.05)] = FLAG
        cells[(cells >= 0) & (rng.random(board.n_cells) < 0.05)] = NO_CLUE
    return Observation(board, cells, layout.n_mines if total_known else None, channel)


def open_as_in_games(layout: Layout, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return the open cells of a large board after opening a few cells with their cascades."""
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


def is_too_much(observation: Observation) -> bool:
    """Return whether the reference would take too long: it is exponential in the clues that are open at once.

    With a total it counts mines, and every number of them takes its part.
    """
    knowledge = read_knowledge(observation)
    boxes, _ = group_boxes(knowledge)
    components = group_components(boxes)
    # So many sums may each clue have while it is open.
    log_sums = [
        log(1 + max((n for n, weight in enumerate(one.weights) if weight), default=0)) for one in knowledge.statements
    ]
    work, n_mines = 0.0, 1
    for component in components:
        closes_at = {clue: step for step, box in enumerate(component) for clue in box.statements}
        opens_at = {clue: step for step, box in reversed(list(enumerate(component))) for clue in box.statements}
        changes = np.zeros(len(component) + 1)
        for clue, step in closes_at.items():
            changes[opens_at[clue]] += log_sums[clue]
            changes[step] -= log_sums[clue]
        n_cells = sum(len(box.cells) for box in component)
        n_mines += n_cells
        work += float(np.exp(changes.cumsum()).sum()) * (1 if observation.total is None else n_cells)
    return work + (0 if observation.total is None else len(components) * n_mines * 40) > MAX_WORK


def density_of(number: int) -> float:
    """Return the prior mine probability of a position, by its number."""
    return DENSITIES[number % len(DENSITIES)]


def check(number: int, tally: Tally, variants: bool) -> Posterior | None:
    """Solve a position in both ways and compare; return the engine's result, if there is one."""
    observation, density = make_position(number, variants), density_of(number)
    if is_too_much(observation):
        tally.left_out += 1
        return None
    expected = posterior(observation, Fraction(density))
    tally.positions += 1
    total = "known" if observation.total is not None else "unknown"
    size = "long or large, " if observation.topology.n_cells > 42 else ""
    kind = f"{observation.topology.shape}, {observation.channel.kind}, {size}total {total}"
    tally.kinds[kind] = tally.kinds.get(kind, 0) + 1
    try:
        found = mine_probabilities(observation, density=density)
    except Contradiction:
        if expected is not None:
            tally.wrong.append(f"{number}: a contradiction is found where there is none: {observation}")
        tally.impossible += 1
        return None
    except TooHard:
        tally.too_hard += 1
        return None
    if expected is None:
        tally.wrong.append(f"{number}: no contradiction is found: {observation}")
        return found
    verdicts, chances = found.verdicts.ravel(), found.p_mine.ravel()
    for cell, chance in expected.p_mine.items():
        tally.cells += 1
        tally.certain += chance in (0, 1)
        off = abs(float(chances[cell]) - float(chance)) / float(chance) if chance > SMALLEST else 0.0
        tally.worst = max(tally.worst, off)
        if (verdicts[cell] == SAFE) != (chance == 0) or (verdicts[cell] == MINE) != (chance == 1):
            tally.wrong.append(f"{number}: cell {observation.topology.cell(cell)} is {float(chance)}: {observation}")
        elif not off <= ALLOWED:
            tally.wrong.append(f"{number}: {chances[cell]} instead of {float(chance)} at cell {cell}: {observation}")
    weight = Fraction(expected.weight)
    log_weight = log(weight.numerator) - log(weight.denominator)
    if not abs(found.log_weight - log_weight) <= ALLOWED * max(1.0, log(weight.denominator)):
        tally.wrong.append(f"{number}: a weight of exp({found.log_weight}) instead of exp({log_weight}): {observation}")
    return found


def is_same(one: Posterior, p_mine: NDArray[np.float64], verdicts: NDArray[np.int8] | None = None) -> bool:
    """Return whether two results are bit-for-bit identical."""
    return one.p_mine.tobytes() == p_mine.tobytes() and (
        verdicts is None or one.verdicts.tobytes() == verdicts.tobytes()
    )


def check_again(answers: dict[int, Posterior], tally: Tally) -> None:
    """Solve the same positions with one engine, in batches and from several threads: results must not differ."""
    engine = Engine()
    for number, found in answers.items():
        engine.density = density_of(number)
        other = engine.posterior(found.observation)
        if not is_same(found, other.p_mine, other.verdicts) or other.log_weight != found.log_weight:
            tally.wrong.append(f"{number}: a reused engine gives another result")

    def board_of(number: int) -> tuple[str, float]:
        board = answers[number].observation.topology
        return f"{board.shape} {board.rows} {board.cols}", density_of(number)

    exact = [number for number, found in answers.items() if found.observation.channel.kind in ("exact", "withheld")]
    for (_, density), group in groupby(sorted(exact, key=board_of), key=board_of):
        numbers = list(group)
        seen = [answers[number].observation for number in numbers]
        for known in (True, False):
            some = [i for i, one in enumerate(seen) if (one.total is not None) == known]
            if not some:
                continue
            totals = np.array([seen[i].total for i in some]) if known else None
            many = mine_probabilities_many(
                np.stack([seen[i].cells for i in some]), mines=totals, topology=seen[0].topology, density=density
            )
            for k, i in enumerate(some):
                if many.status[k] != ANSWERED or not is_same(answers[numbers[i]], many.p_mine[k]):
                    tally.wrong.append(f"{numbers[i]}: a batch gives another result")
                tally.again += 1

    def ask(number: int) -> tuple[int, Posterior]:
        return number, mine_probabilities(answers[number].observation, density=density_of(number))

    with ThreadPoolExecutor(N_THREADS) as pool:
        for number, other in pool.map(ask, answers):
            if not is_same(answers[number], other.p_mine, other.verdicts):
                tally.wrong.append(f"{number}: one of several threads gives another result")
    tally.again += 2 * len(answers)


def check_chunk(first: int, count: int, variants: bool = False) -> Tally:
    """Check ``count`` positions from a number on."""
    tally = Tally()
    answers = {number: check(number, tally, variants) for number in range(first, first + count)}
    check_again({number: found for number, found in answers.items() if found is not None}, tally)
    return tally


def main() -> None:
    """Check positions and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the number of the first position")
    parser.add_argument("--count", type=int, default=1_000_000, help="how many positions")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--minutes", type=float, default=600.0, help="time limit for starting new positions")
    parser.add_argument("--variants", action="store_true", help="knight and orthogonal boards, off-by-one clues")
    asked = parse_arguments(parser)
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
    figures = {**vars(total), "build": BUILD, "first": asked.first}
    print(json.dumps(figures, indent=1))
    if asked.write:
        seeds = f"positions {asked.first} to {asked.first + asked.count - 1}"
        save("audit_variants" if asked.variants else "audit", figures, seeds=seeds)
    sys.exit(1 if total.wrong else 0)


if __name__ == "__main__":
    main()
