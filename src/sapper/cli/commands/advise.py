"""``sapper advise``: a conversation with a person who plays a real game."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import load_position
from sapper.cli.options import BOARD_HELP
from sapper.cli.terminal import Conversation
from sapper.errors import Contradiction, InputError, TooHard
from sapper.words import count, name_cells, percent

if TYPE_CHECKING:
    from rich.console import Console

    from sapper.play.advice.real_game import Advice
    from sapper.topology import Cell


MAX_NAMED = 10  # cells in one sentence


def advise(
    position: str | None = typer.Argument(None, help="Start from this position: text, or a file."),
    board: str | None = typer.Option(None, help=BOARD_HELP, show_default="beginner, or that of the position"),
    agent: str = typer.Option("exact", help="The agent that gives the advice; see sapper agents."),
    seed: int = typer.Option(0, min=0, help="For agents that choose at random: same seed, same advice."),
) -> None:
    """Get advice for a game that you play elsewhere: which cell to open, its risk and the reason.

    Open the named cell in your game and type what it shows: a digit, * for a mine, . for no clue. After a 0 your game
    has opened a whole region; you are then asked about it row by row, and type a string of clues for each piece, such
    as 1121. You can also enter any cells at any time (3,4=2 3,5=1), a whole row (row 3: 01#2) or a whole position. If
    no layout fits an entry, the clues that disagree are named, and nothing changes; undo removes earlier entries.
    Type ? for everything else. Rows and columns count from 0 at the top left.

    Example: sapper advise --board expert
    """
    from rich.console import Console

    from sapper.agents.registry import make_agent
    from sapper.play.advice.real_game import Advice
    from sapper.play.reading import rules_of
    from sapper.rules import Rules

    if position == "-":
        raise InputError("Standard input is for your answers; give the position as text or in a file.")
    adviser = make_agent(agent, seed)
    start = None if position is None else load_position(position)
    if board is None and start is not None:
        rules = rules_of(start)
    else:
        rules = Rules.parse("beginner" if board is None else board)
    advice = Advice(rules, adviser, start)
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys and history at the prompt)
    AdviceSession(advice, Console(highlight=False, soft_wrap=True)).hold()


class AdviceSession(Conversation):
    """Advice at the prompt."""

    def __init__(self, advice: Advice, console: Console) -> None:
        super().__init__(console, "advise")
        self._advice = advice
        self._is_in_region = False  # the question about a zero's region is put once, then its rows follow
        self._listens |= {
            "why": self._why, "board": self._board, "b": self._board, "load": self._load, "else": self._else,
            "skip": self._skip, "won": self._won,
        }  # fmt: skip

    def hold(self) -> None:
        """Continue until the player quits, the input ends or Ctrl-C."""
        self._say(f"{self._advice.rules}. Type ? for help.")
        self._present()
        self._hold()
        advice = self._advice
        if not advice.finished and advice.n_entries:
            again = f"--board {shlex.quote(str(advice.rules))} {shlex.quote(str(advice.observation))}"
            self._say(f"To continue from here: sapper advise {again}")

    def _prompt(self) -> str:
        from sapper.play.advice.entries import name_run

        asked = self._advice.asked
        return f"{name_run(asked)} = " if asked else "> "

    @property
    def _finished(self) -> bool:
        return self._advice.finished

    @property
    def _saved(self) -> str:
        return f"{self._advice.observation}\n"

    # -- what may be typed -----------------------------------------------------------------------------------

    def _enter(self, line: str) -> None:
        from sapper.play.advice.entries import looks_like_a_position, read_entries, read_position

        advice = self._advice
        try:
            if looks_like_a_position(line, advice.rules):
                advice.replace(read_position(line, advice.rules))
            else:
                # After the end nothing is asked, and the session says so.
                advice.enter(read_entries(line, advice.asked, advice.observation) if advice.asked else {})
        except Contradiction as error:
            self._say(f"That cannot be. {error} Nothing was changed; if an earlier entry is wrong, type undo.")
            return
        self._present()

    def _undo(self) -> None:
        self._advice.undo()
        self._say(f"Undone; {count(self._advice.n_entries, 'entry', 'entries')} left.")
        self._present()

    def _why(self, rest: str) -> None:
        from sapper.play.advice.entries import read_cell

        self._say(describe_reason(self._advice, read_cell(rest) if rest else None))

    def _board(self, _rest: str) -> None:
        found, cell = self._advice.posterior, self._advice.decision.cell
        if found is None:
            self._draw()
            self._say("This position is too hard for the exact sum, so there are no chances to show.")
        else:
            self._show_chances(found, () if cell is None else (cell,))

    def _load(self, rest: str) -> None:
        if not rest or rest == "-":
            raise InputError("Name the file: load FILE.")
        self._advice.replace(load_position(rest))
        self._present()

    def _else(self, rest: str) -> None:
        from sapper.play.advice.entries import read_cell

        if len(re.findall(r"[^\s,=()]+", rest)) > 2:
            self._enter(f"at {rest}")  # with what it showed
        else:
            self._advice.ask(read_cell(rest))

    def _skip(self, _rest: str) -> None:
        self._advice.skip_region()
        self._present()

    def _won(self, _rest: str) -> None:
        self._advice.declare_won()
        self._present()

    # -- what is said ----------------------------------------------------------------------------------------

    def _draw(self) -> None:
        from sapper.draw.terminal import draw_terminal

        observation = self._advice.observation
        if self._console.is_terminal:
            marked = [observation.topology.index(*cell) for cell in self._advice.asked]
            self._console.print(draw_terminal(observation, marked))
        else:
            self._say(observation.pretty())

    def _present(self) -> None:
        advice = self._advice
        if self._console.is_terminal:
            self._draw()
        if advice.new_mines:
            mines = "a mine" if len(advice.new_mines) == 1 else "mines"
            self._say(f"Certainly {mines}: {name_cells(advice.new_mines, MAX_NAMED)}.")
        if advice.finished:
            self._say(f"{describe_end(advice)} Press Enter to end, or type undo to undo the last entry.")
        elif advice.asks_for_region:
            if not self._is_in_region:
                self._say("The zero opened the cells around it too. What do they show? (skip: one by one)")
        else:
            self._say(describe_advice(advice))
        self._is_in_region = advice.asks_for_region


def describe_advice(advice: Advice) -> str:
    """Say what to do next, the risk and the reason, and which other cells are safe."""
    decision = advice.decision
    cell = decision.cell
    assert cell is not None
    reason = f"{decision.why.removesuffix('.')}."
    if not advice.observation.closed[cell]:
        return f"Ask {cell} again: {reason}"
    if advice.is_promised:
        return f"Open {cell}, safe: the rules promise it of the first cell."
    found, risk = advice.posterior, advice.risk
    certain = found is not None and (cell in found.safe or cell in found.mines)
    if risk == 0.0 and (certain or found is None):
        safe = [] if found is None else [other for other in found.safe if other != cell]
        as_well = f" Safe as well: {name_cells(safe, MAX_NAMED)}." if safe else ""
        return f"Open {cell}, safe: {_name_clues(advice, cell, reason)}{as_well}"
    told = "unknown" if risk is None else percent(risk, certain, 1)
    return f"Open {cell}, risk {told}: {reason}"


def _name_clues(advice: Advice, cell: Cell, reason: str) -> str:
    """The agent's reason; or, from an agent that only knows that it is so, the clues that it takes."""
    from sapper.inference.proofs.explain import explain
    from sapper.inference.proofs.sentences import because

    if advice.names_clues:
        return reason
    try:
        found = explain(advice.observation, *cell)
        return f"{because(found)}." if found.verdict == "safe" else reason
    except TooHard:
        return reason


def describe_reason(advice: Advice, cell: Cell | None = None) -> str:
    """Say at length why a cell is certain, or what is known of its risk."""
    from sapper.inference.proofs.explain import explain

    observation = advice.observation
    chosen = advice.decision.cell if cell is None else cell
    if chosen is None:
        return describe_end(advice)
    observation.topology.index(*chosen)
    if not observation.closed[chosen]:
        return advice.decision.reason if cell is None else f"{chosen} is open."
    if advice.is_promised:
        return f"{chosen} is safe: nothing is open yet, and the rules promise that the first cell is not a mine."
    try:
        return str(explain(observation, *chosen))
    except TooHard as error:
        return f"{error} {advice.decision.reason}" if cell is None else str(error)


def describe_end(advice: Advice) -> str:
    """Say how the game ended."""
    from sapper.observation import EXPLODED
    from sapper.world.game import Outcome

    if advice.outcome is Outcome.LOST:
        return "A mine: the game is over."
    n_hidden = int(advice.observation.closed.sum())
    left = f"the {count(n_hidden, 'hidden cell is a mine', 'hidden cells are mines')}" if n_hidden else "none is hidden"
    if advice.outcome is Outcome.WON:
        return f"Solved: every safe cell is open; {left}."
    n_exploded = int((advice.observation.cells == EXPLODED).sum())
    return f"Solved: every safe cell is open; {left}. Score {n_hidden}/{n_hidden + n_exploded}."
