from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command import SAPPER, complaint, first_in_path, run, run_on_terminal

from sapper.observation import Observation
from sapper.play.record import Record, read_record
from sapper.rules import PRESETS


@pytest.mark.slow
def test_help_lists_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    for name in ("show", "analyse", "game", "convert"):
        assert name in done.stdout
        assert run(name, "--help").returncode == 0


def test_no_arguments_say_what_to_do_first() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Sapper plays, solves, explains")
    assert re.findall(r"^  (sapper \w+)", done.stdout, re.MULTILINE) == ["sapper play", "sapper show", "sapper analyse"]
    assert "sapper --help" in done.stdout


@pytest.mark.slow
def test_the_module_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "sapper", "show"], capture_output=True, text=True, check=True)
    assert done.stdout == run("show").stdout


def test_version() -> None:
    assert run("--version").stdout.startswith("sapper ")


def test_show_draws_text_json_and_svg(tmp_path: Path) -> None:
    assert run("show", "01#/02# 2").stdout == Observation.parse("01#/02# 2").pretty() + "\n"
    described = json.loads(run("show", "01#/F2* 2 torus", "--json").stdout)
    assert described["position"] == "01#/F2* 2 torus"
    assert (described["hidden"], described["flags"], described["exploded"]) == (2, 1, 1)
    assert run("show", "01#/02# 2", "--output", str(tmp_path / "board.svg")).returncode == 0
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


@pytest.mark.slow
def test_show_reads_files_and_standard_input(tmp_path: Path) -> None:
    (tmp_path / "a.pos").write_text("01#\n02# 2\n")
    (tmp_path / "a.mine").write_text("3x2x2\n01H\n02H\n")
    expected = run("show", "01#/02# 2").stdout
    assert run("show", "a.pos", folder=tmp_path).stdout == expected
    assert run("show", "a.mine", folder=tmp_path).stdout == expected
    assert run("show", "-", stdin="01#/02# 2").stdout == expected


@pytest.mark.slow
def test_a_terminal_gets_colour_unless_it_wants_none() -> None:
    assert "\x1b[" in run_on_terminal("show", "1#/## 2", stream="stdout")[1]
    plain = run_on_terminal("show", "1#/## 2", stream="stdout", NO_COLOR="1")[1]
    assert plain == run("show", "1#/## 2").stdout


def test_analyse_draws_chances_and_says_what_is_best() -> None:
    done = run("analyse", "2#1/###/#3#")
    assert done.returncode == 0, done.stderr
    for part in ("MINE", ">safe<", "33", "67", "Safest: (1, 2), safe.", "Certain: 1 safe, 1 mine.", "Layouts: 3."):
        assert part in done.stdout


@pytest.mark.slow
def test_analyse_never_rounds_to_certainty() -> None:
    # One mine in 300 cells: a third of a percent, which is not none.
    done = run("analyse", "/".join(["#" * 20] * 15) + " 1")
    assert "<1" in done.stdout
    assert "0.33% risk" in done.stdout
    assert "safe" not in done.stdout.split("Certain")[0]


def test_analyse_in_json() -> None:
    answer = json.loads(run("analyse", "1##/### 2", "--json", "--count").stdout)
    assert answer["p"][0] is None
    assert answer["p"][1] == pytest.approx(1 / 3)
    assert (answer["safe"], answer["mines"], answer["layouts"]) == ([], [], 6)
    assert answer["log_layouts"] == pytest.approx(1.791759469228055)


@pytest.mark.slow
def test_analyse_streams_positions() -> None:
    lines = [
        '{"id":"a","width":3,"height":2,"mines":2,"rows":["1##","###"]}',
        "",
        '{"id":"b","width":2,"height":2,"mines":2,"rows":["1#","##"]}',
        '{"width":2,"height":1,"mines":null,"rows":["1#"]}',
    ]
    done = run("analyse", "-", "--jsonl", stdin="\n".join(lines))
    assert done.returncode == 0, done.stderr
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert set(first) == {"id", "p", "safe", "mines", "log_layouts"}
    assert second["id"] == "b"
    assert "cannot both hold" in second["error"]
    assert third["mines"] == [1]


def test_analyse_answers_an_impossible_position_with_the_clues() -> None:
    assert "the 1 at (0, 0) and the total of 2 mines" in complaint("analyse", "1#/## 2")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("not json", "line 1: expected a JSON object"),
        ("[1, 2]", "line 1: expected"),
        ("{}", "line 1: expected"),
        ('{"rows": "##"}', "'rows' should be a list of strings"),
        ('{"rows": ["##", "#"], "mines": 1}', "Row 1 has 1 cell"),
        ('{"rows": ["##"], "mines": "x"}', "'mines' should be a whole number"),
        ('{"rows": ["##"], "mines": 1, "width": 3}', "'width' is 3, but the rows say 2"),
        ('{"rows": ["##"], "mines": -1}', "line 1"),
    ],
)
def test_analyse_names_the_line_that_is_wrong(line: str, says: str) -> None:
    assert says in complaint("analyse", "-", "--jsonl", stdin=line)


def test_show_alone_lists_the_presets() -> None:
    assert json.loads(run("show", "--json").stdout) == {name: str(rules) for name, rules in PRESETS.items()}
    assert "16x30/99" in run("show").stdout


@pytest.mark.slow
def test_a_game_by_typed_moves_leaves_a_record(tmp_path: Path) -> None:
    script = "?\nx\n0 0\n0 0\nf 9 9\nf 8 8\ns mid.record\nq\n"
    done = run("game", "--board", "beginner", "--seed", "9", "--output", "end.record", stdin=script, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "is open already" in done.stdout
    assert "no cell (9, 9)" in done.stdout
    record = read_record((tmp_path / "end.record").read_bytes())
    assert [str(move) for move in record.moves] == ["open 0,0", "flag 8,8"]
    assert read_record((tmp_path / "mid.record").read_bytes()) == record
    assert record.final_game().observation.total == 10


def test_a_game_ends_politely_when_the_input_ends() -> None:
    done = run("game", "--seed", "1", stdin="0 0\n")
    assert done.returncode == 0
    assert "Playing after 1 move" in done.stdout


@pytest.mark.slow
def test_a_replay_tells_every_reason(tmp_path: Path) -> None:
    done = run("show", "--replay", "1000")
    assert done.returncode == 0
    assert "won after 33 moves" in done.stdout
    assert "already touches" in done.stdout
    (tmp_path / "a.sapper").write_text(
        "Sapper-Record: 1\nRules: 2x2/1 first-any\nSeed: 0\nMoves:\nopen 0,0 | a corner\n"
    )
    assert run("show", "--replay", "a.sapper", folder=tmp_path).stdout.splitlines()[1] == "1. open 0,0: a corner"


@pytest.mark.slow
def test_convert_between_formats(tmp_path: Path) -> None:
    (tmp_path / "a.layout").write_text("*--/--*\n")
    assert run("convert", "a.layout", "a.mbf", folder=tmp_path).returncode == 0
    assert (tmp_path / "a.mbf").read_bytes() == bytes([3, 2, 0, 2, 0, 0, 2, 1])
    assert run("convert", "a.mbf", "-", "--to", "layout", folder=tmp_path).stdout.strip() == "*--/--*"
    assert "b=32" in run("convert", "-", "-", "--from", "layout", "--to", "ptta", stdin="*--/--*").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "1#/###"], "Row 1 has 3 cells but row 0 has 2."),
        (["show", ""], "empty"),
        (["show", "9#"], "'9'"),
        (["show", "missing.mine"], "no file missing.mine"),
        (["show", "missing"], "There is no file 'missing', and it is neither a position nor a layout."),
        (["show", "./missing.dat"], "There is no file './missing.dat', and it is neither a position nor a layout."),
        (["show", "/"], "/ is a folder, not a file."),
        (["show", "/tmp"], "/tmp is a folder, not a file."),
        (["show", "missing.txt"], "There is no file missing.txt."),
        (["show", "## 99999999999"], "The number of mines 99999999999 after the rows is more than any board holds."),
        (["show", "1#", "--output", ""], "The name of the file is empty."),
        (["explain"], "POSITION is missing; see sapper explain --help."),
        (["analyse", "1#/#x"], "Row 1, column 1"),
        (["analyse", "1#/##", "--density", "2"], "density"),
        (["analyse", "missing.mine"], "no file missing.mine"),
        (["show", "1#", "--output", "no/such/folder.svg"], "no folder"),
        (["game", "--board", "9x9/82"], "82 mines"),
        (["game", "--board", "expert torus hex"], "both 'torus' and 'hex'"),
        (["game", "--output", "no/game.record"], "There is no folder no to write game.record into."),
        (["explain", "1#", "--output", "no/x.svg"], "There is no folder no"),
        (["stats", "missing"], "There is no file missing, and it is not a board either: 'missing' is not a board"),
        (["stats", "missing.mbf"], "There is no file missing.mbf."),
        (["stats", "9x9/10", "missing.mbf"], "There is no file missing.mbf."),
        (["stats", "9x9/10 withheld:1.5"], "must be between 0 and 1"),
        (["stats", "9x9/10", "--count", "1000000", "--output", "h.xyz"], "writes .svg, .png or .json, not 'h.xyz'"),
        (
            ["stats", "expert", "--compare", "--count", "1000000", "--output", "no/h.svg"],
            "There is no folder no to write h.svg into.",
        ),
        (["game", "--board", "huge"], "'huge'"),
        (["game", "--seed", "-4"], "seed"),
        (["game", "--seed", "x"], "--seed must be a whole number."),
        (["convert", "a.mbf", "b.mine"], "no file a.mbf"),
        (["convert", "a.xyz", "b.mine"], "xyz"),
        (["convert", "a.mbf", "b.mine", "--from", "nonsense"], "nonsense"),
        (["convert", "a.mbf"], "OUT is missing; see sapper convert --help."),
        (["show", "--replay", "0"], "--replay must be a number, at least 0.01."),
        (["nonsense"], "There is no command 'nonsense'; see sapper --help."),
        (["--nonsense"], "There is no option --nonsense"),
    ],
)
def test_wrong_arguments_are_answered_with_one_sentence(arguments: list[str], says: str, tmp_path: Path) -> None:
    assert says in complaint(*arguments, folder=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.mbf", b"", "empty.mbf"),
        ("short.mbf", b"\x03\x02\x00\x02\x00", "short.mbf"),
        ("junk.mine", bytes(range(256)), "junk.mine"),
        ("clue.mine", b"2x1x1\n8H\n", "clue 8"),
        ("ragged.pos", b"##\n###\n", "Row 1"),
        ("empty.txt", b"", "empty.txt: The position is empty."),
        ("huge.mine", b"99999x99999x1\nH\n", "limit"),
    ],
)
def test_wrong_files_are_answered_with_name_and_place(name: str, data: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    target = "out.layout" if name.endswith("mbf") else "out.csp"
    assert says in complaint("convert", name, target, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_input_that_is_not_text_is_no_traceback() -> None:
    done = run("game", "--seed", "1", stdin=b"\xff\xfe\nq\n")
    assert done.returncode == 0, done.stderr
    assert "is not a move" in done.stdout


def test_standard_input_is_called_by_its_name() -> None:
    assert complaint("show", "-") == "Standard input: The file is empty."
    assert complaint("convert", "-", "-", "--from", "mbf", "--to", "ptta").startswith("Standard input: ")
    assert complaint("verify", "-") == "Standard input does not contain a certificate."


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("sweep", "--output", "a.png", "--store", "r.sqlite"),
        ("stats", "expert", "--count", "1000000", "--output", "h.svg"),
        ("stats", "expert", "--compare", "--count", "1000000", "--output", "a.svg"),
    ],
)
def test_without_matplotlib_a_figure_is_refused_before_the_work(arguments: tuple[str, ...], tmp_path: Path) -> None:
    # A module that cannot be imported stands where matplotlib would be found first.
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "matplotlib.py").write_text("raise ImportError")
    (tmp_path / "empty").mkdir()
    done = subprocess.run(
        [SAPPER, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path / "empty",
        env=os.environ | {"PYTHONPATH": first_in_path(tmp_path / "modules")},
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "sapper: Drawing needs matplotlib: pip install 'sapper[plots]'.\n"
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_failed_write_leaves_the_old_file_alone(tmp_path: Path) -> None:
    (tmp_path / "in.mbf").write_bytes(b"\x03\x02\x00\x02\x00")
    (tmp_path / "out.layout").write_text("precious")
    complaint("convert", "in.mbf", "out.layout", folder=tmp_path)
    assert (tmp_path / "out.layout").read_text() == "precious"


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    board = "/".join(["#" * 900] * 66)
    command = f"{shlex.quote(str(SAPPER))} show '{board}' | head -c 10; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, cwd=tmp_path)
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.slow
def test_the_record_keeps_the_rules(tmp_path: Path) -> None:
    run("game", "--board", "4x4/2 survey", "--seed", "2", "--output", "g.record", stdin="0 0\nq\n", folder=tmp_path)
    assert str(Record.parse((tmp_path / "g.record").read_text()).rules) == "4x4/2 survey"
