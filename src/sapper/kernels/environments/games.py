"""The memory of parallel games: the games, their common rules and one step of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.kernels.boards.reveal import Field
from sapper.kernels.language import *


class Games:
    """Parallel games: one for each of e environments, on boards of n cells, with a actions each."""

    n_games: Public[Int]
    n_cells: Public[Int]
    n_actions: Public[Int]
    cells: ByteGrid  # (e, n): what the player sees
    masks: ByteGrid  # (e, a): 1 where an action is valid: opening each cell, then in surveys flagging each
    mines: BitGrid  # (e, n): the layout, once it is placed
    shown: ByteGrid  # (e, n): what each cell shows once open
    streams: WordGrid  # (e, 8): the generator of each environment's game seeds, in limbs
    seeds: Longs  # (e,): the seed of each game
    is_placed: Bits  # (e,): whether its layout is placed, which happens at the first opening
    n_redraws: IntGrid  # (e, n): how often a cell without a clue was redrawn; (e, 0) if the rules have no redraws
    n_closed: Ints  # (e,): hidden and flagged cells
    n_flags: Ints  # (e,)
    n_correct_flags: Ints  # (e,): flags on mines, once the layout is placed
    n_steps: Ints  # (e,): steps taken in this game
    field: Field  # views of `cells` and `shown`, all boards concatenated

    def __init__(
        self,
        cells: NDArray[np.int8],
        masks: NDArray[np.int8],
        mines: NDArray[np.bool_],
        shown: NDArray[np.int8],
        streams: NDArray[np.uint64],
        seeds: NDArray[np.int64],
        is_placed: NDArray[np.bool_],
        redraws: Flag,
    ) -> None:
        e, n = cells.shape[0], cells.shape[1]
        self.n_games, self.n_cells, self.n_actions = e, n, masks.shape[1]
        self.cells, self.masks, self.mines, self.shown = view(cells), view(masks), bits(mines), view(shown)
        self.streams, self.seeds, self.is_placed = view(streams), view(seeds), bits(is_placed)
        self.n_redraws = ints(e, n if redraws else 0)
        self.n_closed, self.n_flags, self.n_correct_flags, self.n_steps = ints(e), ints(e), ints(e), ints(e)
        self.field = Field(cells.reshape(-1), shown.reshape(-1), np.zeros(n, dtype=np.int32))


class RewardValues:
    """The rewards of a step."""

    win: Public[Double]  # for a won game; times the score in a survey
    mine: Public[Double]  # for an opened mine
    safe_cell: Public[Double]  # for each safe cell that opens
    invalid_action: Public[Double]  # for an action that the mask excludes

    def __init__(self, win: Double, mine: Double, safe_cell: Double, invalid_action: Double) -> None:
        # Integers become floats, uncompiled too.
        self.win, self.mine = float(win), float(mine)
        self.safe_cell, self.invalid_action = float(safe_cell), float(invalid_action)


class ClueTables:
    """The tables of a channel, which turn true clues into shown ones; d is the maximum number of neighbours."""

    is_exact: Public[Flag]  # whether true clues are shown; there are no tables then
    cumulative: ConstDoubleCube  # (d + 1, d + 2, d + 1): by neighbours, row and truth: P(this row or an earlier one)
    last: ConstByteGrid  # (d + 1, d + 1): by neighbours and truth: the last possible row

    def __init__(self, cumulative: Any = None, last: Any = None) -> None:
        self.is_exact = cumulative is None
        if cumulative is not None:
            self.cumulative, self.last = view(cumulative), view(last)


class EnvironmentRules:
    """The rules and rewards that all games share."""

    n_mines: Public[Int]
    first_click: Public[Int]  # of placement.py
    cascades: Public[Flag]  # whether a shown 0 opens its neighbours
    survey: Public[Flag]  # whether play continues after a mine, and flags are scored
    redraws: Public[Flag]  # whether a cell without a clue may be opened again to redraw it
    max_steps: Public[Int]  # of a game; 0: no limit
    may_open: ConstBits  # (n,): the first cells for which the promise about the first cell can be kept
    forbids_some: Flag  # whether some first cells are not allowed
    rewards: RewardValues
    clues: ClueTables

    def __init__(
        self, n_mines: Int, first_click: Int, may_open: NDArray[np.bool_], rewards: RewardValues, clues: ClueTables
    ) -> None:
        self.n_mines, self.first_click, self.rewards, self.clues = n_mines, first_click, rewards, clues
        self.may_open, self.forbids_some = bits(may_open), not may_open.all()
        self.cascades, self.survey, self.redraws, self.max_steps = True, False, False, 0


class EnvironmentStep:
    """One step of all environments: the actions and their results."""

    chosen: ConstBits  # (e,): the environments that take part
    actions: ConstLongs  # (e,): the action of each
    rewards: Doubles  # (e,) out
    terminated: Bits  # (e,) out: whether the game ended
    truncated: Bits  # (e,) out: whether it ran out of steps
    n_opened: Ints  # (e,) out: safe cells opened
    results: Doubles  # (e,) out: of an ended game: 1 if won, else 0; in a survey its score

    def __init__(
        self,
        chosen: NDArray[np.bool_],
        actions: NDArray[np.int64],
        rewards: NDArray[np.float64],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        n_opened: NDArray[np.int32],
        results: NDArray[np.float64],
    ) -> None:
        self.chosen, self.actions = bits(chosen), view(actions)
        self.rewards, self.terminated, self.truncated = view(rewards), bits(terminated), bits(truncated)
        self.n_opened, self.results = view(n_opened), view(results)
