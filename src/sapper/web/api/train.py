"""``/api/train``: puzzles to learn from. A link names a puzzle; its solution stays here until the answer is given.

``/api/train/course``: the lessons, with what the visitor has solved of them; their solutions stay here.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, cast

from starlette.routing import Route

from sapper.errors import InputError
from sapper.train import Attempt, Name, Puzzle, read_kind, read_way
from sapper.train.attempts import HELPED
from sapper.train.choosing import usual_kinds
from sapper.train.course import lesson, lessons
from sapper.web.http.fields import read_fields, read_rules
from sapper.web.http.responses import Refusal, answer
from sapper.web.jobs import training
from sapper.web.jobs.training import NoPuzzle, Wish, round_of
from sapper.web.services import owner_of, services_of
from sapper.web.settings import MAX_PUZZLE_CELLS, MOST_RULES, MOST_TABLE

if TYPE_CHECKING:
    import asyncio

    from starlette.requests import Request
    from starlette.responses import Response

    from sapper.train import Learner, Way
    from sapper.train.choosing import Choice
    from sapper.train.course import Lesson
    from sapper.web.http.fields import Fields
    from sapper.web.jobs.training import Values
    from sapper.web.services import Services


MOST_NAME = 20  # characters of the name of a kind or a way
MOST_LINK = 2 * MAX_PUZZLE_CELLS + MOST_TABLE
MOST_NUMBER = 1_000  # as an answer
MOST_SECONDS = 3_600.0  # for a puzzle: somebody who takes longer has been away
MOST_ROUND_SECONDS = 24 * 3_600.0  # since a round began
ROUNDS = ("sprint", "survival")


async def progress(request: Request) -> Response:
    """Say how the visitor stands."""
    services, owner = services_of(request), owner_of(request)
    offset = _read_offset(request.query_params.get("utc_offset", "0"))

    def look() -> Values:
        return services.attempts.learner(owner, offset).as_plain_values(time.time())

    async with _turn(services, owner):
        return await services.respond(200, owner, look)


def _read_offset(text: str) -> float:
    if not re.fullmatch(r"-?\d{1,5}", text, re.ASCII) or abs(int(text)) > 24 * 3600:
        raise InputError("'utc_offset' should be a whole number of seconds, at most a day.")
    return float(text)


def _turn(services: Services, owner: str) -> asyncio.Lock:
    """The attempts of a visitor are looked at by one request after the other."""
    return services.lock_for(f"{owner} trains")


# -- what comes next ------------------------------------------------------------------------------------------


async def following(request: Request) -> Response:
    """The puzzle that fits the visitor best now."""
    services, owner = services_of(request), owner_of(request)
    wish, now = _read_wish(await read_fields(request), owner), time.time()
    async with _turn(services, owner):
        learner = await services.in_kept(owner, services.attempts.learner, owner)
        choice, made = await _choose(services, owner, wish, learner)
        told = _standing(learner, wish.way, wish.began, now)
    return answer({"puzzle": training.show(made), "repetition": choice.is_repetition} | told)


async def _choose(services: Services, owner: str, wish: Wish, learner: Learner) -> tuple[Choice, Values]:
    """A choice for a visitor, and the puzzle among it that fits best."""
    wish = wish._replace(kinds=wish.kinds or usual_kinds(learner, round_of(learner, wish.way, wish.began)))
    while True:
        choice = wish.choose(learner, time.time())
        try:
            made = await services.puzzles.find_all(owner, [str(name) for name in choice.names])
        except NoPuzzle:
            # A board may have no puzzle of a kind, and a link of long ago make none any more: then another kind.
            left = tuple(kind for kind in wish.kinds if kind != choice.names[0].kind)
            if not left:
                raise
            wish = wish._replace(kinds=left)
        else:
            return choice, min(made, key=lambda one: abs(one["difficulty"] - choice.target))


async def _think_ahead(services: Services, owner: str, wish: Wish) -> None:
    """Make the next puzzle of a visitor, who is reading the answer to the last one."""
    async with _turn(services, owner):
        learner = await services.in_kept(owner, services.attempts.learner, owner)
        await _choose(services, owner, wish, learner)


def _standing(learner: Learner, way: Way, began: float, now: float) -> Values:
    """The rating, once there is one, and how the round stands."""
    current = round_of(learner, way, began)
    own = learner.overall.rating_at(now) if learner.overall.points else None
    return {
        "rating": own and own.rating,
        "deviation": own and own.deviation,
        "provisional": own and own.is_provisional,
        "round": None if current is None else current.as_plain_values(now),
    }


def _read_wish(fields: Fields, owner: str) -> Wish:
    way, began = _read_round(fields)
    if way in ROUNDS and not began:
        began = time.time()
    kinds = (read_kind(fields.text("kind", MOST_NAME)),) if "kind" in fields else ()
    board = training.check_board(read_rules(fields.text("board", MOST_RULES, "beginner")))
    return Wish(way, kinds, board, began, seed=int(owner[:8], 16))


def _read_round(fields: Fields) -> tuple[Way, float]:
    """A way to train, and when its round began, as it was told; 0 outside rounds."""
    way = read_way(fields.text("way", MOST_NAME, "rated"))
    if way not in ROUNDS or "began" not in fields:
        return way, 0.0
    now = time.time()
    return way, fields.number("began", now - MOST_ROUND_SECONDS, now)


# -- a puzzle and its answer ----------------------------------------------------------------------------------


async def known(request: Request) -> Response:
    """The puzzle of a link, or of a position; where a position makes none, only the kind that fits."""
    services, fields, owner = services_of(request), await read_fields(request), owner_of(request)
    way, began = _read_round(fields)
    kind = None
    if "position" in fields:
        given = await services.hints.run(owner, training.make_given, fields.text("position", MOST_LINK))
        found = cast("Values", given.value())
        made, kind = found["puzzle"], found["kind"]
        services.puzzles.keep([made] if made is not None else [])
    else:
        made = await services.puzzles.find(owner, fields.text("link", MOST_LINK))
    async with _turn(services, owner):
        learner = await services.in_kept(owner, services.attempts.learner, owner)
        told = _standing(learner, way, began, time.time())
    shown = None if made is None else training.show(made)
    return answer({"puzzle": shown, "kind": kind, "repetition": False} | told)


async def hint(request: Request) -> Response:
    """Where to look."""
    services, fields = services_of(request), await read_fields(request)
    made = await services.puzzles.find(owner_of(request), fields.text("link", MOST_LINK))
    return await services.compute(services.hints, request, training.hint, made)


async def check(request: Request) -> Response:
    """Judge an answer, keep it, and tell everything about the puzzle; what comes next is made meanwhile."""
    services, fields, owner = services_of(request), await read_fields(request), owner_of(request)
    given, wish = _read_answer(fields), _read_wish(fields, owner)
    seconds = min(fields.number("seconds", 0.0, 1e9, 0.0), MOST_SECONDS)
    made = await services.puzzles.find(owner, fields.text("link", MOST_LINK))
    verdict = cast("Values", (await services.hints.run(owner, training.judge, made, given)).value())
    score = min(verdict["score"], HELPED) if fields.flag("hinted") else verdict["score"]
    puzzle = Puzzle.from_plain_values(made)
    attempt = Attempt.of(puzzle, score, seconds=seconds, at=time.time(), way=wish.way, began=wish.began)
    async with _turn(services, owner):
        told = await services.in_kept(owner, _keep, services, owner, attempt)
    services.in_background(f"puzzles of {owner}", _think_ahead(services, owner, wish))
    return answer(verdict | told)


def _keep(services: Services, owner: str, attempt: Attempt) -> Values:
    """Keep an answer that counts: the first to a puzzle, or one that was due; in a lesson, also the first right one."""
    learner = services.attempts.learner(owner)
    counts = attempt.name not in learner.seen or attempt.name in set(learner.schedule.due(attempt.at))
    before, n_rated = learner.overall.rating.rating, len(learner.overall.points)
    # Nobody should have to wait for tomorrow to finish a lesson after a mistake.
    is_solved_now = attempt.way == "free" and attempt.is_right and attempt.name not in services.attempts.solved(owner)
    if counts or is_solved_now:
        services.attempts.add(owner, attempt)
        learner = services.attempts.learner(owner)
    told = _standing(learner, attempt.way, attempt.began, attempt.at)
    return told | {"counts": counts, "before": before if len(learner.overall.points) > n_rated else None}


def _read_answer(fields: Fields) -> list[int] | int | None:
    """A cell, a number, or nothing: somebody gives up."""
    if fields.flag("give_up"):
        return None
    if "number" in fields:
        return fields.whole("number", 0, MOST_NUMBER)
    if "row" not in fields or "col" not in fields:
        raise InputError("The answer is a cell ('row' and 'col') or a 'number'; 'give_up' asks for the solution.")
    return [fields.whole("row", 0, MAX_PUZZLE_CELLS), fields.whole("col", 0, MAX_PUZZLE_CELLS)]


_LISTED = ("number", "name", "title", "about")


async def overview(request: Request) -> Response:
    """List the lessons."""
    services, owner = services_of(request), owner_of(request)

    def look() -> object:
        solved = services.attempts.solved(owner)
        return {"lessons": [_describe(one, solved) for one in lessons()]}

    return await services.respond(200, owner, look)


async def whole(request: Request) -> Response:
    """One lesson, and the name of the next."""
    services, owner = services_of(request), owner_of(request)

    def look() -> object:
        try:
            found = lesson(request.path_params["lesson"])
        except InputError as error:
            raise Refusal(404, str(error)) from None
        following = next((one.name for one in lessons() if one.number == found.number + 1), None)
        return {
            **_describe(found, services.attempts.solved(owner)),
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
