"""``/api/lab``: sweeps in the background, and the results of earlier ones."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.web.http.fields import read_fields
from sapper.web.http.responses import Refusal, answer, encoded
from sapper.web.jobs import lab
from sapper.web.services import owner_of, services_of


async def begin(request: Request) -> Response:
    """Run a sweep; one that is already in the store resumes."""
    services = services_of(request)
    fields = await read_fields(request)

    def start() -> int:
        return services.lab.begin(owner_of(request), lab.read_sweep(fields))

    return answer({"id": await services.in_kept(owner_of(request), start)}, 202)


async def list_plans(request: Request) -> Response:
    """List the sweeps of the store."""
    services = services_of(request)
    found = await services.reports.run(owner_of(request), lab.list_plans, str(services.results))
    if found.status != 200:
        return encoded(found.body, found.status)

    def add_status() -> list[dict[str, object]]:
        return [plan | services.lab.status(plan["id"]) for plan in json.loads(found.body)]

    return answer(await services.in_thread(add_status))


async def report(request: Request) -> Response:
    """Respond with the progress of a sweep and its results so far."""
    services, plan = services_of(request), _plan(request)
    # Read first: a sweep that ends in between is then reported as running once more, not as ended early.
    status = await services.in_thread(services.lab.status, plan)
    found = await services.reports.run(owner_of(request), lab.report, str(services.results), plan)
    if found.status != 200:
        return encoded(found.body, found.status)
    return answer(json.loads(found.body) | status)


async def stop(request: Request) -> Response:
    """Stop a sweep."""
    services, plan = services_of(request), _plan(request)
    await services.in_kept(owner_of(request), services.lab.stop, owner_of(request), plan)
    return answer({"id": plan})


def _plan(request: Request) -> int:
    text: str = request.path_params["plan"]
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refusal(404, "There is no such sweep.")
    return int(text)


ROUTES = [
    Route("/api/lab", begin, methods=["POST"]),
    Route("/api/lab", list_plans, methods=["GET"]),
    Route("/api/lab/{plan}", report, methods=["GET"]),
    Route("/api/lab/{plan}/stop", stop, methods=["POST"]),
]
