"""Figures that anybody can read: the same bytes every time, lines told apart without colour."""

from __future__ import annotations

import struct
import xml.etree.ElementTree as ET
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from sapper.errors import InputError
from sapper.experiments.plots import (
    COLOURS,
    Curve,
    draw_detonations,
    draw_lines,
    draw_scores,
    draw_wins,
    render,
    save,
    style_of,
)
from sapper.experiments.results import Summary
from sapper.statistics import Interval

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def lines(n: int) -> list[Curve]:
    xs = [0.1, 0.2, 0.3]
    return [
        Curve(f"agent {k}", xs, [Interval(k + x, k + x - 0.1, k + x + 0.2) for x in xs]) for k in range(n)
    ]  # fmt: skip


def summary(agent: str, mines: int, channel: str = "exact", size: int = 8) -> Summary:
    part = Interval(0.5 + mines / 100, 0.4, 0.7)
    return Summary(agent, "8x8/6 survey", size, size, mines, channel, 100, part, part, part, part, 0.001)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_same_figure_gives_the_same_bytes(kind: str, tmp_path: Path) -> None:
    bytes_of = [render(draw_lines(lines(3), "x", "y", "title"), kind) for _ in range(2)]
    assert bytes_of[0] == bytes_of[1]
    save(draw_lines(lines(3), "x", "y", "title"), str(tmp_path / f"figure.{kind.upper()}"))
    assert (tmp_path / f"figure.{kind.upper()}").read_bytes() == bytes_of[0]
    assert render(draw_lines(lines(3), "x", "y", "another"), kind) != bytes_of[0]


@pytest.mark.slow
def test_a_png_and_an_svg_are_what_they_say() -> None:
    picture = render(draw_lines(lines(2), "x", "y"), "png")
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (1080, 660)
    text = render(draw_lines(lines(2), "share of mines", "score"), "svg").decode()
    root = ET.fromstring(text)
    assert root.tag.endswith("svg")
    for word in ("share of mines", "score", "agent 0", "agent 1"):
        assert f">{word}<" in text  # text stays text, so that it can be searched and read aloud
    assert "<dc:date>" not in text


@pytest.mark.parametrize("n", [8, 16, 40])
def test_every_line_has_a_look_of_its_own(n: int) -> None:
    drawn = draw_lines(lines(n), "x", "y").axes[0].get_lines()
    assert len(drawn) == n
    styles = [style_of(number) for number in range(n)]
    assert len({(str(dash), marker) for _, dash, marker in styles}) == n
    if n <= 16:
        assert len({marker for _, _, marker in styles}) == n
    if n <= 8:
        assert len({str(dash) for _, dash, _ in styles}) == n
    for line, (colour, _, marker) in zip(drawn, styles, strict=True):
        assert (line.get_color(), line.get_marker()) == (colour, marker)


def lightness(colour: str) -> float:
    """CIE L*: from 0, black, to 100, white, in steps that look even."""
    from matplotlib.colors import to_rgb

    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return float(116 * luminance ** (1 / 3) - 16 if luminance > 0.008856 else 903.3 * luminance)


def test_no_two_colours_are_equally_light_and_all_show_on_white() -> None:
    for one, other in combinations(COLOURS, 2):
        assert abs(lightness(one) - lightness(other)) > 6.0, (one, other)
    for one, other in pairwise(COLOURS):
        assert abs(lightness(one) - lightness(other)) > 20.0, (one, other)
    assert max(map(lightness, COLOURS)) < 85.0


def places(figure: Figure, number: int = 0) -> list[float]:
    return np.asarray(figure.axes[0].get_lines()[number].get_xdata()).tolist()  # type: ignore[no-any-return]


def test_lines_show_the_values_and_their_bands() -> None:
    axes = draw_lines(lines(1), "x", "y").axes[0]
    assert np.asarray(axes.get_lines()[0].get_ydata()).tolist() == pytest.approx([0.1, 0.2, 0.3])
    (band,) = axes.collections
    heights = np.asarray(band.get_paths()[0].vertices)[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx((0.0, 0.5))
    assert draw_lines(lines(1), "x", "y", log=True).axes[0].get_xscale() == "log"


def labels(figure: Figure) -> list[object]:
    return [line.get_label() for line in figure.axes[0].get_lines()]


@pytest.mark.slow
def test_lines_are_named_by_what_differs() -> None:
    rows = [summary(agent, mines) for agent in ("basic", "exact") for mines in (20, 6)]
    figure = draw_scores(rows, "title")
    assert labels(figure) == ["basic", "exact"]
    assert places(figure) == [6 / 64, 20 / 64]
    assert labels(draw_wins([summary("basic", 6), summary("basic", 6, size=9)])) == ["basic, 8x8", "basic, 9x9"]
    channels = [summary("basic", 6, channel) for channel in ("exact", "withheld:0.3")]
    assert labels(draw_scores(channels)) == ["basic, exact", "basic, withheld:0.3"]


def test_detonations_are_drawn_against_the_chance_of_a_bad_clue() -> None:
    rows = [summary("basic", 6, channel) for channel in ("withheld:0.3", "exact", "withheld:0.1")]
    figure = draw_detonations(rows)
    assert labels(figure) == ["basic"]
    assert places(figure) == [0.0, 0.1, 0.3]
    # Exact clues are where every kind of bad clue begins.
    figure = draw_detonations([*rows, summary("basic", 6, "optimistic:0.2")])
    assert labels(figure) == ["basic, withheld", "basic, optimistic"]
    assert [places(figure, 0), places(figure, 1)] == [[0.0, 0.1, 0.3], [0.0, 0.2]]
    figure = draw_detonations([summary("basic", 6, channel) for channel in ("exact", "liar", "liar:0.4")])
    assert places(figure) == [0.0, 0.4, 1.0]


def test_a_figure_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    figure = draw_lines(lines(1), "x", "y")
    with pytest.raises(InputError, match=r"must be .png or .svg, not 'figure.pdf'"):
        save(figure, "figure.pdf")
    with pytest.raises(InputError, match=r"There is no folder .* to write a.png into"):
        save(figure, str(tmp_path / "none" / "a.png"))


@pytest.mark.slow
def test_every_figure_of_a_sweep_is_drawn(tmp_path: Path) -> None:
    from command import complaint, run

    store = str(tmp_path / "s.sqlite")
    sweep = ("sweep", "--agents", "basic", "--board", "4x4,6x6/2 survey", "--games", "5", "--store", store)
    for figure in ("score", "wins", "detonations", "time"):
        path = tmp_path / f"{figure}.svg"
        done = run(*sweep, "--output", str(path), "--figure", figure, "--workers", "1")
        assert done.returncode == 0, done.stderr
        assert path.read_text().startswith("<?xml")
    assert "CPU seconds per game" in (tmp_path / "time.svg").read_text()
    assert "no figure 'pie'" in complaint(*sweep, "--output", str(tmp_path / "x.svg"), "--figure", "pie")
