"""What the page's scripts compute as the library does: both sides are held to tests/data/page.json.

``SAPPER_REWRITE=1`` writes it anew. The scripts' side are the tests in tests/page.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from own_boards import random_board

from sapper.errors import InputError
from sapper.observation import Observation
from sapper.rules import PRESETS, Rules
from sapper.topology import SHAPES, Topology, read_neighbourhood, topology, write_neighbourhood
from sapper.web.jobs import positions
from sapper.words import percent

VECTORS = Path(__file__).parents[1] / "data" / "page.json"
RULES = (
    "9x9/10", "16x30/99 first-opening", "4x4/16", "5x5/4 torus first-any survey", "6x7/8 hex no-cascade",
    "8x8/14 knight", "9x9/16 orthogonal total-hidden", "9x9/10 withheld:0.3:redraws", "9x9/10 liar",
    "9x9/10 optimistic:0.25", "9x9/10 survey first-any liar:0.3", "16x16/40 fair", "8x8/10 first-opening cruel",
    "1x6/2 own:1,5/2/3/4/5", "9x9/10 classic cascade total-known",
)  # fmt: skip
CHANCES = (0.0, 0.0004, 0.004, 0.005, 0.125, 0.225, 1 / 3, 0.375, 0.5, 0.995, 0.9951, 0.9996, 0.99999, 1.0)
CHANNELS = (
    "exact", "withheld:0.3", "withheld:0.3:redraws", "optimistic:1.0", "cautious:1.0", "liar:0.3", "liar",
)  # fmt: skip
STAR = "own:" + ",".join(map(str, range(1, 14)))  # thirteen cells around one
POSITIONS = ("1#F/*.0 2", "#", "3#/## 3 torus", f"a{'#' * 13} {STAR}", "1#/## liar:0.3", "2#/#F 2 hex")
TABLES = ("", "1", "1,5/2/3/4/5", "0", "6", "5/", "1,", "a", "-1", "1//,", "/////0", "//////", "1 2", "+1", "1,1/2")
HINTED = ("#####/#####/#####/#####/##### 8", "01####/01####/12####/######/###### 6")  # a guess, a safe cell
CROWDED = ",".join(map(str, range(1, 17)))


def test_the_vectors_are_what_the_library_says() -> None:
    vectors = make_vectors()
    if os.environ.get("SAPPER_REWRITE"):
        VECTORS.write_text(write(vectors), encoding="utf-8")
    assert json.loads(VECTORS.read_text(encoding="utf-8")) == vectors


def write(vectors: dict[str, list[Any]]) -> str:
    """JSON with a line for each vector."""
    groups = [f'"{name}": [\n' + ",\n".join(map(json.dumps, found)) + "\n]" for name, found in vectors.items()]
    return "{\n" + ",\n".join(groups) + "\n}\n"


def make_vectors() -> dict[str, list[Any]]:
    return {
        "percent": [
            [p, certain, places, percent(p, certain, places)]
            for p in CHANCES
            for places in (0, 1)
            for certain in ([False, True] if p in (0.0, 1.0) else [False])
        ],
        "rules": [describe_rules(text) for text in RULES],
        "presets": list(PRESETS),
        "channels": [str(Rules.parse(f"9x9/10 {channel}").channel) for channel in CHANNELS],
        "positions": [describe_position(text) for text in POSITIONS],
        "neighbours": list(map(describe_board, make_boards())),
        "tables": [[table, n_cells, is_table(table, n_cells)] for table, n_cells in make_tables()],
        "hints": [positions.hint(text, False) for text in HINTED],
    }


def describe_rules(text: str) -> dict[str, object]:
    """Rules as the library reads them, by the names of the page's form."""
    rules = Rules.parse(text)
    fields = {
        "rows": rules.rows, "cols": rules.cols, "mines": rules.mines,
        "shape": rules.shape if rules.own is None else write_neighbourhood(rules.own),
        "first": rules.first_click, "survey": rules.opened_mine == "explodes", "totalHidden": not rules.total_known,
        "cascade": rules.cascade, "channel": str(rules.channel), "dealing": rules.dealing,
    }  # fmt: skip
    return {"text": text, "canonical": str(rules), "fields": fields}


def describe_position(text: str) -> dict[str, object]:
    observation = Observation.parse(text)
    return {"text": str(observation), "cells": observation.cells.ravel().tolist(), "total": observation.total}


def make_boards() -> list[tuple[str, Topology]]:
    """Boards of every shape, and random ones by their tables, written as the library does and every pair twice."""
    boards: list[tuple[str, Topology]] = [
        (shape, topology(shape, *size)) for shape in SHAPES for size in ((1, 1), (2, 3), (5, 6))
    ]
    rng = np.random.default_rng(21)
    for rows, cols, share in ((1, 1, 1.0), (1, 6, 0.5), (4, 5, 0.1), (4, 5, 0.9), (5, 7, 0.2)):
        board = random_board(rows, cols, share, rng)
        around = [board.neighbours_of(cell) for cell in range(board.n_cells)]
        both_ways = "own:" + "/".join(",".join(str(other) for other in rng.permutation(found)) for found in around)
        assert read_neighbourhood(both_ways, rows, cols) == board
        boards += [(write_neighbourhood(board), board), (both_ways, board)]
    return boards


def describe_board(given: tuple[str, Topology]) -> dict[str, object]:
    word, board = given
    around = [list(board.neighbours_of(cell)) for cell in range(board.n_cells)]
    return {"shape": word, "rows": board.rows, "cols": board.cols, "around": around}


def make_tables() -> list[tuple[str, int]]:
    rng = np.random.default_rng(22)
    # Mostly wrong: any numbers, in any places.
    drawn = ["/".join(",".join(map(str, rng.integers(0, 7, rng.integers(0, 3)))) for _ in range(6)) for _ in range(80)]
    return [*((table, 6) for table in (*TABLES, *drawn)), (CROWDED, 20), (CROWDED[:-3], 20)]


def is_table(table: str, n_cells: int) -> bool:
    """Whether the library makes a board of it."""
    try:
        return read_neighbourhood(f"own:{table}", 1, n_cells).n_cells == n_cells
    except InputError:
        return False
