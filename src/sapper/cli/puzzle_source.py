"""Choose the puzzles of a terminal session: level by level, by rating, in a round, or one by its link."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sapper.train.kinds import first_possible
from sapper.words import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sapper.rules import Rules
    from sapper.train import Attempt, Kind, Puzzle, Round, Way
    from sapper.train.history import History, Kept


_UP, _DOWN = 3, 2  # right answers in a row to go up a level, and wrong ones to go down


@dataclass(slots=True)
class Ladder:
    """The current kind of puzzle: harder after right answers, easier after wrong ones.

    >>> ladder = Ladder(["single", "subsets"])
    >>> [ladder.note(True) for _ in range(3)], ladder.kind
    (['', '', 'Three right in a row: on to subsets.'], 'subsets')
    """

    kinds: list[Kind]  # easiest first; kinds that the board turns out not to have are removed
    _at: int = 0
    _n_right: int = field(default=0, repr=False)  # in a row
    _n_wrong: int = field(default=0, repr=False)

    @property
    def kind(self) -> Kind:
        """Return the kind of the next puzzle."""
        return self.kinds[min(self._at, len(self.kinds) - 1)]

    def note(self, is_right: bool, was_helped: bool = False) -> str:
        """Add an answer; return a message if the level changes, otherwise an empty string."""
        if is_right and was_helped:
            self._n_wrong = 0
            return ""
        self._n_right, self._n_wrong = (self._n_right + 1, 0) if is_right else (0, self._n_wrong + 1)
        if self._n_right == _UP:
            return self._move(1, "Three right in a row: on to {}.")
        if self._n_wrong == _DOWN:
            return self._move(-1, "Two wrong in a row: back to {}.")
        return ""

    def _move(self, by: int, said: str) -> str:
        self._n_right = self._n_wrong = 0
        at = min(max(self._at + by, 0), len(self.kinds) - 1)
        if at == self._at:
            return ""
        self._at = at
        return said.format(self.kind)


class Supply:
    """Makes puzzles of every kind on demand, the same for the same seed."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._lines: dict[Kind, Iterator[Puzzle]] = {}

    def next(self, kind: Kind) -> Puzzle:
        """Return the next puzzle of a kind; raise `GaveUp` if there is none on this board."""
        from sapper.train import puzzles

        if kind not in self._lines:
            self._lines[kind] = puzzles(kind, self._seed, board=self._rules)
        return next(self._lines[kind])


class PuzzleSource:
    """Chooses the puzzles of a session, one after another: so many, or as many as `_make` makes."""

    way: Way = "free"
    began = 0.0  # start of the round; 0 outside rounds
    is_brief = False  # whether to leave out proofs

    def __init__(self, n_puzzles: int | None = None) -> None:
        self._n_puzzles = n_puzzles
        self._n_posed = 0

    def next(self) -> Puzzle | None:
        """Return the next puzzle; None at the end."""
        if self._n_posed == self._n_puzzles:
            return None
        self._n_posed += 1
        return self._make()

    def _make(self) -> Puzzle | None:
        raise NotImplementedError

    def title(self, number: int) -> str:
        """Return a heading for the puzzle of this number, from 1."""
        return f"Puzzle {number} of {self._n_puzzles}"

    def note(self, attempt: Attempt, kept: Kept, *, is_right: bool, was_helped: bool) -> str:
        """Add an attempt; return a message, or an empty string."""
        del attempt, kept, is_right, was_helped
        return ""

    def farewell(self) -> Iterator[str]:
        """Return the closing messages of the session."""
        return iter(())


class ByLevel(PuzzleSource):
    """Unrated puzzles, harder after right answers and easier after wrong ones."""

    def __init__(self, supply: Supply, ladder: Ladder, n_puzzles: int) -> None:
        super().__init__(n_puzzles)
        self._supply = supply
        self._ladder = ladder

    def _make(self) -> Puzzle:
        # Levels that the board does not have are skipped.
        ladder = self._ladder
        return first_possible(ladder.kinds, lambda _: self._supply.next(ladder.kind), lambda _: ladder.kind)

    def note(self, attempt: Attempt, kept: Kept, *, is_right: bool, was_helped: bool) -> str:
        """Return a message if the level changes."""
        del attempt, kept
        return self._ladder.note(is_right, was_helped)


class OfLink(PuzzleSource):
    """One puzzle by its link."""

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(1)
        self._puzzle = puzzle

    def _make(self) -> Puzzle:
        return self._puzzle

    def title(self, number: int) -> str:
        """Return the heading of the only puzzle."""
        del number
        return "Your puzzle"


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The learner and the puzzles wanted, for rated puzzles and rounds."""

    history: History
    rules: Rules
    kinds: Sequence[Kind]  # all if empty
    seed: int
    clock: Callable[[], float] = time.time

    def next(self, number: int, now: float, within: Round | None = None) -> Puzzle:
        """Make the puzzle of this number, the one that suits the learner best now."""
        from sapper.train import next_puzzle

        return next_puzzle(
            self.history.learner(), now, kinds=self.kinds, board=self.rules, seed=self.seed + number, within=within
        )


class ByRating(PuzzleSource):
    """Rated puzzles: due mistakes first, then puzzles that match the learner's rating."""

    way: Way = "rated"

    def __init__(self, request: TrainingPlan, n_puzzles: int) -> None:
        super().__init__(n_puzzles)
        self._request = request
        self._before = request.history.learner().overall.rating.rating

    def _make(self) -> Puzzle:
        # Vary the seed, so that a skipped puzzle does not come again at once.
        return self._request.next(self._n_posed, self._request.clock())

    def note(self, attempt: Attempt, kept: Kept, *, is_right: bool, was_helped: bool) -> str:
        """Return the new rating, or when a repeated puzzle is due again."""
        del is_right, was_helped
        if kept.rating_before is not None:
            rating = kept.learner.overall.rating
            if rating.is_provisional:
                return f"Your rating so far is {rating}, provisional."
            return f"Your rating is {rating.rating:.0f} ({_change(rating.rating - kept.rating_before)})."
        repetition = kept.learner.schedule.repetitions.get(attempt.name)
        if repetition is None:
            return "You have learned this puzzle: it will not come back."
        days = max(round((repetition.due - attempt.at) / 86_400), 1)
        return f"You have seen this puzzle before, so your rating stays. It comes back in {count(days, 'day')}."

    def farewell(self) -> Iterator[str]:
        """Return the rating and its change in this session."""
        learner = self._request.history.learner()
        rating = learner.overall.rating
        if learner.overall.points:
            change = _change(rating.rating - self._before)
            yield f"Rating {rating}, {change} in this session."


class InRound(PuzzleSource):
    """The puzzles of a sprint or survival round."""

    is_brief = True

    def __init__(self, request: TrainingPlan, way: Way) -> None:
        from sapper.train import Round

        super().__init__()
        self._request = request
        self.way = way
        self.began = round(request.clock(), 3)
        self._round = Round(way, self.began)
        self._best = request.history.learner().best_round(way)

    def _make(self) -> Puzzle | None:
        now = self._request.clock()
        return None if self._round.is_over(now) else self._request.next(self._n_posed, now, self._round)

    def title(self, number: int) -> str:
        """Return the number, and the lives or seconds left."""
        if self._round.lives is not None:
            left = "1 life" if self._round.lives == 1 else f"{self._round.lives} lives"
        else:
            left = count(round((self._round.ends_at or 0.0) - self._request.clock()), "second")
        return f"Puzzle {number}, {left} left"

    def note(self, attempt: Attempt, kept: Kept, *, is_right: bool, was_helped: bool) -> str:
        """Return a message if the answer was late or cost the last life."""
        del kept, is_right, was_helped
        is_late = self._round.is_over(attempt.at)
        self._round = self._round.after(attempt)
        if is_late:
            return "Time is up; this answer came too late to count."
        return "That was the last life." if self._round.lives == 0 else ""

    def farewell(self) -> Iterator[str]:
        """Return the score of the round, and the best so far."""
        score = self._round.score
        said = f"{self.way.capitalize()}: {count(score, 'right answer')}"
        if self._best is None or self._round.began == self._best.began:
            yield f"{said}."
        elif score > self._best.score:
            yield f"{said}, a new best. Your previous best was {self._best.score}."
        else:
            yield f"{said}. Your best is {self._best.score}."


def _change(points: float) -> str:
    return f"{points:+.0f}"
