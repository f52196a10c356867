"""Play chunks: consecutive games of one condition, the unit of every experiment.

A chunk's result depends only on its condition and seeds, so any process or machine can play it at any time. Workers
pack the results into bytes, so that the process that commits them to the store has little to do.

>>> from sapper.experiments.games import ChunkResult, GameResult
>>> packed = pack(ChunkResult((GameResult(1, 0, 0, 2, 9), GameResult(0, 0, 1, 3, 4)), 0.5))
>>> unpack(packed.games, packed.n_games).tolist()
[[1, 0, 0, 2, 9, 0], [0, 0, 1, 3, 4, 0]]
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper.agents.agent import Agent
from sapper.agents.foreign.agent import foreign_seconds, is_foreign
from sapper.agents.registry import agent_entry, is_own, make_agent
from sapper.errors import FORFEITS, AgentFault, Forfeit, IllegalMove, InputError, TooHard
from sapper.formats.given_boards import GivenBoard
from sapper.layout import Layout
from sapper.play.compiled import AGENTS as COMPILED_AGENTS
from sapper.play.compiled import CompiledPlayer
from sapper.play.dealt import start_game
from sapper.play.match import MatchStep, steps
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

# Prefixes of the source of a condition.
PROBE = "probe:"  # it measures something else: see `probes`
POSITIONS = "positions:"  # its chunks are rows of a data set: see `dataset.rows`


@dataclass(frozen=True, slots=True)
class Condition:
    """Which agent plays which boards."""

    rules: str  # in one line
    agent: str
    version: int  # of the agent
    source: str = "seeds"  # or the name of a set of given boards, or of a probe
    restart_opening: bool = False  # as in report 001: a mine before the first zero restarts the game

    @classmethod
    def of(cls, rules: Rules, agent: str, source: str = "seeds", restart_opening: bool = False) -> Condition:
        """Make a condition with the agent's current version."""
        return cls(str(rules), agent, agent_entry(agent).version, source, restart_opening)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive games of one condition: seeds from ``first_seed``, or given boards."""

    condition: Condition
    first_seed: int
    n_games: int
    boards: tuple[GivenBoard, ...] = ()


class GameResult(NamedTuple):
    """What is stored of one game."""

    won: int  # 0 or 1; in a survey, 1 if no mine went off
    identified: int  # mines correctly marked, less wrong marks
    detonations: int
    guesses: int  # openings not proved safe, including the first
    moves: int
    fault: int = 0  # why the agent forfeited the game: 1 + its number in `errors.FORFEITS`, 0 if it did not


class ChunkResult(NamedTuple):
    """The games of a chunk, in order, and their total CPU time."""

    games: tuple[GameResult, ...]
    cpu_seconds: float


_have_played: set[str] = set()  # agents that have played in this process


def play_chunk(chunk: Chunk) -> ChunkResult:
    """Play the games of a chunk."""
    play = _player(chunk.condition)
    if chunk.condition.agent not in _have_played and chunk.n_games and not is_foreign(chunk.condition.agent):
        # Warm up: one-off costs of a process do not count as costs of the games.
        play(chunk.first_seed, chunk.boards[0] if chunk.boards else None)
        _have_played.add(chunk.condition.agent)
    # Thread time, not process time: a cluster worker may play several chunks at once.
    began, foreign = time.thread_time(), foreign_seconds()
    if chunk.boards:
        games = tuple(play(chunk.first_seed + number, board) for number, board in enumerate(chunk.boards))
    else:
        games = tuple(play(seed, None) for seed in range(chunk.first_seed, chunk.first_seed + chunk.n_games))
    return ChunkResult(games, time.thread_time() - began + foreign_seconds() - foreign)


def try_agent(condition: Condition, seed: int = 0) -> None:
    """Raise what the agent's first decision raises, before anything is played or written."""
    if not _is_compiled(condition, rules := Rules.parse(condition.rules)):
        game = start_game(rules, seed)
        # What a foreign agent does wrong costs it its games, and nobody else.
        if game.outcome is Outcome.PLAYING and not is_foreign(condition.agent):
            make_agent(condition.agent, seed).decide(game.observation)


def _player(condition: Condition) -> Callable[[int, GivenBoard | None], GameResult]:
    rules = Rules.parse(condition.rules)
    check_version(condition)
    if condition.source.startswith(PROBE):
        from sapper.experiments.probes import probe_of

        probe = probe_of(condition.source)
        return lambda seed, _: probe(rules, condition.agent, seed)
    if _is_compiled(condition, rules):
        return _compiled_player(rules, condition.agent)

    def play(seed: int, board: GivenBoard | None) -> GameResult:
        if not condition.restart_opening:
            return play_game(_new_game(rules, seed, board), condition.agent, seed, board)
        # Restarts of game n must not coincide with games n + 1, n + 2, …
        for attempt in range(1000):
            game = start_game(rules, seed + attempt * 1_000_000_007)
            result = play_game(game, condition.agent, seed, None)
            if not (game.outcome is Outcome.LOST and not (game.observation.cells == 0).any()):
                return result
        return result

    return play


def check_version(condition: Condition) -> None:
    """Raise `InputError` unless the agent of a condition is known here at the same version."""
    version = agent_entry(condition.agent).version
    if version == condition.version:
        return
    if is_own(condition.agent):
        raise InputError(f"The agent {condition.agent} is not the one requested: its file or its version differs.")
    raise InputError(
        f"The agent {condition.agent} is at version {version} here, but the run needs version {condition.version}."
    )


def _is_compiled(condition: Condition, rules: Rules) -> bool:
    classic = rules.opened_mine == "ends" and rules.channel.kind == "exact" and rules.dealing == "laid"
    return condition.agent in COMPILED_AGENTS and classic and not condition.restart_opening


def _compiled_player(rules: Rules, agent: str) -> Callable[[int, GivenBoard | None], GameResult]:
    player = CompiledPlayer(rules, agent)

    def play(seed: int, board: GivenBoard | None) -> GameResult:
        try:
            if board is None:
                result = player.play(seed)
            else:
                result = player.play_layout(Layout.of_numbers(rules.topology, board.mines), board.first)
        except TooHard:
            # The agent itself has a fallback for positions that are too hard.
            return play_game(_new_game(rules, seed, board), agent, seed, board)
        return GameResult(int(result.won), 0, int(not result.won), result.n_guesses, result.n_moves)

    return play


def _new_game(rules: Rules, seed: int, board: GivenBoard | None) -> Game:
    return start_game(rules, seed, None if board is None else Layout.of_numbers(rules.topology, board.mines))


def play_game(game: Game, agent: str, seed: int, board: GivenBoard | None) -> GameResult:
    """Let an agent play a game to its end; on a given board, open the first cell for it."""
    guesses = moves = 0
    if board is not None:
        game.open(*game.rules.topology.cell(board.first))
        guesses = moves = 1
    try:
        return play_to_end(game, make_agent(agent, seed), guesses, moves)
    except (AgentFault, IllegalMove) as fault:
        # Rules and seed let the agent's author replay the game.
        who = f"{agent}: " if isinstance(fault, IllegalMove) else ""
        raise AgentFault(f"{who}{fault} (rules {game.rules.in_short}, seed {seed})") from fault.__cause__


def play_to_end(game: Game, agent: Agent, guesses: int = 0, moves: int = 0) -> GameResult:
    """Let an agent finish a game in which ``guesses`` and ``moves`` were made already."""
    return count_game(game, steps(game, agent), guesses, moves)


def count_game(game: Game, made: Iterable[MatchStep], guesses: int = 0, moves: int = 0) -> GameResult:
    """Play the steps of a game and count its result; one that is forfeited is lost, without a score."""
    fault = 0
    try:
        for step in made:
            moves += len(step.moves)
            guesses += step.decision.cell is not None and step.decision.p_mine != 0.0
    except Forfeit as forfeit:
        fault = 1 + FORFEITS.index(forfeit.kind)
    survey = game.rules.opened_mine == "explodes"
    detonations = game.counters.detonations
    won = not fault and (not detonations if survey else game.outcome is Outcome.WON)
    return GameResult(int(won), 0 if fault else game.n_identified, detonations, guesses, moves, fault)


_FIELDS = len(GameResult._fields)


class Packed(NamedTuple):
    """The result of a chunk as bytes."""

    n_games: int
    games: bytes
    cpu_seconds: float


def play_packed(chunk: Chunk) -> Packed:
    """Play the games of a chunk and pack them, or make its positions."""
    if chunk.condition.source.startswith(POSITIONS):
        from sapper.experiments.dataset.rows import make_packed

        return make_packed(chunk)
    return pack(play_chunk(chunk))


def pack(result: ChunkResult) -> Packed:
    """Pack a result: four bytes for each field of each game, compressed; without the faults if there are none."""
    games = np.array(result.games, dtype="<i4").reshape(-1, _FIELDS)
    if not games[:, -1].any():
        games = games[:, :-1]
    return Packed(len(games), zlib.compress(games.tobytes()), result.cpu_seconds)


def unpack(games: bytes, n_games: int) -> NDArray[np.int32]:
    """Return the games as an array (n_games, fields); raise ValueError if the bytes are invalid."""
    try:
        found = np.frombuffer(zlib.decompress(games), dtype="<i4").astype(np.int32).reshape(n_games, -1)
        if found.shape[1] not in (_FIELDS - 1, _FIELDS):
            raise ValueError(f"{found.shape[1]} fields")
        return np.pad(found, ((0, 0), (0, _FIELDS - found.shape[1])))
    except (zlib.error, TypeError) as error:
        raise ValueError(str(error)) from None
