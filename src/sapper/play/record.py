"""A replayable record of one game, as text that people can read.

::

    Sapper-Record: 1
    Rules: 9x9/10
    Seed: 7
    Player: Ada
    Moves:
    open 0,0 | the corner
    flag 3,4
    Result: lost after 2 moves, score 0/10

Replaying plays the game again, move by move, and checks its result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from sapper.errors import IllegalMove, InputError, check_type
from sapper.layout import Layout
from sapper.notebook import draw
from sapper.play.dealt import start_game
from sapper.rules import Rules
from sapper.words import count
from sapper.world.game import Game, Outcome

Action = Literal["open", "flag", "chord"]
ACTIONS: tuple[Action, ...] = get_args(Action)

VERSION = 1
_MOVE = re.compile(r"(\w+) (\d{1,7}),(\d{1,7})(?: \| (.*))?", re.ASCII)
_HEADER = re.compile(r"([A-Za-z-]+): (.*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Move:
    """One move and why it was made, in a sentence; the reason may be empty."""

    action: Action
    row: int
    col: int
    reason: str = ""

    def __post_init__(self) -> None:
        if self.action not in ACTIONS:
            raise InputError(f"There is no move {self.action!r}; choose from {', '.join(ACTIONS)}.")
        # A record has one line per move.
        object.__setattr__(self, "reason", " ".join(self.reason.split()))

    def __str__(self) -> str:
        return f"{self.action} {self.row},{self.col}" + (f" | {self.reason}" if self.reason else "")

    def play(self, game: Game) -> None:
        """Make this move in a game."""
        getattr(game, self.action)(self.row, self.col)


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """What happened in a game: enough to replay it.

    rules: the rules of the game.
    seed: determines the layout, unless one is given.
    moves: the moves, in order.
    layout: the layout, if it was given.
    player: who played.
    result: how the game ended, in words.
    n_given: how many of the first moves only lead to the position at which the game began.
    """

    rules: Rules
    seed: int
    moves: tuple[Move, ...] = ()
    layout: Layout | None = None
    player: str = ""
    result: str = ""
    n_given: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", " ".join(self.player.split()))

    @classmethod
    def of(cls, game: Game, moves: tuple[Move, ...], player: str = "", n_given: int = 0) -> Record:
        """Record a game as it stands after these moves."""
        result = describe_result(game, len(moves) - n_given)
        return cls(game.rules, game.seed, moves, game.given_layout, player, result, n_given)

    @property
    def n_own(self) -> int:
        """The number of moves that the player made."""
        return len(self.moves) - self.n_given

    def __str__(self) -> str:
        lines = [f"Sapper-Record: {VERSION}", f"Rules: {self.rules}", f"Seed: {self.seed}"]
        if self.layout is not None:
            lines.append(f"Layout: {self.layout}")
        if self.player:
            lines.append(f"Player: {self.player}")
        if self.n_given:
            lines.append(f"Given-Moves: {self.n_given}")
        lines += ["Moves:", *map(str, self.moves)]
        if self.result:
            lines.append(f"Result: {self.result}")
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        result = self.result or count(self.n_own, "move")
        player = f" by {self.player}" if self.player else ""
        return f"<Record {self.rules.in_short}, seed {self.seed}{player}: {result}>"

    def _repr_svg_(self) -> str | None:
        return draw(self.rules.topology, "draw_svg", self.final_game().observation)

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record; errors name the line."""
        check_type(text, str, "a record as text")
        lines = [line.rstrip("\r") for line in text.split("\n")]
        if lines[0] != f"Sapper-Record: {VERSION}":
            raise InputError(f"Line 1: a record begins with 'Sapper-Record: {VERSION}'.")
        header: dict[str, str] = {}
        moves: list[Move] = []
        in_moves = False
        for number, line in enumerate(lines[1:], start=2):
            if not line.strip():
                continue
            if line == "Moves:":
                in_moves = True
                continue
            entry = _HEADER.fullmatch(line)
            if entry is not None and entry[1] in _KEYS and (not in_moves or entry[1] == "Result"):
                header[entry[1]] = entry[2].strip()
            elif in_moves:
                moves.append(_parse_move(number, line))
            else:
                raise InputError(f"Line {number}: {line[:40]!r} is not a header line of a record.")
        return cls._of_header(header, tuple(moves))

    @classmethod
    def _of_header(cls, header: dict[str, str], moves: tuple[Move, ...]) -> Record:
        for key in ("Rules", "Seed"):
            if key not in header:
                raise InputError(f"The record does not say its {key.lower()}.")
        rules = Rules.parse(header["Rules"])
        if not re.fullmatch(r"\d{1,19}", header["Seed"], re.ASCII):
            raise InputError(f"The seed {header['Seed'][:40]!r} is not an integer.")
        layout = Layout.parse(header["Layout"], rules.own or rules.shape) if "Layout" in header else None
        given = header.get("Given-Moves", "0")
        if not re.fullmatch(r"\d{1,9}", given, re.ASCII) or int(given) > len(moves):
            raise InputError(f"The number of given moves {given[:40]!r} is not an integer up to {len(moves):,}.")
        player, result = header.get("Player", ""), header.get("Result", "")
        return cls(rules, int(header["Seed"]), moves, layout, player, result, int(given))

    def replay(self) -> Iterator[tuple[Move | None, Game]]:
        """Play the game again: yield it at the start (no move yet), then after every move.

        It is the same `Game` each time, so use it before asking for the next. Raises `InputError` where a move is
        illegal, or at the end if the result differs from the recorded one.
        """
        game = start_game(self.rules, self.seed, self.layout)
        yield None, game
        for number, move in enumerate(self.moves, start=1):
            try:
                move.play(game)
            except IllegalMove as error:
                raise InputError(
                    f"Move {number} ({move.action} {move.row},{move.col}) cannot be made: {error}"
                ) from error
            yield move, game
        result = describe_result(game, self.n_own)
        # Records of the first edition count right flags and do not subtract wrong ones.
        if self.result and self.result not in (result, _describe_result(game, self.n_own, game.n_right_flags)):
            raise InputError(f"The record says {self.result!r} but playing it again gives {result!r}.")

    def final_game(self) -> Game:
        """Return the game as it stands after the last move."""
        *_, (_, game) = self.replay()
        return game


_KEYS = ("Rules", "Seed", "Layout", "Player", "Given-Moves", "Result")


def _parse_move(number: int, line: str) -> Move:
    match = _MOVE.fullmatch(line.strip())
    if match is None or match[1] not in ACTIONS:
        raise InputError(f"Line {number}: {line[:40]!r} is not a move such as 'open 3,4 | why'.")
    return Move(match[1], int(match[2]), int(match[3]), match[4] or "")


def describe_result(game: Game, n_moves: int) -> str:
    """Return the result of a game as a phrase: ``won after 31 moves, score 0/10``."""
    return _describe_result(game, n_moves, game.n_identified)


def _describe_result(game: Game, n_moves: int, n_identified: int) -> str:
    unfinished = " so far" if game.outcome is Outcome.PLAYING else ""
    return f"{game.outcome.value} after {count(n_moves, 'move')}, score {n_identified}/{game.rules.mines}{unfinished}"


def describe_stop(game: Game, n_moves: int) -> str:
    """Return the result of a survey that an agent stopped because it had found all mines."""
    return f"stopped after {count(n_moves, 'move')}, score {game.n_identified}/{game.rules.mines}"


def read_record(data: bytes) -> Record:
    """Read a record from the bytes of a file."""
    try:
        return Record.parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"Byte {error.start} is not UTF-8 text, so this is not a record.") from None
