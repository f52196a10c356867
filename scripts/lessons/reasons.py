"""Why the right cell of a guess is right, in a sentence or two, for the lessons about guesses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scripts.lessons.fifties import find_fifties
from scripts.lessons.saying import all_of

from sapper.inference.posterior.exact import mine_probabilities
from sapper.words import percent

if TYPE_CHECKING:
    from sapper.train import Puzzle


def with_reason(name: str, made: Puzzle) -> Puzzle:
    """A puzzle of this lesson with its reason; one that has a proof needs none."""
    if name == "risk":
        return replace(made, reason=_by_risk(made))
    return replace(made, reason=_by_fifty(made)) if name == "fifty-fifty" else made


def _by_risk(made: Puzzle) -> str:
    posterior = mine_probabilities(made.position)
    best, safest = made.solution[0], posterior.safest[0]
    risk, least = (percent(float(posterior.p_mine[cell]), certain=False) for cell in (best, safest))
    if set(made.solution) <= set(posterior.safest):
        has = "has" if len(made.solution) == 1 else "have"
        return f"{all_of(made.solution)} {has} the smallest risk on the board: {risk}."
    return f"{safest} has a smaller risk, {least} against {risk}, but the number there would help you less afterwards."


def _by_fifty(made: Puzzle) -> str:
    pairs = find_fifties(made.position)
    final = next((pair for pair in pairs if pair.is_final), None)
    if final is not None:
        return (
            f"Nothing will ever decide between {all_of(final.cells)}, so waiting gains nothing, and the number there "
            "helps you with the rest."
        )
    return f"Something may still decide between {all_of(pairs[0].cells)}, so it is better to wait with that 50/50."
