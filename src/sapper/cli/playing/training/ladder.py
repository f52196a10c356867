"""Puzzles level by level: which kind comes next, and the puzzles of each kind in a row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sapper.rules import Rules
    from sapper.train import Kind, Puzzle

_UP, _DOWN = 3, 2  # right answers in a row that lead to the next level, and wrong ones that lead back


@dataclass(slots=True)
class Ladder:
    """Which kind of puzzle comes next: harder after right answers, easier after wrong ones.

    >>> ladder = Ladder(("single", "subsets"))
    >>> [ladder.note(True) for _ in range(3)], ladder.kind
    (['', '', 'Three right in a row: on to subsets.'], 'subsets')
    """

    kinds: Sequence[Kind]  # easiest first
    _at: int = 0
    _n_right: int = field(default=0, repr=False)  # in a row
    _n_wrong: int = field(default=0, repr=False)

    @property
    def kind(self) -> Kind:
        """The kind of the next puzzle."""
        return self.kinds[self._at]

    def note(self, is_right: bool, was_helped: bool = False) -> str:
        """Take down an answer; return what to say if the level changes, and otherwise nothing."""
        if is_right and was_helped:
            self._n_wrong = 0
            return ""
        self._n_right, self._n_wrong = (self._n_right + 1, 0) if is_right else (0, self._n_wrong + 1)
        if self._n_right == _UP:
            return self._move(1, "Three right in a row: on to {}.")
        if self._n_wrong == _DOWN:
            return self._move(-1, "Two wrong in a row: back to {}.")
        return ""

    def leave_out(self) -> None:
        """Go on without the kind at hand, of which this board has no puzzles."""
        self.kinds = [kind for kind in self.kinds if kind != self.kind]
        self._at = min(self._at, len(self.kinds) - 1)

    def _move(self, by: int, said: str) -> str:
        self._n_right = self._n_wrong = 0
        at = min(max(self._at + by, 0), len(self.kinds) - 1)
        if at == self._at:
            return ""
        self._at = at
        return said.format(self.kind)


class Supply:
    """Puzzles of every kind, each made when it is wanted; the same from the same seed."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._lines: dict[Kind, Iterator[Puzzle]] = {}

    def next(self, kind: Kind) -> Puzzle:
        """The next puzzle of a kind; raise `GaveUp` if there is none on this board."""
        from sapper.train import puzzles

        if kind not in self._lines:
            self._lines[kind] = puzzles(kind, self._seed, board=self._rules)
        return next(self._lines[kind])
