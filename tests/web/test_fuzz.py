"""Whatever is sent, the answer is JSON with a status that says whose fault it is: never ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from effort import times
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import positions, rules
from visitor import Reply, Server, Visitor

from sapper.agents.registry import AGENTS

pytestmark = pytest.mark.slow

FUZZ = settings(max_examples=times(50, 150), suppress_health_check=[HealthCheck.function_scoped_fixture])

METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "BREW")
PATHS = (
    "/", "/api", "/api/info", "/api/games", "/api/games/{id}", "/api/games/{id}/moves", "/api/games/{id}/undo",
    "/api/games/{id}/again", "/api/games/{id}/hint", "/api/games/{id}/chances", "/api/games/{id}/wrong-flags",
    "/api/games/{id}/analysis", "/api/daily", "/api/daily/board?level=expert&day=%FF", "/api/daily/board",
    "/api/games/{id}/download", "/api/games/{id}/download?format=mbf", "/api/games/{id}/download?format=%FF",
    "/api/watch", "/api/analyse", "/api/explain", "/api/best", "/api/review", "/api/lab", "/api/lab/1",
    "/api/lab/{id}/stop", "/api/train", "/api/train/next", "/api/train/puzzle", "/api/train/hint", "/api/train/check",
    "/static/x.js", "/%00", "/%ff",
)  # fmt: skip

numbers = (
    st.integers(-3, 12)
    | st.integers()
    | st.integers(10**300, 10**301)
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.sampled_from([2**63 - 1, 2**63, -0.0, 1e308, True])
)
# Lone surrogates too, which JSON can write and UTF-8 cannot.
texts = st.text(st.characters(), max_size=40) | st.sampled_from(
    ["", "\x00", "\ud800", "expert", "9x9/10", "1#/##", "é"]
)
anything = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
likely_rules = rules().map(str) | st.sampled_from(["expert", "9x9/10 torus", "200x200/9000", "200x200/40000 first-any"])
likely_positions = positions().map(str) | st.sampled_from(
    ["2x2x1\n1H\nHH", "b=1&m=0", "?b=33&m=04", "4x3:3,0,u840", "2 2 1\n-1 1\n-1 -1", "9x9n10:0,0,m00", "3x3#1"]
)
records = st.builds(
    "Sapper-Record: 1\nRules: {}\nSeed: {}\nMoves:\n{}\n".format,
    likely_rules,
    st.integers(0, 99),
    st.lists(
        st.tuples(st.sampled_from(["open", "flag", "chord"]), st.integers(0, 6), st.integers(0, 6)).map(
            lambda move: f"{move[0]} {move[1]},{move[2]}"
        ),
        max_size=12,
    ).map("\n".join),
) | st.sampled_from(["Board:\n*0\n00\nEvents:\n0.1 lc 2 1\n0.2 lr 2 1\n", "Board:\n", "Sapper-Record: 1\n"])

# Field by field either what belongs there or anything at all.
FIELDS = {
    "rules": likely_rules, "seed": numbers, "no_guess": st.booleans(),
    "action": st.sampled_from(["open", "flag", "chord"]),
    "row": st.integers(-1, 10), "col": st.integers(-1, 10), "agent": st.sampled_from(sorted(AGENTS)),
    "position": likely_positions, "record": records, "game": texts,
    "agents": st.lists(st.sampled_from(["random", "nobody"]), max_size=3),
    "size": st.sampled_from(["2x2", "0x0", "9x", "99x99"]),
    "seconds": st.sampled_from([0, 1, -1, 99]), "since": st.integers(-1, 5) | numbers,
    "start": st.sampled_from(["any", "safe", "opening"]), "video": texts | st.just("AAAA"),
    "suffix": st.sampled_from([".evf", ".AVF", ".exe"]),
    "link": st.sampled_from(["pairs.9x9.10.7", "subsets.____-1221", "guess.9x9.10.1", "pairs.9999x9999.9.1"]) | texts,
    "way": st.sampled_from(["rated", "sprint", "survival", "free"]), "began": numbers, "number": st.integers(-1, 9),
    "kind": st.sampled_from(["pairs", "guess", "area", "none"]), "board": likely_rules, "hinted": st.booleans(),
    "densities": st.lists(numbers, max_size=3), "games": st.sampled_from([0, 1, 10**9, "1"]), "words": texts,
}  # fmt: skip
bodies = st.fixed_dictionaries({}, optional={name: values | anything for name, values in FIELDS.items()})


def check(reply: Reply, sent: object) -> Any:
    assert reply.status < 500 or reply.status == 503, (reply, sent)
    assert b"ended early" not in reply.body, (reply, sent)
    if reply.headers.get("content-type") == "application/json" and reply.body:
        value = reply.value
        if reply.status >= 400:
            assert value["error"].endswith("."), (value, sent)
            assert "\n" not in value["error"]
        return value
    return None


@pytest.fixture
def playing(server: Server) -> tuple[Visitor, str]:
    visitor = server.visitor()
    return visitor, visitor.begin("5x5/4")["id"]


@FUZZ
@given(st.sampled_from(METHODS), st.sampled_from(PATHS), st.binary(max_size=60) | st.just(b'{"rules":"9x9/10"}'))
def test_any_method_and_any_bytes(playing: tuple[Visitor, str], method: str, path: str, body: bytes) -> None:
    visitor, game_id = playing
    check(visitor.ask(method, path.replace("{id}", game_id), body), (method, path, body))


@FUZZ
@given(
    st.sampled_from([path for path in PATHS if path.startswith("/api/") and path != "/api/lab"]),
    bodies | anything,
)
def test_any_json(playing: tuple[Visitor, str], path: str, body: object) -> None:
    visitor, game_id = playing
    sent = json.dumps(body).encode()
    check(visitor.ask("POST", path.replace("{id}", game_id), sent), (path, body))


@FUZZ
@given(texts | st.sampled_from(["../x", "%00", "a/b"]), st.sampled_from(["", "/hint", "/download"]), texts)
def test_any_name_of_a_game(playing: tuple[Visitor, str], name: str, part: str, query: str) -> None:
    from urllib.parse import quote

    name, query = (quote(text.encode("utf-8", "surrogatepass")) for text in (name, query))
    path = f"/api/games/{name}{part}?format={query}"
    check(playing[0].ask("GET", path), path)


@settings(FUZZ, max_examples=times(25, 60))
@given(
    likely_rules,
    st.lists(st.tuples(st.sampled_from(["open", "flag", "chord"]), st.integers(0, 6), st.integers(0, 6)), max_size=8),
)
def test_any_game(server: Server, chosen: str, moves: list[tuple[str, int, int]]) -> None:
    visitor = server.visitor()
    state = visitor.begin(chosen)
    path = f"/api/games/{state['id']}"
    for action, row, col in moves:
        sent = json.dumps({"action": action, "row": row, "col": col}).encode()
        check(visitor.ask("POST", f"{path}/moves", sent), (chosen, moves))
    for part in ("/hint", "/chances", "/wrong-flags", "", "/download?format=mbf", "/download?format=record"):
        check(visitor.ask("GET", path + part), (chosen, moves, part))
    check(visitor.ask("POST", "/api/review", json.dumps({"game": state["id"]}).encode()), (chosen, moves))
    check(visitor.ask("POST", f"{path}/again", b"{}"), (chosen, moves))
    check(visitor.ask("POST", f"{path}/undo", b"{}"), (chosen, moves))


@settings(FUZZ, max_examples=times(30, 80))
@given(likely_positions, st.integers(0, 6), st.integers(0, 6))
def test_any_position(server: Server, position: str, row: int, col: int) -> None:
    visitor = server.visitor()
    sent = {"position": position, "row": row, "col": col, "seconds": 0}
    for path in ("/api/analyse", "/api/explain", "/api/best"):
        value = check(visitor.ask("POST", path, json.dumps(sent).encode()), sent)
        assert value is not None


def test_nothing_of_all_that_was_a_fault_of_ours(server: Server) -> None:
    """The server is alive, and its processes are."""
    visitor = server.visitor()
    assert visitor.post("/api/analyse", position="1#")["mines"] == [[0, 1]]
    assert visitor.post("/api/watch", rules="5x5/3", seed=1, agent="basic")["outcome"] in ("won", "lost")
