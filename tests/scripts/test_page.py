"""The checks of the page's scripts, where Node.js is missing or too old."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "page.py"


def run_with(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the script where the PATH is this folder, and no package of Python's is installed."""
    command = [sys.executable, "-I", "-S", str(SCRIPT)]
    environment = os.environ | {"PATH": str(folder)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("version", [None, "v18.20.1"])
def test_without_a_recent_node_the_script_says_so_in_a_sentence(tmp_path: Path, version: str | None) -> None:
    if version is not None:
        (tmp_path / "npm.js").touch()
        (tmp_path / "npm").symlink_to(tmp_path / "npm.js")
        (tmp_path / "node").write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
        for name in ("npm.js", "node"):
            (tmp_path / name).chmod(0o755)
    found = run_with(tmp_path)
    assert found.returncode == 1
    assert found.stdout == ""
    assert found.stderr == (
        "The page's scripts are checked with npm and Node.js 22 or newer, which are not installed here.\n"
    )
