"""Every agent by name, with a paragraph that says which report it comes from and where it knowingly differs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

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
    entry = agent_entry(name)
    return entry.make(make_generator(seed))


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

for _entry in (
    Entry(
        "random",
        1,
        lambda rng: ReasoningAgent((), RandomGuess(rng)),
        "Opens hidden cells at random and deduces nothing: the baseline that every other agent should beat.",
    ),
    Entry(
        "basic",
        1,
        lambda rng: ReasoningAgent((deduce_single,), RandomGuess(rng)),
        "The two rules of single clues over the whole board, until nothing changes; otherwise a random cell. The "
        "sound version of what student reports 002 (local) and 003 (simple-reported) measure themselves against. "
        "Student report 003 counts safe neighbours as 8 - clue, which is wrong at borders; here their number is the "
        "true one.",
        reports=("002", "003"),
    ),
    Entry(
        "local",
        1,
        lambda rng: ReasoningAgent((deduce_local,), RandomGuess(rng)),
        "Student report 002's basic agent: the two rules, but only for a cell that has just been opened, and never "
        "again. What an old clue could say after later discoveries is lost.",
        reports=("002",),
    ),
    Entry(
        "statements",
        1,
        lambda rng: ReasoningAgent((deduce_single, deduce_subsets), QueueGuess(rng)),
        "Student report 000: turns clues into statements (these cells hold n mines) and subtracts those that lie "
        "within others. It does so until nothing new appears; unknown cells wait in a shuffled queue. This is what "
        "the report's text describes; its play-by-play misses some of it (statements-reported).",
        reports=("000",),
    ),
    Entry(
        "statements-reported",
        1,
        make_stater,
        "Student report 000's agent as its play-by-play shows it: after each click it acts on one statement, the "
        "newest that settles something. It leaves the others for later and subtracts no statement from another. What "
        "was proved safe last is opened first. Our reading, which gives every step of the play-by-play.",
        reports=("000",),
    ),
    Entry(
        "statements-count",
        2,
        lambda rng: ReasoningAgent((deduce_single, deduce_subsets_and_total), QueueGuess(rng), stops=True),
        "Student report 000's improvement: the total is a statement about the whole board, and every clue gives one "
        "about the cells outside its neighbourhood. Statements that these lead to are kept up to eight cells. Once all "
        "mines are found it stops, where only mines count. Without a known total it plays as statements does.",
        reports=("000",),
    ),
    Entry(
        "statements-count-reported",
        1,
        lambda rng: make_stater(rng, deduce_newest_and_total, stops=True),
        "Student report 000's improvement made to the agent of its play-by-play: each clue above 0 also gives a "
        "statement about all cells outside its neighbourhood. They hold the rest of the total, and of the two "
        "statements theirs is the newer. The total alone is not a statement. Once all mines are found it stops, where "
        "only mines count. In everything else it is statements-reported.",
        reports=("000",),
    ),
    Entry(
        "search",
        2,
        lambda rng: ReasoningAgent((deduce_single,), RandomGuess(rng), opening=RandomGuess(rng), asks_again=True),
        "Student report 001's Search: random cells until a zero shows, then obvious mines and the safe cells that "
        "they imply, otherwise a random cell. Until the zero it ignores whatever could be deduced. A cell that gave "
        "no clue is asked until it answers, where it may.",
        reports=("001",),
    ),
    Entry(
        "infer",
        2,
        lambda rng: ReasoningAgent(
            (deduce_single, deduce_pairs), ProductGuess(rng), opening=RandomGuess(rng), asks_again=True
        ),
        "Student report 001's Infer: as Search, but before a guess it bounds the mines that two clues share. It "
        "opens as Search does, at random until a zero shows; later it guesses by the report's product of shares, "
        "which is not a probability and is kept as its own heuristic. The report makes one pass over the pairs and "
        "compares with >= where == is meant; this one repeats until nothing changes.",
        reports=("001",),
    ),
    Entry(
        "contradiction",
        1,
        lambda rng: ReasoningAgent((deduce_single, deduce_least_involved), RandomGuess(rng)),
        "Student report 002's improved agent: before a guess it assumes a mine in the unknown cell that the fewest "
        "clues touch, and a contradiction proves the cell safe. The report calls it IBM, Inferencing Bombs "
        "Minesweeper. It follows the assumption by the two rules; it can never prove a mine that way, nor look at a "
        "second cell.",
        reports=("002",),
    ),
    Entry(
        "contradiction-full",
        1,
        lambda rng: ReasoningAgent((deduce_single, deduce_contradictions), RandomGuess(rng)),
        "Student report 002's idea carried through: both assumptions for every cell on the frontier, until nothing "
        "changes.",
        reports=("002",),
    ),
    Entry(
        "one-two",
        1,
        lambda rng: ReasoningAgent((deduce_single, deduce_one_two), RandomGuess(rng), zeros_first=True),
        "Student report 003's improved agent made sound: the two rules over the whole board, and the One-Two Punch. "
        "The punch applies in any orientation, with known mines taken off the clues. The agent opens the neighbours "
        "of zeros first, then other safe cells, then a random one. On knight and orthogonal boards there is no such "
        "pattern, and it has single clues alone.",
        reports=("003",),
    ),
    Entry(
        "one-two-corners",
        1,
        lambda rng: ReasoningAgent(
            (deduce_single, deduce_one_two), QueueGuess(rng, corners_first=True), zeros_first=True
        ),
        "Student report 003's better decisions made sound: as one-two, but it guesses corners first, then edges, "
        "then the rest. On other topologies, cells with fewer neighbours come first.",
        reports=("003",),
    ),
    Entry(
        "simple-reported",
        1,
        lambda rng: ReasoningAgent((deduce_queried,), FringeGuess(rng)),
        "Student report 003's simple agent as its text describes it: each clue is looked at once, when its cell is "
        "queried. Every cell that is not open is hidden, those that wait to be opened included; and of safe cells "
        "only the neighbours of zeros are opened, first in, first out. Else a random cell.",
        reports=("003",),
    ),
    Entry(
        "one-two-reported",
        1,
        make_puncher,
        "Student report 003's improved agent as its text describes it: as simple-reported, and a 1 beside a 2 with "
        "three hidden cells along one side make the one diagonal to the 2 a mine. Nothing else is asked, so some of "
        "its marks are wrong; one-two is the sound version.",
        sound=False,
        reports=("003",),
    ),
    Entry(
        "one-two-corners-reported",
        1,
        lambda rng: make_puncher(rng, corners_first=True),
        "Student report 003's better decisions as its text describes them: as one-two-reported, but where no zero is "
        "open it queries corners, then edges, row by row, then any cell.",
        sound=False,
        reports=("003",),
    ),
    Entry(
        "min-cost",
        1,
        _sums(LeastCost, ignores_total=True),
        "Opens a cell of least exact risk, any of several at random: the fewest mines stepped on, one step ahead. As "
        "in the assignment it treats the total as unknown, even if it is given, and every cell as a mine with "
        "probability 1/2.",
    ),
    Entry(
        "min-risk",
        1,
        _sums(MostWorkedOut, ignores_total=True),
        "Opens the cell that is expected to settle the most others. That is q R + (1 - q) S, with q its chance of a "
        "mine, R and S the cells that become certain if it is one or is not. Treats the total as unknown, as "
        "min-cost does.",
    ),
    Entry(
        "most-information",
        1,
        _sums(MostInformation),
        "Opens the most informative cell: the largest entropy of what it may show, a mine included. Exact, and a "
        "player for surveys, where stepping on a mine is not the end.",
    ),
    Entry(
        "exact",
        2,
        _sums(PolicyGuess, policy="exact"),
        "Opens everything that follows from all clues and the number of mines, and otherwise the safest cell. It "
        "prefers one at most five points riskier that has more clues and fewer hidden cells around it. Where the sum "
        "is too hard it falls back on single clues, subsets and refuted assumptions, and guesses by the clues' "
        "shares.",
    ),
    Entry(
        "expert",
        7,
        _sums(PolicyGuess, policy="expert"),
        "As exact, but before a guess it looks ahead and opens the cell that leaves the best chance to continue. It "
        "tries every clue that a promising cell may show; close candidates are followed one guess further. A forced "
        "guess, between cells that no later clue can tell apart, costs nothing. Where at most 300 layouts are left, "
        "or in a separate part of the board, exact search finds perfect play; up to 5,000 layouts are searched by "
        "beam search, with the safest guesses only. Where clues may be wrong it guesses as exact does.",
    ),
    Entry(
        "optimal",
        6,
        _sums(PolicyGuess, policy="optimal"),
        "As expert, but it searches up to 2,000 layouts exactly and up to 20,000 by beam search. An exact search "
        "takes a tenth of a second and occasionally seconds. Boards of at most 5,000 layouts with a safe first cell "
        "are played perfectly from the first move.",
    ),
    Entry(
        "master",
        6,
        _sums(PolicyGuess, policy="master"),
        "As optimal, but it starts by the opening book and compares close candidates by rollouts. There are up to 32 "
        "for each candidate, over layouts drawn with their exact probability, weighed against lookahead.",
    ),
    Entry(
        "believer",
        3,
        Believer,
        "Plays as exact does, but believes every clue, even where clues may be wrong; there its deductions may "
        "be wrong too. When the clues cannot all hold, it drops as many as it must, in random order. Compared with "
        "exact, it measures what knowing the channel is worth.",
        sound=False,
    ),
):
    register(_entry)

_OURS = frozenset(AGENTS)
