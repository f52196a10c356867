"""The exact posterior of a position: settle, group, order, sum forwards, close with the total, sum backwards."""

from __future__ import annotations

from math import log, log1p

from sapper.kernels.codes import CONTRADICTION, MINE, OK, SAFE, STOPPED, UNKNOWN
from sapper.kernels.engine.board import Batch, Board, Position, Question
from sapper.kernels.engine.components import exceeds_floats, forget, sum_components_backwards, sum_components_forwards
from sapper.kernels.engine.frontier import build_boxes, read_clues, settle_by_single_clues, split_components, tighten
from sapper.kernels.engine.totals import TINY, close_with_total, log_binomial
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Bytes, Double, Flag, Int, Ints, Long, inner, unlocked

ALMOST_ONE = 1.0 - 2.0**-53
LAST_STAMP = 2_000_000_000


@inner
def weigh_settled_clues(ws: Workspace, board: Board, asked: Question, position: Position) -> tuple[Flag, Double]:
    """Whether the soft clues whose neighbours are all settled may be shown, and the logarithm of their likelihood.

    A truth between the least and the greatest that a clue allows may still be none of them.
    """
    log_weight: Double = 0.0
    chance: Double
    for cell in range(board.n_cells):
        if position.cells[cell] >= 0 and ws.n_around[cell] == 0:
            chance = asked.tables[cell, ws.top[cell] - ws.high[cell]]
            if chance <= 0.0:
                return False, 0.0
            log_weight += log(chance)
    for clue in range(ws.clue_count):
        if ws.n_left[clue] == 0:
            chance = asked.tables[ws.clue_of[clue], ws.known[clue]]
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
    for box in range(ws.box_count):
        if ws.label[box] < 0:
            n_fixed += ws.least[box]
            ways *= ws.binomials[ws.size[box], ws.least[box]]
            if ways > 1e250:
                log_ways += log(ways)
                ways = 1.0
    return n_fixed, log_ways + log(ways)


@inner
def prepare_clues(ws: Workspace, is_soft: Flag) -> None:
    """Reduce the clues to their free boxes, and note where each box lies."""
    fixed: Int
    least: Int
    most: Int
    count: Int
    for clue in range(ws.clue_count):
        fixed, least, most, count = 0, 0, 0, 0
        for i in range(ws.n_boxes[clue]):
            box = ws.boxes[clue, i]
            if ws.label[box] < 0:
                fixed += ws.least[box]
            else:
                least += ws.least[box]
                most += ws.most[box]
                count += 1
        ws.rest_least[clue], ws.rest_most[clue], ws.n_left[clue], ws.slot[clue] = least, most, count, -1
        source = ws.clue_of[clue]
        allow = ws.high[source] - fixed
        ws.allow[clue], ws.need[clue] = allow, allow
        if is_soft:
            ws.need[clue] -= ws.span[source]
            ws.known[clue] = ws.top[source] - allow
    for i in range(ws.frontier_count - 1, -1, -1):
        cell = ws.frontier[i]
        ws.place[ws.box_of[cell]] = cell


@inner
def group_unknown(ws: Workspace, board: Board, asked: Question, position: Position) -> Int:
    """Group what single clues leave unknown into components; return a status.

    ``log_weight`` becomes the logarithm of the weight of what is settled.
    """
    build_boxes(ws, board, position)
    if tighten(ws, asked.is_soft) != OK:
        return CONTRADICTION
    split_components(ws)
    ws.n_free = ws.n_unknown - ws.n_safe - ws.n_mines - ws.frontier_count
    n_fixed, log_weight = weigh_fixed_boxes(ws)
    ws.n_mines_left = asked.total - ws.n_known - ws.n_mines - n_fixed
    if asked.total >= 0 and ws.n_mines_left < 0:
        return CONTRADICTION
    if ws.component_count > 0 or asked.is_soft:
        prepare_clues(ws, asked.is_soft)
    if asked.is_soft:
        is_possible, log_likelihood = weigh_settled_clues(ws, board, asked, position)
        if not is_possible:
            return CONTRADICTION
        log_weight += log_likelihood
    if asked.total < 0:
        log_weight += (n_fixed + ws.n_mines) * log(asked.odds) + ws.n_free * log1p(asked.odds)
    ws.log_weight = log_weight
    return OK


@inner
def read_position(ws: Workspace, board: Board, asked: Question, position: Position) -> Int:
    """Settle what single clues settle, and count; return a status."""
    read_clues(ws, board, asked, position)
    return settle_by_single_clues(ws, board, asked.is_soft, position)


@inner
def close_alone(ws: Workspace) -> Int:
    """Without components: the mines left are in the cells that no clue touches; return a status."""
    if ws.n_mines_left > ws.n_free:
        return CONTRADICTION
    ws.log_weight += log_binomial(ws, ws.n_free, ws.n_mines_left)
    ws.p_free = float(ws.n_mines_left) / max(ws.n_free, 1)
    ws.free_verdict = SAFE if ws.n_mines_left == 0 else MINE if ws.n_mines_left == ws.n_free else UNKNOWN
    return OK


@inner
def sum_up(ws: Workspace, board: Board, asked: Question, by_box: Flag) -> Int:
    """Sum all components, and weigh their boxes if these are asked for; return a status."""
    status = sum_components_forwards(ws, asked, board.n_cols)
    if status == OK and ws.track == 1:
        status = close_with_total(ws, ws.n_mines_left - ws.base_sum)
    if status == OK and by_box:
        sum_components_backwards(ws, asked)
    return status


@inner
def start_stamps_again(ws: Workspace) -> None:
    """Before the stamps of the hash table leave their range, begin them anew."""
    if ws.stamp > LAST_STAMP:
        ws.stamp = 0
        for i in range(ws.slot_stamp.shape[0]):
            ws.slot_stamp[i] = 0


@inner
def sum_position(ws: Workspace, board: Board, asked: Question, position: Position, by_box: Flag) -> Int:
    """Sum a position that is read: its weight, and if they are asked for the weights of its boxes; return a status."""
    if ws.stop:
        return STOPPED
    ws.widest, ws.base_sum = 0, 0
    ws.boolean, ws.extended = False, False
    ws.track = 1 if asked.total >= 0 else 0
    forget(ws)
    status = group_unknown(ws, board, asked, position)
    if status != OK:
        return status
    ws.p_free, ws.free_verdict = asked.odds / (1.0 + asked.odds), UNKNOWN
    if ws.component_count == 0:
        return close_alone(ws) if ws.track == 1 else OK
    start_stamps_again(ws)
    ws.extended = exceeds_floats(ws, asked)
    status = sum_up(ws, board, asked, by_box)
    ws.log_weight += ws.log_sum
    return status


@inner
def write_cells(ws: Workspace, position: Position) -> None:
    """Turn the weights of the boxes into the chance of every cell. Certain is what has weight zero otherwise."""
    # Names of their own for these two: a write of 8 bits might change any attribute, as far as a compiler can tell.
    settled: Bytes = position.settled
    known: Ints = ws.verdict
    ws.by_verdict[UNKNOWN] = ws.p_free
    for cell in range(ws.n_cells):
        verdict = ws.verdict[cell]
        if verdict == UNKNOWN and ws.box_of[cell] < 0:
            verdict = ws.free_verdict
        ws.verdict[cell] = verdict
        position.p_mine[cell] = ws.by_verdict[verdict]
    for cell in range(ws.n_cells):
        settled[cell] = known[cell]
    for i in range(ws.frontier_count):
        cell = ws.frontier[i]
        box = ws.box_of[cell]
        if ws.label[box] < 0:
            mined = float(ws.least[box])
            clear = float(ws.size[box] - ws.least[box])
        else:
            mined, clear = ws.with_mines[box], ws.with_clear[box]
        p = mined / (mined + clear)
        if ws.extended and ws.label[box] >= 0:
            # A chance may be too small for a float and still not zero.
            possible = ws.support[box]
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
