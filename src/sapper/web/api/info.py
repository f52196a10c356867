"""``/api/info``: version, presets, agents and limits."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.agents.registry import listed_agents
from sapper.rules import DEALINGS, FIRST_CLICKS, PRESETS
from sapper.topology import SHAPES
from sapper.version import __version__
from sapper.web.http.responses import answer
from sapper.web.settings import MAX_COLS, MAX_ROWS, MAX_TABLE


def can_avoid_guesses() -> bool:
    """Return whether no-guess boards can be generated."""
    from importlib import import_module

    try:
        return callable(getattr(import_module("sapper.play.noguess.generate"), "generate_no_guess", None))
    except ImportError:
        return False


async def info(request: Request) -> Response:
    """Respond with all of it."""
    del request
    return answer(
        {
            "version": __version__,
            "presets": {name: str(rules) for name, rules in PRESETS.items()},
            "agents": [
                {"name": one.name, "summary": one.summary, "about": one.about, "reports": list(one.reports)}
                for one in listed_agents()
            ],
            "topologies": list(SHAPES),
            "first_clicks": list(FIRST_CLICKS),
            "dealings": list(DEALINGS),
            "limits": {"rows": MAX_ROWS, "cols": MAX_COLS, "table": MAX_TABLE},
            "no_guess": can_avoid_guesses(),
        }
    )


ROUTES = [Route("/api/info", info, methods=["GET"])]
