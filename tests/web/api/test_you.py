"""What a visitor's games add up to: results that last, luck, and the end of it all."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from processes import wait_until
from visitor import Visitor

from sapper.play.record import Move
from sapper.rules import DEALINGS, Rules
from sapper.statistics import wilson
from sapper.web.http.responses import Refusal
from sapper.web.jobs.review import appraise_game
from sapper.web.storage import results as results_module
from sapper.web.storage import store as store_module
from sapper.web.storage.live import LiveGames
from sapper.web.storage.results import FIELDS, GameEnding, ResultStore, StoredResult, describe_results
from sapper.web.storage.store import Deal, GameStore

SURE = "1x4/0"  # one click and it is won
LOST = "1x2/1 first-any"


def win(visitor: Visitor, rules: str = SURE, **fields: object) -> Any:
    return visitor.move(visitor.begin(rules, **fields), "open", 0, 0)


def lose(visitor: Visitor) -> Any:
    """Open a mine on a board that nobody knows, sooner or later."""
    for _ in range(60):
        state = visitor.move(visitor.begin(LOST), "open", 0, 0)
        if state["outcome"] == "lost":
            return state
    raise AssertionError("a coin does not fall on the same side sixty times")


def settled(visitor: Visitor) -> Any:
    """The totals, once the risks of all games are worked out."""
    wait_until(lambda: not visitor.get("/api/you")["all"]["luck"]["waiting"], "all risks are known", pause=0.1)
    return visitor.get("/api/you")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GameStore]:
    with closing(GameStore(tmp_path / "games.sqlite")) as opened:
        yield opened


def test_a_new_visitor_has_nothing_to_show(visitor: Visitor) -> None:
    told = visitor.get("/api/you")
    assert (told["boards"], told["results"]) == ([], [])
    assert told["all"]["games"] == 0
    assert told["all"]["rate"] is told["all"]["best_seconds"] is None


def test_a_win_is_a_result_and_says_what_there_was_to_beat(visitor: Visitor) -> None:
    first, second = win(visitor), win(visitor)
    assert first["result"] == {
        "counts": True,
        "before": {"games": 0, "wins": 0, "streak": 0, "best_seconds": None, "best_speed": None},
    }
    assert second["result"]["before"] == {
        "games": 1, "wins": 1, "streak": 1, "best_seconds": first["seconds"], "best_speed": None,
    }  # fmt: skip
    (board,) = visitor.get("/api/you")["boards"]
    assert (board["rules"], board["no_guess"], board["daily"]) == (SURE, False, False)
    assert (board["games"], board["wins"], board["streak"], board["longest_streak"]) == (2, 2, 2, 2)
    assert board["rate"] == list(wilson(2, 2))


@pytest.mark.parametrize("help_with", ["hint", "chances", "wrong-flags"])
def test_help_makes_a_game_assisted(visitor: Visitor, help_with: str) -> None:
    game = visitor.begin("2x2/1")
    visitor.move(game, "flag", 1, 1)
    visitor.get(f"/api/games/{game['id']}/{help_with}")
    for row, col in ((0, 0), (0, 1), (1, 0)):
        state = visitor.get(f"/api/games/{game['id']}")
        if not state["over"]:
            state = visitor.move(game, "open", row, col)
    assert state["over"]
    told = visitor.get("/api/you")["all"]
    assert (told["games"], told["assisted"]["games"]) == (0, 1)


def test_a_known_board_and_a_move_taken_back_make_a_game_assisted(visitor: Visitor) -> None:
    assert win(visitor, seed=5)["result"]["counts"] is False
    game = win(visitor)
    again = visitor.post(f"/api/games/{game['id']}/again", 201)
    assert again["result"]["counts"] is False
    undone = visitor.begin(SURE)
    visitor.move(undone, "flag", 0, 0)
    visitor.post(f"/api/games/{undone['id']}/undo")
    assert visitor.move(undone, "open", 0, 0)["result"]["counts"] is False
    told = visitor.get("/api/you")["all"]
    assert (told["games"], told["wins"], told["assisted"]) == (1, 1, {"games": 3, "wins": 3})


def test_a_loss_that_is_taken_back_stays_a_loss(visitor: Visitor) -> None:
    lost = lose(visitor)
    n_games = visitor.get("/api/you")["all"]["games"]
    visitor.post(f"/api/games/{lost['id']}/undo")
    won = visitor.move(lost, "open", 0, 1)
    assert won["outcome"] == "won"
    assert won["result"]["counts"] is False
    told = visitor.get("/api/you")
    assert told["all"]["games"] == n_games
    assert told["results"][-1]["outcome"] == "lost"
    assert told["all"]["streak"] == 0


def test_luck_is_the_sum_of_the_risks(visitor: Visitor) -> None:
    # Each first click on two cells with one mine takes a risk of one half, and nothing could avoid it.
    lose(visitor)
    told = settled(visitor)["all"]
    luck = told["luck"]
    assert luck["games"] == told["games"] >= 1
    assert luck["expected"] == pytest.approx(told["games"] / 2)
    assert luck["spread"] == pytest.approx(math.sqrt(told["games"] / 4))
    assert luck["hits"] == told["games"] - told["wins"] == 1
    assert luck["needless"] == luck["mistakes"] == luck["unknown_moves"] == luck["left_out"] == 0


def test_risks_of_a_position_worked_out_by_hand() -> None:
    # The first cell of six takes 1/6. Its 1 leaves the mine to three neighbours, so the next takes 1/3 while the cells
    # of the last column are safe; then it is one of two.
    record = "Sapper-Record: 1\nRules: 2x3/1 first-any\nSeed: 1\nLayout: -*-/---\nMoves:\n"
    one = appraise_game(f"{record}open 0,0\nopen 1,0\n")
    assert one["risk"] == pytest.approx(1 / 6 + 1 / 3)
    assert one["variance"] == pytest.approx(5 / 36 + 2 / 9)
    assert one["needless"] == pytest.approx(1 / 3)
    assert (one["hits"], one["mistakes"]) == (0, 0)
    two = appraise_game(f"{record}open 0,0\nopen 1,0\nopen 0,1\n")
    assert two["risk"] == pytest.approx(1 / 6 + 1 / 3 + 1 / 2)
    assert (two["hits"], two["mistakes"], two["unknown"]) == (1, 0, 0)
    # The 1 at the end of a row leaves no doubt about its neighbour.
    sure = "Sapper-Record: 1\nRules: 1x3/1 first-any\nSeed: 1\nLayout: -*-\nMoves:\nopen 0,0\nopen 0,1\n"
    three = appraise_game(sure)
    assert (three["risk"], three["variance"]) == (pytest.approx(4 / 3), pytest.approx(2 / 9))
    assert (three["needless"], three["hits"], three["mistakes"]) == (1.0, 1, 1)


def made(**fields: Any) -> StoredResult:
    known: dict[str, Any] = {
        "game": "g", "rules": "9x9/10", "no_guess": False, "daily": None, "outcome": "won", "seconds": 20.0, "bbbv": 30,
        "clicks": 60, "assisted": False, "ended": 0.0, "risk": 0.5, "variance": 0.25, "needless": 0.1, "hits": 0,
        "mistakes": 0, "unknown": 0, "waits": False,
    }  # fmt: skip
    return StoredResult(**(known | fields))


def test_totals_by_hand() -> None:
    told: Any = describe_results(
        [
            made(seconds=10.0),
            made(seconds=30.0, bbbv=45),
            made(outcome="lost", hits=1, risk=1.5, needless=1.0),
            made(seconds=50.0, unknown=2),
            made(seconds=1.0, assisted=True),
            made(no_guess=True, outcome="lost", risk=1.0, needless=1.0, hits=1, mistakes=1),
            made(no_guess=True, risk=None, variance=None, needless=None, hits=None, mistakes=None, unknown=None),
        ]
    )
    board, no_guess = told["boards"]
    assert (board["games"], board["wins"], board["assisted"]) == (4, 3, {"games": 1, "wins": 1})
    assert (board["best_seconds"], board["median_seconds"]) == (10.0, 30.0)
    assert board["best_speed"] == 3.0
    assert board["mean_speed"] == pytest.approx((3.0 + 1.5 + 0.6) / 3)
    assert board["efficiency"] == pytest.approx((0.5 + 0.75 + 0.5) / 3)
    assert (board["streak"], board["longest_streak"]) == (1, 2)
    assert board["luck"]["expected"] == 3.0
    assert board["luck"]["spread"] == 1.0
    assert (board["luck"]["hits"], board["luck"]["unknown_moves"]) == (1, 2)
    # On a board that needs no guess risk says nothing of luck, but it was needless.
    luck = no_guess["luck"]
    assert (luck["games"], luck["hits"], luck["expected"]) == (0, 0, 0.0)
    assert (luck["judged"], luck["needless"], luck["mistakes"], luck["left_out"]) == (1, 1.0, 1, 1)
    assert tuple(told["results"][0]) == FIELDS


@pytest.mark.parametrize("dealing", DEALINGS)
@pytest.mark.parametrize("board", ["9x9/10", "9x9/10 torus first-opening", "1x6/2 own:1,5/2/3/4/5 no-cascade"])
def test_only_mines_that_were_laid_are_a_matter_of_luck(board: str, dealing: str) -> None:
    rules = str(Rules.parse(f"{board} {dealing}"))  # as results keep them
    told: Any = describe_results([made(rules=rules)])
    assert told["boards"][0]["luck"]["games"] == (dealing == "laid")


def test_results_outlive_the_games(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_OWN_GAMES", 3)
    games, results = LiveGames(store), ResultStore(store)
    ids = []
    for _ in range(6):
        ids.append(str(games.begin("ada", Rules.parse(SURE), None, no_guess=False)["id"]))
        games.play(ids[-1], "ada", Move("open", 0, 0))
    with pytest.raises(Refusal, match="no such game"):
        store.find(ids[0], "ada")
    assert [one.game for one in results.of("ada")] == ids
    # Their risks can still be worked out.
    assert results.next_waiting("ada") is not None
    monkeypatch.setattr(results_module, "MAX_OWN_RESULTS", 4)
    results.make_room("ada")
    assert [one.game for one in results.of("ada")] == ids[2:]
    monkeypatch.setattr(results_module, "MAX_RESULTS", 2)
    results.make_room()
    assert [one.game for one in results.of("ada")] == ids[4:]


def test_a_game_that_is_played_on_leaves_no_result(store: GameStore) -> None:
    game = store.create("ada", SURE, 1, Deal(played_on=True))
    store.add_move(game, Move("open", 0, 0), "won", GameEnding(0, 1, "a record"))
    assert ResultStore(store).of("ada") == []


def test_the_result_and_the_move_are_one_commit(store: GameStore, monkeypatch: pytest.MonkeyPatch) -> None:
    games = LiveGames(store)
    game_id = str(games.begin("ada", Rules.parse(SURE), None, no_guess=False)["id"])

    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(store_module, "add_result", fail)
    with pytest.raises(RuntimeError):
        games.play(game_id, "ada", Move("open", 0, 0))
    assert store.find(game_id, "ada").n_moves == 0
    monkeypatch.undo()
    assert games.play(game_id, "ada", Move("open", 0, 0))["outcome"] == "won"
    assert len(ResultStore(store).of("ada")) == 1


def test_export_holds_everything_and_gives_no_mine_away(visitor: Visitor) -> None:
    done = win(visitor)
    going_on = visitor.begin("9x9/10")
    visitor.move(going_on, "open", 4, 4)
    reply = visitor.ask("GET", "/api/you/export")
    assert reply.headers["content-disposition"] == 'attachment; filename="sapper-games.json"'
    told = json.loads(reply.body)
    assert [one["game"] for one in told["results"]] == [done["id"]]
    open_game, over = told["games"]
    assert (open_game["seed"], open_game["layout"], open_game["moves"]) == (None, None, [["open", 4, 4]])
    assert over["seed"] == done["seed"]
    reply = visitor.ask("GET", "/api/you/export?format=csv")
    rows = list(csv.DictReader(reply.body.decode().splitlines()))
    assert [row["game"] for row in rows] == [done["id"]]
    assert visitor.ask("GET", "/api/you/export?format=xml").status == 422


def test_delete_removes_everything_of_this_visitor_alone(visitor: Visitor, server: Any) -> None:
    other = server.visitor()
    kept = win(other)
    done = win(visitor)
    going_on = visitor.begin("9x9/10")
    visitor.move(going_on, "open", 4, 4)
    reply = visitor.ask("DELETE", "/api/you", b"{}")
    assert (reply.status, reply.value) == (200, {"deleted_games": 2})
    assert visitor.get("/api/games") == []
    assert visitor.get("/api/you")["results"] == []
    assert visitor.move(going_on, "open", 0, 0, status=404)["error"] == "There is no such game."
    assert visitor.ask("GET", f"/api/games/{done['id']}").status == 404
    assert [one["game"] for one in other.get("/api/you")["results"]] == [kept["id"]]
