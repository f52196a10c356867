"""Every command, as the shell may start it: closed streams, few letters, readers that leave, nonsense.

The commands are taken from the command itself, so a new one fails here until it is told how to run a small example.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

import pytest
import typer
from command import SAPPER, complaint, run
from processes import PATIENCE, wait_until

from sapper.cli.command import app
from sapper.cli.common.statuses import Status

POSITION = "01#/02#/02# 2"
RUN = ("--games", "2", "--jobs", "1", "--store", "runs.sqlite")

# A small example of every command that comes to an end by itself. They run in the folder of `prepared`.
SMALL: dict[str, tuple[str, ...]] = {
    "show": (POSITION,),
    "analyse": (POSITION,),
    "explain": ("###/121", "0,1"),
    "boards": (),
    "game": ("--seed", "1", "--record", "game.record"),
    "course": ("3",),
    "train": ("--seed", "1", "--count", "2"),
    "generate": ("--board", "5x5/3"),
    "verify": ("proofs.jsonl",),
    "layouts": ("--board", "5x5/3 first-opening", "--count", "2", "--only", "plain"),
    "convert": ("a.layout", "-", "--to", "ptta"),
    "demo": ("--speed", "1000"),
    "agents": ("exact",),
    "advise": ("--board", "4x4/3"),
    "trace": ("--board", "3x3/1"),
    "puzzle": ("1#/## 1",),
    "best": ("1##/### 2", "--time", "0.1"),
    "optimal": ("--rows", "3", "--cols", "3", "--mines", "2"),
    "sweep": ("--agents", "random", "--size", "3x3", "--mines", "2", *RUN),
    "bench": ("--agents", "random", "--board", "3x3/1", *RUN),
    "runs": ("--store", "results.sqlite"),
    "reproduce": ("--only", "004", "--output", "page.md", *RUN),
    "influence": ("--board", "beginner survey", "--proofs", "1"),
    "review": ("lost.record", "--games", "2"),
    "stats": ("3x3/1", "--boards", "6"),
}
SERVERS = ("play", "watch", "serve")

# How the arguments of every command that reads standard input say so.
READING = (
    ("show", "-"), ("analyse", "-"), ("explain", "-"), ("best", "-"), ("optimal", "-"), ("puzzle", "-"),
    ("verify", "-"), ("review", "-"), ("stats", "-"), ("convert", "-", "-", "--from", "mbf", "--to", "ptta"),
    ("bench", "--boards", "-"), ("influence", "--record", "-"),
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
    made = ("generate", "--board", "5x5/3", "--no-guess", "--output", "boards.txt", "--certificates", "proofs.jsonl")
    assert run(*made, folder=folder).returncode == 0
    kept = ("bench", "--agents", "random", "--board", "3x3/1", "--games", "2", "--jobs", "1", "--store")
    assert run(*kept, "results.sqlite", folder=folder).returncode == 0
    return folder


def through_shell(redirection: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a command as a shell starts it with this redirection; standard input is empty unless it is closed."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {redirection}', SAPPER, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        cwd=folder,
        timeout=PATIENCE,
    )


def into_closed_pipe(*arguments: str, folder: Path, both: bool = False) -> subprocess.CompletedProcess[bytes]:
    """Run a command whose output nobody reads any more; ``both`` for what it says on standard error, too."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run(
            [SAPPER, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=writing if both else subprocess.PIPE,
            check=False,
            cwd=folder,
            timeout=PATIENCE,
        )
    finally:
        os.close(writing)


# -- streams --------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&- 2>&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("name", SMALL)
def test_a_closed_stream_is_like_the_null_device(name: str, redirection: str, prepared: Path) -> None:
    done = through_shell(redirection, name, *SMALL[name], folder=prepared)
    assert done.returncode == Status.DONE, done.stderr
    assert b"Traceback" not in done.stderr
    assert bool(done.stdout) == (">&-" not in redirection.split())


@pytest.mark.slow
@pytest.mark.parametrize("arguments", READING, ids=lambda arguments: arguments[0])
def test_closed_input_reads_as_empty(arguments: tuple[str, ...], prepared: Path) -> None:
    closed = through_shell("<&-", *arguments, folder=prepared)
    empty = through_shell("", *arguments, folder=prepared)
    assert closed.returncode == Status.WRONG
    assert closed.stdout == b""
    assert re.fullmatch(r"sapper: [^\n]+\n", closed.stderr.decode())
    assert closed.stderr == empty.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_letters_that_the_output_lacks_are_replaced(name: str, prepared: Path) -> None:
    done = subprocess.run(
        [SAPPER, name, *SMALL[name]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        cwd=prepared,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == Status.DONE, done.stderr
    assert (done.stdout + done.stderr).isascii()


@pytest.mark.slow
def test_help_needs_no_other_letters_either(tmp_path: Path) -> None:
    for name in ("", *SMALL, *SERVERS):
        done = subprocess.run(
            [SAPPER, *name.split(), "--help"],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env=os.environ | {"PYTHONIOENCODING": "ascii"},
        )
        assert (done.returncode, done.stderr) == (Status.DONE, b"")
        assert done.stdout.isascii()


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_reader_that_is_gone_ends_a_command_silently(name: str, prepared: Path) -> None:
    done = into_closed_pipe(name, *SMALL[name], folder=prepared)
    assert done.returncode == Status.READER_GONE, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr
    assert into_closed_pipe(name, *SMALL[name], folder=prepared, both=True).returncode == Status.READER_GONE


def test_a_sentence_that_nobody_reads_does_not_change_the_status(tmp_path: Path) -> None:
    assert into_closed_pipe("show", "nonsense", folder=tmp_path, both=True).returncode == Status.WRONG
    assert through_shell("2>/dev/full", "show", "nonsense", folder=tmp_path).returncode == Status.WRONG


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [("boards",), ("agents",), ("--help",)])
def test_output_that_cannot_be_written_is_one_sentence(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = through_shell(">/dev/full", *arguments, folder=tmp_path)
    assert done.returncode == Status.WRONG
    assert done.stderr == b"sapper: No space left on device.\n"


@pytest.mark.slow
def test_a_server_runs_with_its_streams_closed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = f'exec "$0" serve --port {port} --data data <&- >&- 2>&-'
    process = subprocess.Popen(["sh", "-c", command, SAPPER], cwd=tmp_path)
    try:
        wait_until(lambda: answers(port), "the server answers")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == Status.DONE
    finally:
        process.kill()
        process.wait()


def answers(port: int) -> bool:
    """Whether the page answers; a connection alone comes about as soon as the port is taken, long before that."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except OSError:
        return False


# -- nonsense -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *SERVERS])
def test_nonsense_is_one_sentence_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    assert complaint(name, "--nonsense", folder=tmp_path).startswith("There is no option --nonsense")
    # Nothing takes so much, and what takes any number of files does not find these.
    complaint(name, "nonsense-1", "nonsense-2", "nonsense-3", "nonsense-4", folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


WRONG = ("nonsense", "", "-1", "nan", "99999999999999999999", "\udcff", "1,")
TAKES_ANYTHING = ("FILE", "OUT", "FOLDER", "TEXT|FILE")  # a file or a folder may have any name


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_no_option_of_any_value_ends_in_a_traceback(
    name: str, prepared: Path, tmp_path: Path, call: Callable[..., tuple[object, str, str]]
) -> None:
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


# -- statuses -------------------------------------------------------------------------------------------------


def test_the_table_of_statuses_is_the_one_in_the_docs() -> None:
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    listed = [int(number) for number in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)]
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
        (Status.GAVE_UP, ("generate", "--board", "16x30/170", "--no-guess", "--tries", "1", "--method", "reject")),
        (Status.GAVE_UP, ("optimal", "--rows", "5", "--cols", "4", "--mines", "6")),
    ],
)
def test_the_status_says_how_it_ended(status: Status, arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*arguments, folder=tmp_path)
    assert done.returncode == status, done.stderr
    if status in (Status.WRONG, Status.GAVE_UP):
        assert re.fullmatch(r"sapper: [^\n]+\n", done.stderr)
    else:
        assert done.stderr == ""
