"""What better close calls could gain for `expert`: ``python -m benchmarks.close_calls --games 2000``.

A close call is a guess among several cells with similar scores. Each of these gets several rollouts over the same
layouts, by `expert` itself or by least risk. The variance of the cells' true values is that of their means minus what
chance explains. The scores predict a part of it. The rest, taken as normally distributed, bounds what a perfect judge
of close calls could gain with this rollout policy.
"""

from __future__ import annotations

import argparse
from functools import partial
from multiprocessing import Pool
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from benchmarks.results import parse_arguments, save

from sapper.errors import TooHard
from sapper.inference.evaluation.choice import How
from sapper.inference.evaluation.decision import POLICIES, Decider
from sapper.inference.evaluation.endgame import EXPERT
from sapper.inference.evaluation.rollouts import Rollouts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.kernels.codes import LEAST_RISK, LOOKAHEAD
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FIRST_SEED = 930_000_000  # not used elsewhere
STARTS = {"expert first-opening": (3, 3), "expert first-safe": (0, 0)}
CLOSE = 0.965  # of the best score, as in the lookahead
MOST = 4  # cells of a close call with rollouts: the chosen one and random others
CHUNK = 20  # games
STAGES = {"less than 10%": (0.0, 0.1), "10 to 50%": (0.1, 0.5), "50 to 75%": (0.5, 0.75), "75% and more": (0.75, 1)}
IMAGINED = 50  # random draws of the unknown values, for the bound


class Call(NamedTuple):
    """A close call: the cells, the chosen one first."""

    share_open: float
    scores: NDArray[np.float64]  # (cells,)
    values: NDArray[np.float64]  # (cells, games): win chance by cell and layout


def close_calls(rules: Rules, first: tuple[int, int], seeds: range, n_games: int, expertly: bool) -> Iterator[Call]:
    """Play games with `expert` and run rollouts from their close calls."""
    n_cells = rules.n_cells
    decider = Decider(rules.topology, POLICIES["expert"])
    rollouts = Rollouts(n_cells, final=EXPERT.exact, policy=LOOKAHEAD if expertly else LEAST_RISK)
    for seed in seeds:
        game, rng = Game(rules, seed), np.random.default_rng(seed)
        game.open(*first)
        while game.outcome is Outcome.PLAYING:
            posterior = mine_probabilities(game.observation)
            if posterior.safe:
                game.open(*posterior.safe[0])
                continue
            choice = decider.decide(posterior)
            chosen = choice.cell
            if choice.how is How.LOOKAHEAD:
                scores = decider.scores
                close = np.flatnonzero(scores >= CLOSE * np.nanmax(scores))
                cells = [chosen, *rng.permutation(close[close != chosen])[: MOST - 1].tolist()]
                if len(cells) > 1:
                    values = rollouts.values(posterior, cells, n_games, rng)
                    yield Call(float((game.observation.cells >= 0).mean()), scores[cells].copy(), values)
            game.open(*rules.topology.cell(chosen))


def look_at(text: str, n_games: int, expertly: bool, start: int) -> list[Call]:
    """The close calls of a chunk of games."""
    try:
        return list(close_calls(Rules.parse(text), STARTS[text], range(start, start + CHUNK), n_games, expertly))
    except TooHard:
        return []


def estimate(calls: list[Call]) -> dict[str, float]:
    """Return how far cells of close calls differ, in points: in all, and beyond what score and choice predict."""
    known, found, chance = [], [], []
    for call in calls:
        means = call.values.mean(1)
        is_chosen = np.arange(len(means)) == 0
        level = means.mean()
        known.append(level * np.stack([call.scores - call.scores.mean(), is_chosen - is_chosen.mean()], 1))
        found.append(means - level)
        n_games = call.values.shape[1]
        chance.append((call.values - call.values.mean(0)).var(1).sum() / (n_games - 1))
    degrees = sum(len(one) - 1 for one in found)
    all_known, all_found = np.concatenate(known), np.concatenate(found)
    weights = np.linalg.lstsq(all_known, all_found, rcond=None)[0]
    spread = max(float(all_found @ all_found) - sum(chance), 0.0) / degrees
    rest = max(spread - float(((all_known @ weights) ** 2).sum()) / degrees, 0.0)
    rng = np.random.default_rng(0)
    gains = []
    for one in known:
        thought = one @ weights
        imagined = thought + rng.normal(size=(IMAGINED, len(thought))) * rest**0.5
        gains.append(float((imagined.max(1) - imagined[:, 0]).mean()))
    return {"spread": 100 * spread**0.5, "unknown": 100 * rest**0.5, "ceiling": 100 * float(np.mean(gains))}


def summarise(calls: list[Call], n_games: int) -> dict[str, Any]:
    """Return the estimate with 95% bootstrap intervals over the close calls."""
    rng = np.random.default_rng(1)
    again = [estimate([calls[i] for i in rng.integers(0, len(calls), len(calls))]) for _ in range(100)]
    intervals = {
        name: [value, *np.percentile([one[name] for one in again], [2.5, 97.5]).tolist()]
        for name, value in estimate(calls).items()
    }
    return {"calls": len(calls), "a_game": len(calls) / n_games, **intervals}


def main() -> None:
    """Play, print and save the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="games of each start")
    parser.add_argument("--played-on", type=int, default=6, help="rollouts for each cell of a close call")
    parser.add_argument("--least-risk", action="store_true", help="least-risk rollouts, ten times as fast")
    parser.add_argument("--jobs", type=int, default=1)
    chosen = parse_arguments(parser)
    rows = []
    for text in STARTS:
        look = partial(look_at, text, chosen.played_on, not chosen.least_risk)
        with Pool(chosen.jobs) as pool:
            starts = range(FIRST_SEED, FIRST_SEED + chosen.games, CHUNK)
            calls = [call for some in pool.imap(look, starts) for call in some]
        for stage, (low, high) in STAGES.items():
            some = [call for call in calls if low <= call.share_open < high]
            if len(some) < CHUNK:
                continue
            row = {"start": text, "open": stage, **summarise(some, chosen.games)}
            rows.append(row)
            told = "; ".join(
                f"{name} {v:.2f} [{low:.2f}, {high:.2f}]" for name, (v, low, high) in list(row.items())[4:]
            )
            print(f"{text}, {stage} open: {row['calls']:,} close calls, {row['a_game']:.2f} a game; {told}", flush=True)
    if chosen.write:
        about = {"games": chosen.games, "played_on": chosen.played_on, "expertly": not chosen.least_risk}
        save("close_calls", {**about, "stages": rows}, seeds=f"from {FIRST_SEED}")


if __name__ == "__main__":
    main()
