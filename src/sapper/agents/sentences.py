"""Choices in words: why an agent opens a cell, and what there is to say of each candidate."""

from __future__ import annotations

from collections.abc import Sequence

from sapper.inference.evaluation.choice import Choice, How
from sapper.words import percent

PROMISED = {"any": "the first cell may be a mine", "safe": "the first cell is safe", "opening": "the first cell opens"}


def write_risk(p: float) -> str:
    """Write a risk in percent; only what is certain is 0% or 100%."""
    return percent(float(p), certain=p in (0.0, 1.0), places=1)


def why_open(choice: Choice, least: float) -> str:
    """Say why a cell is opened where nothing is certain; ``least`` is the least risk of all cells.

    >>> why_open(Choice(0, 0.25, How.NEARLY_SAFEST), 0.23)
    'its risk of 25.0% is 2.0 points above the least, but it has more clues or fewer hidden cells around it'
    """
    risk = write_risk(choice.p_mine)
    match choice.how:
        case How.BOOK:
            return "the opening book begins here"
        case How.SOLVED_BOARD:
            return "perfect play begins here"
        case How.SAFEST:
            return f"the least risk is {risk}"
        case How.NEARLY_SAFEST:
            more = f"{100 * (choice.p_mine - least):.1f} points above the least"
            return f"its risk of {risk} is {more}, but it has more clues or fewer hidden cells around it"
    return f"{_why_it_wins(choice)}, at a risk of {risk}"


def _why_it_wins(choice: Choice) -> str:
    match choice.how:
        case How.EXACT_SEARCH:
            return f"perfect play wins {choice.wins:,} of the {choice.layouts:,} layouts that are left"
        case How.BEAM_SEARCH:
            return f"beam search wins at least {choice.wins:,} of the {choice.layouts:,} layouts that are left"
        case How.PART_SEARCH:
            return (
                "this part of the board is separate and no clue will say more about it; perfect play wins "
                f"{choice.wins} of its {choice.layouts} layouts"
            )
        case How.ROLLOUTS:
            return f"{choice.n_games} rollouts give it a win chance of {_win_chance(choice)}"
    return "lookahead rates it best"


def why_candidate(choice: Choice, ranked: Sequence[Choice], start: str | None = None) -> str:
    """Say what there is to say of a ranked cell beside its numbers; ``start`` is the start rule of a blank board."""
    if choice.how is How.SAFE:
        return "safe in every layout that fits"
    if choice.how is How.BOOK:
        return f"opening book, where {PROMISED[start or 'safe']}"
    if choice.how is How.PART_SEARCH:
        return f"perfect play in a separate part wins {choice.wins} of its {choice.layouts} layouts"
    if start is not None:
        said = PROMISED[start]
    else:
        more = choice.p_mine - min(one.p_mine for one in ranked)
        said = "safest" if more <= 1e-9 else f"{100 * more:.1f} points more risk"
    if choice.p_win is None:
        return said
    if choice.n_games == 0:
        return f"{said}, perfect play"
    is_eliminated = start is None and choice.n_games < max(one.n_games for one in ranked)
    return f"{said}, {'eliminated after ' if is_eliminated else ''}{choice.n_games:,} rollouts"


def win_chance_sentence(choice: Choice) -> str:
    """Say the win chance of a cell and how it was found; nothing if it is unknown.

    >>> win_chance_sentence(Choice(0, 0.5, How.EXACT_SEARCH, 0.5, wins=1, layouts=2))
    'Opening it gives a win chance of 50.0%: perfect play wins 1 of the 2 layouts that are left.'
    """
    if choice.p_win is None:
        return ""
    chance = f"Opening it gives a win chance of {_win_chance(choice)}"
    match choice.how:
        case How.BOOK:
            return f"{chance}, by the opening book."
        case How.SOLVED_BOARD:
            return f"{chance}: perfect play wins {choice.wins:,} of the {choice.layouts:,} layouts."
        case How.EXACT_SEARCH | How.BEAM_SEARCH:
            return f"{chance}: {_why_it_wins(choice)}."
    return f"{chance}, by {choice.n_games} rollouts."


def _win_chance(choice: Choice) -> str:
    p_win = choice.p_win or 0.0
    is_exact = choice.n_games == 0 and choice.how is not How.BOOK
    return percent(p_win, certain=is_exact and p_win in (0.0, 1.0), places=1)
