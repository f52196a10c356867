"""All builds give bit-for-bit identical results. The checked one reports wrong indices."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from corpora import read_corpus

from sapper import kernels
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels import amalgamation
from sapper.observation import Observation
from sapper.play.compiled import CompiledPlayer
from sapper.rules import Rules

ROOT = Path(__file__).parent.parent.parent


def digest_of(*arrays: np.ndarray) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.nan_to_num(array, nan=-1.0).tobytes())
    return found.hexdigest()[:16]


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("corpus", "expected"),
    [("beginner", "b1d66d04b66c6ca4"), ("expert", "6d83065a80f8508a"), ("snake", "c83f0913f9e7f0bc")],
)
def test_posteriors_are_the_same_to_the_last_bit(corpus: str, expected: str) -> None:
    found = [mine_probabilities(position) for _, position, _ in islice(read_corpus(corpus), 8)]
    assert digest_of(*(one.p_mine for one in found), *(one.verdicts for one in found)) == expected


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("rules", "agent", "n_games", "expected"),
    [
        ("beginner", "exact", 20, "d41e0929b24aa10a"),
        ("5x5/7 torus", "expert", 2, "245f24fd36c023f3"),
        ("4x3/4 hex", "optimal", 2, "b6a2cefc8fbb019d"),
        ("7x7/10", "master", 1, "ccde116eedf7819f"),
    ],
)
def test_games_are_the_same_move_for_move(rules: str, agent: str, n_games: int, expected: str) -> None:
    player = CompiledPlayer(Rules.parse(rules), agent)
    games = [player.play(seed).moves for seed in range(n_games)]
    assert digest_of(*(np.array(moves) for moves in games)) == expected


# Not left out elsewhere: only this build checks indices.
if kernels.BUILD == "checked":

    @pytest.mark.oracle
    def test_a_wrong_index_in_a_checked_kernel_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
        # Kernels cannot raise. Pytest turns what they report into a failure of the current test.
        reports: list[object] = []
        monkeypatch.setattr(sys, "unraisablehook", lambda report: reports.append(report.exc_value))
        table = np.array([[7], [0]], dtype=np.int32)  # there is no cell 7
        board = kernels.Board(2, table, np.ones(2, dtype=np.int8))
        workspace = kernels.Workspace(2)
        workspace.make_room(8, 8, 8, 8, 64, 8, noisy=False)
        position = kernels.Position(np.array([1, -1], dtype=np.int8), np.zeros(2, dtype=np.int8), np.zeros(2))
        kernels.solve(workspace, board, kernels.Query(1), position)
        assert any(isinstance(report, IndexError) for report in reports)


def run_without_compiled_kernels(tmp_path: Path, code: str) -> subprocess.CompletedProcess[str]:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    environment = {name: value for name, value in os.environ.items() if name != "SAPPER_KERNELS"}
    environment["PYTHONPATH"] = str(tmp_path / "src")
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_without_compiled_kernels_everything_works_and_says_so(tmp_path: Path) -> None:
    done = run_without_compiled_kernels(
        tmp_path,
        "import sapper\n"
        "print(sapper.mine_probabilities(sapper.Observation.parse('1# 1')).p_mine[0, 1])\n"
        "import sapper.kernels; print(sapper.kernels.BUILD, sapper.kernels.__file__)\n",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "1.0"
    assert done.stdout.splitlines()[1].startswith(f"python {tmp_path}")
    assert done.stderr.count("\n") == 1
    assert "without its compiled engine" in done.stderr


def test_an_unknown_build_is_one_sentence() -> None:
    environment = os.environ | {"SAPPER_KERNELS": "fastest"}
    done = subprocess.run(
        [sys.executable, "-c", "import sapper.kernels"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "SAPPER_KERNELS is 'fastest'; it must be one of compiled, checked, sanitized, python.\n"


def test_a_build_from_other_kernels_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in amalgamation.KERNELS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(amalgamation.FOLDER / f"{name}.py", tmp_path / f"{name}.py")
    monkeypatch.setattr(amalgamation, "FOLDER", tmp_path)
    built = ModuleType("built")
    built.__file__ = str(tmp_path / "built.so")
    built.FINGERPRINT = amalgamation.fingerprint()  # type: ignore[attr-defined]
    (tmp_path / "built.so").touch()
    os.utime(tmp_path / "built.so", (1, 1))
    kernels.check_build(built)  # newer, but the same
    with (tmp_path / "codes.py").open("a", encoding="utf-8") as file:
        file.write("ONE_MORE = 99\n")
    with pytest.raises(ImportError, match="compiled engine is older than its source"):
        kernels.check_build(built)


@pytest.mark.slow
def test_options_that_a_compiler_refuses_are_left_out(tmp_path: Path) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text('#!/bin/sh\ncase "$*" in *-fvect-cost-model*) exit 1;; esac\nexit 0\n', encoding="utf-8")
    compiler.chmod(0o755)
    code = (
        "import runpy, sys, types\n"
        "import setuptools\n"
        "setuptools.setup = lambda **options: None\n"
        "module = runpy.run_path('setup.py')\n"
        "print(module['accepted_options'](types.SimpleNamespace(compiler_so=[sys.argv[1]])) == "
        "[one for one in module['OPTIONS'] if 'vect-cost' not in one])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(compiler)], cwd=ROOT, capture_output=True, text=True, check=False,
        env=os.environ | {"SAPPER_BUILD": "none"},
    )  # fmt: skip
    assert done.stdout == "True\n", done.stderr


@pytest.mark.long
def test_without_any_compiler_the_package_is_built_all_the_same(tmp_path: Path) -> None:
    for name in ("src", "setup.py", "pyproject.toml", "README.md", "LICENSE"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
        else:
            shutil.copy(source, tmp_path / name)
    (tmp_path / "bin").mkdir()
    # No compiler on the path, and no download.
    environment = os.environ | {"PATH": str(tmp_path / "bin"), "PIP_NO_INDEX": "1", "CC": ""}
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Sapper's engine was not compiled" in done.stderr
    assert not list((tmp_path / "src").rglob("_compiled*.so"))


def test_answers_share_no_memory() -> None:
    position = Observation.parse("1##/### 2")
    before = position.cells.copy()
    first, second = mine_probabilities(position), mine_probabilities(position)
    assert np.array_equal(position.cells, before)
    assert not first.p_mine.flags.writeable
    assert np.array_equal(first.p_mine, second.p_mine, equal_nan=True)
    assert not np.shares_memory(first.p_mine, second.p_mine)
