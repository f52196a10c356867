"""The names that ``import sapper`` offers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sapper

ROOT = Path(__file__).parent.parent


def test_every_promised_name_is_there_and_documented() -> None:
    assert set(sapper.__all__) == {*sapper._HOME, "__version__"}
    for name in sapper.__all__:
        value = getattr(sapper, name)
        if callable(value):
            assert value.__doc__, name


def test_every_promised_name_stands_in_the_documentation() -> None:
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    missing = [name for name in sapper.__all__ if not re.search(rf"`(sapper\.)?{name}\b", text)]
    assert not missing


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = sapper.nonsense
    assert "Game" in dir(sapper)


def test_importing_sapper_loads_nothing_heavy() -> None:
    code = "import sys, sapper, sapper.cli; sys.exit(any(name in sys.modules for name in ('numpy', 'sapper.kernels')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_version_is_the_one_of_the_package() -> None:
    assert f'version = "{sapper.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
