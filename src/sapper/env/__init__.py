"""Reinforcement learning: Minesweeper as a Gymnasium environment, single or vectorised in compiled code.

Importing this package registers its environments with Gymnasium, and so does their full name
``sapper.env:sapper/Minesweeper-v0``.

>>> import gymnasium
>>> import sapper.env
>>> env = gymnasium.make("sapper/Minesweeper-v0", rules="4x5/4 first-opening")
>>> observation, info = env.reset(seed=3)
>>> observation, reward, terminated, truncated, info = env.step(0)
>>> int((observation >= 0).sum()) == info["n_opened"]
True
"""

from __future__ import annotations

from sapper.errors import MissingExtra

try:
    import gymnasium
except ImportError:
    raise MissingExtra("The environments need Gymnasium: pip install 'sapper[rl]'.") from None

from sapper.env.exact import Transition
from sapper.env.minesweeper import MinesweeperEnv
from sapper.env.policies import AgentPolicy, Policy, play_games
from sapper.env.task import Rewards
from sapper.env.vector import MinesweeperVectorEnv

__all__ = [
    "ENVIRONMENTS",
    "AgentPolicy",
    "MinesweeperEnv",
    "MinesweeperVectorEnv",
    "Policy",
    "Rewards",
    "Transition",
    "play_games",
    "register",
]

# Name → default rules.
ENVIRONMENTS = {
    "sapper/Minesweeper-v0": "beginner",
    "sapper/Minesweeper-Beginner-v0": "beginner",
    "sapper/Minesweeper-Intermediate-v0": "intermediate",
    "sapper/Minesweeper-Expert-v0": "expert",
}


def register() -> None:
    """Register the environments with Gymnasium, unless they are registered already."""
    for name, rules in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="sapper.env.minesweeper:MinesweeperEnv",
                vector_entry_point="sapper.env.vector:MinesweeperVectorEnv",
                kwargs={"rules": rules},
            )


register()
