"""How long work is going: a bar on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def show_progress(what: str, unit: str = "games") -> Iterator[Callable[[int, int], None]]:
    """Yield a function to be told what is done and how much there is; it all goes to standard error."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        yield from _show_bar(console, what, unit)
    else:
        yield from _show_lines(console, what, unit)


@contextmanager
def show_bar(what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """As `show_progress`, but nothing is shown unless somebody watches while the output goes elsewhere."""
    import sys

    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal and not sys.stdout.isatty():
        yield from _show_bar(console, what, unit)
    else:
        yield lambda _done, _total: None


def _show_bar(console: object, what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    import sys

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    # Rich prints above the bar whatever is written meanwhile; what is written into a file has to arrive there.
    on_screen = sys.stdout.isatty()
    with Progress(*columns, console=console, redirect_stdout=on_screen) as progress:  # type: ignore[arg-type]
        task = progress.add_task(what, total=None, rate="")
        began, first = time.monotonic(), -1

        def update(done: int, total: int) -> None:
            nonlocal first
            if first < 0:
                first = done
            progress.update(task, completed=done, total=total, rate=_rate(done - first, began, unit))

        yield update


def _show_lines(console: object, what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    import sys

    del console
    began = last = time.monotonic()
    first = -1

    def update(done: int, total: int) -> None:
        nonlocal first, last
        now = time.monotonic()
        if first < 0:
            first = done
        elif now - last < SECONDS_BETWEEN_LINES:
            return
        else:
            last = now
            left = (total - done) * (now - began) / max(done - first, 1)
            print(
                f"{what}: {done:,} of {total:,} {unit}, {_rate(done - first, began, unit)}, {left:,.0f} s left",
                file=sys.stderr,
                flush=True,
            )

    yield update


def _rate(n: int, began: float, unit: str) -> str:
    spent = time.monotonic() - began
    return f"{n / spent:,.0f} {unit}/s" if n and spent > 0 else ""
