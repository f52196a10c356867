"""Whatever there is to show: positions, layouts in every format, the end of a record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Call

from sapper.formats import FORMATS, convert
from sapper.layout import Layout
from sapper.observation import Observation

BOARD = "    0 1 2\n0 | * 1 0\n1 | 1 1 0\n1 mine\n"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_shown(name: str, call: Call, tmp_path: Path) -> None:
    entry = FORMATS[name]
    path = tmp_path / f"a{entry.suffixes[0]}"
    if entry.carries is Observation:
        path.write_bytes(entry.write(Observation.parse("1#/## 1")))
        assert call("show", path.name) == (0, "    0 1\n0 | 1 #\n1 | # #\n1 mine\n", "")
    else:
        path.write_bytes(convert(Layout.parse("*--/---"), entry))
        assert call("show", path.name) == (0, BOARD, "")


def test_a_layout_as_text_and_as_json(call: Call) -> None:
    assert call("show", "*--/---") == (0, BOARD, "")
    assert json.loads(call("show", "*--/---", "--json")[1]) == {
        "layout": "*--/---", "rows": 2, "cols": 3, "mines": 1, "topology": "square", "3bv": 2, "openings": 1,
        "islands": 1,
    }  # fmt: skip


def test_mines_alone_are_a_position_still(call: Call) -> None:
    assert json.loads(call("show", "**/**", "--json")[1])["exploded"] == 4


def test_a_record_is_shown_as_it_ended(call: Call, tmp_path: Path) -> None:
    record = "Sapper-Record: 1\nRules: 2x3/1 first-any\nSeed: 0\nLayout: *--/---\nMoves:\nopen 1,1\n"
    (tmp_path / "a.sapper").write_text(record, encoding="utf-8")
    assert json.loads(call("show", "a.sapper", "--json")[1])["position"] == "###/#1# 1"


def test_a_layout_can_be_drawn_as_a_picture(call: Call) -> None:
    assert call("show", "*--/---", "--output", "-")[1].startswith("<svg")


def test_the_cells_that_one_touches_are_named_and_marked(call: Call, tmp_path: Path) -> None:
    position = "2###/####/#### 3 knight"
    status, said, _ = call("show", position, "--around", "0,0")
    assert (status, said.splitlines()[-1]) == (0, "(0, 0) touches (1, 2) and (2, 1).")
    assert json.loads(call("show", position, "--around", "0,0", "--json")[1])["around"] == [[1, 2], [2, 1]]
    assert call("show", position, "--around", "0,0", "--output", "a.svg")[0] == 0
    # The two that are marked, and what twelve cells ring when somebody points at them.
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").count('class="ring"') == 14
    assert "There is no cell (9, 9)" in call("show", position, "--around", "9,9")[2]
    assert "is not a cell" in call("show", position, "--around", "corner")[2]
