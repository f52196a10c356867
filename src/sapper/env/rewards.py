"""What a step is worth to whoever learns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sapper.errors import InputError


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
