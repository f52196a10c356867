"""Commands that are loaded when they are called: the list of them all costs nothing but its own text."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from sapper.cli.common.effects import note_typed
from sapper.cli.common.help import columns, heading, page_of, width_of_help
from sapper.cli.common.streams import in_letters_of_output

if TYPE_CHECKING:
    from collections.abc import Callable


class Entry(NamedTuple):
    """A command as the list knows it."""

    name: str  # also that of its function
    module: str  # below `sapper.cli`
    summary: str  # a line on the first page of help

    def load(self) -> Callable[..., object]:
        """Import the function of the command."""
        function: Callable[..., object] = getattr(import_module(f"sapper.cli.{self.module}"), self.name)
        return function


class PlainCommand(TyperCommand):
    """A command with a help page of ours, for which nan and inf are no numbers."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; raises `typer.BadParameter`."""
        rest: list[str] = super().parse_args(ctx, args)
        for parameter in self.get_params(ctx):
            value = ctx.params.get(parameter.name)
            if isinstance(value, float) and not isfinite(value):
                raise typer.BadParameter(f"{value} is not a number.", ctx=ctx, param=parameter)
        note_typed(ctx, self.get_params(ctx))
        return rest

    def get_help(self, ctx: Any) -> str:
        """Return the help page."""
        return in_letters_of_output(page_of(ctx.command_path, self.help, self.get_params(ctx)))


@cache
def _make(entry: Entry) -> TyperCommand:
    """Make the command of its function."""
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(entry.name, cls=PlainCommand)(entry.load())
    made = typer.main.get_command(single)
    assert isinstance(made, TyperCommand)
    return made


def group_of(topics: dict[str, tuple[Entry, ...]], about: str, after: str) -> type[TyperGroup]:
    """Return the class of a command that has these subcommands, listed by topic, between two paragraphs."""
    entries = {entry.name: entry for listed in topics.values() for entry in listed}

    class Group(TyperGroup):
        """All commands."""

        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            # Typer lists them and suggests one for a slip; what is called is loaded below.
            self.commands = {name: PlainCommand(name) for name in entries}

        def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
            """Load a command."""
            del ctx
            return _make(entries[cmd_name]) if cmd_name in entries else None

        def get_help(self, ctx: Any) -> str:
            """Return the first page of help."""
            width, across = width_of_help(), max(map(len, entries))
            listed = [
                columns(title, ((one.name, one.summary) for one in commands), width, across)
                for title, commands in topics.items()
            ]
            usage = f"{heading('Usage:')} {ctx.command_path} COMMAND [OPTIONS]"
            return in_letters_of_output("\n\n".join([about, usage, *listed, after]))

    return Group
