"""How long a player waits while seven other visitors request as much as they can.

One fills the queue for best cells, one the queue for analyses, one continues records of a quarter of a million moves,
one requests hints while moving, one starts no-guess boards, one trains and one reads statistics of 5,000 games. The
player plays an expert board and sometimes starts a no-guess board. The server is a real one on loopback. Its database
holds the results of many other visitors, so that the maintenance after half a minute has work to do.

    python -m benchmarks.greedy [--seconds 60] [--write]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import signal
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.load import RULES, Player, Server
from benchmarks.results import parse_arguments, save

from sapper.web.http.sessions import COOKIE, new_token, owner_of
from sapper.web.storage.store import GameStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

N_RESULTS = 300_000  # of others
N_OWN_RESULTS = 5_000
N_MOVES = 250_000  # of a record of 3 MB
HARD = "/".join(("#" * 60 if row % 2 == 0 else "#2" * 30) for row in range(60)) + " 900"
OPENED = "1" + "/".join(["#" * 30] * 16)[1:] + " 99"


class Greedy(Player):
    """A visitor with one session and any number of connections."""

    async def at_once(self, n: int, what: Callable[[Player], Awaitable[object]]) -> None:
        """Repeat requests over several connections."""
        others = [Player(self.port, self.rng, self.cookie, statuses=self.statuses) for _ in range(n)]

        async def again(one: Player) -> None:
            while True:
                n_refused = self.statuses.get(429, 0) + self.statuses.get(503, 0)
                await what(one)
                # After a refusal, wait a little: this measures greed, not a flood.
                is_refused = self.statuses.get(429, 0) + self.statuses.get(503, 0) > n_refused
                await asyncio.sleep(1.0 if is_refused else 0.05)

        await asyncio.gather(*(again(one) for one in others))

    async def best(self) -> None:
        """Fill the queue for best cells."""
        asked: dict[str, object] = {"position": OPENED, "seconds": 10, "start": "any"}
        await self.at_once(40, lambda one: one.ask("POST", "/api/best", asked))

    async def analyse(self) -> None:
        """Fill the queue for analyses."""
        await self.at_once(40, lambda one: one.ask("POST", "/api/analyse", {"position": HARD}))

    async def go_on(self) -> None:
        """Continue long records."""
        rows = [f"flag {number % 200},{number // 200 % 200}" for number in range(N_MOVES)]
        record = "\n".join(["Sapper-Record: 1", "Rules: 200x200/5000", "Seed: 5", "Moves:", *rows, ""])
        lengths = iter([N_MOVES, 80_000] * 10**6)

        async def begin(one: Player) -> None:
            await one.ask("POST", "/api/games/onward", {"record": record, "moves": next(lengths)})

        await self.at_once(2, begin)

    async def hint(self) -> None:
        """Request hints while moving."""
        await self.begin()

        async def either(one: Player) -> None:
            path = f"/api/games/{self.state['id']}"
            if self.rng.random() < 0.5:
                await one.ask("GET", f"{path}/{self.rng.choice(['hint', 'chances', 'wrong-flags'])}")
            else:
                cell: dict[str, object] = {"row": self.rng.randrange(16), "col": self.rng.randrange(30)}
                await one.ask("POST", f"{path}/moves", {"action": "flag", **cell})

        await self.at_once(8, either)

    async def avoid_guesses(self) -> None:
        """Start no-guess boards, large ones among them."""

        async def begin(one: Player) -> None:
            rules = self.rng.choice([RULES, "60x60/700"])
            status, state = await one.ask("POST", "/api/games", {"rules": rules, "no_guess": True})
            if status == 201:
                first = {"action": "open", "row": 8, "col": 8}
                await one.ask("POST", f"/api/games/{state['id']}/moves", first)

        await self.at_once(8, begin)

    async def train(self) -> None:
        """Request puzzles and give up."""

        async def solve(one: Player) -> None:
            status, told = await one.ask("POST", "/api/train/next", {"board": "expert"})
            if status == 200:
                await one.ask("POST", "/api/train/check", {"link": told["puzzle"]["link"], "give_up": True})

        await self.at_once(8, solve)

    async def add_up(self) -> None:
        """Read the statistics and export everything."""
        paths = iter(["/api/you", "/api/you/export", "/api/daily", "/api/train"] * 10**6)
        await self.at_once(8, lambda one: one.ask("GET", next(paths)))


async def play(player: Player, clicks: list[float]) -> None:
    """Play as people do, every other game on a no-guess board; refusals count as responses."""
    for number in itertools.count():
        status, state = await player.ask("POST", "/api/games", {"rules": RULES, "no_guess": number % 2 == 1})
        if status != 201:
            await asyncio.sleep(1.0)
            continue
        cells = [(8, 8), *((player.rng.randrange(16), player.rng.randrange(30)) for _ in range(10))]
        for row, col in cells:
            await asyncio.sleep(player.rng.uniform(0.0, 0.4))
            if state["position"].replace("/", "")[30 * row + col] != "#":
                continue
            began = time.perf_counter()
            move = {"action": "open", "row": row, "col": col}
            status, told = await player.ask("POST", f"/api/games/{state['id']}/moves", move)
            is_first_click = number % 2 == 1 and (row, col) == (8, 8)
            (clicks if is_first_click else player.seconds).append(time.perf_counter() - began)
            if status != 200 or told["over"]:
                break
            state = told


def fill(folder: str, owner: str) -> None:
    """Write the results of one visitor and of many others into the database."""
    path = Path(folder) / "games.sqlite"
    GameStore(path).close()
    record = "x" * 400
    with closing(sqlite3.connect(path)) as db:
        db.executemany(
            "INSERT INTO results (game, owner, ended, record, rules, no_guess, outcome, seconds, bbbv, clicks, "
            "assisted) VALUES (?, ?, ?, ?, '16x30/99', 0, 'won', 99.5, 150, 200, 0)",
            (
                (new_token(), owner, 1e9 + number, None) if number < N_OWN_RESULTS
                # Many owners, so that each has only a few.
                else (new_token(), f"{number % 50_000}", 1e9 + number, record)
                for number in range(N_OWN_RESULTS + N_RESULTS)
            ),
        )  # fmt: skip
        db.commit()


def measure(taken: list[float]) -> dict[str, object]:
    """Summarise times."""
    milliseconds = [1000.0 * seconds for seconds in taken]
    return {
        "n": len(taken),
        "median_ms": round(statistics.median(milliseconds), 1) if taken else None,
        "worst_ms": round(max(milliseconds), 1) if taken else None,
    }


async def run(seconds: float) -> dict[str, object]:
    """Run all of it."""
    with tempfile.TemporaryDirectory() as folder:
        token = new_token()
        fill(folder, owner_of(token))
        server = Server(folder)
        try:
            return await _measure(server.port, seconds, f"{COOKIE}={token}")
        finally:
            server.end(signal.SIGKILL)


async def _measure(port: int, seconds: float, reader: str) -> dict[str, object]:
    await asyncio.sleep(5.0)  # the processes for hints are starting; a server is up for longer than that
    greedy = {name: Greedy(port, random.Random(name)) for name in _GREEDY}
    greedy["add_up"].cookie = reader
    for one in greedy.values():
        await one.ask("GET", "/api/info")
    player, clicks = Player(port, random.Random(8)), list[float]()
    tasks = []
    for name, one in greedy.items():
        tasks.append(asyncio.create_task(getattr(one, name)()))
        # The first record is read before the others have filled its queue.
        await asyncio.sleep(8.0 if name == "go_on" else 0.0)
    tasks.append(asyncio.create_task(play(player, clicks)))
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()
    return {
        "seconds": seconds,
        "moves": measure(player.seconds),
        "first_clicks_on_no_guess_boards": measure(clicks),
        "answers_by_status": {name: one.statuses for name, one in {"player": player, **greedy}.items()},
    }


_GREEDY = ("go_on", "best", "analyse", "hint", "avoid_guesses", "train", "add_up")


def main() -> None:
    """Run with the command line's options and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parse_arguments(parser)
    found = asyncio.run(run(options.seconds))
    print(json.dumps(found, indent=1))
    if options.write:
        save("greedy", found, of="web")


if __name__ == "__main__":
    main()
