"""Mistakes come back: after a day, a week and a month.

A puzzle that was answered wrong is due a day later. Answered right when it is due, it moves on: due a week later, then
a month later, then it is learned and does not come back. Answered wrong at any time, it starts again with a day. If it
is answered right before it is due, nothing changes: to repeat a proof that one has just seen shows little. Every puzzle
is due four hours early, so that somebody who trains at about the same time every day finds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.train.learner.attempts import Attempt
    from sapper.train.names import Name

DAYS = (1, 7, 30)
_DAY = 86_400.0
_EARLY = 4 * 3600.0


class Review(NamedTuple):
    """When a puzzle comes back, and how often it has been right since."""

    due: float
    n_right: int = 0


class Schedule:
    """Every puzzle that comes back, brought up to date answer by answer."""

    def __init__(self) -> None:
        self.reviews: dict[Name, Review] = {}
        self.n_learned = 0  # mistakes that went all the way

    def note(self, attempt: Attempt) -> None:
        """Take down an answer."""
        review = self.reviews.get(attempt.name)
        if not attempt.is_right:
            self.reviews[attempt.name] = Review(_due(attempt.at, 0))
        elif review is not None and attempt.at >= review.due:
            if review.n_right + 1 < len(DAYS):
                self.reviews[attempt.name] = Review(_due(attempt.at, review.n_right + 1), review.n_right + 1)
            else:
                del self.reviews[attempt.name]
                self.n_learned += 1

    def due(self, now: float) -> Iterator[Name]:
        """The puzzles that are due, those that have waited longest first."""
        waiting = sorted((review.due, place, name) for place, (name, review) in enumerate(self.reviews.items()))
        return (name for due, _, name in waiting if due <= now)

    @property
    def next_due(self) -> float | None:
        """When the next puzzle is due, or was; None if none comes back."""
        return min((review.due for review in self.reviews.values()), default=None)


def _due(at: float, n_right: int) -> float:
    return at + DAYS[n_right] * _DAY - _EARLY
