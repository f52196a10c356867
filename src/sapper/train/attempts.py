"""All that is ever kept of somebody who trains: which puzzle, how well, how long, and when.

Sprint and survival: rounds against the clock, or with three lives; puzzles get harder with every right answer.

A sprint is as many right answers as possible within three minutes; what comes later does not count. Survival goes on
until the third wrong answer. Both begin with the easiest puzzles, whoever plays, so that scores can be compared.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from sapper.errors import InputError
from sapper.train.kinds import Kind, Name, read_kind
from sapper.train.puzzle import reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sapper.train.puzzle import Puzzle


Way = Literal["rated", "sprint", "survival", "free"]
WAYS: tuple[Way, ...] = get_args(Way)
HELPED = 0.5  # the most that a right answer is worth after a hint

_HIGHEST = 4000  # difficulty, and the scale of ratings


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer to one puzzle. Nothing else is kept, and everything else is derived from these.

    >>> attempt = Attempt("pairs", "9x9/10", 7, difficulty=1250, score=1.0, seconds=12.5, at=1_760_000_000)
    >>> attempt.is_right, str(attempt.name)
    (True, 'pairs.9x9.10.7')
    """

    kind: Kind
    board: str
    seed: int | None  # None for a puzzle of a position that somebody gave
    difficulty: int
    score: float  # from 0 to 1: the verdict's, and at most `HELPED` after a hint
    seconds: float  # from the task to the answer
    at: float  # when it was answered: seconds since 1970, UTC
    way: Way = "rated"
    began: float = 0.0  # when the round of a sprint or of survival began; 0 outside rounds
    position: str = ""  # only where there is no seed

    def __post_init__(self) -> None:
        read_kind(self.kind)
        read_way(self.way)
        for what, value, highest in (
            ("score", self.score, 1),
            ("number of seconds", self.seconds, math.inf),
            ("time", self.at, math.inf),
            ("start of a round", self.began, math.inf),
            ("difficulty", self.difficulty, _HIGHEST),
        ):
            if not (math.isfinite(value) and 0 <= value <= highest):
                limit = f"from 0 to {highest}" if highest < math.inf else "of at least 0"
                raise InputError(f"The {what} of an attempt is a number {limit}, not {value}.")
        if (self.seed is None) != bool(self.position):
            raise InputError("An attempt names either the seed of its puzzle or the position.")

    @classmethod
    def of(
        cls, puzzle: Puzzle, score: float, *, seconds: float, at: float, way: Way = "rated", began: float = 0.0
    ) -> Attempt:
        """An answer to this puzzle."""
        name = Name.of(puzzle.kind, puzzle.rules, puzzle.seed, puzzle.position)
        difficulty = min(max(puzzle.difficulty, 0), _HIGHEST)
        board = name.board or puzzle.rules
        return cls(puzzle.kind, board, puzzle.seed, difficulty, score, seconds, at, way, began, name.position)

    @property
    def is_right(self) -> bool:
        """Whether the answer was right, and without help; of a guess, whether it was the best."""
        return self.score == 1

    @property
    def name(self) -> Name:
        """Which puzzle it was."""
        return Name.of(self.kind, self.board, self.seed, self.position)

    def as_plain_values(self) -> dict[str, Any]:
        """The same for JSON; `from_plain_values` reads it."""
        return asdict(self)

    @classmethod
    def from_plain_values(cls, values: Mapping[str, Any]) -> Attempt:
        """Read an attempt again; raise `InputError` if it is none."""
        with reading("an attempt"):
            return cls(
                read_kind(values["kind"]),
                str(values["board"]),
                None if values["seed"] is None else int(values["seed"]),
                int(values["difficulty"]),
                float(values["score"]),
                float(values["seconds"]),
                float(values["at"]),
                read_way(values["way"]),
                float(values.get("began", 0)),
                str(values.get("position", "")),
            )


def read_way(name: object) -> Way:
    """The way of training of this name; raise `InputError` if there is none."""
    for way in WAYS:
        if way == name:
            return way
    raise InputError(f"There is no way of training {str(name)[:40]!r}; choose from {', '.join(WAYS)}.")


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
