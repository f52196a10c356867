"""Cells and proofs from plain values, as JSON gives them back; what is wrong with them is one sentence."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sapper.errors import InputError
from sapper.inference.proofs.argument import Step
from sapper.inference.proofs.explain import Explanation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sapper.observation import Observation
    from sapper.topology import Cell


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn everything that can be wrong with plain values into `InputError`."""
    try:
        yield
    except KeyError as error:
        raise InputError(f"This is not {what}: it has no {error.args[0]!r}.") from None
    except (AttributeError, TypeError, ValueError, OverflowError):
        raise InputError(f"This is not {what}: some of its values are of the wrong kind.") from None


def read_cell(position: Observation, values: Any) -> Cell:
    """A cell of this position from [row, col]."""
    row, col = values
    if type(row) is not int or type(col) is not int:
        raise TypeError
    position.topology.number((row, col))
    return row, col


def read_cells(position: Observation, values: Any) -> tuple[Cell, ...]:
    """Several cells."""
    return tuple(read_cell(position, one) for one in values)


def read_proof(position: Observation, values: Mapping[str, Any]) -> Explanation:
    """The proof of a certain cell; a risk, which puzzles never have, is not read."""
    return Explanation(
        position,
        read_cell(position, values["cell"]),
        str(values["verdict"]),
        float(values["p_mine"]),
        tuple(str(sentence) for sentence in values["summary"]),
        values["kind"],
        read_cells(position, values["clues"]),
        bool(values["total"]),
        bool(values["smallest"]),
        tuple(_read_step(position, one) for one in values["steps"]),
    )


def _read_step(position: Observation, values: Mapping[str, Any]) -> Step:
    return Step(
        str(values["sentence"]),
        str(values["rule"]),
        read_cells(position, values["cells"]),
        int(values["fewest"]),
        int(values["most"]),
        read_cells(position, values["clues"]),
        bool(values["total"]),
        tuple(int(number) for number in values["after"]),
        int(values["depth"]),
    )
