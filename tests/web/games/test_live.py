"""Games at hand: quick, and never behind the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper.play.matches.record import Move
from sapper.rules import Rules
from sapper.web.games.live import LiveGames, NeedsLayout
from sapper.web.games.store import MOST_OWN_GAMES, GameStore
from sapper.web.requests.answers import Refusal

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


def test_a_game_at_hand_belongs_to_its_player(stores: tuple[GameStore, GameStore]) -> None:
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
    for _ in range(MOST_OWN_GAMES):
        games.begin("ada", RULES, None, no_guess=False)
    with pytest.raises(Refusal, match="no such game"):
        games.play(game_id, "ada", Move("flag", 0, 1))


def test_small_games_at_hand_are_quick(stores: tuple[GameStore, GameStore]) -> None:
    games = LiveGames(stores[0])
    small = str(games.begin("ada", RULES, 1, no_guess=False)["id"])
    large = str(games.begin("ada", Rules.parse("50x50/300"), 1, no_guess=False)["id"])
    assert games.is_quick(small)
    assert not games.is_quick(large)
    assert not LiveGames(stores[1]).is_quick(small)
