"""Agents that somebody else wrote: a real module in a folder, and a real package that brings one along."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODULE = '''
"""Agents for tests: one that plays, and some that are wrong."""

import numpy as np

from sapper.agents.agent import Decision
from sapper.inference.reasoning.single import Deduction


class First:
    """Opens the first hidden cell.

    Nothing more is to be said.
    """

    def __init__(self, rng):
        self.n = 0

    def decide(self, observation):
        row, col = (int(x) for x in np.argwhere(observation.closed)[0])
        return Decision((row, col), None, "Opened the first cell: why not.")


def make(rng):
    """Make the agent that opens the first hidden cell."""
    return First(rng)


class SaysNothing(First):
    def decide(self, observation):
        return None


class SaysACell(First):
    def decide(self, observation):
        return (0, 0)


class OpensOpen(First):
    def decide(self, observation):
        known = np.argwhere(~observation.closed)
        if not len(known):
            return super().decide(observation)
        return Decision(tuple(int(x) for x in known[0]), None, "Once more.")


class Raises(First):
    def decide(self, observation):
        self.n += 1
        if self.n > 1:
            return 1 / 0
        return super().decide(observation)


class Repeats(First):
    def decide(self, observation):
        found = Deduction((1, 1), True, "single", (), "it looks like one")
        return Decision((0, 0) if observation.closed[0, 0] else None, None, "Again.", (found,))


class GivesUp(First):
    def decide(self, observation):
        return Decision(None, None, "It is hopeless.")


class CannotBeMade:
    def __init__(self, rng):
        raise LookupError("no weights here")


number = 7
'''


def write_module(folder: Path, name: str = "mine", more: str = "") -> Path:
    """Write the module into a folder."""
    path = folder / f"{name}.py"
    path.write_text(MODULE + more, encoding="utf-8")
    return path


def write_package(folder: Path, module: str = "brought", names: tuple[str, ...] = ("first",)) -> None:
    """Write a package as it lies where packages are installed: a module, and what it says about itself."""
    write_module(folder, module)
    about = folder / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", encoding="utf-8")
    points = "".join(f"{name} = {module}:make\n" for name in names)
    (about / "entry_points.txt").write_text(f"[sapper.agents]\n{points}", encoding="utf-8")


@contextmanager
def forgetting(*folders: Path) -> Iterator[None]:
    """Forget afterwards what Python found in some folders, and where it was to look."""
    path, modules = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if any(folder == Path(getattr(sys.modules[name], "__file__", None) or "/").parent for folder in folders):
                del sys.modules[name]


@contextmanager
def importable(*folders: Path) -> Iterator[None]:
    """Have Python look into some folders, and forget afterwards what was found there."""
    with forgetting(*folders):
        sys.path[:0] = [str(folder) for folder in folders]
        yield
