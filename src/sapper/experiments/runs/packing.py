"""The games of a chunk as bytes: what travels from whoever plays and lies in the store.

Packed where it was played, a chunk costs the one process that commits next to nothing, however many games it has.

>>> from sapper.experiments.runs.games import ChunkResult, GameResult
>>> packed = pack(ChunkResult((GameResult(1, 0, 0, 2, 9), GameResult(0, 0, 1, 3, 4)), 0.5))
>>> unpack(packed.games, packed.n_games).tolist()
[[1, 0, 0, 2, 9], [0, 0, 1, 3, 4]]
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.experiments.runs.games import GameResult, play_chunk

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sapper.experiments.runs.games import Chunk, ChunkResult

_FIELDS = len(GameResult._fields)


class Packed(NamedTuple):
    """A chunk that was played."""

    n_games: int
    games: bytes
    cpu_seconds: float


def play_packed(chunk: Chunk) -> Packed:
    """Play the games of a chunk and pack them."""
    return pack(play_chunk(chunk))


def pack(result: ChunkResult) -> Packed:
    """Four bytes for each field of each game, game by game, compressed."""
    games = np.array(result.games, dtype="<i4").reshape(-1, _FIELDS)
    return Packed(len(games), zlib.compress(games.tobytes()), result.cpu_seconds)


def unpack(games: bytes, n_games: int) -> NDArray[np.int32]:
    """The games again: (n_games, fields). Raises ValueError if the bytes are not what they should be."""
    try:
        return np.frombuffer(zlib.decompress(games), dtype="<i4").astype(np.int32).reshape(n_games, _FIELDS)
    except (zlib.error, TypeError) as error:
        raise ValueError(str(error)) from None
