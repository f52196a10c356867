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
    AGREES,
    CONTRADICTS,
    IN_PART,
    NOT_TOLD,
    Check,
    Count,
    Experiment,
    Results,
    mean_of,
    mean_over,
    verdict_of,
)
from sapper.experiments.reports.page import Section, draw_page, inline_svg
from sapper.experiments.reports.studies import backtracking, chains, infer, statements, withheld
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
    assert {one["name"]: one["verdict"] for one in printed}["004"] == AGREES

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
    assert "000-sweep" in first.stdout
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
    assert "cannot be written" in complaint("reproduce", "--output", "no/such/folder/page.html", folder=tmp_path)
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


def test_a_verdict_sums_up_what_can_be_told() -> None:
    yes, no, unknown = Check("", "", True), Check("", "", False), Check("", "", None)
    assert verdict_of([yes, yes, unknown]) == AGREES
    assert verdict_of([yes, no]) == IN_PART
    assert verdict_of([no, unknown]) == CONTRADICTS
    assert verdict_of([unknown]) == NOT_TOLD
    assert verdict_of([]) == NOT_TOLD


def test_games_of_one_seed_count_as_one_in_a_mean_over_boards() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(size=200)
    alike = mean_over([luck, luck, luck])
    assert alike == pytest.approx(mean_of(luck))
    apart = mean_over([rng.normal(size=200) for _ in range(3)])
    assert apart.high - apart.low < 0.8 * (alike.high - alike.low)


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
    assert verdict_of(better) == IN_PART
    assert all(check.why for check in better if check.holds is False)
    few = experiment.check(made_up(experiment, {"statements": 0.4}, n=8))
    assert None in [check.holds for check in few]


def test_the_total_is_judged_by_the_gain() -> None:
    experiment = by_name("000-total")
    more = experiment.check(made_up(experiment, {"statements": 0.3, "statements-count": 0.6}))
    assert [check.holds for check in more][:2] == [True, True]
    less = experiment.check(made_up(experiment, {"statements": 0.6, "statements-count": 0.3}))
    assert [check.holds for check in less][:2] == [False, False]


def test_withheld_clues_are_judged_with_what_ten_games_can_tell() -> None:
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

    assert verdict_of(experiment.check(results(11, 14))) == AGREES
    assert [check.holds for check in experiment.check(results(6, 9))] == [True, False, False, True]
    assert verdict_of(experiment.check(results(9, 6))) == CONTRADICTS


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
    assert experiment.check(Results(games))[-1].holds is holds


def test_improved_against_basic_is_judged_by_its_claims() -> None:
    experiment = by_name("002")
    as_claimed = {f"contradiction {round(256 * d)}": 0.97 if d < 0.3 else 0.8 for d in np.arange(0.05, 0.55, 0.05)}
    as_claimed |= {"local": 0.3, "basic": 0.35}
    assert verdict_of(experiment.check(made_up(experiment, as_claimed))) == AGREES
    otherwise = experiment.check(made_up(experiment, {"local": 0.6, "basic": 0.95, "contradiction": 0.5}))
    assert [check.holds for check in otherwise] == [False, False, False, True]


def test_the_averages_of_003_are_judged_by_their_size() -> None:
    experiment = by_name("003")
    as_claimed = made_up(experiment, {"basic": 0.243, "one-two": 0.252, "one-two-corners": 0.279}, n=300)
    holds = [check.holds for check in experiment.check(as_claimed)]
    assert holds[0] is holds[1] is True
    otherwise = made_up(experiment, {"basic": 0.6, "one-two": 0.5, "one-two-corners": 0.4}, n=300)
    holds = [check.holds for check in experiment.check(otherwise)]
    assert holds[0] is holds[1] is holds[3] is False


def test_counts_of_nodes_are_judged_to_the_node() -> None:
    found = backtracking.count_nodes()
    assert verdict_of(backtracking.check_counts(found)) == AGREES
    off = {**found, "P2": {**found["P2"], "as reported": found["P1"]["as reported"]}}
    assert [check.holds for check in backtracking.check_counts(off)] == [True, False, True, True, True]


def test_chains_are_judged_by_their_peak_and_their_size() -> None:
    def around(value: float) -> Interval:
        return Interval(value, value - 1, value + 1)

    hill = {size: {0.1: around(5), 0.3: around(size), 0.7: around(5)} for size in (10, 20)}
    assert [check.holds for check in chains.check_lengths(hill)] == [True, True, None]
    slope = {size: {0.1: around(5 * size), 0.3: around(2 * size), 0.7: around(size)} for size in (10, 20)}
    assert [check.holds for check in chains.check_lengths(slope)] == [False, False, True]


def test_least_risk_is_judged_against_random() -> None:
    experiment = by_name("min-cost")
    spared = {"random": 1.0, "contradiction-full": 0.6, "min-cost": 0.3, "min-risk": 0.1}
    assert verdict_of(experiment.check(made_up(experiment, spared, column="detonations"))) == AGREES
    wasted = {"random": 0.1, "contradiction-full": 0.2, "min-cost": 0.5, "min-risk": 0.9}
    assert verdict_of(experiment.check(made_up(experiment, wasted, column="detonations"))) == CONTRADICTS


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

    paid = [check.holds for check in experiment.check(results(3.0))]
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
    section = Section(experiment, experiment.check(results), experiment.draw(results) * 2, "")
    reader = read_page(draw_page([section], ["About <this>."]))
    assert len(set(reader.ids)) == len(reader.ids)
    assert "About <this>." in reader.text


def test_tables_for_documents_say_what_the_page_says() -> None:
    experiment = by_name("000-sweep")
    results = made_up(experiment, {"statements": 0.9}, n=50)
    section = Section(experiment, experiment.check(results), (), "1 game.")
    text = draw_tables([section])
    assert f"**{section.verdict}**" in text
    assert text.count("| does not hold |") == sum(check.holds is False for check in section.checks) > 0
    assert text.count("*Why not?*") == len({check.why for check in section.checks if check.holds is False})


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
