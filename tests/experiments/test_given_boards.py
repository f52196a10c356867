"""Boards given in a file: plain or compressed, and every wrong line answered with its number."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from command import complaint, run

from sapper.errors import InputError
from sapper.experiments.games import Condition, play_game
from sapper.formats import given_boards
from sapper.formats.given_boards import GivenBoard, read_boards
from sapper.layout import Layout
from sapper.rules import Rules
from sapper.world.game import Game
from sapper.world.generation import generate_layout

RULES = Rules.parse("9x9/10")
FIRST = (4, 4)


def lines(n: int = 40, start: str = "safe") -> list[str]:
    rules = Rules.parse(f"9x9/10 first-{start}")
    first = rules.topology.index(*FIRST)
    made = []
    for seed in range(n):
        mines = generate_layout(rules, seed, rules.topology.cell(first)).mine_numbers()
        made.append(json.dumps({"id": seed, "width": 9, "height": 9, "first": list(FIRST), "mines": mines}))
    return made


def test_plain_and_compressed_boards_are_the_same_set() -> None:
    data = "\n".join(lines()).encode()
    plain = read_boards(data, "safe")
    assert read_boards(gzip.compress(data), "safe") == plain
    assert plain.rules == RULES
    assert len(plain.boards) == 40
    assert plain.boards[3] == GivenBoard(tuple(json.loads(lines()[3])["mines"]), 40)
    assert plain.name.startswith("boards:")
    assert read_boards(data + b"\n\n", "safe").boards == plain.boards


def test_the_set_is_named_by_its_contents_and_the_start() -> None:
    data = "\n".join(lines(start="opening")).encode()
    names = {
        read_boards(data, "safe").name,
        read_boards(data, "opening").name,
        read_boards("\n".join(lines(start="opening")[:-1]).encode(), "safe").name,
    }
    assert len(names) == 3
    assert read_boards(data, "opening").rules.first_click == "opening"


GOOD = lines(1)[0]
EXAMPLE = "a board must look like"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("nonsense", EXAMPLE),
        ("[]", EXAMPLE),
        ("7", EXAMPLE),
        ('{"width": 9}', EXAMPLE),
        (GOOD.replace('"width": 9', '"width": "9"'), EXAMPLE),
        (GOOD.replace('"width": 9', '"width": 9.5'), EXAMPLE),
        (GOOD.replace('"width": 9', '"width": true'), EXAMPLE),
        (GOOD.replace("[4, 4]", "[4]"), EXAMPLE),
        (GOOD.replace("[4, 4]", "[4, 4, 4]"), EXAMPLE),
        (GOOD.replace("[4, 4]", "null"), EXAMPLE),
        (GOOD.replace('"mines": [', '"mines": ["a", '), EXAMPLE),
        ("[" * 100_000, EXAMPLE),
        (GOOD.replace("[4, 4]", "[4, 9]"), "(4, 9)"),
        (GOOD.replace("[4, 4]", "[-1, 0]"), "(-1, 0)"),
        (GOOD.replace('"width": 9', '"width": 0'), "0"),
        (GOOD.replace('"width": 9', '"width": 3').replace('"height": 9', '"height": 3'), "10 mines"),
        (GOOD.replace('"mines": [', '"mines": [81, '), "a mine is off the board or listed twice"),
        (GOOD.replace('"mines": [', '"mines": [-1, '), "a mine is off the board or listed twice"),
        (json.dumps(json.loads(GOOD) | {"mines": [5] * 10}), "a mine is off the board or listed twice"),
        (json.dumps(json.loads(GOOD) | {"mines": [40, *range(9)]}), "the first cell (4, 4) is not safe"),
        (
            json.dumps(json.loads(GOOD) | {"mines": list(range(9))}),
            "the board is 9x9/9, but those before it",
        ),
    ],
    ids=range(21),
)
def test_a_wrong_line_is_answered_with_its_number(wrong: str, sentence: str) -> None:
    data = "\n".join([*lines(2), "", wrong, *lines(1)]).encode()
    with pytest.raises(InputError) as caught:
        read_boards(data, "safe")
    said = str(caught.value)
    assert said.startswith("Line 4: ")
    assert sentence in said
    assert "\n" not in said


def test_a_first_cell_that_is_no_opening_is_named() -> None:
    beside = json.dumps({"id": 0, "width": 9, "height": 9, "first": [4, 4], "mines": [30]})
    assert read_boards(beside.encode(), "safe").boards
    with pytest.raises(InputError, match=r"Line 1: the first cell \(4, 4\) is not an opening"):
        read_boards(beside.encode(), "opening")


def test_files_that_are_no_boards_are_refused() -> None:
    compressed = gzip.compress("\n".join(lines()).encode())
    for damaged in (compressed[:100], compressed[:50] + b"\0" * 20 + compressed[70:], b"\x1f\x8bnonsense"):
        with pytest.raises(InputError, match="The compressed boards are damaged"):
            read_boards(damaged, "safe")
    for empty in (b"", b"\n \n"):
        with pytest.raises(InputError, match="no board in the file"):
            read_boards(empty, "safe")
    with pytest.raises(InputError, match="no start rule 'any'"):
        read_boards(b"", "any")


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(given_boards, "MAX_BYTES", 2**20)
    assert read_boards(gzip.compress(GOOD.encode() + b" " * (2**20 - len(GOOD))), "safe").boards
    with pytest.raises(InputError, match="larger than 1 MiB when unpacked"):
        read_boards(gzip.compress(b"\n" * (2**20 + 1)), "safe")


@pytest.mark.slow
@pytest.mark.parametrize("start", ["safe", "opening"])
def test_a_sweep_plays_given_boards_and_answers_in_their_order(tmp_path: Path, start: str) -> None:
    given = lines(start=start)
    rules = Rules.parse(f"9x9/10 first-{start}")
    (tmp_path / "boards.jsonl").write_text("\n".join(given))
    (tmp_path / "boards.jsonl.gz").write_bytes(gzip.compress("\n".join(given).encode()))
    arguments = ("sweep", "--agents", "exact,statements", "--board", str(rules), "--json", "--store")
    plain = run(*arguments, "a.sqlite", "--boards", "boards.jsonl", "--workers", "2", folder=tmp_path)
    packed = run(*arguments, "b.sqlite", "--boards", "boards.jsonl.gz", "--workers", "1", folder=tmp_path)
    assert plain.returncode == packed.returncode == 0, plain.stderr + packed.stderr
    found = json.loads(plain.stdout)
    for name in ("exact", "statements"):
        by_hand = ""
        for seed, line in enumerate(given):
            board = GivenBoard(tuple(json.loads(line)["mines"]), 40)
            game = Game(rules, seed, Layout.of_numbers(rules.topology, board.mines))
            by_hand += str(play_game(game, name, seed, board).won)
        agent = found["agents"][name]
        assert agent["per_game"] == by_hand == json.loads(packed.stdout)["agents"][name]["per_game"]
        assert agent["wins"] == by_hand.count("1")
        assert agent["n_games"] == 40
        assert agent["won"][0] == pytest.approx(by_hand.count("1") / 40)
    (pair,) = found["comparisons"]
    exact, statements = (found["agents"][name]["per_game"] for name in ("exact", "statements"))
    assert pair["only_first"] == sum(one > other for one, other in zip(exact, statements, strict=True))
    assert pair["only_second"] == sum(one < other for one, other in zip(exact, statements, strict=True))
    first_five = run(*arguments, "a.sqlite", "--boards", "boards.jsonl", "--games", "5", folder=tmp_path)
    assert json.loads(first_five.stdout)["agents"]["exact"]["per_game"] == exact[:5]
    # The compressed copy is the same set: nothing is played again.
    again = run(*arguments, "a.sqlite", "--boards", "boards.jsonl.gz", folder=tmp_path)
    assert "Sweep: 0 games" in again.stderr


def test_the_command_answers_wrong_boards_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "boards.jsonl").write_text(lines(1)[0] + "\nnonsense\n")
    said = complaint("sweep", "--boards", str(tmp_path / "boards.jsonl"), "--store", str(tmp_path / "r.sqlite"))
    assert said.startswith(f"{tmp_path}/boards.jsonl: Line 2: a board must look like")
    assert not (tmp_path / "r.sqlite").exists()
    assert "There is no file" in complaint("sweep", "--boards", str(tmp_path / "none.jsonl"))
    (tmp_path / "boards.jsonl").write_text(lines(1)[0])
    other = complaint("sweep", "--boards", str(tmp_path / "boards.jsonl"), "--board", "expert")
    assert other == f"--board says 16x30/99, but the boards of {tmp_path}/boards.jsonl are 9x9/10."


def test_conditions_on_given_boards_are_runs_of_their_own() -> None:
    given = read_boards("\n".join(lines()).encode(), "safe")
    assert Condition.of(given.rules, "exact", given.name) != Condition.of(given.rules, "exact")
