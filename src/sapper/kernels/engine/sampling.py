"""Random layouts that fit a position, each with exactly its posterior chance.

Works on what `solve_position` left in the workspace, all components summed by elimination: the number of mines of each
component is drawn first, then the states of its layers from the last to the first, then cells within boxes, then the
cells that no clue touches. Linear in the links of the summation for every sample.

A sample of n cells takes 3 n + 8 uniform random numbers: by cell, by box, by component.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.kernels.codes import EXPLODED, FAILED, MINE, OK, OUT_OF_RANGE, UNKNOWN
from sapper.kernels.engine.board import Position, Question
from sapper.kernels.engine.components import weigh_counts
from sapper.kernels.engine.extended import normalise, shift_down
from sapper.kernels.engine.totals import multiply_suffixes, open_windows, weigh_rest
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import BitGrid, ConstDoubleGrid, Double, Flag, Int, bits, inner, unlocked, view

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@inner
def weight_of_choice(ws: Workspace, is_soft: Flag, state: Int, link: Int, box: Int, n_mines: Int) -> tuple[Double, Int]:
    """Weight of the ways to come from a state along a link to a state that has ``n_mines`` mines, and its exponent."""
    weight: Double
    count = ws.pools.low[state] + link - ws.pools.first_link[state]
    place: Int = (n_mines - count if ws.component.track == 1 else 0) - ws.pools.fewest[state]
    if place < 0 or place >= ws.pools.length[state]:
        return 0.0, 0
    place += ws.pools.offset[state]
    weight = ws.pools.weights[place] * ws.totals.factor[ws.frontier.size[box], count]
    if is_soft:
        weight *= ws.pools.soft[link]
    if ws.component.extended:
        return normalise(weight, ws.pools.exponents[place] + ws.totals.factor_exponent[ws.frontier.size[box], count])
    return weight, 0


@inner
def draw_state(
    ws: Workspace, is_soft: Flag, layer: Int, box: Int, target: Int, n_mines: Int, uniform: Double
) -> tuple[Int, Int]:
    """Draw the state of a layer from which ``target`` was reached; return it and the mines that went into the box.

    The state is -1 if no weight leads there.
    """
    chosen: Int = -1
    chosen_count: Int = 0
    total: Double = 0.0
    goal: Double = -1.0
    exponent: Int
    largest: Int = -2_000_000_000 if ws.component.extended else 0
    # Over the links again and again: the largest exponent, where there are any, then the weights together, then up to
    # the point that was drawn.
    for turn in range(-1 if ws.component.extended else 0, 2):
        total = 0.0
        for state in range(ws.pools.layer[layer], ws.pools.layer[layer + 1]):
            for i in range(ws.pools.choices[state]):
                link = ws.pools.first_link[state] + i
                if ws.pools.links[link] != target:
                    continue
                weight, exponent = weight_of_choice(ws, is_soft, state, link, box, n_mines)
                if weight <= 0.0:
                    continue
                if turn < 0:
                    largest = max(largest, exponent)
                    continue
                total += shift_down(weight, largest - exponent)
                chosen, chosen_count = state, ws.pools.low[state] + i
                if turn == 1 and total > goal:
                    return chosen, chosen_count
        goal = total * uniform
    return chosen, chosen_count


@inner
def draw_component(ws: Workspace, is_soft: Flag, c: Int, n_mines: Int, uniform: ConstDoubleGrid, row: Int) -> Flag:
    """Draw the mines of each box of a component that holds ``n_mines`` mines, walking back from its last state.

    Returns whether it can hold so many.
    """
    first_box, last_box, first_layer = ws.frontier.start[c], ws.frontier.start[c + 1], ws.pools.first_layer[c]
    target = ws.pools.layer[first_layer + last_box - first_box]
    for at in range(last_box - 1, first_box - 1, -1):
        box = ws.frontier.members[at]
        layer = first_layer + at - first_box
        target, count = draw_state(ws, is_soft, layer, box, target, n_mines, uniform[row, ws.n_cells + at])
        if target < 0:
            return False
        ws.frontier.in_box[box] = count
        if ws.component.track == 1:
            n_mines -= count
    return True


@inner
def draw_count(ws: Workspace, c: Int, used_up: Int, uniform: Double) -> Int:
    """Draw how many mines more than its least a component holds, when those before hold ``used_up`` more.

    Returns -1 if no number has any weight.
    """
    goal: Double = 0.0
    so_far: Double = 0.0
    chosen: Int = -1
    low = ws.totals.window_low[c + 1]
    there = ws.totals.suffix_at[c + 1] + used_up - low
    # Beyond the window there is no weight.
    first = max(0, low - used_up)
    last = min(
        ws.totals.begin[c + 1] - ws.totals.begin[c],
        low + ws.totals.suffix_at[c + 2] - ws.totals.suffix_at[c + 1] - used_up,
    )
    for i in range(first, last):
        goal += ws.totals.poly[ws.totals.begin[c] + i] * ws.totals.suffix[there + i]
    goal *= uniform
    for i in range(first, last):
        weight = ws.totals.poly[ws.totals.begin[c] + i] * ws.totals.suffix[there + i]
        if weight > 0.0:
            so_far += weight
            chosen = i
            if so_far > goal:
                break
    return chosen


@inner
def draw_boxes(ws: Workspace, is_soft: Flag, uniform: ConstDoubleGrid, row: Int) -> Int:
    """Draw the mines of every box; return how many are left for the cells that no clue touches, or FAILED."""
    used_up: Int = 0
    mines: Int
    for c in range(ws.frontier.component_count):
        mines = 0
        if ws.component.track == 1:
            chosen = draw_count(ws, c, used_up, uniform[row, 2 * ws.n_cells + c])
            if chosen < 0:
                return FAILED
            used_up += chosen
            mines = (
                ws.pools.fewest[
                    ws.pools.layer[ws.pools.first_layer[c] + ws.frontier.start[c + 1] - ws.frontier.start[c]]
                ]
                + chosen
            )
        if not draw_component(ws, is_soft, c, mines, uniform, row):
            return FAILED
    for box in range(ws.frontier.box_count):
        ws.frontier.cells_left[box] = ws.frontier.size[box]
        if ws.frontier.component_of[box] < 0:
            ws.frontier.in_box[box] = ws.frontier.least[box]
    return ws.totals.n_mines_left - ws.totals.base_sum - used_up if ws.component.track == 1 else 0


@inner
def draw_cells(
    ws: Workspace, position: Position, free_mines: Int, uniform: ConstDoubleGrid, row: Int, out: BitGrid, to: Int
) -> None:
    """Draw the cells: each takes its share of what is left in its box, or among the cells that no clue touches."""
    share: Double
    mined: Int
    free_cells: Int = ws.n_free
    for cell in range(ws.n_cells):
        box = ws.frontier.box_of[cell]
        if position.settled[cell] == MINE or position.cells[cell] == EXPLODED:
            mined = 1
        elif position.settled[cell] != UNKNOWN:
            mined = 0
        elif box >= 0:
            mined = uniform[row, cell] * ws.frontier.cells_left[box] < ws.frontier.in_box[box]
        else:
            share = float(free_mines) / free_cells if ws.component.track == 1 else ws.p_free
            mined = uniform[row, cell] < share
            free_mines -= mined
            free_cells -= 1
        out[to, cell] = mined
        if box >= 0:
            ws.frontier.cells_left[box] -= 1
            ws.frontier.in_box[box] -= mined


@inner
def fold_for_samples(ws: Workspace, asked: Question) -> None:
    """Make the products from which the numbers of mines are drawn."""
    weigh_counts(ws, 1.0 if ws.component.track == 1 else asked.odds)
    if ws.component.track == 1 and ws.frontier.component_count > 0:
        n_range = 1 + ws.totals.begin[ws.frontier.component_count] - ws.frontier.component_count
        n_left = ws.totals.n_mines_left - ws.totals.base_sum
        low, high = max(0, n_left - ws.n_free), min(n_range - 1, n_left)
        expected = open_windows(ws)
        weigh_rest(ws, n_range, low, high, n_left, expected)
        multiply_suffixes(ws)


@inner
def sample_layouts(
    ws: Workspace, asked: Question, position: Position, uniform: ConstDoubleGrid, first: Int, count: Int, out: BitGrid
) -> Int:
    """Fill ``count`` rows of ``out`` with independent random layouts, using ``uniform`` from row ``first`` on.

    Returns a status.
    """
    fold_for_samples(ws, asked)
    for k in range(count):
        free_mines = draw_boxes(ws, asked.is_soft, uniform, first + k)
        if free_mines < 0:
            return OUT_OF_RANGE
        draw_cells(ws, position, free_mines, uniform, first + k, out, k)
    return OK


def sample(
    ws: Workspace, asked: Question, position: Position, uniform: NDArray[np.float64], out: NDArray[np.bool_]
) -> int:
    """Fill ``out`` (k, n) with independent random layouts, known mines included; ``uniform`` is (k, 3 n + 8).

    Returns a status of `codes`.
    """
    numbers: ConstDoubleGrid = view(uniform)
    layouts: BitGrid = bits(out)
    with unlocked:
        status = sample_layouts(ws, asked, position, numbers, 0, layouts.shape[0], layouts)
    return status
