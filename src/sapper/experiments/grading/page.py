"""The reports in HTML: what a student reads, and the page of a class with its table and figures.

Each is one file that fetches nothing. Figures are drawn here, as plain SVG, so that no other package is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from sapper.draw.pages import Labels, Scene, draw_legend, draw_picture, html_page, page_style, picture_style
from sapper.draw.svg import draw_layout
from sapper.experiments.grading.judge import LEVELS
from sapper.experiments.grading.results import SCORE, WON, completeness, density_of, is_survey, mean_of
from sapper.experiments.grading.rubric import CRITERIA
from sapper.experiments.grading.words import ABOUT, as_theirs, describe
from sapper.rules import Rules
from sapper.words import count, join_words

if TYPE_CHECKING:
    from sapper.experiments.grading.results import Grade
    from sapper.experiments.grading.run import Class
    from sapper.experiments.grading.words import Finding
    from sapper.statistics import Interval

_LEVEL_WORDS = {
    "single": "one clue alone",
    "subset": "one clue within another",
    "pair": "two overlapping clues",
    "cases": "case splits",
    "count": "the number of mines",
}
# What students may not know about the rules of their games.
_RULE_WORDS = {
    "first-any": "the first click may hit a mine",
    "first-opening": "the first cell is given and touches no mine",
    "no-cascade": "cells open one by one",
    "total-hidden": "the number of mines is not told",
    "survey": "in a survey, play goes on after a mine, and the score is the share of mines claimed, less wrong claims",
}
_NONE = "\u2013"  # a dash
_LABELS = Labels("the cell in question", "the clues that prove it")


def draw_class(made: Class, grades: list[Grade], student_pages: dict[str, str]) -> str:
    """Return the page of a class; ``student_pages`` has the address of each report."""
    title = f"{made.rubric.course or 'Minesweeper agents'}: {count(len(grades), 'submission')}"
    ordered = sorted(grades, key=lambda grade: (-grade.total, grade.submission.name))
    body = [
        f"<header><h1>{escape(title)}</h1>",
        f"<p>{_about_games(made)}</p></header>",
        "<h2>Results</h2>",
        _class_table(ordered, student_pages),
        *_not_run(ordered),
        "<h2>How common each fault is</h2>",
        _fault_table(ordered),
        f"<h2>{'Score' if _surveys(made) else 'Wins'} against the share of mines</h2>",
        "<p>A thin line for each submission: point at it for its name. The agents of Sapper are the thick ones.</p>",
        _density_figure(made, ordered),
        "<h2>Points</h2>",
        _distribution(ordered),
    ]
    return html_page(title, page_style() + _STYLE, body, "img-src data:")


def draw_student(made: Class, grade: Grade) -> str:
    """Return the report of one submission."""
    one = grade.submission
    findings = [describe(as_theirs(one), example) for example in one.examples.values()]
    title = f"{one.name}: {_points(grade.total)} of {grade.most:g} points"
    body = [f"<header><h1>{escape(title)}</h1>"]
    if one.missing:
        body += [f"<p>It could not be run. {escape(one.missing)}</p></header>"]
        return html_page(title, page_style() + _STYLE, body, "img-src data:")
    body += [f"<p>{_about_games(made)}</p></header>", *_good(grade), *_levels(grade)]
    scenes = [Scene(finding.observation, "") for finding in findings if finding.observation is not None][:1]
    if scenes:
        body.append(draw_legend(_LABELS, has_clues=any(finding.clues for finding in findings)))
    asked = [finding for finding in findings if grade.is_asked(finding.kind)]
    beyond = [finding for finding in findings if not grade.is_asked(finding.kind)]
    for heading, listed in (("What to mend first", asked[:1]), ("Then", asked[1:]), ("Beyond the points", beyond)):
        if listed:
            body += [f"<h2>{heading}</h2>", *map(_draw_finding, listed)]
    body += ["<h2>Points</h2>", _points_table(grade), *_strength(grade), *_cost(grade)]
    return html_page(title, page_style() + picture_style(scenes) + _STYLE, body, "img-src data:")


def _about_games(made: Class) -> str:
    plan = made.rubric.plan()
    words = [rules.in_short.split()[1:] for rules, _ in plan]
    boards = []
    for rules, n in plan:
        size, *rest = rules.in_short.split()
        # What all boards have in common is said once.
        boards.append(" ".join([f"{n} on {size}", *(one for one in rest if not all(one in each for each in words))]))
    told = [about for word, about in _RULE_WORDS.items() if any(word in each for each in words)]
    common = f" {'; '.join(told).capitalize()}." if told else ""
    seeds = f"Everybody plays the same boards, with seeds from {made.rubric.seed} on."
    return escape(f"Games (rows x columns / mines): {join_words(boards)}.{common} {seeds}")


def _share(share: float | None) -> str:
    if share is None:
        return _NONE
    # 100% only if nothing is missing.
    return f"{100 * share:.0f}%" if share in (0.0, 1.0) or 0.005 < share < 0.995 else f"{100 * share:.1f}%"


def _points(points: float) -> str:
    return f"{points:.1f}".removesuffix(".0")


def _good(grade: Grade) -> list[str]:
    shares, good = grade.shares, []
    if shares["runs"] == 1.0:
        good.append("Every game was played to its end, without a crash or an illegal move.")
    if shares["sound"] == 1.0:
        n_claims = grade.submission.total.claims[0]
        good.append(f"All {n_claims:,} claims about mines and safe cells follow from the clues.")
    found = [_LEVEL_WORDS[level] for level in LEVELS if shares[level] == 1.0]
    if found:
        good.append(f"It finds every certain cell that follows from {join_words(found)}.")
    if shares["repeatable"] == 1.0 and shares["runs"]:
        good.append("The same seed gives the same game.")
    if not good:
        return []
    return ["<h2>What works</h2>", "<ul>", *(f"<li>{escape(line)}</li>" for line in good), "</ul>"]


def _levels(grade: Grade) -> list[str]:
    total = grade.submission.total
    rows = []
    for level in LEVELS:
        safe, mines = completeness(grade.submission, total, level)
        if safe[1] + mines[1]:
            numbers = (f"{found:,} of {n:,}" if n else _NONE for found, n in (safe, mines))
            share = grade.shares[level]
            rows.append(_row(_LEVEL_WORDS[level], *numbers, _share(share), after=_bar(share or 0.0)))
    if not rows:
        return []
    return [
        "<h2>What it finds</h2>",
        "<p>Moves at which a cell was certain to be safe, and mines that were certain when it had to guess, by the "
        "easiest reasoning that proves them.</p>",
        "<table><tr><th>proved by</th><th class=n>safe moves</th><th class=n>mines</th><th class=n>found</th><th></th>"
        f"</tr>{''.join(rows)}</table>",
    ]


def _row(name: str, *numbers: str, after: str = "") -> str:
    """Return a row of a table."""
    cells = "".join(f"<td class=n>{number}</td>" for number in numbers)
    return f"<tr><td>{escape(name)}</td>{cells}{f'<td>{after}</td>' if after else ''}</tr>"


def _bar(share: float) -> str:
    return f'<span class="bar"><span style="width:{100 * share:.1f}%"></span></span>'


def _draw_finding(finding: Finding) -> str:
    parts = [f'<section><h3>{escape(finding.what)} <span class="note">{escape(finding.often)}</span></h3>']
    # Without a picture, the words have the width.
    parts.append(f'<div class="{"plain" if finding.observation is None else "columns"}">')
    if finding.observation is not None:
        number = finding.observation.topology.index
        scene = Scene(
            finding.observation, "", opened=None if finding.cell is None else number(*finding.cell),
            clues=tuple(number(*clue) for clue in finding.clues),
        )  # fmt: skip
        pictures = f"<figure>{draw_picture(scene)}</figure>"
        if finding.layout is not None:
            marked = [] if finding.cell is None else [number(*finding.cell)]
            drawn = draw_layout(finding.layout, marked)
            before, _, after = drawn.partition("<style>")
            pictures += f"<figure>{before}{after.partition('</style>')[2]}</figure>"
        parts.append(f"<div>{pictures}</div>")
    parts.append('<div class="words">')
    if finding.shown:
        parts.append(f'<p class="decision">{escape(finding.shown)}</p>')
    parts += [f"<p>{escape(line)}</p>" for line in finding.proof]
    parts.append(f"<p><b>What to do:</b> {escape(finding.advice)}</p>")
    if not finding.is_smallest and finding.observation is not None:
        parts.append('<p class="note">It needs its whole game to come up.</p>')
    parts.append(f"<details><summary>See it again</summary><pre>{escape(finding.command)}</pre></details>")
    parts.append("</div></div></section>")
    return "".join(parts)


def _points_table(grade: Grade) -> str:
    rows = "".join(
        _row(CRITERIA[name], _share(grade.shares[name]), _points(points)) for name, points in grade.points.items()
    )
    return (
        f"<table><tr><th>criterion</th><th class=n>share</th><th class=n>points</th></tr>{rows}"
        f"<tr class=sum><td>together</td><td></td><td class=n>{_points(grade.total)} of {grade.most:g}</td></tr>"
        "</table>"
    )


def _interval(interval: Interval, scale: float = 100.0, sign: str = "") -> str:
    if interval.low != interval.low:
        return f"{scale * interval.value:{sign}.1f}"
    return f"{scale * interval.value:{sign}.1f} [{scale * interval.low:{sign}.1f}, {scale * interval.high:{sign}.1f}]"


def _strength(grade: Grade) -> list[str]:
    strength = grade.strength
    if strength is None:
        return []
    lines = []
    if strength.wins.value == strength.wins.value:
        lines.append(f"It won {_interval(strength.wins)}% of its classic games (95% interval).")
    if strength.score.value == strength.score.value:
        lines.append(f"Its mean score in surveys is {_interval(strength.score)}%.")
    rows = []
    for name in {**strength.wins_against, **strength.score_against}:
        wins, score = strength.wins_against.get(name), strength.score_against.get(name)
        numbers = (None if wins is None else wins.difference, score)
        rows.append(_row(name, *(_NONE if one is None else _interval(one, sign="+") for one in numbers)))
    table = (
        "<p>Beside agents of Sapper on the same boards, the difference in percentage points with its 95% interval; "
        "above 0, the submission is stronger.</p>"
        f"<table><tr><th>agent</th><th class=n>wins</th><th class=n>score</th></tr>{''.join(rows)}</table>"
    )
    return ["<h2>Strength</h2>", *(f"<p>{line}</p>" for line in lines), table if rows else ""]


def _cost(grade: Grade) -> list[str]:
    if not grade.seconds:
        return []
    listed = sorted(grade.seconds.items(), key=lambda one: Rules.parse(one[0]).n_cells)
    rows = "".join(
        _row(board.split()[0] + " survey" * is_survey(board), f"{1000 * seconds:.2f}") for board, seconds in listed
    )
    return [f"<h2>Time</h2><table><tr><th>board</th><th class=n>milliseconds a move</th></tr>{rows}</table>"]


# -- the class ------------------------------------------------------------------------------------------------


def _class_table(grades: list[Grade], pages: dict[str, str]) -> str:
    shown = [level for level in LEVELS if any(grade.shares[level] is not None for grade in grades)]
    head = "".join(f"<th class=n>{name}</th>" for name in ("points", "runs", "sound", *shown, "wins", "score"))
    rows = []
    for grade in grades:
        name = escape(grade.submission.name)
        link = (
            f'<a href="{escape(pages[grade.submission.name])}">{name}</a>' if grade.submission.name in pages else name
        )
        cells = "".join(
            f"<td class=n>{_share(grade.shares[key])}</td>" for key in ("runs", "sound", *shown, "wins", "score")
        )
        first = grade.first_to_mend
        what = ABOUT[first][0] if first else ""
        what = "Could not be run" if grade.submission.missing else what
        rows.append(f"<tr><td>{link}</td><td class=n>{_points(grade.total)}</td>{cells}<td>{escape(what)}</td></tr>")
    head = f"<tr><th>submission</th>{head}<th>first to mend</th></tr>"
    return f'<div class="wide"><table>{head}{"".join(rows)}</table></div>'


def _not_run(grades: list[Grade]) -> list[str]:
    lines = []
    for grade in grades:
        one = grade.submission
        if one.missing:
            lines.append(f"<li>{escape(one.name)}: {escape(one.missing)}</li>")
        elif grade.shares["runs"] == 0.0 and one.examples:
            lines.append(f"<li>{escape(one.name)}: {escape(next(iter(one.examples.values())).detail)}</li>")
    return ["<h2>Could not be run</h2>", "<ul>", *lines, "</ul>"] if lines else []


def _fault_table(grades: list[Grade]) -> str:
    counts: dict[str, list[str]] = {}
    for grade in grades:
        for example in grade.submission.examples.values():
            counts.setdefault(ABOUT[example.kind][0], []).append(grade.submission.name)
    ordered = sorted(counts.items(), key=lambda one: (-len(one[1]), one[0]))
    rows = "".join(
        f"<tr><td>{escape(what)}</td><td class=n>{len(names)}</td><td>{escape(', '.join(sorted(names)[:12]))}"
        f"{' …' if len(names) > 12 else ''}</td></tr>"
        for what, names in ordered
    )
    return f"<table class=faults><tr><th>fault</th><th class=n>submissions</th><th></th></tr>{rows}</table>"


def _surveys(made: Class) -> list[str]:
    return [str(rules) for rules, _ in made.rubric.plan() if is_survey(str(rules))]


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    points: list[tuple[float, float]]
    colour: str = ""  # empty: a submission


_COLOURS = ("#c2410c", "#0b6bcb", "#8a6d00", "#15803d", "#9333ea", "#0f766e")


def _density_figure(made: Class, grades: list[Grade]) -> str:
    boards = _surveys(made) or [str(rules) for rules, _ in made.rubric.plan()]
    column = SCORE if _surveys(made) else WON
    boards.sort(key=density_of)

    def points(games: dict[str, list[list[float]]]) -> list[tuple[float, float]]:
        return [
            (density_of(board), mean_of([game[column] for game in games[board]]).value)
            for board in boards
            if games.get(board)
        ]

    lines = [
        _Line(grade.submission.name, points({board: tally.games for board, tally in grade.submission.boards.items()}))
        for grade in grades
    ]
    lines += [
        _Line(name, points(games), _COLOURS[number % len(_COLOURS)])
        for number, (name, games) in enumerate(made.references.items())
    ]
    return draw_lines([line for line in lines if line.points], "share of mines", "score" if column == SCORE else "wins")


def draw_lines(lines: list[_Line], across: str, up: str) -> str:
    """Return a figure of lines, with values from 0 to 1."""
    width, height, left, top, right, bottom = 640, 360, 48, 12, 150, 40
    most = max((x for line in lines for x, _ in line.points), default=1.0)
    least = min((x for line in lines for x, _ in line.points), default=0.0)
    span = (most - least) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            left + (x - least) / span * (width - left - right),
            top + (1 - y) * (height - top - bottom),
        )

    parts = [
        f'<svg class="figure" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(up)} against {across}">'
    ]
    for tick in range(6):
        _, y = place(least, tick / 5)
        parts.append(f'<path class="grid" d="M{left} {y:.1f}H{width - right}"/>')
        parts.append(f'<text class="tick" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{tick * 20}%</text>')
    for x in sorted({x for line in lines for x, _ in line.points}):
        at, _ = place(x, 0)
        parts.append(
            f'<text class="tick" x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle">{100 * x:.0f}%</text>'
        )
    parts.append(f'<text class="tick" x="{left}" y="{height - 4}">{escape(across)}</text>')
    labels: list[float] = []
    for line in lines:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in (place(*point) for point in line.points))
        style = f' style="stroke:{line.colour}"' if line.colour else ""
        parts.append(
            f'<path class="{"ours" if line.colour else "theirs"}"{style} d="M{path}">'
            f"<title>{escape(line.name)}</title></path>"
        )
        if line.colour:
            x, y = place(*line.points[-1])
            while any(abs(y - other) < 13 for other in labels):
                y += 1
            labels.append(y)
            parts.append(
                f'<text class="name" style="fill:{line.colour}" x="{x + 6:.1f}" y="{y + 4:.1f}">'
                f"{escape(line.name)}</text>"
            )
    parts.append("</svg>")
    return "".join(parts)


def _distribution(grades: list[Grade]) -> str:
    most = grades[0].most if grades else 1.0
    n_bars = 10
    counts = [0] * n_bars
    for grade in grades:
        counts[min(int(n_bars * grade.total / most), n_bars - 1) if most else 0] += 1
    width, height, step = 640, 160, 58
    tallest = max(counts) or 1
    parts = [f'<svg class="figure" viewBox="0 0 {width} {height}" role="img" aria-label="Distribution of the points">']
    for number, n in enumerate(counts):
        tall = 110 * n / tallest
        x = 30 + number * step
        parts.append(
            f'<rect class="column" x="{x}" y="{125 - tall:.1f}" width="{step - 8}" height="{tall:.1f}" rx="3"/>'
        )
        parts.append(
            f'<text class="tick" x="{x + (step - 8) / 2}" y="{120 - tall:.1f}" text-anchor="middle">{n or ""}</text>'
        )
        label = f"{most * number / n_bars:.3g}{_NONE}{most * (number + 1) / n_bars:.3g}"
        parts.append(f'<text class="tick" x="{x + (step - 8) / 2}" y="142" text-anchor="middle">{label}</text>')
    parts.append("</svg>")
    return "".join(parts)


_STYLE = """
h2{margin:1.8rem 0 .6rem;font-size:1.15rem}h3{font-size:1.02rem;margin:0 0 .6rem}
h3 .note{font-weight:400;margin-left:.5em}
table{border-collapse:collapse;font-size:.92rem;margin:.4rem 0}
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--faint)}.n{text-align:right;font-variant-numeric:tabular-nums}
.sum td{font-weight:600}.wide{overflow-x:auto}.wide td:last-child{min-width:13rem}
.wide td:first-child{min-width:7rem}.faults td:first-child{min-width:9rem}.faults td:last-child{font-size:.88em}
a{color:var(--accent)}
.bar{display:inline-block;width:8rem;height:.6rem;background:var(--card);border-radius:.3rem;overflow:hidden}
.bar span{display:block;height:100%;background:var(--accent)}
pre{white-space:pre-wrap;word-break:break-all;background:var(--card);padding:.5rem .7rem;border-radius:.4rem}
figure{margin-bottom:.6rem}figure svg{width:auto;min-width:0;max-width:100%;overflow:visible;zoom:1.2}
@media(min-width:46rem){.columns{grid-template-columns:minmax(0,17rem) minmax(16rem,1fr)}}
@media(max-width:46rem){.bar{width:3rem}th,td{padding-right:.5rem}}
figure .caption{font-size:12px}figure .faint{font-size:10px}
.words p{margin:.25rem 0 .5rem}
section{content-visibility:visible}
.figure{width:100%;max-width:46rem;height:auto}
.figure .grid{stroke:var(--line);stroke-width:1;opacity:.4}.figure text{font:11px system-ui,sans-serif}
.figure .tick{fill:var(--faint)}.figure .name{font-weight:600}
.figure path.theirs{fill:none;stroke:var(--faint);stroke-width:1.2;opacity:.55}
.figure path.theirs:hover{stroke:var(--ink);stroke-width:3;opacity:1}
.figure path.ours{fill:none;stroke-width:2.8}.figure .column{fill:var(--accent)}
"""
