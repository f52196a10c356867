"""The report page: one HTML file with every figure, claim, measurement and verdict in it.

It needs nothing from outside, follows the reader's light or dark setting and fits a telephone. The same results give
the same page, byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from sapper.draw.html import html_page
from sapper.experiments.pages import draw_inline, style_sheet
from sapper.experiments.reports.claims import FAILS, HOLDS, HOW, OPEN, count_verdicts, of_ours, of_reports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.experiments.reports.claims import Check, Experiment, Picture, Report, Row

# Every verdict has a sign and a word as well as a colour.
_SIGNS = {HOLDS: ("✓", "yes"), FAILS: ("✗", "no"), OPEN: ("?", "open")}
_MIXED = ("◐", "part")


@dataclass(frozen=True, slots=True)
class Section:
    """What came out of one experiment."""

    experiment: Experiment
    checks: Sequence[Check]
    pictures: Sequence[Picture]
    played: str  # how many games, from which seeds
    rows: Sequence[Row] = ()  # the report's numbers beside ours
    report: Report | None = None  # what it belongs to, for a headline

    @property
    def groups(self) -> list[tuple[str, list[Check]]]:
        """The claims of the report and those of ours, each with what they are called, where there are any."""
        named = ((f"Claims of report {self.experiment.report}", of_reports), ("Claims of ours", of_ours))
        return [(name, found) for name, choose in named if (found := choose(self.checks))]


def draw_page(sections: Sequence[Section], about: Sequence[str]) -> str:
    """Return the page; ``about`` stands below the title."""
    title = "The reports, played again"
    parts = [
        "<header>",
        f"<h1>{title}</h1>",
        *(f"<p>{_words(line)}</p>" for line in about),
        '<ul class="how">',
        *(f"<li>{_words(line)}</li>" for line in HOW),
        "</ul>",
        "</header>",
        _draw_overview(sections),
        "<main>",
    ]
    for name, group in groupby(enumerate(sections, start=1), key=lambda one: one[1].experiment.report):
        members = list(group)
        report = members[0][1].report
        parts += _draw_report(name, report)
        for number, section in members:
            parts += _draw_section(number, section)
        parts += _draw_unmeasured(name, report)
    return html_page(title, style_sheet(_RULES, _LIGHT, _DARK), [*parts, "</main>"], "img-src data:")


def _draw_overview(sections: Sequence[Section]) -> str:
    rows = "".join(
        f'<tr><td class="report">{escape(section.experiment.report)}</td>'
        f'<td><a href="#{section.experiment.name}">{escape(section.experiment.title)}</a></td>'
        f'<td data-of="report: ">{_badge(of_reports(section.checks))}</td>'
        f'<td data-of="ours: ">{_badge(of_ours(section.checks))}</td></tr>'
        for section in sections
    )
    head = "<tr><th>report</th><th>experiment</th><th>claims of the report</th><th>claims of ours</th></tr>"
    return (
        f'<nav aria-label="Experiments"><table class="overview"><thead>{head}</thead><tbody>{rows}</tbody>'
        f"</table></nav>"
    )


def _badge(checks: Sequence[Check]) -> str:
    if not checks:
        return '<span class="none">none</span>'
    verdicts = {check.verdict for check in checks}
    sign, kind = _SIGNS[verdicts.pop()] if len(verdicts) == 1 else _MIXED
    return f'<span class="badge {kind}"><span aria-hidden="true">{sign}</span> {count_verdicts(checks)}</span>'


def name_report(name: str) -> str:
    """What a report, or what goes further than the reports, is called in a headline."""
    return f"Report {name}" if name.isdecimal() else name.capitalize()


def _draw_report(name: str, report: Report | None) -> list[str]:
    if report is None:
        return []
    return [
        f'<section class="about"><h2>{name_report(name)}: {_words(report.title)}</h2>',
        *(f"<p>{_words(line)}</p>" for line in report.built),
        "</section>",
    ]


def _draw_unmeasured(name: str, report: Report | None) -> list[str]:
    if report is None or not report.unmeasured:
        return []
    return [
        f'<section><h3>Not measured, report {name}</h3><ul class="how">',
        *(f"<li>{_words(line)}</li>" for line in report.unmeasured),
        "</ul></section>",
    ]


def _draw_rows(rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    has_sound = any(row.sound for row in rows)
    heads = ["", "the report", "the report's agent, here", *(["sound version"] if has_sound else [])]
    head = "".join(f"<th>{_words(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{_words(text)}</td>" for text in row[: len(heads)]) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="numbers"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _draw_section(number: int, section: Section) -> list[str]:
    experiment = section.experiment
    figures = [
        f"<figure>{draw_inline(picture.figure, f'f{number}-{place}-')}"
        f"<figcaption>{_words(picture.caption)}</figcaption></figure>"
        for place, picture in enumerate(section.pictures, start=1)
    ]
    return [
        f'<section id="{experiment.name}">',
        f"<h3>{escape(experiment.title)}</h3>",
        f"<p>{_words(experiment.about)}</p>",
        f"<p><b>Played.</b> {_words(experiment.played)} {_words(section.played)}</p>",
        f'<div class="figures">{"".join(figures)}</div>',
        _draw_rows(section.rows),
        *(line for name, checks in section.groups for line in _draw_group(name, checks)),
        *([f'<p class="note">{_words(experiment.note)}</p>'] if experiment.note else []),
        "</section>",
    ]


def _words(text: str) -> str:
    """Text for the page; per cents and sizes of boards are not torn apart at the end of a line."""
    return escape(re.sub(r"(?<=\d) (?=%|x \d)|(?<=\d x) (?=\d)", "\N{NO-BREAK SPACE}", text))


def _draw_group(name: str, checks: Sequence[Check]) -> list[str]:
    return [
        f"<h4>{_words(name)}: {_badge(checks)}</h4>",
        '<ul class="checks">',
        *(_draw_check(check) for check in checks),
        "</ul>",
    ]


def _draw_check(check: Check) -> str:
    sign, kind = _SIGNS[check.verdict]
    number = f"<p>Compared with {_words(str(check.number))}.</p>" if check.number else ""
    quote = f"<blockquote>“{_words(check.quote)}”</blockquote>" if check.quote else ""
    why = f'<p class="why"><b>{check.reason_name}</b> {_words(check.reason)}</p>' if check.reason else ""
    return (
        f'<li class="{kind}"><span class="sign"><span aria-hidden="true">{sign}</span> {check.verdict}</span>'
        f'<div><p class="said">{_words(check.claim)}</p>{quote}<p>Measured: {_words(check.measured)}</p>{number}{why}'
        f"</div></li>"
    )


_LIGHT = {"yes": "#0b6b3a", "part": "#8a5a00", "no": "#a3160d"}
_DARK = {"yes": "#74d592", "part": "#f2b566", "no": "#ff9486"}
_RULES = """
nav{margin:1.25rem 0 2rem}
.none{color:var(--faint)}
.report{color:var(--faint);font-variant-numeric:tabular-nums;white-space:nowrap}
.badge{font-weight:600;white-space:nowrap}
.yes{--of:var(--yes)}.part{--of:var(--part)}.no{--of:var(--no)}.open{--of:var(--faint)}
.badge{color:var(--of)}
.how{margin:.5rem 0;padding-left:1.2rem;color:var(--faint);max-width:48rem}
.checks{list-style:none;margin:1rem 0 0;padding:0;max-width:52rem}
.checks li{display:flex;gap:.75rem;padding:.6rem 0;border-top:1px solid var(--line)}
.about h2{font-size:1.35rem}
h3{font-size:1.15rem}
h4{font-size:1rem;font-weight:650;margin:1.25rem 0 .4rem}
.wide{overflow-x:auto}
.numbers{max-width:52rem;margin:1rem 0;font-variant-numeric:tabular-nums}
.numbers td:first-child{color:var(--faint)}
.numbers td+td{white-space:nowrap}
.checks p{margin:0}
.checks blockquote{margin:.1rem 0;font-style:italic;color:var(--faint)}
.sign{flex:none;width:4.75rem;white-space:nowrap;font-weight:700;color:var(--of)}
.said{font-weight:600}
.why{margin-top:.35rem!important;color:var(--faint)}
.why b{color:var(--ink)}
@media(max-width:40rem){.overview thead{display:none}.overview td{display:inline-block;border:0;padding:0 1rem 0 0}
.overview tr{display:block;padding:.45rem 0;border-top:1px solid var(--line)}
.overview td:nth-child(2){display:block}.overview td[data-of]::before{content:attr(data-of);color:var(--faint)}
.checks li{display:block}}
"""
