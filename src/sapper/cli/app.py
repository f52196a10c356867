"""The ``sapper`` command: the list of subcommands, each loaded when it is called, and how errors end it."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from sapper.cli.errors import Status, explain_usage, report_error, wants_json
from sapper.cli.help import columns, heading, page_of, width_of_help
from sapper.cli.options import complete_values, note_typed
from sapper.cli.terminal import detach_output, in_letters_of_output, prepare_streams
from sapper.errors import GaveUp, OutOfTime, SapperError, TooHard
from sapper.workers import interrupts_heeded

if TYPE_CHECKING:
    from collections.abc import Callable


class CommandEntry(NamedTuple):
    """A command in the list."""

    name: str  # also that of its function, with _ for -
    module: str  # below `sapper.cli`
    summary: str  # its line on the first page of help

    def load(self) -> Callable[..., object]:
        """Import the function of the command."""
        module = import_module(f"sapper.cli.{self.module}")
        function: Callable[..., object] = getattr(module, self.name.replace("-", "_"))
        return function


class PlainCommand(TyperCommand):
    """A command with our help page, to which nan and inf are not numbers."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; raises `typer.BadParameter`."""
        rest: list[str] = super().parse_args(ctx, complete_values(self.name, args))
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
def _make(entry: CommandEntry) -> TyperCommand:
    """Make the command of its function."""
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(entry.name, cls=PlainCommand)(entry.load())
    made = typer.main.get_command(single)
    assert isinstance(made, TyperCommand)
    return made


def group_of(topics: dict[str, tuple[CommandEntry, ...]], about: str, after: str) -> type[TyperGroup]:
    """Return the class of a command that has these subcommands, listed by topic, between two paragraphs."""
    entries = {entry.name: entry for listed in topics.values() for entry in listed}

    class Group(TyperGroup):
        """All commands."""

        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            # Typer lists these and suggests one for a typing error; the command called is loaded below.
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


ABOUT = "Sapper plays, solves, explains, generates and studies Minesweeper."

# In the order of the first page of help.
COMMANDS = {
    "Play:": (
        CommandEntry("play", "commands.serve", "play or watch in the browser, with hints and reviews"),
        CommandEntry("serve", "commands.serve", "serve the web app and its API to others"),
        CommandEntry("game", "commands.game", "play in the terminal"),
        CommandEntry("train", "commands.train", "train with puzzles, each with its proof"),
        CommandEntry("advise", "commands.advise", "get advice for a game that you play elsewhere"),
        CommandEntry("mcp", "commands.mcp", "give an assistant exact tools (Model Context Protocol)"),
    ),
    "Look at a position or a game:": (
        CommandEntry("show", "commands.show", "draw a position, a board or a game; list boards"),
        CommandEntry("analyse", "commands.analyse", "the exact mine probability of every cell"),
        CommandEntry("best", "commands.best", "the best cell to open, and its win chance"),
        CommandEntry("explain", "commands.explain", "prove that a cell is safe or a mine"),
        CommandEntry("review", "commands.review", "tell mistakes from bad luck in a finished game"),
        CommandEntry("trace", "commands.trace", "follow an agent's reasoning through a game"),
        CommandEntry("puzzle", "commands.puzzle", "solve a puzzle and count the nodes expanded"),
    ),
    "Boards:": (
        CommandEntry("generate", "commands.generate", "generate random or no-guess boards"),
        CommandEntry("verify", "commands.verify", "check the proofs of no-guess boards"),
        CommandEntry("stats", "commands.stats", "3BV, openings, ZiNi; clicks and efficiency of games"),
        CommandEntry("convert", "commands.convert", "convert files between formats"),
    ),
    "Research:": (
        CommandEntry("agents", "commands.agents", "list the agents that can play"),
        CommandEntry("serve-agent", "commands.serve_agent", "let another program play with an agent of Sapper"),
        CommandEntry("grade", "commands.grade", "grade students' agents, with a proof for every fault"),
        CommandEntry("sweep", "commands.sweep", "compare agents on the same boards"),
        CommandEntry("reproduce", "commands.reproduce", "repeat the experiments of the five student reports"),
        CommandEntry("influence", "commands.influence", "measure chains of influence between clues"),
        CommandEntry("dataset", "commands.dataset", "make a data set of positions with exact answers"),
        CommandEntry("benchmark-text", "commands.benchmark_text", "ask a reader of text 300 questions, scored exactly"),
    ),
}

AFTER = """\
sapper COMMAND --help explains a command, with an example. sapper --version
prints the version. Exit status: 0 done, 1 the answer is no, 2 something is
wrong, 3 gave up (docs/commands.md)."""

WELCOME = f"""\
{ABOUT}

Try one of these:
  sapper play                     play in the browser, with hints and reviews
  sapper show --replay            watch a game, with the reason for every move
  sapper analyse '01#/02#/02# 2'  the mine probability of every hidden cell

sapper --help lists all commands, and sapper COMMAND --help explains one."""

app = typer.Typer(
    name="sapper",
    cls=group_of(COMMANDS, ABOUT, AFTER),
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from sapper.version import __version__

        print(f"sapper {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    del version  # its callback prints it
    if context.invoked_subcommand is None:
        print(WELCOME)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; every error is one sentence on standard error and one of the `Status` numbers."""
    prepare_streams()
    given = sys.argv[1:] if arguments is None else arguments
    as_json = wants_json(given)
    try:
        with interrupts_heeded():
            status = app(given, standalone_mode=False, prog_name="sapper")
        sys.stdout.flush()
    except (GaveUp, TooHard, OutOfTime) as error:
        status = report_error(str(error), Status.GAVE_UP, as_json=as_json)
    except SapperError as error:
        status = report_error(str(error), as_json=as_json)
    except typer.TyperException as error:
        status = report_error(explain_usage(error), as_json=as_json)
    except (typer.Abort, KeyboardInterrupt):
        status = Status.STOPPED
    except BrokenPipeError:
        status = Status.READER_GONE
    except SystemExit as ended:
        # Typer and Rich exit by themselves when the reader (head, less) has closed its pipe.
        status = Status.READER_GONE if isinstance(ended.__context__, BrokenPipeError) else ended.code
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        status = report_error(f"{error.strerror or error}{where}.", as_json=as_json)
    detach_output()
    sys.exit(int(status) if isinstance(status, int) else Status.DONE)
