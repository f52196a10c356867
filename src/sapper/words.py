"""How numbers, probabilities and cells are written in sentences, everywhere alike."""

from __future__ import annotations

from collections.abc import Sequence


def percent(p: float, certain: bool, places: int = 0) -> str:
    """Write a probability as a percentage with ``places`` decimals; 0% or 100% only if it is certain.

    >>> percent(0.004, False), percent(0.996, False), percent(0.0, True), percent(1 / 3, False, 1)
    ('<1%', '>99%', '0%', '33.3%')
    """
    if certain:
        return f"{100 * p:.0f}%"
    least = 10.0**-places
    if 100 * p < least:
        return f"<{least:g}%"
    if 100 * p > 100 - least:
        return f">{100 - least:g}%"
    return f"{100 * p:.{places}f}%"


def plural(n: int, one: str, many: str | None = None) -> str:
    """Return the singular or plural of a word.

    >>> plural(1, "cell"), plural(2, "cell"), plural(0, "guess", "guesses")
    ('cell', 'cells', 'guesses')
    """
    return one if n == 1 else many or f"{one}s"


def count(n: int, one: str, many: str | None = None) -> str:
    """Write a number with its noun.

    >>> count(1, "game"), count(2, "game"), count(0, "guess", "guesses")
    ('1 game', '2 games', '0 guesses')
    """
    return f"{n} {plural(n, one, many)}"


def name_size(rows: int, cols: int) -> str:
    """Write a board size.

    >>> name_size(1, 2), name_size(16, 30)
    ('1 row x 2 columns', '16 rows x 30 columns')
    """
    return f"{count(rows, 'row')} x {count(cols, 'column')}"


def count_mines(n: int) -> str:
    """Write a number of mines.

    >>> count_mines(0), count_mines(1), count_mines(3)
    ('no mine', '1 mine', '3 mines')
    """
    return "no mine" if n == 0 else count(n, "mine")


def join_words(words: Sequence[str]) -> str:
    """Join words with commas and an "and".

    >>> join_words(["a", "b", "c"]), join_words(["a"])
    ('a, b and c', 'a')
    """
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def name_cells(cells: Sequence[tuple[int, int]], most: int = 3) -> str:
    """Name a few cells and count the others.

    >>> name_cells([(0, 1), (2, 3), (4, 5), (6, 7)])
    '(0, 1), (2, 3), (4, 5) and 1 more'
    """
    names = [str(cell) for cell in cells[:most]]
    return join_words([*names, f"{len(cells) - most} more"] if len(cells) > most else names)


def name_sources(clues: list[str], total: int | None, most: int = 8) -> list[str]:
    """Name the clues that something rests on, the last of many only counted, and the total unless it is None.

    >>> name_sources(["the 1 at (0, 0)"], 2)
    ['the 1 at (0, 0)', 'the total of 2 mines']
    """
    named = clues if len(clues) <= most else [*clues[: most - 1], f"{len(clues) - most + 1} more clues"]
    return named if total is None else [*named, f"the total of {count(total, 'mine')}"]


def capital(sentence: str) -> str:
    """Return a sentence that begins with a capital letter."""
    return sentence[0].upper() + sentence[1:]
