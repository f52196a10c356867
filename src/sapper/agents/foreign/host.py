"""The process that a foreign agent runs under: it starts the agent, passes lines on, and ends what breaks a limit.

This file is run as a script and needs the standard library alone. No foreign code runs in this process itself, so it
can always answer. A program is started once and plays one game after the other. A Python submission is loaded once, in
a process of its own, which forks for every game: so each game starts from the same state, however the last one ended.

    Sapper ── host ──┬── program
                     └── loader ── game, forked for each

Requests and answers are JSON lines. Requests: ``{"load": seconds}``, ``{"game": line, "seed": n, "seconds": limit}``,
``{"move": line, "seconds": limit}``, ``{"end": line}``. Each is answered, with ``{"line": …}`` or with
``{"fault": kind, "detail": sentence}``. Limits are in seconds of processor time, because
on a busy machine a second on the clock says little; the clock may show `PATIENCE` times as much.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

PATIENCE = 10.0  # seconds on the clock for each second of processor time that is allowed
MOST_KEPT = 4_000  # characters of output that are kept for messages
MOST_IN_LINE = 1_000_000  # characters of one answer
_COARSE = 0.05  # seconds below which the clock measures better than the processor's account
_TICK = 0.05  # seconds between two looks at a process that thinks


class Fault(Exception):
    """The game cannot go on: the kind of fault, and a sentence."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


def cpu_seconds(pid: int) -> float | None:
    """Return the processor time that a process has taken, or None where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def megabytes_held(pid: int) -> float:
    """Return the memory that a process holds, or 0 where the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


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


class CapturedOutput:
    """What an agent prints: the beginning and the end of it are kept, the rest is counted."""

    def __init__(self) -> None:
        self.n_bytes = 0
        self._head = b""
        self._tail = b""

    def add(self, data: bytes) -> None:
        """Add what was printed."""
        self.n_bytes += len(data)
        room = MOST_KEPT // 4 - len(self._head)
        self._head += data[: max(room, 0)]
        self._tail = (self._tail + data[max(room, 0) :])[-MOST_KEPT:]

    def __str__(self) -> str:
        left_out = self.n_bytes - len(self._head) - len(self._tail)
        middle = f"\n[… {left_out} bytes …]\n".encode() if left_out else b""
        return (self._head + middle + self._tail).decode("utf-8", "replace")


class HostedAgent:
    """A foreign agent, started and watched."""

    def __init__(self, memory: float) -> None:
        self.memory = memory
        self.output = CapturedOutput()
        self.answers = Lines(-1)
        self.printed = -1  # the descriptor of what it prints
        self.thinking = 0  # the process that is asked at the moment
        self.cpu = 0.0  # of the last answer

    def say(self, line: str) -> None:
        """Send a line."""
        raise NotImplementedError

    def ended(self) -> Fault:
        """Return why the process ended."""
        raise NotImplementedError

    def kill(self) -> None:
        """End every process of the agent."""
        raise NotImplementedError

    def wait(self, seconds: float) -> str:
        """Return the next line of the agent; raise `Fault` if it takes too long, takes too much memory, or ends."""
        began, used = time.monotonic(), None
        self.cpu = 0.0
        while (line := self.answers.take()) is None:
            # The client may be gone; then nobody needs an answer.
            ready, _, _ = select.select([self.answers.source, self.printed, 0], [], [], _TICK)
            if 0 in ready and not _requests.fill():
                self.kill()
                os._exit(0)
            if self.printed in ready:
                self.drain()
            if self.answers.source in ready:
                if not self.answers.fill():
                    raise self.ended()
                continue
            # Only what takes its time is looked at: most answers come before the first tick.
            waited, now = time.monotonic() - began, cpu_seconds(self.thinking)
            if used is None:
                used = now
            elif now is not None:
                self.cpu = now - used
            if self.cpu > seconds or waited > PATIENCE * seconds:
                how = f"{self.cpu:.1f} s of processor time" if self.cpu > seconds else f"{waited:.0f} s"
                raise Fault("hang", f"It had not answered after {how}; the limit is {seconds:g} s.")
            if megabytes_held(self.thinking) > self.memory:
                raise Fault("memory", f"It took more than {self.memory:g} MB of memory.")
        return line

    def drain(self, everything: bool = False) -> None:
        """Keep what was printed."""
        while select.select([self.printed], [], [], 0)[0]:
            try:
                data = os.read(self.printed, 65_536)
            except OSError:
                return
            self.output.add(data)
            if not data or not everything:
                return


class HostedProgram(HostedAgent):
    """A program that speaks the line protocol."""

    def __init__(self, command: list[str], memory: float) -> None:
        super().__init__(memory)
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.requests = self.process.stdin.fileno()
        self.answers = Lines(self.process.stdout.fileno())
        self.printed = self.process.stderr.fileno()
        self.thinking = self.process.pid

    def say(self, line: str) -> None:
        """Send a line."""
        try:
            _write(self.requests, line)
        except OSError:
            raise self.ended() from None

    def ended(self) -> Fault:
        """Return why the program ended."""
        try:
            status = self.process.wait(5.0)
        except subprocess.TimeoutExpired:
            return Fault("protocol", "It closed its output.")
        return _explain_status(status)

    def kill(self) -> None:
        """End the program."""
        _kill(self.process.pid)
        self.process.wait()

    def load(self, seconds: float) -> str:
        """Greet the program; return what it answers."""
        self.say("sapper 1")
        return self.wait(seconds)

    def begin(self, line: str, seed: int, seconds: float) -> None:
        """Begin a game."""
        del seed, seconds
        self.say(line)

    def ask(self, line: str, seconds: float) -> dict[str, object]:
        """Return the answer to a position."""
        began = time.monotonic()
        self.say(line)
        answer = self.wait(seconds)
        passed = time.monotonic() - began
        return {"line": answer, "cpu": self.cpu if passed > _COARSE and self.cpu else passed}

    def end(self, line: str) -> None:
        """End a game."""
        self.say(line)


class HostedSubmission(HostedAgent):
    """A Python submission behind an adapter: a loader that forks for every game."""

    def __init__(self, kind: str, target: str, memory: float) -> None:
        super().__init__(memory)
        its_requests, self.requests = os.pipe()
        answers, its_answers = os.pipe()
        self.printed, its_output = os.pipe()
        self.loader = os.fork()
        if not self.loader:
            for descriptor in (self.requests, answers, self.printed):
                os.close(descriptor)
            _become_loader(kind, target, memory, its_requests, its_answers, its_output)
        for descriptor in (its_requests, its_answers, its_output):
            os.close(descriptor)
        self.answers = Lines(answers)
        self.thinking = self.loader
        self.game = 0  # the process of the game

    def say(self, line: str) -> None:
        """Send a line."""
        try:
            _write(self.requests, line)
        except OSError:
            raise self.ended() from None

    def ended(self) -> Fault:
        """Return why the loader ended."""
        return _explain_status(os.waitstatus_to_exitcode(os.waitpid(self.loader, 0)[1]))

    def kill(self) -> None:
        """End the loader and its game."""
        for pid in (self.game, self.loader):
            if pid:
                _kill(pid)
        with suppress(OSError):
            os.waitpid(self.loader, 0)

    def load(self, seconds: float) -> str:
        """Wait until the submission is loaded."""
        return str(self._receive(seconds)["line"])

    def begin(self, line: str, seed: int, seconds: float) -> None:
        """Fork for a game, once the last one is over."""
        self.end()
        self.say(json.dumps({"game": line, "seed": seed, "seconds": seconds}))
        self.thinking = self.loader
        self.game = int(str(json.loads(self.wait(PATIENCE))["pid"]))
        self.thinking = self.game

    def ask(self, line: str, seconds: float) -> dict[str, object]:
        """Return the answer to a position."""
        self.say(line)
        return self._receive(seconds)

    def end(self, line: str = "") -> None:
        """End the process of the game, and wait for it."""
        del line
        if self.game:
            _kill(self.game)
            while "over" not in json.loads(self.wait(PATIENCE)):
                pass
            self.game = 0

    def _receive(self, seconds: float) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.wait(seconds))
        if "over" in found:
            self.game = 0
            raise _explain_status(int(str(found["over"])))
        if "fault" in found:
            raise Fault(str(found["fault"]), str(found["detail"]))
        return found


def _explain_status(status: int) -> Fault:
    if status == -signal.SIGXCPU:
        return Fault("hang", "It took more processor time than a game may take.")
    if status == -signal.SIGKILL:
        return Fault("memory", "Its process was killed by the system, most likely because memory ran out.")
    if status < 0:
        with suppress(ValueError):
            return Fault("crash", f"Its process ended by the signal {signal.Signals(-status).name}.")
    if status > 0:
        return Fault("crash", f"Its process ended with status {status}.")
    return Fault("exit", "It ended its own process in the middle of a game.")


def _kill(pid: int) -> None:
    """End a process and its group, which it may not have founded yet."""
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)


def _write(descriptor: int, line: str) -> None:
    data = f"{line}\n".encode()
    while data:
        data = data[os.write(descriptor, data) :]


# -- in the processes of a submission -------------------------------------------------------------------------


def _become_loader(kind: str, target: str, memory: float, requests: int, answers: int, output: int) -> None:
    """Load a submission and fork for each of its games; never return."""
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDONLY)
        for descriptor, wanted in ((null, 0), (output, 1), (output, 2)):
            os.dup2(descriptor, wanted)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False, buffering=1)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False, buffering=1)  # noqa: SIM115
        size = int(memory * 2**20)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        sys.path.insert(0, str(Path(__file__).parent))
        from adapters import NOTED, load  # type: ignore[import-not-found, unused-ignore]

        sys.path.pop(0)
        made = _guarded(answers, "load", lambda: load(kind, target))
        _write(answers, json.dumps({"line": kind}))
        lines = Lines(requests)
        while (line := lines.wait()) is not None:
            request = json.loads(line)
            pid = os.fork()
            if not pid:
                os.setsid()
                most = int(request["seconds"]) + 2
                resource.setrlimit(resource.RLIMIT_CPU, (most, most))
                _write(answers, json.dumps({"pid": os.getpid()}))
                _play(made, request, lines, answers, NOTED)
            _, status = os.waitpid(pid, 0)
            _write(answers, json.dumps({"over": os.waitstatus_to_exitcode(status)}))
    finally:
        os._exit(0)


def _play(make: object, request: dict[str, object], lines: Lines, answers: int, noted: set[str]) -> None:
    """Play one game; never return."""
    import random

    try:
        seed = int(str(request["seed"]))
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)
        player = _guarded(answers, "crash", lambda: make(str(request["game"]), seed))  # type: ignore[operator]
        while (line := lines.wait()) is not None:
            began, clock = time.process_time(), time.perf_counter()
            answer = _guarded(answers, "crash", lambda line=line: player.answer(line))  # type: ignore[attr-defined]
            sys.stdout.flush()
            used, passed = time.process_time() - began, time.perf_counter() - clock
            # Some systems count processor time in hundredths, and nothing at all for a quick answer.
            told = {"line": json.dumps(answer), "cpu": used if passed > _COARSE else passed, "noted": sorted(noted)}
            _write(answers, json.dumps(told))
    finally:
        os._exit(0)


def _guarded(answers: int, kind: str, work: object) -> object:
    """Return the result of foreign code, or answer what is wrong with it and end."""
    try:
        return work()  # type: ignore[operator]
    except BaseException as error:  # noqa: BLE001 - whatever foreign code raises
        raised = error
        name = type(error).__name__
        text = (str(error).strip() or ".").splitlines()[0].rstrip(".")[:200]
        found = kind, f"It raised {name}{': ' if text else ''}{text}{_where(error)}."
        if name == "Wrong":  # said by an adapter
            found = "load" if kind == "load" else "protocol", f"{text}."
        if isinstance(error, MemoryError):
            found = "memory", "It ran out of the memory that it may take."
        elif isinstance(error, SystemExit):
            found = "exit", f"It ended its own process (sys.exit{_where(error)})."
    with suppress(Exception):
        import traceback

        traceback.print_exception(raised, limit=-8)
    _write(answers, json.dumps({"fault": found[0], "detail": found[1]}))
    os._exit(0)


def _where(error: BaseException) -> str:
    import traceback

    here = {str(Path(__file__)), str(Path(__file__).with_name("adapters.py"))}
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename not in here and not frame.filename.startswith("<frozen")
    ]
    return f" in {Path(theirs[-1].filename).name}, line {theirs[-1].lineno}" if theirs else ""


# -- the host itself ------------------------------------------------------------------------------------------

_requests = Lines(0)


def main() -> None:
    """Serve requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = json.loads(sys.argv[1])
    agent: HostedProgram | HostedSubmission | None = None
    is_over = True  # whether there is no game to go on with
    while (line := _requests.wait()) is not None:
        request = json.loads(line)
        answer: dict[str, object] = {"line": ""}
        try:
            if "load" in request:
                if agent is not None:
                    agent.kill()
                agent = None
                agent = _start(settings)
                answer = {"line": agent.load(request["load"])}
            elif agent is None:
                raise Fault("load", "It was not started.")
            elif "game" in request:
                is_over = False
                agent.begin(request["game"], request["seed"], request["seconds"])
            elif "move" in request:
                answer = agent.ask(request["move"], request["seconds"])
            else:
                # What it printed before its first game belongs to that game, where it may say what is wrong.
                agent.output = CapturedOutput()
                if not is_over:
                    is_over = True
                    agent.end(request["end"])
        except Fault as fault:
            is_over = True
            kind = "load" if "load" in request and fault.kind in ("crash", "exit") else fault.kind
            answer = {"fault": kind, "detail": fault.detail}
            # A program is in an unknown state, and a loader without its game goes on.
            if agent is not None:
                if isinstance(agent, HostedProgram) or "load" in request:
                    agent.kill()
                else:
                    with suppress(Fault):
                        agent.end()
                agent.drain(everything=True)
                answer["output"] = str(agent.output)
        except OSError as error:
            answer = {"fault": "load", "detail": f"It cannot be started: {error.strerror or error}."}
        if agent is not None:
            agent.drain(everything=True)
            answer["printed"] = agent.output.n_bytes
        _write(1, json.dumps(answer))
    if agent is not None:
        agent.kill()


def _start(settings: dict[str, object]) -> HostedProgram | HostedSubmission:
    memory = float(str(settings["memory"]))
    if settings["kind"] == "program":
        command = settings["target"]
        assert isinstance(command, list)
        return HostedProgram([str(word) for word in command], memory)
    return HostedSubmission(str(settings["kind"]), str(settings["target"]), memory)


if __name__ == "__main__":
    main()
