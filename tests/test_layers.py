"""The import contracts hold, and they really refuse what they should."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

WRONG_IMPORTS = {
    "an agent that peeks at the truth": ("agents/cheat.py", "from sapper.world.game import Game"),
    "a way of reasoning that peeks at the truth": ("inference/cheat.py", "from sapper.world.game import Game"),
    "a world that thinks": ("world/thinks.py", "from sapper.knowledge import cheat"),
    "rules that know the world": ("rules.py", "from sapper.world import generate"),
    "a kernel that knows the library": ("kernels/clever.py", "from sapper import topology"),
    "Cython outside the kernels": ("play/fast.py", "import cython"),
    "Cython's compiler outside the kernels": ("play/fast.py", "from Cython.Build import cythonize"),
    "a caller that goes around the front door": ("play/fast.py", "from sapper.kernels.engine.posterior import solve"),
    "a package that nobody placed in the layers": ("stray/__init__.py", ""),
}


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


def test_the_contracts_hold(copy: Path) -> None:
    result = lint(copy)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("crime", WRONG_IMPORTS)
def test_a_wrong_import_is_refused(crime: str, copy: Path) -> None:
    name, line = WRONG_IMPORTS[crime]
    path = copy / "src" / "sapper" / name
    path.parent.mkdir(exist_ok=True)
    (path.parent / "__init__.py").touch()
    if "knowledge" in line:
        (copy / "src" / "sapper" / "knowledge").mkdir(exist_ok=True)
        (copy / "src" / "sapper" / "knowledge" / "__init__.py").touch()
        (copy / "src" / "sapper" / "knowledge" / "cheat.py").touch()
    with path.open("a") as file:
        file.write(f"\n{line}\n")
    result = lint(copy)
    assert result.returncode == 1, result.stdout
    assert "BROKEN" in result.stdout or "not configured" in result.stdout or "stray" in result.stdout
