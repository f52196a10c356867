"""A soak test: an hour of mixed load on a real server on loopback, with kills and other faults.

200 players with pauses, watchers, analysers with positions that are too hard, sweeps in the lab and fuzzed requests.
Every few minutes there is a fault: the server or its workers are killed, the disk is full, the clock jumps. In the end,
no acknowledged move may be lost, no process, file handle or memory leaked, and no response may have been a 500. Exits
with status 1 and a list of errors if something was wrong. For Linux.

    python -m benchmarks.soak [--minutes 60] [--players 200] [--kill-every 120] [--write]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.results import parse_arguments, save
from benchmarks.soak_crowd import Analyser, Fuzzer, Sweeper, Watcher
from benchmarks.soak_figures import compare, percentiles, read_log, rounded
from benchmarks.soak_players import Player, check_store
from benchmarks.soak_server import DAY, FileLimit, FullDisk, Holding, Server, is_running, own_mounts
from benchmarks.soak_visitors import Scene, Tally, Visitor

SECONDS_BETWEEN_LINES = 5.0
SECONDS_FOR_THE_END = 300.0  # beyond play and quiet: verifying and stopping
SECONDS_TO_DIE = 30.0  # for the processes of a server that was killed
CALM = 1 / 3  # share of the time, at the end, in which the server is not killed, to show leaks


class Soak:
    """The server, its visitors and the faults."""

    def __init__(self, options: argparse.Namespace, work: Path) -> None:
        self.options = options
        self.folder = Path(options.data) if options.data else work / "data"
        self.folder.mkdir(exist_ok=True)
        self.disk = FullDisk(self.folder) if options.disk == "tmpfs" else FileLimit(self.folder)
        self.server = Server(self.folder, work)
        self.tally = Tally()
        self.rng = random.Random(options.seed)
        self.scene = Scene(0, self.tally, asyncio.Event())
        self.players = [Player(self.scene, self._child(), options.thinking) for _ in range(options.players)]
        self.visitors: list[Visitor] = [*self.players]
        for kind, n in ((Watcher, 5), (Analyser, 4), (Sweeper, 2), (Fuzzer, 4)):
            self.visitors += [kind(self.scene, self._child()) for _ in range(n)]
        self.began = time.monotonic()
        self.ends = self.began
        self.most = Holding(0, 0, 0, 0.0, 0.0)
        self.log_mb = 0.0

    def _child(self) -> random.Random:
        return random.Random(self.rng.getrandbits(64))

    async def run(self) -> dict[str, Any]:
        """Run all of it and return the figures."""
        await self._start()
        before = await self._warm()
        self.began = time.monotonic()
        self.ends = self.began + 60.0 * self.options.minutes
        lives = [asyncio.create_task(visitor.live()) for visitor in self.visitors]
        around = [asyncio.create_task(self._disturb()), asyncio.create_task(self._report())]
        await asyncio.sleep(self.ends - time.monotonic())
        around[0].cancel()
        await asyncio.gather(around[0], return_exceptions=True)
        await self._calm_down()
        self.scene.is_over = True
        for result in await asyncio.gather(*lives, return_exceptions=True):
            if isinstance(result, BaseException):
                self.tally.blame(f"A visitor of the soak itself failed: {result!r}.")
        for player in self.players:
            await player.settle()
            player.leave()
        print(f"Everybody has left; {self.options.quiet:g} quiet seconds.", flush=True)
        await asyncio.sleep(self.options.quiet)
        around[1].cancel()
        after = Holding.of(self.server.pid)
        await asyncio.to_thread(self.server.end, signal.SIGINT)
        for sentence in [*compare(before, after), *read_log(self.server.log)]:
            self.tally.blame(sentence)
        return self._figures(before, after)

    # -- the server ---------------------------------------------------------------------------------------

    async def _start(self) -> None:
        said = await asyncio.to_thread(self.server.start)
        if said is not None:
            raise SystemExit(f"The server did not start: {said}")
        self._arrive()

    def _arrive(self) -> None:
        self.scene.port = self.server.port
        self.scene.generation += 1
        self.scene.is_up.set()

    async def _kill(self) -> None:
        """Kill the server and check that none of its processes survives."""
        self.scene.is_up.clear()
        family = await asyncio.to_thread(self.server.end, signal.SIGKILL)
        self.tally.events["server killed"] += 1
        until = time.monotonic() + SECONDS_TO_DIE
        while left := [pid for pid in family if is_running(pid)]:
            if time.monotonic() > until:
                self.tally.blame(f"{len(left)} processes outlived their server by {SECONDS_TO_DIE:g} seconds.")
                for pid in left:
                    os.kill(pid, signal.SIGKILL)
                break
            await asyncio.sleep(0.1)

    async def _warm(self) -> Holding:
        """Start every worker of the server once, and measure what the idle server holds."""
        visitor = Watcher(self.scene, self._child())
        board: dict[str, object] = {"rules": "9x9/10", "agent": "exact", "seed": 1}
        await visitor.ask("warm-up", "POST", "/api/watch", board)
        await visitor.ask("warm-up", "POST", "/api/lab", {"agents": ["random"], "size": "2x2", "games": 1})
        await visitor.ask("warm-up", "GET", "/api/lab")
        visitor.leave()
        # Concurrently: sequential requests would start only one of several workers.
        await asyncio.gather(*(self._warm_lanes() for _ in range(4)))
        await asyncio.sleep(min(5.0, self.options.quiet))
        return Holding.of(self.server.pid)

    async def _warm_lanes(self) -> None:
        visitor = Watcher(self.scene, self._child())
        await visitor.ask("warm-up", "POST", "/api/analyse", {"position": "1#"})
        reply = await visitor.ask("warm-up", "POST", "/api/games", {"rules": "9x9/10", "no_guess": True})
        first: dict[str, object] = {"action": "open", "row": 4, "col": 4}
        await visitor.ask("warm-up", "POST", f"/api/games/{reply.value['id']}/moves", first)
        visitor.leave()

    # -- faults -------------------------------------------------------------------------------

    async def _disturb(self) -> None:
        calm: list[Callable[[], Awaitable[None]]] = [
            self._fill_disk, self._kill_worker, self._turn_clock, self._kill_workers,
        ]  # fmt: skip
        # Fast faults come first: on a busy machine, a short soak gets no further.
        wild = [self._kill_worker, self._kill_server, *calm, self._kill_server_in_another_year]
        if self.disk.is_full_to_all:
            wild.append(self._kill_server_on_full_disk)
        for number in itertools.count():
            await asyncio.sleep(self.options.kill_every)
            is_calm = time.monotonic() > self.ends - CALM * 60.0 * self.options.minutes
            chosen = calm if is_calm else wild
            await chosen[number % len(chosen)]()

    async def _calm_down(self) -> None:
        """Undo all faults: leave a running server with disk space and the right time."""
        self.disk.free(self.server)
        self.server.clock.jump(0.0)
        if not self.server.is_running:
            await self._start()

    async def _kill_server(self) -> None:
        await self._kill()
        await self._start()

    async def _kill_worker(self) -> None:
        self._kill_some(1)

    async def _kill_workers(self) -> None:
        self._kill_some(100)

    def _kill_some(self, n: int) -> None:
        workers = self.server.workers()
        for pid in self.rng.sample(workers, min(n, len(workers))):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.tally.events["worker killed"] += 1

    async def _fill_disk(self) -> None:
        await asyncio.to_thread(self.disk.fill, self.server)
        self.tally.events["disk full"] += 1
        await asyncio.sleep(min(20.0, self.options.kill_every))
        self.disk.free(self.server)

    async def _kill_server_on_full_disk(self) -> None:
        """Check that a server without disk space exits with one sentence, and starts once there is space."""
        await asyncio.to_thread(self.disk.fill, self.server)
        self.tally.events["disk full"] += 1
        await asyncio.sleep(min(5.0, self.options.kill_every))
        await self._kill()
        said = await asyncio.to_thread(self.server.start)
        if said is None:
            self.tally.events["started on a full disk"] += 1
            self._arrive()
            await asyncio.sleep(min(10.0, self.options.kill_every))
            self.disk.free(self.server)
            return
        self.tally.events["refused to start on a full disk"] += 1
        if "\n" in said or not said.endswith(".") or self.server.process is None or self.server.process.returncode != 2:
            self.tally.blame(f"On a full disk the server ended without a sentence: {said[-300:]!r}.")
        self.disk.free(self.server)
        await self._start()

    async def _turn_clock(self) -> None:
        self._jump(self.rng.choice((3600.0, -7200.0, 3 * DAY, -DAY)))
        await asyncio.sleep(min(20.0, self.options.kill_every))
        self._jump(0.0)

    async def _kill_server_in_another_year(self) -> None:
        self._jump(self.rng.choice((400.0, -400.0)) * DAY)
        await self._kill_server()
        await asyncio.sleep(min(20.0, self.options.kill_every))
        self._jump(0.0)

    def _jump(self, offset: float) -> None:
        self.server.clock.jump(offset)
        self.tally.events["clock jumped"] += 1
        for player in self.players:
            player.n_jumps = self.server.clock.n_jumps

    # -- observations -------------------------------------------------------------------------------------

    async def _report(self) -> None:
        """Print a line every few seconds, and record the maximum that was held."""
        requests = 0
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_LINES)
            if not self.scene.is_up.is_set():
                continue
            held = Holding.of(self.server.pid)
            self.most = Holding(
                *(max(pair) for pair in zip(asdict(self.most).values(), asdict(held).values(), strict=True))
            )
            log = self.folder / "games.sqlite-wal"
            log_mb = log.stat().st_size / 1e6 if log.exists() else 0.0
            self.log_mb = max(self.log_mb, log_mb)
            spent, rate = time.monotonic() - self.began, (self.tally.n_requests - requests) / SECONDS_BETWEEN_LINES
            requests = self.tally.n_requests
            events = self.tally.events
            print(
                f"{spent / 60.0:5.1f} min  {self._n_acknowledged:,} moves  {rate:.0f} requests/s  "
                f"{self.scene.generation - 1} restarts  {events['worker killed']} workers killed  "
                f"server {held.server_mb:.0f} MB, {held.handles} handles, {held.processes} processes, largest worker "
                f"{held.worker_mb:.0f} MB  log {log_mb:.1f} MB  {self.tally.n_faults} faults",
                flush=True,
            )  # fmt: skip

    @property
    def _n_acknowledged(self) -> int:
        return sum(player.n_acknowledged for player in self.players)

    def _figures(self, before: Holding, after: Holding) -> dict[str, Any]:
        n_games, n_moves, wrong = check_store(self.folder / "games.sqlite", self.players)
        for sentence in wrong:
            self.tally.blame(sentence)
        return {
            "minutes": self.options.minutes,
            "players": len(self.players),
            "thinking_s": self.options.thinking,
            "other_visitors": len(self.visitors) - len(self.players),
            "disk": self.disk.name,
            "requests": self.tally.n_requests,
            "restarts": self.scene.generation - 1,
            "events": dict(sorted(self.tally.events.items())),
            "moves_acknowledged": self._n_acknowledged,
            "moves_seen_again_after_restarts": sum(player.n_checked for player in self.players),
            "games_verified_in_the_file": n_games,
            "moves_verified_in_the_file": n_moves,
            "answers_by_kind_and_status": {
                kind: dict(sorted(counted.items())) for kind, counted in sorted(self.tally.statuses.items())
            },
            "milliseconds_by_kind": {
                kind: percentiles(taken) for kind, taken in sorted(self.tally.seconds.items())
            },
            "refusals": dict(self.tally.refusals.most_common()),
            "held_before": rounded(before),
            "held_at_most": rounded(self.most),
            "held_after": rounded(after),
            "log_of_games_at_most_mb": round(self.log_mb, 1),
            "faults": self.tally.n_faults,
        }  # fmt: skip


async def soak(options: argparse.Namespace, work: Path) -> tuple[dict[str, Any], list[str]]:
    """Run a soak in a folder; return its figures and errors."""
    running = Soak(options, work)
    limit = 60.0 * options.minutes + options.quiet + SECONDS_FOR_THE_END
    try:
        return await asyncio.wait_for(running.run(), limit), running.tally.faults
    except TimeoutError:
        return {}, [*running.tally.faults, f"The soak itself did not end within {limit:.0f} seconds."]
    finally:
        if running.server.is_running:
            running.server.end(signal.SIGKILL)
        running.disk.close()


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--thinking", type=float, default=4.0, help="seconds before a move, on average")
    parser.add_argument("--kill-every", type=float, default=120.0, help="seconds between faults")
    parser.add_argument("--quiet", type=float, default=60.0, help="seconds at the end before memory is measured")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", help="where games are stored; a temporary folder by default")
    parser.add_argument(
        "--disk", choices=("auto", "tmpfs", "limit"), default="auto",
        help="how the disk gets full: a small file system (where one can be mounted), or a file size limit",
    )  # fmt: skip
    return parse_arguments(parser)


def main() -> None:
    """Run with the command line's options and print the results."""
    options = read_options()
    if options.disk == "auto":
        alone = own_mounts()
        # Run this program again where it may mount; a later option overrides an earlier one.
        if alone is not None:
            os.execvp(alone[0], [*alone, sys.executable, "-m", "benchmarks.soak", *sys.argv[1:], "--disk", "tmpfs"])
        options.disk = "limit"
    # Ending the soak ends its server.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("The soak was ended."))
    with tempfile.TemporaryDirectory() as work:
        found, faults = asyncio.run(soak(options, Path(work)))
        print(json.dumps(found, indent=1))
        if options.write:
            save("soak", found, seeds=str(options.seed), of="web")
    if faults:
        sys.exit("\n".join(["Something was wrong:", *faults]))
    print("Nothing was lost, nothing leaked, and no answer was a fault of the server.")


if __name__ == "__main__":
    main()
