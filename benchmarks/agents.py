"""Games per second of every agent on 16x16 with 40 mines, classic and survey, and how cost grows with the board.

One core, CPU time. The agents take turns on the same seeds, so that a slow phase of the machine affects all of them.
`exact` plays both step by step in Python and whole games in compiled code.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from benchmarks.results import parse_arguments, save

from sapper.agents.registry import AGENTS, make_agent
from sapper.play.compiled import CompiledPlayer
from sapper.play.match import play_match
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

GOALS = {"basic": 300, "statements": 300, "infer": 300, "one-two": 300, "exact, compiled": 1500}
COMPILED = {"exact, compiled": "exact", "expert, compiled": "expert"}
SIZES = (8, 16, 32, 64)
# These look ahead for every cell, so they play fewer games.
SLOW = ("min-risk", "most-information")


class Tally:
    """The results of one agent on one board."""

    def __init__(self, name: str, rules: Rules) -> None:
        self.name, self.rules = name, rules
        self.n_games, self.n_won, self.score, self.seconds = 0, 0, 0.0, 0.0
        self._player = CompiledPlayer(rules, COMPILED[name]) if name in COMPILED else None

    def play(self, seed: int) -> None:
        """Play one game and add its result."""
        began = time.process_time()
        if self._player is not None:
            won, score = self._player.play(seed).won, 0.0
        else:
            game = Game(self.rules, seed)
            play_match(game, make_agent(self.name, seed))
            won, score = game.outcome is Outcome.WON, game.score
        self.seconds += time.process_time() - began
        self.n_games += 1
        self.n_won += won
        self.score += score

    def summary(self) -> dict[str, Any]:
        """The figures."""
        return {
            "agent": self.name,
            "rules": str(self.rules),
            "games": self.n_games,
            "per_second": round(self.n_games / self.seconds, 1),
            "won": self.n_won / self.n_games,
            "score": self.score / self.n_games,
        }


def measure(text: str, n_games: int, names: list[str]) -> list[dict[str, Any]]:
    """Run the agents in turns of ten games."""
    rules = Rules.parse(text)
    tallies = [Tally(name, rules) for name in names]
    for tally in tallies:
        tally.play(10**6)  # warm-up, not counted
        tally.n_games, tally.n_won, tally.score, tally.seconds = 0, 0, 0.0, 0.0
    for start in range(0, n_games, 10):
        for tally in tallies:
            if tally.name not in SLOW or start < n_games // 10:
                for seed in range(start, start + 10):
                    tally.play(seed)
    return [tally.summary() for tally in tallies]


def main() -> None:
    """Print the tables and, on request, save them as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--growth-games", type=int, default=20)
    settings = parse_arguments(parser)
    found: dict[str, Any] = {}
    for kind in ("classic", "survey"):
        names = [*AGENTS, *COMPILED] if kind == "classic" else list(AGENTS)
        found[kind] = measure(f"16x16/40 {kind}", settings.games, names)
        print(f"\n16x16/40 {kind}, seeds 0 to {settings.games - 1}")
        for row in found[kind]:
            goal = GOALS.get(row["agent"]) if kind == "classic" else None
            result = f"{row['won']:6.1%} won" if kind == "classic" else f"score {row['score']:.3f}"
            print(
                f"  {row['agent']:<20} {row['per_second']:8,.0f} games/s  {result}" + (f"  goal {goal}" if goal else "")
            )
    found["growth"] = {}
    print("\nmicroseconds per cell and game, survey at 15.6% mines: " + ", ".join(f"{size}²" for size in SIZES))
    for name in [name for name in AGENTS if name not in SLOW]:
        costs = []
        for size in SIZES:
            mines = round(size * size * 40 / 256)
            row = measure(f"{size}x{size}/{mines} survey", settings.growth_games, [name])[0]
            costs.append(1e6 / row["per_second"] / size**2)
        found["growth"][name] = costs
        print(f"  {name:<20} " + "  ".join(f"{cost:8.1f}" for cost in costs))
    if settings.write:
        save("agents", found, seeds=f"0 to {settings.games - 1}")


if __name__ == "__main__":
    main()
