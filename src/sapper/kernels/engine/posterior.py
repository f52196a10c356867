"""The exact posterior of a position: settle, group, order, sum forwards, close with the total, sum backwards."""

from __future__ import annotations

from math import log, log1p

from sapper.kernels.codes import CONTRADICTION, MINE, OK, SAFE, STOPPED, UNKNOWN
from sapper.kernels.engine.board import Batch, Board, Position, Question
from sapper.kernels.engine.components import exceeds_floats, forget, sum_components_backwards, sum_components_forwards
from sapper.kernels.engine.frontier import build_boxes, read_clues, settle_by_single_clues, split_components, tighten
from sapper.kernels.engine.totals import TINY, close_with_total, log_binomial
from sapper.kernels.engine.workspace import Frontier, Pools, Workspace
from sapper.kernels.language import Bytes, Double, Flag, Int, Ints, Long, inner, unlocked

ALMOST_ONE = 1.0 - 2.0**-53
LAST_STAMP = 2_000_000_000


@inner
def weigh_settled_clues(frontier: Frontier, board: Board, asked: Question, position: Position) -> tuple[Flag, Double]:
    """Whether the soft clues whose neighbours are all settled may be shown, and the logarithm of their likelihood.

    A truth between the least and the greatest that a clue allows may still be none of them.
    """
    log_weight: Double = 0.0
    chance: Double
    for cell in range(board.n_cells):
        if position.cells[cell] >= 0 and frontier.n_around[cell] == 0:
            chance = asked.tables[cell, frontier.max_truth[cell] - frontier.max_left[cell]]
            if chance <= 0.0:
                return False, 0.0
            log_weight += log(chance)
    for clue in range(frontier.clue_count):
        if frontier.n_left[clue] == 0:
            chance = asked.tables[frontier.clue_of[clue], frontier.known[clue]]
            if chance <= 0.0:
                return False, 0.0
            log_weight += log(chance)
    return True, log_weight


@inner
def weigh_fixed_boxes(ws: Workspace) -> tuple[Int, Double]:
    """Return the mines in the boxes whose number of mines is fixed, and the logarithm of the ways to place them."""
    n_fixed: Int = 0
    ways: Double = 1.0
    log_ways: Double = 0.0
    for box in range(ws.frontier.box_count):
        if ws.frontier.component_of[box] < 0:
            n_fixed += ws.frontier.least[box]
            ways *= ws.totals.binomials[ws.frontier.size[box], ws.frontier.least[box]]
            if ways > 1e250:
                log_ways += log(ways)
                ways = 1.0
    return n_fixed, log_ways + log(ways)


@inner
def prepare_clues(frontier: Frontier, is_soft: Flag) -> None:
    """Reduce the clues to their free boxes, and note where each box lies."""
    fixed: Int
    least: Int
    most: Int
    count: Int
    for clue in range(frontier.clue_count):
        fixed, least, most, count = 0, 0, 0, 0
        for i in range(frontier.n_boxes[clue]):
            box = frontier.boxes[clue, i]
            if frontier.component_of[box] < 0:
                fixed += frontier.least[box]
            else:
                least += frontier.least[box]
                most += frontier.most[box]
                count += 1
        frontier.rest_least[clue], frontier.rest_most[clue], frontier.n_left[clue], frontier.slot[clue] = (
            least,
            most,
            count,
            -1,
        )
        source = frontier.clue_of[clue]
        allow = frontier.max_left[source] - fixed
        frontier.allow[clue], frontier.need[clue] = allow, allow
        if is_soft:
            frontier.need[clue] -= frontier.slack[source]
            frontier.known[clue] = frontier.max_truth[source] - allow
    for i in range(frontier.cell_count - 1, -1, -1):
        cell = frontier.cells[i]
        frontier.place[frontier.box_of[cell]] = cell


@inner
def group_unknown(ws: Workspace, board: Board, asked: Question, position: Position) -> Int:
    """Group what single clues leave unknown into components; return a status.

    ``log_weight`` becomes the logarithm of the weight of what is settled.
    """
    build_boxes(ws.frontier, board, position)
    if tighten(ws.frontier, asked.is_soft) != OK:
        return CONTRADICTION
    split_components(ws.frontier)
    ws.n_free = ws.frontier.n_unknown - ws.frontier.n_safe - ws.frontier.n_mines - ws.frontier.cell_count
    n_fixed, log_weight = weigh_fixed_boxes(ws)
    ws.totals.n_mines_left = asked.total - ws.frontier.n_known - ws.frontier.n_mines - n_fixed
    if asked.total >= 0 and ws.totals.n_mines_left < 0:
        return CONTRADICTION
    if ws.frontier.component_count > 0 or asked.is_soft:
        prepare_clues(ws.frontier, asked.is_soft)
    if asked.is_soft:
        is_possible, log_likelihood = weigh_settled_clues(ws.frontier, board, asked, position)
        if not is_possible:
            return CONTRADICTION
        log_weight += log_likelihood
    if asked.total < 0:
        log_weight += (n_fixed + ws.frontier.n_mines) * log(asked.odds) + ws.n_free * log1p(asked.odds)
    ws.log_weight = log_weight
    return OK


@inner
def read_position(ws: Workspace, board: Board, asked: Question, position: Position) -> Int:
    """Settle what single clues settle, and count; return a status."""
    ws.n_cells = board.n_cells
    read_clues(ws.frontier, board, asked, position)
    return settle_by_single_clues(ws.frontier, board, asked.is_soft, position)


@inner
def close_alone(ws: Workspace) -> Int:
    """Without components: the mines left are in the cells that no clue touches; return a status."""
    if ws.totals.n_mines_left > ws.n_free:
        return CONTRADICTION
    ws.log_weight += log_binomial(ws, ws.n_free, ws.totals.n_mines_left)
    ws.p_free = float(ws.totals.n_mines_left) / max(ws.n_free, 1)
    ws.free_verdict = SAFE if ws.totals.n_mines_left == 0 else MINE if ws.totals.n_mines_left == ws.n_free else UNKNOWN
    return OK


@inner
def sum_up(ws: Workspace, board: Board, asked: Question, by_box: Flag) -> Int:
    """Sum all components, and weigh their boxes if these are asked for; return a status."""
    status = sum_components_forwards(ws, asked, board.n_cols)
    if status == OK and ws.component.track == 1:
        status = close_with_total(ws, ws.totals.n_mines_left - ws.totals.base_sum)
    if status == OK and by_box:
        sum_components_backwards(ws, asked)
    return status


@inner
def start_stamps_again(pools: Pools) -> None:
    """Before the stamps of the hash table leave their range, begin them anew."""
    if pools.stamp > LAST_STAMP:
        pools.stamp = 0
        for i in range(pools.slot_stamp.shape[0]):
            pools.slot_stamp[i] = 0


@inner
def sum_position(ws: Workspace, board: Board, asked: Question, position: Position, by_box: Flag) -> Int:
    """Sum a position that is read: its weight, and if they are asked for the weights of its boxes; return a status."""
    if ws.stop:
        return STOPPED
    ws.widest, ws.totals.base_sum = 0, 0
    ws.component.boolean, ws.component.extended = False, False
    ws.component.track = 1 if asked.total >= 0 else 0
    forget(ws.pools)
    status = group_unknown(ws, board, asked, position)
    if status != OK:
        return status
    ws.p_free, ws.free_verdict = asked.odds / (1.0 + asked.odds), UNKNOWN
    if ws.frontier.component_count == 0:
        return close_alone(ws) if ws.component.track == 1 else OK
    start_stamps_again(ws.pools)
    ws.component.extended = exceeds_floats(ws, asked)
    status = sum_up(ws, board, asked, by_box)
    ws.log_weight += ws.totals.log_sum
    return status


@inner
def write_cells(ws: Workspace, position: Position) -> None:
    """Turn the weights of the boxes into the chance of every cell. Certain is what has weight zero otherwise."""
    # Names of their own for these two: a write of 8 bits might change any attribute, as far as a compiler can tell.
    settled: Bytes = position.settled
    known: Ints = ws.frontier.verdict
    ws.by_verdict[UNKNOWN] = ws.p_free
    for cell in range(ws.n_cells):
        verdict = ws.frontier.verdict[cell]
        if verdict == UNKNOWN and ws.frontier.box_of[cell] < 0:
            verdict = ws.free_verdict
        ws.frontier.verdict[cell] = verdict
        position.p_mine[cell] = ws.by_verdict[verdict]
    for cell in range(ws.n_cells):
        settled[cell] = known[cell]
    for i in range(ws.frontier.cell_count):
        cell = ws.frontier.cells[i]
        box = ws.frontier.box_of[cell]
        if ws.frontier.component_of[box] < 0:
            mined = float(ws.frontier.least[box])
            clear = float(ws.frontier.size[box] - ws.frontier.least[box])
        else:
            mined, clear = ws.with_mines[box], ws.with_safe[box]
        p = mined / (mined + clear)
        if ws.component.extended and ws.frontier.component_of[box] >= 0:
            # A chance may be too small for a float and still not zero.
            possible = ws.frontier.support[box]
            position.settled[cell] = SAFE if possible == 2 else MINE if possible == 1 else UNKNOWN
            position.p_mine[cell] = 0.0 if possible == 2 else 1.0 if possible == 1 else min(max(p, TINY), ALMOST_ONE)
        else:
            position.settled[cell] = SAFE if mined == 0.0 else MINE if clear == 0.0 else UNKNOWN
            position.p_mine[cell] = p


@inner
def solve_position(ws: Workspace, board: Board, asked: Question, position: Position) -> Int:
    """Fill in what the position leaves possible; return a status."""
    status = read_position(ws, board, asked, position)
    if status == OK:
        status = sum_position(ws, board, asked, position, True)
    if status == OK:
        write_cells(ws, position)
    return status


def solve(ws: Workspace, board: Board, asked: Question, position: Position) -> int:
    """Fill in what the position leaves possible; return a status of `codes`."""
    with unlocked:
        status = solve_position(ws, board, asked, position)
    return status


@inner
def solve_batch(ws: Workspace, board: Board, asked: Question, batch: Batch, first: Int, last: Int) -> tuple[Int, Int]:
    """Answer the positions from one to before another; return the first that is not answered, and why not."""
    n: Long = board.n_cells
    for k in range(first, last):
        batch.cells = batch.all_cells[k * n : k * n + n]
        batch.settled, batch.p_mine = batch.all_settled[k * n : k * n + n], batch.all_p_mine[k * n : k * n + n]
        asked.total = batch.totals[k]
        status = solve_position(ws, board, asked, batch)
        if status > CONTRADICTION:
            return k, status
        batch.statuses[k] = status
        batch.log_weights[k] = ws.log_weight
    return last, OK


def solve_many(ws: Workspace, board: Board, asked: Question, batch: Batch, first: Int, last: Int) -> tuple[int, int]:
    """Answer the positions from one to before another; return the first that is not answered, and why not."""
    with unlocked:
        done, status = solve_batch(ws, board, asked, batch, first, last)
    return done, status
