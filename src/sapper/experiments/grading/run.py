"""Grades a class: games in worker processes, every finished part on disk at once, so that a killed run goes on.

A part is some games of one submission, or of an agent of Sapper on the same boards, or the search for small positions.
It depends only on what names it: the files of the submission, the boards, the seeds and the limits.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from sapper.agents.foreign.agent import ForeignAgent, digest_of
from sapper.agents.foreign.agent import Limits as ForeignLimits
from sapper.agents.registry import agent_entry, make_agent
from sapper.errors import FORFEITS, Forfeit, InputError, StoreError
from sapper.experiments.backends import InProcess, Processes
from sapper.experiments.grading.judge import (
    FAULTS,
    LEVELS,
    MINE_CLAIM,
    MISSED,
    MISSED_MINE,
    NOT_REPEATABLE,
    RISK,
    SAFE_CLAIM,
    Example,
    Tally,
    play_judged,
    prepare_game,
)
from sapper.experiments.grading.shrink import BY_CHANCE, shrink
from sapper.play.match import steps
from sapper.play.reading import check_folder
from sapper.rules import Rules
from sapper.words import count
from sapper.world.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sapper.experiments.grading.rubric import Rubric


VERSION = 2  # goes up with every change of what is judged, so that old parts are not taken for new ones
GAMES_PER_PART = 20
FAILURES_IN_A_ROW = 3  # of the same kind, after which the rest of a part is not played


@dataclass(frozen=True, slots=True)
class Part:
    """What a worker does at a time."""

    kind: str  # games, reference or shrink
    name: str  # of the agent
    version: int
    rules: str = ""
    seed: int = 0
    n_games: int = 0
    seconds: float = 0.0  # of processor time that the games may take
    limits: ForeignLimits = field(default_factory=ForeignLimits)
    example: Example | None = None
    checks_repeats: bool = False

    @property
    def key(self) -> str:
        """Return a name under which its result is kept."""
        told = json.dumps([VERSION, asdict(self)], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()


def do_part(part: Part) -> str:
    """Do a part; return its result as JSON."""
    if part.kind == "games":
        return json.dumps(asdict(play_part(part)))
    if part.kind == "reference":
        return json.dumps(play_reference(part))
    assert part.example is not None
    return json.dumps(asdict(shrink(part.name, part.example, part.limits)))


def play_part(part: Part) -> Tally:
    """Play the games of a submission; those that it can no longer win are not played, and count as lost."""
    rules, total = Rules.parse(part.rules), Tally()
    spent, in_a_row = 0.0, 0
    for seed in range(part.seed, part.seed + part.n_games):
        agent = ForeignAgent(part.name, seed, limits=part.limits)
        began = time.monotonic()
        tally, opened = play_judged(rules, seed, agent)
        if part.checks_repeats and seed == part.seed and not tally.games[0][4]:
            _check_repeats(part, rules, seed, opened, tally)
        total.add(tally)
        failed = bool(tally.games[0][4])
        # The time that a game hung is in no answer; a program that sleeps takes it by the clock.
        stalled = failed and not {"hang", "memory"}.isdisjoint(tally.faults)
        spent += time.monotonic() - began if stalled else tally.games[0][3]
        in_a_row = in_a_row + 1 if failed else 0
        kinds = {kind for kind in tally.faults if kind in ("load", "hang", "memory")}
        left = part.seed + part.n_games - seed - 1
        if left and ((in_a_row >= FAILURES_IN_A_ROW and kinds) or spent > part.seconds or "load" in kinds):
            kind = next(iter(sorted(kinds)), "hang")
            score = 0.0 if rules.opened_mine == "explodes" else -1.0
            total.games += [[0, score, 0, 0.0, 1] for _ in range(left)]
            total.faults[kind] = total.faults.get(kind, 0) + left
            if kind not in total.examples:
                game = prepare_game(rules, seed + 1)
                n_played = count(seed + 1 - part.seed, "game")
                took = f"It took {spent:.0f} s of processor time for {n_played} on this board"
                told = f"{took}, so the other {left} were not played."
                total.add_fault(
                    Example(kind, str(rules), seed + 1, str(game.observation), str(game.layout), None, told)
                )
            break
    return total


def _check_repeats(part: Part, rules: Rules, seed: int, opened: list[Any], tally: Tally) -> None:
    """Play a game again, with sets in another order; note the first move that differs."""
    game = prepare_game(rules, seed)
    twin = ForeignAgent(part.name, seed, limits=part.limits)
    twin.hash_seed = 1
    number = 0
    try:
        for number, step in enumerate(steps(game, twin)):
            then = opened[number] if number < len(opened) else None
            if step.decision.cell != then:
                again = f"{step.decision.cell} when the same game was played again"
                told = f"At move {number + 1} it opened {then}, and {again}."
                where = str(step.before.without_flags())
                tally.faults[NOT_REPEATABLE] = 1
                tally.add_fault(
                    Example(NOT_REPEATABLE, str(rules), seed, where, str(game.layout), then, told, number + 1)
                )
                return
    except Forfeit:
        tally.faults[NOT_REPEATABLE] = 1


def play_reference(part: Part) -> list[list[float]]:
    """Play the same games with an agent of Sapper; return won, score and moves of each."""
    rules, found = Rules.parse(part.rules), []
    for seed in range(part.seed, part.seed + part.n_games):
        game = prepare_game(rules, seed)
        n_moves = sum(1 for _ in steps(game, make_agent(part.name, seed)))
        survey = rules.opened_mine == "explodes"
        won = not game.counters.detonations if survey else game.outcome is Outcome.WON
        found.append([int(won), game.score if survey else -1.0, n_moves])
    return found


# -- a class --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Submission:
    """A submission and what was found of it, board by board."""

    name: str  # what it is called
    agent: str
    boards: dict[str, Tally] = field(default_factory=dict)
    examples: dict[str, Example] = field(default_factory=dict)  # as small as could be
    missing: str = ""  # why there is nothing to run

    @property
    def total(self) -> Tally:
        """Return everything that was counted."""
        found = Tally()
        for tally in self.boards.values():
            found.add(tally)
        return found


@dataclass(slots=True)
class Class:
    """All submissions, and the agents of Sapper on the same boards."""

    rubric: Rubric
    submissions: list[Submission]
    references: dict[str, dict[str, list[list[float]]]]  # agent → board → games


class Notebook:
    """Finished parts in one SQLite file, each committed at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or Path(platformdirs.user_data_dir("sapper")) / "grades.sqlite"
        try:
            if path is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            else:
                check_folder(path)
            self._db = sqlite3.connect(self.path, timeout=30.0, isolation_level=None)
            self._db.execute("CREATE TABLE IF NOT EXISTS parts (key TEXT PRIMARY KEY, result TEXT NOT NULL)")
            self._db.execute("PRAGMA journal_mode = WAL")
        except (sqlite3.Error, OSError, InputError) as error:
            raise StoreError(f"Grades cannot be kept in {self.path}: {error}.") from None

    def get(self, part: Part) -> Any | None:
        """Return the result of a part that is done, or None."""
        row = self._db.execute("SELECT result FROM parts WHERE key = ?", (part.key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def put(self, part: Part, result: str) -> None:
        """Keep a result."""
        self._db.execute("INSERT OR REPLACE INTO parts VALUES (?, ?)", (part.key, result))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def do(self, parts: Iterable[Part], jobs: int | None, watch: Callable[[int, int], None] | None) -> dict[Part, Any]:
        """Do the parts that are not done; ``watch`` gets the games done and the games in all."""
        listed = list(parts)
        found = {part: result for part in listed if (result := self.get(part)) is not None}
        n_total = sum(part.n_games or 1 for part in listed)
        n_done = sum(part.n_games or 1 for part in found)
        if watch:
            watch(n_done, n_total)
        missing = [(part, part) for part in listed if part not in found]
        backend = InProcess(do_part) if jobs == 1 else Processes(jobs, do_part)
        with closing(backend.play(missing)) as finished:
            for part, result in finished:
                self.put(part, result)
                found[part] = json.loads(result)
                n_done += part.n_games or 1
                if watch:
                    watch(n_done, n_total)
        return found


def grade(
    rubric: Rubric,
    listed: list[tuple[str, str]],
    notebook: Notebook,
    jobs: int | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Class:
    """Grade submissions, given as (name, agent)."""
    made = Class(rubric, [_read(name, agent) for name, agent in listed], {agent: {} for agent in rubric.compare})
    present = [one for one in made.submissions if not one.missing]
    parts: list[tuple[Part, Submission | str]] = []
    plan = rubric.plan()
    n_parts = sum(-(-n_games // GAMES_PER_PART) for _, n_games in plan)
    for agent in rubric.compare:
        version = agent_entry(agent).version
        parts += [(Part("reference", agent, version, *where), agent) for where in _cut(plan, rubric.seed)]
    for one in present:
        version = digest_of(one.agent)
        for number, where in enumerate(_cut(plan, rubric.seed)):
            seconds = rubric.submission / n_parts
            part = Part("games", one.agent, version, *where, seconds, rubric.limits, checks_repeats=number == 0)
            parts.append((part, one))
    found = notebook.do([part for part, _ in parts], jobs, watch)
    for part, whose in parts:
        if isinstance(whose, str):
            made.references[whose].setdefault(part.rules, []).extend(found[part])
        else:
            whose.boards.setdefault(part.rules, Tally()).add(read_tally(found[part]))
    # Who misses safe cells and mines of the same kind is shown a safe cell.
    both = {MISSED_MINE[level]: MISSED[level] for level in LEVELS}
    smaller = [
        (Part("shrink", one.agent, digest_of(one.agent), limits=rubric.limits, example=example), one)
        for one in present
        for example in one.total.examples.values()
        if not (example.kind == RISK and one.agent.startswith("cs50:"))  # the course asks for any cell
        and both.get(example.kind) not in one.total.examples
    ]
    found = notebook.do([part for part, _ in smaller], jobs, None)
    for part, one in smaller:
        example = read_example(found[part])
        one.examples[example.kind] = example
    for one in present:
        one.examples = {kind: one.examples[kind] for kind in _in_order(one) if kind in one.examples}
    return made


def _in_order(one: Submission) -> list[str]:
    """Return the kinds of faults in the order in which to mend them: what wrong claims lead to comes after them."""
    total = one.total
    few = 0.1 * len(total.games)
    first = [kind for kind in FORFEITS if kind not in BY_CHANCE and total.faults.get(kind, 0) >= few]
    return list(dict.fromkeys((*first, SAFE_CLAIM, MINE_CLAIM, *FORFEITS, *FAULTS)))


def _read(name: str, agent: str) -> Submission:
    try:
        agent_entry(agent)
    except InputError as error:
        return Submission(name, agent, missing=str(error))
    return Submission(name, agent)


def _cut(plan: list[tuple[Rules, int]], seed: int) -> list[tuple[str, int, int]]:
    """Return (rules, first seed, games) of every part."""
    return [
        (str(rules), seed + start, min(GAMES_PER_PART, n_games - start))
        for rules, n_games in plan
        for start in range(0, n_games, GAMES_PER_PART)
    ]


def read_example(found: dict[str, Any]) -> Example:
    """Return an example from its JSON."""
    cell, order = found["cell"], tuple((row, col) for row, col in found["order"])
    return Example(**{**found, "cell": None if cell is None else (cell[0], cell[1]), "order": order})


def read_tally(found: dict[str, Any]) -> Tally:
    """Return a tally from its JSON."""
    return Tally(**{**found, "examples": {kind: read_example(one) for kind, one in found["examples"].items()}})
