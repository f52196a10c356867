"""All compiled code; what others may use of it.

Kernels are Python files that Cython compiles when the package is installed (docs/decisions/0009). There are four
builds of the same files, and the environment variable ``SAPPER_KERNELS`` says which one is used:

- ``compiled``, the usual one;
- ``checked``: every index is checked, for tests;
- ``sanitized``: gcc watches memory and arithmetic, for `make sanitize`;
- ``python``: the files as they stand, some hundred times slower. Also what remains where nothing could be compiled.

The numbers that kernels and their callers exchange are in `codes`.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

    from sapper.kernels.boards.moments import search_moments
    from sapper.kernels.boards.noguess import BoardSearch, Draft, clear_board, search_boards
    from sapper.kernels.boards.reveal import Field, reveal
    from sapper.kernels.engine.board import Answers, Batch, Board, Position, Question
    from sapper.kernels.engine.posterior import solve, solve_many
    from sapper.kernels.engine.sampling import sample
    from sapper.kernels.engine.workspace import Workspace
    from sapper.kernels.environments.games import ClueTables, EnvironmentRules, EnvironmentStep, Games, Prices
    from sapper.kernels.environments.placement import Laying
    from sapper.kernels.environments.stepping import choose_allowed, start_games, step_games
    from sapper.kernels.search.decide import CompiledGame, decide, play_game
    from sapper.kernels.search.endgame import choose_by_search, choose_in_part
    from sapper.kernels.search.layouts import EndgameSearch, list_remaining
    from sapper.kernels.search.paired import PairedRollouts
    from sapper.kernels.search.player import Player
    from sapper.kernels.search.policy import choose_least_risk
    from sapper.kernels.search.rollouts import Rollout, roll_out

_HOME = {
    # engine: from what is seen to what is certain and how likely the rest is
    "Board": "engine.board",  # the cells and who touches whom
    "Question": "engine.board",  # what is asked about a position
    "Position": "engine.board",  # what the player sees, and what the engine finds
    "Answers": "engine.board",  # positions one after another, with room for the answers
    "Workspace": "engine.workspace",  # the engine's memory
    "solve": "engine.posterior",  # the exact posterior
    "Batch": "engine.board",  # many positions
    "solve_many": "engine.posterior",
    "sample": "engine.sampling",  # random layouts that fit
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
    # boards: opening cells, and layouts that need no guess
    "Field": "boards.reveal",  # what can be opened
    "reveal": "boards.reveal",  # a cell with its cascade
    "Draft": "boards.noguess",  # a layout in the making
    "BoardSearch": "boards.noguess",  # what is searched for: a board that needs no guess
    "search_boards": "boards.noguess",
    "clear_board": "boards.noguess",  # whether a given one needs none
    "search_moments": "boards.moments",  # layouts on which easy reasoning gets stuck
    # environments: many games side by side
    "Games": "environments.games",
    "EnvironmentRules": "environments.games",  # what all of them share
    "Prices": "environments.games",  # the rewards
    "ClueTables": "environments.games",  # how clues are drawn
    "EnvironmentStep": "environments.games",  # what came of a step
    "Laying": "environments.placement",  # layouts from seeds
    "start_games": "environments.stepping",
    "step_games": "environments.stepping",
    "choose_allowed": "environments.stepping",  # a random action that is allowed
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
    "Laying",
    "PairedRollouts",
    "Player",
    "Position",
    "Prices",
    "Question",
    "Rollout",
    "Workspace",
    "check_build",
    "choose_allowed",
    "choose_by_search",
    "choose_in_part",
    "choose_least_risk",
    "clear_board",
    "decide",
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
_SECONDS_OF_INSTALLING = 2.0  # an installer may write the kernels after what was compiled from them


def _choose_build() -> str:
    """Say which build to use, and mention on standard error if it is not the one that people expect."""
    asked = os.environ.get("SAPPER_KERNELS", "")
    if asked:
        if asked not in BUILDS:
            print(f"SAPPER_KERNELS is {asked!r}; it must be one of {', '.join(BUILDS)}.", file=sys.stderr)
            raise SystemExit(2)
        return asked
    try:
        import_module("sapper.kernels._compiled")
    except ModuleNotFoundError:
        from multiprocessing import parent_process

        if parent_process() is None:  # once is enough
            print(
                "Sapper runs without its compiled engine, some hundred times slower. "
                "Install a C compiler, then install Sapper again.",
                file=sys.stderr,
                flush=True,
            )
        return "python"
    return "compiled"


def check_build(module: ModuleType) -> None:
    """Raise `ImportError` if a compiled module was made from other kernels than those beside it.

    It would answer like those, and read memory as they lay it out. What they contain is compared only where one of them
    is newer than the module.
    """
    from sapper.kernels.amalgamation import FOLDER, KERNELS, fingerprint

    built = Path(module.__file__ or "").stat().st_mtime + _SECONDS_OF_INSTALLING
    try:
        newer = any((FOLDER / f"{name}.py").stat().st_mtime > built for name in KERNELS)
    except OSError:
        return  # only what is compiled was installed
    if newer and fingerprint() != module.FINGERPRINT:
        raise ImportError(
            "Sapper's compiled engine is older than its source: install Sapper again, or set SAPPER_KERNELS=python."
        )


BUILD = _choose_build()

if not TYPE_CHECKING:
    _unit = BUILDS[BUILD] and import_module(BUILDS[BUILD])
    if _unit:
        check_build(_unit)
    for _name, _module in _HOME.items():
        globals()[_name] = getattr(_unit or import_module(f"sapper.kernels.{_module}"), _name)
