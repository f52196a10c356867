"""Every experiment judges its claims by what was played, whichever way it went."""

from __future__ import annotations

import numpy as np
import pytest
from report_pages import by_name, made_up

from sapper.errors import InputError
from sapper.experiments.games import Condition, GameResult
from sapper.experiments.reports.catalogue import EXPERIMENTS, choose
from sapper.experiments.reports.claims import Check, Count, StudyResults, count_verdicts
from sapper.experiments.reports.studies import backtracking, chains, contradiction, infer, one_two, statements, withheld
from sapper.experiments.sweep import SweepTask
from sapper.rules import Rules
from sapper.statistics import Interval


def test_experiments_are_chosen_by_report_or_by_name() -> None:
    assert choose(None) == list(EXPERIMENTS)
    assert {one.name for one in choose("000")} == {
        "000-play", "000-sweep", "000-total", "000-withheld", "000-chains", "000-cost",
    }  # fmt: skip
    assert [one.name for one in choose("min-cost, 004")] == ["004", "min-cost"]
    with pytest.raises(InputError, match="choose from"):
        choose("1")
    assert len({one.name for one in EXPERIMENTS}) == len(EXPERIMENTS)


def test_a_full_run_goes_on_from_a_quick_one() -> None:
    assert Count(quick=True)(3, 50) == 3
    assert Count()(3, 50) == 50
    assert Count(quick=True, games=7)(3, 50) == 7
    for experiment in EXPERIMENTS:
        quick, full = ({_name(task): task for task in experiment.tasks(Count(quick=q))} for q in (True, False))
        assert quick.keys() == full.keys()
        assert all(quick[key].n_games < full[key].n_games for key in quick)


def _name(task: SweepTask) -> tuple[Condition, int, int]:
    return task.condition, task.seed, task.chunk_size


@pytest.mark.slow
def test_every_experiment_draws_and_judges_what_its_tasks_give() -> None:
    for experiment in EXPERIMENTS:
        results = made_up(experiment, {}, n=3)
        assert experiment.draw(results)
        checks = experiment.check(results)
        assert checks
        assert all(check.claim.endswith(".") and check.measured.endswith(".") for check in checks)
        assert all(word not in check.measured + check.why for check in checks for word in ("nan", "None", "{", "}"))


def test_hard_boards_are_judged_by_the_scores() -> None:
    experiment = by_name("000-sweep")
    as_claimed = {f"statements-reported {mines}": 0.75 - 0.04 * mines for mines in range(1, 6)}
    as_claimed |= {f"statements-reported {mines}": max(0.05, 0.5 - 0.03 * (mines - 3)) for mines in range(6, 17)}
    checks = experiment.check(made_up(experiment, as_claimed))[:5]
    assert [check.holds for check in checks] == [True] * 5
    # The report's agent is judged, whatever the sound one does.
    better = experiment.check(made_up(experiment, {"statements-reported": 0.9, "statements": 0.2}))[:5]
    assert [check.holds for check in better] == [True, False, None, False, False]
    assert count_verdicts(better) == "1 holds, 3 fail, 1 open"
    assert all(check.why for check in better if check.holds is False)
    few = experiment.check(made_up(experiment, {"statements-reported": 0.4}, n=8))
    assert None in [check.holds for check in few]


def test_the_total_is_judged_by_the_gain() -> None:
    experiment = by_name("000-total")
    low, high = {"statements-reported": 0.3, "statements": 0.6}, {"statements-reported": 0.6, "statements": 0.3}
    told = {f"{name.replace('statements', 'statements-count')}": share for name, share in high.items()}
    more = experiment.check(made_up(experiment, {**low, **told}))
    assert [check.holds for check in more][2:] == [True, True]
    # The report's agent is judged, whatever the sound one does.
    told = {f"{name.replace('statements', 'statements-count')}": share for name, share in low.items()}
    less = experiment.check(made_up(experiment, {**high, **told}))
    assert [check.holds for check in less][2:] == [False, False]


@pytest.mark.parametrize(("spared", "holds"), [(1, True), (0, False), (-1, False)])
def test_the_total_should_spare_guesses(spared: int, holds: bool) -> None:
    experiment = by_name("000-total")
    games = {}
    for condition, table in made_up(experiment, {}).by_condition.items():
        guesses = table.copy()
        guesses[:, 3] = 5 - spared * (condition.agent == "statements-count-reported")
        games[condition] = guesses
    assert experiment.check(StudyResults(games))[0].holds is holds


def test_withheld_clues_are_judged_by_the_numbers_of_the_report() -> None:
    experiment = by_name("000-withheld")
    rules = [Rules.parse(f"5x5/15 survey first-any total-hidden{channel}") for channel in ("", " withheld:0.3")]

    def results(full: float, poor: float) -> StudyResults:
        found = made_up(experiment, {}, column="detonations")
        rng = np.random.default_rng(3)
        games = dict(found.by_condition)
        for one, mean in zip(rules, (full, poor), strict=True):
            table = games[Condition.of(one, withheld.REPORTED)].copy()
            table[:, 2] = rng.binomial(15, mean / 15, len(table))
            games[Condition.of(one, withheld.REPORTED)] = table
        return StudyResults(games)

    def judged(full: float, poor: float) -> list[bool | None]:
        return [check.holds for check in experiment.judge(results(full, poor))][:4]

    assert judged(11, 14) == [True] * 4
    assert judged(6, 9) == [True, False, False, True]
    # A rise of 3 is not one of 1.5, whatever ten games may give by chance.
    assert judged(8, 9.5) == [True, False, False, False]
    assert judged(9, 6) == [False] * 4
    rise = experiment.judge(results(8, 9.5))[3]
    assert str(rise.number) == "3 ± 1 (the difference of two whole numbers)"
    assert "can give 3 by chance" in rise.reason


def test_the_mean_of_ten_games_wobbles_as_far_as_it_does() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(8.0, 2.0, size=4000)
    low, high = withheld.mean_of_runs(values)[1:]
    means = rng.choice(values, size=(2000, 10)).mean(axis=1)
    assert 0.93 < ((low <= means) & (means <= high)).mean() < 0.97


def test_search_and_infer_are_judged_on_the_same_boards() -> None:
    experiment = by_name("001-wins")
    better = made_up(experiment, {"search": 0.3, "infer": 0.5}, column="won")
    assert [check.holds for check in experiment.check(better)][:2] == [True, True]
    worse = made_up(experiment, {"search": 0.5, "infer": 0.3}, column="won")
    assert [check.holds for check in experiment.check(worse)][:2] == [False, False]


@pytest.mark.parametrize(("n_missed", "n_guesses", "holds"), [(1, 5000, False), (0, 5000, True), (0, 10, None)])
def test_one_missed_deduction_is_enough(n_missed: int, n_guesses: int, holds: bool | None) -> None:
    experiment = by_name("001-wins")
    found = made_up(experiment, {}, column="won")
    games = dict(found.by_condition)
    condition = Condition.of(Rules.parse(infer.BOARD), "infer", infer.MISSED)
    table = np.zeros((1, len(GameResult._fields)), dtype=np.int32)
    table[0, 3], table[0, 4] = n_guesses, n_missed
    games[condition] = table
    assert experiment.judge(StudyResults(games))[2].holds is holds


def test_improved_against_basic_is_judged_by_its_claims() -> None:
    experiment = by_name("002")
    as_claimed = {f"contradiction {round(256 * d)}": 0.97 if d < 0.3 else 0.8 for d in np.arange(0.05, 0.55, 0.05)}
    as_claimed |= {"local": 0.3, "basic": 0.35}

    def judge(shares: dict[str, float]) -> list[Check]:
        return experiment.judge(made_up(experiment, shares))[:4]

    assert [check.holds for check in judge(as_claimed)] == [True, False, True, True]
    otherwise = judge({"local": 0.6, "basic": 0.95, "contradiction": 0.5})
    assert [check.holds for check in otherwise] == [False, True, False, True]
    never = judge({"contradiction": 0.99})
    assert [check.holds for check in never][2:] == [False, False]
    assert "nowhere up to 0.9" in never[2].measured


def test_where_scores_cross_a_line_is_found_between_densities() -> None:
    scores = [Interval(value, value - 0.01, value + 0.01) for value in (1.0, 0.95, 0.85, *[0.5] * 7)]
    found = contradiction.find_crossing(scores)
    assert found.value == pytest.approx(0.125)
    assert found.low == pytest.approx(0.12)
    assert found.high == pytest.approx(0.13)
    assert contradiction.find_crossing([Interval(0.1, 0.1, 0.1)] * 10).value == 0.05


@pytest.mark.slow
def test_the_averages_of_003_are_judged_by_their_size() -> None:
    experiment = by_name("003-scores")
    names = ("simple-reported", "one-two-reported", "one-two-corners-reported")
    sound = {"basic": 0.6, "one-two": 0.5, "one-two-corners": 0.4}
    as_claimed = made_up(experiment, {**sound, **dict(zip(names, (0.244, 0.252, 0.279), strict=True))}, n=300)
    holds = [check.holds for check in experiment.judge(as_claimed)]
    assert holds[:5] == [True] * 5
    otherwise = made_up(experiment, dict(zip(names, (0.6, 0.5, 0.4), strict=True)), n=300)
    holds = [check.holds for check in experiment.judge(otherwise)]
    assert holds[:6] == [False] * 6


def test_the_report_s_score_counts_right_marks_and_the_pattern_is_judged_by_wrong_ones() -> None:
    experiment = by_name("003-scores")
    games = {}
    for condition, table in made_up(experiment, {}, n=30).by_condition.items():
        marked = table.copy()
        mines = Rules.parse(condition.rules).mines
        # Half of the mines are marked, and a safe cell for each; so nothing is left by our own score.
        marked[:, 1], marked[:, 3], marked[:, 4] = 0, -(-mines // 2), -(-mines // 2)
        games[condition] = marked
    checks = experiment.judge(StudyResults(games))
    assert checks[0].measured.startswith("0.5")
    assert checks[-1].holds is False
    for condition in games:
        games[condition][:, 3] = 0
    assert experiment.judge(StudyResults(games))[-1].holds is True


def test_the_runs_of_003_are_said_as_the_report_prints_them() -> None:
    experiment = by_name("003-scores")
    simple, punch, corners, _, more, *_ = experiment.check(made_up(experiment, {}, n=3))
    assert str(simple.number) == "0.242 to 0.246 ± 0.0005 (its runs, to three digits)"
    assert str(punch.number) == "0.244 to 0.256 ± 0.0005 (its runs, to three digits)"
    assert str(corners.number) == "0.278 to 0.281 ± 0.0005 (its runs, to three digits)"
    assert str(more.number) == "0.01 ± 0.005 (half a unit of its last digit)"
    for check, player in ((simple, "simple"), (punch, "punch"), (corners, "corners")):
        assert all(str(run) in check.quote for run in one_two.RUNS[player])


@pytest.mark.slow
def test_counts_of_nodes_are_judged_to_the_node() -> None:
    found = backtracking.count_nodes()
    assert [check.holds for check in backtracking.check_counts(found)] == [*[True] * 5, False, False]
    off = {**found, "P2": {**found["P2"], "as reported": found["P1"]["as reported"]}}
    assert [check.holds for check in backtracking.check_counts(off)][:5] == [True, False, True, True, True]
    slow = {name: {**ways, "all heuristics": ways["as reported"]} for name, ways in found.items()}
    assert backtracking.check_counts(slow)[4].holds is False
    for place, way in ((-2, "as reported, with memory"), (-1, "as reported, fewest first")):
        better = {name: {**ways, way: ways["all heuristics"]} for name, ways in found.items()}
        assert backtracking.check_counts(better)[place].holds is True


@pytest.mark.parametrize(("n_least", "holds"), [(950, True), (900, None), (500, False)])
def test_the_product_is_judged_by_the_cells_of_least_risk(n_least: int, holds: bool | None) -> None:
    experiment = by_name("001-wins")
    games = dict(made_up(experiment, {}, column="won").by_condition)
    table = np.zeros((1, len(GameResult._fields)), dtype=np.int32)
    table[0, 1], table[0, 3], table[0, 4] = n_least, 1000, 360_000_000
    games[Condition.of(Rules.parse(infer.BOARD), "infer", infer.GUESSES)] = table
    check = experiment.judge(StudyResults(games))[-1]
    assert check.holds is holds
    assert "0.360 above the least" in check.measured


def test_asking_again_is_judged_on_the_same_boards() -> None:
    experiment = by_name("001-silent")
    games = {}
    for task in experiment.tasks(Count(games=400)):
        channel = Rules.parse(task.condition.rules).channel
        table = np.zeros((400, len(GameResult._fields)), dtype=np.int32)
        table[:200, 0] = 1 if channel.redraws or channel.kind == "exact" else 0
        table[:20, 0] = 1
        games[task.condition] = table
    assert [check.holds for check in experiment.judge(StudyResults(games))] == [True, True, True, None]


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (9, False)])
def test_comparisons_are_judged_by_how_they_grow_beyond_the_square(factor: int, holds: bool) -> None:
    experiment = by_name("000-cost")
    games = {}
    for task in experiment.tasks(Count(games=40)):
        table = np.zeros((40, len(GameResult._fields)), dtype=np.int32)
        is_large = Rules.parse(task.condition.rules).rows == 16
        # The report's agent is judged; the sound one's comparisons always grow.
        is_judged = task.condition.agent == "statements-reported"
        times = (factor if is_judged else 9) if is_large else 1
        table[:, 1], table[:, 3], table[:, 4] = 5 + is_large, 1000, 200 * times
        games[task.condition] = table
    assert experiment.judge(StudyResults(games))[0].holds is holds


def test_chains_are_judged_by_their_peak_and_their_size() -> None:
    def around(value: float) -> Interval:
        return Interval(value, value - 1, value + 1)

    enough = {10: 30, 20: 30}
    hill = {size: {0.1: around(5), 0.3: around(size), 0.7: around(5)} for size in (10, 20)}
    flat = {size: {0.1: around(5), 0.3: around(5), 0.7: around(5)} for size in (10, 20)}
    assert [check.holds for check in chains.check_lengths(hill, flat, enough)] == [True, True, None]
    slope = {size: {0.1: around(5 * size), 0.3: around(2 * size), 0.7: around(size)} for size in (10, 20)}
    assert [check.holds for check in chains.check_lengths(slope, hill, enough)] == [False, False, True]


def test_least_risk_is_judged_against_random() -> None:
    experiment = by_name("min-cost")
    spared = {"random": 1.0, "contradiction-full": 0.6, "min-cost": 0.3, "min-risk": 0.1}
    assert count_verdicts(experiment.judge(made_up(experiment, spared, column="detonations"))) == "5 hold"
    wasted = {"random": 0.1, "contradiction-full": 0.2, "min-cost": 0.5, "min-risk": 0.9}
    assert count_verdicts(experiment.judge(made_up(experiment, wasted, column="detonations"))) == "5 fail"


def test_believing_is_judged_against_knowing() -> None:
    experiment = by_name("uncertain-9x9")
    rng = np.random.default_rng(2)

    def results(cost: float) -> StudyResults:
        games = {}
        for task in experiment.tasks(Count(games=200)):
            channel = Rules.parse(task.condition.rules).channel
            mean = 2 + 4 * channel.p + (cost if task.condition.agent == "believer" else 0.0)
            table = np.zeros((200, len(GameResult._fields)), dtype=np.int32)
            table[:, 2] = 2 if channel.kind == "withheld" and cost > 0 else rng.poisson(max(mean, 0.1), 200)
            games[task.condition] = table
        return StudyResults(games)

    paid = [check.holds for check in experiment.judge(results(3.0))]
    assert paid[1:] == [True, True, True, True, True]
    saved = [check.holds for check in experiment.check(results(-3.0))]
    assert saved[3:] == [False, False, False]


def test_first_below_is_where_it_stays_below() -> None:
    scores = {mines: Interval(value, value, value) for mines, value in enumerate((0.9, 0.3, 0.5, 0.2, 0.1), start=1)}
    assert statements._first_below(scores, 0.4) == 4


def test_liars_are_judged_by_who_knows_and_who_believes() -> None:
    experiment = by_name("liars-9x9")
    rng = np.random.default_rng(3)

    def judged(known: dict[float, float], cost: float) -> list[bool | None]:
        games = {}
        for task in experiment.tasks(Count(games=200)):
            channel = Rules.parse(task.condition.rules).channel
            mean = known[channel.p] + (cost if task.condition.agent == "believer" and channel.p else 0.0)
            table = np.zeros((200, len(GameResult._fields)), dtype=np.int32)
            table[:, 2] = rng.poisson(mean, 200)
            games[task.condition] = table
        return [check.holds for check in experiment.judge(StudyResults(games))]

    hill = {0.0: 1.0, 0.1: 2.0, 0.3: 3.0, 0.5: 4.0, 0.7: 4.0, 0.9: 3.0, 1.0: 2.0}
    assert judged(hill, 3.0) == [True, True, True]
    slope = {p: 4.0 - 3.0 * p for p in hill}
    assert judged({**slope, 1.0: 8.0}, -0.9) == [False, False, False]
