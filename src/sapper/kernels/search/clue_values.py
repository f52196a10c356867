"""Positions one or two clues ahead of the game: their probability and heuristic value.

Reading a position takes longer than summing it, and one more clue changes little of the reading. So the reading is
saved, restored and changed; the result is the same as `solve_position`'s, to the last bit. Only two things are asked of
such a position: its weight, and the safe probabilities of its safest informative cells.

Only for exact clues.
"""

from __future__ import annotations

from sapper.kernels.codes import CONTRADICTION, EXPLODED, HIDDEN, MINE, OK, OPEN, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.engine.frontier import mark_mine, mark_safe, settle_waiting
from sapper.kernels.engine.posterior import read_position, sum_position, write_chances, write_verdicts
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import *
from sapper.kernels.search.candidates import is_uninformative
from sapper.kernels.search.player import N_SAFEST, Player, Snapshot

# Tuned by play on other boards than those reported: see docs/strength.md.
SAFETY_DECAY = 0.6  # ratio of the weights of successive safe probabilities in the heuristic value


def save_snapshot(ws: Workspace, snapshot: Snapshot) -> None:
    """Save the engine's reading of a position."""
    snapshot.n_clues = 0
    for cell in range(ws.n_cells):
        snapshot.verdict[cell] = ws.frontier.verdict[cell]
        snapshot.high[cell] = ws.frontier.max_left[cell]
        snapshot.n_around[cell] = ws.frontier.n_around[cell]
    for i in range(ws.frontier.clue_count):
        cell = ws.frontier.clue_of[i]
        snapshot.clues[snapshot.n_clues] = cell
        snapshot.n_clues += 1 if ws.frontier.n_around[cell] > 0 else 0
    snapshot.n_unknown, snapshot.n_known = ws.frontier.n_unknown, ws.frontier.n_known
    snapshot.n_safe, snapshot.n_mines = ws.frontier.n_safe, ws.frontier.n_mines


def restore_snapshot(ws: Workspace, snapshot: Snapshot) -> None:
    """Restore a reading to the engine."""
    for i in range(ws.frontier.cell_count):
        ws.frontier.box_of[ws.frontier.cells[i]] = -1
    ws.frontier.cell_count = 0
    for cell in range(ws.n_cells):
        ws.frontier.verdict[cell] = snapshot.verdict[cell]
        ws.frontier.max_left[cell] = snapshot.high[cell]
        ws.frontier.n_around[cell] = snapshot.n_around[cell]
    for i in range(snapshot.n_clues):
        ws.frontier.clue_of[i] = snapshot.clues[i]
    ws.frontier.clue_count = snapshot.n_clues
    ws.frontier.n_unknown, ws.frontier.n_known = snapshot.n_unknown, snapshot.n_known
    ws.frontier.n_safe, ws.frontier.n_mines = snapshot.n_safe, snapshot.n_mines


def read_game(player: Player, ws: Workspace, board: Board, position: Position) -> Int:
    """Read the position of the game and save that; return a status."""
    for cell in range(board.n_cells):
        player.scratch_cells[cell] = position.cells[cell]
    status = read_position(ws, board, player.query, position)
    save_snapshot(ws, player.snapshot)
    return status


def add_clue(ws: Workspace, cell: Int) -> None:
    """Insert a cell into the sorted clues that have unknown neighbours."""
    place: Int = ws.frontier.clue_count
    while place > 0 and ws.frontier.clue_of[place - 1] > cell:
        ws.frontier.clue_of[place] = ws.frontier.clue_of[place - 1]
        place -= 1
    ws.frontier.clue_of[place] = cell
    ws.frontier.clue_count += 1


def show_clue(player: Player, ws: Workspace, board: Board, cell: Int, clue: Int) -> Int:
    """Let an unknown cell show a clue in the restored position, and settle what follows; return a status.

    ``scratch_cells`` has the clue already.
    """
    n_waiting: Int
    left: Int = 0
    allow: Int = clue
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        if ws.frontier.verdict[other] == UNKNOWN:
            left += 1
        elif ws.frontier.verdict[other] == MINE or player.scratch_cells[other] == EXPLODED:
            allow -= 1
    if allow < 0 or allow > left:
        return CONTRADICTION
    n_waiting = mark_safe(ws.frontier, board, False, player.scratch, cell, 0)
    if n_waiting < 0:
        return CONTRADICTION
    ws.frontier.verdict[cell] = OPEN
    ws.frontier.max_left[cell], ws.frontier.n_around[cell] = allow, left
    ws.frontier.n_unknown -= 1
    if left > 0:
        add_clue(ws, cell)
        if allow == 0 or allow == left:
            ws.frontier.queue[n_waiting] = cell
            n_waiting += 1
    return settle_waiting(ws.frontier, board, False, player.scratch, n_waiting)


def insert_safety(best: Doubles, safety: Double) -> None:
    """Insert a safe probability into the sorted highest ones; the last drops out."""
    place: Int = N_SAFEST - 1
    while place > 0 and best[place - 1] < safety:
        best[place] = best[place - 1]
        place -= 1
    best[place] = safety


def heuristic_value(best: Doubles) -> tuple[Double, Flag]:
    """Return the weighted mean of the highest safe probabilities, and whether a guess is needed."""
    value: Double = 0.0
    weight: Double = 1.0
    total: Double = 0.0
    if best[0] == 0.0:
        return 1.0, False
    for i in range(N_SAFEST):
        value += weight * best[i]
        total += weight
        weight *= SAFETY_DECAY
    return value / total, best[0] < 1.0


def evaluate_cells(player: Player, board: Board, position: Position) -> tuple[Double, Flag]:
    """Return the heuristic value of a solved position, and whether a guess is needed.

    Uninformative cells do not count, even if they are safe, unless there are no others. Several safe cells are better
    than one: more of the board will open.
    """
    for i in range(N_SAFEST):
        player.informative[i], player.uninformative[i] = 0.0, 0.0
    for cell in range(board.n_cells):
        # Few cells pass the first test; an open cell's probability is NaN and fails it.
        safety = 1.0 - position.p_mine[cell]
        if not safety > player.informative[N_SAFEST - 1] or position.cells[cell] != HIDDEN:
            continue
        if not is_uninformative(player, board, position, cell):
            insert_safety(player.informative, safety)
            if player.informative[N_SAFEST - 1] == 1.0:
                break
        elif safety > player.uninformative[N_SAFEST - 1]:
            insert_safety(player.uninformative, safety)
    return heuristic_value(player.informative if player.informative[0] > 0.0 else player.uninformative)


def evaluate_clue(player: Player, ws: Workspace, snapshot: Snapshot, cell: Int, clue: Int) -> tuple[Int, Double, Flag]:
    """Let a cell show a clue; return a status, the value of that position, and whether a guess is needed.

    ``scratch_cells`` has the clue already; the snapshot is that of the position without it. Afterwards the workspace's
    ``log_weight`` is that of the position.
    """
    restore_snapshot(ws, snapshot)
    status = show_clue(player, ws, player.board, cell, clue)
    if status == OK:
        status = sum_position(ws, player.board, player.query, player.scratch, True)
    if status != OK:
        return status, 0.0, False
    write_verdicts(ws, player.scratch)
    write_chances(ws, player.scratch)
    value, guesses = evaluate_cells(player, player.board, player.scratch)
    return OK, value, guesses


def sum_exchanged(player: Player, ws: Workspace, board: Board, half: Int, n_outside: Int) -> Int:
    """Sum the layouts in which an exchange stays unresolved: its first half and the cells outside are mines.

    Returns a status.
    """
    n_waiting: Int = 0
    restore_snapshot(ws, player.snapshot)
    for i in range(half + n_outside):
        cell = player.members[i] if i < half else player.outside[i - half]
        n_waiting = mark_mine(ws.frontier, board, player.position, cell, n_waiting)
        if n_waiting < 0:
            return CONTRADICTION
        ws.frontier.verdict[cell] = OPEN
    for i in range(half, 2 * half):
        n_waiting = mark_safe(ws.frontier, board, False, player.position, player.members[i], n_waiting)
        if n_waiting < 0:
            return CONTRADICTION
        ws.frontier.verdict[player.members[i]] = OPEN
    ws.frontier.n_known += half + n_outside
    ws.frontier.n_unknown -= 2 * half + n_outside
    status = settle_waiting(ws.frontier, board, False, player.position, n_waiting)
    return sum_position(ws, board, player.query, player.position, False) if status == OK else status
