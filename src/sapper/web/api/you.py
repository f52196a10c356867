"""``/api/you``: a visitor's statistics, their export and their deletion."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import InputError
from sapper.train import Attempt
from sapper.web.http.responses import Refusal, encode
from sapper.web.jobs.review import appraise_game
from sapper.web.services import Services, owner_of, services_of
from sapper.web.storage.results import FIELDS, MAX_OWN_RESULTS, NOTHING, RiskTotals, describe_result, describe_results
from sapper.web.storage.states import as_time
from sapper.web.storage.store import StoredGame

_FORMATS = {"json": "application/json", "csv": "text/csv; charset=utf-8"}
_ATTEMPT_FIELDS = (
    "puzzle", "kind", "board", "seed", "position", "difficulty", "score", "seconds", "answered", "way", "round",
)  # fmt: skip
_TABLES = ("games", "puzzles")  # subjects of a CSV file


async def totals(request: Request) -> Response:
    """Respond with the visitor's statistics, and compute missing risks in the background."""
    services, owner = services_of(request), owner_of(request)
    services.in_background(f"risks of {owner}", _compute_risks(services, owner))
    return await services.respond(200, owner, _add_up, services, owner)


def _add_up(services: Services, owner: str) -> dict[str, object]:
    results = services.results_of_games.of(owner)
    if len(results) > MAX_OWN_RESULTS:
        services.results_of_games.make_room(owner)
        results = results[-MAX_OWN_RESULTS:]
    return describe_results(results)


async def _compute_risks(services: Services, owner: str) -> None:
    """Compute the risks of one game after the other, so that other visitors need not wait."""
    results = services.results_of_games
    while (waiting := await services.in_thread(results.next_waiting, owner)) is not None:
        game_id, record = waiting
        found = NOTHING
        try:
            answer = await services.reports.run(owner, appraise_game, record)
            if answer.status == 200:
                found = RiskTotals(**json.loads(answer.body))
        except Refusal as refusal:
            # Busy: try again next time. A game that takes too long is left out permanently.
            if "Retry-After" in refusal.headers:
                return
        await services.in_thread(results.keep_risks, game_id, found)


async def export(request: Request) -> Response:
    """Send all data of the visitor; as CSV, the results of games or the answers to puzzles."""
    services, owner, name = services_of(request), owner_of(request), request.query_params.get("format", "json")
    if name not in _FORMATS:
        raise InputError(f"There is no export in that format; choose from {', '.join(_FORMATS)}.")
    table = request.query_params.get("of", _TABLES[0])
    if table not in _TABLES:
        raise InputError(f"There is no export of that; choose from {', '.join(_TABLES)}.")
    write = _write_all if name == "json" else _write_games if table == "games" else _write_puzzles
    data = await services.in_kept(owner, write, services, owner)
    headers = {"Content-Disposition": f'attachment; filename="sapper-{table}.{name}"'}
    return Response(data, media_type=_FORMATS[name], headers=headers)


def _write_games(services: Services, owner: str) -> bytes:
    return _as_csv(FIELDS, [describe_result(one) for one in services.results_of_games.of(owner)])


def _describe_attempt(attempt: Attempt) -> dict[str, object]:
    """Return an attempt as people read it: its link, and times as such; ``round`` is when its round began."""
    values = attempt.as_plain_values() | {
        "puzzle": str(attempt.name),
        "answered": as_time(attempt.at),
        "round": as_time(attempt.began) if attempt.began else None,
    }
    return {name: values[name] for name in _ATTEMPT_FIELDS}


def _write_puzzles(services: Services, owner: str) -> bytes:
    return _as_csv(_ATTEMPT_FIELDS, [_describe_attempt(one) for one in services.history(owner).attempts()])


def _as_csv(names: Iterable[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    writer.writerows(one.values() for one in rows)
    return text.getvalue().encode()


def _write_all(services: Services, owner: str) -> bytes:
    kept = services.store.list_recent(owner, -1)
    return encode(
        {
            "exported": as_time(time.time()),
            "results": [describe_result(one) for one in services.results_of_games.of(owner)],
            "games": [_describe_game(services, stored) for stored in kept],
            "attempts": [attempt.as_plain_values() for attempt in services.history(owner).attempts()],
        }
    )


def _describe_game(services: Services, stored: StoredGame) -> dict[str, object]:
    # Seed and layout of a game in progress would reveal its mines.
    is_open = stored.outcome != "playing" or stored.seed_given
    return {
        "id": stored.id,
        "rules": stored.rules,
        "no_guess": stored.no_guess,
        "daily": stored.daily,
        "seed": stored.seed if is_open else None,
        "layout": stored.layout if stored.outcome != "playing" else None,
        "outcome": stored.outcome,
        "seconds": round(stored.seconds, 3),
        "started": as_time(stored.started),
        "helped": stored.helped,
        "undone": stored.undone,
        "played_on": stored.played_on,
        "moves": [[move.action, move.row, move.col] for move in services.store.moves(stored.id)],
    }


async def forget(request: Request) -> Response:
    """Delete all data of the visitor."""
    services, owner = services_of(request), owner_of(request)

    def delete() -> dict[str, object]:
        return {"deleted_games": services.games.forget(owner)}

    # With the lock of the games: no move in a game that is being removed.
    return await services.play(200, owner, delete)


ROUTES = [
    Route("/api/you", totals, methods=["GET"]),
    Route("/api/you", forget, methods=["DELETE"]),
    Route("/api/you/export", export, methods=["GET"]),
]
