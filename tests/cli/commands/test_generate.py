"""``sapper generate`` and ``sapper verify`` as people call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import call, complaint, run

from sapper.formats import FORMATS
from sapper.formats.tatham import OpenedLayout
from sapper.layout import Layout
from sapper.play.noguess.generate import generate_no_guess, needs_no_guess
from sapper.rules import Rules
from sapper.world.generation import generate_layout

BOARD = "8x8/10 first-opening"
RULES = Rules.parse(BOARD)
MIDDLE = (4, 4)


def test_plain_boards_are_those_of_the_library() -> None:
    done = run("generate", "--board", BOARD, "--count", "3", "--seed", "5")
    assert done.returncode == 0
    assert done.stdout.split() == [str(generate_layout(RULES, seed, MIDDLE)) for seed in (5, 6, 7)]


@pytest.mark.slow
def test_boards_without_guesses_in_every_format_with_their_certificates(tmp_path: Path) -> None:
    layouts = [generate_no_guess(RULES, seed, (1, 1)) for seed in range(4)]
    assert all(needs_no_guess(RULES, layout, (1, 1)) for layout in layouts)
    common = ("generate", "--board", BOARD, "--no-guess", "--count", "4", "--first", "1,1")
    proofs = tmp_path / "proofs.jsonl"
    status, out, _ = call(*common, "--certificates", str(proofs))
    assert (status, out.split()) == (0, [str(layout) for layout in layouts])
    status, out, _ = call("verify", str(proofs))
    assert status == 0
    assert out.startswith("4 certificates hold: ")
    call(*common, "--output", str(tmp_path / "boards.ptta"))
    lines = (tmp_path / "boards.ptta").read_bytes().splitlines()
    assert [FORMATS["ptta"].read(line) for line in lines] == layouts
    assert call(*common, "--to", "mbf", "--output", str(tmp_path))[0] == 0
    assert [FORMATS["mbf"].read((tmp_path / f"board-{seed}.mbf").read_bytes()) for seed in range(4)] == layouts
    _, out, _ = call(*common, "--to", "tatham")
    games = [FORMATS["tatham"].read(line.encode()) for line in out.split()]
    assert games == [OpenedLayout(layout, (1, 1)) for layout in layouts]


@pytest.mark.slow
def test_json_tells_all(tmp_path: Path) -> None:
    common = ("generate", "--board", BOARD, "--no-guess")
    _, out, _ = call(*common[:-1], "--no-guess", "pairs", "--method", "reject", "--json")
    told = json.loads(out)
    assert told["hardest"] in ("single", "subset", "pair")
    assert told["method"] == "reject"
    assert told["repairs"] == 0
    assert told["tries"] >= 1
    assert told["score"] > 0
    assert needs_no_guess(RULES, Layout.parse(told["layout"]), MIDDLE, "pairs")
    proofs = tmp_path / "one.jsonl"
    call(*common, "--certificates", str(proofs), "--output", str(tmp_path / "b"))
    _, out, _ = call("verify", str(proofs), "--json")
    checked = json.loads(out)
    assert checked["holds"] is True
    assert checked["fault"] is None


@pytest.mark.slow
def test_giving_up_has_a_status_of_its_own_and_keeps_what_was_made(tmp_path: Path) -> None:
    # Seed 6 is found within two tries, and seed 7 is not.
    boards, proofs = tmp_path / "boards.txt", tmp_path / "proofs.jsonl"
    status, _, complaints = call(
        "generate", "--board", "6x6/6", "--no-guess", "--method", "reject", "--limit", "2",
        "--seed", "6", "--count", "50", "--output", str(boards), "--certificates", str(proofs),
    )  # fmt: skip
    assert status == 3
    assert complaints.startswith("sapper: Gave up after 2 tries: ")
    assert complaints.endswith(" The board before it is kept.\n")
    assert len(boards.read_text().split()) == len(proofs.read_text().splitlines()) == 1
    none = run("generate", "--board", "1x3/1", "--no-guess", "--limit", "5", "--first", "0,1")
    assert (none.returncode, none.stdout) == (3, "")
    assert "Gave up after 5 tries" in none.stderr
    assert "kept" not in none.stderr


@pytest.mark.slow
def test_a_certificate_that_does_not_hold_is_named(tmp_path: Path) -> None:
    proofs = tmp_path / "proofs.jsonl"
    call("generate", "--board", BOARD, "--no-guess", "--count", "3", "--certificates", str(proofs))
    lines = proofs.read_text().splitlines()
    value = json.loads(lines[1])
    value["first"] = value["layout"].replace("/", "").index("*")
    proofs.write_text("\n".join([lines[0], json.dumps(value), "", lines[2]]))
    status, out, _ = call("verify", str(proofs))
    assert status == 1
    assert f"{proofs}, line 2: The first cell " in out
    assert "2 certificates hold; 1 does not: " in out
    _, out, _ = call("verify", str(proofs), "--json")
    assert [json.loads(line)["holds"] for line in out.splitlines()] == [True, False, True]
    proofs.write_text(json.dumps(value))
    status, out, _ = call("verify", str(proofs))
    assert status == 1
    assert out.endswith("The certificate does not hold.\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--board", "nonsense"], "is not a board"),
        (["--first", "9"], "--first should look like 3,4, not '9'."),
        (["--first", "99,99"], "There is no cell (99, 99)"),
        (["--to", "gif"], "There is no format 'gif' for boards"),
        (["--method", "reject"], "--method needs --no-guess."),
        (["--limit", "5"], "--limit needs --no-guess."),
        (["--no-guess", "--method", "repair:x"], "should look like repair:100"),
        (["--certificates", "x"], "--certificates needs --no-guess."),
        (["--no-guess", "magic"], "There is no reasoning 'magic'"),
        (["--no-guess", "--method", "magic"], "There is no method 'magic'"),
        (["--no-guess", "--board", "9x9/10 withheld:0.3"], "need exact clues"),
        (["--no-guess", "count", "--board", "9x9/10 total-hidden"], "hide the number of mines"),
        (["--board", "4x4/12 first-opening", "--first", "1,1"], "leave no room"),
        (["--count", "2", "--to", "mbf"], "--output should be a folder"),
        (["--to", "mbf", "--board", "9x9/10 hex"], "only square boards"),
        (["--output", "no/such/folder/x"], "There is no folder"),
        (["--output", "."], ". is a folder, not a file."),
        (["--no-guess", "--output", "x", "--certificates", "no/such/folder/x"], "There is no folder"),
        (["--no-guess", "--certificates", "-"], "cannot both go to -"),
        (["--count", "0"], "--count must be a whole number, at least 1."),
        (["--seed", "-1"], "--seed must be a whole number, at least 0."),
    ],
)
def test_wrong_words_are_answered_with_a_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, complaints = call("generate", *arguments)
    assert (status, out) == (2, "")
    assert sentence in complaints
    assert complaints.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_verified(tmp_path: Path) -> None:
    assert "There is no file" in complaint("verify", str(tmp_path / "none.jsonl"))
    assert "does not contain a certificate" in complaint("verify", "-", stdin="\n\n")
    assert "Standard input, line 1: The certificate is not JSON." in complaint("verify", "-", stdin="board")
    assert "is not a text file" in complaint("verify", "-", stdin=b"\xff\xfe")
    assert "line 2: This is not a certificate" in complaint("verify", "-", stdin='\n{"a": 1}')


def test_a_search_without_a_board_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    boards, proofs = tmp_path / "q.txt", tmp_path / "p.jsonl"
    for path in (boards, proofs):
        path.write_text("precious", encoding="utf-8")
    options = ("--board", "16x16/120", "--no-guess", "--method", "reject", "--limit", "1")
    status, _, said = call("generate", *options, "--output", str(boards), "--certificates", str(proofs))
    assert (status, "kept" in said) == (3, False)
    assert [path.read_text(encoding="utf-8") for path in (boards, proofs)] == ["precious", "precious"]


def test_ctrl_c_before_the_first_board_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "q.txt"
    path.write_text("precious", encoding="utf-8")
    monkeypatch.setattr("sapper.play.noguess.generate.NoGuessMaker.make", stop)
    status, _, _ = call("generate", "--board", BOARD, "--no-guess", "--output", str(path))
    assert status == 130
    assert path.read_text(encoding="utf-8") == "precious"
