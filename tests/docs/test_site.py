"""The pages that the site makes from the code: commands, fields, names of the front door; and the notebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sapper
import sapper.env
from command_help import describe_all, describe_command
from sapper.cli.app import COMMANDS

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def documented() -> set[str]:
    """Every name that the reference has an entry for."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md"))
    return set(re.findall(r"^\.\. (?:auto\w+|py:data):: ([\w.]+)$", text, re.MULTILINE))


@pytest.mark.slow
def test_every_name_of_the_front_door_is_in_the_reference() -> None:
    # The errors stand there under the module that they live in.
    names = {f"sapper.{name}" for name in sapper.__all__ if not is_error(name)} - {"sapper.__version__"}
    names |= {f"sapper.env.{name}" for name in sapper.env.__all__}
    assert not names - documented()
    assert "sapper.errors" in documented()


def is_error(name: str) -> bool:
    value = getattr(sapper, name)
    return isinstance(value, type) and issubclass(value, sapper.SapperError)


def test_every_command_has_a_section_with_its_options() -> None:
    whole = describe_all()
    for entries in COMMANDS.values():
        for entry in entries:
            assert f"### `sapper {entry.name}`\n\n" in whole
    section = describe_command("best")
    assert "Usage: sapper best" in section
    assert "--time" in section
    assert max(map(len, section.partition("```text")[2].splitlines())) <= 84


@pytest.mark.slow
def test_the_notebook_shows_what_comes_out() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "notebooks.py", "--check"],
        capture_output=True, encoding="utf-8", check=False, env=os.environ | {"PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
