"""The command itself: every subcommand in one list, and what becomes of errors."""

from __future__ import annotations

import sys

import typer

from sapper.cli.common.commands import Entry, group_of
from sapper.cli.common.complaints import complain, explain_usage, wants_json
from sapper.cli.common.statuses import Status
from sapper.cli.common.streams import let_go_of_output, prepare_streams
from sapper.errors import GaveUp, OutOfTime, SapperError, TooHard
from sapper.interrupts import interrupts_heeded

ABOUT = "Sapper plays, solves, explains, generates and studies Minesweeper."

# In the order of the first page of help: by what people do, and what most of them do first.
COMMANDS = {
    "Play:": (
        Entry("play", "playing.serve", "play in the browser, with hints and reviews"),
        Entry("game", "playing.game", "play in the terminal"),
        Entry("train", "playing.train", "train with puzzles, each with its proof"),
        Entry("advise", "playing.advise", "get advice for a game that you play elsewhere"),
        Entry("demo", "playing.demo", "watch a recorded game, with the reason for every move"),
        Entry("watch", "playing.serve", "watch agents play in the browser"),
        Entry("serve", "playing.serve", "serve the page and its API to others"),
    ),
    "Look at a position or a game:": (
        Entry("show", "analysing.show", "draw a position, a board or the end of a game"),
        Entry("analyse", "analysing.analyse", "the exact chance of a mine in every cell"),
        Entry("best", "analysing.best", "the best cell to open, and its chance to win"),
        Entry("explain", "analysing.explain", "prove that a cell is safe or a mine"),
        Entry("review", "analysing.review", "tell mistakes from bad luck in a finished game"),
        Entry("trace", "analysing.trace", "follow an agent's reasoning through a game"),
        Entry("optimal", "analysing.optimal", "how often perfect play wins, on small boards"),
        Entry("puzzle", "analysing.puzzle", "solve a puzzle and count the steps it takes"),
    ),
    "Boards:": (
        Entry("boards", "analysing.show", "list the boards that have names"),
        Entry("generate", "boards.generate", "make boards, on request without guesses"),
        Entry("verify", "boards.verify", "check the proofs that boards need no guess"),
        Entry("stats", "boards.stats", "3BV, openings, ZiNi; clicks and efficiency of games"),
        Entry("convert", "boards.convert", "convert files between formats"),
    ),
    "Research:": (
        Entry("agents", "research.agents", "list the agents that can play"),
        Entry("bench", "research.bench", "let agents play the same boards, and compare"),
        Entry("sweep", "research.sweep", "let agents play boards of many kinds, and compare"),
        Entry("runs", "research.runs", "list the results that are kept"),
        Entry("reproduce", "research.reproduce", "repeat the experiments of the five reports"),
        Entry("influence", "research.influence", "measure chains of influence between clues"),
        Entry("layouts", "research.layouts", "compare kinds of boards: where the mines are"),
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
  sapper demo                     watch a game, with the reason for every move
  sapper analyse '01#/02#/02# 2'  the chance of a mine in every hidden cell

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
    del version  # its callback has seen to it
    if context.invoked_subcommand is None:
        print(WELCOME)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; whatever goes wrong is one sentence on standard error and one of the `Status` numbers."""
    prepare_streams()
    given = sys.argv[1:] if arguments is None else arguments
    as_json = wants_json(given)
    try:
        with interrupts_heeded():
            status = app(given, standalone_mode=False, prog_name="sapper")
        sys.stdout.flush()
    except (GaveUp, TooHard, OutOfTime) as error:
        status = complain(str(error), Status.GAVE_UP, as_json=as_json)
    except SapperError as error:
        status = complain(str(error), as_json=as_json)
    except typer.TyperException as error:
        status = complain(explain_usage(error), as_json=as_json)
    except (typer.Abort, KeyboardInterrupt):
        status = Status.STOPPED
    except BrokenPipeError:
        status = Status.READER_GONE
    except SystemExit as ended:
        # Typer and Rich end the program by themselves when the reader (head, less) has seen enough.
        status = Status.READER_GONE if isinstance(ended.__context__, BrokenPipeError) else ended.code
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        status = complain(f"{error.strerror or error}{where}.", as_json=as_json)
    let_go_of_output()
    sys.exit(int(status) if isinstance(status, int) else Status.DONE)
