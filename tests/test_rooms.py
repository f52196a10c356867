"""The house keeps its order: rooms say what they are, show few names, and are where the documents say."""

from __future__ import annotations

import ast
import pkgutil
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "sapper"
PACKAGES = sorted(path.parent for path in SOURCE.rglob("__init__.py"))
# The shared values lie beside the packages, so that the top shows the whole; these hold one file each.
MAX_NAMES = 12
ONE_FILE_EACH = {
    SOURCE,
    SOURCE / "cli" / "commands",
    SOURCE / "experiments" / "reports" / "studies",
    SOURCE / "formats",
}
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("[rt]*/*.md")]
# Test folders that are not about one package.
APART = {"benchmarks", "browser", "data", "docs", "scripts", "support"}


def names_in(folder: Path) -> list[str]:
    """What somebody sees who opens a package."""
    modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
    return sorted(modules + [path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"])


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(SOURCE.parent)))
def test_a_package_says_what_lives_there_and_shows_few_names(package: Path) -> None:
    said = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
    assert said, "the package does not say what it is"
    assert package in ONE_FILE_EACH or len(names_in(package)) <= MAX_NAMES, names_in(package)


def test_no_name_repeats_its_folder() -> None:
    repeated = [
        path.relative_to(SOURCE)
        for path in SOURCE.rglob("*.py")
        if path.parent != SOURCE and path.stem.startswith(f"{path.parent.name}_")
    ]
    assert not repeated


def test_tests_mirror_the_tree() -> None:
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")}
    strange = [folder for folder in folders if folder.parts and folder.parts[0] not in APART]
    assert not [folder for folder in strange if not (SOURCE / folder / "__init__.py").is_file()]


def test_every_file_and_name_that_a_document_gives_is_there() -> None:
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        assert [name for name in named_files(text) if not is_there(name)] == [], document
        for dotted in re.findall(r"`(sapper(?:\.\w+)+)", text):
            assert pkgutil.resolve_name(dotted) is not None, document


def named_files(text: str) -> list[str]:
    """Paths of ours in backticks: those with a folder, and files of code without one; not what `make` makes."""
    found = re.findall(r"`([\w.-]+(?:/[\w.-]+)*/?)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    top = {path.name for path in (*SOURCE.iterdir(), *ROOT.iterdir())} - {"build"}
    return [
        name
        for name in found
        if "NAME" not in name and (name.endswith((".py", ".js")) or ("/" in name and name.split("/")[0] in top))
    ]


def is_there(name: str) -> bool:
    if "/" in name:
        return (SOURCE / name).exists() or (ROOT / name).exists()
    return any(any(places) for places in (SOURCE.rglob(name), ROOT.glob(f"*/{name}"), ROOT.glob(name)))


def test_a_file_that_is_not_there_would_be_noticed() -> None:
    assert named_files("see `play/nowhere.py`, `nowhere.py` and `docs/`, `a/b` or `agents/NAME.py`") == [
        "play/nowhere.py",
        "nowhere.py",
        "docs/",
    ]
    assert not is_there("play/nowhere.py")
    assert not is_there("nowhere.py")
    assert is_there("reveal.py")
    assert is_there("inference/proofs/")
