"""``/api/daily``: the daily boards."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import InputError
from sapper.web.http.fields import read_fields
from sapper.web.jobs.games import no_guess_layout
from sapper.web.services import Services, owner_of, services_of
from sapper.web.storage.daily import LEVELS, DailyBoard

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
    level = fields.text("level", 20)
    if level not in LEVELS:
        raise InputError(f"The field 'level' must be one of {', '.join(LEVELS)}.")
    board, owner = services.daily.board(level), owner_of(request)
    layout = await find_layout(services, board)
    # Serialised: two requests at once must not count as two attempts.
    return await services.play(201, owner, services.daily.begin, owner, board, layout)


async def find_layout(services: Services, board: DailyBoard) -> str:
    """Return the layout of a board, which is searched for only once."""
    async with services.lock_for(board.name):
        kept = await services.in_thread(services.daily.layout, board)
        if kept is not None:
            return kept
        cell = board.rules.topology.index(*board.first)
        found = await services.boards.run("daily boards", no_guess_layout, str(board.rules), board.seed, cell)
        layout = str(found.value())
        await services.in_thread(services.daily.keep, board, layout)
        return layout


async def prepare(services: Services) -> None:
    """Find the layouts of today and tomorrow in advance."""
    for board in await services.in_thread(services.daily.missing):
        await find_layout(services, board)


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
]
