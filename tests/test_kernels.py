"""Compiled code against naive re-implementations; also run with the JIT off and with bounds checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import layouts

from sapper.kernels.reveal import reveal
from sapper.kernels.warm import WARM_UPS
from sapper.layout import Layout

pytestmark = pytest.mark.oracle


def naive_reveal(layout: Layout, flags: set[int], start: int) -> set[int]:
    clues = layout.clues().ravel()
    opened: set[int] = set()
    waiting = [start]
    while waiting:
        cell = waiting.pop()
        if cell in opened or (cell in flags and cell != start):
            continue
        opened.add(cell)
        if clues[cell] == 0:
            waiting += layout.topology.neighbours_of(cell)
    return opened


@given(layouts(), st.data())
def test_reveal_opens_what_a_naive_flood_opens(layout: Layout, data: st.DataObject) -> None:
    board = layout.topology
    safe = np.flatnonzero(~layout.mines).tolist()
    if not safe:
        return
    start = data.draw(st.sampled_from(safe))
    flags = data.draw(st.sets(st.integers(0, board.n_cells - 1))) - {start}
    cells = np.full(board.n_cells, -1, dtype=np.int8)
    cells[list(flags)] = -2
    out = np.empty(board.n_cells, dtype=np.int32)
    clues = layout.clues().ravel()
    n_opened = reveal(cells, clues, board.table, board.degree, start, True, out)
    opened = out[:n_opened].tolist()
    assert opened[0] == start
    assert len(set(opened)) == n_opened
    assert set(opened) == naive_reveal(layout, flags, start)
    assert all(cells[cell] == clues[cell] for cell in opened)


def test_every_kernel_warms_up() -> None:
    for compile_it in WARM_UPS.values():
        compile_it()


def test_numbas_own_setting_is_left_as_it_was() -> None:
    # Other libraries in the process cache their functions where they always did.
    assert os.environ.get("NUMBA_CACHE_DIR", "") == numba.config.CACHE_DIR  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_changed_kernel_is_compiled_again(tmp_path: Path) -> None:
    # The trap: a cached caller keeps the old code of a leaf in another file. The folder's name prevents it.
    script = (
        "import shutil, sys, pathlib, importlib\n"
        "import sapper.kernels as kernels\n"
        "source = pathlib.Path(kernels.__file__).parent\n"
        "before = kernels._cache_folder()\n"
        "copy = pathlib.Path(sys.argv[1]) / 'kernels'\n"
        "shutil.copytree(source, copy)\n"
        "kernels.__file__ = str(copy / '__init__.py')\n"
        "assert kernels._cache_folder() == before\n"
        "(copy / 'reveal.py').open('a').write('# changed\\n')\n"
        "assert kernels._cache_folder() != before\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
