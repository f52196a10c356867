"""``sapper game``: Minesweeper in the terminal by typed moves."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import LAYOUT_HELP, board_of_layout, check_target, write_bytes
from sapper.cli.options import BOARD_HELP, refuse_with
from sapper.cli.terminal import Conversation
from sapper.errors import InputError
from sapper.words import count

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rich.console import Console

    from sapper.layout import Layout
    from sapper.play.advice.typed_game import TypedGame
    from sapper.rules import Rules


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


class GameSession(Conversation):
    """A game at the prompt."""

    def __init__(self, typed: TypedGame, console: Console) -> None:
        super().__init__(console, "game")
        self._typed = typed
        self._listens |= {
            "hint": self._hint, "chances": self._chances, "around": self._around, "s": self._save,
        }  # fmt: skip

    def play(self) -> None:
        """Continue until the player quits, the input ends or Ctrl-C."""
        self._present()
        self._hold()
        self._say(f"{self._typed.record.result.capitalize()}." if self._typed.moves else "Nothing was played.")

    @property
    def _finished(self) -> bool:
        return self._typed.finished

    @property
    def _saved(self) -> str:
        return str(self._typed.record)

    # -- what may be typed -----------------------------------------------------------------------------------

    def _enter(self, line: str) -> None:
        from sapper.play.advice.typed_game import read_move

        self._present(told=self._typed.play(read_move(line)))

    def _hint(self, _rest: str) -> None:
        self._say(self._typed.hint())

    def _chances(self, _rest: str) -> None:
        found = self._typed.posterior()
        self._show_chances(found, found.safest)

    def _around(self, rest: str) -> None:
        from sapper.draw.svg import say_neighbours
        from sapper.play.advice.entries import read_cell

        board = self._typed.game.rules.topology
        cell = board.number(read_cell(rest))
        if self._console.is_terminal:
            self._present(board.neighbours_of(cell))
        self._say(say_neighbours(board, cell))

    def _undo(self) -> None:
        self._typed.undo()
        self._say(f"Undone; {count(len(self._typed.moves), 'move')} left.")
        self._present()

    # -- what is said ----------------------------------------------------------------------------------------

    def _present(self, marked: Collection[int] = (), told: Sequence[str] = ()) -> None:
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
