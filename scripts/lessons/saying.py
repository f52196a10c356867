"""Cells and small numbers in captions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapper.words import join_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sapper.topology import Cell

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def how_many(n: int) -> str:
    """A small number as a word.

    >>> how_many(3)
    'three'
    """
    return _WORDS[n] if n < len(_WORDS) else str(n)


def a_number(shown: str) -> str:
    """A number that a cell shows, with its article.

    >>> a_number("2"), a_number("8")
    ('a 2', 'an 8')
    """
    return f"{'an' if shown == '8' else 'a'} {shown}"


def are(n: int) -> str:
    """Return the verb for this many things.

    >>> are(1), are(2)
    ('is', 'are')
    """
    return "is" if n == 1 else "are"


def all_of(cells: Iterable[Cell]) -> str:
    """Cells by name.

    >>> all_of([(1, 2), (0, 1)])
    '(0, 1) and (1, 2)'
    """
    return join_words([str(cell) for cell in sorted(cells)])


def one_of(cells: Iterable[Cell]) -> str:
    """Cells by name, of which one is meant.

    >>> one_of([(1, 2), (0, 1), (0, 0)])
    '(0, 0), (0, 1) or (1, 2)'
    """
    named = [str(cell) for cell in sorted(cells)]
    return " or ".join((", ".join(named[:-1]), named[-1])) if len(named) > 1 else named[0]


def mines(n: int) -> str:
    """So many mines, in words.

    >>> mines(1), mines(0), mines(2)
    ('one mine', 'no mine', 'two mines')
    """
    return f"{how_many(n)} {'mine' if n < 2 else 'mines'}"
