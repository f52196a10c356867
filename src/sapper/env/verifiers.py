"""Minesweeper for language models, as an environment of the ``verifiers`` package: text or a tool, turn by turn.

The rubric adds up the win, the exact rewards of the moves and the share of answers that are moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sapper.env.language import SPLITS, LanguageDeal, LanguageGame
from sapper.env.task import Reward
from sapper.errors import InputError, MissingExtra
from sapper.rules import Rules
from sapper.text import Style

try:
    import verifiers as vf
    from datasets import Dataset
except ImportError:
    raise MissingExtra("Language models need verifiers: pip install 'sapper[rl,verifiers]'.") from None
if not hasattr(vf, "MultiTurnEnv"):
    raise MissingExtra("This version of verifiers has no MultiTurnEnv: pip install 'sapper[rl,verifiers]'.")


_RULES = """\
You play Minesweeper. Cells are (row, col), counted from 0. A number counts the mines in the cells around it. Open \
every cell that is not a mine. If a cell is certainly safe, open it; if none is, open the one least likely to be \
a mine."""
TEXT_PROMPT = f"{_RULES} End your answer with one move on the last line, such as: open (3, 4)"
TOOL_PROMPT = f"{_RULES} Call the tool open with one cell."
OPEN = {
    "name": "open",
    "description": "Open a hidden cell; rows and columns count from 0.",
    "parameters": {
        "type": "object",
        "properties": {"row": {"type": "integer"}, "col": {"type": "integer"}},
        "required": ["row", "col"],
    },
}


def won(state: vf.State) -> float:
    """1 if the game is won."""
    return float(state["game"].won)


def moves(state: vf.State) -> float:
    """The sum of the rewards of all answers."""
    return float(sum(state["game"].rewards))


def legal(state: vf.State) -> float:
    """The share of answers that are moves."""
    return float(state["game"].share_legal)


WEIGHTS = {won: 1.0, moves: 0.1, legal: 0.1}


def load_environment(
    rules: Rules | str = "beginner",
    style: Style = "statements",
    reward: Reward = "excess-risk",
    no_guess: str | None = None,
    tool: bool = False,
    n_train: int = 1000,
    n_eval: int = 100,
    seed: int = 0,
    max_turns: int = 200,
    weights: Mapping[str, float] | None = None,
    **settings: Any,
) -> LanguageEnv:
    """Make an environment with ``n_train`` games to learn from and ``n_eval`` others.

    ``style`` is how positions are described, and ``reward`` what a move earns, as in `MinesweeperEnv`; ``no_guess`` is
    the hardest reasoning of boards that need no guess, such as ``pairs``. With ``tool``, the model calls ``open``.
    ``weights`` are those of the rubric: ``won`` (1), ``moves`` (0.1, the rewards of all answers) and ``legal`` (0.1,
    the share of answers that are moves). Other settings go to `verifiers.MultiTurnEnv`.
    """
    deal = LanguageDeal(rules, reward, no_guess, seed)
    shares = {function.__name__: weight for function, weight in WEIGHTS.items()}
    for name in weights or ():
        if name not in shares:
            raise InputError(f"There is no weight {name!r}; choose from {', '.join(shares)}.")
    shares |= weights or {}

    def rows(split: str, n_games: int) -> Dataset:
        system = {"role": "system", "content": TOOL_PROMPT if tool else TEXT_PROMPT}
        texts = (deal.start(split, number, style).text for number in range(n_games))
        return Dataset.from_list(
            [
                {
                    "prompt": [system, {"role": "user", "content": text}],
                    "info": {"split": split, "number": number},
                }
                for number, text in enumerate(texts)
            ]
        )

    deal.start(SPLITS[0], 0, style)  # what is wrong is found now
    return LanguageEnv(
        deal,
        style,
        dataset=lambda: rows("train", n_train),
        eval_dataset=lambda: rows("eval", n_eval),
        rubric=vf.Rubric(funcs=list(WEIGHTS), weights=list(shares.values())),
        max_turns=max_turns,
        tool_defs=[vf.Tool(**OPEN)] if tool else None,
        **settings,
    )


class LanguageEnv(vf.MultiTurnEnv):  # type: ignore[misc]
    """Games turn by turn. Every step of a trajectory has the exact reward of its move."""

    def __init__(self, deal: LanguageDeal, style: Style, **settings: Any) -> None:
        super().__init__(**settings)
        self._deal, self._style = deal, style

    async def setup_state(self, state: vf.State) -> None:
        """Start the game of a rollout."""
        await super().setup_state(state)
        state["game"] = self._deal.start(state["info"]["split"], state["info"]["number"], self._style)

    async def env_response(self, messages: vf.Messages, state: vf.State, **_: Any) -> vf.Messages:
        """Make the moves of the last message, and answer each."""
        game: LanguageGame = state["game"]
        n_before = len(game.rewards)
        last, calls = messages[-1], messages[-1].tool_calls
        if calls:
            # A call is read like an answer in JSON.
            replies = [vf.ToolMessage(tool_call_id=call.id, content=game.answer(call.arguments)) for call in calls]
        else:
            replies = [vf.UserMessage(content=game.answer(str(last.content or "")))]
        state["trajectory"][-1]["reward"] = sum(game.rewards[n_before:])
        if game.is_over:
            state["final_env_response"] = replies
        return replies
