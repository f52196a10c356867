"""Running the real command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SAPPER = Path(sys.executable).parent / "sapper"


def run(*arguments: str, stdin: str | bytes = b"", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``sapper`` with these arguments and return what it said."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [SAPPER, *arguments],
        input=data,
        capture_output=True,
        check=False,
        cwd=folder,
        env=os.environ | {"COLUMNS": "100"},
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )


def complaint(*arguments: str, stdin: str | bytes = b"", folder: Path | None = None) -> str:
    """Run a command that must fail politely; return its one sentence."""
    done = run(*arguments, stdin=stdin, folder=folder)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().split("\n")
    assert len(lines) == 1, lines
    assert lines[0].startswith("sapper: ")
    return lines[0].removeprefix("sapper: ")
