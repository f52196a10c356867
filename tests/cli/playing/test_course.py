"""The course in the terminal: the list, a lesson through a pipe and before a person, and what goes wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable

import pytest
from command import SAPPER
from processes import PATIENCE

from sapper import train
from sapper.cli.common.statuses import Status
from sapper.cli.playing.training.frames import frame_lines
from sapper.observation import Observation
from sapper.train import Frame, Puzzle, lesson, lessons

Call = Callable[..., tuple[object, str, str]]


def right(made: Puzzle) -> str:
    return "{} {}".format(*made.solution[0])


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_list_says_what_is_taught(call: Call) -> None:
    status, said, complaint = call("course")
    assert (status, complaint) == (0, "")
    lines = said.splitlines()
    for one, line in zip(lessons(), lines, strict=False):
        assert line.split(maxsplit=1)[0] == str(one.number)
        assert one.title in line
        assert line.endswith(one.about)
    assert lines[-1] == "Start with sapper course 1."


@pytest.mark.parametrize("one", lessons(), ids=lambda one: one.name)
def test_a_whole_lesson_through_a_pipe(one: train.Lesson, call: Call) -> None:
    answers = "".join(f"{right(made)}\n" for made in one.puzzles)
    status, said, complaint = call("course", str(one.number), stdin=answers)
    assert (status, complaint) == (0, "")
    assert said.startswith(f"Lesson {one.number}: {one.title}\n")
    words = one_line(said)
    for text in (*one.text, *(frame.caption for frame in one.example), f"Remember: {one.remember}"):
        assert text in words
    assert said.count("\nExample, ") == len(one.example)
    n_puzzles = len(one.puzzles)
    assert said.count("\nRight. ") == n_puzzles
    assert f"{n_puzzles} of {n_puzzles} right" in said
    following = (
        f"Next: sapper course {one.number + 1} (" if one.number < 12 else "Now play: sapper game --board beginner"
    )
    assert said.splitlines()[-1].startswith(following)


def test_names_work_and_an_input_that_ends_is_no_error(call: Call) -> None:
    status, said, complaint = call("course", "one-one", stdin="")
    assert (status, complaint) == (0, "")
    assert "Puzzle 1 of 4. Type the row and the column of a cell, such as 3 4, or ? for help.\n" in said
    assert "Puzzle 2" not in said
    assert "Nothing was answered.\nRemember: 1-1 from a wall: the third cell is safe.\n" in said


def test_wrong_answers_hints_and_quitting(call: Call) -> None:
    first, second = lesson(3).puzzles[:2]
    status, said, _ = call("course", "3", stdin="0 0\nhint\nwhy\nq\n")
    assert status == 0
    assert "Wrong. (0, 0) is not certain" in said
    assert "Both of these fit every clue:" in said
    assert second.hint in said
    assert f"> why\n{second.answer}\n" in said
    assert "\nPuzzle 3 of 4.\n" in said
    assert "\n0 of 2 right, " in said
    assert said.endswith("\nRemember: 1-1 from a wall: the third cell is safe.\nNext: sapper course 4 (1-2)\n")
    assert first.task in said


def test_plain_values(call: Call) -> None:
    status, said, _ = call("course", "--json")
    assert status == 0
    assert [(one["number"], one["name"]) for one in json.loads(said)] == [(one.number, one.name) for one in lessons()]
    status, said, _ = call("course", "12", "--json")
    assert status == 0
    assert json.loads(said) == json.loads(json.dumps(lesson(12).as_plain_values()))


@pytest.mark.parametrize("which", ["0", "13", "nonsense"])
def test_a_lesson_that_is_not_there_is_one_sentence(which: str, call: Call) -> None:
    status, said, complaint = call("course", which)
    assert (status, said) == (Status.WRONG, "")
    assert complaint.startswith(f"sapper: There is no lesson '{which}'; choose from 1 numbers, ")
    assert complaint.count("\n") == 1


@pytest.mark.slow
def test_before_a_person_return_goes_on() -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [SAPPER, "course", "3"], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=os.environ | {"TERM": "dumb"}
    )
    os.close(theirs)
    said = ""
    try:
        for number in range(1, 6):
            said += until(ours, "q quits. ")
            assert f"Example, {number} of 5" not in said
            os.write(ours, b"\n")
        said += until(ours, "q quits. ")
        assert "Puzzle 1" not in said
        os.write(ours, b"\n")
        said += until(ours, "> ")
        os.write(ours, b"q\n")
        _, complaint = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert (process.returncode, complaint) == (0, b"")
    assert said.count("Example, ") == 5


def until(terminal: int, prompt: str) -> str:
    """Read from a terminal up to a prompt."""
    said = ""
    while not said.endswith(prompt):
        said += os.read(terminal, 1).decode(errors="replace")
    return said


def test_brackets_say_what_is_lit_up_without_colour() -> None:
    position = Observation.parse("1F##/1### 2")
    frame = Frame(
        position,
        "All of it.",
        (("clue", ((0, 0),)), ("area", ((1, 1),)), ("safe", ((0, 2),)), ("mine", ((0, 1), (0, 3)))),
        total=True,
    )
    lines = [line.plain for line in frame_lines(frame)]
    assert lines[1:4] == ["0 >1<[F][✓][*]", "1  1 [·] ·  · ", ">2 mines<"]
    assert re.sub(" +", " ", lines[4]) == "> < look here [ ] the cells in question [✓] safe [*] mine"


def test_chances_stand_in_the_cells() -> None:
    frame = Frame(Observation.parse("1##/1## 1"), "Even.", risks=(((0, 1), 0.5),), chances=(((1, 1), 1.0),))
    lines = [line.plain for line in frame_lines(frame)]
    assert "50%" in lines[1]
    assert "100%" in lines[2]
    assert lines[4] == "%  chance of a mine    %  chance to win"
