"""Somebody who trains: ratings, streaks, repetition and what comes next, all derived from what they have answered.

An `Attempt` is all that is ever stored. `learn` goes through them in order and returns a `Learner`; `next_puzzle` says
what comes next. Nothing here looks at a clock or writes a file: whoever keeps the attempts says what time it is.

>>> from sapper.train import check, puzzle
>>> asked = puzzle("pairs", 7)
>>> verdict = check(asked, (0, 0))
>>> attempt = Attempt.of(asked, verdict.score, seconds=20, at=1_760_000_000)
>>> learner = learn([attempt])
>>> [str(name) for name in learner.schedule.due(now=1_760_000_000 + 86_400)]
['pairs.9x9.10.7']
"""

from __future__ import annotations

from sapper.train.learner.attempts import HELPED, WAYS, Attempt, Way, read_way
from sapper.train.learner.choosing import Choice, choose, next_puzzle, usual_kinds
from sapper.train.learner.glicko import Rating, expected_score
from sapper.train.learner.learning import Learner, Weakness, learn
from sapper.train.learner.repetition import DAYS
from sapper.train.learner.rounds import LIVES, SPRINT_SECONDS, Round
from sapper.train.learner.standings import Point, Standing, thin

__all__ = [
    "DAYS", "HELPED", "LIVES", "SPRINT_SECONDS", "WAYS", "Attempt", "Choice", "Learner", "Point", "Rating", "Round",
    "Standing", "Way", "Weakness", "choose", "expected_score", "learn", "next_puzzle", "read_way", "thin",
    "usual_kinds",
]  # fmt: skip
