"""The directive ``command-help``: a section for every command of Sapper, from the same source as ``--help``.

The page cannot fall behind the program, because it is made from the program whenever the site is built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective
from typer.testing import CliRunner

from sapper.cli.app import COMMANDS
from sapper.cli.app import app as sapper_app

if TYPE_CHECKING:
    from docutils.nodes import Node
    from sphinx.application import Sphinx

# As wide as the text of a page.
WIDTH = 84


def describe_command(name: str) -> str:
    """A section in Markdown: what the command is for, then how it is called as the terminal says it."""
    said = CliRunner().invoke(sapper_app, [name, "--help"], env={"COLUMNS": str(WIDTH)}).stdout
    purpose, usage, rest = said.partition("Usage:")
    return f"### `sapper {name}`\n\n{' '.join(purpose.split())}\n\n```text\n{usage}{rest.rstrip()}\n```\n"


def describe_all() -> str:
    """All commands in Markdown, by what people do with them."""
    parts = []
    for group, entries in COMMANDS.items():
        parts.append(f"## {group.rstrip(':')}\n")
        parts += [describe_command(entry.name) for entry in entries]
    return "\n".join(parts)


class CommandHelp(SphinxDirective):
    """Write a section for every command."""

    def run(self) -> list[Node]:
        """Make the sections."""
        return self.parse_text_to_nodes(describe_all(), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known to Sphinx."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
