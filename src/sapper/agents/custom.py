"""Agents from outside Sapper, by name: ``module:make``, or what an installed package calls an agent of ours.

``make`` takes a random generator and returns an agent. A module is looked for where Python looks, the current folder
first, as ``python -m`` does. A package names its agents as entry points of the group ``sapper.agents``::

    [project.entry-points."sapper.agents"]
    cautious = "mypackage.agents:make_cautious"

While they play, such agents are held to what `contract` says, and a fault is one sentence that names the agent.
"""

from __future__ import annotations

import importlib
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from inspect import cleandoc
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from sapper.agents.agent import Agent, Decision, Maker, ask, describe_error, make_checked, most_decisions
from sapper.errors import AgentFault, InputError
from sapper.observation import Observation
from sapper.topology import Cell

GROUP = "sapper.agents"
BETWEEN = ":"  # what stands between the module and what makes the agent


def find_maker(name: str) -> Maker:
    """Import what ``module:make`` names, or raise `InputError` in a sentence.

    >>> find_maker("sapper.agents.believer:Believer").__name__
    'Believer'
    >>> find_maker("sapper.agents.believer:Beliver")
    Traceback (most recent call last):
    sapper.errors.InputError: The module 'sapper.agents.believer' has no 'Beliver'.
    """
    module_name, _, path = name.partition(BETWEEN)
    if not all(part.isidentifier() for part in (*module_name.split("."), *path.split("."))):
        raise InputError(f"{name[:80]!r} is not an agent; name one of your own as mymodule:make.")
    if module_name.endswith(".py"):
        raise InputError(f"Name the module, not its file: {module_name.removesuffix('.py')}{BETWEEN}{path}.")
    found: object = _import(module_name)
    for part in path.split("."):
        if not hasattr(found, part):
            raise InputError(f"The module {module_name!r} has no {path!r}.")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(f"{name} is of the type {type(found).__name__}, not a function or a class that makes agents.")
    return found


def _import(name: str) -> object:
    if name in sys.modules:
        return sys.modules[name]
    with suppress(OSError):  # a current folder that was removed has nothing to import
        if (folder := str(Path.cwd())) not in sys.path:
            # It stays there: what the module imports later is looked for there too, and processes inherit it.
            sys.path.insert(0, folder)
            importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise InputError(
                f"There is no module {name!r} to import, neither in the current folder nor where Python looks."
            ) from None
        raise InputError(f"The module {name!r} cannot be imported: {describe_error(error)}.") from error
    # Scripts that end themselves are no modules either.
    except (Exception, SystemExit) as error:
        raise InputError(f"The module {name!r} cannot be imported: {describe_error(error)}.") from error


def name_of(make: Maker) -> str | None:
    """The name under which a maker can be imported anywhere, or None: a lambda, or what was typed into a notebook.

    >>> from sapper.agents.believer import Believer
    >>> name_of(Believer), name_of(lambda rng: Believer(rng))
    ('sapper.agents.believer:Believer', None)
    """
    module, path = getattr(make, "__module__", None), getattr(make, "__qualname__", None)
    if not module or not path or module in ("__main__", "__mp_main__"):
        return None
    name = f"{module}{BETWEEN}{path}"
    try:
        return name if find_maker(name) is make else None
    except InputError:
        return None


def call_name(make: Maker) -> str:
    """What to call a maker that has no name to import it by.

    >>> call_name(lambda rng: None)
    'lambda'
    """
    return str(getattr(make, "__name__", type(make).__name__)).strip("<>")


def installed_names() -> list[str]:
    """The names of the agents that installed packages bring along, in order; nothing of them is imported."""
    return sorted(_installed(tuple(sys.path)))


def find_installed(name: str) -> Maker:
    """Import an agent of an installed package, or raise `InputError` in a sentence."""
    first, *others = _installed(tuple(sys.path))[name]
    if others:
        raise InputError(f"Several packages bring an agent {name!r}; name the one you mean: {first} or {others[0]}.")
    return find_maker(first)


@lru_cache(maxsize=4)
def _installed(path: tuple[str, ...]) -> dict[str, list[str]]:
    """The agents of the packages on a path: name → where each is found. Looking takes milliseconds, so it is kept."""
    from importlib.metadata import entry_points

    del path  # the one that is searched is the one in force
    found: dict[str, list[str]] = {}
    for entry in entry_points(group=GROUP):
        where = f"{entry.module}{BETWEEN}{entry.attr}"
        if where not in found.setdefault(entry.name, []):
            found[entry.name].append(where)
    return found


def about(make: Maker) -> str:
    """What the documentation of the maker says first."""
    said = cleandoc(getattr(make, "__doc__", None) or "").partition("\n\n")[0].replace("\n", " ").strip()
    return said or "An agent of your own; it does not say what it does."


_versions: WeakKeyDictionary[object, int] = WeakKeyDictionary()


def version_of(make: Maker) -> int:
    """Its attribute ``version`` if that is a whole number, else one that changes with the file that it is written in.

    So results of an agent are not taken for those of what it was before, as long as it lies in one file.
    """
    named = getattr(make, "version", None)
    if type(named) is int:
        return named
    # Once for each maker: what is loaded is what the file said then, whatever it says later.
    with suppress(TypeError):
        if make in _versions:
            return _versions[make]
    version = _digest(make)
    with suppress(TypeError):
        _versions[make] = version
    return version


def _digest(make: Maker) -> int:
    module = sys.modules.get(getattr(make, "__module__", None) or "")
    try:
        return zlib.crc32(Path(os.fspath(module.__file__)).read_bytes())  # type: ignore[union-attr, arg-type]
    except (AttributeError, TypeError, OSError):
        return 1


def guarded(name: str, make: Maker) -> Maker:
    """Return a maker of the same agents that are held to the contract in every game."""

    def make_guarded(rng: np.random.Generator) -> Agent:
        with _naming(name):
            return _Guarded(name, make_checked(make, rng))

    return make_guarded


class _Guarded:
    """An agent whose every answer is looked at before anybody acts on it."""

    def __init__(self, name: str, agent: Agent) -> None:
        self._name = name
        self._agent = agent
        self._n_decisions = 0
        self._mines: set[Cell] = set()  # deduced so far

    def decide(self, observation: Observation) -> Decision:
        """Decide as the agent does, or raise `AgentFault` in a sentence that names it."""
        self._n_decisions += 1
        with _naming(self._name):
            if self._n_decisions > most_decisions(observation):
                raise AgentFault("The agent does not come to an end.")
            decision = ask(self._agent, observation)
            mines = [found.cell for found in decision.deductions if found.is_mine]
            for cell in mines:
                # Whoever plays flags what is deduced; a second time would take the flag off again.
                if cell in self._mines or mines.count(cell) > 1:
                    raise AgentFault(f"The mine at {cell} is deduced twice; a decision has what is new since the last.")
            self._mines.update(mines)
        return decision


@contextmanager
def _naming(name: str) -> Iterator[None]:
    try:
        yield
    except AgentFault as fault:
        raise AgentFault(f"{name}: {fault}") from fault.__cause__
