"""Document each field of a class by its line ``name: text`` in the docstring, or by the comment after it.

>>> from sapper.agents.agent import Decision
>>> comments_of(Decision)["p_mine"]
'its risk; None if the agent has no opinion.'
"""

from __future__ import annotations

import importlib
import inspect
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_FIELD = re.compile(r"^    (\w+): .*?  # (.+)$", re.MULTILINE)
_LINE = re.compile(r"^(\w+(?:, \w+)*): (.+)$")


@lru_cache
def comments_of(owner: type) -> dict[str, str]:
    """Return what is said of each field of a class."""
    found = {field: said for field, said in _FIELD.findall(inspect.getsource(owner)) if not said.startswith("type:")}
    for line in inspect.cleandoc(owner.__doc__ or "").splitlines():
        found |= dict.fromkeys(*read_line(owner, line))
    return found


def read_line(owner: type, line: str) -> tuple[list[str], str]:
    """Return the fields that a line of the docstring is about, and what it says; none for any other line."""
    parts = _LINE.match(line)
    names = parts[1].split(", ") if parts else []
    known = inspect.get_annotations(owner)
    return (names, parts[2]) if parts and all(name in known for name in names) else ([], "")


def add_comment(_app: Sphinx, what: str, name: str, value: object, _options: object, lines: list[str]) -> None:
    """Move what a class says of its fields to these fields, where Sphinx would print nothing."""
    if what == "class" and isinstance(value, type):
        lines[:] = [line for line in lines if not read_line(value, line)[0]]
    if what != "attribute":
        return
    module, owner, field = name.rsplit(".", 2)
    found = getattr(importlib.import_module(module), owner)
    if said := comments_of(found).get(field):
        lines[:] = [said[0].upper() + said[1:], ""]


def setup(app: Sphinx) -> dict[str, Any]:
    """Have Sphinx ask."""
    app.connect("autodoc-process-docstring", add_comment)
    return {"parallel_read_safe": True}
