"""Ctrl-C: it ends compiled code at once, waits while a process is started, and is kept from processes that compute.

Python hears of a signal only when compiled code returns, and a hard search may take many seconds. So that code can be
asked to return: memory that a kernel works on has a flag ``stop``, which another thread may set.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

if TYPE_CHECKING:
    from collections.abc import Iterator


class Stoppable(Protocol):
    """What a kernel works on; it returns within milliseconds once ``stop`` is set."""

    stop: bool


_STOPPABLE: WeakSet[Any] = WeakSet()


def note_stoppable(one: Stoppable) -> None:
    """Have a kernel that works on this return when Ctrl-C is pressed, where that is heeded."""
    _STOPPABLE.add(one)


@contextmanager
def interrupts_heeded() -> Iterator[None]:
    """Within this, Ctrl-C ends compiled code in milliseconds; `KeyboardInterrupt` is raised as always.

    For the main thread; elsewhere nothing changes, for nothing is raised there either.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # The signal writes a byte even while Python waits for compiled code, and a thread that waits for the byte wakes up.
    heard, told = os.pipe()
    os.set_blocking(told, False)
    before = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    watching = threading.Thread(target=_watch, args=(heard,), name="Ctrl-C", daemon=True)
    watching.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(told)
        watching.join()
        os.close(heard)
        _set_stop(False)


def _watch(heard: int) -> None:
    while numbers := os.read(heard, 64):
        if signal.SIGINT in numbers:
            _set_stop(True)


def _set_stop(stop: bool) -> None:
    while True:
        try:
            for one in _STOPPABLE:
                one.stop = stop
        except RuntimeError:  # another one was made meanwhile
            continue
        return


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Within this, nothing is interrupted, and processes that are started are never: Ctrl-C takes effect at the end.

    To block the signal is not enough: other threads hear it too, and have Python interrupt the main one.
    """
    seen: list[tuple[Any, ...]] = []
    handler = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread() and callable(handler)
    before = hold_back_interrupts()
    try:
        if is_main:
            signal.signal(signal.SIGINT, lambda *heard: seen.append(heard))
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if seen and callable(handler):
            handler(*seen[0])


def hold_back_interrupts() -> set[int] | None:
    """Keep Ctrl-C from this thread and from the processes that it starts; return what was kept from it before."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return None
    from multiprocessing import resource_tracker

    # Python starts this helper with the first process, and lets signals through again after that.
    resource_tracker.ensure_running()
    return signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
