"""The exit statuses of every command; docs/commands.md has the same table in words."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """How a command ended."""

    DONE = 0
    NO = 1  # it was looked into, and the answer is no: a certificate does not hold, no layout fits a puzzle
    WRONG = 2  # something about the input or the surroundings is wrong, and one sentence says what
    GAVE_UP = 3  # a limit was reached first; what was found until then is kept
    STOPPED = 130  # by Ctrl-C, as a shell counts it
    READER_GONE = 141  # whoever read the output has seen enough; as a shell counts a closed pipe
