"""The exact posterior in Python integers and fractions: slow, readable, and what the kernels are checked against.

Boxes are eliminated one after the other. A state says how many mines each open statement has so far; equal
states merge. With every state goes a polynomial: entry n is the weight of all ways to get there with n mines.
Forwards once, backwards once, and the distribution of every box falls out. Components multiply, and the
cells that no statement touches take what is left of the total.

This is variable elimination on a factor graph (Zhang and Poole, 1994) with the sum-product algorithm's two
passes; the polynomial in the number of mines is what ties the components together.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod
from typing import TYPE_CHECKING

from sapper.knowledge.boxes import Box, group_boxes
from sapper.knowledge.components import group_components
from sapper.knowledge.statements import Knowledge, Statement, Weight, read_knowledge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.observation import Observation

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

    With the total unknown, every cell is a mine with chance ``density`` to begin with. Exponential in the
    number of statements that are open at once.

    >>> from sapper.observation import Observation
    >>> found = posterior(Observation.parse("1#/## 1"))
    >>> found.p_mine[1], found.weight
    (Fraction(1, 3), 3)
    """
    return posterior_of(read_knowledge(observation, trust_flags), density)


def posterior_of(knowledge: Knowledge, density: Fraction = Fraction(1, 2)) -> ReferencePosterior | None:
    """Return the exact posterior of what is known, or None if no layout fits."""
    # A statement about no cells has no box that could close it: it weighs what it weighs.
    settled = prod(statement.weights[0] for statement in knowledge.statements if not statement.cells)
    boxes, unconstrained = group_boxes(knowledge)
    components = group_components(boxes)
    summed = [_sum_component(component, knowledge.statements) for component in components]
    whole = [product for _, product in summed]

    odds = density / (1 - density)
    n_free = len(unconstrained)

    def closing(n_used: int) -> Weight:
        """The weight of everything outside the components when they hold this many mines."""
        if knowledge.total_left is None:
            return settled * odds**n_used * (1 + odds) ** n_free
        n_left = knowledge.total_left - n_used
        return settled * comb(n_free, n_left) if 0 <= n_left <= n_free else 0

    def close(polynomial: Polynomial) -> Weight:
        return sum(weight * closing(n) for n, weight in polynomial.items())

    everything = _product(whole)
    total_weight = close(everything)
    if not total_weight:
        return None
    p_mine: dict[int, Fraction] = {}
    for number, component in enumerate(components):
        others = _product(whole[:number] + whole[number + 1 :])
        for box, by_count in zip(component, summed[number][0], strict=True):
            expected = sum(count * close(multiply(poly, others)) for count, poly in by_count.items())
            for cell in box.cells:
                p_mine[cell] = Fraction(expected) / Fraction(total_weight) / len(box.cells)
    for cell in unconstrained:
        if knowledge.total_left is None:
            p_mine[cell] = density
        else:
            left = sum(weight * closing(n) * (knowledge.total_left - n) for n, weight in everything.items())
            p_mine[cell] = Fraction(left) / Fraction(total_weight) / n_free
    return ReferencePosterior(p_mine, total_weight)


def _product(polynomials: list[Polynomial]) -> Polynomial:
    product: Polynomial = {0: 1}
    for polynomial in polynomials:
        product = multiply(product, polynomial)
    return product


def _sum_component(
    component: list[Box], statements: tuple[Statement, ...]
) -> tuple[list[dict[int, Polynomial]], Polynomial]:
    """Return for each box its polynomial by number of mines in it, and the polynomial of the whole component."""
    closes_at = _closing_steps(component)
    forwards = list(_layers(component, statements, closes_at))
    backwards: Layer = {(): {0: 1}}
    by_box: list[dict[int, Polynomial]] = []
    for step in reversed(range(len(component))):
        box = component[step]
        before: Layer = {}
        by_count: dict[int, Polynomial] = {}
        for state, polynomial in forwards[step].items():
            for count in range(len(box.cells) + 1):
                after, weight = _place(state, box, count, step, closes_at, statements)
                if not weight or after not in backwards:
                    continue
                ways = weight * comb(len(box.cells), count)
                rest = {n + count: ways * left for n, left in backwards[after].items()}
                _add(before.setdefault(state, {}), rest)
                _add(by_count.setdefault(count, {}), multiply(polynomial, rest))
        backwards = before
        by_box.append(by_count)
    return by_box[::-1], forwards[-1].get((), {})


def _closing_steps(component: list[Box]) -> dict[int, int]:
    """The step with whose box each statement closes."""
    return {number: step for step, box in enumerate(component) for number in box.statements}


def _layers(component: list[Box], statements: tuple[Statement, ...], closes_at: dict[int, int]) -> Iterator[Layer]:
    """Yield the states before the first box and after each one."""
    layer: Layer = {(): {0: 1}}
    yield layer
    for step, box in enumerate(component):
        after_box: Layer = {}
        for state, polynomial in layer.items():
            for count in range(len(box.cells) + 1):
                after, weight = _place(state, box, count, step, closes_at, statements)
                if weight:
                    target = after_box.setdefault(after, {})
                    ways = weight * comb(len(box.cells), count)
                    for n, so_far in polynomial.items():
                        target[n + count] = target.get(n + count, 0) + so_far * ways
        layer = after_box
        yield layer


def count_layouts(knowledge: Knowledge) -> int:
    """Return how many layouts fit what is known: every one counts once, however likely its clues are."""
    possible = tuple(
        Statement(statement.source, statement.cells, tuple(int(weight > 0) for weight in statement.weights))
        for statement in knowledge.statements
    )
    if not all(statement.weights[0] for statement in possible if not statement.cells):
        return 0
    boxes, unconstrained = group_boxes(knowledge)
    everything: Polynomial = {0: 1}
    for component in group_components(boxes):
        *_, last = _layers(component, possible, _closing_steps(component))
        everything = multiply(everything, last.get((), {}))
    if knowledge.total_left is None:
        return sum(int(ways) for ways in everything.values()) << len(unconstrained)
    n_left = knowledge.total_left
    return sum(int(ways) * comb(len(unconstrained), n_left - n) for n, ways in everything.items() if n <= n_left)


def _add(target: Polynomial, other: Polynomial) -> None:
    for n, weight in other.items():
        target[n] = target.get(n, 0) + weight


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
