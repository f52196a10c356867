"""Puzzles in the terminal, as JSON and on paper."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from command import SAPPER, Call
from hypothesis import given
from hypothesis import strategies as st
from processes import PATIENCE
from rich.text import Text

from sapper.cli.errors import Status
from sapper.cli.puzzle_source import Ladder
from sapper.cli.session import Answered, describe, side_by_side
from sapper.train import KINDS, LEVELS, Puzzle, puzzle


def session(call: Call, *lines: str, options: tuple[str, ...] = ()) -> str:
    status, said, complaint = call("train", "--seed", "5", *options, stdin="".join(f"{line}\n" for line in lines))
    assert (status, complaint) == (0, "")
    return said


def right(made: Puzzle) -> str:
    return str(made.number) if made.number is not None else "{} {}".format(*made.solution[0])


# -- a session ------------------------------------------------------------------------------------------------


def test_a_right_answer_brings_the_proof_and_the_next_puzzle(call: Call) -> None:
    made = puzzle("subsets", 5)
    said = session(call, right(made), options=("--kind", "subsets", "--count", "2"))
    assert said.startswith("9x9/10 first-opening, seed 5. Type ? for help.\nPuzzle 1 of 2: subsets (")
    assert f"Right. {made.solution[0]} is certainly safe.\n" in said
    assert re.search(r"is safe because of .*\.\n  1\. ", said)
    assert "\nPuzzle 2 of 2: subsets (" in said
    assert re.search(r"\n1 of 1 right, \d+\.\d seconds each on average\.\n$", said)


def test_a_lucky_cell_is_wrong_and_two_layouts_are_shown(call: Call) -> None:
    said = session(call, "0 0", options=("--count", "1"))
    assert "Wrong. (0, 0) is uncertain: it has a 20.0% chance of being a mine." in said
    assert re.search(r"Both of these fit every clue:\nWith a mine there +Without\n", said)
    row = next(line for line in said.split("\n") if ">*<" in line)
    assert ">·<" in row
    assert "0 of 1 right" in said


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_answered(kind: str, call: Call) -> None:
    made = puzzle(kind, 5)  # type: ignore[arg-type]
    said = session(call, "hint", right(made), options=("--kind", kind, "--count", "1"))
    assert f"> hint\n{made.hint}\n" in said
    assert made.task in said
    assert "\nRight. " in said
    assert "Right. Right." not in said
    assert "1 of 1 right" in said
    if made.marked:
        assert re.search(r">.<", said.split(made.task)[0])


def test_why_shows_the_proof_and_counts_and_skip_does_not(call: Call) -> None:
    first = puzzle("pairs", 5)
    said = session(call, "why", "skip", "", "q", options=("--kind", "pairs", "--count", "9"))
    assert f"> why\n{first.answer}\n{first.proof}\n" in said
    assert said.count("Puzzle 3 of 9") == 1
    # Enter shows the board again.
    assert said.split("Puzzle 3 of 9")[1].count("Open a cell that is certainly safe.") == 2
    assert "0 of 1 right" in said


def test_slips_are_answered_and_the_puzzle_stays(call: Call) -> None:
    said = session(call, "?", "hello", "99 0", "8 8", "3", options=("--count", "1"))
    assert "hint            which clues to look at" in said
    assert "'hello' is not an answer; type a cell like 3 4, or ? for help." in said
    assert "'3' is not an answer; type a cell like 3 4, or ? for help." in said
    assert "99" in said
    assert "(8, 8) is not hidden; the answer must be a hidden cell without a flag." in said
    assert said.endswith("No puzzle was answered.\n")
    said = session(call, "3 4", "-1", options=("--kind", "area", "--count", "1"))
    assert "'3 4' is not an answer; type the number of mines, or ? for help." in said
    assert "'-1' is not an answer" in said


def test_three_right_answers_lead_on_and_the_score_is_by_level(call: Call) -> None:
    status, listed, _ = call("train", "--seed", "5", "--kind", "single", "--count", "3", "--json")
    assert status == 0
    answers = [right(Puzzle.from_plain_values(json.loads(line))) for line in listed.splitlines()]
    said = session(call, *answers, right(puzzle("subsets", 5)), options=("--count", "4"))
    assert "Three right in a row: on to subsets.\n\nPuzzle 4 of 4: subsets (" in said
    assert re.search(r"4 of 4 right, .*\n  single   3 of 3, \d\.\d s\n  subsets  1 of 1, \d\.\d s\n$", said)


def test_a_kind_that_the_board_does_not_have(call: Call) -> None:
    status, _, complaint = call("train", "--board", "2x8/3", "--kind", "single", "--seed", "1")
    assert status == Status.GAVE_UP
    assert complaint.startswith("sapper: Found no puzzle of kind single on a board 2x8/3")


def test_wrong_wishes_are_one_sentence(call: Call) -> None:
    for arguments, sentence in (
        (("--kind", "tripels"), "There is no puzzle kind 'tripels'; choose from single, subsets,"),
        (("--board", "8x8/10 withheld:0.2"), "exact clues"),
        (("--output", "no/such/page.html"), "There is no folder no/such to write page.html into."),
        (("--json", "--output", "-"), "Only one of --json and --output - can go to standard output."),
    ):
        status, _, complaint = call("train", *arguments)
        assert status == Status.WRONG
        assert sentence in complaint
        assert complaint.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_ends_a_session_with_its_score(tmp_path: Path) -> None:
    # The interrupt is the handler's own, whatever the test was started with.
    process = subprocess.Popen(
        ["env", "--default-signal=INT", SAPPER, "train", "--seed", "5"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=os.environ | {"PYTHONUNBUFFERED": "1", "XDG_DATA_HOME": str(tmp_path)},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(b"0 0\n")
        process.stdin.flush()
        while b"Puzzle 2 of 10" not in (line := process.stdout.readline()):
            assert line, "the session ended early"
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, complaint) == (Status.DONE, b"")
    assert b"0 of 1 right" in said


# -- puzzles to keep ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_json_lines_are_puzzles_of_all_kinds_easiest_first(call: Call) -> None:
    status, said, complaint = call("train", "--json", "--count", "18", "--seed", "3")
    assert (status, complaint) == (0, "")
    made = [Puzzle.from_plain_values(json.loads(line)) for line in said.splitlines()]
    assert [one.kind for one in made] == [kind for kind in KINDS for _ in range(2)]
    assert made[0] == puzzle("single", 3)
    assert call("train", "--json", "--count", "18", "--seed", "3")[1] == said


def test_puzzles_are_exported_and_printed_on_a_sheet(call: Call, tmp_path: Path) -> None:
    for name in ("p.jsonl", "p.html"):
        options = ("--kind", "pairs", "--count", "3", "--seed", "3", "--output", name)
        assert call("train", *options) == (0, "", f"Wrote 3 puzzles to {name}.\n")
    assert "--output writes .html or .jsonl" in call("train", "--output", "p.pdf")[2]
    lines = (tmp_path / "p.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["kind"] for line in lines} == {"pairs"}
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 6
    assert json.loads(lines[0])["answer"] in page


def test_kinds_that_the_board_does_not_have_are_left_out(call: Call) -> None:
    status, said, _ = call("train", "--board", "8x8/14 orthogonal", "--json", "--count", "9", "--seed", "1")
    assert status == 0
    kinds = [json.loads(line)["kind"] for line in said.splitlines()]
    assert len(kinds) == 9
    assert "one-two" not in kinds


# -- the parts ------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_a_ladder_moves_one_level_at_a_time(answers: list[tuple[bool, bool]]) -> None:
    ladder = Ladder(list(LEVELS))
    in_a_row: list[bool] = []
    for is_right, was_helped in answers:
        before = LEVELS.index(ladder.kind)
        said = ladder.note(is_right, was_helped)
        moved = LEVELS.index(ladder.kind) - before
        assert abs(moved) <= 1
        assert bool(said) == bool(moved)
        in_a_row.append(is_right and not was_helped)
        if moved == 1:
            assert in_a_row[-1]
        if moved == -1:
            assert not is_right


def test_a_ladder_goes_up_after_three_and_down_after_two() -> None:
    ladder = Ladder(list(LEVELS))
    assert [ladder.note(True) for _ in range(3)][-1] == "Three right in a row: on to subsets."
    # A wrong answer between two right ones, or a hint, and the counting begins anew.
    for answer in (True, True, False, True, True):
        ladder.note(answer)
    assert ladder.note(True, was_helped=True) == ""
    assert ladder.kind == "subsets"
    assert ladder.note(False) == ""
    assert ladder.note(False) == "Two wrong in a row: back to single."
    assert [ladder.note(False) for _ in range(4)] == [""] * 4
    ladder.kinds.remove("single")  # the board has none
    assert ladder.kind == "subsets"


def test_the_score_of_nothing_and_of_one_level() -> None:
    assert list(describe([])) == ["No puzzle was answered."]
    assert list(describe([Answered("guess", 1.0, 1.0)])) == ["1 of 1 right, 1.0 seconds each on average."]


def test_a_marked_area_stands_out_in_colour_too() -> None:
    from sapper.draw.palette import LIGHT
    from sapper.draw.terminal import draw_terminal

    made = puzzle("area", 3)
    drawn = draw_terminal(made.position, [made.position.topology.index(*cell) for cell in made.marked])
    inks = [str(span.style) for span in drawn.spans if drawn.plain[span.start : span.end] == ">·<"]
    assert len(inks) == len(made.marked)
    assert all(f"bold {LIGHT.tile_ink} on {LIGHT.hidden}" == ink for ink in inks)


def test_boards_stand_below_each_other_where_there_is_no_room() -> None:
    left, right = [Text("ab"), Text("a")], [Text("cd"), Text("d")]
    assert [str(line) for line in side_by_side(left, right, 8)] == ["ab    cd", "a     d"]
    assert [str(line) for line in side_by_side(left, right, 7)] == ["ab", "a", "cd", "d"]
