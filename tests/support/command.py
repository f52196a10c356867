"""Running the command: mostly in the process of the test, where starting one would take a second of a busy machine."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager, suppress
from pathlib import Path
from unittest import mock

import pytest
from own_agents import forgetting

SAPPER = Path(sys.executable).parent / "sapper"
Call = Callable[..., tuple[int, str, str]]  # runs a command: status, output, complaint


def run(*arguments: str, stdin: str | bytes = b"", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``sapper`` with these arguments in this process and return what it said; a traceback is the test's own."""
    from sapper.cli import main

    with _streams(stdin.encode() if isinstance(stdin, str) else stdin) as (out, err):
        with chdir(folder or Path()), forgetting(Path.cwd()), pytest.raises(SystemExit) as ended:
            main(list(arguments))
        assert isinstance(ended.value.code, int)
    return subprocess.CompletedProcess(arguments, ended.value.code, out.getvalue().decode(), err.getvalue().decode())


def call(*arguments: str, stdin: str | bytes = b"") -> tuple[int, str, str]:
    """Run a command likewise; return its status, output and complaint."""
    done = run(*arguments, stdin=stdin)
    return done.returncode, done.stdout, done.stderr


@contextmanager
def _streams(stdin: bytes) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Standard streams like those of a process whose output is a pipe."""
    pipes = io.BytesIO(stdin), io.BytesIO(), io.BytesIO()
    texts = [io.TextIOWrapper(pipe, encoding="utf-8", write_through=True) for pipe in pipes]
    with ExitStack() as stack:
        for name, text in zip(("stdin", "stdout", "stderr"), texts, strict=True):
            stack.enter_context(mock.patch.object(sys, name, text))
        stack.enter_context(mock.patch.dict(os.environ, {"COLUMNS": os.environ.get("COLUMNS", "100")}))
        yield pipes[1:]
    for text in texts:
        text.detach()


def run_process(*arguments: str, stdin: bytes = b"", folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``sapper`` in a process of its own, for tests that are about the process."""
    done = subprocess.run(
        [SAPPER, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=folder,
        env=os.environ | {"COLUMNS": "100"},
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )


def run_on_terminal(
    *arguments: str, stream: str = "stderr", stdin: bytes = b"", **settings: str
) -> tuple[subprocess.CompletedProcess[bytes], str]:
    """Run ``sapper`` with an output stream on a terminal; return how it ended and what the terminal shows."""
    pty = pytest.importorskip("pty", reason="needs a Unix terminal")
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [SAPPER, *arguments],
        stdin=subprocess.PIPE,
        stdout=child if stream == "stdout" else subprocess.PIPE,
        stderr=child if stream == "stderr" else subprocess.PIPE,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "100"} | settings,
    )
    os.close(child)
    shown = b""
    try:
        assert process.stdin is not None
        process.stdin.write(stdin)
        process.stdin.close()
        process.stdin = None
        with suppress(OSError):  # what Linux says at the end of a terminal
            while part := os.read(parent, 10_000):
                shown += part
        out, err = process.communicate()
    finally:
        process.kill()
        process.wait()
        os.close(parent)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err), shown.decode().replace("\r", "")


def first_in_path(folder: Path) -> str:
    """Return a PYTHONPATH for another process in which modules of this folder are found first."""
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])


def complaint(*arguments: str, stdin: str | bytes = b"", folder: Path | None = None) -> str:
    """Run a command that must fail politely; return its one sentence."""
    done = run(*arguments, stdin=stdin, folder=folder)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    lines = done.stderr.strip().split("\n")
    assert len(lines) == 1, lines
    assert lines[0].startswith("sapper: ")
    return lines[0].removeprefix("sapper: ")
