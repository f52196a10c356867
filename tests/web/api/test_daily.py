"""Daily boards: the same for everybody on a day, one try that counts, and a clock that everybody agrees on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from visitor import Server, Visitor

from sapper.inference.posterior.exact import mine_probabilities
from sapper.layout import Layout
from sapper.observation import HIDDEN, Observation
from sapper.play.record import Move
from sapper.web.jobs.games import daily_layout, no_guess_layout
from sapper.web.storage.daily import BANDS, LEVELS, SCREENED_FROM, Daily, DailyBoard, FoundBoard, streaks
from sapper.web.storage.live import LiveGames
from sapper.web.storage.results import ResultStore
from sapper.web.storage.store import GameStore


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


class Clock:
    now = at("2026-11-17T12:00:00")

    def __call__(self) -> float:
        return self.now


class World:
    """The daily boards of a store, with a clock that we set."""

    def __init__(self, store: GameStore) -> None:
        self.store = store
        self.clock = Clock()
        self.games = LiveGames(store)
        self.results = ResultStore(store)
        self.daily = Daily(store, self.games, self.results, self.clock)

    def begin(self, level: str = "beginner", player: str = "ada") -> Any:
        board = self.daily.board(level)
        return self.daily.begin(player, board, found_of(board))

    def finish(self, state: Any, *, won: bool, player: str = "ada") -> Any:
        """Open everything that is clear, or a mine."""
        mines = Layout.parse(found_of(self.daily.board("beginner")).layout, "square").mines
        while not state["over"]:
            cells = Observation.parse(state["position"]).cells
            row, col = next((r, c) for r in range(9) for c in range(9) if cells[r, c] == HIDDEN and mines[r, c] != won)
            state = self.games.play(state["id"], player, Move("open", row, col))
        return state

    def level(self) -> Any:
        told: Any = self.daily.describe("ada")
        return told["levels"][0]


def found_of(board: DailyBoard) -> FoundBoard:
    cell = board.rules.topology.index(*board.first)
    return FoundBoard(**cast("dict[str, Any]", daily_layout(str(board.rules), board.seeds, cell, *board.band)))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(GameStore(tmp_path / "games.sqlite")) as store:
        yield World(store)


def test_the_day_changes_at_midnight_in_utc(world: World) -> None:
    world.clock.now = at("2026-12-31T23:59:59.500")
    told = world.daily.describe("ada")
    assert (told["date"], told["seconds_left"]) == ("2026-12-31", 0.5)
    before = world.daily.board("expert")
    world.clock.now += 0.5
    told = world.daily.describe("ada")
    assert (told["date"], told["seconds_left"]) == ("2027-01-01", 86400.0)
    after = world.daily.board("expert")
    assert found_of(before) != found_of(after)
    assert before.name == "2026-12-31 expert"


def test_a_board_begun_before_midnight_counts_for_its_day(world: World) -> None:
    world.clock.now = at("2026-11-17T23:59:00")
    state = world.begin()
    world.clock.now = at("2026-11-18T00:01:00")
    assert world.level()["state"] == "open"
    world.clock.now = at("2026-11-17T23:59:00")
    world.finish(state, won=True)
    world.clock.now = at("2026-11-18T00:01:00")
    told: Any = world.daily.describe("ada")
    assert told["levels"][0]["state"] == "open"
    assert (told["streak"], told["longest_streak"]) == (1, 1)
    world.clock.now = at("2026-11-19T00:01:00")
    assert world.daily.describe("ada")["streak"] == 0


def test_the_second_try_is_practice(world: World) -> None:
    assert world.level() == {
        "level": "beginner", "rules": "9x9/10 first-opening", "state": "open", "game": None, "seconds": None,
        "speed": None, "assisted": False,
    }  # fmt: skip
    state = world.begin()
    assert state["daily"] == "2026-11-17 beginner"
    assert "seed" not in state
    assert world.level()["state"] == "playing"
    # Whoever comes back goes on; that is not another try.
    assert world.begin()["id"] == state["id"]
    lost = world.finish(state, won=False)
    assert lost["result"]["counts"] is True
    assert world.level()["state"] == "failed"
    second = world.begin()
    assert second["id"] != state["id"]
    assert ("daily" in second, second["practice"]) == (False, "2026-11-17 beginner")
    assert world.finish(second, won=True)["result"]["counts"] is False
    assert world.games.again(state["id"], "ada")["practice"] == "2026-11-17 beginner"
    assert world.level()["state"] == "failed"
    assert world.daily.describe("ada")["streak"] == 0
    assert [one.assisted for one in world.results.of("ada")] == [False, True]


def test_a_board_that_is_solved_with_help_says_so(world: World) -> None:
    state = world.begin()
    world.games.see(state["id"], "ada")
    world.finish(state, won=True)
    level = world.level()
    assert (level["state"], level["assisted"]) == ("solved", True)
    assert world.daily.describe("ada")["streak"] == 0


def test_boards_are_of_similar_difficulty_and_those_of_days_gone_by_stay() -> None:
    for level in LEVELS:
        least, most = BANDS[level]
        found = [found_of(DailyBoard(SCREENED_FROM + timedelta(days=day), level)) for day in range(8)]
        assert all(least <= one.bbbv <= most for one in found), level
        assert len({one.layout for one in found}) == 8
    old = DailyBoard(date(2026, 11, 17), "beginner")
    assert old.seeds == [7077269407918462]
    assert found_of(old).layout == no_guess_layout(str(old.rules), old.seeds[0], old.rules.topology.index(4, 4))


def test_a_board_that_was_stored_before_boards_were_chosen_stays(world: World) -> None:
    board = DailyBoard(SCREENED_FROM, "beginner")
    layout = found_of(DailyBoard(date(2026, 11, 17), "beginner")).layout
    with world.store.changing() as db:
        db.execute("INSERT INTO daily_layouts (name, layout) VALUES (?, ?)", (board.name, layout))
    assert world.daily.find(board) == FoundBoard(layout, board.seeds[0])
    world.daily.keep(board, found_of(board))
    assert world.daily.find(board) == FoundBoard(layout, board.seeds[0])


def test_all_visitors_are_counted_and_nobody_is_named(world: World) -> None:
    for player, won in (("bob", True), ("eve", True), ("joe", False)):
        world.finish(world.begin(player=player), won=won, player=player)
    helped = world.begin(player="kim")
    world.games.see(helped["id"], "kim")
    world.finish(helped, won=True, player="kim")
    board = world.daily.board("beginner")

    def field(player: str) -> Any:
        told: Any = world.daily.describe_board(player, board, found_of(board))
        return told["field"]

    before = field("ada")
    assert (before["failed"], sum(before["bins"]), before["place"], before["own_bin"]) == (1, 2, None, None)
    world.finish(world.begin(), won=True)
    after = field("ada")
    times = [world.results.of(player)[0].seconds for player in ("ada", "bob", "eve")]
    assert (sum(after["bins"]), after["place"]) == (3, 1 + sum(other < times[0] for other in times))
    assert after["own_bin"] == min(11, int(times[0] / after["seconds_per_bin"]))
    # Practice adds nothing.
    world.finish(world.begin(player="joe"), won=True, player="joe")
    assert field("ada") == after
    assert not {"bob", "eve", "joe"} & set(str(after).split("'"))


def test_days_in_a_row() -> None:
    days = {date(2026, 12, 30), date(2026, 12, 31), date(2027, 1, 1), date(2027, 1, 3)}
    assert streaks(days, date(2027, 1, 3)) == (1, 3)
    assert streaks(set(), date(2027, 1, 3)) == (0, 0)


def test_everybody_gets_the_same_board_and_it_needs_no_guess(server: Server) -> None:
    one, two = server.visitor(), server.visitor()
    told = one.get("/api/daily")
    assert [level["level"] for level in told["levels"]] == list(LEVELS)
    assert 0 < told["seconds_left"] <= 86400
    state = one.post("/api/daily", 201, level="beginner")
    assert state["position"] == two.post("/api/daily", 201, level="beginner")["position"]
    assert state["moves"] == 1
    while not state["over"]:
        position = Observation.parse(state["position"])
        safe = mine_probabilities(position).safe
        assert safe, "a guess"
        state = one.move(state, "open", *next(cell for cell in safe if position.cells[cell] == HIDDEN))
    level = one.get("/api/daily")["levels"][0]
    assert (level["state"], level["seconds"]) == ("solved", pytest.approx(state["seconds"], abs=0.001))
    assert two.get("/api/daily")["levels"][0]["state"] == "playing"


def test_a_board_is_described_before_it_is_begun_and_other_days_only_if_they_were_played(visitor: Visitor) -> None:
    told = visitor.get("/api/daily/board?level=beginner")
    assert (told["state"], told["rules"], told["field"]["place"]) == ("open", "9x9/10 first-opening", None)
    assert told["par"] == max(5, 5 * round(told["3bv"] / 0.8 / 5))
    assert visitor.get("/api/daily")["levels"][0]["game"] is None
    assert visitor.get(f"/api/daily/board?level=beginner&day={told['date']}") == told
    for day, status in (("2020-02-30", 422), ("2020-02-20", 404), ("9999-12-31", 404)):
        assert visitor.ask("GET", f"/api/daily/board?level=beginner&day={day}").status == status
    assert visitor.ask("GET", "/api/daily/board?level=evil").status == 422


def test_there_are_three_levels(visitor: Visitor) -> None:
    assert visitor.post_any("/api/daily", {"level": "evil"}) == 422
    assert visitor.post_any("/api/daily", {}) == 422
