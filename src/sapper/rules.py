"""The rules of a game: the board, the first-click policy, what an opened mine does and what is shown.

Rules have a one-line text form, shared by the command line, records and the store: a preset or ``ROWSxCOLS/MINES``,
then a word for every setting that differs from the default.

>>> rules = Rules.parse("expert first-opening")
>>> rules.rows, rules.cols, rules.mines, rules.first_click
(16, 30, 99, 'opening')
>>> str(Rules.parse("report-000-uncertain"))
'5x5/15 first-any survey total-hidden withheld:0.3'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sapper.channel import EXACT, KINDS, Channel
from sapper.errors import RulesError, check_type
from sapper.topology import (
    OWN,
    SHAPES,
    Shape,
    Topology,
    check_size,
    is_neighbourhood,
    read_neighbourhood,
    topology,
    write_neighbourhood,
)
from sapper.words import count, plural

FirstClick = Literal["any", "safe", "opening"]
FIRST_CLICKS: tuple[FirstClick, ...] = get_args(FirstClick)
OpenedMine = Literal["ends", "explodes"]
OPENED_MINES: tuple[OpenedMine, ...] = get_args(OpenedMine)
Dealing = Literal["laid", "fair", "kind", "cruel"]
DEALINGS: tuple[Dealing, ...] = get_args(Dealing)


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that is fixed before the first move.

    rows, cols: the size of the board.
    mines: the number of mines.
    shape: which cells touch: ``square``, ``torus``, ``hex``, ``knight``, ``orthogonal``, or ``own`` for a custom board.
    first_click: the first cell may be ``any``, is ``safe``, or touches no mine either (``opening``).
    cascade: whether opening a 0 opens its neighbours.
    opened_mine: an opened mine ``ends`` the game (classic) or ``explodes`` and play continues (survey).
    total_known: whether the player knows the number of mines.
    channel: how clues are shown.
    dealing: mines are ``laid`` at the first click, or placed during the game: ``fair``, ``kind`` or ``cruel``.
    own: the board, if it is custom; `Rules.on` makes rules for it.
    """

    rows: int
    cols: int
    mines: int
    shape: Shape = "square"
    first_click: FirstClick = "safe"
    cascade: bool = True
    opened_mine: OpenedMine = "ends"
    total_known: bool = True
    channel: Channel = EXACT
    dealing: Dealing = "laid"
    own: Topology | None = None

    def __post_init__(self) -> None:
        check_size(self.rows, self.cols)
        self._check_own()
        for value, allowed, name in (
            (self.shape, (*SHAPES, *([OWN] if self.own is not None else [])), "topology"),
            (self.first_click, FIRST_CLICKS, "first-click policy"),
            (self.opened_mine, OPENED_MINES, "effect of an opened mine"),
            (self.dealing, DEALINGS, "kind of dealing"),
        ):
            if value not in allowed:
                raise RulesError(f"There is no {name} {value!r}; choose from {', '.join(allowed)}.")
        if not isinstance(self.mines, (int, np.integer)):
            raise RulesError(f"The number of mines must be an integer, not {self.mines!r}.")
        if self.mines < 0:
            raise RulesError(f"A board cannot hold {count(self.mines, 'mine')}.")
        n_cells = self.rows * self.cols
        if self.mines > n_cells:
            cells = count(n_cells, "cell")
            raise RulesError(f"{self.mines} mines are more than the {cells} of {self.rows} x {self.cols}.")
        if self.mines > n_cells - self.min_reserved:
            raise RulesError(
                f"{count(self.mines, 'mine')} on {self.rows} x {self.cols} {plural(self.mines, 'leaves', 'leave')} no "
                f"room for the first-click policy {self.first_click!r}."
            )
        self._check_dealing()

    def _check_own(self) -> None:
        if self.own is None:
            if self.shape == OWN:
                raise RulesError("The shape 'own' needs a table of neighbours: make such rules with Rules.on.")
            return
        if self.shape != OWN or self.own.shape != OWN:
            raise RulesError(f"The rules have a custom board, so its shape must be 'own', not {self.shape!r}.")
        if (self.own.rows, self.own.cols) != (self.rows, self.cols):
            raise RulesError(
                f"The rules say {self.rows} x {self.cols}, but the custom board is {self.own.rows} x {self.own.cols}."
            )

    def _check_dealing(self) -> None:
        if self.dealing == "laid":
            return
        others = {
            "survey": self.opened_mine == "explodes",
            "total-hidden": not self.total_known,
            str(self.channel): self.channel != EXACT,
        }
        for word, is_said in others.items():
            if is_said:
                raise RulesError(
                    f"A {self.dealing} board needs a classic game with exact clues and a known number of mines; "
                    f"it does not go with {word}."
                )

    @classmethod
    def on(cls, board: Topology, mines: int, **others: object) -> Rules:
        """Make rules for any board, including those of `Topology.of_neighbours`.

        >>> ring = Topology.of_neighbours(1, 4, [[1, 3], [0, 2], [1, 3], [2, 0]])
        >>> str(Rules.on(ring, 1, first_click="any"))
        '1x4/1 own:1,3/2/3 first-any'
        """
        check_type(board, Topology, "a topology")
        own = board if board.shape == OWN else None
        return cls(board.rows, board.cols, mines, board.shape, own=own, **others)  # type: ignore[arg-type]

    @classmethod
    def with_density(cls, rows: int, cols: int, density: float, **others: object) -> Rules:
        """Make rules with the number of mines nearest to a density.

        >>> Rules.with_density(16, 16, 0.2).mines
        51
        """
        check_type(density, (int, float), "a mine density between 0 and 1")
        if not 0.0 <= density <= 1.0:
            raise RulesError(f"The mine density must be between 0 and 1, not {density}.")
        check_size(rows, cols)
        return cls(rows, cols, round(density * rows * cols), **others)  # type: ignore[arg-type]

    @classmethod
    def of(cls, given: Rules | str) -> Rules:
        """Return rules given as a value or as text.

        >>> Rules.of("beginner").mines
        10
        """
        check_type(given, (Rules, str), "rules, as a value or as text such as '16x30/99'")
        return cls.parse(given) if isinstance(given, str) else given

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read the one-line form: a preset or ``ROWSxCOLS/MINES``, then words in any order.

        >>> Rules.parse("1x4/1 own:1,3/2/3").topology.neighbours_of(0)
        (1, 3)
        """
        check_type(text, str, "rules as text such as '16x30/99'")
        words = text.split()
        if not words:
            raise RulesError(
                "The rules are empty; write a preset such as expert, or rows x cols / mines as in 16x30/99."
            )
        changes: dict[str, object] = {}
        said: dict[str, str] = {}  # the setting that a word changes → the word
        for word in words[1:]:
            setting, value = _parse_word(word)
            if setting in said:
                raise RulesError(f"The rules say both {said[setting][:40]!r} and {word[:40]!r}; remove one of them.")
            said[setting], changes[setting] = word, value
        size = PRESETS.get(words[0]) or cls._parse_size(words[0])
        if "shape" in said:
            # A custom board's table can be read only once its size is known.
            board = read_neighbourhood(said["shape"], size.rows, size.cols)
            changes |= {"shape": board.shape, "own": board if board.shape == OWN else None}
        return replace(size, **changes)  # type: ignore[arg-type]

    @classmethod
    def _parse_size(cls, word: str) -> Rules:
        match = re.fullmatch(r"(\d{1,9})x(\d{1,9})/(\d{1,9})", word, re.ASCII)
        if match is None:
            raise RulesError(
                f"{word[:40]!r} is not a board: write rows x cols / mines, as in 16x30/99, or one of "
                f"{', '.join(PRESETS)}."
            )
        rows, cols, mines = (int(number) for number in match.groups())
        # A board full of mines leaves no choice of policy.
        return cls(rows, cols, mines, first_click="safe" if mines < rows * cols else "any")

    def __str__(self) -> str:
        return self._in_words("" if self.shape == "square" else write_neighbourhood(self.topology))

    @property
    def in_short(self) -> str:
        """The text form for people, without the table of a custom board: ``1x6/2 own``."""
        return self._in_words("" if self.shape == "square" else self.shape)

    def _in_words(self, neighbourhood: str) -> str:
        words = [f"{self.rows}x{self.cols}/{self.mines}"]
        if neighbourhood:
            words.append(neighbourhood)
        if self.first_click != "safe":
            words.append(f"first-{self.first_click}")
        if not self.cascade:
            words.append("no-cascade")
        if self.opened_mine == "explodes":
            words.append("survey")
        if not self.total_known:
            words.append("total-hidden")
        if self.channel != EXACT:
            words.append(str(self.channel))
        if self.dealing != "laid":
            words.append(self.dealing)
        return " ".join(words)

    @property
    def topology(self) -> Topology:
        """The neighbour table of the board."""
        return self.own or topology(self.shape, self.rows, self.cols)

    @property
    def n_cells(self) -> int:
        """The number of cells on the board."""
        return self.rows * self.cols

    def reserved(self, first: int) -> frozenset[int]:
        """Return the cells that the first-click policy keeps free of mines when ``first`` is opened first, by number.

        >>> sorted(Rules.parse("3x4/3 first-opening").reserved(0))
        [0, 1, 4, 5]
        """
        return reserved_cells(self.topology, self.first_click, first)

    @property
    def min_reserved(self) -> int:
        """The smallest number of cells that `reserved` returns, over all first cells."""
        if self.first_click == "opening":
            return 1 + int(self.topology.degree.min())
        return int(self.first_click == "safe")

    def promises_safety(self, closed: NDArray[np.bool_]) -> bool:
        """Whether the first-click policy makes every cell safe to open, because all are still hidden."""
        return self.first_click != "any" and bool(closed.all())


def reserved_cells(board: Topology, first_click: str, first: int) -> frozenset[int]:
    """Return the cells that a first-click policy keeps free of mines on a board; see `Rules.reserved`."""
    if first_click == "any":
        return frozenset()
    return frozenset((first, *board.neighbours_of(first)) if first_click == "opening" else (first,))


def _parse_word(word: str) -> tuple[str, object]:
    """Return which setting a word of the text form changes, and to what."""
    if is_neighbourhood(word):
        return "shape", word
    if word.startswith("first-") and word.removeprefix("first-") in FIRST_CLICKS:
        return "first_click", word.removeprefix("first-")
    if word in ("cascade", "no-cascade"):
        return "cascade", word == "cascade"
    if word in ("classic", "survey"):
        return "opened_mine", "ends" if word == "classic" else "explodes"
    if word in ("total-known", "total-hidden"):
        return "total_known", word == "total-known"
    if word.split(":")[0] in KINDS:
        return "channel", Channel.parse(word)
    if word in DEALINGS:
        return "dealing", word
    raise RulesError(
        f"The rules say {word[:40]!r}, which is not one of {', '.join(SHAPES)}, first-any, first-safe, first-opening, "
        f"no-cascade, survey, total-hidden, fair, kind, cruel or a clue channel such as withheld:0.3."
    )


_REPORT_SURVEY = Rules(4, 4, 6, first_click="any", opened_mine="explodes", total_known=False)

PRESETS: dict[str, Rules] = {
    "beginner": Rules(9, 9, 10),
    "intermediate": Rules(16, 16, 40),
    "expert": Rules(16, 30, 99),
    # The boards of the five student reports; where a report does not name one, the nearest that it names.
    "report-000": _REPORT_SURVEY,
    "report-000-total": replace(_REPORT_SURVEY, total_known=True),
    "report-000-uncertain": replace(_REPORT_SURVEY, rows=5, cols=5, mines=15, channel=Channel("withheld", 0.3)),
    "report-001": Rules(16, 16, 40, first_click="any"),
    "report-002": replace(_REPORT_SURVEY, rows=16, cols=16, mines=40, cascade=False),
    "report-003": replace(_REPORT_SURVEY, rows=10, cols=10, mines=20, cascade=False),
    "report-003-play": replace(_REPORT_SURVEY, rows=5, cols=5, mines=6, cascade=False),
    "report-004": Rules(6, 6, 10, first_click="any"),
}
