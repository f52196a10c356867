"""Everything that Sapper raises on purpose.

Each message is one sentence for a person: what is wrong and where. The command line prints it and exits
with status 2, so a message never needs a traceback beside it.
"""

from __future__ import annotations

from reprlib import repr as shorten


class SapperError(Exception):
    """The base of every error that Sapper raises on purpose; worker processes send them whole."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.args), self.__dict__


def _restore(kind: type[SapperError], arguments: tuple[object, ...]) -> SapperError:
    """Make an error again: its attributes follow, and its class may want more arguments than the message."""
    return kind.__new__(kind, *arguments)


class InputError(SapperError):
    """Text, a file or an argument that cannot be read as what it should be."""


class RulesError(SapperError):
    """Rules that describe no game."""


class IllegalMove(SapperError):
    """A move that the state of the game does not allow; the game is as it was."""


class FormatError(InputError):
    """A value that the chosen file format cannot carry."""


class Contradiction(SapperError):
    """A position that no layout fits; it names a smallest set of clues that cannot all hold."""

    def __init__(self, message: str, clues: tuple[tuple[int, int], ...] = (), total: bool = False) -> None:
        super().__init__(message)
        self.clues = clues  # (row, col) of each clue in the set
        self.total = total  # whether the number of mines belongs to the set


class TooHard(SapperError):
    """A position whose exact sum would exceed the budget."""

    def __init__(self, message: str, width: int) -> None:
        super().__init__(message)
        self.width = width  # clues open at once when the budget ran out


class OutOfTime(SapperError):
    """A time limit ended the work. Not a `TooHard`: code that handles that error would carry on after the limit."""


class AgentFault(SapperError):
    """An agent does something that no agent may do."""


class Forfeit(AgentFault):
    """A foreign agent cannot go on, so its game is lost: the kind of fault, a sentence, and what it printed."""

    def __init__(self, kind: str, detail: str, output: str = "") -> None:
        super().__init__(detail)
        self.kind = kind  # one of `FORFEITS`
        self.detail = detail
        self.output = output


# Why a foreign agent forfeits a game; stored by number, so new ones go to the end.
FORFEITS = ("load", "crash", "hang", "exit", "memory", "illegal", "none", "protocol")


class StoreError(SapperError):
    """Results that cannot be read or kept."""


class ClusterError(SapperError):
    """Processes or machines that should play and do not."""


class MissingExtra(SapperError, ImportError):
    """An optional package is asked for that is not installed."""


class GaveUp(SapperError):
    """A search at the end of its budget; what it had found until then is kept."""

    def __init__(self, message: str, n_tries: int) -> None:
        super().__init__(message)
        self.n_tries = n_tries


class NeedsGuess(SapperError):
    """A layout that cannot be cleared by the reasoning that is allowed."""


class FalseCertificate(SapperError):
    """A certificate that does not prove what it says."""


def check_type(given: object, kinds: type | tuple[type, ...], what: str) -> None:
    """Raise `InputError` unless an argument is of one of these types; ``what`` says what it should be.

    >>> check_type(3, str, "rules as text")
    Traceback (most recent call last):
    ...
    sapper.errors.InputError: Expected rules as text, not 3.
    """
    if not isinstance(given, kinds):
        raise InputError(f"Expected {what}, not {shorten(given)}.")
