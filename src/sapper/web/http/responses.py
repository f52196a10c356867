"""Answers as JSON: values, and errors as one sentence with the right status."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from starlette.responses import Response

from sapper.errors import (
    ClusterError,
    Contradiction,
    FormatError,
    IllegalMove,
    InputError,
    OutOfTime,
    RulesError,
    SapperError,
    StoreError,
    TooHard,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


# The first that fits: what was asked for is wrong, the game is not in a state for it, or we cannot do it now.
_STATUSES: tuple[tuple[type[SapperError], int], ...] = (
    (IllegalMove, 409),
    (StoreError, 503),
    (ClusterError, 503),
    (InputError, 422),
    (RulesError, 422),
    (FormatError, 422),
    (Contradiction, 422),
    (TooHard, 422),
    (OutOfTime, 422),
)


class Refusal(SapperError):
    """A request that is not answered, with the status that says why."""

    def __init__(self, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = dict(headers or {})


def encode(value: object) -> bytes:
    """Write a value as JSON. In ASCII: a lone surrogate in a text cannot be written any other way."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with a value."""
    return encoded(encode(value), status, headers)


def encoded(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with a value that is written as JSON already."""
    return Response(body, status, headers, media_type="application/json")


def describe_error(error: SapperError) -> tuple[int, dict[str, object]]:
    """Return the status of an error and what is said about it."""
    said: dict[str, object] = {"error": str(error)}
    if isinstance(error, Contradiction):
        said |= {"clues": [list(cell) for cell in error.clues], "total": error.total}
    if isinstance(error, Refusal):
        return error.status, said
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 422), said


def refuse(error: SapperError) -> Response:
    """Answer with an error."""
    status, said = describe_error(error)
    return answer(said, status, error.headers if isinstance(error, Refusal) else None)
