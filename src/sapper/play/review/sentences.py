"""Guesses on fair, kind and cruel boards, in words: whether each was forced and why, and what came of it.

>>> from sapper.inference.forced import Judgement
>>> from sapper.play.dealt import DealtGuess
>>> tell_guess(DealtGuess((0, 0), 0.5, Judgement("nothing-safe"), True))
'A forced guess: nothing was safe anywhere. It survived.'

A review in words and in plain values: how the game ended, what was a mistake, what was bad luck, what it cost.

Whoever shows a review, in a terminal, as JSON, as a page or on the page, takes its words and figures from here.

>>> from sapper.play.review.wins import appraise
>>> from sapper.play.record import Record
>>> from sapper.play.review.review import review_record
>>> review = review_record(Record.parse('''Sapper-Record: 1
... Rules: 1x4/1 first-any
... Seed: 5
... Layout: *---
... Moves:
... open 0,1
... open 0,0
... '''))
>>> ReviewReport(appraise(review, n_games=10)).ending
'Lost by a mistake: move 2, open (0, 0), took a risk of 50.0% while (0, 3) was safe: wins lost 50.0%.'
>>> ReviewReport(appraise(review, n_games=0)).ending
'Lost by extra risk: move 2, open (0, 0), took a risk of 50.0% while (0, 3) was safe.'

A review as one HTML page: a picture per move, with what could have been opened instead marked in it.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from sapper.draw.pages import Labels, Scene, draw_trace
from sapper.errors import TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain
from sapper.inference.proofs.sentences import because
from sapper.observation import FLAG
from sapper.play.dealt import count_by_kind
from sapper.play.review.verdict import EQUAL, FAIR
from sapper.words import count, name_cells, percent
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.inference.forced import Judgement
    from sapper.inference.proofs.explain import Explanation
    from sapper.observation import Observation
    from sapper.play.dealt import DealtGuess
    from sapper.play.metrics import GameStatistics
    from sapper.play.review.review import Review, ReviewedMove
    from sapper.play.review.wins import Appraisal, WinEstimate
    from sapper.statistics import Interval
    from sapper.topology import Cell


# So many safe cells are looked at for one that is easily proved, the nearest first.
_MOST_TRIED = 6


def tell_guess(guess: DealtGuess, before: Observation | None = None) -> str:
    """Say whether a guess was forced and what came of it; with the position before it, what was safe instead."""
    return f"{tell_judgement(guess, before)} {'It survived.' if guess.survived else 'It was a mine.'}"


def tell_judgement(guess: DealtGuess, before: Observation | None = None) -> str:
    """Say whether a guess was forced, and why; with the position before it, what was safe instead."""
    if guess.judgement.verdict == "too-hard":
        return "Whether this guess was forced takes too long to work out, so the mines stayed as they were."
    kind = "A forced guess" if guess.judgement.is_forced else "Not a forced guess"
    return f"{kind}: {why(guess, before)}."


def why(guess: DealtGuess, before: Observation | None = None) -> str:
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
    '(0, 2) was safe because of the 1 at (0, 0) and the 1 at (1, 1)'
    """
    return f"{instead.cell} was safe {because(instead)}"


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


_KINDS = {
    "forced": ("forced guess", "forced guesses"),
    "unforced": ("guess that nobody had to make", "guesses that nobody had to make"),
    "unknown": ("guess too hard to judge", "guesses too hard to judge"),
}


def count_guesses(guesses: Sequence[DealtGuess]) -> str:
    """Say how many guesses there were and what came of them; empty if there were none.

    >>> from sapper.inference.forced import Judgement
    >>> from sapper.play.dealt import DealtGuess
    >>> forced, unforced = Judgement("nothing-safe"), Judgement("unforced")
    >>> count_guesses([DealtGuess((0, 0), 0.5, forced, True), DealtGuess((1, 1), 0.5, forced, True)])
    '2 forced guesses, 2 survived.'
    >>> count_guesses([DealtGuess((0, 0), 0.5, forced, True), DealtGuess((1, 1), 0.5, unforced, False)])
    '1 forced guess, 1 survived; 1 guess that nobody had to make, 0 survived.'
    """
    counted = count_by_kind(guesses)
    said = [
        f"{count(counted[kind]['made'], one, many)}, {counted[kind]['survived']} survived"
        for kind, (one, many) in _KINDS.items()
        if counted[kind]["made"]
    ]
    return f"{'; '.join(said)}." if said else ""


_MOST_CELLS = 12
# In this order, with the word for several.
_VERDICTS = {
    "safe": "safe",
    "forced guess": "forced guesses",
    "fair guess": "fair guesses",
    "extra risk": "extra risks",
    "unlucky": "unlucky",
    "mistake": "mistakes",
    "unknown": "unknown",
}
_NOTHING = (0.0, 0.0, 0.0)
_LOST_BY = {"mistake": "a mistake", "extra risk": "extra risk", "unlucky": "bad luck"}


class MoveFigures(NamedTuple):
    """The figures that a verdict rests on, as people read them; empty where there is none."""

    risk: str  # of a mine, or of a flag: the chance that it stands on one
    least: str  # the least risk that there was
    chance: str  # to win, by the choice of the player who was asked
    lost: str  # of that, by the move


class ReviewReport(NamedTuple):
    """A review with everything there is to say about it."""

    appraisal: Appraisal
    statistics: GameStatistics | None = None  # None: nothing was opened

    @property
    def review(self) -> Review:
        """The game with its verdicts."""
        return self.appraisal.review

    @property
    def title(self) -> str:
        """The rules and the result."""
        return f"{self.review.rules.in_short}: {self.review.result}"

    @property
    def summary(self) -> list[str]:
        """The game in a few sentences."""
        lines = [self.counts, self.ending, self.guesses, self.risks, self.last_safe, *self.wins]
        return [line for line in lines if line]

    @property
    def counts(self) -> str:
        """How many moves were what."""
        counted = Counter[str](one.verdict for one in self.review.moves)
        words = [count(counted[one], one, many) for one, many in _VERDICTS.items() if counted[one]]
        return f"{count(len(self.review.moves), 'move')}: {', '.join(words)}." if words else "Nothing was played."

    @property
    def ending(self) -> str:
        """What ended the game: a mistake, extra risk, bad luck, or a win."""
        moves = self.review.moves
        if moves and moves[-1].hit and self.review.rules.opened_mine == "ends":
            last = moves[-1]
            name = f"move {len(moves)}, {_name(last)},"
            if last.verdict in _LOST_BY:
                winning = self.appraisal.moves[-1]
                cost = ""
                if winning is not None and last.verdict != "unlucky":
                    cost = f": {_describe_lost(winning.lost)}"
                return f"Lost by {_LOST_BY[last.verdict]}: {name} {_describe_risk(last)}{cost}."
            return f"Lost: {name} where the exact chances were too hard to compute."
        if self.review.outcome is Outcome.WON:
            n_guesses = sum(one.has_risk for one in moves)
            return f"Won, with {count(n_guesses, 'risky move')} on the way." if n_guesses else "Won without any risk."
        return ""

    @property
    def guesses(self) -> str:
        """How many guesses were forced, and what came of them, on a fair, kind or cruel board."""
        return count_guesses([guess for one in self.review.moves for guess in one.guesses])

    @property
    def risks(self) -> str:
        """The risks of all moves together, and the least there were."""
        taken = [one for one in self.review.moves if one.has_risk and one.best_p is not None]
        if not taken or self.review.rules.dealing in ("fair", "kind"):
            return ""
        together = 1 - math.prod(1 - (one.p_mine or 0.0) for one in taken)
        least = 1 - math.prod(1 - (one.best_p or 0.0) for one in taken)
        is_certain = any(one.is_certain for one in taken)
        return (
            f"The risks taken add up to a {percent(together, is_certain, 1)} chance of hitting a mine; with the least "
            f"risk at each of these moves it would have been {percent(least, least in (0.0, 1.0), 1)}."
        )

    @property
    def last_safe(self) -> str:
        """The last moment at which nothing had to be risked."""
        number = self.review.last_safe
        if not self.review.moves:
            return ""
        if number is None:
            return "No move had a safe cell to choose."
        return f"Last move with a safe cell: {number + 1}."

    @property
    def wins(self) -> list[str]:
        """The chances to win, as far as they were estimated."""
        if self.review.rules.dealing != "laid":
            return []
        if self.appraisal.reason:
            words = (
                f"Chances to win were not estimated, because {self.appraisal.reason}; what the risks cost is not known."
            )
            return [words] if any(one.has_risk for one in self.review.moves) else []
        known = [(number, one) for number, one in enumerate(self.appraisal.moves, start=1) if one is not None]
        lost = self.appraisal.lost
        if not known or lost is None:
            return []
        lines = [f"Chance to win before the first risk, move {known[0][0]}: {_write(known[0][1].best)}."]
        good = [(number, one) for number, one in known if one.best.value >= 0.5]
        if good and good[-1][0] != known[0][0]:
            number, one = good[-1]
            lines.append(f"Last move with at least an even chance to win: {number}, with {_write(one.best)}.")
        agent = self.appraisal.agent
        if all(one.is_own_choice for _, one in known):
            return [*lines, f"No wins lost by the choice of moves: every risky one was what {agent} would have done."]
        if all(one.exact for _, one in known):
            way = f"exact: all layouts that fit, played on by {agent}"
        else:
            way = (
                f"a 95 % interval from {self.appraisal.n_games:,} games per risky move (or all layouts, if fewer fit), "
                f"played on by {agent} after that move and after its own choice"
            )
        return [*lines, f"Wins lost by the choice of moves, all together: {_write(lost)}, {way}."]

    def is_notable(self, number: int) -> bool:
        """Whether a move, counted from 0, decided something."""
        return self.review.moves[number].verdict in _LOST_BY

    def figures(self, number: int) -> MoveFigures:
        """The figures of a move, counted from 0."""
        one, winning = self.review.moves[number], self.appraisal.moves[number]
        return MoveFigures(
            "" if one.p_mine is None else percent(one.p_mine, one.is_certain, 1),
            "" if one.best_p is None else percent(one.best_p, one.best_p in (0.0, 1.0), 1),
            "" if winning is None else _write(winning.best),
            "" if winning is None else "none" if winning.lost == _NOTHING else _write(winning.lost),
        )

    def instead(self, number: int) -> tuple[Cell, ...]:
        """What could have been opened instead of a move, counted from 0: what wins more often, or has less risk."""
        one, winning = self.review.moves[number], self.appraisal.moves[number]
        if one.verdict == "mistake" and winning is not None and winning.choice is not None:
            return (winning.choice,)
        return one.best if one.extra_risk > EQUAL else ()

    def describe_move(self, number: int) -> list[str]:
        """Say what there is to say of a move, counted from 0: its verdict, then the figures that it rests on."""
        one, winning = self.review.moves[number], self.appraisal.moves[number]
        lines = [f"{_name(one).capitalize()}: {one.verdict}.", f"It {_describe_risk(one)}."]
        if winning is not None:
            lines.append(_describe_winning(winning))
        return lines

    def as_plain_values(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "rules": str(self.review.rules),
            "outcome": self.review.outcome.value,
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
                {**self.plain_move(number), "position": str(one.before)} for number, one in enumerate(self.review.moves)
            ],
        }

    def plain_move(self, number: int) -> dict[str, Any]:
        """Return what there is to say of a move, counted from 0, for JSON."""
        one, winning = self.review.moves[number], self.appraisal.moves[number]
        return {
            "action": one.move.action,
            "row": one.move.row,
            "col": one.move.col,
            "reason": one.move.reason,
            "verdict": one.verdict,
            "notable": self.is_notable(number),
            "words": self.describe_move(number)[1:],
            "figures": self.figures(number)._asdict(),
            "p_mine": one.p_mine,
            "certain": one.is_certain,
            "best_p": one.best_p,
            "best": one.best[:_MOST_CELLS],
            "instead": self.instead(number)[:_MOST_CELLS],
            "extra_risk": one.extra_risk,
            "hit": one.hit,
            **({"guesses": [guess.as_plain_values() for guess in one.guesses]} if one.guesses else {}),
            "wins": None if winning is None else winning._asdict(),
        }


def _name(one: ReviewedMove) -> str:
    return f"{one.move.action} ({one.move.row}, {one.move.col})"


def _describe_risk(one: ReviewedMove) -> str:
    """What a move risked and what it could have, as the end of a sentence that begins with the move."""
    if one.move.action == "flag":
        return _describe_flag(one)
    if not one.evidence.opened:
        return "asked a silent cell again" if one.move.action == "open" else "opened nothing"
    if one.verdict == "safe":
        return "was certainly safe"
    if one.p_mine is None:
        return "took a risk that was too hard to compute"
    if one.is_certain:
        risk = "opened a certain mine"
    else:
        risk = f"took a risk of {percent(one.p_mine, False, 1)}"
    if one.guesses:
        return f"{risk}; {_describe_guess(one)}"
    if one.best_p is None or one.best_p == 1.0:
        return risk
    cells = name_cells(one.best)
    if one.best_p == 0.0:
        return f"{risk} while {cells} {'was' if len(one.best) == 1 else 'were'} safe"
    if one.extra_risk <= EQUAL:
        return f"{risk}; nothing had less"
    return f"{risk} where {percent(one.best_p, False, 1)} was possible, at {cells}"


def _describe_guess(one: ReviewedMove) -> str:
    """Whether a guess on a fair, kind or cruel board was forced, and why; of several, the first that was not."""
    guess = next((guess for guess in one.guesses if not guess.judgement.is_forced), one.guesses[0])
    return f"it was {'' if guess.judgement.is_forced else 'not '}forced: {why(guess, one.before)}"


def _describe_flag(one: ReviewedMove) -> str:
    if one.before.cells[one.move.row, one.move.col] == FLAG:
        return "took a flag off"
    if one.p_mine is None:
        return "marked a cell whose chance of a mine was too hard to compute"
    if one.is_certain:
        return f"marked {'a certain mine' if one.p_mine else 'a cell that was certainly safe'}"
    return f"marked a cell that was a mine with a chance of {percent(one.p_mine, False, 1)}"


def _describe_winning(winning: WinEstimate) -> str:
    if winning.is_own_choice:
        return f"Chance to win {_write(winning.best)}; the agent that plays on would have done the same."
    choice = "" if winning.choice is None else f" with {winning.choice}"
    words = f"Chance to win {_write(winning.best)}{choice}, {_write(winning.played)} after this"
    told = f"{words}: {_describe_lost(winning.lost)}"
    if winning.exact or winning.lost.low > 0 or winning.lost.high <= 0:
        return f"{told}."
    return f"{told}, which {count(winning.n_games, 'game')} cannot distinguish from none."


def _write(found: Interval) -> str:
    """A share of games with its interval; an exact one has none."""
    value, low, high = found
    if low != high:
        return f"{_points(value)}% [{_points(low)}, {_points(high)}]"
    if value < 0:
        return f"-{percent(-value, False, 1)}"
    return percent(value, value in (0.0, 1.0), 1)


def _describe_lost(lost: Interval) -> str:
    return "no wins lost" if lost == _NOTHING else f"wins lost {_write(lost)}"


def _points(share: float) -> str:
    # Adding 0 turns a -0.0 into a 0.0.
    return f"{round(100 * share, 1) + 0.0:.1f}"


# Cells of all pictures together; a page of so many takes some two megabytes.
MOST_CELLS = 50_000


def draw_page(told: ReviewReport) -> str:
    """Return the review as a page: every move of a short game, else those that were not simply safe."""
    numbers = list(range(len(told.review.moves)))
    about = list(told.summary)
    if len(numbers) * told.review.rules.n_cells > MOST_CELLS:
        numbers = [number for number in numbers if told.review.moves[number].verdict != "safe"]
        about.append("Moves that were safe are left out.")
    scenes = []
    for number in numbers:
        one = told.review.moves[number]
        index = one.before.topology.index
        opened = [index(*cell) for cell in one.evidence.opened]
        decision, *notes = told.describe_move(number)
        # The position is the one before the move, in which it was chosen.
        scenes.append(
            Scene(
                one.before,
                decision,
                notes=tuple(notes),
                opened=index(one.move.row, one.move.col),
                clues=tuple(index(*cell) for cell in told.instead(number)),
                uncovered=tuple(opened),
                title=f"Move {number + 1}",
            )
        )
    labels = Labels("the cell of the move", "what to open instead", "opened by the move")
    return draw_trace(told.title, about, scenes, told.summary[1:2] or about[:1], labels)
