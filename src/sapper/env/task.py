"""What the environments agree on: rules, rewards, spaces, what is allowed, what to do with an action that is not.

What a step is worth to whoever learns.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from gymnasium import spaces

from sapper.errors import IllegalMove, InputError, RulesError
from sapper.observation import FLAG, HIDDEN, NO_CLUE, Observation
from sapper.rules import Rules
from sapper.topology import USUAL_DEGREE

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Rewards:
    """The reward of everything that can happen in a step; what happens at once adds up.

    ``win`` is given when the last safe cell opens; a survey gives at its end ``win`` times its score. ``mine`` is
    given for every opened mine, ``safe_cell`` for every safe cell that opens, those of a cascade included,
    ``not_allowed`` for an action that the mask does not allow. ``guess`` is given for opening a cell that nothing
    proved safe, whatever lay under it; anything but 0 asks the exact engine about every opening.

    >>> Rewards(win=10.0, safe_cell=0.1).win
    10.0
    """

    win: float = 1.0
    mine: float = -1.0
    safe_cell: float = 0.0
    guess: float = 0.0
    not_allowed: float = -1.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise InputError(f"The reward {name!r} must be a finite number, not {value!r}.")

    @classmethod
    def of(cls, rewards: Rewards | Mapping[str, float] | None) -> Rewards:
        """Take rewards as they are, from a mapping of some of them, or the usual ones."""
        if rewards is None:
            return cls()
        if isinstance(rewards, cls):
            return rewards
        if not isinstance(rewards, Mapping):
            raise InputError(f"Rewards are a Rewards or a mapping of names to numbers, not {rewards!r}.")
        unknown = sorted(set(rewards) - set(cls.__slots__))
        if unknown:
            raise InputError(f"There is no reward {unknown[0]!r}; choose from {', '.join(cls.__slots__)}.")
        return cls(**rewards)


NotAllowed = Literal["ignore", "error"]
RENDER_MODES = ("ansi", "rgb_array")


@dataclass(frozen=True, slots=True)
class Task:
    """What is played and how it is paid; one value for the single environment and the vector of them."""

    rules: Rules
    rewards: Rewards
    not_allowed: NotAllowed
    render_mode: str | None

    @classmethod
    def of(
        cls,
        rules: Rules | str,
        rewards: Rewards | Mapping[str, float] | None,
        not_allowed: str,
        render_mode: str | None,
    ) -> Task:
        """Read the arguments of an environment, or raise a `SapperError` that says which one is wrong."""
        if isinstance(rules, str):
            rules = Rules.parse(rules)
        if not isinstance(rules, Rules):
            raise InputError(f"The rules are a Rules or its text such as 'expert first-opening', not {rules!r}.")
        if rules.mines == rules.n_cells and rules.opened_mine == "ends":
            raise RulesError(f"Under the rules {rules.in_short} every cell is a mine: there is nothing to play.")
        if not_allowed not in get_args(NotAllowed):
            raise InputError(
                f"An action that is not allowed gives either of {' and '.join(get_args(NotAllowed))}, "
                f"not {not_allowed!r}."
            )
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InputError(f"There is no render mode {render_mode!r}; choose from {', '.join(RENDER_MODES)}.")
        return cls(rules, Rewards.of(rewards), not_allowed, render_mode)  # type: ignore[arg-type]

    @property
    def flags(self) -> bool:
        """Whether there are actions for flags: in a survey, where marks make the score."""
        return self.rules.opened_mine == "explodes"

    @property
    def n_actions(self) -> int:
        """The number of actions: opening each cell, and in a survey also flagging each."""
        return self.rules.n_cells * (2 if self.flags else 1)

    def observation_space(self) -> spaces.Box:
        """Cells as in `Observation.cells`: 0 … 8 a clue, -1 hidden, -2 flag, -3 exploded, -4 open without a clue.

        On a board of one's own, clues go as far as its cells have neighbours, to 15 at most.
        """
        most = max(USUAL_DEGREE, int(self.rules.topology.degree.max()))
        return spaces.Box(NO_CLUE, most, (self.rules.rows, self.rules.cols), np.int8)

    def action_space(self) -> spaces.Discrete:
        """Cells by number, row · cols + col; the actions behind them put a flag on a cell or take it off."""
        return spaces.Discrete(self.n_actions)

    def may_open_first(self) -> NDArray[np.bool_]:
        """The cells whose opening leaves room for the mines, which near an opening not every cell does: (n,)."""
        room = self.rules.n_cells - 1 - self.rules.topology.degree.astype(np.int64)
        may: NDArray[np.bool_] = (room >= self.rules.mines) | (self.rules.first_click != "opening")
        return may

    def observation(self, cells: NDArray[np.int8]) -> Observation:
        """Return cells of an environment as the value that agents look at."""
        total = self.rules.mines if self.rules.total_known else None
        return Observation.of_game(self.rules.topology, np.asarray(cells, dtype=np.int8), total, self.rules.channel)

    def refuse(self, action: int, cells: NDArray[np.int8], where: str = "") -> IllegalMove:
        """Say why an action is not allowed."""
        n_cells = self.rules.n_cells
        row, col = self.rules.topology.cell(action % n_cells)
        code = cells.ravel()[action % n_cells]
        if action < n_cells and code == FLAG:
            why = "the cell is flagged"
        elif code == HIDDEN:
            why = "as the first cell it leaves no room for the opening that the rules promise"
        else:
            why = "the cell is open already"
        verb = "open" if action < n_cells else "flag"
        return IllegalMove(f"Action {action}{where}, to {verb} ({row}, {col}), is not allowed: {why}.")
