"""The bottom of the ladder of trust: every layout, one by one. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

HIDDEN, FLAG, EXPLODED = -1, -2, -3


def brute_force(
    cells: Sequence[int],  # codes: hidden, flag, exploded, no clue (any other negative), clue
    neighbours: Sequence[Sequence[int]],
    total: int | None,
    likelihood: dict[int, Sequence[Sequence[float]]] | None = None,  # degree → [shown][truth]; None: exact
    density: Fraction = Fraction(1, 2),
) -> tuple[Fraction, int, list[Fraction | None]]:
    """Return the weight of all layouts that fit, their number, and each hidden cell's chance (None: open)."""
    hidden = [index for index, code in enumerate(cells) if code in (HIDDEN, FLAG)]
    exploded = {index for index, code in enumerate(cells) if code == EXPLODED}
    odds = density / (1 - density)
    weight_of_all, n_layouts = Fraction(0), 0
    mined = {cell: Fraction(0) for cell in hidden}
    for choice in product((0, 1), repeat=len(hidden)):
        mines = exploded | {cell for cell, mine in zip(hidden, choice, strict=True) if mine}
        if total is not None and len(mines) != total:
            continue
        weight = Fraction(1) if total is not None else odds ** sum(choice)
        for index, shown in enumerate(cells):
            if shown < 0:
                continue
            truth = sum(other in mines for other in neighbours[index])
            if likelihood is None:
                weight *= int(truth == shown)
            else:
                weight *= Fraction(likelihood[len(neighbours[index])][shown][truth])
            if not weight:
                break
        if weight:
            weight_of_all += weight
            n_layouts += 1
            for cell in hidden:
                if cell in mines:
                    mined[cell] += weight
    chances: list[Fraction | None] = [None] * len(cells)
    if weight_of_all:
        for cell in hidden:
            chances[cell] = mined[cell] / weight_of_all
    return weight_of_all, n_layouts, chances
