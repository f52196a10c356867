"""JSON responses: values, and errors as one sentence with a status."""

from __future__ import annotations

import json
from collections.abc import Mapping

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

# The first that matches: the game is in the wrong state, the server cannot do it now, or the input is wrong.
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
    """A refused request, with an HTTP status."""

    def __init__(self, status: int, sentence: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = dict(headers or {})


def encode(value: object) -> bytes:
    """Encode a value as JSON, in ASCII because UTF-8 has no lone surrogates."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Respond with a value."""
    return encoded(encode(value), status, headers)


def encoded(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Respond with JSON that is already encoded."""
    return Response(body, status, headers, media_type="application/json")


def describe_error(error: SapperError) -> tuple[int, dict[str, object]]:
    """Return the status and the body for an error."""
    said: dict[str, object] = {"error": str(error)}
    if isinstance(error, Contradiction):
        said |= {"clues": [list(cell) for cell in error.clues], "total": error.total}
    if isinstance(error, Refusal):
        return error.status, said
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 422), said


def refuse(error: SapperError) -> Response:
    """Respond with an error."""
    status, said = describe_error(error)
    return answer(said, status, error.headers if isinstance(error, Refusal) else None)
