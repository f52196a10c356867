"""Reviews: every move judged by what was known before it."""

from __future__ import annotations

import base64
import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from brute_force import brute_force
from effort import times
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import layouts
from visitor import Visitor

from sapper.inference.posterior.workspace import Budget
from sapper.layout import Layout
from sapper.observation import HIDDEN, NO_CLUE
from sapper.play.record import Move, Record
from sapper.play.replays import record_of
from sapper.play.review.review import Review, review_record
from sapper.play.review.verdict import FAIR
from sapper.play.review.wins import appraise
from sapper.rules import Rules
from sapper.web.jobs import review as review_jobs
from sapper.world.game import Game, Outcome


def review_of(rules: str, layout: str, *moves: tuple[str, int, int]) -> Review:
    chosen = Rules.parse(rules)
    played = tuple(Move(action, row, col) for action, row, col in moves)  # type: ignore[arg-type]
    return review_record(Record(chosen, 0, played, Layout.parse(layout, chosen.shape)))


def verdicts(review: Review) -> list[str]:
    return [one.verdict for one in review.moves]


def test_a_promised_first_cell_is_safe_and_an_unpromised_one_a_forced_guess() -> None:
    assert verdicts(review_of("3x3/1", "---/---/--*", ("open", 0, 0))) == ["safe"]
    (first,) = review_of("3x3/1 first-any", "---/---/--*", ("open", 0, 1)).moves
    assert first.verdict == "forced guess"
    assert first.p_mine == first.best_p == pytest.approx(1 / 9)


def test_passing_by_something_safe_is_extra_risk_whatever_came_of_it() -> None:
    # The 1 at (0, 0) gives the mine at (0, 1), and with it the 1 at (0, 2) makes (0, 3) safe.
    so_far = (("open", 0, 0), ("open", 0, 2))
    review = review_of("1x7/2 first-any", "-*---*-", *so_far, ("open", 0, 5))
    assert verdicts(review) == ["forced guess", "forced guess", "extra risk"]
    assert review.moves[2].extra_risk == pytest.approx(1 / 3)
    assert (review.moves[2].best, review.mistakes, review.last_safe) == (((0, 3),), (), 2)
    lucky = review_of("1x7/2 first-any", "-*---*-", *so_far, ("open", 0, 4))
    assert verdicts(lucky)[2] == "extra risk"


def test_bad_luck_is_told_from_mistakes() -> None:
    # Two cells left for one mine: nothing to be done about it.
    forced = review_of("1x3/1 first-any", "--*", ("open", 0, 1), ("open", 0, 2))
    assert verdicts(forced) == ["forced guess", "unlucky"]
    assert forced.moves[1].extra_risk == 0.0
    assert forced.last_safe is None
    lucky = review_of("1x3/1 first-any", "--*", ("open", 0, 1), ("open", 0, 0))
    assert verdicts(lucky) == ["forced guess", "forced guess"]


def test_opening_a_certain_mine_is_a_mistake() -> None:
    review = review_of("1x3/1", "-*-", ("open", 0, 0), ("open", 0, 1))
    assert (verdicts(review)[1], review.moves[1].p_mine, review.moves[1].best) == ("mistake", 1.0, ((0, 2),))
    assert review.last_safe == 1


def test_flags_are_judged_by_what_was_known() -> None:
    review = review_of("1x4/1", "-*--", ("open", 0, 0), ("flag", 0, 1), ("flag", 0, 2), ("flag", 0, 2), ("flag", 0, 1))
    assert verdicts(review) == ["safe", "safe", "mistake", "safe", "safe"]
    guess = review_of("1x3/1 first-any", "--*", ("open", 0, 1), ("flag", 0, 2))
    assert verdicts(guess) == ["forced guess", "fair guess"]


def test_a_chord_takes_the_risk_of_all_that_it_opens() -> None:
    # The flag is a guess, so the chord is one too: the mine is under one of the seven others more often than not.
    review = review_of("3x3/1 first-any", "*--/---/---", ("open", 1, 1), ("flag", 0, 0), ("chord", 1, 1))
    chord = review.moves[2]
    assert chord.p_mine == pytest.approx(7 / 8)
    assert chord.verdict == "extra risk"
    assert chord.best_p == pytest.approx(1 / 8)
    nothing = review_of("3x3/1 first-any", "*--/---/---", ("open", 1, 1), ("chord", 1, 1))
    assert (nothing.moves[1].verdict, nothing.moves[1].p_mine) == ("safe", 0.0)


def test_a_position_that_is_too_hard_is_unknown() -> None:
    rules = Rules.parse("30x30/200 first-any no-cascade")
    rng = np.random.default_rng(1)
    mines = np.zeros(900, dtype=bool)
    mines[rng.permutation(900)[:200]] = True
    layout = Layout(rules.topology, mines)
    cells = [(row, col) for row in range(1, 30, 2) for col in range(1, 30, 2) if not layout.mines[row, col]]
    record = Record(rules, 0, tuple(Move("open", *cell) for cell in cells[:140]), layout)
    review = review_record(record, Budget(states=2000, megabytes=64))
    assert review.moves[-1].verdict == "unknown"
    assert review.moves[0].verdict == "forced guess"


@settings(max_examples=times(15, 60))
@given(layouts(), st.integers(0, 2**32), st.booleans())
def test_risks_are_those_of_brute_force(layout: Layout, seed: int, survey: bool) -> None:
    rng = np.random.default_rng(seed)
    if layout.topology.n_cells > 9:
        # Few enough cells that all layouts can be listed at every move.
        layout = Layout(Rules(3, 3, 0, layout.topology.shape).topology, layout.mines.ravel()[:9])
    board = layout.topology
    rules = Rules(
        board.rows, board.cols, layout.n_mines, board.shape, "any", opened_mine="explodes" if survey else "ends"
    )
    game = Game(rules, layout=layout)
    moves: list[Move] = []
    while game.outcome is Outcome.PLAYING and len(moves) < 8:
        cells = game.observation.cells
        clues = [(int(row), int(col)) for row, col in np.argwhere(cells > 0)]
        hidden = [(int(row), int(col)) for row, col in np.argwhere(cells == HIDDEN)]
        choices = [("chord", cell) for cell in clues] + [
            (action, cell) for cell in hidden for action in ("open", "flag")
        ]
        if not choices:
            break
        action, (row, col) = choices[int(rng.integers(len(choices)))]
        moves.append(Move(action, row, col))  # type: ignore[arg-type]
        moves[-1].play(game)
    review = review_record(Record(rules, 0, tuple(moves), layout))
    for one in review.moves:
        neighbours = [board.neighbours_of(cell) for cell in range(board.n_cells)]
        _, _, found = brute_force(one.before.cells.ravel().tolist(), neighbours, rules.mines)
        truth = np.array([math.nan if p is None else float(p) for p in found]).reshape(board.rows, board.cols)
        risk = one.p_mine
        if one.move.action == "open":
            assert risk == pytest.approx(truth[one.move.row, one.move.col])
        if one.best_p is not None:
            assert one.best_p == pytest.approx(np.nanmin(truth))
            assert one.verdict in ("safe", "forced guess", "fair guess", "extra risk", "unlucky", "mistake")
            assert risk is not None
            if one.verdict == "safe":
                assert risk == 0.0
                assert not one.hit
            elif one.verdict == "mistake":
                assert one.is_certain
                assert one.hit
                assert math.isclose(risk, 1.0)
            elif one.verdict == "extra risk":
                assert one.best_p == 0.0 or risk > one.best_p + FAIR - 1e-9
            else:
                assert one.best_p > 0.0
                assert risk <= one.best_p + FAIR + 1e-9
                assert one.hit == (one.verdict == "unlucky")
    assert NO_CLUE not in review.start.cells


def test_a_replay_becomes_a_record() -> None:
    from sapper.formats import FORMATS

    text = """Player: Ada
Board:
*00
000
Events:
0.10 mv 2 1
0.20 rc 1 1
0.21 rr 1 1
0.30 lc 2 1
0.31 lr 2 1
0.40 lc 2 1
0.41 rc 2 1
0.42 rr 2 1
0.43 lr 2 1
0.50 lc 9 9
0.51 lr 9 9
"""
    record = record_of(FORMATS["rawvf"].read(text.encode()))  # type: ignore[arg-type]
    assert [str(move) for move in record.moves] == ["flag 0,0", "open 0,1", "chord 0,1"]
    assert (record.player, record.result) == ("Ada", "won after 3 moves, score 1/1")


def test_review_over_the_wire(visitor: Visitor) -> None:
    record = (
        "Sapper-Record: 1\nRules: 1x4/1 first-any\nSeed: 5\nLayout: *---\nMoves:\n"
        "open 0,1 | a guess\nopen 0,0\nResult: lost after 2 moves, score 0/1\n"
    )
    told = visitor.post("/api/review", record=record)
    assert [(one["verdict"], one["p_mine"]) for one in told["moves"]] == [("forced guess", 0.25), ("extra risk", 0.5)]
    assert told["last_safe"] == 1
    assert told["layout"] == [[0, 0]]
    assert told["moves"][0]["position_after"] == told["moves"][1]["position_before"] == "#1## 1"
    assert told["moves"][0]["changed"] == [[0, 1, 1]]
    assert told["moves"][0]["reason"] == "a guess"
    raw = "Board:\n*00\nEvents:\n0.3 lc 2 1\n0.4 lr 2 1\n0.5 lc 1 1\n0.6 lr 1 1\n"
    assert visitor.post("/api/review", record=raw)["result"] == "lost after 2 moves, score 0/1"


def test_wins_lost_over_the_wire(visitor: Visitor) -> None:
    record = "Sapper-Record: 1\nRules: 1x4/1 first-any\nSeed: 5\nLayout: *---\nMoves:\nopen 0,1\nopen 0,0\n"
    told = visitor.post("/api/review", record=record)
    assert (told["games"], told["wins_lost"], {one["wins"] for one in told["moves"]}) == (0, None, {None})
    told = visitor.post("/api/review", record=record, games=50)
    wins = told["moves"][1]["wins"]
    assert (wins["lost"], wins["choice"], wins["exact"]) == ([0.5, 0.5, 0.5], [0, 3], True)
    assert (told["moves"][1]["verdict"], told["mistakes"]) == ("mistake", [1])
    assert told["moves"][1]["figures"] == {"risk": "50.0%", "least": "0%", "chance": "100%", "lost": "50.0%"}
    assert "from 0 to 400" in visitor.post("/api/review", 422, record=record, games=401)["error"]
    large = "Sapper-Record: 1\nRules: 60x60/9\nSeed: 5\nMoves:\nopen 0,1\n"
    assert "at most 2,500 cells" in visitor.post("/api/review", 422, record=large, games=1)["error"]
    assert visitor.post("/api/review", record=large)["moves"][0]["verdict"] == "safe"


def test_the_last_move_has_the_verdict_of_the_whole_review_and_what_would_have_been_better(visitor: Visitor) -> None:
    record = "Sapper-Record: 1\nRules: 1x4/1 first-any\nSeed: 5\nLayout: *---\nMoves:\nopen 0,1\nopen 0,0\n"
    told = visitor.post("/api/review/last", record=record)
    assert (told["verdict"], told["p_mine"], told["p_win"]) == ("mistake", 0.5, 0.5)
    assert told["instead"] == {"cell": [0, 3], "p_mine": 0.0, "p_win": 1.0}
    assert (told["proof"]["cell"], told["proof"]["verdict"], told["proof"]["clues"]) == ([0, 3], "safe", [[0, 1]])
    at_end = record.replace("*---", "-*--").replace("0,1\nopen 0,0", "0,0\nopen 0,1")
    proof = visitor.post("/api/review/last", record=at_end)["proof"]
    assert (proof["cell"], proof["verdict"], proof["because"]) == ([0, 1], "mine", "the 1 at (0, 0)")
    first = visitor.post("/api/review/last", record=record.replace("open 0,1\n", ""))
    assert (first["verdict"], first["is_safest"], first["instead"], first["proof"]) == ("unlucky", True, None, None)
    nothing = record.partition("open")[0]
    assert visitor.post("/api/review/last", 422, record=nothing)["error"] == "The game has no move."
    assert "a game or a record" in visitor.post("/api/review/last", 422, video="AAAA", suffix=".avf")["error"]


def test_rollouts_of_the_last_move_are_those_of_the_whole_review() -> None:
    rules, n_found = Rules.parse("9x9/10"), 0
    for seed in range(40):
        game, moves = Game(rules, seed), []
        for cell in np.random.default_rng(seed).permutation(81).tolist():
            if game.outcome is not Outcome.PLAYING:
                break
            row, col = divmod(cell, 9)
            if game.observation.closed[row, col]:
                moves.append(Move("open", row, col))
                moves[-1].play(game)
        if game.outcome is not Outcome.LOST:
            continue
        n_found += 1
        record = Record.of(game, tuple(moves))
        whole = appraise(review_record(record), n_games=review_jobs.LAST_GAMES)
        found, winning = review_jobs.last_move(str(record)), whole.moves[-1]
        assert found["verdict"] == whole.review.moves[-1].verdict
        assert found["p_win"] == (None if winning is None else winning.played.value)
        if n_found == times(5, 30):
            return
    pytest.fail("too few games were lost")


def test_review_of_one_s_own_game(visitor: Visitor) -> None:
    state = visitor.move(visitor.begin("4x4/8 first-any"), "open", 0, 0)
    assert state["over"] or "Finish the game first" in visitor.post("/api/review", 409, game=state["id"])["error"]
    for cell in range(16):
        if state["over"]:
            break
        row, col = divmod(cell, 4)
        if state["position"].split()[0].split("/")[row][col] == "#":
            state = visitor.move(state, "open", row, col)
    told = visitor.post("/api/review", game=state["id"])
    assert len(told["moves"]) == state["moves"]
    assert told["moves"][-1]["position_after"] == state["position"]


@pytest.mark.slow
@pytest.mark.skipif(find_spec("ms_toollib") is None, reason="the extra `replays` is missing")
@pytest.mark.parametrize("name", ["won.evf", "lost.avf"])
def test_the_page_reviews_binary_replays(name: str, visitor: Visitor) -> None:
    path = Path(__file__).parents[2] / "data" / "replays" / name
    video = base64.b64encode(path.read_bytes()).decode("ascii")
    told = visitor.post("/api/review", video=video, suffix=path.suffix.upper())
    record = path.with_suffix(".record").read_text(encoding="utf-8")
    expected = visitor.post("/api/review", record=record)
    assert [(one["row"], one["col"], one["verdict"]) for one in told["moves"]] == [
        (one["row"], one["col"], one["verdict"]) for one in expected["moves"]
    ]
    assert told["result"] == expected["result"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("video", "suffix", "says"),
    [
        ("AAAA", ".exe", ".avf, .evf, .rmv, .mvf"),
        ("not base64", ".avf", "not base64"),
        ("", ".avf", "is empty"),
        ("AAAA", ".avf", "not a .avf file"),
    ],
)
def test_other_files_are_refused_in_a_sentence(video: str, suffix: str, says: str, visitor: Visitor) -> None:
    if "not a" in says and find_spec("ms_toollib") is None:
        says = "replays"
    assert says in visitor.post("/api/review", 422, video=video, suffix=suffix)["error"]


def test_chances_to_win_come_a_few_moves_at_a_time_and_are_those_of_the_whole_review(monkeypatch: Any) -> None:
    from sapper.web.jobs import games, review

    cells = (
        "0,0 0,3 0,4 2,4 3,4 6,5 0,5 1,5 2,5 3,5 4,5 7,5 0,6 2,6 3,6 5,6 8,6 7,7 2,8 3,7 4,7 1,8 3,8 4,8 8,0 6,6 8,7 "
        "7,8 8,8 5,7"
    )
    moves = "".join(f"open {cell}\n" for cell in cells.split())
    text = f"Sapper-Record: 1\nRules: 9x9/14 first-opening\nSeed: 113\nMoves:\n{moves}"
    whole: Any = games.review(text, 30)
    monkeypatch.setattr(review, "SECONDS", 0.0)
    parts: list[Any] = []
    while not parts or parts[-1]["next"] is not None:
        parts.append(review.wins(text, None, 30, parts[-1]["next"] if parts else 0))
    assert len(parts) == parts[0]["total"] > 1
    told = {one["number"]: one["wins"] for part in parts for one in part["moves"]}
    assert told == {number: one["wins"] for number, one in enumerate(whole["moves"]) if one["wins"] is not None}
    assert [parts[-1][name] for name in ("summary", "wins_lost", "mistakes")] == [
        whole[name] for name in ("summary", "wins_lost", "mistakes")
    ]
    # What was estimated is kept, though not without end.
    monkeypatch.setattr(review, "appraise_move", None)
    assert review.wins(text, None, 30, 0) == parts[0]
    assert len(review._estimates) <= review.MAX_ESTIMATES
