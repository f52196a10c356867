"""The processes of a Python submission: it is loaded once, and forked for every game.

`host` forks the loader and reads what comes through its pipe. The standard library alone is needed; what a submission
changes in it is looked after where it would keep these processes from answering.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sys
import time
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_IN_LINE = 1_000_000  # characters of one answer
COARSE = 0.05  # seconds below which the clock measures better than the processor's account
_END_WITH_PARENT, _ADOPT = 1, 36  # options of Linux's prctl
# A submission may put others in their place.
_seed, _generator = random.Random.seed, random._inst


def _find_prctl() -> Callable[..., object]:
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        return ctypes.CDLL(None).prctl
    return lambda *_: None


_prctl = _find_prctl()


class Fault(Exception):
    """The game cannot go on: the kind of fault, and a sentence."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class Lines:
    """The lines that come through a descriptor."""

    def __init__(self, source: int) -> None:
        self.source = source
        self._rest = b""

    def take(self) -> str | None:
        """Return a line that is complete already."""
        line, found, rest = self._rest.partition(b"\n")
        if not found:
            return None
        self._rest = rest
        return line.decode("utf-8", "replace")

    def fill(self) -> bool:
        """Read what there is; return whether the other end is still open."""
        try:
            data = os.read(self.source, 65_536)
        except OSError:
            return False
        self._rest += data
        if len(self._rest) > MOST_IN_LINE:
            raise Fault("protocol", f"It answered with a line of more than {MOST_IN_LINE:,} characters.")
        return bool(data)

    def wait(self) -> str | None:
        """Return the next line, or None at the end."""
        while (line := self.take()) is None:
            if not self.fill():
                return None
        return line


def write_line(descriptor: int, line: str) -> None:
    """Write a line to a descriptor."""
    data = f"{line}\n".encode()
    while data:
        data = data[os.write(descriptor, data) :]


def end_with_parent() -> None:
    """Have this process killed when its parent ends, where the system can do that."""
    _prctl(_END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def adopt_orphans() -> None:
    """Become the parent of whatever is left below when its parent ends, where the system can do that."""
    _prctl(_ADOPT, 1, 0, 0, 0)


def become_loader(kind: str, target: str, memory: float, requests: int, answers: int, output: int) -> None:
    """Load a submission and fork for each of its games; never return."""
    try:
        end_with_parent()
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        for descriptor, wanted in ((null, 0), (output, 1), (output, 2)):
            os.dup2(descriptor, wanted)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False, buffering=1)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False, buffering=1)  # noqa: SIM115
        size = int(memory * 2**20)
        for what, most in ((resource.RLIMIT_AS, size), (resource.RLIMIT_FSIZE, size), (resource.RLIMIT_CORE, 0)):
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))
        # Newer Pythons warn of forking beside threads, which end here as they should.
        warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork")
        sys.path.insert(0, str(Path(__file__).parent))
        from adapters import NOTED, load  # type: ignore[import-not-found, unused-ignore]

        sys.path.pop(0)
        made = _guarded(answers, "load", lambda: load(kind, target))
        write_line(answers, json.dumps({"line": kind}))
        lines = Lines(requests)
        while (line := lines.wait()) is not None:
            request = json.loads(line)
            pid = os.fork()
            if not pid:
                end_with_parent()
                os.setsid()
                most = int(request["seconds"]) + 2
                resource.setrlimit(resource.RLIMIT_CPU, (most, most))
                write_line(answers, json.dumps({"pid": os.getpid()}))
                _play(made, request, lines, answers, NOTED)
            _, status = os.waitpid(pid, 0)
            write_line(answers, json.dumps({"over": os.waitstatus_to_exitcode(status)}))
    finally:
        os._exit(0)


def _play(made: object, request: dict[str, object], lines: Lines, answers: int, noted: dict[str, str]) -> None:
    """Play one game; never return."""
    try:
        seed = int(str(request["seed"]))
        _seed(_generator, seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)

        def cut_off() -> None:
            """Keep what a submission forks from answering in its place."""
            os.close(lines.source)
            os.close(answers)

        os.register_at_fork(after_in_child=cut_off)
        player = _guarded(answers, "crash", lambda: made(str(request["game"]), seed))  # type: ignore[operator]
        while (line := lines.wait()) is not None:
            began, clock = time.process_time(), time.perf_counter()
            answer = _guarded(answers, "crash", lambda line=line: json.dumps(player.answer(line)))  # type: ignore[attr-defined]
            with suppress(Exception):
                sys.stdout.flush()
            used, passed = time.process_time() - began, time.perf_counter() - clock
            # Some systems count processor time in hundredths, and nothing at all for a quick answer.
            told = {"line": answer, "cpu": used if passed > COARSE else passed, "noted": noted}
            write_line(answers, json.dumps(told))
    finally:
        os._exit(0)


def _guarded(answers: int, kind: str, work: object) -> object:
    """Return the result of foreign code, or answer what is wrong with it and end."""
    try:
        return work()  # type: ignore[operator]
    except BaseException as error:  # noqa: BLE001 - whatever foreign code raises
        raised = error
    found = kind, f"It raised {type(raised).__name__}{_where(raised)}."
    with suppress(Exception):
        found = _describe(kind, raised)
    with suppress(Exception):
        traceback.print_exception(raised, limit=-8)
    write_line(answers, json.dumps({"fault": found[0], "detail": found[1]}))
    os._exit(0)


def _describe(kind: str, error: BaseException) -> tuple[str, str]:
    """Return the kind of fault that an error of foreign code is, and a sentence."""
    if isinstance(error, MemoryError):
        return "memory", "It ran out of the memory that it may take."
    if isinstance(error, SystemExit):
        return "exit", f"It ended its own process (sys.exit{_where(error)})."
    if isinstance(error, EOFError):
        return kind, f"It asks for input{_where(error)}, and nobody is there to answer."
    name = type(error).__name__
    text = (str(error).strip() or ".").splitlines()[0].rstrip(".")[:200]
    if name == "Wrong":  # said by an adapter
        return "load" if kind == "load" else "protocol", f"{text}."
    if name == "AgentFault":  # of an agent of ours, with the place in it
        return kind, f"{text}."
    # The line of a syntax error is no frame: the file never ran.
    if isinstance(error, SyntaxError) and error.filename:
        return kind, f"{Path(error.filename).name} is not valid Python: {error.msg} in line {error.lineno or 1}."
    return kind, f"It raised {name}{': ' if text else ''}{text}{_where(error)}."


def _where(error: BaseException) -> str:
    here = {str(Path(__file__)), str(Path(__file__).with_name("adapters.py"))}
    with suppress(Exception):
        theirs = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename not in here and not frame.filename.startswith("<frozen")
        ]
        return f" in {Path(theirs[-1].filename).name}, line {theirs[-1].lineno}" if theirs else ""
    return ""
