"""Every command, as the shell may start it: closed streams, few letters, readers that leave, nonsense.

The commands are taken from the command itself, so a new one fails here until it is told how to run a small example.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from pathlib import Path

import many_commands
import pytest
import submissions
import typer
from command import SAPPER, Call, complaint, run
from effort import more
from processes import PATIENCE, wait_until

from sapper.cli.app import app
from sapper.cli.errors import Status

POSITION = "01#/02#/02# 2"
RUN = ("--games", "2", "--workers", "1", "--store", "runs.sqlite")

# A small example of every command that comes to an end by itself. They run in the folder of `prepared`.
SMALL: dict[str, tuple[str, ...]] = {
    "show": (POSITION,),
    "analyse": (POSITION,),
    "explain": ("###/121", "0,1"),
    "game": ("--seed", "1", "--output", "game.record"),
    "train": ("--seed", "1", "--count", "2"),
    "generate": ("--board", "5x5/3"),
    "verify": ("proofs.jsonl",),
    "convert": ("a.layout", "-", "--to", "ptta"),
    "agents": ("exact",),
    "advise": ("--board", "4x4/3"),
    "trace": ("--board", "3x3/1"),
    "puzzle": ("1#/## 1",),
    "best": ("1##/### 2", "--time", "0.1"),
    "grade": ("minesweeper.py", "--games", "7", "--store", "grades.sqlite", "--workers", "1"),
    "sweep": ("--agents", "random", "--board", "3x3/2", *RUN),
    "reproduce": ("--only", "001-cost", "--output", "page.md", *RUN),
    "influence": ("--board", "beginner survey", "--proofs", "1"),
    "review": ("lost.record", "--games", "2"),
    "stats": ("3x3/1", "--count", "6"),
    "benchmark-text": ("--agent", "random"),
    "dataset": ("--board", "4x4/3", "--positions", "5", "--workers", "1"),
}
MAX_OPTIONS = 145  # two less once `train` has its new names
MANY = many_commands.__file__
SERVERS = ("play", "serve", "serve-agent", "mcp")

# How the arguments of every command that reads standard input say so.
READING = (
    ("show", "-"), ("analyse", "-"), ("explain", "-"), ("best", "-"), ("puzzle", "-"),
    ("verify", "-"), ("review", "-"), ("stats", "-"), ("convert", "-", "-", "--from", "mbf", "--to", "ptta"),
    ("sweep", "--boards", "-"), ("influence", "-"),
)  # fmt: skip

LOST = "Sapper-Record: 1\nRules: 2x2/1 first-any\nSeed: 0\nMoves:\nopen 0,0 | a corner\n"


def test_no_command_is_missing_here() -> None:
    assert {*SMALL, *SERVERS} == {*typer.main.get_command(app).commands}  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the examples read."""
    folder = tmp_path_factory.mktemp("every command")
    (folder / "a.layout").write_text("*--/--*\n")
    (folder / "lost.record").write_text(LOST)
    (folder / "minesweeper.py").write_text(submissions.SOUND)
    made = ("generate", "--board", "5x5/3", "--no-guess", "--output", "boards.txt", "--certificates", "proofs.jsonl")
    assert run(*made, folder=folder).returncode == 0
    return folder


Ended = tuple[int, bytes, bytes]  # status, output, complaint


def run_each(
    commands: Sequence[tuple[str, ...]], folder: Path, redirection: str = "", *, stdout: int | None = None, **env: str
) -> list[Ended]:
    """Run commands, each in a process with the streams that a shell makes by this redirection."""
    (folder / "asked.json").write_text(json.dumps(commands))
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        subprocess.run(
            ["sh", "-c", f'exec "$0" "$@" {redirection}', sys.executable, MANY, "asked.json", "answered.json"],
            stdin=subprocess.DEVNULL,
            stdout=stdout or out,
            stderr=err,
            check=True,
            cwd=folder,
            env=os.environ | env,
            timeout=PATIENCE,
        )
    printed = (folder / "out").read_bytes(), (folder / "err").read_bytes()
    ended, at = [], (0, 0)
    for status, *lengths in json.loads((folder / "answered.json").read_bytes()):
        end = at[0] + lengths[0], at[1] + lengths[1]
        ended.append((status, printed[0][at[0] : end[0]], printed[1][at[1] : end[1]]))
        at = end
    return ended


@pytest.fixture
def closed_pipe() -> Iterator[int]:
    """Where to write what nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


EXAMPLES = [(name, *arguments) for name, arguments in SMALL.items()]


# -- streams --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&- >&- 2>&-", *more("<&- 2>&-", ">&-")])
def test_a_closed_stream_is_like_the_null_device(redirection: str, prepared: Path) -> None:
    for arguments, (status, out, err) in zip(EXAMPLES, run_each(EXAMPLES, prepared, redirection), strict=True):
        assert status == Status.DONE, (arguments, err)
        assert b"Traceback" not in err
        assert bool(out) == (">&-" not in redirection.split()), arguments


@pytest.mark.slow
def test_closed_input_reads_as_empty(prepared: Path) -> None:
    for arguments, (status, out, err) in zip(READING, run_each(READING, prepared, "<&-"), strict=True):
        assert (status, out) == (Status.WRONG, b""), arguments
        assert err.decode() == f"sapper: {complaint(*arguments, folder=prepared)}\n", arguments


@pytest.mark.slow
def test_letters_that_the_output_lacks_are_replaced(prepared: Path) -> None:
    asked = [*EXAMPLES, ("--help",), ("best", "--help")]
    ended = run_each(asked, prepared, "<&-", PYTHONIOENCODING="ascii")
    for arguments, (status, out, err) in zip(asked, ended, strict=True):
        assert status == Status.DONE, (arguments, err)
        assert (out + err).isascii(), arguments


@pytest.mark.slow
def test_a_reader_that_is_gone_ends_a_command_silently(prepared: Path, closed_pipe: int) -> None:
    for redirection in ("", *more("2>&1")):
        ended = run_each(EXAMPLES, prepared, redirection, stdout=closed_pipe)
        for arguments, (status, _, err) in zip(EXAMPLES, ended, strict=True):
            assert status == Status.READER_GONE, (arguments, err)
            assert b"Traceback" not in err
            assert b"Exception" not in err


@pytest.mark.slow
def test_a_sentence_that_nobody_reads_does_not_change_the_status(tmp_path: Path, closed_pipe: int) -> None:
    wrong = [("show", "nonsense")]
    assert run_each(wrong, tmp_path, "2>&1", stdout=closed_pipe)[0][0] == Status.WRONG
    assert run_each(wrong, tmp_path, "2>/dev/full")[0][0] == Status.WRONG


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    for status, _, err in run_each([("show",), ("agents",), ("--help",)], tmp_path, ">/dev/full"):
        assert (status, err) == (Status.WRONG, b"sapper: No space left on device.\n")


@pytest.mark.slow
def test_a_server_runs_with_its_streams_closed(tmp_path: Path) -> None:
    command = 'exec "$0" serve --port 0 --data data <&- >&- 2>&-'
    process = subprocess.Popen(["sh", "-c", command, SAPPER], cwd=tmp_path)
    try:
        wait_until(lambda: any(map(answers, ports_of(process.pid))), "the server answers")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == Status.DONE
    finally:
        process.kill()
        process.wait()


def ports_of(pid: int) -> list[int]:
    """Where a process listens: one without streams cannot say it."""
    import psutil  # type: ignore[import-untyped]

    return [one.laddr.port for one in psutil.Process(pid).net_connections() if one.status == psutil.CONN_LISTEN]


def answers(port: int) -> bool:
    """Whether the page answers; a connection alone comes about as soon as the port is taken, long before that."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except OSError:
        return False


# -- nonsense -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SMALL, *SERVERS])
def test_nonsense_is_one_sentence_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    assert complaint(name, "--nonsense", folder=tmp_path).startswith("There is no option --nonsense")
    # Nothing takes so much, and what takes any number of files does not find these.
    complaint(name, "nonsense-1", "nonsense-2", "nonsense-3", "nonsense-4", folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


WRONG = ("nonsense", "", "-1", "nan", "99999999999999999999", "\udcff", "1,")
TAKES_ANYTHING = ("FILE", "OUT", "FOLDER")  # a file or a folder may have any name


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_option_of_any_value_ends_in_a_traceback(name: str, prepared: Path, tmp_path: Path, call: Call) -> None:
    for path in prepared.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    command = typer.main.get_command(app).get_command(None, name)  # type: ignore[attr-defined]
    options = [one for one in command.params if one.param_type_name == "option" and not getattr(one, "is_flag", False)]
    for option in options:
        if option.metavar in TAKES_ANYTHING:
            continue
        for value in WRONG:
            arguments = [name, *SMALL[name], f"{option.opts[0]}={value}"]
            status, out, err = call(*arguments)
            assert status in (0, 1, 2, 3), (arguments, err)
            if status == Status.WRONG:
                assert out == "", arguments
                assert re.fullmatch(r"sapper: [^\n]+\n", err), (arguments, err)


# -- how many -------------------------------------------------------------------------------------------------


def test_commands_and_options_stay_few() -> None:
    group = typer.main.get_command(app)
    names = list(group.commands)  # type: ignore[attr-defined]
    options = {
        (name, option.opts[0])
        for name in names
        for option in group.get_command(None, name).params  # type: ignore[attr-defined]
        if option.param_type_name == "option"
    }
    assert len(names) == 25
    assert len(options) <= MAX_OPTIONS


# -- statuses -------------------------------------------------------------------------------------------------


DOCUMENT = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")


def test_the_document_lists_every_command_and_form() -> None:
    commands, forms = DOCUMENT.split("|what it does|\n")[1], DOCUMENT.split("has no suffix|\n")[1]
    assert re.findall(r"^\|`([\w-]+)`\|", commands.partition("\n\n")[0], re.MULTILINE) == [
        *typer.main.get_command(app).commands  # type: ignore[attr-defined]
    ]
    small = SMALL | {"explain": ("1#",), "reproduce": ("--only", "004")}
    for names, listed in re.findall(r"^\|(`[^|]*`)\|(`?\..*?)(?:;.*)?\|$", forms.partition("\n\n")[0], re.MULTILINE):
        for name in re.findall(r"\w+", names):
            if name != "train":  # its --output has tests of its own
                said = complaint(name, *small[name], "--output", "x.nonsense")
                assert set(re.findall(r"`(\.\w+)`", listed)) <= set(re.findall(r"\.\w+", said)), (name, said)


def test_the_table_of_statuses_is_the_one_in_the_docs() -> None:
    listed = [int(number) for number in re.findall(r"^\|(\d+)\|", DOCUMENT, re.MULTILINE)]
    assert listed == [status.value for status in Status]


@pytest.mark.parametrize(
    ("status", "arguments"),
    [
        (Status.DONE, ("puzzle", "1#/## 1")),
        (Status.NO, ("puzzle", "1#/## 2")),
        (Status.NO, ("puzzle", "1#/## 2", "--limit", "1")),
        (Status.WRONG, ("puzzle", "nonsense")),
        (Status.GAVE_UP, ("puzzle", "--random", "10x10/25", "--limit", "3")),
        (Status.GAVE_UP, ("puzzle", "--random", "10x10/25", "--limit", "3", "--as-reported")),
        (Status.GAVE_UP, ("puzzle", "--random", "10x10/25", "--limit", "3", "--json")),
        (Status.GAVE_UP, ("generate", "--board", "16x30/170", "--no-guess", "--limit", "1", "--method", "reject")),
        (Status.GAVE_UP, ("best", "5x4/6", "--exact")),
    ],
)
def test_the_status_says_how_it_ended(status: Status, arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*arguments, folder=tmp_path)
    assert done.returncode == status, done.stderr
    if status in (Status.WRONG, Status.GAVE_UP):
        assert re.fullmatch(r"sapper: [^\n]+\n", done.stderr)
    else:
        assert done.stderr == ""
