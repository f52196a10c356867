"""The page and the tables: everything is in them once, and nothing comes from elsewhere."""

from __future__ import annotations

import re

import pytest
from pages import Page
from report_pages import by_name, made_up

from sapper.experiments.plots import render
from sapper.experiments.reports.catalogue import REPORTS
from sapper.experiments.reports.claims import A_GUESS, HOW, Check, StudyResults, count_verdicts
from sapper.experiments.reports.page import Section, draw_page, draw_tables, inline_svg


def test_figures_on_one_page_do_not_share_names() -> None:
    experiment = by_name("000-sweep")
    results = made_up(experiment, {"statements": 0.5, "local": 0.4}, n=20)
    section = Section(experiment, experiment.judge(results), experiment.draw(results) * 2, "")
    page = Page(draw_page([section], ["About <this>."]))
    page.expect_whole()
    assert "About <this>." in page.text


def test_tables_for_documents_say_what_the_page_says() -> None:
    experiment = by_name("000-withheld")
    results = made_up(experiment, {}, n=50, column="detonations")
    section = Section(experiment, experiment.judge(results), (), "1 game.")
    text = draw_tables([section], ["About this."])
    assert f"**Claims of report 000: {count_verdicts(section.checks)}.**" in text
    assert f"|{count_verdicts(section.checks)}|none|" in text
    failed = [check for check in section.checks if check.holds is False]
    assert text.count("|fails|") == sum(check.holds is False for check in section.checks) > 0
    for name in ("Why it fails:", A_GUESS):
        assert text.count(f"*{name}*") == sum(bool(check.why) and check.reason_name == name for check in failed) > 0
    page = Page(draw_page([section], ["About this."])).text.replace("\N{NO-BREAK SPACE}", " ")
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
    page = Page(draw_page([section], [])).text
    headline = count_verdicts(section.checks)
    assert "open" in headline
    assert f"Claims of report 000: ◐ {headline}" in page
    assert "agrees" not in page


def test_a_figure_inside_a_page_leaves_its_colours_to_the_page() -> None:
    experiment = by_name("000-total")
    (picture,) = experiment.draw(made_up(experiment, {"statements": 0.5}, n=20))
    svg = inline_svg(render(picture.figure, "svg").decode(), "a-")
    assert svg.startswith('<svg role="img" viewBox=')
    assert "var(--c1)" in svg
    assert not re.search(r"#[0-9a-f]{6}", svg)
    assert "http" not in svg


@pytest.mark.slow
def test_a_page_says_what_each_report_built_and_sets_its_numbers_beside_ours() -> None:
    sections = []
    for name in ("000-sweep", "000-chains", "003-scores", "004"):
        experiment = by_name(name)
        results = made_up(experiment, {}, n=6)
        rows = experiment.compare(results) if experiment.compare is not None else []
        assert bool(rows) is (name != "000-chains")
        sections.append(Section(experiment, experiment.judge(results), (), "", rows, REPORTS[experiment.report]))
    page = Page(draw_page(sections, [])).text.replace("\N{NO-BREAK SPACE}", " ")
    tables = " ".join(draw_tables(sections, []).split())
    for report in ("000", "003", "004"):
        about = REPORTS[report]
        assert page.count(f"Report {report}: {about.title}") == tables.count(f"Report {report}: {about.title}") == 1
        for line in (*about.built, *about.unmeasured):
            assert line in page
            assert line in tables
    for section in sections:
        for row in section.rows:
            assert all(part in page and part in tables for part in row)
    assert "Report 001" not in page


def test_an_unmeasured_reason_is_called_a_guess() -> None:
    said = Check("A.", "1.", False, "Because.", is_guess=True), Check("B.", "2.", False, "As it is 2.")
    assert [check.reason_name for check in said] == ["Our guess, not measured:", "Why it fails:"]
    assert [check.as_plain_values()["guess"] for check in said] == [True, False]


def test_boards_are_drawn_as_the_report_shows_them() -> None:
    """Nine figures of report 000: four rows of four, and what stands in them."""
    (picture,) = by_name("000-play").draw(StudyResults({}))
    assert len(picture.figure.axes) == 9
    shown = [text.get_text() for text in picture.figure.axes[-1].texts]
    assert "".join(text or "." for text in shown) == "Xm203m31223Xm12X"
