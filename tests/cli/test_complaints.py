"""What goes wrong: a sentence for people, and an object for programs that asked for JSON."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import typer
from command import Call

from sapper.cli.app import app
from sapper.cli.errors import former_names


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("show", "nonsense", "--json"), 2, "There is no file 'nonsense', and it is neither a position nor a layout."),
        (("analyse", "1#/## 2", "--json"), 2, "No layout fits: the 1 at (0, 0) and the total of 2 mines"),
        (("best", "5x4/6", "--exact", "--json"), 3, "layouts, more than"),
        (("generate", "--json", "--count", "0"), 2, "--count must be a whole number, at least 1."),
        (("explain", "--json"), 2, "POSITION is missing; see sapper explain --help."),
    ],
)
def test_whoever_asks_for_json_gets_the_error_as_json(
    arguments: tuple[str, ...], status: int, says: str, call: Call
) -> None:
    code, said, complaint = call(*arguments)
    assert code == status
    answer = json.loads(said)
    assert list(answer) == ["error"]
    assert answer["error"].startswith(says) or says in answer["error"]
    assert complaint == f"sapper: {answer['error']}\n"


def test_without_json_standard_output_stays_empty(call: Call) -> None:
    assert call("show", "nonsense")[1] == ""


def test_a_search_that_gives_up_has_given_its_answer(call: Call) -> None:
    status, said, complaint = call("puzzle", "--random", "10x10/25", "--limit", "3", "--json")
    assert status == 3
    assert json.loads(said)[0]["finished"] is False
    assert complaint == "sapper: Gave up after 3 expanded nodes; see --limit.\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("best", "1#", "--time", "x"), "--time must be a number."),
        (("best", "1#", "--time", "601"), "--time must be a number, at most 600."),
        (("serve", "--port", "70000"), "--port must be a whole number, at most 65,535."),
        (("serve", "--rate", "0"), "--rate must be a number, at least 0.01."),
        (("generate", "--seed", "x"), "--seed must be a whole number."),
        (("generate", "--bord", "x"), "There is no option --bord; did you mean --board?"),
        (("generate", "--qqq"), "There is no option --qqq; see sapper generate --help."),
        (("generate", "--count"), "Option '--count' requires an argument."),
        (("show", "1#", "2", "3"), "There are too many arguments: 2 3; see sapper show --help."),
        (("explain",), "POSITION is missing; see sapper explain --help."),
        (("shwo",), "There is no command 'shwo'; did you mean 'show'?"),
        (("nothing-like-it",), "There is no command 'nothing-like-it'; see sapper --help."),
    ],
)
def test_a_slip_on_the_command_line_is_a_sentence(arguments: tuple[str, ...], sentence: str, call: Call) -> None:
    assert call(*arguments) == (2, "", f"sapper: {sentence}\n")


@pytest.mark.parametrize("name", former_names()["commands"])
def test_a_former_command_names_the_new_one(name: str, call: Call) -> None:
    assert call(name, "--json")[::2] == (2, f"sapper: sapper {name} is now {former_names()['commands'][name]}.\n")


def test_a_former_option_names_the_new_one(call: Call) -> None:
    group: Any = typer.main.get_command(app)
    for name, former in former_names()["options"].items():
        now = {option.opts[0] for option in group.get_command(None, name).params} | {"--output"}
        for option, new in former.items():
            if name == "train" and option in now:
                continue  # not renamed yet
            assert call(name, option, "1") == (2, "", f"sapper: {option} is now {new}.\n")
            assert not new.startswith("--") or new.split()[0] in now, (name, new)
            assert f"sapper: {option}=1 is" not in call(name, f"{option}=1")[2]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("puzzle", ""), "This is empty: write a position such as '1#/## 1' or a layout such as '*--/---'."),
        (("puzzle", "nofile.txt"), "There is no file nofile.txt."),
        (("convert", "", "a.mbf"), "This is empty: write a position such as '1#/## 1' or a layout such as '*--/---'."),
        (("convert", "a.mbf", ""), "The name of the file is empty."),
        (("sweep", "--output", ""), "The name of the file is empty."),
        (("sweep", "--list", "--store", ""), "The name of the store is empty."),
        (("serve", "--host", ""), "--host is empty; 0.0.0.0 stands for all addresses of this computer."),
        (("play", "--no-browser", "--port", "0", "--data", ""), "The name of the folder is empty."),
        (("play", "--no-browser", "--port", "0", "--data", "no/such"), "There is no folder no to write such into."),
        (("sweep", "--agents", ",,"), "--agents ',,' has a comma too many."),
        (("sweep", "--agents", ""), "--agents is empty."),
        (("sweep", "--boards", "/dev/null"), "/dev/null: There is no board in the file."),
        (("best", "000/000 1"), "No layout fits: the total of 1 mine cannot hold."),
        (("explain", "000/000 1"), "No layout fits: the total of 1 mine cannot hold."),
        (("best", "000/000 0"), "Every cell is open already."),
        *((command, "folder is a folder, not a file.") for command in (
            ("show", "folder"), ("analyse", "folder"), ("puzzle", "folder"), ("stats", "folder"), ("review", "folder"),
            ("verify", "folder"), ("convert", "folder", "a.mbf"), ("trace", "--layout", "folder"),
            ("game", "--layout", "folder"), ("trace", "--output", "folder"), ("reproduce", "--output", "folder"),
        )),
        *((command, f"/dev/null: {says}") for command, says in (
            (("show", "/dev/null"), "The file is empty."),
            (("analyse", "/dev/null"), "The file is empty."),
            (("puzzle", "/dev/null"), "The .csp file is empty."),
            (("stats", "/dev/null"), "The file is empty."),
            (("review", "/dev/null"), "The file is empty."),
        )),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_once_and_by_its_name(
    arguments: tuple[str, ...], sentence: str, call: Call, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    assert call(*arguments)[2] == f"sapper: {sentence}\n"


def test_a_position_without_a_cell_to_open_has_none_to_begin_with(call: Call) -> None:
    said = "Perfect play wins 1 of 1 layout (100.00%); nothing is left to open.\n"
    assert call("best", "00/00 0", "--exact") == (0, said, "")


def test_a_pipe_is_read_once(call: Call, tmp_path: Path) -> None:
    for command, text in ((("show",), "1#\n"), (("trace", "--layout"), "*-\n")):
        pipe = tmp_path / f"pipe-{command[0]}"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=(text,), daemon=True)
        writer.start()
        assert call(*command, str(pipe))[0] == 0
        writer.join()


def test_values_that_help_lists_are_all_there_are() -> None:
    from sapper.cli.commands.puzzle import FINDS
    from sapper.experiments.plots import FIGURES
    from sapper.play.compiled import AGENTS
    from sapper.play.noguess.generate import METHODS

    listed: dict[tuple[str, str], Iterable[str]] = {
        ("review", "--agent"): AGENTS,
        ("sweep", "--figure"): FIGURES,
        ("generate", "--method"): METHODS,
        ("puzzle", "--find"): FINDS,
    }
    group: Any = typer.main.get_command(app)
    shown = {
        (name, option.opts[0]): option.metavar
        for name in group.commands
        for option in group.get_command(None, name).params
        if "|" in (option.metavar or "") and not option.metavar.startswith("N|")
    }
    assert shown == {option: "|".join(values) for option, values in listed.items()}
