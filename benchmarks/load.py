"""200 concurrent players on a real server on loopback: response times, and whether killing the server loses moves.

Each player has a connection and a session and pauses for a second on average between moves, as fast people do. Then the
same players do not pause, which shows the server's throughput instead of waiting times. Then the server is killed and
restarted, and every game must be where its player left it. Moves and time are limited.

    python -m benchmarks.load [--players 200] [--moves 15] [--write]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.results import parse_arguments, save

SECONDS_IN_ALL = 300.0
RULES = "16x30/99"


@dataclass
class Player:
    """A player: a connection, a cookie, a game, and the time of every response."""

    port: int
    rng: random.Random
    cookie: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, fields: dict[str, object] | None = None) -> tuple[int, Any]:
        """Send a request over the player's own connection and return the status and the value."""
        if self.writer is None or self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = b"" if fields is None else json.dumps(fields).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Length: {len(body)}\r\n"
        if fields is not None:
            head += "Content-Type: application/json\r\n"
        if self.cookie:
            head += f"Cookie: {self.cookie}\r\n"
        self.writer.write(head.encode() + b"\r\n" + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status, length, is_last = int(lines[0].split()[1]), 0, False
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            if name == "content-length":
                length = int(value)
            elif name == "set-cookie":
                self.cookie = value.partition(";")[0]
            elif name == "connection":
                is_last = value == "close"
        value = json.loads(await self.reader.readexactly(length))
        self.statuses[status] = self.statuses.get(status, 0) + 1
        if is_last:
            await self.leave()
        return status, value

    async def begin(self) -> None:
        """Start a game."""
        status, self.state = await self.ask("POST", "/api/games", {"rules": RULES})
        assert status == 201, self.state

    async def open(self) -> None:
        """Open a hidden cell; start another game if this one is over."""
        if self.state["over"]:
            await self.begin()
        rows = self.state["position"].split()[0].split("/")
        hidden = [(row, col) for row, line in enumerate(rows) for col, code in enumerate(line) if code == "#"]
        row, col = self.rng.choice(hidden)
        began = time.perf_counter()
        status, answer = await self.ask(
            "POST", f"/api/games/{self.state['id']}/moves", {"action": "open", "row": row, "col": col}
        )
        self.seconds.append(time.perf_counter() - began)
        assert status == 200, answer
        self.state = answer

    async def play(self, n_moves: int, thinking: float) -> None:
        """Open cells, with a random pause before each."""
        for _ in range(n_moves):
            if thinking:
                await asyncio.sleep(self.rng.uniform(0.0, 2.0 * thinking))
            await self.open()

    async def leave(self) -> None:
        """Close the connection."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


class Server:
    """A real ``sapper serve`` in its own process."""

    def __init__(self, folder: str, port: int = 0) -> None:
        command = [str(Path(sys.executable).parent / "sapper"), "serve", "--port", str(port), "--data", folder]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = urlsplit(self.process.stdout.readline().strip()).port or 0

    def end(self, how: signal.Signals) -> None:
        """End it with a signal."""
        self.process.send_signal(how)
        self.process.communicate(timeout=60)


def measure(players: list[Player]) -> dict[str, object]:
    """Summarise and reset the response times."""
    taken = sorted(1000.0 * seconds for player in players for seconds in player.seconds)
    for player in players:
        player.seconds.clear()
    return {
        "requests": len(taken),
        "median_ms": round(statistics.median(taken), 2),
        "p95_ms": round(taken[int(0.95 * len(taken))], 2),
        "p99_ms": round(taken[int(0.99 * len(taken))], 2),
        "worst_ms": round(taken[-1], 2),
    }


async def run(n_players: int, n_moves: int) -> dict[str, object]:
    """Run all of it."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            return await _measure(server, folder, n_players, n_moves)
        finally:
            if server.process.poll() is None:
                server.end(signal.SIGKILL)


async def _measure(server: Server, folder: str, n_players: int, n_moves: int) -> dict[str, object]:
    players = [Player(server.port, random.Random(number)) for number in range(n_players)]
    await asyncio.sleep(5.0)  # the processes for hints are starting; a server is up for longer than that
    await asyncio.gather(*(player.begin() for player in players))
    began = time.perf_counter()
    await asyncio.gather(*(player.play(n_moves, 1.0) for player in players))
    thinking = measure(players) | {"seconds": round(time.perf_counter() - began, 1)}
    began = time.perf_counter()
    await asyncio.gather(*(player.play(n_moves, 0.0) for player in players))
    spent = time.perf_counter() - began
    hurried = measure(players)
    hurried["requests_per_second"] = round(n_players * n_moves / spent)
    # During play: all players have sent requests, and none has a response.
    under_way = [asyncio.create_task(player.open()) for player in players]
    await asyncio.sleep(0.02)
    server.end(signal.SIGKILL)
    await asyncio.gather(*under_way, return_exceptions=True)
    again = Server(folder, server.port)
    lost = 0
    try:
        for player in players:
            await player.leave()
            before = player.state
            status, now = await player.ask("GET", f"/api/games/{before['id']}")
            # A move without a response may have been committed.
            lost += status != 200 or now["moves"] - before["moves"] not in (0, 1)
            if status == 200 and now["moves"] == before["moves"]:
                lost += now["position"] != before["position"]
            player.state = now
        await asyncio.gather(*(player.play(1, 0.0) for player in players))
    finally:
        for player in players:
            await player.leave()
        again.end(signal.SIGINT)
    statuses: dict[int, int] = {}
    for player in players:
        for status, n in player.statuses.items():
            statuses[status] = statuses.get(status, 0) + n
    return {
        "players": n_players,
        "rules": RULES,
        "thinking_1_s": thinking,
        "without_thinking": hurried,
        "games_lost_by_sigkill": lost,
        "answers_by_status": {str(status): n for status, n in sorted(statuses.items())},
    }


def main() -> None:
    """Run with the command line's options and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--moves", type=int, default=15)
    options = parse_arguments(parser)
    found = asyncio.run(asyncio.wait_for(run(options.players, options.moves), SECONDS_IN_ALL))
    print(json.dumps(found, indent=1))
    if options.write:
        save("load", found, seeds=f"0 to {options.players - 1}", of="web")
    if found["games_lost_by_sigkill"]:
        sys.exit("Games were lost.")


if __name__ == "__main__":
    main()
