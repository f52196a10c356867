"""The figures of boards and games, by the names that people use."""

from __future__ import annotations

import json
from pathlib import Path

from command import Call


def test_3bv_has_one_name_everywhere(call: Call, tmp_path: Path) -> None:
    board = json.loads(call("stats", "*--/---", "--json")[1])[0]
    record = "Sapper-Record: 1\nRules: 2x3/1 first-any\nSeed: 0\nLayout: *--/---\nMoves:\nopen 1,0\n"
    (tmp_path / "a.sapper").write_text(record, encoding="utf-8")
    game = json.loads(call("stats", "a.sapper", "--json")[1])[0]
    reviewed = json.loads(call("review", "a.sapper", "--games", "0", "--json")[1])["statistics"]
    made = json.loads(call("generate", "--board", "4x4/2", "--json")[1])
    shown = json.loads(call("show", "*--/---", "--json")[1])
    assert board["3bv"] == shown["3bv"] == game["board"]["3bv"] == reviewed["board"]["3bv"] == 2
    assert game["3bv_done"] == reviewed["3bv_done"] == 1
    assert "3bv_per_second" in game
    assert made["3bv"] >= 1
    assert "bbbv" not in json.dumps([board, game, reviewed, made, shown])
