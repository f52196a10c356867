"""Derive a learner's ratings, accuracy, streaks and spaced repetition from attempts in order; no clock is read.

A puzzle answered wrong is due again after a day. Answered right when due, it is due after a week, then after a month,
then it is learned. A wrong answer at any time starts it again with a day. A right answer before it is due changes
nothing: repeating a proof just seen shows little. Puzzles are due four hours early, so that a learner who trains at
about the same time every day finds them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from sapper.train.attempts import Attempt, Round, Way
from sapper.train.glicko import PERIOD, PUZZLE_DEVIATION, RatedResult, Rating, expected_score, rate, rest
from sapper.train.kinds import KINDS, Kind, Name

DAYS = (1, 7, 30)
_DAY = 86_400.0
_EARLY = 4 * 3600.0


class Repetition(NamedTuple):
    """When a puzzle is due, and how often it has been answered right when due."""

    due: float
    n_right: int = 0


class Schedule:
    """Every puzzle to repeat, updated answer by answer."""

    def __init__(self) -> None:
        self.repetitions: dict[Name, Repetition] = {}
        self.n_learned = 0  # mistakes repeated to the end

    def note(self, attempt: Attempt) -> None:
        """Update the schedule with an answer."""
        name, found = attempt.name, self.repetitions.get(attempt.name)
        if not attempt.is_right:
            self.repetitions[name] = Repetition(_due(attempt.at, 0))
        elif found is not None and attempt.at >= found.due:
            if found.n_right + 1 < len(DAYS):
                self.repetitions[name] = Repetition(_due(attempt.at, found.n_right + 1), found.n_right + 1)
            else:
                del self.repetitions[name]
                self.n_learned += 1

    def due(self, now: float) -> Iterator[Name]:
        """Return the puzzles that are due, longest waiting first."""
        waiting = sorted((one.due, place, name) for place, (name, one) in enumerate(self.repetitions.items()))
        return (name for due, _, name in waiting if due <= now)

    @property
    def next_due(self) -> float | None:
        """Return when the next puzzle is (or was) due; None if there is none to repeat."""
        return min((one.due for one in self.repetitions.values()), default=None)


def _due(at: float, n_right: int) -> float:
    return at + DAYS[n_right] * _DAY - _EARLY


T = TypeVar("T")

RECENT = 30  # first attempts that show the learner's present strength


class Point(NamedTuple):
    """The rating after an answer."""

    at: float
    rating: float
    deviation: float


@dataclass(slots=True)
class Performance:
    """Rating, accuracy and time in one kind of puzzle or in all, updated answer by answer."""

    rating: Rating = field(default_factory=Rating)
    n: int = 0
    n_right: int = 0
    score: float = 0.0  # sum
    seconds: float = 0.0  # sum
    points: list[Point] = field(default_factory=list)
    recent: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=RECENT))  # difficulty, score

    def note(self, attempt: Attempt, *, is_first: bool) -> None:
        """Add an answer. Only the first to a puzzle, and only in rated mode, changes the rating."""
        self.n += 1
        self.n_right += attempt.is_right
        self.score += attempt.score
        self.seconds += attempt.seconds
        if is_first:
            self.recent.append((attempt.difficulty, attempt.score))
        if is_first and attempt.way == "rated":
            result = RatedResult(attempt.difficulty, PUZZLE_DEVIATION, attempt.score)
            self.rating = rate(self.rating, [result], self._periods(attempt.at))
            self.points.append(Point(attempt.at, self.rating.rating, self.rating.deviation))

    def rating_at(self, now: float) -> Rating:
        """Return the rating now: its deviation grows with the time since the last rated answer."""
        return rest(self.rating, self._periods(now))

    @property
    def accuracy(self) -> float:
        """Return the share of right answers; 0 without any answers."""
        return self.n_right / self.n if self.n else 0.0

    @property
    def mean_seconds(self) -> float:
        """Return the mean time per answer, right or wrong."""
        return self.seconds / self.n if self.n else 0.0

    def as_plain_values(self, now: float) -> dict[str, Any]:
        """Return plain values for JSON, as of ``now``."""
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
    """Return at most ``most`` of the points, evenly spread and including the last.

    >>> thin(range(10), 4)
    [1, 4, 6, 9]
    """
    if len(points) <= most:
        return list(points)
    return [points[len(points) * (place + 1) // most - 1] for place in range(most)]


@dataclass(slots=True)
class Streaks:
    """Right answers in a row, and days in a row with an answer, each with the best so far.

    ``utc_offset`` is how many seconds the learner's clock is ahead of UTC: it decides when a day begins.
    """

    utc_offset: float = 0.0
    right: int = 0
    most_right: int = 0
    most_days: int = 0
    _days: int = 0  # in a row, up to the last day with an answer
    _last_day: int | None = None

    def note(self, attempt: Attempt) -> None:
        """Add an answer."""
        self.right = self.right + 1 if attempt.is_right else 0
        self.most_right = max(self.most_right, self.right)
        day = self._day(attempt.at)
        if day != self._last_day:
            self._days = self._days + 1 if self._last_day is not None and day == self._last_day + 1 else 1
            self._last_day = day
            self.most_days = max(self.most_days, self._days)

    def days(self, now: float) -> int:
        """Return the days in a row up to today or yesterday."""
        is_alive = self._last_day is not None and self._day(now) - self._last_day <= 1
        return self._days if is_alive else 0

    def as_plain_values(self, now: float) -> dict[str, Any]:
        """Return plain values for JSON, as of ``now``."""
        return {
            "right": self.right,
            "most_right": self.most_right,
            "days": self.days(now),
            "most_days": self.most_days,
        }

    def _day(self, at: float) -> int:
        return int((at + self.utc_offset) // _DAY)


_LAST_KINDS = 3  # kinds remembered, so that the next one differs
_FEWEST = 5  # first attempts before a kind can be called weak
_MAX_POINTS = 200  # in a chart


class Weakness(NamedTuple):
    """A kind with lower scores than the overall rating predicts."""

    kind: Kind
    n: int  # attempts considered
    score: float  # mean
    expected: float  # mean that the overall rating predicts for these difficulties

    def as_plain_values(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return self._asdict()


class Learner:
    """What the attempts of one learner add up to.

    >>> from sapper.train.attempts import Attempt
    >>> learner = learn([Attempt("pairs", "9x9/10", 7, difficulty=1250, score=1, seconds=9, at=1000)])
    >>> round(learner.overall.rating.rating), learner.streaks.right
    (1346, 1)
    """

    def __init__(self, utc_offset: float = 0.0) -> None:
        self.overall = Performance()
        self.by_kind: dict[Kind, Performance] = {}
        self.streaks = Streaks(utc_offset)
        self.schedule = Schedule()
        self.rounds: dict[tuple[Way, float], Round] = {}
        self.seen: set[Name] = set()
        self.last_kinds: deque[Kind] = deque(maxlen=_LAST_KINDS)

    def note(self, attempt: Attempt) -> None:
        """Add an answer; answers must come in order of time."""
        is_first = attempt.name not in self.seen
        self.seen.add(attempt.name)
        self.overall.note(attempt, is_first=is_first)
        self.by_kind.setdefault(attempt.kind, Performance()).note(attempt, is_first=is_first)
        self.streaks.note(attempt)
        self.schedule.note(attempt)
        self.last_kinds.append(attempt.kind)
        if attempt.began:
            key = attempt.way, attempt.began
            self.rounds[key] = self.rounds.get(key, Round(*key)).after(attempt)

    def best_round(self, way: Way) -> Round | None:
        """Return the best round in this mode, the first of equals."""
        return max((one for one in self.rounds.values() if one.way == way), key=lambda one: one.score, default=None)

    def best_by_board(self, way: Way) -> dict[str, int]:
        """Return the best score in this mode on every board with a right answer."""
        best: dict[str, int] = {}
        for one in self.rounds.values():
            if one.way == way and one.score:
                best[one.board] = max(one.score, best.get(one.board, 0))
        return best

    def weakest(self) -> Weakness | None:
        """Return the kind that falls furthest short of the overall rating; None if none does, or too little is known.

        For every kind with at least five first attempts, take the last thirty: the shortfall is the sum of the scores
        that the overall rating predicts for their difficulties, less the actual scores, divided by their number plus
        five. So a few bad answers weigh less than many, and a hard kind is not weak because it is hard.
        """
        found = []
        rating = self.overall.rating.rating
        for kind in KINDS:
            recent = self.by_kind[kind].recent if kind in self.by_kind else ()
            if len(recent) >= _FEWEST:
                expected = sum(expected_score(rating, difficulty) for difficulty, _ in recent)
                score = sum(score for _, score in recent)
                shortfall = (expected - score) / (len(recent) + _FEWEST)
                found.append((shortfall, Weakness(kind, len(recent), score / len(recent), expected / len(recent))))
        worst = max(found, key=lambda one: one[0], default=None)
        return worst[1] if worst is not None and worst[0] > 0 else None

    def as_plain_values(self, now: float, *, most_points: int = _MAX_POINTS) -> dict[str, Any]:
        """Return plain values for JSON, as of ``now``; each chart has at most ``most_points`` points."""
        weakest = self.weakest()
        due = list(self.schedule.due(now))
        return {
            "overall": self.overall.as_plain_values(now),
            "kinds": {kind: self.by_kind[kind].as_plain_values(now) for kind in KINDS if kind in self.by_kind},
            "streaks": self.streaks.as_plain_values(now),
            "repetition": {
                "due": [str(name) for name in due],
                "waiting": len(self.schedule.repetitions) - len(due),
                "next_due": self.schedule.next_due,
                "learned": self.schedule.n_learned,
            },
            "weakest": None if weakest is None else weakest.as_plain_values(),
            "best": {
                way: None if (best := self.best_round(way)) is None else best.as_plain_values(now)
                for way in ("sprint", "survival")
            },
            "best_by_board": {way: self.best_by_board(way) for way in ("sprint", "survival")},
            "progress": {
                "overall": [list(point) for point in thin(self.overall.points, most_points)],
                **{
                    kind: [list(point) for point in thin(self.by_kind[kind].points, most_points)]
                    for kind in KINDS
                    if kind in self.by_kind
                },
            },
        }


def learn(attempts: Iterable[Attempt], *, utc_offset: float = 0.0) -> Learner:
    """Return the learner that attempts, in any order, add up to.

    ``utc_offset`` is how many seconds the learner's clock is ahead of UTC: it decides when a day begins.
    """
    learner = Learner(utc_offset)
    for attempt in sorted(attempts, key=lambda one: one.at):
        learner.note(attempt)
    return learner
