"""``/api/games``: begin, show, move, undo, play again, download.

Hints and other help see only what the player sees. ``/api/games/onward`` continues from a position of another game;
such games do not count.
"""

from __future__ import annotations

import json
import re
import secrets

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import IllegalMove, InputError
from sapper.formats import FORMATS, convert
from sapper.play.record import ACTIONS, Move
from sapper.rules import Rules
from sapper.web.api.analysis import MAX_CHARACTERS, read_finished
from sapper.web.api.info import can_avoid_guesses
from sapper.web.http.fields import Fields, read_fields
from sapper.web.http.responses import answer, encoded
from sapper.web.jobs import games, positions
from sapper.web.jobs.games import no_guess_layout
from sapper.web.services import Services, owner_of, services_of
from sapper.web.settings import MAX_CELLS, MAX_COLS, MAX_ROWS
from sapper.web.storage.live import SEEDS, NeedsLayout
from sapper.web.storage.states import describe_entry
from sapper.web.storage.store import StoredGame
from sapper.workers import Job
from sapper.world.game import Outcome

# Downloads: format to file suffix.
DOWNLOADS = {"record": "record", "text": "pos", "mbf": "mbf", "ptta": "ptta", "layout": "layout"}


async def begin(request: Request) -> Response:
    """Begin a game."""
    services, fields = services_of(request), await read_fields(request)
    rules, seed, no_guess = fields.rules(), fields.seed(), fields.flag("no_guess")
    if no_guess and not can_avoid_guesses():
        raise InputError("This version of Sapper cannot generate no-guess boards.")
    if no_guess:
        from sapper.play.noguess.generate import check_rules

        check_rules(rules)
    owner = owner_of(request)
    return await services.play(201, owner, services.games.begin, owner, rules, seed, no_guess)


async def list_games(request: Request) -> Response:
    """List the visitor's games in which they have made a move."""
    services, owner = services_of(request), owner_of(request)
    listed = await services.in_games(owner, services.store.list_recent, owner, played=True)
    return answer([describe_entry(stored) for stored in listed])


async def look(request: Request) -> Response:
    """Respond with the state of a game."""
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
        raise InputError(f"The field 'action' must be one of {', '.join(ACTIONS)}.")
    return Move(action, fields.whole("row", 0, MAX_ROWS - 1), fields.whole("col", 0, MAX_COLS - 1))


async def _lay(services: Services, stored: StoredGame, first: Move) -> None:
    """Find the layout of a no-guess game, which depends on the first cell and takes a while."""
    cell = Rules.parse(stored.rules).topology.index(first.row, first.col)
    found = await services.boards.run(stored.owner, no_guess_layout, stored.rules, stored.seed, cell)
    await services.in_games(stored.owner, services.games.lay, stored, str(found.value()))


async def undo(request: Request) -> Response:
    """Undo the last move."""
    services, owner = services_of(request), owner_of(request)
    return await services.play(200, owner, _undo, services, request.path_params["game_id"], owner)


def _undo(services: Services, game_id: str, owner: str) -> dict[str, object]:
    if services.store.find(game_id, owner).outcome == Outcome.WON.value:
        raise IllegalMove("A won game cannot be undone. Play the same board again instead.")
    return services.games.undo(game_id, owner)


async def again(request: Request) -> Response:
    """Begin a new game on the same layout."""
    services, owner = services_of(request), owner_of(request)
    return await services.play(201, owner, services.games.again, request.path_params["game_id"], owner)


async def download(request: Request) -> Response:
    """Send a game as a file."""
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


async def hint(request: Request) -> Response:
    """Respond with a safe cell, else a mine, else the best guess; ``skip`` skips certain cells."""
    skip = _read_skip(request.query_params.get("skip", "0"))
    position, is_promised, start = await _see(request)
    return await _compute(request, positions.hint, position, is_promised, skip, start)


def _read_skip(text: str) -> int:
    if not re.fullmatch(r"\d{1,6}", text, re.ASCII):
        raise InputError("'skip' must be a whole number of at most six digits.")
    return int(text)


async def chances(request: Request) -> Response:
    """Respond with the mine probability of every hidden cell."""
    return await _compute(request, positions.chances, *await _see(request))


async def wrong_flags(request: Request) -> Response:
    """Respond with the flags on safe cells."""
    position, _, _ = await _see(request)
    return await _compute(request, positions.wrong_flags, position)


async def analysis(request: Request) -> Response:
    """Respond with the position, for analysis, which counts as help."""
    position, _, _ = await _see(request)
    return answer({"position": position})


async def _see(request: Request) -> tuple[str, bool, str]:
    """Return a game's position as text, whether its rules make every cell safe now, and what they promise at first."""
    services, game_id, owner = services_of(request), request.path_params["game_id"], owner_of(request)

    def see() -> tuple[str, bool, str]:
        observation, rules = services.games.see(game_id, owner)
        return str(observation), rules.promises_safety(observation.closed), rules.first_click

    return await services.in_games(owner, see)


async def _compute(request: Request, job: Job, *arguments: object) -> Response:
    services = services_of(request)
    return await services.compute(services.hints, request, job, *arguments)


async def continue_position(request: Request) -> Response:
    """Begin a game at a position, or after some moves of a finished game."""
    services, fields, owner = services_of(request), await read_fields(request), owner_of(request)
    if "position" in fields:
        position = fields.text("position", MAX_CHARACTERS)
        found = await services.analyses.run(owner, games.from_position, position, secrets.randbelow(SEEDS))
    else:
        n_moves = fields.whole("moves", 0, 10 * MAX_CELLS)
        text, suffix = await read_finished(request, fields)
        found = await services.long.run(owner, games.after_moves, text, suffix, n_moves)
    if found.status != 200:
        return encoded(found.body, found.status)

    def begin_there() -> dict[str, object]:
        # Parsed here, not on the event loop: it may be a long game.
        told = json.loads(found.body)
        moves = [Move(*move) for move in told["moves"]]
        return services.games.begin_continued(owner, told["rules"], told["seed"], told["layout"], moves)

    return await services.respond(201, owner, begin_there)


ROUTES = [
    Route("/api/games", begin, methods=["POST"]),
    Route("/api/games", list_games, methods=["GET"]),
    Route("/api/games/{game_id}", look, methods=["GET"]),
    Route("/api/games/{game_id}/moves", move, methods=["POST"]),
    Route("/api/games/{game_id}/undo", undo, methods=["POST"]),
    Route("/api/games/{game_id}/again", again, methods=["POST"]),
    Route("/api/games/{game_id}/download", download, methods=["GET"]),
    Route("/api/games/{game_id}/hint", hint, methods=["GET"]),
    Route("/api/games/{game_id}/chances", chances, methods=["GET"]),
    Route("/api/games/{game_id}/wrong-flags", wrong_flags, methods=["GET"]),
    Route("/api/games/{game_id}/analysis", analysis, methods=["GET"]),
    Route("/api/games/onward", continue_position, methods=["POST"]),
]
