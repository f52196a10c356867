"""Steps per second of the environments: the compiled vector, single ones in a SyncVectorEnv, and jumanji's Minesweeper.

All environments but one get random valid actions, chosen outside the timing, on boards of the same size with as many
mines; new games start automatically. Only moves count, not the steps in which a next-step vector starts a game. They
take turns, so that a slow phase of the machine affects all of them. Figures are over all rounds, in CPU time and in
elapsed time, because jumanji may use several cores. Its games differ: it has neither safe first cells nor cascades, so
a step opens one cell and never places mines.

    python -m benchmarks.env --write

jumanji is not one of Sapper's extras (pip install jumanji); without it, its line is left out.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Protocol

import gymnasium
import numpy as np
from benchmarks.results import parse_arguments, save

import sapper.env
from sapper.kernels import choose_allowed
from sapper.rules import Rules

SEED = 7
GOAL = 1_000_000


class Contender(Protocol):
    """Steps environments."""

    def step(self) -> tuple[int, int, float, float]:
        """Take a step in every environment; return moves, finished games, CPU seconds and elapsed seconds."""
        ...


class Vector:
    """A Gymnasium vector environment with a random player, or one that opens the safest cells and so gets far."""

    def __init__(self, envs: gymnasium.vector.VectorEnv[Any, Any, Any], is_careful: bool = False) -> None:
        self.envs, self._is_careful = envs, is_careful
        _, self.infos = envs.reset(seed=SEED)
        self._rng = np.random.default_rng(SEED)

    def step(self) -> tuple[int, int, float, float]:
        """Take a step in every environment."""
        masks = self.infos["action_mask"]
        actions = np.empty(len(masks), dtype=np.int64)
        if self._is_careful:
            actions[:] = np.nan_to_num(self.infos["p_mine"].reshape(masks.shape), nan=2.0).argmin(axis=1)
        else:
            choose_allowed(masks, self._rng.integers(0, 2**32, len(masks), dtype=np.uint64), actions)
        n_moves = int(masks.any(axis=1).sum())
        cpu, wall = time.process_time(), time.perf_counter()
        _, _, terminated, _, self.infos = self.envs.step(actions)
        return n_moves, int(terminated.sum()), time.process_time() - cpu, time.perf_counter() - wall


class Jumanji:
    """Jumanji's environment, compiled for all boards at once, with a random player.

    Without new games finished boards are stepped on and on, which costs what any step costs.
    """

    def __init__(self, rules: Rules, n_envs: int, begins_anew: bool) -> None:
        import jax
        from jumanji.environments.logic.minesweeper.env import Minesweeper
        from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator
        from jumanji.wrappers import VmapAutoResetWrapper, VmapWrapper

        env = Minesweeper(generator=UniformSamplingGenerator(rules.rows, rules.cols, rules.mines))
        wrapped = VmapAutoResetWrapper(env) if begins_anew else VmapWrapper(env)
        self._jax, self._cols, self._begins_anew = jax, rules.cols, begins_anew
        self._step = jax.jit(wrapped.step)
        self._key = jax.random.PRNGKey(SEED)
        self._state, self._seen = jax.jit(wrapped.reset)(jax.random.split(self._key, n_envs))
        self._choose = jax.jit(self._choose_cells)

    def _choose_cells(self, key: Any, masks: Any) -> Any:
        numpy = self._jax.numpy
        scores = self._jax.random.uniform(key, masks.shape) * masks
        return numpy.stack(numpy.divmod(scores.reshape(len(masks), -1).argmax(axis=1), self._cols), axis=1)

    def step(self) -> tuple[int, int, float, float]:
        """Take a step in every environment."""
        self._key, key = self._jax.random.split(self._key)
        actions = self._choose(key, self._seen.observation.action_mask)
        self._jax.block_until_ready(actions)
        cpu, wall = time.process_time(), time.perf_counter()
        self._state, self._seen = self._step(self._state, actions)
        self._jax.block_until_ready((self._state, self._seen))
        passed = time.process_time() - cpu, time.perf_counter() - wall
        # A finished board that is stepped again reports its end at every step.
        return len(actions), int(self._seen.last().sum()) if self._begins_anew else 0, *passed


def contenders(rules: Rules, n_envs: int) -> dict[str, tuple[Contender, int]]:
    """Return all environments by name, with the steps per round."""

    def vector(mode: str, is_careful: bool = False, **others: Any) -> Vector:
        return Vector(sapper.env.MinesweeperVectorEnv(n_envs, rules, autoreset_mode=mode, **others), is_careful)

    def single() -> gymnasium.Env[Any, Any]:
        return sapper.env.MinesweeperEnv(rules)

    found: dict[str, tuple[Contender, int]] = {
        "compiled, same-step": (vector("SameStep"), 100),
        "compiled, next-step": (vector("NextStep"), 100),
        "compiled, guesses judged": (vector("SameStep", rewards={"guess": -0.1}), 20),
        "compiled, p_mine": (vector("SameStep", info=("p_mine",)), 20),
        "compiled, p_mine, safest cells": (vector("SameStep", is_careful=True, info=("p_mine",)), 20),
        "compiled, excess risk and p_mine": (vector("SameStep", info=("p_mine",), reward="excess-risk"), 20),
        "SyncVectorEnv": (Vector(gymnasium.vector.SyncVectorEnv([single] * n_envs)), 2),
    }
    try:
        found["jumanji"] = (Jumanji(rules, n_envs, begins_anew=True), 20)
        found["jumanji, no new games"] = (Jumanji(rules, n_envs, begins_anew=False), 20)
    except ImportError:
        print("jumanji is not installed: its line is left out")
    return found


def measure(rules: Rules, n_envs: int, n_rounds: int) -> list[dict[str, Any]]:
    """Run them in turns."""
    players = contenders(rules, n_envs)
    sums = {name: np.zeros(4) for name in players}
    rates: dict[str, list[float]] = {name: [] for name in players}  # moves a second, by round
    n_steps = dict.fromkeys(players, 0)
    for round_number in range(n_rounds + 1):
        for name, (player, steps_a_round) in players.items():
            counts = sum((np.array(player.step()) for _ in range(steps_a_round)), np.zeros(4))
            if round_number:  # the first round warms up
                sums[name] += counts
                rates[name].append(counts[0] / counts[3])
                n_steps[name] += steps_a_round
    rows = []
    for name, (n_moves, n_games, cpu, wall) in sums.items():
        rows.append(
            {
                "who": name,
                "rules": str(rules),
                "environments": n_envs,
                "steps": n_steps[name],
                "moves": int(n_moves),
                "games": int(n_games),
                "moves_per_game": round(n_moves / n_games, 2) if n_games else None,
                "moves_per_cpu_second": round(n_moves / cpu),
                "moves_per_second": round(n_moves / wall),
                "slowest_and_fastest_round": [round(min(rates[name])), round(max(rates[name]))],
                "microseconds_per_environment_and_step": round(1e6 * wall / n_steps[name] / n_envs, 3),
            }
        )
    return rows


def main() -> None:
    """Print the table and, on request, save it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", default="beginner,expert")
    parser.add_argument("--environments", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=10)
    settings = parse_arguments(parser)
    found: dict[str, Any] = {"goal_moves_per_second": GOAL, "rounds": settings.rounds, "results": []}
    for board in settings.boards.split(","):
        rows = measure(Rules.parse(board), settings.environments, settings.rounds)
        found["results"] += rows
        print(f"\n{board}, {settings.environments} environments")
        for row in rows:
            print(
                f"  {row['who']:<33} {row['moves_per_second']:12,} moves/s"
                f" [{row['slowest_and_fastest_round'][0]:,}, {row['slowest_and_fastest_round'][1]:,}]"
                f"  {row['moves_per_cpu_second']:12,} per CPU second"
                f"  {row['microseconds_per_environment_and_step']:9.3f} µs"
                f"  {row['moves_per_game'] or '-':>5} moves a game"
            )
    if settings.write:
        save("env", found, seeds=str(SEED), of="kernels env")


if __name__ == "__main__":
    main()
