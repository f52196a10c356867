"""Positions a clue or two ahead of the game, summed from what was read of the game's position.

Reading a position takes longer than summing it, and one more clue changes little of what was read. So the reading is
kept, put back and changed. What is found is the same as `solve_position` finds, to the last bit. Little is asked about
such a position: how likely it is, and how safe its best cells are, dead ones aside.

Only for exact clues.
"""

from __future__ import annotations

from sapper.kernels.codes import CONTRADICTION, EXPLODED, HIDDEN, MINE, OK, OPEN, UNKNOWN
from sapper.kernels.engine.board import Board, Position
from sapper.kernels.engine.frontier import mark_mine, mark_safe, settle_waiting
from sapper.kernels.engine.posterior import read_position, sum_position, write_cells
from sapper.kernels.engine.workspace import Workspace
from sapper.kernels.language import Double, Doubles, Flag, Int, inner
from sapper.kernels.search.candidates import is_dead
from sapper.kernels.search.player import N_SAFEST, Player, Reading

# Found by play on other boards than those reported: see docs/strength.md.
FADE = 0.6  # a position ahead is judged by its best safeties, each with this many times the weight of the one before


@inner
def keep_reading(ws: Workspace, kept: Reading) -> None:
    """Keep what was read of a position."""
    kept.n_clues = 0
    for cell in range(ws.n_cells):
        kept.verdict[cell] = ws.frontier.verdict[cell]
        kept.high[cell] = ws.frontier.max_left[cell]
        kept.n_around[cell] = ws.frontier.n_around[cell]
    for i in range(ws.frontier.clue_count):
        cell = ws.frontier.clue_of[i]
        kept.clues[kept.n_clues] = cell
        kept.n_clues += 1 if ws.frontier.n_around[cell] > 0 else 0
    kept.n_unknown, kept.n_known, kept.n_safe, kept.n_mines = (
        ws.frontier.n_unknown,
        ws.frontier.n_known,
        ws.frontier.n_safe,
        ws.frontier.n_mines,
    )


@inner
def put_back(ws: Workspace, kept: Reading) -> None:
    """Make what was kept the position at hand."""
    for i in range(ws.frontier.cell_count):
        ws.frontier.box_of[ws.frontier.cells[i]] = -1
    ws.frontier.cell_count = 0
    for cell in range(ws.n_cells):
        ws.frontier.verdict[cell] = kept.verdict[cell]
        ws.frontier.max_left[cell] = kept.high[cell]
        ws.frontier.n_around[cell] = kept.n_around[cell]
    for i in range(kept.n_clues):
        ws.frontier.clue_of[i] = kept.clues[i]
    ws.frontier.clue_count = kept.n_clues
    ws.frontier.n_unknown, ws.frontier.n_known, ws.frontier.n_safe, ws.frontier.n_mines = (
        kept.n_unknown,
        kept.n_known,
        kept.n_safe,
        kept.n_mines,
    )


@inner
def read_now(player: Player, ws: Workspace, board: Board, position: Position) -> Int:
    """Read the position of the game and keep that; return a status."""
    for cell in range(board.n_cells):
        player.draft[cell] = position.cells[cell]
    status = read_position(ws, board, player.query, position)
    keep_reading(ws, player.now)
    return status


@inner
def add_clue(ws: Workspace, cell: Int) -> None:
    """Add a cell to the clues that have unknown neighbours, which are in order."""
    place: Int = ws.frontier.clue_count
    while place > 0 and ws.frontier.clue_of[place - 1] > cell:
        ws.frontier.clue_of[place] = ws.frontier.clue_of[place - 1]
        place -= 1
    ws.frontier.clue_of[place] = cell
    ws.frontier.clue_count += 1


@inner
def open_ahead(player: Player, ws: Workspace, board: Board, cell: Int, clue: Int) -> Int:
    """Have an unknown cell show a clue in the position ahead, and settle what follows; return a status.

    The draft has the clue already.
    """
    n_waiting: Int
    left: Int = 0
    allow: Int = clue
    for k in range(board.degree[cell]):
        other = board.table[cell, k]
        if ws.frontier.verdict[other] == UNKNOWN:
            left += 1
        elif ws.frontier.verdict[other] == MINE or player.draft[other] == EXPLODED:
            allow -= 1
    if allow < 0 or allow > left:
        return CONTRADICTION
    n_waiting = mark_safe(ws.frontier, board, False, player.ahead, cell, 0)
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
    return settle_waiting(ws.frontier, board, False, player.ahead, n_waiting)


@inner
def note_safety(best: Doubles, safety: Double) -> None:
    """Put a safety where it belongs among the best, which are in order; the last of them falls out."""
    place: Int = N_SAFEST - 1
    while place > 0 and best[place - 1] < safety:
        best[place] = best[place - 1]
        place -= 1
    best[place] = safety


@inner
def blend(best: Doubles) -> tuple[Double, Flag]:
    """Return what a position is worth by its best safeties, and whether it asks for a guess."""
    worth: Double = 0.0
    weight: Double = 1.0
    total: Double = 0.0
    if best[0] == 0.0:
        return 1.0, False
    for i in range(N_SAFEST):
        worth += weight * best[i]
        total += weight
        weight *= FADE
    return worth / total, best[0] < 1.0


@inner
def judge_cells(player: Player, board: Board, position: Position) -> tuple[Double, Flag]:
    """Return what a position is worth, by the chances of its cells, and whether it asks for a guess.

    Dead cells do not count, even if they are safe, unless there are no others. Several safe cells are better than one:
    more of the board will open.
    """
    for i in range(N_SAFEST):
        player.living[i], player.dead[i] = 0.0, 0.0
    for cell in range(board.n_cells):
        # Few cells pass the first test; where a cell is open, its chance is NaN and fails it.
        safety = 1.0 - position.p_mine[cell]
        if not safety > player.living[N_SAFEST - 1] or position.cells[cell] != HIDDEN:
            continue
        if not is_dead(player, board, position, cell):
            note_safety(player.living, safety)
            if player.living[N_SAFEST - 1] == 1.0:
                break
        elif safety > player.dead[N_SAFEST - 1]:
            note_safety(player.dead, safety)
    return blend(player.living if player.living[0] > 0.0 else player.dead)


@inner
def judge_clue(player: Player, ws: Workspace, kept: Reading, cell: Int, clue: Int) -> tuple[Int, Double, Flag]:
    """Have a cell show a clue; return a status, what that position is worth, and whether it asks for a guess.

    The draft has the clue already, and what it has else was kept. Afterwards ``log_weight`` is that of the position.
    """
    put_back(ws, kept)
    status = open_ahead(player, ws, player.board, cell, clue)
    if status == OK:
        status = sum_position(ws, player.board, player.query, player.ahead, True)
    if status != OK:
        return status, 0.0, False
    write_cells(ws, player.ahead)
    worth, guesses = judge_cells(player, player.board, player.ahead)
    return OK, worth, guesses


@inner
def weigh_swapped(player: Player, ws: Workspace, board: Board, half: Int, n_outside: Int) -> Int:
    """Weigh the layouts in which a swap stays open: its mines are mines, and so are the cells outside.

    Returns a status.
    """
    n_waiting: Int = 0
    put_back(ws, player.now)
    for i in range(half + n_outside):
        cell = player.swap[i] if i < half else player.outside[i - half]
        n_waiting = mark_mine(ws.frontier, board, player.position, cell, n_waiting)
        if n_waiting < 0:
            return CONTRADICTION
        ws.frontier.verdict[cell] = OPEN
    for i in range(half, 2 * half):
        n_waiting = mark_safe(ws.frontier, board, False, player.position, player.swap[i], n_waiting)
        if n_waiting < 0:
            return CONTRADICTION
        ws.frontier.verdict[player.swap[i]] = OPEN
    ws.frontier.n_known += half + n_outside
    ws.frontier.n_unknown -= 2 * half + n_outside
    status = settle_waiting(ws.frontier, board, False, player.position, n_waiting)
    return sum_position(ws, board, player.query, player.position, False) if status == OK else status
