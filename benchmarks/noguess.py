"""No-guess boards: Sapper and ms_toollib's `laymine_solvable` (Rust), in turns in one run, one thread.

Both start with an opening at the same cell. Reported are CPU time per board (the median over rounds of their means) and
the ratio of these medians. A failed board counts with its time. With --check, the Python agent with the same reasoning
clears the boards of every level without guessing instead, and their certificates are made and verified.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from benchmarks.results import ROOT, parse_arguments, save

from sapper.errors import GaveUp
from sapper.play.noguess.certify import certify
from sapper.play.noguess.generate import REASONINGS, Method, NoGuessMaker, Reasoning
from sapper.play.noguess.verify import verify
from sapper.rules import Rules

sys.path.insert(0, str(ROOT / "tests" / "support"))

# Rules, first cell, boards per round for Sapper and for ms_toollib, and its maximum number of layouts.
BOARDS = (
    ("16x16/40 first-opening", (3, 3), 200, 50, 1_000_000),
    ("16x30/99 first-opening", (3, 3), 200, 50, 1_000_000),
    ("16x30/110 first-opening", (3, 3), 100, 10, 1_000_000),
    ("16x30/120 first-opening", (3, 3), 60, 2, 1_000_000),
    ("50x50/500 first-opening", (25, 25), 20, 4, 1_000_000),
    ("100x100/2000 first-opening", (50, 50), 6, 1, 200),
    ("100x100/2500 first-opening", (50, 50), 3, 1, 5_000),
)
# Beyond these, rejection is hopeless.
REJECTABLE = 3
CHECKED = (
    ("16x30/99 first-opening", (3, 3), 1.0),
    ("16x30/99", (0, 0), 0.2),
    ("16x30/120 first-opening", (3, 3), 0.2),
    ("12x20/50 torus first-opening", (3, 3), 0.2),
    ("12x20/60 hex first-opening", (3, 3), 0.2),
    ("12x20/36 knight first-opening", (3, 3), 0.2),
    ("12x20/60 orthogonal first-opening", (3, 3), 0.2),
    ("100x100/2000 first-opening", (50, 50), 0.005),
)


def time_rounds(make: Callable[[int], bool], n_boards: int, seeds: range) -> tuple[float, int]:
    """Return CPU milliseconds per board, and the number of failures."""
    n_failed = 0
    began = time.process_time()
    for seed in seeds[:n_boards]:
        n_failed += not make(seed)
    return 1000 * (time.process_time() - began) / n_boards, n_failed


def make_ours(rules: Rules, first: int, method: Method) -> Callable[[int], bool]:
    """Return a function that makes the board of a seed and returns whether it succeeded."""
    maker = NoGuessMaker(rules, rules.topology.cell(first), method=method)

    def make(seed: int) -> bool:
        try:
            maker.make(seed)
        except GaveUp:
            return False
        return True

    make(10**9)  # not counted: memory grows to the size that the board needs
    return make


def make_theirs(rules: Rules, first: tuple[int, int], most_tries: int) -> Callable[[int], bool]:
    """Return the same for ms_toollib, which has its own seeds."""
    import ms_toollib

    return lambda _: bool(ms_toollib.laymine_solvable(rules.rows, rules.cols, rules.mines, *first, most_tries)[1])


def measure_speed(n_rounds: int) -> list[dict[str, Any]]:
    """Measure all programs on every board."""
    found = []
    print(f"{'board':<28}{'repair ms':>11}{'reject ms':>11}{'ms_toollib ms':>15}{'ratio':>8}   given up")
    for number, (text, place, n_ours, n_theirs, most_tries) in enumerate(BOARDS):
        rules = Rules.parse(text)
        first = rules.topology.index(*place)
        players = {"repair": (make_ours(rules, first, "repair"), n_ours)}
        if number < REJECTABLE:
            players["reject"] = (make_ours(rules, first, "reject"), n_ours)
        players["ms_toollib"] = (make_theirs(rules, place, most_tries), n_theirs)
        times: dict[str, list[float]] = {name: [] for name in players}
        given_up: Counter[str] = Counter()
        for turn in range(n_rounds):
            for name, (make, n_boards) in players.items():
                spent, n_failed = time_rounds(make, n_boards, range(turn * n_ours, (turn + 1) * n_ours))
                times[name].append(spent)
                given_up[name] += n_failed
        medians = {name: statistics.median(some) for name, some in times.items()}
        ratio = medians["ms_toollib"] / medians["repair"]
        shown = "".join(f"{medians[name]:>11.2f}" if name in medians else f"{'-':>11}" for name in ("repair", "reject"))
        print(f"{text:<28}{shown}{medians['ms_toollib']:>15.2f}{ratio:>8.1f}   {dict(given_up)}", flush=True)
        found.append(
            {
                "rules": text, "first": place, "rounds": n_rounds, "seeds": [0, n_rounds * n_ours - 1],
                "boards_per_round": {name: n_boards for name, (_, n_boards) in players.items()},
                "ms_toollib_most_tries": most_tries, "ms_per_board": medians, "given_up": given_up, "ratio": ratio,
            }
        )  # fmt: skip
    return found


def check_boards(n_boards: int) -> list[dict[str, Any]]:
    """Clear boards with the agent of each level, without guesses; make and verify their certificates."""
    found = []
    for text, place, share in CHECKED:
        rules = Rules.parse(text)
        first = rules.topology.index(*place)
        for how in REASONINGS:
            found.append(_check(rules, first, how, max(2, round(share * n_boards))))
            print(json.dumps(found[-1]), flush=True)
    return found


def _check(rules: Rules, first: int, how: Reasoning, n_boards: int) -> dict[str, Any]:
    from restricted import play_without_guess

    maker = NoGuessMaker(rules, rules.topology.cell(first), reasoning=how)
    tally: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    scores, most_clues = [], 0
    seconds = dict.fromkeys(("certify", "verify"), 0.0)
    for seed in range(n_boards):
        try:
            made = maker.make(seed)
        except GaveUp:
            tally["given_up"] += 1
            continue
        tally["made"] += 1
        tally["won"] += play_without_guess(rules, made.layout, first, how)[0]
        began = time.process_time()
        certificate = certify(rules, made.layout, rules.topology.cell(first), how)
        certified = time.process_time()
        verify(certificate)
        tally["verified"] += 1
        seconds["certify"] += certified - began
        seconds["verify"] += time.process_time() - certified
        kinds.update(step.kind for step in certificate.steps)
        scores.append(certificate.score)
        most_clues = max(most_clues, *(len(step.clues) for step in certificate.steps))
    return {
        "rules": str(rules), "first": first, "reasoning": how, "seeds": [0, n_boards - 1], **tally,
        "ms_certify": round(1000 * seconds["certify"] / tally["made"], 2),
        "ms_verify": round(1000 * seconds["verify"] / tally["made"], 2),
        "steps": kinds, "most_clues": most_clues,
        "score": {"min": min(scores), "median": statistics.median(scores), "max": max(scores)},
    }  # fmt: skip


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--check", type=int, default=0, metavar="N", help="expert boards to be checked per reasoning")
    chosen = parse_arguments(parser)
    rows = check_boards(chosen.check) if chosen.check else measure_speed(chosen.rounds)
    if chosen.write:
        save("noguess_checked" if chosen.check else "noguess", {"rows": rows}, seeds="from 0")


if __name__ == "__main__":
    main()
