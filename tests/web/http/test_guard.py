"""What is refused before anybody looks at it, and what every answer carries."""

from __future__ import annotations

import http.client
import json
import socket
from pathlib import Path

import pytest
from visitor import Server, Visitor, serving

from sapper.web.http.guard import _COMPUTES, HEADERS, Buckets
from sapper.web.http.sessions import is_token, new_token, owner_of, read_cookie

BEGIN = b'{"rules":"beginner"}'


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "", "[::2]", "a b"]
)
def test_another_host_name_is_refused(host: str, visitor: Visitor) -> None:
    for method, path, body in (("GET", "/", None), ("GET", "/api/info", None), ("POST", "/api/games", BEGIN)):
        assert visitor.ask(method, path, body, {"Host": host}).status in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "localhost:1234", "127.0.0.1:1", "[::1]:80", "LOCALHOST"])
def test_our_own_names_are_answered(host: str, visitor: Visitor) -> None:
    assert visitor.ask("GET", "/api/info", None, {"Host": host}).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:{port}"},
        # Another server on this machine is the same site to the browser, and gets the cookie sent along.
        {"Origin": "http://127.0.0.1:1", "Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_posts_from_other_sites_are_refused(headers: dict[str, str], server: Server, visitor: Visitor) -> None:
    state = visitor.begin("beginner")
    told = {name: value.format(port=server.port) for name, value in headers.items()}
    body = b'{"action":"open","row":0,"col":0}'
    assert visitor.ask("POST", f"/api/games/{state['id']}/moves", body, told).status == 403
    assert visitor.get(f"/api/games/{state['id']}")["moves"] == 0


def test_posts_from_our_own_page_are_answered(server: Server, visitor: Visitor) -> None:
    told = {"Origin": server.address.rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    assert visitor.ask("POST", "/api/games", BEGIN, told).status == 201


def test_reads_from_other_sites_are_refused_too(visitor: Visitor) -> None:
    assert visitor.ask("GET", "/api/games", None, {"Sec-Fetch-Site": "cross-site"}).status == 403
    assert visitor.ask("GET", "/api/games", None, {"Sec-Fetch-Site": "none"}).status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_page_cannot_post(kind: str, visitor: Visitor) -> None:
    assert visitor.ask("POST", "/api/games", BEGIN, {"Content-Type": kind}).status == 415


def test_large_bodies_are_refused_with_and_without_a_length(server: Server, visitor: Visitor) -> None:
    assert visitor.ask("POST", "/api/games", b" " * 20_000).status == 413
    assert visitor.ask("POST", "/api/nothing", b" " * 20_000).status == 413
    # A record goes to all three, and an answer to a puzzle names its board twice: these are only no JSON.
    for path in ("/api/review", "/api/review/wins", "/api/games/onward", "/api/train/check"):
        assert visitor.ask("POST", path, b" " * 20_000).status == 400
    assert visitor.ask("POST", "/api/analyse", b'{"position":"' + b"#" * 300_000 + b'"}').status == 413
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    parts = (b" " * 1000 for _ in range(100))
    try:
        connection.request("POST", "/api/games", parts, {"Content-Type": "application/json"}, encode_chunked=True)
        assert connection.getresponse().status == 413
    except (BrokenPipeError, ConnectionResetError):
        pass  # It did not even wait for the end.
    finally:
        connection.close()


def test_every_answer_carries_the_headers(visitor: Visitor) -> None:
    for method, path in (("GET", "/"), ("GET", "/api/info"), ("GET", "/nothing"), ("PUT", "/api/games")):
        reply = visitor.ask(method, path, b"{}" if method == "PUT" else None)
        for name, value in HEADERS.items():
            assert reply.headers[name.lower()] == value, (path, name)
    policy = HEADERS["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites_and_is_set_once(visitor: Visitor) -> None:
    reply = visitor.ask("GET", "/api/info")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {
        part.strip() for part in reply.headers["set-cookie"].split(";")
    }
    assert "set-cookie" not in visitor.ask("GET", "/api/info").headers


@pytest.mark.parametrize(("told", "is_secure"), [(None, False), ("http", False), ("https", True), ("x", False)])
def test_the_cookie_goes_by_https_alone_where_a_proxy_speaks_it(
    told: str | None, is_secure: bool, server: Server
) -> None:
    headers = {} if told is None else {"X-Forwarded-Proto": told}
    reply = server.visitor().ask("GET", "/api/info", headers=headers)
    assert ("; Secure" in reply.headers["set-cookie"]) == is_secure


def test_the_page_itself_never_replaces_a_cookie(server: Server) -> None:
    # A link from another site comes without it.
    assert "set-cookie" not in server.visitor().ask("GET", "/").headers


@pytest.mark.parametrize("value", ["short", "a" * 33, "ä" * 32, "../../../../../../../../../../../x", ""])
def test_a_made_up_cookie_is_replaced(value: str, server: Server) -> None:
    visitor = server.visitor()
    visitor.cookie = f"sapper_session={value}".encode().decode("latin-1")
    assert "set-cookie" in visitor.ask("GET", "/api/info").headers


def test_tokens() -> None:
    token = new_token()
    assert is_token(token)
    assert read_cookie(f"a=b; sapper_session={token}; c=d") == token
    assert owner_of(token) != owner_of(new_token())
    assert token not in owner_of(token)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py", "/static//etc/passwd",
        "/static/.hidden.js", "/static/a%00.js", "/static/" + "a/" * 50 + "b.js", "/static/server.py", "/static/",
        "/static/%ff%fe.js",
    ],
)  # fmt: skip
def test_nothing_but_the_page_s_files_is_served(path: str, visitor: Visitor) -> None:
    reply = visitor.ask("GET", path)
    assert reply.status == 404
    assert reply.value == {"error": "There is no such page."}


def test_buckets_fill_again() -> None:
    now = 0.0
    buckets = Buckets(per_second=2.0, at_once=3, clock=lambda: now)
    assert [buckets.wait("a") for _ in range(4)] == [0, 0, 0, 1]
    assert buckets.wait("b") == 0
    now = 0.5
    assert [buckets.wait("a") for _ in range(2)] == [0, 1]


@pytest.mark.slow
def test_a_visitor_who_asks_too_often_is_told_so_and_others_are_not(tmp_path: Path) -> None:
    with serving(tmp_path, "--rate", "0.2") as server:
        hasty, calm = server.visitor(), server.visitor()
        hasty.get("/api/info")
        statuses = [hasty.ask("GET", "/api/info") for _ in range(60)]
        refused = [reply for reply in statuses if reply.status == 429]
        assert refused
        assert int(refused[0].headers["retry-after"]) >= 1
        assert "Too many requests" in refused[0].value["error"]
        assert calm.ask("GET", "/api/info").status == 200
        # What takes computing is for fewer requests still.
        busy = server.visitor()
        busy.get("/api/info")
        replies = [busy.post_any("/api/analyse", {"position": "1#"}) for _ in range(15)]
        assert 429 in replies


def test_a_slow_request_does_not_stop_others(server: Server, visitor: Visitor) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        slow.sendall(b"Content-Length: 20\r\n\r\n{")
        assert visitor.begin("beginner")["moves"] == 0


def test_errors_are_one_sentence(visitor: Visitor) -> None:
    for method, path, body, status in (
        ("GET", "/api/nothing", None, 404),
        ("DELETE", "/api/games", b"{}", 405),
        ("POST", "/api/games", b"{", 400),
        ("POST", "/api/games", b"[]", 400),
        ("POST", "/api/games", b"\xff", 400),
        ("POST", "/api/games", b"[" * 15_000, 400),
        ("POST", "/api/games", b'{"rules":NaN}', 400),
        ("POST", "/api/games", b'{"rules":"201x1/1"}', 422),
        ("POST", "/api/games", b'{"rules":"1000x1000/5 first-opening"}', 422),
        ("POST", "/api/games", b'{"rules":"9x9/82"}', 422),
        ("POST", "/api/games", b'{"rules":"9x9/10","seed":-1}', 422),
        ("POST", "/api/games", b'{"rules":"9x9/10","seed":true}', 422),
        ("POST", "/api/games", b'{"rules":"9x9/10","no_guess":1}', 422),
        ("POST", "/api/watch", b'{"rules":"60x60/10","agent":"exact"}', 422),
        ("POST", "/api/watch", b'{"rules":"9x9/10","agent":"nobody"}', 422),
        ("POST", "/api/analyse", b'{"position":"\\ud800"}', 422),
        ("POST", "/api/explain", b'{"position":"1#/##","row":0,"col":0}', 422),
        ("POST", "/api/review", b'{"record":"nonsense"}', 422),
        ("POST", "/api/lab", b'{"agents":["nobody"]}', 422),
        ("GET", "/api/lab/7777777", None, 404),
        ("GET", "/api/lab/x", None, 404),
    ):
        reply = visitor.ask(method, path, body)
        assert reply.status == status, (path, body, reply)
        said = json.loads(reply.body)["error"]
        assert said[0].isupper() or not said[0].isalpha()
        assert said.endswith(".")
        assert "\n" not in said


@pytest.mark.parametrize(
    ("path", "is_work"),
    [
        ("/api/games/onward", True),
        ("/api/you", True),
        ("/api/you/export", True),
        ("/api/daily", True),
        ("/api/train/course/one", True),
        ("/api/games/some-game/hint", True),
        ("/api/games", False),
        ("/api/games/some-game/moves", False),
        ("/api/games/onwards", False),
    ],
)
def test_what_takes_computing_is_counted_as_work(path: str, is_work: bool) -> None:
    assert (_COMPUTES.search(path) is not None) == is_work


def newcomer(server: Server, forwarded: str) -> int:
    """The status that somebody without a cookie gets; each address has room for a few of them."""
    return server.visitor().ask("GET", "/api/info", headers={"X-Forwarded-For": forwarded}).status


@pytest.mark.slow
def test_visitors_of_a_trusted_proxy_are_told_apart_by_the_address_that_it_adds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1, 10.0.0.0/8")
    with serving(tmp_path, "--rate", "0.01") as server:
        assert 429 in [newcomer(server, "203.0.113.1") for _ in range(10)]
        assert newcomer(server, "203.0.113.2") == 200
        # What a visitor writes there comes before what the proxy adds; proxies of ours come after it.
        assert 429 in [newcomer(server, f"198.51.100.{number}, 203.0.113.1, 10.1.2.3") for number in range(10)]


@pytest.mark.slow
def test_whoever_is_no_trusted_proxy_cannot_change_their_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    with serving(tmp_path, "--rate", "0.01") as server:
        assert 429 in [newcomer(server, f"203.0.113.{number}") for number in range(10)]
