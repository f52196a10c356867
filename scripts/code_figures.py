"""Measure a Python package by reading it, not by importing it: its modules, lines, functions and imports.

A module is a file other than ``__init__.py``; what an ``__init__.py`` holds counts for its package. Imports count
wherever they stand: at the top, inside a function or for type checking alone.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

Name = tuple[str, ...]  # of a module below the package: ("play", "match"); () is the package itself
Arrow = tuple[str, str]  # the names of an importing room and of the one that it imports from

KERNELS = "kernels"  # compiled code obeys rules of its own, so its functions are listed apart
SHARED = "shared values"  # the room of the modules that all packages rest on
MANY_LINES = 60  # a function with more is listed
MANY_ARGUMENTS = 8  # so is one that takes more
MANY_NAMES = 12  # and a folder that shows more


class UnreadableCode(Exception):
    """The folder holds no package that can be read; the message is a sentence."""


# Reading.


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method, wherever it is defined."""

    name: str
    place: str  # "play/match.py:12"
    n_lines: int
    n_arguments: int  # without self and cls


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file; an ``__init__.py`` goes by the name of its package."""

    name: Name
    is_package: bool
    n_lines: int
    imports: Counter[Name]  # how often it imports each module of the same package
    functions: tuple[Function, ...]


def read_package(source: Path) -> list[Module]:
    """Read every Python file below a folder, in the order of their names."""
    if not source.is_dir():
        raise UnreadableCode(f"There is no folder {source}.")
    paths = {_name_of(path.relative_to(source)): path for path in source.rglob("*.py")}
    if all(path.name == "__init__.py" for path in paths.values()):
        raise UnreadableCode(f"There is no Python module below {source}.")
    known = paths.keys() | {name[:-1] for name in paths if name}
    return [_read_module(name, path, source, known) for name, path in sorted(paths.items())]


def _name_of(path: Path) -> Name:
    """Return the name of the module in a file."""
    return path.parent.parts if path.name == "__init__.py" else path.with_suffix("").parts


def _read_module(name: Name, path: Path, source: Path, known: set[Name]) -> Module:
    """Read one file."""
    try:
        text = path.read_text(encoding="utf-8")
        nodes = list(ast.walk(ast.parse(text)))
    except (OSError, SyntaxError, ValueError) as error:
        raise UnreadableCode(f"{path} cannot be read as Python.") from error
    is_package = path.name == "__init__.py"
    package = source.resolve().name
    imports: Counter[Name] = Counter()
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            # A statement counts once for each module, however many names it takes from there.
            imports.update({_nearest(target, known) for target in _targets(node, package, name, is_package)})
    place = path.relative_to(source).as_posix()
    functions = tuple(
        Function(node.name, f"{place}:{node.lineno}", (node.end_lineno or 0) - node.lineno + 1, _count_arguments(node))
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return Module(name, is_package, len(text.splitlines()), imports, functions)


def _targets(node: ast.Import | ast.ImportFrom, package: str, importer: Name, is_package: bool) -> Iterator[Name]:
    """Give what a statement imports from the package; what it takes from a module stands at the end."""
    if isinstance(node, ast.Import):
        names = [alias.name.split(".") for alias in node.names]
    else:
        # One dot is the importer's own package, each further one the package around it.
        n_around = len(importer) - node.level + is_package
        start = [package, *importer[:n_around]] if node.level else []
        names = [[*start, *(node.module.split(".") if node.module else []), alias.name] for alias in node.names]
    yield from (tuple(rest) for first, *rest in names if first == package)


def _nearest(name: Name, known: set[Name]) -> Name:
    """Return the module that a name is, or is in."""
    while name and name not in known:
        name = name[:-1]
    return name


def _count_arguments(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count all arguments of a function but self and cls."""
    arguments = function.args
    in_order = arguments.posonlyargs + arguments.args
    is_bound = bool(in_order) and in_order[0].arg in {"self", "cls"}
    n_rest = (arguments.vararg is not None) + (arguments.kwarg is not None)
    return len(in_order) - is_bound + len(arguments.kwonlyargs) + n_rest


# Figures.


def measure(modules: Sequence[Module]) -> dict[str, Any]:
    """Return the figures of a package, ready to be written as JSON."""
    proper = [module for module in modules if not module.is_package]
    packages = find_packages(modules)
    largest = max(proper, key=lambda module: module.n_lines)
    shown = Counter(name[:-1] for name in [*packages, *(module.name for module in proper)])
    fullest = sorted(shown.items(), key=lambda item: (-item[1], item[0]))
    folders = [{"name": "/".join(name) or ".", "names": n} for name, n in fullest]
    return {
        "packages": len(packages),
        "modules": len(proper),
        "lines": sum(module.n_lines for module in modules),
        "median_module": median(module.n_lines for module in proper),
        "largest_module": {"name": "/".join(largest.name) + ".py", "lines": largest.n_lines},
        "long_functions": _list_functions(modules, "lines", MANY_LINES),
        "wide_functions": _list_functions(modules, "arguments", MANY_ARGUMENTS),
        "fullest_folder": folders[0],
        "full_folders": folders[: sum(n > MANY_NAMES for n in shown.values())],
    }


def find_packages(modules: Iterable[Module]) -> set[Name]:
    """Return the packages below the whole one."""
    return {module.name if module.is_package else module.name[:-1] for module in modules} - {()}


def _list_functions(modules: Sequence[Module], unit: str, limit: int) -> dict[str, list[dict[str, Any]]]:
    """List the functions that have more of something than a limit, the largest first."""
    listed: dict[str, list[dict[str, Any]]] = {"outside_kernels": [], "within_kernels": []}
    for module in modules:
        where = "within_kernels" if module.name[:1] == (KERNELS,) else "outside_kernels"
        for function in module.functions:
            size = getattr(function, f"n_{unit}")
            if size > limit:
                listed[where].append({"name": function.name, "place": function.place, unit: size})
    return {where: sorted(found, key=lambda one: -one[unit]) for where, found in listed.items()}


def describe(figures: dict[str, Any]) -> str:
    """Say the figures in lines for a person."""
    largest, fullest = figures["largest_module"], figures["fullest_folder"]
    lines = [
        f"{figures['packages']} packages, {figures['modules']} modules, {figures['lines']:,} lines",
        f"median module: {figures['median_module']:g} lines; largest: {largest['name']}, {largest['lines']} lines",
    ]
    for key, unit, limit in (("long", "lines", MANY_LINES), ("wide", "arguments", MANY_ARGUMENTS)):
        for where, found in figures[f"{key}_functions"].items():
            lines.append(f"functions over {limit} {unit} {where.replace('_', ' ')}: {len(found)}")
            lines += [f"  {one['place']} {one['name']}: {one[unit]}" for one in found]
    lines.append(f"fullest folder: {fullest['name']} shows {fullest['names']} names")
    lines.append(f"folders that show over {MANY_NAMES} names: {len(figures['full_folders'])}")
    lines += [f"  {folder['name']}: {folder['names']}" for folder in figures["full_folders"]]
    return "\n".join(lines)


# Rooms, layers and arrows.


@dataclass
class Room:
    """A package with the packages within it, or modules that share a room."""

    name: str
    path: Name  # of the package or the module; () if there is no single one
    modules: list[Module]  # also those of the rooms within
    rooms: list[Room] = field(default_factory=list)

    @cached_property
    def n_lines(self) -> int:
        """All lines, those of the rooms within included."""
        return sum(module.n_lines for module in self.modules)

    @cached_property
    def counts(self) -> tuple[str, str]:
        """The number of modules and that of lines, in words."""
        n_modules = sum(not module.is_package for module in self.modules)
        return f"{n_modules} module{'s' * (n_modules != 1)}", f"{self.n_lines:,} line{'s' * (self.n_lines != 1)}"

    @cached_property
    def own_names(self) -> list[str]:
        """The names of the modules that are not in a room within, unless the room is that module."""
        within = {module.name for room in self.rooms for module in room.modules}
        names = [module.name for module in self.modules if not module.is_package and module.name not in within]
        return [name[-1] for name in names if name != self.path]

    @cached_property
    def imports(self) -> list[tuple[str, int]]:
        """All that is imported from outside, most often first, by the first name that sets it apart from the room."""
        inside = {module.name for module in self.modules}
        counts: Counter[str] = Counter()
        for module in self.modules:
            for target, n in module.imports.items():
                if target and target not in inside:
                    same = takewhile(lambda pair: pair[0] == pair[1], zip(target, self.path, strict=False))
                    counts[".".join(target[: len(list(same)) + 1])] += n
        return sorted(counts.items(), key=lambda item: (-item[1], item[0]))

    @cached_property
    def arrows(self) -> Counter[Arrow]:
        """How often the rooms within import from each other; what follows from other arrows is left out."""
        arrows = count_imports(self.rooms)
        below = find_below(arrows)
        return Counter({(a, b): n for (a, b), n in arrows.items() if not any(b in below[mid] for mid in below[a])})

    @cached_property
    def layers(self) -> dict[str, int]:
        """The length of the longest way down from each room within."""
        below = find_below(self.arrows)
        layers = {room.name: 0 for room in self.rooms}
        for name in sorted(below, key=lambda one: len(below[one])):  # what a room rests on rests on less itself
            layers[name] = max((layers[low] + 1 for low in below[name]), default=0)
        return layers


def make_rooms(package: str, modules: Sequence[Module]) -> Room:
    """Return a package with its packages as rooms; modules of its own that need only the lowest ones share a room."""
    groups: dict[str, list[Module]] = defaultdict(list)
    for module in modules:
        if module.name:
            groups[module.name[0]].append(module)
    rooms = {name: _make_room((name,), group) for name, group in groups.items()}
    below = find_below(count_imports(rooms.values()))
    alone = {module.name[0] for module in modules if len(module.name) == 1 and not module.is_package}
    shared = [name for name in rooms if name in alone and all(low in alone or not below[low] for low in below[name])]
    if shared:
        rooms[SHARED] = Room(SHARED, (), [module for name in shared for module in rooms.pop(name).modules])
    return Room(package, (), list(modules), list(rooms.values()))


def _make_room(path: Name, modules: list[Module]) -> Room:
    """Return a package with the rooms within it."""
    groups: dict[str, list[Module]] = defaultdict(list)
    for module in modules:
        if len(module.name) - (not module.is_package) > len(path):
            groups[module.name[len(path)]].append(module)
    return Room(path[-1], path, modules, [_make_room((*path, name), group) for name, group in groups.items()])


def count_imports(rooms: Collection[Room]) -> Counter[Arrow]:
    """Count how often each room imports from each other one."""
    home = {module.name: room.name for room in rooms for module in room.modules}
    arrows: Counter[Arrow] = Counter()
    for room in rooms:
        for module in room.modules:
            for target, n in module.imports.items():
                if home.get(target, room.name) != room.name:
                    arrows[room.name, home[target]] += n
    return arrows


def find_below(arrows: Iterable[Arrow]) -> defaultdict[str, set[str]]:
    """Return all that each room rests on, directly or not, without what rests on it in turn."""
    reached: dict[str, set[str]] = {name: set() for arrow in arrows for name in arrow}
    for high, low in arrows:
        reached[high].add(low)
    for middle, further in reached.items():
        for found in reached.values():
            if middle in found:
                found |= further
    below = {name: {low for low in found if name not in reached[low]} for name, found in reached.items()}
    return defaultdict(set, below)
