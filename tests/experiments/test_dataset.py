"""Data sets of positions: what they say is true, their bytes depend on the plan alone, and nothing leaks."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command import complaint, run
from effort import times
from processes import PATIENCE, DaskCluster

from sapper.errors import GaveUp
from sapper.experiments.backends import InProcess, Processes
from sapper.experiments.cluster import Cluster
from sapper.experiments.dataset.files import NAMES, ROWS_PER_CHUNK, Plan, make_dataset
from sapper.experiments.dataset.rows import LEVELS
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import OPEN
from sapper.observation import Observation
from sapper.rules import Rules
from sapper.topology import topology
from sapper.train.kinds import what_follows
from sapper.world.generation import generate_layout

pytestmark = pytest.mark.slow

# The level of a row → the levels of puzzles of which the first may, and the last must, prove a cell safe.
BETWEEN = {
    "single": (None, "single"),
    "subsets": ("single", "subsets"),
    "pairs": ("subsets", "cases"),
    "complete": ("subsets", "cases"),
    "count": ("cases", "total"),
    "guess": ("total", None),
}


@pytest.mark.parametrize("rules", ["beginner", "6x7/9 hex first-opening", "5x5/6 torus first-any"])
def test_every_row_is_true(tmp_path: Path, rules: str) -> None:
    made, n = Rules.parse(rules), times(120, 500)
    make_dataset(Plan(rules, n, seed=5), tmp_path / "a.npz", InProcess())
    columns = dict(np.load(tmp_path / "a.npz"))
    assert {len(column) for column in columns.values()} == {n}
    assert set(columns["phase"].tolist()) == {0, 1, 2}
    assert len(set(columns["level"].tolist())) > 3
    for number in range(n):
        row = {label: column[number] for label, column in columns.items()}
        seen = Observation(made.topology, row["cells"], made.mines)
        posterior = mine_probabilities(seen)
        np.testing.assert_array_equal(row["p_mine"], posterior.p_mine)
        np.testing.assert_array_equal(row["verdicts"], posterior.verdicts)
        layout = generate_layout(made, int(row["game"]), made.topology.cell(row["first"]))
        is_open = row["verdicts"] == OPEN
        assert not layout.mines[is_open].any()
        np.testing.assert_array_equal(row["cells"][is_open], layout.clues()[is_open])
        share = is_open.sum() / (made.n_cells - made.mines)
        assert row["phase"] == min(2, int(3 * share + 1e-9))
        easier, enough = BETWEEN[LEVELS[row["level"]]]
        if easier is not None:
            assert not what_follows(seen, easier)[0]  # type: ignore[arg-type]
        if enough is not None:
            assert what_follows(seen, enough)[0]  # type: ignore[arg-type]


def test_a_killed_run_resumes_and_writes_the_same_bytes(tmp_path: Path) -> None:
    plan = Plan("beginner", 3 * ROWS_PER_CHUNK + 7, seed=3)
    command = ["dataset", "--board", plan.rules, "--positions", str(plan.n_positions), "--seed", "3"]
    path = tmp_path / "killed.npz"
    code = f"""
import os, signal
from pathlib import Path
from sapper.experiments.backends import InProcess
from sapper.experiments.dataset.files import Plan, make_dataset
make_dataset({plan}, Path({str(path)!r}), InProcess(), lambda done, _: done and os.kill(os.getpid(), signal.SIGKILL))
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    chunks = sorted(tmp_path.glob("killed.npz.parts/0*.npz"))
    assert len(chunks) == 1
    chunks[0].write_bytes(chunks[0].read_bytes()[:1000])  # as after a power failure
    assert not path.exists()
    assert "of another data set" in complaint("dataset", "--seed", "4", "--output", str(path))
    assert run(*command, "--workers", "2", "--output", str(path)).returncode == 0
    assert not path.with_name("killed.npz.parts").exists()
    make_dataset(plan, tmp_path / "whole.npz", InProcess())
    assert path.read_bytes() == (tmp_path / "whole.npz").read_bytes()
    cards = [(tmp_path / f"{name}.npz.md").read_text("utf-8").replace(name, "") for name in ("killed", "whole")]
    assert cards[0] == cards[1]


def test_a_cluster_that_loses_a_worker_writes_the_same_bytes(tmp_path: Path) -> None:
    plan, (here, there) = Plan("6x6/7", 8 * ROWS_PER_CHUNK, seed=2), (tmp_path / "here.npz", tmp_path / "there.npz")
    make_dataset(plan, here, InProcess())
    (tmp_path / "dask").mkdir()
    cluster = DaskCluster(tmp_path / "dask", n_workers=2)
    steps: list[int] = []

    def watch(done: int, _: int) -> None:
        steps.append(done)
        if len(steps) == 2:
            cluster.workers[0].kill()

    try:
        make_dataset(plan, there, Cluster(cluster.address, timeout=PATIENCE), watch)
    finally:
        cluster.stop()
    assert steps == [ROWS_PER_CHUNK * number for number in range(9)]
    assert there.read_bytes() == here.read_bytes()


def test_boards_and_positions_that_look_alike_are_in_one_split(tmp_path: Path) -> None:
    # So few boards that every one occurs, turned and mirrored too.
    make_dataset(Plan("4x4/2", 600, test_share=0.5), tmp_path / "a.npz", Processes(1))
    columns = dict(np.load(tmp_path / "a.npz"))
    rules, splits = Rules.parse("4x4/2"), [NAMES["split"][number] for number in columns["split"].tolist()]
    seen: dict[bytes, set[str]] = {}

    def note(grid: np.ndarray, split: str) -> None:
        seen.setdefault(min(np.rot90(side, k).tobytes() for side in (grid, grid.T) for k in range(4)), set()).add(split)

    for game, first, split in zip(columns["game"], columns["first"], splits, strict=True):
        note(generate_layout(rules, int(game), rules.topology.cell(first)).mines, split.replace("shared", "test"))
    assert len(seen) > 10
    assert all(len(found) == 1 for found in seen.values())
    seen.clear()
    for cells, split in zip(columns["cells"], splits, strict=True):
        note(cells, split)
    assert sorted(map(sorted, set(map(frozenset, seen.values())))) == [["shared", "train"], ["test"], ["train"]]
    card = (tmp_path / "a.npz.md").read_text("utf-8")
    rows = [line.split("|")[1:-1] for line in card.split("\n") if line.startswith(("|early", "|middle", "|late"))]
    assert [sum(int(row[at]) for row in rows) for at in (2, 3, 4)] == [splits.count(name) for name in NAMES["split"]]


def test_the_best_cell_and_a_proof_can_be_added(tmp_path: Path) -> None:
    plan = Plan("5x5/4", 12, extras=("best", "proof"))
    from pyarrow import parquet

    for name in ("a.parquet", "b.parquet"):
        make_dataset(plan, tmp_path / name, InProcess())
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    for row in parquet.read_table(tmp_path / "a.parquet").to_pylist():
        cells = np.array(row["cells"]).reshape(5, 5)
        posterior = mine_probabilities(Observation(topology("square", 5, 5), cells, 4))
        p_mine = posterior.p_mine.ravel()[row["best"]]
        assert (row["level"] == "guess") == (not posterior.safe)
        assert p_mine < 1.0
        if posterior.safe:
            assert p_mine == 0.0
        assert 0.0 <= row["p_win"] <= 1.0 - p_mine + 3 * row["p_win_error"]
        assert row["proof"].startswith("(")
        assert row["split"] in NAMES["split"]


def test_wrong_requests_are_sentences(tmp_path: Path) -> None:
    out = str(tmp_path / "a.npz")
    assert "written as .parquet or .npz, not 'a.csv'" in complaint("dataset", "--output", "a.csv", folder=tmp_path)
    assert "no column 'luck'" in complaint("dataset", "--with", "luck", "--output", out)
    assert "Proofs are words" in complaint("dataset", "--with", "proof", "--output", out)
    assert "classic games with exact clues" in complaint("dataset", "--board", "4x4/2 survey", "--output", out)
    assert "no cell can be opened first" in complaint("dataset", "--board", "3x3/9", "--output", out)
    for backend in (InProcess(), Processes(1)):
        with pytest.raises(GaveUp, match="have only 0 positions"):
            make_dataset(Plan("1x2/1", 5), tmp_path / "a.npz", backend)
    assert not list(tmp_path.iterdir())
