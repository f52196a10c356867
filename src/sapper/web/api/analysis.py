"""``/api/analyse``, ``explain`` and ``best`` take any position; ``/api/watch`` and ``/api/review`` take whole games."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.agents.registry import listed_entry
from sapper.errors import InputError
from sapper.formats.videos import READERS
from sapper.web.http.fields import Fields, read_fields
from sapper.web.http.sessions import is_token
from sapper.web.jobs import games, positions, review
from sapper.web.services import owner_of, services_of
from sapper.web.settings import MAX_CELLS, MAX_GAME_CELLS

# Cells, row separators and rules, or the numbers of a .csp file.
MAX_CHARACTERS = 3 * MAX_CELLS + 1000
MAX_SECONDS = 10  # of rollouts
STARTS = ("any", "safe", "opening")


async def analyse(request: Request) -> Response:
    """Respond with the exact analysis of a position."""
    services, fields = services_of(request), await read_fields(request)
    position = fields.text("position", MAX_CHARACTERS)
    return await services.compute(services.analyses, request, positions.analyse, position)


async def explain(request: Request) -> Response:
    """Explain one cell."""
    services, fields = services_of(request), await read_fields(request)
    position = fields.text("position", MAX_CHARACTERS)
    row, col = fields.whole("row", 0, MAX_CELLS), fields.whole("col", 0, MAX_CELLS)
    return await services.compute(services.analyses, request, positions.explain_cell, position, row, col)


async def best(request: Request) -> Response:
    """Respond with the best cell to open and its win chance."""
    services, fields = services_of(request), await read_fields(request)
    position = fields.text("position", MAX_CHARACTERS)
    seconds = fields.whole("seconds", 0, MAX_SECONDS, default=2)
    start = fields.text("start", 10, default="safe")
    if start not in STARTS:
        raise InputError(f"The field 'start' must be one of {', '.join(STARTS)}.")
    return await services.compute(services.long, request, positions.best, position, seconds, start)


MAX_RECORD = 3_000_000
MAX_GAMES = 400  # rollouts per risky move of a review
MAX_WATCH_SECONDS = 20  # of a game that is sent in parts


async def watch(request: Request) -> Response:
    """Run an agent on a board, or continue such a game."""
    services, fields = services_of(request), await read_fields(request)
    rules, seed = fields.rules(), fields.seed()
    agent = listed_entry(fields.text("agent", 100, default="exact")).name
    if rules.n_cells > MAX_GAME_CELLS:
        raise InputError(f"Agents can be watched on boards of at most {MAX_GAME_CELLS:,} cells.")
    if seed is None:
        seed = secrets.randbelow(2**31)
    since = fields.whole("since", 0, MAX_CELLS, default=0)
    seconds = fields.whole("seconds", 0, MAX_WATCH_SECONDS) if "seconds" in fields else None
    return await services.compute(services.long, request, games.watch, str(rules), seed, agent, since, seconds)


async def review_game(request: Request) -> Response:
    """Review a record, a binary replay or one of the visitor's finished games."""
    services, fields = services_of(request), await read_fields(request)
    n_games = fields.whole("games", 0, MAX_GAMES, default=0)
    text, suffix = await read_finished(request, fields)
    return await services.compute(services.long, request, games.review, text, n_games, suffix)


async def last_move(request: Request) -> Response:
    """Judge the last move of one of the visitor's finished games, or of a record."""
    services, fields = services_of(request), await read_fields(request)
    text, suffix = await read_finished(request, fields)
    if suffix is not None:
        raise InputError("The last move is judged of a game or a record.")
    return await services.compute(services.long, request, review.last_move, text)


async def wins(request: Request) -> Response:
    """Estimate the win chances of such a game, a few moves at a time."""
    services, fields = services_of(request), await read_fields(request)
    n_games, since = fields.whole("games", 1, MAX_GAMES, default=20), fields.whole("since", 0, MAX_RECORD, default=0)
    text, suffix = await read_finished(request, fields)
    return await services.compute(services.long, request, review.wins, text, suffix, n_games, since)


async def read_finished(request: Request, fields: Fields) -> tuple[str, str | None]:
    """Return a finished game: a record, or a binary replay in base64 with its suffix."""
    if "video" in fields:
        video, suffix = fields.text("video", MAX_RECORD), fields.text("suffix", 10).lower()
        if suffix not in READERS:
            raise InputError(f"The field 'suffix' must be one of {', '.join(READERS)}.")
        return video, suffix
    if "game" not in fields:
        return fields.text("record", MAX_RECORD), None
    services, game_id, owner = services_of(request), fields.text("game", 100), owner_of(request)
    # Not part of a path, so its form is checked here.
    known = game_id if is_token(game_id) else ""
    return await services.in_games(owner, lambda: str(services.games.record(known, owner))), None


ROUTES = [
    Route("/api/analyse", analyse, methods=["POST"]),
    Route("/api/explain", explain, methods=["POST"]),
    Route("/api/best", best, methods=["POST"]),
    Route("/api/watch", watch, methods=["POST"]),
    Route("/api/review", review_game, methods=["POST"]),
    Route("/api/review/last", last_move, methods=["POST"]),
    Route("/api/review/wins", wins, methods=["POST"]),
]
