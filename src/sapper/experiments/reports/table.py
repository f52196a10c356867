"""Claims, measurements and verdicts as Markdown, for documents."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from sapper.experiments.reports.claims import HOW, count_verdicts, of_ours, of_reports

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.experiments.reports.claims import Check
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
    return "\n".join(lines) + "\n" + "\n".join(_draw_one(section) for section in sections)


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
    for name, checks in section.groups:
        lines += [f"**{name}: {count_verdicts(checks)}.**", "", *_draw_group(checks), ""]
    if experiment.note:
        lines.append(f"{_wrap(experiment.note)}\n")
    return "\n".join(lines)


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
