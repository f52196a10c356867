"""Summarise experiments with intervals, as a table, a data frame, a file or a figure.

>>> from sapper.experiments.sweep import sweep
>>> results = sweep(["basic", "statements"], ["4x4/4 survey", "4x4/8 survey"], games=20)
>>> [(row.agent, row.mines, row.n_games) for row in results.rows]
[('basic', 4, 20), ('basic', 8, 20), ('statements', 4, 20), ('statements', 8, 20)]
>>> print(results.to_csv().splitlines()[0][:54])
agent,rules,rows,cols,mines,density,channel,n_games,wo
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sapper.errors import FORFEITS, InputError, MissingExtra, check_type
from sapper.experiments.games import GameResult
from sapper.experiments.plots import FIGURES, check_figure_name, render
from sapper.experiments.store import Run, Store
from sapper.play.reading import write_file
from sapper.rules import Rules
from sapper.statistics import Interval, count_interval, wilson

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.figure import Figure

    from sapper.experiments.sweep import SweepTask


_COLUMN = {name: number for number, name in enumerate(GameResult._fields)}


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of one agent on one kind of board."""

    agent: str
    rules: str
    rows: int
    cols: int
    mines: int
    channel: str
    n_games: int
    won: Interval  # in a survey: no mine detonated
    score: Interval  # in a survey: mines identified / mines, 1 without mines; NaN in other games
    detonations: Interval
    guesses: Interval
    seconds: float  # CPU time per game
    faults: dict[str, int] = field(default_factory=dict)  # why games were forfeited → how many

    @property
    def n_forfeits(self) -> int:
        """Return how many games were forfeited."""
        return sum(self.faults.values())

    @property
    def density(self) -> float:
        """Return the share of cells that are mines."""
        return self.mines / (self.rows * self.cols)

    @property
    def words(self) -> str:
        """Return the rules other than size, mines and channel."""
        return " ".join(word for word in self.rules.split()[1:] if word != self.channel)

    @property
    def is_survey(self) -> bool:
        """Return whether play continues after a mine, so that marks make a score."""
        return "survey" in self.rules.split()

    def as_plain_values(self) -> dict[str, object]:
        """Return plain values for JSON, with None for NaN."""
        values = asdict(self) | {"density": self.density}
        for name, value in values.items():
            if isinstance(value, tuple):
                values[name] = [None if math.isnan(part) else part for part in value]
            elif isinstance(value, float) and math.isnan(value):
                values[name] = None
        return values


def summarise(store: Store, task: SweepTask) -> Summary:
    """Summarise what the store has of a task."""
    return summarise_run(store, task.run_in(store), task.n_games)


def summarise_run(store: Store, run: Run, n_games: int | None = None) -> Summary:
    """Summarise a run, or only its first ``n_games`` games."""
    rules = Rules.parse(run.condition.rules)
    # Chunk by chunk: a run may be larger than memory. Integer sums do not depend on the order.
    n, seconds = 0, 0.0
    sums = np.zeros(len(_COLUMN), dtype=np.int64)
    squares = np.zeros(len(_COLUMN), dtype=np.int64)
    faults = np.zeros(len(FORFEITS) + 1, dtype=np.int64)
    for part in store.parts(run, n_games):
        games = part.games.astype(np.int64)
        n += len(games)
        seconds += part.cpu_seconds
        sums += games.sum(axis=0)
        squares += (games**2).sum(axis=0)
        faults += np.bincount(games[:, _COLUMN["fault"]], minlength=faults.size)

    def mean_of(name: str, unit: int = 1, most: float = math.inf) -> Interval:
        column = _COLUMN[name]
        return count_interval(int(sums[column]) / unit, int(squares[column]) / unit**2, n, most)

    # Only surveys have a score; for other games, 0 would be misleading.
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
        {kind: number for kind, number in zip(FORFEITS, faults[1:].tolist(), strict=True) if number},
    )


def won_by_game(store: Store, task: SweepTask) -> list[bool]:
    """Return which games of a task were won, in order."""
    games = store.totals(task.run_in(store), task.n_games).games
    return [bool(won) for won in games[:, _COLUMN["won"]]]


# How a fault is called in tables.
FAULT_WORDS = {
    "load": "not loaded",
    "crash": "crashed",
    "hang": "too slow",
    "exit": "exited",
    "memory": "out of memory",
    "illegal": "illegal move",
    "none": "no move",
    "protocol": "not an answer",
}


def values_by_game(store: Store, task: SweepTask) -> list[float]:
    """Return what each game of a task was worth, in order: 1 if it was won; in a survey with mines, the score."""
    games = store.totals(task.run_in(store), task.n_games).games
    rules = Rules.parse(task.condition.rules)
    if rules.opened_mine == "explodes" and rules.mines:
        return [float(value) / rules.mines for value in games[:, _COLUMN["identified"]]]
    return [float(value) for value in games[:, _COLUMN["won"]]]


_INTERVALS = ("won", "score", "detonations", "guesses")


@dataclass(frozen=True, slots=True, repr=False)
class Results:
    """Rates and means with their 95% intervals, a row for each run.

    rows: the summaries.
    runs: the run of each row.
    """

    rows: tuple[Summary, ...]
    runs: tuple[Run, ...]

    @classmethod
    def of_store(cls, path: str | Path) -> Results:
        """Summarise every run of a store that has games, oldest first; nothing is written."""
        check_type(path, (str, os.PathLike), "the name of a store")
        with Store(Path(path), must_exist=True) as store:
            runs = tuple(run for run, n_games, _ in store.runs() if n_games)
            return cls(tuple(summarise_run(store, run) for run in runs), runs)

    @classmethod
    def of_tasks(cls, store: Store, tasks: Sequence[SweepTask]) -> Results:
        """Summarise what an open store has of some tasks."""
        return cls(tuple(summarise(store, task) for task in tasks), tuple(task.run_in(store) for task in tasks))

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return write_table(self._columns()) if self.rows else "No results."

    def _repr_html_(self) -> str:
        columns = self._columns()
        head = "".join(f"<th>{escape(column.name)}</th>" for column in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(text)}</td>" for text in texts) + "</tr>"
            for texts in zip(*(column.texts for column in columns), strict=True)
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    # -- for other programs -------------------------------------------------------------------------------

    def records(self) -> list[dict[str, object]]:
        """Return the rows as plain values, each interval in three columns: ``score``, ``score_low``, ``score_high``."""
        return [_record(row, run) for row, run in zip(self.rows, self.runs, strict=True)]

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtra("A pandas data frame needs pandas: pip install 'sapper[frames]'.") from None
        return pd.DataFrame(self.records(), columns=list(COLUMNS))

    def to_polars(self) -> pl.DataFrame:
        """Return the rows as a Polars data frame, with null for NaN."""
        try:
            import polars as pl
        except ImportError:
            raise MissingExtra("A Polars data frame needs Polars: pip install 'sapper[frames]'.") from None
        return pl.DataFrame(self.records(), schema=COLUMNS).fill_nan(None)

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the rows as comma-separated values, and write them to a file if one is named."""
        written = io.StringIO()
        table = csv.DictWriter(written, list(COLUMNS), lineterminator="\n")
        table.writeheader()
        # NaN becomes an empty field, as in spreadsheets.
        table.writerows(
            {name: "" if value != value else value for name, value in one.items()} for one in self.records()
        )
        if path is not None:
            write_file(path, written.getvalue().encode())
        return written.getvalue()

    def plot(self, path: str | Path | None = None, what: str | None = None) -> Figure:
        """Draw a figure, and write it as .png or .svg if a file is named.

        ``what`` is score, wins, detonations (by channel) or time (by size). By default, it is the score for surveys and
        wins for other games, against the share of mines.
        """
        chosen = self.usual_figure if what is None else what
        if chosen not in FIGURES:
            raise InputError(f"There is no figure {chosen!r}; choose from {', '.join(FIGURES)}.")
        kind = None if path is None else check_figure_name(str(path))
        figure = FIGURES[chosen](self.rows)
        if path is not None and kind is not None:
            write_file(path, render(figure, kind))
        return figure

    @property
    def usual_figure(self) -> str:
        """Return the default figure: score if every game is a survey, else wins."""
        return "score" if all(row.is_survey for row in self.rows) else "wins"

    # -- for people ---------------------------------------------------------------------------------------

    def _columns(self) -> list[Column]:
        """Return the columns of the table: the usual ones, and others that differ between rows."""
        columns = [Column(name, width, [text(row) for row in self.rows], side) for name, width, side, text in _USUAL]
        others = {
            "rules": [row.words or "usual" for row in self.rows],
            "version": [str(run.condition.version) for run in self.runs],
            "boards": [name_boards(run) for run in self.runs],
            "forfeited": [
                ", ".join(f"{number:,} {FAULT_WORDS[kind]}" for kind, number in row.faults.items()) or "-"
                for row in self.rows
            ],
        }
        agents = {row.agent for row in self.rows}
        shown = {
            "rules": len({*others["rules"]}) > 1,
            "version": len({(run.condition.agent, run.condition.version) for run in self.runs}) > len(agents),
            "boards": len({*others["boards"]}) > 1,
            "forfeited": any(row.faults for row in self.rows),
        }
        return [*columns, *(Column(name, 0, texts) for name, texts in others.items() if shown[name])]


class Column(NamedTuple):
    """A column of a text table."""

    name: str
    width: int  # minimum, including the space between columns
    texts: Sequence[str]
    side: str = "<"  # alignment: < left, > right


def write_table(columns: Sequence[Column]) -> str:
    """Return a table, as wide as its texts need.

    >>> print(write_table([Column("agent", 8, ["basic", "exact"]), Column("games", 6, ["90", "1,000"], ">")]))
    agent    games
    basic       90
    exact    1,000
    """
    lines = [""] * (1 + max((len(column.texts) for column in columns), default=0))
    before = ""
    for column in columns:
        # Separate a left-aligned column from a right-aligned one before it.
        gap = "  " if column.side == "<" and before == ">" else ""
        texts = [column.name, *column.texts]
        width = max(column.width, max(map(len, texts)) + (column.side == "<" or before == ">"))
        lines = [f"{line}{gap}{text:{column.side}{width}}" for line, text in zip(lines, texts, strict=True)]
        before = column.side
    return "\n".join(line.rstrip() for line in lines)


def write_interval(interval: Interval, form: str, width: int = 0) -> str:
    """Write an estimate with its interval, if it has one; ``width`` is the minimum width of the estimate.

    >>> from sapper.statistics import Interval
    >>> write_interval(Interval(0.5, 0.25, 0.75), ".3f"), write_interval(Interval(2.0, math.nan, math.nan), ".1f", 5)
    ('0.500 [0.250, 0.750]', '  2.0')
    """
    value = f"{format(interval.value, form):>{width}}"
    return value if math.isnan(interval.low) else f"{value} [{interval.low:{form}}, {interval.high:{form}}]"


# The columns of every table: name, minimum width, alignment, text.
_USUAL: tuple[tuple[str, int, str, Callable[[Summary], str]], ...] = (
    ("agent", 19, "<", lambda row: row.agent),
    ("board", 9, ">", lambda row: f"{row.rows}x{row.cols}"),
    ("mines", 6, ">", lambda row: str(row.mines)),
    ("channel", 15, "<", lambda row: row.channel),
    ("games", 8, ">", lambda row: f"{row.n_games:,}"),
    ("score", 23, "<", lambda row: write_interval(row.score, ".3f") if row.is_survey else "-"),
    ("won", 22, "<", lambda row: write_interval(row.won, ".1%", 6)),
    ("detonations", 11, ">", lambda row: f"{row.detonations.value:.2f}"),
    ("guesses", 9, ">", lambda row: f"{row.guesses.value:.2f}"),
    ("ms/game", 9, ">", lambda row: f"{1000 * row.seconds:.3f}"),
)


def name_boards(run: Run) -> str:
    """Name the boards of a run."""
    restarts = ", restarts" if run.condition.restart_opening else ""
    return f"{f'seeds from {run.seed}' if run.condition.source == 'seeds' else run.condition.source}{restarts}"


def _record(row: Summary, run: Run) -> dict[str, object]:
    return {
        "agent": row.agent, "rules": row.rules, "rows": row.rows, "cols": row.cols, "mines": row.mines,
        "density": row.density, "channel": row.channel, "n_games": row.n_games,
        **{
            f"{name}{end}": float(part)
            for name in _INTERVALS
            for end, part in zip(("", "_low", "_high"), getattr(row, name), strict=True)
        },
        "seconds": row.seconds, "forfeits": row.n_forfeits,
        "version": run.condition.version, "boards": run.condition.source, "seed": run.seed,
        "restart_opening": run.condition.restart_opening,
    }  # fmt: skip


# The columns of a record: name → type.
COLUMNS: dict[str, type] = {
    "agent": str, "rules": str, "rows": int, "cols": int, "mines": int, "density": float, "channel": str,
    "n_games": int,
    **{f"{name}{end}": float for name in _INTERVALS for end in ("", "_low", "_high")},
    "seconds": float, "forfeits": int, "version": int, "boards": str, "seed": int, "restart_opening": bool,
}  # fmt: skip
