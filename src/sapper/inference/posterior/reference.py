"""The exact posterior in Python integers and fractions: slow, readable, and what the kernels are checked against.

1. Clues become `Statement`s: the weight of each number of mines among their hidden cells.
2. Cells that the same statements touch form a `Box`. Its cells are interchangeable: a box of k cells holds m mines in
   C(k, m) ways.
3. Boxes that share statements, directly or through others, form a component. Components meet only in the total.
4. Boxes are eliminated one after the other. A state says how many mines each open statement has so far; equal states
   merge. Each state carries a polynomial: entry n is the weight of all ways to reach it with n mines.
5. A second pass, backwards from the weight of everything else, gives the expected mines of every box.

This is variable elimination on a factor graph (Zhang and Poole, 1994) with the two passes of the sum-product algorithm
(inside-outside); the polynomial in the number of mines ties the components together.

>>> from sapper.observation import Observation
>>> read_knowledge(Observation.parse("1#/## 1")).statements
(Statement(source=0, cells=(1, 2, 3), weights=(0, 1, 0, 0)),)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, prod

from sapper.channel import SOFT_KINDS
from sapper.observation import EXPLODED, FLAG, HIDDEN, Observation

Weight = int | Fraction


@dataclass(frozen=True, slots=True)
class Statement:
    """The likelihood of a clue for each number of mines among its hidden cells."""

    source: int  # the cell that shows the clue
    cells: tuple[int, ...]  # hidden cells, ascending
    weights: tuple[Weight, ...]  # by number of mines among the cells, 0 … len(cells)

    @property
    def n_mines(self) -> int | None:
        """The number of mines among the cells, if only one is possible."""
        possible = [count for count, weight in enumerate(self.weights) if weight]
        return possible[0] if len(possible) == 1 else None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything an observation says: what is unknown, what is known to be a mine, and the statements."""

    unknown: tuple[int, ...]  # cells that may or may not be mines, ascending
    mines: tuple[int, ...]  # exploded, or flagged by a player who is trusted
    statements: tuple[Statement, ...]
    total_left: int | None  # mines among the unknown cells; None if unknown


def read_knowledge(observation: Observation, trust_flags: bool = False) -> Knowledge:
    """Turn an observation into statements; linear in its cells. Flags are ignored unless trusted."""
    cells = observation.cells.ravel().tolist()
    board = observation.topology
    mine_codes = (EXPLODED, FLAG) if trust_flags else (EXPLODED,)
    mines = tuple(index for index, code in enumerate(cells) if code in mine_codes)
    unknown = tuple(index for index, code in enumerate(cells) if code in (HIDDEN, FLAG) and code not in mine_codes)
    statements = []
    for index, shown in enumerate(cells):
        if shown < 0:
            continue
        around = board.neighbours_of(index)
        hidden = tuple(cell for cell in around if cells[cell] in (HIDDEN, FLAG) and cells[cell] not in mine_codes)
        n_known = sum(cells[cell] in mine_codes for cell in around)
        truths = range(n_known, n_known + len(hidden) + 1)
        weights = tuple(_likelihood(observation, len(around), shown, truth) for truth in truths)
        statements.append(Statement(index, hidden, weights))
    total_left = None if observation.total is None else observation.total - len(mines)
    return Knowledge(unknown, mines, tuple(statements), total_left)


def _likelihood(observation: Observation, n_neighbours: int, shown: int, truth: int) -> Weight:
    channel = observation.channel
    if channel.kind not in SOFT_KINDS:
        # A withheld clue that is shown after all is the truth; how likely it was to be shown cancels out.
        return int(shown == truth)
    return Fraction(channel.likelihood(n_neighbours)[shown, truth])


@dataclass(frozen=True, slots=True)
class Box:
    """Interchangeable cells."""

    cells: tuple[int, ...]  # ascending
    statements: tuple[int, ...]  # indices into the knowledge's statements, ascending


def group_boxes(knowledge: Knowledge) -> tuple[list[Box], tuple[int, ...]]:
    """Return the boxes, and the unconstrained cells that no statement touches.

    >>> from sapper.inference.posterior.reference import read_knowledge
    >>> from sapper.observation import Observation
    >>> boxes, unconstrained = group_boxes(read_knowledge(Observation.parse("1##/### 2")))
    >>> [box.cells for box in boxes], unconstrained
    ([(1, 3, 4)], (2, 5))
    """
    touching: dict[int, list[int]] = {cell: [] for cell in knowledge.unknown}
    for number, statement in enumerate(knowledge.statements):
        for cell in statement.cells:
            touching[cell].append(number)
    members: dict[tuple[int, ...], list[int]] = {}
    for cell, numbers in touching.items():
        members.setdefault(tuple(numbers), []).append(cell)
    unconstrained = tuple(members.pop((), []))
    return [Box(tuple(cells), numbers) for numbers, cells in members.items()], unconstrained


def group_components(boxes: list[Box]) -> list[list[Box]]:
    """Split boxes into components, each in an order good for elimination.

    The next box is always the one that leaves the fewest statements open: touched both by a box that has been
    eliminated and by one that has not. The cost is exponential in their number.
    """
    by_statement: dict[int, set[int]] = {}
    for index, box in enumerate(boxes):
        for statement in box.statements:
            by_statement.setdefault(statement, set()).add(index)
    waiting = set(range(len(boxes)))
    components = []
    while waiting:
        component: list[int] = []
        reached = {min(waiting)}
        done: set[int] = set()
        while reached:
            chosen = min(reached, key=lambda index: (_n_left_open(boxes[index], by_statement, done | {index}), index))
            component.append(chosen)
            done.add(chosen)
            reached |= {other for statement in boxes[chosen].statements for other in by_statement[statement]}
            reached -= done
        waiting -= done
        components.append([boxes[index] for index in component])
    return components


def _n_left_open(box: Box, by_statement: dict[int, set[int]], done: set[int]) -> int:
    """Return how many statements this box opens, less those that it closes."""
    change = 0
    for statement in box.statements:
        touching = by_statement[statement]
        n_done = len(touching & done)
        if n_done == 1 and len(touching) > 1:
            change += 1
        elif n_done == len(touching) > 1:
            change -= 1
    return change


Polynomial = dict[int, Weight]  # number of mines → weight
State = tuple[tuple[int, int], ...]  # (statement, mines so far) of every open statement
Layer = dict[State, Polynomial]


@dataclass(frozen=True, slots=True)
class ReferencePosterior:
    """What is known of the mines: exact fractions."""

    p_mine: dict[int, Fraction]  # by cell, unknown cells only
    weight: Weight  # of all layouts together; their number if clues are exact and no density is given


def multiply(one: Polynomial, other: Polynomial) -> Polynomial:
    """Return the product of two polynomials."""
    product: Polynomial = {}
    for n, weight in one.items():
        for m, factor in other.items():
            product[n + m] = product.get(n + m, 0) + weight * factor
    return product


def posterior(
    observation: Observation, density: Fraction = Fraction(1, 2), trust_flags: bool = False
) -> ReferencePosterior | None:
    """Return the exact posterior, or None if no layout fits.

    With the total unknown, every cell has the prior mine probability ``density``. Exponential in the number of
    statements that are open at once.

    >>> from sapper.observation import Observation
    >>> found = posterior(Observation.parse("1#/## 1"))
    >>> found.p_mine[1], found.weight
    (Fraction(1, 3), 3)
    """
    return posterior_of(read_knowledge(observation, trust_flags), density)


def posterior_of(knowledge: Knowledge, density: Fraction = Fraction(1, 2)) -> ReferencePosterior | None:
    """Return the exact posterior of what is known, or None if no layout fits."""
    # A statement about no cells has no box that could close it: its weight is constant.
    settled = prod(statement.weights[0] for statement in knowledge.statements if not statement.cells)
    boxes, unconstrained = group_boxes(knowledge)
    components = group_components(boxes)
    n_left, n_free = knowledge.total_left, len(unconstrained)
    summing = _Summing(knowledge.statements, None if n_left is not None else density)
    layers = [summing.forwards(component) for component in components]
    whole = [forwards[-1].get((), {}) for forwards in layers]
    free: Polynomial = {0: 1}
    if n_left is not None:
        free = {n: comb(n_free, n) for n in range(min(n_left, n_free) + 1)}
    before = [*accumulate(whole, multiply, initial={0: settled})]
    after = [*accumulate(reversed(whole), multiply, initial=free)][::-1]
    # Without a total, polynomials are constants: the entry for no mines.
    target = n_left or 0
    total_weight = after[0].get(target, 0) * settled
    if not total_weight:
        return None
    p_mine: dict[int, Fraction] = {}
    for number, component in enumerate(components):
        outside = {
            n: sum(w * after[number + 1].get(target - n - m, 0) for m, w in before[number].items())
            for n in whole[number]
        }
        expected = summing.expected_mines(component, layers[number], outside)
        for box, mines in zip(component, expected, strict=True):
            for cell in box.cells:
                p_mine[cell] = Fraction(mines) / Fraction(total_weight) / len(box.cells)
    p_free = density
    if n_left is not None and n_free:
        in_free = sum(n * ways * before[-1].get(n_left - n, 0) for n, ways in free.items())
        p_free = Fraction(in_free) / Fraction(total_weight) / n_free
    p_mine |= dict.fromkeys(unconstrained, p_free)
    if n_left is None:
        # Weights are multiples of the odds' denominators.
        odds = density / (1 - density)
        n_boxed = sum(len(box.cells) for box in boxes)
        total_weight = Fraction(total_weight) * (1 + odds) ** n_free / odds.denominator**n_boxed
        total_weight = total_weight.numerator if total_weight.denominator == 1 else total_weight
    return ReferencePosterior(p_mine, total_weight)


class _Summing:
    """Sum components forwards and backwards. With a density, a mine weighs its odds, and mines are not counted."""

    def __init__(self, statements: tuple[Statement, ...], density: Fraction | None) -> None:
        self._statements = statements
        self._counts = density is None
        odds = Fraction(1) if density is None else density / (1 - density)
        self._mine, self._safe = odds.numerator, odds.denominator

    def forwards(self, component: list[Box]) -> list[Layer]:
        """Return the states before the first box and after each one."""
        closes_at = _closing_steps(component)
        layers: list[Layer] = [{(): {0: 1}}]
        for step, box in enumerate(component):
            layer: Layer = {}
            for state, polynomial in layers[-1].items():
                for count, ways in enumerate(self._ways(box)):
                    following, weight = _place(state, box, count, step, closes_at, self._statements)
                    if weight:
                        shift = count if self._counts else 0
                        _add(layer.setdefault(following, {}), polynomial, shift, ways * weight)
            layers.append(layer)
        return layers

    def expected_mines(self, component: list[Box], layers: list[Layer], outside: Polynomial) -> list[Weight]:
        """Return for each box the sum over all layouts of their weight times the mines in it.

        ``outside`` is the weight of everything else by the mines of the component.
        """
        closes_at = _closing_steps(component)
        backwards: Layer = {(): outside}
        expected: list[Weight] = []
        for step in reversed(range(len(component))):
            box = component[step]
            layer: Layer = {}
            mines: Weight = 0
            for state, polynomial in layers[step].items():
                for count, ways in enumerate(self._ways(box)):
                    following, weight = _place(state, box, count, step, closes_at, self._statements)
                    if not weight or following not in backwards:
                        continue
                    shift = count if self._counts else 0
                    rest: Polynomial = {}
                    _add(rest, backwards[following], -shift, ways * weight)
                    _add(layer.setdefault(state, {}), rest, 0, 1)
                    mines += count * sum(so_far * rest.get(n, 0) for n, so_far in polynomial.items())
            backwards = layer
            expected.append(mines)
        return expected[::-1]

    def _ways(self, box: Box) -> list[int]:
        """Return the weight of each number of mines in a box."""
        size = len(box.cells)
        return [comb(size, m) * self._mine**m * self._safe ** (size - m) for m in range(size + 1)]


def _closing_steps(component: list[Box]) -> dict[int, int]:
    """Return the step at which each statement closes."""
    return {number: step for step, box in enumerate(component) for number in box.statements}


def count_layouts(knowledge: Knowledge) -> int:
    """Return how many layouts fit, each counted once whatever its weight."""
    possible = tuple(
        Statement(statement.source, statement.cells, tuple(int(weight > 0) for weight in statement.weights))
        for statement in knowledge.statements
    )
    if not all(statement.weights[0] for statement in possible if not statement.cells):
        return 0
    boxes, unconstrained = group_boxes(knowledge)
    everything: Polynomial = {0: 1}
    summing = _Summing(possible, None)
    for component in group_components(boxes):
        everything = multiply(everything, summing.forwards(component)[-1].get((), {}))
    if knowledge.total_left is None:
        return sum(int(ways) for ways in everything.values()) << len(unconstrained)
    n_left = knowledge.total_left
    return sum(int(ways) * comb(len(unconstrained), n_left - n) for n, ways in everything.items() if n <= n_left)


def _add(target: Polynomial, other: Polynomial, shift: int, factor: Weight) -> None:
    """Add a polynomial times a factor, with ``shift`` more mines."""
    for n, weight in other.items():
        target[n + shift] = target.get(n + shift, 0) + weight * factor


def _place(
    state: State, box: Box, count: int, step: int, closes_at: dict[int, int], statements: tuple[Statement, ...]
) -> tuple[State, Weight]:
    """Put ``count`` mines into a box: the state after it, and the weight of the statements that close with it."""
    so_far = dict(state)
    weight: Weight = 1
    for number in box.statements:
        so_far[number] = so_far.get(number, 0) + count
        if closes_at[number] == step:
            weight *= statements[number].weights[so_far.pop(number)]
        elif not any(statements[number].weights[so_far[number] :]):
            weight = 0
    return tuple(sorted(so_far.items())), weight
