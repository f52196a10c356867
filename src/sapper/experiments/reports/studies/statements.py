"""Report 000: the statements knowledge base on 4 x 4, its plots without the total and with it.

The claims are judged with the agent of its play-by-play (`statements-reported`), beside the agent that its text
describes (`statements`).
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    EXACT,
    NEVER,
    Check,
    ComparisonRow,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    at_least,
    at_most,
    below,
    by_seed,
    change_of,
    falls,
    mean_of,
    write,
    write_change,
    write_rate,
)
from sapper.experiments.reports.figures import Band, draw_curves, draw_words
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval, difference, wilson
from sapper.words import count_mines

MINES = range(1, 17)
REPORTED, SOUND, ONCE, LEAST_RISK = "statements-reported", "statements", "local", "exact"
WITH_TOTAL = {REPORTED: "statements-count-reported", SOUND: "statements-count"}  # the same agents with the total known
MISSED, CHOSEN, TO_THE_END = "probe:missed", "probe:least-risk", "probe:to-the-end"
PLAYED = 6  # mines of the play-by-play


def _board(mines: int, total: bool = False) -> str:
    return f"4x4/{mines} survey first-any{'' if total else ' total-hidden'}"


def _knows_total(agent: str) -> bool:
    return agent in WITH_TOTAL.values()


def _sweep(agents: tuple[str, ...], n_games: int) -> list[SweepTask]:
    return [
        SweepTask(Condition.of(Rules.parse(_board(mines, _knows_total(agent))), agent), n_games)
        for agent in agents
        for mines in MINES
    ]


def _scores(results: StudyResults, agent: str) -> list[Interval]:
    return [results.mean("score", agent, _board(mines, _knows_total(agent))) for mines in MINES]


def _draw_scores(results: StudyResults, names: dict[str, str]) -> Picture:
    lines = [Curve(name, list(MINES), _scores(results, agent)) for agent, name in names.items()]
    return Picture(
        draw_curves(lines, "mines on 4 x 4", "average score", most=1.0),
        "Average score against the number of mines, 4 x 4.",
    )


# -- without the total -----------------------------------------------------------------------------------------


def _sweep_tasks(count: Count) -> list[SweepTask]:
    rules = Rules.parse(_board(PLAYED))
    return [
        *_sweep((REPORTED, SOUND, ONCE), count(60, 2000)),
        *(SweepTask(Condition.of(rules, agent, MISSED), count(60, 2000)) for agent in (REPORTED, SOUND)),
        SweepTask(Condition.of(rules, REPORTED, CHOSEN), count(60, 500)),
        SweepTask(Condition.of(rules, LEAST_RISK), count(60, 500)),
    ]


def _check_sweep(results: StudyResults) -> list[Check]:
    scores, sound, once = (dict(zip(MINES, _scores(results, agent), strict=True)) for agent in (REPORTED, SOUND, ONCE))

    def some(first: int, last: int) -> list[Interval]:
        return [scores[mines] for mines in range(first, last + 1)]

    def blame(mines: int) -> str:
        return (
            f"With {mines} mines an agent that uses each clue only once, when it opens, scores "
            f"{write(once[mines], 2)}: the report's program may have missed more than its play-by-play shows."
        )

    return [
        Check(
            "The score is between 0.5 and 1 with 1 to 5 mines.",
            f"From {write(scores[1], 2)} with 1 mine to {write(scores[5], 2)} with 5; the sound version from "
            f"{write(sound[1], 2)} to {write(sound[5], 2)}.",
            at_least(some(1, 5), 0.5),
            quote="The average final score ranges between 0.5 and 1 for mine densities 1-5.",
        ),
        Check(
            "It is between 0 and 0.5 with 6 to 16 mines.",
            f"{write(scores[6])} with 6 mines, {write(scores[9], 2)} with 9, {write(scores[16], 2)} with 16; the sound "
            f"version {write(sound[6], 2)}, {write(sound[9], 2)} and {write(sound[16], 2)}.",
            at_most(some(6, 16), 0.5),
            blame(6),
            "For mine densities 6-16, the average final score falls between 0 and 0.5.",
            is_guess=True,
        ),
        Check(
            "It falls as mines are added.",
            f"From {write(scores[1], 2)} to {write(scores[16], 2)}, without a significant rise."
            if falls(some(1, 16))
            else f"From {write(scores[1], 2)} to {write(scores[16], 2)}.",
            falls(some(1, 16)),
            quote="The average final score generally decreases as mine density increases",
        ),
        Check(
            "Hard boards begin at 8 mines: at most 40% of the mines are identified.",
            f"{write(scores[8], 2)} with 8 mines; at most 40% from {_first_below(scores, 0.4)} mines. The sound "
            f"version {write(sound[8], 2)}, and from {_first_below(sound, 0.4)} mines.",
            at_most(some(8, 16), 0.4),
            blame(8),
            "For a mine density of 8 (half of the total number of cells) and greater, the program is able to safely "
            "identify up to 40% of the mines present on average.",
            is_guess=True,
        ),
        Check(
            "With 13 mines or more it is at most 30%.",
            f"{write(scores[13], 2)} with 13 mines; at most 30% from {_first_below(scores, 0.3)} mines. The sound "
            f"version {write(sound[13], 2)}, and from {_first_below(sound, 0.3)} mines.",
            at_most(some(13, 16), 0.3),
            blame(13),
            "For a mine density of 13 and greater, the program is only able to do so for up to 30% of the mines "
            "present.",
            is_guess=True,
        ),
        _check_missed(results),
        *_check_luck(results),
    ]


def _first_below(scores: dict[int, Interval], limit: float) -> int:
    """Return the number of mines from which all scores are at most ``limit``."""
    return max((mines for mines, score in scores.items() if score.value > limit), default=0) + 1


def _check_missed(results: StudyResults) -> Check:
    counts = {
        agent: [int(results.column(name, agent, _board(PLAYED), source=MISSED).sum()) for name in ("moves", "guesses")]
        for agent in (REPORTED, SOUND)
    }
    (n_missed, n_guesses), (n_sound, n_all) = counts.values()
    share = f": {write_rate(wilson(n_missed, n_guesses))}" if n_guesses else ""
    return Check(
        "The program deduces everything it can.",
        f"On boards with {PLAYED} mines, of {n_guesses:,} random clicks after the first zero, {n_missed:,} were made "
        f"although the clues proved some cell safe{share}; of the sound version's {n_all:,}, {n_sound:,}.",
        n_missed == 0,
        "As in its play-by-play, where three cells are missed.",
        "In addition to processing this information, the list of logical statements is also consolidated and used to "
        "further update the list of known cells",
        kind=NEVER,
        n_seen=n_guesses,
    )


def _check_luck(results: StudyResults) -> list[Check]:
    early = {mines: 1 - comb(16 - mines, 3) / comb(16, 3) for mines in MINES}
    chosen = results.mean("score", REPORTED, _board(PLAYED), source=CHOSEN)
    wise, at_random, sound = (results.mean("score", agent, _board(PLAYED)) for agent in (LEAST_RISK, REPORTED, SOUND))
    gain, sound_gain = difference(chosen, at_random), difference(wise, sound)
    return [
        Check(
            "The more mines there are, the likelier one of the first few clicks hits one.",
            "The probability of a mine among three cells of a shuffled queue is "
            + ", ".join(f"{early[mines]:.2f} ({count_mines(mines)})" for mines in (1, 4, 8, 13))
            + ".",
            all(early[mines] <= early[mines + 1] for mines in MINES[:-1]),
            quote="as mine density increases, it also becomes more likely that the program will click on a mine during "
            "the first few steps of gameplay.",
            kind=EXACT,
        ),
        Check(
            "Random clicks cost something.",
            f"With {PLAYED} mines the report's agent identifies {write_change(gain)} of the mines more if it clicks "
            f"the safest cell and not a random one; the exact agent {write_change(sound_gain)} more than "
            f"the sound version.",
            above([gain]),
            quote="at times, randomness in choosing which cell to consider next can decrease the performance of the "
            "program.",
        ),
    ]


def _compare_sweep(results: StudyResults) -> list[ComparisonRow]:
    scores, sound = (dict(zip(MINES, _scores(results, agent), strict=True)) for agent in (REPORTED, SOUND))
    said = {1: "0.5 to 1", 5: "0.5 to 1", 6: "0 to 0.5", 8: "up to 0.4", 13: "up to 0.3", 16: "up to 0.3"}
    return [
        ComparisonRow(f"score with {count_mines(mines)}", reported, write(scores[mines]), write(sound[mines]))
        for mines, reported in said.items()
    ]


def _draw_sweep(results: StudyResults) -> list[Picture]:
    bands = [Band(1, 5, 0.5, 1), Band(6, 7.9, 0, 0.5), Band(8, 12.9, 0, 0.4), Band(13, 16, 0, 0.3)]
    return [
        Picture(
            draw_words(bands, "mines on 4 x 4", "average score", 1.0),
            "The report's plot as its text describes it: the score is within the bands.",
        ),
        _draw_scores(results, {REPORTED: "the report's agent", SOUND: "the sound version", ONCE: "each clue once"}),
    ]


# -- with the total --------------------------------------------------------------------------------------------


def _total_tasks(count: Count) -> list[SweepTask]:
    rules = Rules.parse(_board(PLAYED, True))
    return [
        *_sweep((*WITH_TOTAL, *WITH_TOTAL.values()), count(60, 2000)),
        *(SweepTask(Condition.of(rules, agent, TO_THE_END), count(60, 2000)) for agent in WITH_TOTAL.values()),
    ]


def _gain(results: StudyResults, column: str, agent: str, mines: int) -> NDArray[np.float64]:
    """Return the difference that knowing the total makes, game by game on the same boards."""
    informed = results.column(column, WITH_TOTAL[agent], _board(mines, True))
    return informed - results.column(column, agent, _board(mines))


def _overall(results: StudyResults, column: str, agent: str) -> Interval:
    """Return its mean over all numbers of mines."""
    return change_of(by_seed([_gain(results, column, agent, mines) for mines in MINES]))


def _check_total(results: StudyResults) -> list[Check]:
    gains, sound_gains = (
        {mines: change_of(_gain(results, "score", agent, mines)) for mines in MINES} for agent in WITH_TOTAL
    )
    guesses, sound_guesses = (_overall(results, "guesses", agent) for agent in WITH_TOTAL)
    scores, sound_scores = (_overall(results, "score", agent) for agent in WITH_TOTAL)
    ended, sound_ended = (
        results.column("moves", informed, _board(PLAYED, True), source=TO_THE_END) for informed in WITH_TOTAL.values()
    )
    saved, sound_saved = (
        change_of(
            results.column("moves", informed, _board(PLAYED, True), source=TO_THE_END)
            - results.column("moves", informed, _board(PLAYED, True))
        )
        for informed in WITH_TOTAL.values()
    )
    return [
        Check(
            "Deductions can use the number of mines, so fewer cells are opened at random.",
            f"{write_change(guesses, 2)} unproven openings per game; the sound version "
            f"{write_change(sound_guesses, 2)}.",
            below([guesses]),
            quote="This, expressed as a logical statement, provides additional information to the agent which can be "
            "used when making deductions and decisions.",
        ),
        Check(
            "It lets the program end early, without further deductions.",
            f"With {PLAYED} mines {write_change(saved, 2)} moves per game are saved; {write(mean_of(ended), 1)} are "
            f"made by an agent that continues until every cell is open or marked. The score is the same. The sound "
            f"version saves {write_change(sound_saved, 2)} of {write(mean_of(sound_ended), 1)}.",
            above([saved]),
            quote="The additional information provided by the number of mines in a given board can be used for early "
            "termination of the program, removing the need for the program to carry out any additional deductions.",
        ),
        Check(
            "With the number of mines known, more of them are identified.",
            f"{write_change(scores)} on average over 1 to 16 mines; the sound version {write_change(sound_scores)}.",
            above([scores]),
        ),
        Check(
            "That is so for every number of mines, as long as a cell is safe.",
            f"The gain is between {_name_ends(gains)}; the sound version's between {_name_ends(sound_gains)}. "
            f"A board full of mines shows no clue: there the report's agent gains {gains[16].value:.2f}, and the sound "
            f"version, which treats the total as a statement too, {sound_gains[16].value:.2f}.",
            above(gain for mines, gain in gains.items() if mines < 16),
        ),
    ]


def _name_ends(gains: dict[int, Interval]) -> str:
    fewer = [mines for mines in gains if mines < 16]
    least, most = (pick(fewer, key=lambda mines: gains[mines].value) for pick in (min, max))
    return (
        f"{write_change(gains[least])} with {count_mines(least)} and {write_change(gains[most])} with "
        f"{count_mines(most)}"
    )


def _compare_total(results: StudyResults) -> list[ComparisonRow]:
    scores = {informed: dict(zip(MINES, _scores(results, informed), strict=True)) for informed in WITH_TOTAL.values()}
    return [
        ComparisonRow(
            f"score with {count_mines(mines)}, total known", "", *(write(found[mines]) for found in scores.values())
        )
        for mines in (1, 5, 6, 8, 13, 16)
    ]


def _draw_total(results: StudyResults) -> list[Picture]:
    names = {
        REPORTED: "the report's agent, total unknown",
        WITH_TOTAL[REPORTED]: "the report's agent, total known",
        SOUND: "the sound version, total unknown",
        WITH_TOTAL[SOUND]: "the sound version, total known",
    }
    return [_draw_scores(results, names)]


EXPERIMENTS = (
    Experiment.of("000-sweep", _sweep_tasks, _check_sweep, _draw_sweep, _compare_sweep),
    Experiment.of("000-total", _total_tasks, _check_total, _draw_total, _compare_total),
)
