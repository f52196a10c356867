"""Fair boards: time per move, results of games, and how many unforced guesses an example refutes. One core.

- ``moves``: a player opens random safe cells, and guesses where there are none. Measured are the time of an opening,
  the time to judge an unforced guess, and how many of these random layouts refute: layouts in which opening only safe
  cells settles the cell.
- ``times``: the time of an opening and of judging, without looking for examples.
- ``games``: hundreds of thousands of games of the same player: forced guesses and lost games. It sometimes makes a
  forced guess although there are safe cells.
- ``guesses``: a player that sometimes guesses although there are safe cells, forced or not, under every setting: the
  share of guesses that survive, by verdict.

Times are CPU milliseconds. The same seed gives the same game, so every game is played three times and the minimum
counts for each move, since other programs disturb single times. The longest single time is given too, with the longest
pause of Python's garbage collector.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.results import parse_arguments, save

from sapper.inference.forced import BUDGET, judge
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.kernels.codes import SAFE, UNKNOWN
from sapper.layout import Layout
from sapper.play.dealt import DealtGame
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

BOARDS = {"9x9/10": 400, "16x16/40": 200, "16x30/99": 120, "16x30/99 torus": 40, "30x30/200": 20, "100x100/2500": 1}
MANY = {"9x9/10": 60_000, "6x6/9": 30_000, "9x9/20 hex": 5_000, "16x16/40": 4_000, "16x30/99": 1_000}
GUESSED = {
    "6x6/9": 5_000,
    "9x9/10": 24_000,
    "9x9/20 hex": 1_500,
    "16x16/40": 1_000,
    "16x30/99": 100,
    "9x9/10 torus": 1_600,
}
SETTINGS = ("fair", "kind", "cruel")
N_EXAMPLES = 32
MAX_CELLS_OF_EXAMPLES = 1000
N_PLAYS = 3  # of every game whose moves are timed
SHARE_JUDGED = 0.2  # of the positions in which something is safe


class Collector:
    """Records the garbage collector's CPU seconds."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self._began = 0.0
        gc.callbacks.append(self._note)

    def _note(self, phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.thread_time()
            return
        self.pauses.append(time.thread_time() - self._began)


COLLECTOR = Collector()


def settles(posterior: Posterior, cell: int, mines: np.ndarray[Any, np.dtype[np.bool_]]) -> bool:
    """Return whether opening only safe cells settles a cell in this layout."""
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
    """Return whether one of several random layouts shows that safe openings may settle a cell."""
    return any(settles(posterior, cell, mines) for mines in posterior.sample(N_EXAMPLES, rng))


class Player:
    """Opens random safe cells, and guesses at random where there are none."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.game = DealtGame(rules, seed)
        self.shows_examples = rules.n_cells <= MAX_CELLS_OF_EXAMPLES
        self.rng = np.random.default_rng(seed)
        self.rng_of_examples = np.random.default_rng([seed, N_EXAMPLES])
        self.moves: list[tuple[float, float, bool]] = []  # seconds of the processor, of the clock; whether a guess
        self.judged: list[tuple[float, str]] = []
        self.examples: Counter[bool] = Counter()

    def play_rashly(self) -> None:
        """Play to the end, sometimes guessing although there are safe cells."""
        game = self.game
        rashness = self.rng.random()  # anything from never to always, so that games end early and late
        self._open(int(self.rng.integers(game.rules.n_cells)))
        while game.outcome is Outcome.PLAYING:
            verdicts = mine_probabilities(game.observation, budget=BUDGET).verdicts.ravel()
            safe, unsure = np.flatnonzero(verdicts == SAFE), np.flatnonzero(verdicts == UNKNOWN)
            is_rash = len(unsure) and (not len(safe) or self.rng.random() < rashness)
            self._open(int(self.rng.choice(unsure if is_rash else safe)))

    def play(self, judges: bool = False, is_hasty: bool = False) -> None:
        """Play to the end; a hasty player also makes forced guesses while there are safe cells."""
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
        if self.shows_examples and verdict == "unforced":
            self.examples[has_example(posterior, cell, self.rng_of_examples)] += 1


def spread(seconds: list[float]) -> dict[str, float]:
    """Quantiles, in milliseconds."""
    names = {"median": 0.5, "p99": 0.99, "longest": 1.0}
    return {name: round(1000 * float(np.quantile(seconds, q)), 3) for name, q in names.items()} if seconds else {}


def measure_moves(board: str, n_games: int, with_examples: bool = True) -> dict[str, Any]:
    """Measure moves on a board."""
    rules = Rules.parse(f"{board} fair")
    moves: list[tuple[float, float, bool]] = []
    judged: list[tuple[float, str]] = []
    examples: Counter[bool] = Counter()
    longest = 0.0
    COLLECTOR.pauses.clear()
    for seed in range(n_games):
        players = [Player(rules, seed) for _ in range(N_PLAYS)]
        for player in players:
            player.shows_examples &= with_examples and player is players[0]
            player.play(judges=True)
        moves += [min(same) for same in zip(*(player.moves for player in players), strict=True)]
        judged += [min(same) for same in zip(*(player.judged for player in players), strict=True)]
        for player in players:
            longest = max(longest, *(one[0] for one in player.moves), *(one[0] for one in player.judged))
        examples += players[0].examples
    return {
        "rules": str(rules),
        "games": n_games,
        "moves": len(moves),
        "ms_of_all": spread([one for one, _, _ in moves]),
        "ms_of_guesses": spread([one for one, _, is_guess in moves if is_guess]),
        "longest_single_time": round(1000 * longest, 3),
        "ms_of_collections": spread(COLLECTOR.pauses),
        "ms_of_judging": spread([one for one, _ in judged]),
        "judged": dict(Counter(verdict for _, verdict in judged)),
        "unforced_with_example": examples[True],
        "unforced_without": examples[False],
    }


def measure_times(board: str, n_games: int) -> dict[str, Any]:
    """Measure only the times of moves on a board."""
    found = measure_moves(board, n_games, with_examples=False)
    return {name: value for name, value in found.items() if not name.startswith("unforced_")}


def count_games(board: str, n_games: int) -> dict[str, Any]:
    """Measure the results of games on a board."""
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


def count_guesses(board: str, n_games: int) -> dict[str, Any]:
    """Measure how guesses end on a board, by setting and verdict."""
    found: dict[str, Any] = {"rules": board}
    for setting in SETTINGS:
        # Where every guess survives, a game holds many of them.
        n_played = max(1, n_games // 10) if setting == "kind" else n_games
        made: Counter[str] = Counter()
        survived: Counter[str] = Counter()
        for seed in range(n_played):
            player = Player(Rules.parse(f"{board} {setting}"), seed)
            player.play_rashly()
            made.update(guess.judgement.verdict for guess in player.game.guesses)
            survived.update(guess.judgement.verdict for guess in player.game.guesses if guess.survived)
        tally = {verdict: {"guesses": made[verdict], "survived": survived[verdict]} for verdict in sorted(made)}
        found[setting] = {"games": n_played, **tally}
    return found


def main() -> None:
    """Print and save the figures of each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["moves", "times", "games", "guesses", "all"], nargs="?", default="all")
    parser.add_argument("--share", type=float, default=1.0, help="of the games of each board")
    asked = parse_arguments(parser)
    parts: dict[str, tuple[dict[str, int], Callable[[str, int], dict[str, Any]]]] = {
        "moves": (BOARDS, measure_moves),
        "times": (BOARDS, measure_times),
        "games": (MANY, count_games),
        "guesses": (GUESSED, count_guesses),
    }
    for part, (boards, work) in parts.items():
        if asked.part in (part, "all"):
            rows = []
            for board, n_games in boards.items():
                rows.append(work(board, max(1, round(asked.share * n_games))))
                print(json.dumps(rows[-1]), flush=True)
            if asked.write:
                save(f"fair_{part}", {"rows": rows}, seeds="from 0")


if __name__ == "__main__":
    main()
