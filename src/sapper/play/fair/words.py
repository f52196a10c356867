"""Guesses on fair, kind and cruel boards, in words: whether each was forced and why, and what came of it.

>>> from sapper.inference.forcing.judgement import Judgement
>>> from sapper.play.fair.game import Guess
>>> tell_guess(Guess((0, 0), 0.5, Judgement("nothing-safe"), True))
'A forced guess: nothing was safe anywhere. It survived.'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.errors import TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.words import count, name_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.inference.forcing.judgement import Judgement
    from sapper.inference.proofs.explain import Explanation
    from sapper.observation import Observation
    from sapper.play.fair.game import Guess
    from sapper.topology import Cell

# So many safe cells are looked at for one that is easily proved, the nearest first.
_MOST_TRIED = 6


def tell_guess(guess: Guess, before: Observation | None = None) -> str:
    """Say whether a guess was forced and what came of it; with the position before it, what was safe instead."""
    return f"{tell_judgement(guess, before)} {'It survived.' if guess.survived else 'It was a mine.'}"


def tell_judgement(guess: Guess, before: Observation | None = None) -> str:
    """Say whether a guess was forced, and why; with the position before it, what was safe instead."""
    if guess.judgement.verdict == "too-hard":
        return "Whether this guess was forced takes too long to work out, so the mines stayed as they were."
    kind = "A forced guess" if guess.judgement.is_forced else "Not a forced guess"
    return f"{kind}: {why(guess, before)}."


def why(guess: Guess, before: Observation | None = None) -> str:
    """Why a guess was forced, or what was safe instead if it was not, as a clause."""
    if guess.judgement.is_forced:
        return why_forced(guess.judgement)
    instead = None if before is None else safe_instead(before, guess.cell)
    return "something was safe" if instead is None else why_not_forced(instead)


def why_forced(judgement: Judgement) -> str:
    """Why a guess was forced, as a clause."""
    if judgement.verdict == "swap":
        return f"{name_cells(judgement.cells, 4)} can trade their mines and no clue will ever tell"
    if judgement.verdict == "never-settled":
        return f"opening safe cells would never settle it, in no layout of {name_cells(judgement.cells, 4)}"
    return "nothing was safe anywhere"


def why_not_forced(instead: Explanation) -> str:
    """What was safe instead, and why, as a clause.

    >>> from sapper.observation import Observation
    >>> why_not_forced(safe_instead(Observation.parse("1##/#1#/### 1"), (0, 1)))
    '(0, 2) was safe, by the 1 at (0, 0) and the 1 at (1, 1)'
    """
    by = instead.summary[0].removeprefix(f"{instead.cell} is safe").removesuffix(".").partition(";")[0]
    return f"{instead.cell} was safe{by}"


def safe_instead(before: Observation, cell: Cell) -> Explanation | None:
    """Explain a safe cell that could have been opened instead: of the nearest, the one with the shortest proof."""
    plain = before.without_flags()
    try:
        safe = sorted(mine_probabilities(plain).safe, key=lambda one: _distance(one, cell))
        proofs = [explain(plain, *one) for one in safe[:_MOST_TRIED]]
    except TooHard:
        return None
    return min(proofs, key=lambda proof: len(proof.steps), default=None)


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def count_by_kind(guesses: Sequence[Guess]) -> dict[str, dict[str, int]]:
    """Count the guesses that were forced, that were not, and that were too hard to judge: all, and those survived.

    >>> count_by_kind([])["forced"]
    {'made': 0, 'survived': 0}
    """
    counted = {kind: {"made": 0, "survived": 0} for kind in ("forced", "unforced", "unknown")}
    for guess in guesses:
        verdict = guess.judgement.verdict
        kind = counted["forced" if guess.judgement.is_forced else "unknown" if verdict == "too-hard" else "unforced"]
        kind["made"] += 1
        kind["survived"] += guess.survived
    return counted


_KINDS = {
    "forced": ("forced guess", "forced guesses"),
    "unforced": ("guess that nobody had to make", "guesses that nobody had to make"),
    "unknown": ("guess too hard to judge", "guesses too hard to judge"),
}


def count_guesses(guesses: Sequence[Guess]) -> str:
    """Say how many guesses there were and what came of them; empty if there were none.

    >>> from sapper.inference.forcing.judgement import Judgement
    >>> from sapper.play.fair.game import Guess
    >>> forced, unforced = Judgement("nothing-safe"), Judgement("unforced")
    >>> count_guesses([Guess((0, 0), 0.5, forced, True), Guess((1, 1), 0.5, forced, True)])
    '2 forced guesses, 2 survived.'
    >>> count_guesses([Guess((0, 0), 0.5, forced, True), Guess((1, 1), 0.5, unforced, False)])
    '1 forced guess, 1 survived; 1 guess that nobody had to make, 0 survived.'
    """
    counted = count_by_kind(guesses)
    said = [
        f"{count(counted[kind]['made'], one, many)}, {counted[kind]['survived']} survived"
        for kind, (one, many) in _KINDS.items()
        if counted[kind]["made"]
    ]
    return f"{'; '.join(said)}." if said else ""
