"""The plan of the map: rooms as large as their lines are many, placed so that arrows are short and seldom cross."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from scripts.map_labels import (
    COLUMNS,
    OUTER,
    ROWS,
    SMALLEST,
    Span,
    Style,
    find_corner,
    least_label,
    word_width,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.code_figures import Arrow, Room

WIDTH = 900
MARGIN = 20
AREA = 430_000  # square pixels for all rooms together
SHRINK = [percent / 100 for percent in range(80, 24, -4)]  # the scales of rooms within rooms that are tried


class Crowded(Exception):
    """The rooms do not fit."""


@dataclass
class Box:
    """A room with its size, the rooms that are drawn in it and, in the end, its place."""

    room: Room
    width: float
    height: float
    inside: Floor | None = None
    x: float = 0
    y: float = 0


@dataclass
class Floor:
    """The rooms within a room, layer by layer from the highest on."""

    layers: list[list[Box]]
    arrows: Counter[Arrow]
    style: Style
    breadth: float = 0  # of the broadest layer, with the lanes beside it

    @property
    def length(self) -> float:
        """The way through all layers."""
        return sum(map(self.depth_of, self.layers)) + self.style.layer_gap * (len(self.layers) - 1)

    @property
    def width(self) -> float:
        """The way from left to right."""
        return self.breadth if self.style.down else self.length

    def depth_of(self, layer: list[Box]) -> float:
        """The way through one layer."""
        return max(box.height if self.style.down else box.width for box in layer)

    def breadth_of(self, box: Box) -> float:
        """The side of a box that stands across the way."""
        return box.width if self.style.down else box.height


def lay_floors(whole: Room) -> Floor:
    """Size all rooms, those within rooms as large as they fit at one scale for all."""
    for area in (AREA, AREA / 2, AREA / 4, AREA / 8):  # less than all only if a row of large rooms does not fit
        scale = area / sum(room.n_lines for room in whole.rooms)
        for shrink in SHRINK:
            with suppress(Crowded):
                return _lay_floor(whole, scale, shrink, WIDTH - 2 * MARGIN, OUTER)
    raise Crowded


def _lay_floor(room: Room, scale: float, shrink: float, breadth: float, style: Style) -> Floor:
    """Give the rooms within a room ``scale`` pixels a line, and put them into layers of a breadth."""
    floor = Floor([], room.arrows, style)
    for layer in sorted(set(room.layers.values()), reverse=True):
        rooms = [one for one in room.rooms if room.layers[one.name] == layer]
        passing = {low for high, low in room.arrows if room.layers[high] > layer > room.layers[low]}
        free = breadth - (len(rooms) - 1 + 2 * len(passing)) * style.gap
        if free <= 0:
            raise Crowded
        areas = [one.n_lines * scale for one in rooms]
        for depth in _depths(max(style.depth, sum(areas) / free), max(areas)):
            boxes = [_size_room(one, scale, shrink, depth, style) for one in rooms]
            taken = sum(map(floor.breadth_of, boxes))
            if taken <= free + 1e-6:
                floor.layers.append(boxes)
                floor.breadth = max(floor.breadth, breadth - free + taken)
                break
        else:
            raise Crowded
    return floor


def _depths(at_least: float, area: float) -> Iterator[float]:
    """Give the depths that are worth trying for a room of an area."""
    yield at_least
    while (at_least := at_least + 2) <= 2 * math.sqrt(area):
        yield at_least


def _size_room(room: Room, scale: float, shrink: float, depth: float, style: Style) -> Box:
    """Size a room; at the smallest scale, one whose rooms within do not fit is drawn without them."""
    area = max(1, room.n_lines) * scale
    for tried in _depths(depth, area) if room.rooms else ():
        box = Box(room, area / tried, tried) if style.down else Box(room, tried, area / tried)
        if box.width > 1.2 * box.height:
            left, top = find_corner(least_label(box, style), style)
            width, height = box.width - left - style.padding, box.height - top - style.padding
            for inner, breadth, length in ((COLUMNS, height, width), (ROWS, width, height)):
                with suppress(Crowded):
                    box.inside = _lay_floor(room, scale * shrink, shrink, breadth, inner)
                    if box.inside.length <= length:
                        return box
    if room.rooms and shrink > SHRINK[-1]:
        raise Crowded
    width = (
        max(area / depth, math.sqrt(area * style.shape)) if style.down else min(depth, math.sqrt(area * style.shape))
    )
    for counts in (room.counts, room.counts[1:], ()):  # of what the room shall show, the most that it has space for
        words = [word_width(room.name, "name", SMALLEST), *(word_width(one, "size", SMALLEST) for one in counts)]
        least = max(words) + 2 * style.padding
        if area / least >= 1.3 * SMALLEST * len(words) + 0.8 * style.padding:
            break
    width = max(width, least)
    return Box(room, width, area / width)


class Plan:
    """The order of the rooms of a floor, and the ways of its arrows.

    An arrow past whole layers goes around them, in a lane that it shares with all such arrows to the same room.
    Places are measured across the way that the layers follow, from the middle.
    """

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.layer_of = {box.room.name: i for i, layer in enumerate(floor.layers) for box in layer}
        self.lanes: dict[str, range] = {}  # the layers that are passed on the way to a room
        for high, low in sorted(floor.arrows):
            passed = range(self.layer_of[high] + 1, self.layer_of[low])
            if len(passed) > len(self.lanes.get(low, ())):
                self.lanes[low] = passed
        self.links = sorted({link for arrow in floor.arrows for link in self.links_of(arrow)})
        self.order = [list(layer) for layer in floor.layers]
        self.sides = dict.fromkeys(self.lanes, 1)
        self._improve()

    def links_of(self, arrow: Arrow) -> list[Arrow]:
        """Return the pieces of an arrow: one to the next layer, or one to a lane and one from there."""
        high, low = arrow
        lane = f"to {low}"
        n_layers = self.layer_of[low] - self.layer_of[high]
        return [[], [arrow], [(high, lane), (lane, low)]][min(n_layers, 2)]

    def gap_of(self, link: Arrow) -> int:
        """Return the layer before the gap in which a piece of an arrow lies."""
        high, low = link
        return self.layer_of[high] if high in self.layer_of else self.layer_of[low] - 1

    def spans(self) -> dict[str, Span]:
        """Return from where to where each room and each lane is."""
        spans: dict[str, Span] = {}
        gap = self.floor.style.gap
        ends = []
        for layer in self.order:
            place = -(sum(map(self.floor.breadth_of, layer)) + gap * (len(layer) - 1)) / 2
            ends.append(-place)
            for box in layer:
                spans[box.room.name] = (place, place + self.floor.breadth_of(box))
                place = spans[box.room.name][1] + gap
        n_lanes: Counter[int] = Counter()
        for low, passed in self.lanes.items():
            side = self.sides[low]
            n_lanes[side] += 1
            place = side * (max(ends[i] for i in passed) + n_lanes[side] * gap)
            spans[f"to {low}"] = (place, place)
        return spans

    def cost(self) -> float:
        """Return how far arrows go sideways, with a fine for every crossing."""
        spans = self.spans()
        gaps: dict[int, list[Span]] = defaultdict(list)
        for high, low in self.links:
            gaps[self.gap_of((high, low))].append(face(spans[high], spans[low]))
        pairs = [pair for ends in gaps.values() for pair in combinations(ends, 2)]
        crossings = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in pairs)
        return sum(abs(a - b) for ends in gaps.values() for a, b in ends) + 100 * crossings

    def _improve(self) -> None:
        """Swap rooms of a layer, and the sides of lanes, as long as it helps; start over from several orders."""
        layers = self.order
        swaps = [(layer, *pair) for layer in layers for pair in combinations(range(len(layer)), 2)]
        changes: list[tuple[list[Box], int, int] | str] = [*swaps, *self.lanes]
        dice = random.Random(1)  # always the same, for the same picture
        found = []
        for _ in range(30):
            best, before = self.cost(), math.inf
            while best < before:
                before = best
                for change in changes:
                    self._change(change)
                    cost = self.cost()
                    if cost < best - 1e-6:
                        best = cost
                    else:
                        self._change(change)
            found.append((best, [list(layer) for layer in layers], dict(self.sides)))
            for change in changes:
                if dice.random() < 0.5:
                    self._change(change)
        _, self.order, self.sides = min(found, key=lambda one: one[0])

    def _change(self, change: tuple[list[Box], int, int] | str) -> None:
        """Swap two rooms or the side of a lane; once more, and it is as before."""
        if isinstance(change, str):
            self.sides[change] *= -1
        else:
            layer, i, j = change
            layer[i], layer[j] = layer[j], layer[i]

    def ports(self) -> dict[Arrow, Span]:
        """Return where each piece of an arrow begins and ends, at some distance from its neighbours."""
        spans = self.spans()
        ends = {(high, low): list(face(spans[high], spans[low])) for high, low in self.links}
        for near, far in ((0, 1), (1, 0)):
            for name in self.layer_of:
                places = sorted((ends[link][near], ends[link][far], link) for link in self.links if link[near] == name)
                apart = spread([place for place, _, _ in places], spans[name], 3 * self.floor.style.head)
                for (_, _, link), place in zip(places, apart, strict=True):
                    ends[link][near] = place
        return {link: (start, end) for link, (start, end) in ends.items()}

    def place(self, middle: float, along: Span) -> list[Span]:
        """Give every room its place; return where each layer begins and ends."""
        floor, spans = self.floor, self.spans()
        start = along[0]
        spare = (along[1] - start - floor.length) / (len(floor.layers) + 1)
        edges = []
        for layer in floor.layers:
            start += spare
            depth = floor.depth_of(layer)
            edges.append((start, start + depth))
            for box in layer:
                across = middle + spans[box.room.name][0]
                if floor.style.down:
                    box.x, box.y = across, start + (depth - box.height) / 2
                else:
                    box.x, box.y = start + (depth - box.width) / 2, across
            start += depth + floor.style.layer_gap
        return edges


def face(high: Span, low: Span) -> Span:
    """Return the ends of the best arrow between two walls: straight ahead where they face each other."""
    left, right = max(high[0], low[0]), min(high[1], low[1])
    if left <= right:
        return (left + right) / 2, (left + right) / 2
    insets = [min(16, (wall[1] - wall[0]) / 2) for wall in (high, low)]
    if high[1] < low[0]:
        return high[1] - insets[0], low[0] + insets[1]
    return high[0] + insets[0], low[1] - insets[1]


def spread(places: Sequence[float], wall: Span, distance: float) -> list[float]:
    """Move places, in their order, along a wall until they are apart."""
    distance = min(distance, (wall[1] - wall[0]) / (len(places) + 1))
    moved: list[float] = []
    for place in places:
        moved.append(max(place, (moved[-1] if moved else wall[0]) + distance))
    limit = wall[1]
    for i in reversed(range(len(moved))):
        limit = moved[i] = min(moved[i], limit - distance)
    return moved
