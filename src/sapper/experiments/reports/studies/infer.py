"""Report 001: Search against Infer on 16 x 16 with 40 mines, classic games; what Infer deduces, guesses and costs."""

from __future__ import annotations

from sapper.experiments.reports.claims import (
    NEVER,
    RATES,
    Check,
    Count,
    Experiment,
    Picture,
    Results,
    Row,
    above,
    at_least,
    meets,
    rate_of,
    rounded,
    write,
    write_change,
    write_rate,
)
from sapper.experiments.reports.figures import Bars, draw_bars
from sapper.experiments.runs.games import Condition
from sapper.experiments.runs.running import Task
from sapper.rules import Rules
from sapper.statistics import Comparison, Interval, compare_paired, wilson

BOARD = "report-001"
MISSED, GUESSES, EXPLORATIONS = "probe:missed", "probe:guesses", "probe:explorations"
_HOW = {False: "first mine ends it", True: "restarted until a zero"}


def _tasks(count: Count) -> list[Task]:
    rules = Rules.parse(BOARD)
    played = [
        Task(Condition.of(rules, agent, restart_opening=restart), count(200, 4000))
        for agent in ("search", "infer")
        for restart in _HOW
    ]
    watched = [("infer", MISSED), ("infer", GUESSES), ("search", EXPLORATIONS), ("infer", EXPLORATIONS)]
    return [*played, *(Task(Condition.of(rules, agent, source), count(120, 2000)) for agent, source in watched)]


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
    return [*checks, *_check_safety(results), *_check_product(results)]


def _check_safety(results: Results) -> list[Check]:
    n_opened, n_mines = (
        int(sum(results.column(name, agent, BOARD, source=EXPLORATIONS).sum() for agent in ("search", "infer")))
        for name in ("guesses", "moves")
    )
    measured = f"Of {n_opened:,} cells that the two opened as safe, {n_mines:,} were mines."
    first = rate_of(results.column("moves", "search", BOARD) == 1)
    risk = rounded(40 / 256, 3, "40 mines / 256 cells, to three digits")
    return [
        Check(
            "What Search and Infer open without guessing is safe.",
            measured,
            n_mines == 0,
            quote="Every exploration in Search and Infer are absolutely safe.",
            kind=NEVER,
            n_seen=n_opened,
        ),
        Check(
            "So games are lost by guesses alone.",
            measured,
            n_mines == 0,
            quote="Our program will only fail at guessing progress",
            kind=NEVER,
            n_seen=n_opened,
        ),
        Check(
            "The first cell is a mine with a chance of mines / cells, here 0.156.",
            f"{write(first)} of Search's games end with their first cell.",
            meets(first, risk),
            quote="Here it will take the risks of total mine / board size.",
            number=risk,
            kind=RATES,
            n_seen=len(results.column("moves", "search", BOARD)),
        ),
    ]


def _check_product(results: Results) -> list[Check]:
    n_least, n_guesses, excess = (
        int(results.column(name, "infer", BOARD, source=GUESSES).sum()) for name in ("identified", "guesses", "moves")
    )
    right = wilson(n_least, n_guesses) if n_guesses else Interval(0.0, 0.0, 1.0)
    beyond = excess / 1e6 / n_guesses if n_guesses else 0.0
    return [
        Check(
            "The product leads to the right decision (here: a cell of least risk in 9 of 10 guesses).",
            f"Of {n_guesses:,} guesses after the first zero at which no cell is certain to be safe, {n_least:,} take a "
            f"cell of least risk: {write_rate(right)}. On average the cell that is taken is a mine with a chance "
            f"{beyond:.3f} above the least.",
            at_least([right], 0.9),
            "Shares below 1 multiplied get smaller with every clue that touches a cell, so cells between many clues "
            "look safest: two clues of one half each give a quarter.",
            "this result is not exact accurate because we use this approximate way to calculate, however we argue "
            "that's close enough for our mine sweeper to make the right decision.",
            kind=RATES,
            n_seen=n_guesses,
            is_guess=True,
        )
    ]


def _compare_numbers(results: Results) -> list[Row]:
    rows = [
        Row(f"games won by {agent}, {how}", "", write_rate(_rate(results, agent, restart)))
        for agent in ("search", "infer")
        for restart, how in _HOW.items()
    ]
    first = rate_of(results.column("moves", "search", BOARD) == 1)
    return [Row("chance of a mine at the first cell", "mines / cells, 0.156", write(first)), *rows]


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
        "001-wins",
        "001",
        "Search against Infer, 16 x 16 with 40 mines",
        "Search marks obvious mines; Infer bounds the mines that two clues share. The report says what Infer deduces; "
        "it names neither a board nor how many games either of them wins.",
        "search and infer, which open at random until a zero shows, on the same boards, with and without the report's "
        "restart; and infer once more, with the exact engine looking over its shoulder at every guess.",
        _tasks,
        _check,
        _draw,
        "Infer also guesses by an estimate and Search at random, as in the report, so the difference is that of both "
        "together. A restart gives the two agents openings of their own, which is why the boards are paired by seed "
        "only.",
        _compare_numbers,
    ),
)
