"""What goes wrong: a sentence for people, and an object for programs that asked for JSON."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

Call = Callable[..., tuple[object, str, str]]


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("show", "nonsense", "--json"), 2, "There is no file nonsense, and it is not a position either."),
        (("analyse", "1#/## 2", "--json"), 2, "No layout fits: the 1 at (0, 0) and the total of 2 mines"),
        (("optimal", "--rows", "5", "--cols", "4", "--mines", "6", "--json"), 3, "layouts, more than"),
        (("generate", "--json", "--count", "0"), 2, "--count should be a whole number, at least 1."),
        (("show", "--json"), 2, "POSITION is missing; see sapper show --help."),
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
        (("best", "1#", "--time", "x"), "--time should be a number."),
        (("best", "1#", "--time", "601"), "--time should be a number, at most 600."),
        (("serve", "--port", "70000"), "--port should be a whole number, at most 65,535."),
        (("serve", "--rate", "0"), "--rate should be a number, at least 0.01."),
        (("generate", "--seed", "x"), "--seed should be a whole number."),
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
