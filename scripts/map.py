"""Draw the architecture of a Python package from its code, and print how large the code is.

Packages are rooms, as large as their lines are many; packages within them are rooms within the room. An arrow leads
from a room to one that it imports from. Rows are layers: a room stands one row above the highest room that it imports
from; within a room, layers may also be columns, from left to right. Modules that are in no package and need none but
the lowest ones share a room.

``make map`` writes docs/pictures/map.svg. Nothing is imported, so ``--source`` can draw any version of the code.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

sys.path.insert(0, str(Path(__file__).parent.parent))  # the files beside this one, as type checkers know them

from scripts.code_figures import Room, UnreadableCode, describe, find_packages, make_rooms, measure, read_package
from scripts.map_labels import SPACE, Span, Style, Text, find_corner, find_label, label_height
from scripts.map_plan import MARGIN, WIDTH, Box, Crowded, Floor, Plan, lay_floors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


ROOT = Path(__file__).parent.parent
CAPTION = (
    "The area of a room is its lines of code; rooms within a room are drawn to a smaller scale.",
    "Arrows lead to what is imported, the wider the more often. What follows from other arrows is left out.",
)


class Colours(NamedTuple):
    """The colours of a picture; those of rooms are saturation and lightness, for their hue tells the layer."""

    page: str
    ink: str
    faint: str
    arrow: str
    within: str
    fill: str
    edge: str


LIGHT = Colours("#ffffff", "#1c1f23", "#59626c", "#7d8894", "#ffffffa0", "45%,93%", "30%,74%")
DARK = Colours("#15181c", "#f4f6f8", "#a9b2bc", "#808b97", "#ffffff10", "22%,20%", "20%,36%")


def draw_map(whole: Room) -> str:
    """Return the picture of a package as SVG that follows the reader's light or dark setting."""
    floor = lay_floors(whole)
    foot = 60 + floor.length
    height = num(foot + 24 + 16 * len(CAPTION))
    size = " · ".join([f"{len(find_packages(whole.modules))} packages", *whole.counts])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="The packages of {escape(whole.name)} and what they import from each other">',
        f"<style>{_style_sheet(len(floor.layers))}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
        _draw_line([(whole.name, "name", 18), (size, "size", 12)], MARGIN, 34),
        *_draw_floor(floor, WIDTH / 2, (60, foot), ""),
        *(_draw_line([(line, "size", 11)], MARGIN, foot + 28 + 16 * i) for i, line in enumerate(CAPTION)),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _draw_floor(floor: Floor, middle: float, along: Span, prefix: str) -> Iterator[str]:
    """Draw the arrows and then the rooms of a floor, on both sides of a middle line."""
    plan = Plan(floor)
    edges = plan.place(middle, along)
    ports = plan.ports()
    boxes = {box.room.name: box for layer in floor.layers for box in layer}
    for arrow, n in sorted(floor.arrows.items()):
        first, last = _walls(boxes[arrow[0]], boxes[arrow[1]], floor.style)
        curves = []
        for link in plan.links_of(arrow):
            gap = plan.gap_of(link)
            begin, end = (middle + place for place in ports[link])
            above, below = edges[gap][1], edges[gap + 1][0]
            curves.append([(begin, above), (begin, (above + below) / 2), (end, (above + below) / 2), (end, below)])
        if not curves:  # rooms that import each other are in one layer, and the arrow goes over the top
            (left, right), (other_left, other_right) = (plan.spans()[name] for name in arrow)
            begin, end = middle + 0.4 * left + 0.6 * right, middle + 0.6 * other_left + 0.4 * other_right
            first = last = edges[plan.layer_of[arrow[0]]][0]
            curves = [[(begin, first), (begin, first - 16), (end, first - 16), (end, last - 8)]]
        yield _draw_arrow(f"{prefix}{arrow[0]}", f"{prefix}{arrow[1]}", n, first, curves, last, floor.style)
    for box in boxes.values():
        kind = "within" if prefix else f"layer{plan.layer_of[box.room.name]}"
        yield from _draw_room(box, kind, f"{prefix}{box.room.name}", floor.style)


def _walls(high: Box, low: Box, style: Style) -> Span:
    """Return the walls at which an arrow begins and ends."""
    return (high.y + high.height, low.y) if style.down else (high.x + high.width, low.x)


def _draw_arrow(high: str, low: str, n: int, first: float, curves: list[list[Span]], last: float, style: Style) -> str:
    """Draw an arrow from wall to wall, straight between its curves."""

    def at(across: float, along: float) -> str:
        return f"{num(across)} {num(along)}" if style.down else f"{num(along)} {num(across)}"

    head, end = style.head, curves[-1][-1][0]
    bends = "".join(f"L{at(*start)}C{' '.join(at(*point) for point in rest)}" for start, *rest in curves)
    way = f"M{at(curves[0][0][0], first)}{bends}L{at(end, last - head)}"
    tip = f"M{at(end, last)}L{at(end - head, last - 1.8 * head)}L{at(end + head, last - 1.8 * head)}z"
    width = num(style.stroke * (1 + math.log2(n) / 4))
    return (
        f'<g class="arrow" data-from="{escape(high)}" data-to="{escape(low)}">'
        f"<title>{escape(high)} imports from {escape(low)}: {n}</title>"
        f'<path class="grip" d="{way}"/><path d="{way}" stroke-width="{width}"/><path class="head" d="{tip}"/></g>'
    )


def _draw_room(box: Box, kind: str, name: str, style: Style) -> Iterator[str]:
    """Draw a room, its label and the rooms in it."""
    imports = ", ".join(f"{one} {n}" for one, n in box.room.imports) or "nothing"
    yield (
        f'<g class="room" data-room="{escape(name)}" data-lines="{box.room.n_lines}">'
        f"<title>{escape(name)}: {', '.join(box.room.counts)}\nimports {escape(imports)}</title>"
        f'<rect class="{kind}" x="{num(box.x)}" y="{num(box.y)}" width="{num(box.width)}" '
        f'height="{num(box.height)}" rx="{num(style.padding)}"/>'
    )
    label = find_label(box, style)
    y = box.y + min(0.8 * style.padding, (box.height - label_height(label)) / 2)
    for line in label:
        y += 1.3 * line[0][2]
        yield _draw_line(line, box.x + style.padding, y - 0.3 * line[0][2])
    if box.inside is not None:
        left, top = find_corner(label, style)
        across, along = (
            (box.x + left, box.x + box.width - style.padding),
            (box.y + top, box.y + box.height - style.padding),
        )
        if not box.inside.style.down:
            across, along = along, across
        yield from _draw_floor(box.inside, sum(across) / 2, along, f"{name}.")
    yield "</g>"


def _draw_line(line: Sequence[Text], x: float, y: float) -> str:
    """Draw a line of text."""
    words = (
        f'<tspan class="{kind}" font-size="{num(size)}" dx="{SPACE * (i > 0)}">{escape(text)}</tspan>'
        for i, (text, kind, size) in enumerate(line)
    )
    return f'<text x="{num(x)}" y="{num(y)}">{"".join(words)}</text>'


def num(value: float) -> str:
    """Write a number with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _style_sheet(n_layers: int) -> str:
    """Return the style of everything, in light and in dark surroundings."""
    common = (
        "text{font-family:system-ui,sans-serif}.name{font-weight:bold}.arrow path{fill:none}"
        ".arrow .grip{stroke-width:10;stroke-opacity:0}.within{stroke-opacity:.5}"
    )
    return common + _colour(LIGHT, n_layers) + "@media(prefers-color-scheme:dark){" + _colour(DARK, n_layers) + "}"


def _colour(colours: Colours, n_layers: int) -> str:
    """Return the style of colours, with layers from green at the top to blue at the bottom."""
    hues = [135 + 90 * i // max(1, n_layers - 1) for i in range(n_layers)]
    layers = "".join(
        f".layer{i}{{fill:hsl({hue},{colours.fill});stroke:hsl({hue},{colours.edge})}}" for i, hue in enumerate(hues)
    )
    return (
        f".page{{fill:{colours.page}}}.name{{fill:{colours.ink}}}.size,.list{{fill:{colours.faint}}}"
        f".arrow path{{stroke:{colours.arrow}}}.arrow .head{{fill:{colours.arrow};stroke:none}}"
        f".within{{fill:{colours.within};stroke:{colours.arrow}}}{layers}"
    )


# The command.


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Write the sentence and end."""
        self.exit(2, f"{message[0].upper()}{message[1:]}.\n")


def main() -> None:
    """Draw the map and print the figures."""
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folder, file = ROOT / "src" / "sapper", ROOT / "docs" / "pictures" / "map.svg"
    parser.add_argument(
        "--source", metavar="FOLDER", type=Path, default=folder, help="the package; src/sapper by default"
    )
    parser.add_argument(
        "--output", metavar="FILE", type=Path, default=file, help="the picture; docs/pictures/map.svg by default"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--figures", action="store_true", help="print the figures and draw nothing")
    chosen = parser.parse_args()
    try:
        modules = read_package(chosen.source)
        if not chosen.figures:
            picture = draw_map(make_rooms(chosen.source.resolve().name, modules))
            chosen.output.parent.mkdir(parents=True, exist_ok=True)
            chosen.output.write_text(picture, encoding="utf-8")
    except UnreadableCode as error:
        parser.exit(2, f"{error}\n")
    except Crowded:
        parser.error("there are too many packages side by side for one picture; --figures prints the figures alone")
    except OSError as error:
        parser.error(f"{chosen.output} cannot be written: {error.strerror}")
    figures = measure(modules)
    print(json.dumps(figures, indent=2) if chosen.json else describe(figures))
    if not chosen.figures and not chosen.json:
        print(f"picture: {chosen.output}")


if __name__ == "__main__":
    main()
