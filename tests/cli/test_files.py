"""What commands read and write: names that may be positions, and targets that are refused before the work."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

import pytest
from command import SAPPER

from sapper.cli.files import Output, check_target, choose_output, load_position
from sapper.errors import InputError
from sapper.observation import Observation


@pytest.mark.parametrize("text", ["1#/## 1", ".", "F", "0", "1#"])
def test_a_position_is_read_as_one_wherever_the_command_runs(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_position(text) == Observation.parse(text)


@pytest.mark.parametrize("name", ["nonsense", "game-1", "../lost", "F1.doc", "ä" * 200, "n" * 5000])
def test_a_name_of_no_file_is_not_blamed_for_its_cells(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"^There is no file .*, and it is neither a position nor a layout\.$"):
        load_position(name)


@pytest.mark.parametrize(("text", "says"), [("1#/#x", "Row 1, column 1"), ("##/### 1", "Row 1 has 3 cells")])
def test_a_position_with_a_slip_is_told_where(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        load_position(text)


def test_a_target_is_refused_before_the_work(tmp_path: Path) -> None:
    check_target("-")
    check_target(str(tmp_path / "new.txt"))
    check_target("/dev/null")
    for name, says in (
        ("", "empty"),
        (str(tmp_path), "is a folder"),
        (str(tmp_path / "no" / "x"), "There is no folder"),
    ):
        with pytest.raises(InputError, match=says):
            check_target(name)


def test_a_suffix_chooses_the_form(tmp_path: Path) -> None:
    assert choose_output(None, ".html") is None
    assert choose_output("-", ".html", ".record") == Output("-", ".html")
    assert choose_output("-.RECORD", ".html", ".record") == Output("-", ".record")
    assert choose_output("/dev/null", ".html") == Output("/dev/null", ".html")
    assert choose_output(str(tmp_path / "a.json"), ".html", as_json=True) == Output(str(tmp_path / "a.json"), ".json")
    with pytest.raises(InputError, match=r"^--output writes \.html or \.json, not 'x\.pdf'\.$"):
        choose_output(str(tmp_path / "x.pdf"), ".html")
    with pytest.raises(InputError, match=r"^Only one of --json and --output -\.html can go to standard output\.$"):
        choose_output("-.html", ".html", as_json=True)
    (tmp_path / "x.svg").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        choose_output(str(tmp_path / "x.svg"), ".svg")


def without_privileges() -> None:
    """Root may write anywhere; give that up in the process to be started, or leave the test."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(24, 1, 0, 0, 0) != 0:  # drop CAP_DAC_OVERRIDE for good
        os._exit(77)


@pytest.mark.slow
def test_a_folder_that_is_read_only_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    arguments = ("stats", "expert", "--count", "1000000", "--output", str(tmp_path / "h.svg"))
    done = subprocess.run(
        [SAPPER, *arguments], capture_output=True, check=False, preexec_fn=without_privileges, timeout=120
    )
    if done.returncode == 77:
        pytest.skip("root's privileges cannot be given up here")
    assert done.returncode == 2
    assert done.stderr.decode().endswith(f"h.svg cannot be written: you have no permission to write to {tmp_path}.\n")
