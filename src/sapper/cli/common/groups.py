"""Groups of options: a command takes a few dataclasses, and their fields are its options.

A group is a frozen dataclass whose fields have real defaults, so it works and is tested without typer::

    @dataclass(frozen=True, slots=True)
    class SizeOptions:
        rows: Annotated[int, typer.Option(help="Rows of the board.")] = 9
        cols: Annotated[int, typer.Option(help="Columns of the board.")] = 9

    @grouped
    def lay(*, seed: int = typer.Option(0), size: SizeOptions) -> None: ...

On the command line ``lay`` has the options --seed, --rows and --cols, in this order. (With the asterisk a group may
follow options that have defaults.)
"""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def grouped(command: Callable[..., Result]) -> Callable[..., Result]:
    """Return the command as typer is to see it: with the fields of each group in place of the group.

    Raises `TypeError` if two of the options then have the same name.
    """
    groups: dict[str, type[Any]] = {}
    options: dict[str, inspect.Parameter] = {}
    owners: dict[str, str] = {}
    hints = get_type_hints(command, include_extras=True)
    for parameter in inspect.signature(command).parameters.values():
        hint = hints[parameter.name]
        if isinstance(hint, type) and is_dataclass(hint):
            groups[parameter.name] = hint
            owner, expanded = hint.__name__, _options_of(hint)
        else:
            owner, expanded = f"{command.__name__}()", [_as_option(parameter, hint)]
        for option in expanded:
            if option.name in options:
                raise TypeError(f"{owners[option.name]} and {owner} both have an option {option.name!r}.")
            options[option.name] = option
            owners[option.name] = owner

    @wraps(command)
    def call(**given: Any) -> Result:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group) if field.name in given})
            for name, group in groups.items()
        }
        return command(**given, **made)

    # Typer reads both; without them it would look through the wrapper at the groups themselves.
    call.__signature__ = inspect.Signature(list(options.values()))  # type: ignore[attr-defined]
    call.__annotations__ = {name: option.annotation for name, option in options.items()}
    return call


@cache
def _options_of(group: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [_as_option(field, hints[field.name]) for field in inspect.signature(group).parameters.values()]


def _as_option(parameter: inspect.Parameter, hint: object) -> inspect.Parameter:
    # Typer calls by name, and only so may an option without a default follow one that has one.
    return parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hint)
