"""``/api/analyse``, ``/api/explain`` and ``/api/best``: any position that somebody paints or pastes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from sapper.errors import InputError
from sapper.web.requests.reading import read_fields
from sapper.web.services import services_of
from sapper.web.settings import MOST_CELLS
from sapper.web.work import positions

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

# A separator for each row and the words behind, or the numbers of a .csp file.
MOST_CHARACTERS = 3 * MOST_CELLS + 1000
MOST_SECONDS = 10  # of games that are played on
STARTS = ("any", "safe", "opening")


async def analyse(request: Request) -> Response:
    """Everything exact about a position."""
    services, fields = services_of(request), await read_fields(request)
    position = fields.text("position", MOST_CHARACTERS)
    return await services.compute(services.analyses, request, positions.analyse, position)


async def explain(request: Request) -> Response:
    """Why one cell is what it is."""
    services, fields = services_of(request), await read_fields(request)
    position = fields.text("position", MOST_CHARACTERS)
    row, col = fields.whole("row", 0, MOST_CELLS), fields.whole("col", 0, MOST_CELLS)
    return await services.compute(services.analyses, request, positions.explain_cell, position, row, col)


async def best(request: Request) -> Response:
    """The best cell to open, and its chance to win."""
    services, fields = services_of(request), await read_fields(request)
    position = fields.text("position", MOST_CHARACTERS)
    seconds = fields.whole("seconds", 0, MOST_SECONDS, default=2)
    start = fields.text("start", 10, default="safe")
    if start not in STARTS:
        raise InputError(f"The field 'start' should be one of {', '.join(STARTS)}.")
    return await services.compute(services.long, request, positions.best, position, seconds, start)


ROUTES = [
    Route("/api/analyse", analyse, methods=["POST"]),
    Route("/api/explain", explain, methods=["POST"]),
    Route("/api/best", best, methods=["POST"]),
]
