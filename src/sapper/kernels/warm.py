"""Compile every kernel before somebody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sapper.kernels import workspace
from sapper.kernels.reveal import reveal

if TYPE_CHECKING:
    from collections.abc import Callable


def _warm_reveal() -> None:
    cells = np.full(1, -1, dtype=np.int8)
    table = np.full((1, 8), -1, dtype=np.int32)
    # Read-only arrays are a type of their own to Numba; boards come with read-only tables.
    degree, shown = np.zeros(1, dtype=np.int8), np.zeros(1, dtype=np.int8)
    table.flags.writeable = False
    degree.flags.writeable = False
    reveal(cells, shown, table, degree, 0, True, np.empty(1, dtype=np.int32))


def _warm_engine() -> None:
    from sapper.kernels.posterior import solve
    from sapper.kernels.sampling import sample

    table = np.full((2, 8), -1, dtype=np.int32)
    table[0, 0], table[1, 0] = 1, 0
    cells, degree = np.array([1, -1], dtype=np.int8), np.ones(2, dtype=np.int8)
    for read_only in (cells, table, degree):
        read_only.flags.writeable = False
    ints = np.zeros(workspace.n_ints(2, 8, 8, 8), dtype=np.int32)
    longs = np.zeros(workspace.n_longs(2, 8), dtype=np.int64)
    floats = np.zeros(workspace.n_floats(2, 8, 8))
    longs[workspace.ROOM_STATES : workspace.ROOM_SLOTS + 1] = 8
    settled, tables = np.empty(2, dtype=np.int8), np.zeros((1, 9))
    solve(cells, table, degree, 2, 1, 1.0, False, False, tables, settled, np.empty(2), ints, longs, floats)
    sample(cells, settled, 1, 1.0, False, ints, longs, floats, np.zeros((1, 14)), np.empty((1, 2), dtype=np.bool_))


def _warm_players() -> None:
    from sapper.kernels.choosing import choose_least_risk
    from sapper.kernels.endgame import make_scratch
    from sapper.kernels.playing import play_on
    from sapper.kernels.rollouts import roll_out

    # Two cells, one of them a mine: the other is opened and that is all.
    table = np.full((2, 8), -1, dtype=np.int32)
    table[0, 0], table[1, 0] = 1, 0
    degree = np.ones(2, dtype=np.int8)
    mines, p_seen = np.array([False, True]), np.full(2, 0.5)
    for read_only in (table, degree, mines, p_seen):
        read_only.flags.writeable = False
    ints = np.zeros(workspace.n_ints(2, 8, 8, 8), dtype=np.int32)
    longs = np.zeros(workspace.n_longs(2, 8), dtype=np.int64)
    floats = np.zeros(workspace.n_floats(2, 8, 8))
    longs[workspace.ROOM_STATES : workspace.ROOM_SLOTS + 1] = 8
    settled, p, tables = np.empty(2, dtype=np.int8), np.full(2, 0.5), np.zeros((1, 9))
    opened, moves = np.empty(2, dtype=np.int32), np.empty(2, dtype=np.int32)
    trial = np.empty(2, dtype=np.int8)
    tried = trial.view()
    tried.flags.writeable = False
    found = np.empty(20, dtype=np.int32)
    end = make_scratch(2, 2, 8)
    for ahead in (None, (trial, tried, settled.copy(), p.copy(), found, p.copy(), p.copy())):
        cells = np.full(2, -1, dtype=np.int8)
        seen = cells.view()
        seen.flags.writeable = False
        choose_least_risk(seen, table, degree, p_seen)
        shown, tally = np.array([1, 0], dtype=np.int8), np.array([0, 2, 0])
        play_on(
            mines, shown, 1, True, cells, seen, table, degree, 2, 1, 1.0, False, False, tables, settled, p, ints, longs,
            floats, opened, moves, tally, ahead, None if ahead is None else end,
        )  # fmt: skip
    start, layouts = np.full(2, -1, dtype=np.int8), np.array([[True, False]])
    start.flags.writeable = False
    roll_out(
        start, 1, layouts, np.zeros((1, 1, 14)), table, degree, 2, 1, True, tables, cells, seen, trial, tried, settled,
        p, ints, longs, floats, opened, np.zeros((1, 2), dtype=np.bool_), shown, end, np.zeros(1),
    )  # fmt: skip


def _warm_environments() -> None:
    from sapper.kernels.environments import N_TALLIES, choose_allowed, start_games, step_games
    from sapper.kernels.pcg64 import N_LIMBS

    # One board of two cells without mines: the first opening ends the game.
    table, degree = np.full((2, 8), -1, dtype=np.int32), np.ones(2, dtype=np.int8)
    table[0, 0], table[1, 0] = 1, 0
    table.flags.writeable = False
    degree.flags.writeable = False
    cells, masks, shown = (np.zeros((1, 2), dtype=np.int8) for _ in range(3))
    mines, asked = np.zeros((1, 2), dtype=np.bool_), np.zeros((1, 0), dtype=np.int32)
    streams, seeds = np.zeros((1, N_LIMBS), dtype=np.uint64), np.zeros(1, dtype=np.int64)
    tallies, states = np.zeros((1, N_TALLIES), dtype=np.int32), np.zeros(1, dtype=np.int8)
    state = (cells, masks, mines, shown, asked, streams, seeds, tallies, states)
    may_open, settings, prices = np.ones(2, dtype=np.bool_), np.zeros(6, dtype=np.int64), np.zeros(4)
    board = (table, degree, may_open, np.zeros((0, 0, 0)), np.zeros((0, 0), dtype=np.int8), settings, prices)
    generator, pool, words, keys = (np.zeros(n, dtype=np.uint64) for n in (N_LIMBS, 12, 2, 3))
    scratch = (generator, pool, words, keys, np.zeros(3, dtype=np.int32), np.zeros(2, dtype=np.int32))
    which, actions = np.ones(1, dtype=np.bool_), np.zeros(1, dtype=np.int64)
    start_games(which, state, board, scratch)
    choose_allowed(masks, np.zeros(1, dtype=np.uint64), actions)
    rewards, results, n_opened = np.zeros(1), np.zeros(1), np.zeros(1, dtype=np.int32)
    terminated, truncated = np.zeros(1, dtype=np.bool_), np.zeros(1, dtype=np.bool_)
    step_games(which, actions, state, board, scratch, rewards, terminated, truncated, n_opened, results)


def _warm_no_guess() -> None:
    from sapper.kernels.clearing import COUNT, search
    from sapper.kernels.consolidating import N_BUCKETS, N_COLUMNS
    from sapper.kernels.proving import N_HEADS, N_NOTES

    # Two cells, one of them a mine: the other is opened and that is all.
    table = np.full((2, 8), -1, dtype=np.int32)
    table[0, 0], table[1, 0] = 1, 0
    cells, degree = np.full(2, -1, dtype=np.int8), np.ones(2, dtype=np.int8)
    seen = cells.view()
    for read_only in (table, degree, seen):
        read_only.flags.writeable = False
    ints = np.zeros(workspace.n_ints(2, 8, 8, 8), dtype=np.int32)
    longs = np.zeros(workspace.n_longs(2, 8), dtype=np.int64)
    floats = np.zeros(workspace.n_floats(2, 8, 8))
    longs[workspace.ROOM_STATES : workspace.ROOM_SLOTS + 1] = 8
    search(
        COUNT, 1, 0, False, 0, 0, 1, np.ones(1, dtype=np.int32), np.zeros(1), table, degree, 2,
        np.zeros(2, dtype=np.bool_), np.zeros(2, dtype=np.int8), cells, seen, np.zeros(2, dtype=np.int8),
        np.zeros((N_NOTES, 2), dtype=np.int32), np.zeros(N_HEADS, dtype=np.int64),
        np.zeros((N_BUCKETS, N_COLUMNS), dtype=np.int32), np.zeros(3, dtype=np.int64), np.zeros(2, dtype=np.int32),
        np.zeros((1, 9)), np.zeros(2, dtype=np.int8), np.zeros(2), ints, longs, floats, np.zeros(4, dtype=np.int64),
    )  # fmt: skip


# What people read while they wait → the call that compiles it, with the very types that the library uses.
WARM_UPS: dict[str, Callable[[], None]] = {
    "opening cells": _warm_reveal,
    "the exact engine": _warm_engine,
    "whole games": _warm_players,
    "environments": _warm_environments,
    "boards without guesses": _warm_no_guess,
}
