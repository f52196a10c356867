"""What puzzles are called: their kinds, and a short word for each puzzle that fits into any address.

A puzzle from a seed is its kind, board and seed: ``one-two.8x8.10.torus.7``. One of a position that somebody has
carries the position: ``subsets.____-1221``, with ``_`` for hidden cells, ``-`` between rows and ``x`` for an open cell
without a clue; what follows the cells of a position follows here too, after dots.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from sapper.errors import InputError
from sapper.neighbourhoods import write_neighbourhood
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.topology import SHAPES
from sapper.train.levels import ABOUT, LEVELS, Level

if TYPE_CHECKING:
    from typing import Self

Special = Literal["guess", "area", "chain"]
Kind = Level | Special
SPECIALS: tuple[Special, ...] = get_args(Special)
KINDS: tuple[Kind, ...] = (*LEVELS, *SPECIALS)

ABOUT_KINDS: dict[Kind, str] = {
    **{level: ABOUT[level] for level in LEVELS},
    "guess": "nothing is certain: which cell is best?",
    "area": "how many mines are in an area",
    "chain": "which clue settles a cell",
}

_LONGEST = 50_000  # characters: more than the largest position that is looked at anywhere
_OWN = r"own:[\d,/]*"  # the table of a board of one's own: see neighbourhoods.py
_FROM_SEED = re.compile(
    rf"([\w-]+)\.(\d{{1,9}}x\d{{1,9}})\.(\d{{1,9}})(?:\.({'|'.join(SHAPES)}|{_OWN}))?\.(\d{{1,19}})", re.ASCII
)
_OF_POSITION = re.compile(rf"([\w-]+)\.([\w*-]+)((?:\.(?:\w+|{_OWN}))*)", re.ASCII)
_SPELLED = str.maketrans("/#.", "-_x")
_READ = str.maketrans("-_x", "/#.")


def read_kind(name: object) -> Kind:
    """The kind of this name; raise `InputError` if there is none."""
    for kind in KINDS:
        if kind == name:
            return kind
    raise InputError(f"There is no kind of puzzle {str(name)[:40]!r}; choose from {', '.join(KINDS)}.")


class Name(NamedTuple):
    """What a puzzle is made of again: kind, board and seed, or kind and position.

    >>> name = Name.parse("one-two.8x8.10.torus.7")
    >>> name.board, name.seed
    ('8x8/10 torus', 7)
    >>> str(name)
    'one-two.8x8.10.torus.7'
    >>> Name.parse("subsets.____-1221").position
    '####/1221'
    """

    kind: Kind
    board: str  # as short as can be: without what is the same for all puzzles
    seed: int | None
    position: str = ""  # only if there is no seed

    @classmethod
    def of(cls, kind: Kind, board: str, seed: int | None, position: Observation | str = "") -> Self:
        """The name of a puzzle, however its board is written; the position counts only where there is no seed."""
        return cls(kind, _short(board), seed) if seed is not None else cls(kind, "", None, str(position))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name again; raise `InputError` if it is none."""
        text = text.strip()
        if made := _FROM_SEED.fullmatch(text):
            kind, size, mines, shape, seed = made.groups()
            return cls(read_kind(kind), _short(f"{size}/{mines} {shape or ''}"), int(seed))
        if len(text) <= _LONGEST and (given := _OF_POSITION.fullmatch(text)):
            kind, cells, others = given.groups()
            position = Observation.parse(" ".join([cells.translate(_READ), *others.split(".")[1:]]))
            return cls(read_kind(kind), "", None, str(position))
        raise InputError(f"{text[:60]!r} is not a link to a puzzle; one looks like pairs.9x9.10.7.")

    def __str__(self) -> str:
        if self.seed is not None:
            size, _, others = self.board.partition(" ")
            return ".".join([self.kind, size.replace("/", "."), *others.split(), str(self.seed)])
        cells, *words = self.position.split()
        return ".".join([self.kind, cells.translate(_SPELLED), *words])


@lru_cache(maxsize=64)
def _short(board: str) -> str:
    """A board by its size, mines and shape; puzzles decide the rest of the rules themselves."""
    rules = Rules.parse(board)
    neighbourhood = "" if rules.shape == "square" else f" {write_neighbourhood(rules.topology)}"
    return f"{rules.rows}x{rules.cols}/{rules.mines}{neighbourhood}"
