"""What values say of themselves where somebody types, and what they show in a notebook."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import sapper
from sapper.draw.svg import draw_chances, draw_layout
from sapper.notebook import MAX_CELLS_IN_PICTURE
from sapper.observation import Observation
from sapper.topology import SHAPES, Shape

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str | None, kind: str) -> list[str]:
    """What the texts of a class in a picture say; the picture is well formed."""
    assert picture is not None
    found = ET.fromstring(picture).iter(f"{SVG}text")
    return [one.text or "" for one in found if one.get("class") == kind]


def n_drawn(picture: str | None, tag: str, kind: str) -> int:
    """How many shapes of a class a picture holds."""
    assert picture is not None
    return sum(one.get("class") == kind for one in ET.fromstring(picture).iter(f"{SVG}{tag}"))


def test_small_boards_can_be_read_again() -> None:
    position = Observation.parse("01#/F*. 3 hex")
    assert repr(position) == "Observation.parse('01#/F*. 3 hex')"
    assert eval(repr(position), {"Observation": Observation}) == position
    layout = sapper.Layout.parse("*-/--", "torus")
    assert repr(layout) == "Layout.parse('*-/--', 'torus')"
    assert eval(repr(layout), {"Layout": sapper.Layout}) == layout


def test_large_boards_are_described() -> None:
    game = sapper.Game(sapper.Rules.parse("expert"), seed=1)
    assert repr(game.observation) == "<Observation 16x30 square: 480 closed cells, 99 mines>"
    game.open(0, 0)
    assert repr(game.layout) == "<Layout 16x30 square: 99 mines>"


def test_games_and_what_comes_of_them() -> None:
    game = sapper.Game(sapper.Rules.parse("4x4/2"), seed=1)
    assert repr(game) == "<Game 4x4/2, seed 1: playing, 0 of 14 safe cells open>"
    record = sapper.play_match(game, sapper.make_agent("exact"))
    assert repr(record) == f"<Record 4x4/2, seed 1: {record.result}>"
    assert n_drawn(record._repr_svg_(), "rect", "hidden") <= 16
    decision = sapper.make_agent("basic").decide(Observation.parse("02#/13#/#3# 4"))
    assert repr(decision).startswith("<Decision (2, 2), p_mine=0: 'Opened (2, 2): the 3 at (1, 1)")
    assert repr(decision).endswith(" deductions>")
    assert "<li>(0, 2) is a mine: " in decision._repr_html_()
    rules = sapper.Rules.parse("5x6/6")
    certificate = sapper.certify(rules, sapper.generate_no_guess(rules, seed=3, first=(0, 0)), first=(0, 0))
    assert repr(certificate).startswith("<Certificate 5x6/6 from (0, 0): ")
    assert n_drawn(certificate._repr_svg_(), "rect", "ring") == 1
    assert n_drawn(certificate._repr_svg_(), "circle", "bare") == 6


def test_posteriors_say_what_is_certain_or_the_least_risk() -> None:
    assert repr(sapper.mine_probabilities("1#/## 1")) == "<Posterior 2x2 square: 0 safe, 0 mines, least risk 33.3%>"
    assert repr(sapper.mine_probabilities("11/1# 1")) == "<Posterior 2x2 square: 0 safe, 1 mine, least risk 100%>"
    assert repr(sapper.mine_probabilities("0#/## 0")) == "<Posterior 2x2 square: 3 safe, 0 mines>"


def test_a_posterior_is_a_picture_of_chances() -> None:
    picture = sapper.mine_probabilities("1##/### 2")._repr_svg_()
    assert texts(picture, "c1") == ["1"]
    assert texts(picture, "risk") == ["33", "50", "33", "33", "50"]
    certain = sapper.mine_probabilities("2#1/###/#3#")._repr_svg_()
    assert texts(certain, "sure") == ["safe"]
    assert n_drawn(certain, "rect", "sure-mine") == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_pictures_are_well_formed_on_every_board(shape: Shape) -> None:
    layout = sapper.Layout.parse("*--/---/--*", shape)
    assert n_drawn(draw_layout(layout), "circle", "bare") == 2
    position = Observation.parse(f"1F#/.*#/#8# 4 {shape}" if shape == "torus" else f"1F#/.*#/#1# 4 {shape}")
    picture = draw_chances(position, np.full((3, 3), 0.995), [(0, 1)], [(0, 2)])
    assert texts(picture, "risk") == [">99"] * 3
    assert texts(position._repr_svg_(), "caption") == [position.caption()]


def test_a_proof_shows_its_clues() -> None:
    page = sapper.explain("1#/11", 0, 1)._repr_html_()
    picture, _, words = page.partition("</svg>")
    assert n_drawn(picture + "</svg>", "rect", "ring") == 2  # the clue, and the cell
    assert "<p>(0, 1) is a mine because of the 1 at (0, 0).</p><ol><li" in words


def test_a_huge_board_has_no_picture() -> None:
    cells = np.full((1, MAX_CELLS_IN_PICTURE + 1), sapper.HIDDEN)
    assert Observation.from_array(cells)._repr_svg_() is None


@pytest.mark.slow
def test_nothing_is_drawn_unless_it_is_asked_for() -> None:
    code = (
        "import sys, sapper; found = sapper.mine_probabilities('1#/## 1'); assert 'sapper.draw.svg' not in sys.modules;"
        "found._repr_svg_(); assert 'sapper.draw.svg' in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_pointing_at_a_cell_rings_its_neighbours_where_they_are_not_plain() -> None:
    picture = Observation.parse("2###/####/#### 3 knight")._repr_svg_()
    assert picture is not None
    layer = [one for one in ET.fromstring(picture).iter(f"{SVG}g") if one.get("class") == "at"]
    assert len(layer) == 12
    titles = [one.findtext(f"{SVG}title") for one in layer]
    assert titles[0] == "(0, 0) touches (1, 2) and (2, 1)."
    rings = [one.find(f"{SVG}path") for one in layer]
    # A square of its own for each neighbour.
    board = Observation.parse("2###/####/#### 3 knight").topology
    assert [(ring.get("d") or "").count("M") for ring in rings if ring is not None] == board.degree.tolist()
    for shape in ("square", "torus", "hex"):
        assert 'class="at"' not in (Observation.parse(f"1##/### 1 {shape}")._repr_svg_() or "")
    large = sapper.Observation.parse("/".join(["#" * 60] * 60) + " 100 knight")._repr_svg_()
    assert 'class="at"' not in (large or "")
