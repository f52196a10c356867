"""The exact posterior of a position.

Settle what single clues settle, group the rest into components, sum them (inside), condition on the total (outside),
weigh the boxes and write the mine probability of every cell.
"""

from __future__ import annotations

from math import log, log1p

from sapper.kernels.codes import CONTRADICTION, MINE, OK, SAFE, STOPPED, UNKNOWN
from sapper.kernels.engine.board import Batch, Board, Position, Query
from sapper.kernels.engine.components import exceeds_floats, reset_pools, sum_inside, weigh_boxes
from sapper.kernels.engine.frontier import build_boxes, read_clues, settle_by_single_clues, split_components, tighten
from sapper.kernels.engine.totals import TINY, condition_on_total, log_binomial
from sapper.kernels.engine.workspace import Component, Frontier, Pools, Workspace
from sapper.kernels.language import *

ALMOST_ONE = 1.0 - 2.0**-53
MAX_STAMP = 2_000_000_000


def weigh_settled_clues(frontier: Frontier, board: Board, query: Query, position: Position) -> tuple[Flag, Double]:
    """Return whether the noisy clues whose neighbours are all settled are possible, and their log likelihood.

    A truth within the bounds of a clue may still be impossible.
    """
    log_weight: Double = 0.0
    chance: Double
    for cell in range(board.n_cells):
        if position.cells[cell] >= 0 and frontier.n_around[cell] == 0:
            chance = query.likelihood[cell, frontier.max_truth[cell] - frontier.max_left[cell]]
            if chance <= 0.0:
                return False, 0.0
            log_weight += log(chance)
    for clue in range(frontier.clue_count):
        if frontier.boxes_left[clue] == 0:
            chance = query.likelihood[frontier.clue_of[clue], frontier.known[clue]]
            if chance <= 0.0:
                return False, 0.0
            log_weight += log(chance)
    return True, log_weight


def weigh_fixed_boxes(frontier: Frontier, component: Component) -> tuple[Int, Double]:
    """Return the number of mines in the boxes where it is fixed, and the logarithm of the ways to place them."""
    n_fixed: Int = 0
    ways: Double = 1.0
    log_ways: Double = 0.0
    for box in range(frontier.box_count):
        if frontier.component_of[box] < 0:
            n_fixed += frontier.min_mines[box]
            ways *= component.binomials[frontier.size[box], frontier.min_mines[box]]
            if ways > 1e250:
                log_ways += log(ways)
                ways = 1.0
    return n_fixed, log_ways + log(ways)


def prepare_clues(frontier: Frontier, is_noisy: Flag) -> None:
    """Reduce the clues to their free boxes, and record the first cell of each box."""
    fixed: Int
    rest_min: Int
    rest_max: Int
    count: Int
    for clue in range(frontier.clue_count):
        fixed, rest_min, rest_max, count = 0, 0, 0, 0
        for i in range(frontier.n_boxes[clue]):
            box = frontier.boxes[clue, i]
            if frontier.component_of[box] < 0:
                fixed += frontier.min_mines[box]
            else:
                rest_min += frontier.min_mines[box]
                rest_max += frontier.max_mines[box]
                count += 1
        frontier.rest_min[clue], frontier.rest_max[clue] = rest_min, rest_max
        frontier.boxes_left[clue], frontier.nibble[clue] = count, -1
        source = frontier.clue_of[clue]
        allow = frontier.max_left[source] - fixed
        frontier.allow[clue], frontier.need[clue] = allow, allow
        if is_noisy:
            frontier.need[clue] -= frontier.slack[source]
            frontier.known[clue] = frontier.max_truth[source] - allow
    for i in range(frontier.cell_count - 1, -1, -1):
        cell = frontier.cells[i]
        frontier.first_cell[frontier.box_of[cell]] = cell


def group_unknown(ws: Workspace, board: Board, query: Query, position: Position) -> Int:
    """Group the cells that single clues leave unknown into components; return a status.

    ``log_weight`` becomes the log weight of the settled cells.
    """
    build_boxes(ws.frontier, board, position)
    if tighten(ws.frontier, query.is_noisy) != OK:
        return CONTRADICTION
    split_components(ws.frontier)
    ws.frontier.n_free = ws.frontier.n_unknown - ws.frontier.n_safe - ws.frontier.n_mines - ws.frontier.cell_count
    n_fixed, log_weight = weigh_fixed_boxes(ws.frontier, ws.component)
    ws.totals.n_mines_left = query.total - ws.frontier.n_known - ws.frontier.n_mines - n_fixed
    if query.total >= 0 and ws.totals.n_mines_left < 0:
        return CONTRADICTION
    if ws.frontier.component_count > 0 or query.is_noisy:
        prepare_clues(ws.frontier, query.is_noisy)
    if query.is_noisy:
        is_possible, log_likelihood = weigh_settled_clues(ws.frontier, board, query, position)
        if not is_possible:
            return CONTRADICTION
        log_weight += log_likelihood
    if query.total < 0:
        log_weight += (n_fixed + ws.frontier.n_mines) * log(query.odds) + ws.frontier.n_free * log1p(query.odds)
    ws.log_weight = log_weight
    return OK


def read_position(ws: Workspace, board: Board, query: Query, position: Position) -> Int:
    """Read a position and settle what single clues settle; return a status."""
    ws.n_cells = board.n_cells
    read_clues(ws.frontier, board, query, position)
    return settle_by_single_clues(ws.frontier, board, query.is_noisy, position)


def fill_free_cells(ws: Workspace) -> Int:
    """Put all remaining mines into the free cells, if there are no components; return a status."""
    n_free, n_left = ws.frontier.n_free, ws.totals.n_mines_left
    if n_left > n_free:
        return CONTRADICTION
    ws.log_weight += log_binomial(ws.totals, n_free, n_left)
    ws.p_free = float(n_left) / max(n_free, 1)
    ws.free_verdict = SAFE if n_left == 0 else MINE if n_left == n_free else UNKNOWN
    return OK


def sum_up(ws: Workspace, board: Board, query: Query, by_box: Flag) -> Int:
    """Sum all components and, if ``by_box``, weigh their boxes; return a status."""
    status = sum_inside(ws, query, board.n_cols)
    if status == OK and ws.component.track == 1:
        status = condition_on_total(ws, ws.totals.n_mines_left - ws.totals.base_sum)
    if status == OK and by_box:
        weigh_boxes(ws, query)
    return status


def reset_stamps(pools: Pools) -> None:
    """Reset hash-table stamps before they overflow."""
    if pools.stamp > MAX_STAMP:
        pools.stamp = 0
        for i in range(pools.slot_stamp.shape[0]):
            pools.slot_stamp[i] = 0


def sum_position(ws: Workspace, board: Board, query: Query, position: Position, by_box: Flag) -> Int:
    """Find the weight of a position that was read and, if ``by_box``, of its boxes; return a status."""
    if ws.stop:
        return STOPPED
    ws.component.widest, ws.totals.base_sum = 0, 0
    ws.component.boolean, ws.component.extended = False, False
    ws.component.track = 1 if query.total >= 0 else 0
    reset_pools(ws.pools)
    status = group_unknown(ws, board, query, position)
    if status != OK:
        return status
    ws.p_free, ws.free_verdict = query.odds / (1.0 + query.odds), UNKNOWN
    if ws.frontier.component_count == 0:
        return fill_free_cells(ws) if ws.component.track == 1 else OK
    reset_stamps(ws.pools)
    ws.component.extended = exceeds_floats(ws.frontier, ws.component, ws.totals, query)
    status = sum_up(ws, board, query, by_box)
    ws.log_weight += ws.totals.log_sum
    return status


def box_verdict(ws: Workspace, box: Int) -> Int:
    """Return the verdict of a box. It is certain if the opposite has weight zero."""
    if ws.frontier.component_of[box] < 0:
        mines = ws.frontier.min_mines[box]
        return SAFE if mines == 0 else MINE if mines == ws.frontier.size[box] else UNKNOWN
    if ws.component.extended:
        # A weight may be too small for a float without being zero.
        possible = ws.frontier.support[box]
        return SAFE if possible == 2 else MINE if possible == 1 else UNKNOWN
    return SAFE if ws.frontier.with_mines[box] == 0.0 else MINE if ws.frontier.with_safe[box] == 0.0 else UNKNOWN


def write_settled(ws: Workspace, position: Position) -> None:
    """Write the verdict of every cell as far as single clues settle it."""
    # Local names for these two: as far as the compiler can tell, writing 8 bits might change any attribute.
    settled: Bytes = position.settled
    known: Ints = ws.frontier.verdict
    for cell in range(ws.n_cells):
        settled[cell] = known[cell]


def write_verdicts(ws: Workspace, position: Position) -> None:
    """Write the verdict of every cell of a position that was summed."""
    write_settled(ws, position)
    if ws.free_verdict != UNKNOWN:
        for cell in range(ws.n_cells):
            if ws.frontier.verdict[cell] == UNKNOWN and ws.frontier.box_of[cell] < 0:
                position.settled[cell] = ws.free_verdict
    for i in range(ws.frontier.cell_count):
        cell = ws.frontier.cells[i]
        position.settled[cell] = box_verdict(ws, ws.frontier.box_of[cell])


def write_chances(ws: Workspace, position: Position) -> None:
    """Write the mine probability of every cell of a position whose verdicts are written."""
    ws.p_by_verdict[UNKNOWN] = ws.p_free
    for cell in range(ws.n_cells):
        position.p_mine[cell] = ws.p_by_verdict[position.settled[cell]]
    for i in range(ws.frontier.cell_count):
        cell = ws.frontier.cells[i]
        box = ws.frontier.box_of[cell]
        if position.settled[cell] != UNKNOWN:
            continue
        if ws.frontier.component_of[box] < 0:
            position.p_mine[cell] = float(ws.frontier.min_mines[box]) / ws.frontier.size[box]
            continue
        p = ws.frontier.with_mines[box] / (ws.frontier.with_mines[box] + ws.frontier.with_safe[box])
        position.p_mine[cell] = min(max(p, TINY), ALMOST_ONE) if ws.component.extended else p


def solve_position(ws: Workspace, board: Board, query: Query, position: Position) -> Int:
    """Find the verdict and the mine probability of every cell; return a status."""
    status = read_position(ws, board, query, position)
    if status == OK:
        status = sum_position(ws, board, query, position, True)
    if status == OK:
        write_verdicts(ws, position)
        write_chances(ws, position)
    return status


@public
def solve(ws: Workspace, board: Board, query: Query, position: Position) -> int:
    """Find the verdict and the mine probability of every cell; return a status of `codes`."""
    with unlocked:
        status = solve_position(ws, board, query, position)
    return status


def solve_batch(ws: Workspace, board: Board, query: Query, batch: Batch, first: Int, last: Int) -> tuple[Int, Int]:
    """Solve positions ``first`` to ``last`` - 1; return the first that was not solved, and a status."""
    n: Long = board.n_cells
    for k in range(first, last):
        batch.cells = batch.all_cells[k * n : k * n + n]
        batch.settled, batch.p_mine = batch.all_settled[k * n : k * n + n], batch.all_p_mine[k * n : k * n + n]
        query.total = batch.totals[k]
        status = solve_position(ws, board, query, batch)
        if status > CONTRADICTION:
            return k, status
        batch.statuses[k] = status
        batch.log_weights[k] = ws.log_weight
    return last, OK


@public
def solve_many(ws: Workspace, board: Board, query: Query, batch: Batch, first: Int, last: Int) -> tuple[int, int]:
    """Solve positions ``first`` to ``last`` - 1; return the first that was not solved, and a status."""
    with unlocked:
        done, status = solve_batch(ws, board, query, batch, first, last)
    return done, status
