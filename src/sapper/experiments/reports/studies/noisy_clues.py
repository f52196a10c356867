"""Beyond the reports: what withheld, changed and lying clues cost, and what it is worth to know the channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    NEVER,
    Check,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    by_seed,
    change_of,
    write,
    write_change,
)
from sapper.experiments.reports.figures import draw_curves
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval

CHANNELS = ("withheld", "optimistic", "cautious")
CHANCES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
LIAR = "liar"
LIE_CHANCES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
HALF, ALWAYS = 0.5, 1.0
AGENTS = {"exact": "knows", "believer": "believes"}
# Games for each condition, quick and full, and how many a chunk holds: an exact sum over soft clues is slow.
AMOUNTS = {"5x5/15": (60, 1500, 50), "9x9/10": (20, 400, 20), "16x16/40": (4, 100, 5)}
LIE_AMOUNTS = {"5x5/15": (60, 1000, 50), "9x9/10": (20, 300, 20), "16x16/40": (4, 60, 5)}


def rules_of(board: str, channel: str, p: float) -> str:
    """Return the rules of a survey with clues through a channel; exact if ``p`` is 0."""
    return f"{board} survey first-any{f' {channel}:{p}' if p else ''}"


@dataclass(frozen=True, slots=True)
class _Study:
    """What clues through some channels cost on one board: its games and figures."""

    board: str
    amounts: tuple[int, int, int]
    channels: tuple[str, ...]
    chances: tuple[float, ...]
    wrong: str  # what a clue is with probability p

    def tasks(self, count: Count) -> list[SweepTask]:
        """Return what is played; without doubt the channels are one and the same."""
        quick, full, chunk_size = self.amounts
        conditions = dict.fromkeys(
            Condition.of(Rules.parse(rules_of(self.board, channel, p)), agent)
            for agent in AGENTS
            for channel in self.channels
            for p in self.chances
        )
        return [SweepTask(condition, count(quick, full), chunk_size=chunk_size) for condition in conditions]

    def draw(self, results: StudyResults) -> list[Picture]:
        """Draw detonations and scores against the probability, a curve for each channel and agent."""
        size = self.board.replace("x", " x ").replace("/", ", ")
        pictures = []
        for column, y_name in (("detonations", "mines detonated"), ("score", "average score")):
            lines = [
                Curve(
                    channel if channel == "withheld" else word if channel == LIAR else f"{word}, {channel}",
                    self.chances,
                    [results.mean(column, agent, rules_of(self.board, channel, p)) for p in self.chances],
                )
                for channel in self.channels
                for agent, word in AGENTS.items()
                # The two play alike there; a check says so.
                if channel != "withheld" or agent == "exact"
            ]
            against = f"the probability p that a clue is {self.wrong}"
            caption = f"{y_name.capitalize()} against {against}; {size} mines, total known."
            pictures.append(Picture(draw_curves(lines, "p", y_name, most=1.0 if column == "score" else None), caption))
        return pictures

    def experiment(
        self, name: str, title: str, about: str, played: str, check: Callable[[str, StudyResults], list[Check]]
    ) -> Experiment:
        """Return the experiment of this name on this board."""
        size, mines = self.board.split("/")
        where = f"on {size.replace('x', ' x ')} with {mines} mines"
        judge = partial(check, self.board)
        return Experiment(
            f"{name}-{size}", "uncertainty", f"{title} {where}", about, played, self.tasks, judge, self.draw
        )


def paid_by_believing(results: StudyResults, board: str, channel: str, p: float) -> NDArray[np.float64]:
    """Return how many more mines the believer detonates than the agent that knows, game by game."""
    rules = rules_of(board, channel, p)
    return results.column("detonations", "believer", rules) - results.column("detonations", "exact", rules)


def _check_on(board: str, results: StudyResults) -> list[Check]:
    doubtful = CHANCES[1:]
    checks = []
    for channel in CHANNELS:
        sure, worst = (results.mean("detonations", "exact", rules_of(board, channel, p)) for p in (0.0, CHANCES[-1]))
        rise = change_of(
            results.column("detonations", "exact", rules_of(board, channel, CHANCES[-1]))
            - results.column("detonations", "exact", rules_of(board, channel, 0.0))
        )
        checks.append(
            Check(
                f"Clues that are {channel} with probability {CHANCES[-1]} cost mines, even for a player who knows it.",
                f"{write(sure, 2)} with exact clues, {write(worst, 2)} at p = {CHANCES[-1]}: {write_change(rise, 2)}.",
                above([rise]),
            )
        )
    silent = np.concatenate([paid_by_believing(results, board, "withheld", p) for p in doubtful])
    n_differ = np.count_nonzero(silent)
    checks.append(
        Check(
            "If clues are only withheld, believing them costs nothing: silence says nothing.",
            f"Both players step on equally many mines in all of {len(silent):,} games."
            if not n_differ
            else f"In {n_differ:,} of {len(silent):,} games the two players step on a different number of mines.",
            not n_differ,
            kind=NEVER,
            n_seen=len(silent),
        )
    )
    for channel in CHANNELS[1:]:
        paid = {p: change_of(paid_by_believing(results, board, channel, p)) for p in doubtful}
        overall = change_of(by_seed([paid_by_believing(results, board, channel, p) for p in doubtful]))
        checks.append(
            Check(
                f"If clues may be {_wrong(channel)}, believing them costs mines.",
                f"{write_change(overall, 2)} mines per game on average over p = 0.1 to 0.5; "
                f"{write_change(paid[0.1], 2)} at 0.1 and {write_change(paid[0.5], 2)} at 0.5.",
                above([overall]),
                _why_cheap(results, board, channel, overall),
            )
        )
    return checks


def _wrong(channel: str) -> str:
    return "too low (optimistic)" if channel == "optimistic" else "too high (cautious)"


def _why_cheap(results: StudyResults, board: str, channel: str, overall: Interval) -> str:
    shown = results.mean("score", "exact", rules_of(board, channel, CHANCES[-1]))
    return (
        f"Even the player who knows scores {write(shown, 2)} at p = 0.5: nearly everything is a guess, and a "
        f"difference of {write_change(overall, 2)} mines is all that is left to lose."
    )


def _detonated(results: StudyResults, board: str, p: float) -> Interval:
    return results.mean("detonations", "exact", rules_of(board, LIAR, p))


def _rise(results: StudyResults, board: str, start: float, end: float) -> Interval:
    """Return what a player who knows pays more at one probability than at another, game by game."""
    one, other = (results.column("detonations", "exact", rules_of(board, LIAR, p)) for p in (start, end))
    return change_of(other - one)


def _check_lies_on(board: str, results: StudyResults) -> list[Check]:
    rise = _rise(results, board, 0.0, HALF)
    relief = _rise(results, board, ALWAYS, HALF)
    paid = {p: paid_by_believing(results, board, LIAR, p) for p in LIE_CHANCES[1:]}
    overall = change_of(by_seed(list(paid.values())))
    return [
        Check(
            "Clues that are off by one half of the time cost mines, even for a player who knows it.",
            f"{write(_detonated(results, board, 0.0), 2)} with exact clues, "
            f"{write(_detonated(results, board, HALF), 2)} at p = 0.5: {write_change(rise, 2)}.",
            above([rise]),
        ),
        Check(
            "A liar who always lies reveals more than one who lies half of the time.",
            f"{write(_detonated(results, board, ALWAYS), 2)} mines at p = 1: "
            f"{write_change(relief, 2)} more at p = 0.5.",
            above([relief]),
            "If nearly every clue is between its limits, certainly off by one says little more than possibly off by "
            "one.",
        ),
        Check(
            "Believing liars costs mines.",
            f"{write_change(overall, 2)} mines per game on average over p = 0.1 to 1; "
            f"{write_change(change_of(paid[0.1]), 2)} at 0.1 and {write_change(change_of(paid[ALWAYS]), 2)} at 1.",
            above([overall]),
            "If nearly everything is a guess, there is little left to lose.",
        ),
    ]


EXPERIMENTS = tuple(
    _Study(board, amounts, CHANNELS, CHANCES, "not exact").experiment(
        "uncertain",
        "Uncertain clues",
        "Report 000 finds that withheld clues cost mines. Does it help to know the channel? One player "
        "does, and sums over everything that the clues may mean; the other believes every clue shown.",
        "exact and believer on the same boards, clues withheld, optimistic or cautious with probability p = 0 to 0.5, "
        "total known.",
        _check_on,
    )
    for board, amounts in AMOUNTS.items()
)

LIES = tuple(
    _Study(board, amounts, (LIAR,), LIE_CHANCES, "off by one").experiment(
        "liars",
        "Liars",
        "A clue that lies is off by one, up or down with equal probability. One player knows how often that happens; "
        "the other believes every clue.",
        "exact and believer on the same boards, clues off by one with probability p = 0 to 1, total known.",
        _check_lies_on,
    )
    for board, amounts in LIE_AMOUNTS.items()
)
