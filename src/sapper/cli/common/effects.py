"""Options that would have no effect: to type one is a mistake, and a sentence says so instead of silence."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from sapper.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

# The options that were typed for the command that runs; those with their default are not among them.
_TYPED: ContextVar[frozenset[str]] = ContextVar("typed options", default=frozenset())


def note_typed(context: Any, parameters: Iterable[Any]) -> None:
    """Note which options of a command were typed."""
    options = (one for one in parameters if one.param_type_name == "option")
    _TYPED.set(frozenset(one.opts[0] for one in options if _was_typed(context, one)))


def refuse_without(needed: str, *options: str) -> None:
    """Raise `InputError` if one of these options was typed, which mean something beside ``needed`` alone."""
    for option in options:
        if option in _TYPED.get():
            raise InputError(f"{option} needs {needed}.")


def refuse_with(other: str, *options: str) -> None:
    """Raise `InputError` if one of these options was typed, which mean nothing beside ``other``."""
    for option in options:
        if option in _TYPED.get():
            raise InputError(f"{option} has no effect with {other}; leave it out.")


def refuse_all_with(other: str, *but: str) -> None:
    """Raise `InputError` if any option was typed that is neither ``other`` nor one of those after it."""
    refuse_with(other, *sorted(_TYPED.get() - {other, *but}))


def _was_typed(context: Any, parameter: Any) -> bool:
    source = context.get_parameter_source(parameter.name)
    return source is not None and source.name == "COMMANDLINE"
