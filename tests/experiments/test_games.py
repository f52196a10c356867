"""Chunks of games: the same by whichever road they are played."""

from __future__ import annotations

import numpy as np
import pytest
from effort import times

from sapper.agents.registry import make_agent
from sapper.errors import InputError, TooHard
from sapper.experiments import games
from sapper.experiments.games import Chunk, Condition, GameResult, play_chunk, play_game
from sapper.formats.given_boards import GivenBoard
from sapper.play.compiled import AGENTS as COMPILED_AGENTS
from sapper.play.compiled import CompiledPlayer, CompiledResult
from sapper.play.match import play_match
from sapper.rules import Rules
from sapper.world.game import Game, Outcome


def chunk_of(rules: str, agent: str, n_games: int = 20, first: int = 0, **others: bool) -> Chunk:
    return Chunk(Condition.of(Rules.parse(rules), agent, **others), first, n_games)  # type: ignore[arg-type]


@pytest.mark.parametrize("agent", COMPILED_AGENTS)
@pytest.mark.parametrize("rules", ["8x8/10", "7x9/12 first-any", "6x6/8 torus first-opening", "6x7/8 total-hidden"])
def test_compiled_games_are_the_games_of_the_agent(rules: str, agent: str) -> None:
    n_games = times(8, 25)
    compiled = play_chunk(chunk_of(rules, agent, n_games)).games
    by_hand = tuple(play_game(Game(Rules.parse(rules), seed), agent, seed, None) for seed in range(n_games))
    # A lost classic game identifies nothing and has one mine go off; that is all compiled code says of it.
    assert [(one.won, one.detonations, one.guesses, one.moves) for one in compiled] == [
        (one.won, one.detonations, one.guesses, one.moves) for one in by_hand
    ]


@pytest.mark.slow
@pytest.mark.parametrize("agent", COMPILED_AGENTS)
def test_compiled_games_on_given_boards_are_the_games_of_the_agent(agent: str) -> None:
    rules = Rules.parse("6x6/8")
    rng = np.random.default_rng(4)
    boards = []
    for _ in range(30):
        cells = rng.permutation(36).tolist()
        boards.append(GivenBoard(tuple(sorted(cells[:8])), cells[8]))
    condition = Condition.of(rules, agent, "boards:x:safe")
    compiled = play_chunk(Chunk(condition, 0, 30, tuple(boards))).games
    for number, board in enumerate(boards):
        by_hand = play_game(games._new_game(rules, number, board), agent, number, board)
        for field in ("won", "detonations", "guesses", "moves"):
            assert getattr(compiled[number], field) == getattr(by_hand, field), (number, field)
    assert 0 < sum(game.won for game in compiled) < 30


def test_a_position_too_hard_for_the_sum_is_played_as_the_agent_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = play_chunk(chunk_of("8x8/10", "exact", 6)).games
    play = CompiledPlayer.play

    def give_up_at_times(self: CompiledPlayer, seed: int) -> CompiledResult:
        if seed % 2:
            raise TooHard("too hard", 99)
        return play(self, seed)

    monkeypatch.setattr(CompiledPlayer, "play", give_up_at_times)
    assert [game.won for game in play_chunk(chunk_of("8x8/10", "exact", 6)).games] == [game.won for game in expected]


def test_what_is_kept_is_what_happened() -> None:
    for seed, found in enumerate(play_chunk(chunk_of("5x5/6 survey first-any", "statements", 12)).games):
        game = Game(Rules.parse("5x5/6 survey first-any"), seed)
        record = play_match(game, make_agent("statements", seed))
        assert found.identified == round(game.score * 6)
        assert found.detonations == game.counters.detonations
        assert found.identified + found.detonations == 6
        assert found.won == (found.detonations == 0)
        assert found.moves == len(record.moves)
        assert 1 <= found.guesses <= found.moves


def test_a_chunk_cut_in_two_gives_the_same_games() -> None:
    for rules, agent in (("8x8/10", "exact"), ("6x6/8 survey first-any withheld:0.3", "infer")):
        whole = play_chunk(chunk_of(rules, agent, 10, first=5))
        halves = [play_chunk(chunk_of(rules, agent, 5, first=first)) for first in (5, 10)]
        assert whole.games == halves[0].games + halves[1].games
        assert whole.cpu_seconds > 0.0


def test_the_opening_can_be_restarted_until_a_zero_shows() -> None:
    rules = Rules.parse("8x8/10 first-any")
    plain = play_chunk(chunk_of(str(rules), "search", 60)).games
    restarted = play_chunk(chunk_of(str(rules), "search", 60, restart_opening=True)).games
    for seed, (one, other) in enumerate(zip(plain, restarted, strict=True)):
        game = Game(rules, seed)
        play_match(game, make_agent("search", seed))
        fell = game.outcome is Outcome.LOST and not (game.observation.cells == 0).any()
        assert fell or one == other
        # No game is left that was lost in the opening, except on boards without a zero.
        assert not (fell and one == other and other.moves == 1)
    assert sum(game.won for game in restarted) > sum(game.won for game in plain)


def test_an_agent_of_another_version_does_not_play() -> None:
    with pytest.raises(InputError, match="basic is at version 1 here, but the run needs version 7"):
        play_chunk(Chunk(Condition("4x4/3", "basic", 7), 0, 1))


def test_a_board_without_mines_and_one_full_of_them() -> None:
    assert play_chunk(chunk_of("3x3/0 survey", "basic", 1)).games == (GameResult(1, 0, 0, 1, 1),)
    full = play_chunk(chunk_of("2x2/4 survey first-any", "basic", 1)).games[0]
    assert (full.won, full.identified + full.detonations) == (0, 4) or (full.won, full.identified) == (1, 4)
