"""``sapper reproduce``: a page with every experiment, verdicts from the games alone, nothing played twice."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from command import complaint, run

from sapper.errors import InputError
from sapper.experiments.plots import render
from sapper.experiments.reports.catalogue import EXPERIMENTS, choose
from sapper.experiments.reports.claims import (
    EXACT,
    HOW,
    MEANS,
    NEVER,
    RATES,
    Check,
    Count,
    Experiment,
    Kind,
    Number,
    Results,
    by_seed,
    change_of,
    count_verdicts,
    mean_of,
    meets,
    of_ours,
    of_reports,
    rounded,
)
from sapper.experiments.reports.page import Section, draw_page, inline_svg
from sapper.experiments.reports.studies import backtracking, chains, contradiction, infer, one_two, statements, withheld
from sapper.experiments.reports.table import draw_tables
from sapper.experiments.runs.games import Chunk, Condition, GameResult, play_chunk
from sapper.experiments.runs.running import Task
from sapper.play.influence.measuring import measure_game
from sapper.rules import Rules
from sapper.statistics import Interval


class Reader(HTMLParser):
    """Refuses a page whose tags do not match, and keeps what it holds."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self._note(attributes)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        del tag
        self._note(attributes)

    def _note(self, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read_page(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


# -- the whole command ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_of_a_few_games_writes_the_whole_page_and_is_not_played_again(tmp_path: Path) -> None:
    command = ("reproduce", "--games", "2", "--store", "r.sqlite", "--output", "page.html", "--jobs", "2", "--json")
    done = run(*command, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    reader = read_page(page)
    for experiment in EXPERIMENTS:
        assert experiment.name in reader.ids
        assert experiment.title in reader.text
    # Names are unique, everything that is pointed to is there, and nothing points outside.
    assert len(set(reader.ids)) == len(reader.ids)
    assert reader.links
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert set(re.findall(r"url\(#([^)]*)\)", page)) <= set(reader.ids)
    assert not re.search(r"(?i)https?:|//[a-z]|@import|<script|<img|<link", page)
    printed = json.loads(done.stdout)
    assert [one["name"] for one in printed] == [one.name for one in EXPERIMENTS]
    for one in printed:
        for group, is_quoted in (("reported", True), ("ours", False)):
            claims = one[group]["claims"]
            assert sum(one[group][verdict] for verdict in ("holds", "fails", "open")) == len(claims)
            assert all(bool(claim["quote"]) is is_quoted for claim in claims)
            # Two games tell nothing; exact counts need none, and one counterexample is enough against "never".
            assert all(
                claim["verdict"] == "open"
                or claim["least"] == 0
                or (claim["least"] == 400 and claim["verdict"] == "fails")
                for claim in claims
            )
    assert {one["name"]: one["reported"]["holds"] for one in printed}["004"] == 5

    again = run(*command, folder=tmp_path)
    assert "0 games in" in again.stderr
    assert again.stdout == done.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


@pytest.mark.slow
def test_some_experiments_are_chosen_and_what_is_known_is_not_played_again(tmp_path: Path) -> None:
    first = run(
        "reproduce", "--only", "000-sweep", "--games", "3", "--store", "r.sqlite", "--jobs", "1", folder=tmp_path
    )
    assert first.returncode == 0, first.stderr
    assert "96 games" in first.stderr
    assert first.stdout.startswith("000-sweep: 4 x 4, 1 to 16 mines, total unknown\n  Claims of report 000: 5 open\n")
    assert "5 claims cannot be judged from so few games" in first.stdout
    assert (tmp_path / "sapper-report.html").exists()
    # The other half shares the boards of statements, which are there already.
    more = run(
        "reproduce", "--only", "000-total,004", "--games", "3", "--store", "r.sqlite", "--jobs", "1", folder=tmp_path
    )
    assert "48 games" in more.stderr
    assert "48 were known already" in more.stderr
    reader = read_page((tmp_path / "sapper-report.html").read_text(encoding="utf-8"))
    assert {"000-total", "004"} <= set(reader.ids)
    assert "000-sweep" not in reader.ids


def test_wrong_input_is_answered_before_anything_is_played(tmp_path: Path) -> None:
    assert "no experiment '005'" in complaint("reproduce", "--only", "005", folder=tmp_path)
    assert "no folder" in complaint("reproduce", "--output", "no/such/folder/page.html", folder=tmp_path)
    for name in ("report.pdf", "report", "report.html.gz", ".md"):
        told = complaint("reproduce", "--output", name, folder=tmp_path)
        assert f"written as .html, .htm or .md, not as '{name}'" in told
    assert "cannot both" in complaint("reproduce", "--output", "-", "--json", folder=tmp_path)
    assert not list(tmp_path.iterdir())


# -- which, and how many --------------------------------------------------------------------------------------


def test_experiments_are_chosen_by_report_or_by_name() -> None:
    assert choose(None) == list(EXPERIMENTS)
    assert {one.name for one in choose("000")} == {"000-sweep", "000-total", "000-withheld", "000-chains"}
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


def _name(task: Task) -> tuple[Condition, int, int]:
    return task.condition, task.seed, task.chunk_size


# -- verdicts -------------------------------------------------------------------------------------------------


def test_a_headline_counts_what_is_open_too() -> None:
    yes, no, unknown = Check("", "", True), Check("", "", False), Check("", "", None)
    assert count_verdicts([yes, yes, unknown]) == "2 hold, 1 open"
    assert count_verdicts([yes, no, no, unknown, unknown]) == "1 holds, 2 fail, 2 open"
    assert count_verdicts([no]) == "1 fails"
    assert count_verdicts([]) == "none"


@pytest.mark.parametrize("kind", [MEANS, RATES, NEVER])
def test_below_the_least_number_a_claim_is_open(kind: Kind) -> None:
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


@pytest.mark.parametrize("n", [2, 4, 29])
def test_no_study_judges_means_of_a_handful_of_games(n: int) -> None:
    for experiment in EXPERIMENTS:
        for check in experiment.judge(made_up(experiment, {}, n=n)):
            is_counted = check.kind in (EXACT, NEVER)
            assert is_counted or (check.holds is None and check.is_short), (experiment.name, check)


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


def test_claims_of_reports_and_of_ours_are_kept_apart() -> None:
    quoted = {}
    for experiment in EXPERIMENTS:
        checks = experiment.judge(made_up(experiment, {}, n=3))
        assert [*of_reports(checks), *of_ours(checks)]
        assert all(check.quote for check in checks if check.number)
        quoted[experiment.name] = (len(of_reports(checks)), len(of_ours(checks)))
        text = draw_tables([Section(experiment, checks, (), "")], [])
        assert (f"Claims of report {experiment.report}:" in text) is bool(of_reports(checks))
        assert ("Claims of ours:" in text) is bool(of_ours(checks))
    # What no report says: that Infer wins more, why the improved agent is better, that the total adds to the score.
    assert quoted["001"] == (1, 2)
    assert quoted["002"] == (3, 1)
    assert quoted["000-total"] == (1, 2)
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


def made_up(experiment: Experiment, scores: dict[str, float], n: int = 400, *, column: str = "identified") -> Results:
    """Results of an experiment in which an agent's share of identified mines, or of others, wobbles around a value."""
    rng = np.random.default_rng(0)
    games = {}
    for task in experiment.tasks(Count(games=n)):
        rules = Rules.parse(task.condition.rules)
        share = scores.get(f"{task.condition.agent} {rules.mines}", scores.get(task.condition.agent, 0.5))
        table = np.zeros((n, len(GameResult._fields)), dtype=np.int32)
        if column == "won":
            table[:, 0] = rng.random(n) < share
        else:
            table[:, GameResult._fields.index(column)] = rng.binomial(rules.mines, share, n)
        games[task.condition] = table
    return Results(games)


def by_name(name: str) -> Experiment:
    (experiment,) = choose(name)
    return experiment


def test_hard_boards_are_judged_by_the_scores() -> None:
    experiment = by_name("000-sweep")
    as_claimed = {f"statements {mines}": 0.75 - 0.04 * mines for mines in range(1, 6)}
    as_claimed |= {f"statements {mines}": max(0.05, 0.5 - 0.03 * (mines - 3)) for mines in range(6, 17)}
    checks = experiment.check(made_up(experiment, as_claimed))
    assert [check.holds for check in checks] == [True] * 5
    better = experiment.check(made_up(experiment, {"statements": 0.9}))
    assert [check.holds for check in better] == [True, False, None, False, False]
    assert count_verdicts(better) == "1 holds, 3 fail, 1 open"
    assert all(check.why for check in better if check.holds is False)
    few = experiment.check(made_up(experiment, {"statements": 0.4}, n=8))
    assert None in [check.holds for check in few]


def test_the_total_is_judged_by_the_gain() -> None:
    experiment = by_name("000-total")
    more = experiment.check(made_up(experiment, {"statements": 0.3, "statements-count": 0.6}))
    assert [check.holds for check in more][1:] == [True, True]
    less = experiment.check(made_up(experiment, {"statements": 0.6, "statements-count": 0.3}))
    assert [check.holds for check in less][1:] == [False, False]


@pytest.mark.parametrize(("spared", "holds"), [(1, True), (0, False), (-1, False)])
def test_the_total_should_spare_guesses(spared: int, holds: bool) -> None:
    experiment = by_name("000-total")
    games = {}
    for condition, table in made_up(experiment, {}).by_condition.items():
        guesses = table.copy()
        guesses[:, 3] = 5 - spared * (condition.agent == "statements-count")
        games[condition] = guesses
    assert experiment.check(Results(games))[0].holds is holds


def test_withheld_clues_are_judged_by_the_numbers_of_the_report() -> None:
    experiment = by_name("000-withheld")
    rules = [Rules.parse(f"5x5/15 survey first-any total-hidden{channel}") for channel in ("", " withheld:0.3")]

    def results(full: float, poor: float) -> Results:
        found = made_up(experiment, {}, column="detonations")
        rng = np.random.default_rng(3)
        games = dict(found.by_condition)
        for one, mean in zip(rules, (full, poor), strict=True):
            table = games[Condition.of(one, "statements")].copy()
            table[:, 2] = rng.binomial(15, mean / 15, len(table))
            games[Condition.of(one, "statements")] = table
        return Results(games)

    assert [check.holds for check in experiment.judge(results(11, 14))] == [True] * 4
    assert [check.holds for check in experiment.judge(results(6, 9))] == [True, False, False, True]
    # A rise of 3 is not one of 1.5, whatever ten games may give by chance.
    assert [check.holds for check in experiment.judge(results(8, 9.5))] == [True, False, False, False]
    assert [check.holds for check in experiment.judge(results(9, 6))] == [False] * 4
    *_, rise = experiment.judge(results(8, 9.5))
    assert str(rise.number) == "3 ± 1 (the difference of two whole numbers)"
    assert "can give 3 by chance" in rise.reason


def test_the_mean_of_ten_games_wobbles_as_far_as_it_does() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(8.0, 2.0, size=4000)
    low, high = withheld.mean_of_runs(values)[1:]
    means = rng.choice(values, size=(2000, 10)).mean(axis=1)
    assert 0.93 < ((low <= means) & (means <= high)).mean() < 0.97


def test_search_and_infer_are_judged_on_the_same_boards() -> None:
    experiment = by_name("001")
    better = made_up(experiment, {"search": 0.3, "infer": 0.5}, column="won")
    assert [check.holds for check in experiment.check(better)][:2] == [True, True]
    worse = made_up(experiment, {"search": 0.5, "infer": 0.3}, column="won")
    assert [check.holds for check in experiment.check(worse)][:2] == [False, False]


@pytest.mark.parametrize(("n_missed", "n_guesses", "holds"), [(1, 5000, False), (0, 5000, True), (0, 10, None)])
def test_one_missed_deduction_is_enough(n_missed: int, n_guesses: int, holds: bool | None) -> None:
    experiment = by_name("001")
    found = made_up(experiment, {}, column="won")
    games = dict(found.by_condition)
    condition = Condition.of(Rules.parse(infer.BOARD), "infer", infer.MISSED)
    table = np.zeros((1, len(GameResult._fields)), dtype=np.int32)
    table[0, 3], table[0, 4] = n_guesses, n_missed
    games[condition] = table
    assert experiment.judge(Results(games))[-1].holds is holds


def test_improved_against_basic_is_judged_by_its_claims() -> None:
    experiment = by_name("002")
    as_claimed = {f"contradiction {round(256 * d)}": 0.97 if d < 0.3 else 0.8 for d in np.arange(0.05, 0.55, 0.05)}
    as_claimed |= {"local": 0.3, "basic": 0.35}
    assert [check.holds for check in experiment.judge(made_up(experiment, as_claimed))] == [True, False, True, True]
    otherwise = experiment.judge(made_up(experiment, {"local": 0.6, "basic": 0.95, "contradiction": 0.5}))
    assert [check.holds for check in otherwise] == [False, True, False, True]
    never = experiment.judge(made_up(experiment, {"contradiction": 0.99}))
    assert [check.holds for check in never][2:] == [False, False]
    assert "nowhere up to 0.5" in never[2].measured


def test_where_scores_cross_a_line_is_found_between_densities() -> None:
    scores = [Interval(value, value - 0.01, value + 0.01) for value in (1.0, 0.95, 0.85, *[0.5] * 7)]
    found = contradiction.find_crossing(scores)
    assert found.value == pytest.approx(0.125)
    assert found.low == pytest.approx(0.12)
    assert found.high == pytest.approx(0.13)
    assert contradiction.find_crossing([Interval(0.1, 0.1, 0.1)] * 10).value == 0.05


def test_the_averages_of_003_are_judged_by_their_size() -> None:
    experiment = by_name("003")
    as_claimed = made_up(experiment, {"basic": 0.244, "one-two": 0.252, "one-two-corners": 0.279}, n=300)
    holds = [check.holds for check in experiment.judge(as_claimed)]
    assert holds[:4] == [True] * 4
    otherwise = made_up(experiment, {"basic": 0.6, "one-two": 0.5, "one-two-corners": 0.4}, n=300)
    holds = [check.holds for check in experiment.judge(otherwise)]
    assert holds[:5] == [False] * 5
    assert holds[6] is False


def test_the_runs_of_003_are_said_as_the_report_prints_them() -> None:
    experiment = by_name("003")
    simple, punch, corners, more, *_ = experiment.check(made_up(experiment, {}, n=3))
    assert str(simple.number) == "0.242 to 0.246 ± 0.0005 (its runs, to three digits)"
    assert str(punch.number) == "0.244 to 0.256 ± 0.0005 (its runs, to three digits)"
    assert str(corners.number) == "0.278 to 0.281 ± 0.0005 (its runs, to three digits)"
    assert str(more.number) == "0.01 ± 0.005 (half a unit of its last digit)"
    for check, player in ((simple, "simple"), (punch, "punch"), (corners, "corners")):
        assert all(str(run) in check.quote for run in one_two.RUNS[player])


def test_counts_of_nodes_are_judged_to_the_node() -> None:
    found = backtracking.count_nodes()
    assert [check.holds for check in backtracking.check_counts(found)] == [True] * 5
    off = {**found, "P2": {**found["P2"], "as reported": found["P1"]["as reported"]}}
    assert [check.holds for check in backtracking.check_counts(off)] == [True, False, True, True, True]
    slow = {name: {**ways, "all heuristics": ways["as reported"]} for name, ways in found.items()}
    assert backtracking.check_counts(slow)[-1].holds is False


def test_chains_are_judged_by_their_peak_and_their_size() -> None:
    def around(value: float) -> Interval:
        return Interval(value, value - 1, value + 1)

    enough = {10: 30, 20: 30}
    hill = {size: {0.1: around(5), 0.3: around(size), 0.7: around(5)} for size in (10, 20)}
    assert [check.holds for check in chains.check_lengths(hill, enough)] == [True, True, None]
    slope = {size: {0.1: around(5 * size), 0.3: around(2 * size), 0.7: around(size)} for size in (10, 20)}
    assert [check.holds for check in chains.check_lengths(slope, enough)] == [False, False, True]


def test_least_risk_is_judged_against_random() -> None:
    experiment = by_name("min-cost")
    spared = {"random": 1.0, "contradiction-full": 0.6, "min-cost": 0.3, "min-risk": 0.1}
    assert count_verdicts(experiment.judge(made_up(experiment, spared, column="detonations"))) == "5 hold"
    wasted = {"random": 0.1, "contradiction-full": 0.2, "min-cost": 0.5, "min-risk": 0.9}
    assert count_verdicts(experiment.judge(made_up(experiment, wasted, column="detonations"))) == "5 fail"


def test_believing_is_judged_against_knowing() -> None:
    experiment = by_name("uncertain-9x9")
    rng = np.random.default_rng(2)

    def results(cost: float) -> Results:
        games = {}
        for task in experiment.tasks(Count(games=200)):
            channel = Rules.parse(task.condition.rules).channel
            mean = 2 + 4 * channel.p + (cost if task.condition.agent == "believer" else 0.0)
            table = np.zeros((200, len(GameResult._fields)), dtype=np.int32)
            table[:, 2] = 2 if channel.kind == "withheld" and cost > 0 else rng.poisson(max(mean, 0.1), 200)
            games[task.condition] = table
        return Results(games)

    paid = [check.holds for check in experiment.judge(results(3.0))]
    assert paid[1:] == [True, True, True, True, True]
    saved = [check.holds for check in experiment.check(results(-3.0))]
    assert saved[3:] == [False, False, False]


# -- probes and pages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "agent", "source"),
    [
        ("8x8/10 survey first-any total-hidden", "contradiction-full", "probe:chains"),
        ("report-001", "infer", "probe:missed"),
        ("report-003", "local", "probe:once"),
        ("report-003", "local", "probe:once-border"),
        ("report-003", "one-two-corners", "probe:border"),
    ],
)
def test_a_probe_measures_the_same_wherever_its_chunk_begins(rules: str, agent: str, source: str) -> None:
    condition = Condition.of(Rules.parse(rules), agent, source)
    whole = play_chunk(Chunk(condition, 0, 6)).games
    assert whole == play_chunk(Chunk(condition, 0, 2)).games + play_chunk(Chunk(condition, 2, 4)).games
    assert len(set(whole)) > 1


def test_the_chain_that_is_kept_is_the_longest() -> None:
    rules = Rules.parse("8x8/10 survey first-any total-hidden")
    (game,) = play_chunk(Chunk(Condition.of(rules, "contradiction-full", "probe:chains"), 5, 1)).games
    assert game.moves == measure_game(rules, 5, n_proofs=0).length > 3


def test_pairs_of_clues_miss_some_deductions_and_the_exact_agent_none() -> None:
    rules = Rules.parse("report-001")
    for agent, misses in (("infer", True), ("exact", False)):
        games = play_chunk(Chunk(Condition.of(rules, agent, "probe:missed"), 0, 60)).games
        n_missed, n_guesses = sum(game.moves for game in games), sum(game.guesses for game in games)
        assert n_guesses > 10
        assert n_missed <= n_guesses
        assert bool(n_missed) is misses


def test_an_unknown_probe_is_refused() -> None:
    with pytest.raises(InputError, match="no probe 'x'"):
        play_chunk(Chunk(Condition.of(Rules.parse("beginner"), "basic", "probe:x"), 0, 1))


def test_the_border_is_walked_cell_by_cell() -> None:
    from sapper.experiments.runs.probes import _border

    walk = _border(3, 4)
    assert walk[:4] == [0, 3, 8, 11]
    assert sorted(walk) == [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]


def test_figures_on_one_page_do_not_share_names() -> None:
    experiment = by_name("000-sweep")
    results = made_up(experiment, {"statements": 0.5, "local": 0.4}, n=20)
    section = Section(experiment, experiment.judge(results), experiment.draw(results) * 2, "")
    reader = read_page(draw_page([section], ["About <this>."]))
    assert len(set(reader.ids)) == len(reader.ids)
    assert "About <this>." in reader.text


def test_tables_for_documents_say_what_the_page_says() -> None:
    experiment = by_name("000-withheld")
    results = made_up(experiment, {}, n=50, column="detonations")
    section = Section(experiment, experiment.judge(results), (), "1 game.")
    text = draw_tables([section], ["About this."])
    assert f"**Claims of report 000: {count_verdicts(section.checks)}.**" in text
    assert f"| {count_verdicts(section.checks)} | none |" in text
    assert text.count("| fails |") == sum(check.holds is False for check in section.checks) > 0
    assert text.count("*Why it fails:*") == sum(check.holds is False for check in section.checks)
    page = "".join(read_page(draw_page([section], ["About this."])).text).replace("\N{NO-BREAK SPACE}", " ")
    for check in section.checks:
        for part in (check.claim, check.quote, check.measured, str(check.number or ""), check.reason):
            assert part in page
            assert part in " ".join(text.split())
    for line in ("About this.", *HOW):
        assert line in page
        assert line in " ".join(text.split())


def test_a_page_counts_open_claims_in_its_headlines() -> None:
    experiment = by_name("000-sweep")
    section = Section(experiment, experiment.judge(made_up(experiment, {}, n=4)), (), "")
    page = "".join(read_page(draw_page([section], [])).text)
    assert "Claims of report 000: ? 5 open" in page
    assert "agrees" not in page


def test_a_figure_inside_a_page_leaves_its_colours_to_the_page() -> None:
    experiment = by_name("000-total")
    (picture,) = experiment.draw(made_up(experiment, {"statements": 0.5}, n=20))
    svg = inline_svg(render(picture.figure, "svg").decode(), "a-")
    assert svg.startswith('<svg role="img" viewBox=')
    assert "var(--c1)" in svg
    assert not re.search(r"#[0-9a-f]{6}", svg)
    assert "http" not in svg


def test_every_experiment_draws_and_judges_what_its_tasks_give() -> None:
    for experiment in EXPERIMENTS:
        results = made_up(experiment, {}, n=3)
        assert experiment.draw(results)
        checks = experiment.check(results)
        assert checks
        assert all(check.claim.endswith(".") and check.measured.endswith(".") for check in checks)
        assert all(word not in check.measured + check.why for check in checks for word in ("nan", "None", "{", "}"))


def test_first_below_is_where_it_stays_below() -> None:
    scores = {mines: Interval(value, value, value) for mines, value in enumerate((0.9, 0.3, 0.5, 0.2, 0.1), start=1)}
    assert statements._first_below(scores, 0.4) == 4
