"""The page while the server is slow, away, upgraded, or behind a proxy under a path of its own."""

from __future__ import annotations

import http.client
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from driver import DESK, Driver, visiting
from playwright.sync_api import Browser, Route, expect
from visitor import Server, serving

from sapper.web.http.static import FOLDER

pytestmark = pytest.mark.browser

GAME = "play?rules=6x6/6+first-opening&seed=5"
# What the browser itself says about requests that nobody answers.
EXPECTED = ("Failed to load resource", "net::ERR_", "Failed to fetch")


def forgive(driver: Driver) -> None:
    """Forget that requests failed, which was the point; nothing else may have."""
    driver.forgive(*EXPECTED)


def try_again(driver: Driver) -> None:
    """Press the button of the banner; if the page was quicker and asked by itself, it is gone, and nothing is lost."""
    driver.page.evaluate("document.getElementById('away-retry').click()")


class Proxy:
    """A reverse proxy that hands on what is under a path, and keeps a list of what it was asked for."""

    def __init__(self, port: int, prefix: str) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None: ...

            def do_GET(self) -> None:
                asked.append(self.path)
                if not self.path.startswith(f"{prefix}/"):
                    self.send_error(404)
                    return
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
                try:
                    connection.request(self.command, self.path, body, dict(self.headers))
                    answer = connection.getresponse()
                    data = answer.read()
                except OSError:
                    self.send_error(502)
                    return
                finally:
                    connection.close()
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET  # noqa: N815 - the names that the library calls

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}{prefix}/"


@contextmanager
def proxying(port: int, prefix: str) -> Iterator[Proxy]:
    proxy = Proxy(port, prefix)
    thread = threading.Thread(target=proxy.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.server.shutdown()
        proxy.server.server_close()


def test_while_the_server_is_away_moves_are_refused_and_nothing_is_lost(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        with visiting(browser, server.address, **DESK) as desk:
            banner = desk.page.get_by_role("alert").filter(has_text="The server is not responding.")
            desk.visit(GAME)
            desk.click(0, 0)
            desk.expect_cell(0, 0, "empty")
            server.stop()
            expect(banner).to_be_hidden()
            desk.click(5, 5, button="right")
            expect(banner).to_be_visible()
            expect(desk.page.get_by_text("so nothing was changed").first).to_be_visible()
            desk.expect_cell(5, 5, "hidden")
            # The board is still whole, beside the banner.
            box = desk.page.locator("section.mode.play").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 800
            # Another mode, and back again.
            desk.page.get_by_role("link", name="Lab").click()
            expect(desk.page.locator("#lab-run")).to_be_visible()
            server = Server(tmp_path, port=server.port)
            try_again(desk)
            expect(banner).to_be_hidden()
            expect(desk.page.get_by_role("region", name="Past sweeps")).to_contain_text("None yet.")
            desk.page.get_by_role("link", name="Play").click()
            desk.expect_cell(0, 0, "empty")
            desk.click(5, 5, button="right")
            desk.expect_cell(5, 5, "flag")
            expect(desk.page.locator("#mines-left")).to_have_text("5")
            # Gone again: this time it is found by itself.
            server.stop()
            desk.click(4, 5, button="right")
            expect(banner).to_be_visible()
            server = Server(tmp_path, port=server.port)
            expect(banner).to_be_hidden()
            desk.expect_cell(5, 5, "flag")
            desk.expect_cell(4, 5, "hidden")
            forgive(desk)
    finally:
        server.stop()


def test_a_slow_answer_is_waited_for_and_one_that_breaks_off_is_none(desk: Driver) -> None:
    held: list[Route] = []
    desk.page.route("**/hint", lambda route: held.append(route))
    desk.visit(GAME)
    waiting = desk.page.locator("#waiting")
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    expect(waiting).to_be_hidden()
    desk.press("h")
    expect(waiting).to_be_visible()
    held[0].fulfill(response=held[0].fetch(), body="{")
    expect(waiting).to_be_hidden()
    expect(desk.page.locator("#message-card")).to_contain_text("response was cut off.")
    desk.page.unroute("**/hint")
    desk.press("h")
    expect(desk.page.locator("#hint-card .primary")).to_be_visible()


def test_a_network_that_swallows_requests_is_found_out(desk: Driver) -> None:
    desk.page.clock.install()
    desk.visit(GAME)
    desk.click(0, 0)
    desk.expect_cell(0, 0, "empty")
    desk.page.route("**/api/games/*/moves", lambda _: None)
    desk.page.route("**/api/info", lambda route: route.abort())
    desk.click(5, 5, button="right")
    desk.expect_cell(5, 5, "flag")
    desk.page.clock.fast_forward(11_000)
    banner = desk.page.get_by_role("alert").filter(has_text="The server is not responding.")
    expect(banner).to_be_visible()
    desk.expect_cell(5, 5, "hidden")
    # Back, and upgraded meanwhile.
    desk.page.unroute_all()
    desk.page.route(desk.address, lambda route: route.fulfill(body="Another page."))
    try_again(desk)
    expect(banner).to_be_hidden()
    expect(desk.page.get_by_text("A new version is available.")).to_be_visible()
    desk.page.unroute_all()
    desk.page.get_by_role("button", name="Reload").click()
    expect(desk.page.get_by_text("A new version is available.")).to_be_hidden()
    desk.expect_cell(0, 0, "empty")
    forgive(desk)


def test_behind_a_proxy_under_a_path_and_a_second_visit_loads_nothing(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, "--prefix", "/sapper") as server,
        proxying(server.port, "/sapper") as proxy,
        visiting(browser, proxy.address, **DESK) as desk,
    ):
        desk.visit(GAME)
        desk.click(0, 0)
        desk.expect_cell(0, 0, "empty")
        for mode in ("Watch", "Analyse", "Review", "Lab"):
            desk.page.get_by_role("link", name=mode, exact=True).click()
            expect(desk.page.locator(f"section.mode.{mode.lower()} :is(canvas, form, input)").first).to_be_attached()
        assert all(path.startswith("/sapper/") for path in proxy.asked)
        (cookie,) = desk.page.context.cookies()
        assert (cookie["name"], cookie["path"]) == ("sapper_session", "/sapper")
        proxy.asked.clear()
        desk.load("play")
        # The same game, by cookie and memory, and of the page nothing but itself.
        desk.expect_cell(0, 0, "empty")
        assert [path for path in proxy.asked if not path.startswith("/sapper/api/")] == ["/sapper/"]
        # A proxy that answers for a server that is away is no server.
        server.stop()
        desk.click(5, 5)
        expect(desk.page.get_by_role("alert").filter(has_text="The server is not responding.")).to_be_visible()
        forgive(desk)
        desk.forgive("502")


def test_as_an_app_it_opens_without_the_server_and_an_upgrade_is_seen_at_once(browser: Browser, tmp_path: Path) -> None:
    data = tmp_path / "data"
    server = Server(data, "--prefix", "/sapper")
    try:
        with visiting(browser, server.address, service_workers="allow", **DESK) as desk:
            desk.visit(GAME)
            desk.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            desk.wait_until("navigator.serviceWorker.controller !== null")
            (kept,) = desk.page.evaluate("caches.keys()")
            assert kept.startswith("sapper /sapper/ ")
            told = desk.page.context.new_cdp_session(desk.page).send("Page.getAppManifest")
            assert (told["errors"], told["url"].startswith(server.address)) == ([], True)
            server.stop()
            desk.page.goto("about:blank")
            desk.page.goto(f"{server.address}#/{GAME}")
            expect(desk.page.get_by_role("alert")).to_contain_text("The server is not responding.")
            # An upgrade, while the old page is shown: other files, on the same port.
            changed = tmp_path / "static"
            shutil.copytree(FOLDER, changed)
            page = changed / "index.html"
            page.write_text(page.read_text(encoding="utf-8").replace("<span>Sapper<", "<span>Sapper Two<"))
            server = Upgraded(changed, data, "--prefix", "/sapper", port=server.port)
            expect(desk.page.get_by_role("link", name="Sapper Two")).to_be_visible()
            desk.page.wait_for_selector("body[data-ready]")
            desk.wait_until(f"caches.keys().then((names) => names.length > 0 && !names.includes('{kept}'))")
            desk.click(0, 0)
            desk.expect_cell(0, 0, "empty")
            forgive(desk)
    finally:
        server.stop()


class Upgraded(Server):
    """A server whose page is in another folder."""

    def __init__(self, static: Path, folder: Path, *options: str, port: int) -> None:
        script = folder.parent / "upgraded.py"
        script.write_text(
            "from pathlib import Path\n"
            "from sapper.web.http import static\n"
            f"static.FOLDER = Path({str(static)!r})\n"
            "if __name__ == '__main__':\n"
            "    from sapper.cli import main\n"
            "    main()\n"
        )
        self.command = (sys.executable, str(script))
        super().__init__(folder, *options, port=port)
