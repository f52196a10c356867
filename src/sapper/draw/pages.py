"""HTML documents in one file: the frame of any document, and a game step by step with a picture of each step.

A document fetches nothing, follows the reader's light or dark setting and fits a phone. Arrow keys or plain links go
from step to step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from typing import NamedTuple

from sapper.draw.palette import DARK_GROUND, LIGHT_GROUND
from sapper.draw.svg import CELL, MARGIN, draw_svg
from sapper.errors import FormatError
from sapper.observation import Observation
from sapper.words import count


def html_page(title: str, style: str, body: Iterable[str], allowed: str) -> str:
    """Return a document that follows the reader's light or dark setting and fetches nothing.

    ``allowed`` is what its Content-Security-Policy allows besides inline styles.

    >>> print(html_page("A & B", "p { margin: 0 }", ["<p>Hello</p>"], "img-src data:"))
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
    <meta name="color-scheme" content="light dark">
    <title>A &amp; B</title>
    <style>p { margin: 0 }</style>
    </head>
    <body>
    <p>Hello</p>
    </body>
    </html>
    <BLANKLINE>
    """
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # The browser must refuse to fetch anything.
        '<meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src 'unsafe-inline'; {allowed}\">",
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


# A picture takes hundreds of bytes per cell; a browser would freeze on a larger document.
MAX_CELLS = 400_000


@dataclass(frozen=True, slots=True)
class Scene:
    """One step of a game; cells by number."""

    observation: Observation  # after the step
    decision: str
    deductions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # its risk and outcome
    opened: int | None = None  # the cell that was chosen
    clues: tuple[int, ...] = ()  # that prove the choice
    uncovered: tuple[int, ...] = ()  # everything that the step opened
    title: str = ""  # above the picture; by default "Step" and its number


class Labels(NamedTuple):
    """What the marks in the pictures mean."""

    chosen: str = "the cell chosen"
    ringed: str = "the clues it follows from"
    dotted: str = "opened with it"


def draw_trace(
    title: str, about: Sequence[str], scenes: Sequence[Scene], ending: Sequence[str], labels: Labels | None = None
) -> str:
    """Return the document, with ``about`` below the title and ``ending`` at the foot. Linear in steps times cells."""
    n_drawn = sum(scene.observation.topology.n_cells for scene in scenes)
    if n_drawn > MAX_CELLS:
        raise FormatError(
            f"{len(scenes)} pictures would show {n_drawn:,} cells; a page holds at most {MAX_CELLS:,}, so use a "
            "smaller board."
        )
    last = len(scenes)
    parts = [
        '<header id="step-0">',
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(line)}</p>" for line in about),
        draw_legend(
            labels or Labels(),
            has_clues=any(scene.clues for scene in scenes),
            has_dots=any(len(scene.uncovered) > 1 for scene in scenes),
        ),
        "</header>",
        "<main>",
    ]
    for number, scene in enumerate(scenes, start=1):
        parts += _draw_scene(number, scene)
    parts += [
        "</main>",
        f'<footer id="step-{last + 1}">',
        *(f"<p>{escape(line)}</p>" for line in ending),
        '<nav><a href="#step-0">Back to the top</a></nav>',
        "</footer>",
        f"<script>{_SCRIPT}</script>",
    ]
    return html_page(title, page_style() + picture_style(scenes), parts, "script-src 'unsafe-inline'")


def _draw_scene(number: int, scene: Scene) -> list[str]:
    parts = [
        f'<section id="step-{number}">',
        f'<h2><span>{escape(scene.title or f"Step {number}")}</span><nav aria-label="Steps">'
        f'<a href="#step-{number - 1}" aria-label="Previous">&larr;</a> '
        f'<a href="#step-{number + 1}" aria-label="Next">&rarr;</a></nav></h2>',
        '<div class="columns">',
        f"<figure>{draw_picture(scene)}</figure>",
        '<div class="words">',
    ]
    if scene.deductions:
        parts += [
            f"<details{' open' if len(scene.deductions) <= 6 else ''}>",
            f"<summary>{count(len(scene.deductions), 'deduction')}</summary>",
            "<ul>",
            *(f"<li>{escape(line)}</li>" for line in scene.deductions),
            "</ul>",
            "</details>",
        ]
    parts.append(f'<p class="decision">{escape(scene.decision)}</p>')
    parts += [f'<p class="note">{escape(line)}</p>' for line in scene.notes]
    parts += ["</div>", "</div>", "</section>"]
    return parts


def draw_picture(scene: Scene) -> str:
    """Return the picture of a scene, for a page whose head has `picture_style`."""
    # All pictures share one style sheet, in the head of the document.
    before, _, after = draw_svg(scene.observation, scene.clues, pointing=False).partition("<style>")
    picture = before + after.partition("</style>")[2]
    body, end, _ = picture.rpartition("</svg>")
    overlay = [_outline(scene.observation, cell, "uncovered") for cell in scene.uncovered if cell != scene.opened]
    if scene.opened is not None:
        overlay.append(_outline(scene.observation, scene.opened, "chosen"))
    return body + "".join(overlay) + end


def _outline(observation: Observation, cell: int, kind: str) -> str:
    row, col = observation.topology.cell(cell)
    shift = CELL // 2 if observation.topology.shape == "hex" and row % 2 else 0
    left, top = MARGIN + shift + col * CELL, MARGIN + row * CELL
    if kind == "uncovered":
        return f'<circle class="uncovered" cx="{left + CELL - 5}" cy="{top + 5}" r="1.8"/>'
    return f'<rect class="{kind}" x="{left + 1}" y="{top + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="3"/>'


def draw_legend(labels: Labels, *, has_clues: bool, has_dots: bool = False) -> str:
    """Return a line that says what the marks in pictures mean."""
    entries = [f'<span class="key chosen-key"></span> {escape(labels.chosen)}']
    if has_clues:
        entries.append(f'<span class="key clue-key"></span> {escape(labels.ringed)}')
    if has_dots:
        entries.append(f'<span class="key dot-key"></span> {escape(labels.dotted)}')
    return f'<p class="legend">{"".join(f"<span>{entry}</span>" for entry in entries)}</p>'


def picture_style(scenes: Sequence[Scene]) -> str:
    """Return the style sheet of the pictures and their width: small boards grow, large ones scroll when narrow."""
    if not scenes:
        return ""
    drawn = draw_svg(scenes[0].observation)
    width = MARGIN + scenes[0].observation.cols * CELL + 16
    height = MARGIN + scenes[0].observation.rows * CELL + 22
    widest = max(width, min(2 * width, 280))
    # Digits grow with the board, but captions stay as large as the text.
    shrink = width / widest
    return (
        drawn.partition("<style>")[2].partition("</style>")[0]
        + f"figure .caption{{font-size:{13 * shrink:.1f}px}}figure .faint{{font-size:{11 * shrink:.1f}px}}"
        + f"figure svg{{width:100%;max-width:{widest}px;min-width:{min(width * 3 // 5, 560)}px;height:auto}}"
        # Browsers skip the layout of steps out of sight; an estimated height keeps links exact.
        + f"section{{contain-intrinsic-size:auto {round(height * min(widest, 560) / width) + 84}px}}"
        + f".columns{{--picture:{min(widest, 560)}px}}"
    )


def page_style() -> str:
    """Return the style of a page: type, colours and links."""
    return _COMMON + page_colours()


def page_colours(light: Mapping[str, str] | None = None, dark: Mapping[str, str] | None = None) -> str:
    """Return the colours of a page as variables, with others besides the ground's."""
    on_light, on_dark = (
        ":root{" + ";".join(f"--{name}:{value}" for name, value in (asdict(ground) | dict(others or {})).items()) + "}"
        for ground, others in ((LIGHT_GROUND, light), (DARK_GROUND, dark))
    )
    return f"{on_light}@media(prefers-color-scheme:dark){{{on_dark}}}"


_COMMON = "\n" + (files("sapper.data") / "trace.css").read_text("utf-8")

# The step nearest to the top of the window is the current one, so that scrolling and keys agree.
_SCRIPT = "\n" + (files("sapper.data") / "trace.js").read_text("utf-8")
