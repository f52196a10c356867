"""Report 000: its play-by-play, click by click, and what its program missed."""

from __future__ import annotations

from functools import cache

from sapper.experiments.reports.claims import EXACT, Check, ComparisonRow, Count, Experiment, Picture, StudyResults
from sapper.experiments.reports.figures import draw_boards
from sapper.experiments.sweep import SweepTask
from sapper.play.narrative import FIGURES, GameNarrative, find_missed, narrate_as_reported


@cache
def _narrative() -> GameNarrative:
    """Return the report's own game, played by the agent as reported with the report's clicks."""
    return narrate_as_reported("statements-reported", 0)


def _check_play(results: StudyResults) -> list[Check]:
    del results
    narrative = _narrative()
    guesses = [step for step in narrative.steps if step.step.decision.p_mine != 0.0]
    missed = {step.chosen: find_missed(step.step.before) for step in guesses}
    lost = [cell for cell, found in missed.items() if found]
    n_right, mines = narrative.game.n_identified, narrative.game.rules.mines
    return [
        Check(
            "The game ends with 3 of 6 mines identified.",
            f"{n_right} of {mines}, after the same clicks.",
            (n_right, mines) == (3, 6),
            quote="The program concludes after clicking the cell with coordinates (1,0) with 3 out of 6 mines "
            "identified (Figure 9).",
            kind=EXACT,
        ),
        Check(
            "After every click the program deduces everything it can.",
            f"Before {len(lost)} of its {len(guesses)} random clicks its own rules prove a cell safe: "
            + "; ".join(f"{found[0]} It clicks {cell} instead" for cell, found in missed.items() if found)
            + ". Each of these clicks hits a mine.",
            not lost,
            "Its play-by-play names what was deduced after each click. An agent that acts on one statement per click, "
            "the newest that decides something, and never subtracts one statement from another deduces exactly that. "
            "The report names (3, 1) before (3, 2); clicked in that order, (1, 0) would have followed "
            "at once.",
            "Our program deduces everything it can from a given clicked cell",
            kind=EXACT,
        ),
    ]


def _compare(results: StudyResults) -> list[ComparisonRow]:
    del results
    game = _narrative().game
    return [
        ComparisonRow("mines identified", "3 of 6", f"{game.n_identified} of {game.rules.mines}"),
        ComparisonRow("mines clicked", "3", f"{game.counters.detonations}"),
    ]


def _draw_play(results: StudyResults) -> list[Picture]:
    del results
    boards = [
        (f"Figure {FIGURES[step.chosen]}", step.step.after)
        for step in _narrative().steps
        if step.chosen is not None and step.chosen in FIGURES
    ]
    return [
        Picture(
            draw_boards(boards, 3),
            "The report's nine figures, which our agent repeats exactly; m marks mines identified by then, which "
            "the report leaves empty.",
        )
    ]


def _no_tasks(count: Count) -> list[SweepTask]:
    del count
    return []


EXPERIMENTS = (Experiment.of("000-play", _no_tasks, _check_play, _draw_play, _compare),)
