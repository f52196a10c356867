"""A review as one HTML page: a picture per move, with what could have been opened instead marked in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.draw.trace import Labels, Scene, draw_trace
from sapper.play.review.judging import opened_by

if TYPE_CHECKING:
    from sapper.play.review.words import ToldReview

# Cells of all pictures together; a page of so many takes some two megabytes.
MOST_CELLS = 50_000


def draw_page(told: ToldReview) -> str:
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
        opened = [index(*cell) for cell in opened_by(one.move, one.before)]
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
