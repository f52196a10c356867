"""Fair boards: what a move takes, how games go, and how many unforced guesses an example shows up. One core.

- ``moves``: a player who opens what is safe, at random, and guesses where nothing is. What an opening takes; and on the
  way, what it takes to judge a guess that nobody has to make, and how many of them random layouts show up: those in
  which opening only what is safe settles the cell.
- ``games``: the same player, by the hundred thousand: forced guesses, and games lost. Now and then it guesses although
  something is safe, where that is forced.

Times are of the processor, in milliseconds, with the longest pause of the clock beside them.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from sapper.inference.forcing.judgement import BUDGET, judge
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.kernels.codes import SAFE, UNKNOWN
from sapper.layout import Layout
from sapper.play.fair.game import DealtGame
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

BOARDS = {"9x9/10": 400, "16x16/40": 200, "16x30/99": 120, "16x30/99 torus": 40, "30x30/200": 20, "100x100/2500": 1}
MANY = {"9x9/10": 60_000, "6x6/9": 30_000, "9x9/20 hex": 5_000, "16x16/40": 4_000, "16x30/99": 1_000}
OUTPUT = Path(__file__).parent / "results" / "fair.json"
N_EXAMPLES = 32
SHARE_JUDGED = 0.2  # of the positions in which something is safe


def settles(posterior: Posterior, cell: int, mines: np.ndarray[Any, np.dtype[np.bool_]]) -> bool:
    """Whether opening only what is safe settles a cell, were these the mines."""
    position, board = posterior.observation, posterior.observation.topology
    game = Game(Rules(board.rows, board.cols, int(mines.sum()), shape=board.shape), layout=Layout(board, mines))
    for opened in np.flatnonzero(position.cells.ravel() >= 0).tolist():
        if game.observation.closed.flat[opened]:
            game.open(*board.cell(opened))
    while True:
        verdicts = mine_probabilities(game.observation, budget=BUDGET).verdicts.ravel()
        safe = np.flatnonzero(verdicts == SAFE).tolist()
        if verdicts[cell] != UNKNOWN or not safe:
            return bool(verdicts[cell] != UNKNOWN)
        for one in safe:
            if game.observation.closed.flat[one]:
                game.open(*board.cell(one))


def has_example(posterior: Posterior, cell: int, rng: np.random.Generator) -> bool:
    """Whether one of some random layouts that fit shows that safe openings may settle a cell."""
    return any(settles(posterior, cell, mines) for mines in posterior.sample(N_EXAMPLES, rng))


class Player:
    """Opens what is safe, at random, and guesses at random where nothing is."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.game = DealtGame(rules, seed)
        self.rng = np.random.default_rng(seed)
        self.moves: list[tuple[float, float, bool]] = []  # seconds of the processor, of the clock; whether a guess
        self.judged: list[tuple[float, str]] = []
        self.examples: Counter[bool] = Counter()

    def play(self, judges: bool = False, is_hasty: bool = False) -> None:
        """Play to the end; who is hasty also makes forced guesses while something is safe."""
        game = self.game
        board = game.rules.topology
        self._open(int(self.rng.integers(board.n_cells)))
        while game.outcome is Outcome.PLAYING:
            posterior = mine_probabilities(game.observation, budget=BUDGET)
            verdicts = posterior.verdicts.ravel()
            safe = np.flatnonzero(verdicts == SAFE)
            if judges and len(safe) and self.rng.random() < SHARE_JUDGED:
                self._judge(posterior)
            if is_hasty and len(safe) and self.rng.random() < SHARE_JUDGED and (verdicts == UNKNOWN).any():
                cell = int(self.rng.choice(np.flatnonzero(verdicts == UNKNOWN)))
                if judge(posterior, cell).is_forced:
                    self._open(cell)
            for cell in self.rng.permutation(safe).tolist() or [self.rng.choice(np.flatnonzero(verdicts == UNKNOWN))]:
                if game.outcome is Outcome.PLAYING and game.observation.closed.flat[cell]:
                    self._open(int(cell))

    def _open(self, cell: int) -> None:
        n_guesses = len(self.game.guesses)
        clock, processor = time.perf_counter(), time.thread_time()
        self.game.open(*self.game.rules.topology.cell(cell))
        taken = time.thread_time() - processor, time.perf_counter() - clock
        self.moves.append((*taken, len(self.game.guesses) > n_guesses))

    def _judge(self, posterior: Posterior) -> None:
        unsure = np.flatnonzero(posterior.verdicts.ravel() == UNKNOWN)
        if not len(unsure):
            return
        cell = int(self.rng.choice(unsure))
        processor = time.thread_time()
        verdict = judge(posterior, cell).verdict
        self.judged.append((time.thread_time() - processor, verdict))
        if verdict == "unforced" and posterior.observation.topology.n_cells <= 1000:
            self.examples[has_example(posterior, cell, self.rng)] += 1


def spread(seconds: list[float]) -> dict[str, float]:
    """Quantiles, in milliseconds."""
    names = {"median": 0.5, "p99": 0.99, "longest": 1.0}
    return {name: round(1000 * float(np.quantile(seconds, q)), 3) for name, q in names.items()} if seconds else {}


def measure_moves(board: str, n_games: int) -> dict[str, Any]:
    """What a move takes on a board."""
    rules = Rules.parse(f"{board} fair")
    moves: list[tuple[float, float, bool]] = []
    judged: list[tuple[float, str]] = []
    examples: Counter[bool] = Counter()
    for seed in range(n_games):
        # With the garbage collector on, a move in 25,000 took 12 to 19 ms: probably what is noted here, not the game.
        gc.collect()
        gc.disable()
        player = Player(rules, seed)
        player.play(judges=True)
        gc.enable()
        moves += player.moves
        judged += player.judged
        examples += player.examples
    return {
        "rules": str(rules),
        "games": n_games,
        "moves": len(moves),
        "ms_of_all": spread([one for one, _, _ in moves]),
        "ms_of_guesses": spread([one for one, _, is_guess in moves if is_guess]),
        "longest_by_the_clock": round(1000 * max(one for _, one, _ in moves), 3),
        "ms_of_judging": spread([one for one, _ in judged]),
        "judged": dict(Counter(verdict for _, verdict in judged)),
        "unforced_with_example": examples[True],
        "unforced_without": examples[False],
    }


def count_games(board: str, n_games: int) -> dict[str, Any]:
    """How games go on a board."""
    rules = Rules.parse(f"{board} fair first-any")
    outcomes: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    n_lost = 0
    for seed in range(n_games):
        player = Player(rules, seed)
        player.play(is_hasty=True)
        outcomes[player.game.outcome.value] += 1
        verdicts.update(guess.judgement.verdict for guess in player.game.guesses)
        n_lost += sum(not guess.survived for guess in player.game.guesses)
    return {
        "rules": str(rules),
        "games": n_games,
        "outcomes": dict(outcomes),
        "guesses": dict(verdicts),
        "guesses_lost": n_lost,
    }


def main() -> None:
    """Print the figures and keep them as JSON; a part that is not run again keeps its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["moves", "games", "all"], nargs="?", default="all")
    parser.add_argument("--share", type=float, default=1.0, help="of the games of each board")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    asked = parser.parse_args()
    found = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.exists() else {}
    found["machine"] = f"{platform.machine()}, Python {platform.python_version()}, one core, seeds from 0"
    for part, boards, work in (("moves", BOARDS, measure_moves), ("games", MANY, count_games)):
        if asked.part in (part, "all"):
            found[part] = []
            for board, n_games in boards.items():
                found[part].append(work(board, max(1, round(asked.share * n_games))))
                print(json.dumps(found[part][-1]), flush=True)
    asked.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
