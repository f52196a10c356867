"""The import contracts hold, and they really refuse what they should."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# By crime: the contract that it breaks, as it begins, the file, and the line in it.
WRONG_IMPORTS = {
    "an agent that peeks at the truth": ("One direction", "agents/cheat.py", "from sapper.world.game import Game"),
    "reasoning that peeks at the truth": (
        "One direction", "inference/reasoning/single.py", "from sapper.world.game import Game"
    ),
    "a world that thinks": ("The world does not think", "world/thinks.py", "from sapper.knowledge import facts"),
    "rules that know the world": ("One direction", "rules.py", "from sapper.world import generate"),
    "a kernel that knows the library": ("One direction", "kernels/clever.py", "from sapper import topology"),
    "Cython outside the kernels": ("Only kernels", "play/positions.py", "import cython"),
    "Cython's compiler outside the kernels": ("Only kernels", "rules.py", "from Cython.Build import cythonize"),
    "a caller that goes around the front door": (
        "Kernels have one", "play/positions.py", "from sapper.kernels.engine.posterior import solve"
    ),
    "an engine that knows players": (
        "Kernels: players", "kernels/engine/board.py", "from sapper.kernels.players import player"
    ),
    "a package that nobody placed in the layers": ("One direction", "stray/__init__.py", ""),
    "reasoning that knows posteriors": (
        "Inference:", "inference/reasoning/single.py", "from sapper.inference.posterior import exact"
    ),
    "a posterior that knows proofs": (
        "Inference:", "inference/posterior/exact.py", "from sapper.inference.proofs import explain"
    ),
    "a way of guessing that knows the list of agents": (
        "Agents:", "agents/exact/least_risk.py", "from sapper.agents import registry"
    ),
    "a match that knows its review": ("Play:", "play/matches/match.py", "from sapper.play.review import judging"),
    "boards that know their figures": ("Play:", "play/boards/noguess.py", "from sapper.play.figures import zini"),
    "a run that knows the reports": (
        "Experiments:", "experiments/runs/store.py", "from sapper.experiments.reports import claims"
    ),
    "a run that draws": ("Experiments:", "experiments/runs/summary.py", "from sapper.experiments import plots"),
    "a study that knows the page": (
        "Reports:", "experiments/reports/studies/infer.py", "from sapper.experiments.reports import page"
    ),
    "a store of games that knows its routes": ("The page:", "web/games/store.py", "from sapper.web.api import games"),
    "a route that computes": ("The page's routes", "web/api/hints.py", "from sapper import kernels"),
    "a route that sums": ("The page's routes", "web/api/hints.py", "from sapper.inference.posterior import exact"),
    "a kind of puzzle that knows who makes it": ("Train:", "train/kinds/areas.py", "from sapper.train import making"),
    "a moment that knows what it is for": (
        "Kinds of puzzles:", "train/kinds/moments.py", "from sapper.train.kinds import chains"
    ),
    "a lesson that knows where it is read from": (
        "The course:", "train/course/lesson.py", "from sapper.train.course import reading"
    ),
    "attempts that know what is derived from them": (
        "The learner:", "train/learner/attempts.py", "from sapper.train.learner import learning"
    ),
    "a command that leans on another": ("Commands", "cli/playing/demo.py", "from sapper.cli.analysing import show"),
    "common words that know a command": ("Commands", "cli/common/files.py", "from sapper.cli.analysing import show"),
    "a room that nobody placed": ("Play:", "play/stray.py", ""),
}  # fmt: skip


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_contracts_hold(copy: Path) -> None:
    result = lint(copy)
    assert result.returncode == 0, result.stdout


def module_of(name: str) -> str:
    return "sapper." + name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@pytest.mark.slow
@pytest.mark.parametrize("strays", [False, True])
def test_every_wrong_import_is_refused_by_its_contract(strays: bool, copy: Path) -> None:
    crimes = {crime: wrong for crime, wrong in WRONG_IMPORTS.items() if strays == (not wrong[2])}
    for _, name, line in crimes.values():
        path = copy / "src" / "sapper" / name
        path.parent.mkdir(exist_ok=True)
        with path.open("a") as file:
            file.write(f"\n{line}\n")
    result = lint(copy)
    assert result.returncode == 1, result.stdout
    broken = result.stdout.partition("Broken contracts")[2]
    # Each contract that is broken has a heading, perhaps of several lines, which is underlined.
    parts = re.split(r"(?:^-+\n)+", broken, flags=re.MULTILINE)
    headings = [part.strip().rpartition("\n\n")[2] for part in parts]
    for crime, (contract, name, _) in crimes.items():
        refused = next((text for heading, text in zip(headings, parts[1:]) if heading.startswith(contract)), "")  # noqa: B905
        assert re.search(rf"\b{re.escape(module_of(name))}\b", refused), (crime, broken)
