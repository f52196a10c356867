"""The name by which the ``verifiers`` package finds Sapper's environment: ``sapper-minesweeper``."""

from sapper.env.verifiers import MinesweeperEnv, MinesweeperTaskset

__all__ = ["MinesweeperEnv", "MinesweeperTaskset"]
