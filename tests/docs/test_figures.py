"""The page of figures and the README say what the results of the benchmarks say, and how old they are."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.results import ROOT

from benchmarks import figures, growth_tables, results


@pytest.mark.slow
def test_the_page_is_the_one_that_the_command_writes() -> None:
    assert figures.PAGE.read_text(encoding="utf-8") == figures.write_page(), "run: make figures"


def test_the_tables_of_the_readme_are_those_that_the_command_writes() -> None:
    text = figures.README.read_text(encoding="utf-8")
    assert text == figures.write_readme(text), "run: make figures"
    assert figures.write_readme(text.replace("% [", "% (")) == text


def test_the_readme_links_to_sections_that_exist() -> None:
    titles = re.findall(r"^#+ (.*)$", figures.PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    pages = [figures.README, *(ROOT / "docs").rglob("*.md")]
    linked = {anchor for page in pages for anchor in re.findall(r"figures\.md#([\w-]+)\)", page.read_text("utf-8"))}
    assert len(linked) > 10
    assert not linked - anchors


@pytest.mark.slow
def test_the_plots_are_those_that_the_command_draws() -> None:
    for name, draw in growth_tables.PICTURES.items():
        assert (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") == draw(), "run: make figures"


@pytest.mark.parametrize("name", results.names())
def test_every_results_file_is_shown_and_says_where_it_comes_from(name: str) -> None:
    measured = results.load(name)["measured"]
    assert {"by", "on", "minutes", "machine", "load before", "versions", "seeds", "of", "code"} == set(measured)
    assert (ROOT / "benchmarks" / f"{measured['by'].split()[2].removeprefix('benchmarks.')}.py").exists()
    assert any(f"results/{name}.json" in page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))


def test_results_of_earlier_kernels_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setattr(sys, "argv", ["benchmarks/env.py", "--rounds", "3", "--write", str(tmp_path)])
    results.save("env", {"rounds": 3}, seeds="7")
    found = results.load("env")
    assert found["rounds"] == 3
    assert found["measured"]["by"] == "python -m benchmarks.env --rounds 3 …"
    assert "earlier" not in figures.provenance("env", found["measured"])
    assert figures.provenance("env", found["measured"] | {"code": "0"}).endswith("**measured with earlier kernels**.")
    assert figures.stale() == {}


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        ('"""Other words."""\n\n\nSIDE = (9,   # another comment\n    16)\n', True),
        ("SIDE = (9, 17)\n", False),
        ("SIDE = (9, 16)\nSIDE\n", False),
    ],
)
def test_only_what_code_means_makes_figures_old(tmp_path: Path, text: str, is_same: bool) -> None:
    for folder, source in (("before", '"""Words."""\nSIDE = (9, 16)  # a comment\n'), ("after", text)):
        (tmp_path / folder / "kernels").mkdir(parents=True)
        (tmp_path / folder / "kernels" / "sizes.py").write_text(source, encoding="utf-8")
    before, after = (results.fingerprint("kernels", tmp_path / folder) for folder in ("before", "after"))
    assert (before == after) == is_same
