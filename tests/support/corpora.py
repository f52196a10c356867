"""Positions with exact answers, from a file each: games of the usual levels, large boards, snakes and lattices."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sapper.observation import Observation

FOLDER = Path(__file__).parent.parent / "data" / "positions"
NAMES = ("beginner", "intermediate", "expert", "expert_late", "large50", "huge100", "snake", "lattice")


def read_corpus(name: str) -> Iterator[tuple[str, Observation, NDArray[np.float64] | None]]:
    """Yield the name of each position, the position, and the chance of every cell (NaN: open), if it is known."""
    with gzip.open(FOLDER / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            position = Observation.parse(f"{'/'.join(entry['rows'])} {entry['mines']}")
            truth = entry["p"]
            yield entry["id"], position, None if truth is None else np.array(truth, dtype=np.float64)
