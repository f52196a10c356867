"""Foreign agents as Sapper sees them: made by name, asked like any other, killed when they break a limit.

- ``cs50:path/minesweeper.py``: an unmodified submission to CS50 AI.
- ``uci:path/MyAI.py``: one to UC Irvine's CS 171.
- ``program:./player --fast``: a program that speaks the line protocol.
- ``process:mymodule:make``: an agent as Sapper has them, in a process of its own.

Whatever they do wrong raises `Forfeit`, which loses them the game and nothing else. The process gets positions as text;
the mines are never in it.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import finalize

from sapper.agents.agent import Decision
from sapper.agents.foreign.files import FILES, digest, find_main, find_program
from sapper.agents.foreign.protocol import JSON, WORDS, NotAMove, Protocol, read_answer
from sapper.errors import Forfeit, InputError
from sapper.inference.reasoning.single import CLAIM, Deduction
from sapper.observation import EXPLODED
from sapper.rules import Rules
from sapper.words import count

if TYPE_CHECKING:
    from typing import Any

    import numpy as np

    from sapper.agents.agent import Agent, Maker
    from sapper.agents.foreign.protocol import ForeignMove
    from sapper.observation import Observation
    from sapper.topology import Cell


KINDS = {
    "cs50": "An unmodified submission to CS50 AI, in a process of its own.",
    "uci": "An unmodified submission to UC Irvine's CS 171, in a process of its own.",
    "program": "A program that speaks the line protocol (sapper agents --protocol).",
    "process": "An agent of a Python module, in a process of its own.",
}
LIMITS = "SAPPER_LIMITS"  # the environment variable; worker processes inherit it
# What a foreign process gets of the environment: nothing that is a secret of ours.
_HOST = str(Path(__file__).with_name("host.py"))
_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "JAVA_HOME", "PYTHONPATH", "VIRTUAL_ENV")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a foreign agent may take: seconds of processor time (ten times as much on the clock), megabytes."""

    load: float = 20.0
    move: float = 5.0
    game: float = 60.0
    memory: float = 1024.0

    @classmethod
    def parse(cls, text: str) -> Limits:
        """Read limits as words; the others are as usual.

        >>> Limits.parse("move=1 memory=512")
        Limits(load=20.0, move=1.0, game=60.0, memory=512.0)
        """
        found = {}
        for word in text.split():
            name, _, number = word.partition("=")
            try:
                found[name] = float(number)
                if name not in cls.__dataclass_fields__ or not 0 < found[name] <= 1e6:
                    raise ValueError
            except ValueError:
                raise InputError(
                    f"{word[:40]!r} is not a limit; write load=20, move=5 or game=60 (seconds), or memory=1024 (MB)."
                ) from None
        return cls(**found)

    @classmethod
    def usual(cls) -> Limits:
        """Return the limits of the environment variable."""
        return cls.parse(os.environ.get(LIMITS, ""))


def is_foreign(name: str) -> bool:
    """Whether a name is that of an agent in a process of its own.

    >>> is_foreign("cs50:minesweeper.py"), is_foreign("mymodule:make")
    (True, False)
    """
    return name.partition(":")[0] in KINDS and ":" in name


def foreign_maker(name: str) -> Maker:
    """Return what makes a foreign agent; raise `InputError` if there is no such file."""
    _command_of(name)

    def make(rng: np.random.Generator) -> Agent:
        return ForeignAgent(name, int(rng.integers(2**31)))

    return make


def about_foreign(name: str) -> str:
    """Describe a foreign agent."""
    return KINDS[name.partition(":")[0]]


def digest_of(name: str) -> int:
    """Return a number that changes with the files of a foreign agent, as far as they are known."""
    kind, target = _command_of(name)
    paths = [Path(word) for word in target] if isinstance(target, list) else [Path(str(target))]
    if kind == "process":
        module = str(target).partition(":")[0].replace(".", "/")
        paths = [Path(f"{module}.py"), *sorted(Path(module).glob("*.py"))]
    return digest(paths)


def _command_of(name: str) -> tuple[str, str | list[str]]:
    """Return the kind and what to start: a file or folder, a module, or the words of a command."""
    if not hasattr(os, "fork"):
        raise InputError("Agents in processes of their own need Linux or macOS.")
    kind, _, target = name.partition(":")
    if kind == "program":
        try:
            words = shlex.split(target)
        except ValueError as error:
            raise InputError(f"{target[:60]!r} is not a command: {error}.") from None
        if len(words) == 1 and Path(words[0]).is_dir():
            words = [str(find_program(Path(words[0])))]
        if words and Path(words[0]).is_file() and not os.access(words[0], os.X_OK):
            raise InputError(f"{words[0][:200]} may not be executed: chmod +x makes it a program.")
        if not words or shutil.which(words[0]) is None:
            raise InputError(f"There is no program {(words or [''])[0][:60]!r} that can be run.")
        return kind, words
    if kind == "process":
        return kind, target
    if not target:
        raise InputError(f"{kind}: needs a file, as in {kind}:{FILES[kind][0]}.")
    return kind, str(find_main(kind, Path(target)).resolve())


class Host:
    """The process that a foreign agent runs under; see `host`."""

    def __init__(self, name: str, limits: Limits, hash_seed: int = 0) -> None:
        kind, target = _command_of(name)
        self._scratch = tempfile.mkdtemp(prefix="sapper-") if kind in FILES else ""
        settings = {
            "kind": {"process": "make"}.get(kind, kind), "target": target, "memory": limits.memory,
            "scratch": self._scratch,
        }  # fmt: skip
        self.limits = limits
        self.is_alive = True  # whether it can play another game
        self._process = subprocess.Popen(
            [sys.executable, "-P", _HOST, json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={key: os.environ[key] for key in _PASSED_ON if key in os.environ}
            | {"PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout

    def ask(self, **request: object) -> dict[str, Any]:
        """Send a request and return its answer, or raise `Forfeit`."""
        try:
            self._requests.write(f"{json.dumps(request)}\n".encode())
            self._requests.flush()
            # The host keeps the limits; it runs no foreign code, so it answers unless somebody ends it.
            line = self._answers.readline()
        except OSError:
            line = b""
        if not line:
            self.is_alive = False
            raise Forfeit("crash", "The process that watches it was ended.")
        answer: dict[str, Any] = json.loads(line)
        if "fault" in answer:
            self.is_alive = not answer.get("dead", False)
            raise Forfeit(answer["fault"], answer["detail"], answer.get("output", ""))
        return answer

    def load(self) -> str:
        """Start the agent; return what it said."""
        return str(self.ask(load=self.limits.load)["line"])

    def kill(self) -> None:
        """End the process and all below it, which notice that nobody asks any more."""
        with suppress(OSError):
            self._requests.close()
        self._answers.close()
        try:
            self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._scratch, ignore_errors=True)  # if it could not


_Key = tuple[str, int, Limits, int]


class _Pool:
    """Hosts without a game, so that a submission is loaded once for many games."""

    MOST = 8
    SLOW = 1.0  # seconds on the clock after which what cannot be loaded is not tried again

    def __init__(self) -> None:
        self._idle: dict[_Key, tuple[Host, Protocol]] = {}
        self._failed: dict[_Key, str] = {}
        finalize(self, _Pool._kill_all, self._idle)

    def take(self, name: str, limits: Limits, hash_seed: int) -> tuple[_Key, tuple[Host, Protocol]]:
        """Return a host with the agent loaded, and the key to give it back with."""
        try:
            key = name, digest_of(name), limits, hash_seed
        except InputError as error:  # it was there when its name was read
            raise Forfeit("load", str(error)) from None
        if key in self._idle:
            return key, self._idle.pop(key)
        if key in self._failed:
            raise Forfeit("load", self._failed[key])
        began = time.monotonic()
        try:
            return key, self._start(name, limits, hash_seed)
        except Forfeit as fault:
            if time.monotonic() - began > self.SLOW:
                self._failed[key] = fault.detail
            raise

    @staticmethod
    def _start(name: str, limits: Limits, hash_seed: int) -> tuple[Host, Protocol]:
        made = Host(name, limits, hash_seed)
        try:
            answer = made.load()
            return made, Protocol.greeted(answer) if name.startswith("program:") else Protocol("text")
        except NotAMove as error:
            made.kill()
            raise Forfeit("load", str(error)) from None
        except BaseException:
            made.kill()
            raise

    def give_back(self, key: _Key, hosted: tuple[Host, Protocol], well: bool) -> None:
        """Keep a host for the next game, or end it."""
        if not well or key in self._idle:
            hosted[0].kill()
            return
        self._idle[key] = hosted
        while len(self._idle) > self.MOST:
            self._idle.pop(next(iter(self._idle)))[0].kill()

    @staticmethod
    def _kill_all(idle: dict[Any, tuple[Host, Protocol]]) -> None:
        while idle:
            idle.popitem()[1][0].kill()


@lru_cache(maxsize=1)
def _pool() -> _Pool:
    return _Pool()


class _Session:
    """One game of a foreign agent, or questions; when nobody holds it any more, its process is free for the next."""

    def __init__(self, name: str, limits: Limits, hash_seed: int) -> None:
        key, self.hosted = _pool().take(name, limits, hash_seed)
        self.well = [True]
        self._finalizer = finalize(self, _give_back, key, self.hosted, self.well)
        self.limits = limits
        self.cpu = 0.0

    def begin(self, rules: Rules, seed: int) -> None:
        """Begin a game."""
        host_, protocol = self.hosted
        try:
            host_.ask(game=protocol.game(rules, seed), seed=seed, seconds=self.limits.game)
        except Forfeit:
            self.well[0] = False
            raise


def _give_back(key: _Key, hosted: tuple[Host, Protocol], well: list[bool]) -> None:
    host_, protocol = hosted
    try:
        if well[0]:
            host_.ask(end=protocol.end("finished"))
    except Forfeit:
        well[0] = False
    _pool().give_back(key, hosted, well[0])


def _rules_of(observation: Observation) -> Rules:
    """Return rules that a position may come from: an agent sees no others."""
    board = observation.topology
    known = observation.total is not None
    mines = observation.total if observation.total is not None else 0
    return Rules.on(board, mines, first_click="any", total_known=known, channel=observation.channel)


_spent = [0.0]


def foreign_seconds() -> float:
    """Return the processor time that the foreign agents of this process have taken so far."""
    return _spent[0]


class ForeignAgent:
    """An agent in a process of its own.

    claims: what it claims now, as (mines, safe cells).
    cpu: processor time of its last answer, in seconds.
    overlooks: whether it has never asked for some cells that are open, as UC Irvine's have to.
    printed: bytes that it has printed in this game.
    hash_seed: decides the order of Python's sets of strings, and comes with a process of its own.
    noted: what it did beside playing, as kind → sentence: snoops, mutates.
    """

    def __init__(self, name: str, seed: int = 0, *, limits: Limits | None = None, rules: Rules | None = None) -> None:
        self.name = name
        self.hash_seed = 0
        self.limits = limits or Limits.usual()
        self.claims: tuple[frozenset[Cell], frozenset[Cell]] = frozenset(), frozenset()
        self.overlooks = False
        self.cpu = 0.0
        self.printed = 0
        self.noted: dict[str, str] = {}
        self._seed = seed
        self._rules = rules
        self._session: _Session | None = None
        self._flagged: set[Cell] = set()

    def begin(self, rules: Rules) -> None:
        """Note the rules of the game, which the process is told."""
        self._rules = rules

    @property
    def reads_words(self) -> bool:
        """Whether it is a program that answers questions in words; starts it to see."""
        if self._session is None:
            self._session = _Session(self.name, self.limits, self.hash_seed)
        found = self._session.hosted[1].form == WORDS
        if not found:
            self._session = None  # its first game begins with the first position
        return found

    def answer(self, kind: str, question: str) -> str:
        """Return its answer to a question if it `reads_words`; raise `Forfeit` for whatever is wrong with it."""
        if self._session is None:
            self._session = _Session(self.name, self.limits, self.hash_seed)
        host_, protocol = self._session.hosted
        try:
            found = host_.ask(move=protocol.question(kind, question), seconds=self.limits.move)
            return read_answer(str(found["line"]))
        except NotAMove as error:
            raise Forfeit("protocol", str(error)) from None
        except Forfeit:
            self._session.well[0] = False
            self._session = None
            raise

    def decide(self, observation: Observation) -> Decision:
        """Ask the process for a move; raise `Forfeit` for whatever is wrong with it."""
        try:
            return self._decide(observation)
        except Forfeit as fault:
            if self._session is not None:
                # A program that does not keep to the protocol may do anything next.
                confused = fault.kind == "protocol" and self.name.startswith("program:")
                self._session.well[0] = self._session.hosted[0].is_alive and not confused
                self._session = None
            raise

    def _decide(self, observation: Observation) -> Decision:
        if self._session is None:
            session = _Session(self.name, self.limits, self.hash_seed)
            session.begin(self._rules or _rules_of(observation), self._seed)
            self._session = session
        host_, protocol = self._session.hosted
        left = min(self.limits.move, self.limits.game - self._session.cpu)
        if left <= 0:
            raise Forfeit("hang", f"It took more than the {self.limits.game:g} s of processor time of a game.")
        answer = host_.ask(move=protocol.position(observation), seconds=left)
        self.cpu, self.printed = float(answer.get("cpu", 0.0)), int(answer["printed"])
        self.noted = answer.get("noted", {})
        self._session.cpu += self.cpu
        _spent[0] += self.cpu
        reader = protocol if self.name.startswith("program:") else Protocol(JSON)
        try:
            move = reader.move(str(answer["line"]))
        except NotAMove as error:
            raise Forfeit("protocol", str(error)) from None
        return self._read(observation, move)

    def _read(self, observation: Observation, move: ForeignMove) -> Decision:
        if move.error is not None:
            raise Forfeit("crash", f"It gave up: {move.error.rstrip('.')}.")
        for claimed in (*move.mines, *move.safe):
            if not _is_on(observation, claimed):
                raise Forfeit("illegal", f"It claims something about {claimed}, {_outside(observation)}.")
        self.claims = frozenset(move.mines), frozenset(move.safe)
        self.overlooks = move.overlooks
        cell = move.cell
        if cell is not None and not _is_on(observation, cell):
            raise Forfeit("illegal", f"It opens {cell}, {_outside(observation)}.")
        if cell is not None and not observation.closed[cell] and observation.channel.kind == "exact":
            raise Forfeit("illegal", f"It opens {cell}, which is open already.")
        knows_all = cell is None and self._knows_all(observation)
        # In a classic game, an agent that knows all mines opens what is left; if nothing is, some of them are none.
        has_all = knows_all and (self._rules is None or self._rules.opened_mine == "explodes")
        if cell is None and not has_all:
            n_left = int(observation.closed.sum())
            but = ", and takes all that are left for mines" if knows_all else ""
            raise Forfeit("none", f"It makes no move although {count(n_left, 'cell is', 'cells are')} hidden{but}.")
        new = sorted(one for one in self.claims[0] - self._flagged if observation.closed[one] and one != cell)
        self._flagged.update(new)
        found = tuple(Deduction(one, True, CLAIM, (), "the agent says so") for one in new)
        # Written as a sentence, whatever the program writes.
        reason = f"{move.reason.strip().rstrip('.') or f'Opened {cell}: it gave no reason'}."
        return Decision(cell, move.risk, reason, found, has_all)

    def _knows_all(self, observation: Observation) -> bool:
        """Whether its claims and what went off are all the mines there are."""
        n_gone = int((observation.cells == EXPLODED).sum())
        closed = {cell for cell in self.claims[0] if observation.closed[cell]}
        if observation.total is None:
            return len(closed) == int(observation.closed.sum())
        return len(closed) + n_gone == observation.total


def _is_on(observation: Observation, cell: Cell) -> bool:
    return 0 <= cell[0] < observation.rows and 0 <= cell[1] < observation.cols


def _outside(observation: Observation) -> str:
    return f"outside the board of {count(observation.rows, 'row')} and {count(observation.cols, 'column')}"
