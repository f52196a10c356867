"""Write the report page: every figure, claim, measurement and verdict, as one HTML file or as Markdown.

The page needs no other files, has light and dark colours and fits a phone. Equal results give equal bytes. Figures are
those of `plots`, with colours from the page's style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING

from sapper.draw.pages import html_page, page_colours
from sapper.experiments.plots import COLOURS, render
from sapper.experiments.reports.claims import (
    FAILS,
    HOLDS,
    HOW,
    OPEN,
    Check,
    ComparisonRow,
    Experiment,
    Picture,
    Report,
    count_verdicts,
    of_ours,
    of_reports,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The colours of `plots` for a dark page.
_ON_DARK = ("#f4f6f8", "#ff9552", "#6fb1e8", "#f0c14a", "#5fd08e", "#b4e2f8", "#d99ad9", "#86dccd")
_GREYS = {"#ffffff": "none", "#dddddd": "var(--line)", "#7f7f7f": "var(--faint)"}


def draw_inline(figure: Figure, prefix: str) -> str:
    """Return a figure as part of a page; ``prefix`` makes its ids unique."""
    return inline_svg(render(figure, "svg").decode(), prefix)


def inline_svg(svg: str, prefix: str) -> str:
    """Return an SVG as part of a page: ids made unique, colours as variables, no external references.

    >>> inline_svg('<?xml?><svg xmlns="x" width="9pt" height="9pt"><path id="a"/><use xlink:href="#a"/></svg>', "f1-")
    '<svg role="img"><path id="f1-a"/><use href="#f1-a"/></svg>'
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<svg[^>]*>", _open_svg, svg, count=1)
    svg = re.sub(r'\bid="', f'id="{prefix}', svg)
    svg = svg.replace("url(#", f"url(#{prefix}").replace('xlink:href="#', f'href="#{prefix}')
    return re.sub(r"#[0-9a-f]{6}\b", _name_colour, svg).strip()


def _open_svg(match: re.Match[str]) -> str:
    found = re.search(r'viewBox="[^"]*"', match[0])
    return f'<svg role="img" {found[0]}>' if found else '<svg role="img">'


def _name_colour(match: re.Match[str]) -> str:
    colour = match[0]
    return f"var(--c{COLOURS.index(colour)})" if colour in COLOURS else _GREYS.get(colour, colour)


def _style_sheet() -> str:
    """Return the style of the page: its rules, and named colours for light and dark."""
    on_light = _LIGHT | {f"c{number}": colour for number, colour in enumerate(COLOURS)}
    on_dark = _DARK | {f"c{number}": colour for number, colour in enumerate(_ON_DARK)}
    return _STYLE + page_colours(on_light, on_dark)


# The same type, measures and greys as the pages of `sapper trace`.
_STYLE = "\n" + (files("sapper.data") / "reports.css").read_text("utf-8")


# Every verdict has a sign and a word as well as a colour.
_SIGNS = {HOLDS: ("✓", "yes"), FAILS: ("✗", "no"), OPEN: ("?", "open")}
_MIXED = ("◐", "part")


@dataclass(frozen=True, slots=True)
class Section:
    """The results of one experiment."""

    experiment: Experiment
    checks: Sequence[Check]
    pictures: Sequence[Picture]
    played: str  # number of games, and seeds
    rows: Sequence[ComparisonRow] = ()  # the report's numbers beside ours
    report: Report | None = None  # for a headline

    @property
    def groups(self) -> list[tuple[str, list[Check]]]:
        """Return the report's claims and ours, each with a title; empty groups are left out."""
        named = ((f"Claims of report {self.experiment.report}", of_reports), ("Our claims", of_ours))
        return [(name, found) for name, choose in named if (found := choose(self.checks))]


def draw_page(sections: Sequence[Section], about: Sequence[str]) -> str:
    """Return the page; ``about`` follows the title."""
    title = "The reports, reproduced"
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
    return html_page(title, _style_sheet(), [*parts, "</main>"], "img-src data:")


def _draw_overview(sections: Sequence[Section]) -> str:
    rows = "".join(
        f'<tr><td class="report">{escape(section.experiment.report)}</td>'
        f'<td><a href="#{section.experiment.name}">{escape(section.experiment.title)}</a></td>'
        f'<td data-of="report: ">{_badge(of_reports(section.checks))}</td>'
        f'<td data-of="ours: ">{_badge(of_ours(section.checks))}</td></tr>'
        for section in sections
    )
    head = "<tr><th>report</th><th>experiment</th><th>the report's claims</th><th>our claims</th></tr>"
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
    """Return the headline of a report, or of a topic beyond the reports."""
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


def _draw_rows(rows: Sequence[ComparisonRow]) -> str:
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
    """Escape text for the page, without line breaks inside board sizes."""
    return escape(re.sub(r"(?<=\d) (?=x \d)|(?<=\d x) (?=\d)", "\N{NO-BREAK SPACE}", text))


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


def draw_tables(sections: Sequence[Section], about: Sequence[str]) -> str:
    """Return Markdown: how verdicts are reached, how many there are, and a table of claims for every experiment."""
    lines = [
        *(f"{_wrap(line)}\n" for line in about),
        *(_wrap(f"- {line}", "  ") for line in HOW),
        "",
        "|report|experiment|the report's claims|our claims|",
        "|---|---|---|---|",
        *(_draw_row(section) for section in sections),
        "",
    ]
    parts = []
    for name, group in groupby(sections, key=lambda one: one.experiment.report):
        members = list(group)
        drawn = [_draw_one(section, before) for section, before in zip(members, [None, *members], strict=False)]
        parts += drawn if members[0].report is None else _write_report(name, members[0].report, drawn)
    return "\n".join(lines) + "\n" + "\n".join(parts)


def _write_report(name: str, report: Report, drawn: list[str]) -> list[str]:
    built = "\n".join(f"{_wrap(line)}\n" for line in report.built)
    unmeasured = "\n".join(_wrap(f"- {line}", "  ") for line in report.unmeasured)
    return [
        f"## {name_report(name)}: {report.title}\n\n{built}",
        *drawn,
        *([f"Not measured:\n\n{unmeasured}\n"] if unmeasured else []),
    ]


def _draw_row(section: Section) -> str:
    experiment = section.experiment
    counted = f"{count_verdicts(of_reports(section.checks))}|{count_verdicts(of_ours(section.checks))}"
    return f"|{experiment.report}|{_cell(experiment.title)}|{counted}|"


def _draw_one(section: Section, before: Section | None) -> str:
    experiment, last = section.experiment, before and before.experiment
    about = "As above." if last and last.about == experiment.about else experiment.about
    played = "as above." if last and last.played == experiment.played else experiment.played
    lines = [
        f"### {experiment.title}",
        "",
        _wrap(f"`{experiment.name}`. {about}"),
        "",
        _wrap(f"Played: {played} {section.played}"),
        "",
    ]
    if section.rows:
        lines += [*_write_rows(section.rows), ""]
    for name, checks in section.groups:
        lines += [f"**{name}: {count_verdicts(checks)}.**", "", *_write_group(checks), ""]
    if experiment.note:
        lines.append(f"{_wrap(experiment.note)}\n")
    return "\n".join(lines)


def _write_rows(rows: Sequence[ComparisonRow]) -> list[str]:
    return [
        "||the report|the report's agent, here|sound version|",
        "|---|---|---|---|",
        *(f"|{'|'.join(_cell(text) for text in row)}|" for row in rows),
    ]


def _write_group(checks: Sequence[Check]) -> list[str]:
    lines = ["|claim|measured||", "|---|---|---|"]
    for check in checks:
        quote = f"<br>*“{check.quote}”*" if check.quote else ""
        number = f"<br>Compared with {check.number}." if check.number else ""
        why = f"<br>*{check.reason_name}* {check.reason}" if check.reason else ""
        lines.append(f"|{_cell(check.claim + quote)}|{_cell(check.measured + number + why)}|{check.verdict}|")
    return lines


def _wrap(text: str, indent: str = "") -> str:
    return fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
