"""``/api/train/course``: the lessons, with what the visitor has solved of them; their solutions stay here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from sapper.errors import InputError
from sapper.train import Name
from sapper.train.course import lesson, lessons
from sapper.web.requests.answers import Refusal
from sapper.web.services import owner_of, services_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from sapper.train.course import Lesson

_LISTED = ("number", "name", "title", "about")


async def overview(request: Request) -> Response:
    """List the lessons."""
    services, owner = services_of(request), owner_of(request)

    def look() -> object:
        solved = services.attempts.solved(owner)
        return {"lessons": [_describe(one, solved) for one in lessons()]}

    return await services.tell(200, owner, look)


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

    return await services.tell(200, owner, look)


def _describe(found: Lesson, solved: set[Name]) -> dict[str, object]:
    puzzles = [
        {"link": one.link, "kind": one.kind, "solved": Name.of(one.kind, one.rules, one.seed, one.position) in solved}
        for one in found.puzzles
    ]
    return {name: getattr(found, name) for name in _LISTED} | {"puzzles": puzzles}


ROUTES = [
    Route("/api/train/course", overview, methods=["GET"]),
    Route("/api/train/course/{lesson}", whole, methods=["GET"]),
]
