"""Static puzzles by backtracking search, as in report 004: place the mines so that every clue holds.

The measure is the number of expanded nodes: assignments of a value to a cell that pass the checks and are followed up.
Perfect choices take one per unknown cell. Every heuristic can be switched on and off by itself:

- which cell next: ``first`` (row by row), ``nearest`` to the last one by Manhattan distance, ``mrv`` (minimum remaining
  values, then most clues), ``degree`` (most clues with something left to decide), ``fewest`` (fewest such clues);
- which value first: ``mine``, ``clear`` or ``lcv`` (least constraining value, safe if equal);
- ``forward_checking``: values that a clue no longer allows are removed at once, and an empty domain ends the branch;
- ``memory``: a state that failed once is not searched again.

`search_as_reported` is the report's own program, faults included: only mines branch, a cell tries a limited number of
others, first in first out, the first one stays in the queue, and five of the eight neighbours are checked before a mine
is placed.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from sapper.channel import SOFT_KINDS
from sapper.errors import InputError
from sapper.inference.posterior.reference import Statement, read_knowledge
from sapper.layout import Layout
from sapper.observation import Observation

Order = Literal["first", "nearest", "mrv", "degree", "fewest"]
ORDERS: tuple[Order, ...] = get_args(Order)
Values = Literal["mine", "clear", "lcv"]
VALUES: tuple[Values, ...] = get_args(Values)


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Which heuristics the search uses."""

    order: Order = "mrv"
    values: Values = "lcv"
    forward_checking: bool = True
    memory: bool = False

    def __post_init__(self) -> None:
        for value, allowed, name in ((self.order, ORDERS, "order of cells"), (self.values, VALUES, "order of values")):
            if value not in allowed:
                raise InputError(f"There is no {name} {value!r}; choose from {', '.join(allowed)}.")

    def __str__(self) -> str:
        words = [self.order, f"{self.values} first" if self.values != "lcv" else "lcv"]
        if self.forward_checking:
            words.append("forward checking")
        if self.memory:
            words.append("memory")
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    layouts: the first that fits, or all of them; none if they were only counted.
    n_nodes: the nodes expanded.
    finished: whether the search ended before any limit was reached.
    n_layouts: the layouts found.
    """

    layouts: tuple[Layout, ...]
    n_nodes: int
    finished: bool
    n_layouts: int = 0


# The neighbours that the report's program checks before it places a mine: it lists eight and repeats three.
_LOOKED_AT = ((0, -1), (-1, -1), (1, -1), (0, 1), (-1, 1))


def search_as_reported(
    observation: Observation,
    children: int = 4,
    node_limit: int = 100_000,
    *,
    memory: bool = False,
    order: Literal["queue", "fewest", "most"] = "queue",
) -> Found:
    """Search as the report's program does, faults included, on a square board with a known total.

    ``memory`` and ``order`` are what the report would try next: not to place a failed set of mines again, and to follow
    up the cell with the fewest, or most, other unassigned cells around it.
    The report does not say how many children a cell may have, nor that its first cell stays in the queue. With four
    children and that mistake, its counts of 5374, 1892, more than 30000 and 1843 nodes are reproduced exactly.
    """
    if observation.total is None or observation.topology.shape != "square":
        raise InputError("The report's search needs a square board and a known number of mines.")
    cols = observation.cols
    hints = {divmod(cell, cols): code for cell, code in enumerate(observation.cells.ravel().tolist()) if code >= 0}
    unassigned = deque((row, col) for row, col in np.argwhere(observation.closed).tolist())
    mines: list[tuple[int, int]] = []  # the cells followed up, one within the other
    n_tried: list[int] = []  # how many others each of them has followed up
    failed: set[frozenset[tuple[int, int]]] = set()
    n_nodes = 0
    solved = False
    finished = True
    cell = unassigned[0] if unassigned else None
    while True:
        if (
            cell is not None
            and not any(hints.get((cell[0] + down, cell[1] + right), 1) <= 0 for down, right in _LOOKED_AT)
            and not (memory and frozenset((*mines, cell)) in failed)
        ):
            if len(mines) >= observation.total and not any(hints.values()):
                solved = True
                break
            if n_nodes == node_limit:
                finished = False
                break
            n_nodes += 1
            mines.append(cell)
            n_tried.append(0)
            _add_around(hints, cell, -1)
        elif mines and cell is not None:
            unassigned.append(cell)
        while mines and (n_tried[-1] == children or not unassigned):
            # It led nowhere: it goes to the end of the queue.
            if memory:
                failed.add(frozenset(mines))
            _add_around(hints, mines[-1], 1)
            n_tried.pop()
            given_up = mines.pop()
            if mines:
                unassigned.append(given_up)
        if not mines:
            break
        n_tried[-1] += 1
        cell = _take(unassigned, order)
    layouts = (Layout.of(observation.topology, mines),) if solved else ()
    return Found(layouts, n_nodes, finished, len(layouts))


def _take(unassigned: deque[tuple[int, int]], order: str) -> tuple[int, int]:
    if order == "queue":
        return unassigned.popleft()
    waiting = set(unassigned)
    cell = (min if order == "fewest" else max)(unassigned, key=lambda one: len(waiting & _square_around(one)))
    unassigned.remove(cell)
    return cell


def _add_around(hints: dict[tuple[int, int], int], cell: tuple[int, int], change: int) -> None:
    for one in _square_around(cell) & hints.keys():
        hints[one] += change


@cache
def _square_around(cell: tuple[int, int]) -> frozenset[tuple[int, int]]:
    row, col = cell
    return frozenset((row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1))


_Key = tuple[frozenset[int], tuple[int, ...], int | None]  # what is decided, what the clues and the total need

NODE_LIMIT = 1_000_000


class _LimitReached(Exception):
    """The limit of nodes or of time is reached."""


def search(
    observation: Observation,
    heuristics: Heuristics | None = None,
    *,
    find_all: bool = False,
    count_only: bool = False,
    node_limit: int = NODE_LIMIT,
    seconds: float = math.inf,
    progress: Callable[[int, int], None] | None = None,
) -> Found:
    """Find a layout that fits, or all of them, by backtracking; exponential in the unknown cells at worst.

    ``count_only`` counts all layouts and keeps none. ``progress`` is called now and then with the number of expanded
    nodes and their limit.

    >>> from sapper.observation import Observation
    >>> puzzle = Observation.parse("1#/## 1")
    >>> sorted(str(layout) for layout in search(puzzle, find_all=True).layouts)
    ['-*/--', '--/*-', '--/-*']
    >>> search(puzzle, count_only=True).n_layouts
    3
    """
    state = _State(observation, heuristics or Heuristics(), node_limit, find_all or count_only, count_only)
    state.deadline = time.monotonic() + seconds
    state.progress = progress
    try:
        state.run()
        finished = True
    except _LimitReached:
        finished = False
    return Found(tuple(state.layouts), state.n_nodes, finished, state.n_layouts)


class _Step(NamedTuple):
    """A cell whose values are being tried, one after the other."""

    cell: int
    values: Iterator[int]  # still to be tried
    last: int | None  # the cell before it
    key: _Key | None  # the state in which it was reached, with ``memory``
    n_layouts: int  # found before


@dataclass
class _State:
    """The search in progress: clues with what they still need, cells with the values they may still take."""

    observation: Observation
    heuristics: Heuristics
    node_limit: int
    find_all: bool
    count_only: bool = False
    layouts: list[Layout] = field(default_factory=list)
    n_layouts: int = 0
    n_nodes: int = 0
    deadline: float = math.inf
    progress: Callable[[int, int], None] | None = None

    def __post_init__(self) -> None:
        if self.observation.channel.kind in SOFT_KINDS:
            raise InputError("A puzzle must have exact clues; those of this position may be wrong.")
        knowledge = read_knowledge(self.observation)
        self.known_mines = knowledge.mines
        self.statements = [one for one in knowledge.statements if one.cells]
        self.impossible = any(one.n_mines is None for one in knowledge.statements)
        self.need = [_mines_of(one) for one in self.statements]
        self.n_open = [len(one.cells) for one in self.statements]
        self.touching: dict[int, list[int]] = {cell: [] for cell in knowledge.unknown}
        for number, statement in enumerate(self.statements):
            for cell in statement.cells:
                self.touching[cell].append(number)
        self.total_left = knowledge.total_left
        self.values: dict[int, int] = {}
        self.domains = {cell: {0, 1} for cell in knowledge.unknown}
        self.struck: dict[int, list[tuple[int, int]]] = {}  # by the cell whose value did it
        self.last: int | None = None
        self.failed: set[_Key] = set()

    def run(self) -> None:
        """Search the tree with an explicit stack: a board may have more cells than Python allows calls."""
        if self.impossible or not self._may_hold(range(len(self.statements))):
            return
        stack: list[_Step] = []
        if self._arrive(stack):
            return
        while stack:
            step = stack[-1]
            value = next(step.values, None)
            if step.cell in self.values:
                self._take_back(step.cell)
            if value is None:
                stack.pop()
                self.last = step.last
                if step.key is not None and self.n_layouts == step.n_layouts:
                    self.failed.add(step.key)
            elif self._assign(step.cell, value):
                if self.n_nodes == self.node_limit:
                    raise _LimitReached
                self.n_nodes += 1
                # The clock is checked now and then only.
                if self.n_nodes % 64 == 0:
                    if time.monotonic() > self.deadline:
                        raise _LimitReached
                    if self.progress is not None:
                        self.progress(self.n_nodes, self.node_limit)
                if self._arrive(stack):
                    return

    def _arrive(self, stack: list[_Step]) -> bool:
        """Record a layout, or push the next cell; return whether one layout was found and is enough."""
        if len(self.values) == len(self.domains):
            if self.total_left not in (None, 0):
                return False
            self.n_layouts += 1
            if not self.count_only:
                mines = [cell for cell, value in self.values.items() if value]
                self.layouts.append(Layout.of_numbers(self.observation.topology, [*self.known_mines, *mines]))
            return not self.find_all
        key = self._key() if self.heuristics.memory else None
        if key is None or key not in self.failed:
            cell = self._next_cell()
            stack.append(_Step(cell, iter(self._ordered_values(cell)), self.last, key, self.n_layouts))
            self.last = cell
        return False

    def _key(self) -> _Key:
        return frozenset(self.values), tuple(self.need), self.total_left

    # -- which cell, which value --------------------------------------------------------------------------

    def _next_cell(self) -> int:
        waiting = [cell for cell in self.domains if cell not in self.values]
        order = self.heuristics.order
        if order == "nearest" and self.last is not None:
            row, col = self.observation.topology.cell(self.last)
            return min(waiting, key=lambda cell: self._distance(cell, row, col))
        if order == "mrv":
            return min(waiting, key=lambda cell: (len(self.domains[cell]), -self._degree(cell)))
        if order == "degree":
            return min(waiting, key=lambda cell: -self._degree(cell))
        if order == "fewest":
            return min(waiting, key=self._degree)
        return waiting[0]

    def _distance(self, cell: int, row: int, col: int) -> int:
        other_row, other_col = self.observation.topology.cell(cell)
        return abs(other_row - row) + abs(other_col - col)

    def _degree(self, cell: int) -> int:
        return sum(self.n_open[number] > 1 for number in self.touching[cell])

    def _ordered_values(self, cell: int) -> list[int]:
        allowed = self.domains[cell]
        values: list[int] = [value for value in (1, 0) if value in allowed]
        if self.heuristics.values != "mine":
            values.reverse()
        if self.heuristics.values == "lcv" and len(values) == 2:
            values.sort(key=lambda value: self._n_struck_by(cell, value))
        return values

    def _n_struck_by(self, cell: int, value: int) -> int:
        """Return how many values of other cells an assignment would rule out at once."""
        struck: set[int] = set()
        for number in self.touching[cell]:
            need, n_open = self.need[number] - value, self.n_open[number] - 1
            if need in (0, n_open):
                gone = 1 if need == 0 else 0
                others = self.statements[number].cells
                struck |= {other for other in others if other not in self.values and gone in self.domains[other]}
        return len(struck - {cell})

    # -- assignments --------------------------------------------------------------------------------------

    def _assign(self, cell: int, value: int) -> bool:
        """Set a cell and remove values elsewhere; return whether every clue can still hold."""
        self.values[cell] = value
        if self.total_left is not None:
            self.total_left -= value
        for number in self.touching[cell]:
            self.need[number] -= value
            self.n_open[number] -= 1
        self.struck[cell] = []
        if not self._may_hold(self.touching[cell]):
            return False
        return not self.heuristics.forward_checking or self._look_ahead(cell)

    def _take_back(self, cell: int) -> None:
        for other, value in self.struck.pop(cell):
            self.domains[other].add(value)
        value = self.values.pop(cell)
        if self.total_left is not None:
            self.total_left += value
        for number in self.touching[cell]:
            self.need[number] += value
            self.n_open[number] += 1

    def _may_hold(self, numbers: list[int] | range) -> bool:
        n_waiting = len(self.domains) - len(self.values)
        if self.total_left is not None and not 0 <= self.total_left <= n_waiting:
            return False
        return all(0 <= self.need[number] <= self.n_open[number] for number in numbers)

    def _look_ahead(self, cell: int) -> bool:
        """Remove values that clues no longer allow, to a fixpoint; return whether every clue can still hold.

        A cell with one value left counts as decided, so the effect propagates from clue to clue.
        """
        struck = self.struck[cell]
        waiting = deque(self.touching[cell])
        while waiting:
            number = waiting.popleft()
            open_cells = [other for other in self.statements[number].cells if other not in self.values]
            undecided = [other for other in open_cells if len(self.domains[other]) == 2]
            need = self.need[number] - sum(self.domains[other] == {1} for other in open_cells)
            if not 0 <= need <= len(undecided):
                return False
            if need not in (0, len(undecided)):
                continue
            gone = 1 if need == 0 else 0
            for other in undecided:
                self.domains[other].remove(gone)
                struck.append((other, gone))
                waiting.extend(self.touching[other])
        return True


def _mines_of(statement: Statement) -> int:
    return 0 if statement.n_mines is None else statement.n_mines
