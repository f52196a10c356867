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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from sapper.kernels.boards.levels import find_level
    from sapper.kernels.boards.moments import search_moments
    from sapper.kernels.boards.noguess import BoardSearch, Draft, clear_board, search_boards
    from sapper.kernels.boards.reveal import Field, reveal
    from sapper.kernels.engine.board import Answers, Batch, Board, Position, Query
    from sapper.kernels.engine.posterior import solve, solve_many
    from sapper.kernels.engine.sampling import sample
    from sapper.kernels.engine.workspace import Workspace
    from sapper.kernels.environments.games import ClueTables, EnvironmentRules, EnvironmentStep, Games, RewardValues
    from sapper.kernels.environments.placement import Placement
    from sapper.kernels.environments.stepping import choose_allowed, start_games, step_games
    from sapper.kernels.search.decide import CompiledGame, decide, play_game
    from sapper.kernels.search.endgame import choose_by_search, choose_in_part
    from sapper.kernels.search.layouts import EndgameSearch, list_remaining
    from sapper.kernels.search.paired import PairedRollouts
    from sapper.kernels.search.player import Player
    from sapper.kernels.search.policy import choose_least_risk
    from sapper.kernels.search.rollouts import Rollout, roll_out

_HOME = {
    # engine: exact mine probabilities
    "Board": "engine.board",  # the cells and their neighbours
    "Query": "engine.board",  # what to compute
    "Position": "engine.board",  # what the player sees, and what the engine finds
    "Answers": "engine.board",  # a position that can be rebound, with room for several results
    "Workspace": "engine.workspace",  # the engine's memory
    "solve": "engine.posterior",  # the exact posterior
    "Batch": "engine.board",  # many positions
    "solve_many": "engine.posterior",
    "sample": "engine.sampling",  # random layouts from the posterior
    # search: which cell to open when nothing is safe, and whole games
    "choose_least_risk": "search.policy",
    "EndgameSearch": "search.layouts",  # its memory
    "choose_by_search": "search.endgame",  # the cell that wins the most layouts
    "choose_in_part": "search.endgame",  # in a separate part of the board
    "Player": "search.player",  # a policy and its memory
    "CompiledGame": "search.decide",
    "decide": "search.decide",  # what to open now
    "play_game": "search.decide",  # to the end of the game
    "list_remaining": "search.layouts",  # every remaining layout
    "Rollout": "search.rollouts",  # games from a position over layouts that fit it
    "roll_out": "search.rollouts",
    "PairedRollouts": "search.paired",  # rollouts that compare close candidates
    # boards: opening cells, and no-guess boards
    "Field": "boards.reveal",  # boards to open cells on
    "reveal": "boards.reveal",  # open a cell with its cascade
    "Draft": "boards.noguess",  # a layout under construction
    "BoardSearch": "boards.noguess",  # a search for no-guess boards
    "search_boards": "boards.noguess",
    "clear_board": "boards.noguess",  # check a given layout
    "search_moments": "boards.moments",  # layouts on which easy reasoning gets stuck
    "find_level": "boards.levels",  # the easiest reasoning that opens a cell of a position
    # environments: many games in parallel
    "Games": "environments.games",
    "EnvironmentRules": "environments.games",  # their common rules
    "RewardValues": "environments.games",
    "ClueTables": "environments.games",  # how clues are drawn
    "EnvironmentStep": "environments.games",  # actions and results
    "Placement": "environments.placement",  # memory for drawing layouts from seeds
    "start_games": "environments.stepping",
    "step_games": "environments.stepping",
    "choose_allowed": "environments.stepping",  # random valid actions
}

__all__ = [
    "BUILD",
    "BUILDS",
    "Answers",
    "Batch",
    "Board",
    "BoardSearch",
    "ClueTables",
    "CompiledGame",
    "Draft",
    "EndgameSearch",
    "EnvironmentRules",
    "EnvironmentStep",
    "Field",
    "Games",
    "PairedRollouts",
    "Placement",
    "Player",
    "Position",
    "Query",
    "RewardValues",
    "Rollout",
    "Workspace",
    "check_build",
    "choose_allowed",
    "choose_by_search",
    "choose_in_part",
    "choose_least_risk",
    "clear_board",
    "decide",
    "find_level",
    "list_remaining",
    "play_game",
    "reveal",
    "roll_out",
    "sample",
    "search_boards",
    "search_moments",
    "solve",
    "solve_many",
    "start_games",
    "step_games",
]

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

if not TYPE_CHECKING:
    _module_of_build = BUILDS[BUILD] and import_module(BUILDS[BUILD])
    if _module_of_build:
        check_build(_module_of_build)
    for _name, _module in _HOME.items():
        globals()[_name] = getattr(_module_of_build or import_module(f"sapper.kernels.{_module}"), _name)
