"""Small changes to Python source, such as a programmer might make by mistake.

They are found in the syntax tree and written back by position, so the rest of the file stays as it is. Docstrings,
annotations, messages and what only type checkers read are left alone: no test should depend on them.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "+"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"), ast.Pow: ("**", "*"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.BitXor: ("^", "&"),
}  # fmt: skip
NEGATED_BY_SWAPPING = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
# What is for people, for type checkers or for an import; and f-strings, whose parts have no position in Python 3.11.
LEFT_ALONE = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
FIELDS_LEFT_ALONE = ("annotation", "returns", "decorator_list")


@dataclass(frozen=True)
class Mutant:
    """Other text in one place of a source file."""

    area: str
    path: str
    line: int
    start: int  # in bytes, from the beginning of the file
    before: str
    after: str

    @property
    def end(self) -> int:
        """Where the replaced text ends, in bytes."""
        return self.start + len(self.before.encode())

    def fits(self, source: bytes) -> bool:
        """Whether a source has the text that is to be replaced."""
        return source[self.start : self.end] == self.before.encode()

    def apply(self, source: bytes) -> bytes:
        """Return the mutated source."""
        return source[: self.start] + self.after.encode() + source[self.end :]

    def show(self, source: bytes) -> str:
        """Return the lines of source with the change in brackets, as one line."""
        first, last = source.rfind(b"\n", 0, self.start) + 1, source.find(b"\n", self.end)
        head, tail = source[first : self.start].decode(), source[self.end : last].decode()
        return " ".join(f"{head}[{self.before} -> {self.after}]{tail}".split())


def mutants_of(source: bytes, area: str = "", path: str = "") -> list[Mutant]:
    """Return every mutant of a source file, in the order of the text."""
    line_starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def span(node: Any) -> tuple[int, int]:
        first, last = line_starts[node.lineno - 1], line_starts[node.end_lineno - 1]
        return first + node.col_offset, last + node.end_col_offset

    def text(node: ast.AST) -> str:
        return source[slice(*span(node))].decode()

    found = set()
    for node, in_function in _walk(ast.parse(source)):
        replaced = [(*span(part), after) for part, after in _replacements(node, in_function, text)]
        for left, operator, right in _operations(node):
            # The tree does not say where an operator is: between its operands, where only brackets are besides.
            (_, first), (last, _), (before, after) = span(left), span(right), SWAPS.get(type(operator), ("@", "@"))
            at = source.find(before.encode(), first, last)
            if at >= 0 and b"#" not in source[first:last]:
                replaced.append((at, at + len(before), after))
        for start, end, after in replaced:
            before, line = source[start:end].decode(), source.count(b"\n", 0, start) + 1
            found.add(Mutant(area, path, line, start, before, after))
    return sorted(found, key=lambda one: (one.start, one.before, one.after))


def _walk(node: ast.AST, in_function: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the nodes that may change, each with whether it is in a function."""
    match node:
        case ast.If(test=test) if "TYPE_CHECKING" in ast.unparse(test):
            return
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")) | ast.keyword("strict"):  # of zip: just in case
            return
        case ast.BinOp(op=ast.BitOr()) if not in_function:  # of types, as a rule
            return
        case ast.Expr(value) if not isinstance(value, ast.Call) or re.match("log|warn", ast.unparse(value)):
            return
    yield node, in_function
    in_function |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in FIELDS_LEFT_ALONE and not isinstance(child, LEFT_ALONE):
                yield from _walk(child, in_function)


def _replacements(node: ast.AST, in_function: bool, text: Callable[[ast.AST], str]) -> Iterator[tuple[ast.AST, str]]:
    """Yield what can be replaced at a node as a whole, and by what."""
    match node:
        case ast.Constant(bool() as value):
            yield node, str(not value)
        case ast.Constant(int() | float() as value):
            yield node, repr(value + 1 if value + 1 != value else 2 * value)
        case ast.Compare(left, _, comparators):
            for word in (left, *comparators):
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    yield word, repr(f"{word.value}?")
        case ast.UnaryOp(ast.Not()):
            yield node, text(node).removeprefix("not").lstrip()
        case ast.Return(ast.expr() as value) if not (isinstance(value, ast.Constant) and not value.value):
            yield value, "None"
        case ast.Break():
            yield node, "continue"
        case ast.Continue():
            yield node, "break"
    for test in getattr(node, "ifs", [getattr(node, "test", None)] if isinstance(node, ast.If | ast.IfExp) else []):
        is_swapped = isinstance(test, ast.Compare) and isinstance(test.ops[0], NEGATED_BY_SWAPPING)
        if not is_swapped and not isinstance(test, ast.UnaryOp):
            yield test, f"not ({text(test)})"
    # Outside functions a name would be missing, and the import would fail.
    if in_function and isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr) and node.value:
        yield node, "pass"


def _operations(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST, ast.expr]]:
    """Yield the operators of a node between their operands."""
    match node:
        case ast.Compare(left, operators, comparators):
            yield from zip([left, *comparators], operators, comparators, strict=False)
        case ast.BoolOp(operator, values):
            yield from ((left, operator, right) for left, right in pairwise(values))
        case ast.BinOp(left, operator, right) | ast.AugAssign(left, operator, right):
            yield left, operator, right
