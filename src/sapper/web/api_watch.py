"""``/api/watch`` and ``/api/review``: whole games, of an agent or of somebody who is done with it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.routing import Route

from sapper.agents.registry import agent_entry
from sapper.errors import InputError
from sapper.web import jobs
from sapper.web.reading import read_fields
from sapper.web.services import owner_of, services_of
from sapper.web.sessions import is_token

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

MOST_RECORD = 3_000_000
MOST_GAMES = 400  # played on per risky move of a review


async def watch(request: Request) -> Response:
    """Let an agent play a game."""
    services, fields = services_of(request), await read_fields(request)
    rules, seed = fields.rules(), fields.seed()
    agent = agent_entry(fields.text("agent", 40, default="exact")).name
    if rules.n_cells > jobs.MOST_WATCHED_CELLS:
        raise InputError(f"Games to watch are for boards of at most {jobs.MOST_WATCHED_CELLS:,} cells.")
    if seed is None:
        seed = secrets.randbelow(2**31)
    return await services.compute(services.long, request, jobs.watch, str(rules), seed, agent)


async def review(request: Request) -> Response:
    """Judge every move of a record, or of one of the visitor's own games that is over."""
    services, fields = services_of(request), await read_fields(request)
    if "game" in fields:
        game_id = fields.text("game", 100)
        # Its name is part of no path here, so nothing else looks at its form.
        record = str(
            await services.in_thread(services.games.record, game_id if is_token(game_id) else "", owner_of(request))
        )
    else:
        record = fields.text("record", MOST_RECORD)
    n_games = fields.whole("games", 0, MOST_GAMES, default=0)
    return await services.compute(services.long, request, jobs.review, record, n_games)


ROUTES = [
    Route("/api/watch", watch, methods=["POST"]),
    Route("/api/review", review, methods=["POST"]),
]
