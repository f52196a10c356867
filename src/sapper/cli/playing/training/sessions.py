"""A session in the terminal: one puzzle after the other, every answer kept, and a score at the end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sapper.cli.playing.training.asking import Asker, Quit, describe

if TYPE_CHECKING:
    from rich.console import Console

    from sapper.cli.playing.training.asking import Answered
    from sapper.cli.playing.training.diary import Diary
    from sapper.cli.playing.training.teachers import Teacher
    from sapper.train import Puzzle


class Session:
    """Asks what the teacher sets, until the teacher, the person or the input is at an end."""

    def __init__(self, teacher: Teacher, diary: Diary, console: Console) -> None:
        self._teacher = teacher
        self._diary = diary
        self._console = console
        self._asker = Asker(console, teacher.is_brief)
        self._answered: list[Answered] = []

    def hold(self) -> None:
        """Go on until it ends; Ctrl-C and the end of the input are ways to end it."""
        try:
            number = 0
            while (puzzle := self._teacher.next()) is not None:
                number += 1
                self._pose(puzzle, number)
        except (EOFError, KeyboardInterrupt):
            self._console.print()
        except Quit:
            pass
        score, *by_kind = describe(self._answered)
        for line in (score, *(by_kind if self._teacher.tells_kinds else ()), *self._teacher.farewell()):
            self._asker.say(line)

    def _pose(self, puzzle: Puzzle, number: int) -> None:
        from sapper.train import ABOUT_KINDS

        if number > 1:
            self._console.print()
        heading = self._teacher.title(number)
        if self._teacher.tells_kinds:
            heading += f": {puzzle.kind} ({ABOUT_KINDS[puzzle.kind]}), rating {puzzle.difficulty}."
        answered = self._asker.ask(puzzle, heading)
        if answered is not None:
            self._answered.append(answered)
            self._note(puzzle, answered)

    def _note(self, puzzle: Puzzle, answered: Answered) -> None:
        from sapper.train import Attempt
        from sapper.train.learner import HELPED

        attempt = Attempt.of(
            puzzle,
            min(answered.score, HELPED) if answered.was_helped else answered.score,
            seconds=round(answered.seconds, 3),
            at=round(time.time(), 3),
            way=self._teacher.way,
            began=self._teacher.began,
        )
        complaint = self._diary.add(attempt)
        said = self._teacher.note(attempt, is_right=answered.is_right, was_helped=answered.was_helped)
        for line in (complaint, said):
            if line:
                self._asker.say(line)
