"""A learner's answers to puzzles, and the rounds that they make up.

A sprint lasts three minutes, and later answers do not count. Survival lasts until the third wrong answer. Puzzles get
harder with every right answer; every round starts with the easiest, so that scores can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from sapper.errors import InputError
from sapper.train.kinds import Kind, Name, read_kind
from sapper.train.puzzle import Puzzle, reading

Way = Literal["rated", "sprint", "survival", "free"]
WAYS: tuple[Way, ...] = get_args(Way)
HELPED = 0.5  # maximum score after a hint

_HIGHEST = 4000  # difficulty, and the scale of ratings


@dataclass(frozen=True, slots=True)
class Attempt:
    """One answer to one puzzle. Nothing else is stored about a learner; everything else is derived.

    >>> attempt = Attempt("pairs", "9x9/10", 7, difficulty=1250, score=1.0, seconds=12.5, at=1_760_000_000)
    >>> attempt.is_right, str(attempt.name)
    (True, 'pairs.9x9.10.7')
    """

    kind: Kind
    board: str
    seed: int | None  # None for a puzzle made from a given position
    difficulty: int
    score: float  # from 0 to 1; at most `HELPED` after a hint
    seconds: float  # time taken to answer
    at: float  # time of the answer: seconds since 1970, UTC
    way: Way = "rated"  # training mode
    began: float = 0.0  # start of the sprint or survival round; 0 outside rounds
    position: str = ""  # empty if there is a seed

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
                raise InputError(f"The {what} of an attempt must be a number {limit}, not {value}.")
        if (self.seed is None) != bool(self.position):
            raise InputError("An attempt must name either the seed or the position of its puzzle.")

    @classmethod
    def of(
        cls, puzzle: Puzzle, score: float, *, seconds: float, at: float, way: Way = "rated", began: float = 0.0
    ) -> Attempt:
        """Make an attempt at this puzzle."""
        name = Name.of(puzzle.kind, puzzle.rules, puzzle.seed, puzzle.position)
        difficulty = min(max(puzzle.difficulty, 0), _HIGHEST)
        board = name.board or puzzle.rules
        return cls(puzzle.kind, board, puzzle.seed, difficulty, score, seconds, at, way, began, name.position)

    @property
    def is_right(self) -> bool:
        """Return whether the answer was right without a hint; a guess is right if no cell is better."""
        return self.score == 1

    @property
    def name(self) -> Name:
        """Return the name of the puzzle."""
        return Name.of(self.kind, self.board, self.seed, self.position)

    def as_plain_values(self) -> dict[str, Any]:
        """Return plain values for JSON; `from_plain_values` reads them."""
        return asdict(self)

    @classmethod
    def from_plain_values(cls, values: Mapping[str, Any]) -> Attempt:
        """Read an attempt from plain values; raise `InputError` if they are not one."""
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
    """Return the training mode of this name; raise `InputError` if there is none."""
    for way in WAYS:
        if way == name:
            return way
    raise InputError(f"There is no training mode {str(name)[:40]!r}; choose from {', '.join(WAYS)}.")


SPRINT_SECONDS = 180.0
LIVES = 3

_EASIEST, _HARDEST = 600, 2000
_HARDER = {"sprint": 40, "survival": 70}  # rating points per right answer


@dataclass(frozen=True, slots=True)
class Round:
    """The state of a sprint or survival round.

    >>> begun = Round("survival", began=0)
    >>> begun.target, begun.lives, begun.is_over(now=9999)
    (600, 3, False)
    """

    way: Way
    began: float
    n_right: int = 0
    n_wrong: int = 0
    board: str = ""  # short form, as in puzzle names; empty before the first answer

    def __post_init__(self) -> None:
        if self.way not in _HARDER:
            raise InputError(f"A round must be {' or '.join(_HARDER)}, not {self.way}.")

    @classmethod
    def of(cls, way: Way, began: float, attempts: Iterable[Attempt]) -> Round:
        """Return the round that began at this time, given attempts in order."""
        found = cls(way, began)
        for attempt in attempts:
            found = found.after(attempt)
        return found

    def after(self, attempt: Attempt) -> Round:
        """Return the round after an attempt; unchanged if the attempt is of another round or too late."""
        if (attempt.way, attempt.began) != (self.way, self.began) or self.is_over(attempt.at):
            return self
        if attempt.is_right:
            return replace(self, n_right=self.n_right + 1, board=attempt.board)
        return replace(self, n_wrong=self.n_wrong + 1, board=attempt.board)

    @property
    def score(self) -> int:
        """Return the number of right answers."""
        return self.n_right

    @property
    def lives(self) -> int | None:
        """Return the number of lives left; None in a sprint."""
        return LIVES - self.n_wrong if self.way == "survival" else None

    @property
    def ends_at(self) -> float | None:
        """Return the time at which a sprint ends; None in survival."""
        return self.began + SPRINT_SECONDS if self.way == "sprint" else None

    @property
    def target(self) -> int:
        """Return the target difficulty of the next puzzle."""
        return min(_EASIEST + _HARDER[self.way] * self.n_right, _HARDEST)

    def is_over(self, now: float) -> bool:
        """Return whether the round has ended."""
        return self.lives == 0 or (self.ends_at is not None and now > self.ends_at)

    def as_plain_values(self, now: float) -> dict[str, Any]:
        """Return plain values for JSON, as of ``now``."""
        return {
            "way": self.way,
            "began": self.began,
            "right": self.n_right,
            "wrong": self.n_wrong,
            "lives": self.lives,
            "seconds_left": None if self.ends_at is None else max(self.ends_at - now, 0.0),
            "over": self.is_over(now),
        }
