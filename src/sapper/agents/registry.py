"""Every agent by name; ``data/agents.toml`` says which report it comes from and where it knowingly differs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from sapper.agents import custom
from sapper.agents.agent import Agent, Maker
from sapper.agents.believer import Believer
from sapper.agents.exact import Certainty, LeastCost, MostInformation, MostWorkedOut, PolicyGuess
from sapper.agents.foreign.agent import about_foreign, digest_of, foreign_maker, is_foreign
from sapper.agents.guessing import FringeGuess, Guesser, ProductGuess, QueueGuess, RandomGuess
from sapper.agents.reasoning import ReasoningAgent, Way
from sapper.errors import InputError, check_type
from sapper.inference.facts import Facts
from sapper.inference.reasoning.contradiction import deduce_contradictions, deduce_least_involved
from sapper.inference.reasoning.one_two import deduce_one_two, deduce_walls
from sapper.inference.reasoning.single import (
    Deduction,
    deduce_local,
    deduce_newest,
    deduce_newest_and_total,
    deduce_queried,
    deduce_single,
)
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets, deduce_subsets_and_total


@dataclass(frozen=True, slots=True)
class Entry:
    """An agent as it stands in the list."""

    name: str
    version: int  # goes up whenever its decisions or scores change, so that old results are not taken for new ones
    make: Maker
    about: str
    sound: bool = True  # whether what it deduces always holds
    reports: tuple[str, ...] = ()  # the student reports that it comes from, by number

    @property
    def summary(self) -> str:
        """The agent in one sentence: the first of its paragraph.

        >>> agent_entry("random").summary
        'Opens hidden cells at random and deduces nothing: the baseline that every other agent should beat.'
        """
        return _SENTENCE.split(self.about, maxsplit=1)[0]


_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z])")


def make_agent(name: str, seed: int = 0) -> Agent:
    """Make an agent: a listed one, or one of your own as ``module:make``; same seed, same decisions.

    >>> from sapper.observation import Observation
    >>> make_agent("basic").decide(Observation.parse("02#/13#/#3# 4")).reason
    'Opened (2, 2): the 3 at (1, 1) already touches 3 mines.'
    """
    return agent_entry(name).make(make_generator(seed))


def make_generator(seed: int) -> np.random.Generator:
    """Return the random generator of a seed, or raise `InputError` if it is not one."""
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"A seed must be a non-negative integer, not {seed!r}.")
    return np.random.default_rng(seed)


def agent_entry(name: str) -> Entry:
    """Return the entry of an agent, or raise `InputError` that names the nearest.

    One that is not listed is imported by its name, ``module:make`` (see `sapper.agents.custom`), or runs in a process
    of its own, as ``cs50:minesweeper.py`` (see `sapper.agents.foreign`).
    """
    check_type(name, str, "the name of an agent")
    if name not in AGENTS and is_foreign(name):
        return Entry(name, digest_of(name), foreign_maker(name), about_foreign(name), sound=False)
    if name not in AGENTS and custom.BETWEEN in name:
        return _entry_of(name, custom.find_maker(name))
    return listed_entry(name)


def listed_entry(name: str) -> Entry:
    """Return the entry of a listed agent: for names that come from strangers, who may not choose what is imported."""
    if name in AGENTS:
        return AGENTS[name]
    installed = custom.installed_names()
    if name in installed:
        return _entry_of(name, custom.find_installed(name))
    from difflib import get_close_matches

    known = [*AGENTS, *installed]
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}."
    raise InputError(f"There is no agent {name[:40]!r}; {hint}")


def listed_agents() -> list[Entry]:
    """Every agent of the list: ours, those that were registered, and those of installed packages.

    One that cannot be imported is there too; what is wrong is what it says about itself.
    """
    return [*AGENTS.values(), *(_installed_entry(name) for name in custom.installed_names() if name not in AGENTS)]


def is_own(name: str) -> bool:
    """Whether an agent comes from outside Sapper."""
    return name not in _OURS


def _entry_of(name: str, make: Maker) -> Entry:
    return Entry(name, custom.version_of(make), custom.guarded(name, make), custom.about(make), sound=False)


def _installed_entry(name: str) -> Entry:
    try:
        return listed_entry(name)
    except InputError as error:
        wrong = error

    def refuse(rng: np.random.Generator) -> Agent:
        del rng
        raise InputError(str(wrong))

    return Entry(name, 1, refuse, str(wrong), sound=False)


def register(entry: Entry) -> None:
    """Add an agent to the list of this process."""
    if entry.name in AGENTS:
        raise InputError(f"There is an agent {entry.name!r} already.")
    AGENTS[entry.name] = entry


def _sums(guesses: Callable[..., Guesser], *, ignores_total: bool = False, **settings: str) -> Maker:
    """Return a maker of agents that open what the exact sum proves, and guess in this way."""

    def make(rng: np.random.Generator) -> Agent:
        certainty = Certainty(ignores_total)
        return ReasoningAgent((certainty,), guesses(certainty, rng, **settings))

    return make


def make_puncher(rng: np.random.Generator, *, corners_first: bool = False, waits: bool = False) -> ReasoningAgent:
    """Student report 003's agent as its text describes it; ``waits`` as in `deduce_walls`."""

    def deduce(facts: Facts, clues: Iterable[int]) -> list[Deduction]:
        return [*deduce_queried(facts, clues), *deduce_walls(facts, waits=waits)]

    return ReasoningAgent((deduce,), FringeGuess(rng, corners_first), reconsiders=True)


def make_stater(
    rng: np.random.Generator, way: Way = deduce_newest, guesser: Guesser | None = None, *, stops: bool = False
) -> ReasoningAgent:
    """Student report 000's agent as its play-by-play shows it; it deduces and guesses otherwise if asked."""
    return ReasoningAgent((way,), guesser or QueueGuess(rng), newest_first=True, stops=stops)


AGENTS: dict[str, Entry] = {}

_WORDS = tomllib.loads((files("sapper.data") / "agents.toml").read_text("utf-8"))
_UNSOUND = ("one-two-reported", "one-two-corners-reported", "believer")  # what they deduce may be wrong

_TABLE: tuple[tuple[str, int, Maker], ...] = (
    ("random", 1, lambda rng: ReasoningAgent((), RandomGuess(rng))),
    ("basic", 1, lambda rng: ReasoningAgent((deduce_single,), RandomGuess(rng))),
    ("local", 1, lambda rng: ReasoningAgent((deduce_local,), RandomGuess(rng))),
    ("statements", 1, lambda rng: ReasoningAgent((deduce_single, deduce_subsets), QueueGuess(rng))),
    ("statements-reported", 1, make_stater),
    (
        "statements-count",
        2,
        lambda rng: ReasoningAgent((deduce_single, deduce_subsets_and_total), QueueGuess(rng), stops=True),
    ),
    ("statements-count-reported", 1, lambda rng: make_stater(rng, deduce_newest_and_total, stops=True)),
    (
        "search",
        2,
        lambda rng: ReasoningAgent((deduce_single,), RandomGuess(rng), opening=RandomGuess(rng), asks_again=True),
    ),
    (
        "infer",
        2,
        lambda rng: ReasoningAgent(
            (deduce_single, deduce_pairs), ProductGuess(rng), opening=RandomGuess(rng), asks_again=True
        ),
    ),
    ("contradiction", 1, lambda rng: ReasoningAgent((deduce_single, deduce_least_involved), RandomGuess(rng))),
    ("contradiction-full", 1, lambda rng: ReasoningAgent((deduce_single, deduce_contradictions), RandomGuess(rng))),
    ("one-two", 1, lambda rng: ReasoningAgent((deduce_single, deduce_one_two), RandomGuess(rng), zeros_first=True)),
    (
        "one-two-corners",
        1,
        lambda rng: ReasoningAgent(
            (deduce_single, deduce_one_two), QueueGuess(rng, corners_first=True), zeros_first=True
        ),
    ),
    ("simple-reported", 1, lambda rng: ReasoningAgent((deduce_queried,), FringeGuess(rng))),
    ("one-two-reported", 1, make_puncher),
    ("one-two-corners-reported", 1, lambda rng: make_puncher(rng, corners_first=True)),
    ("min-cost", 1, _sums(LeastCost, ignores_total=True)),
    ("min-risk", 1, _sums(MostWorkedOut, ignores_total=True)),
    ("most-information", 1, _sums(MostInformation)),
    ("exact", 2, _sums(PolicyGuess, policy="exact")),
    ("expert", 7, _sums(PolicyGuess, policy="expert")),
    ("optimal", 6, _sums(PolicyGuess, policy="optimal")),
    ("master", 6, _sums(PolicyGuess, policy="master")),
    ("believer", 3, lambda rng: Believer(rng)),
)
for _name, _version, _make in _TABLE:
    _about, _reports = _WORDS[_name]["about"], tuple(_WORDS[_name]["reports"])
    register(Entry(_name, _version, _make, _about, _name not in _UNSOUND, _reports))

_OURS = frozenset(AGENTS)
