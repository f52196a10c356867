"""How a true clue becomes the clue that a player sees.

Games draw clues from these tables and agents reason with the same tables, so the two always agree about what a clue
means.

- ``exact``: the truth.
- ``withheld:p``: with probability p the open cell shows no clue at all.
- ``optimistic:p``: with probability p the clue is drawn uniformly from 0 … truth.
- ``cautious:p``: with probability p the clue is drawn uniformly from truth … number of neighbours.
- ``liar:p``: with probability p the clue is off by one, up or down with equal chance; 0 can only go up and the number
  of neighbours only down. A cell without neighbours tells the truth. ``liar`` alone is ``liar:1``: every clue is wrong.

>>> Channel.parse("withheld:0.3")
Channel(kind='withheld', p=0.3, redraws=False)
>>> Channel.parse("optimistic:0.5").likelihood(2).round(2)  # rows: shown 0, 1, 2, nothing
array([[1.  , 0.25, 0.17],
       [0.  , 0.75, 0.17],
       [0.  , 0.  , 0.67],
       [0.  , 0.  , 0.  ]])
>>> Channel.parse("liar").likelihood(2)[:-1]  # a shown 1 may stand for 0 or for 2, but never for 1
array([[0. , 0.5, 0. ],
       [1. , 0. , 1. ],
       [0. , 0.5, 0. ]])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sapper.errors import InputError, check_type

Kind = Literal["exact", "withheld", "optimistic", "cautious", "liar"]
KINDS: tuple[Kind, ...] = get_args(Kind)
SOFT_KINDS: tuple[Kind, ...] = ("optimistic", "cautious", "liar")  # noisy clues: the shown one may be wrong

# Smaller probabilities would be lost in the rounding of larger ones.
MIN_DOUBT = 1e-9


@dataclass(frozen=True, slots=True)
class Channel:
    """How clues are shown.

    kind: ``exact``, ``withheld``, ``optimistic``, ``cautious`` or ``liar``.
    p: the probability that a clue is withheld or changed.
    redraws: whether opening a silent cell again draws again; otherwise it stays silent.
    """

    kind: Kind = "exact"
    p: float = 0.0
    redraws: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"There is no clue channel {self.kind!r}; choose from {', '.join(KINDS)}.")
        if not 0.0 <= self.p <= 1.0:
            raise InputError(f"The probability of a clue channel must be between 0 and 1, not {self.p}.")
        if 0.0 < min(self.p, 1.0 - self.p) < MIN_DOUBT:
            raise InputError(
                f"The probability {self.p} is too close to 0 or 1; keep at least {MIN_DOUBT} away from both."
            )
        if self.kind == "exact" and (self.p or self.redraws):
            raise InputError("The exact clue channel takes neither a probability nor redraws.")
        if self.redraws and self.kind != "withheld":
            raise InputError("Only withheld clues can be queried again: other channels always show one.")

    @classmethod
    def parse(cls, text: str) -> Channel:
        """Read ``exact``, ``withheld:0.3``, ``withheld:0.3:redraws``, ``optimistic:0.2``, ``liar:0.2`` or ``liar``."""
        check_type(text, str, "a clue channel as text such as 'withheld:0.3'")
        kind, *settings = text.split(":")
        if kind not in KINDS:
            raise InputError(f"There is no clue channel {text[:40]!r}; write exact, or for example withheld:0.3.")
        if kind == "exact" and not settings:
            return cls()
        if kind == "liar" and not settings:
            return cls(kind, 1.0)
        redraws = settings[1:] == ["redraws"]
        try:
            (p,) = settings if not redraws else settings[:1]
            return cls(kind, float(p), redraws)
        except ValueError:
            raise InputError(f"The clue channel {text[:40]!r} must look like {kind}:0.3.") from None

    def __str__(self) -> str:
        if self.kind == "exact" or self == ALWAYS_WRONG:
            return self.kind
        return f"{self.kind}:{self.p!r}" + (":redraws" if self.redraws else "")

    def likelihood(self, n_neighbours: int) -> NDArray[np.float64]:
        """Return P(shown | truth) for a cell with this many neighbours.

        Shape (n_neighbours + 2, n_neighbours + 1): a row per clue that may be shown, the last one for no
        clue at all; a column per true count. Every column sums to one.
        """
        n = n_neighbours
        table = np.zeros((n + 2, n + 1))
        truths = np.arange(n + 1)
        table[truths, truths] = 1.0 - self.p
        if self.kind == "exact":
            table[truths, truths] = 1.0
        elif self.kind == "withheld":
            table[n + 1, :] = self.p
        else:
            for truth in range(n + 1):
                drawn_from = self._drawn_from(truth, n)
                table[drawn_from, truth] += self.p / len(drawn_from)
        return table

    def _drawn_from(self, truth: int, n_neighbours: int) -> list[int]:
        """Return the distribution of a noisy clue: what it is drawn from with probability p."""
        if self.kind == "optimistic":
            return [*range(truth + 1)]
        if self.kind == "cautious":
            return [*range(truth, n_neighbours + 1)]
        return [clue for clue in (truth - 1, truth + 1) if 0 <= clue <= n_neighbours] or [truth]

    @property
    def zero_is_certain(self) -> bool:
        """Whether a shown 0 proves that the neighbours are safe, so that it may cascade."""
        return self.kind not in ("optimistic", "liar") or self.p == 0.0


EXACT = Channel()
ALWAYS_WRONG = Channel("liar", 1.0)
