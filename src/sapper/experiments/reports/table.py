"""Claims, measurements and verdicts as Markdown, for documents."""

from __future__ import annotations

from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING

from sapper.experiments.reports.claims import HOW, count_verdicts, of_ours, of_reports
from sapper.experiments.reports.page import name_report

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.experiments.reports.claims import Check, Report, Row
    from sapper.experiments.reports.page import Section


def draw_tables(sections: Sequence[Section], about: Sequence[str]) -> str:
    """Return how the verdicts come about, all of them counted, and a table of claims for every experiment."""
    lines = [
        *(f"{_wrap(line)}\n" for line in about),
        *(_wrap(f"- {line}", "  ") for line in HOW),
        "",
        "| report | experiment | claims of the report | claims of ours |",
        "|---|---|---|---|",
        *(_draw_row(section) for section in sections),
        "",
    ]
    parts = []
    for name, group in groupby(sections, key=lambda one: one.experiment.report):
        members = list(group)
        drawn = [_draw_one(section) for section in members]
        parts += drawn if members[0].report is None else _draw_report(name, members[0].report, drawn)
    return "\n".join(lines) + "\n" + "\n".join(parts)


def _draw_report(name: str, report: Report, drawn: list[str]) -> list[str]:
    built = "\n".join(f"{_wrap(line)}\n" for line in report.built)
    unmeasured = "\n".join(_wrap(f"- {line}", "  ") for line in report.unmeasured)
    return [
        f"## {name_report(name)}: {report.title}\n\n{built}",
        *drawn,
        *([f"Not measured:\n\n{unmeasured}\n"] if unmeasured else []),
    ]


def _draw_row(section: Section) -> str:
    experiment = section.experiment
    counted = f"{count_verdicts(of_reports(section.checks))} | {count_verdicts(of_ours(section.checks))}"
    return f"| {experiment.report} | {_cell(experiment.title)} | {counted} |"


def _draw_one(section: Section) -> str:
    experiment = section.experiment
    lines = [
        f"### {experiment.title}",
        "",
        _wrap(f"`{experiment.name}`. {experiment.about}"),
        "",
        _wrap(f"Played: {experiment.played} {section.played}"),
        "",
    ]
    if section.rows:
        lines += [*_draw_rows(section.rows), ""]
    for name, checks in section.groups:
        lines += [f"**{name}: {count_verdicts(checks)}.**", "", *_draw_group(checks), ""]
    if experiment.note:
        lines.append(f"{_wrap(experiment.note)}\n")
    return "\n".join(lines)


def _draw_rows(rows: Sequence[Row]) -> list[str]:
    return [
        "| | the report | the report's agent, here | sound version |",
        "|---|---|---|---|",
        *(f"| {' | '.join(_cell(text) for text in row)} |" for row in rows),
    ]


def _draw_group(checks: Sequence[Check]) -> list[str]:
    lines = ["| claim | measured | |", "|---|---|---|"]
    for check in checks:
        quote = f"<br>*“{check.quote}”*" if check.quote else ""
        number = f"<br>Compared with {check.number}." if check.number else ""
        why = f"<br>*{check.reason_name}* {check.reason}" if check.reason else ""
        lines.append(f"| {_cell(check.claim + quote)} | {_cell(check.measured + number + why)} | {check.verdict} |")
    return lines


def _wrap(text: str, indent: str = "") -> str:
    return fill(text, 120, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
