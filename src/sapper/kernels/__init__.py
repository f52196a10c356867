"""The kernels' API: everything compiled that other packages may use.

Kernels are Python files that Cython compiles when the package is installed (docs/decisions/0009). There are four
builds of the same files, and the environment variable ``SAPPER_KERNELS`` selects one:

- ``compiled``: the default;
- ``checked``: with index checks, for tests;
- ``sanitized``: with gcc's sanitizers, for `make sanitize`;
- ``python``: the files as they are, about a hundred times slower. Also the fallback if nothing could be compiled.

The codes that kernels and their callers exchange are in `codes`.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = [
    "BUILD", "BUILDS", "Answer", "Batch", "Board", "BoardSearch", "ClueTables", "CompiledGame", "Draft",
    "EndgameSearch", "EnvironmentRules", "EnvironmentStep", "Field", "Games", "PairedRollouts", "Placement",
    "Player", "Position", "Query", "Question", "RewardValues", "Rollout", "Workspace", "answer", "check_build",
    "choose_allowed", "choose_by_search", "choose_in_part", "choose_least_risk", "clear_board", "decide",
    "find_level", "list_remaining", "play_game", "play_seed", "reveal", "roll_out", "sample", "search_boards",
    "search_moments", "set_layout", "solve", "solve_many", "start_games", "step_games", "weigh_clues",
]  # fmt: skip

BUILDS = {
    "compiled": "sapper.kernels._compiled",
    "checked": "sapper.kernels._checked",
    "sanitized": "sapper.kernels._sanitized",
    "python": None,
}
_SECONDS_OF_INSTALLING = 2.0  # an installer may write the source after the module compiled from it


def _choose_build() -> str:
    """Return the build to use; warn on standard error if nothing is compiled."""
    selected = os.environ.get("SAPPER_KERNELS", "")
    if selected:
        if selected not in BUILDS:
            print(f"SAPPER_KERNELS is {selected!r}; it must be one of {', '.join(BUILDS)}.", file=sys.stderr)
            raise SystemExit(2)
        return selected
    try:
        import_module("sapper.kernels._compiled")
    except ModuleNotFoundError:
        from multiprocessing import parent_process

        if parent_process() is None:  # workers stay silent
            print(
                "Sapper runs without its compiled engine, about a hundred times slower. "
                "Install a C compiler, then install Sapper again.",
                file=sys.stderr,
                flush=True,
            )
        return "python"
    return "compiled"


def check_build(module: ModuleType) -> None:
    """Raise `ImportError` if a compiled module was not made from the kernels in this package.

    Their contents are compared only if one of them is newer than the module.
    """
    from sapper.kernels.amalgamation import FOLDER, KERNELS, fingerprint

    built = Path(module.__file__ or "").stat().st_mtime + _SECONDS_OF_INSTALLING
    try:
        newer = any((FOLDER / f"{name}.py").stat().st_mtime > built for name in KERNELS)
    except OSError:
        return  # the source was not installed
    if newer and fingerprint() != module.FINGERPRINT:
        raise ImportError(
            "Sapper's compiled engine is older than its source: install Sapper again, or set SAPPER_KERNELS=python."
        )


BUILD = _choose_build()

if TYPE_CHECKING or BUILDS[BUILD] is None:
    from sapper.kernels.boards.levels import find_level
    from sapper.kernels.boards.moments import search_moments
    from sapper.kernels.boards.noguess import BoardSearch, Draft, clear_board, search_boards
    from sapper.kernels.boards.placement import Placement
    from sapper.kernels.boards.reveal import Field, reveal
    from sapper.kernels.engine.answer import Answer, Question, answer, weigh_clues
    from sapper.kernels.engine.board import Batch, Board, Position, Query
    from sapper.kernels.engine.posterior import solve, solve_many
    from sapper.kernels.engine.sampling import sample
    from sapper.kernels.engine.workspace import Workspace
    from sapper.kernels.environments.games import ClueTables, EnvironmentRules, EnvironmentStep, Games, RewardValues
    from sapper.kernels.environments.stepping import choose_allowed, start_games, step_games
    from sapper.kernels.search.decide import CompiledGame, decide, play_game, play_seed, set_layout
    from sapper.kernels.search.endgame import choose_by_search, choose_in_part
    from sapper.kernels.search.layouts import EndgameSearch, list_remaining
    from sapper.kernels.search.paired import PairedRollouts
    from sapper.kernels.search.player import Player
    from sapper.kernels.search.policy import choose_least_risk
    from sapper.kernels.search.rollouts import Rollout, roll_out
else:
    _module = import_module(BUILDS[BUILD])
    check_build(_module)
    globals().update({name: getattr(_module, name) for name in __all__ if name not in globals()})
