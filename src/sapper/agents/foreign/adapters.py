"""Adapters between the line protocol and the interfaces of courses; run in the process of a submission.

They need the standard library alone (`Make` loads Sapper too) and know a position only as the protocol writes it. Every
adapter is called with the line that begins a game and a seed, and returns a player with a method ``answer`` that takes
the line of a position and returns a move as the protocol's JSON has it.

CS50 (`Cs50`): ``MinesweeperAI(height, width)``; ``add_knowledge(cell, count)`` for each cell that opened, one after the
other; ``make_safe_move()``, then ``make_random_move()``, each a cell or None; ``mines`` and ``safes`` are its claims.
UC Irvine (`Uci`): ``MyAI(rowDimension, colDimension, totalMines, startX, startY)``; ``getAction(number)`` returns an
``Action``; X is the column and Y the row. It has no word for a mine that went off, so it learns -1 there, as it does
after a flag.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import types
from collections.abc import Iterable
from copy import copy
from enum import Enum
from importlib.machinery import SourceFileLoader
from pathlib import Path

_HIDDEN = "#F"


class ReceivedPosition:
    """A position as the protocol writes it: ``position 01#/02#/02# 2``."""

    def __init__(self, line: str) -> None:
        words = line.split()[1:]
        self.text = " ".join(words)
        self.rows = words[0].split("/")

    def cells(self) -> list[tuple[int, int]]:
        """Return every cell, row by row."""
        return [(row, col) for row, line in enumerate(self.rows) for col in range(len(line))]

    def is_hidden(self, cell: tuple[int, int]) -> bool:
        """Whether a cell is neither open nor exploded."""
        return self.rows[cell[0]][cell[1]] in _HIDDEN

    def shows(self, cell: tuple[int, int]) -> str:
        """Return what a cell shows."""
        return self.rows[cell[0]][cell[1]]


class Wrong(Exception):
    """What a submission answers is not what its course asks for."""


def load(kind: str, target: str) -> type[SubmittedPlayer] | object:
    """Load a submission; return what makes a player for a game."""
    return {"cs50": Cs50, "uci": Uci, "make": Make}[kind](target)


class SubmittedPlayer:
    """Plays one game."""

    def answer(self, line: str) -> dict[str, object]:
        """Return the move for a position."""
        raise NotImplementedError


# What a submission did beside playing: kind → sentence.
NOTED: dict[str, str] = {}
# Python reports such calls. What looks into the interpreter counts where a submission calls it itself, because
# libraries do that too; what reaches outside counts through a library as well.
_LOOKS = frozenset({"gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._getframe", "sys._current_frames"})
_REACHES = frozenset({
    "socket.connect", "subprocess.Popen", "os.system", "os.kill", "os.killpg", "os.fork", "os.remove", "os.rename",
    "ctypes.dlopen", "open",
})  # fmt: skip


def _watch(folder: str) -> None:
    """Note the watched calls that come from the files of a folder."""
    is_looking = False

    def look(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal is_looking
        if is_looking or (event not in _LOOKS and event not in _REACHES):
            return
        if event == "open" and not _writes(arguments):
            return
        is_looking = True
        try:
            frame: types.FrameType | None = sys._getframe(1)
            # What a module does while it is imported is its own affair.
            while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
                if frame.f_code.co_filename.startswith(folder):
                    what = f"writes a file ({str(arguments[0])[-60:]})" if event == "open" else f"calls {event}"
                    NOTED.setdefault("snoops", f"It {what}.")
                    break
                frame = frame.f_back if event in _REACHES else None
        finally:
            is_looking = False

    sys.addaudithook(look)


def _writes(arguments: tuple[object, ...]) -> bool:
    """Whether a file is opened for writing, rather than a descriptor or a device."""
    path, flags = arguments[0], arguments[2]
    is_file = isinstance(path, (str, bytes)) and not str(path).startswith("/dev/")
    return is_file and isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


def _load_file(target: str, wanted: str) -> object:
    path = Path(target)
    _watch(str(path.parent.resolve()))
    sys.path.insert(0, str(path.parent.resolve()))
    sys.meta_path.append(_Absent())  # type: ignore[arg-type]
    if b"\0" in path.read_bytes():
        raise Wrong(f"{path.name} is not a Python file")
    # A student may be called like a library.
    is_free = path.stem.isidentifier() and path.stem not in sys.stdlib_module_names
    name = path.stem if is_free else wanted.lower()
    spec = importlib.util.spec_from_file_location(name, path, loader=SourceFileLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, wanted):
        raise Wrong(f"{path.name} has no {wanted}")
    return getattr(module, wanted)


class _Absent:
    """Finds what is imported beside an agent and not there: drawing libraries, and the modules of a course."""

    NAMES = ("pygame", "tkinter", "matplotlib")

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Return a module that takes everything, or that of the course."""
        del path, target
        is_known = name.split(".")[0] in self.NAMES or name in _COURSE
        return importlib.util.spec_from_loader(name, self) if is_known else None  # type: ignore[arg-type]

    def create_module(self, spec: object) -> types.ModuleType:
        """Make the module."""
        name: str = spec.name  # type: ignore[attr-defined]
        if name not in _COURSE:
            return NotInstalled(name)
        module = types.ModuleType(name)
        setattr(module, name, _COURSE[name])
        return module

    def exec_module(self, module: types.ModuleType) -> None:
        """Leave it as it is."""


class NotInstalled(types.ModuleType):
    """A module, function or value that can be called and asked for anything, and does nothing."""

    __path__: list[str] = []  # noqa: RUF012 - as the import system wants it

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return NotInstalled(name)

    def __call__(self, *_: object, **__: object) -> object:
        """Take everything."""
        return NotInstalled("result")


# -- CS50 -----------------------------------------------------------------------------------------------------


class Cs50:
    """Submissions to Harvard's CS50 AI."""

    def __init__(self, target: str) -> None:
        self._make = _load_file(target, "MinesweeperAI")

    def __call__(self, line: str, seed: int) -> SubmittedPlayer:
        """Make the player of a game."""
        del seed
        _, rows, cols = line.split()[:3]
        return _Cs50Player(self._make(height=int(rows), width=int(cols)))  # type: ignore[operator]


class _Cs50Player(SubmittedPlayer):
    def __init__(self, ai: object) -> None:
        self._ai = ai
        self._seen: set[tuple[int, int]] = set()
        self._opened: tuple[int, int] | None = None

    def answer(self, line: str) -> dict[str, object]:
        """Teach the agent what has opened, the cell that it chose first, and ask for its move."""
        position, ai = ReceivedPosition(line), self._ai
        new = [cell for cell in position.cells() if cell not in self._seen and not position.is_hidden(cell)]
        new.sort(key=lambda cell: cell != self._opened)
        for cell in new:
            self._seen.add(cell)
            if position.shows(cell) == "*":
                ai.mark_mine(cell)  # type: ignore[attr-defined]
            elif position.shows(cell) != ".":
                ai.add_knowledge(cell, int(position.shows(cell)))  # type: ignore[attr-defined]
        reason = "its safe move"
        was = self._memory()
        cell = ai.make_safe_move()  # type: ignore[attr-defined]
        changed = [name for name, value in self._memory().items() if value != was[name]]
        if changed:
            NOTED.setdefault("mutates", f"Its make_safe_move changes {' and '.join(changed)}.")
        if cell is None:
            reason = "its random move"
            cell = ai.make_random_move()  # type: ignore[attr-defined]
        claims: dict[str, object] = {"mines": _cells(ai.mines, "mines"), "safe": _cells(ai.safes, "safes")}  # type: ignore[attr-defined]
        if cell is None:
            return {"stop": True, "reason": "It has neither a safe nor a random move."} | claims
        self._opened = _cell(cell, "The move")
        risk = {"risk": 0.0} if self._opened in ai.safes else {}  # type: ignore[attr-defined]
        return {"open": self._opened, "reason": f"Opened {self._opened}: {reason}."} | risk | claims

    def _memory(self) -> dict[str, object]:
        """Return what make_safe_move may read and not change; what changes within a sentence is not seen."""
        found: dict[str, object] = {
            name: copy(getattr(self._ai, name, None)) for name in ("moves_made", "mines", "safes")
        }
        return found | {"knowledge": [*map(id, getattr(self._ai, "knowledge", None) or ())]}


def _cells(found: object, name: str) -> list[tuple[int, int]]:
    if not isinstance(found, Iterable):
        raise Wrong(f"Its {name} are {found!r:.60}, not a set of cells")
    return sorted(_cell(cell, f"A cell in its {name}") for cell in found)


def _cell(found: object, what: str) -> tuple[int, int]:
    if isinstance(found, tuple) and len(found) == 2:
        try:
            return found[0].__index__(), found[1].__index__()
        except AttributeError:
            pass
    raise Wrong(f"{what} is {found!r:.60}, not a tuple (row, column) of whole numbers")


# -- UC Irvine ------------------------------------------------------------------------------------------------


class AI:
    """What a submission derives from."""

    class Action(Enum):
        """The moves there are."""

        LEAVE = 0
        UNCOVER = 1
        FLAG = 2
        UNFLAG = 3

    def getAction(self, number: int) -> Action:  # noqa: N802 - the course's name
        """Return the next action."""
        raise NotImplementedError


class Action:
    """A move and its cell: X is the column, Y the row."""

    def __init__(self, move: AI.Action, x: int = -1, y: int = -1) -> None:
        self._move = move
        self._x = x
        self._y = y

    def getMove(self) -> AI.Action:  # noqa: N802
        """Return the kind of move."""
        return self._move

    def getX(self) -> int:  # noqa: N802
        """Return the column."""
        return self._x

    def getY(self) -> int:  # noqa: N802
        """Return the row."""
        return self._y


# Used where a submission does not bring them.
_COURSE = {"AI": AI, "Action": Action}


class Uci:
    """Submissions to UC Irvine's CS 171."""

    def __init__(self, target: str) -> None:
        self._make = _load_file(target, "MyAI")

    def __call__(self, line: str, seed: int) -> SubmittedPlayer:
        """Make the player of a game."""
        _, rows, cols, mines = line.split()[:4]
        del seed
        return _UciPlayer(self._make, int(rows), int(cols), int(mines))


class _UciPlayer(SubmittedPlayer):
    def __init__(self, make: object, rows: int, cols: int, mines: int) -> None:
        self._make = make
        self._size = rows, cols
        self._mines = mines
        self._known: set[tuple[int, int]] = set()  # cells whose numbers it was told
        self._ai: object = None
        self._opened: tuple[int, int] | None = None
        self._flags: set[tuple[int, int]] = set()

    def answer(self, line: str) -> dict[str, object]:
        """Give the agent the number of its last cell; flags and cells that are open already need no new position."""
        position = ReceivedPosition(line)
        rows, cols = self._size
        if self._ai is None:
            open_cells = [cell for cell in position.cells() if position.shows(cell).isdigit()]
            if not open_cells:
                start = rows // 2, cols // 2
                return {"open": start, "reason": f"Opened {start}: the first cell is given."}
            self._opened = open_cells[0]
            self._ai = self._make(rows, cols, self._mines, self._opened[1], self._opened[0])  # type: ignore[operator]
        number = -1
        if self._opened is not None and position.shows(self._opened).isdigit():
            number = int(position.shows(self._opened))
            self._known.add(self._opened)
        for _ in range(4 * rows * cols + 4):
            action = self._ai.getAction(number)  # type: ignore[attr-defined]
            if not hasattr(action, "getMove"):
                raise Wrong(f"Its getAction returned {action!r:.60}, not an Action")
            kind = getattr(action.getMove(), "name", str(action.getMove()))
            cell = (action.getY(), action.getX())
            if kind == "LEAVE":
                return {"stop": True, "mines": sorted(self._flags), "reason": "It left the game."}
            cell = _cell(cell, "The cell of its action")
            inside = 0 <= cell[0] < rows and 0 <= cell[1] < cols
            if kind in ("FLAG", "UNFLAG"):
                if not inside:
                    raise Wrong(f"It wants to flag {cell}, outside the board")
                (self._flags.add if kind == "FLAG" else self._flags.discard)(cell)
                number = -1
                continue
            # What a cascade has opened is known already.
            if inside and cell != self._opened and position.shows(cell).isdigit():
                self._opened, number = cell, int(position.shows(cell))
                self._known.add(cell)
                continue
            self._opened = cell
            reason = f"Opened {cell}: it uncovered the cell."
            # An agent asks for the cells that it wants to know, so it may decide without some that are open.
            overlooks = any(position.shows(one).isdigit() and one not in self._known for one in position.cells())
            return {"open": cell, "mines": sorted(self._flags), "reason": reason, "overlooks": overlooks}
        raise Wrong("It goes on with actions that change nothing")


# -- Sapper's own interface -----------------------------------------------------------------------------------


class Make:
    """Agents of a Python module, as ``module:make``."""

    def __init__(self, target: str) -> None:
        # The script's folder is not where Python would look.
        sys.path.insert(0, str(Path.cwd()))
        from sapper.agents.custom import find_maker

        self._make = find_maker(target)

    def __call__(self, line: str, seed: int) -> SubmittedPlayer:
        """Make the player of a game."""
        del line
        import numpy as np

        from sapper.agents.agent import make_checked

        return _MadePlayer(make_checked(self._make, np.random.default_rng(seed)))


class _MadePlayer(SubmittedPlayer):
    def __init__(self, agent: object) -> None:
        self._agent = agent
        self._mines: dict[tuple[int, int], None] = {}
        self._safe: dict[tuple[int, int], None] = {}

    def answer(self, line: str) -> dict[str, object]:
        """Have the agent decide."""
        from sapper.agents.agent import ask
        from sapper.errors import AgentFault
        from sapper.observation import Observation

        observation = Observation.parse(ReceivedPosition(line).text)
        before = str(observation)
        try:
            decision = ask(self._agent, observation)  # type: ignore[arg-type]
        except AgentFault:
            if str(observation) == before:
                raise
            raise AgentFault("It changed the observation that it was given") from None
        if str(observation) != before:
            NOTED.setdefault("mutates", "It changes the observation that it is given.")
        for found in decision.deductions:
            (self._mines if found.is_mine else self._safe)[found.cell] = None
        answer: dict[str, object] = {
            "reason": decision.reason,
            "mines": [*self._mines],
            "safe": [*self._safe],
        }
        if decision.p_mine is not None:
            answer["risk"] = float(decision.p_mine)
        if decision.cell is None or decision.has_all:
            return answer | {"stop": True}
        return answer | {"open": [int(part) for part in decision.cell]}
