"""``/api/games/onward``: a game that goes on from a position of another; it counts for nothing."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from starlette.routing import Route

from sapper.play.matches.record import Move
from sapper.web.api.analyse import MOST_CHARACTERS
from sapper.web.api.watch import read_finished
from sapper.web.games.live import SEEDS
from sapper.web.requests.answers import encoded
from sapper.web.requests.reading import read_fields
from sapper.web.services import owner_of, services_of
from sapper.web.settings import MOST_CELLS
from sapper.web.work import onward

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def begin(request: Request) -> Response:
    """Begin a game at a position, or after some moves of a game that is over."""
    services, fields, owner = services_of(request), await read_fields(request), owner_of(request)
    if "position" in fields:
        position = fields.text("position", MOST_CHARACTERS)
        found = await services.analyses.run(owner, onward.from_position, position, secrets.randbelow(SEEDS))
    else:
        n_moves = fields.whole("moves", 0, 10 * MOST_CELLS)
        text, suffix = await read_finished(request, fields)
        found = await services.long.run(owner, onward.after_moves, text, suffix, n_moves)
    if found.status != 200:
        return encoded(found.body, found.status)

    def begin_there() -> dict[str, object]:
        # Read here and not on the event loop: it may be a long game.
        told = json.loads(found.body)
        moves = [Move(*move) for move in told["moves"]]
        return services.games.begin_onward(owner, told["rules"], told["seed"], told["layout"], moves)

    return await services.tell(201, owner, begin_there)


ROUTES = [Route("/api/games/onward", begin, methods=["POST"])]
