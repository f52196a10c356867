"""``sapper bench``: agents on one kind of board, with win rates and paired comparisons."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.options import AGENTS_HELP, BOARD_HELP, ChunkSize, GameSeed, RunOptions, grouped, parse_words

if TYPE_CHECKING:
    from sapper.experiments.results import Summary
    from sapper.experiments.sweep import SweepTask
    from sapper.statistics import Comparison


if TYPE_CHECKING:
    Pairs = dict[tuple[str, str], Comparison]


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """Who plays, and on which boards."""

    agents: Annotated[str, typer.Option(help=AGENTS_HELP)] = "exact"
    board: Annotated[str, typer.Option(help=BOARD_HELP)] = "expert"
    games: Annotated[int | None, typer.Option(min=1, max=10**9, help="How many games; 1,000 or all given boards.")] = (
        None
    )
    seed: GameSeed = 0
    boards: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Play given boards: JSON lines with id, width, height, first [row, col], mines."
        ),
    ] = None
    start: Annotated[str, typer.Option(metavar="safe|opening", help="With --boards: what the first cell promises.")] = (
        "safe"
    )
    chunk: ChunkSize = None

    def names(self) -> tuple[str, ...]:
        """The agents, each of them once."""
        from sapper.errors import InputError

        names = parse_words(self.agents, "agents")
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"The agent {twice} is named twice.")
        return names

    def tasks(self) -> list[SweepTask]:
        """What is to be played, agent by agent."""
        from sapper.cli.options import refuse_with, refuse_without
        from sapper.errors import InputError
        from sapper.experiments.games import Condition
        from sapper.experiments.given_boards import STARTS
        from sapper.experiments.store import CHUNK_SIZE
        from sapper.experiments.sweep import SweepTask
        from sapper.rules import Rules

        names, chunk_size = self.names(), self.chunk or CHUNK_SIZE
        if self.start not in STARTS:
            raise InputError(f"There is no start rule {self.start[:40]!r}; choose {' or '.join(STARTS)}.")
        if self.boards is None:
            refuse_without("--boards", "--start")
            rules = Rules.parse(self.board)
            conditions = [Condition.of(rules, name) for name in names]
            return [SweepTask(one, self.games or 1000, self.seed, chunk_size=chunk_size) for one in conditions]
        refuse_with("--boards", "--board", "--seed")
        from sapper.cli.files import in_words, read_bytes
        from sapper.experiments.given_boards import read_boards

        data = read_bytes(self.boards)
        try:
            given = read_boards(data, self.start)
        except InputError as error:
            raise InputError(f"{in_words(self.boards)}: {error}") from None
        n_games = min(self.games or len(given.boards), len(given.boards))
        conditions = [Condition.of(given.rules, name, given.name) for name in names]
        return [SweepTask(one, n_games, 0, given.boards[:n_games], chunk_size) for one in conditions]


@grouped
def bench(
    asked: BenchOptions,
    running: RunOptions,
    as_json: bool = typer.Option(False, "--json", help="Print totals and one 0/1 per game, in order."),
) -> None:
    """Let agents play the same boards: win rate with its 95 % interval, games per CPU-second, guesses per game.

    Two agents or more are compared board by board: on how many only one of them won, McNemar's test, and the interval
    of the difference. Boards are drawn from seeds, or given in a file (plain or .gz).

    Example: sapper bench --agents exact,statements --board intermediate --games 2000
    """
    from itertools import combinations

    from sapper.experiments.results import summarise, won_by_game
    from sapper.experiments.sweep import try_agents
    from sapper.statistics import compare_paired

    tasks = asked.tasks()
    try_agents(tasks)
    with running.open_store() as results:
        running.play(results, tasks, "Bench")
        rows = [summarise(results, task) for task in tasks]
        won = [won_by_game(results, task) for task in tasks]
    pairs = {
        (first, second): compare_paired(of_first, of_second)
        for (first, of_first), (second, of_second) in combinations(zip(asked.names(), won, strict=True), 2)
    }
    if as_json:
        print(json.dumps(_plain(rows, won, pairs)))
        return
    source = f" of {asked.boards}" if asked.boards else f", seeds from {asked.seed}"
    print(f"{rows[0].rules}, {rows[0].n_games:,} games{source}")
    _print(rows, pairs)


def _print(rows: list[Summary], pairs: Pairs) -> None:
    for row in rows:
        print(
            f"  {row.agent:<19} {row.won.value:7.2%} won [{row.won.low:.2%}, {row.won.high:.2%}]  "
            f"{1 / row.seconds if row.seconds else math.inf:9,.1f} games/CPU-s  {row.guesses.value:.2f} guesses"
        )
    for (first, second), pair in pairs.items():
        print(
            f"  {first} - {second}: {100 * pair.difference.value:+.2f} points "
            f"[{100 * pair.difference.low:+.2f}, {100 * pair.difference.high:+.2f}], "
            f"only {first} won {pair.only_first:,}, only {second} {pair.only_second:,}, p = {pair.p_value:.2g}"
        )


def _plain(rows: list[Summary], won: list[list[bool]], pairs: Pairs) -> dict[str, object]:
    return {
        "agents": {
            row.agent: row.as_plain_values() | {"wins": sum(one), "per_game": "".join("01"[game] for game in one)}
            for row, one in zip(rows, won, strict=True)
        },
        "comparisons": [
            {"first": first, "second": second, **pair._asdict()} for (first, second), pair in pairs.items()
        ],
    }
