"""A review in words and in plain values: how the game ended, what was a mistake, what was bad luck, what it cost.

>>> from sapper.play.review.winning import appraise
>>> from sapper.play.matches.record import Record
>>> from sapper.play.review.judging import review_record
>>> review = review_record(Record.parse('''Sapper-Record: 1
... Rules: 1x4/1 first-any
... Seed: 5
... Layout: *---
... Moves:
... open 0,1
... open 0,0
... '''))
>>> told = ToldReview(review, appraise(review, n_games=0))
>>> told.ending
'Lost by a mistake: move 2, open (0, 0), took a risk of 50.0% while (0, 3) was safe.'
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from sapper.play.review.judging import FAIR
from sapper.words import count, name_cells, percent

if TYPE_CHECKING:
    from sapper.play.figures.measures import GameStatistics
    from sapper.play.review.judging import Review, ReviewedMove
    from sapper.play.review.winning import Appraisal, Winning
    from sapper.statistics import Interval

_MOST_CELLS = 12
# In this order, with the word for several.
_VERDICTS = {
    "safe": "safe",
    "forced guess": "forced guesses",
    "fair guess": "fair guesses",
    "unlucky": "unlucky",
    "mistake": "mistakes",
    "unknown": "unknown",
}


class ToldReview(NamedTuple):
    """A review with everything there is to say about it."""

    review: Review
    appraisal: Appraisal
    statistics: GameStatistics | None = None  # None: nothing was opened

    @property
    def title(self) -> str:
        """The rules and the result."""
        return f"{self.review.rules}: {self.review.result}"

    @property
    def summary(self) -> list[str]:
        """The game in a few sentences."""
        lines = [self.counts, self.ending, self.risks, self.last_safe, *self.wins]
        return [line for line in lines if line]

    @property
    def counts(self) -> str:
        """How many moves were what."""
        counted = Counter[str](one.verdict for one in self.review.moves)
        words = [count(counted[one], one, many) for one, many in _VERDICTS.items() if counted[one]]
        return f"{count(len(self.review.moves), 'move')}: {', '.join(words)}." if words else "Nothing was played."

    @property
    def ending(self) -> str:
        """What ended the game: a mistake, bad luck, or a win."""
        moves = self.review.moves
        if moves and moves[-1].hit and self.review.rules.opened_mine == "ends":
            last = moves[-1]
            name = f"move {len(moves)}, {_name(last)},"
            if last.verdict == "mistake":
                return f"Lost by a mistake: {name} {_describe_risk(last)}."
            if last.verdict == "unlucky":
                return f"Lost by bad luck: {name} {_describe_risk(last)}."
            return f"Lost: {name} where the exact chances were too hard to sum."
        if self.review.result.startswith("won"):
            n_guesses = sum(bool(one.p_mine) for one in moves if one.move.action != "flag")
            return f"Won, with {count(n_guesses, 'risky move')} on the way." if n_guesses else "Won without any risk."
        return ""

    @property
    def risks(self) -> str:
        """The risks of all moves together, and the least there were."""
        taken = [
            one for one in self.review.moves if one.move.action != "flag" and one.p_mine and one.best_p is not None
        ]
        if not taken:
            return ""
        together = 1 - math.prod(1 - (one.p_mine or 0.0) for one in taken)
        least = 1 - math.prod(1 - (one.best_p or 0.0) for one in taken)
        return (
            f"The risks taken amount to a chance of {percent(together, together == 1.0, 1)} to hit a mine; the least "
            f"at every step, to {percent(least, least in (0.0, 1.0), 1)}."
        )

    @property
    def last_safe(self) -> str:
        """The last moment at which nothing had to be risked."""
        number = self.review.last_safe
        if not self.review.moves:
            return ""
        if number is None:
            return "At no move was any cell certainly safe."
        return f"A cell was certainly safe for the last time before move {number + 1}."

    @property
    def wins(self) -> list[str]:
        """The chances to win, as far as they were estimated."""
        if self.appraisal.reason:
            words = f"Chances to win were not estimated: {self.appraisal.reason}."
            return [words] if _has_risk(self.review) else []
        known = [(number, one) for number, one in enumerate(self.appraisal.moves, start=1) if one is not None]
        lost = self.appraisal.lost
        if not known or lost is None:
            return []
        lines = [f"Chance to win before the first risk, move {known[0][0]}: {_interval(known[0][1].best)}."]
        good = [(number, one) for number, one in known if one.best.value >= 0.5]
        if good and good[-1][0] != known[0][0]:
            number, one = good[-1]
            lines.append(f"It was one half or more for the last time before move {number}: {_interval(one.best)}.")
        agent = self.appraisal.agent
        if all(one.is_own_choice for _, one in known):
            return [*lines, f"No wins lost by the choice of moves: every risky one was what {agent} would have done."]
        if all(one.exact for _, one in known):
            way = f"exact, by all layouts that fit, played on by {agent}."
        else:
            way = (
                f"[{lost.low:.3f}, {lost.high:.3f}] with 95 %, by {self.appraisal.n_games:,} games a risky move (all "
                f"layouts where no more fit), played on by {agent} after it and by its own choice."
            )
        return [*lines, f"Expected wins lost by the choice of moves: {lost.value:.3f}, {way}"]

    def is_notable(self, number: int) -> bool:
        """Whether a move, counted from 0, decided something."""
        one, winning = self.review.moves[number], self.appraisal.moves[number]
        return one.verdict in ("mistake", "unlucky") or (winning is not None and winning.lost.low > 0)

    def describe_move(self, number: int) -> list[str]:
        """Say what there is to say of a move, counted from 0."""
        one, winning = self.review.moves[number], self.appraisal.moves[number]
        lines = [f"{_name(one).capitalize()}: {one.verdict}."]
        if one.move.action == "flag":
            if one.p_mine is not None and one.verdict != "safe":
                lines.append(f"The chance of a mine there was {percent(one.p_mine, one.p_mine in (0.0, 1.0), 1)}.")
        elif one.p_mine is not None and one.verdict != "safe":
            lines.append(f"It {_describe_risk(one)}.")
        if winning is not None:
            lines.append(_describe_winning(winning, one))
        return lines

    def as_plain_values(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "rules": str(self.review.rules),
            "result": self.review.result,
            "start": str(self.review.start),
            "summary": self.summary,
            "mistakes": list(self.review.mistakes),
            "last_safe": self.review.last_safe,
            "fair_margin": FAIR,
            "games": self.appraisal.n_games,
            "agent": self.appraisal.agent,
            "wins_lost": self.appraisal.lost,
            "statistics": None if self.statistics is None else self.statistics.as_plain_values(),
            "moves": [
                _plain_move(one, winning) for one, winning in zip(self.review.moves, self.appraisal.moves, strict=True)
            ],
        }


def _plain_move(one: ReviewedMove, winning: Winning | None) -> dict[str, Any]:
    return {
        "action": one.move.action,
        "row": one.move.row,
        "col": one.move.col,
        "verdict": one.verdict,
        "p_mine": one.p_mine,
        "best_p": one.best_p,
        "best": one.best[:_MOST_CELLS],
        "extra_risk": one.lost_wins,
        "hit": one.hit,
        "position": str(one.before),
        "wins": None if winning is None else winning._asdict(),
    }


def _has_risk(review: Review) -> bool:
    return any(one.p_mine for one in review.moves if one.move.action != "flag")


def _name(one: ReviewedMove) -> str:
    return f"{one.move.action} ({one.move.row}, {one.move.col})"


def _describe_risk(one: ReviewedMove) -> str:
    if one.p_mine is None:
        return "took a risk that was too hard to sum"
    risk = "opened a certain mine" if one.p_mine == 1.0 else f"took a risk of {percent(one.p_mine, False, 1)}"
    if one.best_p is None:
        return risk
    cells = name_cells(one.best)
    if one.best_p == 0.0:
        return f"{risk} while {cells} {'was' if len(one.best) == 1 else 'were'} safe"
    if one.lost_wins <= 1e-12:
        return f"{risk}; nothing had less"
    return f"{risk}; {cells} had {percent(one.best_p, one.best_p == 1.0, 1)}"


def _describe_winning(winning: Winning, one: ReviewedMove) -> str:
    if winning.is_own_choice:
        return f"Chance to win {_interval(winning.best)}; the player that was asked would have done the same."
    lost = describe_lost(winning)
    better = "" if winning.choice is None else f" with {winning.choice}"
    words = f"Chance to win {_interval(winning.best)}{better}, {_interval(winning.played)} after this"
    if winning.lost.low <= 0 and one.verdict == "mistake" and not winning.exact:
        return f"{words}: wins lost {lost}, so more risk, but no loss that {winning.n_games:,} games can show."
    return f"{words}: wins lost {lost}."


def describe_lost(winning: Winning) -> str:
    """Write the wins lost with their interval, if they are not exact."""
    lost = winning.lost
    if winning.is_own_choice:
        return "none"
    if lost.low == lost.high:
        return f"{lost.value:+.3f}, exact"
    return f"{lost.value:+.3f} [{lost.low:+.3f}, {lost.high:+.3f}]"


def _interval(found: Interval) -> str:
    if found.low == found.high:
        return f"{100 * found.value:.1f}%"
    return f"{100 * found.value:.1f}% [{100 * found.low:.1f}, {100 * found.high:.1f}]"
