"""Train a small player from nothing but its own games, in a few minutes, with NumPy alone.

The player looks at the 7 x 7 cells around a hidden cell and guesses how likely a mine lies under it: a network with one
layer of 96 units. It opens the cell that it thinks safest, now and then another one to learn; whether that was a mine
is all that it learns from. Nothing of Sapper's reasoning goes in: the environment gives observations, masks and ends.

    python examples/train_agent.py --figure learning.svg

prints how the player gets on, and in the end a table: random, trained, basic and exact on the same boards.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapper.channel import EXACT
from sapper.env import AgentPolicy, MinesweeperVectorEnv, play_games
from sapper.errors import SapperError
from sapper.experiments.plots import Curve, draw_lines, save
from sapper.observation import HIDDEN
from sapper.rules import Rules
from sapper.statistics import Interval, wilson

Floats = NDArray[np.float32]
Codes = NDArray[np.uint8]

RADIUS = 3  # cells to every side that the player sees around a cell
SIDE = 2 * RADIUS + 1
N_AROUND = SIDE * SIDE - 1
N_CODES = 11  # a clue from 0 to 8, hidden, outside the board
HIDDEN_CODE, OUTSIDE_CODE = 9, 10
N_UNITS = 96


class Patches:
    """What lies around the cells of a square board."""

    def __init__(self, rules: Rules) -> None:
        self.rows, self.cols = rules.rows, rules.cols
        steps = [(dr, dc) for dr in range(-RADIUS, RADIUS + 1) for dc in range(-RADIUS, RADIUS + 1) if dr or dc]
        row, col = np.divmod(np.arange(rules.n_cells), rules.cols)
        width = rules.cols + 2 * RADIUS
        around = [(row + dr + RADIUS) * width + col + dc + RADIUS for dr, dc in steps]
        self._around = np.stack(around, axis=1)  # (n_cells, N_AROUND) places on the board with its margin

    def cut(self, observations: NDArray[np.int8], games: NDArray[np.int64], cells: NDArray[np.int64]) -> Codes:
        """Return the codes around these cells of these games: (n, N_AROUND)."""
        margin = ((0, 0), (RADIUS, RADIUS), (RADIUS, RADIUS))
        codes = np.where(observations == HIDDEN, HIDDEN_CODE, observations).astype(np.uint8)
        padded = np.pad(codes, margin, constant_values=OUTSIDE_CODE).reshape(len(codes), -1)
        found: Codes = padded[games[:, None], self._around[cells]]
        return found


class Network:
    """The chance of a mine from what lies around a cell: one hidden layer, trained by Adam on the log loss."""

    def __init__(self, rng: np.random.Generator) -> None:
        n_inputs = N_AROUND * N_CODES
        self.weights: list[Floats] = [
            rng.normal(0, np.sqrt(2 / N_AROUND), (n_inputs, N_UNITS)).astype(np.float32),
            np.zeros(N_UNITS, dtype=np.float32),
            rng.normal(0, np.sqrt(1 / N_UNITS), (N_UNITS, 1)).astype(np.float32),
            np.zeros(1, dtype=np.float32),
        ]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._n_updates = 0

    def logits(self, patches: Codes) -> Floats:
        """The log odds of a mine: (n,)."""
        found: Floats = self._forward(patches)[2]
        return found

    def learn(self, patches: Codes, mines: NDArray[np.bool_], rate: float) -> None:
        """Take one step downhill."""
        inputs, units, logits = self._forward(patches)
        slope = ((1 / (1 + np.exp(-logits)) - mines) / len(mines)).astype(np.float32)[:, None]
        back = (slope @ self.weights[2].T) * (units > 0)
        slopes = [inputs.T @ back, back.sum(axis=0), units.T @ slope, slope.sum(axis=0)]
        self._n_updates += 1
        size = rate * np.sqrt(1 - 0.999**self._n_updates) / (1 - 0.9**self._n_updates)
        for weight, mean, square, change in zip(self.weights, self._means, self._squares, slopes, strict=True):
            mean += 0.1 * (change - mean)
            square += 0.001 * (change**2 - square)
            weight -= (size * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def _forward(self, patches: Codes) -> tuple[Floats, Floats, Floats]:
        inputs = np.zeros((len(patches), N_AROUND * N_CODES), dtype=np.float32)
        np.put_along_axis(inputs, patches + N_CODES * np.arange(N_AROUND), 1.0, axis=1)
        units = np.maximum(inputs @ self.weights[0] + self.weights[1], 0)
        return inputs, units, (units @ self.weights[2] + self.weights[3])[:, 0]


class Player:
    """Opens the cell that its network thinks safest; a policy for `play_games`."""

    def __init__(self, rules: Rules, rng: np.random.Generator) -> None:
        self.patches, self.network, self._rng = Patches(rules), Network(rng), rng
        self.p_explore = 0.0
        self.seen = np.zeros((0, N_AROUND), dtype=np.uint8)  # around the cells chosen last

    def __call__(self, observations: NDArray[np.int8], infos: dict[str, Any]) -> NDArray[np.int64]:
        """Choose a cell in every game; 0 where a game is over."""
        masks = infos["action_mask"].astype(np.bool_)
        games, cells = np.nonzero(self._worth_a_look(observations, masks))
        patches = self.patches.cut(observations, games, cells)
        risk = self.network.logits(patches)
        risk[(self._rng.random(len(masks)) < self.p_explore)[games]] = 0  # equal risks: any of these cells
        # By game, then by risk, then by chance: the first of every game is its choice.
        order = np.lexsort((self._rng.random(len(risk)), risk, games))
        playing = np.flatnonzero(masks.any(axis=1))
        chosen = order[np.searchsorted(games[order], playing)]
        actions = np.zeros(len(masks), dtype=np.int64)
        actions[playing] = cells[chosen]
        self.seen = np.zeros((len(masks), N_AROUND), dtype=np.uint8)
        self.seen[playing] = patches[chosen]
        return actions

    def _worth_a_look(self, observations: NDArray[np.int8], masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Hidden cells beside an open one, and of the others, which look much the same, two."""
        is_open = np.pad(observations >= 0, ((0, 0), (1, 1), (1, 1)))
        rows, cols = self.patches.rows, self.patches.cols
        near = np.zeros(observations.shape, dtype=np.bool_)
        for dr in range(3):
            for dc in range(3):
                near |= is_open[:, dr : dr + rows, dc : dc + cols]
        beside = near.reshape(len(masks), -1)
        far = masks & ~beside
        chosen = masks & beside
        everyone = np.arange(len(masks))
        for _ in range(2):
            pick = (self._rng.random(far.shape, dtype=np.float32) * far).argmax(axis=1)
            chosen[everyone, pick] |= far[everyone, pick]
        return chosen


class Memory:
    """The last cells that were opened: what lay around them, and whether they were mines."""

    def __init__(self, size: int) -> None:
        self._patches = np.zeros((size, N_AROUND), dtype=np.uint8)
        self._mines = np.zeros(size, dtype=np.bool_)
        self._n = 0
        self._turns = _turns()

    def add(self, patches: Codes, mines: NDArray[np.bool_]) -> None:
        """Store these, dropping the oldest if there is no room."""
        places = (self._n + np.arange(len(mines))) % len(self._mines)
        self._patches[places], self._mines[places] = patches, mines
        self._n += len(mines)

    def draw(self, rng: np.random.Generator, n: int) -> tuple[Codes, NDArray[np.bool_]]:
        """Return some of them, by chance, each turned or mirrored: risk does not care which way up the board is."""
        places = rng.integers(0, min(self._n, len(self._mines)), n)
        turned = self._patches[places[:, None], self._turns[rng.integers(0, 8, n)]]
        return turned, self._mines[places]


def _turns() -> NDArray[np.int64]:
    """The places of a patch in the order in which they lie after each of the eight symmetries of a square."""
    centre = SIDE * SIDE // 2
    numbers = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    boards = [np.rot90(board, k).ravel() for board in (numbers, numbers.T) for k in range(4)]
    orders = np.array([board[board != centre] for board in boards])
    return orders - (orders > centre)  # the centre itself is not part of a patch


class Point(NamedTuple):
    """A point of the learning curve."""

    n_moves: int
    won: Interval


def train(rules: Rules, n_steps: int, n_envs: int, n_games: int, seed: int) -> tuple[Player, list[Point]]:
    """Let a new player play and learn; return it with its learning curve."""
    rng = np.random.default_rng(seed)
    player, memory = Player(rules, rng), Memory(500_000)
    envs = MinesweeperVectorEnv(n_envs, rules, autoreset_mode="SameStep")
    observations, infos = envs.reset(seed=seed)
    curve = [measure(player, rules, n_games, 0)]
    n_moves, began = 0, time.perf_counter()
    for step in range(1, n_steps + 1):
        player.p_explore = 0.03
        actions = player(observations, infos)
        # The first cell is safe by the rules: nothing can be learned from it.
        tells = (observations >= 0).any(axis=(1, 2))
        observations, rewards, _, _, infos = envs.step(actions)
        memory.add(player.seen[tells], rewards[tells] < 0)
        n_moves += n_envs
        if step > 10:
            for _ in range(2):
                patches, mines = memory.draw(rng, 1024)
                player.network.learn(patches, mines, rate=0.003 * (1 - 0.95 * step / n_steps))
        if step % max(1, n_steps // 12) == 0:
            curve.append(measure(player, rules, n_games, n_moves))
            passed = time.perf_counter() - began
            print(f"{passed:5.0f} s  {n_moves:9,} moves  {_write(curve[-1].won)}", flush=True)
    return player, curve


def measure(player: Player, rules: Rules, n_games: int, n_moves: int) -> Point:
    """Play the boards of the learning curve, which are none of those that the table is about, without exploring."""
    player.p_explore = 0.0
    results = play_games(player, rules, range(10**6, 10**6 + n_games))
    return Point(n_moves, wilson(int(results.sum()), n_games))


def compare(player: Player, rules: Rules, n_games: int) -> list[tuple[str, Interval]]:
    """Let everybody play the same boards."""
    player.p_explore = 0.0
    policies: dict[str, Any] = {"random": AgentPolicy("random", rules), "trained": player}
    policies |= {name: AgentPolicy(name, rules) for name in ("basic", "exact")}
    return [
        (name, wilson(int(play_games(policy, rules, range(n_games)).sum()), n_games))
        for name, policy in policies.items()
    ]


def _read_rules(text: str) -> Rules:
    try:
        rules = Rules.parse(text)
    except SapperError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if rules.shape != "square" or rules.opened_mine != "ends" or rules.channel != EXACT:
        raise argparse.ArgumentTypeError(f"This player learns classic games with exact clues on squares, not {rules}.")
    return rules


def _write(won: Interval) -> str:
    return f"{won.value:6.1%} won [{won.low:.1%}, {won.high:.1%}]"


def main(arguments: Sequence[str] | None = None) -> list[tuple[str, Interval]]:
    """Train, draw the curve if asked, print the table and return it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=_read_rules, default="beginner", help="classic rules on squares")
    parser.add_argument("--steps", type=int, default=6_000, help="moves in every environment")
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--games", type=int, default=2000, help="games of each line of the table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--figure", help="write the learning curve here, .svg or .png")
    settings = parser.parse_args(arguments)
    rules = settings.rules
    player, curve = train(rules, settings.steps, settings.envs, max(1, settings.games // 4), settings.seed)
    table = compare(player, rules, settings.games)
    print(f"\n{rules}, seeds 0 to {settings.games - 1}")
    for name, won in table:
        print(f"  {name:<8} {_write(won)}")
    if settings.figure:
        places = [point.n_moves / 1e6 for point in curve]
        lines = [Curve("trained", places, [point.won for point in curve])]
        lines += [Curve(name, [places[0], places[-1]], [won, won]) for name, won in table if name != "trained"]
        title = f"What {SIDE} x {SIDE} cells tell, learned from play on {rules}"
        save(draw_lines(lines, "million moves", "games won", title), settings.figure)
    return table


if __name__ == "__main__":
    main()
