"""One server for most tests of the page: a real process, with more patience than usual for how often we ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from visitor import Server, Visitor, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("web"), "--rate", "1000") as running:
        yield running
        # Whatever the tests have sent, none of it was a surprise.
        assert "Traceback" not in running.stop()


@pytest.fixture
def visitor(server: Server) -> Visitor:
    return server.visitor()
