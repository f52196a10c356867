"""Calling the command in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command import run


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[object, str, str]]:
    """Return what runs a command in an empty folder: status, output and complaint."""
    monkeypatch.chdir(tmp_path)
    # What commands keep without being told where is not to end up among the user's own.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def call(*arguments: str, stdin: str = "") -> tuple[object, str, str]:
        done = run(*arguments, stdin=stdin)
        return done.returncode, done.stdout, done.stderr

    return call
