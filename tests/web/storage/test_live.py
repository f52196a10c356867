"""Games at hand: quick, and never behind the store."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from processes import PATIENCE

from sapper.errors import IllegalMove
from sapper.play.record import Move
from sapper.rules import Rules
from sapper.web.http.responses import Refusal
from sapper.web.storage.live import LiveGames, NeedsLayout
from sapper.web.storage.store import MAX_OWN_GAMES, GameStore

RULES = Rules.parse("5x5/3 first-any")


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[GameStore, GameStore]]:
    """The same file, open in two servers."""
    one, other = GameStore(tmp_path / "games.sqlite"), GameStore(tmp_path / "games.sqlite")
    yield one, other
    one.close()
    other.close()


def test_two_servers_play_in_one_game(stores: tuple[GameStore, GameStore]) -> None:
    here, there = LiveGames(stores[0]), LiveGames(stores[1])
    game_id = str(here.begin("ada", RULES, 4, no_guess=False)["id"])
    for number in range(6):
        server = (here, there)[number % 2]
        state = server.play(game_id, "ada", Move("flag", 0, number % 5))
        assert state["moves"] == number + 1
    # Five flags, and the first taken off again: both see the same.
    assert (
        here.look(game_id, "ada")["position"] == there.look(game_id, "ada")["position"] == "#FFFF" + "/#####" * 4 + " 3"
    )


def test_a_cached_game_belongs_to_its_player(stores: tuple[GameStore, GameStore]) -> None:
    games = LiveGames(stores[0])
    game_id = str(games.begin("ada", RULES, 4, no_guess=False)["id"])
    games.play(game_id, "ada", Move("flag", 0, 0))
    with pytest.raises(Refusal, match="no such game"):
        games.play(game_id, "bob", Move("flag", 0, 0))


def test_a_layout_that_was_found_is_played(stores: tuple[GameStore, GameStore]) -> None:
    games = LiveGames(stores[0])
    game_id = str(games.begin("ada", RULES, 4, no_guess=True)["id"])
    games.play(game_id, "ada", Move("flag", 4, 4))
    with pytest.raises(NeedsLayout) as needed:
        games.play(game_id, "ada", Move("open", 0, 0))
    games.lay(needed.value.stored, "-----/-----/-----/-----/--***")
    assert str(games.play(game_id, "ada", Move("open", 0, 0))["position"]).startswith("00000/00000/00000/01232")


def test_a_game_that_made_room_is_gone(stores: tuple[GameStore, GameStore]) -> None:
    games = LiveGames(stores[0])
    game_id = str(games.begin("ada", RULES, 4, no_guess=False)["id"])
    games.play(game_id, "ada", Move("flag", 0, 0))
    for _ in range(MAX_OWN_GAMES):
        games.begin("ada", RULES, None, no_guess=False)
    with pytest.raises(Refusal, match="no such game"):
        games.play(game_id, "ada", Move("flag", 0, 1))


def test_a_game_goes_on_with_no_more_moves_than_any_other_may_have(stores: tuple[GameStore, GameStore]) -> None:
    games = LiveGames(stores[0])
    most = 1000 + 2 * RULES.n_cells
    moves = [Move("flag", 0, 0)] * most
    state = games.begin_continued("ada", str(RULES), 4, None, moves)
    assert state["moves"] == 0  # none of them is the player's
    assert games.look(str(state["id"]), "ada")["position"] == state["position"]
    with pytest.raises(IllegalMove, match="at most 1,050 moves"):
        games.play(str(state["id"]), "ada", Move("flag", 0, 0))
    with pytest.raises(IllegalMove, match="at most 1,050 moves"):
        games.begin_continued("ada", str(RULES), 4, None, [*moves, Move("flag", 0, 0)])
    assert len(stores[0].list_recent("ada")) == 1


def test_cached_games_are_counted_once_however_many_threads_load_them(stores: tuple[GameStore, GameStore]) -> None:
    games, there = LiveGames(stores[0]), LiveGames(stores[1])
    game_id = str(games.begin("ada", RULES, 4, no_guess=False)["id"])
    n_threads = 8
    barrier = threading.Barrier(n_threads)

    def look() -> object:
        barrier.wait(PATIENCE)
        return games.look(game_id, "ada")["position"]

    with ThreadPoolExecutor(n_threads) as threads:
        for number in range(10):
            # Played elsewhere, so everybody replays it.
            there.play(game_id, "ada", Move("flag", 0, number % 5))
            tasks = [threads.submit(look) for _ in range(n_threads)]
            assert len({task.result(PATIENCE) for task in tasks}) == 1
            assert games._cache._weight == RULES.n_cells
