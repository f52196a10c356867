"""Every example on every help page runs, and every page is pleasant to read at 80 columns."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import submissions
import typer
from command import Call, run
from own_agents import importable

from sapper.cli.app import COMMANDS, app
from sapper.cli.help import examples_of

GROUP: Any = typer.main.get_command(app)
NAMES = [entry.name for listed in COMMANDS.values() for entry in listed]
SERVERS = ("play", "serve", "serve-agent", "mcp")
EXAMPLES = [
    (entry.name, example)
    for listed in COMMANDS.values()
    for entry in listed
    if entry.name not in SERVERS
    for example in examples_of(entry.load().__doc__)
]
# What is meant for an evening is played for a moment.
SMALLER = {
    "sweep": ("--games", "2", "--workers", "1"),
    "grade": ("--games", "7", "--workers", "1", "--store", "grades.sqlite"),
    "reproduce": ("--games", "2", "--workers", "1", "--only", "001-cost"),
    "influence": ("--proofs", "1"),
}
NEEDS = {"sweep": "matplotlib", "reproduce": "matplotlib"}
RUBRICS = Path(__file__).parents[2] / "examples" / "rubrics"
RECORD = "Sapper-Record: 1\nRules: 2x2/1 first-any\nSeed: 0\nMoves:\nopen 0,0 | a corner\n"
AGENT = """\
from sapper.agents.registry import AGENTS


def make(rng):
    return AGENTS["basic"].make(rng)
"""


@pytest.fixture
def files(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The files that examples name, in the folder where they run."""
    (tmp_path / "board.mbf").write_bytes(bytes([3, 2, 0, 2, 0, 0, 2, 1]))
    (tmp_path / "lost.sapper").write_text(RECORD, encoding="utf-8")
    (tmp_path / "mymodule.py").write_text(AGENT, encoding="utf-8")
    for place in ("minesweeper.py", "submissions/alice/minesweeper.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(submissions.SOUND, encoding="utf-8")
    shutil.copytree(RUBRICS, tmp_path / "examples" / "rubrics")
    shutil.copy(RUBRICS.parent / "players" / "reader.py", tmp_path)
    # python3 is the one that has Sapper.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    made = ("generate", "--board", "4x4/2", "--no-guess", "--output", "-", "--certificates", "proofs.jsonl")
    assert call(*made)[0] == 0
    with importable(tmp_path):
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("name", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_an_example_runs(name: str, example: str, call: Call) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason="the extra `plots` is not installed")
    program, called, *arguments = shlex.split(example)
    assert (program, called) == ("sapper", name)
    before = {path.name for path in Path().iterdir()}
    smaller = () if {"--list", "--position"} & {*arguments} else SMALLER.get(name, ())
    status, said, complaint = call(name, *arguments, *smaller)
    assert status == 0, complaint
    assert said or complaint or {path.name for path in Path().iterdir()} - before


@pytest.mark.parametrize("name", NAMES)
def test_a_help_page_is_pleasant_at_80_columns(name: str, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, page, complaint = call(name, "--help")
    assert (status, complaint) == (0, "")
    told, _, examples = page.partition("\nExample")
    assert examples, "there is no example"
    assert not [line for line in told.split("\n") if len(line) > 80]
    assert f"Usage: sapper {name} " in told
    for ugly in ("<", "int range", "float range", "bool", "None"):
        assert ugly not in told
    # Every option says something; --help comes last, and what is for programs just before it.
    options = re.findall(r"^  (--[a-z0-9-]+)", told, re.MULTILINE)
    assert options[-1] == "--help"
    assert len(options) == len(set(options))


def test_the_first_page_lists_every_command_in_a_line(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, page, _ = call("--help")
    assert status == 0
    assert re.findall(r"^  ([\w-]+)  +\S", page, re.MULTILINE) == NAMES
    assert max(map(len, page.split("\n"))) <= 80


def test_a_server_has_an_example_too() -> None:
    for name in SERVERS:
        assert examples_of(GROUP.get_command(None, name).help)


@pytest.mark.slow
def test_help_looks_the_same_through_a_pipe() -> None:
    done = run("show", "--help")
    assert done.stdout.startswith("Draw a position")
    assert "\x1b" not in done.stdout
