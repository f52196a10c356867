"""The standard streams as a command may find them: closed, in few letters, or with a reader that goes away."""

from __future__ import annotations

import codecs
import io
import os
import sys
from pathlib import Path

# As wide as what they stand for, so that columns stay columns.
_IN_ASCII = {"→": ">", "·": ".", "…": "~", "±": "~", "✓": "+", "✗": "-", "\xa0": " "}


def prepare_streams() -> None:
    """Make the standard streams such that reading and printing cannot fail over how they were opened.

    One that is closed counts as the null device, as it does for git: reading ends at once, and what is printed goes
    nowhere. A letter that the encoding of the output lacks is written as one that looks alike, or as a question mark.
    """
    _open_closed_streams()
    codecs.register_error("sapper", _write_alike)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "sapper"), (sys.stderr, "sapper")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def in_letters_of_output(text: str) -> str:
    """Return a text in letters that the output has: typer prints help past what was prepared above."""
    encoding = sys.stdout.encoding or "utf-8"
    codecs.register_error("sapper", _write_alike)
    return text.encode(encoding, "sapper").decode(encoding)


def _open_closed_streams() -> None:
    # In this order each gets its own number again, the lowest that is free. Without that the next file to be opened
    # would get it, and what a library prints would go into the file.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - open until the end
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _write_alike(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_IN_ASCII.get(letter, "?") for letter in error.object[error.start : error.end]), error.end


def let_go_of_output() -> None:
    """Send what could not be written nowhere; Python would try again at exit, complain, and change the status."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        try:
            stream.flush()
        except (OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
