"""Help pages, from a command with options of every kind."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from sapper.cli.help import columns, examples_of, page_of, width_of_help

PAGE = """\
Lay a board, and say where its mines are, in one long sentence that has to go
on.

Usage: sapper lay PLACE [SECOND] [OPTIONS]

More about it.

Arguments:
  PLACE   Where it goes.
  SECOND  Another place.

Options:
  --rows N          Rows of the board. (default: 9)
  --share NUMBER    Of mines. (default: 0.2)
  --most N          (default: 1,000,000)
  --quiet / --loud  How much is said. (default: loud)
  --json            Say it in JSON.
  --a-long-name-for-something COLOUR
                    Which colour.
  --board TEXT      Which board. (default: beginner, or the last)
  --help            Show this message and exit.

Example:
  sapper lay here --rows 4"""


def lay(
    place: str = typer.Argument(help="Where it goes."),
    second: str | None = typer.Argument(None, help="Another place."),
    rows: int = typer.Option(9, min=1, max=2**62, help="Rows of the board."),
    share: float = typer.Option(0.2, min=0.0, help="Of mines."),
    most: int = typer.Option(1_000_000),
    is_quiet: bool = typer.Option(False, "--quiet/--loud", help="How much is said."),
    as_json: bool = typer.Option(False, "--json", help="Say it in JSON."),
    a_long_name_for_something: str | None = typer.Option(None, metavar="COLOUR", help="Which colour."),
    board: str | None = typer.Option(None, help="Which board.", show_default="beginner, or the last"),
    secret: bool = typer.Option(False, "--secret", hidden=True),
) -> None:
    """Lay a board, and say where its mines are, in one long sentence that has to go on.

    More about it.

    Example: sapper lay here --rows 4
    """


@pytest.fixture
def command() -> Any:
    app = typer.Typer(add_completion=False)
    app.command()(lay)
    return typer.main.get_command(app)


def test_a_page_has_everything_and_no_types(command: Any) -> None:
    context = command.make_context("sapper lay", ["here"])
    page = page_of("sapper lay", command.help, command.get_params(context), width=78)
    assert page == PAGE


def test_a_long_name_gets_a_line_of_its_own() -> None:
    shown = columns("Options:", [("--a", "One."), ("--" + "b" * 40, "Two.")], 60)
    assert shown.split("\n") == ["Options:", "  --a  One.", "  --" + "b" * 40, "       Two."]


def test_options_are_not_broken_at_their_hyphens() -> None:
    shown = columns("Options:", [("--a", "Only where --no-guess-at-all holds.")], 30)
    assert "--no-guess-at-all" in shown


def test_a_page_is_as_wide_as_the_terminal_within_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns_, width in (("80", 80), ("300", 100), ("10", 40)):
        monkeypatch.setenv("COLUMNS", columns_)
        assert width_of_help() == width


def test_a_docstring_may_have_no_example() -> None:
    assert examples_of(None) == examples_of("Draw it.\n\nFor example this.") == []
