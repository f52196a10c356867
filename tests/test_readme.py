"""What the documentation shows on the command line is what the command prints."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from command import SAPPER, run

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# On a slow machine work takes long enough to say how far it is.
IS_PLAIN = re.compile(r"sapper( '[^']*'| [\w,.:/=-]+)*").fullmatch  # nothing in it is for a shell
PROGRESS = re.compile(r"^.+: [\d,]+ of [\d,]+ \w+, .*s left\n", re.MULTILINE)


def sessions() -> list[tuple[str, str, str]]:
    """Every ``$ command`` in a console block: the page, the command, the output that follows it."""
    found = []
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                found.append((page.name, command, output))
    return found


def test_the_readme_has_a_session() -> None:
    assert any(page == "README.md" for page, _, _ in sessions())


@pytest.mark.slow
@pytest.mark.parametrize(("page", "command", "output"), sessions())
def test_a_documented_session_is_true(
    page: str, command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # where answers to puzzles are kept
    done = run(*shlex.split(command)[1:], folder=tmp_path) if IS_PLAIN(command) else in_shell(command, tmp_path)
    assert done.stdout + PROGRESS.sub("", done.stderr) == output


def in_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{SAPPER.parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, encoding="utf-8", check=False, cwd=folder, env=environment
    )


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            assert "://" in target or (page.parent / target).exists(), (page, target)


@pytest.mark.slow
def test_the_pictures_are_the_ones_that_the_command_draws() -> None:
    import runpy

    pictures = runpy.run_path(str(ROOT / "scripts" / "pictures.py"))["PICTURES"]
    for name, draw in pictures.items():
        assert (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8") == draw(), f"run: make pictures ({name})"
