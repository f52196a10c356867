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
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from sapper.channel import EXACT, SOFT_KINDS
from sapper.errors import InputError, check_type
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, SYMBOLS, Observation
from sapper.topology import Cell, write_neighbourhood
from sapper.words import count

Style = Literal["grid", "coordinates", "statements"]
STYLES: tuple[Style, ...] = get_args(Style)

# What questions about positions begin with, and what is asked of a player.
PREAMBLE = "Minesweeper. Cells are (row, col), counted from 0; a number counts the mines in the cells around it."
GOAL = (
    "Open every cell that is not a mine. If a cell is certainly safe, open it; if none is, open the one with the best "
    "chance to win."
)
MOVE_TASK = f"{GOAL} End your answer with one move on the last line, such as: open (3, 4)"
QUESTION_STYLE: Style = "coordinates"  # it holds everything, noisy clues included

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
    said: dict[tuple[tuple[int, ...], int], None] = {}  # in order; where no layout fits, clues may disagree about cells
    for clue in np.flatnonzero(codes >= 0).tolist():
        around = board.neighbours_of(clue)
        hidden = tuple(cell for cell in around if closed[cell])
        if hidden:
            said[hidden, int(codes[clue]) - sum(int(codes[cell] == EXPLODED) for cell in around)] = None
    lines = [f"Exactly {count(n, 'mine')} among {_name(map(board.cell, cells))}." for cells, n in said]
    every = _name(map(board.cell, np.flatnonzero(closed).tolist()))
    if seen.total is None:
        return [*lines, f"Hidden: {every}."]
    left = seen.total - int(np.count_nonzero(codes == EXPLODED))
    return [*lines, f"Exactly {count(left, 'mine')} among all hidden cells: {every}."]


_BOARD = re.compile(r"Board: ([\d,]{1,20}) rows?, ([\d,]{1,20}) columns?\.")
_SETTING = re.compile(r"(Mines|Neighbours|Clues): (\S+?)\.(?=\s|$)")
_CELL = re.compile(r"\((\d{1,9}), (\d{1,9})\)(?: shows (\d{1,9}))?")


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
    symbols: dict[Cell, str] = {}
    for line in filter(None, body.split("\n")):
        label, _, cells = line.partition(": ")
        if label != "Open" and label not in _GROUPS:
            raise InputError(f"A line of a description begins with Open, {', '.join(_GROUPS)}, not {label[:40]!r}.")
        for row, col, shown in _CELL.findall(cells):
            cell = int(row), int(col)
            if not (cell[0] < rows and cell[1] < cols):
                raise InputError(f"({row}, {col}) is not on the board.")
            if cell in symbols:
                raise InputError(f"The description names {cell} twice.")
            symbols[cell] = SYMBOLS.get(int(shown), "?") if label == "Open" else SYMBOLS[_GROUPS[label]]
    # Whatever size the text claims, this looks at no more cells than it names and one.
    every = ((row, col) for row in range(rows) for col in range(cols))
    missing = next((cell for cell in every if cell not in symbols), None)
    if missing is not None:
        raise InputError(f"The description does not say what {missing} is.")
    return [[symbols[row, col] for col in range(cols)] for row in range(rows)]


class TextMove(NamedTuple):
    """What an answer asks for."""

    verb: Literal["open", "flag"]
    cell: Cell

    def __str__(self) -> str:
        return f"{self.verb} {self.cell}"


_VERBS = {
    **dict.fromkeys(("open", "opening", "reveal", "revealing", "click", "clicking", "dig", "uncover", "play"), "open"),
    **dict.fromkeys(("choose", "choosing", "pick", "select", "probe", "step"), "open"),
    **dict.fromkeys(("flag", "flagging", "mark", "marking"), "flag"),
}
_NUMBER = r"(-?\d{1,9})"
_ROW, _COL = rf"\brow\W{{0,3}}{_NUMBER}", rf"\bcol(?:umn)?\W{{0,3}}{_NUMBER}"
_PAIRS = (
    rf"[(\[]\s*{_NUMBER}\s*[,; ]\s*{_NUMBER}\s*[)\]]",  # (3, 4) and [3, 4]
    rf"{_ROW}\W{{1,4}}(?:and\s+)?{_COL}",
    rf"\br\s*[:=]?\s*{_NUMBER}[\s,;]*c\s*[:=]?\s*{_NUMBER}",  # R3C4 and r=3, c=4
    rf"(?<![\w.,/-])(?<!\d, ){_NUMBER}\s*,\s*{_NUMBER}(?!\w|\s*,|[./]\d)",  # 3,4
)
_TURNED = (rf"{_COL}\W{{1,4}}(?:and\s+)?{_ROW}", rf"\bc\s*[:=]?\s*{_NUMBER}[\s,;]*r\s*[:=]?\s*{_NUMBER}")
_VERB = rf"\b({'|'.join(_VERBS)})\b"
_ANY_PAIR = "|".join(f"(?:{pair})" for pair in _PAIRS)
# A verb, some words without a number, and a cell; bare numbers must follow the verb at once.
_ORDERED = re.compile(
    rf"{_VERB}(?:[^\d\n({{\[-]{{0,30}}?)\(??(?:{_ANY_PAIR}|(?<=\s){_NUMBER}\s+{_NUMBER}\b)", re.IGNORECASE
)
_BARE = re.compile(_ANY_PAIR, re.IGNORECASE)
_ALONE = re.compile(rf"[^\w-]*{_NUMBER}\s+{_NUMBER}\W*")  # 3 4, and nothing else
_TURNED_PAIR = re.compile("|".join(f"(?:{pair})" for pair in _TURNED), re.IGNORECASE)
_REJECTED = re.compile(rf"(?:\bnot|n't|\bnever|\bavoid|instead of)\s+{_VERB}[^\d\n({{\[-]{{0,30}}(?:{_ANY_PAIR})", re.I)
_LISTED = re.compile(rf"\s*(?:,|;|&|/|and|or)\s*(?:{_ANY_PAIR})", re.IGNORECASE)

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|$)|^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_LATEX = re.compile(r"\\(?:text|mathrm|mathbf|mathtt|textbf|texttt|operatorname)\s*\{([^{}]*)\}")
_LATEX_SIGNS = re.compile(r"\\(?:left|right|quad|big|Big|[()\[\],;:! ])|\$")
_MARKED = re.compile(r"<(?:answer|move)>(.*?)</(?:answer|move)>|\\boxed\s*\{([^{}]*)\}", re.DOTALL | re.IGNORECASE)
_ANNOUNCED = re.compile(r"\b(?:answer|move|action|choice)\s*(?:is\b\s*[:=]?|[:=])", re.IGNORECASE)
_FROM_ONE = re.compile(
    r"(?<!not )\b(?:1|one)[- ](?:based|indexed)\b|\b(?:count|start|number|index)\w*\s+(?:from|at|with)\s+(?:1|one)\b"
    r"|\b(?:\d*1st|\d*2nd|\d*3rd|\d+th|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\s+(?:row|col)",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"\b[A-Z]\d{1,2}\b", re.IGNORECASE)
_BY_X = re.compile(r"\bx\W{0,3}-?\d+\W{1,4}y\W{0,3}-?\d+", re.IGNORECASE)
_PLAIN = str.maketrans({"\N{MINUS SIGN}": "-", "\N{RIGHT SINGLE QUOTATION MARK}": "'"})
_MOST_CHARACTERS = 100_000  # of an answer: the end counts
_MOST_OBJECTS = 100  # that are tried
_MOST_LETTERS = 25  # beside the cell, for the last line to be a move without a verb
_WANTED = "write one move such as open (3, 4): row, then column, from 0."


def parse_move(answer: str, position: Observation | None = None) -> TextMove:
    r"""Return the move that an answer asks for; raise `InputError`, with what is wrong in a sentence.

    Takes "open (3, 4)", "R3C4", "row 3, column 4", JSON such as {"row": 3, "col": 4}, and answers that end in one of
    these, in Markdown or LaTeX too; rows and columns count from 0. Thoughts in <think> do not count. What follows
    <answer>, \boxed or "Answer:" comes first, then the last line, then the last line with a verb. With a
    ``position``, the cell must be on its board and hidden.

    >>> [str(parse_move(text)) for text in ("R3C4", '{"action": "flag", "cell": [0, 2]}', "Answer: row 3, column 4")]
    ['open (3, 4)', 'flag (0, 2)', 'open (3, 4)']
    """
    check_type(answer, str, "an answer as text")
    text = unicodedata.normalize("NFKC", answer[-_MOST_CHARACTERS:]).translate(_PLAIN)
    text = _THOUGHT.sub(" ", text)
    text = _LATEX_SIGNS.sub(" ", _LATEX.sub(r"\1", text))
    if marked := _MARKED.findall(text):
        text = "".join(marked[-1])
    move = _read_objects(text) or _read_words(re.sub(r"[*`]|\B_+|_+\B", " ", text))
    row, col = move.cell
    if row < 0 or col < 0:
        raise InputError(f"({row}, {col}) is not a cell: rows and columns count from 0.")
    if position is not None:
        _check(move, position)
    return move


def _read_objects(text: str) -> TextMove | None:
    """Return the move of the last JSON object that names a cell."""
    moves, decoder, end = [], json.JSONDecoder(), 0
    begins = [found.start() for found in re.finditer(r"\{", text)][-_MOST_OBJECTS:]
    for at in begins:
        if at < end:
            continue  # within the last one
        for written in (text, text.replace("'", '"')):  # as Python writes it, too
            with suppress(ValueError, RecursionError):
                value, end = decoder.raw_decode(written, at)
                moves.append(_read_object(value))
                break
    return next((move for move in reversed(moves) if move is not None), None)


def _read_object(value: dict[str, Any]) -> TextMove | None:
    """Return the move of an object or of one that is in it; ``name`` and ``arguments`` are those of a tool's call."""
    given = {str(name).lower(): one for name, one in value.items()}
    verb: Literal["open", "flag"] | None = None
    for name in ("action", "verb", "name", "tool", "move", "type"):
        word = re.match(r"\w+", str(given.get(name, "")))
        verb = verb or (word and _VERBS.get(word[0].lower())) or None  # type: ignore[assignment]
    if verb is None and "flag" in given and "open" not in given:
        verb = "flag"
    pair = [given.get("row", given.get("r")), given.get("col", given.get("column", given.get("c")))]
    for name in (
        "cell",
        "open",
        "flag",
        "move",
        "action",
        "position",
        "coordinates",
        "arguments",
        "parameters",
        "input",
    ):
        inner = given.get(name)
        if isinstance(inner, list) and len(inner) == 2:
            pair = inner
        elif isinstance(inner, str) and None in pair and _BARE.search(inner):
            found = _read_words(inner)
            return TextMove(verb or found.verb, found.cell)
        elif isinstance(inner, dict) and (nested := _read_object(inner)) is not None:
            return TextMove(verb or nested.verb, nested.cell)
    numbers = [int(one) for one in pair if re.fullmatch(r"-?\d{1,9}(?:\.0)?", str(one)) for one in [float(str(one))]]
    return TextMove(verb or "open", (numbers[0], numbers[1])) if len(numbers) == 2 else None


def _read_words(text: str) -> TextMove:
    text = _REJECTED.sub(" ", _TURNED_PAIR.sub(_turn, text))
    if announced := list(_ANNOUNCED.finditer(text)):
        rest = text[announced[-1].end() :].lstrip()
        line, _, below = rest.partition("\n")
        for part in (
            line,
            f"{line} {' '.join(below.split(chr(10))[:2])}",
        ):  # the verb and the cell may be on lines of their own
            if _BARE.search(part) or _ALONE.fullmatch(part):
                return _choose(part)
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and len(_BARE.findall(lines[-1])) == 1 and len(re.findall(r"[^\W\d]", lines[-1])) <= _MOST_LETTERS:
        return _choose(lines[-1])
    for line in reversed(lines):
        if _ORDERED.search(line):
            return _choose(line)
    if not lines:
        raise InputError("The answer is empty; write one move such as open (3, 4).")
    return _choose(text)


def _choose(text: str) -> TextMove:
    """Return the one move of a part of the answer."""
    if from_one := _FROM_ONE.search(text):
        raise InputError(f"The answer says {from_one[0]!r}, but rows and columns count from 0; write open (row, col).")
    moves = set()
    for found in _ORDERED.finditer(text):
        verb, *numbers = found.groups()
        moves.add(_as_move(_VERBS[verb.lower()], numbers))
        end = found.end()
        while listed := _LISTED.match(text, end):
            moves.add(_as_move(_VERBS[verb.lower()], listed.groups()))
            end = listed.end()
    if not moves:
        verbs = {_VERBS[word.lower()] for word in re.findall(_VERB, text, re.IGNORECASE)}
        verb = "flag" if verbs == {"flag"} else "open"
        bare = [*_BARE.finditer(text)] or [found for found in [_ALONE.fullmatch(text)] if found]
        moves = {_as_move(verb, found.groups()) for found in bare}
    if len(moves) > 1:
        named = ", ".join(str(move) for move in sorted(moves)[:3])
        raise InputError(f"The answer names several moves ({named}); write only one.")
    if moves:
        return moves.pop()
    if by_x := _BY_X.search(text):
        raise InputError(f"{by_x[0]!r} does not say which is the row; {_WANTED}")
    if lettered := _LETTERED.search(text):
        raise InputError(f"{lettered[0]!r} is not a cell, since columns have no letters; {_WANTED}")
    raise InputError(f"The answer names no cell; {_WANTED}")


def _turn(found: re.Match[str]) -> str:
    """Write a cell whose column comes first with the row first."""
    col, row = (one for one in found.groups() if one is not None)
    return f"({row}, {col})"


def _as_move(verb: str, numbers: Iterable[str | None]) -> TextMove:
    row, col = (int(one) for one in numbers if one is not None)
    return TextMove(verb, (row, col))  # type: ignore[arg-type]


def _check(move: TextMove, position: Observation) -> None:
    row, col = move.cell
    if not (row < position.rows and col < position.cols):
        raise InputError(f"({row}, {col}) is not on the board of {position.rows} rows and {position.cols} columns.")
    if not position.closed[row, col]:
        raise InputError(f"({row}, {col}) is open already; choose a hidden cell.")
