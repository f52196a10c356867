"""Positions of games under rules: what they promise, and which rules may have led to one."""

from __future__ import annotations

from sapper.errors import InputError
from sapper.observation import EXPLODED, Observation
from sapper.rules import Rules
from sapper.words import count, name_size


def promises_safety(rules: Rules, observation: Observation) -> bool:
    """Whether the first-click policy makes any cell safe, because none is open yet."""
    return rules.first_click != "any" and bool(observation.closed.all())


def under_rules(position: Observation, rules: Rules) -> Observation:
    """Return a position as one of a game under these rules, without its flags; raise `InputError` if it is none.

    What the text of a position may leave out, the total and the clue channel, is taken from the rules.
    """
    if position.topology != rules.topology:
        size = f"{name_size(position.rows, position.cols)}, {position.topology.shape}"
        raise InputError(f"The position ({size}) belongs to another board than {rules.in_short}.")
    total = rules.mines if rules.total_known else None
    if position.total not in (None, total):
        known = f"there should be {total}" if rules.total_known else "the number should be unknown"
        said = count(position.total, "mine")
        raise InputError(f"The position says {said}, but {known} under the rules {rules.in_short}.")
    if position.channel not in (rules.channel, type(rules.channel)()):
        raise InputError(f"The position has {position.channel} clues, but the rules {rules.in_short} say otherwise.")
    return Observation(rules.topology, position.without_flags().cells, total, rules.channel)


def rules_of(position: Observation) -> Rules:
    """Return the rules of a game that may have led to a position: a survey if a mine has exploded, else classic."""
    n_exploded = int((position.cells == EXPLODED).sum())
    return Rules.on(
        position.topology,
        n_exploded if position.total is None else position.total,
        first_click="any",
        opened_mine="explodes" if n_exploded else "ends",
        total_known=position.total is not None,
        channel=position.channel,
    )
