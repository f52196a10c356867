"""What the games of a task come to: rates and means with their intervals."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from sapper.experiments.runs.games import GameResult
from sapper.rules import Rules
from sapper.statistics import Interval, count_interval, wilson

if TYPE_CHECKING:
    from sapper.experiments.runs.running import Task
    from sapper.experiments.runs.store import Run, Store

_COLUMN = {name: number for number, name in enumerate(GameResult._fields)}


@dataclass(frozen=True, slots=True)
class Summary:
    """One agent on one kind of board."""

    agent: str
    rules: str
    rows: int
    cols: int
    mines: int
    channel: str
    n_games: int
    won: Interval  # in a survey: no mine went off
    score: Interval  # of surveys: mines safely identified / mines, 1 on a board without mines; else there is none: NaN
    detonations: Interval
    guesses: Interval
    seconds: float  # CPU time per game

    @property
    def density(self) -> float:
        """Share of mined cells."""
        return self.mines / (self.rows * self.cols)

    @property
    def words(self) -> str:
        """The rest of the rules, beside size, mines and channel."""
        return " ".join(word for word in self.rules.split()[1:] if word != self.channel)

    @property
    def is_survey(self) -> bool:
        """Whether play goes on after a mine, and marks make the score."""
        return "survey" in self.rules.split()

    def as_plain_values(self) -> dict[str, object]:
        """For JSON, which has no word for a number that is none."""
        values = asdict(self) | {"density": self.density}
        for name, value in values.items():
            if isinstance(value, tuple):
                values[name] = [None if math.isnan(part) else part for part in value]
            elif isinstance(value, float) and math.isnan(value):
                values[name] = None
        return values


def summarise(store: Store, task: Task) -> Summary:
    """Sum up what the store has of a task."""
    return summarise_run(store, task.run_in(store), task.n_games)


def summarise_run(store: Store, run: Run, n_games: int | None = None) -> Summary:
    """Sum up a run, the first so many of its games if told."""
    rules = Rules.parse(run.condition.rules)
    # Chunk by chunk: a run may be larger than the memory. Whole numbers, so no order of summing matters.
    n, seconds = 0, 0.0
    sums = np.zeros(len(_COLUMN), dtype=np.int64)
    squares = np.zeros(len(_COLUMN), dtype=np.int64)
    for part in store.parts(run, n_games):
        games = part.games.astype(np.int64)
        n += len(games)
        seconds += part.cpu_seconds
        sums += games.sum(axis=0)
        squares += (games**2).sum(axis=0)

    def mean_of(name: str, unit: int = 1, most: float = math.inf) -> Interval:
        column = _COLUMN[name]
        return count_interval(int(sums[column]) / unit, int(squares[column]) / unit**2, n, most)

    # Only a survey ends with marks; other games are won or lost, and a score of 0 would be a lie.
    score = Interval(math.nan, math.nan, math.nan)
    if rules.opened_mine == "explodes":
        score = mean_of("identified", rules.mines, 1.0) if rules.mines else Interval(1.0, 1.0, 1.0)
    return Summary(
        run.condition.agent,
        run.condition.rules,
        rules.rows,
        rules.cols,
        rules.mines,
        str(rules.channel),
        n,
        wilson(int(sums[_COLUMN["won"]]), n),
        score,
        mean_of("detonations", most=rules.mines) if rules.mines else Interval(0.0, 0.0, 0.0),
        mean_of("guesses"),
        seconds / n if n else float("nan"),
    )


def won_by_game(store: Store, task: Task) -> list[bool]:
    """Which games of a task were won, in order."""
    games = store.totals(task.run_in(store), task.n_games).games
    return [bool(won) for won in games[:, _COLUMN["won"]]]
