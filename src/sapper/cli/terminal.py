"""The terminal: conversations, progress bars, and streams that are closed, lack letters or lose their reader."""

from __future__ import annotations

import codecs
import io
import os
import sys
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sapper.cli.files import write_bytes
from sapper.errors import InputError, SapperError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from rich.console import Console

    from sapper.inference.posterior.exact import Posterior
    from sapper.topology import Cell


SECONDS_BETWEEN_LINES = 5.0


@contextmanager
def show_progress(what: str, unit: str = "games") -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes the work done and the work in all, and shows it on standard error."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        yield from _show_bar(console, what, unit)
    else:
        yield from _show_lines(console, what, unit)


@contextmanager
def show_bar(what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """Do as `show_progress`, but only if standard error is a terminal and standard output is not."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal and not sys.stdout.isatty():
        yield from _show_bar(console, what, unit)
    else:
        yield lambda _done, _total: None


def _show_bar(console: object, what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    # Rich prints above the bar what is written meanwhile, but output to a file must reach the file.
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


def read_help(name: str) -> str:
    """Return what may be typed in a conversation: that of game, train or advise."""
    from importlib.resources import files

    return (files("sapper.data") / f"{name}.txt").read_text("utf-8").rstrip("\n")


class Conversation(ABC):
    """A conversation at the prompt: reads lines and answers, until the player quits or the input ends.

    A line is a word of ``_listens`` with what follows it, something else to `_enter`, or empty: `_present` again.
    """

    def __init__(self, console: Console, name: str) -> None:
        self._console = console
        help_, undo = (lambda _rest: self._say(read_help(name))), (lambda _rest: self._undo())
        self._listens: dict[str, Callable[[str], None]] = {
            "?": help_, "h": help_, "help": help_, "undo": undo, "u": undo, "save": self._save,
        }  # fmt: skip

    def _hold(self) -> None:
        """Continue until the player quits, the input ends, Ctrl-C, or Enter at the end of the game."""
        try:
            while True:
                line = input(self._prompt()).strip()
                if not sys.stdin.isatty():
                    # A piped session reads like one that was typed.
                    self._say(line)
                if line in ("q", "quit", "exit") or (not line and self._finished):
                    break
                self._answer(line)
        except (EOFError, KeyboardInterrupt):
            print()

    def _answer(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        try:
            if not line:
                self._present()
            elif word.lower() in self._listens:
                self._listens[word.lower()](rest.strip())
            else:
                self._enter(line)
        except SapperError as error:
            self._say(str(error))
        except OSError as error:
            self._say(f"{error.strerror or error}: {error.filename}." if error.filename else f"{error}.")

    def _prompt(self) -> str:
        return "> "

    @property
    @abstractmethod
    def _finished(self) -> bool:
        """Whether the game is over."""

    @property
    @abstractmethod
    def _saved(self) -> str:
        """What ``save`` writes."""

    @abstractmethod
    def _present(self) -> None:
        """Show where the game is."""

    @abstractmethod
    def _enter(self, line: str) -> None:
        """Answer a line that is not a command."""

    @abstractmethod
    def _undo(self) -> None:
        """Undo the last move or entry."""

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False)

    def _show_chances(self, found: Posterior, best: Collection[Cell]) -> None:
        from sapper.draw.terminal import chances_lines

        for line in chances_lines(found.observation, found.p_mine, found.safe, found.mines, best):
            self._console.print(line)
        self._say(f"{found.observation.caption()}; the rest in percent")

    def _save(self, name: str) -> None:
        if not name:
            raise InputError("Name the file: save FILE.")
        write_bytes(name, self._saved.encode())
        self._say(f"Saved {name}.")


# As wide as what they stand for, so that columns stay columns.
_IN_ASCII = {"→": ">", "·": ".", "…": "~", "±": "~", "✓": "+", "✗": "-", "\xa0": " "}


def prepare_streams() -> None:
    """Make reading and printing safe, however the standard streams were opened.

    A closed stream counts as the null device, as it does for git: reading ends at once, and output is discarded. A
    letter that the output's encoding lacks is replaced by one that looks alike, or by a question mark.
    """
    _open_closed_streams()
    codecs.register_error("sapper", _write_alike)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "sapper"), (sys.stderr, "sapper")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def in_letters_of_output(text: str) -> str:
    """Return a text in letters that the output has: typer prints help without `prepare_streams`."""
    encoding = sys.stdout.encoding or "utf-8"
    codecs.register_error("sapper", _write_alike)
    return text.encode(encoding, "sapper").decode(encoding)


def _open_closed_streams() -> None:
    # In this order each gets its own descriptor again, the lowest that is free. Otherwise the next file to be opened
    # would get it, and what a library prints would go into that file.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - open until the end
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _write_alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_IN_ASCII.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def detach_output() -> None:
    """Redirect unwritable output to the null device; Python would retry at exit, fail and change the status."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
