"""What all environments share: rules, rewards, spaces, infos, and how to treat invalid actions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from sapper.errors import IllegalMove, InputError, RulesError
from sapper.observation import FLAG, HIDDEN, NO_CLUE, Observation
from sapper.rules import Rules
from sapper.topology import USUAL_DEGREE

if TYPE_CHECKING:
    from sapper.env.exact import Transition  # which imports this module

# What a step earns besides the sums of `Rewards`.
NamedReward = Literal["win", "risk", "excess-risk", "information"]
Reward = NamedReward | Callable[["Transition"], float]

REWARDS: tuple[NamedReward, ...] = get_args(NamedReward)
INFO = ("p_mine", "safe", "mines")  # beyond what is always there


@dataclass(frozen=True, slots=True)
class Rewards:
    """The rewards of a step; those that apply to the same step add up.

    ``win`` is for opening the last safe cell; a finished survey earns ``win`` times its score. ``mine`` is for every
    opened mine, ``safe_cell`` for every safe cell that opens, cascades included, and ``invalid_action`` for an action
    that the mask excludes. ``guess`` is for opening a cell that is not proved safe, mine or not; unless it is 0, every
    opening is checked with the exact engine.

    >>> Rewards(win=10.0, safe_cell=0.1).win
    10.0
    """

    win: float = 1.0
    mine: float = -1.0
    safe_cell: float = 0.0
    guess: float = 0.0
    invalid_action: float = -1.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise InputError(f"The reward {name!r} must be a finite number, not {value!r}.")

    @classmethod
    def of(cls, rewards: Rewards | Mapping[str, float] | None, reward: Reward | None = None) -> Rewards:
        """Return rewards from a `Rewards`, a mapping of some of them, or None for the defaults.

        With a ``reward``, which pays for steps by itself, only invalid actions and what the mapping names count.
        """
        if reward is not None and not isinstance(rewards, cls):
            mapping: Any = {} if rewards is None else rewards
            usual = {"win": float(reward == "win"), "mine": 0.0}
            return cls.of({**usual, **mapping} if isinstance(mapping, Mapping) else mapping)
        if rewards is None:
            return cls()
        if isinstance(rewards, cls):
            return rewards
        if not isinstance(rewards, Mapping):
            raise InputError(f"Rewards must be a Rewards or a mapping of names to numbers, not {rewards!r}.")
        unknown = sorted(set(rewards) - set(cls.__slots__))
        if unknown:
            raise InputError(f"Unknown reward {unknown[0]!r}; choose from {', '.join(cls.__slots__)}.")
        return cls(**rewards)


InvalidAction = Literal["ignore", "error"]
RENDER_MODES = ("ansi", "rgb_array")


@dataclass(frozen=True, slots=True)
class EnvironmentTask:
    """The rules and rewards of an environment, single or vectorised."""

    rules: Rules
    rewards: Rewards
    invalid_action: InvalidAction
    render_mode: str | None
    reward: Reward | None = None
    info: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        rules: Rules | str,
        rewards: Rewards | Mapping[str, float] | None,
        invalid_action: str,
        render_mode: str | None,
        reward: Reward | None = None,
        info: Sequence[str] = (),
    ) -> EnvironmentTask:
        """Check the arguments of an environment; raise a `SapperError` if one is wrong."""
        if isinstance(rules, str):
            rules = Rules.parse(rules)
        if not isinstance(rules, Rules):
            raise InputError(f"Rules must be a Rules or a string such as 'expert first-opening', not {rules!r}.")
        if rules.mines == rules.n_cells and rules.opened_mine == "ends":
            raise RulesError(f"Under the rules {rules.in_short}, every cell is a mine: there is nothing to play.")
        if invalid_action not in get_args(InvalidAction):
            raise InputError(f"invalid_action must be {' or '.join(get_args(InvalidAction))}, not {invalid_action!r}.")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise InputError(f"Unknown render mode {render_mode!r}; choose from {', '.join(RENDER_MODES)}.")
        if reward is not None and reward not in REWARDS and not callable(reward):
            raise InputError(f"A reward must be {', '.join(REWARDS)} or a function, not {reward!r}.")
        is_listed = isinstance(info, Iterable) and not isinstance(info, str)
        unknown = [name for name in info if name not in (*INFO, "action_mask")] if is_listed else [info]
        if unknown:
            wrong = unknown[0]
            raise InputError(f"info must name some of {', '.join(INFO)} and action_mask, not {wrong!r}.")
        named = tuple(name for name in INFO if name in info)  # the mask is always there
        return cls(
            rules,
            Rewards.of(rewards, reward),
            invalid_action,  # type: ignore[arg-type]
            render_mode,
            reward,
            named,
        )

    @property
    def flags(self) -> bool:
        """Whether there are flag actions: in a survey, which scores flags."""
        return self.rules.opened_mine == "explodes"

    @property
    def n_actions(self) -> int:
        """The number of actions: opening each cell, and in a survey also flagging each."""
        return self.rules.n_cells * (2 if self.flags else 1)

    def observation_space(self) -> spaces.Box:
        """Cells as in `Observation.cells`: 0 … 8 a clue, -1 hidden, -2 flag, -3 exploded, -4 open without a clue.

        On a custom board, clues go up to the maximum number of neighbours, at most 15.
        """
        max_clue = max(USUAL_DEGREE, int(self.rules.topology.degree.max()))
        return spaces.Box(NO_CLUE, max_clue, (self.rules.rows, self.rules.cols), np.int8)

    def action_space(self) -> spaces.Discrete:
        """Actions: opening cell row · cols + col; in a survey, flagging or unflagging it is n cells further."""
        return spaces.Discrete(self.n_actions)

    def may_open_first(self) -> NDArray[np.bool_]:
        """Return which cells may be opened first (n,): those that leave room for all mines outside the opening."""
        room = self.rules.n_cells - 1 - self.rules.topology.degree.astype(np.int64)
        may: NDArray[np.bool_] = (room >= self.rules.mines) | (self.rules.first_click != "opening")
        return may

    def observation(self, cells: NDArray[np.int8]) -> Observation:
        """Return an environment's cells as an `Observation`."""
        total = self.rules.mines if self.rules.total_known else None
        return Observation.of_game(self.rules.topology, np.asarray(cells, dtype=np.int8), total, self.rules.channel)

    def refuse(self, action: int, cells: NDArray[np.int8], where: str = "") -> IllegalMove:
        """Return an error that says why an action is invalid."""
        n_cells = self.rules.n_cells
        row, col = self.rules.topology.cell(action % n_cells)
        code = cells.ravel()[action % n_cells]
        if action < n_cells and code == FLAG:
            why = "the cell is flagged"
        elif code == HIDDEN:
            why = "as the first cell, it leaves no room for the opening that the rules promise"
        else:
            why = "the cell is open already"
        verb = "open" if action < n_cells else "flag"
        return IllegalMove(f"Action {action}{where}, to {verb} ({row}, {col}), is invalid: {why}.")
