"""sapper sweep --list: what the store holds as a table for other programs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from command import call

from sapper.experiments.sweep import sweep

LIST = ("sweep", "--list")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    sweep(["basic", "random"], "3x3/2 survey", games=4, store=tmp_path / "r.sqlite")
    monkeypatch.chdir(tmp_path)
    # The usual store is not there.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    return tmp_path


def test_csv_goes_to_standard_output_or_into_a_file(folder: Path) -> None:
    status, printed, _ = call(*LIST, "--store", "r.sqlite", "--output", "-")
    assert status == 0
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [(row["agent"], row["rules"], row["n_games"]) for row in rows] == [
        ("basic", "3x3/2 survey", "4"), ("random", "3x3/2 survey", "4"),
    ]  # fmt: skip
    assert all(float(row["score_low"]) <= float(row["score"]) <= float(row["score_high"]) for row in rows)
    assert call(*LIST, "--store", "r.sqlite", "--output", "results.csv")[1] == ""
    assert (folder / "results.csv").read_bytes().decode() == printed


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--output", "-", "--json"), "Only one of --json and --output - can go to standard output."),
        (("--output", "x.svg"), "--output writes .csv or .json, not 'x.svg'."),
        (("--output", "no/x.csv"), "There is no folder no to write x.csv into."),
        (("--output", "x.csv", "--store", "none.sqlite"), "There is no file of results none.sqlite."),
        (("--games", "3"), "--games has no effect with --list; leave it out."),
    ],
)
def test_what_cannot_be_written_is_refused(arguments: tuple[str, ...], says: str, folder: Path) -> None:
    status, _, said = call(*LIST, *arguments)
    assert (status, said) == (2, f"sapper: {says}\n")
    assert [path.name for path in folder.iterdir()] == ["r.sqlite"]
