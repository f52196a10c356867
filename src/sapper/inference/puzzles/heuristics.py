"""How a search for layouts goes about it, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from sapper.errors import InputError

if TYPE_CHECKING:
    from sapper.layout import Layout

Order = Literal["first", "nearest", "mrv", "degree", "fewest"]
ORDERS: tuple[Order, ...] = get_args(Order)
Values = Literal["mine", "clear", "lcv"]
VALUES: tuple[Values, ...] = get_args(Values)


@dataclass(frozen=True, slots=True)
class Heuristics:
    """How the search goes about it."""

    order: Order = "mrv"
    values: Values = "lcv"
    forward_checking: bool = True
    memory: bool = False

    def __post_init__(self) -> None:
        for value, allowed, name in ((self.order, ORDERS, "order of cells"), (self.values, VALUES, "order of values")):
            if value not in allowed:
                raise InputError(f"There is no {name} {value!r}; choose from {', '.join(allowed)}.")

    def __str__(self) -> str:
        words = [self.order, f"{self.values} first" if self.values != "lcv" else "lcv"]
        if self.forward_checking:
            words.append("forward checking")
        if self.memory:
            words.append("memory")
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to."""

    layouts: tuple[Layout, ...]  # the first that fits, or all of them if asked; none if they were only counted
    n_nodes: int  # expanded
    finished: bool  # False: the limit of nodes or of time was reached first
    n_layouts: int = 0  # found
