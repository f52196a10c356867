"""``sapper game``: Minesweeper in the terminal by typed moves."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import LAYOUT_HELP, board_of_layout, check_target, write_bytes
from sapper.cli.options import BOARD_HELP, refuse_with
from sapper.errors import InputError, SapperError
from sapper.words import count

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rich.console import Console

    from sapper.layout import Layout
    from sapper.play.advice.typed_game import TypedGame
    from sapper.rules import Rules


HELP = """\
Moves, with rows and columns counted from 0 at the top left:
  3 4             open the cell in row 3, column 4 (or: open 3,4)
  f 3 4           put a flag on it or remove it (or: flag 3,4)
  c 3 4           chord: open what is left around a clue (or: chord 3,4)
Help:
  hint            what to do next, and why
  chances         the mine probability of every hidden cell
  around 3 4      the cells that the one in row 3, column 4 touches
  undo            undo the last move, as often as you like
Other:
  save FILE       write the record of the game so far
  ?, q            this help; quit"""


def game(
    board: str | None = typer.Option(None, help=BOARD_HELP, show_default="beginner"),
    seed: int | None = typer.Option(None, help="Same seed, same board; without it, a new board every time."),
    layout: str | None = typer.Option(None, metavar="LAYOUT", help=LAYOUT_HELP),
    output: str | None = typer.Option(None, metavar="FILE", help="Write the record of the game to this file."),
) -> None:
    """Play a game in the terminal by typing moves, with hints if you like.

    Type 3 4 to open the cell in row 3, column 4, f 3 4 to flag it, hint for a hint, and ? for everything else. Moves
    may also be typed as a record writes them, such as open 3,4.

    With --board "beginner fair" forced guesses survive and unforced guesses fail.

    Example: sapper game --board beginner --seed 7
    """
    from rich.console import Console

    from sapper.play.advice.typed_game import TypedGame

    if output is not None:
        check_target(output)
    rules, mines = _chosen(board, layout)
    if mines is not None and rules.channel.kind == "exact":
        refuse_with("--layout", "--seed")
    typed = TypedGame(rules, _seed(seed), mines)
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys and history at the prompt)
    console = Console(highlight=False, soft_wrap=True)
    which = f"seed {typed.game.seed}" if mines is None else "the layout given"
    console.print(f"{rules}, {which}. Type ? for help.")
    try:
        GameSession(typed, console).play()
    finally:
        # An earlier record is not replaced by a game of no moves.
        if output is not None and typed.moves:
            write_bytes(output, str(typed.record).encode())


def _chosen(board: str | None, layout: str | None) -> tuple[Rules, Layout | None]:
    from sapper.rules import Rules

    if layout is None:
        return Rules.parse("beginner" if board is None else board), None
    if layout == "-":
        raise InputError("Standard input is for the moves; give the layout as text or in a file.")
    return board_of_layout(layout, board)


def _seed(seed: int | None) -> int:
    import secrets

    return secrets.randbelow(2**31) if seed is None else seed


class GameSession:
    """A game at the prompt: draws the board, reads a line and answers, until the player quits or the input ends."""

    def __init__(self, typed: TypedGame, console: Console) -> None:
        self._typed = typed
        self._console = console
        self._listens = {
            "?": self._help, "h": self._help, "help": self._help, "hint": self._hint, "chances": self._chances,
            "around": self._around, "undo": self._undo, "u": self._undo, "save": self._save, "s": self._save,
        }  # fmt: skip

    def play(self) -> None:
        """Continue until the player quits, the input ends or Ctrl-C."""
        self._draw()
        try:
            while True:
                line = self._listen()
                if line in ("q", "quit", "exit") or (not line and self._typed.finished):
                    break
                self._answer(line)
        except (EOFError, KeyboardInterrupt):
            self._console.print()
        self._say(f"{self._typed.record.result.capitalize()}." if self._typed.moves else "Nothing was played.")

    def _listen(self) -> str:
        line = self._console.input("> ").strip()
        if not sys.stdin.isatty():
            # A piped session reads like one that was typed.
            self._say(line)
        return line

    def _answer(self, line: str) -> None:
        from sapper.play.advice.typed_game import read_move

        word, _, rest = line.partition(" ")
        try:
            if not line:
                self._draw()
            elif word.lower() in self._listens:
                self._listens[word.lower()](rest.strip())
            else:
                told = self._typed.play(read_move(line))
                self._draw(told=told)
        except SapperError as error:
            self._say(str(error))
        except OSError as error:
            self._say(f"{error.strerror or error}: {error.filename}." if error.filename else f"{error}.")

    # -- what may be typed -----------------------------------------------------------------------------------

    def _help(self, _rest: str) -> None:
        self._say(HELP)

    def _hint(self, _rest: str) -> None:
        self._say(self._typed.hint())

    def _chances(self, _rest: str) -> None:
        from sapper.draw.terminal import draw_chances

        found = self._typed.posterior()
        observation = self._typed.game.observation
        self._console.print(draw_chances(observation, found.p_mine, found.safe, found.mines, found.safest))
        self._say(f"{observation.caption()}; the rest in percent")

    def _around(self, rest: str) -> None:
        from sapper.draw.svg import say_neighbours
        from sapper.play.advice.entries import read_cell

        board = self._typed.game.rules.topology
        cell = board.number(read_cell(rest))
        if self._console.is_terminal:
            self._draw(board.neighbours_of(cell))
        self._say(say_neighbours(board, cell))

    def _undo(self, _rest: str) -> None:
        self._typed.undo()
        self._say(f"Undone; {count(len(self._typed.moves), 'move')} left.")
        self._draw()

    def _save(self, rest: str) -> None:
        if not rest:
            raise InputError("Name the file: save FILE.")
        write_bytes(rest, str(self._typed.record).encode())
        self._say(f"Saved {rest}.")

    # -- what is said ----------------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False)

    def _draw(self, marked: Collection[int] = (), told: Sequence[str] = ()) -> None:
        from sapper.draw.terminal import draw_terminal
        from sapper.play.review.sentences import count_guesses
        from sapper.world.game import Outcome

        game = self._typed.game
        if not self._console.is_terminal:
            print(game.observation.pretty())
        elif game.outcome is Outcome.LOST and game.layout is not None:
            self._say("A mine! The mines were here:")
            self._console.print(draw_terminal(game.observation, marked=game.layout.mine_numbers()))
        else:
            self._console.print(draw_terminal(game.observation, marked))
        for sentence in told:
            self._say(sentence)
        if self._typed.finished:
            if self._typed.guesses:
                self._say(count_guesses(self._typed.guesses))
            self._say(f"The game is {game.outcome.value}. Press Enter to end, or type undo to undo the last move.")
