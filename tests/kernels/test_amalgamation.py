"""The amalgamation of the kernels, and that the compiled module is up to date."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from sapper import kernels
from sapper.kernels import amalgamation
from sapper.kernels.engine.workspace import Workspace as UncompiledWorkspace


def test_the_compiled_kernels_are_those_in_the_folder() -> None:
    # After a change of a kernel: `make` builds them again.
    if kernels.BUILD == "python":
        pytest.skip("nothing is compiled in this run")
    module = importlib.import_module(kernels.BUILDS[kernels.BUILD] or "")
    assert amalgamation.fingerprint() == module.FINGERPRINT, "the build is stale: run make"


def test_every_kernel_is_in_the_amalgamation() -> None:
    files = {
        path.relative_to(amalgamation.FOLDER).with_suffix("").as_posix()
        for path in amalgamation.FOLDER.rglob("*.py")
        if path.name not in ("__init__.py", "language.py", "amalgamation.py")
    }
    assert files == set(amalgamation.KERNELS)


def test_every_attribute_of_the_workspace_is_there_from_the_start() -> None:
    # Compiled, an unset attribute is zero; uncompiled, it is missing.
    workspace = UncompiledWorkspace(9)
    workspace.make_room(1, 1, 1, 1, 1, 1, noisy=False)
    assert set(UncompiledWorkspace.__annotations__) == set(vars(workspace))


def write_kernels(folder: Path, monkeypatch: pytest.MonkeyPatch, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(amalgamation, "FOLDER", folder)
    monkeypatch.setattr(amalgamation, "KERNELS", tuple(texts))
    amalgamation.write_amalgamation(folder / "out" / "joined.py")
    return folder / "out"


def test_types_become_cythons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        '"""A kernel."""\n\nfrom sapper.kernels.language import *\n\nMOST = 4 + 1\n'
        "SHARE = 0.5\nWIDE = 2**40\n\n\nclass Thing:\n    size: Public[Int]  # of it\n    cells: Ints\n\n\n"
        "def clear(thing: Thing, count: Int) -> None:\n    thing.cells[truncate(2.5)] = MOST\n\n\n"
        "@public\ndef ask() -> None:\n    pass\n"
    )
    out = write_kernels(tmp_path, monkeypatch, first=text)
    joined = (out / "joined.py").read_text(encoding="utf-8")
    assert '@cython.cclass\nclass Thing:\n    size = cython.declare(cython.int, visibility="public")  # of it' in joined
    assert "    cells: cython.int[::1]" in joined
    assert joined.count("@cython.nogil") == 1
    assert "\n\n\ndef ask() -> None:" in joined
    assert "def clear(thing: Thing, count: cython.int) -> cython.void:" in joined
    assert "thing.cells[cython.cast(cython.int, 2.5)] = MOST" in joined
    assert "sapper.kernels" not in joined
    assert (out / "joined.pxd").read_text(encoding="utf-8").splitlines() == [
        "cdef enum:",
        "    MOST = 5",
        "cdef extern from *:",
        '    double SHARE "0.5"',
        '    long long WIDE "1099511627776LL"',
    ]


def test_a_name_with_two_meanings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"FEW is defined in first.py and in second.py"):
        write_kernels(tmp_path, monkeypatch, first="FEW = 3\n", second="FEW = 4\n")
    with pytest.raises(ValueError, match=r"look is defined in first.py and in second.py"):
        write_kernels(tmp_path, monkeypatch, first="def look():\n    pass\n", second="def look():\n    pass\n")


def test_an_unchanged_amalgamation_keeps_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = write_kernels(tmp_path, monkeypatch, first="FEW = 3\n")
    before = (out / "joined.py").stat().st_mtime_ns
    write_kernels(tmp_path, monkeypatch, first="FEW = 3\n")
    assert (out / "joined.py").stat().st_mtime_ns == before
