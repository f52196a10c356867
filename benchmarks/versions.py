"""Compare two installed versions of Sapper: this one and one in another environment, in turns on one machine.

    python -m benchmarks.versions --other PATH/TO/OTHER/bin/python --name "the second edition"

Each measurement runs in a fresh process of either interpreter, several times in turns, and the best counts, since the
machine may be busy. All calls exist in both versions, if under other names.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time

from benchmarks.results import ROOT, parse_arguments, save

POSITIONS = ROOT / "tests" / "data" / "positions"

# Run in either version; the last printed line is the figure.
POSITIONS_CODE = """
import gzip, json, statistics, sys, time
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
with gzip.open(sys.argv[1] + "/{corpus}.jsonl.gz", "rt", encoding="utf-8") as lines:
    entries = [json.loads(line) for line in lines]
seen = [Observation.parse("/".join(entry["rows"]) + f" {{entry['mines']}}") for entry in entries]
times = [[] for _ in seen]
for turn in range({rounds}):
    for each, position in zip(times, seen):
        began = time.perf_counter()
        mine_probabilities(position)
        each.append(time.perf_counter() - began)
print(1e6 * statistics.median(min(each[1:]) for each in times))
"""
# The first call of a process, which takes the memory, too.
LATTICE_CODE = """
import gzip, json, sys, time
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
with gzip.open(sys.argv[1] + "/lattice.jsonl.gz", "rt", encoding="utf-8") as lines:
    entry = next(entry for entry in map(json.loads, lines) if entry["id"] == "lattice-{name}")
seen = Observation.parse("/".join(entry["rows"]) + f" {{entry['mines']}}")
began = time.process_time()
mine_probabilities(seen)
print(time.process_time() - began)
"""
CALL_CODE = """
import timeit
from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import Observation
seen = Observation.parse("{position}")
{before}
print(1e6 * min(timeit.repeat(lambda: {call}, number={calls}, repeat=30)) / {calls})
"""
GAMES_CODE = """
import time
try:
    from sapper.play.compiled import CompiledPlayer
except ImportError:  # as it was called until November 2026
    from sapper.play.matches.compiled import CompiledPlayer
from sapper.rules import Rules
player = CompiledPlayer(Rules.parse("{rules}"), "{agent}")
player.play(10**6)
began = time.process_time()
for seed in range({games}):
    player.play(seed)
print({games} / (time.process_time() - began))
"""
BOARDS_CODE = """
import time
try:
    from sapper.play.noguess.generate import NoGuessMaker
except ImportError:
    from sapper.play.boards.noguess import NoGuessMaker
from sapper.rules import Rules
maker = NoGuessMaker(Rules.parse("{rules}"), (0, 0))
maker.make(10**6)
began = time.process_time()
for seed in range({boards}):
    maker.make(seed)
print({boards} / (time.process_time() - began))
"""
STEPS_CODE = """
import time
import numpy as np
from sapper.env.vector import MinesweeperVectorEnv
env = MinesweeperVectorEnv(1024, rules="{rules}")
_, info = env.reset(seed=1)
rng = np.random.default_rng(1)
spent = 0.0
for turn in range(220):
    mask = np.asarray(info["action_mask"], dtype=np.float64)
    actions = (mask * rng.random(mask.shape)).argmax(axis=1)
    began = time.process_time()
    _, _, _, _, info = env.step(actions)
    spent += (time.process_time() - began) if turn >= 20 else 0.0
print(200 * 1024 / spent)
"""
START_CODE = """
import time
import sapper
sapper.mine_probabilities(sapper.Observation.parse("1##/### 2"))
"""
MEMORY_CODE = """
import resource
import sapper
game = sapper.Game(sapper.Rules.parse("expert"), seed=3)
game.open(8, 15)
sapper.mine_probabilities(game.observation)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

# Name, unit, code, whether more is better.
MEASUREMENTS = [
    (
        "smallest position, public call", "µs",
        CALL_CODE.format(position="1#", before="", call="mine_probabilities(seen)", calls=2000), False,
    ),
    (
        "p_clue of a cell, 3x3", "µs",
        CALL_CODE.format(
            position="1##/###/### 2", before="found = mine_probabilities(seen)",
            call="found.p_clue(2, 2)", calls=200,
        ), False,
    ),
    *(
        (f"{corpus} position, public call", "µs", POSITIONS_CODE.format(corpus=corpus, rounds=rounds), False)
        for corpus, rounds in (
            ("beginner", 15), ("intermediate", 15), ("expert", 15), ("expert_late", 15),
            ("snake", 9), ("large50", 9), ("huge100", 9),
        )
    ),
    *(
        (f"lattice {name}, first call", "CPU-s", LATTICE_CODE.format(name=name), False)
        for name in ("15-35", "17-50", "21-50", "25-35", "31-20")
    ),
    *(
        (f"{agent}, {rules} games", "per CPU-s", GAMES_CODE.format(rules=rules, agent=agent, games=games), True)
        for rules, agent, games in (
            ("beginner", "exact", 20_000), ("intermediate", "exact", 6000), ("expert", "exact", 3000),
            ("expert", "expert", 400), ("expert", "optimal", 200),
        )
    ),
    ("no-guess boards 16x30/99", "per CPU-s", BOARDS_CODE.format(rules="expert", boards=1000), True),
    ("no-guess boards 16x16/40", "per CPU-s", BOARDS_CODE.format(rules="intermediate", boards=2000), True),
    ("vector environment, beginner", "steps per CPU-s", STEPS_CODE.format(rules="beginner"), True),
    ("vector environment, expert", "steps per CPU-s", STEPS_CODE.format(rules="expert"), True),
    ("memory after an expert posterior", "MB", MEMORY_CODE, False),
]  # fmt: skip


def run(python: str, code: str) -> str:
    """Run code in another interpreter and return the last line that it prints."""
    done = subprocess.run([python, "-c", code, str(POSITIONS)], check=True, capture_output=True, text=True)
    return (done.stdout.splitlines() or [""])[-1]


def time_process(command: list[str]) -> float:
    """Seconds from the start of a process to its end."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


def main() -> None:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--other", required=True, help="the Python of the other environment")
    parser.add_argument("--name", default="before", help="what the other one is called in the table")
    parser.add_argument("--turns", type=int, default=3, help="how often each is measured")
    options = parse_arguments(parser)
    pythons = {"other": options.other, "this": sys.executable}
    rows: list[dict[str, object]] = []

    def report(name: str, unit: str, other: float, this: float, more_is_better: bool) -> None:
        gain = this / other if more_is_better else other / this
        rows.append({"what": name, "unit": unit, "other": other, "this": this, "gain": gain})
        print(f"{name:36} {unit:16} {other:12,.2f} {this:12,.2f} {gain:8.2f}x", flush=True)

    print(f"{'':36} {'':16} {'other':>12} {'this':>12} {'gain':>9}")
    for name, unit, code, more_is_better in MEASUREMENTS:
        found: dict[str, list[float]] = {which: [] for which in pythons}
        for _ in range(options.turns):
            for which, python in pythons.items():
                found[which].append(float(run(python, code)))
        best = {which: max(values) if more_is_better else min(values) for which, values in found.items()}
        report(name, unit, best["other"], best["this"], more_is_better)
    for name, command in (
        ("start to first posterior", ["-c", START_CODE]),
        ("sapper --help", ["-c", "from sapper.cli import main; main()", "--help"]),
    ):
        times = {which: [time_process([python, *command]) for _ in range(5)] for which, python in pythons.items()}
        report(name, "s", min(times["other"]), min(times["this"]), False)
    if options.write:
        save("versions", {"turns": options.turns, "other": options.name, "rows": rows})


if __name__ == "__main__":
    main()
