"""Positions of real games as rows of a data set, in chunks that any backend can make.

A game opens safe cells, a few at a time in random order, and the safest cell where none is safe. A chunk collects more
positions than it needs and takes as many of each stratum, phase by level, as there are. It depends only on its rules,
seed and number, so any process or machine can make it at any time.
"""

from __future__ import annotations

import io
import time
import zipfile
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper import kernels
from sapper.errors import GaveUp, RulesError, TooHard
from sapper.experiments.games import POSITIONS, Chunk, Condition, Packed
from sapper.inference.evaluation.decision import Decider
from sapper.inference.evaluation.endgame import symmetries
from sapper.inference.evaluation.rollouts import Effort
from sapper.inference.posterior.batch import ANSWERED, mine_probabilities_many
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.proofs.explain import explain_easiest
from sapper.kernels.codes import MINE, OK, OPEN, SAFE, UNKNOWN
from sapper.observation import HIDDEN, Observation
from sapper.play.noguess.generate import REASONINGS, SearchMemory
from sapper.rules import Rules
from sapper.words import count
from sapper.world.generation import generate_mines

PHASES = ("early", "middle", "late")  # by the share of safe cells that are open: thirds
LEVELS = (*REASONINGS, "guess")  # the easiest reasoning that proves a cell safe; guess: nothing is safe
EXTRAS = ("best", "proof")

_GAMES_AT_ONCE = 32
_SURPLUS = 2.5  # positions collected for each that is taken
_MAX_GAMES_PER_ROW = 20  # until a board is found to have too few positions
_GAMES_OF_ROLLOUT = 512
_STREAM = 5  # of random numbers


class SampledPosition(NamedTuple):
    """A position, before it is decided whether it is taken."""

    cells: NDArray[np.int8]
    p_mine: NDArray[np.float64]
    verdicts: NDArray[np.int8]  # UNKNOWN, SAFE, MINE or OPEN
    game: int  # the seed of its game
    first: int  # the cell opened first
    move: int  # openings before it
    phase: int
    level: int
    board: int  # a hash of its mines, the same for mirrored and turned boards


def check_rules(rules: Rules) -> None:
    """Raise `RulesError` unless data sets can be made of games under these rules."""
    if rules.opened_mine != "ends" or rules.dealing != "laid" or rules.channel.kind != "exact":
        raise RulesError("Data sets are made of classic games with exact clues on standard boards.")
    if not _first_cells(rules):
        raise RulesError(f"Under the rules {rules.in_short}, no cell can be opened first: the mines take all the room.")
    if not rules.total_known or not rules.cascade:
        raise RulesError("Data sets are made of games with cascades and a known number of mines.")


def _first_cells(rules: Rules) -> list[int]:
    """Return the cells that may be opened first: those that leave room for the mines."""
    room = rules.n_cells - rules.mines
    return [cell for cell in range(rules.n_cells) if len(rules.reserved(cell) | {cell}) <= room]


def chunk_of(rules: Rules, seed: int, number: int, n_rows: int, extras: tuple[str, ...]) -> Chunk:
    """Return a chunk of a data set for the backends."""
    condition = Condition.of(rules, "exact", f"{POSITIONS}{seed}:{','.join(extras)}")
    return Chunk(condition, number, n_rows)


def make_packed(chunk: Chunk) -> Packed:
    """Make the rows of a chunk, as the bytes of a NumPy archive."""
    began = time.thread_time()
    seed, _, extras = chunk.condition.source.removeprefix(POSITIONS).partition(":")
    rules = Rules.parse(chunk.condition.rules)
    rng = np.random.default_rng((int(seed), _STREAM, chunk.first_seed))
    taken = _take(_collect(rules, rng, chunk.n_games), chunk.n_games, rng)
    rows = _as_columns(rules, taken, tuple(filter(None, extras.split(","))))
    return Packed(chunk.n_games, pack_rows(rows), time.thread_time() - began)


def pack_rows(rows: dict[str, NDArray[np.generic]]) -> bytes:
    """Return columns as a NumPy archive, compressed lightly: it is read once."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for label, column in rows.items():
            with archive.open(f"{label}.npy", "w") as member:
                np.lib.format.write_array(member, column, allow_pickle=False)
    return file.getvalue()


def read_rows(packed: Packed) -> dict[str, NDArray[np.generic]]:
    """Return the columns of a chunk."""
    with np.load(io.BytesIO(packed.games)) as file:
        return dict(file)


def _collect(rules: Rules, rng: np.random.Generator, n_rows: int) -> list[SampledPosition]:
    found: list[SampledPosition] = []
    firsts = _first_cells(rules)
    judge = LevelFinder(rules, firsts[0])
    images = _images_of(rules)
    n_rounds = max(10, _MAX_GAMES_PER_ROW * n_rows // _GAMES_AT_ONCE)
    for _ in range(n_rounds):
        found += _play_games(rules, firsts, rng, judge, images)
        if len(found) >= _SURPLUS * n_rows:
            return found
    if len(found) >= n_rows:
        return found
    n_games = n_rounds * _GAMES_AT_ONCE
    raise GaveUp(f"{n_games:,} games on {rules.in_short} have only {count(len(found), 'position')}.", n_games)


def _play_games(
    rules: Rules, firsts: list[int], rng: np.random.Generator, judge: LevelFinder, images: NDArray[np.int32]
) -> list[SampledPosition]:
    """Play some games side by side and return their positions, game by game."""
    board = rules.topology
    seeds = (rng.bit_generator.random_raw(_GAMES_AT_ONCE) >> np.uint64(1)).tolist()
    cells = np.full((_GAMES_AT_ONCE, rules.n_cells), HIDDEN, dtype=np.int8)
    games: list[_Game] = []
    for seed, shown in zip(seeds, cells, strict=True):
        first = firsts[int(rng.integers(len(firsts)))]
        games.append(_Game(rules, seed, first, shown, images))
    found: list[list[SampledPosition]] = [[] for _ in games]
    while playing := [number for number, game in enumerate(games) if game.is_on]:
        grid = cells[playing].reshape(-1, board.rows, board.cols)
        known = mine_probabilities_many(grid, mines=rules.mines, topology=board)
        for at, number in enumerate(playing):
            game = games[number]
            if known.status[at] != ANSWERED:
                game.is_on = False
                continue
            p_mine, safe = known.p_mine[at].ravel(), known.safe[at].ravel()
            verdicts = np.where(
                game.cells >= 0, OPEN, np.where(safe, SAFE, np.where(known.mines[at].ravel(), MINE, UNKNOWN))
            )
            level = judge.level_of(game, bool(safe.any()))
            found[number].append(
                SampledPosition(
                    game.cells.copy(),
                    p_mine,
                    verdicts.astype(np.int8),
                    game.seed,
                    game.first,
                    game.n_moves,
                    game.phase,
                    level,
                    game.board,
                )
            )
            game.advance(np.flatnonzero(safe), p_mine, rng)
    return [one for rows in found for one in rows]


class _Game:
    """One game on a row of an array."""

    def __init__(self, rules: Rules, seed: int, first: int, cells: NDArray[np.int8], images: NDArray[np.int32]) -> None:
        board = rules.topology
        self.rules, self.seed, self.first, self.cells, self.n_moves, self.is_on = rules, seed, first, cells, 0, True
        self.mines = generate_mines(rules, [seed], board.cell(first))[0]
        if self.mines[first]:
            self.is_on = False  # lost at once
        padded = np.append(self.mines, False)
        self.clues = np.ascontiguousarray(padded[board.table].sum(axis=1, dtype=np.int8))
        self._field = kernels.Field(cells, self.clues, np.empty(board.n_cells, dtype=np.int32))
        self._graph, self.n_closed = board.graph, board.n_cells
        self.board = _hash(images, self.mines)
        if self.is_on:
            self.open(first)

    def open(self, cell: int) -> None:
        """Open a safe cell that is still hidden."""
        kernels.reveal(self._field, self._graph, cell, True)
        self.n_moves += 1
        self.n_closed = int(np.count_nonzero(self.cells == HIDDEN))
        self.is_on = self.n_closed > self.rules.mines

    @property
    def phase(self) -> int:
        """Its place in `PHASES`."""
        n_safe = self.rules.n_cells - self.rules.mines
        return min(2, 3 * (self.rules.n_cells - self.n_closed) // n_safe)

    def advance(self, safe: NDArray[np.intp], p_mine: NDArray[np.float64], rng: np.random.Generator) -> None:
        """Open some of the safe cells, or the safest cell, which may end the game."""
        if not safe.size:
            guess = int(np.nanargmin(p_mine))
            if self.mines[guess]:
                self.is_on = False
            else:
                self.open(guess)
            return
        chosen = rng.permutation(safe)[: int(rng.integers(1, safe.size + 1))]
        for cell in chosen.tolist():
            if self.cells[cell] == HIDDEN and self.is_on:  # a zero may have opened it
                self.open(cell)


def _images_of(rules: Rules) -> NDArray[np.int32]:
    return symmetries(rules.topology, np.full((rules.rows, rules.cols), HIDDEN, dtype=np.int8))


def _hash(images: NDArray[np.int32], values: NDArray[np.generic]) -> int:
    """Return a number that is the same for all images of a board's cells, and for nothing else that will ever occur."""
    least = min(values[image].tobytes() for image in images)
    return int.from_bytes(sha256(least).digest()[:8], "big") >> 1


class LevelFinder:
    """Finds the easiest reasoning that proves a cell of a position safe."""

    def __init__(self, rules: Rules, first: int) -> None:
        self._memory = SearchMemory(rules, first, 0)

    def level_of(self, game: _Game, has_safe: bool) -> int:
        """Return the place in `LEVELS`."""
        memory = self._memory
        if not has_safe:
            return len(LEVELS) - 1
        memory.mines[:], memory.shown[:] = game.mines, game.clues
        while True:
            # The verdicts say which cells are open; the search writes to them.
            memory.marks[:] = np.where(game.cells >= 0, OPEN, UNKNOWN)
            status, level = kernels.find_level(memory.workspace, memory.board, memory.search)
            if status == OK:
                return int(level) if level >= 0 else len(REASONINGS) - 1
            try:
                memory.workspace.grow(status)
            except TooHard:
                return len(REASONINGS) - 1


def _take(found: list[SampledPosition], n_rows: int, rng: np.random.Generator) -> list[SampledPosition]:
    """Take this many, as evenly from the strata as they allow, in the order of the games."""
    strata: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(found):
        strata.setdefault((one.phase, one.level), []).append(number)
    taken: list[int] = []
    by_size = sorted(strata.items(), key=lambda item: (len(item[1]), item[0]))
    for place, (_, numbers) in enumerate(by_size):
        share = -(-(n_rows - len(taken)) // (len(by_size) - place))
        taken += rng.permutation(numbers)[: min(share, n_rows - len(taken))].tolist()
    return [found[number] for number in sorted(taken)]


def _as_columns(rules: Rules, taken: list[SampledPosition], extras: tuple[str, ...]) -> dict[str, NDArray[np.generic]]:
    shape, images = (len(taken), rules.rows, rules.cols), _images_of(rules)
    columns: dict[str, NDArray[np.generic]] = {
        "cells": np.array([one.cells for one in taken]).reshape(shape),
        "p_mine": np.array([one.p_mine for one in taken]).reshape(shape),
        "verdicts": np.array([one.verdicts for one in taken]).reshape(shape),
        "game": np.array([one.game for one in taken], dtype=np.int64),
        "first": np.array([one.first for one in taken], dtype=np.int32),
        "move": np.array([one.move for one in taken], dtype=np.int32),
        "phase": np.array([one.phase for one in taken], dtype=np.int8),
        "level": np.array([one.level for one in taken], dtype=np.int8),
        "position": np.array([_hash(images, one.cells) for one in taken], dtype=np.int64),
        "board": np.array([one.board for one in taken], dtype=np.int64),
    }
    seen = [Observation.of_game(rules.topology, one.cells, rules.mines, rules.channel) for one in taken]
    if "best" in extras:
        columns |= _rank(rules, seen, taken)
    if "proof" in extras:
        columns["proof"] = np.array([str(explain_easiest(one)) for one in seen], dtype=np.str_)
    return columns


def _rank(rules: Rules, seen: list[Observation], taken: list[SampledPosition]) -> dict[str, NDArray[np.generic]]:
    """Return the best cell of every position by number, and its win chance with a standard error (0: exact)."""
    decider = Decider(rules.topology)
    best, p_win, error = np.zeros(len(seen), np.int32), np.zeros(len(seen)), np.zeros(len(seen))
    for number, (one, row) in enumerate(zip(seen, taken, strict=True)):
        # A position gets the same estimate in whatever chunk it is.
        rng = np.random.default_rng((row.game, row.move))
        posterior = mine_probabilities(one)
        choice = decider.rank(posterior, Effort(_GAMES_OF_ROLLOUT), rng)[0]
        if choice.p_win is None:  # nothing to compare it with
            choice = decider.estimate(posterior, choice.cell, Effort(_GAMES_OF_ROLLOUT), rng)
        best[number], error[number] = choice.cell, choice.error
        p_win[number] = np.nan if choice.p_win is None else choice.p_win
    return {"best": best, "p_win": p_win, "p_win_error": error}
