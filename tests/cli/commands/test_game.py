"""A game typed in the terminal."""

from __future__ import annotations

from pathlib import Path

from command import Call

from sapper.play.record import read_record


def play(call: Call, *lines: str, options: tuple[str, ...] = ("--board", "4x4/3", "--seed", "4")) -> list[str]:
    status, said, complaint = call("game", *options, stdin="\n".join(lines) + "\n")
    assert (status, complaint) == (0, "")
    return said.split("\n")


def test_moves_are_typed_short_or_as_they_stand_in_a_record(call: Call, tmp_path: Path) -> None:
    options = ("--board", "4x4/3", "--seed", "4", "--output", "end.sapper")
    said = play(call, "open 0,0 | the corner", "f 0 3", "flag (1, 3)", "2,3", options=options)
    record = read_record((tmp_path / "end.sapper").read_bytes())
    assert [str(move) for move in record.moves] == ["open 0,0 | the corner", "flag 0,3", "flag 1,3", "open 2,3"]
    assert "Won after 4 moves, score 2/3." in said
    assert any(line.startswith("The game is won. Press Enter to end, or type undo") for line in said)


def test_a_hint_says_why_and_sees_what_is_marked(call: Call) -> None:
    said = "\n".join(play(call, "hint", "0 0", "hint", "f 0 3", "f 1 3", "f 3 3", "hint", "f 2 3", "hint"))
    assert "Open any cell: the rules promise that the first one is safe." in said
    assert "(0, 3) is a mine because of the 2 at (0, 2)." in said
    assert "> hint\n(2, 3) is safe because of " in said
    assert "The flag at (2, 3) is wrong. (2, 3) is safe because of " in said


def test_the_chances_of_every_cell_can_be_seen(call: Call) -> None:
    said = "\n".join(play(call, "0 0", "chances"))
    assert "MINE" in said
    assert ">safe<" in said
    assert "3 mines; the rest in percent" in said


def test_moves_can_be_taken_back_even_after_the_end(call: Call) -> None:
    options = ("--layout", "*--/---/--*")
    said = play(call, "undo", "0 0", "0 1", "undo", "0 1", "undo", "undo", options=options)
    assert said[0] == "3x3/2 first-any, the layout given. Type ? for help."
    assert "There is no move to undo." in said
    assert "The game is over: lost." in said
    assert said.count("Undone; 0 moves left.") == 2
    assert said[-2] == "Nothing was played."


def test_enter_ends_a_game_that_is_over(call: Call) -> None:
    said = play(call, "0 0", "", "0 1", options=("--layout", "*--/---/--*"))
    assert said[-2] == "Lost after 1 move, score 0/2."


def test_a_layout_comes_from_a_file_and_has_to_fit_the_board(call: Call, tmp_path: Path) -> None:
    (tmp_path / "a.mbf").write_bytes(bytes([3, 2, 0, 2, 0, 0, 2, 1]))
    assert play(call, "0 1", options=("--layout", "a.mbf"))[0].startswith("2x3/2 first-any, ")
    assert "does not fit" in call("game", "--layout", "a.mbf", "--board", "3x3/2")[2]
    wrong = "sapper: Standard input is for the moves; give the layout as text or in a file.\n"
    assert call("game", "--layout", "-")[2] == wrong


def test_slips_are_answered_and_the_game_goes_on(call: Call) -> None:
    said = "\n".join(play(call, "?", "hello", "save", "save no/such/file", "c 0 0", "q"))
    for words in (
        "hint            what to do next, and why",
        "'hello' is not a move; type ? to see what you can type.",
        "Name the file: save FILE.",
        "There is no folder no/such to write file into.",
        "only an open clue can be chorded",
        "Nothing was played.",
    ):
        assert words in said


def test_what_a_cell_touches_can_be_asked(call: Call) -> None:
    said = play(call, "around 0 0", "around 9 9", "around", options=("--board", "5x5/3 knight", "--seed", "4"))
    assert "(0, 0) touches (1, 2) and (2, 1)." in said
    assert any("There is no cell (9, 9)" in line for line in said)
    assert any("is not a cell" in line for line in said)


def test_a_game_without_a_move_leaves_an_earlier_record(call: Call, tmp_path: Path) -> None:
    (tmp_path / "end.sapper").write_text("precious", encoding="utf-8")
    _, said, _ = call("game", "--board", "4x4/3", "--output", "end.sapper", stdin="q\n")
    assert said.endswith("Nothing was played.\n")
    assert (tmp_path / "end.sapper").read_text(encoding="utf-8") == "precious"
