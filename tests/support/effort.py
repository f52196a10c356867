"""How often a test repeats itself: a little in `make test`, much in `make test-all`."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

ALL = os.environ.get("SAPPER_TESTS") == "all"


def times(few: int, many: int) -> int:
    """How often to do something again that has already been done with other numbers."""
    return many if ALL else few


def more(*cases: T) -> tuple[T, ...]:
    """Further cases of the same kind, for `make test-all`."""
    return cases if ALL else ()
