"""The map of the code: known figures, rooms as large as their lines, and only the arrows that say something."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"

FILES = {
    "__init__.py": ["from shop.top.desk import greet"],
    "words.py": ["from shop.kernels import add"],
    "checks.py": ["import shop.top.desk", "import json"],
    "kernels/__init__.py": ["from .add import add"],
    "kernels/add.py": [f"def add({', '.join('abcdefghi')}):", *["    a += b"] * 60],
    "middle/__init__.py": [],
    "middle/hall.py": ["from ..words import hello", *["x = 1"] * 40],
    "middle/attic/__init__.py": [],
    "middle/attic/box.py": ["from shop import kernels", *["x = 1"] * 29],
    "middle/cellar/__init__.py": [],
    "middle/cellar/jar.py": ["from ..attic.box import x, y", "from ..attic import box", *["x = 1"] * 58],
    "top/__init__.py": ["from shop.middle import hall"],
    "top/desk.py": [
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
        "    from shop.middle.cellar.jar import x",
        "class Desk:",
        "    def many(self, a, /, b, c, d, e, *args, f, g, **kwargs): ...",
        "    def enough(self, a, b, c, d, e, f, g, h): ...",
        "async def greet():",
        "    from shop.kernels.add import add",
        *["    add()"] * 59,
    ],
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for name, lines in FILES.items():
        write(tmp_path / "shop" / name, lines)
    return tmp_path / "shop"


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def run(*options: object, seed: str = "0") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "map.py", *map(str, options)],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )


def read_figures(source: Path) -> Any:
    done = run("--source", source, "--figures", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def draw(source: Path, output: Path) -> ET.Element:
    done = run("--source", source, "--output", output)
    assert done.returncode == 0, done.stderr
    return ET.parse(output).getroot()


def find_rooms(picture: ET.Element) -> dict[str, ET.Element]:
    return {group.attrib["data-room"]: group for group in picture.iter(f"{SVG}g") if "data-room" in group.attrib}


def find_arrows(picture: ET.Element) -> set[tuple[str, str]]:
    groups = [group.attrib for group in picture.iter(f"{SVG}g") if "data-from" in group.attrib]
    return {(group["data-from"], group["data-to"]) for group in groups}


def title_of(group: ET.Element) -> str:
    title = group.find(f"{SVG}title")
    assert title is not None
    assert title.text is not None
    return title.text


def rectangle(room: ET.Element) -> tuple[float, float, float, float]:
    drawn = room.find(f"{SVG}rect")
    assert drawn is not None
    x, y, width, height = (float(drawn.attrib[key]) for key in ("x", "y", "width", "height"))
    return x, y, width, height


def test_sizes_are_counted(shop: Path) -> None:
    figures = read_figures(shop)
    lines = [len(lines) for name, lines in FILES.items() if not name.endswith("__init__.py")]
    assert figures["packages"] == 5
    assert figures["modules"] == len(lines) == 7
    assert figures["lines"] == sum(map(len, FILES.values()))
    assert figures["median_module"] == sorted(lines)[3] == 41
    assert figures["largest_module"] == {"name": "top/desk.py", "lines": 67}


def test_long_functions_and_those_with_many_arguments_are_listed_within_kernels_and_outside(shop: Path) -> None:
    figures = read_figures(shop)
    assert figures["long_functions"] == {
        "outside_kernels": [{"name": "greet", "place": "top/desk.py:7", "lines": 61}],
        "within_kernels": [{"name": "add", "place": "kernels/add.py:1", "lines": 61}],
    }
    assert figures["wide_functions"] == {
        "outside_kernels": [{"name": "many", "place": "top/desk.py:5", "arguments": 9}],
        "within_kernels": [{"name": "add", "place": "kernels/add.py:1", "arguments": 9}],
    }


@pytest.mark.slow
def test_full_folders_are_listed(shop: Path) -> None:
    figures = read_figures(shop)
    assert figures["fullest_folder"] == {"name": ".", "names": 5}
    assert figures["full_folders"] == []
    for i in range(12):
        write(shop / "middle" / f"shelf_{i}.py", [])
    figures = read_figures(shop)
    assert figures["full_folders"] == [figures["fullest_folder"]] == [{"name": "middle", "names": 15}]


def test_the_figures_are_also_said_in_words(shop: Path) -> None:
    done = run("--source", shop, "--figures")
    assert done.stdout.startswith("5 packages, 7 modules, ")
    assert "functions over 60 lines outside kernels: 1\n  top/desk.py:7 greet: 61\n" in done.stdout
    assert "fullest folder: . shows 5 names\n" in done.stdout


def test_arrows_that_follow_from_others_are_left_out(shop: Path, tmp_path: Path) -> None:
    picture = draw(shop, tmp_path / "map.svg")
    assert find_arrows(picture) == {
        ("checks", "top"),
        ("top", "middle"),
        ("middle", "shared values"),
        ("shared values", "kernels"),
        ("middle.cellar", "middle.attic"),
    }


def test_rows_are_layers_with_the_imported_below(shop: Path, tmp_path: Path) -> None:
    rooms = find_rooms(draw(shop, tmp_path / "map.svg"))
    outer = sorted((name for name in rooms if "." not in name), key=lambda name: rectangle(rooms[name])[1])
    assert outer == ["checks", "top", "middle", "shared values", "kernels"]


def test_tooltips_tell_everything_that_is_imported(shop: Path, tmp_path: Path) -> None:
    picture = draw(shop, tmp_path / "map.svg")
    rooms = find_rooms(picture)
    assert title_of(rooms["top"]) == "top: 1 module, 68 lines\nimports middle 2, kernels 1"
    assert title_of(rooms["middle.cellar"]) == "middle.cellar: 1 module, 60 lines\nimports middle.attic 2"
    arrow = next(group for group in picture.iter(f"{SVG}g") if group.attrib.get("data-from") == "middle.cellar")
    assert title_of(arrow) == "middle.cellar imports from middle.attic: 2"


def test_areas_are_as_lines(shop: Path, tmp_path: Path) -> None:
    scales: dict[int, list[float]] = {0: [], 1: []}
    for name, room in find_rooms(draw(shop, tmp_path / "map.svg")).items():
        _, _, width, height = rectangle(room)
        scales[name.count(".")].append(width * height / int(room.attrib["data-lines"]))
    assert len(scales[0]) == 5
    assert len(scales[1]) == 2
    for found in scales.values():
        assert found == pytest.approx([found[0]] * len(found), rel=0.01)
    assert scales[1][0] < scales[0][0]


def test_rooms_are_in_the_rooms_of_their_packages_and_nowhere_else(shop: Path, tmp_path: Path) -> None:
    rooms = {name: rectangle(room) for name, room in find_rooms(draw(shop, tmp_path / "map.svg")).items()}
    for one, (x, y, width, height) in rooms.items():
        for other, (left, top, breadth, depth) in rooms.items():
            apart = x >= left + breadth or left >= x + width or y >= top + depth or top >= y + height
            within = left <= x and x + width <= left + breadth and top <= y and y + height <= top + depth
            assert within if one.startswith(f"{other}.") or one == other else apart or other.startswith(f"{one}.")


def test_packages_that_import_each_other_stand_in_one_row(shop: Path, tmp_path: Path) -> None:
    write(shop / "middle" / "back.py", ["import shop.top"])
    picture = draw(shop, tmp_path / "map.svg")
    rooms = find_rooms(picture)
    assert {("top", "middle"), ("middle", "top")} < find_arrows(picture)
    assert rectangle(rooms["top"])[1] < rectangle(rooms["kernels"])[1]
    middles = [rectangle(rooms[name])[1] + rectangle(rooms[name])[3] / 2 for name in ("top", "middle")]
    assert middles[0] == pytest.approx(middles[1], abs=0.1)


@pytest.mark.slow
def test_a_room_too_small_for_the_rooms_within_lists_them(shop: Path, tmp_path: Path) -> None:
    write(shop / "kernels" / "large.py", ["x = 1"] * 9000)
    picture = draw(shop, tmp_path / "map.svg")
    assert "middle" in find_rooms(picture)
    assert "middle.attic" not in find_rooms(picture)


@pytest.mark.slow
def test_the_same_code_gives_the_same_bytes(shop: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / f"{seed}.svg" for seed in (1, 2)]
    for output in outputs:
        assert run("--source", shop, "--output", output, seed=output.stem).returncode == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_figures_alone_write_nothing(shop: Path, tmp_path: Path) -> None:
    assert run("--source", shop, "--output", tmp_path / "map.svg", "--figures").returncode == 0
    assert not (tmp_path / "map.svg").exists()


def test_help_teaches() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "An arrow leads" in done.stdout
    assert "docs/pictures/map.svg by default" in done.stdout


def refuse(*options: object) -> str:
    done = run(*options)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


@pytest.mark.slow
def test_errors_are_sentences(shop: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    write(empty / "__init__.py", [])
    taken = tmp_path / "taken"
    taken.touch()
    assert refuse("--source", tmp_path / "nowhere") == f"There is no folder {tmp_path / 'nowhere'}.\n"
    assert refuse("--source", empty) == f"There is no Python module below {empty}.\n"
    assert refuse("--source", shop, "--output", tmp_path) == f"{tmp_path} cannot be written: Is a directory.\n"
    assert (
        refuse("--source", shop, "--output", taken / "map.svg")
        == f"{taken / 'map.svg'} cannot be written: File exists.\n"
    )
    assert refuse("--colour") == "Unrecognized arguments: --colour.\n"
    write(shop / "broken.py", ["def"])
    assert refuse("--source", shop) == f"{shop / 'broken.py'} cannot be read as Python.\n"


def test_too_many_rooms_in_a_row_are_refused(tmp_path: Path) -> None:
    for i in range(60):
        write(tmp_path / "shop" / f"part_{i}" / "one.py", ["x = 1"])
    assert refuse("--source", tmp_path / "shop", "--output", tmp_path / "map.svg") == (
        "There are too many packages side by side for one picture; --figures prints the figures alone.\n"
    )


@pytest.mark.slow
def test_every_package_of_sapper_is_named_in_the_picture(tmp_path: Path) -> None:
    picture = draw(ROOT / "src" / "sapper", tmp_path / "map.svg")
    packages = {path.parent.name for path in (ROOT / "src" / "sapper").glob("*/__init__.py")}
    rooms = find_rooms(picture)
    for name in packages | {"shared values"}:
        assert name in ["".join(text.itertext()) for text in rooms[name].iter(f"{SVG}tspan")]
