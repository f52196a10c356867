"""The hunt for an opening, position by position: ``python -m benchmarks.hunt --positions 16 --games 20000``.

With a safe corner, many games are lost before a sixteenth of the board is open, mostly in a few positions. This finds
the commonest of these in games of `expert`, counting mirror images as one, and runs thousands of `expert` rollouts of
their promising cells over the same layouts. Successive elimination drops clearly worse cells. The rest shows whether
another cell than the chosen one is better, and in what share of all games.
"""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial
from multiprocessing import Pool
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.results import load, parse_arguments, save

from sapper.inference.evaluation.decision import Decider
from sapper.inference.evaluation.rollouts import Rollouts, SuccessiveElimination
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import LOOKAHEAD
from sapper.observation import HIDDEN, Observation
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FIRST_SEED = 960_000_000  # not used elsewhere
BOARD, FIRST = "expert first-safe", (0, 0)
HUNT = 1 / 16  # it lasts while less than this share of the board is open
MAX_SCORED, MAX_CELLS = 5, 7  # cells with rollouts: by score, and in all
ROUND = 2000  # games; with fewer, cells are eliminated by bad luck
FINAL = 1000  # layouts from which on exact search values a position


def mirrored(cells: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """A board and its mirror images."""
    for upright in (cells, cells[::-1]):
        yield upright
        yield upright[:, ::-1]


def hunted(seeds: range) -> Counter[bytes]:
    """Count the positions of the hunt in which `expert` guesses, mirror images as one."""
    rules = Rules.parse(BOARD)
    decider = Decider(rules.topology)
    found: Counter[bytes] = Counter()
    for seed in seeds:
        game = Game(rules, seed)
        game.open(*FIRST)
        while game.outcome is Outcome.PLAYING and (game.observation.cells >= 0).mean() < HUNT:
            posterior = mine_probabilities(game.observation)
            if posterior.safe:
                game.open(*posterior.safe[0])
                continue
            found[min(image.tobytes() for image in mirrored(game.observation.cells))] += 1
            game.open(*rules.topology.cell(decider.look_ahead(posterior)))
    return found


def two_along_the_edge(cells: NDArray[np.int8]) -> list[int]:
    """The hidden cells on the edge of the board, two away from a clue on the same edge."""
    rows, cols = cells.shape
    found = []
    for row, col in np.argwhere(cells >= 0).tolist():
        for other, at in ((row, col - 2), (row, col + 2), (row - 2, col), (row + 2, col)):
            along = row in (0, rows - 1) if other == row else col in (0, cols - 1)
            if along and 0 <= other < rows and 0 <= at < cols and cells[other, at] == HIDDEN:
                found.append(other * cols + at)
    return found


def promising(cells: NDArray[np.int8], scores: NDArray[np.float64], chosen: int) -> list[int]:
    """The chosen cell, those of the best scores and those two along the edge; of mirror images only one."""
    numbers = np.arange(cells.size).reshape(cells.shape)
    own = [image for image, seen in zip(mirrored(numbers), mirrored(cells), strict=True) if (seen == cells).all()]
    scored = [cell for cell in np.argsort(-np.nan_to_num(scores), kind="stable").tolist() if scores[cell] > 0]
    kept: list[int] = []
    for cell in [chosen, *scored[:MAX_SCORED], *two_along_the_edge(cells)]:
        if len(kept) < MAX_CELLS and not {int(one.flat[cell]) for one in own} & set(kept):
            kept.append(cell)
    return kept


def study(n_games: int, position: tuple[bytes, float]) -> dict[str, Any]:
    """Run rollouts of every promising cell of one position."""
    rules = Rules.parse(BOARD)
    cells = np.frombuffer(position[0], dtype=np.int8).reshape(rules.rows, rules.cols)
    posterior = mine_probabilities(Observation(rules.topology, cells, rules.mines))
    decider, rollouts = Decider(rules.topology), Rollouts(rules.n_cells, final=FINAL, policy=LOOKAHEAD)
    chosen = decider.look_ahead(posterior)
    played = promising(cells, decider.scores, chosen)
    rng = np.random.default_rng(list(position[0]))
    # All start equal.
    race = SuccessiveElimination(played, np.zeros(len(played)), 1.0)
    values = race.run(lambda some, n: rollouts.values(posterior, some, n, rng), ROUND, n_games)
    return {
        "position": {
            "{},{}".format(*divmod(int(i), rules.cols)): int(cells.flat[i]) for i in np.flatnonzero(cells >= 0)
        },
        "a_game": position[1],
        "cells": [
            {
                "cell": rules.topology.cell(cell),
                "score": None if np.isnan(decider.scores[cell]) else float(decider.scores[cell]),
                "games": len(row),
                "won": float(row.mean()),
                "more_than_chosen": float((row - values[0][: len(row)]).mean()),
                "error": float((row - values[0][: len(row)]).std() / len(row) ** 0.5),
            }
            for cell, row in zip(played, values, strict=True)
            if len(row)
        ],
    }


def describe(one: dict[str, Any]) -> str:
    """Return a cell's result in a few words."""
    beside, error = 100 * one["more_than_chosen"], 196 * one["error"]
    return f"{one['cell']} {100 * one['won']:.2f}% ({beside:+.2f} ± {error:.2f}, {one['games']:,} games)"


def main() -> None:
    """Find the positions, run rollouts, print and save the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--found-in", type=int, default=5000, help="games in which the positions are found")
    parser.add_argument("--positions", type=int, default=16)
    parser.add_argument(
        "--skip", type=int, default=0, help="the commonest positions that are left out; their results stay"
    )
    parser.add_argument("--games", type=int, default=20_000, help="games with each of the last cells of a position")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parse_arguments(parser)
    found = hunted(range(FIRST_SEED, FIRST_SEED + chosen.found_in))
    common = [(cells, n / chosen.found_in) for cells, n in found.most_common(chosen.positions)]
    covered = sum(share for _, share in common) * chosen.found_in / found.total()
    rows = load("hunt")["rows"][: chosen.skip] if chosen.skip else []
    a_game = found.total() / chosen.found_in
    print(f"{len(found):,} positions, {a_game:.2f} guesses a game; these are {covered:.0%} of them", flush=True)
    with Pool(chosen.jobs) as pool:
        for row in pool.imap(partial(study, chosen.games), common[chosen.skip :]):
            rows.append(row)
            told = "; ".join(describe(one) for one in row["cells"])
            print(f"{row['position']}, {row['a_game']:.4f} a game: {told}", flush=True)
            if chosen.write:
                about = {"found_in": chosen.found_in, "guesses_a_game": a_game, "covered": covered}
                save("hunt", {**about, "rows": rows}, seeds=f"from {FIRST_SEED}")


if __name__ == "__main__":
    main()
