"""Ctrl-C is for whoever commits, not for the processes that play or compute for it."""

from __future__ import annotations

import signal
from multiprocessing import resource_tracker


def hold_back_interrupts() -> set[int] | None:
    """Keep Ctrl-C from this thread and from the processes that it starts; return what was kept from it before."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return None
    # Python starts this helper with the first process, and lets signals through again after that.
    resource_tracker.ensure_running()
    return signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
