"""Read what people type about a real game: cells and what they show.

>>> from sapper.observation import Observation
>>> board = Observation.parse("###/### 1")
>>> read_entries("2", [(0, 1)], board)
{(0, 1): 2}
>>> read_entries("1 *", [(1, 0), (1, 1)], board)
{(1, 0): 1, (1, 1): -3}
>>> read_entries("0,0=1 1,2=0", [], board)
{(0, 0): 1, (1, 2): 0}
>>> read_entries("row 1: 01#", [], board)
{(1, 0): 0, (1, 1): 1}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sapper.errors import InputError
from sapper.observation import CODES, EXPLODED, FLAG, HIDDEN, OWN_CODES, Observation
from sapper.rules import Rules
from sapper.topology import OWN, Cell, Topology, is_neighbourhood, write_neighbourhood
from sapper.words import count

_PLACE = r"\(?\s*(\d{1,6})\s*[,\s]\s*(\d{1,6})\s*\)?"
_PAIR = re.compile(rf"{_PLACE}\s*=\s*([^\s,;]+)", re.ASCII)
_AT = re.compile(rf"at\s+{_PLACE}\s*[=:\s]\s*(\S+)", re.ASCII)
_ROW = re.compile(r"row\s+(\d{1,6})\s*[:=]?\s*(.*)", re.ASCII)
_CELL = re.compile(_PLACE, re.ASCII)


def read_entries(line: str, asked: Sequence[Cell], observation: Observation) -> dict[Cell, int]:
    """Read symbols for the asked cells, ``ROW,COL=CLUE`` pairs, ``at ROW,COL CLUE`` or ``row ROW: SYMBOLS``.

    Hidden cells of a row are left out. Raises `InputError` for anything else.
    """
    line = line.strip().lower()
    if match := _ROW.fullmatch(line):
        return _read_row(int(match[1]), match[2], observation)
    if match := _AT.fullmatch(line):
        return {(int(match[1]), int(match[2])): _code(match[3], observation.topology)}
    if "=" in line:
        return _read_pairs(line, observation.topology)
    return _read_symbols(line, asked, observation.topology)


def read_cell(text: str) -> Cell:
    """Read ``ROW,COL``, with or without a comma and brackets."""
    match = _CELL.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text.strip()[:40]!r} is not a cell; write it like 3,4.")
    return int(match[1]), int(match[2])


def looks_like_a_position(line: str, rules: Rules) -> bool:
    """Return whether a line is meant as a whole position: rows joined by slashes, or a whole board of one row."""
    first = line.split()[0]
    return "/" in first or (rules.rows == 1 and len(first) == rules.cols and "#" in first)


def read_position(line: str, rules: Rules) -> Observation:
    """Read a position in the one-line form; the topology may be omitted."""
    words = line.split()
    if not any(map(is_neighbourhood, words[1:])):
        words.append(write_neighbourhood(rules.topology))
    return Observation.parse(" ".join(words))


def name_run(cells: Sequence[Cell]) -> str:
    """Name a cell, or some side by side in a row.

    >>> name_run([(3, 4)]), name_run([(3, 4), (3, 5), (3, 6)])
    ('(3, 4)', 'row 3, columns 4-6')
    """
    if len(cells) == 1:
        return str(cells[0])
    return f"row {cells[0][0]}, columns {cells[0][1]}-{cells[-1][1]}"


def _codes(board: Topology) -> tuple[dict[str, int], str]:
    """Return the codes by their symbols in lower case, and the clues in words.

    On a custom board, f is a clue of 15, not a flag.
    """
    if board.shape == OWN:
        return {symbol: code for symbol, code in OWN_CODES.items() if code != FLAG}, "0-9, a-f"
    return {symbol.lower(): code for symbol, code in CODES.items()}, "0-8"


def _read_symbols(line: str, asked: Sequence[Cell], board: Topology) -> dict[Cell, int]:
    words = [["*"] if word == "mine" else list(word) for word in line.replace(",", " ").split()]
    symbols = [symbol for word in words for symbol in word]
    if not all(symbol in _codes(board)[0] or symbol.isdecimal() for symbol in symbols):
        raise InputError(f"{line[:40]!r} is not an answer; type ? to see what you can type.")
    codes = [_code(symbol, board) for symbol in symbols]
    if not asked:
        raise InputError("Name the cell, as in 3,4=2: none was asked for.")
    if len(codes) != len(asked):
        expected = "one symbol" if len(asked) == 1 else f"{len(asked)} symbols"
        raise InputError(f"{name_run(asked)} takes {expected}, not {len(codes)}.")
    return dict(zip(asked, codes, strict=True))


def _read_pairs(line: str, board: Topology) -> dict[Cell, int]:
    shown: dict[Cell, int] = {}
    rest = _PAIR.sub("", line).replace(",", " ").replace(";", " ").strip()
    if rest:
        raise InputError(f"{rest[:40]!r} is not a pair; pairs look like 3,4=2 3,5=1.")
    for row, col, symbol in _PAIR.findall(line):
        cell = int(row), int(col)
        code = _code(symbol, board)
        if shown.setdefault(cell, code) != code:
            raise InputError(f"{cell} is given two different values.")
    return shown


def _read_row(row: int, text: str, observation: Observation) -> dict[Cell, int]:
    symbols = text.replace(" ", "")
    codes, clues = _codes(observation.topology)
    if len(symbols) != observation.cols:
        raise InputError(
            f"Row {row} takes {count(observation.cols, 'symbol')}, not {len(symbols)}; # for a hidden cell."
        )
    observation.topology.index(row, 0)
    for col, symbol in enumerate(symbols):
        if symbol not in codes:
            raise InputError(f"Row {row}, column {col}: {symbol!r} is not one of # hidden, {clues}, * mine, . no clue.")
    shown = {(row, col): codes[symbol] for col, symbol in enumerate(symbols)}
    return {cell: code for cell, code in shown.items() if code not in (HIDDEN, FLAG)}


def _code(symbol: str, board: Topology) -> int:
    if symbol == "mine":
        return EXPLODED
    codes, clues = _codes(board)
    code = codes.get(symbol)
    if code is None or code in (HIDDEN, FLAG):
        raise InputError(
            f"{symbol[:40]!r} is not something that an open cell shows: {clues}, * for a mine, . for no clue."
        )
    return code
