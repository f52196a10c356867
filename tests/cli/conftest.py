"""Calling the command in the process of the test, which is quicker than starting one."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[object, str, str]]:
    """Return what runs a command in an empty folder: status, output and complaint; a traceback is the test's own."""
    from sapper.cli import main

    monkeypatch.chdir(tmp_path)
    # What commands keep without being told where is not to end up among the user's own.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def call(*arguments: str, stdin: str = "") -> tuple[object, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call
