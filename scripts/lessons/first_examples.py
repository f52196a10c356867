"""The worked examples of the first lessons: single numbers, at the edge and anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scripts.lessons.games import games, positions
from scripts.lessons.patterns import is_at_border, is_in_corner, numbers_of
from scripts.lessons.saying import all_of, are, how_many
from scripts.lessons.scene import Scene

from sapper.observation import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.lessons.patterns import Number

    from sapper.observation import Observation
    from sapper.train.course import Frame
    from sapper.world.game import Game

_FRAMES = range(8, 11)  # long enough to show everything, short enough to watch


def numbers() -> list[Frame]:
    """A whole game on a small board, won by single numbers."""
    found = (_whole_game(game) for game in games("4x5/3"))
    return next(frames for frames in found if frames is not None and len(frames) in _FRAMES)


def _whole_game(game: Game) -> list[Frame] | None:
    first = game.rules.topology.cell(game.seed % game.rules.n_cells)
    assert game.layout is not None
    blank = replace(game.observation, cells=game.observation.cells * 0 + HIDDEN)
    scene = Scene(blank, game.layout)
    n_cells, n_mines = game.rules.n_cells, game.rules.mines
    scene.show(
        f"Here are {n_cells} hidden cells with {n_mines} mines among them, and the first cell that you open is safe.",
        total=True,
    )
    scene.open([first])
    scene.show(
        f"{first} has no mine around it, so the cells around it opened by themselves, and so on up to the numbers.",
        clue=[first],
    )
    while not scene.is_won:
        numbers = numbers_of(scene.position)
        done = next((one for one in numbers if not one.left), None)
        full = next((one for one in numbers if one.left == len(one.hidden)), None)
        if done is not None:
            _clear_around(scene, done)
        elif full is not None:
            _find_mines(scene, full)
        else:
            return None
    n_safe = n_cells - n_mines
    scene.show(f"All {n_safe} cells without a mine are open: the game is won.", area=scene.mines)
    return scene.frames


def _find_mines(scene: Scene, number: Number) -> None:
    """Show that a number has as many hidden cells as it has mines left, and flag them."""
    n = len(number.hidden)
    if number.flags:
        known = "a flag" if len(number.flags) == 1 else f"{how_many(len(number.flags))} flags"
        more = "one more hidden cell, so that is its last mine" if n == 1 else f"{how_many(n)} more hidden cells, so "
        more += "" if n == 1 else "they are mines too"
        said = f"{number} touches {known} and {more}."
    else:
        only = "one hidden cell, so that is its mine" if n == 1 else f"{how_many(n)} hidden cells, so all are mines"
        said = f"{number} touches only {only}."
    scene.show(said, clue=[number.cell], mine=number.hidden)
    scene.flag(number.hidden)


def _clear_around(scene: Scene, number: Number) -> None:
    """Show that a number has found its mines, and open the rest."""
    mines = "its mine" if number.shown == 1 else f"its {how_many(number.shown)} mines"
    rest = f"the other hidden {'cell' if len(number.hidden) == 1 else 'cells'} around it {are(len(number.hidden))} safe"
    scene.show(f"{number} has found {mines}, so {rest}.", clue=[number.cell], safe=number.hidden, mine=number.flags)
    scene.open(number.hidden)


def edges() -> list[Frame]:
    """A number in the middle says little, one in a corner finds a mine, and one at the edge goes on from there."""
    return next(frames for position in positions("6x6/6") if (frames := _from_corner(position)) is not None)


def _from_corner(position: Observation) -> list[Frame] | None:
    numbers = numbers_of(position)
    middle = next((one for one in numbers if len(one.hidden) >= 4 and not is_at_border(position, one.cell)), None)
    corner = next((one for one in _at_corner(numbers, position) if len(one.hidden) == one.left), None)
    if middle is None or corner is None or middle.left in (0, len(middle.hidden)):
        return None
    edge = next((one for one in _along_edge(numbers, position, corner) if one.hidden > corner.hidden), None)
    if edge is None:
        return None
    scene = Scene(position)
    scene.show(
        f"{middle} is in the middle: it touches eight cells, and with {how_many(len(middle.hidden))} of them hidden it "
        "settles none of them.",
        clue=[middle.cell],
        area=middle.hidden,
    )
    found = all_of(corner.hidden)
    scene.show(
        f"{corner} is in a corner: it touches three cells, and only {found} of them {are(len(corner.hidden))} hidden.",
        clue=[corner.cell],
        area=corner.hidden,
    )
    scene.show(
        f"So {found} {'is its mine' if len(corner.hidden) == 1 else 'are its mines'}.",
        clue=[corner.cell],
        mine=corner.hidden,
    )
    scene.flag(corner.hidden)
    rest = edge.hidden - corner.hidden
    scene.show(
        f"{edge}, at the edge, touches the same {'mine' if edge.left == 1 else 'mines'} and needs no more.",
        clue=[edge.cell],
        mine=corner.hidden,
        area=rest,
    )
    named = all_of(rest)
    scene.show(f"So {named} {are(len(rest))} safe.", clue=[edge.cell], mine=corner.hidden, safe=rest)
    scene.open(rest)
    scene.show("The new numbers say more, and so it goes on.", area=rest)
    return scene.frames


def _at_corner(numbers: list[Number], position: Observation) -> Iterator[Number]:
    return (one for one in numbers if is_in_corner(position, one.cell) and not one.flags)


def _along_edge(numbers: list[Number], position: Observation, corner: Number) -> Iterator[Number]:
    """Numbers at the edge whose mines are all those of the corner."""
    for one in numbers:
        at_edge = is_at_border(position, one.cell) and not is_in_corner(position, one.cell)
        if at_edge and not one.flags and one.left == len(corner.hidden):
            yield one
