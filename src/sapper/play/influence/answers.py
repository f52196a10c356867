"""Report 000's seven questions about chains of influence, answered from measured games.

Every number in an answer is computed from the games. The verdict says where they contradict the report, or that they do
not suffice (few games, one density, no deduction).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from sapper.play.influence.follow import PLAYERS, Divide, Played
from sapper.play.influence.measure import (
    InfluenceRow,
    correlation,
    diameter,
    games_of,
    halves,
    mean_of,
    means_by,
    noise_within,
)
from sapper.words import count

Verdict = Literal["agrees", "agrees in part", "contradicts", "not told"]

# Games that a verdict about averages takes; one about what can happen takes a single game.
ENOUGH_GAMES = 30
# A correlation below this is not a significant effect, if noise leaves no room for more.
SLIGHT = 0.1


class InfluenceAnswer(NamedTuple):
    """A question of the report, what it says, and what the games say."""

    question: str
    report: str
    measured: str
    verdict: Verdict
    timing: str = ""  # the part that depends on the clock; the rest depends only on the seed


def answer_questions(rows: Sequence[InfluenceRow], divide: Divide) -> list[InfluenceAnswer]:
    """Answer the seven questions from the games of a table."""
    averages = [_what_cost(rows), _which_boards(rows), _short_chains(rows), _how_hard(rows)]
    if len(games_of(rows)) < ENOUGH_GAMES:
        averages = [one._replace(verdict="not told") for one in averages]
    cost, boards, short, hard = averages
    return [_how_built(rows), _what_bounds(rows, divide), cost, boards, _how_far(rows), short, hard]


def _how_built(rows: Sequence[InfluenceRow]) -> InfluenceAnswer:
    games = games_of(rows)
    n_deductions = sum(game.n_deductions for game in games)
    n_from_hidden = sum(game.n_from_hidden for game in games)
    measured = f"Nothing was deduced in {count(len(games), 'game')}."
    verdict: Verdict = "not told"
    if n_deductions:
        measured = (
            f"From what each deduction rests on. Of {n_deductions:,} deductions in {count(len(games), 'game')} "
            f"{n_from_hidden:,} ({n_from_hidden / n_deductions:.0%}) need an earlier one about a cell that was still "
            f"hidden. The others follow from open clues alone; a clue that was opened because its cell was proved safe "
            f"is the other kind of link."
        )
        verdict = "agrees" if n_from_hidden else "contradicts"
    return InfluenceAnswer(
        "How is a chain of influence built?",
        "From intermediate facts that are kept and combined with later clues.",
        measured,
        verdict,
    )


def _what_bounds(rows: Sequence[InfluenceRow], divide: Divide) -> InfluenceAnswer:
    games = games_of(rows)
    lengths = means_by(rows, lambda row: row.rows * row.cols, lambda row: row.size)
    growth = ""
    grows: bool | None = None
    if len(lengths) > 1:
        means = [mean for _, mean in lengths]
        grows = means == sorted(means)
        growth = (
            f"The mean longest chain is {_list(lengths)} deductions, so it "
            f"{'grows' if grows else 'does not steadily grow'} with the board. "
        )
    n_divided = sum(game.divided for game in games)
    n_crossed = sum(game.crossed for game in games)
    crossing = f"{n_divided} of {count(len(games), 'board')} had a dividing line of zeros"
    if n_crossed:
        crossing += (
            f", and on {n_crossed} of them the longest chain crosses it: the cascade that opens the zeros opens clues "
            f"on both sides"
        )
    elif n_divided:
        crossing += ", which the longest chain never crosses"
    moved = divide.total_known[0] != divide.total_known[1]
    total = (
        f". With the total known zeros do not divide at all: opening {divide.opened} above the row of zeros leaves "
        f"the chance of a mine at {divide.watched} below it at {_chance(divide.total_hidden[0])} while the total is "
        f"unknown ({_chance(divide.total_hidden[1])} after it), and takes it from {_chance(divide.total_known[0])} to "
        f"{_chance(divide.total_known[1])} when {divide.before.total} mines are known to be there."
    )
    refuted = moved or n_crossed > 0
    verdict: Verdict = "agrees in part" if grows and refuted else "contradicts" if refuted else "agrees"
    return InfluenceAnswer(
        "What bounds the longest chain?",
        "The size of the board, and rows or columns of zeros, which nothing influences across.",
        growth + crossing + total,
        verdict,
    )


def _what_cost(rows: Sequence[InfluenceRow]) -> InfluenceAnswer:
    question = "What does a long chain cost?"
    report = "Time and space: it reduces the efficiency of the solver significantly."
    games = [game for game in games_of(rows) if game.chain]
    component = correlation(rows, lambda game: game.length, lambda game: mean_of([s.component for s in game.samples]))
    by_time = correlation(rows, lambda game: game.length, lambda game: game.milliseconds)
    shorter, longer = halves(rows)
    if component is None or by_time is None or not shorter or not longer:
        return InfluenceAnswer(question, report, "Too few games with chains of different length.", "not told")
    n_shorter, n_longer = (mean_of([game.length for game in half]) for half in (shorter, longer))
    deductions = [mean_of([game.n_deductions for game in half]) for half in (shorter, longer)]
    measured = (
        f"Among {len(games)} games, at the same size and density, the length of the longest chain and the number of "
        f"connected hidden cells correlate at {component:+.2f}, where chance alone gives up to "
        f"{noise_within(rows):.2f}. The games with the longer chains (mean "
        f"{n_longer:.1f} against {n_shorter:.1f}) make {deductions[1]:.0f} deductions each, the others "
        f"{deductions[0]:.0f}. A link of a chain is one deduction, made once and kept; what costs is how much has to "
        f"be looked at together."
    )
    each = [
        sum(game.milliseconds for game in half) / max(1, sum(game.n_deductions for game in half))
        for half in (shorter, longer)
    ]
    timing = (
        f"Time and length correlate at {by_time:+.2f}; a deduction takes {each[0]:.3f} ms in the games with the "
        f"shorter chains and {each[1]:.3f} ms in those with the longer. {_compare_slowest(rows)}"
    )
    # The verdict must not depend on the clock, so it is about the size of components.
    return InfluenceAnswer(question, report, measured, judge_correlation(component, noise_within(rows)), timing)


def judge_correlation(found: float, noise: float) -> Verdict:
    """Return the verdict on a correlation that the report claims; a missing one contradicts it only if noise is small.

    >>> judge_correlation(0.6, 0.1), judge_correlation(0.3, 0.1), judge_correlation(0.27, 0.31)
    ('agrees', 'agrees in part', 'not told')
    >>> judge_correlation(-0.06, 0.06)
    'contradicts'
    """
    if found > noise:
        return "agrees" if found > 0.5 else "agrees in part"
    return "contradicts" if found + noise < SLIGHT else "not told"


def _compare_slowest(rows: Sequence[InfluenceRow]) -> str:
    """Compare the games with the longest chains and the slowest ones."""
    longest = max(rows, key=lambda row: row.figures()["chain_mean"])
    dearest = max(rows, key=lambda row: row.figures()["milliseconds"])
    if longest is dearest:
        return (
            f"The longest chains and the slowest games are both those of {longest.size}, density {longest.density:g}."
        )
    long, dear = longest.figures(), dearest.figures()
    return (
        f"The longest chains ({long['chain_mean']:.1f}; {longest.size}, density {longest.density:g}) take "
        f"{long['milliseconds']:.1f} ms a game, the slowest games ({dearest.size}, density {dearest.density:g}) "
        f"{dear['milliseconds']:.1f} ms with chains of {dear['chain_mean']:.1f}."
    )


def _which_boards(rows: Sequence[InfluenceRow]) -> InfluenceAnswer:
    question = "Which boards have long chains, and how does that vary with the number of mines?"
    report = "Boards with almost uniformly spread mines, neither too few nor too many of them."
    games = games_of(rows)
    longest = max(games, key=lambda game: (game.length, -game.seed), default=None)
    if longest is None or not longest.length:
        return InfluenceAnswer(question, report, f"Nothing was deduced in {count(len(games), 'game')}.", "not told")
    found = f"The longest chain of all has {longest.length} deductions: {longest.rules}, seed {longest.seed}."
    by_density = means_by(rows, lambda row: row.density, lambda row: f"density {row.density:g}")
    if len(by_density) < 3:
        return InfluenceAnswer(question, report, f"{found} Fewer than three densities show no trend.", "not told")
    means = [mean for _, mean in by_density]
    peak = means.index(max(means))
    inside = 0 < peak < len(means) - 1
    density = (
        f"The mean longest chain is {_list(by_density)}: the longest at {by_density[peak][0]}"
        f"{', between the extremes' if inside else ', an end of the range that was measured'}. "
    )
    spread = correlation(rows, lambda game: game.length, lambda game: game.unevenness)
    uniform: bool | None = None
    uneven = ""
    if spread is not None:
        noise = noise_within(rows)
        uniform = spread < -noise
        somewhat = "somewhat " if abs(spread) < 0.3 else ""
        meaning = f"{'evenly' if uniform else 'unevenly'} spread mines make {somewhat}longer chains"
        uneven = (
            f"At the same size and density, length and the unevenness of the clues (their standard deviation) "
            f"correlate at {spread:+.2f}, where chance alone gives up to {noise:.2f}: "
            f"{meaning if abs(spread) > noise else 'no clear effect of the spread'}. "
        )
    verdict: Verdict = "agrees" if inside and uniform else "agrees in part" if inside or uniform else "contradicts"
    return InfluenceAnswer(question, report, density + uneven + found, verdict)


def _how_far(rows: Sequence[InfluenceRow]) -> InfluenceAnswer:
    question = "How far does influence reach?"
    report = "Across the whole board if no zeros divide it, but very weakly."
    games = [game for game in games_of(rows) if game.chain]
    if not games:
        return InfluenceAnswer(question, report, "Nothing was deduced.", "not told")
    samples = [one for game in games for one in game.samples]
    diameters = {row.size: diameter(row) for row in rows}
    n_spanning = sum(game.span == diameters[f"{game.rules.rows}x{game.rules.cols}"] for game in games if game.span)
    widest = max(games, key=lambda game: game.span)
    measured = (
        f"In {n_spanning} of {count(len(games), 'game')} the longest chain ends as far from its root as the board "
        f"allows; the longest way is {widest.span} steps on {widest.rules.rows} x {widest.rules.cols}. At its end "
        f"stands a certainty, which is not weak."
    )
    if samples:
        n_near = sum(one.reach <= 2 for one in samples)
        measured += (
            f" A single argument stays near: of {count(len(samples), 'smallest proof')} {n_near / len(samples):.0%} "
            f"take no clue more than 2 steps away, the mean is {mean_of([one.reach for one in samples]):.1f} steps and "
            f"the farthest {max(one.reach for one in samples)}."
        )
    return InfluenceAnswer(question, report, measured, "agrees in part" if n_spanning else "contradicts")


def _short_chains(rows: Sequence[InfluenceRow]) -> InfluenceAnswer:
    question = "Should short chains guide decisions?"
    report = "Yes: long ones are not worth their cost."
    compared = [one for row in rows for one in row.compared]
    if not compared:
        return InfluenceAnswer(question, report, "No players were compared.", "not told")
    survey = all(row.games[0].rules.opened_mine == "explodes" for row in rows)
    worth: Callable[[Played], float] = (lambda one: one.score) if survey else (lambda one: float(one.won))
    what = "mean score" if survey else "share of games won"
    names = list(PLAYERS)
    means = {name: mean_of([worth(one[name]) for one in compared]) for name in names}
    first, second, last = names[0], names[1], names[-1]
    gained = [worth(one[last]) - worth(one[first]) for one in compared]
    left = [worth(one[last]) - worth(one[second]) for one in compared]
    error = float(np.std(left, ddof=1)) / math.sqrt(len(left)) if len(left) > 1 else 0.0
    listed = ", ".join(f"{means[name]:.3f} ({name})" for name in names)
    measured = f"On the same {count(len(compared), 'board')}, guessing alike, the {what} is {listed}. "
    total_gain, rest = mean_of(gained), mean_of(left)
    timing = "A game takes " + ", ".join(
        f"{mean_of([one[name].milliseconds for one in compared]):.1f} ms ({name})" for name in names
    )
    if total_gain <= 0:
        return InfluenceAnswer(
            question, report, f"{measured}Longer arguments gain nothing here.", "not told", f"{timing}."
        )
    share = 1 - rest / total_gain
    measured += (
        f"Two clues at a time bring {share:.0%} of what there is to gain over one; all the longer arguments together "
        f"add {rest:+.4f} ± {error:.4f} (standard error). "
    )
    verdict: Verdict
    if rest > 2 * error:
        verdict = "agrees in part"
        measured += "Short arguments come first, but the long ones are worth having where two clues settle nothing."
    elif rest + 2 * error < total_gain / 4:
        verdict = "agrees"
        measured += "Short arguments are nearly all there is to gain, and going further is not seen to pay."
    else:
        verdict = "not told"
        measured += "That may be chance."
    return InfluenceAnswer(question, report, measured, verdict, f"{timing}.")


def _how_hard(rows: Sequence[InfluenceRow]) -> InfluenceAnswer:
    question = "Is the game hard?"
    report = "Yes: much has to be kept in mind, and nearly every game takes luck."
    last = list(PLAYERS)[-1]
    played = [(row.density, one[last].n_guesses) for row in rows for one in row.compared]
    if not played:
        return InfluenceAnswer(question, report, "No players were compared.", "not told")
    n_lucky = sum(n_guesses > 1 for _, n_guesses in played)
    densities = sorted({density for density, _ in played})
    by_density = [
        (f"density {density:g}", mean_of([n for other, n in played if other == density])) for density in densities
    ]
    samples = [one for game in games_of(rows) for one in game.samples]
    n_single = sum(one.proof.size == 1 for one in samples)
    keeping = ""
    if samples:
        keeping = (
            f"Little has to be kept in mind at once: from scratch a smallest proof takes "
            f"{mean_of([one.proof.size for one in samples]):.1f} clues on average, one alone in "
            f"{n_single / len(samples):.0%} of cases and {max(one.proof.size for one in samples)} at most. "
        )
    measured = (
        f"{keeping}Luck is another matter: a player who finds everything that follows guesses again after the first "
        f"cell in {n_lucky} of {count(len(played), 'game')} ({n_lucky / len(played):.0%}); guesses per game are "
        f"{_list(by_density)}. In general, whether a position is possible at all is NP-complete (Kaye 2000)."
    )
    share = n_lucky / len(played)
    return InfluenceAnswer(
        question, report, measured, "agrees" if share > 0.9 else "agrees in part" if share else "contradicts"
    )


def _list(means: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{mean:.1f} ({name})" for name, mean in means)


def _chance(p: float) -> str:
    return f"{p:.3g}"
