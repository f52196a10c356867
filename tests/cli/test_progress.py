"""A bar beside answers: it is seen on a terminal, and the answers arrive where they are sent."""

from __future__ import annotations

import json
import os
import subprocess

import pytest
from command import SAPPER

from sapper.cli.terminal import show_bar


def test_a_bar_says_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with show_bar("Analysing", "positions") as watch:
        watch(1, 2)
        watch(2, 2)
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_a_bar_on_the_terminal_leaves_the_answers_alone() -> None:
    pty = pytest.importorskip("pty", reason="needs a Unix terminal")
    parent, child = pty.openpty()
    done = subprocess.run(
        [SAPPER, "analyse", "-", "--jsonl"],
        input=b'{"rows": ["1#"], "mines": 1}\n' * 3,
        stdout=subprocess.PIPE,
        stderr=child,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"},
        check=True,
    )
    os.close(child)
    assert [json.loads(line)["mines"] for line in done.stdout.splitlines()] == [[1]] * 3
    shown = os.read(parent, 10_000).decode()
    assert "Analysing" in shown
    assert '"mines"' not in shown
    os.close(parent)
