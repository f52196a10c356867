"""Ask puzzles in a terminal: `Asker` shows one and reads answers; `Session` asks several and stores the answers."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from sapper.cli.terminal import read_help
from sapper.errors import InputError, SapperError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console
    from rich.text import Text

    from sapper.cli.puzzle_source import PuzzleSource
    from sapper.layout import Layout
    from sapper.topology import Cell
    from sapper.train import Kind, Puzzle, Verdict
    from sapper.train.history import History


_GAP = 4  # columns between two boards


class Answered(NamedTuple):
    """The result of one puzzle."""

    kind: Kind
    score: float
    seconds: float
    was_helped: bool = False

    @property
    def is_right(self) -> bool:
        """Return whether the answer was right; a guess is right if no cell is better."""
        return self.score == 1


class Quit(Exception):
    """Raised when the learner quits."""


class Asker:
    """Shows a puzzle and reads input until it is answered, given up or skipped."""

    def __init__(self, console: Console, is_brief: bool = False) -> None:
        self._console = console
        self._is_brief = is_brief  # whether to leave out proofs
        self._was_helped = False
        self._began = 0.0

    def ask(self, puzzle: Puzzle, heading: str) -> Answered | None:
        """Return the result, or None if the puzzle was skipped; raise `Quit`, or EOFError at the end of the input."""
        self.say(heading)
        self._show(puzzle)
        self._was_helped, self._began = False, time.monotonic()
        while True:
            line = self.listen("> ")
            if line.lower() == "skip":
                return None
            score = self._answer(puzzle, line)
            if score is not None:
                return Answered(puzzle.kind, score, time.monotonic() - self._began, self._was_helped)

    def say(self, text: str) -> None:
        """Print a text without markup."""
        self._console.print(text, markup=False)

    def listen(self, prompt: str) -> str:
        """Read a line; raise `Quit` if it says so."""
        line = self._console.input(prompt).strip()
        if not sys.stdin.isatty():
            # Echo the line, so that the output of a piped session reads like one at a terminal.
            self.say(line)
        if line.lower() in ("q", "quit", "exit"):
            raise Quit
        return line

    # -- input -----------------------------------------------------------------------------------------------

    def _answer(self, puzzle: Puzzle, line: str) -> float | None:
        """Respond to a line; return the answer's score, or None if the line was no answer."""
        from sapper.train import check

        word = line.lower()
        if word == "why":
            self.say(explain(puzzle))
            return 0.0
        if word in ("?", "h", "help", "hint", "link", ""):
            if word == "hint":
                self._was_helped = True
                self.say(puzzle.hint)
            elif word == "link":
                self.say(puzzle.link)
            elif word:
                self.say(read_help("train"))
            else:
                self._show(puzzle)
            return None
        try:
            answer = read_answer(puzzle, line)
            verdict = check(puzzle, answer)
        except SapperError as error:
            self.say(str(error))
            return None
        self._judge(puzzle, answer, verdict)
        return verdict.score

    # -- output ----------------------------------------------------------------------------------------------

    def _judge(self, puzzle: Puzzle, answer: Cell | int, verdict: Verdict) -> None:
        said = str(verdict)
        begin = "Right." if verdict.is_right else "Wrong."
        self.say(said if said.startswith(begin) else f"{begin} {said}")
        if self._is_brief:
            return
        if verdict.layouts is not None:
            assert not isinstance(answer, int)
            self.say("Both of these fit every clue:")
            boards = [
                _draw_layout(puzzle, layout, answer, title)
                for layout, title in zip(verdict.layouts, ("With a mine there", "Without"), strict=True)
            ]
            for line in side_by_side(boards[0], boards[1], self._console.width):
                self._console.print(line)
        if verdict.proof is not None:
            self.say(str(verdict.proof))

    def _show(self, puzzle: Puzzle) -> None:
        from sapper.draw.terminal import draw_terminal

        index = puzzle.position.topology.index
        self._console.print(draw_terminal(puzzle.position, [index(*cell) for cell in puzzle.marked]))
        self.say(puzzle.task)


def read_answer(puzzle: Puzzle, line: str) -> Cell | int:
    """Read a cell, or a number if the puzzle asks for one."""
    from sapper.play.advice.entries import read_cell

    if puzzle.number is not None:
        if line.isascii() and line.isdecimal() and len(line) <= 6:
            return int(line)
        raise InputError(f"{line[:40]!r} is not an answer; type the number of mines, or ? for help.")
    with suppress(InputError):
        return read_cell(line)
    raise InputError(f"{line[:40]!r} is not an answer; type a cell like 3 4, or ? for help.")


def explain(puzzle: Puzzle) -> str:
    """Return every right answer, and the proof step by step."""
    if puzzle.proof is None:
        return "\n".join((puzzle.answer, *puzzle.explanation))
    return "\n".join(part for part in (puzzle.answer, puzzle.reason, str(puzzle.proof)) if part)


def describe(answered: Sequence[Answered]) -> Iterator[str]:
    """Describe the score, overall and by kind if there were several.

    >>> list(describe([Answered("single", 1.0, 2.0), Answered("single", 0.0, 4.0)]))
    ['1 of 2 right, 3.0 seconds each on average.']
    """
    if not answered:
        yield "No puzzle was answered."
        return
    yield f"{_score(answered)} right, {_mean(answered):.1f} seconds each on average."
    kinds = list(dict.fromkeys(one.kind for one in answered))
    if len(kinds) > 1:
        width = max(map(len, kinds))
        for kind in kinds:
            of_kind = [one for one in answered if one.kind == kind]
            yield f"  {kind:<{width}}  {_score(of_kind)}, {_mean(of_kind):.1f} s"


def _score(answered: Sequence[Answered]) -> str:
    return f"{sum(one.is_right for one in answered)} of {len(answered)}"


def _mean(answered: Sequence[Answered]) -> float:
    return sum(one.seconds for one in answered) / len(answered)


def _draw_layout(puzzle: Puzzle, layout: Layout, cell: Cell, title: str) -> list[Text]:
    """Draw the board with the mines of a layout, under a title."""
    from rich.text import Text

    from sapper.draw.terminal import terminal_lines
    from sapper.observation import EXPLODED, HIDDEN, Observation

    seen = puzzle.position
    cells = seen.cells.copy()
    cells[(cells == HIDDEN) & layout.mines] = EXPLODED
    shown = Observation(seen.topology, cells, seen.total, seen.channel)
    return [Text(title), *terminal_lines(shown, [seen.topology.index(*cell)])]


def side_by_side(left: Sequence[Text], right: Sequence[Text], width: int) -> Iterator[Text]:
    """Put two blocks of equally many lines side by side, or one below the other if the terminal is too narrow."""
    wide = max(line.cell_len for line in left)
    if wide + _GAP + max(line.cell_len for line in right) > width:
        yield from (*left, *right)
        return
    for one, other in zip(left, right, strict=True):
        line = one.copy()
        line.pad_right(wide - line.cell_len + _GAP)
        yield line.append_text(other)


class Session:
    """Asks puzzles until the source or the input ends, or the learner quits."""

    def __init__(self, source: PuzzleSource, history: History, console: Console) -> None:
        self._source = source
        self._history = history
        self._has_complained = False
        self._console = console
        self._asker = Asker(console, source.is_brief)
        self._answered: list[Answered] = []

    def run(self) -> None:
        """Run the session; Ctrl-C and the end of the input end it too."""
        try:
            number = 0
            while (puzzle := self._source.next()) is not None:
                number += 1
                self._pose(puzzle, number)
        except (EOFError, KeyboardInterrupt):
            self._console.print()
        except Quit:
            pass
        score, *by_kind = describe(self._answered)
        for line in (score, *by_kind, *self._source.farewell()):
            self._asker.say(line)

    def _pose(self, puzzle: Puzzle, number: int) -> None:
        from sapper.train import ABOUT_KINDS

        if number > 1:
            self._console.print()
        kind = f"{puzzle.kind} ({ABOUT_KINDS[puzzle.kind]})"
        heading = f"{self._source.title(number)}: {kind}, rating {puzzle.difficulty}."
        answered = self._asker.ask(puzzle, heading)
        if answered is not None:
            self._answered.append(answered)
            self._note(puzzle, answered)

    def _note(self, puzzle: Puzzle, answered: Answered) -> None:
        from sapper.train import Attempt
        from sapper.train.attempts import HELPED

        attempt = Attempt.of(
            puzzle,
            min(answered.score, HELPED) if answered.was_helped else answered.score,
            seconds=round(answered.seconds, 3),
            at=round(time.time(), 3),
            way=self._source.way,
            began=self._source.began,
        )
        try:
            kept = self._history.record(attempt)
        except StoreError as error:
            kept = self._history.note(attempt)
            if not self._has_complained:
                self._asker.say(f"Your answers cannot be stored. {error}")
            self._has_complained = True
        said = self._source.note(attempt, kept, is_right=answered.is_right, was_helped=answered.was_helped)
        if said:
            self._asker.say(said)
