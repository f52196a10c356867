"""Jobs that estimate the win chances and add up the risks of finished games.

Win chances are estimated a few moves at a time, so that no other visitor waits for long. A worker caches its estimates
by record and number of rollouts.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from time import perf_counter
from typing import TypeVar

from sapper.errors import InputError, TooHard
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain, explain_certain
from sapper.play.compiled import can_continue
from sapper.play.record import Record
from sapper.play.review.review import Review, review_record
from sapper.play.review.sentences import ReviewReport
from sapper.play.review.verdict import EQUAL
from sapper.play.review.wins import WinEstimate, appraise, appraise_move, estimate_wins, join_appraisals, risky_moves
from sapper.web.jobs.games import read_game
from sapper.web.jobs.positions import BUDGET, describe_explanation
from sapper.web.settings import MAX_GAME_CELLS

SECONDS = 0.4  # per part; a single move may take longer
LAST_GAMES = 200  # rollouts for the last move of a lost game, as many as the page asks of a review in the end
MAX_REVIEWS = 4
MAX_ESTIMATES = 20_000

_reviews: OrderedDict[str, Review] = OrderedDict()
_estimates: OrderedDict[tuple[str, int, int], WinEstimate | None] = OrderedDict()

K = TypeVar("K")
V = TypeVar("V")


def wins(text: str, suffix: str | None, n_games: int, since: int) -> dict[str, object]:
    """Return what the next risky moves of a game did to the win chance, from the ``since``-th risky move on.

    ``next`` is where the rest begins. In the last part it is null, and the summary of the whole game is included.
    """
    name, review = _review(text, suffix)
    can_estimate = can_continue(review.rules)
    risky = risky_moves(review) if can_estimate else []
    until = perf_counter() + SECONDS
    done = min(since, len(risky))
    while done < len(risky):
        _estimate(name, review, risky[done], n_games)
        done += 1
        if perf_counter() >= until:
            break
    is_whole = done == len(risky)
    # Earlier estimates are needed again only for the summary.
    numbers = risky if is_whole else risky[since:done]
    found = {number: _estimate(name, review, number, n_games) for number in numbers}
    # If nothing can be estimated, the words say why.
    report = ReviewReport(
        join_appraisals(review, found, n_games=n_games) if can_estimate else appraise(review, n_games=n_games)
    )
    return {
        "games": n_games,
        "done": done,
        "total": len(risky),
        "next": None if is_whole else done,
        "moves": [{"number": number, **report.plain_move(number)} for number in risky[since:done]],
        "summary": report.summary if is_whole else None,
        "wins_lost": report.appraisal.lost if is_whole else None,
        "mistakes": list(report.review.mistakes) if is_whole else None,
    }


def last_move(text: str) -> dict[str, object]:
    """Return what the last move of a game was, what would have been better and what proves it: facts, not sentences.

    The verdict is that of the whole review with as many rollouts.
    """
    record = read_game(text)
    if record.n_own == 0:
        raise InputError("The game has no move.")
    review = review_record(replace(record, n_given=len(record.moves) - 1, result=""), BUDGET)
    one, found = review.moves[0], None
    if one.has_risk and can_continue(record.rules) and record.rules.n_cells <= MAX_GAME_CELLS:
        with suppress(TooHard):
            found = estimate_wins(
                record.rules, one.before, one.evidence.opened,
                n_games=LAST_GAMES, seed=(0, record.n_own - 1), budget=BUDGET,
            )  # fmt: skip
    report = ReviewReport(join_appraisals(review, {0: found}, n_games=LAST_GAMES))
    verdict, before = report.review.moves[0].verdict, one.before.without_flags()
    instead, p_instead, proof = None, None, None
    if verdict in ("mistake", "extra risk"):
        posterior = mine_probabilities(before, budget=BUDGET)
        mine = next((cell for cell in one.evidence.opened if cell in posterior.mines), None)
        if mine is not None:
            proof = explain(before, *mine)
        elif posterior.safe:
            proof, _ = explain_certain(before)  # the easiest to see
        instead = next(iter(report.instead(0)), None)
        p_instead = None if instead is None else float(posterior.p_mine[instead])
    is_choice = found is not None and found.choice == instead
    return {
        "verdict": verdict,
        "action": one.move.action,
        "cell": [one.move.row, one.move.col],
        "p_mine": one.p_mine,
        "p_win": None if found is None else found.played.value,
        "is_best": found is not None and found.is_own_choice,
        "is_safest": one.extra_risk <= EQUAL,
        "instead": None if instead is None else {
            "cell": list(instead), "p_mine": p_instead, "p_win": found.best.value if found and is_choice else None,
        },
        "proof": None if proof is None else {"cell": list(proof.cell), **describe_explanation(proof)},
    }  # fmt: skip


def _review(text: str, suffix: str | None) -> tuple[str, Review]:
    name = sha256(f"{suffix} {text}".encode("utf-8", "surrogatepass")).hexdigest()
    if name not in _reviews:
        record = read_game(text, suffix)
        if record.rules.n_cells > MAX_GAME_CELLS:
            raise InputError(f"Win chances are estimated on boards of at most {MAX_GAME_CELLS:,} cells.")
        _keep(_reviews, name, review_record(record, BUDGET), MAX_REVIEWS)
    return name, _reviews[name]


def _estimate(name: str, review: Review, number: int, n_games: int) -> WinEstimate | None:
    key = (name, n_games, number)
    if key not in _estimates:
        _keep(_estimates, key, appraise_move(review, number, n_games=n_games, budget=BUDGET), MAX_ESTIMATES)
    return _estimates[key]


def _keep(kept: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    kept[key] = value
    while len(kept) > most:
        kept.popitem(last=False)


def appraise_game(text: str) -> dict[str, object]:
    """Return the sum of the risks of a recorded game; moves that are too hard are only counted.

    On a row of four cells with one mine, the first opening takes an unavoidable risk of 1/4. Its clue then puts the
    mine beside it, so the second takes 1/2, all of which was avoidable:

    >>> found = appraise_game('''Sapper-Record: 1
    ... Rules: 1x4/1 first-any
    ... Seed: 5
    ... Layout: *---
    ... Moves:
    ... open 0,1
    ... open 0,0
    ... ''')
    >>> found["risk"], found["variance"], found["needless"], found["hits"]
    (0.75, 0.4375, 0.5, 1)
    """
    return add_up(review_record(Record.parse(text), BUDGET))


def add_up(review: Review) -> dict[str, object]:
    """Return the sum of the risks of a reviewed game, and its number of certain mistakes."""
    openings = [one for one in review.moves if one.move.action != "flag"]
    known = [one for one in openings if one.p_mine is not None]
    risks = [one.p_mine or 0.0 for one in known]
    return {
        "risk": math.fsum(risks),
        "variance": math.fsum(p * (1.0 - p) for p in risks),
        "needless": math.fsum(one.extra_risk for one in known),
        "hits": sum(one.hit for one in known),
        "mistakes": len(review.mistakes),
        "unknown": len(openings) - len(known),
    }
