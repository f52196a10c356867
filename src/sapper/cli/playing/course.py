"""``sapper course``: the lessons, read and played in the terminal."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from sapper.train import Lesson

_WIDEST = 88  # columns of a text that is pleasant to read


def course(
    which: str | None = typer.Argument(
        None, metavar="[LESSON]", help="The number or the name of a lesson; without it, they are listed."
    ),
    as_json: bool = typer.Option(False, "--json", help="Ask nothing; print the lesson, or the list, as JSON."),
) -> None:
    """Learn to play, from what a number says to when to take a 50/50: twelve short lessons.

    Each has a text, an example that moves when you press Return, a few puzzles, and one sentence to remember. Nothing
    has to be known before lesson 1. Answer a puzzle with 3 4 for the cell in row 3, column 4; hint, why, skip, quit,
    and ? for everything else. Your answers are kept, and sapper train --progress counts them too.

    Example: sapper course

    Example: sapper course 1
    """
    if which is None:
        _list_lessons(as_json)
        return
    from sapper.train import lesson

    chosen = lesson(which)
    if as_json:
        print(json.dumps(chosen.as_plain_values()))
    else:
        _give(chosen)


def _give(lesson: Lesson) -> None:
    """Text, example and puzzles; Ctrl-C and q end it anywhere."""
    from rich.console import Console

    from sapper.cli.playing.training.asking import Quit
    from sapper.cli.playing.training.diary import Diary
    from sapper.cli.playing.training.sessions import Session
    from sapper.cli.playing.training.teachers import OfLesson

    console = Console(highlight=False, soft_wrap=True)
    try:
        _Reader(lesson, console).read()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return
    except Quit:
        return
    Session(OfLesson(lesson, _farewell(lesson, console)), Diary(), console).hold()


def _list_lessons(as_json: bool) -> None:
    from sapper.train.course.texts import TEXTS

    if as_json:
        headings = [
            {"number": number, "name": text.name, "title": text.title, "about": text.about}
            for number, text in enumerate(TEXTS, start=1)
        ]
        print(json.dumps(headings))
        return
    width = max(len(text.title) for text in TEXTS)
    for number, text in enumerate(TEXTS, start=1):
        print(f"{number:>2}  {text.title:<{width}}  {text.about}")
    print("\nStart with sapper course 1.")


class _Reader:
    """Shows the text and the example of a lesson, at the pace of whoever reads."""

    def __init__(self, lesson: Lesson, console: Console) -> None:
        from sapper.cli.playing.training.asking import Asker

        self._lesson = lesson
        self._console = console
        self._asker = Asker(console)
        self._has_person = sys.stdin.isatty() and console.is_terminal

    def read(self) -> None:
        """Text and example; raise `Quit`, or EOFError where the input ends."""
        self._asker.say(f"Lesson {self._lesson.number}: {self._lesson.title}\n")
        for paragraph in self._lesson.text:
            self._asker.say(f"{_wrapped(paragraph, self._console)}\n")
        self._asker.say("In the pictures a dot is a hidden cell, and F is a flag.\n")
        self._show_example()
        self._wait()

    def _show_example(self) -> None:
        from sapper.cli.playing.training.frames import frame_lines

        n_frames = len(self._lesson.example)
        for number, frame in enumerate(self._lesson.example, start=1):
            self._wait()
            self._asker.say(f"Example, {number} of {n_frames}")
            for line in frame_lines(frame):
                self._console.print(line)
            self._asker.say(f"{_wrapped(frame.caption, self._console)}\n")

    def _wait(self) -> None:
        """Let a person look at it; whatever else reads needs no time."""
        if self._has_person:
            self._asker.listen("Return goes on, q quits. ")


def _farewell(lesson: Lesson, console: Console) -> tuple[str, str]:
    from sapper.train.course.texts import TEXTS

    if lesson.number < len(TEXTS):
        after = f"Next: sapper course {lesson.number + 1} ({TEXTS[lesson.number].title})"
    else:
        after = "Now play: sapper game --board beginner"
    return _wrapped(f"Remember: {lesson.remember}", console), after


def _wrapped(text: str, console: Console) -> str:
    from textwrap import fill

    return fill(text, min(console.width, _WIDEST))
