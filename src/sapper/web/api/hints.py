"""Help in a game, ``/api/games/{id}/hint`` and others: what follows from what the player sees, and no more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.routing import Route

from sapper.errors import InputError
from sapper.play.positions import promises_safety
from sapper.web.requests.answers import answer
from sapper.web.services import owner_of, services_of
from sapper.web.work import positions

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from sapper.web.work.processes import Job


async def hint(request: Request) -> Response:
    """A safe cell, else a mine, else the best guess; ``skip`` passes over so many that are certain."""
    skip = _read_skip(request.query_params.get("skip", "0"))
    position, is_promised = await _see(request)
    return await _compute(request, positions.hint, position, is_promised, skip)


def _read_skip(text: str) -> int:
    if not re.fullmatch(r"\d{1,6}", text, re.ASCII):
        raise InputError("'skip' should be a whole number of at most six digits.")
    return int(text)


async def chances(request: Request) -> Response:
    """The chance of a mine under every hidden cell."""
    position, is_promised = await _see(request)
    return await _compute(request, positions.chances, position, is_promised)


async def wrong_flags(request: Request) -> Response:
    """The flags that certainly stand on safe cells."""
    position, _ = await _see(request)
    return await _compute(request, positions.wrong_flags, position)


async def analysis(request: Request) -> Response:
    """The position, for somebody who is about to analyse it: that is help."""
    position, _ = await _see(request)
    return answer({"position": position})


async def _see(request: Request) -> tuple[str, bool]:
    """The position of a game as text, and whether its rules make any cell safe now."""
    services, game_id, owner = services_of(request), request.path_params["game_id"], owner_of(request)

    def see() -> tuple[str, bool]:
        observation, rules = services.games.see(game_id, owner)
        return str(observation), promises_safety(rules, observation)

    return await services.in_games(owner, see)


async def _compute(request: Request, job: Job, *arguments: object) -> Response:
    services = services_of(request)
    return await services.compute(services.hints, request, job, *arguments)


ROUTES = [
    Route("/api/games/{game_id}/hint", hint, methods=["GET"]),
    Route("/api/games/{game_id}/chances", chances, methods=["GET"]),
    Route("/api/games/{game_id}/wrong-flags", wrong_flags, methods=["GET"]),
    Route("/api/games/{game_id}/analysis", analysis, methods=["GET"]),
]
