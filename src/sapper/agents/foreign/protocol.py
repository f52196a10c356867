"""The line protocol between Sapper and a player in any language, in both directions.

`Protocol` writes what Sapper says and reads the answers; `serve` is the other side, with one of Sapper's own players.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sapper.errors import InputError, SapperError
from sapper.observation import Observation
from sapper.text import MOVE_TASK, PREAMBLE, QUESTION_STYLE, describe, parse_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sapper.agents.agent import Agent
    from sapper.rules import Rules
    from sapper.topology import Cell


ABOUT = """\
Sapper's line protocol, version 1

Sapper starts the program and writes lines to its standard input; the program
answers on its standard output, one line at a time, and flushes each. What it
writes to standard error is shown if it fails. Rows and columns count from 0.

Sapper writes                         the program answers
sapper 1                              text, json or words, then its name or not
game ROWS COLS MINES SEED RULES       nothing
position POSITION                     a move
end RESULT                            nothing
quit                                  nothing; it ends

game: MINES is -1 if the player may not know it. RULES is Sapper's one-line
  form, such as 9x9/10 survey; sapper sweep --help says more. SEED is for
  random choices: a game is repeated with the same seed.
position: the rows joined by /, with # for a hidden cell, 0 to 8 for a clue,
  F for a mine that the player claimed, * for a mine that went off and . for an
  open cell without a clue; then the number of mines, if it is known:
  01#/02#/02# 2
end: won, lost or finished. After it comes another game, or quit.

A move is one of
  open ROW COL    to open a hidden cell
  stop            if every mine is claimed and the game goes on (in a survey)
  error WORDS     to give the game up, with the reason
and after open or stop, in this order, as much as the program has to say:
  mine R,C ...    cells that it claims to be mines
  safe R,C ...    cells that it claims to be safe
  risk P          the chance that the cell it opens is a mine, from 0 to 1
  because WORDS   why, to the end of the line
  open 0 2 mine 1,2 2,2 safe 0,2 risk 0 because the 1 at (0, 1) is settled
Claims may be repeated, or made once. In a survey, claimed mines are flagged.

With json, the lines from game on are objects, and so are the answers:
  {"game": {"rows": 3, "cols": 3, "mines": 2, "seed": 0, "rules": "3x3/2"}}
  {"position": "01#/02#/02# 2", "rows": 3, "cols": 3, "mines": 2,
   "cells": [[0, 1, -1], [0, 2, -1], [0, 2, -1]]}
    (on one line; -1 hidden, -2 claimed, -3 went off, -4 no clue)
  {"open": [0, 2], "mines": [[1, 2]], "safe": [], "risk": 0, "reason": "..."}
  {"stop": true}   {"error": "..."}   {"end": "won"}   {"quit": true}

With words, for language models, the lines from game on are objects too, and a
position is a question in words; the answer is words or an object with them:
  {"kind": "move", "question": "Minesweeper. ...\\nBoard: 3 rows, ..."}
  The 2 at (2, 1) needs both mines. So open (0, 2)
  {"answer": "The 2 at (2, 1) ...\\nopen (0, 2)"}   {"error": "..."}
sapper benchmark-text asks questions of other kinds too: to name a safe cell, to
guess, to count the certain mines, to explain a certain cell.
"""

VERSION = "sapper 1"
TEXT, JSON, WORDS = "text", "json", "words"
FORMS = (TEXT, JSON, WORDS)
MOST_WORDS = 500  # characters of a reason that are kept


class NotAMove(SapperError):
    """A line that the protocol does not have."""


@dataclass(frozen=True, slots=True)
class ForeignMove:
    """What a program answers to a position: a cell, or None to stop."""

    cell: Cell | None
    mines: tuple[Cell, ...] = ()
    safe: tuple[Cell, ...] = ()
    risk: float | None = None
    reason: str = ""
    error: str | None = None  # why it gives up
    overlooks: bool = False  # whether it never asked for some cells that are open

    def __str__(self) -> str:
        words = ["stop" if self.cell is None else f"open {self.cell[0]} {self.cell[1]}"]
        for name, cells in (("mine", self.mines), ("safe", self.safe)):
            if cells:
                words.append(f"{name} {' '.join(f'{row},{col}' for row, col in cells)}")
        if self.risk is not None:
            words.append(f"risk {self.risk:.6g}")
        if self.reason:
            words.append(f"because {self.reason}")
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Protocol:
    """What Sapper says to a program, in the form that the program chose."""

    form: str

    @classmethod
    def greeted(cls, answer: str) -> Protocol:
        """Return the protocol that a program chose by its first answer."""
        form = (answer.split() or [""])[0]
        if form not in FORMS:
            raise NotAMove(f"It answered {answer[:60]!r} to {VERSION!r}, instead of text, json or words.")
        return cls(form)

    def game(self, rules: Rules, seed: int) -> str:
        """Return the line that begins a game.

        >>> from sapper.rules import Rules
        >>> Protocol("text").game(Rules.parse("beginner total-hidden"), 7)
        'game 9 9 -1 7 9x9/? total-hidden'
        """
        mines = rules.mines if rules.total_known else -1
        # The player may not learn from the rules what the position does not say.
        text = str(rules) if rules.total_known else re.sub(r"/\d+", "/?", str(rules), count=1)
        if self.form == TEXT:
            return f"game {rules.rows} {rules.cols} {mines} {seed} {text}"
        told = {"rows": rules.rows, "cols": rules.cols, "mines": mines, "seed": seed, "rules": text}
        return json.dumps({"game": told})

    def position(self, observation: Observation) -> str:
        """Return the line of a position."""
        if self.form == TEXT:
            return f"position {observation}"
        if self.form == WORDS:
            return self.question("move", f"{PREAMBLE}\n{describe(observation, QUESTION_STYLE)}\n{MOVE_TASK}")
        told = {
            "position": str(observation),
            "rows": observation.rows,
            "cols": observation.cols,
            "mines": -1 if observation.total is None else observation.total,
            "cells": observation.cells.tolist(),
        }
        return json.dumps(told)

    def question(self, kind: str, text: str) -> str:
        """Return the line of a question, which only programs that chose words understand."""
        return json.dumps({"kind": kind, "question": text})

    def end(self, result: str) -> str:
        """Return the line that ends a game."""
        return f"end {result}" if self.form == TEXT else json.dumps({"end": result})

    def move(self, line: str) -> ForeignMove:
        """Read an answer to a position, or raise `NotAMove` in a sentence.

        >>> Protocol("text").move("open 0 2 mine 1,2 2,2 risk 0 because it is safe").mines
        ((1, 2), (2, 2))
        >>> Protocol("json").move('{"open": [0, 2], "safe": [[0, 2]]}').cell
        (0, 2)
        """
        if self.form == WORDS:
            return _read_words(line)
        return _read_text(line) if self.form == TEXT else _read_json(line)


_MOVE = re.compile(
    r"(?:open (?P<row>-?\d{1,6}) (?P<col>-?\d{1,6})|stop)"
    r"(?: mine(?P<mine>(?: -?\d{1,6},-?\d{1,6})*))?(?: safe(?P<safe>(?: -?\d{1,6},-?\d{1,6})*))?"
    r"(?: risk (?P<risk>[0-9.eE+-]{1,30}))?(?: because (?P<why>.*))?",
    re.ASCII,
)


def _read_text(line: str) -> ForeignMove:
    line = line.strip()
    if line.startswith("error"):
        return ForeignMove(None, error=line.removeprefix("error").strip()[:MOST_WORDS] or "it gave no reason")
    match = _MOVE.fullmatch(line)
    if match is None:
        raise NotAMove(f"It answered {line[:80]!r}, which is not a move.")

    def cells(name: str) -> tuple[Cell, ...]:
        return tuple((int(row), int(col)) for row, col in (pair.split(",") for pair in (match[name] or "").split()))

    cell = None if match["row"] is None else (int(match["row"]), int(match["col"]))
    return ForeignMove(cell, cells("mine"), cells("safe"), _risk(match["risk"]), (match["why"] or "")[:MOST_WORDS])


def _read_json(line: str) -> ForeignMove:
    try:
        found = json.loads(line)
        if not isinstance(found, dict):
            raise ValueError
        if "error" in found:
            return ForeignMove(None, error=str(found["error"])[:MOST_WORDS])
        mines, safe = (tuple(map(_read_cell, found.get(name, ()))) for name in ("mines", "safe"))
        if ("open" in found) == bool(found.get("stop", False)):
            raise ValueError
        cell = _read_cell(found["open"]) if "open" in found else None
    except (ValueError, TypeError, RecursionError):
        raise NotAMove(f"It answered {line[:80]!r}, which is not a move.") from None
    reason = str(found.get("reason", ""))[:MOST_WORDS]
    return ForeignMove(cell, mines, safe, _risk(found.get("risk")), reason, overlooks=bool(found.get("overlooks")))


def read_answer(line: str) -> str:
    r"""Return the words that answer a question; raise `NotAMove` if the program gives up.

    >>> read_answer('{"answer": "By the 1,\\nopen (0, 2)"}'), read_answer("open (0, 2)")
    ('By the 1,\nopen (0, 2)', 'open (0, 2)')
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if isinstance(found, dict) and "error" in found:
        raise NotAMove(f"It gave up: {str(found['error'])[:MOST_WORDS].rstrip('.')}.")
    answer = found.get("answer") if isinstance(found, dict) else found
    return answer if isinstance(answer, str) else line


def _read_words(line: str) -> ForeignMove:
    answer = read_answer(line)
    try:
        move = parse_move(answer)
    except InputError as error:
        raise NotAMove(str(error)) from None
    if move.verb != "open":
        raise NotAMove(f"It asks to {move}; a program that answers in words only opens cells.")
    return ForeignMove(move.cell, reason=" ".join(answer.split())[:MOST_WORDS])


def _read_cell(found: Any) -> Cell:
    row, col = found
    if not (type(row) is type(col) is int and max(abs(row), abs(col)) < 10**6):
        raise ValueError
    return row, col


def _risk(found: Any) -> float | None:
    if found is None:
        return None
    try:
        risk = float(found)
    except (TypeError, ValueError):
        risk = -1.0
    if not 0.0 <= risk <= 1.0:
        raise NotAMove(f"It gave the risk {str(found)[:30]}, which is not a chance from 0 to 1.")
    return risk


# -- the other side -------------------------------------------------------------------------------------------


def serve(name: str, make: Callable[[int], Agent], lines: Iterable[str]) -> Iterator[str]:
    """Answer the lines of a program that looks for a player; ``make`` makes one from a seed.

    >>> from sapper.agents.registry import make_agent
    >>> said = ["sapper 1", "game 3 3 2 0 3x3/2", "position 01#/02#/02# 2", "quit"]
    >>> for line in serve("exact", lambda seed: make_agent("exact", seed), said):
    ...     print(line)
    text exact
    open 0 2 mine 1,2 2,2 safe 0,2 risk 0 because Opened (0, 2): the 2 at (1, 1) already touches 2 mines.
    """
    agent: Agent | None = None
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "sapper":
            yield f"{TEXT} {name}"
        elif word == "game":
            numbers = rest.split()[:4]
            try:
                agent = make(int(numbers[3]))
            except (ValueError, IndexError):
                yield "error A game is written as: game ROWS COLS MINES SEED RULES"
        elif word == "position":
            yield str(_decide(agent, rest)) if agent is not None else "error There is no game."
        elif word == "quit":
            return
        elif word and word != "end":
            yield f"error There is no line {word[:40]}; sapper agents --protocol says what there is."


def _decide(agent: Agent, text: str) -> ForeignMove | str:
    try:
        decision = agent.decide(Observation.parse(text))
    except SapperError as error:
        return f"error {error}"
    mines, safe = (
        tuple(found.cell for found in decision.deductions if found.is_mine is wanted) for wanted in (True, False)
    )
    return ForeignMove(decision.cell, mines, safe, decision.p_mine, decision.reason.replace("\n", " "))
