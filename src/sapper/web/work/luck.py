"""The risks that the moves of a game took, worked out by a process of the server."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sapper.play.matches.record import Record
from sapper.play.review.judging import review_record
from sapper.web.work.positions import BUDGET

if TYPE_CHECKING:
    from sapper.play.review.judging import Review


def appraise_game(text: str) -> dict[str, object]:
    """The risks of a recorded game, added up; moves that are too hard are counted and left out.

    On a row of four cells with one mine the first opening takes a risk of 1/4, which nothing could avoid. The clue
    says that one of its neighbours has the mine, so the second takes 1/2, none of which was needed:

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
    """The risks of a game that is reviewed."""
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
