"""A command with groups of options, as typer and its users see it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from sapper.cli.options import grouped


@dataclass(frozen=True, slots=True)
class SizeOptions:
    rows: Annotated[int, typer.Option(min=1, help="Rows of the board.")] = 9
    cols: Annotated[int, typer.Option(help="Columns of the board.")] = 9

    def cells(self) -> int:
        return self.rows * self.cols


@dataclass(frozen=True, slots=True)
class PlaceOptions:
    place: Annotated[str | None, typer.Argument(metavar="[PLACE]", help="Where it goes.")] = None
    is_quiet: Annotated[bool, typer.Option("--quiet/--loud", help="How much is said.")] = False


@dataclass(frozen=True, slots=True)
class NamedOptions:
    name: Annotated[str, typer.Option(help="It has no default.")]


@grouped
def lay(
    *,
    seed: int = typer.Option(3, help="Of the mines."),
    size: SizeOptions,
    kind: Annotated[str, typer.Option(help="Of the board.")] = "plain",
    where: PlaceOptions,
    as_json: bool = typer.Option(False, "--json", help="Say it in JSON."),
) -> str:
    """Lay a board."""
    words = f"{seed} {size.rows}x{size.cols} {kind} {where.place} {where.is_quiet} {as_json}"
    print(words)
    return words


@grouped
def name(named: NamedOptions, seed: int = typer.Option(0)) -> None:
    """Name a board."""
    print(named.name, seed)


def call(*arguments: str) -> tuple[int, str]:
    app = typer.Typer(add_completion=False)
    app.command()(lay)
    app.command()(name)
    result = CliRunner().invoke(app, [*arguments], env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"})
    return result.exit_code, result.output


def test_a_group_is_usable_without_a_command_line() -> None:
    assert SizeOptions().cells() == 81
    assert SizeOptions(cols=2).cells() == 18


@pytest.mark.slow
def test_options_stand_where_their_group_stands_in_the_order_of_its_fields() -> None:
    status, shown = call("lay", "--help")
    assert status == 0
    assert "Lay a board." in shown
    options = shown.partition("Options ")[2].partition("--help")[0]
    assert re.findall(r"--\w+", options) == ["--seed", "--rows", "--cols", "--kind", "--quiet", "--loud", "--json"]
    assert re.search(r"--rows .*Rows of the board\. +\[default: 9\]", shown)
    assert re.search(r"\[PLACE\] .*Where it goes\.", shown)


def test_without_options_the_defaults_hold() -> None:
    assert call("lay") == (0, "3 9x9 plain None False False\n")


def test_every_option_reaches_its_group() -> None:
    arguments = ("lay", "there", "--quiet", "--cols", "5", "--json", "--rows", "4", "--seed", "7", "--kind", "odd")
    assert call(*arguments) == (0, "7 4x5 odd there True True\n")


def test_typer_still_checks_what_it_is_given() -> None:
    status, said = call("lay", "--rows", "0")
    assert status == 2
    assert "--rows" in said
    status, said = call("lay", "--cols", "x")
    assert status == 2
    assert "--cols" in said


def test_a_field_without_a_default_is_a_required_option() -> None:
    status, said = call("name", "--seed", "1")
    assert status == 2
    assert "--name" in said
    assert call("name", "--name", "here") == (0, "here 0\n")


def test_called_from_python_the_fields_of_a_group_may_be_left_out() -> None:
    assert lay(seed=1, kind="odd", as_json=True, rows=2) == "1 2x9 odd None False True"


def test_two_groups_with_the_same_field_are_refused() -> None:
    def twice(size: SizeOptions, again: SizeOptions) -> None: ...

    with pytest.raises(TypeError, match=re.escape("SizeOptions and SizeOptions both have an option 'rows'.")):
        grouped(twice)


def test_a_group_and_a_command_with_the_same_option_are_refused() -> None:
    def after(size: SizeOptions, cols: int = 3) -> None: ...

    def before(*, cols: int = 3, size: SizeOptions) -> None: ...

    with pytest.raises(TypeError, match=re.escape("SizeOptions and after() both have an option 'cols'.")):
        grouped(after)
    with pytest.raises(TypeError, match=re.escape("before() and SizeOptions both have an option 'cols'.")):
        grouped(before)
