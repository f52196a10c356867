"""The names that ``import sapper`` offers."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import sapper
from sapper.inference.posterior.workspace import Budget

ROOT = Path(__file__).parent.parent


def test_every_promised_name_is_there_and_documented() -> None:
    assert set(sapper.__all__) == {*sapper._HOME, "__version__"}
    for name in sapper.__all__:
        value = getattr(sapper, name)
        if callable(value):
            assert value.__doc__, name


def test_every_promised_name_stands_in_the_documentation() -> None:
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    missing = [name for name in sapper.__all__ if not re.search(rf"`(sapper\.)?{name}\b", text)]
    assert not missing


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = sapper.nonsense
    assert "Game" in dir(sapper)


def test_importing_sapper_loads_nothing_heavy() -> None:
    code = "import sys, sapper, sapper.cli; sys.exit(any(name in sys.modules for name in ('numpy', 'sapper.kernels')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_version_is_the_one_of_the_package() -> None:
    assert f'version = "{sapper.__version__}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


# What nobody should hand over; text that is none of rules, layouts, positions, agents and files is among it.
WRONG: tuple[object, ...] = (None, 3.5, b"x", [], {}, object(), ("a", "b"), "nonsense", math.nan)


def calls() -> dict[str, tuple[Callable[..., object], list[object]]]:
    """Every promised name that can be called, by what it takes first; each call works as it stands."""
    rules = sapper.Rules.parse("4x4/3")
    layout = sapper.generate_layout(rules, 0, (0, 0))
    seen = sapper.Observation.parse("1#/## 1")
    agent = sapper.make_agent("exact")
    record = sapper.play_match(sapper.Game(rules), agent)
    certificate = sapper.certify("3x4/2", "*---/*---/----", (0, 3))

    def ask(density: float, budget: Budget | None) -> sapper.Posterior:
        return sapper.mine_probabilities(seen, density=density, budget=budget)

    def ask_engine(position: object, density: float, shown: object) -> sapper.Posterior:
        engine = sapper.Engine(density=density)
        engine.posterior(position)  # type: ignore[arg-type]
        return engine.open(shown)  # type: ignore[arg-type]

    def ask_many(cells: object, mines: object, shape: object, density: float, threads: object) -> sapper.Posteriors:
        return sapper.mine_probabilities_many(
            cells,  # type: ignore[arg-type]
            mines=mines,  # type: ignore[arg-type]
            topology=shape,  # type: ignore[arg-type]
            density=density,
            threads=threads,  # type: ignore[arg-type]
        )

    return {
        "Engine": (ask_engine, [seen, 0.2, {(0, 1): 1}]),
        "Posterior.p_clue": (sapper.mine_probabilities(seen).p_clue, [0, 1]),
        "Posterior.sample": (sapper.mine_probabilities(seen).sample, [2, np.random.default_rng(1)]),
        "Topology.of_neighbours": (sapper.Topology.of_neighbours, [1, 2, [[1], [0]]]),
        "mine_probabilities, settings": (ask, [0.2, Budget()]),
        "mine_probabilities_many": (ask_many, [seen.cells[None], 1, "square", 0.2, 1]),
        "Certificate.parse": (sapper.Certificate.parse, [str(certificate)]),
        "Channel.parse": (sapper.Channel.parse, ["exact"]),
        "Game": (sapper.Game, [rules, 0, layout]),
        "Layout": (sapper.Layout, [layout.topology, layout.mines]),
        "Layout.of": (sapper.Layout.of, [layout.topology, [(0, 0)]]),
        "Layout.parse": (sapper.Layout.parse, [str(layout)]),
        "Observation": (sapper.Observation, [seen.topology, seen.cells]),
        "Observation.parse": (sapper.Observation.parse, [str(seen)]),
        "Record.parse": (sapper.Record.parse, [str(record)]),
        "Results.of_store": (sapper.Results.of_store, []),
        "Rules": (sapper.Rules, [4, 4, 3]),
        "Rules.on": (sapper.Rules.on, [layout.topology, 3]),
        "Rules.parse": (sapper.Rules.parse, [str(rules)]),
        "Rules.with_density": (sapper.Rules.with_density, [4, 4, 0.2]),
        "best_cell": (sapper.best_cell, [seen, "exact", 0.01, 0]),
        "board_metrics": (sapper.board_metrics, [layout]),
        "certify": (sapper.certify, [certificate.rules, certificate.layout, certificate.first]),
        "explain": (sapper.explain, [seen]),
        "generate_layout": (sapper.generate_layout, [rules, 0, (0, 0)]),
        "generate_no_guess": (sapper.generate_no_guess, [sapper.Rules.parse("5x5/3"), 0, (0, 0)]),
        "judge_guess": (sapper.judge_guess, [seen]),
        "make_agent": (sapper.make_agent, ["exact"]),
        "mine_probabilities": (sapper.mine_probabilities, [seen]),
        "play_match": (sapper.play_match, [sapper.Game(rules), agent]),
        "read": (sapper.read, []),
        "review": (sapper.review, [record]),
        "start_game": (sapper.start_game, [rules, 0]),
        "sweep": (sapper.sweep, ["basic", "3x3/1", 1, 0]),
        "verify": (sapper.verify, [certificate]),
        "write": (sapper.write, [layout]),
    }


@pytest.mark.parametrize("name", sorted(calls()))
def test_a_wrong_type_is_an_error_that_says_what_was_expected(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function, arguments = calls()[name]
    more: dict[str, list[object]] = {"explain": [0, 1], "judge_guess": [(0, 1)], "write": ["a.mbf"]}
    for place in range(max(len(arguments), 1)):
        for wrong in WRONG:
            if name in ("Game", "start_game") and wrong is None and place == 2:
                continue  # no layout is given
            given = [*arguments[:place], wrong, *arguments[place + 1 :], *more.get(name, [])]
            if isinstance(wrong, str) and name in ("read", "Results.of_store"):
                continue  # a file that is not there
            with suppress(sapper.SapperError):
                function(*given)  # whatever it makes of it, any other error is the test's own
    assert not any(tmp_path.iterdir())


def test_rules_and_layouts_may_be_text_wherever_they_are_taken(tmp_path: Path) -> None:
    text, rules = "4x4/3", sapper.Rules.parse("4x4/3")
    assert sapper.Game(text).rules == sapper.start_game(text).rules == rules
    layout = sapper.generate_layout(text, 5, (0, 0))
    assert layout == sapper.generate_layout(rules, 5, (0, 0))
    assert sapper.Game(text, layout=str(layout)).layout == layout
    assert sapper.start_game(f"{text} torus", layout=str(layout)).rules.topology.shape == "torus"
    assert sapper.board_metrics(str(layout)) == sapper.board_metrics(layout)
    easy = sapper.generate_no_guess("5x5/3", 0, (0, 0))
    assert sapper.verify(sapper.certify("5x5/3", str(easy), (0, 0)))


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("Game", [7], "Expected rules, as a value or as text such as '16x30/99', not 7."),
        ("board_metrics", [None], "Expected a layout, as a value or as text such as '*--/---', not None."),
        ("play_match", ["beginner", None], "Expected a game, not 'beginner'."),
        ("make_agent", [3], "Expected the name of an agent, not 3."),
        ("verify", ["proof"], "Expected a certificate, not 'proof'."),
        ("Game", ["beginner", 1.5], f"Expected a seed, an integer from 0 to {2**63 - 1}, not 1.5."),
        (
            "play_match",
            [sapper.Game("beginner"), "exact"],
            "Expected an agent such as sapper.make_agent('exact'), not 'exact'.",
        ),
    ],
)
def test_the_error_says_what_was_expected(name: str, arguments: list[object], says: str) -> None:
    with pytest.raises(sapper.InputError) as raised:
        getattr(sapper, name)(*arguments)
    assert str(raised.value) == says
