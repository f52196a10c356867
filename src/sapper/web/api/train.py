"""``/api/train``: puzzles, answers and progress; ``/api/train/course``: lessons, with the puzzles solved so far.

A link names a puzzle. Its solution stays on the server until the visitor answers.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.errors import InputError
from sapper.train import Attempt, Learner, Name, Puzzle, Way, read_kind, read_way
from sapper.train.attempts import HELPED
from sapper.train.choosing import PuzzleChoice, usual_kinds
from sapper.train.course import Lesson, lesson, lessons
from sapper.web.http.fields import Fields, read_fields, read_rules
from sapper.web.http.responses import Refusal, answer
from sapper.web.jobs import training
from sapper.web.jobs.training import NoPuzzle, PuzzleRequest, Values, round_of
from sapper.web.services import Services, owner_of, services_of
from sapper.web.settings import MAX_PUZZLE_CELLS, MAX_RULES, MAX_TABLE

MAX_NAME = 20  # characters of the name of a kind or mode
MAX_LINK = 2 * MAX_PUZZLE_CELLS + MAX_TABLE
MAX_NUMBER = 1_000  # as an answer
MAX_SECONDS = 3_600.0  # for a puzzle: a visitor who takes longer has been away
MAX_ROUND_SECONDS = 24 * 3_600.0  # since a round began
ROUNDS = ("sprint", "survival")


async def progress(request: Request) -> Response:
    """Return the visitor's ratings, streaks and puzzles to repeat."""
    services, owner = services_of(request), owner_of(request)
    offset = _read_offset(request.query_params.get("utc_offset", "0"))

    def look() -> Values:
        return services.history(owner).learner(offset).as_plain_values(time.time())

    async with _turn(services, owner):
        return await services.respond(200, owner, look)


def _read_offset(text: str) -> float:
    if not re.fullmatch(r"-?\d{1,5}", text, re.ASCII) or abs(int(text)) > 24 * 3600:
        raise InputError("'utc_offset' must be a whole number of seconds, at most a day.")
    return float(text)


def _turn(services: Services, owner: str) -> asyncio.Lock:
    """Return the lock that serialises requests about a visitor's attempts."""
    return services.lock_for(f"{owner} trains")


# -- choosing -------------------------------------------------------------------------------------------------


async def following(request: Request) -> Response:
    """Return the puzzle that suits the visitor best now."""
    services, owner = services_of(request), owner_of(request)
    wanted, now = _read_request(await read_fields(request), owner), time.time()
    async with _turn(services, owner):
        learner = await services.in_kept(owner, services.history(owner).learner)
        choice, made = await _choose(services, owner, wanted, learner)
        told = _standing(learner, wanted.way, wanted.began, now)
    return answer({"puzzle": training.show(made), "repetition": choice.is_repetition} | told)


async def _choose(
    services: Services, owner: str, wanted: PuzzleRequest, learner: Learner
) -> tuple[PuzzleChoice, Values]:
    """Choose candidates for a visitor; return them and the puzzle nearest to the target."""
    wanted = wanted._replace(kinds=wanted.kinds or usual_kinds(learner, round_of(learner, wanted.way, wanted.began)))
    while True:
        choice = wanted.choose(learner, time.time())
        try:
            made = await services.puzzles.find_all(owner, [str(name) for name in choice.names])
        except NoPuzzle:
            # The board may have no puzzle of this kind, or an old link may no longer make one: try another kind.
            left = tuple(kind for kind in wanted.kinds if kind != choice.names[0].kind)
            if not left:
                raise
            wanted = wanted._replace(kinds=left)
        else:
            return choice, min(made, key=lambda one: abs(one["difficulty"] - choice.target))


async def _prepare_next(services: Services, owner: str, wanted: PuzzleRequest) -> None:
    """Make the visitor's next puzzle while they read the answer to the last one."""
    async with _turn(services, owner):
        learner = await services.in_kept(owner, services.history(owner).learner)
        await _choose(services, owner, wanted, learner)


def _standing(learner: Learner, way: Way, began: float, now: float) -> Values:
    """Return the rating, if there is one, and the state of the round."""
    current = round_of(learner, way, began)
    own = learner.overall.rating_at(now) if learner.overall.points else None
    return {
        "rating": own and own.rating,
        "deviation": own and own.deviation,
        "provisional": own and own.is_provisional,
        "round": None if current is None else current.as_plain_values(now),
    }


def _read_request(fields: Fields, owner: str) -> PuzzleRequest:
    way, began = _read_round(fields)
    if way in ROUNDS and not began:
        began = time.time()
    kinds = (read_kind(fields.text("kind", MAX_NAME)),) if "kind" in fields else ()
    board = training.check_board(read_rules(fields.text("board", MAX_RULES, "beginner")))
    return PuzzleRequest(way, kinds, board, began, seed=int(owner[:8], 16))


def _read_round(fields: Fields) -> tuple[Way, float]:
    """Read the training mode and the start of its round; 0 outside rounds."""
    way = read_way(fields.text("way", MAX_NAME, "rated"))
    if way not in ROUNDS or "began" not in fields:
        return way, 0.0
    now = time.time()
    return way, fields.number("began", now - MAX_ROUND_SECONDS, now)


# -- answering ------------------------------------------------------------------------------------------------


async def known(request: Request) -> Response:
    """Return the puzzle of a link or a position; if a position makes none, only the kind that fits."""
    services, fields, owner = services_of(request), await read_fields(request), owner_of(request)
    way, began = _read_round(fields)
    kind = None
    if "position" in fields:
        given = await services.hints.run(owner, training.make_given, fields.text("position", MAX_LINK))
        found = cast("Values", given.value())
        made, kind = found["puzzle"], found["kind"]
        services.puzzles.keep([made] if made is not None else [])
    else:
        made = await services.puzzles.find(owner, fields.text("link", MAX_LINK))
    async with _turn(services, owner):
        learner = await services.in_kept(owner, services.history(owner).learner)
        told = _standing(learner, way, began, time.time())
    shown = None if made is None else training.show(made)
    return answer({"puzzle": shown, "kind": kind, "repetition": False} | told)


async def hint(request: Request) -> Response:
    """Say where to look."""
    services, fields = services_of(request), await read_fields(request)
    made = await services.puzzles.find(owner_of(request), fields.text("link", MAX_LINK))
    return await services.compute(services.hints, request, training.hint, made)


async def check(request: Request) -> Response:
    """Check and store an answer, and return the solution; the next puzzle is made in the background."""
    services, fields, owner = services_of(request), await read_fields(request), owner_of(request)
    given, wanted = _read_answer(fields), _read_request(fields, owner)
    seconds = min(fields.number("seconds", 0.0, 1e9, 0.0), MAX_SECONDS)
    made = await services.puzzles.find(owner, fields.text("link", MAX_LINK))
    verdict = cast("Values", (await services.hints.run(owner, training.judge, made, given)).value())
    score = min(verdict["score"], HELPED) if fields.flag("hinted") else verdict["score"]
    puzzle = Puzzle.from_plain_values(made)
    attempt = Attempt.of(puzzle, score, seconds=seconds, at=time.time(), way=wanted.way, began=wanted.began)
    async with _turn(services, owner):
        kept = await services.in_kept(owner, services.history(owner).record, attempt)
        told = _standing(kept.learner, wanted.way, wanted.began, attempt.at)
    services.in_background(f"puzzles of {owner}", _prepare_next(services, owner, wanted))
    return answer(verdict | told | {"counts": kept.counts, "before": kept.rating_before})


def _read_answer(fields: Fields) -> list[int] | int | None:
    """Read a cell or a number; None if the visitor gives up."""
    if fields.flag("give_up"):
        return None
    if "number" in fields:
        return fields.whole("number", 0, MAX_NUMBER)
    if "row" not in fields or "col" not in fields:
        raise InputError("The answer must be a cell ('row' and 'col') or a 'number'; 'give_up' shows the solution.")
    return [fields.whole("row", 0, MAX_PUZZLE_CELLS), fields.whole("col", 0, MAX_PUZZLE_CELLS)]


_LISTED = ("number", "name", "title", "about")


async def overview(request: Request) -> Response:
    """List the lessons."""
    services, owner = services_of(request), owner_of(request)

    def look() -> object:
        solved = services.history(owner).solved()
        return {"lessons": [_describe(one, solved) for one in lessons()]}

    return await services.respond(200, owner, look)


async def whole(request: Request) -> Response:
    """Return one lesson, and the name of the next."""
    services, owner = services_of(request), owner_of(request)

    def look() -> object:
        try:
            found = lesson(request.path_params["lesson"])
        except InputError as error:
            raise Refusal(404, str(error)) from None
        following = next((one.name for one in lessons() if one.number == found.number + 1), None)
        return {
            **_describe(found, services.history(owner).solved()),
            "text": found.text,
            "example": [frame.as_plain_values() for frame in found.example],
            "remember": found.remember,
            "next": following,
        }

    return await services.respond(200, owner, look)


def _describe(found: Lesson, solved: set[Name]) -> dict[str, object]:
    puzzles = [
        {"link": one.link, "kind": one.kind, "solved": Name.of(one.kind, one.rules, one.seed, one.position) in solved}
        for one in found.puzzles
    ]
    return {name: getattr(found, name) for name in _LISTED} | {"puzzles": puzzles}


ROUTES = [
    Route("/api/train", progress, methods=["GET"]),
    Route("/api/train/next", following, methods=["POST"]),
    Route("/api/train/puzzle", known, methods=["POST"]),
    Route("/api/train/hint", hint, methods=["POST"]),
    Route("/api/train/check", check, methods=["POST"]),
    Route("/api/train/course", overview, methods=["GET"]),
    Route("/api/train/course/{lesson}", whole, methods=["GET"]),
]
