"""Mutants: which changes are made to a source, and that they are killed or survive without a trace in the source."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))  # the scripts, as type checkers know them

from scripts.mutations import mutants_of

from scripts import mutants

ROOT = Path(__file__).parents[2]

LEFT_ALONE = '''"""A docstring, 1 < 2."""
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Name: TypeAlias = Literal[1]
Weight = int | float

@cache(size=3)
def check(name: Literal[1] | None) -> "np.ndarray | None":
    """Another, with an example.

    >>> check(1) == 2
    """
    assert name
    logging.info("name %s", 1)
    zip(name, strict=True)
    raise ValueError(f"{name + 1} is not " + "a name")
'''


def changes(source: str) -> set[str]:
    return {f"{one.before} -> {one.after}" for one in mutants_of(source.encode())}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b <= c", {}),  # a statement without effect
        ("x = a < b <= c", {"< -> <=", "<= -> <"}),
        ("x = (a) == (b)", {"== -> !="}),
        ("x = a not in b", {"not in -> in"}),
        ("x = a is not b", {"is not -> is"}),
        ("x = a == 'b'", {"== -> !=", "'b' -> 'b?'"}),
        ("x = 'b'", {}),
        ("x = a + b // c", {"+ -> -", "// -> *"}),
        ("x += y", {"+ -> -"}),
        ("x = (a  # or\n and b)", {}),  # a comment might hold the operator
        ("x = a and (b or not c)", {"and -> or", "or -> and", "not c -> c"}),
        ("x = [1, 2.5, 1e300, True, None]", {"1 -> 2", "2.5 -> 3.5", "1e300 -> 2e+300", "True -> False"}),
        ("if a and b: c", {"and -> or", "a and b -> not (a and b)"}),
        ("if a == b: c", {"== -> !="}),  # which negates it
        ("x = a if b else c", {"b -> not (b)"}),
        ("x = [a for a in b if c(a)]", {"c(a) -> not (c(a))"}),
        ("for a in b:\n  if c: break\n  continue", {"c -> not (c)", "break -> continue", "continue -> break"}),
        ("def f():\n  a = b\n  c(d)", {"a = b -> pass", "c(d) -> pass"}),
        ("def f():\n  if a: return b\n  return False", {"a -> not (a)", "b -> None", "False -> True"}),
        (LEFT_ALONE, {"zip(name, strict=True) -> pass"}),
    ],
)
def test_the_changes_to_a_source(source: str, expected: set[str]) -> None:
    assert changes(source) == set(expected)


def test_a_change_is_made_where_it_belongs_and_nowhere_else() -> None:
    source = "é = '<'\nü = (ö\n     < 1)  # é < 1\nx = 1\n".encode()
    swap, first, second = mutants_of(source)
    assert swap.apply(source).decode() == "é = '<'\nü = (ö\n     <= 1)  # é < 1\nx = 1\n"
    assert first.apply(source).decode() == "é = '<'\nü = (ö\n     < 2)  # é < 1\nx = 1\n"
    assert second.apply(source).decode() == "é = '<'\nü = (ö\n     < 1)  # é < 1\nx = 2\n"
    assert [one.line for one in (swap, first, second)] == [3, 3, 4]
    assert swap.show(source) == "[< -> <=] 1) # é < 1"
    assert swap.fits(source)
    assert not swap.fits(b"#" + source)


@pytest.mark.slow
def test_every_area_has_tests_and_mutants_that_can_be_compiled() -> None:
    for area in mutants.AREAS.values():
        assert all(mutants.files_of(ROOT, [place]) for place in (*area.sources, *area.tests))
    for mutant in mutants.draw(ROOT, mutants.AREAS, 200, seed=1):
        source = (ROOT / mutant.path).read_bytes()
        assert mutant.apply(source) != source
        compile(mutant.apply(source), mutant.show(source), "exec")


@pytest.mark.slow
def test_mutants_are_spread_over_areas_and_lines_and_depend_on_the_seed_only() -> None:
    drawn = mutants.draw(ROOT, mutants.AREAS, 52, seed=1)
    assert [sum(one.area == area for one in drawn) for area in mutants.AREAS] == [11, 11, 10, 10, 10]
    assert len({(one.path, one.line) for one in drawn}) == 52
    assert mutants.draw(ROOT, mutants.AREAS, 52, seed=1) == drawn
    assert mutants.draw(ROOT, mutants.AREAS, 52, seed=2) != drawn


FILES = {
    "src/shop/__init__.py": "",
    "src/shop/ages.py": "def is_adult(age):\n    return age >= 18\n",
    "tests/test_ages.py": "from shop.ages import *\ndef test_ages():\n    assert is_adult(30) and not is_adult(5)\n",
    "other/tests/test_ages.py": "from shop.ages import *\ndef test_eighteen():\n    assert is_adult(18)\n",
    "other/tests/test_gone.py": "from shop.gone import nothing\n",
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package whose tests are weak, and another checkout with stronger ones."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "AREAS", {"shop": mutants.Area(("src/shop",), ("tests",))})
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["mutants.py", *arguments])
    mutants.main()


@pytest.mark.long
def test_strong_tests_kill_what_survives_weak_ones(
    shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    weak, strong = shop / "weak.json", shop / "strong.json"
    run(monkeypatch, "--jobs", "2", "--fast", "--output", str(weak))
    summary, _, survivors = capsys.readouterr().out.partition("Survivors:\n")
    assert summary.splitlines()[-1].split() == ["all", "3", "1", "0", "2"]
    assert sorted(survivors.splitlines()) == [
        "  src/shop/ages.py:2: return age >= [18 -> 19]",
        "  src/shop/ages.py:2: return age [>= -> >] 18",
    ]
    outcomes = {one["after"]: (one["outcome"], one["killed_by"]) for one in json.loads(weak.read_text("utf-8"))}
    assert outcomes["None"] == ("killed", "tests/test_ages.py::test_ages")
    assert outcomes[">"] == ("survived", None)

    run(monkeypatch, "--again", str(weak), "--tests", str(shop / "other"), "--output", str(strong))
    assert "without tests/test_gone.py" in capsys.readouterr().err
    assert [one["outcome"] for one in json.loads(strong.read_text("utf-8"))] == ["killed", "killed"]

    written = {str(path.relative_to(shop)) for path in shop.rglob("*") if path.is_file()}
    assert written == {*FILES, "weak.json", "strong.json"}
    assert all((shop / name).read_text("utf-8") == text for name, text in FILES.items())


@pytest.mark.long
def test_a_mutant_that_does_not_end_is_ended(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "TIMES_LONGER", 0)
    monkeypatch.setattr(mutants, "SECONDS_LONGER", 0)
    (mutant,) = mutants.draw(shop, mutants.AREAS, 1, seed=1)
    (result,) = mutants.measure(shop, shop, mutants.AREAS, [mutant], jobs=1, fast=True)
    assert result["outcome"] == "timed out"


@pytest.mark.long
def test_a_test_that_fails_by_chance_does_not_kill(shop: Path) -> None:
    # Two runs are without a mutant; the third is the first with one.
    (shop / "tests" / "test_chance.py").write_text(
        "from pathlib import Path\n"
        "def test_chance():\n"
        "    with (Path.home() / 'runs').open('a+') as file:\n"
        "        file.write('.')\n"
        "        assert file.tell() != 3\n",
        encoding="utf-8",
    )
    survivor = next(one for one in mutants.draw(shop, mutants.AREAS, 3, seed=1) if one.after == ">")
    (result,) = mutants.measure(shop, shop, mutants.AREAS, [survivor], jobs=1, fast=True)
    assert result["outcome"] == "survived"
    assert result["unreliable"] == ["tests/test_chance.py::test_chance"]
    assert mutants.summarise([result]).endswith("then passed:\n  tests/test_chance.py::test_chance")


def test_wrong_input_is_answered_in_a_sentence(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=r"cellar is neither an area \(shop\) nor a file or folder in one"):
        run(monkeypatch, "--only", "cellar")
    results = shop / "results.json"
    survivors = [asdict(one) | {"outcome": "survived"} for one in mutants.draw(shop, mutants.AREAS, 3, seed=1)]
    results.write_text(json.dumps(survivors), encoding="utf-8")
    (shop / "src/shop/ages.py").write_text("\n" + FILES["src/shop/ages.py"], encoding="utf-8")
    with pytest.raises(SystemExit, match=r"src/shop/ages.py has changed since .*results.json was written"):
        run(monkeypatch, "--again", str(results))
