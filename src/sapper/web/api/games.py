"""``/api/games``: begin, look, move, take back, play again, download."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import IllegalMove, InputError
from sapper.formats import FORMATS, convert
from sapper.play.matches.record import ACTIONS, Move
from sapper.rules import Rules
from sapper.web.api.info import can_avoid_guesses
from sapper.web.games.live import NeedsLayout
from sapper.web.games.states import describe_entry
from sapper.web.requests.answers import answer
from sapper.web.requests.reading import Fields, read_fields
from sapper.web.services import Services, owner_of, services_of
from sapper.web.settings import MOST_COLS, MOST_ROWS
from sapper.web.work.whole_games import no_guess_layout
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from starlette.requests import Request

    from sapper.web.games.store import StoredGame

# What may be downloaded: name → suffix of the file.
DOWNLOADS = {"record": "record", "text": "pos", "mbf": "mbf", "ptta": "ptta", "layout": "layout"}


async def begin(request: Request) -> Response:
    """Begin a game."""
    services, fields = services_of(request), await read_fields(request)
    rules, seed, no_guess = fields.rules(), fields.seed(), fields.flag("no_guess")
    if no_guess and not can_avoid_guesses():
        raise InputError("This version of Sapper makes no boards that need no guess.")
    if no_guess:
        from sapper.play.boards.noguess import check_rules

        check_rules(rules)
    owner = owner_of(request)
    return await services.play(201, owner, services.games.begin, owner, rules, seed, no_guess)


async def list_games(request: Request) -> Response:
    """List the visitor's games."""
    services, owner = services_of(request), owner_of(request)
    listed = await services.in_games(owner, services.store.list_recent, owner)
    return answer([describe_entry(stored) for stored in listed])


async def look(request: Request) -> Response:
    """Say how a game stands."""
    services, owner = services_of(request), owner_of(request)
    return await services.play(200, owner, services.games.look, request.path_params["game_id"], owner)


async def move(request: Request) -> Response:
    """Make a move."""
    services, game_id, owner = services_of(request), request.path_params["game_id"], owner_of(request)
    made = read_move(await read_fields(request))
    try:
        return await services.play(200, owner, services.games.play, game_id, owner, made)
    except NeedsLayout as needed:
        await _lay(services, needed.stored, made)
    return await services.play(200, owner, services.games.play, game_id, owner, made)


def read_move(fields: Fields) -> Move:
    """Read a move."""
    action = fields.text("action", 10)
    if action not in ACTIONS:
        raise InputError(f"The field 'action' should be one of {', '.join(ACTIONS)}.")
    return Move(action, fields.whole("row", 0, MOST_ROWS - 1), fields.whole("col", 0, MOST_COLS - 1))


async def _lay(services: Services, stored: StoredGame, first: Move) -> None:
    """Find the layout of a game without guesses, which depends on the first cell and takes a while."""
    cell = Rules.parse(stored.rules).topology.index(first.row, first.col)
    found = await services.boards.run(stored.owner, no_guess_layout, stored.rules, stored.seed, cell)
    await services.in_games(stored.owner, services.games.lay, stored, str(found.value()))


async def undo(request: Request) -> Response:
    """Take back the last move."""
    services, owner = services_of(request), owner_of(request)
    return await services.play(200, owner, _take_back, services, request.path_params["game_id"], owner)


def _take_back(services: Services, game_id: str, owner: str) -> dict[str, object]:
    # A lost game may go on to see what would have been; a game that was won stays won.
    if services.store.find(game_id, owner).outcome == Outcome.WON.value:
        raise IllegalMove("The game is won, so it stays as it is; play the same board again instead.")
    return services.games.undo(game_id, owner)


async def again(request: Request) -> Response:
    """Begin a new game on the same layout."""
    services, owner = services_of(request), owner_of(request)
    return await services.play(201, owner, services.games.again, request.path_params["game_id"], owner)


async def download(request: Request) -> Response:
    """Hand out a game as a file."""
    services, game_id, owner = services_of(request), request.path_params["game_id"], owner_of(request)
    name = request.query_params.get("format", "record")
    if name not in DOWNLOADS:
        raise InputError(f"There is no download in that format; choose from {', '.join(DOWNLOADS)}.")
    data = await services.in_games(owner, _write, services, game_id, owner, name)
    kind = "application/octet-stream" if name == "mbf" else "text/plain; charset=utf-8"
    file_name = f"sapper-{game_id[:8]}.{DOWNLOADS[name]}"
    return Response(data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{file_name}"'})


def _write(services: Services, game_id: str, owner: str, name: str) -> bytes:
    if name == "record":
        return str(services.games.record(game_id, owner)).encode()
    if name == "text":
        return f"{services.games.position(game_id, owner)}\n".encode()
    return convert(services.games.layout(game_id, owner), FORMATS[name])


ROUTES = [
    Route("/api/games", begin, methods=["POST"]),
    Route("/api/games", list_games, methods=["GET"]),
    Route("/api/games/{game_id}", look, methods=["GET"]),
    Route("/api/games/{game_id}/moves", move, methods=["POST"]),
    Route("/api/games/{game_id}/undo", undo, methods=["POST"]),
    Route("/api/games/{game_id}/again", again, methods=["POST"]),
    Route("/api/games/{game_id}/download", download, methods=["GET"]),
]
