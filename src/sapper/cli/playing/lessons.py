"""A lesson in the terminal: one puzzle after the other, answers read line by line, and a score at the end."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from sapper.errors import GaveUp, InputError, SapperError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console
    from rich.text import Text

    from sapper.layout import Layout
    from sapper.rules import Rules
    from sapper.topology import Cell
    from sapper.train import Kind, Puzzle, Verdict

HELP = """\
Answers, with rows and columns counted from 0 at the top left:
  3 4             the cell in row 3, column 4 (or: 3,4)
  2               a number, where one is asked for
Help:
  hint            which clues to look at; a right answer after it does not lead to a harder level
  why             the answer and its proof; the puzzle then counts as not solved
  skip            the next puzzle; this one does not count
Other:
  Enter           show the puzzle again
  ?, q            this help; quit"""

_UP, _DOWN = 3, 2  # right answers in a row that lead to the next level, and wrong ones that lead back
_GAP = 4  # columns between two boards


@dataclass(slots=True)
class Course:
    """Which kind of puzzle comes next: harder after right answers, easier after wrong ones.

    >>> course = Course(("single", "subsets"))
    >>> [course.note(True) for _ in range(3)], course.kind
    (['', '', 'Three right in a row: on to subsets.'], 'subsets')
    """

    kinds: Sequence[Kind]  # easiest first
    _at: int = 0
    _n_right: int = field(default=0, repr=False)  # in a row
    _n_wrong: int = field(default=0, repr=False)

    @property
    def kind(self) -> Kind:
        """The kind of the next puzzle."""
        return self.kinds[self._at]

    def note(self, is_right: bool, was_helped: bool = False) -> str:
        """Take down an answer; return what to say if the level changes, and otherwise nothing."""
        if is_right and was_helped:
            self._n_wrong = 0
            return ""
        self._n_right, self._n_wrong = (self._n_right + 1, 0) if is_right else (0, self._n_wrong + 1)
        if self._n_right == _UP:
            return self._move(1, "Three right in a row: on to {}.")
        if self._n_wrong == _DOWN:
            return self._move(-1, "Two wrong in a row: back to {}.")
        return ""

    def leave_out(self) -> None:
        """Go on without the kind at hand, of which this board has no puzzles."""
        self.kinds = [kind for kind in self.kinds if kind != self.kind]
        self._at = min(self._at, len(self.kinds) - 1)

    def _move(self, by: int, said: str) -> str:
        self._n_right = self._n_wrong = 0
        at = min(max(self._at + by, 0), len(self.kinds) - 1)
        if at == self._at:
            return ""
        self._at = at
        return said.format(self.kind)


class Supply:
    """Puzzles of every kind, each made when it is wanted; the same from the same seed."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules = rules
        self._seed = seed
        self._lines: dict[Kind, Iterator[Puzzle]] = {}

    def next(self, kind: Kind) -> Puzzle:
        """The next puzzle of a kind; raise `GaveUp` if there is none on this board."""
        from sapper.train import puzzles

        if kind not in self._lines:
            self._lines[kind] = puzzles(kind, self._seed, board=self._rules)
        return next(self._lines[kind])


class Answered(NamedTuple):
    """How a puzzle went."""

    kind: Kind
    is_right: bool
    seconds: float


class Lesson:
    """Shows a puzzle, reads a line, answers, until the puzzles, the person or the input is at an end."""

    def __init__(self, supply: Supply, course: Course, n_puzzles: int, console: Console) -> None:
        self._supply = supply
        self._course = course
        self._n_puzzles = n_puzzles
        self._console = console
        self._answered: list[Answered] = []
        self._was_helped = False
        self._began = 0.0

    def hold(self) -> None:
        """Go on until it ends; Ctrl-C and the end of the input are ways to end it."""
        try:
            for number in range(1, self._n_puzzles + 1):
                self._pose(self._next(), number)
        except (EOFError, KeyboardInterrupt):
            self._console.print()
        except _Quit:
            pass
        for line in describe(self._answered):
            self._say(line)

    def _next(self) -> Puzzle:
        while True:
            try:
                return self._supply.next(self._course.kind)
            except GaveUp:
                if len(self._course.kinds) == 1:
                    raise
                self._course.leave_out()

    def _pose(self, puzzle: Puzzle, number: int) -> None:
        from sapper.train import ABOUT_KINDS

        if number > 1:
            self._console.print()
        which = f"Puzzle {number} of {self._n_puzzles}: {puzzle.kind} ({ABOUT_KINDS[puzzle.kind]})"
        self._say(f"{which}, rating {puzzle.difficulty}.")
        self._show(puzzle)
        self._was_helped, self._began = False, time.monotonic()
        while not self._is_done_with(puzzle, self._listen()):
            pass

    def _listen(self) -> str:
        line = self._console.input("> ").strip()
        if not sys.stdin.isatty():
            # A piped session reads like the one that a person sees.
            self._say(line)
        return line

    # -- what may be typed -----------------------------------------------------------------------------------

    def _is_done_with(self, puzzle: Puzzle, line: str) -> bool:
        """Answer a line; return whether the next puzzle comes."""
        from sapper.train import check

        word = line.lower()
        if word in ("q", "quit", "exit"):
            raise _Quit
        if word == "skip":
            return True
        if word == "why":
            self._say(explain(puzzle))
            self._note(puzzle, is_right=False)
            return True
        if word in ("?", "h", "help", "hint", ""):
            self._help(puzzle, word)
            return False
        try:
            verdict = check(puzzle, read_answer(puzzle, line))
        except SapperError as error:
            self._say(str(error))
            return False
        self._judge(puzzle, line, verdict)
        return True

    def _help(self, puzzle: Puzzle, word: str) -> None:
        if word == "hint":
            self._was_helped = True
            self._say(puzzle.hint)
        elif word:
            self._say(HELP)
        else:
            self._show(puzzle)

    # -- what is said ----------------------------------------------------------------------------------------

    def _judge(self, puzzle: Puzzle, line: str, verdict: Verdict) -> None:
        said = str(verdict)
        begin = "Right." if verdict.is_right else "Wrong."
        self._say(said if said.startswith(begin) else f"{begin} {said}")
        if verdict.layouts is not None:
            cell = read_answer(puzzle, line)
            assert not isinstance(cell, int)
            self._compare(puzzle, cell, verdict.layouts)
        if verdict.proof is not None:
            self._say(str(verdict.proof))
        self._note(puzzle, verdict.is_right)

    def _note(self, puzzle: Puzzle, is_right: bool) -> None:
        self._answered.append(Answered(puzzle.kind, is_right, time.monotonic() - self._began))
        if moved := self._course.note(is_right, self._was_helped):
            self._say(moved)

    def _compare(self, puzzle: Puzzle, cell: Cell, layouts: tuple[Layout, Layout]) -> None:
        self._say("Both of these fit every clue:")
        boards = [
            _draw_layout(puzzle, layout, cell, title)
            for layout, title in zip(layouts, ("With a mine there", "Without"), strict=True)
        ]
        for line in side_by_side(boards[0], boards[1], self._console.width):
            self._console.print(line)

    def _show(self, puzzle: Puzzle) -> None:
        from sapper.draw.terminal import draw_terminal

        index = puzzle.position.topology.index
        self._console.print(draw_terminal(puzzle.position, [index(*cell) for cell in puzzle.marked]))
        self._say(puzzle.task)

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False)


class _Quit(Exception):
    """The person has had enough."""


def read_answer(puzzle: Puzzle, line: str) -> Cell | int:
    """Read a cell, or a number where one is asked for."""
    from sapper.play.advice.entries import read_cell

    if puzzle.number is not None:
        if line.isascii() and line.isdecimal() and len(line) <= 6:
            return int(line)
        raise InputError(f"{line[:40]!r} is not an answer; type the number of mines, or ? for help.")
    with suppress(InputError):
        return read_cell(line)
    raise InputError(f"{line[:40]!r} is not an answer; type a cell like 3 4, or ? for help.")


def explain(puzzle: Puzzle) -> str:
    """Every right answer, and the proof step by step."""
    if puzzle.proof is None:
        return "\n".join((puzzle.answer, *puzzle.explanation))
    return "\n".join(part for part in (puzzle.answer, puzzle.reason, str(puzzle.proof)) if part)


def describe(answered: Sequence[Answered]) -> Iterator[str]:
    """The score: of all, and of every kind if there were several.

    >>> list(describe([Answered("single", True, 2.0), Answered("single", False, 4.0)]))
    ['1 of 2 right, 3.0 seconds each on average.']
    """
    if not answered:
        yield "Nothing was answered."
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
    """The board with the mines of a layout where nothing is open, and its title above."""
    from rich.text import Text

    from sapper.draw.terminal import terminal_lines
    from sapper.observation import EXPLODED, HIDDEN, Observation

    seen = puzzle.position
    cells = seen.cells.copy()
    cells[(cells == HIDDEN) & layout.mines] = EXPLODED
    shown = Observation(seen.topology, cells, seen.total, seen.channel)
    return [Text(title), *terminal_lines(shown, [seen.topology.index(*cell)])]


def side_by_side(left: Sequence[Text], right: Sequence[Text], width: int) -> Iterator[Text]:
    """Two blocks of as many lines beside each other, or one below the other if the terminal is too narrow."""
    wide = max(line.cell_len for line in left)
    if wide + _GAP + max(line.cell_len for line in right) > width:
        yield from (*left, *right)
        return
    for one, other in zip(left, right, strict=True):
        line = one.copy()
        line.pad_right(wide - line.cell_len + _GAP)
        yield line.append_text(other)
