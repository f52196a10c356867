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
    "an agent that peeks at the truth": ("Imports", "agents/cheat.py", "from sapper.world.game import Game"),
    "reasoning that peeks at the truth": (
        "Imports", "inference/reasoning/single.py", "from sapper.world.game import Game"
    ),
    "rules that know the world": ("Imports", "rules.py", "from sapper.world import generation"),
    "a kernel that knows the library": ("Imports", "kernels/clever.py", "from sapper import topology"),
    "a package that nobody placed in the layers": ("Imports", "stray/__init__.py", ""),
    "a world that thinks": ("The world does not think", "world/thinks.py", "from sapper.inference import facts"),
    "a caller that goes around the API of the kernels": (
        "Kernels are", "play/reading.py", "from sapper.kernels.engine.posterior import solve"
    ),
    "reasoning that knows posteriors": (
        "Reasoning", "inference/reasoning/single.py", "from sapper.inference.posterior import exact"
    ),
    "a posterior that knows proofs": (
        "Reasoning", "inference/posterior/exact.py", "from sapper.inference.proofs import explain"
    ),
    "an eye that reasons": ("Seeing is", "pictures/ink.py", "from sapper.inference.posterior import exact"),
    "a route that computes": ("In web", "web/api/games.py", "from sapper import kernels"),
    "a route that sums": ("In web", "web/api/games.py", "from sapper.inference.posterior import exact"),
    "an evaluation that words itself": (
        "Facts below", "inference/evaluation/decision.py", "from sapper.inference.proofs import sentences"
    ),
    "a verdict that words itself": (
        "Facts below", "play/review/verdict.py", "from sapper.play.review.sentences import ReviewReport"
    ),
    "a route that words a review": ("Facts below", "web/api/analysis.py", "from sapper.play.review import sentences"),
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
