"""Read the fields of requests: every value has a type and bounds, and every error is one sentence."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from starlette.requests import Request

from sapper.errors import InputError, RulesError
from sapper.rules import Rules
from sapper.topology import OWN, Topology, write_neighbourhood
from sapper.web.http.responses import Refusal
from sapper.web.settings import MAX_COLS, MAX_ROWS, MAX_RULES, MAX_TABLE
from sapper.words import name_size
from sapper.world.generation import MAX_SEED

_SIZE = re.compile(r"(\d{1,9})x(\d{1,9})/(\d{1,9})", re.ASCII)


class Fields:
    """The fields of a JSON object."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def text(self, name: str, most: int, default: str | None = None) -> str:
        """Return a string of at most ``most`` characters."""
        value = self._values.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise InputError(f"The field {name!r} must be a string.")
        if len(value) > most:
            raise InputError(f"The field {name!r} has {len(value):,} characters; the limit is {most:,}.")
        return value

    def whole(self, name: str, least: int, most: int, default: int | None = None) -> int:
        """Return an integer within bounds."""
        value = self._values.get(name)
        if value is None and default is not None:
            return default
        # True is an int in Python.
        if type(value) is not int or not least <= value <= most:
            raise InputError(f"The field {name!r} must be a whole number from {least:,} to {most:,}.")
        return value

    def number(self, name: str, least: float, most: float, default: float | None = None) -> float:
        """Return a number within bounds."""
        value = self._values.get(name)
        if value is None and default is not None:
            return default
        # True is an int in Python.
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise InputError(f"The field {name!r} must be a number from {least:,g} to {most:,g}.")
        return float(value)

    def flag(self, name: str) -> bool:
        """Return a Boolean; False if it is missing."""
        value = self._values.get(name)
        if value is not None and not isinstance(value, bool):
            raise InputError(f"The field {name!r} must be true or false.")
        return bool(value)

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """Return one to ``most`` short strings."""
        value = self._values.get(name)
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise InputError(f"The field {name!r} must be a list of 1 to {most} strings.")
        if not all(isinstance(item, str) and len(item) <= 100 for item in value):
            raise InputError(f"The field {name!r} must contain only short strings.")
        return tuple(value)

    def shares(self, name: str, most: int, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return one to ``most`` numbers from 0 to 1."""
        value = self._values.get(name)
        if value is None:
            return default
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            raise InputError(f"The field {name!r} must be a list of 1 to {most} numbers.")
        for item in value:
            if type(item) not in (int, float) or not math.isfinite(item) or not 0 <= item <= 1:
                raise InputError(f"The field {name!r} must contain only numbers from 0 to 1.")
        return tuple(float(item) for item in value)

    def rules(self) -> Rules:
        """Return the rules of a game on a board that is not too large."""
        return read_rules(self.text("rules", MAX_RULES))

    def seed(self) -> int | None:
        """Return the seed, if there is one."""
        return self.whole("seed", 0, MAX_SEED) if "seed" in self else None


async def read_fields(request: Request) -> Fields:
    """Read the body of a request as a JSON object."""
    body = await request.body()
    try:
        values = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise Refusal(400, "The body is not UTF-8 text.") from None
    except RecursionError:
        raise Refusal(400, "The body is nested too deeply.") from None
    except ValueError:
        raise Refusal(400, "The body is not JSON.") from None
    if not isinstance(values, dict):
        raise Refusal(400, "The body must be a JSON object.")
    return Fields(values)


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def read_rules(text: str) -> Rules:
    """Read rules of boards that are not too large.

    >>> str(read_rules("expert torus"))
    '16x30/99 torus'
    """
    words = text.split()
    size = _SIZE.fullmatch(words[0]) if words else None
    # Checked first: making rules computes the neighbours of every cell.
    if size is not None and (int(size[1]) > MAX_ROWS or int(size[2]) > MAX_COLS):
        raise RulesError(
            f"A board of {name_size(int(size[1]), int(size[2]))} is too large for the web app; the limit is "
            f"{MAX_ROWS} x {MAX_COLS}."
        )
    rules = Rules.parse(text)
    check_table(rules.topology)
    return rules


def check_table(board: Topology) -> None:
    """Raise `InputError` for a custom board whose neighbour table is too long, in its canonical form."""
    n_characters = len(write_neighbourhood(board)) if board.shape == OWN else 0
    if n_characters > MAX_TABLE:
        raise InputError(
            f"This custom board is too large for the web app: its table has {n_characters:,} characters; the limit is "
            f"{MAX_TABLE:,}."
        )
