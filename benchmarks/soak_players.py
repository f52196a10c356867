"""Players of the soak, who record every acknowledged move, and the check that all of them were stored."""

from __future__ import annotations

import random
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.soak_visitors import REFUSALS, Cut, Reply, Scene, Visitor

BOARDS = (
    "9x9/10", "9x9/10", "16x16/40", "16x30/99", "16x30/99", "16x16/40 survey", "12x12/20 torus", "10x10/15 hex",
)  # fmt: skip
MAX_GAMES = 199  # the server stores the latest 200 of a visitor
LONGEST_PAUSE = 600.0  # what a jump of the clock may add to a game's time: the longest pause that counts

MoveOf = tuple[str, int, int]


@dataclass
class Kept:
    """A game as its player sees it."""

    began: float
    moves: list[MoveOf] = field(default_factory=list)
    position: str = ""
    is_over: bool = False


class Player(Visitor):
    """A player of game after game, with pauses, who records what was acknowledged."""

    role = "player"

    def __init__(self, scene: Scene, rng: random.Random, thinking: float) -> None:
        super().__init__(scene, rng)
        self.games: dict[str, Kept] = {}
        self.n_acknowledged = 0
        self.n_checked = 0  # moves that were there after a restart
        self.n_jumps = 0  # set when the clock jumps
        self._thinking = thinking
        self._state: dict[str, Any] | None = None
        self._doubt: MoveOf | None = None  # a request without a response
        self._generation = 0

    async def turn(self) -> None:
        """Pause, then do one thing."""
        await self.scene.pause(self.rng, self._thinking)
        if self.scene.is_over:
            return
        state = self._state
        if state is None:
            await self._begin()
        elif self._doubt is not None or self._generation != self.scene.generation:
            await self._look(state["id"])
        elif state["over"]:
            await self._after(state["id"])
        else:
            await self._play(state)

    # -- actions ----------------------------------------------------------------------------------

    async def _begin(self) -> None:
        self._generation = self.scene.generation
        asked: dict[str, object] = {"rules": self.rng.choice(BOARDS)}
        if asked["rules"] == "9x9/10" and self.rng.random() < 0.2:
            asked["no_guess"] = True
        reply = await self.ask("begin", "POST", "/api/games", asked)
        if self._is_done(reply, 201):
            self._enter(reply.value)

    def _enter(self, state: dict[str, Any]) -> None:
        self.games[state["id"]] = Kept(time.monotonic())
        self._note(state)

    async def _after(self, game_id: str) -> None:
        """Review a finished game, and start another."""
        chosen = self.rng.random()
        if chosen < 0.05:
            await self.ask("review", "POST", "/api/review", {"game": game_id})
        elif chosen < 0.1:
            reply = await self.ask("download", "GET", f"/api/games/{game_id}/download")
            if reply.status == 200 and reply.body.count(b"\n") < len(self.games[game_id].moves):
                self.scene.tally.blame(f"The record of game {game_id} has fewer moves than were made.")
        elif chosen < 0.15:
            await self.ask("list", "GET", "/api/games")
        self._state = None

    async def _play(self, state: dict[str, Any]) -> None:
        path, chosen = f"/api/games/{state['id']}", self.rng.random()
        if chosen < 0.03:
            await self.ask("hint", "GET", f"{path}/hint")
        elif chosen < 0.04:
            await self.ask("chances", "GET", f"{path}/chances")
        elif chosen < 0.07 and self.games[state["id"]].moves:
            self._doubt = ("undo", 0, 0)
            self._settle(await self.ask("undo", "POST", f"{path}/undo"))
        else:
            self._doubt = self._choose(state["position"])
            action, row, col = self._doubt
            self._settle(await self.ask("move", "POST", f"{path}/moves", {"action": action, "row": row, "col": col}))

    def _choose(self, position: str) -> MoveOf:
        rows = position.split()[0].split("/")
        hidden = [(row, col) for row, line in enumerate(rows) for col, code in enumerate(line) if code == "#"]
        flags = [(row, col) for row, line in enumerate(rows) for col, code in enumerate(line) if code == "F"]
        chosen = self.rng.random()
        if flags and (chosen < 0.03 or not hidden):
            return "flag", *self.rng.choice(flags)
        return "open" if chosen < 0.8 or not hidden else "flag", *self.rng.choice(hidden or [(0, 0)])

    # -- records -------------------------------------------------------------------------------

    def _settle(self, reply: Reply) -> None:
        """Record the result of the last request."""
        made, self._doubt = self._doubt, None
        assert made is not None
        assert self._state is not None
        # A refusal means that nothing was changed; the next response shows whether that is true.
        if not self._is_done(reply, 200):
            if reply.status not in (409, 422):
                return
            self.scene.tally.events["moves refused by the rules"] += 1
            self._generation = -1  # look again
            return
        self._write(self.games[self._state["id"]].moves, made)
        self._note(reply.value)

    def _write(self, moves: list[MoveOf], made: MoveOf) -> None:
        self.n_acknowledged += 1
        if made[0] == "undo":
            moves.pop()
        else:
            moves.append(made)

    def _is_done(self, reply: Reply, status: int) -> bool:
        if reply.status not in (status, 409, 422, 429, *REFUSALS):
            self.scene.tally.blame(f"A player was answered with {reply.status}: {reply.body[:200]!r}.")
        return reply.status == status

    def _note(self, state: dict[str, Any]) -> None:
        """Compare the server's state with what was acknowledged."""
        kept = self.games[state["id"]]
        if state["moves"] != len(kept.moves):
            self.scene.tally.blame(
                f"Game {state['id']} was lost in part: {len(kept.moves)} moves were acknowledged, and the server knows "
                f"of {state['moves']}."
            )
            self._state = None
            return
        most = time.monotonic() - kept.began + 1.0 + LONGEST_PAUSE * self.n_jumps
        if not 0.0 <= state["seconds"] <= most:
            self.scene.tally.blame(f"The clock of game {state['id']} stands at {state['seconds']} seconds.")
        kept.position, kept.is_over = state["position"], state["over"]
        self._state = state

    async def _look(self, game_id: str) -> None:
        """Check a game after the server was killed: everything acknowledged must be there."""
        generation, kept = self.scene.generation, self.games[game_id]
        reply = await self.ask("look", "GET", f"/api/games/{game_id}")
        if reply.status == 404:
            self.scene.tally.blame(f"Game {game_id} with {len(kept.moves)} moves was lost.")
            self._state = self._doubt = None
        if not self._is_done(reply, 200):
            return
        state, made = reply.value, self._doubt
        self._doubt, self._generation = None, generation
        self.n_checked += len(kept.moves)
        # A request without a response may have been carried out.
        if made is not None and state["moves"] == len(kept.moves) + (-1 if made[0] == "undo" else 1):
            self._write(kept.moves, made)
        elif state["moves"] == len(kept.moves) and state["position"] != kept.position:
            self.scene.tally.blame(f"Game {game_id} does not look as it did: {kept.position} was {state['position']}.")
        self._note(state)

    async def settle(self) -> None:
        """Resolve the last request without a response, for the final check."""
        for _ in range(5):
            if self._state is None or self._doubt is None:
                return
            try:
                await self._look(self._state["id"])
            except Cut:
                continue


def check_store(path: Path, players: list[Player]) -> tuple[int, int, list[str]]:
    """Compare the database with what was acknowledged; return the numbers of right games and moves, and errors."""
    n_games = n_moves = 0
    wrong = []
    with closing(sqlite3.connect(path)) as db:
        stored: dict[str, list[MoveOf]] = {name: [] for (name,) in db.execute("SELECT id FROM games")}
        for name, *move in db.execute("SELECT game, action, row, col FROM moves ORDER BY game, number"):
            stored.setdefault(name, []).append((move[0], move[1], move[2]))
        intact = db.execute("PRAGMA integrity_check").fetchone()[0]
    if intact != "ok":
        wrong.append(f"The file of games is damaged: {intact}.")
    for player in players:
        for name, kept in list(player.games.items())[-MAX_GAMES:]:
            if name not in stored:
                wrong.append(f"Game {name} with {len(kept.moves)} moves was lost from the file.")
            elif stored[name] != kept.moves:
                wrong.append(f"The moves of game {name} in the file are not those that were acknowledged.")
            else:
                n_games, n_moves = n_games + 1, n_moves + len(kept.moves)
    return n_games, n_moves, wrong
