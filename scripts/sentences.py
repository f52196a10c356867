"""List everything that the server can say, as patterns for a translation: ``python scripts/sentences.py``.

What the page shows from the server are sentences made of the strings of its modules: an f-string is a pattern with a
gap for each of its values, and what fills a gap is made of patterns, too. A language has them in a table
(web/static/words/phrases.js), and `tests/page/pseudo.js` shows that they are all that is needed. Strings that are no
sentences, such as names, are listed with them and do no harm.
"""

from __future__ import annotations

import ast
import functools
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"
_GAP = "\0"


@functools.cache
def sentences() -> list[str]:
    """Return the patterns, sorted: ``Opened {1}: {2}.`` has two gaps."""
    found = set[str]()
    for module in _modules():
        found |= set(_said(module))
    for path in (SOURCE / "sapper" / "data").glob("*.toml"):
        found |= set(_strings(tomllib.loads(path.read_text("utf-8"))))
    found |= set(_strings(json.loads((SOURCE / "sapper" / "data" / "course.json").read_text("utf-8"))))
    return sorted({_number(one) for one in found if re.search("[A-Za-z]", one) or _is_joint(one)})


def _modules() -> Iterator[ast.Module]:
    """Yield the modules of the server and all that they import."""
    files = (SOURCE / "sapper" / "web").rglob("*.py")
    to_read, known = [".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in files], set[str]()
    while to_read:
        name = to_read.pop()
        path = SOURCE / name.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if name in known or not path.exists():
            continue
        known.add(name)
        module = ast.parse(path.read_text("utf-8"))
        yield module
        to_read.append(name.rpartition(".")[0])
        for node in ast.walk(module):
            if isinstance(node, ast.Import):
                to_read += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                to_read += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]


def _said(node: ast.AST) -> Iterator[str]:
    """Yield what the strings below a node say, with a gap for each value."""
    match node:
        case ast.Expr(value=ast.Constant()):  # a docstring
            return
        case ast.AugAssign(value=value) | ast.BinOp(op=ast.Add(), right=value) if _text(value) is not None:
            yield f"{_GAP}{_text(value)}"
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(joint)), attr="join")):
            yield f"{_GAP}{joint}{_GAP}"
    if (text := _text(node)) is not None:
        yield text
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _said(child)


def _text(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(str(one.value) if isinstance(one, ast.Constant) else _GAP for one in values)
    return None


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from (value, *re.split(r"(?<=[.!?]) (?=[A-Z(])", value))
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def _is_joint(text: str) -> bool:
    """Whether something without words of its own joins two values: ``, ``."""
    return text.count(_GAP) > 1 and text.strip(_GAP) != ""


def _number(text: str) -> str:
    parts = text.split(_GAP)
    return parts[0] + "".join(f"{{{number}}}{part}" for number, part in enumerate(parts[1:], start=1))


if __name__ == "__main__":
    json.dump(sentences(), sys.stdout, ensure_ascii=False, indent=1)
