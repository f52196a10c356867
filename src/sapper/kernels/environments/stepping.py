"""Step many games in one call: open or flag a cell, cascade, reward, end and restart.

A step is linear in the cells that it opens. A game also draws a layout and fills its mask at both ends.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.boards.pcg64 import fill_words, load_stream, save_stream
from sapper.kernels.boards.placement import Placement
from sapper.kernels.boards.reveal import open_cascade
from sapper.kernels.codes import EXPLODED, FLAG, HIDDEN, NO_CLUE
from sapper.kernels.engine.board import Board
from sapper.kernels.environments.clues import draw_again, place_layout
from sapper.kernels.environments.games import EnvironmentRules, EnvironmentStep, Games
from sapper.kernels.language import *

HIT_MINE = -1  # a mine was opened


def fill_row(table: ByteGrid, which: Int, length: Int, code: Int) -> None:
    """Fill a row with a code."""
    for k in range(length):
        table[which, k] = code


def allow(games: Games, rules: EnvironmentRules, which: Int, cell: Int) -> None:
    """Update the mask for a cell."""
    code = games.cells[which, cell]
    if code == HIDDEN:
        games.masks[which, cell] = games.is_placed[which] or rules.may_open[cell]
    else:
        games.masks[which, cell] = code == NO_CLUE and rules.redraws
    if rules.survey:
        games.masks[which, games.n_cells + cell] = code in (HIDDEN, FLAG)


def allow_all(games: Games, rules: EnvironmentRules, which: Int) -> None:
    """Update the mask for every cell."""
    for cell in range(games.n_cells):
        allow(games, rules, which, cell)


def start_game(games: Games, rules: EnvironmentRules, placement: Placement, which: Int) -> None:
    """Start a new game with the next seed of its stream."""
    load_stream(placement.generator, games.streams, which)
    fill_words(placement.generator, 1, placement.words)
    save_stream(placement.generator, games.streams, which)
    # A seed has 63 bits.
    games.seeds[which] = placement.words[0] >> 1
    games.n_closed[which], games.n_flags[which], games.n_correct_flags[which] = games.n_cells, 0, 0
    games.n_steps[which], games.is_placed[which] = 0, 0
    fill_row(games.cells, which, games.n_cells, HIDDEN)
    if rules.redraws:
        for cell in range(games.n_cells):
            games.n_redraws[which, cell] = 0
    fill_row(games.masks, which, games.n_actions, 1)
    if rules.forbids_some:
        allow_all(games, rules, which)


def place_on_first(
    games: Games, rules: EnvironmentRules, board: Board, placement: Placement, which: Int, cell: Int
) -> None:
    """Place the layout when the first cell is opened."""
    place_layout(placement, board, rules, games, which, cell)
    games.is_placed[which] = 1
    if rules.survey:
        for k in range(rules.n_mines):
            if games.cells[which, placement.places[k]] == FLAG:
                games.n_correct_flags[which] += 1
    # The restriction of the first cell ends.
    if rules.forbids_some:
        allow_all(games, rules, which)


def open_cell(games: Games, rules: EnvironmentRules, board: Board, placement: Placement, which: Int, cell: Int) -> Int:
    """Open a cell, or redraw one without a clue; return the number of opened safe cells, or HIT_MINE."""
    was_open: Flag = games.cells[which, cell] == NO_CLUE
    if was_open:
        games.n_redraws[which, cell] += 1
        games.shown[which, cell] = draw_again(placement, board, rules, games, which, cell)
        if games.shown[which, cell] == NO_CLUE:
            return 0
    elif not games.is_placed[which]:
        place_on_first(games, rules, board, placement, which, cell)
    if games.mines[which, cell]:
        games.cells[which, cell] = EXPLODED
        games.n_closed[which] -= 1
        allow(games, rules, which, cell)
        return HIT_MINE
    n_opened = open_cascade(games.field, board, which * games.n_cells, cell, rules.cascades)
    for k in range(n_opened):
        allow(games, rules, which, games.field.opened[k])
    if was_open:
        n_opened -= 1
    games.n_closed[which] -= n_opened
    return n_opened


def flag_cell(games: Games, rules: EnvironmentRules, which: Int, cell: Int) -> None:
    """Flag a hidden cell, or remove its flag."""
    change: Int = 1 if games.cells[which, cell] == HIDDEN else -1
    games.cells[which, cell] = FLAG if change == 1 else HIDDEN
    games.n_flags[which] += change
    if games.is_placed[which] and games.mines[which, cell]:
        games.n_correct_flags[which] += change
    allow(games, rules, which, cell)


def score_survey(games: Games, rules: EnvironmentRules, which: Int) -> Double:
    """Return the score of a finished survey: right flags minus wrong ones, as a share of the mines."""
    if rules.n_mines == 0:
        return 1.0
    if games.is_placed[which]:
        return float(max(0, 2 * games.n_correct_flags[which] - games.n_flags[which])) / rules.n_mines
    # Nothing was opened, so all cells are flagged: right only if all of them are mines.
    return 1.0 if rules.n_mines == games.n_cells else 0.0


def act(
    games: Games,
    rules: EnvironmentRules,
    board: Board,
    placement: Placement,
    step: EnvironmentStep,
    which: Int,
    action: Int,
) -> None:
    """Take a valid action."""
    n_opened: Int = 0
    reward: Double = 0.0
    if action >= games.n_cells:
        flag_cell(games, rules, which, action - games.n_cells)
    else:
        n_opened = open_cell(games, rules, board, placement, which, action)
        if n_opened == HIT_MINE:
            reward += rules.rewards.mine
        else:
            step.n_opened[which] = n_opened
            reward += rules.rewards.safe_cell * n_opened
    if rules.survey:
        if games.n_closed[which] == games.n_flags[which]:
            step.terminated[which] = 1
            step.results[which] = score_survey(games, rules, which)
    elif n_opened == HIT_MINE:
        step.terminated[which] = 1
    elif games.n_closed[which] == rules.n_mines:
        step.terminated[which] = 1
        step.results[which] = 1.0
    if step.terminated[which]:
        reward += rules.rewards.win * step.results[which]
        fill_row(games.masks, which, games.n_actions, 0)
    step.rewards[which] = reward


def step_game(
    games: Games, rules: EnvironmentRules, board: Board, placement: Placement, step: EnvironmentStep, which: Int
) -> None:
    """Take the action of one environment; an invalid one changes nothing."""
    action: Int = step.actions[which]
    games.n_steps[which] += 1
    if games.masks[which, action]:
        act(games, rules, board, placement, step, which, action)
    else:
        step.rewards[which] = 0.0 + rules.rewards.invalid_action
    step.truncated[which] = 0 < rules.max_steps <= games.n_steps[which]


def choose_actions(masks: ConstByteGrid, numbers: ConstWords, actions: Longs) -> None:
    """Choose a valid action in every row of the masks, by a 32-bit random number."""
    n_valid: Int
    action: Int
    left: Long
    for which in range(masks.shape[0]):
        n_valid = 0
        for k in range(masks.shape[1]):
            n_valid += masks[which, k]
        left = (numbers[which] * n_valid) >> 32
        action = 0
        while n_valid > 0 and (left > 0 or masks[which, action] == 0):
            left -= masks[which, action]
            action += 1
        actions[which] = action


@public
def start_games(games: Games, rules: EnvironmentRules, placement: Placement, step: EnvironmentStep) -> None:
    """Start a new game in every chosen environment, with the next seed of its stream."""
    with unlocked:
        for which in range(games.n_games):
            if step.chosen[which]:
                start_game(games, rules, placement, which)


@public
def step_games(
    games: Games, rules: EnvironmentRules, board: Board, placement: Placement, step: EnvironmentStep
) -> None:
    """Take the actions of all chosen environments, whose games must not be over.

    Results are written for all environments; for the others, they say that nothing happened.
    """
    with unlocked:
        for which in range(games.n_games):
            step.rewards[which], step.results[which] = 0.0, 0.0
            step.terminated[which], step.truncated[which], step.n_opened[which] = 0, 0, 0
            if step.chosen[which]:
                step_game(games, rules, board, placement, step, which)


@public
def choose_allowed(masks: NDArray[np.int8], numbers: NDArray[np.uint64], actions: NDArray[np.int64]) -> None:
    """Choose a valid action of every environment uniformly, or 0 where there is none.

    ``numbers`` (e,) are 32-bit random numbers. Their rounding changes a probability by less than a millionth of it on
    boards of up to 4,000 cells.
    """
    seen: ConstByteGrid = view(masks)
    drawn: ConstWords = view(numbers)
    chosen: Longs = view(actions)
    with unlocked:
        choose_actions(seen, drawn, chosen)
