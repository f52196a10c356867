"""The Python in the documentation is clean under strict mypy and under pyright, as users have it in their editors."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# It prints the inside of a kernel, whose arrays are only as wide as the compiler needs.
INSIDE = ROOT / "docs" / "solve.md"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted({*(ROOT / "docs").rglob("*.md")} - {INSIDE})]
# In one encoding everywhere, and without asking the network for a newer version.
QUIETLY = {"PYTHONUTF8": "1", "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


def code_of_page(text: str) -> str:
    """Everything behind ``>>>`` in a page, as one module."""
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def code_of_notebook(text: str) -> str:
    """The code of a notebook as one module; what a cell ends with is shown there and is nothing to a checker."""
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code") + "\n"


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A module for every document that has code."""
    folder = tmp_path_factory.mktemp("code")
    codes = {path: code_of_page(path.read_text(encoding="utf-8")) for path in PAGES}
    codes |= {path: code_of_notebook(path.read_text(encoding="utf-8")) for path in NOTEBOOKS}
    written = []
    for path, code in codes.items():
        if code.strip():
            name = re.sub(r"\W", "_", str(path.relative_to(ROOT).with_suffix("")))
            written.append(folder / f"page_{name}.py")
            written[-1].write_text(code, encoding="utf-8")
    return written


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("pyright", ("--level", "error", "--pythonpath", sys.executable)),
        # What mypy knows of the library from `make lint` is used again: the same settings, the same cache.
        pytest.param("mypy", ("--strict",), marks=pytest.mark.long),
    ],
)
def test_a_checker_finds_what_is_wrong_and_nothing_else(
    tool: str, arguments: tuple[str, ...], modules: list[Path], tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import sapper\nn: str = sapper.Rules(4, 5, 4).mines\n", encoding="utf-8")
    done = subprocess.run(
        [Path(sys.executable).parent / tool, *arguments, *map(str, [*modules, wrong])],
        capture_output=True, encoding="utf-8", check=False, cwd=ROOT, env=os.environ | QUIETLY,
    )  # fmt: skip
    errors = [line for line in done.stdout.splitlines() if " error: " in line]
    assert len(errors) == 1, errors
    (error,) = errors
    assert "wrong.py:2" in error, done.stdout
    assert done.returncode == 1, done.stdout + done.stderr


def test_code_is_taken_from_where_it_stands() -> None:
    page = "Text\n\n```python\n>>> for i in range(2):\n...     print(i)\n0\n1\n\n```\n"
    assert code_of_page(page) == "for i in range(2):\n    print(i)\n"
    book = {"cells": [{"cell_type": "markdown", "source": ["# No"]}, {"cell_type": "code", "source": ["a = 1\n", "a"]}]}
    assert code_of_notebook(json.dumps(book)) == "a = 1\na\n"
