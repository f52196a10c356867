"""Draw random layouts from the posterior, exactly.

This is forward filtering and backward sampling, on what `solve_position` left in the workspace after eliminating all
components. The number of mines of each component is drawn first, then a state of each of its layers from the last to
the first, then the cells within boxes and the free cells. Each sample is linear in the links of the elimination and
takes 3 n + 8 uniform random numbers for n cells: by cell, by box and by component.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.codes import EXPLODED, FAILED, MINE, OK, OUT_OF_RANGE, UNKNOWN
from sapper.kernels.engine.board import Position, Query
from sapper.kernels.engine.components import fill_factors
from sapper.kernels.engine.elimination import final_state
from sapper.kernels.engine.totals import (
    fill_suffix_products,
    normalise,
    set_windows,
    shift_down,
    weigh_rest,
    window_width,
)
from sapper.kernels.engine.workspace import Component, MineTotals, Pools, Workspace
from sapper.kernels.language import *


def weight_of_choice(
    component: Component, pools: Pools, is_noisy: Flag, state: Int, link: Int, size: Int, n_mines: Int
) -> tuple[Double, Int]:
    """Return the weight, and its exponent, of reaching ``n_mines`` mines from a state along a link."""
    weight: Double
    count = pools.low[state] + link - pools.first_link[state]
    place: Int = (n_mines - count if component.track == 1 else 0) - pools.fewest[state]
    if place < 0 or place >= pools.length[state]:
        return 0.0, 0
    place += pools.offset[state]
    weight = pools.weights[place] * component.factor[size, count]
    if is_noisy:
        weight *= pools.link_likelihood[link]
    if component.extended:
        return normalise(weight, pools.exponents[place] + component.factor_exponent[size, count])
    return weight, 0


def draw_state(
    component: Component, pools: Pools, is_noisy: Flag, layer: Int, size: Int, target: Int, n_mines: Int, drawn: Double
) -> tuple[Int, Int]:
    """Draw the state of a layer from which ``target`` was reached; return it and the mines in the box between them.

    The state is -1 if no weight leads to the target.
    """
    chosen: Int = -1
    chosen_count: Int = 0
    total: Double = 0.0
    goal: Double = -1.0
    exponent: Int
    largest: Int = -2_000_000_000 if component.extended else 0
    # Three passes over the links: find the largest exponent (if there are exponents), sum the weights, and stop at the
    # point that was drawn.
    for stage in range(-1 if component.extended else 0, 2):
        total = 0.0
        for state in range(pools.layer[layer], pools.layer[layer + 1]):
            for i in range(pools.choices[state]):
                link = pools.first_link[state] + i
                if pools.links[link] != target:
                    continue
                weight, exponent = weight_of_choice(component, pools, is_noisy, state, link, size, n_mines)
                if weight <= 0.0:
                    continue
                if stage < 0:
                    largest = max(largest, exponent)
                    continue
                total += shift_down(weight, largest - exponent)
                chosen, chosen_count = state, pools.low[state] + i
                if stage == 1 and total > goal:
                    return chosen, chosen_count
        goal = total * drawn
    return chosen, chosen_count


def draw_component(ws: Workspace, is_noisy: Flag, c: Int, n_mines: Int, uniform: ConstDoubleGrid, row: Int) -> Flag:
    """Draw the mines of each box of a component with ``n_mines`` mines, from its last state back.

    Returns whether the component can hold that many.
    """
    first_box, last_box, first_layer = ws.frontier.start[c], ws.frontier.start[c + 1], ws.pools.first_layer[c]
    target = final_state(ws.frontier, ws.pools, c)
    for at in range(last_box - 1, first_box - 1, -1):
        box = ws.frontier.members[at]
        target, count = draw_state(
            ws.component, ws.pools, is_noisy, first_layer + at - first_box, ws.frontier.size[box], target, n_mines,
            uniform[row, ws.n_cells + at],
        )  # fmt: skip
        if target < 0:
            return False
        ws.frontier.mines_to_draw[box] = count
        if ws.component.track == 1:
            n_mines -= count
    return True


def draw_count(totals: MineTotals, c: Int, n_before: Int, uniform: Double) -> Int:
    """Draw a component's mines beyond its minimum, when those before it hold ``n_before`` beyond theirs.

    Returns -1 if no number has any weight.
    """
    goal: Double = 0.0
    so_far: Double = 0.0
    chosen: Int = -1
    low = totals.window_low[c + 1]
    there = totals.suffix_at[c + 1] + n_before - low
    # Outside the window there is no weight.
    first = max(0, low - n_before)
    last = min(totals.begin[c + 1] - totals.begin[c], low + window_width(totals, c + 1) - n_before)
    for i in range(first, last):
        goal += totals.poly[totals.begin[c] + i] * totals.suffix[there + i]
    goal *= uniform
    for i in range(first, last):
        weight = totals.poly[totals.begin[c] + i] * totals.suffix[there + i]
        if weight > 0.0:
            so_far += weight
            chosen = i
            if so_far > goal:
                break
    return chosen


def draw_boxes(ws: Workspace, is_noisy: Flag, uniform: ConstDoubleGrid, row: Int) -> Int:
    """Draw the mines of every box; return the number left for the free cells, or FAILED."""
    n_drawn: Int = 0
    mines: Int
    for c in range(ws.frontier.component_count):
        mines = 0
        if ws.component.track == 1:
            chosen = draw_count(ws.totals, c, n_drawn, uniform[row, 2 * ws.n_cells + c])
            if chosen < 0:
                return FAILED
            n_drawn += chosen
            mines = ws.pools.fewest[final_state(ws.frontier, ws.pools, c)] + chosen
        if not draw_component(ws, is_noisy, c, mines, uniform, row):
            return FAILED
    for box in range(ws.frontier.box_count):
        ws.frontier.cells_to_draw[box] = ws.frontier.size[box]
        if ws.frontier.component_of[box] < 0:
            ws.frontier.mines_to_draw[box] = ws.frontier.min_mines[box]
    return ws.totals.n_mines_left - ws.totals.base_sum - n_drawn if ws.component.track == 1 else 0


def draw_cells(
    ws: Workspace, position: Position, free_mines: Int, uniform: ConstDoubleGrid, row: Int, out: BitGrid, to: Int
) -> None:
    """Draw the cells, each with the share of mines left in its box or among the free cells."""
    share: Double
    mined: Int
    free_cells: Int = ws.frontier.n_free
    for cell in range(ws.n_cells):
        box = ws.frontier.box_of[cell]
        if position.settled[cell] == MINE or position.cells[cell] == EXPLODED:
            mined = 1
        elif position.settled[cell] != UNKNOWN:
            mined = 0
        elif box >= 0:
            mined = uniform[row, cell] * ws.frontier.cells_to_draw[box] < ws.frontier.mines_to_draw[box]
        else:
            share = float(free_mines) / free_cells if ws.component.track == 1 else ws.p_free
            mined = uniform[row, cell] < share
            free_mines -= mined
            free_cells -= 1
        out[to, cell] = mined
        if box >= 0:
            ws.frontier.cells_to_draw[box] -= 1
            ws.frontier.mines_to_draw[box] -= mined


def prepare_sampling(ws: Workspace, query: Query) -> None:
    """Make the products from which the numbers of mines are drawn."""
    fill_factors(ws.component, 1.0 if ws.component.track == 1 else query.odds)
    if ws.component.track == 1 and ws.frontier.component_count > 0:
        expected = set_windows(ws.frontier, ws.component, ws.totals)
        n_left = ws.totals.n_mines_left - ws.totals.base_sum
        weigh_rest(ws.frontier, ws.component, ws.totals, n_left, expected)
        fill_suffix_products(ws.frontier, ws.component, ws.totals)


def sample_layouts(
    ws: Workspace, query: Query, position: Position, uniform: ConstDoubleGrid, first: Int, count: Int, out: BitGrid
) -> Int:
    """Fill ``count`` rows of ``out`` with independent random layouts, using ``uniform`` from row ``first`` on.

    Returns a status.
    """
    prepare_sampling(ws, query)
    for k in range(count):
        free_mines = draw_boxes(ws, query.is_noisy, uniform, first + k)
        if free_mines < 0:
            return OUT_OF_RANGE
        draw_cells(ws, position, free_mines, uniform, first + k, out, k)
    return OK


@public
def sample(
    ws: Workspace, query: Query, position: Position, uniform: NDArray[np.float64], out: NDArray[np.bool_]
) -> int:
    """Fill ``out`` (k, n) with independent random layouts, known mines included; ``uniform`` is (k, 3 n + 8).

    Returns a status of `codes`.
    """
    numbers: ConstDoubleGrid = view(uniform)
    layouts: BitGrid = bits(out)
    with unlocked:
        status = sample_layouts(ws, query, position, numbers, 0, layouts.shape[0], layouts)
    return status
