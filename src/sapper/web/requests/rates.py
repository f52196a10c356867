"""How often somebody may ask: a bucket of tokens for each, refilled at a steady rate."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Somebody who has not been seen for longer than these many others starts afresh.
MOST_KNOWN = 20_000


class Buckets:
    """So many requests a second each, and as many at once as the bucket holds.

    >>> buckets = Buckets(per_second=1.0, at_once=2, clock=lambda: 0.0)
    >>> [buckets.wait("Ada") for _ in range(3)]
    [0, 0, 1]
    """

    def __init__(self, per_second: float, at_once: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_second
        self._at_once = at_once
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()  # who → tokens left, and when

    def wait(self, who: str) -> int:
        """Take a token; return 0, or after how many seconds there will be one."""
        now = self._clock()
        left, when = self._known.pop(who, (self._at_once, now))
        left = min(self._at_once, left + (now - when) * self._per_second)
        taken = left >= 1.0
        self._known[who] = (left - 1.0 if taken else left, now)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return 0 if taken else max(1, math.ceil((1.0 - left) / self._per_second))
