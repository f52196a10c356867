"""``sapper reproduce``: a page with every experiment, nothing played twice."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import complaint, run
from pages import Page

from sapper.experiments.reports.catalogue import EXPERIMENTS


@pytest.mark.long
def test_a_run_of_a_few_games_writes_the_whole_page_and_is_not_played_again(tmp_path: Path) -> None:
    command = ("reproduce", "--games", "2", "--store", "r.sqlite", "--output", "page.html", "--workers", "2", "--json")
    done = run(*command, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    reader = Page(page)
    for experiment in EXPERIMENTS:
        assert experiment.name in reader.ids
        assert experiment.title in reader.text
    assert reader.links
    reader.expect_whole()
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
    assert {one["name"]: one["reported"]["holds"] for one in printed}["004"] == 7

    again = run(*command, folder=tmp_path)
    assert "0 games in" in again.stderr
    assert again.stdout == done.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


@pytest.mark.slow
def test_some_experiments_are_chosen_and_what_is_known_is_not_played_again(tmp_path: Path) -> None:
    first = run(
        "reproduce", "--only", "000-sweep", "--games", "3", "--store", "r.sqlite", "--workers", "1", folder=tmp_path
    )
    assert first.returncode == 0, first.stderr
    # 16 numbers of mines and three agents, and four conditions more.
    assert "156 games" in first.stderr
    title = "000-sweep: 4 x 4, 1 to 16 mines, total unknown"
    assert first.stdout.startswith(f"{title}\n  Claims of report 000: 1 holds, 7 open\n")
    assert "7 claims cannot be judged from so few games" in first.stdout
    assert (tmp_path / "sapper-report.html").exists()
    # The other half shares the boards of the two agents that are not told, which are there already.
    more = run(
        "reproduce", "--only", "000-total,004", "--games", "3", "--store", "r.sqlite", "--workers", "1", folder=tmp_path
    )
    assert "102 games" in more.stderr
    assert "96 were known already" in more.stderr
    reader = Page((tmp_path / "sapper-report.html").read_text(encoding="utf-8"))
    assert {"000-total", "004"} <= set(reader.ids)
    assert "000-sweep" not in reader.ids


def test_wrong_input_is_answered_before_anything_is_played(tmp_path: Path) -> None:
    assert "no experiment '005'" in complaint("reproduce", "--only", "005", folder=tmp_path)
    assert "no folder" in complaint("reproduce", "--output", "no/such/folder/page.html", folder=tmp_path)
    for name in ("report.pdf", "report", "report.html.gz", ".md"):
        told = complaint("reproduce", "--output", name, folder=tmp_path)
        assert f"written as .html, .htm or .md, not as '{name}'" in told
    both = run("reproduce", "--output", "-", "--json", folder=tmp_path)
    assert both.returncode == 2
    assert "cannot both" in both.stderr
    assert not list(tmp_path.iterdir())
