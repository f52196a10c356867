"""Positions as text for language models, and moves from what they answer.

There are three styles. A ``grid`` is the board as it looks; ``coordinates`` name every cell; ``statements`` are the
constraints that reasoning needs, and nothing else. `read_description` reads the first two back, which hold everything.

>>> from sapper.observation import Observation
>>> position = Observation.parse("01#/02#/02# 2")
>>> print(describe(position, "statements"))
Board: 3 rows, 3 columns. Mines: 2.
Exactly 1 mine among (0, 2), (1, 2).
Exactly 2 mines among (0, 2), (1, 2), (2, 2).
Exactly 2 mines among (1, 2), (2, 2).
Exactly 2 mines among all hidden cells: (0, 2), (1, 2), (2, 2).
>>> read_description(describe(position, "coordinates")) == position
True
>>> parse_move("The 2 needs both, so I open (0, 2).", position)
TextMove(verb='open', cell=(0, 2))
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from sapper.channel import EXACT, SOFT_KINDS
from sapper.errors import InputError, check_type
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, SYMBOLS, Observation
from sapper.topology import Cell, write_neighbourhood
from sapper.words import count

Style = Literal["grid", "coordinates", "statements"]
STYLES: tuple[Style, ...] = get_args(Style)

LEGEND = "Legend: # hidden, a number counts the mines around it, F flag, * exploded mine, . open without a clue."
_GROUPS = {"Hidden": HIDDEN, "Flagged": FLAG, "Exploded": EXPLODED, "Open without a clue": NO_CLUE}


def describe(position: Observation | str, style: Style = "statements") -> str:
    """Describe a position in one of the `STYLES`; rows and columns count from 0.

    Statements need clues that are what they say: a withheld one says nothing, but a noisy one is refused.
    """
    seen = Observation.of(position)
    if style == "grid":
        return "\n".join([_head(seen), LEGEND, *seen.pretty().split("\n")[:-1]])
    if style == "coordinates":
        return "\n".join([_head(seen), *_list_cells(seen)])
    if style == "statements":
        return "\n".join([_head(seen), *_state(seen)])
    raise InputError(f"There is no style {style!r}; choose from {', '.join(STYLES)}.")


def _head(seen: Observation) -> str:
    parts = [f"Board: {count(seen.rows, 'row')}, {count(seen.cols, 'column')}."]
    parts.append(f"Mines: {'unknown' if seen.total is None else seen.total}.")
    if seen.topology.shape != "square":
        parts.append(f"Neighbours: {write_neighbourhood(seen.topology)}.")
    if seen.channel != EXACT:
        parts.append(f"Clues: {seen.channel}.")
    return " ".join(parts)


def _name(cells: Iterable[Cell]) -> str:
    return ", ".join(f"({row}, {col})" for row, col in cells)


def _cells_with(seen: Observation, code: int) -> list[Cell]:
    return [(int(row), int(col)) for row, col in np.argwhere(seen.cells == code)]


def _list_cells(seen: Observation) -> list[str]:
    shown = [f"({row}, {col}) shows {seen.cells[row, col]}" for row, col in np.argwhere(seen.cells >= 0).tolist()]
    lines = [f"Open: {'; '.join(shown)}."] if shown else []
    named = ((label, _cells_with(seen, code)) for label, code in _GROUPS.items())
    return [*lines, *(f"{label}: {_name(cells)}." for label, cells in named if cells)]


def _state(seen: Observation) -> list[str]:
    if seen.channel.kind in SOFT_KINDS:
        raise InputError(f"Statements need exact clues, and these are {seen.channel}.")
    board, codes, closed = seen.topology, seen.cells.ravel(), seen.closed.ravel()
    said: dict[tuple[int, ...], int] = {}
    for clue in np.flatnonzero(codes >= 0).tolist():
        around = board.neighbours_of(clue)
        hidden = tuple(cell for cell in around if closed[cell])
        if hidden:
            said[hidden] = int(codes[clue]) - sum(int(codes[cell] == EXPLODED) for cell in around)
    lines = [f"Exactly {count(n, 'mine')} among {_name(map(board.cell, cells))}." for cells, n in said.items()]
    every = _name(map(board.cell, np.flatnonzero(closed).tolist()))
    if seen.total is None:
        return [*lines, f"Hidden: {every}."]
    left = seen.total - int(np.count_nonzero(codes == EXPLODED))
    return [*lines, f"Exactly {count(left, 'mine')} among all hidden cells: {every}."]


_BOARD = re.compile(r"Board: ([\d,]+) rows?, ([\d,]+) columns?\.")
_SETTING = re.compile(r"(Mines|Neighbours|Clues): (\S+?)\.(?=\s|$)")
_CELL = re.compile(r"\((\d+), (\d+)\)(?: shows (\d+))?")


def read_description(text: str) -> Observation:
    """Read a position from its description as a grid or by coordinates; raise `InputError` for any other text."""
    check_type(text, str, "a description of a position")
    board = _BOARD.match(text.lstrip())
    if board is None:
        raise InputError("A description begins with the board, such as 'Board: 9 rows, 9 columns. Mines: 10.'.")
    if "Exactly " in text:
        raise InputError("Statements do not say what the open cells show; describe the position in another style.")
    rows, cols = (int(side.replace(",", "")) for side in board.groups())
    head, _, body = text.strip().partition("\n")
    settings = dict(_SETTING.findall(head))
    lines = [line.partition("|")[2].split() for line in body.split("\n") if re.match(r"\s*\d+ \|", line)]
    if lines:
        symbols = lines
    else:
        symbols = _read_cells(body, rows, cols)
    words = [settings.get("Mines", "unknown"), settings.get("Neighbours", "square"), settings.get("Clues", "exact")]
    usual = ("unknown", "square", "exact")
    rest = [word for word, without in zip(words, usual, strict=True) if word != without]
    found = Observation.parse(" ".join(["/".join("".join(row) for row in symbols), *rest]))
    if (found.rows, found.cols) != (rows, cols):
        raise InputError(f"The board has {rows} rows and {cols} columns, but {found.rows} and {found.cols} are shown.")
    return found


def _read_cells(body: str, rows: int, cols: int) -> list[list[str]]:
    symbols = [[""] * cols for _ in range(rows)]
    for line in filter(None, body.split("\n")):
        label, _, cells = line.partition(": ")
        if label != "Open" and label not in _GROUPS:
            raise InputError(f"A line of a description begins with Open, {', '.join(_GROUPS)}, not {label[:40]!r}.")
        for row, col, shown in _CELL.findall(cells):
            if not (int(row) < rows and int(col) < cols):
                raise InputError(f"({row}, {col}) is not on the board.")
            symbols[int(row)][int(col)] = SYMBOLS.get(int(shown), "?") if label == "Open" else SYMBOLS[_GROUPS[label]]
    missing = [(row, col) for row in range(rows) for col in range(cols) if not symbols[row][col]]
    if missing:
        raise InputError(f"The description does not say what {missing[0]} is.")
    return symbols


class TextMove(NamedTuple):
    """What an answer asks for."""

    verb: Literal["open", "flag"]
    cell: Cell

    def __str__(self) -> str:
        return f"{self.verb} {self.cell}"


_VERBS = {
    **dict.fromkeys(("open", "opening", "reveal", "click", "dig", "uncover", "play", "choose", "pick"), "open"),
    **dict.fromkeys(("flag", "flagging", "mark"), "flag"),
}
_NUMBER = r"(-?\d{1,9})"
_PAIRS = (
    rf"[(\[]\s*{_NUMBER}\s*[,; ]\s*{_NUMBER}\s*[)\]]",  # (3, 4) and [3, 4]
    rf"\brow\s*[:=]?\s*{_NUMBER}\W{{1,4}}(?:and\s+)?col(?:umn)?\s*[:=]?\s*{_NUMBER}",
    rf"\br\s*[:=]?\s*{_NUMBER}[\s,;]*c\s*[:=]?\s*{_NUMBER}",  # R3C4 and r=3, c=4
    rf"(?<![\w.,-]){_NUMBER}\s*,\s*{_NUMBER}(?![\w,]|\.\d)",  # 3,4
)
_VERB = rf"\b({'|'.join(_VERBS)})\b"
_ANY_PAIR = "|".join(f"(?:{pair})" for pair in _PAIRS)
# A verb, some words without a number, and a cell; bare numbers must follow the verb at once.
_ORDERED = re.compile(
    rf"{_VERB}(?:[^\d\n({{\[-]{{0,30}}?)(?:{_ANY_PAIR}|(?<=\s){_NUMBER}\s+{_NUMBER}\b)", re.IGNORECASE
)
_BARE = re.compile(_ANY_PAIR, re.IGNORECASE)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|$)", re.DOTALL | re.IGNORECASE)
_MARKED = re.compile(r"<(?:answer|move)>(.*?)</(?:answer|move)>|\\boxed\{([^{}]*)\}", re.DOTALL | re.IGNORECASE)
_ANNOUNCED = re.compile(r"\b(?:answer|move|action)\s*(?:is)?\s*[:=]", re.IGNORECASE)
_OBJECT = re.compile(r"\{[^{}]*\}")
_MOST_CHARACTERS = 100_000  # of an answer: the end counts


def parse_move(answer: str, position: Observation | None = None) -> TextMove:
    """Return the move that an answer asks for; raise `InputError`, with what is wrong in a sentence.

    Takes "open (3, 4)", "R3C4", "row 3, column 4", JSON such as {"row": 3, "col": 4}, and answers that end in one of
    these; rows and columns count from 0. Thoughts in <think> do not count, and <answer> and "Answer:" come first. With
    a ``position``, the cell must be on its board and hidden.

    >>> [str(parse_move(text)) for text in ("R3C4", '{"action": "flag", "cell": [0, 2]}', "Answer: row 3, column 4")]
    ['open (3, 4)', 'flag (0, 2)', 'open (3, 4)']
    """
    check_type(answer, str, "an answer as text")
    text = _THOUGHT.sub(" ", answer[-_MOST_CHARACTERS:])
    if marked := _MARKED.findall(text):
        text = "".join(marked[-1])
    elif (announced := list(_ANNOUNCED.finditer(text))) and _BARE.search(text, announced[-1].end()):
        text = text[announced[-1].end() :]
    move = _read_object(text) or _read_words(text.replace("*", " ").replace("`", " "))
    row, col = move.cell
    if row < 0 or col < 0:
        raise InputError(f"({row}, {col}) is not a cell: rows and columns count from 0.")
    if position is not None:
        _check(move, position)
    return move


def _read_object(text: str) -> TextMove | None:
    """Return the move of the last JSON object that names a cell."""
    for found in reversed(_OBJECT.findall(text)):
        try:
            value = json.loads(found)
        except ValueError:
            continue
        given: dict[str, Any] = {str(name).lower(): one for name, one in value.items()}
        named = re.match(r"\w+", str(given.get("action", given.get("verb", ""))))
        verb = _VERBS.get(named[0].lower(), "open") if named else "open"
        cell = given.get("cell", given.get("open", given.get("flag", given.get("move"))))
        if "flag" in given and "open" not in given:
            verb = "flag"
        pair = [given.get("row", given.get("r")), given.get("col", given.get("column", given.get("c")))]
        if isinstance(cell, list) and len(cell) == 2:
            pair = cell
        elif isinstance(cell, str) and None in pair:
            inner = _read_words(cell)
            return TextMove(inner.verb if verb == "open" else "flag", inner.cell)
        if all(isinstance(one, int) and not isinstance(one, bool) for one in pair):
            return TextMove(verb, (pair[0], pair[1]))  # type: ignore[arg-type]
    return None


def _read_words(text: str) -> TextMove:
    for line in reversed(text.split("\n")):
        ordered = {_as_move(_VERBS[found[1].lower()], found.groups()[1:]) for found in _ORDERED.finditer(line)}
        if ordered:
            return _only(ordered)
    bare = {_as_move("open", found.groups()) for found in _BARE.finditer(text)}
    if bare:
        return _only(bare)
    if not text.strip():
        raise InputError("The answer is empty; write one move such as open (3, 4).")
    raise InputError("The answer names no cell; write one move such as open (3, 4): row, then column, from 0.")


def _as_move(verb: str, numbers: tuple[str | None, ...]) -> TextMove:
    row, col = (int(one) for one in numbers if one is not None)
    return TextMove(verb, (row, col))  # type: ignore[arg-type]


def _only(moves: set[TextMove]) -> TextMove:
    if len(moves) > 1:
        named = ", ".join(str(move) for move in sorted(moves)[:3])
        raise InputError(f"The answer names several moves ({named}); write only one.")
    (move,) = moves
    return move


def _check(move: TextMove, position: Observation) -> None:
    row, col = move.cell
    if not (row < position.rows and col < position.cols):
        raise InputError(f"({row}, {col}) is not on the board of {position.rows} rows and {position.cols} columns.")
    if not position.closed[row, col]:
        raise InputError(f"({row}, {col}) is open already; choose a hidden cell.")
