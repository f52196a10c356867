"""Heuristic guessers. Each names an undecided cell, its risk if it has an estimate, and why."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple, Protocol

import numpy as np

from sapper.inference.facts import Facts, cells_of
from sapper.words import percent


class Guess(NamedTuple):
    """An undecided cell, by number, with its estimated risk and the reason."""

    cell: int
    p_mine: float | None
    why: str


class Guesser(Protocol):
    """Chooses a cell when nothing is certain; there is at least one undecided cell."""

    def guess(self, facts: Facts) -> Guess:
        """Choose an undecided cell."""
        ...


class RandomGuess:
    """Chooses uniformly from the undecided cells."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def guess(self, facts: Facts) -> Guess:
        """Draw a cell."""
        n_unknown = facts.unknown.bit_count()
        cell = self._draw(facts.unknown, facts.board.n_cells, n_unknown)
        return Guess(cell, None, f"nothing is certain; a random one of {count_cells(n_unknown)}")

    def _draw(self, unknown: int, n_cells: int, n_unknown: int) -> int:
        # The first undecided one of some random cells: listing all of them takes time in proportion to the board.
        for cell in self._rng.integers(n_cells, size=16).tolist():
            if unknown >> cell & 1:
                return int(cell)
        return cells_of(unknown)[int(self._rng.integers(n_unknown))]


class QueueGuess:
    """Takes the first undecided cell of a queue: all cells in random order, or those with fewer neighbours first.

    Report 000 shuffles all cells once. Report 003 takes corners, then edges, then the rest: on any topology, that is
    the cells with the fewest neighbours first.
    """

    def __init__(self, rng: np.random.Generator, corners_first: bool = False) -> None:
        self._rng = rng
        self._corners_first = corners_first
        self._queue: list[int] = []
        self._at = 0

    def guess(self, facts: Facts) -> Guess:
        """Take the next cell that is still undecided."""
        if len(self._queue) != facts.board.n_cells:
            self._queue = self._rng.permutation(facts.board.n_cells).tolist()
            self._at = 0
            if self._corners_first:
                degree = facts.board.degree.tolist()
                self._queue.sort(key=lambda cell: degree[cell])
        while not facts.unknown >> self._queue[self._at] & 1:
            # Past the end only if another game has started on the same board.
            self._at = (self._at + 1) % len(self._queue)
        cell = self._queue[self._at]
        if not self._corners_first:
            return Guess(cell, None, "nothing is certain; the next cell of a shuffled queue")
        n_around = int(facts.board.degree[cell])
        return Guess(cell, None, f"nothing is certain; few neighbours first, and this one has {n_around}")


class FringeGuess:
    """Report 003's choice: neighbours of zeros, first in, first out; else, if asked, corners, then edges; else any.

    Its first cell is always a random one. Corners and edges come row by row: on any topology, the cells with the fewest
    neighbours first, as long as they have fewer than others.
    """

    def __init__(self, rng: np.random.Generator, corners_first: bool = False) -> None:
        self._random = RandomGuess(rng)
        self._corners_first = corners_first
        self._facts: Facts | None = None
        self._fringe: deque[tuple[int, int]] = deque()  # waiting cells, each with the zero that it touches
        self._border: deque[int] = deque()

    def guess(self, facts: Facts) -> Guess:
        """Take the cell that has waited longest."""
        if facts is not self._facts:
            self._begin(facts)
        zeros = [cell for cell in facts.opened if facts.clues.get(cell) == (0, 0)]
        self._fringe += [(cell, zero) for zero in zeros for cell in facts.neighbours[zero]]
        while self._fringe:
            cell, zero = self._fringe.popleft()
            if facts.unknown >> cell & 1:
                return Guess(cell, 0.0, f"the 0 at {divmod(zero, facts.board.cols)} touches no mine")
        while self._border and facts.unknown.bit_count() < facts.board.n_cells:
            cell = self._border.popleft()
            if facts.unknown >> cell & 1:
                return Guess(cell, None, "no zero is open; corners, then edges")
        return self._random.guess(facts)

    def _begin(self, facts: Facts) -> None:
        self._facts = facts
        self._fringe.clear()
        degree = facts.board.degree.tolist()
        border = [cell for cell in range(facts.board.n_cells) if degree[cell] < max(degree)]
        self._border = deque(sorted(border, key=lambda cell: degree[cell]) if self._corners_first else ())


class ProductGuess:
    """Report 001's estimate: for a cell on the frontier, the product of its clues' shares; elsewhere, the density.

    The product is not a probability: with two clues of one half each it says a quarter. It is kept as this agent's own
    heuristic. Without a known total it has nothing to compare with, and guesses at random.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._random = RandomGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Take the cell with the lowest estimate, the first of equals."""
        if facts.total is None or not facts.clues:
            return self._random.guess(facts)
        estimates = dict.fromkeys(cells_of(facts.unknown), -1.0)
        for share, cells in clue_shares(facts):
            for cell in cells:
                known = estimates[cell]
                estimates[cell] = share if known < 0 else known * share
        density = (facts.total - facts.mines.bit_count()) / facts.unknown.bit_count()
        cell = min(estimates, key=lambda one: estimates[one] if estimates[one] >= 0 else density)
        where = "the density off the frontier" if estimates[cell] < 0 else "the product of its clues' shares"
        p = density if estimates[cell] < 0 else estimates[cell]
        return Guess(cell, p, f"nothing is certain; {where} is the least, {_write(p)}")


class DensityGuess:
    """Estimates roughly where exact sums are out of reach: the largest of its clues' shares; elsewhere the density.

    With the total unknown the density is taken to be the mean share of the clues.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def guess(self, facts: Facts) -> Guess:
        """Take a cell with the lowest estimate, a random one of equals."""
        estimates: dict[int, float] = {}
        shares = clue_shares(facts)
        for share, cells in shares:
            for cell in cells:
                estimates[cell] = max(estimates.get(cell, 0.0), share)
        density = sum(share for share, _ in shares) / len(shares) if shares else 0.5
        if facts.total is not None:
            density = (facts.total - facts.mines.bit_count()) / facts.unknown.bit_count()
        by_risk = {cell: estimates.get(cell, density) for cell in cells_of(facts.unknown)}
        least = min(by_risk.values())
        choices = [cell for cell, risk in by_risk.items() if risk == least]
        cell = choices[int(self._rng.integers(len(choices)))]
        return Guess(cell, least, f"nothing is certain; by its clues' shares the risk is about {_write(least)}")


def clue_shares(facts: Facts) -> list[tuple[float, list[int]]]:
    """Yield, for every clue with undecided neighbours, the share of mines among them and the cells.

    Of a clue that may be wrong, half way between the fewest and the most that they can hold.
    """
    return [
        ((max(low, 0) + min(high, cells.bit_count())) / 2 / cells.bit_count(), cells_of(cells))
        for cells, low, high in facts.statements(facts.clues).values()
    ]


def count_cells(n: int) -> str:
    """Return a number of undecided cells in words."""
    return f"{n} unknown cells" if n != 1 else "one unknown cell"


def _write(p: float) -> str:
    return percent(p, certain=False, places=1)
