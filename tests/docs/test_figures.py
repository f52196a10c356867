"""What the README measures is what the page that it links to has measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def points(text: str) -> list[str]:
    """The points of the list of what Sapper can do, and the rows of the table of what was measured."""
    _, _, rest = text.partition("## What it can do\n")
    found = re.findall(r"^- (.*(?:\n  .*)*)|^(\|\[.*)", rest, re.MULTILINE)
    return [" ".join((point or row).split()) for point, row in found]


def figures(point: str) -> set[str]:
    """The numbers in a point, but for those in its links."""
    return set(re.findall(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)", re.sub(r"\]\([^)]*\)", "]", point)))


@pytest.mark.parametrize(
    "point", points((ROOT / "README.md").read_text(encoding="utf-8")), ids=lambda point: point[:20]
)
def test_every_figure_is_in_a_page_that_the_point_links_to(point: str) -> None:
    pages = [ROOT / target for target in re.findall(r"\]\(([^)#]+)", point)]
    assert pages
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    missing = [
        figure for figure in figures(point) if not re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d]|[.,]\d)", text)
    ]
    assert not missing


def test_figures_are_found() -> None:
    assert figures("takes 26.5 µs, 41 to 1,440 times, 77.0 % [75.1, 78.7] in [a](docs/0001.md)") == {
        "26.5", "41", "1,440", "77.0", "75.1", "78.7",
    }  # fmt: skip
    text = "## What it can do\n\n- One\n  point.\n- Another.\n\n|a|\n|---|\n|[b](c)|\n"
    assert points(text) == ["One point.", "Another.", "|[b](c)|"]
