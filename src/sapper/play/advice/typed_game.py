"""A game played by typed moves, with hints, probabilities and undo. It prints nothing.

>>> from sapper.rules import Rules
>>> typed = TypedGame(Rules.parse("3x5/2"), seed=12)
>>> typed.play(read_move("open 0,0 | the corner"))
[]
>>> str(typed.game.observation)
'00000/12110/###10 2'
>>> typed.undo()
>>> str(typed.game.observation)
'#####/#####/##### 2'
"""

from __future__ import annotations

import re

from sapper.agents.best import best_guess
from sapper.errors import IllegalMove, InputError
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.proofs.explain import explain, explain_easiest
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN
from sapper.play.dealt import DealtGame, DealtGuess, start_game
from sapper.play.record import ACTIONS, Action, Move, Record
from sapper.play.review.sentences import describe_guess
from sapper.rules import Rules
from sapper.topology import Cell
from sapper.world.game import Outcome

# A move may be abbreviated to its first letter; without a name it opens.
_NAMES: dict[str, Action] = {name: action for action in ACTIONS for name in (action, action[0])} | {"": "open"}
_MOVE = re.compile(r"([a-z]*)\s*\(?\s*(\d{1,6})(?:\s*,\s*|\s+)(\d{1,6})\s*\)?(?:\s*\|\s*(.*))?", re.ASCII)


def read_move(line: str) -> Move:
    """Read a move, as in a record or abbreviated.

    >>> [str(read_move(text)) for text in ("open 3,4 | why not", "3 4", "f 3,4", "chord (3, 4)")]
    ['open 3,4 | why not', 'open 3,4', 'flag 3,4', 'chord 3,4']
    """
    match = _MOVE.fullmatch(line.strip())
    if match is None or match[1].lower() not in _NAMES:
        raise InputError(f"{line.strip()[:40]!r} is not a move; type ? to see what you can type.")
    return Move(_NAMES[match[1].lower()], int(match[2]), int(match[3]), match[4] or "")


class TypedGame:
    """A game and its moves so far."""

    def __init__(self, rules: Rules, seed: int, layout: Layout | None = None) -> None:
        self.game = start_game(rules, seed, layout)
        self.moves: list[Move] = []

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.game.outcome is not Outcome.PLAYING

    @property
    def record(self) -> Record:
        """The record of the game so far."""
        return Record.of(self.game, tuple(self.moves), player="person")

    def play(self, move: Move) -> list[str]:
        """Make a move, or raise `IllegalMove` and leave the game as it was.

        Returns sentences about guesses on a fair, kind or cruel board: whether they were forced, and why.
        """
        before, n_guesses = self.game.observation, len(self.guesses)
        move.play(self.game)
        self.moves.append(move)
        return [describe_guess(guess, before) for guess in self.guesses[n_guesses:]]

    @property
    def guesses(self) -> list[DealtGuess]:
        """The guesses so far, on a fair, kind or cruel board."""
        return self.game.guesses if isinstance(self.game, DealtGame) else []

    def undo(self) -> None:
        """Undo the last move, or raise `IllegalMove` if there is none."""
        if not self.moves:
            raise IllegalMove("There is no move to undo.")
        *earlier, _ = self.moves
        game = start_game(self.game.rules, self.game.seed, self.game.given_layout)
        for move in earlier:
            move.play(game)
        self.game, self.moves = game, earlier

    def posterior(self) -> Posterior:
        """Return the posterior, or raise `TooHard`."""
        return mine_probabilities(self.game.observation)

    def hint(self) -> str:
        """Return a hint and its reason: a certain cell that is not flagged yet, or the safest one."""
        observation = self.game.observation
        if self.finished:
            raise IllegalMove(f"The game is over: {self.game.outcome.value}.")
        if self.game.rules.promises_safety(observation.closed):
            return "Open any cell: the rules promise that the first one is safe."
        wrong = [cell for cell in self.posterior().safe if observation.cells[cell] == FLAG]
        if wrong:
            return f"The flag at {wrong[0]} is wrong. {explain(observation, *wrong[0])}"
        easiest = explain_easiest(observation)
        if observation.cells[easiest.cell] != FLAG:
            return str(easiest)
        return str(explain(observation, *self._next_cell()))

    def _next_cell(self) -> Cell:
        """Return a certain cell without a flag, safe cells first; or the best guess."""
        found, cells = self.posterior(), self.game.observation.cells
        certain = [cell for cell in (*found.safe, *found.mines) if cells[cell] != FLAG]
        if certain:
            return certain[0]
        rules = self.game.rules
        if not (cells == HIDDEN).any():
            raise IllegalMove("Every hidden cell is flagged; remove a flag to open one.")
        return rules.topology.cell(best_guess(found, rules.first_click).cell)
