"""Policies for the environments: registered agents as baselines, and a function that plays whole games with any policy.

A policy maps the observations and infos of a vector environment to an action for each environment.

>>> results = play_games(AgentPolicy("exact", "4x5/4"), "4x5/4", seeds=range(40))
>>> results.shape, bool(results.mean() > 0.5)
((40,), True)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapper.agents.agent import Agent
from sapper.agents.registry import agent_entry, make_agent
from sapper.env.task import EnvironmentTask
from sapper.env.vector import MinesweeperVectorEnv
from sapper.errors import IllegalMove, InputError
from sapper.observation import FLAG, HIDDEN
from sapper.rules import Rules

Policy = Callable[[NDArray[np.int8], dict[str, Any]], NDArray[np.int64]]


class AgentPolicy:
    """A registered agent as a policy that sees only the observations.

    Every game gets its own agent, seeded with the game's seed, and equals
    ``play_match(Game(rules, seed), make_agent(name, seed))``.
    """

    def __init__(self, name: str, rules: Rules | str) -> None:
        self.name = agent_entry(name).name
        self.task = EnvironmentTask.of(rules, None, "error", None)
        self._players: dict[int, _Player] = {}

    def __call__(self, observations: NDArray[np.int8], infos: dict[str, Any]) -> NDArray[np.int64]:
        """Choose an action for every environment; 0 where a game is over."""
        actions = np.zeros(len(observations), dtype=np.int64)
        for which, cells in enumerate(observations):
            if infos["action_mask"][which].any():
                actions[which] = self._choose(which, cells, int(infos["game_seed"][which]))
        return actions

    def act(self, observation: NDArray[np.int8], info: dict[str, Any]) -> int:
        """Choose an action for a single environment."""
        return self._choose(0, observation, int(info["game_seed"])) if info["action_mask"].any() else 0

    def _choose(self, which: int, cells: NDArray[np.int8], seed: int) -> int:
        player = self._players.get(which)
        # A board without open cells is the start of a game, even if the same game is repeated.
        if player is None or player.seed != seed or bool((cells == HIDDEN).all()):
            player = self._players[which] = _Player(make_agent(self.name, seed), self.task, seed)
        return player.choose(cells)


class _Player:
    """An agent in one game, and the pending actions of its last decision: flags before the opening."""

    def __init__(self, agent: Agent, task: EnvironmentTask, seed: int) -> None:
        self.agent, self.task, self.seed = agent, task, seed
        self._waiting: deque[int] = deque()

    def choose(self, cells: NDArray[np.int8]) -> int:
        if not self._waiting:
            self._decide(cells)
        return self._waiting.popleft()

    def _decide(self, cells: NDArray[np.int8]) -> None:
        decision = self.agent.decide(self.task.observation(cells))
        board, flags_from = self.task.rules.topology, self.task.rules.n_cells
        flagged = cells.ravel() == FLAG
        if self.task.flags:
            for found in decision.deductions:
                if found.is_mine:
                    mine = board.index(*found.cell)
                    self._waiting.append(flags_from + mine)
                    flagged[mine] = not flagged[mine]
        if decision.cell is not None:
            cell = board.index(*decision.cell)
            if flagged[cell]:
                self._waiting.append(flags_from + cell)
            self._waiting.append(cell)
        if not self._waiting:
            raise IllegalMove(f"The agent opens nothing although the game is not over: {decision.reason}")


def play_games(
    policy: Policy, rules: Rules | str, seeds: Sequence[int], *, num_envs: int = 256, max_steps: int | None = None
) -> NDArray[np.float64]:
    """Play the games of these seeds to their end and return each result: 1 or 0, in a survey the score.

    All policies play the same boards, those of ``Game(rules, seed)``. The mask of a finished game is all zeros, and its
    action is ignored. A game that takes more than ``max_steps`` ends with the result 0; without a limit, every action
    must be valid.
    """
    if len(seeds) == 0:
        raise InputError("There are no games to play. Give at least one seed.")
    results = np.zeros(len(seeds))
    for start in range(0, len(seeds), num_envs):
        chunk = np.array(seeds[start : start + num_envs], dtype=np.int64)
        results[start : start + num_envs] = _play_chunk(policy, rules, chunk, max_steps)
    return results


def _play_chunk(
    policy: Policy, rules: Rules | str, seeds: NDArray[np.int64], max_steps: int | None
) -> NDArray[np.float64]:
    envs = MinesweeperVectorEnv(len(seeds), rules, max_episode_steps=max_steps)
    observations, infos = envs.reset(seed=0, options={"game_seed": seeds})
    results, playing, everyone = np.zeros(len(seeds)), np.ones(len(seeds), dtype=np.bool_), np.arange(len(seeds))
    while playing.any():
        actions = policy(observations, infos)
        if max_steps is None:
            wrong = np.flatnonzero(playing & (infos["action_mask"][everyone, actions] == 0))
            if wrong.size:
                raise envs.task.refuse(int(actions[wrong[0]]), observations[wrong[0]], f" in game {seeds[wrong[0]]}")
        observations, _, terminated, truncated, infos = envs.step(actions)
        results[playing] = infos["result"][playing]
        playing &= ~(terminated | truncated)
        # Where a game is over, the vector starts another, which is not played.
        infos["action_mask"][~playing] = 0
    return results
