"""A bar beside answers: it is seen on a terminal, and the answers arrive where they are sent."""

from __future__ import annotations

import json

import pytest
from command import run_on_terminal

from sapper.cli.terminal import show_bar


def test_a_bar_says_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with show_bar("Analysing", "positions") as watch:
        watch(1, 2)
        watch(2, 2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_a_bar_on_the_terminal_leaves_the_answers_alone() -> None:
    asked = b'{"rows": ["1#"], "mines": 1}\n' * 3
    done, shown = run_on_terminal("analyse", "-", "--jsonl", stdin=asked)
    assert [json.loads(line)["mines"] for line in done.stdout.splitlines()] == [[1]] * 3
    assert "Analysing" in shown
    assert '"mines"' not in shown
