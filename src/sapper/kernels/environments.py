"""Many games side by side, stepped in one call: open or flag a cell, cascade, reward, end, begin anew.

Linear in the cells of the boards that are stepped, which is the writing of the masks; a new game costs its layout.

| array     | dtype   | shape   | meaning                                                                      |
|-----------|---------|---------|------------------------------------------------------------------------------|
| cells     | int8    | (e, n)  | what the player sees                                                         |
| masks     | int8    | (e, a)  | 1 where an action is allowed: opening each cell, then flagging it (surveys)  |
| mines     | bool    | (e, n)  | the truth, once it is laid                                                   |
| shown     | int8    | (e, n)  | what each cell shows when it is opened                                       |
| asked     | int32   | (e, n)  | how often a silent cell was asked again; (e, 0) if that is not done          |
| streams   | uint64  | (e, 8)  | the generator of each environment's game seeds                               |
| seeds     | int64   | (e,)    | the seed of each game                                                        |
| tallies   | int32   | (e, 5)  | cells closed, flags, flags on mines, steps, whether the layout is laid       |
| states    | int8    | (e,)    | PLAYING, WON, LOST or FINISHED                                               |
| may_open  | bool    | (n,)    | the cells that leave room for the first-click policy                         |
| settings  | int64   | (6,)    | mines, first-click policy, cascade, survey, redraws, most steps or 0         |
| prices    | float64 | (4,)    | the reward of a win, an opened mine, a safe cell, an action that is not allowed |
| others    |         |         | as in laying.py                                                              |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import inner_kernel, kernel
from sapper.kernels.laying import NO_CLUE, ask_again, lay
from sapper.kernels.pcg64 import fill_words
from sapper.kernels.reveal import HIDDEN, reveal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.kernels.laying import Bools, Floats, Int8s, Ints, Words

    Longs = NDArray[np.int64]
    State = tuple[Int8s, Int8s, Bools, Int8s, Ints, Words, Longs, Ints, Int8s]
    Board = tuple[Ints, Int8s, Bools, Floats, Int8s, Longs, Floats]
    Scratch = tuple[Words, Words, Words, Words, Ints, Ints]

FLAG = -2
EXPLODED = -3

# How a game stands.
PLAYING, WON, LOST, FINISHED = 0, 1, 2, 3

# Columns of a tally.
CLOSED, FLAGS, MARKED, STEPS, LAID = 0, 1, 2, 3, 4
N_TALLIES = 5

# Places in the settings and among the prices.
MINES, POLICY, CASCADE, SURVEY, REDRAWS, MOST_STEPS = 0, 1, 2, 3, 4, 5
WIN, MINE, SAFE_CELL, NOT_ALLOWED = 0, 1, 2, 3


@inner_kernel
def _write_mask(cells: Int8s, mask: Int8s, is_laid: int, may_open: Bools, survey: int, redraws: int) -> None:
    n = len(cells)
    if is_laid and not redraws:
        for cell in range(n):
            mask[cell] = cells[cell] == HIDDEN
    else:
        for cell in range(n):
            code = cells[cell]
            mask[cell] = (code == HIDDEN and (is_laid != 0 or may_open[cell])) or (redraws != 0 and code == NO_CLUE)
    if survey:
        for cell in range(n):
            mask[n + cell] = cells[cell] == HIDDEN or cells[cell] == FLAG


@kernel
def start_games(which: Bools, state: State, board: Board, scratch: Scratch) -> None:
    """Begin a new game, with the next seed of its stream, in every environment marked in ``which`` (e,)."""
    cells, masks, _, _, asked, streams, seeds, tallies, states = state
    may_open, settings, words = board[2], board[5], scratch[2]
    for e in range(len(which)):
        if not which[e]:
            continue
        # A seed is a number of 63 bits.
        fill_words(streams[e], 1, words)
        seeds[e] = np.int64(words[0] >> np.uint64(1))
        cells[e, :] = HIDDEN
        asked[e, :] = 0
        tallies[e, :] = 0
        tallies[e, CLOSED] = cells.shape[1]
        states[e] = PLAYING
        _write_mask(cells[e], masks[e], 0, may_open, settings[SURVEY], settings[REDRAWS])


@inner_kernel
def _lay_or_ask(
    cell: int,
    seed: np.int64,
    cells: Int8s,
    mines: Bools,
    shown: Int8s,
    asked: Ints,
    tally: Ints,
    table: Ints,
    degree: Int8s,
    cumulative: Floats,
    last: Int8s,
    settings: Longs,
    generator: Words,
    pool: Words,
    words: Words,
    keys: Words,
    places: Ints,
) -> bool:
    """Draw the layout if this is the first cell, or ask a silent one again; return whether it has something to show."""
    if cells[cell] == NO_CLUE:
        asked[cell] += 1
        shown[cell] = ask_again(seed, cell, asked[cell], table, degree, cumulative, last, mines, generator, pool, words)
        return bool(shown[cell] != NO_CLUE)
    lay(
        seed, cell, settings[MINES], settings[POLICY], table, degree, cumulative, last, mines, shown, generator, pool,
        words, keys, places,
    )  # fmt: skip
    tally[LAID] = 1
    for k in range(settings[MINES]):
        if cells[places[k]] == FLAG:
            tally[MARKED] += 1
    return True


@inner_kernel
def _flag(cell: int, cells: Int8s, mines: Bools, tally: Ints) -> None:
    """Put a flag on a hidden cell or take it off."""
    change = 1 if cells[cell] == HIDDEN else -1
    cells[cell] = FLAG if change == 1 else HIDDEN
    tally[FLAGS] += change
    if tally[LAID] and mines[cell]:
        tally[MARKED] += change


@inner_kernel
def _result(tally: Ints, n_cells: int, n_mines: int, state: int) -> float:
    """The part of the prize that an ended game has won: all or nothing, or in a survey its score."""
    if state != FINISHED:
        return 1.0 if state == WON else 0.0
    if n_mines == 0:
        return 1.0
    if tally[LAID]:
        return float(tally[MARKED] / n_mines)
    return tally[FLAGS] / n_mines if n_mines == n_cells else 0.0


@kernel
def step_games(
    active: Bools,
    actions: Longs,
    state: State,
    board: Board,
    scratch: Scratch,
    rewards: Floats,
    terminated: Bools,
    truncated: Bools,
    n_opened: Ints,
    results: Floats,
) -> None:
    """Take an action in every environment marked in ``active`` (e,), whose game must be going on.

    An action that is not allowed leaves the game as it is. Writes, for all environments, the rewards, whether the game
    ended or ran out of steps, the safe cells opened, and what an ended game has won (1, or in a survey its score).
    """
    # Taken apart once: a tuple of arrays that is handed on costs more than a step.
    cells, masks, mines, shown, asked, _, seeds, tallies, states = state
    table, degree, may_open, cumulative, last, settings, prices = board
    generator, pool, words, keys, places, opened = scratch
    n_cells, survey = cells.shape[1], settings[SURVEY]
    for e in range(len(active)):
        rewards[e] = 0.0
        terminated[e] = False
        truncated[e] = False
        n_opened[e] = 0
        results[e] = 0.0
        if not active[e]:
            continue
        tallies[e, STEPS] += 1
        action = actions[e]
        if masks[e, action]:
            if action >= n_cells:
                _flag(action - n_cells, cells[e], mines[e], tallies[e])
            else:
                # Handing on so many arrays costs more than opening a cell: most openings go without.
                was_open = cells[e, action] == NO_CLUE
                speaks = True
                if was_open or not tallies[e, LAID]:
                    speaks = _lay_or_ask(
                        action, seeds[e], cells[e], mines[e], shown[e], asked[e], tallies[e], table, degree, cumulative,
                        last, settings, generator, pool, words, keys, places,
                    )  # fmt: skip
                if mines[e, action]:
                    cells[e, action] = EXPLODED
                    tallies[e, CLOSED] -= 1
                    rewards[e] += prices[MINE]
                    if not survey:
                        states[e] = LOST
                elif speaks:
                    n_new = 1
                    if settings[CASCADE] and shown[e, action] == 0:
                        n_new = reveal(cells[e], shown[e], table, degree, action, True, opened)
                    else:
                        cells[e, action] = shown[e, action]
                    if was_open:
                        n_new -= 1
                    tallies[e, CLOSED] -= n_new
                    n_opened[e] = n_new
                    rewards[e] += prices[SAFE_CELL] * n_new
            if survey:
                if tallies[e, CLOSED] == tallies[e, FLAGS]:
                    states[e] = FINISHED
            elif tallies[e, CLOSED] == settings[MINES] and states[e] == PLAYING:
                states[e] = WON
            if states[e] == PLAYING:
                _write_mask(cells[e], masks[e], tallies[e, LAID], may_open, survey, settings[REDRAWS])
            else:
                terminated[e] = True
                results[e] = _result(tallies[e], n_cells, settings[MINES], states[e])
                rewards[e] += prices[WIN] * results[e]
                masks[e, :] = 0
        else:
            rewards[e] += prices[NOT_ALLOWED]
        truncated[e] = settings[MOST_STEPS] > 0 and tallies[e, STEPS] >= settings[MOST_STEPS]


@kernel
def choose_allowed(masks: Int8s, words: Words, out_actions: Longs) -> None:
    """Choose one of the allowed actions of every environment, all with the same chance, or 0 where none is left.

    ``words`` (e,) are random numbers of 32 bits: what the remainder of so many does to the chances is below 10⁻⁶ on
    boards of up to 4,000 cells.
    """
    for e in range(len(masks)):
        n = 0
        for action in range(masks.shape[1]):
            n += masks[e, action]
        left = np.int64((words[e] * np.uint64(n)) >> np.uint64(32))
        action = 0
        while n and (left > 0 or masks[e, action] == 0):
            left -= masks[e, action]
            action += 1
        out_actions[e] = action
