"""Games in words, and real rollouts of `verifiers` with scripted players that answer well, badly and in nonsense."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest

from sapper.agents.registry import make_agent
from sapper.env import MinesweeperEnv
from sapper.env.language import MAX_WRONG, LanguageDeal
from sapper.errors import InputError, RulesError
from sapper.inference.posterior.exact import mine_probabilities
from sapper.text import read_description

GOOD = make_agent("exact", 0)


def good(text: str) -> str:
    return f"Let me see (1, 1).\nopen {GOOD.decide(read_description(text)).cell}"


def bad(text: str) -> str:
    """Open the cell most likely to be a mine."""
    found = mine_probabilities(read_description(text))
    row, col = max(zip(*found.observation.closed.nonzero(), strict=True), key=lambda cell: found.p_mine[cell])
    return json.dumps({"row": int(row), "col": int(col)})


def nonsense(text: str) -> str:
    return "Forty-two."


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


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tool", [False, True])
def test_verifiers_rolls_out(tool: bool) -> None:
    vf = pytest.importorskip("verifiers", reason="verifiers is not installed: pip install 'sapper[rl,verifiers]'")
    if not hasattr(vf, "MultiTurnEnv"):
        pytest.skip("this verifiers is not a version that Sapper knows")
    from sapper.env.verifiers import load_environment

    class Scripted(vf.Client):  # type: ignore[misc, name-defined]
        """Answers the last position by a function."""

        def setup_client(self, _: Any) -> Any:
            return None

        async def to_native_tool(self, tool: Any) -> Any:
            return tool

        async def to_native_prompt(self, messages: Any) -> Any:
            return messages, {}

        async def get_native_response(self, prompt: Any, *_: Any, **__: Any) -> Any:
            return prompt

        async def raise_from_native_response(self, response: Any) -> None:
            pass

        async def close(self) -> None:
            pass

        async def from_native_response(self, prompt: Any) -> Any:
            told = [str(message.content) for message in prompt]
            assert not any(re.search("seed|layout", text, re.IGNORECASE) for text in told)
            position = next(text for text in reversed(told) if text.startswith("Board: "))
            text = self.client(position)
            calls = None
            if tool and text.startswith(("open", "Let", "{")):
                row, col = re.findall(r"\d+", text)[-2:]
                calls = [vf.ToolCall(id="1", name="open", arguments=json.dumps({"row": int(row), "col": int(col)}))]
            message = vf.types.ResponseMessage(
                content=None if calls else text, tool_calls=calls, finish_reason="stop", is_truncated=False
            )
            return vf.types.Response(id="x", created=0, model="scripted", message=message)

    env = load_environment("5x5/4", style="coordinates", tool=tool, n_train=2, n_eval=4, seed=1)
    scores = {}
    for player in (good, bad, nonsense):
        results = asyncio.run(
            env.generate(env.get_eval_dataset(), Scripted(player), "scripted", state_columns=["trajectory"])
        )
        outputs = results["outputs"]
        scores[player] = sum(one["reward"] for one in outputs) / len(outputs)
        for one in outputs:
            assert not one.get("error")
            assert "game_seed" not in json.dumps(one, default=str)
            steps = [step["reward"] for step in one["trajectory"]]
            assert sum(steps) == pytest.approx(one["metrics"]["moves"])
            assert one["reward"] == pytest.approx(
                one["metrics"]["won"] + 0.1 * one["metrics"]["moves"] + 0.1 * one["metrics"]["legal"]
            )
            if player is nonsense:
                assert steps == [-1.0] * MAX_WRONG
    assert scores[good] > scores[bad] > scores[nonsense]
