"""``sapper bench``: agents on one kind of board, with win rates and paired comparisons."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import typer

from sapper.cli.experiment_options import CHUNK, CLUSTER, JOBS, SEED, STORE
from sapper.cli.game import BOARD_HELP

if TYPE_CHECKING:
    from sapper.experiments.statistics import Comparison
    from sapper.experiments.summary import Summary


def bench(
    agents: str = typer.Option("exact", help="Which agents, joined by commas; see sapper agents."),
    board: str = typer.Option("expert", help=BOARD_HELP),
    games: int | None = typer.Option(None, min=1, max=10**9, help="How many games; 1,000 or all given boards."),
    seed: int = SEED,
    boards: str | None = typer.Option(
        None, metavar="FILE", help="Play given boards: JSON lines with id, width, height, first [row, col], mines."
    ),
    start: str = typer.Option("safe", help="With --boards: what the first cell promises, safe or opening."),
    store: str | None = STORE,
    chunk: int | None = CHUNK,
    jobs: int | None = JOBS,
    cluster: str | None = CLUSTER,
    as_json: bool = typer.Option(False, "--json", help="Print totals and one 0/1 per game, in order."),
) -> None:
    """Let agents play the same boards: win rate with its 95 % interval, games per CPU-second, guesses per game.

    Two agents or more are compared board by board: on how many only one of them won, McNemar's test, and the interval
    of the difference. Boards are drawn from seeds, or given in a file (plain or .gz).

    Example: sapper bench --agents exact,statements --board intermediate --games 2000
    """
    from sapper.cli.experiment_options import open_store, play_tasks
    from sapper.errors import InputError
    from sapper.experiments.games import Condition
    from sapper.experiments.running import Task
    from sapper.experiments.statistics import compare_paired
    from sapper.experiments.store import CHUNK_SIZE
    from sapper.experiments.summary import summarise, won_by_game
    from sapper.rules import Rules

    names = [name.strip() for name in agents.split(",")]
    if len(set(names)) != len(names):
        raise InputError("An agent is named twice.")
    if boards is not None:
        from sapper.cli.files import read_bytes
        from sapper.experiments.boards import read_boards

        given = read_boards(read_bytes(boards), start)
        n_games = min(games or len(given.boards), len(given.boards))
        conditions = [Condition.of(given.rules, name, given.name) for name in names]
        tasks = [Task(one, n_games, 0, given.boards[:n_games], chunk or CHUNK_SIZE) for one in conditions]
    else:
        rules = Rules.parse(board)
        conditions = [Condition.of(rules, name) for name in names]
        tasks = [Task(one, games or 1000, seed, chunk_size=chunk or CHUNK_SIZE) for one in conditions]
    with open_store(store) as results:
        play_tasks(results, tasks, jobs, cluster, "Bench")
        rows = [summarise(results, task) for task in tasks]
        won = [won_by_game(results, task) for task in tasks]
    pairs = {
        (names[one], names[two]): compare_paired(won[one], won[two])
        for one in range(len(names))
        for two in range(one + 1, len(names))
    }
    if as_json:
        print(json.dumps(_plain(rows, won, pairs)))
        return
    print(f"{rows[0].rules}, {rows[0].n_games:,} games" + (f" of {boards}" if boards else f", seeds from {seed}"))
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


def _plain(rows: list[Summary], won: list[list[bool]], pairs: dict[tuple[str, str], Comparison]) -> dict[str, object]:
    return {
        "agents": {
            row.agent: row.as_plain_values() | {"wins": sum(one), "per_game": "".join("01"[game] for game in one)}
            for row, one in zip(rows, won, strict=True)
        },
        "comparisons": [
            {"first": first, "second": second, **pair._asdict()} for (first, second), pair in pairs.items()
        ],
    }
