"""The command that makes the examples and puzzles of the course makes the file that ships, to the last letter."""

from __future__ import annotations

import doctest
import runpy
import sys
from importlib.resources import files
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "course.py"


@pytest.mark.slow
def test_the_course_is_what_its_command_makes() -> None:
    made = runpy.run_path(str(SCRIPT))["make_course"]()
    assert made == files("sapper.data").joinpath("course.json").read_text(encoding="utf-8")


def test_the_words_of_captions() -> None:
    runpy.run_path(str(SCRIPT))
    result = doctest.testmod(sys.modules["scripts.lessons.saying"])
    assert result.attempted > 3
    assert result.failed == 0
