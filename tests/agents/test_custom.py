"""Agents from outside: found by name, held to the contract, and nothing of theirs ends in a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from own_agents import importable, write_module, write_package

from sapper.agents import custom
from sapper.agents.registry import AGENTS, agent_entry, is_own, listed_agents, listed_entry, make_agent
from sapper.errors import AgentFault, InputError
from sapper.observation import Observation
from sapper.play.match import play_match
from sapper.rules import Rules
from sapper.testing import check_agent
from sapper.world.game import Game, Outcome


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current folder with the module in it, which Python forgets afterwards."""
    write_module(tmp_path)
    monkeypatch.chdir(tmp_path)
    with importable(tmp_path):
        yield tmp_path


@pytest.mark.usefixtures("folder")
def test_an_agent_of_your_own_is_made_by_its_name_and_plays() -> None:
    assert make_agent("mine:make").decide(Observation.parse("1#/## 1")).cell == (0, 1)
    game = Game(Rules.parse("4x4/3 survey"), 2)
    play_match(game, make_agent("mine:First", 2))
    assert game.outcome is Outcome.FINISHED
    entry = agent_entry("mine:First")
    assert (entry.name, entry.about) == ("mine:First", "Opens the first hidden cell.")
    assert is_own("mine:First")
    assert not is_own("exact")
    check_agent(entry.make, n_games=1)


def test_the_current_folder_is_where_modules_are_looked_for_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_module(tmp_path, "somewhere_else")
    monkeypatch.chdir(tmp_path)
    with importable():
        import sys

        assert str(tmp_path) not in sys.path
        assert make_agent("somewhere_else:make").decide(Observation.parse("## 1")).cell == (0, 0)
        assert sys.path[0] == str(tmp_path)
        del sys.modules["somewhere_else"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mine:nobody", "The module 'mine' has no 'nobody'."),
        ("mine:make.more", "The module 'mine' has no 'make.more'."),
        ("mine:number", "mine:number is of the type int, not a function or a class that makes agents."),
        ("no_such:make", "no module 'no_such' to import, neither in the current folder nor where Python looks."),
        ("mine.sub:make", "There is no module 'mine.sub' to import"),
        ("mine.py:make", "Name the module, not its file: mine:make."),
        ("mine:", "'mine:' is not an agent; name one of your own as mymodule:make."),
        ("../mine:make", "'../mine:make' is not an agent; name one of your own as mymodule:make."),
        ("broken:make", "The module 'broken' cannot be imported: SyntaxError: "),
        ("raising:make", "'raising' cannot be imported: ZeroDivisionError: division by zero (raising.py, line 2)."),
        ("lacking:make", "imported: ModuleNotFoundError: No module named 'torchy' (lacking.py, line 1)."),
        ("ending:make", "The module 'ending' cannot be imported: SystemExit: 3 (ending.py, line 1)."),
    ],
)  # fmt: skip
def test_what_cannot_be_found_is_named_in_one_sentence(name: str, says: str, folder: Path) -> None:
    (folder / "broken.py").write_text("def make(:\n")
    (folder / "raising.py").write_text("\n1 / 0\n")
    (folder / "lacking.py").write_text("import torchy\n")
    (folder / "ending.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(InputError) as error:
        agent_entry(name)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("SaysNothing", "The agent's answer is None; decide should return a Decision."),
        ("SaysACell", "The agent's answer is of the type tuple; decide should return a Decision."),
        ("OpensOpen", "The agent wants to open (0, 0), which is open already."),
        ("Raises", "The agent raised ZeroDivisionError: division by zero (mine.py, line "),
        ("Repeats", "The mine at (1, 1) is deduced twice; a decision has what is new since the last."),
        ("CannotBeMade", "Making the agent raised LookupError: no weights here (mine.py, line "),
    ],
)
def test_what_is_wrong_with_an_agent_is_said_while_it_plays(name: str, says: str) -> None:
    with pytest.raises(AgentFault) as fault:
        play_match(Game(Rules.parse("4x4/6 survey first-any"), 3), make_agent(f"mine:{name}", 3))
    assert str(fault.value).startswith(f"mine:{name}: {says}")
    # The checks for newcomers say the same.
    with pytest.raises(AgentFault):
        check_agent(agent_entry(f"mine:{name}").make, n_games=1)


@pytest.mark.usefixtures("folder")
def test_an_agent_that_asks_for_ever_is_stopped() -> None:
    agent = make_agent("mine:make")
    observation = Observation.parse("## 1")
    for _ in range(30):
        agent.decide(observation)
    with pytest.raises(AgentFault, match="mine:make: The agent does not come to an end"):
        agent.decide(observation)


def test_the_version_changes_with_the_file_unless_the_agent_has_one_itself(folder: Path) -> None:
    before = agent_entry("mine:make").version
    assert agent_entry("mine:make").version == before == agent_entry("mine:First").version
    write_module(folder, "edited", "\n# another line\n")
    assert agent_entry("edited:make").version != before
    write_module(folder, "numbered", "\nmake.version = 5\nFirst.version = 'new'\n")
    assert agent_entry("numbered:make").version == 5
    assert agent_entry("numbered:First").version not in ("new", 1)


@pytest.mark.usefixtures("folder")
def test_strangers_do_not_choose_what_is_imported() -> None:
    import sys

    with pytest.raises(InputError, match="There is no agent 'mine:make'"):
        listed_entry("mine:make")
    assert "mine" not in sys.modules


def test_an_installed_package_brings_agents_along(tmp_path: Path) -> None:
    assert "first" not in [entry.name for entry in listed_agents()]
    write_package(tmp_path, names=("first", "exact"))
    with importable(tmp_path):
        assert custom.installed_names() == ["exact", "first"]
        assert make_agent("first").decide(Observation.parse("1#/## 1")).cell == (0, 1)
        # A name of ours stays ours.
        assert agent_entry("exact") is AGENTS["exact"]
        assert [entry.name for entry in listed_agents()] == [*AGENTS, "first"]
        assert listed_entry("first").about == "Make the agent that opens the first hidden cell."
        with pytest.raises(InputError, match="no agent 'fisrt'; did you mean first"):
            agent_entry("fisrt")
    assert "first" not in [entry.name for entry in listed_agents()]


def test_two_packages_with_the_same_name_have_to_be_told_apart(tmp_path: Path) -> None:
    write_package(tmp_path, "one_package")
    write_package(tmp_path, "other_package")
    with (
        importable(tmp_path),
        pytest.raises(InputError, match=r"Several packages bring an agent 'first'; name the one"),
    ):
        agent_entry("first")


def test_an_installed_agent_that_cannot_be_loaded_is_listed_with_what_is_wrong(tmp_path: Path) -> None:
    write_package(tmp_path)
    (tmp_path / "brought.py").write_text("import torchy\n")
    with importable(tmp_path):
        (found,) = [entry for entry in listed_agents() if entry.name == "first"]
        assert "No module named 'torchy'" in found.about
        with pytest.raises(InputError, match="No module named 'torchy'"):
            found.make(np.random.default_rng(0))


def test_makers_are_named_if_they_can_be_imported_again() -> None:
    from functools import partial

    from sapper.agents.believer import Believer

    def local(rng: np.random.Generator) -> Believer:
        return Believer(rng)

    assert custom.name_of(Believer) == "sapper.agents.believer:Believer"
    for make in (local, lambda rng: Believer(rng), partial(Believer), AGENTS["basic"].make):
        assert custom.name_of(make) is None
    assert [custom.call_name(make) for make in (local, lambda rng: Believer(rng), partial(Believer))] == [
        "local", "lambda", "partial",
    ]  # fmt: skip
