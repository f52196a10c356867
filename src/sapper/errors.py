"""Everything that Sapper raises on purpose.

Each message is one sentence for a person: what is wrong and where. The command line prints it and exits
with status 2, so a message never needs a traceback beside it.
"""


class SapperError(Exception):
    """The base of every error that Sapper raises on purpose."""


class InputError(SapperError):
    """Text, a file or an argument that cannot be read as what it should be."""


class RulesError(SapperError):
    """Rules that describe no game."""


class IllegalMove(SapperError):
    """A move that the state of the game does not allow; the game is as it was."""


class FormatError(SapperError):
    """A value that the chosen file format cannot carry."""
