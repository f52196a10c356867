"""The process that a foreign agent runs under: it starts the agent, passes lines on, and ends what breaks a limit.

This file is run as a script and needs the standard library alone. No foreign code runs in this process itself, so it
can answer for it. A program is started once and plays one game after the other. A Python submission is loaded once, in
a process of its own, which forks for every game: so each game starts from the same state, however the last one ended.

    Sapper ── host ──┬── program
                     └── loader ── game, forked for each

Requests and answers are JSON lines. Requests: ``{"load": seconds}``, ``{"game": line, "seed": n, "seconds": limit}``,
``{"move": line, "seconds": limit}``, ``{"end": line}``. Each is answered, with ``{"line": …}`` or with
``{"fault": kind, "detail": sentence}``. Limits are in seconds of processor time, because on a busy machine a second on
the clock says little; the clock may show `PATIENCE` times as much. A submission that sleeps, waits or has stopped
itself uses up its time all the same.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sapper.agents.foreign.loader import COARSE, Fault, Lines, adopt_orphans, become_loader, write_line
    from sapper.agents.foreign.scratch import Scratch
    from sapper.agents.foreign.watching import cpu_seconds, end_orphans, is_idle, kill_group, megabytes_held
else:  # a script, beside these files
    sys.path.insert(0, str(Path(__file__).parent))
    from loader import COARSE, Fault, Lines, adopt_orphans, become_loader, write_line
    from scratch import Scratch
    from watching import cpu_seconds, end_orphans, is_idle, kill_group, megabytes_held

    sys.path.pop(0)

PATIENCE = 10.0  # seconds on the clock for each second of processor time that is allowed
MOST_KEPT = 4_000  # characters of output that are kept for messages
_TICK = 0.05  # seconds between two looks at a process that thinks


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

    counts_idle = False  # whether time counts in which it does nothing
    task = "answered"  # what it is waited for

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

    def has_ended(self) -> bool:
        """Whether the process ended although others, which it started, hold its output open."""
        return False

    def kill(self) -> None:
        """End every process of the agent."""
        raise NotImplementedError

    def goes_on(self) -> bool:
        """End the game after a fault; return whether another can follow."""
        return False  # a program is in an unknown state

    def wait(self, seconds: float) -> str:
        """Return the next line of the agent; raise `Fault` if it takes too long, takes too much memory, or ends."""
        began, used = time.monotonic(), None
        looked, idle = began, 0.0
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
            if not ready and self.has_ended():
                raise self.ended()
            # Only what takes its time is looked at: most answers come before the first tick.
            now, clock = cpu_seconds(self.thinking), time.monotonic()
            if used is None:
                used = now
            elif now is not None:
                idle += (clock - looked) * (self.counts_idle and now - used == self.cpu and is_idle(self.thinking))
                self.cpu = now - used
            looked = clock
            if self.cpu + idle > seconds or clock - began > PATIENCE * seconds:
                raise self.too_late(seconds, idle, clock - began)
            if megabytes_held(self.thinking) > self.memory:
                raise Fault("memory", f"It took more than {self.memory:g} MB of memory.")
        return line

    def too_late(self, seconds: float, idle: float, passed: float) -> Fault:
        """Return what to say when the time is up."""
        how = f"{self.cpu:.1f} s of processor time" if self.cpu > seconds else f"{passed:.1f} s"
        why = ", in which it computed nothing" if idle > seconds / 2 else ""
        return Fault("hang", f"It had not {self.task} after {how}{why}; the limit is {seconds:g} s.")

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
            write_line(self.requests, line)
        except OSError:
            raise self.ended() from None

    def ended(self) -> Fault:
        """Return why the program ended."""
        try:
            status = self.process.wait(5.0)
        except subprocess.TimeoutExpired:
            return Fault("protocol", "It closed its output.")
        return _explain_status(status)

    def has_ended(self) -> bool:
        """Whether the program ended."""
        return self.process.poll() is not None

    def too_late(self, seconds: float, idle: float, passed: float) -> Fault:
        """Return what to say when the time is up, with the usual reason for silence."""
        fault = super().too_late(seconds, idle, passed)
        hint = " Answers must be flushed." if self.cpu < seconds / 2 else ""
        return Fault(fault.kind, f"{fault.detail}{hint}")

    def kill(self) -> None:
        """End the program."""
        kill_group(self.process.pid)
        self.process.wait()
        end_orphans()

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
        self._check_silence()
        self.say(line)
        answer = self.wait(seconds)
        passed = time.monotonic() - began
        return {"line": answer, "cpu": self.cpu if passed > COARSE and self.cpu else passed}

    def end(self, line: str) -> None:
        """End a game."""
        self.say(line)

    def _check_silence(self) -> None:
        """Raise `Fault` if there is an answer to nothing, which would be taken for the next one."""
        if select.select([self.answers.source], [], [], 0)[0]:
            self.answers.fill()
        if (extra := self.answers.take()) is not None:
            raise Fault("protocol", f"It answered {extra[:80]!r} without being asked.")


class HostedSubmission(HostedAgent):
    """A Python submission behind an adapter: a loader that forks for every game, in a folder of its own."""

    counts_idle = True

    def __init__(self, kind: str, target: str, memory: float, scratch: str) -> None:
        super().__init__(memory)
        self._scratch: Scratch | None = None
        if kind != "make":
            self._scratch = Scratch(Path(target).parent, Path(scratch))
            os.chdir(self._scratch.path)
            target = str(self._scratch.path / Path(target).name)
        its_requests, self.requests = os.pipe()
        answers, its_answers = os.pipe()
        self.printed, its_output = os.pipe()
        self.loader = os.fork()
        if not self.loader:
            for descriptor in (self.requests, answers, self.printed):
                os.close(descriptor)
            become_loader(kind, target, memory, its_requests, its_answers, its_output)
        for descriptor in (its_requests, its_answers, its_output):
            os.close(descriptor)
        self.answers = Lines(answers)
        self.thinking = self.loader
        self.game = 0  # the process of the game
        self._status: int | None = None  # with which the loader ended

    def say(self, line: str) -> None:
        """Send a line."""
        try:
            write_line(self.requests, line)
        except OSError:
            raise self.ended() from None

    def ended(self) -> Fault:
        """Return why the loader ended."""
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self.loader, 0)[1])
        return _explain_status(self._status)

    def goes_on(self) -> bool:
        """End the game; a loader without one goes on."""
        try:
            self.end()
        except Fault:
            return False
        return self._status is None

    def kill(self) -> None:
        """End the loader and its game."""
        for pid in (self.game, self.loader):
            if pid:
                kill_group(pid)
        with suppress(OSError):
            os.waitpid(self.loader, 0)
        end_orphans()
        if self._scratch is not None:
            self._scratch.remove()

    def load(self, seconds: float) -> str:
        """Wait until the submission is loaded."""
        self.task = "been imported"
        line = str(self._receive(seconds)["line"])
        self.task = "answered"
        return line

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
            kill_group(self.game)
            while "over" not in json.loads(self.wait(PATIENCE)):
                pass
            self._clean()

    def _receive(self, seconds: float) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.wait(seconds))
        if "over" in found:
            self._clean()
            raise _explain_status(int(str(found["over"])))
        if "fault" in found:
            raise Fault(str(found["fault"]), str(found["detail"]))
        return found

    def _clean(self) -> None:
        """Undo what a game has left."""
        self.game = 0
        end_orphans(self.loader)
        if self._scratch is not None:
            self._scratch.restore()


def _explain_status(status: int) -> Fault:
    if status == -signal.SIGXCPU:
        return Fault("hang", "It took more processor time than a game may take.")
    if status == -signal.SIGKILL:
        return Fault("crash", "Its process was killed: by itself, or by the system because memory ran out.")
    if status == -signal.SIGSEGV:
        return Fault("crash", "Its process ended by the signal SIGSEGV, as it does in a recursion without end.")
    if status < 0:
        with suppress(ValueError):
            return Fault("crash", f"Its process ended by the signal {signal.Signals(-status).name}.")
    if status > 0:
        return Fault("crash", f"Its process ended with status {status}.")
    return Fault("exit", "It ended its own process.")


# -- the host itself ------------------------------------------------------------------------------------------

_requests = Lines(0)


def main() -> None:
    """Serve requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    adopt_orphans()
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
            answer = {"fault": "load" if "load" in request else fault.kind, "detail": fault.detail}
            if agent is not None:
                goes_on = "load" not in request and agent.goes_on()
                if not goes_on:
                    agent.kill()
                agent.drain(everything=True)
                answer |= {"output": str(agent.output), "printed": agent.output.n_bytes, "dead": not goes_on}
                agent = agent if goes_on else None
        except OSError as error:
            answer = {"fault": "load", "detail": f"It cannot be started: {error.strerror or error}."}
        if agent is not None:
            agent.drain(everything=True)
            answer["printed"] = agent.output.n_bytes
        write_line(1, json.dumps(answer))
    if agent is not None:
        agent.kill()
    shutil.rmtree(settings["scratch"], ignore_errors=True)


def _start(settings: dict[str, object]) -> HostedProgram | HostedSubmission:
    memory = float(str(settings["memory"]))
    if settings["kind"] == "program":
        command = settings["target"]
        assert isinstance(command, list)
        return HostedProgram([str(word) for word in command], memory)
    return HostedSubmission(str(settings["kind"]), str(settings["target"]), memory, str(settings["scratch"]))


if __name__ == "__main__":
    main()
