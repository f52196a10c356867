"""An example in the making: a position of a game that continues, shown frame by frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scripts.lessons.saying import a_number, all_of

from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN, SYMBOLS, Observation
from sapper.play.reading import rules_of
from sapper.train.course import ROLES, Frame
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sapper.topology import Cell


class Scene:
    """A game at some position, and the frames that have been shown of it."""

    def __init__(self, position: Observation, layout: Layout | None = None) -> None:
        if layout is None:
            # Every layout that fits is as likely as any other, so any of them is the game that this comes from.
            drawn = mine_probabilities(position.with_flags_as_mines()).sample(1, np.random.default_rng(0))
            layout = Layout(position.topology, drawn[0])
        self.layout = layout
        self.frames: list[Frame] = []
        self._game = Game(rules_of(position), 0, layout)
        cells = [position.topology.cell(at) for at in range(position.topology.n_cells)]
        for cell in cells:
            if position.cells[cell] >= 0 and self.position.cells[cell] == HIDDEN:
                self._game.open(*cell)
        self.flag(cell for cell in cells if position.cells[cell] == FLAG)
        assert self.position == position

    @property
    def position(self) -> Observation:
        """How it stands."""
        return self._game.observation

    @property
    def is_won(self) -> bool:
        """Whether every cell without a mine is open."""
        return self._game.outcome is Outcome.WON

    @property
    def mines(self) -> list[Cell]:
        """Where the mines are: for the end of the game."""
        return self.layout.mined_cells()

    def show(
        self,
        caption: str,
        *,
        total: bool = False,
        risks: Iterable[tuple[Cell, float]] = (),
        chances: Iterable[tuple[Cell, float]] = (),
        **lit: Iterable[Cell],
    ) -> None:
        """Take a picture, with cells lit up by role; an underscore is the hyphen of a role."""
        found = {role.replace("_", "-"): tuple(sorted(cells)) for role, cells in lit.items()}
        roles = tuple((role, found.pop(role)) for role in ROLES if found.get(role))
        assert not any(found.values()), f"no such role: {found}"
        capital = caption[0].upper() + caption[1:]
        self.frames.append(Frame(self.position, capital, roles, total, tuple(risks), tuple(chances)))

    def open(self, cells: Iterable[Cell]) -> None:
        """Open cells that are hidden still."""
        for cell in sorted(cells):
            if self.position.cells[cell] == HIDDEN:
                self._game.open(*cell)

    def open_and_tell(self, cells: Collection[Cell]) -> None:
        """Open safe cells, and say what they show."""
        self.open(cells)
        shown = [self.shown(cell) for cell in sorted(cells)]
        if len(shown) > 1:
            said = f"{all_of(cells)} are open, and what they show takes you further."
        elif shown == ["0"]:
            said = f"{all_of(cells)} stays blank, so the cells around it open too."
        else:
            said = f"{all_of(cells)} shows {a_number(shown[0])}, which is one more clue to work with."
        self.show(said, area=cells)

    def flag(self, cells: Iterable[Cell]) -> None:
        """Put flags on mines."""
        for cell in sorted(cells):
            assert self.layout.mines[cell]
            self._game.flag(*cell)

    def shown(self, cell: Cell) -> str:
        """What an open cell shows."""
        return SYMBOLS[int(self.position.cells[cell])]
