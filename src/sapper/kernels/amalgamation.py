"""Join all kernels into one file for Cython: the amalgamation, as SQLite calls it.

Kernels call each other millions of times and share classes, so they are compiled as one module. The names of
`language.py` become Cython's, numbers in capital letters become C constants, and imports are dropped. Two kernels must
not define the same name.

This module imports nothing from Sapper, which is not installed yet when it is built.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).parent

# In order: a class must precede the functions that take it.
_FILES = {
    "engine": "board workspace frontier ordering totals enumeration elimination components posterior answer sampling",
    "boards": "pcg64 placement reveal proving subsets noguess moments levels",
    "search": "layouts player policy candidates clue_values exchanges lookahead endgame rollouts paired decide",
    "environments": "games clues stepping",
}
KERNELS = ("codes", *(f"{folder}/{name}" for folder, names in _FILES.items() for name in names.split()))

HEAD = '''\
"""All kernels of Sapper, joined by `amalgamation.py`; do not edit."""
import math
from itertools import accumulate

import cython
import numpy as np
from cython.cimports.libc.math import exp, floor, log, log1p, log2, sqrt
from cython.cimports.libc.string import memcpy

FINGERPRINT = "{fingerprint}"


def view(array):
    return array


def bits(array):
    return array.view(np.uint8)


def ints(*shape):
    return np.zeros(shape, dtype=np.int32)


def longs(*shape):
    return np.zeros(shape, dtype=np.int64)


def words(*shape):
    return np.zeros(shape, dtype=np.uint64)


def doubles(*shape):
    return np.zeros(shape)


def small(*shape):
    return np.zeros(shape, dtype=np.int8)


Array = cython.fused_type(cython.schar[::1], cython.double[::1])


@cython.cfunc
def load_bytes(packed: bytes, array: cython.schar[::1]) -> cython.void:
    memcpy(cython.address(array[0]), cython.cast(cython.p_char, packed), len(packed))


@cython.cfunc
def to_bytes(array: Array, n: cython.Py_ssize_t) -> bytes:
    return cython.cast(cython.p_char, cython.address(array[0]))[: n * array.strides[0]]

'''

_C_TYPES = {"Int": "int", "Long": "longlong", "Word": "ulonglong", "Double": "double", "Flag": "bint"}
_ELEMENTS = {**_C_TYPES, "Byte": "schar", "Bit": "uchar"}
_DIMENSIONS = {"s": "[::1]", "Grid": "[:, ::1]", "Cube": "[:, :, ::1]"}
_TYPES = {name: f"cython.{c_name}" for name, c_name in _C_TYPES.items()} | {
    f"{const}{name}{plural}": (f"cython.const[cython.{c_name}]" if const else f"cython.{c_name}") + dimensions
    for name, c_name in _ELEMENTS.items()
    for plural, dimensions in _DIMENSIONS.items()
    for const in ("", "Const")
}
_INNER = "@cython.cfunc\n@cython.nogil\n@cython.exceptval(check=False)\n"  # of all functions that are not public
_WORDS = (
    (re.compile(r"(?<!^@public\n)^(def \w+\([^)]*\) -> )None:", re.M), r"\1cython.void:"),
    (re.compile(r"(?<!^@public\n)^(?=def )", re.M), _INNER),
    (re.compile(r"^@public\n", re.M), ""),
    (re.compile(r"^(?=class )", re.M), "@cython.cclass\n"),
    (re.compile(r"^    (\w+): Public\[(\w+)\]", re.M), r'    \1 = cython.declare(\2, visibility="public")'),
    (re.compile(r"^    (\w+): ReadOnly\[(\w+)\]", re.M), r'    \1 = cython.declare(\2, visibility="readonly")'),
    (re.compile(r"\bwith unlocked:"), "with cython.nogil:"),
    (re.compile(r"\bAny\b"), "object"),
    (re.compile(r"\btruncate\("), "cython.cast(cython.int, "),
    (re.compile(r"\bto_word\("), "cython.cast(cython.ulonglong, "),
    (re.compile(r"\b(" + "|".join(sorted(_TYPES, key=len, reverse=True)) + r")\b"), lambda found: _TYPES[found[0]]),
)


def fingerprint() -> str:
    """Return a hash of everything that goes into the amalgamation."""
    import hashlib  # slow to import, and rarely needed

    digest = hashlib.sha256()
    for path in [Path(__file__), *(FOLDER / f"{name}.py" for name in KERNELS)]:
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def write_amalgamation(path: Path) -> None:
    """Write the joined kernels to ``path`` and their constants next to it, unless they are unchanged."""
    constants: dict[str, int | float] = {}
    owners: dict[str, str] = {}
    parts = [HEAD.format(fingerprint=fingerprint())]
    for name in KERNELS:
        text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        parts.append(f"# {name}.py\n" + _translate(text, name, constants, owners))
    path.parent.mkdir(parents=True, exist_ok=True)
    for target, text in ((path, "\n\n".join(parts)), (path.with_suffix(".pxd"), _declare(constants))):
        # An unchanged file keeps its time, so it is not recompiled.
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def _translate(text: str, name: str, constants: dict[str, int | float], owners: dict[str, str]) -> str:
    """Translate a kernel for Cython, without imports and constants; the latter are added to ``constants``."""
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        is_constant = False
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper():
            number = _evaluate(node.value, constants)
            is_constant = number is not None
            if number is not None:
                _claim(node.targets[0].id, name, owners)
                constants[node.targets[0].id] = number
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            _claim(node.name, name, owners)
        is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if is_constant or is_typing or isinstance(node, ast.Import | ast.ImportFrom) or _is_docstring(node):
            first = node.lineno - 1
            for number_of_line in range(first, node.end_lineno or node.lineno):
                lines[number_of_line] = ""
    joined = re.sub(r"\n{4,}", "\n\n\n", "".join(lines))
    for pattern, word in _WORDS:
        joined = pattern.sub(word, joined)
    return joined.strip() + "\n"


def _claim(thing: str, name: str, owners: dict[str, str]) -> None:
    """Record which kernel defines a name, or refuse a second definition."""
    if thing in owners:
        raise ValueError(f"{thing} is defined in {owners[thing]}.py and in {name}.py; kernels must not share names.")
    owners[thing] = name


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _evaluate(node: ast.expr, constants: dict[str, int | float]) -> int | float | None:
    """Evaluate an expression of numbers and constants; return None for anything else."""
    plain = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Constant, ast.Name, ast.Load)
    if not all(isinstance(part, plain) for part in ast.walk(node)):
        return None
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    if not names <= set(constants):
        return None
    result = eval(compile(ast.Expression(node), "<constant>", "eval"), {"__builtins__": {}}, dict(constants))
    return result if isinstance(result, int | float) else None


def _declare(constants: dict[str, int | float]) -> str:
    """Return the declarations of the constants: an enum for those that fit an int, C literals for the others."""
    small = {name: number for name, number in constants.items() if isinstance(number, int) and abs(number) < 2**31}
    lines = ["cdef enum:", *(f"    {name} = {int(number)}" for name, number in small.items()), "cdef extern from *:"]
    for name, number in constants.items():
        if isinstance(number, float):
            lines.append(f'    double {name} "{number!r}"')
        elif name not in small:
            suffix, kind = ("LL", "long long") if abs(number) < 2**63 else ("ULL", "unsigned long long")
            lines.append(f'    {kind} {name} "{number}{suffix}"')
    return "\n".join(lines) + "\n"
