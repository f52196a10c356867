"""What the environments work on: the games, the rules that all of them share, and one step of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sapper.kernels.boards.reveal import Field
from sapper.kernels.language import (
    BitGrid,
    Bits,
    ByteGrid,
    ConstBits,
    ConstByteGrid,
    ConstDoubleCube,
    ConstLongs,
    Double,
    Doubles,
    Flag,
    Int,
    IntGrid,
    Ints,
    Longs,
    Public,
    WordGrid,
    bits,
    ints,
    value,
    view,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

# First-click policies: what is promised of the first cell.
FIRST_ANY = 0
FIRST_SAFE = 1  # it is no mine
FIRST_OPENING = 2  # nor are its neighbours


@value
class Games:
    """As many games side by side as there are environments (e), on boards of n cells, with a actions each."""

    n_games: Public[Int]
    n_cells: Public[Int]
    n_actions: Public[Int]
    cells: ByteGrid  # (e, n): what the player sees
    masks: ByteGrid  # (e, a): 1 where an action is allowed: opening each cell, then in surveys flagging it
    mines: BitGrid  # (e, n): the truth, once it is laid
    shown: ByteGrid  # (e, n): what each cell shows when it is opened
    streams: WordGrid  # (e, 8): the generator of each environment's game seeds, in limbs
    seeds: Longs  # (e,): the seed of each game
    is_placed: Bits  # (e,): whether its layout is drawn, which the first opening does
    n_redraws: IntGrid  # (e, n): how often a silent cell was asked again; (e, 0) if that is not done
    n_closed: Ints  # (e,): cells that are not open
    n_flags: Ints  # (e,)
    n_correct_flags: Ints  # (e,): flags on mines, once these are laid
    n_steps: Ints  # (e,): steps taken in this game
    field: Field  # the cells and what they show once more, one board behind the other

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


@value
class Prices:
    """The rewards of what happens in a step."""

    win: Public[Double]  # a won game; a survey gets its score times this
    mine: Public[Double]  # an opened mine
    safe_cell: Public[Double]  # each safe cell that opens
    invalid_action: Public[Double]  # an action that the mask does not allow

    def __init__(self, win: Double, mine: Double, safe_cell: Double, invalid_action: Double) -> None:
        # Whole numbers are paid as floats, uncompiled too.
        self.win, self.mine = float(win), float(mine)
        self.safe_cell, self.invalid_action = float(safe_cell), float(invalid_action)


@value
class EnvironmentRules:
    """What is played and how it is paid."""

    n_mines: Public[Int]
    first_click: Public[Int]  # FIRST_ANY, FIRST_SAFE or FIRST_OPENING
    cascades: Public[Flag]  # whether a shown 0 opens its neighbours
    survey: Public[Flag]  # whether play goes on after a mine, and flags are scored
    redraws: Public[Flag]  # whether a silent cell may be asked again
    max_steps: Public[Int]  # after which a game is cut off; 0: never
    may_open: ConstBits  # (n,): the cells that leave room for what the first cell is promised
    forbids_some: Flag  # whether some do not
    prices: Prices

    def __init__(self, n_mines: Int, first_click: Int, may_open: NDArray[np.bool_], prices: Prices) -> None:
        self.n_mines, self.first_click, self.prices = n_mines, first_click, prices
        self.may_open, self.forbids_some = bits(may_open), not may_open.all()
        self.cascades, self.survey, self.redraws, self.max_steps = True, False, False, 0


@value
class ClueTables:
    """How a true clue becomes the one that is shown: the tables of a channel, d being the most neighbours of a cell."""

    is_exact: Public[Flag]  # whether the truth is shown; there are no tables then
    cumulative: ConstDoubleCube  # (d + 1, d + 2, d + 1): by neighbours, row shown, truth: P(this row or an earlier)
    last: ConstByteGrid  # (d + 1, d + 1): by neighbours and truth: the last row that can be shown

    def __init__(self, cumulative: Any = None, last: Any = None) -> None:
        self.is_exact = cumulative is None
        if cumulative is not None:
            self.cumulative, self.last = view(cumulative), view(last)


@value
class EnvironmentStep:
    """What is done in a step of all environments, and what comes of it."""

    chosen: ConstBits  # (e,): the environments that take part
    actions: ConstLongs  # (e,): what is done in each
    rewards: Doubles  # (e,) out
    terminated: Bits  # (e,) out: whether the game ended
    truncated: Bits  # (e,) out: whether it ran out of steps
    n_opened: Ints  # (e,) out: safe cells opened
    results: Doubles  # (e,) out: what an ended game has won: 1 or nothing, in a survey its score

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
