"""The advisor as a person meets it: the real command, fed line by line."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from pathlib import Path

import pytest
from command import SAPPER, complaint, run
from processes import PATIENCE

from sapper.agents.registry import make_agent
from sapper.observation import SYMBOLS, Observation
from sapper.play.advice.real_game import Advice
from sapper.rules import Rules
from sapper.world.game import Game


def talk(*lines: str, options: tuple[str, ...] = ("--board", "5x5/4"), folder: Path | None = None) -> list[str]:
    """Hold a conversation that must end well; return what was said, line by line."""
    done = run("advise", *options, stdin="".join(f"{line}\n" for line in lines), folder=folder)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()


def person(board: str, seed: int) -> tuple[Game, list[str]]:
    """Play a real game by the advice; return it and what a person would have typed."""
    game = Game(Rules.parse(board), seed)
    advice = Advice(game.rules, make_agent("exact"))
    typed = []
    while not advice.finished:
        if not advice.asks_for_region:
            assert advice.decision.cell is not None
            game.open(*advice.decision.cell)
        shown = {cell: int(game.observation.cells[cell]) for cell in advice.asked}
        typed.append("".join(SYMBOLS[code] for code in shown.values()))
        advice.enter(shown)
    return game, typed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "seed", "ends"),
    [
        ("5x5/4", 3, "Solved: every safe cell is open; the 4 hidden cells are mines."),
        ("9x9/20", 0, "A mine: the game is over."),
        ("8x8/8 torus", 0, "Solved: every safe cell is open; the 8 hidden cells are mines."),
        ("6x6/8 hex survey total-hidden", 4, "Score 8/8."),
        ("5x5/8 survey first-any withheld:0.3", 4, "Score"),
    ],
)
def test_a_whole_game_is_advised_to_its_end(board: str, seed: int, ends: str, tmp_path: Path) -> None:
    game, typed = person(board, seed)
    said = talk(*typed, "save end.pos", options=("--board", board), folder=tmp_path)
    assert (tmp_path / "end.pos").read_text().strip() == str(game.observation)
    assert any(ends in line for line in said[-4:]), said[-4:]
    assert sum(" = " in line for line in said) == len(typed)


def test_a_solved_board_is_said_to_be_solved() -> None:
    said = talk("1", "1", options=("--board", "1x3/1"))
    assert said[-2].startswith("Solved: every safe cell is open; the 1 hidden cell is a mine.")


def test_a_mine_ends_a_classic_game_unless_it_is_taken_back() -> None:
    said = talk("mine", "1", "undo", "1", "q", options=("--board", "3x3/2 first-any"))
    assert "A mine: the game is over. Press Enter to end, or type undo to undo the last entry." in said
    assert "> 1" in said
    assert "The game is over; undo the last entry to continue." in said
    assert "Undone; 0 entries left." in said
    assert said[-1] == "To continue from here: sapper advise --board '3x3/2 first-any' '1##/###/### 2'"


@pytest.mark.slow
def test_an_empty_line_after_the_end_ends_the_session() -> None:
    said = talk("*", "", "1", options=("--board", "3x3/2 first-any"))
    assert said[-1] == "> "


@pytest.mark.slow
def test_a_survey_goes_on_after_a_mine_and_ends_with_a_score() -> None:
    said = talk("*", "2", "2", options=("--board", "2x2/2 survey first-any"))
    assert any(line.startswith("Open (0, 1)") for line in said)
    assert any("the 1 hidden cell is a mine. Score 1/2." in line for line in said)


def test_slips_are_answered_and_the_question_is_put_again() -> None:
    said = talk(
        "9", "hello", "1 2", "7", "at 9,9 1", "else 9,9", "else x", "why x", "row 9: 00000", "save", "load", "1"
    )
    expected = [
        "'9' is not something that an open cell shows",
        "'hello' is not an answer",
        "takes one symbol, not 2",
        "the clue 7 touches only 3 cells",
        "no cell (9, 9)",
        "'x' is not a cell",
        "no cell (9, 0)",
        "Name the file: save FILE.",
        "Name the file: load FILE.",
    ]
    for words in expected:
        assert any(words in line for line in said), words
    assert sum(line.startswith("(0, 0) =") for line in said) == 12
    assert said[-1].endswith(" '1####/#####/#####/#####/##### 4'")


def test_an_impossible_entry_is_answered_with_the_clues_and_nothing_is_lost() -> None:
    said = talk("1", "0,1=1 1,0=1 1,1=0", "0,2=0 1,2=0", "q", options=("--board", "3x3/1"))
    cannot = [line for line in said if line.startswith("That cannot be.")]
    assert len(cannot) == 1
    assert "the 1 at (0, 0)" in cannot[0]
    assert "Nothing was changed" in cannot[0]
    # The first entry is still there, and the third was taken in.
    assert " '1#0/##0/### 1'" in said[-1]


def test_a_certain_mine_and_an_open_cell_are_refused_with_a_sentence() -> None:
    said = talk("1", "else 0,1", "0,1=0", "0,0=2", "0,0=1", options=("--board", "1x4/1"))
    assert "(0, 1) is a mine because of the 1 at (0, 0)." in said
    assert any(line.startswith("That cannot be. (0, 1) is a mine because of the 1 at (0, 0).") for line in said)
    assert "(0, 0) is open already and shows 1, not 2." in said
    assert "(0, 0) is open already." in said


def test_every_entry_can_be_taken_back() -> None:
    said = talk("1", "2,2=2", "undo", "undo", "undo", "q")
    assert said.count("There is nothing to undo.") == 1
    assert "Undone; 1 entry left." in said
    assert "Undone; 0 entries left." in said
    assert said[-1] == "(0, 0) = q"


@pytest.mark.slow
def test_other_cells_rows_and_positions_can_be_entered() -> None:
    said = talk("else 4,4", "2", "at 4,0 1", "else (0, 4) 1", "row 2: ##1##", "q", options=("--board", "5x5/6"))
    assert "(4, 4) = 2" in said
    assert said[-1].endswith(" '####1/#####/##1##/#####/1###2 6'")
    said = talk("1", "00000/01110/01#10/01110/00000", options=("--board", "5x5/1"))
    assert any(line.startswith("Solved") for line in said)
    assert any("another board" in line for line in talk("##/##"))
    assert any("says 5 mines" in line for line in talk("/".join(["#####"] * 5) + " 5"))


@pytest.mark.slow
def test_a_region_can_be_skipped() -> None:
    said = talk("0", "skip", "1", "q")
    assert any(line.startswith("Open (0, 1), safe: the 0 at (0, 0) touches no mine.") for line in said)
    assert not any(line.startswith("row 1") for line in said)


@pytest.mark.slow
def test_why_gives_the_argument_or_the_risk() -> None:
    options = ("1##/### 2",)
    said = talk("why", "why 0,1", "why 0,0", "why 7,7", options=options)
    assert any("a 33.3% chance of" in line for line in said)
    assert "(0, 0) is open." in said
    assert any("no cell (7, 7)" in line for line in said)
    said = talk("why", "why 0,2", options=("###/121",))
    assert any(line.startswith("(0, 2) is a mine because of the 1 at (1, 0) and the 2 at (1, 1)") for line in said)
    assert any("the rules promise" in line for line in talk("why"))


@pytest.mark.slow
def test_the_board_shows_the_chances() -> None:
    said = "\n".join(talk("board", options=("2#1/###/#3#",)))
    for part in ("MINE", ">safe<", "33", "67", "total unknown"):
        assert part in said


@pytest.mark.slow
def test_positions_are_saved_and_loaded(tmp_path: Path) -> None:
    talk("1", "save game.pos", folder=tmp_path)
    assert (tmp_path / "game.pos").read_text() == "1####/#####/#####/#####/##### 4\n"
    said = talk("load game.pos", "undo", "load missing.pos", "save no/such/place.pos", "q", folder=tmp_path)
    assert any("There is no file missing.pos." in line for line in said)
    assert any("There is no folder no/such" in line for line in said)
    assert said[-1] == "(0, 0) = q"
    said = talk("q", options=("game.pos",), folder=tmp_path)
    assert said[0].startswith("5x5/4")
    assert not any("rules promise" in line for line in said)
    assert talk("q", options=("--board", "5x5/4", "game.pos"), folder=tmp_path)[0].startswith("5x5/4.")


@pytest.mark.slow
def test_a_hidden_total_ends_when_the_game_says_so() -> None:
    said = talk("1", "won", options=("--board", "2x2/1 first-any total-hidden"))
    assert any(line.startswith("Solved: every safe cell is open; the 3 hidden cells are mines.") for line in said)
    assert any("That cannot be: 21 safe cells are still hidden" in line for line in talk("won"))


@pytest.mark.slow
def test_clues_may_be_withheld_where_the_rules_say_so() -> None:
    said = talk(".", "q", options=("--board", "4x4/3 withheld:0.3"))
    assert " '.###/####/####/#### 3 withheld:0.3'" in said[-1]
    assert any("must show a clue" in line for line in talk("."))


@pytest.mark.slow
@pytest.mark.parametrize("board", ["6x6/6 torus", "6x6/6 hex", "6x6/6 knight", "6x6/6 cautious:0.2", "6x6/6 liar:0.2"])
def test_other_boards_and_channels_are_advised_too(board: str) -> None:
    said = talk("1", "board", "why", "q", options=("--board", board))
    assert any(line.startswith("Open ") and "risk" in line for line in said)
    assert "1" in said[-1]


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["random", "basic", "statements", "min-risk", "infer"])
def test_any_agent_may_advise(agent: str) -> None:
    said = talk("1", "why", "board", "q", options=("--board", "4x4/3", "--agent", agent, "--seed", "5"))
    assert sum(line.startswith("Open ") for line in said) >= 2
    assert said == talk("1", "why", "board", "q", options=("--board", "4x4/3", "--agent", agent, "--seed", "5"))


@pytest.mark.slow
def test_the_end_of_the_input_is_an_end() -> None:
    assert talk()[-1] == "(0, 0) = "
    assert run("advise", stdin=b"\xff\xfe\n\x00\n1").returncode == 0


@pytest.mark.slow
def test_help_teaches() -> None:
    assert "undo" in "\n".join(talk("?"))
    done = run("advise", "--help")
    assert done.returncode == 0
    for words in ("row by row", "3,4=2 3,5=1", "sapper advise --board expert"):
        assert words in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--board", "huge"], "'huge'"),
        (["--agent", "exakt"], "did you mean exact?"),
        (["--seed", "-1"], "--seed"),
        (["1#/###"], "Row 1 has 3 cells"),
        (["missing.pos"], "no file missing.pos"),
        (["1#/## 2"], "the 1 at (0, 0) and the total of 2 mines"),
        (["1#/## 1", "--board", "3x3/1"], "another board"),
        (["1#/## 1", "--board", "2x2/2"], "says 1 mine"),
        (["-"], "Standard input"),
        (["nonsense"], "nonsense"),
    ],
)
def test_wrong_options_are_answered_with_one_sentence(arguments: list[str], says: str, tmp_path: Path) -> None:
    assert says in complaint("advise", *arguments, folder=tmp_path)


def _read_until(terminal: int, *words: bytes) -> bytes:
    """Read from a terminal until these words have come, one after the other."""
    said, start = b"", 0
    for word in words:
        while word not in said[start:]:
            assert select.select([terminal], [], [], 60)[0], f"nothing more after {said[-300:]!r}"
            said += os.read(terminal, 4096)
        start = said.index(word, start) + len(word)
    return said


def _press_ctrl_c(process: subprocess.Popen[bytes], terminal: int, word: bytes) -> bytes:
    """Press it until this word has come: readline notices one that comes too early only after the next key."""
    said = b""
    for _ in range(30):
        process.send_signal(signal.SIGINT)
        while word not in said and select.select([terminal], [], [], 2)[0]:
            said += os.read(terminal, 4096)
        if word in said:
            break
    return said


@pytest.mark.slow
def test_a_terminal_sees_the_board_in_colour_and_ctrl_c_ends_politely() -> None:
    pty = pytest.importorskip("pty", reason="needs a Unix terminal")
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [SAPPER, "advise", "--board", "3x3/2"],
        stdin=child,
        stdout=child,
        stderr=child,
        env=os.environ | {"TERM": "xterm-256color"},
    )
    os.close(child)
    try:
        said = _read_until(parent, b"(0, 0) =")
        os.write(parent, b"1\n")
        said += _read_until(parent, b"risk", b" = ")
        said += _press_ctrl_c(process, parent, b"To continue from here")
        status = process.wait(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
        os.close(parent)
    assert status == 0
    assert b"\x1b[" in said
    assert b"To continue from here" in said
    assert b"Traceback" not in said


@pytest.mark.slow
def test_a_saved_session_goes_on_where_it_stopped() -> None:
    last = talk("1", "q")[-1]
    board, position = "5x5/4", last.split(" '")[1].strip("'")
    assert Observation.parse(position).total == 4
    again = talk("q", options=("--board", board, position))
    assert again[1] == talk("1", "q")[3]
