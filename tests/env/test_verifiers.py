"""Real rollouts of `verifiers` with scripted models behind an endpoint: what they are paid and what they are shown."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from text_players import bad, good, nonsense

from sapper.env.language import MAX_WRONG
from sapper.errors import InputError

pytest.importorskip("verifiers.v1", reason="verifiers is not installed: make models")

import verifiers.v1 as vf
from chat import Messages, endpoint

from sapper.env.verifiers import MinesweeperTaskset, load_environment

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def model(player: Callable[[str], str], shown: list[str]) -> Callable[[Messages, bool], dict[str, Any]]:
    """Answer the last position by a function; keep all that was shown."""

    def answer(messages: Messages, has_tools: bool) -> dict[str, Any]:
        told = [str(message.get("content")) for message in messages]
        shown.extend(told)
        position = next(text for text in reversed(told) if text.startswith("Board: "))
        text = player(position)
        numbers = re.findall(r"\d+", text)[-2:]
        if not (has_tools and numbers):
            return {"content": text}
        call = {"name": "open", "arguments": json.dumps(dict(zip(("row", "col"), map(int, numbers), strict=True)))}
        return {"tool_calls": [{"id": f"call {len(told)}", "type": "function", "function": call}]}

    return answer


def roll_out(player: Callable[[str], str], shown: list[str], **settings: Any) -> list[Any]:
    """Play games of the environment with the player; return their traces."""
    env = load_environment("5x5/4", harness={"id": "chat"}, split="eval", seed=1, **settings)

    async def play(address: str) -> list[Any]:
        model_at = vf.EvalClientConfig(base_url=address, api_key_var="NO_KEY")
        context = vf.ModelContext(model="scripted", client=model_at, sampling=vf.SamplingConfig())
        async with env.serving():
            return [await env.run_slot(slot, context) for task in env.taskset for slot in env.slots(task)]

    with endpoint(model(player, shown)) as address:
        episodes = asyncio.run(play(address))
    return [trace for episode in episodes for trace in episode.traces]


@pytest.mark.parametrize("tool", [False, True])
def test_models_are_paid_for_every_answer(tool: bool) -> None:
    scores: dict[str, float] = {}
    players = (good, bad) if tool else (good, bad, nonsense)
    for player in players:
        shown: list[str] = []
        traces = roll_out(player, shown, n_games=1 if tool else 3, style="coordinates", tool=tool)
        assert not any(re.search("seed|layout", text, re.IGNORECASE) for text in shown)
        for trace in traces:
            assert not trace.errors
            steps = trace.info["step_rewards"]
            assert steps
            paid = {name: reward.score for name, reward in trace.rewards.items()}
            assert paid["moves"] == pytest.approx(sum(steps))
            assert trace.reward == pytest.approx(paid["won"] + 0.1 * paid["moves"] + 0.1 * paid["legal"])
            if player is nonsense:
                assert steps == [-1.0] * MAX_WRONG
                assert paid == {"won": 0.0, "moves": -MAX_WRONG, "legal": 0.0}
        scores[player.__name__] = sum(trace.reward for trace in traces)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


def test_splits_have_different_games_and_weights_can_be_chosen() -> None:
    games = {
        split: [task.data.start()._env.game.seed for task in load_environment("5x5/4", split=split, n_games=5).taskset]
        for split in ("train", "eval")
    }
    assert len({*games["train"], *games["eval"]}) == 10
    (trace,) = roll_out(good, [], n_games=1, style="grid", weights={"won": 3.0, "legal": 0.0})
    assert trace.reward == pytest.approx(3.0 * trace.rewards["won"].score + 0.1 * trace.rewards["moves"].score)


def test_verifiers_finds_it_by_name() -> None:
    settings = {"id": "sapper-minesweeper", "rules": "8x8/12", "no_guess": "pairs", "n_games": 1}
    env = vf.load_environment(vf.resolve_env_config({"taskset": settings}))
    assert isinstance(env.taskset, MinesweeperTaskset)
    (task,) = env.taskset
    assert task.data.prompt.startswith("Board: 8 rows, 8 columns. Mines: 12.")


def test_wrong_settings_are_sentences() -> None:
    for settings, says in (
        ({"style": "prose"}, "There is no style 'prose'"),
        ({"reward": "luck"}, "A reward must be"),
        ({"split": "dev"}, "There is no split 'dev'"),
        ({"weights": {"style": 1.0}}, "There is no weight 'style'; choose from won, moves, legal."),
    ):
        with pytest.raises(InputError, match=says):
            load_environment("5x5/4", **settings)
