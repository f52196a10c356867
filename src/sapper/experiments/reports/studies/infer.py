"""Report 001: Search against Infer on 16 x 16 with 40 mines, classic games; what Infer deduces, guesses and costs."""

from __future__ import annotations

from typing import NamedTuple

from sapper.experiments.games import Condition
from sapper.experiments.plots import Curve
from sapper.experiments.reports.claims import (
    NEVER,
    RATES,
    Check,
    ComparisonRow,
    Count,
    Experiment,
    Picture,
    StudyResults,
    above,
    at_least,
    at_most,
    meets,
    rate_of,
    rounded,
    write,
    write_change,
    write_rate,
)
from sapper.experiments.reports.figures import Bars, draw_bars, draw_curves
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Comparison, Interval, compare_paired, difference, wilson

BOARD = "report-001"
MISSED, GUESSES, EXPLORATIONS = "probe:missed", "probe:guesses", "probe:explorations"
ALL_GUESSES = "probe:all-guesses"
DENSER = "16x16/51 first-any"  # 20% mines
_HOW = {False: "first mine ends it", True: "restarted until a zero"}


def _tasks(count: Count) -> list[SweepTask]:
    rules = Rules.parse(BOARD)
    played = [
        SweepTask(Condition.of(rules, agent, restart_opening=restart), count(200, 4000))
        for agent in ("search", "infer")
        for restart in _HOW
    ]
    watched = [("infer", MISSED), ("infer", GUESSES), ("search", EXPLORATIONS), ("infer", EXPLORATIONS)]
    conditions = [Condition.of(rules, agent, source) for agent, source in watched]
    conditions += [Condition.of(Rules.parse(board), "infer", ALL_GUESSES) for board in (BOARD, DENSER)]
    return [*played, *(SweepTask(condition, count(120, 2000)) for condition in conditions)]


def _won(results: StudyResults, agent: str, restart: bool) -> list[bool]:
    return [bool(won) for won in results.column("won", agent, BOARD, restart_opening=restart)]


def _compare(results: StudyResults, restart: bool) -> Comparison:
    return compare_paired(_won(results, "infer", restart), _won(results, "search", restart))


def _rate(results: StudyResults, agent: str, restart: bool) -> Interval:
    return rate_of(results.column("won", agent, BOARD, restart_opening=restart))


def _check(results: StudyResults) -> list[Check]:
    checks = []
    for restart, claim in (
        (True, "Infer wins more games than Search (a mine before the first zero restarts, as in the report)."),
        (False, "The same if a mine in the opening loses."),
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
            "Pairs of clues are not enough, even if repeated until nothing changes: some cells need three clues or "
            "more at once.",
            "we are sure that our advanced program deduce everything it can from all given clues.",
            kind=NEVER,
            n_seen=n_guesses,
        )
    )
    return [*checks, *_check_safety(results), *_check_product(results)]


def _check_safety(results: StudyResults) -> list[Check]:
    n_opened, n_mines = (
        int(sum(results.column(name, agent, BOARD, source=EXPLORATIONS).sum() for agent in ("search", "infer")))
        for name in ("guesses", "moves")
    )
    measured = f"Of {n_opened:,} cells that the two opened as safe, {n_mines:,} were mines."
    first = rate_of(results.column("moves", "search", BOARD) == 1)
    risk = rounded(40 / 256, 3, "40 mines / 256 cells, to three digits")
    return [
        Check(
            "Cells that Search and Infer open without guessing are safe.",
            measured,
            n_mines == 0,
            quote="Every exploration in Search and Infer are absolutely safe.",
            kind=NEVER,
            n_seen=n_opened,
        ),
        Check(
            "So games are lost only by guesses.",
            measured,
            n_mines == 0,
            quote="Our program will only fail at guessing progress",
            kind=NEVER,
            n_seen=n_opened,
        ),
        Check(
            "The mine probability of the first cell is mines / cells, here 0.156.",
            f"{write(first)} of Search's games end at the first cell.",
            meets(first, risk),
            quote="Here it will take the risks of total mine / board size.",
            number=risk,
            kind=RATES,
            n_seen=len(results.column("moves", "search", BOARD)),
        ),
    ]


class _Weighed(NamedTuple):
    """Guesses compared by exact risk."""

    n_least: int
    n_guesses: int
    right: Interval  # the share that takes a cell of least risk
    beyond: float  # the mean risk above the least

    @classmethod
    def of(cls, results: StudyResults, board: str, source: str) -> _Weighed:
        n_least, n_guesses, excess = (
            int(results.column(name, "infer", board, source=source).sum())
            for name in ("identified", "guesses", "moves")
        )
        right = wilson(n_least, n_guesses) if n_guesses else Interval(0.0, 0.0, 1.0)
        return cls(n_least, n_guesses, right, excess / 1e6 / max(n_guesses, 1))

    def __str__(self) -> str:
        return f"{write_rate(self.right)} of {self.n_guesses:,}; {self.beyond:+.3f}"


def _check_product(results: StudyResults) -> list[Check]:
    n_least, n_guesses, right, beyond = _Weighed.of(results, BOARD, GUESSES)
    return [
        Check(
            "The product leads to the right decision (here: a safest cell in 9 of 10 guesses).",
            f"Of {n_guesses:,} guesses after the first zero without a certainly safe cell, {n_least:,} take a "
            f"safest cell: {write_rate(right)}. The mean risk of a guess is {beyond:.3f} above the least.",
            at_least([right], 0.9),
            "A product of shares below 1 falls with every clue that touches a cell, so cells between many clues look "
            "safest: two clues of one half each give a quarter.",
            "this result is not exact accurate because we use this approximate way to calculate, however we argue "
            "that's close enough for our mine sweeper to make the right decision.",
            kind=RATES,
            n_seen=n_guesses,
            is_guess=True,
        )
    ]


def _compare_numbers(results: StudyResults) -> list[ComparisonRow]:
    rows = [
        ComparisonRow(f"games won by {agent}, {how}", "", write_rate(_rate(results, agent, restart)))
        for agent in ("search", "infer")
        for restart, how in _HOW.items()
    ]
    first = rate_of(results.column("moves", "search", BOARD) == 1)
    weighed = {
        "guesses that take a safest cell; mean excess risk": (BOARD, GUESSES),
        "also if a cell is certainly safe": (BOARD, ALL_GUESSES),
        "the same with 20% mines": (DENSER, ALL_GUESSES),
    }
    return [
        ComparisonRow("mine probability of the first cell", "mines / cells, 0.156", write(first)),
        *rows,
        *(ComparisonRow(name, "", str(_Weighed.of(results, *where))) for name, where in weighed.items()),
    ]


def _draw(results: StudyResults) -> list[Picture]:
    bars = [
        Bars(agent.capitalize(), [_rate(results, agent, restart) for restart in _HOW]) for agent in ("search", "infer")
    ]
    return [
        Picture(
            draw_bars(list(_HOW.values()), bars, "share of games won"),
            "Games won on 16 x 16 with 40 mines, classic, with 95% intervals.",
        )
    ]


# -- the bonus: cells that show no clue ------------------------------------------------------------------------

FULL = "16x16/40 first-any"
CHANCES = (0.1, 0.3, 0.5)
READINGS = {
    "probe:asked-late": "asked until it answers, but only before a guess, not during the opening",
    "probe:asked-once": "the same, but only once per round",
}


def _silent(p: float, again: bool) -> str:
    return f"16x16/40 first-any withheld:{p}{':redraws' if again else ''}"


def _silent_tasks(count: Count) -> list[SweepTask]:
    boards = [(board, "seeds") for board in (FULL, *(_silent(p, again) for p in CHANCES for again in (False, True)))]
    others = [(_silent(CHANCES[-1], True), source) for source in READINGS]
    return [
        SweepTask(Condition.of(Rules.parse(board), "infer", source), count(100, 1000), chunk_size=50)
        for board, source in (*boards, *others)
    ]


def _silent_rate(results: StudyResults, board: str, source: str = "seeds") -> Interval:
    return rate_of(results.column("won", "infer", board, source=source))


def _check_silent(results: StudyResults) -> list[Check]:
    full = _silent_rate(results, FULL)
    left, asked = ({p: _silent_rate(results, _silent(p, again)) for p in CHANCES} for again in (False, True))
    pairs = {
        p: compare_paired(
            *([bool(won) for won in results.column("won", "infer", _silent(p, again))] for again in (True, False))
        )
        for p in CHANCES
    }
    last = CHANCES[-1]
    return [
        Check(
            f"The solver wins games in which cells show no clue (here: some, with p = {CHANCES[0]}).",
            "; ".join(f"{write_rate(left[p])} with p = {p}" for p in CHANCES) + ".",
            above([left[CHANCES[0]]]),
            quote='Our solver is capable of sweeping the mine with such uncertainty without revealing the "clue" cell.',
            kind=RATES,
        ),
        Check(
            "A missing clue is a wasted chance, and games end early.",
            f"{write_rate(full)} of the games are won with all clues, {write_rate(left[last])} with p = {last}.",
            above([difference(full, left[last])]),
            quote="If the solver cannot get the clue information, it is same as the agent waste one chance obtaining "
            "more information, which cause the early end to the game.",
            kind=RATES,
        ),
        Check(
            "Asking a silent cell again at once makes up for that.",
            "Games won: "
            + "; ".join(
                f"{write_rate(asked[p])} instead of {write_rate(left[p])} with p = {p}, "
                f"{write_change(pairs[p].difference)} on the same boards"
                for p in CHANCES
            )
            + ".",
            above([pairs[p].difference for p in CHANCES]),
            quote="The modification can be if cell is uncover with no clue, add the cell into the query again after "
            "the current one.",
            kind=RATES,
        ),
        Check(
            "Asked until it answers, a silent cell costs nothing: as many games are won as with all clues.",
            f"With p = {last} the share of games won changes by {write_change(difference(asked[last], full))}.",
            at_most([_away(difference(asked[last], full))], 0.05),
            kind=RATES,
        ),
    ]


def _compare_silent(results: StudyResults) -> list[ComparisonRow]:
    last = CHANCES[-1]
    rates = {
        "games won with all clues": _silent_rate(results, FULL),
        f"p = {last}, silent for good": _silent_rate(results, _silent(last, False)),
        f"p = {last}, asked until it answers": _silent_rate(results, _silent(last, True)),
        **{name: _silent_rate(results, _silent(last, True), source) for source, name in READINGS.items()},
    }
    return [ComparisonRow(name, "", write_rate(rate)) for name, rate in rates.items()]


def _away(value: Interval) -> Interval:
    """Return the size of a difference, regardless of its sign."""
    ends = sorted((abs(value.low), abs(value.high)))
    return Interval(abs(value.value), 0.0 if value.low <= 0 <= value.high else ends[0], ends[1])


def _draw_silent(results: StudyResults) -> list[Picture]:
    full = _silent_rate(results, FULL)
    lines = [
        Curve(name, (0.0, *CHANCES), [full, *(_silent_rate(results, _silent(p, again)) for p in CHANCES)])
        for again, name in ((False, "silent for good"), (True, "asked until it answers"))
    ]
    return [
        Picture(
            draw_curves(lines, "probability that a cell shows no clue", "share of games won"),
            "Games won by Infer on 16 x 16 with 40 mines.",
        )
    ]


EXPERIMENTS = (
    Experiment.of("001-wins", _tasks, _check, _draw, _compare_numbers),
    Experiment.of("001-silent", _silent_tasks, _check_silent, _draw_silent, _compare_silent),
)
