"""Options and arguments without effect are refused, by every command, before anything is done."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from command import Call

from sapper.cli.app import PlainCommand, app

POSITION = "01#/02#/02# 2"
RECORD = "Sapper-Record: 1\nRules: 2x2/1 first-any\nSeed: 0\nMoves:\nopen 0,0 | a corner\n"

# Commands with an option that would have no effect, and that option.
IGNORED: tuple[tuple[str, str, str], ...] = (
    ("analyse", "- --jsonl --count", "--count"),
    ("analyse", "- --jsonl --json", "--json"),
    ("analyse", f"{POSITION} --density 0.3", "--density"),
    ("explain", f"{POSITION} --density 0.3", "--density"),
    ("best", f"{POSITION} --json --top 3", "--top"),
    ("best", f"{POSITION} --limit 3", "--limit"),
    ("best", f"{POSITION} --exact --time 3", "--time"),
    ("review", "a.sapper --games 0 --seed 1", "--seed"),
    ("review", "a.sapper --games 0 --agent exact", "--agent"),
    ("review", "a.sapper --json --moves", "--moves"),
    ("review", "a.sapper --output - --moves", "--moves"),
    ("show", "1# --output a.svg --json", "--json"),
    ("show", "--replay --json", "--json"),
    ("show", "--output a.svg", "--output"),
    ("play", "--agent exact", "--agent"),
    ("puzzle", "1#/## --seed 0", "--seed"),
    ("puzzle", "--random 4x4/3 --number 1", "--number"),
    ("puzzle", "1#/## --compare --find count", "--find"),
    ("puzzle", "1#/## --compare --heuristics memory", "--heuristics"),
    ("puzzle", "1#/## --as-reported --heuristics memory", "--heuristics"),
    ("generate", "--limit 3", "--limit"),
    ("generate", "--method repair:3", "--method"),
    ("generate", "--json --to mbf", "--to"),
    ("stats", "*-- --count 5", "--count"),
    ("stats", "a.sapper --seed 5", "--seed"),
    ("stats", "expert --first 3,4", "--first"),
    ("stats", "expert --compare plain --no-guess single", "--no-guess"),
    ("agents", "exact --check --json", "--json"),
    ("agents", "exact --protocol", "NAME"),
    ("sweep", "--boards - --seed 1", "--seed"),
    ("sweep", "--boards - --restart-opening", "--restart-opening"),
    ("sweep", "--figure wins", "--figure"),
    ("sweep", "--figure wins --output a.csv", "--figure"),
    ("sweep", "--list --games 5", "--games"),
    ("sweep", "--list --workers 2", "--workers"),
    ("influence", "a.sapper --board beginner", "--board"),
    ("influence", "a.sapper --games 3", "--games"),
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
    assert tied <= {(command, option) for command, _, option in IGNORED}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("explain", POSITION, "--output", "-", "--json"),
            "Only one of --json and --output - can go to standard output.",
        ),
        (
            ("trace", "--output", "-.html", "--json"),
            "Only one of --json and --output -.html can go to standard output.",
        ),
        (("train", "--json", "--output", "-"), "Only one of --json and --output - can go to standard output."),
    ],
)
def test_two_answers_do_not_go_to_the_same_place(arguments: tuple[str, ...], says: str, call: Call) -> None:
    assert call(*arguments)[2] == f"sapper: {says}\n"


def test_a_page_on_standard_output_stands_alone(call: Call) -> None:
    status, said, _ = call("trace", "--board", "3x3/1", "--output", "-")
    assert status == 0
    assert said.startswith("<!")
    assert said.rstrip().endswith("</html>")
    assert call("trace", "--board", "3x3/1", "--output", "-.record")[1].startswith("Sapper-Record: ")


def test_an_option_that_was_not_typed_is_not_refused_for_its_default(call: Call) -> None:
    assert call("puzzle", "1#/## 1", "--find", "count")[0] == 0
    assert call("analyse", "1#/##", "--density", "0.3")[0] == 0
    assert call("best", "1#/## 1", "--exact")[0] == 0
