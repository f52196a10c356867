"""From the bytes of a file to its text and numbers, or to a sentence about why they are none."""

from __future__ import annotations

from sapper.errors import InputError

# More digits than any size, count or pixel needs, and few enough that no number costs time or memory.
MAX_DIGITS = 9


def decode(data: bytes, what: str) -> str:
    """Return the text of a file with plain line ends, without the byte order mark that some editors add.

    ``what`` is what a sentence about it calls it: ".mine file", or "position" where the name may end in anything.
    """
    try:
        text = data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(f"Byte {error.start} is not text; a {what} is written in UTF-8.") from None
    if not text.strip():
        raise InputError(f"The {what} is empty.")
    return text


def whole_number(word: str, what: str) -> int:
    """Return a whole number that is not negative."""
    if not (word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS):
        raise InputError(f"{what} should be a whole number of at most {MAX_DIGITS} digits, not {word[:40]!r}.")
    return int(word)
