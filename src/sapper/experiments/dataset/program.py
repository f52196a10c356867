"""A program as a reader of text: a line of JSON in for every question, a line out for every answer.

The line in is ``{"kind": "safe", "question": "…"}``. The line out is the answer as text, as a JSON string, or as
``{"answer": "…"}``. A program that ends or is silent for too long has not answered, and is started again.
"""

from __future__ import annotations

import json
import queue
import shlex
import subprocess
import threading
from contextlib import suppress
from typing import IO, Self

from sapper.errors import InputError
from sapper.experiments.dataset.benchmark import Question

SECONDS = 60.0  # for an answer
_MAX_FAILURES = 3  # in a row, until the program is given up
_MAX_CHARACTERS = 1_000_000  # of a line


class TextPlayer:
    """A running program; use it in a ``with`` statement."""

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise InputError(f"The command {command[:60]!r} cannot be read: {error}.") from None
        if not self._command:
            raise InputError("The command of the program is empty, as in program:'python reader.py'.")
        self._seconds = seconds
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()
        self._n_failures = 0

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def read(self, question: Question, text: str) -> str | None:
        """Return the program's answer; None if there is none. Raises `InputError` after several failures in a row."""
        if self._process is None:
            self._start()
        line = ""
        with suppress(OSError, queue.Empty):
            assert self._process is not None
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps({"kind": question.kind, "question": text}) + "\n")
            self._process.stdin.flush()
            line = self._lines.get(timeout=self._seconds)
        if line:
            self._n_failures = 0
            return _as_text(line)
        self._stop()
        self._n_failures += 1
        if self._n_failures == _MAX_FAILURES:
            raise InputError(f"The program {self._command[0]} ended or was silent {_MAX_FAILURES} times in a row.")
        return None

    def _start(self) -> None:
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
                errors="replace",
            )  # fmt: skip
        except OSError as error:
            raise InputError(f"The program {self._command[0]} cannot be started: {error.strerror}.") from None
        self._lines = queue.Queue()
        assert self._process.stdout is not None
        threading.Thread(target=_collect, args=(self._process.stdout, self._lines), daemon=True).start()

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.close()


def _collect(stream: IO[str], lines: queue.Queue[str]) -> None:
    """Queue every line; an empty one at the end."""
    with suppress(OSError, ValueError):
        while line := stream.readline(_MAX_CHARACTERS):
            lines.put(line)
    lines.put("")


def _as_text(line: str) -> str:
    try:
        value = json.loads(line)
    except ValueError:
        return line
    if isinstance(value, dict) and isinstance(value.get("answer"), str):
        return str(value["answer"])
    return value if isinstance(value, str) else line
