"""Everything about a learner, derived by going through the attempts in order; nothing here looks at a clock."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from sapper.train.learner.glicko import expected_score
from sapper.train.learner.repetition import Schedule
from sapper.train.learner.rounds import Round
from sapper.train.learner.standings import Standing, thin
from sapper.train.learner.streaks import Streaks
from sapper.train.names import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.train.learner.attempts import Attempt, Way
    from sapper.train.names import Kind, Name

_LAST_KINDS = 3  # kinds that are remembered, so that the next one differs
_FEWEST = 5  # first attempts before anything is said of a kind
_MOST_POINTS = 200  # of a chart


class Weakness(NamedTuple):
    """A kind that goes worse than the overall rating promises."""

    kind: Kind
    n: int  # attempts that were looked at
    score: float  # the mean
    expected: float  # the mean that the overall rating promises against these difficulties

    def as_plain_values(self) -> dict[str, Any]:
        """The same for JSON."""
        return self._asdict()


class Learner:
    """Somebody who trains, as their attempts show them.

    >>> from sapper.train.learner.attempts import Attempt
    >>> learner = learn([Attempt("pairs", "9x9/10", 7, difficulty=1250, score=1, seconds=9, at=1000)])
    >>> round(learner.overall.rating.rating), learner.streaks.right
    (1346, 1)
    """

    def __init__(self, utc_offset: float = 0.0) -> None:
        self.overall = Standing()
        self.by_kind: dict[Kind, Standing] = {}
        self.streaks = Streaks(utc_offset)
        self.schedule = Schedule()
        self.rounds: dict[tuple[Way, float], Round] = {}
        self.seen: set[Name] = set()
        self.last_kinds: deque[Kind] = deque(maxlen=_LAST_KINDS)

    def note(self, attempt: Attempt) -> None:
        """Take down an answer; they come in the order of time."""
        is_first = attempt.name not in self.seen
        self.seen.add(attempt.name)
        self.overall.note(attempt, is_first=is_first)
        self.by_kind.setdefault(attempt.kind, Standing()).note(attempt, is_first=is_first)
        self.streaks.note(attempt)
        self.schedule.note(attempt)
        self.last_kinds.append(attempt.kind)
        if attempt.began:
            key = attempt.way, attempt.began
            self.rounds[key] = self.rounds.get(key, Round(*key)).after(attempt)

    def best_round(self, way: Way) -> Round | None:
        """The best round of this way so far, the first of equals."""
        return max((one for one in self.rounds.values() if one.way == way), key=lambda one: one.score, default=None)

    def best_by_board(self, way: Way) -> dict[str, int]:
        """The best score of this way on every board on which something was solved."""
        best: dict[str, int] = {}
        for one in self.rounds.values():
            if one.way == way and one.score:
                best[one.board] = max(one.score, best.get(one.board, 0))
        return best

    def weakest(self) -> Weakness | None:
        """The kind that falls furthest short of the overall rating; None if none does, or little is known.

        Of every kind with at least five first attempts, the last thirty count: the scores that the overall rating
        promises against those difficulties, less the scores that there were, divided by their number and five more.
        So a few bad answers weigh less than many, and a hard kind is not weak because it is hard.
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

    def as_plain_values(self, now: float, *, most_points: int = _MOST_POINTS) -> dict[str, Any]:
        """All of it for JSON, as of now; the series for the charts have at most so many points."""
        weakest = self.weakest()
        due = list(self.schedule.due(now))
        return {
            "overall": self.overall.as_plain_values(now),
            "kinds": {kind: self.by_kind[kind].as_plain_values(now) for kind in KINDS if kind in self.by_kind},
            "streaks": self.streaks.as_plain_values(now),
            "repetition": {
                "due": [str(name) for name in due],
                "waiting": len(self.schedule.reviews) - len(due),
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
    """Go through attempts in the order of time, whatever order they come in.

    ``utc_offset`` says by how many seconds the learner's clock is ahead of UTC, for where a day begins.
    """
    learner = Learner(utc_offset)
    for attempt in sorted(attempts, key=lambda one: one.at):
        learner.note(attempt)
    return learner
