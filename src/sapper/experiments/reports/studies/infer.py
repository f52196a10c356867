"""Report 001: Search against Infer on 16 x 16 with 40 mines, classic games."""

from __future__ import annotations

from sapper.experiments.reports.claims import (
    NEVER,
    RATES,
    Check,
    Count,
    Experiment,
    Picture,
    Results,
    above,
    rate_of,
    write_change,
    write_rate,
)  # fmt: skip
from sapper.experiments.reports.figures import Bars, draw_bars
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.rules import Rules
from sapper.statistics import Comparison, Interval, compare_paired, wilson

BOARD = "report-001"
MISSED = "probe:missed"
_HOW = {False: "first mine ends it", True: "restarted until a zero"}


def _tasks(count: Count) -> list[Task]:
    rules = Rules.parse(BOARD)
    played = [
        Task(Condition.of(rules, agent, restart_opening=restart), count(400, 5000))
        for agent in ("search", "infer")
        for restart in _HOW
    ]
    return [*played, Task(Condition.of(rules, "infer", MISSED), count(300, 3000))]


def _won(results: Results, agent: str, restart: bool) -> list[bool]:
    return [bool(won) for won in results.column("won", agent, BOARD, restart_opening=restart)]


def _compare(results: Results, restart: bool) -> Comparison:
    return compare_paired(_won(results, "infer", restart), _won(results, "search", restart))


def _rate(results: Results, agent: str, restart: bool) -> Interval:
    return rate_of(results.column("won", agent, BOARD, restart_opening=restart))


def _check(results: Results) -> list[Check]:
    checks = []
    for restart, claim in (
        (True, "Infer wins more games than Search (a mine before the first zero starts over, as in the report)."),
        (False, "The same where a mine in the opening loses."),
    ):
        pair = _compare(results, restart)
        checks.append(
            Check(
                claim,
                f"Infer wins {write_rate(_rate(results, 'infer', restart))}, Search "
                f"{write_rate(_rate(results, 'search', restart))}: {write_change(pair.difference)} on the same boards; "
                f"{pair.only_first} boards only Infer won, {pair.only_second} only Search, p = {pair.p_value:.1g} "
                f"(McNemar).",
                above([pair.difference]),
                kind=RATES,
                n_seen=pair.n,
            )
        )
    n_guesses = int(results.column("guesses", "infer", BOARD, source=MISSED).sum())
    n_missed = int(results.column("moves", "infer", BOARD, source=MISSED).sum())
    checks.append(
        Check(
            "Infer deduces everything that can be deduced from the clues.",
            f"Of {n_guesses:,} guesses after the first zero, {n_missed:,} were made although the clues proved some "
            f"cell safe{f': {write_rate(wilson(n_missed, n_guesses))}' if n_guesses else ''}.",
            # One counterexample is enough; that there is none takes many guesses.
            n_missed == 0,
            "Pairs of clues, even repeated until nothing changes, are not everything: some cells need three clues or "
            "more at once.",
            "we are sure that our advanced program deduce everything it can from all given clues.",
            kind=NEVER,
            n_seen=n_guesses,
        )
    )
    return checks


def _draw(results: Results) -> list[Picture]:
    bars = [
        Bars(agent.capitalize(), [_rate(results, agent, restart) for restart in _HOW]) for agent in ("search", "infer")
    ]
    return [
        Picture(
            draw_bars(list(_HOW.values()), bars, "share of games won"),
            "Games won on 16 x 16 with 40 mines, classic, with 95 % intervals.",
        )
    ]


EXPERIMENTS = (
    Experiment(
        "001",
        "001",
        "Search against Infer, 16 x 16 with 40 mines",
        "Search marks obvious mines; Infer bounds the mines that two clues share. The report says what Infer deduces; "
        "it names neither a board nor how many games either of them wins.",
        "search and infer on the same boards, with and without the report's restart; and infer once more, with the "
        "exact engine looking over its shoulder at every guess.",
        _tasks,
        _check,
        _draw,
        "Infer also guesses by an estimate and Search at random, as in the report, so the difference is that of both "
        "together. A restart gives the two agents openings of their own, which is why the boards are paired by seed "
        "only.",
    ),
)
