"""Win rates of the agents, on reproducible random boards or given ones, and how far they are from perfect play.

``make strength`` plays boards drawn from seeds; ``make strength GAMES=2000 BOARDS="folder other"`` plays the boards of
folders in order (``expert_safe.jsonl`` or ``expert_safe.jsonl.gz``, … as in ``sapper sweep --boards``). A file
``expert_safe.peers.json`` next to it may list the boards that other solvers won. Results are saved as they come, so an
interrupted run resumes where it stopped. The last part plays every layout of small boards, for which perfect play is
known exactly.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from benchmarks.results import parse_arguments, save

from sapper.experiments.backends import make_backend
from sapper.experiments.games import Condition
from sapper.experiments.results import summarise, won_by_game
from sapper.experiments.store import Store, default_path
from sapper.experiments.sweep import SweepTask, run_tasks
from sapper.formats.given_boards import BoardSet, GivenBoard, read_boards
from sapper.inference.evaluation.endgame import SMALL as SMALL_ENOUGH
from sapper.inference.evaluation.endgame import solve_board
from sapper.layout import Layout
from sapper.play.compiled import CompiledPlayer
from sapper.rules import Rules
from sapper.statistics import compare_paired, wilson
from sapper.world.generation import generate_layout

FIRST_SEED = 90_000_000  # not used elsewhere
# Board and start rule: the cell that is opened first, as in the comparison of other solvers.
STARTS = {
    "expert_safe": (0, 0),
    "expert_zero": (3, 3),
    "intermediate_safe": (0, 0),
    "intermediate_zero": (2, 2),
    "beginner_safe": (0, 0),
    "beginner_zero": (2, 2),
}
AGENTS = ("exact", "expert", "master")
PEERS = {"java": "Java sibling", "js": "JSMinesweeper", "minesolve-2": "minesolve 2", "minesolve-1": "minesolve 1"}
SMALL = "3x3/2 3x3/3 4x4/2 4x4/3 4x4/4 4x4/5 5x4/3 5x4/4 5x4/5 5x5/3 5x5/4 5x5/5 6x6/3"


def given_boards(name: str, start: str, folders: list[Path]) -> tuple[BoardSet, dict[str, str]]:
    """Return the boards of a start in all folders, and which of them other solvers won."""
    sets = []
    n_boards = 0
    won: dict[str, str] = {}
    for path in (path for folder in folders for path in sorted(folder.glob(f"{name}.jsonl*"))):
        sets.append(read_boards(path.read_bytes(), start))
        peers = path.with_name(f"{name}.peers.json")
        theirs = json.loads(peers.read_text(encoding="utf-8")) if peers.exists() else {}
        # Paired comparisons use the first boards, so a solver that skipped some is dropped.
        won |= {
            solver: won.get(solver, "") + digits
            for solver, digits in theirs.items()
            if len(won.get(solver, "")) == n_boards
        }
        n_boards += len(sets[-1].boards)
    if not sets:
        sys.exit(f"There is no {name}.jsonl in {', '.join(map(str, folders))}; leave it out with --starts.")
    boards = tuple(board for one in sets for board in one.boards)
    return BoardSet(sets[0].rules, boards, "+".join(one.name for one in sets)), won


def boards_of(name: str, folders: list[Path], n_games: int) -> tuple[BoardSet, dict[str, str]]:
    """Return the boards of a start, given or drawn from seeds, and which of them other solvers won."""
    start = "safe" if name.endswith("safe") else "opening"
    if folders:
        return given_boards(name, start, folders)
    rules = Rules.parse(f"{name.split('_')[0]} first-{start}")
    first = rules.topology.index(*STARTS[name])
    seeds = range(FIRST_SEED, FIRST_SEED + n_games)
    drawn = (generate_layout(rules, seed, rules.topology.cell(first)) for seed in seeds)
    boards_drawn = tuple(GivenBoard(tuple(layout.mine_numbers()), first) for layout in drawn)
    return BoardSet(rules, boards_drawn, f"strength:{FIRST_SEED}:{name}"), {}


def measure(store: Store, name: str, folders: list[Path], most: int, jobs: int) -> dict[str, Any]:
    """Play the boards of a start with every agent."""
    boards, peers = boards_of(name, folders, most)
    n_games = min(most, len(boards.boards))
    tasks = {
        agent: SweepTask(Condition.of(boards.rules, agent, boards.name), n_games, 0, boards.boards[:n_games])
        for agent in AGENTS
    }
    for agent, task in tasks.items():
        run_tasks(store, [task], make_backend(jobs), partial(_tell, f"{name} {agent}"))
    won = {agent: won_by_game(store, task) for agent, task in tasks.items()}
    rows = []
    for agent, task in tasks.items():
        found = summarise(store, task)
        row: dict[str, Any] = {
            "agent": agent,
            "version": task.condition.version,
            "games": found.n_games,
            "won": found.won._asdict(),
            "per_cpu_second": round(1.0 / found.seconds, 1),
        }
        n = found.n_games
        others = {label: [digit == "1" for digit in peers[key][:n]] for key, label in PEERS.items() if key in peers}
        others |= {other: won[other][:n] for other in won if other != agent}
        row["against"] = {
            label: compare_paired(won[agent][: len(theirs)], theirs)._asdict()
            | {"games": len(theirs), "won": sum(theirs) / len(theirs)}
            for label, theirs in others.items()
        }
        rows.append(row)
    theirs = {
        label: {"games": len(peers[key])} | wilson(peers[key].count("1"), len(peers[key]))._asdict()
        for key, label in PEERS.items()
        if key in peers
    }
    return {"start": name, "first": list(STARTS[name]), "players": rows, "others": theirs}


def _tell(what: str, done: int, total: int) -> None:
    if sys.stderr.isatty() or done == total:
        print(f"\r{what}: {done:,} of {total:,} games", end="\n" if done == total else "", file=sys.stderr)


def play_every_layout(text: str) -> dict[str, Any]:
    """Return the wins of the agents over all layouts with a safe first cell, and those of perfect play."""
    rules = Rules.parse(text)
    board, n_layouts = rules.topology, comb(rules.topology.n_cells - 1, rules.mines)
    best = solve_board(board, rules.mines)
    won = {}
    # Where there are more layouts, `optimal` is no longer perfect from the first move, and slow.
    for agent in ("exact", "expert", "optimal") if n_layouts <= SMALL_ENOUGH else ("exact", "expert"):
        player = CompiledPlayer(rules, agent)
        others = [cell for cell in range(board.n_cells) if cell != player.first]
        layouts = (Layout.of_numbers(board, chosen) for chosen in combinations(others, rules.mines))
        won[agent] = sum(player.play_layout(layout, player.first).won for layout in layouts)
    return {
        "board": text,
        "layouts": n_layouts,
        "perfect": best.wins,
        "first": [list(cell) for cell in best.best],
        "states": best.n_states,
        "won": won,
    }


def main() -> None:
    """Play, print and save the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="games of each player for each start")
    parser.add_argument("--boards", type=Path, nargs="+", default=[], help="folders of given boards")
    parser.add_argument("--starts", default=",".join(STARTS), help="which starts, joined by commas")
    parser.add_argument("--store", type=Path, help="where to save results as they come")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-small", action="store_true", help="leave the small boards out")
    chosen = parse_arguments(parser)
    with Store(chosen.store or default_path()) as store:
        starts = [measure(store, name, chosen.boards, chosen.games, chosen.jobs) for name in chosen.starts.split(",")]
    results: dict[str, Any] = {
        "starts": starts,
        "small": [] if chosen.no_small else [play_every_layout(text) for text in SMALL.split()],
    }
    for entry in starts:
        print(entry["start"])
        for row in entry["players"]:
            won = row["won"]
            interval = f"{won['value']:.2%} [{won['low']:.2%}, {won['high']:.2%}]"
            print(f"  {row['agent']:<8} {interval} of {row['games']:,} games, {row['per_cpu_second']:,} a CPU-second")
            for label, pair in row["against"].items():
                value, low, high = pair["difference"]
                interval = f"{100 * value:+.2f} points [{100 * low:+.2f}, {100 * high:+.2f}]"
                print(f"      {interval} against {label}, {pair['games']:,} games")
    for small in results["small"]:
        print(f"{small['board']}: perfect {small['perfect']} of {small['layouts']}", small["won"])
    if chosen.write:
        save("strength", results, seeds="given boards" if chosen.boards else f"from {FIRST_SEED}")


if __name__ == "__main__":
    main()
