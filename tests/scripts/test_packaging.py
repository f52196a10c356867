"""What the package says of itself."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import sapper

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_metadata_is_complete() -> None:
    assert PROJECT["version"] == sapper.__version__
    for name in ("description", "readme", "license", "authors", "keywords", "requires-python"):
        assert PROJECT[name], name
    assert (ROOT / PROJECT["readme"]).is_file()
    assert all((ROOT / path).is_file() for path in PROJECT["license-files"])
    assert "Typing :: Typed" in PROJECT["classifiers"]
    assert (Path(sapper.__file__).parent / "py.typed").is_file()


def test_the_versions_of_python_are_those_that_are_tested() -> None:
    said = [text.rpartition(" :: ")[2] for text in PROJECT["classifiers"] if text.startswith("Programming Language ::")]
    minors = sorted(int(version.partition(".")[2]) for version in said if version.startswith("3."))
    assert minors == list(range(11, 15))
    assert PROJECT["requires-python"] == f">=3.{minors[0]}"
    assert sys.version_info[:2] >= (3, minors[0])
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert f'"3.{minors[0]}", "3.{minors[-1]}"' in workflow
    assert "make test" in workflow


def test_every_extra_has_constraints() -> None:
    pinned = {
        line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    }
    for extra in ("release", "docs", "frames"):
        for needed in PROJECT["optional-dependencies"][extra]:
            assert needed.partition(">=")[0].lower() in pinned, needed
