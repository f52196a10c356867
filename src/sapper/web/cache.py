"""A bounded cache and named locks."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K")
V = TypeVar("V")


class LruDict(Generic[K, V]):
    """A mapping that drops the least recently used values once their total weight exceeds ``capacity``.

    The newest value stays, whatever its weight.

    >>> kept = LruDict[str, str](5, weigh=len)
    >>> kept.put("a", "aaa")
    >>> kept.put("b", "bb")
    >>> kept.get("a")
    'aaa'
    >>> kept.put("c", "cc")
    >>> kept.get("b"), len(kept)
    (None, 2)
    """

    def __init__(self, capacity: int, weigh: Callable[[V], int] = lambda _value: 1) -> None:
        self._capacity = capacity
        self._weigh = weigh
        self._values: OrderedDict[K, V] = OrderedDict()
        self._weight = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """Return a value and note its use; None if there is none."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def put(self, key: K, value: V) -> None:
        """Add or replace a value."""
        self.pop(key)
        self._values[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._capacity and len(self._values) > 1:
            self._weight -= self._weigh(self._values.popitem(last=False)[1])

    def pop(self, key: K) -> V | None:
        """Remove a value and return it; None if there is none."""
        value = self._values.pop(key, None)
        if value is not None:
            self._weight -= self._weigh(value)
        return value


class Locks:
    """Locks by name, for one event loop; a lock exists while it is in use."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock_for(self, name: str) -> asyncio.Lock:
        """Return the lock that serialises work on ``name``."""
        return self._locks.setdefault(name, asyncio.Lock())
