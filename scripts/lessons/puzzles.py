"""The puzzles of every lesson: the first that are about its idea, on boards that grow."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scripts.lessons.endings import share_of_guesses
from scripts.lessons.ideas import (
    at_edges,
    cases,
    fifty,
    guess,
    of_clues,
    one_one,
    one_two,
    pair,
    row,
    subset,
    subset_of_three,
    total,
)
from scripts.lessons.patterns import proof_numbers
from scripts.lessons.reasons import with_reason
from scripts.lessons.sources import beside_flags, first_steps, of_kind

from sapper.observation import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Collection

    from scripts.lessons.ideas import Accepts
    from scripts.lessons.sources import Source

    from sapper.train import Puzzle

# In these lessons no layout may end in a guess, before the last two not every one: guessing is taught there.
_FIRST_LESSONS, _GUESSING = ("numbers", "edges"), ("risk", "fifty-fifty")
_MAX_TRIED = 3000  # puzzles; a wish that is granted more seldom is too special


class Wish(NamedTuple):
    """One puzzle that a lesson wants."""

    board: str
    source: Source
    accepts: Accepts


def choose(name: str, taken: set[str]) -> list[Puzzle]:
    """Return the first puzzle for each wish of a lesson, no position twice, easiest first."""
    chosen = []
    for wish in WISHES[name]:
        most = 1.0 if name in _GUESSING else 0.0 if name in _FIRST_LESSONS else 0.95
        chosen.append(with_reason(name, first(*wish, taken, most)))
        taken.add(str(chosen[-1].position))
    return sorted(chosen, key=lambda one: (one.difficulty, one.position.topology.n_cells))


def first(
    board: str, source: Source, accepts: Accepts, taken: Collection[str] = (), most_guesses: float = 1.0
) -> Puzzle:
    """Return the first puzzle that is accepted, is not taken and ends in a guess in at most this share of layouts."""
    tried = islice(source(board), _MAX_TRIED)
    fitting = (made for made in tried if str(made.position) not in taken and _is_task(made) and accepts(made))
    return next(made for made in fitting if most_guesses == 1.0 or share_of_guesses(made.position) <= most_guesses)


def _is_task(made: Puzzle) -> bool:
    """Whether there is a wrong answer too."""
    return int((made.position.cells == HIDDEN).sum()) > len(made.solution)


WISHES = {
    "numbers": (
        Wish("5x5/4", beside_flags, of_clues(1)),
        Wish("5x6/5", beside_flags, of_clues(1)),
        Wish("6x5/5", first_steps, of_clues(2)),
        Wish("6x6/6", first_steps, of_clues(3)),
    ),
    "edges": (
        Wish("5x5/4", beside_flags, at_edges(1, corner=True)),
        Wish("5x5/4", first_steps, at_edges(2, corner=False)),
        Wish("6x6/6", first_steps, at_edges(2, corner=True)),
        Wish("7x7/9", first_steps, at_edges(2, corner=True)),
    ),
    "one-one": (
        Wish("5x5/4", of_kind("subsets"), one_one(across=True)),
        Wish("6x6/6", of_kind("subsets"), one_one(across=False)),
        Wish("7x7/8", of_kind("subsets"), one_one(across=True)),
        Wish("9x9/10", of_kind("subsets"), one_one(across=False)),
    ),
    "one-two": (
        Wish("6x6/7", of_kind("one-two"), one_two()),
        Wish("7x7/9", of_kind("one-two"), one_two()),
        Wish("7x7/9", of_kind("one-two"), one_two(most_solutions=1)),
        Wish("9x9/10", of_kind("one-two"), one_two(most_solutions=1)),
    ),
    "one-two-one": (
        Wish("6x6/6", of_kind("subsets", start=90), row(1, 2, 1)),
        Wish("6x6/6", of_kind("subsets", start=50), row(1, 2, 2, 1)),
        Wish("9x9/10", of_kind("subsets"), row(1, 2, 1)),
        Wish("9x9/10", of_kind("one-two", start=45), row(1, 2, 2, 1)),
    ),
    "known-mines": (
        Wish("6x6/7", beside_flags, lambda made: of_clues(1, 2)(made) and proof_numbers(made)[0].shown == 2),
        Wish("6x6/7", of_kind("subsets"), one_one(across=False, flags=True)),
        Wish("7x7/9", of_kind("one-two"), one_two(flagged=1)),
        Wish("9x9/12", of_kind("one-two"), one_two(flagged=2)),
    ),
    "subsets": (
        Wish("6x6/7", of_kind("subsets", start=125), subset(2)),
        Wish("9x9/10", of_kind("subsets", start=70), subset(1, side_by_side=False)),
        Wish("9x9/10", of_kind("subsets", start=3600), subset(2, side_by_side=False)),
        Wish("9x9/12", of_kind("subsets"), subset_of_three),
    ),
    "pairs": (
        Wish("6x6/6", of_kind("pairs"), pair(1, flags=False)),
        Wish("7x7/9", of_kind("pairs"), pair(1, flags=False)),
        Wish("7x7/9", of_kind("pairs"), pair(2, flags=False)),
        Wish("9x9/12", of_kind("pairs"), pair(2, flags=True)),
    ),
    "cases": (
        Wish("6x6/7", of_kind("cases"), cases(3)),
        Wish("7x7/9", of_kind("cases"), cases(3)),
        Wish("7x7/9", of_kind("cases"), cases(4)),
        Wish("9x9/12", of_kind("cases", start=140), cases(5)),
    ),
    "total": (
        Wish("5x5/4", of_kind("total"), total(1)),
        Wish("6x6/6", of_kind("total"), total(2)),
        Wish("7x7/9", of_kind("total"), total(3)),
        Wish("9x9/10", of_kind("total"), total(4)),
    ),
    "risk": (
        Wish("4x4/4", of_kind("guess"), guess(by_risk=True)),
        Wish("5x5/5", of_kind("guess", start=560), guess(by_risk=True)),
        Wish("6x6/7", of_kind("guess"), guess(by_risk=True)),
        Wish("6x6/7", of_kind("guess"), guess(by_risk=False)),
    ),
    "fifty-fifty": (
        Wish("6x6/8", of_kind("guess"), fifty(waits=False)),
        Wish("5x5/5", of_kind("guess"), fifty(waits=True)),
        Wish("6x6/7", of_kind("guess"), fifty(waits=True)),
        Wish("7x7/10", of_kind("guess", start=50), fifty(waits=False)),
    ),
}
