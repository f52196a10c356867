"""How many pictures are read without a fault: a table by program and cause, with the time each takes.

``python -m benchmarks.pictures`` draws pictures in the skins of `tests/support/skins.py`; ``--folder FOLDER`` reads
pictures of real programs whose positions `truth.jsonl` gives there, a JSON object per line with `file`, `program` and
`position`. What counts is every cell right; a wrong cell that is not marked as doubtful is a silent fault.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.results import ROOT, parse_arguments, save

sys.path.insert(0, str(ROOT / "tests" / "support"))

from skins import SKINS, Damage, choose_damage, draw_picture, play_position

import sapper
from sapper.pictures.image import PictureError

BOARDS = ((9, 9, 10), (16, 16, 40), (16, 30, 99), (8, 10, 10), (12, 14, 40), (6, 7, 8))
LEAST, MOST = 12.0, 80.0  # pixels of a cell


class Case(NamedTuple):
    """A picture, the program or skin it is of, and its position."""

    program: str
    data: bytes
    position: str


def drawn(n: int, seed: int) -> Iterator[Case]:
    """Draw pictures in every skin, at every scale."""
    for number in range(n):
        rng = np.random.default_rng([seed, number])
        name = list(SKINS)[number % len(SKINS)]
        rows, cols, mines = BOARDS[int(rng.integers(len(BOARDS)))]
        pitch = float(np.exp(rng.uniform(np.log(LEAST), np.log(36.0 if cols == 30 else MOST))))
        damage = choose_damage(rng)
        if pitch * damage.scale < LEAST:
            damage = Damage()
        glyphs = play_position(rng, rows, cols, mines, share=float(rng.uniform(0.1, 0.95)))
        picture = draw_picture(glyphs, SKINS[name], pitch, rng, damage)
        yield Case(name, picture.data(), picture.position)


def given(folder: Path) -> Iterator[Case]:
    """Read pictures whose positions are known."""
    for line in (folder / "truth.jsonl").read_text().splitlines():
        entry = json.loads(line)
        yield Case(entry["program"], (folder / entry["file"]).read_bytes(), entry["position"])


def judge(case: Case) -> str:
    """Return what came of a picture."""
    try:
        found = sapper.read_picture(case.data)
    except PictureError:
        return "refused"
    truth = sapper.Observation.parse(case.position)
    if truth.cells.shape != found.position.cells.shape:
        return "another grid" if found.doubts else "another grid, silent"
    wrong = {(int(row), int(col)) for row, col in np.argwhere(truth.cells != found.position.cells)}
    if not wrong:
        return "right"
    return "wrong, doubtful" if wrong <= set(found.doubts) else "wrong, silent"


def main() -> None:
    """Print and save the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--pictures", type=int, default=140)
    parser.add_argument("--seed", type=int, default=0)
    options = parse_arguments(parser)
    table: dict[str, Counter[str]] = defaultdict(Counter)
    seconds = []
    for case in given(options.folder) if options.folder else drawn(options.pictures, options.seed):
        start = time.process_time()
        table[case.program][judge(case)] += 1
        seconds.append(time.process_time() - start)
    rows = []
    for program, outcomes in sorted(table.items()):
        others = {what: n for what, n in sorted(outcomes.items()) if what != "right"}
        rows.append({"program": program, "pictures": outcomes.total(), "right": outcomes["right"], "others": others})
    found = {
        "pictures": len(seconds),
        "right": sum(outcomes["right"] for outcomes in table.values()),
        "silent": sum(n for outcomes in table.values() for what, n in outcomes.items() if "silent" in what),
        "median_s": round(float(np.median(seconds)), 2),
        "slowest_s": round(max(seconds), 2),
        "rows": rows,
    }
    print(json.dumps(found, indent=1))
    if options.write:
        name = "pictures_given" if options.folder else "pictures"
        save(name, found, seeds="" if options.folder else str(options.seed), of="pictures")


if __name__ == "__main__":
    main()
