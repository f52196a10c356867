"""Every way of reasoning again, as simply as it can be said: sets, all pairs, until nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from sapper.observation import EXPLODED, FLAG, HIDDEN, Observation

Statement = tuple[frozenset[int], int, int]  # cells, fewest and most mines among them


class Naive:
    """What is known: safe cells, mines, and statements made afresh whenever somebody asks."""

    def __init__(self, observation: Observation) -> None:
        self.observation = observation
        board = observation.topology
        self.cells = observation.cells.ravel().tolist()
        self.around = [set(board.neighbours_of(cell)) for cell in range(board.n_cells)]
        self.hidden = {cell for cell, code in enumerate(self.cells) if code in (HIDDEN, FLAG)}
        self.exploded = {cell for cell, code in enumerate(self.cells) if code == EXPLODED}
        self.safe: set[int] = set()
        self.mines: set[int] = set()

    @property
    def unknown(self) -> set[int]:
        return self.hidden - self.safe - self.mines

    def bounds(self, cell: int) -> tuple[int, int]:
        shown, channel = self.cells[cell], self.observation.channel
        if channel.kind in ("exact", "withheld") or channel.p == 0.0:
            return shown, shown
        degree = len(self.around[cell])
        if channel.kind == "liar":
            # Which truths could have led there; a truth at an end has only one way to go.
            below, above = shown - 1 if shown else shown, shown + 1 if shown < degree else shown
            return (
                above if shown == 0 and degree and channel.p == 1.0 else below,
                below if shown == degree and degree and channel.p == 1.0 else above,
            )
        return (shown, degree) if channel.kind == "optimistic" else (0, shown)

    def statement(self, cell: int) -> Statement:
        low, high = self.bounds(cell)
        known = len(self.around[cell] & (self.mines | self.exploded))
        return frozenset(self.around[cell] & self.unknown), low - known, high - known

    def clues(self) -> list[int]:
        return [cell for cell, code in enumerate(self.cells) if code >= 0]

    def statements(self) -> set[Statement]:
        return {one for one in map(self.statement, self.clues()) if one[0]}

    def conclude(self, cells: frozenset[int] | set[int], low: int, high: int) -> bool:
        """Learn what a statement settles by itself; return whether anything was new."""
        before = len(self.safe) + len(self.mines)
        if cells and high == 0:
            self.safe |= cells & self.unknown
        elif cells and low == len(cells):
            self.mines |= cells & self.unknown
        return len(self.safe) + len(self.mines) > before


def single(naive: Naive) -> bool:
    return any(naive.conclude(*one) for one in naive.statements())


def pairs(naive: Naive) -> bool:
    for (a, low1, high1), (b, low2, high2) in product(naive.statements(), repeat=2):
        common, own = a & b, a - b
        if not common:
            continue
        least = max(low1 - len(a - b), low2 - len(b - a), 0)
        most = min(high1, high2, len(common))
        if naive.conclude(common, least, most) or naive.conclude(own, low1 - most, high1 - least):
            return True
    return False


def subsets(naive: Naive) -> bool:
    known = {cells: (max(low, 0), min(high, len(cells))) for cells, low, high in naive.statements()}
    for cells, low, high in naive.statements():
        known[cells] = max(known[cells][0], low), min(known[cells][1], high)
    while True:
        new: dict[frozenset[int], tuple[int, int]] = {}
        for a, b in product(known, repeat=2):
            if a < b:
                low, high = max(known[b][0] - known[a][1], 0), min(known[b][1] - known[a][0], len(b - a))
                old = new.get(b - a) or known.get(b - a) or (0, len(b - a))
                sharper = max(low, old[0]), min(high, old[1])
                if sharper != known.get(b - a):
                    new[b - a] = sharper
        if not new:
            break
        known |= new
    return any(naive.conclude(cells, *bounds) for cells, bounds in known.items())


def one_two(naive: Naive) -> bool:
    board = naive.observation.topology
    for one in naive.clues():
        for two in naive.around[one] & set(naive.clues()):
            row1, col1 = board.cell(one)
            row2, col2 = board.cell(two)
            beside = board.shape == "hex" or row1 == row2 or col1 == col2
            cells1, _, high1 = naive.statement(one)
            cells2, low2, _ = naive.statement(two)
            alone = cells2 - cells1
            if beside and high1 == 1 and low2 == 2 and len(alone) == 1 and naive.conclude(alone, 1, 1):
                return True
    return False


def assume(naive: Naive, cell: int, is_mine: bool) -> bool:
    """Whether an assumption survives the two rules."""
    trial = Naive(naive.observation)
    trial.safe, trial.mines = set(naive.safe), set(naive.mines)
    (trial.mines if is_mine else trial.safe).add(cell)
    while True:
        if any(high < 0 or low > len(cells) for cells, low, high in map(trial.statement, trial.clues())):
            return False
        if not single(trial):
            return True


def contradictions(naive: Naive) -> bool:
    frontier = {cell for cells, _, _ in naive.statements() for cell in cells}
    for cell in sorted(frontier):
        for is_mine in (True, False):
            if not assume(naive, cell, is_mine):
                (naive.safe if is_mine else naive.mines).add(cell)
                return True
    return False


def least_involved(naive: Naive) -> bool:
    counts: dict[int, int] = {}
    for clue in naive.clues():
        for cell in naive.statement(clue)[0]:
            counts[cell] = counts.get(cell, 0) + 1
    if not counts:
        return False
    cell = min(counts, key=lambda one: (counts[one], one))
    if assume(naive, cell, True):
        return False
    naive.safe.add(cell)
    return True


def fixpoint(observation: Observation, *ways: Callable[[Naive], bool]) -> tuple[set[int], set[int]]:
    """Apply the ways, easiest first, until none finds anything; return the safe cells and the mines."""
    naive = Naive(observation)
    while any(way(naive) for way in ways):
        pass
    return naive.safe, naive.mines
