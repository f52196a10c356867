"""How somebody stands, in one kind of puzzle or in all: rating, accuracy, time, and how that came."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sapper.train.learner.glicko import PERIOD, PUZZLE_DEVIATION, Rating, Result, rate, rest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.train.learner.attempts import Attempt

T = TypeVar("T")

RECENT = 30  # first attempts that say what somebody can do now


class Point(NamedTuple):
    """The rating after an answer."""

    at: float
    rating: float
    deviation: float


@dataclass(slots=True)
class Standing:
    """A rating and a tally, brought up to date answer by answer."""

    rating: Rating = field(default_factory=Rating)
    n: int = 0
    n_right: int = 0
    score: float = 0.0  # the sum
    seconds: float = 0.0  # the sum
    points: list[Point] = field(default_factory=list)
    recent: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=RECENT))  # difficulty, score

    def note(self, attempt: Attempt, *, is_first: bool) -> None:
        """Take down an answer. Only the first to a puzzle, and without the hurry of rounds, moves the rating."""
        self.n += 1
        self.n_right += attempt.is_right
        self.score += attempt.score
        self.seconds += attempt.seconds
        if is_first:
            self.recent.append((attempt.difficulty, attempt.score))
        if is_first and attempt.way == "rated":
            result = Result(attempt.difficulty, PUZZLE_DEVIATION, attempt.score)
            self.rating = rate(self.rating, [result], self._periods(attempt.at))
            self.points.append(Point(attempt.at, self.rating.rating, self.rating.deviation))

    def rating_at(self, now: float) -> Rating:
        """The rating now: less sure, the longer ago the last rated answer was."""
        return rest(self.rating, self._periods(now))

    @property
    def accuracy(self) -> float:
        """The share of right answers; 0 if there are none at all."""
        return self.n_right / self.n if self.n else 0.0

    @property
    def mean_seconds(self) -> float:
        """The mean time of an answer, right or wrong."""
        return self.seconds / self.n if self.n else 0.0

    def as_plain_values(self, now: float) -> dict[str, Any]:
        """The same for JSON, as of now."""
        return {
            **self.rating_at(now).as_plain_values(),
            "rated": len(self.points),
            "attempts": self.n,
            "right": self.n_right,
            "accuracy": self.accuracy,
            "mean_score": self.score / self.n if self.n else 0.0,
            "mean_seconds": self.mean_seconds,
        }

    def _periods(self, now: float) -> float:
        return max(now - self.points[-1].at, 0.0) / PERIOD if self.points else 0.0


def thin(points: Sequence[T], most: int) -> list[T]:
    """At most so many of the points for a chart: evenly spread, and the last is always among them.

    >>> thin(range(10), 4)
    [1, 4, 6, 9]
    """
    if len(points) <= most:
        return list(points)
    return [points[len(points) * (place + 1) // most - 1] for place in range(most)]
