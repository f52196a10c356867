"""Reviews in words and plain values: how a game ended, its mistakes and bad luck, and what they cost.

The terminal, JSON, HTML and the web app all take their words and figures from here.

>>> from sapper.play.record import Record
>>> from sapper.play.review.review import review_record
>>> from sapper.play.review.wins import appraise
>>> review = review_record(Record.parse('''Sapper-Record: 1
... Rules: 1x4/1 first-any
... Seed: 5
... Layout: *---
... Moves:
... open 0,1
... open 0,0
... '''))
>>> ReviewReport(appraise(review, n_games=10)).ending
'Lost by a mistake: move 2, open (0, 0), took a risk of 50.0% while (0, 3) was safe: win chance lost 50.0%.'
>>> ReviewReport(appraise(review, n_games=0)).ending
'Lost by extra risk: move 2, open (0, 0), took a risk of 50.0% while (0, 3) was safe.'

Guesses on fair, kind and cruel boards are described too:

>>> from sapper.inference.forced import Judgement
>>> from sapper.play.dealt import DealtGuess
>>> describe_guess(DealtGuess((0, 0), 0.5, Judgement("nothing-safe"), True))
'A forced guess: nothing was safe anywhere. It survived.'
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from sapper.draw.pages import Labels, Scene, draw_trace
from sapper.errors import TooHard
from sapper.inference.forced import Judgement
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import Explanation, explain
from sapper.inference.proofs.sentences import because
from sapper.observation import FLAG, Observation
from sapper.play.dealt import DealtGuess, count_by_kind
from sapper.play.metrics import GameStatistics
from sapper.play.review.review import Review, ReviewedMove
from sapper.play.review.verdict import EQUAL, FAIR
from sapper.play.review.wins import Appraisal, WinEstimate
from sapper.statistics import Interval
from sapper.topology import Cell
from sapper.words import count, name_cells, percent
from sapper.world.game import Outcome

_MAX_TRIED = 6  # safe cells, the nearest first, in search of a short proof


def describe_guess(guess: DealtGuess, before: Observation | None = None) -> str:
    """Describe whether a guess was forced and survived; with the position before it, also what was safe instead."""
    return f"{describe_judgement(guess, before)} {'It survived.' if guess.survived else 'It was a mine.'}"


def describe_judgement(guess: DealtGuess, before: Observation | None = None) -> str:
    """Describe whether a guess was forced, and why; with the position before it, also what was safe instead."""
    if guess.judgement.verdict == "too-hard":
        return "Whether this guess was forced takes too long to compute, so the mines stayed as they were."
    kind = "A forced guess" if guess.judgement.is_forced else "Not a forced guess"
    return f"{kind}: {why(guess, before)}."


def why(guess: DealtGuess, before: Observation | None = None) -> str:
    """Return why a guess was forced, or what was safe instead, as a clause."""
    if guess.judgement.is_forced:
        return why_forced(guess.judgement)
    instead = None if before is None else safe_instead(before, guess.cell)
    return "something was safe" if instead is None else why_not_forced(instead)


def why_forced(judgement: Judgement) -> str:
    """Return why a guess was forced, as a clause."""
    if judgement.verdict == "swap":
        return f"{name_cells(judgement.cells, 4)} can swap their mines and no clue will ever show it"
    if judgement.verdict == "never-settled":
        return f"opening safe cells would never settle it in any layout of {name_cells(judgement.cells, 4)}"
    return "nothing was safe anywhere"


def why_not_forced(instead: Explanation) -> str:
    """Return what was safe instead, and why, as a clause.

    >>> from sapper.observation import Observation
    >>> why_not_forced(safe_instead(Observation.parse("1##/#1#/### 1"), (0, 1)))
    '(0, 2) was safe because of the 1 at (0, 0) and the 1 at (1, 1)'
    """
    return f"{instead.cell} was safe {because(instead)}"


def safe_instead(before: Observation, cell: Cell) -> Explanation | None:
    """Explain a safe cell that could have been opened instead: the one of the nearest with the shortest proof."""
    plain = before.without_flags()
    try:
        safe = sorted(mine_probabilities(plain).safe, key=lambda one: _distance(one, cell))
        proofs = [explain(plain, *one) for one in safe[:_MAX_TRIED]]
    except TooHard:
        return None
    return min(proofs, key=lambda proof: len(proof.steps), default=None)


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


_KINDS = {
    "forced": ("forced guess", "forced guesses"),
    "unforced": ("unforced guess", "unforced guesses"),
    "unknown": ("guess too hard to judge", "guesses too hard to judge"),
}


def count_guesses(guesses: Sequence[DealtGuess]) -> str:
    """Count guesses and how many survived, as a sentence; empty if there were none.

    >>> from sapper.inference.forced import Judgement
    >>> from sapper.play.dealt import DealtGuess
    >>> forced, unforced = Judgement("nothing-safe"), Judgement("unforced")
    >>> count_guesses([DealtGuess((0, 0), 0.5, forced, True), DealtGuess((1, 1), 0.5, forced, True)])
    '2 forced guesses, 2 survived.'
    >>> count_guesses([DealtGuess((0, 0), 0.5, forced, True), DealtGuess((1, 1), 0.5, unforced, False)])
    '1 forced guess, 1 survived; 1 unforced guess, 0 survived.'
    """
    counted = count_by_kind(guesses)
    said = [
        f"{count(counted[kind]['made'], one, many)}, {counted[kind]['survived']} survived"
        for kind, (one, many) in _KINDS.items()
        if counted[kind]["made"]
    ]
    return f"{'; '.join(said)}." if said else ""


_MAX_NAMED = 12
# In this order, with their plurals.
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
    """The figures that a verdict rests on, as text; empty where there is none."""

    risk: str  # or the probability that a flag is on a mine
    least: str  # the least risk of any cell
    chance: str  # to win, after the best cell
    lost: str  # win chance lost by the move


class ReviewReport(NamedTuple):
    """A review in words and plain values."""

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
        """The number of moves with each verdict."""
        counted = Counter[str](one.verdict for one in self.review.moves)
        words = [count(counted[one], one, many) for one, many in _VERDICTS.items() if counted[one]]
        return f"{count(len(self.review.moves), 'move')}: {', '.join(words)}." if words else "Nothing was played."

    @property
    def ending(self) -> str:
        """What ended the game: a mistake, extra risk, bad luck or a win."""
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
            return f"Lost: {name} where the exact risks were too hard to compute."
        if self.review.outcome is Outcome.WON:
            n_guesses = sum(one.has_risk for one in moves)
            return f"Won, with {count(n_guesses, 'risky move')} on the way." if n_guesses else "Won without any risk."
        return ""

    @property
    def guesses(self) -> str:
        """The number of forced and other guesses on a fair, kind or cruel board."""
        return count_guesses([guess for one in self.review.moves for guess in one.guesses])

    @property
    def risks(self) -> str:
        """The risk of all moves together, and the least possible."""
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
        """The last move that could have been safe."""
        number = self.review.last_safe
        if not self.review.moves:
            return ""
        if number is None:
            return "No move had a safe cell to choose."
        return f"Last move with a safe cell: {number + 1}."

    @property
    def wins(self) -> list[str]:
        """The win chances, if they were estimated."""
        if self.review.rules.dealing != "laid":
            return []
        if self.appraisal.reason:
            words = (
                f"Win chances were not estimated because {self.appraisal.reason}, so the cost of the risks is unknown."
            )
            return [words] if any(one.has_risk for one in self.review.moves) else []
        known = [(number, one) for number, one in enumerate(self.appraisal.moves, start=1) if one is not None]
        lost = self.appraisal.lost
        if not known or lost is None:
            return []
        lines = [f"Win chance before the first risk, move {known[0][0]}: {_write(known[0][1].best)}."]
        good = [(number, one) for number, one in known if one.best.value >= 0.5]
        if good and good[-1][0] != known[0][0]:
            number, one = good[-1]
            lines.append(f"Last move with a win chance of at least 50%: {number}, with {_write(one.best)}.")
        agent = self.appraisal.agent
        if all(one.is_own_choice for _, one in known):
            return [*lines, "No win chance was lost by the choice of moves: every risky one was the best guess."]
        if all(one.exact for _, one in known):
            method = "exact: all layouts that fit were searched or played"
        else:
            method = (
                f"a 95% interval from {self.appraisal.n_games:,} rollouts per risky move (or all layouts, if fewer "
                f"fit) by {agent}, after that move and after the best cell"
            )
        return [*lines, f"Win chance lost by the choice of moves, in total: {_write(lost)}, {method}."]

    def is_notable(self, number: int) -> bool:
        """Whether a move, counted from 0, was a mistake, extra risk or bad luck."""
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
        """Return cells to open instead of a move, counted from 0: they win more often or are safer."""
        one, winning = self.review.moves[number], self.appraisal.moves[number]
        if one.verdict == "mistake" and winning is not None and winning.choice is not None:
            return (winning.choice,)
        return one.best if one.extra_risk > EQUAL else ()

    def describe_move(self, number: int) -> list[str]:
        """Describe a move, counted from 0: its verdict, then the figures that it rests on."""
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
        """Return everything about a move, counted from 0, for JSON."""
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
            "best": one.best[:_MAX_NAMED],
            "instead": self.instead(number)[:_MAX_NAMED],
            "extra_risk": one.extra_risk,
            "hit": one.hit,
            **({"guesses": [guess.as_plain_values() for guess in one.guesses]} if one.guesses else {}),
            "wins": None if winning is None else winning._asdict(),
        }


def _name(one: ReviewedMove) -> str:
    return f"{one.move.action} ({one.move.row}, {one.move.col})"


def _describe_risk(one: ReviewedMove) -> str:
    """Return what a move risked and the least possible, as a predicate whose subject is the move."""
    if one.move.action == "flag":
        if one.before.cells[one.move.row, one.move.col] == FLAG:
            return "removed a flag"
        if one.p_mine is None:
            return "flagged a cell whose mine probability was too hard to compute"
        if one.is_certain:
            return f"flagged {'a certain mine' if one.p_mine else 'a safe cell'}"
        return f"flagged a cell with a {percent(one.p_mine, False, 1)} chance of being a mine"
    if not one.evidence.opened:
        return "queried a cell without a clue" if one.move.action == "open" else "opened nothing"
    if one.verdict == "safe":
        return "was safe"
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
        return f"{risk}; no cell was safer"
    return f"{risk} where {percent(one.best_p, False, 1)} was possible, at {cells}"


def _describe_guess(one: ReviewedMove) -> str:
    """Return whether a guess on a fair, kind or cruel board was forced, and why; of several, the first unforced one."""
    guess = next((guess for guess in one.guesses if not guess.judgement.is_forced), one.guesses[0])
    return f"it was {'' if guess.judgement.is_forced else 'not '}forced: {why(guess, one.before)}"


def _describe_winning(winning: WinEstimate) -> str:
    if winning.is_own_choice:
        return f"Win chance {_write(winning.best)}; this was the best guess."
    choice = "" if winning.choice is None else f" with {winning.choice}"
    words = f"Win chance {_write(winning.best)}{choice}, {_write(winning.played)} after this"
    words = f"{words}: {_describe_lost(winning.lost)}"
    if winning.exact or winning.lost.low > 0 or winning.lost.high <= 0:
        return f"{words}."
    return f"{words}, which {count(winning.n_games, 'rollout')} cannot distinguish from none."


def _write(found: Interval) -> str:
    """Return a win rate with its interval; an exact one has none."""
    value, low, high = found
    if low != high:
        return f"{_points(value)}% [{_points(low)}, {_points(high)}]"
    if value < 0:
        return f"-{percent(-value, False, 1)}"
    return percent(value, value in (0.0, 1.0), 1)


def _describe_lost(lost: Interval) -> str:
    return "no win chance lost" if lost == _NOTHING else f"win chance lost {_write(lost)}"


def _points(share: float) -> str:
    # Adding 0 turns a -0.0 into a 0.0.
    return f"{round(100 * share, 1) + 0.0:.1f}"


MAX_CELLS = 50_000  # of all pictures together, which take about two megabytes


def draw_page(report: ReviewReport) -> str:
    """Return the review as an HTML document: every move of a short game, else those that were not safe."""
    numbers = list(range(len(report.review.moves)))
    about = list(report.summary)
    if len(numbers) * report.review.rules.n_cells > MAX_CELLS:
        numbers = [number for number in numbers if report.review.moves[number].verdict != "safe"]
        about.append("Safe moves are omitted.")
    scenes = []
    for number in numbers:
        one = report.review.moves[number]
        index = one.before.topology.index
        opened = [index(*cell) for cell in one.evidence.opened]
        decision, *notes = report.describe_move(number)
        # Show the position before the move, in which it was chosen.
        scenes.append(
            Scene(
                one.before,
                decision,
                notes=tuple(notes),
                opened=index(one.move.row, one.move.col),
                clues=tuple(index(*cell) for cell in report.instead(number)),
                uncovered=tuple(opened),
                title=f"Move {number + 1}",
            )
        )
    labels = Labels("the cell of the move", "what to open instead", "opened by the move")
    return draw_trace(report.title, about, scenes, report.summary[1:2] or about[:1], labels)
