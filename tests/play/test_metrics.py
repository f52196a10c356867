from __future__ import annotations

import numpy as np
import pytest

from sapper.layout import Layout
from sapper.play.metrics import BoardMetrics, board_metrics
from sapper.topology import topology


@pytest.mark.parametrize(
    ("layout", "metrics"),
    [
        ("---/---", BoardMetrics(1, 1, 0)),
        ("***/***", BoardMetrics(0, 0, 0)),
        ("*-*/---", BoardMetrics(4, 0, 1)),
        ("*----/----*", BoardMetrics(3, 1, 2)),
        ("---*---/---*---/---*---", BoardMetrics(2, 2, 0)),
    ],
)
def test_small_boards_by_hand(layout: str, metrics: BoardMetrics) -> None:
    assert board_metrics(Layout.parse(layout)) == metrics


def test_3bv_and_openings_agree_with_ms_toollib() -> None:
    ms_toollib = pytest.importorskip("ms_toollib", reason="the extra `replays` is not installed")
    rng = np.random.default_rng(2)
    for _ in range(300):
        rows, cols = int(rng.integers(2, 17)), int(rng.integers(2, 31))
        layout = Layout(topology("square", rows, cols), rng.random(rows * cols) < rng.uniform(0.05, 0.4))
        board = np.where(layout.mines, -1, layout.clues()).tolist()
        metrics = board_metrics(layout)
        assert metrics.bbbv == ms_toollib.cal_bbbv(board)
        assert metrics.openings == ms_toollib.cal_op(board)
