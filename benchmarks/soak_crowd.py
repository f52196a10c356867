"""Visitors of the soak who do not play: watchers, analysers with too hard positions, sweepers and fuzzers."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress

from benchmarks.soak_visitors import REFUSALS, SECONDS_TO_ANSWER, Scene, Visitor


class Watcher(Visitor):
    """A visitor who watches agents, part by part."""

    role = "watcher"
    agents = ("exact", "basic", "local", "statements", "random", "master")
    boards = ("9x9/10", "16x16/40", "16x30/99", "12x12/20 torus survey", "10x10/15 hex")

    async def turn(self) -> None:
        """Watch one game to its end."""
        asked: dict[str, object] = {
            "rules": self.rng.choice(self.boards), "agent": self.rng.choice(self.agents),
            "seed": self.rng.randrange(10**6), "seconds": 1,
        }  # fmt: skip
        since = 0
        while not self.scene.is_over:
            reply = await self.ask("watch", "POST", "/api/watch", asked | {"since": since})
            if reply.status == 422:
                self.scene.tally.blame(f"watch: {asked} was refused: {reply.value['error']}")
            if reply.status != 200 or reply.value["over"]:
                break
            since += len(reply.value["steps"])
            await self.scene.pause(self.rng, 2.0)
        await self.scene.pause(self.rng, 15.0)


def lattice(side: int) -> str:
    """Return a lattice of isolated clues, whose sum doubles with every clue of its width."""
    return "/".join("#" * side if row % 2 == 0 else "#2" * (side // 2) for row in range(side)) + f" {side * side // 4}"


class Analyser(Visitor):
    """A visitor with positions, many of them too hard."""

    role = "analyser"

    async def turn(self) -> None:
        """Request the analysis of one position."""
        side = self.rng.choice((6, 12, 20, 30, 40, 60))
        asked: dict[str, object] = {"position": lattice(side)}
        path = self.rng.choice(("analyse", "analyse", "explain", "best"))
        if path == "explain":
            asked |= {"row": 0, "col": self.rng.randrange(side)}
        if path == "best":
            asked |= {"seconds": self.rng.choice((0, 1, 2))}
        reply = await self.ask(path, "POST", f"/api/{path}", asked)
        if side == 6 and reply.status not in (200, 429, *REFUSALS):
            self.scene.tally.blame(f"{path}: an easy position was refused: {reply.body[:200]!r}.")
        await self.scene.pause(self.rng, 8.0)


class Sweeper(Visitor):
    """A visitor of the lab, who starts sweeps, watches them and stops half of them."""

    role = "sweeper"

    def __init__(self, scene: Scene, rng: random.Random) -> None:
        super().__init__(scene, rng)
        self._done: dict[int, int] = {}  # finished games of a plan, as reported

    async def turn(self) -> None:
        """Run one sweep."""
        size = self.rng.choice(("4x4", "8x8", "12x12"))
        agents = self.rng.sample(("random", "basic", "exact", "statements"), 2)
        asked = {"agents": agents, "size": size, "densities": [0.1, 0.2], "games": self.rng.choice((20, 200, 1000))}
        reply = await self.ask("lab", "POST", "/api/lab", asked)
        if reply.status == 202:
            await self._follow(int(reply.value["id"]))
        await self.ask("lab", "GET", "/api/lab")
        await self.scene.pause(self.rng, 30.0)

    async def _follow(self, plan: int) -> None:
        for _ in range(self.rng.randrange(1, 8)):
            await self.scene.pause(self.rng, 2.0)
            reply = await self.ask("lab", "GET", f"/api/lab/{plan}")
            if reply.status == 200:
                if reply.value["done"] < self._done.get(plan, 0):
                    self.scene.tally.blame(f"lab: sweep {plan} has lost games that were played.")
                self._done[plan] = reply.value["done"]
                if reply.value["finished"]:
                    return
        await self.stop(plan)

    async def stop(self, plan: int) -> None:
        """Stop a sweep, which may have ended already."""
        await self.ask("lab", "POST", f"/api/lab/{plan}/stop")


class Fuzzer(Visitor):
    """A visitor who sends random requests."""

    role = "fuzzer"
    paths = (
        "/", "/api", "/api/info", "/api/games", "/api/games/x", "/api/games/x/moves", "/api/games/x/undo",
        "/api/games/x/again", "/api/games/x/hint", "/api/games/x/download?format=%FF", "/api/watch", "/api/analyse",
        "/api/explain", "/api/best", "/api/review", "/api/lab/1", "/api/lab/x/stop", "/static/main.js",
        "/static/../../x", "/%00", "/%ff", "/" + "x" * 3000,
    )  # fmt: skip
    fields = (
        "rules", "seed", "no_guess", "action", "row", "col", "agent", "position", "record", "game", "seconds", "since",
        "start", "video", "suffix", "games",
    )  # fmt: skip
    likely: tuple[object, ...] = (
        "expert", "9x9/10", "200x200/40000 first-any", "200x200/9000", "0x0/0", "1#/##", "b=1&m=0", "?b=33&m=04",
        "open", "exact", "Sapper-Record: 1\nRules: 9x9/10\nSeed: 3\nMoves:\nopen 0,0\n", "AAAA", ".evf", "\x00",
        "\ud800", "é" * 50, -1, 0, 1, 2**63, 10**300, 1.5, float("nan"), float("inf"), True, None, [], {}, [[]],
    )  # fmt: skip

    async def turn(self) -> None:
        """Send something."""
        choice = self.rng.random()
        if choice < 0.15:
            await self._send_rubbish()
        elif choice < 0.3:
            body = self.rng.randbytes(self.rng.choice((0, 5, 100, 20_000)))
            await self.send("fuzz", self.rng.choice(("POST", "PUT", "DELETE", "HEAD", "BREW")), self._path(), body)
        else:
            chosen = self.rng.sample(self.fields, self.rng.randrange(6))
            sent = {name: self.rng.choice(self.likely) for name in chosen}
            await self.ask("fuzz", "POST", self._path(), sent if self.rng.random() < 0.9 else list(sent))
        await self.scene.pause(self.rng, 2.0)

    def _path(self) -> str:
        return self.rng.choice(self.paths)

    async def _send_rubbish(self) -> None:
        """Send an invalid or partial request over a new connection, and close it sooner or later."""
        await self.scene.is_up.wait()
        with suppress(OSError, EOFError, TimeoutError):
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.scene.port)
                try:
                    whole = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    whole += b'Content-Length: 100\r\n\r\n{"rules": "9x9/10"'
                    sent = self.rng.choice((self.rng.randbytes(300), whole[: self.rng.randrange(len(whole))], whole))
                    writer.write(sent)
                    if self.rng.random() < 0.5:
                        await asyncio.wait_for(reader.read(1000), self.rng.uniform(0.0, 20.0))
                finally:
                    writer.close()
        self.scene.tally.events["rubbish"] += 1
