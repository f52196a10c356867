"""``/api/watch`` and ``/api/review``: whole games, of an agent or of somebody who is done with it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.routing import Route

from sapper.agents.registry import listed_entry
from sapper.errors import InputError
from sapper.formats.videos import READERS
from sapper.web.requests.reading import read_fields
from sapper.web.requests.sessions import is_token
from sapper.web.services import owner_of, services_of
from sapper.web.settings import MOST_CELLS, MOST_GAME_CELLS
from sapper.web.work import curves, whole_games

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from sapper.web.requests.reading import Fields

MOST_RECORD = 3_000_000
MOST_GAMES = 400  # played on per risky move of a review
MOST_SECONDS = 20  # of a game that is told in parts


async def watch(request: Request) -> Response:
    """Let an agent play a game, or a part of one."""
    services, fields = services_of(request), await read_fields(request)
    rules, seed = fields.rules(), fields.seed()
    agent = listed_entry(fields.text("agent", 100, default="exact")).name
    if rules.n_cells > MOST_GAME_CELLS:
        raise InputError(f"Games to watch are for boards of at most {MOST_GAME_CELLS:,} cells.")
    if seed is None:
        seed = secrets.randbelow(2**31)
    since = fields.whole("since", 0, MOST_CELLS, default=0)
    seconds = fields.whole("seconds", 0, MOST_SECONDS) if "seconds" in fields else None
    return await services.compute(services.long, request, whole_games.watch, str(rules), seed, agent, since, seconds)


async def review(request: Request) -> Response:
    """Judge every move of a record, of a binary replay, or of one of the visitor's own games that is over."""
    services, fields = services_of(request), await read_fields(request)
    n_games = fields.whole("games", 0, MOST_GAMES, default=0)
    text, suffix = await read_finished(request, fields)
    return await services.compute(services.long, request, whole_games.review, text, n_games, suffix)


async def wins(request: Request) -> Response:
    """Estimate the chance to win through such a game, a few moves at a time."""
    services, fields = services_of(request), await read_fields(request)
    n_games, since = fields.whole("games", 1, MOST_GAMES, default=20), fields.whole("since", 0, MOST_RECORD, default=0)
    text, suffix = await read_finished(request, fields)
    return await services.compute(services.long, request, curves.wins, text, suffix, n_games, since)


async def read_finished(request: Request, fields: Fields) -> tuple[str, str | None]:
    """A game that is over, as a record or as a binary replay in base64 with its suffix."""
    if "video" in fields:
        video, suffix = fields.text("video", MOST_RECORD), fields.text("suffix", 10).lower()
        if suffix not in READERS:
            raise InputError(f"The field 'suffix' should be one of {', '.join(READERS)}.")
        return video, suffix
    if "game" not in fields:
        return fields.text("record", MOST_RECORD), None
    services, game_id, owner = services_of(request), fields.text("game", 100), owner_of(request)
    # Its name is part of no path here, so nothing else looks at its form.
    known = game_id if is_token(game_id) else ""
    return await services.in_games(owner, lambda: str(services.games.record(known, owner))), None


ROUTES = [
    Route("/api/watch", watch, methods=["POST"]),
    Route("/api/review", review, methods=["POST"]),
    Route("/api/review/wins", wins, methods=["POST"]),
]
