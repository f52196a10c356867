"""Options without effect are refused, by every command, before anything is done."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from sapper.cli.app import PlainCommand, app

Call = Callable[..., tuple[object, str, str]]

POSITION = "01#/02#/02# 2"
RECORD = "Sapper-Record: 1\nRules: 2x2/1 first-any\nSeed: 0\nMoves:\nopen 0,0 | a corner\n"

# Commands with an option that would have no effect, and that option.
IGNORED: tuple[tuple[str, str, str], ...] = (
    ("analyse", "- --jsonl --count", "--count"),
    ("analyse", "- --jsonl --json", "--json"),
    ("analyse", f"{POSITION} --density 0.3", "--density"),
    ("explain", f"{POSITION} --density 0.3", "--density"),
    ("best", f"{POSITION} --json --most 3", "--most"),
    ("best", f"{POSITION} --start any", "--start"),
    ("optimal", f"{POSITION} --rows 3", "--rows"),
    ("optimal", f"{POSITION} --shape hex", "--shape"),
    ("review", "a.sapper --games 0 --seed 1", "--seed"),
    ("review", "a.sapper --games 0 --agent exact", "--agent"),
    ("review", "a.sapper --json --moves", "--moves"),
    ("show", "1# --svg a.svg --json", "--json"),
    ("show", "1# --json --plain", "--plain"),
    ("puzzle", "1#/## --clues 0.3", "--clues"),
    ("puzzle", "1#/## --seed 0", "--seed"),
    ("puzzle", "--random 4x4/3 --puzzle 1", "--puzzle"),
    ("puzzle", "1#/## --children 3", "--children"),
    ("puzzle", "1#/## --compare --count", "--count"),
    ("puzzle", "1#/## --compare --memory", "--memory"),
    ("puzzle", "1#/## --as-reported --no-forward-checking", "--forward-checking"),
    ("puzzle", "1#/## --count --all", "--all"),
    ("generate", "--tries 3", "--tries"),
    ("generate", "--json --format mbf", "--format"),
    ("stats", "*-- --boards 5", "--boards"),
    ("stats", "a.sapper --seed 5", "--seed"),
    ("agents", "exact --check --json", "--json"),
    ("bench", "--boards - --board expert", "--board"),
    ("bench", "--boards - --seed 1", "--seed"),
    ("bench", "--start safe", "--start"),
    ("bench", "--patience 3", "--patience"),
    ("bench", "--cluster tcp://nowhere:1 --jobs 2", "--jobs"),
    ("sweep", "--resume --games 5", "--games"),
    ("sweep", "--resume --agents exact", "--agents"),
    ("sweep", "--plan 1", "--plan"),
    ("sweep", "--figure wins", "--figure"),
    ("reproduce", "--games 5 --quick", "--quick"),
    ("influence", "--board beginner --size 8", "--size"),
    ("influence", "--record a.sapper --classic", "--survey"),
    ("layouts", "--only plain --mix 3", "--mix"),
    ("layouts", "--only plain --reasoning single", "--reasoning"),
    ("train", "--forget --kind pairs", "--kind"),
    ("train", "--progress --count 3", "--count"),
    ("train", "--mode sprint --count 3", "--count"),
    ("train", "--link pairs.9x9.10.7 --seed 3", "--seed"),
    ("game", "--layout *--/--- --seed 3", "--seed"),
)


@pytest.mark.parametrize(("command", "typed", "option"), IGNORED)
def test_an_option_without_effect_is_refused(command: str, typed: str, option: str, call: Call, tmp_path: Path) -> None:
    (tmp_path / "a.sapper").write_text(RECORD, encoding="utf-8")
    # The one position has a space in it.
    arguments = [word.replace("_", " ") for word in typed.replace(POSITION, POSITION.replace(" ", "_")).split()]
    status, _, complaint = call(command, *arguments)
    assert status == 2
    assert re.fullmatch(rf"sapper: {option} (needs|has no effect with) .*\.\n", complaint), complaint
    assert {path.name for path in tmp_path.iterdir()} == {"a.sapper"}


def commands() -> list[PlainCommand]:
    group: Any = typer.main.get_command(app)
    return [group.get_command(None, name) for name in group.commands]


def test_whatever_the_help_ties_to_another_option_is_refused_without_it() -> None:
    tied = {
        (str(command.name), str(option.opts[0]))
        for command in commands()
        for option in command.params
        if option.param_type_name == "option" and re.match(r"With --", getattr(option, "help", None) or "")
    }
    assert tied
    # `analyse --output` has a test of its own.
    assert tied <= {(command, option) for command, _, option in IGNORED} | RUNNING | {("analyse", "--output")}


# The options for a cluster are those of `bench` wherever games are played.
RUNNING = {("sweep", "--patience"), ("reproduce", "--patience")}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("explain", POSITION, "--svg", "-", "--json"), "Only one of --json and --svg - can go to standard output."),
        (("review", "a.sapper", "--html", "-", "--json"), "Only one of --json and --html - can go to standard output."),
        (
            ("trace", "--html", "-", "--record", "-"),
            "Only one of --html - and --record - can go to standard output.",
        ),
        (("trace", "--html", "a.x", "--record", "a.x"), "--html and --record cannot both go to a.x."),
        (("train", "--json", "--output", "-"), "Only one of --json and --output - can go to standard output."),
    ],
)
def test_two_answers_do_not_go_to_the_same_place(arguments: tuple[str, ...], says: str, call: Call) -> None:
    assert call(*arguments)[2] == f"sapper: {says}\n"


def test_a_page_on_standard_output_stands_alone(call: Call) -> None:
    status, said, _ = call("trace", "--board", "3x3/1", "--html", "-")
    assert status == 0
    assert said.startswith("<!")
    assert said.rstrip().endswith("</html>")


def test_an_option_that_was_not_typed_is_not_refused_for_its_default(call: Call) -> None:
    assert call("puzzle", "1#/## 1", "--count")[0] == 0
    assert call("analyse", "1#/##", "--density", "0.3")[0] == 0
    assert call("optimal", "1#/## 1")[0] == 0
