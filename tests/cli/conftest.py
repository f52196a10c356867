"""Calling the command in an empty folder."""

from __future__ import annotations

from pathlib import Path

import command
import pytest


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> command.Call:
    """Return what runs a command in an empty folder: status, output and complaint."""
    monkeypatch.chdir(tmp_path)
    # What commands keep without being told where is not to end up among the user's own.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return command.call
