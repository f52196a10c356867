"""The page of a store: one HTML file that needs nothing else, for a desk and for a phone, light and dark.

The same store gives the same page, byte for byte.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from sapper.draw.html import html_page
from sapper.errors import InputError
from sapper.experiments.pages import draw_inline, style_sheet
from sapper.experiments.plots import require_matplotlib
from sapper.experiments.results import write_interval
from sapper.words import count, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.experiments.dashboard.overview import Group, Overview, Planned
    from sapper.experiments.results import Results
    from sapper.experiments.runs.store import Run
    from sapper.experiments.runs.summary import Summary
    from sapper.experiments.runs.sweep import Sweep

_FOLDED = 12  # rows from which on a table is folded up behind its figure
_TITLE = "Runs of Sapper"
_CAPTIONS = {"score": "Average score against the share of mines.", "wins": "Games won against the share of mines."}


def draw_dashboard(overview: Overview) -> str:
    """Return the page; where matplotlib is not installed it has no figures and says so."""
    can_draw = _can_draw()
    body = [
        "<header>",
        f"<h1>{_TITLE}</h1>",
        f"<p>{escape(overview.name)}: {_count(overview.n_runs, 'run')}, {_count(overview.n_games, 'game')}, "
        f"{_say_time(overview.seconds)} of CPU time. Ranges and whiskers are 95 % intervals.</p>",
        *_notes(overview, can_draw),
        "</header>",
        *_draw_contents(overview.planned),
        "<main>",
        *(line for one in overview.planned for line in _draw_planned(one, can_draw)),
        *_draw_groups(overview.groups),
        "</main>",
    ]
    return html_page(_TITLE, style_sheet(_RULES), body, "img-src data:")


def _can_draw() -> bool:
    try:
        require_matplotlib()
    except InputError:
        return False
    return True


def _notes(overview: Overview, can_draw: bool) -> list[str]:
    notes = []
    if not overview.n_games:
        notes.append("Nothing was played yet.")
    if overview.n_strange:
        them = plural(overview.n_strange, "it is", "they are")
        notes.append(f"{_count(overview.n_strange, 'plan')} of another version of Sapper: {them} left out here.")
    if overview.planned and not can_draw:
        notes.append("There are no figures, because matplotlib is not installed: pip install 'sapper[plots]'.")
    return [f"<p>{escape(note)}</p>" for note in notes]


# -- sweeps ---------------------------------------------------------------------------------------------------


def _draw_contents(planned: Sequence[Planned]) -> list[str]:
    if not planned:
        return []
    rows = "".join(
        f'<li><a href="#plan-{one.number}">Sweep {one.number}</a> <span class="what">{_describe(one.sweep)}</span>'
        f"{_draw_progress(one)}</li>"
        for one in planned
    )
    return [f'<nav aria-label="Sweeps"><ul class="contents">{rows}</ul></nav>']


def _draw_progress(one: Planned) -> str:
    share = one.n_done / one.n_total
    # Never full before the last game.
    percent = 100 if one.is_finished else min(99, round(100 * share))
    said = f"{one.n_done:,} of {one.n_total:,} games" + ("" if one.is_finished else f" ({percent} %)")
    return (
        f'<span class="progress"><span class="track" aria-hidden="true"><i style="width:{100 * share:.2f}%"></i></span>'
        f"<span>{said}</span></span>"
    )


def _describe(sweep: Sweep) -> str:
    sizes = ", ".join(f"{rows}x{cols}" for rows, cols in sweep.sizes)
    channels = "" if sweep.channels == ("exact",) else f", {', '.join(sweep.channels)}"
    return escape(f"{', '.join(sweep.agents)} on {sizes}{channels}")


def _draw_planned(one: Planned, can_draw: bool) -> list[str]:
    sweep = one.sweep
    share = "shares of mines" if sweep.densities else "mines"
    varied = ", ".join(f"{value:g}" for value in sweep.densities or sweep.mines)
    on = "" if one.is_finished else f" <code>sapper sweep --resume --plan {one.number}</code> goes on with it."
    lines = [
        f'<section id="plan-{one.number}">',
        f"<h2>Sweep {one.number}</h2>",
        f"<p>{_describe(sweep)}. {share.capitalize()}: {varied}. Rules: {escape(sweep.words or 'the usual ones')}. "
        f"{_count(sweep.n_games, 'game')} of each, seeds from {sweep.seed}; planned {escape(_say_when(one.made))}."
        f"{on}</p>",
        _draw_progress(one),
    ]
    # One density alone is no curve.
    has_figure = can_draw and len({row.density for row in one.results.rows}) > 1
    if has_figure:
        lines.append(_draw_figure(one.results, f"p{one.number}-"))
    if one.results.rows:
        table = _draw_table(one.results, with_boards=True)
        if has_figure and len(one.results) > _FOLDED:
            table = f"<details><summary>{_count(len(one.results), 'row')}</summary>{table}</details>"
        lines.append(table)
    return [*lines, "</section>"]


def _draw_figure(results: Results, prefix: str) -> str:
    figure = results.plot()
    figure.set_size_inches(5.0, 3.7)  # as on the page of the reports: readable on a telephone
    return (
        f'<div class="figures"><figure>{draw_inline(figure, prefix)}'
        f"<figcaption>{_CAPTIONS[results.usual_figure]}</figcaption></figure></div>"
    )


# -- other runs -----------------------------------------------------------------------------------------------


def _draw_groups(groups: Sequence[Group]) -> list[str]:
    if not groups:
        return []
    lines = ['<section id="others">', "<h2>Other runs</h2>"]
    for group in groups:
        lines += [
            f'<h3>{escape(group.rules)} <span class="what">{escape(group.boards)}</span></h3>',
            _draw_table(group.results, with_boards=False),
        ]
    return [*lines, "</section>"]


def _draw_table(results: Results, with_boards: bool) -> str:
    measure = "score" if results.usual_figure == "score" else "won"
    first = "<th>agent</th>" + ("<th>board</th>" if with_boards else "")
    head = f"{first}<th>{measure}</th><th></th><th>games</th><th>guesses</th><th>ms/game</th>"
    named = {(run.condition.agent, run.condition.version) for run in results.runs}
    versions = len(named) > len({agent for agent, _ in named})
    rows = "".join(
        _draw_row(row, run, measure, with_boards, versions) for row, run in zip(results.rows, results.runs, strict=True)
    )
    return f'<table class="runs"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _draw_row(row: Summary, run: Run, measure: str, with_boards: bool, with_version: bool) -> str:
    found = getattr(row, measure)
    form = ".3f" if measure == "score" else ".1%"
    version = f' <span class="what">version {run.condition.version}</span>' if with_version else ""
    channel = "" if row.channel == "exact" else f", {row.channel}"
    board = f'<td class="board">{row.rows}x{row.cols}/{row.mines}{escape(channel)}</td>' if with_boards else ""
    return (
        f'<tr><td class="agent">{escape(row.agent)}{version}</td>{board}'
        f'<td class="place">{_draw_bar(*found)}</td><td class="number">{write_interval(found, form)}</td>'
        f'<td class="number" data-of="games">{row.n_games:,}</td>'
        f'<td class="number" data-of="guesses">{row.guesses.value:.2f}</td>'
        f'<td class="number" data-of="ms/game">{1000 * row.seconds:.2f}</td></tr>'
    )


def _draw_bar(value: float, low: float, high: float) -> str:
    """A bar from 0 to 1 with its interval as a whisker; the number beside it says the same to those who cannot see."""
    if math.isnan(value):
        return ""
    whisker = "" if math.isnan(low) else f'<b style="left:{100 * low:.2f}%;width:{100 * (high - low):.2f}%"></b>'
    return f'<span class="bar" aria-hidden="true"><i style="width:{100 * value:.2f}%"></i>{whisker}</span>'


# -- words ----------------------------------------------------------------------------------------------------


def _count(n: int, one: str) -> str:
    return f"{n:,} {plural(n, one)}"


def _say_time(seconds: float) -> str:
    for unit, length in (("hour", 3600.0), ("minute", 60.0)):
        if seconds >= 2 * length:
            return count(round(seconds / length), unit)
    return count(round(seconds), "second")


def _say_when(made: str) -> str:
    """The day and the time of day, as the store has them."""
    return made.replace("T", " ").removesuffix("+00:00")[:16] + " UTC" if made.endswith("+00:00") else made


_RULES = """
nav{margin:1.25rem 0 2rem}
code{font-size:.92em;background:var(--card);padding:.1em .35em;border-radius:.25em;white-space:nowrap}
.what{color:var(--faint);font-weight:400}
.contents{list-style:none;margin:0;padding:0}
.contents li{display:grid;grid-template-columns:6rem 1fr 20rem;gap:.25rem 1rem;padding:.4rem 0;
border-top:1px solid var(--line);align-items:center}
.progress{display:flex;gap:.75rem;align-items:center;font-variant-numeric:tabular-nums;font-size:.92rem}
.track{flex:1;max-width:12rem;height:.5rem;border-radius:.25rem;background:var(--line);overflow:hidden}
.track i{display:block;height:100%;background:var(--c4)}
.progress>span:last-child{white-space:nowrap}
.runs{margin:1rem 0}
.runs td{vertical-align:middle}
.agent,.board{overflow-wrap:anywhere}
.number,.board{font-variant-numeric:tabular-nums;white-space:nowrap}
.place{width:30%;min-width:6rem}
.bar{display:block;position:relative;height:.9rem;background:var(--card);border-radius:.15rem}
.bar i{display:block;height:100%;background:var(--c5);border-radius:.15rem 0 0 .15rem}
.bar b{position:absolute;top:50%;height:.55rem;margin-top:-.275rem;border:solid var(--ink);border-width:0 1.5px}
.bar b::before{content:"";position:absolute;left:0;right:0;top:50%;margin-top:-.75px;border-top:1.5px solid var(--ink)}
details summary{cursor:pointer;padding:.35rem 0;color:var(--faint)}
@media(prefers-color-scheme:dark){.bar i{background:#2f6690}}
@media(max-width:44rem){.contents li{grid-template-columns:1fr}
.runs thead{display:none}.runs tbody tr{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.5rem 0;
border-top:1px solid var(--line)}
.runs td{border:0;padding:.1rem 0}.runs .agent{font-weight:600}
.runs .place,.runs .place+.number{flex:1 0 100%;width:auto}
.runs td[data-of]{font-size:.88rem}.runs td[data-of]::before{content:attr(data-of) " ";color:var(--faint)}}
"""
