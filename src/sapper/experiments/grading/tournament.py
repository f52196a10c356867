"""Many agents on the same boards: ranked by a Bradley-Terry scale, with the differences of every pair.

On a board, an agent beats another if it alone wins, and in a survey if its score is higher. Ratings are those of
Bradley and Terry (1952): agent i beats j on a board that decides between them with probability s_i / (s_i + s_j), and
the rating is 400 log10(s), so 400 points are odds of ten to one, as in chess; their mean is 0. Half a board for each
side of every pair keeps them finite. Intervals come from resampling the boards, the same for all agents.

>>> won = {"a": [1, 1, 1, 0], "b": [1, 0, 0, 0], "c": [0, 0, 0, 0]}
>>> [(one.agent, round(one.rating.value)) for one in hold_tournament({name: [won[name]] for name in won}).standings]
[('a', 208), ('b', -31), ('c', -176)]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sapper.draw.pages import html_page, page_style
from sapper.statistics import Interval, compare_paired, mean_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from sapper.experiments.results import Results


N_RESAMPLES = 400
_STEPS = 200  # of the iteration, which converges in tens


@dataclass(frozen=True, slots=True)
class Standing:
    """An agent in the ranking: its mean over all boards, and its rating."""

    agent: str
    mean: float
    rating: Interval


@dataclass(frozen=True, slots=True)
class Tournament:
    """The ranking, strongest first, and the difference of every pair of agents, in shares of the boards or points."""

    standings: tuple[Standing, ...]
    differences: dict[tuple[str, str], Interval]
    n_boards: int

    def as_plain_values(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {
            "boards": self.n_boards,
            "standings": [
                {"agent": one.agent, "mean": one.mean, "rating": [round(part, 1) for part in one.rating]}
                for one in self.standings
            ],
            "differences": [
                {"first": first, "second": second, "difference": list(difference)}
                for (first, second), difference in self.differences.items()
            ],
        }


def hold_tournament(values: Mapping[str, Sequence[Sequence[float]]], seed: int = 0) -> Tournament:
    """Rank agents by what each reached on every game of several boards: 0 or 1 for wins, or scores."""
    agents = list(values)
    # (n_agents, n_games), the games of all boards one after the other.
    games = np.array([np.concatenate([np.asarray(board, dtype=float) for board in values[name]]) for name in agents])
    n_games = games.shape[1]
    beats = games[:, None, :] > games[None, :, :]
    ratings = rate(beats.sum(axis=2).astype(np.float64))
    rng = np.random.default_rng(seed)
    flat = beats.reshape(-1, n_games).astype(np.float32)
    drawn = np.empty((N_RESAMPLES, len(agents)))
    for number in range(N_RESAMPLES):
        weights = rng.multinomial(n_games, np.full(n_games, 1 / n_games)).astype(np.float32)
        drawn[number] = rate((flat @ weights).astype(np.float64).reshape(len(agents), len(agents)))
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    standings = [
        Standing(name, float(games[n].mean()), Interval(float(ratings[n]), float(low[n]), float(high[n])))
        for n, name in enumerate(agents)
    ]
    standings.sort(key=lambda one: (-one.rating.value, one.agent))
    order = [agents.index(one.agent) for one in standings]
    differences = {
        (agents[i], agents[j]): _difference(games[i], games[j])
        for place, i in enumerate(order)
        for j in order[place + 1 :]
    }
    return Tournament(tuple(standings), differences, n_games)


def _difference(first: NDArray[np.float64], second: NDArray[np.float64]) -> Interval:
    if np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all():
        return compare_paired([bool(one) for one in first], [bool(one) for one in second]).difference
    gaps = first - second
    return mean_interval(float(gaps.sum()), float((gaps * gaps).sum()), gaps.size)


def rate(beats: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ratings of agents; ``beats[i, j]`` is on how many boards i beat j. By Hunter's MM iteration (2004)."""
    wins = beats + 0.5
    np.fill_diagonal(wins, 0.0)
    played = wins + wins.T
    strength = np.ones(len(wins))
    for _ in range(_STEPS):
        strength = wins.sum(axis=1) / (played / (strength[:, None] + strength[None, :])).sum(axis=1)
        strength /= math.exp(float(np.log(strength).mean()))
    found: NDArray[np.float64] = 400 * np.log10(strength)
    return found


def write_standings(held: Tournament) -> str:
    """Return the ranking and all differences as text, in percentage points; a star marks what is beyond chance."""
    from sapper.experiments.results import Column, write_interval, write_table

    names = [one.agent for one in held.standings]
    numbers = [str(place) for place in range(1, len(names) + 1)]
    columns = [
        Column("", 3, numbers, ">"),
        Column("agent", 12, names),
        Column("rating", 24, [write_interval(one.rating, "+.0f", 5) for one in held.standings]),
    ]
    for place, other in enumerate(names):
        texts = ["" if name == other else _write_gap(held, name, other) for name in names]
        columns.append(Column(f"- {numbers[place]}", 7, texts, ">"))
    return write_table(columns)


def _write_gap(held: Tournament, first: str, second: str) -> str:
    gap = gap_of(held, first, second)
    return f"{100 * gap.value:+z.1f}{'*' if gap.low > 0 or gap.high < 0 else ' '}"


def gap_of(held: Tournament, first: str, second: str) -> Interval:
    """Return how much better the first of two agents is."""
    if (first, second) in held.differences:
        return held.differences[first, second]
    gap = held.differences[second, first]
    return Interval(-gap.value, -gap.high, -gap.low)


def draw_tournament(held: Tournament, found: Results) -> str:
    """Return the page: the ranking with its figure, the matrix, and the table of all boards."""
    names = [one.agent for one in held.standings]
    title = f"{len(names)} agents on {held.n_boards:,} boards"
    rows = []
    for one in names:
        cells = []
        for other in names:
            if one == other:
                cells.append("<td></td>")
                continue
            gap = gap_of(held, one, other)
            kind = "up" if gap.low > 0 else "down" if gap.high < 0 else ""
            interval = f"<small>[{100 * gap.low:+z.1f}, {100 * gap.high:+z.1f}]</small>"
            cells.append(f'<td class="n {kind}">{100 * gap.value:+z.1f} {interval}</td>')
        rows.append(f"<tr><th>{escape(one)}</th>{''.join(cells)}</tr>")
    head = "".join(f"<th class=n>{escape(name)}</th>" for name in names)
    body = [
        f"<header><h1>{escape(title)}</h1></header>",
        "<h2>Ratings</h2>",
        "<p>Bradley-Terry ratings with 95% intervals: 400 points are odds of ten to one on a board that one of two "
        "agents wins alone. Their mean is 0.</p>",
        _draw_ratings(held),
        "<h2>Differences</h2>",
        "<p>How much more the agent of the row wins than that of the column on the same boards, or scores in surveys, "
        "in percentage points; coloured where the 95% interval excludes 0.</p>",
        f'<div class="wide"><table><tr><th></th>{head}</tr>{"".join(rows)}</table></div>',
        "<h2>Boards</h2>",
        f'<div class="wide">{found._repr_html_()}</div>',
    ]
    return html_page(title, page_style() + _STYLE, body, "img-src data:")


def _draw_ratings(held: Tournament) -> str:
    least = min(one.rating.low for one in held.standings)
    span = (max(one.rating.high for one in held.standings) - least) or 1.0
    width, left, step = 720, 190, 26

    def place(rating: float) -> float:
        return left + 20 + (rating - least) / span * (width - left - 100)

    parts = [
        f'<svg class="figure" viewBox="0 0 {width} {step * len(held.standings) + 10}" role="img" aria-label="Ratings">'
    ]
    if least < 0 < least + span:
        parts.append(f'<path class="grid" d="M{place(0):.1f} 0V{step * len(held.standings) + 6}"/>')
    for number, one in enumerate(held.standings):
        y = step * number + 18
        low, high, value = place(one.rating.low), place(one.rating.high), place(one.rating.value)
        parts.append(f'<text x="{left}" y="{y + 4}" text-anchor="end">{escape(one.agent[-28:])}</text>')
        parts.append(f'<path class="span" d="M{low:.1f} {y}H{high:.1f}"/><circle cx="{value:.1f}" cy="{y}" r="4.5"/>')
        parts.append(f'<text class="tick" x="{high + 8:.1f}" y="{y + 4}">{one.rating.value:+.0f}</text>')
    return "".join([*parts, "</svg>"])


_STYLE = """
h2{margin:1.8rem 0 .6rem;font-size:1.15rem}
table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;padding:.25rem .7rem .25rem 0;
border-bottom:1px solid var(--line);white-space:nowrap}.n{text-align:right;font-variant-numeric:tabular-nums}
th{font-weight:600}small{color:var(--faint)}.wide{overflow-x:auto}.up{color:#15803d}.down{color:#c2410c}
@media(prefers-color-scheme:dark){.up{color:#5fd08e}.down{color:#ff9552}}
.figure{width:100%;max-width:46rem;height:auto}.figure text{font:12px system-ui,sans-serif;fill:var(--ink)}
.figure .tick{fill:var(--faint)}.figure .grid{stroke:var(--line)}
.figure .span{stroke:var(--accent);stroke-width:3;opacity:.5}.figure circle{fill:var(--accent)}
"""
