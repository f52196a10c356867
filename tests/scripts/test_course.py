"""The command that makes the examples and puzzles of the course makes the file that ships, to the last letter."""

from __future__ import annotations

import doctest
import runpy
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from sapper.observation import Observation
from sapper.train.course import lessons

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


@pytest.mark.slow
def test_no_puzzle_has_to_end_in_a_guess_before_guessing_is_taught() -> None:
    runpy.run_path(str(SCRIPT))
    share_of_guesses = sys.modules["scripts.lessons.endings"].share_of_guesses
    assert share_of_guesses(Observation.parse("1#/1# 1")) == 1.0
    assert share_of_guesses(Observation.parse("11#/1## 1")) == 0.0
    for lesson in lessons()[:10]:
        shares = [share_of_guesses(one.position) for one in lesson.puzzles]
        assert max(shares) < 1.0, lesson
        assert lesson.number > 2 or max(shares) == 0.0, lesson
