"""Games in words: what they pay, and scripted players that answer well, badly and in nonsense."""

from __future__ import annotations

import json

import pytest
from text_players import bad, good

from sapper.env import MinesweeperEnv
from sapper.env.language import MAX_WRONG, LanguageDeal
from sapper.errors import InputError, RulesError


def test_a_game_in_words_pays_what_the_environment_pays() -> None:
    deal = LanguageDeal("6x6/7", seed=3)
    game = deal.start("train", 1, "grid")
    twin = MinesweeperEnv("6x6/7", reward="excess-risk")
    twin.reset(options={"game_seed": game._env.game.seed})
    twin.step(3 * 6 + 3)
    while not game.is_over:
        answer = bad(game.text)
        cell = json.loads(answer)
        paid = twin.step(6 * cell["row"] + cell["col"])[1]
        game.answer(answer)
        assert game.rewards[-1] == paid
    assert not game.won
    assert min(game.rewards) < 0.0
    assert game.answer("open (0, 0)") == "The game is over."


def test_nonsense_ends_a_game() -> None:
    game = LanguageDeal("5x5/4").start("eval", 0, "statements")
    assert "Flags are not needed" in game.answer("flag (0, 0)") or "open already" in game.answer("flag (0, 0)")
    while not game.is_over:
        said = game.answer("I pass.")
    assert said.endswith("The game is given up.")
    assert game.rewards == [-1.0] * MAX_WRONG
    assert game.share_legal == 0.0


def test_no_guess_games_are_won_without_a_guess_and_splits_differ() -> None:
    deal = LanguageDeal("8x8/12", no_guess="pairs")
    for number in range(3):
        game = deal.start("eval", number, "coordinates")
        while not game.is_over:
            game.answer(good(game.text))
        assert game.won
        assert set(game.rewards) == {0.0}
    starts = {(split, n): deal.start(split, n, "grid")._env.game.seed for split in ("train", "eval") for n in range(5)}
    assert len(set(starts.values())) == 10
    assert deal.start("eval", 2, "grid").text == deal.start("eval", 2, "grid").text


def test_wrong_games_are_sentences() -> None:
    with pytest.raises(InputError, match="no_guess must be one of single"):
        LanguageDeal(no_guess="luck")
    with pytest.raises(RulesError, match="classic games"):
        LanguageDeal("4x4/3 survey")
    with pytest.raises(InputError, match="There is no style 'prose'"):
        LanguageDeal().start("train", 0, "prose")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="There is no split 'dev'; choose from train, eval"):
        LanguageDeal().start("dev", 0, "grid")  # type: ignore[arg-type]
