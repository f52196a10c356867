"""Minesweeper for language models, as an environment of the ``verifiers`` package: text or a tool, turn by turn.

A task is a game by split and number. Its rewards are the win, the exact rewards of its moves and the share of answers
that are moves. ``verifiers`` finds this module as ``sapper-minesweeper``, and runs it for the tool's server.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sapper.env.language import LanguageDeal, LanguageGame, Split
from sapper.env.task import NamedReward
from sapper.errors import InputError, MissingExtra
from sapper.rules import Rules
from sapper.text import GOAL, MOVE_TASK, PREAMBLE, Style

try:
    import verifiers.v1 as vf
except ImportError:
    raise MissingExtra("Language models need verifiers: pip install 'sapper[rl,verifiers]'.") from None

NAME = "sapper-minesweeper"
WEIGHTS = {"won": 1.0, "moves": 0.1, "legal": 0.1}
MAX_TURNS = 200


class MinesweeperTaskConfig(vf.TaskConfig):  # type: ignore[misc]
    """Whether the model calls the tool ``open`` instead of writing its moves, and where the tool runs."""

    tool: bool = False
    tools: vf.ToolsetConfig = vf.ToolsetConfig()


class MinesweeperConfig(vf.TasksetConfig):  # type: ignore[misc]
    """Which games are played, and what the model sees of them."""

    id: str = NAME
    task: MinesweeperTaskConfig = MinesweeperTaskConfig()
    rules: str = "beginner"
    style: Style = "statements"
    reward: NamedReward = "excess-risk"
    no_guess: str | None = None
    split: Split = "train"
    n_games: int = 1000
    seed: int = 0


class MinesweeperData(vf.TaskData):  # type: ignore[misc]
    """What a game begins from; the model gets its prompts alone."""

    settings: dict[str, Any]
    split: Split
    number: int
    style: Style

    def start(self) -> LanguageGame:
        """Start the game."""
        return LanguageDeal(**self.settings).start(self.split, self.number, self.style)


class MinesweeperState(vf.State):  # type: ignore[misc]
    """What the answers of a game earned so far, shared between the tool's server and the task."""

    step_rewards: tuple[float, ...] = ()
    legal: float = 1.0
    won: bool = False
    is_over: bool = False

    def note(self, game: LanguageGame) -> None:
        """Note how a game stands."""
        self.step_rewards, self.legal = tuple(game.rewards), game.share_legal
        self.won, self.is_over = game.won, game.is_over


class MinesweeperTools(vf.Toolset[vf.ToolsetConfig, MinesweeperState]):  # type: ignore[misc]
    """The tool of one game."""

    TOOL_PREFIX = None

    async def setup_task(self, task: MinesweeperData) -> None:
        """Start the game."""
        self._game = task.start()

    @vf.tool  # type: ignore[untyped-decorator]
    async def open(self, row: int, col: int) -> str:
        """Open a hidden cell; rows and columns count from 0."""
        reply = self._game.answer(f"open ({row}, {col})")
        self.state.note(self._game)
        return reply


class MinesweeperTask(vf.Task[MinesweeperData, MinesweeperState, MinesweeperTaskConfig]):  # type: ignore[misc]
    """A game, and what it is worth."""

    @classmethod
    def toolsets(cls, config: MinesweeperTaskConfig) -> list[MinesweeperTools]:
        """Return the tool if the model plays by it."""
        return [MinesweeperTools(config.tools)] if config.tool else []

    async def finalize(self, trace: vf.Trace) -> None:
        """Keep the reward of every answer with the trace."""
        trace.info["step_rewards"] = list(trace.state.step_rewards)

    @vf.stop  # type: ignore[untyped-decorator]
    async def is_over(self, trace: vf.Trace) -> bool:
        """Stop when the game is over."""
        return bool(trace.state.is_over)

    @vf.reward(weight=WEIGHTS["won"])  # type: ignore[untyped-decorator]
    async def won(self, trace: vf.Trace) -> float:
        """1 if the game is won."""
        return float(trace.state.won)

    @vf.reward(weight=WEIGHTS["moves"])  # type: ignore[untyped-decorator]
    async def moves(self, trace: vf.Trace) -> float:
        """The sum of the rewards of all answers."""
        return float(sum(trace.state.step_rewards))

    @vf.reward(weight=WEIGHTS["legal"])  # type: ignore[untyped-decorator]
    async def legal(self, trace: vf.Trace) -> float:
        """The share of answers that are moves."""
        return float(trace.state.legal)


class MinesweeperTaskset(vf.Taskset[MinesweeperTask, MinesweeperConfig]):  # type: ignore[misc]
    """The games of a split."""

    def load(self) -> Iterator[MinesweeperTask]:
        """Yield the tasks; their games differ between splits and seeds."""
        asked = self.config
        settings = {"rules": asked.rules, "reward": asked.reward, "no_guess": asked.no_guess, "seed": asked.seed}
        deal = LanguageDeal(**settings)
        how = "Call the tool open with one cell." if asked.task.tool else MOVE_TASK.removeprefix(f"{GOAL} ")
        for number in range(asked.n_games):
            yield MinesweeperTask(
                MinesweeperData(
                    name=f"{asked.split} {number}",
                    prompt=deal.start(asked.split, number, asked.style).text,
                    system_prompt=f"{PREAMBLE} {GOAL} {how}",
                    settings=settings,
                    split=asked.split,
                    number=number,
                    style=asked.style,
                ),
                asked.task,
            )


class MinesweeperSeats(vf.EnvConfig):  # type: ignore[misc]
    """The one seat: by default a chat without tools of its own, on this machine."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"}, max_turns=MAX_TURNS)


class MinesweeperEnv(vf.Env[MinesweeperSeats]):  # type: ignore[misc]
    """Plays games with a model; the trace has the exact reward of every answer in ``info["step_rewards"]``."""

    async def run(self, task: MinesweeperTask, agents: vf.Agents) -> None:
        """Play a game: with the tool in one turn, else a turn for every answer."""
        if task.config.tool:
            await agents.player.run(task)
            return
        game = task.data.start()
        async with agents.player.interaction(task) as talk:
            turn = await talk.turn()
            while not turn.terminated:
                reply = game.answer(turn.last_reply)
                talk.trace.state.note(game)
                if game.is_over:
                    break
                turn = await talk.turn(reply)


def load_environment(
    rules: Rules | str = "beginner",
    style: Style = "statements",
    reward: NamedReward = "excess-risk",
    no_guess: str | None = None,
    tool: bool = False,
    split: Split = "train",
    n_games: int = 1000,
    seed: int = 0,
    weights: Mapping[str, float] | None = None,
    **player: Any,
) -> MinesweeperEnv:
    """Make an environment of ``n_games`` games of a split, ``train`` or ``eval``.

    ``style`` is how positions are described, and ``reward`` what a move earns, as in `sapper.env.MinesweeperEnv`;
    ``no_guess`` is the hardest reasoning of boards that need no guess, such as ``pairs``. With ``tool``, the model
    calls ``open``. ``weights`` are those of the rewards: ``won`` (1), ``moves`` (0.1, the sum over all answers) and
    ``legal`` (0.1, the share of answers that are moves). Other settings are those of the player, a
    `verifiers.v1.AgentConfig`, such as ``harness``, ``runtime`` and ``max_turns``.
    """
    LanguageDeal(rules, reward, no_guess, seed).start(split, 0, style)  # what is wrong is found now
    for name in weights or ():
        if name not in WEIGHTS:
            raise InputError(f"There is no weight {name!r}; choose from {', '.join(WEIGHTS)}.")
    games = {
        "id": NAME, "rules": str(rules), "style": style, "reward": reward, "no_guess": no_guess, "split": split,
        "n_games": n_games, "seed": seed,
        "task": {"tool": tool, "rewards": {name: {"weight": weight} for name, weight in (weights or {}).items()}},
    }  # fmt: skip
    config = MinesweeperSeats.model_validate({"taskset": games, "player": player})
    return MinesweeperEnv(config)


if __name__ == "__main__":
    MinesweeperTools.run()
