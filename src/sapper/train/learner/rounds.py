"""Sprint and survival: rounds against the clock, or with three lives; puzzles get harder with every right answer.

A sprint is as many right answers as possible within three minutes; what comes later does not count. Survival goes on
until the third wrong answer. Both begin with the easiest puzzles, whoever plays, so that scores can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sapper.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.train.learner.attempts import Attempt, Way

SPRINT_SECONDS = 180.0
LIVES = 3

_EASIEST, _HARDEST = 600, 2000
_HARDER = {"sprint": 40, "survival": 70}  # on the scale of ratings, with every right answer


@dataclass(frozen=True, slots=True)
class Round:
    """A round of sprint or survival as it stands.

    >>> begun = Round("survival", began=0)
    >>> begun.target, begun.lives, begun.is_over(now=9999)
    (600, 3, False)
    """

    way: Way
    began: float
    n_right: int = 0
    n_wrong: int = 0
    board: str = ""  # of its puzzles, as short as in their names; empty before the first answer

    def __post_init__(self) -> None:
        if self.way not in _HARDER:
            raise InputError(f"Rounds are of {' or '.join(_HARDER)}, not {self.way}.")

    @classmethod
    def of(cls, way: Way, began: float, attempts: Iterable[Attempt]) -> Round:
        """The round that began then, from whatever was answered, in order."""
        found = cls(way, began)
        for attempt in attempts:
            found = found.after(attempt)
        return found

    def after(self, attempt: Attempt) -> Round:
        """The round after an answer; the same if the answer belongs to another one, or comes too late."""
        if (attempt.way, attempt.began) != (self.way, self.began) or self.is_over(attempt.at):
            return self
        if attempt.is_right:
            return replace(self, n_right=self.n_right + 1, board=attempt.board)
        return replace(self, n_wrong=self.n_wrong + 1, board=attempt.board)

    @property
    def score(self) -> int:
        """What the round is worth: the right answers."""
        return self.n_right

    @property
    def lives(self) -> int | None:
        """How many wrong answers it takes to the end; None where there is no such end."""
        return LIVES - self.n_wrong if self.way == "survival" else None

    @property
    def ends_at(self) -> float | None:
        """When time is up; None where it never is."""
        return self.began + SPRINT_SECONDS if self.way == "sprint" else None

    @property
    def target(self) -> int:
        """How hard the next puzzle should be."""
        return min(_EASIEST + _HARDER[self.way] * self.n_right, _HARDEST)

    def is_over(self, now: float) -> bool:
        """Whether no answer counts any more."""
        return self.lives == 0 or (self.ends_at is not None and now > self.ends_at)

    def as_plain_values(self, now: float) -> dict[str, Any]:
        """The same for JSON, as of now."""
        return {
            "way": self.way,
            "began": self.began,
            "right": self.n_right,
            "wrong": self.n_wrong,
            "lives": self.lives,
            "seconds_left": None if self.ends_at is None else max(self.ends_at - now, 0.0),
            "over": self.is_over(now),
        }
