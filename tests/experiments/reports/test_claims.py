"""Verdicts come from the games alone, and from enough of them."""

from __future__ import annotations

import numpy as np
import pytest
from report_pages import by_name, made_up

from sapper.experiments.reports.catalogue import EXPERIMENTS
from sapper.experiments.reports.claims import (
    EXACT,
    HOW,
    MEANS,
    NEVER,
    RATES,
    Check,
    ClaimKind,
    Number,
    by_seed,
    change_of,
    count_verdicts,
    mean_of,
    meets,
    of_ours,
    of_reports,
    rounded,
)
from sapper.experiments.reports.page import Section, draw_tables
from sapper.rules import Rules
from sapper.statistics import Interval


def test_a_headline_counts_what_is_open_too() -> None:
    yes, no, unknown = Check("", "", True), Check("", "", False), Check("", "", None)
    assert count_verdicts([yes, yes, unknown]) == "2 hold, 1 open"
    assert count_verdicts([yes, no, no, unknown, unknown]) == "1 holds, 2 fail, 2 open"
    assert count_verdicts([no]) == "1 fails"
    assert count_verdicts([]) == "none"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MEANS, RATES, NEVER])
def test_below_the_least_number_a_claim_is_open(kind: ClaimKind) -> None:
    for holds in (True, None):
        assert Check("", "", holds, kind=kind).settle(kind.least - 1).holds is None
        assert Check("", "", holds, kind=kind).settle(kind.least).holds is holds
    few = Check("", "", True, kind=kind).settle(4)
    assert few.is_short
    assert f"4 {kind.unit}" in few.reason
    assert str(kind.least) in few.reason
    assert any(str(kind.least) in line for line in HOW)
    # Its own number counts, not that of the whole experiment.
    assert Check("", "", True, kind=kind, n_seen=4).settle(10**6).holds is None


def test_one_counterexample_refutes_a_never_and_a_count_needs_no_games() -> None:
    assert Check("", "", False, kind=NEVER).settle(1).holds is False
    assert Check("", "", False, kind=MEANS).settle(1).holds is None
    assert [Check("", "", holds, kind=EXACT).settle(0).holds for holds in (True, False)] == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 4, 29])
def test_no_study_judges_means_of_a_handful_of_games(n: int) -> None:
    for experiment in EXPERIMENTS:
        for check in experiment.judge(made_up(experiment, {}, n=n)):
            is_counted = check.kind in (EXACT, NEVER)
            assert is_counted or (check.holds is None and check.is_short), (experiment.name, check)


@pytest.mark.slow
def test_a_number_is_compared_within_the_tolerance_that_is_printed() -> None:
    three = Number(3, 3, 1, "because")
    assert str(three) == "3 ± 1 (because)"
    assert meets(Interval(1.53, 1.32, 1.74), three) is False
    assert meets(Interval(1.9, 1.8, 2.0), three) is True
    assert meets(Interval(4.1, 4.01, 4.2), three) is False
    # An interval that anything would meet confirms nothing, and neither has one without ends.
    assert meets(Interval(2.0, -4.0, 8.0), three) is None
    assert meets(Interval(3.0, float("nan"), float("nan")), three) is None
    between = Number(0.05, 0.1, 0.005, "because")
    assert str(between) == "0.05 to 0.1 ± 0.005 (because)"
    assert [meets(Interval(x, x, x), between) for x in (0.04, 0.046, 0.07, 0.104, 0.106)] == [
        False, True, True, True, False,
    ]  # fmt: skip
    assert rounded(0.3, 1).give == 0.05


@pytest.mark.slow
def test_claims_of_reports_and_of_ours_are_kept_apart() -> None:
    quoted = {}
    for experiment in EXPERIMENTS:
        checks = experiment.judge(made_up(experiment, {}, n=3))
        assert [*of_reports(checks), *of_ours(checks)]
        assert all(check.quote for check in checks if check.number)
        quoted[experiment.name] = (len(of_reports(checks)), len(of_ours(checks)))
        text = draw_tables([Section(experiment, checks, (), "")], [])
        assert (f"Claims of report {experiment.report}:" in text) is bool(of_reports(checks))
        assert ("Our claims:" in text) is bool(of_ours(checks))
    # What no report says: that Infer wins more, why the improved agent is better, that the total adds to the score.
    assert quoted["001-wins"] == (5, 2)
    assert quoted["002"] == (7, 1)
    assert quoted["000-total"] == (2, 2)
    assert all(quoted[name][0] == 0 for name in ("min-cost", "uncertain-5x5", "uncertain-9x9", "uncertain-16x16"))


def test_means_of_counts_and_scores_stay_where_counts_and_scores_are() -> None:
    for name in ("000-withheld", "002", "uncertain-9x9"):
        experiment = by_name(name)
        for share in (0.0, 0.01, 0.99, 1.0):
            results = made_up(experiment, dict.fromkeys(("statements", "exact"), share), n=12, column="detonations")
            for condition in results.by_condition:
                found = results.mean("detonations", condition.agent, condition.rules)
                assert 0.0 <= found.low <= found.value <= found.high <= Rules.parse(condition.rules).mines
                assert results.mean("score", condition.agent, condition.rules).low >= 0.0


def test_games_of_one_seed_count_as_one_in_a_mean_over_boards() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(size=200)
    alike = change_of(by_seed([luck, luck, luck]))
    assert alike == pytest.approx(change_of(luck))
    apart = change_of(by_seed([rng.normal(size=200) for _ in range(3)]))
    assert apart.high - apart.low < 0.8 * (alike.high - alike.low)
    assert mean_of(np.array([0.0, 0.0, 3.0])).low > 0.0 > change_of(np.array([0.0, 0.0, 3.0])).low
