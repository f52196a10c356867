"""The worked examples of the lessons about two or more numbers that say something together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.lessons.ideas import one_one, one_two, pair, subset
from scripts.lessons.patterns import (
    find_one_one,
    find_one_two,
    find_pair,
    find_row,
    find_subset,
    opposite,
    proof_numbers,
)
from scripts.lessons.puzzles import first
from scripts.lessons.saying import all_of, are, how_many, mines, one_of
from scripts.lessons.scene import Scene
from scripts.lessons.sources import of_kind

if TYPE_CHECKING:
    from scripts.lessons.patterns import Number

    from sapper.topology import Cell
    from sapper.train.course import Frame


def one_one_from_a_wall() -> list[Frame]:
    """The mine of the first 1 is the mine of the second."""
    made = first("6x6/6", of_kind("subsets"), one_one(across=True))
    found = find_one_one(proof_numbers(made))
    assert found is not None
    wall, second = found
    both = [wall.cell, second.cell]
    shared, third = wall.hidden, second.hidden - wall.hidden
    scene = Scene(made.position)
    scene.show("Two 1s stand side by side, and the edge of the board is the wall.", clue=both)
    scene.show(f"{wall} touches two hidden cells, so its mine is in {one_of(shared)}.", clue=[wall.cell], area=shared)
    scene.show(
        f"{second} touches the same two cells and one more: {all_of(third)}.", clue=[second.cell], area=second.hidden
    )
    scene.show(
        f"Its one mine is in {one_of(shared)}, whichever it is, so {all_of(third)} is safe.",
        clue=both,
        area=shared,
        safe=third,
    )
    scene.open_and_tell(third)
    return scene.frames


def one_two_along_a_row() -> list[Frame]:
    """The 2 has a mine where the 1 cannot help, and the 1 has none left for itself."""
    made = first("7x7/9", of_kind("one-two"), one_two(most_solutions=1))
    found = find_one_two(proof_numbers(made))
    assert found is not None
    one, two = found
    both = [one.cell, two.cell]
    shared, mine, safe = one.hidden & two.hidden, two.hidden - one.hidden, one.hidden - two.hidden
    scene = Scene(made.position)
    scene.show("A 1 and a 2 stand side by side along a row of hidden cells.", clue=both)
    scene.show(f"{one} touches {all_of(shared)}, so there is at most one mine in these.", clue=[one.cell], area=shared)
    scene.show(
        f"{two} needs two mines, and besides these it touches only {all_of(mine)}.", clue=[two.cell], area=two.hidden
    )
    scene.show(f"So {all_of(mine)} is a mine.", clue=both, area=shared, mine=mine)
    scene.flag(mine)
    scene.show(
        f"The other mine of the 2 is in {one_of(shared)}, and it is the only mine of the 1.", clue=both, area=shared
    )
    scene.show(f"So {all_of(safe)}, which only the 1 touches, is safe.", clue=both, area=shared, safe=safe)
    scene.open_and_tell(safe)
    return scene.frames


def two_rows() -> list[Frame]:
    """A 1-2-1 and a 1-2-2-1, each read from both ends."""
    return [*_read_row("6x6/6", (1, 2, 1)), *_read_row("6x6/6", (1, 2, 2, 1))]


def _read_row(board: str, shown: tuple[int, ...]) -> list[Frame]:
    made = first(board, of_kind("subsets"), lambda made: find_row(made.position, shown) is not None)
    numbers = find_row(made.position, shown)
    assert numbers is not None
    clues = [one.cell for one in numbers]
    name = "-".join(map(str, shown))
    scene = Scene(made.position)
    scene.show(f"Here is a {name}, with hidden cells along one side.", clue=clues)
    mined: set[Cell] = set()
    for end in (numbers, numbers[::-1]):
        one, two = end[0], end[1]
        (mine,) = two.hidden - one.hidden
        begin = "From the other end" if mined else "From one end"
        scene.show(
            f"{begin} it is a 1-2: {one} allows one mine in {all_of(one.hidden & two.hidden)}, so {mine} is a mine.",
            clue=[one.cell, two.cell],
            area=one.hidden & two.hidden,
            mine={mine},
        )
        mined.add(mine)
    scene.flag(mined)
    inner = [opposite(one) for one in numbers if opposite(one) not in mined]
    have = "The 2 has both its mines" if shown == (1, 2, 1) else "The 1s have their mines"
    by = [one.cell for one in numbers if opposite(one) in inner]
    there = "opposite it" if len(inner) == 1 else "opposite them"
    cells = f"the {'cell' if len(inner) == 1 else 'cells'} {there}, {all_of(inner)},"
    scene.show(f"{have}, so {cells} {are(len(inner))} safe.", clue=by, mine=mined, safe=inner)
    scene.open_and_tell(inner)
    return scene.frames


def known_mines() -> list[Frame]:
    """Two numbers that touch a flag become a 1-2."""
    made = first("6x6/7", of_kind("one-two"), one_two(flagged=1))
    found = find_one_two(proof_numbers(made))
    assert found is not None
    one, two = found
    both = [one.cell, two.cell]
    scene = Scene(made.position)
    scene.show(f"{one} and the {two.shown} at {two.cell} look like no pattern that you know.", clue=both)
    for number in (one, two):
        if number.flags:
            flags = "a flag" if len(number.flags) == 1 else f"{how_many(len(number.flags))} flags"
            scene.show(
                f"But {number} touches {flags}: take {'it' if len(number.flags) == 1 else 'them'} off, and "
                f"{mines(number.left)} {are(number.left)} left, so it works like a {number.left}.",
                clue=[number.cell],
                mine=number.flags,
                area=number.hidden,
            )
    mine, safe, shared = two.hidden - one.hidden, one.hidden - two.hidden, one.hidden & two.hidden
    scene.show(
        f"So this is a 1-2 in disguise, and {all_of(mine)}, which only the second touches, is a mine.",
        clue=both,
        area=shared,
        mine=mine,
    )
    scene.flag(mine)
    scene.show(
        f"And {all_of(safe)}, which only the first touches, {are(len(safe))} safe.", clue=both, area=shared, safe=safe
    )
    scene.open_and_tell(safe)
    return scene.frames


def inside_another() -> list[Frame]:
    """A number taken off another that touches all its cells, and more."""
    made = first("7x7/9", of_kind("subsets"), subset(3))
    found = find_subset(proof_numbers(made))
    assert found is not None
    small, large = found
    both, rest = [small.cell, large.cell], large.hidden - small.hidden
    scene = Scene(made.position)
    _tell(scene, small, f"{small} has {mines(small.left)} in {all_of(small.hidden)}.")
    _tell(scene, large, f"{large} has {mines(large.left)} in these cells and in {all_of(rest)}.")
    scene.show(
        f"Take the one off the other: {large.left} less {small.left} leaves {mines(large.left - small.left)} for the "
        "cells left over.",
        clue=both,
        area=rest,
    )
    scene.show(f"So {all_of(rest)} {are(len(rest))} safe.", clue=both, area=small.hidden, safe=rest)
    scene.open_and_tell(rest)
    return scene.frames


def overlapping_pair() -> list[Frame]:
    """Two numbers with shared cells, and with cells of their own."""
    made = first("7x7/9", of_kind("pairs"), pair(2, flags=False))
    found = find_pair(proof_numbers(made))
    assert found is not None
    small, large = found
    both, shared = [small.cell, large.cell], small.hidden & large.hidden
    own, safe = large.hidden - small.hidden, small.hidden - large.hidden
    scene = Scene(made.position)
    scene.show(f"{small} and {large} share {all_of(shared)}.", clue=both, area=shared)
    scene.show(f"By {small} the shared cells hold at most {mines(small.left)}.", clue=[small.cell], area=shared)
    n = large.left - small.left
    scene.show(
        f"{large} needs {mines(large.left)}, so at least {how_many(n)} of them {are(n)} in cells of its own.",
        clue=[large.cell],
        area=own,
    )
    exactly = "It has just one such cell" if len(own) == 1 else f"It has just {how_many(len(own))} such cells"
    are_mines = "is a mine" if len(own) == 1 else "are mines"
    scene.show(f"{exactly}: {all_of(own)} {are_mines}.", clue=both, area=shared, mine=own)
    scene.flag(own)
    rest = f"{all_of(safe)}, which {'is its own' if len(safe) == 1 else 'are its own'}, {are(len(safe))} safe"
    scene.show(
        f"{small} then has its {'mine' if small.left == 1 else 'mines'} in the shared cells, and {rest}.",
        clue=both,
        area=shared,
        safe=safe,
    )
    scene.open_and_tell(safe)
    return scene.frames


def _tell(scene: Scene, number: Number, said: str) -> None:
    scene.show(said, clue=[number.cell], area=number.hidden)
