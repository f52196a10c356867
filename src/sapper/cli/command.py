"""The command itself: every subcommand in one list, and what becomes of errors."""

from __future__ import annotations

import sys
from contextlib import suppress

import typer

from sapper.cli.analysing.analyse import analyse
from sapper.cli.analysing.best import best
from sapper.cli.analysing.explain import explain
from sapper.cli.analysing.optimal import optimal
from sapper.cli.analysing.puzzle import puzzle
from sapper.cli.analysing.review import review
from sapper.cli.analysing.show import boards, show
from sapper.cli.analysing.trace import trace
from sapper.cli.boards.convert import convert
from sapper.cli.boards.generate import generate
from sapper.cli.boards.stats import stats
from sapper.cli.boards.verify import verify
from sapper.cli.common.statuses import Status
from sapper.cli.common.streams import let_go_of_output, prepare_streams
from sapper.cli.playing.advise import advise
from sapper.cli.playing.demo import demo
from sapper.cli.playing.game import game
from sapper.cli.playing.serve import play, serve, watch
from sapper.cli.research.agents import agents
from sapper.cli.research.bench import bench
from sapper.cli.research.influence import influence
from sapper.cli.research.layouts import layouts
from sapper.cli.research.reproduce import reproduce
from sapper.cli.research.sweep import runs, sweep
from sapper.errors import GaveUp, SapperError, TooHard

app = typer.Typer(
    name="sapper",
    help="Plays, solves, explains, generates and studies Minesweeper.",
    epilog="Try: sapper show '01#/02#/02# 2'. Exit status: 0 done, 1 the answer is no, 2 wrong input, 3 gave up; "
    "see docs/commands.md.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from sapper import __version__

        print(f"sapper {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """Plays, solves, explains, generates and studies Minesweeper."""


for command in (
    show,
    analyse,
    explain,
    boards,
    play,
    watch,
    serve,
    game,
    generate,
    verify,
    layouts,
    convert,
    demo,
    agents,
    advise,
    trace,
    puzzle,
    best,
    optimal,
    sweep,
    bench,
    runs,
    reproduce,
    influence,
    review,
    stats,
):
    app.command()(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command; whatever goes wrong is one sentence on standard error and one of the `Status` numbers."""
    prepare_streams()
    try:
        status = app(arguments, standalone_mode=False)
        sys.stdout.flush()
    except (GaveUp, TooHard) as error:
        status = _complain(str(error), Status.GAVE_UP)
    except SapperError as error:
        status = _complain(str(error))
    except typer.TyperException as error:
        # With no arguments at all the help was the answer, and there is nothing to add to it.
        status = _complain(error.format_message()) if error.format_message() else Status.WRONG
    except (typer.Abort, KeyboardInterrupt):
        status = Status.STOPPED
    except BrokenPipeError:
        status = Status.READER_GONE
    except SystemExit as ended:
        # Typer and Rich end the program by themselves when the reader (head, less) has seen enough.
        status = Status.READER_GONE if isinstance(ended.__context__, BrokenPipeError) else ended.code
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        status = _complain(f"{error.strerror or error}{where}.")
    let_go_of_output()
    sys.exit(int(status) if isinstance(status, int) else Status.DONE)


def _complain(sentence: str, status: Status = Status.WRONG) -> Status:
    # Where standard error cannot be written to either, the status has to say it all.
    with suppress(OSError):
        print(f"sapper: {sentence}", file=sys.stderr, flush=True)
    return status
