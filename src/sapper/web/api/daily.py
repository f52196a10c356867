"""``/api/daily``: the daily boards."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import InputError
from sapper.web.http.fields import read_fields
from sapper.web.http.responses import Refusal
from sapper.web.jobs.games import daily_layout
from sapper.web.services import Services, owner_of, services_of
from sapper.web.storage.daily import LEVELS, DailyBoard, FoundBoard

SECONDS_AT_FIRST = 30.0  # the first visitors have priority
SECONDS_BETWEEN = 3600.0


async def today(request: Request) -> Response:
    """Respond with today's boards and the visitor's results."""
    services, owner = services_of(request), owner_of(request)
    # So that the visitor can begin at once.
    services.in_background("daily boards", prepare(services))
    return await services.respond(200, owner, services.daily.describe, owner)


async def begin(request: Request) -> Response:
    """Begin today's board of a level, or continue it."""
    services, fields = services_of(request), await read_fields(request)
    board, owner = services.daily.board(read_level(fields.text("level", 20))), owner_of(request)
    found = await find_mines(services, board)
    # Serialised: two requests at once must not count as two attempts.
    return await services.play(201, owner, services.daily.begin, owner, board, found)


async def look(request: Request) -> Response:
    """Respond with the figures of a board and the results of all visitors: today's, or that of a ``day`` before."""
    services, owner = services_of(request), owner_of(request)
    level = read_level(request.query_params.get("level", ""))
    board = services.daily.board(level)
    if "day" in request.query_params:
        board = board._replace(day=read_day(request.query_params["day"]))
    # Nobody can have boards of any day searched for, nor see tomorrow's.
    is_today = board == services.daily.board(level)
    found = await find_mines(services, board) if is_today else await services.in_thread(services.daily.find, board)
    if found is None or board.day > services.daily.board(level).day:
        raise Refusal(404, "That daily board was not played here.")
    return await services.respond(200, owner, services.daily.describe_board, owner, board, found)


def read_level(text: str) -> str:
    """Read a level."""
    if text not in LEVELS:
        raise InputError(f"'level' must be one of {', '.join(LEVELS)}.")
    return text


def read_day(text: str) -> date:
    """Read a day such as 2026-11-20."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError("'day' must be a date such as 2026-11-20.") from None


async def find_mines(services: Services, board: DailyBoard) -> FoundBoard:
    """Return the mines of a board, which are searched for only once."""
    async with services.lock_for(board.name):
        kept = await services.in_thread(services.daily.find, board)
        if kept is not None:
            return kept
        cell = board.rules.topology.index(*board.first)
        told = await services.boards.run("daily boards", daily_layout, str(board.rules), board.seeds, cell, *board.band)
        found = FoundBoard(**cast("dict[str, Any]", told.value()))
        await services.in_thread(services.daily.keep, board, found)
        return found


async def prepare(services: Services) -> None:
    """Find the mines of today and tomorrow in advance."""
    for board in await services.in_thread(services.daily.missing):
        await find_mines(services, board)


async def run_maintenance(services: Services) -> None:
    """Prepare the next daily boards and remove the oldest results and attempts, as long as the server runs."""
    pause = SECONDS_AT_FIRST
    while True:
        await asyncio.sleep(pause)
        pause = SECONDS_BETWEEN
        # Separately: a failure is logged, and every task is tried again next time.
        services.in_background("daily boards", prepare(services))
        services.in_background("room for results", services.in_thread(services.results_of_games.make_room))
        services.in_background("room for attempts", services.in_thread(services.store.trim_attempts))


ROUTES = [
    Route("/api/daily", today, methods=["GET"]),
    Route("/api/daily", begin, methods=["POST"]),
    Route("/api/daily/board", look, methods=["GET"]),
]
