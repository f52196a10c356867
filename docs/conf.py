"""How Sphinx builds the site: ``make docs`` writes it to build/docs and takes every warning for an error."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pygments.lexers.special import TextLexer

import sapper

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "extensions"))

project = "Sapper"
author = "The Sapper team"
project_copyright = author
version = release = sapper.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx_copybutton", "command_help", "field_comments"]
exclude_patterns = ["extensions"]
language = "en"

html_theme = "furo"
html_title = f"Sapper {version}"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
pygments_style = "friendly"
pygments_dark_style = "monokai"

myst_enable_extensions = ["colon_fence", "deflist"]
# Documents link to headings of each other, as code hosts name them.
myst_heading_anchors = 4
# A test runs the notebook and compares what it stores, so that the pictures are there on a code host too.
nb_execution_mode = "off"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
default_role = "py:obj"
# Nothing is fetched, so names of Python, NumPy and Gymnasium have no page to link to. Names of ours must have one.
nitpick_ignore_regex = [("py:.*", r"(?!sapper\.).*")]
# Types of attributes that nobody needs to name.
nitpick_ignore = [
    ("py:class", f"sapper.{name}")
    for name in (
        "experiments.store.Run",
        "inference.posterior.exact.PosteriorQuery",
        "inference.proofs.explain.CellRisk",
        "inference.proofs.sentences.ProofStep",
        "inference.reasoning.single.Deduction",
        "kernels._compiled.Board",
        "play.review.review.Review",
    )
]

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# Documents at the top of the repository, and the pages of the site that show them.
AT_THE_TOP = {
    "README": "readme",
    "CHANGELOG": "changelog",
    "CONTRIBUTING": "contributing",
    "ARCHITECTURE": "architecture",
}

# A picture that has a dark twin on a code host; the site shows the light one.
PICTURE = re.compile(r'<picture>.*?<img alt="([^"]*)" src="([^"]*)"[^>]*></picture>', re.DOTALL)


def bring_in_the_top(app: Sphinx, page: str, source: list[str]) -> None:
    """Show the documents at the top of the repository, which read well on a code host where they are.

    Links to them and links within them are made to fit their places on the site.
    """
    folder = ".." if "/" not in page else "../.."
    for document, shown_as in AT_THE_TOP.items():
        if page == shown_as:
            path = HERE.parent / f"{document}.md"
            app.env.note_dependency(str(path))
            text = PICTURE.sub(r"![\1](\2)", path.read_text(encoding="utf-8")).replace("](docs/", "](")
            text = text.replace("```mermaid", "```text")  # drawn on a code host
            source[0] = re.sub(r"\]\((benchmarks|examples|src|tests|LICENSE)", r"](../\1", text)
            for other, place in AT_THE_TOP.items():
                source[0] = source[0].replace(f"]({other}.md", f"]({place}.md")
        source[0] = source[0].replace(f"]({folder}/{document}.md", f"]({folder[:-2]}{shown_as}.md")


def link_by_last_name(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: Element) -> Element | None:
    """Link what a docstring names by its last name alone, such as `TooHard`, if there is one such name."""
    if node.get("refdomain") != "py":
        return None
    python = env.domains.python_domain
    found = [
        name for name, entry in python.objects.items() if name.endswith(f".{node['reftarget']}") and not entry.aliased
    ]
    if len(found) != 1:
        return None
    return python.resolve_xref(env, node["refdoc"], app.builder, "obj", found[0], node, text)


def setup(app: Sphinx) -> None:
    """Tell Sphinx about the functions above."""
    app.connect("source-read", bring_in_the_top)
    app.connect("missing-reference", link_by_last_name)
    app.add_lexer("http", TextLexer)  # the examples of the API leave out the headers, which Pygments insists on
