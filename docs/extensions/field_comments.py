"""Say of a field of a dataclass what the comment behind it in the source says.

>>> from sapper.agents.agent import Decision
>>> comments_of(Decision)["p_mine"]
'None: the agent has no opinion'
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


@lru_cache
def comments_of(owner: type) -> dict[str, str]:
    """The comment behind each field of a class that has one."""
    return {field: said for field, said in _FIELD.findall(inspect.getsource(owner)) if not said.startswith("type:")}


def add_comment(_app: Sphinx, what: str, name: str, _value: object, _options: object, lines: list[str]) -> None:
    """Use the comment where a field has no docstring, and Sphinx would print none or that of a slot."""
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
