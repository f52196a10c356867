"""How the files of the page are sent: small, once, never two versions mixed; and the page under a path of its own."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator

import pytest
from visitor import Server, Visitor, serving

from sapper.errors import InputError
from sapper.web.http.sessions import read_prefix
from sapper.web.http.static import FOLDER, SCRIPT, SOURCE_MAP, STYLES, make_site, read_site

MAX_BYTES = 150_000  # of all scripts and styles, compressed
GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def parts_of(page: bytes) -> list[str]:
    """The addresses of files that a page names."""
    return re.findall(r"static/[0-9a-f]{16}/[\w./-]+", page.decode())


@pytest.mark.slow
def test_scripts_and_styles_are_small() -> None:
    files = read_site().files
    assert sum(len(files[name].packed or b"") for name in (SCRIPT, STYLES)) <= MAX_BYTES


def test_every_file_may_be_kept_for_good_and_comes_compressed(visitor: Visitor) -> None:
    page = visitor.ask("GET", "/", headers=GZIP)
    assert page.headers["cache-control"] == "no-cache"
    parts = parts_of(gzip.decompress(page.body))
    for part in [*parts, *(f"static/{read_site().version}/{name}" for name in ("main.js", SOURCE_MAP))]:
        reply = visitor.ask("GET", f"/{part}", headers=GZIP)
        assert (reply.status, reply.headers["cache-control"]) == (200, "public, max-age=31536000, immutable"), part
        if reply.headers.get("content-encoding") == "gzip":
            plain = visitor.ask("GET", f"/{part}")
            assert "content-encoding" not in plain.headers
            assert gzip.decompress(reply.body) == plain.body
            assert len(reply.body) < len(plain.body)
        assert reply.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in visitor.ask("GET", "/", headers={"Accept-Encoding": "gzip;q=0"}).headers


def test_the_page_loads_one_script_and_one_sheet_with_all_that_there_is(visitor: Visitor) -> None:
    loaded = {part.split("/", 2)[2] for part in parts_of(visitor.ask("GET", "/").body) if part.endswith(("js", "css"))}
    assert loaded == {SCRIPT, STYLES, "app/colours.js"}  # no module: the page waits for it
    files = read_site().files
    script = files[SCRIPT].data.decode().split("\n")
    assert not [line for line in script if re.match(r"(import|export)\b", line)]
    sections = json.loads(files[SOURCE_MAP].data)["sections"]
    sources = {name for section in sections for name in section["map"]["sources"]}
    assert sources == {name for name in files if name.endswith(".js")} - {SCRIPT, "app/colours.js"}
    # A debugger finds each line where it was written; comments on lines of their own are not sent.
    for section in sections:
        source = files[section["map"]["sources"][0]].data.decode().rstrip().split("\n")
        start = section["offset"]["line"]
        assert section["map"]["mappings"] == "AAAA" + ";AACA" * (len(source) - 1)
        assert script[start].startswith("const $")
        for line, written in zip(script[start + 1 : start + len(source)], source[1:], strict=True):
            changed = written.startswith(("import ", "export ", "} from ")) or "import.meta" in written
            assert changed or line == written or (not line and re.match(r"\s*(//|/?\*)", written)), written
    styles = files[STYLES].data.decode()
    assert all(path.read_text(encoding="utf-8") in styles for path in FOLDER.glob("styles/*.css"))


def test_what_has_not_changed_is_not_sent_again(visitor: Visitor) -> None:
    for path in ("/", "/worker.js", "/favicon.ico", "/static/main.js"):
        reply = visitor.ask("GET", path, headers=GZIP)
        assert (reply.status, reply.headers["cache-control"]) == (200, "no-cache")
        for tag in (reply.headers["etag"], f'"x", W/{reply.headers["etag"]}'):
            again = visitor.ask("GET", path, headers=GZIP | {"If-None-Match": tag})
            assert (again.status, again.body) == (304, b"")


def test_a_part_of_another_version_is_not_there(visitor: Visitor) -> None:
    version = read_site().version
    assert visitor.ask("GET", f"/static/{version}/main.js").status == 200
    assert visitor.ask("GET", f"/static/{version[::-1]}/main.js").status == 404
    assert visitor.ask("GET", f"/static/{version}/{version}/main.js").status == 404


def test_any_change_is_another_version_and_the_worker_names_it() -> None:
    contents = {"index.html": b'<script src="/static/main.js"></script>', "app/worker.js": b'"VERSION" ["FILES"]'}
    contents["main.js"] = b"1"
    site = make_site(contents)
    other = make_site(contents | {"main.js": b"2"})
    assert site.version != other.version
    place = f"static/{site.version}"
    assert site.worker.data.decode() == f'"{site.version}" ["{place}/{STYLES}", "{place}/{SCRIPT}"]'
    assert site.page.data.decode() == (
        f'<link rel="stylesheet" href="{place}/{STYLES}">\n  <script src="{place}/{SCRIPT}"></script>'
    )


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(
        tmp_path_factory.mktemp("below"), "--prefix", "/games/sapper/", "--name", "games.example.org"
    ) as server:
        yield server


def test_a_prefix_holds_for_page_files_interface_and_cookie(below: Server) -> None:
    assert below.address.endswith("/games/sapper/")
    visitor = below.visitor()
    moved = visitor.ask("GET", "/games/sapper")
    assert (moved.status, moved.headers["location"]) == (308, "/games/sapper/")
    page = visitor.ask("GET", "/games/sapper/")
    for part in parts_of(page.body)[:3]:
        assert visitor.ask("GET", f"/games/sapper/{part}").status == 200
    # Nothing names a place from the top.
    assert not re.search(rb"(href|src)=\"/", page.body)
    reply = visitor.ask("POST", "/games/sapper/api/games", b'{"rules":"beginner"}')
    assert reply.status == 201
    assert "Path=/games/sapper;" in reply.headers["set-cookie"]
    assert visitor.get(f"/games/sapper/api/games/{reply.value['id']}")["moves"] == 0
    # A proxy that has taken the prefix off.
    assert visitor.get(f"/api/games/{reply.value['id']}")["moves"] == 0
    assert visitor.ask("GET", "/games/sapperx/").status == 404
    # The limits hold there too.
    assert visitor.ask("POST", "/games/sapper/api/games", b"x" * 20_000).status == 413


def test_a_proxy_may_speak_https_for_us(below: Server) -> None:
    host = {"Host": "games.example.org", "Origin": "https://games.example.org"}
    path = "/games/sapper/api/games"
    body = b'{"rules":"beginner"}'
    assert below.visitor().ask("POST", path, body, host).status == 403
    assert below.visitor().ask("POST", path, body, host | {"X-Forwarded-Proto": "https"}).status == 201
    assert below.visitor().ask("POST", path, body, host | {"X-Forwarded-Proto": "https, http"}).status == 403
    other = host | {"X-Forwarded-Proto": "https", "Origin": "https://evil.example.org"}
    assert below.visitor().ask("POST", path, body, other).status == 403


@pytest.mark.parametrize("text", ["/a b", "/a;b", "/../a", "/a/./b", "http://a.example/b", "/ä", "a//b", "a" * 300])
def test_what_is_not_a_path_is_one_sentence(text: str) -> None:
    with pytest.raises(InputError, match="is not a path; it must look like /sapper"):
        read_prefix(text)
