"""What pages of results share: figures inside a page, and its look. Light or dark as the reader has it.

Figures are those of `plots`, whose colours are left to the page, so that one figure suits both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sapper.draw.palette import DARK, LIGHT
from sapper.experiments.plots import COLOURS, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sapper.draw.palette import Palette

# The colours of `plots` for dark surroundings: as far apart, but light.
_ON_DARK = ("#f4f6f8", "#ff9552", "#6fb1e8", "#f0c14a", "#5fd08e", "#b4e2f8", "#d99ad9", "#86dccd")
_GREYS = {"#ffffff": "none", "#dddddd": "var(--line)", "#7f7f7f": "var(--faint)"}


def draw_inline(figure: Figure, prefix: str) -> str:
    """Return a figure as a part of a page; ``prefix`` makes the names in it unique."""
    return inline_svg(render(figure, "svg").decode(), prefix)


def inline_svg(svg: str, prefix: str) -> str:
    """Return a figure as a part of a page: names made unique, colours left to the page, nothing from elsewhere.

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


def style_sheet(rules: str = "", light: dict[str, str] | None = None, dark: dict[str, str] | None = None) -> str:
    """The style of a page: what all have in common, its own rules, and colours by name for light and for dark."""
    on_light = {f"c{number}": colour for number, colour in enumerate(COLOURS)}
    on_dark = {f"c{number}": colour for number, colour in enumerate(_ON_DARK)}
    return (
        f"{_COMMON}{rules}{_colours(LIGHT, (light or {}) | on_light)}"
        f"@media(prefers-color-scheme:dark){{{_colours(DARK, (dark or {}) | on_dark)}}}"
    )


def _colours(palette: Palette, others: dict[str, str]) -> str:
    named = {
        "ink": palette.ink,
        "faint": palette.faint,
        "paper": palette.edge,
        "card": palette.open,
        "line": palette.hidden,
        **others,
    }
    return ":root{" + ";".join(f"--{name}:{value}" for name, value in named.items()) + "}"


# The look of the pages of `sapper trace`: same type, same measures, same greys.
_COMMON = """
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:64rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;margin:0 0 .4rem}
h2{font-size:1.2rem;line-height:1.3;font-weight:650;margin:0 0 .4rem}
header p{margin:.25rem 0;color:var(--faint)}
a{color:inherit;text-decoration-color:var(--faint);text-underline-offset:.2em}
table{border-collapse:collapse;width:100%}
td,th{padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:baseline}
td{border-top:1px solid var(--line)}
th{font-size:.88rem;font-weight:400;color:var(--faint)}
section{padding:1.5rem 0;border-top:1px solid var(--line);scroll-margin-top:.5rem}
section>p{margin:.5rem 0;max-width:48rem}
h3{font-size:1rem;font-weight:650;margin:1.25rem 0 .4rem}
.figures{display:grid;gap:1rem 2rem;margin:1rem 0;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}
figure{margin:0;min-width:0;max-width:34rem}
figure svg{display:block;width:100%;height:auto;overflow:visible;fill:var(--ink)}
figure svg text{fill:var(--ink);font-family:inherit!important}
figcaption{font-size:.88rem;color:var(--faint);margin-top:.35rem}
.note{color:var(--faint)}
"""
