"""Foreign agents: their faults cost them their game and nothing else; programs in five languages play alike."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import submissions
from command import complaint, run

from sapper.agents.foreign.agent import ForeignAgent, Host, Limits, digest_of
from sapper.agents.foreign.files import find_main
from sapper.agents.foreign.protocol import ABOUT, NotAMove, Protocol, serve
from sapper.agents.registry import agent_entry, listed_entry, make_agent
from sapper.errors import Forfeit, InputError
from sapper.experiments.games import ChunkResult, GameResult, pack, unpack
from sapper.experiments.grading.rubric import Rubric
from sapper.experiments.sweep import sweep
from sapper.observation import Observation
from sapper.play.match import play_match
from sapper.play.narrative import narrate_game
from sapper.rules import Rules
from sapper.web.jobs.games import watch
from sapper.world.game import Game

pytestmark = pytest.mark.slow

PLAYERS = Path(__file__).parents[2] / "examples" / "players"
RULES = "8x6/8 first-any no-cascade survey total-hidden"
QUICK = Limits(move=0.3, memory=512)


def play(name: str, seed: int = 3, limits: Limits = QUICK) -> str:
    """Play a game with the agent; return its result, or the fault and what it says."""
    try:
        return play_match(Game(RULES, seed), ForeignAgent(name, seed, limits=limits)).result
    except Forfeit as forfeit:
        return f"{forfeit.kind}: {forfeit.detail} {forfeit.output}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return submissions.write(tmp_path_factory.mktemp("class"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sound", "finished after 48 moves"),
        ("module-level", "finished after 48 moves"),
        ("prints", "finished after 48 moves"),
        ("peeks", "finished after 48 moves"),
        ("endless-loop", "hang: It had not answered after 0."),
        ("too-much-memory", "memory: It ran out of the memory that it may take."),
        ("exits", "exit: It ended its own process (sys.exit in minesweeper.py, line 39)."),
        ("does-not-load", "load: It raised ModuleNotFoundError: No module named 'minesweeper_helpers'"),
        ("changes-while-iterating", "crash: It raised RuntimeError: Set changed size during iteration"),
    ],
)
def test_what_a_submission_does_is_its_result(folder: Path, name: str, said: str) -> None:
    assert play(f"cs50:{folder / name}").startswith(said)


def test_swapped_coordinates_are_an_illegal_move(folder: Path) -> None:
    found = [play(f"cs50:{folder / 'swaps-coordinates'}", seed) for seed in range(5)]
    assert any("illegal: It opens" in one and "outside the board of 8 rows and 6 columns" in one for one in found)


def test_the_same_seed_gives_the_same_game_whatever_came_before(folder: Path) -> None:
    name = f"cs50:{folder / 'sound'}"
    first = [str(play_match(Game(RULES, 5), make_agent(name, 5))) for _ in range(2)]
    assert first[0] == first[1]


def test_one_bad_agent_takes_nobody_down(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAPPER_LIMITS", "move=0.2")
    found = sweep([f"cs50:{folder / 'exits'}", "basic"], "6x6/4 first-any no-cascade", 5)
    assert [row.faults for row in found.rows] == [{"exit": found.rows[0].n_forfeits}, {}]
    assert found.rows[0].n_forfeits > 0
    assert "exited" in repr(found)
    told = narrate_game(Rules.parse("6x6/4 first-any no-cascade survey"), f"cs50:{folder / 'exits'}", 1)
    assert told.ending[0].startswith("Lost by forfeit. It ended its own process")


def test_faults_are_stored_beside_older_results() -> None:
    plain = pack(ChunkResult((GameResult(1, 2, 3, 4, 5),), 0.0))
    faulty = pack(ChunkResult((GameResult(0, 0, 3, 4, 5, 2),), 0.0))
    assert unpack(plain.games, 1).tolist() == [[1, 2, 3, 4, 5, 0]]
    assert unpack(faulty.games, 1).tolist() == [[0, 0, 3, 4, 5, 2]]


def test_names_from_strangers_start_nothing() -> None:
    with pytest.raises(InputError, match="There is no agent"):
        listed_entry("program:true")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cs50:nowhere.py", "There is no file nowhere.py."),
        ("program:", "There is no program '' that can be run."),
        ("program:no-such-program-at-all", "There is no program 'no-such-program-at-all' that can be run."),
        ("program:'", "No closing quotation"),
    ],
)
def test_what_is_not_there_is_said_before_anything_starts(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        agent_entry(name)


def test_limits_are_read() -> None:
    with pytest.raises(InputError, match="'move=0' is not a limit"):
        Limits.parse("move=0")


def test_a_uci_submission_plays_with_columns_first(tmp_path: Path) -> None:
    (tmp_path / "MyAI.py").write_text(submissions.UCI, "utf-8")
    game = Game("3x7/0 first-opening no-cascade", 1)
    assert play_match(game, make_agent(f"uci:{tmp_path}", 1)).result.startswith("won after 21 moves")


def compile_player(language: str, folder: Path) -> str:
    """Return the command of a player, compiled if it needs that; skip without a compiler."""
    tools = {"Python": "python3", "C": "gcc", "Java": "javac", "JavaScript": "node", "Rust": "rustc"}
    if shutil.which(tools[language]) is None:
        pytest.skip(f"{tools[language]} is not installed")
    if language == "Python":
        return f"{sys.executable} {PLAYERS / 'player.py'}"
    if language == "C":
        subprocess.run(["gcc", "-O1", "-o", folder / "player", PLAYERS / "player.c"], check=True)
    elif language == "Java":
        subprocess.run(["javac", "-d", folder, PLAYERS / "Player.java"], check=True)
        return f"java -Xshare:auto -XX:TieredStopAtLevel=1 -cp {folder} Player"
    elif language == "JavaScript":
        shutil.copy(PLAYERS / "player.js", folder / "player.mjs")
        return f"node {folder / 'player.mjs'}"
    else:
        subprocess.run(["rustc", "-o", folder / "player", PLAYERS / "player.rs"], check=True)
    return str(folder / "player")


def play_two_games(name: str) -> list[list[tuple[str, int, int]]]:
    records = [play_match(Game("5x7/6 first-any survey", seed), ForeignAgent(name, 11 + seed)) for seed in (1, 2)]
    assert [record.result for record in records] == [
        "finished after 15 moves, score 6/6",
        "finished after 17 moves, score 5/6",
    ]
    return [[(move.action, move.row, move.col) for move in record.moves] for record in records]


@pytest.mark.parametrize("language", ["C", "Java", "JavaScript", "Rust"])
def test_the_players_of_five_languages_play_the_same_games(language: str, tmp_path: Path) -> None:
    theirs = play_two_games(f"program:{compile_player(language, tmp_path)}")
    assert theirs == play_two_games(f"program:{compile_player('Python', tmp_path)}")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("read line; echo hello", "load: It answered 'hello' to 'sapper 1'"),
        ("read line; echo text; read game; read line; echo open 99 0", "illegal: It opens (99, 0), outside the board"),
        ("read line; echo text; read game; read line; echo nonsense", "protocol: It answered 'nonsense', which is not"),
        ("read line; echo text; read game; read line; echo error tired", "crash: It gave up: tired."),
        (
            "read line; echo text; read game; read line; echo stop",
            "none: It makes no move although 48 cells are hidden",
        ),
        ("read line; echo text; echo oh >&2; exit 3", "crash: Its process ended with status 3. oh"),
        ("exit 0", "load: It ended its own process"),
        (
            "read line; echo text; read game; read line; printf 'open 0 0\\nopen 0 1\\n'; read line",
            "protocol: It answered 'open 0 1' without being asked.",
        ),
    ],
)
def test_what_a_program_does_wrong_is_said(script: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "player.sh"
    path.write_text(f"{script}\n", "utf-8")
    assert play(f"program:sh {path}", limits=Limits()).startswith(said)


def test_a_process_gets_neither_secrets_nor_our_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "kept")
    path = tmp_path / "player.sh"
    path.write_text('read line; echo text; read game; read line; echo "error secret:$A_SECRET"\n', "utf-8")
    assert play(f"program:sh {path}", limits=Limits()).startswith("crash: It gave up: secret:. ")


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux alone")
def test_what_a_game_leaves_is_undone(folder: Path) -> None:
    name = f"cs50:{folder / 'leaves-things'}"
    for seed in (1, 2):
        said = play(name, seed, Limits())
        assert "raised ValueError: left" in said
        with pytest.raises(ProcessLookupError):
            os.kill(int(said.partition("left ")[2].split()[0]), 0)
    assert [one.name for one in (folder / "leaves-things").iterdir()] == ["minesweeper.py"]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"minesweeper.py": "", "other.py": "class MinesweeperAI:"}, "minesweeper.py"),
        ({"final (2).py": "import random\n\nclass MinesweeperAI():\n", "runner.py": "MinesweeperAI()"}, "final (2).py"),
        ({"project/minesweeper.py": "class MinesweeperAI", "__MACOSX/minesweeper.py": "x"}, "project/minesweeper.py"),
        ({"a.py": "class MinesweeperAI", "b/c.py": "class MinesweeperAI"}, "more than one file .*: a.py and b/c.py."),
        ({"notes.txt": "class MinesweeperAI"}, "There is no minesweeper.py in .*, and no other file with a class Mine"),
    ],
)
def test_the_file_of_a_submission_is_found(files: dict[str, str], found: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    if found in files:
        assert find_main("cs50", tmp_path) == tmp_path / found
    else:
        with pytest.raises(InputError, match=found):
            find_main("cs50", tmp_path)


def test_a_submission_is_its_file_and_what_it_imports(tmp_path: Path) -> None:
    for name, text in (("anna", "from helper import x"), ("helper", "x = 1"), ("ben", "x = 1")):
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    first = digest_of(f"cs50:{tmp_path / 'anna.py'}")
    (tmp_path / "ben.py").write_text("x = 22", "utf-8")
    assert digest_of(f"cs50:{tmp_path / 'anna.py'}") == first
    (tmp_path / "helper.py").write_text("x = 22", "utf-8")
    assert digest_of(f"cs50:{tmp_path / 'anna.py'}") != first


def test_a_folder_with_a_program_is_that_program(tmp_path: Path) -> None:
    folder = tmp_path / "Žofie N"
    folder.mkdir()
    (folder / "notes.txt").write_text("", "utf-8")
    (folder / "play it").write_text("#!/bin/sh\nread line; echo text; read game; read line; echo error me\n", "utf-8")
    (listed,) = Rubric.usual("program").find([str(tmp_path)])
    assert listed[0] == "Žofie N"
    with pytest.raises(InputError, match="must have one file that can be run; it has none"):
        agent_entry(listed[1])
    (folder / "play it").chmod(0o755)
    assert play(listed[1], limits=Limits()).startswith("crash: It gave up: me.")


def test_nothing_is_left_running_when_sapper_is_killed(folder: Path) -> None:
    host = Host(f"cs50:{folder / 'sound'}", QUICK)
    host.load()
    os.kill(host._process.pid, 0)
    host.kill()
    assert host._process.returncode == 0


def test_an_agent_of_ours_serves_others_by_the_protocol() -> None:
    lines = [
        "sapper 1",
        "position 1#/11",
        "game 2 2 1 0 2x2/1",
        "position 1#/11",
        "position x",
        "nonsense",
        "quit",
        "sapper 1",
    ]
    found = list(serve("exact", lambda seed: make_agent("exact", seed), lines))
    assert found[:2] == ["text exact", "error There is no game."]
    assert found[2].startswith("stop mine 0,1 because Nothing is left to open")
    assert found[3].startswith("error Row 0, column 0: 'x'")
    assert found[4].startswith("error There is no line nonsense")
    assert len(found) == 5


def test_what_is_printed_is_the_protocol() -> None:
    assert all(len(line) <= 80 for line in ABOUT.splitlines())
    example = next(line for line in ABOUT.splitlines() if line.startswith("  open 0 2 mine"))
    assert Protocol("text").move(example.strip()).safe == ((0, 2),)
    assert str(Observation.parse("01#/02#/02# 2")) in ABOUT


@pytest.mark.parametrize("line", ["open 1", "open a b", "open 1 2 risk 2", "", "stop open 1 2", "open 1 2 mine 3"])
def test_what_is_not_a_move_is_refused(line: str) -> None:
    with pytest.raises(NotAMove):
        Protocol("text").move(line)


@pytest.mark.parametrize(
    "line", ["[]", "{}", '{"open": [1]}', '{"open": [1, true]}', '{"open": [1, 2], "stop": true}', "x"]
)
def test_what_is_not_a_move_in_json_is_refused(line: str) -> None:
    with pytest.raises(NotAMove):
        Protocol("json").move(line)


def test_an_agent_of_python_can_have_a_process_of_its_own() -> None:
    name = "process:sapper.agents.believer:Believer"
    records = [play_match(Game("5x5/5", 2), agent) for agent in (make_agent(name, 4), make_agent("exact", 4))]
    assert records[0].result == records[1].result


def test_a_changed_observation_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "from sapper.agents.believer import Believer\n\n\nclass Changes(Believer):\n"
        "    def decide(self, observation):\n        decision = super().decide(observation)\n"
        "        object.__setattr__(observation, 'total', 99)\n        return decision\n"
    )
    (tmp_path / "changing.py").write_text(text, "utf-8")
    agent = ForeignAgent("process:changing:Changes", 1)
    agent.decide(Observation.parse("1#/## 1"))
    assert agent.noted == {"mutates": "It changes the observation that it is given."}


def test_the_command_prints_the_protocol_and_speaks_it() -> None:
    assert run("agents", "--protocol").stdout == ABOUT
    lines = "sapper 1\ngame 3 3 2 0 3x3/2\nposition 01#/02#/02# 2\nquit\n"
    assert run("serve-agent", "exact", stdin=lines).stdout.splitlines()[1].startswith("open 0 2 mine 1,2 2,2 safe 0,2")
    assert complaint("trace", "--agent", "cs50:nowhere.py") == "There is no file nowhere.py."


def test_a_host_that_nobody_asks_any_more_ends_with_all_below_it(folder: Path) -> None:
    for seconds in (0.0, 0.02, 0.1, 0.4):  # before the loader, while it loads, and in an endless game
        host = Host(f"cs50:{folder / 'endless-loop'}", Limits())
        host._requests.write(b'{"load": 5}\n{"game": "game 5 5 -1 1 5x5/?", "seed": 1, "seconds": 9}\n')
        host._requests.write(b'{"move": "position 1####/1####/1####/1####/1####", "seconds": 9}\n')
        host._requests.flush()
        time.sleep(seconds)
        host.kill()
        assert host._process.returncode == 0


def test_the_web_app_shows_a_game_up_to_its_forfeit(folder: Path) -> None:
    shown = watch("6x6/4 first-any no-cascade total-hidden", 1, f"cs50:{folder / 'exits'}")
    assert shown["over"]
    assert str(shown["result"]).startswith("lost by forfeit: It ended its own process")
    with pytest.raises(InputError):
        listed_entry(f"cs50:{folder / 'exits'}")
