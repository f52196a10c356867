"""Make the examples and puzzles of the course again: ``python scripts/course.py``.

They are found in games by search, each the first that shows what its lesson is about, and written to
``src/sapper/data/course.json``. The texts of the lessons are in ``lessons.toml`` beside it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent.parent))  # the files beside this one, as type checkers know them

from scripts.lessons import first_examples, late_examples, pattern_examples
from scripts.lessons.puzzles import choose

from sapper.train.course import TEXTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sapper.train.course import Frame

OUT = Path(__file__).resolve().parents[1] / "src" / "sapper" / "data" / "course.json"

EXAMPLES: dict[str, Callable[[], list[Frame]]] = {
    "numbers": first_examples.numbers,
    "edges": first_examples.edges,
    "one-one": pattern_examples.one_one_from_a_wall,
    "one-two": pattern_examples.one_two_along_a_row,
    "one-two-one": pattern_examples.two_rows,
    "known-mines": pattern_examples.known_mines,
    "subsets": pattern_examples.inside_another,
    "pairs": pattern_examples.overlapping_pair,
    "cases": late_examples.suppose,
    "total": late_examples.count_down,
    "risk": late_examples.compare_risks,
    "fifty-fifty": late_examples.wait_or_take,
}


def make_course() -> str:
    """Return what the file holds: for every lesson the frames of its example, and its puzzles."""
    found: dict[str, Any] = {}
    taken: set[str] = set()  # positions that were shown already
    for text in TEXTS:
        frames = EXAMPLES[text.name]()
        taken |= {str(frame.position) for frame in frames}
        puzzles = choose(text.name, taken)
        found[text.name] = {
            "example": [frame.as_plain_values() for frame in frames],
            "puzzles": [puzzle.as_plain_values() for puzzle in puzzles],
        }
    lessons = (f"{json.dumps(name)}: {_lines(parts)}" for name, parts in found.items())
    return "{\n" + ",\n".join(lessons) + "\n}\n"


def _lines(parts: dict[str, list[Any]]) -> str:
    """One frame or puzzle per line, so that a change shows what has changed."""
    said = (
        f" {json.dumps(part)}: [\n  " + ",\n  ".join(json.dumps(value) for value in values) + "\n ]"
        for part, values in parts.items()
    )
    return "{\n" + ",\n".join(said) + "\n}"


if __name__ == "__main__":
    OUT.write_text(make_course(), encoding="utf-8")
