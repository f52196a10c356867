"""Claims, measurements and verdicts as Markdown, for documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sapper.experiments.reports.page import Section

_WORDS = {True: "holds", False: "does not hold", None: "cannot be told"}


def draw_tables(sections: Sequence[Section]) -> str:
    """Return a heading, the verdict and a table of claims for every experiment."""
    return "\n".join(_draw_one(section) for section in sections)


def _draw_one(section: Section) -> str:
    experiment = section.experiment
    lines = [
        f"### {experiment.title}",
        "",
        f"`{experiment.name}`, **{section.verdict}**. {experiment.claim}",
        "",
        f"Played: {experiment.played} {section.played}",
        "",
        "| claim | measured | |",
        "|---|---|---|",
        *(f"| {_cell(check.claim)} | {_cell(check.measured)} | {_WORDS[check.holds]} |" for check in section.checks),
        "",
    ]
    # Several claims may fail for one reason.
    whys = dict.fromkeys(check.why for check in section.checks if check.holds is False and check.why)
    lines += [f"*Why not?* {why}\n" for why in whys]
    if experiment.note:
        lines.append(f"{experiment.note}\n")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
