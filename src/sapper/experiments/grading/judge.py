"""What is right and wrong with an agent's moves: each is judged by the engine, against all layouts that fit.

A fault has a kind, one of `FAULTS`, and a position that shows it. Completeness has levels, the easiest reasoning that
proves a cell. Safe cells are counted by decisions: at each one at which a safe cell is certain, it is found if the
agent opens a cell that is certain to be safe, and knows it. Certain mines are counted once each, at the first decision
at which no cell is certain to be safe, because who knows a safe move need not look further; found are those claimed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import FORFEITS, Contradiction, Forfeit, InputError, TooHard
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_pairs, deduce_subsets
from sapper.kernels.codes import MINE, SAFE
from sapper.layout import Layout
from sapper.observation import EXPLODED
from sapper.play.match import steps
from sapper.world.game import Game, Outcome
from sapper.world.generation import generate_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sapper.agents.agent import Agent, Decision
    from sapper.inference.posterior.exact import Posterior
    from sapper.observation import Observation
    from sapper.rules import Rules
    from sapper.topology import Cell

    Claims = tuple[frozenset[Cell], frozenset[Cell]]  # mines, safe cells

# How a safe cell is proved, easiest first: one clue, clues within others, pairs of clues, any number of clues, and
# clues with the number of mines.
LEVELS = ("single", "subset", "pair", "cases", "count")
MISSED = {level: f"missed-{level}" for level in LEVELS}
MISSED_MINE = {level: f"missed-mine-{level}" for level in LEVELS}
SAFE_CLAIM, MINE_CLAIM, OPENS_MINE, RISK = "safe-claim", "mine-claim", "opens-mine", "risk"
PRINTS, NOT_REPEATABLE, SNOOPS, MUTATES = "prints", "not-repeatable", "snoops", "mutates"
# The order in which to mend them: what stops the agent first, then what is wrong, then what is missing.
_MISSED = tuple(kinds[level] for level in LEVELS for kinds in (MISSED, MISSED_MINE))
FAULTS = (*FORFEITS, SAFE_CLAIM, MINE_CLAIM, *_MISSED, OPENS_MINE, RISK, MUTATES, SNOOPS, NOT_REPEATABLE, PRINTS)
AVOIDABLE = 0.05  # risk above the least there is from which a guess is a fault


@dataclass(frozen=True, slots=True)
class Example:
    """A position that shows a fault."""

    kind: str
    rules: str
    seed: int
    position: str  # before the decision
    layout: str
    cell: Cell | None = None  # that is claimed or opened
    detail: str = ""
    move: int = 0  # its number in the game, from 1
    order: tuple[Cell, ...] = ()  # in which the cells opened, where that matters
    is_whole: bool = True  # as it came up in a game; otherwise made smaller, and shown from the start

    @property
    def size(self) -> tuple[int, int]:
        """Return by what examples are compared: cells of the board, then moves."""
        return len(self.position.split()[0].replace("/", "")), self.move


@dataclass(slots=True)
class Tally:
    """What was counted in games; values of JSON, so that they can be kept and added."""

    games: list[list[float]] = field(default_factory=list)  # won, score (-1 without one), moves, seconds, forfeited
    faults: dict[str, int] = field(default_factory=dict)  # kind → games with it
    found: dict[str, list[int]] = field(default_factory=dict)  # level → decisions with a safe cell: found, all
    mines: dict[str, list[int]] = field(default_factory=dict)  # level → certain mines: found, all
    claims: list[int] = field(default_factory=lambda: [0, 0])  # made, proved
    guesses: list[float] = field(default_factory=lambda: [0, 0.0])  # number, risk above the least in all
    printed: int = 0
    examples: dict[str, Example] = field(default_factory=dict)

    def add_fault(self, example: Example) -> None:
        """Keep the smallest example of each kind."""
        known = self.examples.get(example.kind)
        if known is None or example.size < known.size:
            self.examples[example.kind] = example

    def add(self, other: Tally) -> None:
        """Add the games of another."""
        self.games += other.games
        for kind, n in other.faults.items():
            self.faults[kind] = self.faults.get(kind, 0) + n
        for ours, theirs in ((self.found, other.found), (self.mines, other.mines)):
            for level, numbers in theirs.items():
                ours[level] = [one + two for one, two in zip(ours.get(level, (0, 0)), numbers, strict=True)]
        self.claims = [one + two for one, two in zip(self.claims, other.claims, strict=True)]
        self.guesses = [one + two for one, two in zip(self.guesses, other.guesses, strict=True)]
        self.printed += other.printed
        for example in other.examples.values():
            self.add_fault(example)


class Judge:
    """Judges the decisions of one game in turn, or of one position."""

    def __init__(self, rules: Rules, agent: Agent) -> None:
        self._density = min(max(rules.mines / rules.n_cells, 0.001), 0.999)
        self._facts: Facts | None = None
        self._claimed: set[tuple[Cell, bool]] = set()
        self._certain: set[Cell] = set()  # mines that were certain before
        self._claims_mines = getattr(agent, "name", "").startswith("cs50:")

    def look(
        self, before: Observation, decision: Decision, claims: Claims, tally: Tally, *, reasons: bool = True
    ) -> dict[str, Cell | None]:
        """Judge a decision; return its faults with the cell that each is about, and count them.

        An agent that ``reasons`` not, because nobody asked it to, misses nothing and opens no certain mine.
        """
        posterior = mine_probabilities(before.without_flags(), density=self._density)
        faults = self._judge_claims(posterior, claims, tally)
        cell = decision.cell
        if not reasons:
            return faults
        # Where the interface does not ask for claims, an agent that makes none misses none.
        self._claims_mines = self._claims_mines or bool(claims[0])
        level, mines = self._levels_of(posterior)
        for mine, proof in mines.items():
            _count(tally.mines, proof, mine in claims[0])
            if self._claims_mines and mine not in claims[0]:
                faults.setdefault(MISSED_MINE[proof], mine)
        self._certain |= mines.keys()
        if cell is None:
            return faults
        verdict = int(posterior.verdicts[cell])
        if verdict == MINE:
            faults[OPENS_MINE] = cell
        if level is not None:
            knows = cell in claims[1] or decision.p_mine == 0.0 or (decision.p_mine is None and not claims[1])
            is_found = verdict == SAFE and knows
            _count(tally.found, level, is_found)
            if not is_found:
                faults[MISSED[level]] = cell
        elif not before.closed.all():
            excess = float(posterior.p_mine[cell] - posterior.p_mine[posterior.safest[0]])
            tally.guesses[0] += 1
            tally.guesses[1] += max(excess, 0.0)
            if excess > AVOIDABLE and verdict != MINE:
                faults[RISK] = cell
        return faults

    def _judge_claims(self, posterior: Posterior, claims: Claims, tally: Tally) -> dict[str, Cell | None]:
        """Judge what is claimed for the first time: what holds once holds for ever."""
        faults: dict[str, Cell | None] = {}
        closed = posterior.observation.closed
        for cells, wanted, kind in ((claims[1], SAFE, SAFE_CLAIM), (claims[0], MINE, MINE_CLAIM)):
            for cell in sorted(cells):
                if not closed[cell] or (cell, wanted == SAFE) in self._claimed:
                    continue
                self._claimed.add((cell, wanted == SAFE))
                is_proved = int(posterior.verdicts[cell]) == wanted
                tally.claims[0] += 1
                tally.claims[1] += is_proved
                if not is_proved:
                    faults.setdefault(kind, cell)
        return faults

    def _levels_of(self, posterior: Posterior) -> tuple[str | None, dict[Cell, str]]:
        """Return the easiest reasoning that proves a safe cell, or else that of every certain mine that is new."""
        new = {cell for cell in posterior.mines if cell not in self._certain}
        mines: dict[Cell, str] = {}
        if posterior.safe:
            return next(level for level, is_safe, _ in self._ladder(posterior) if is_safe), mines
        if new:
            for level, _, is_mine in self._ladder(posterior):
                mines |= dict.fromkeys((cell for cell in new if cell not in mines and is_mine(cell)), level)
                if len(mines) == len(new):
                    break
        return None, mines

    def _ladder(self, posterior: Posterior) -> Iterator[tuple[str, bool, Callable[[Cell], bool]]]:
        """Yield every level, easiest first, with whether it proves a safe cell, and which mines it proves."""
        observation = posterior.observation
        cols = observation.cols
        facts = self._facts
        if facts is None or not facts.take(observation):
            facts = self._facts = Facts(observation)
        touched, facts.touched = facts.touched, 0
        deduce_single(facts, [clue for clue in facts.clues if touched >> clue & 1])
        facts.touched = 0
        yield LEVELS[0], bool(facts.safe), lambda cell: bool(facts.mines >> (cell[0] * cols + cell[1]) & 1)
        # Harder proofs are rare; the facts that they teach must not make the next position look easier.
        other = Facts(observation)
        for level, ways in ((1, (deduce_single, deduce_subsets)), (2, (deduce_single, deduce_subsets, deduce_pairs))):
            while any(way(other, sorted(other.clues)) for way in ways):
                pass
            yield LEVELS[level], bool(other.safe), lambda cell: bool(other.mines >> (cell[0] * cols + cell[1]) & 1)
        if observation.total is not None:
            # What does not need the number of mines follows without it.
            without = mine_probabilities(replace(observation, total=None), density=self._density)
            yield LEVELS[3], bool(without.safe), lambda cell: int(without.verdicts[cell]) == MINE
        yield LEVELS[3 if observation.total is None else 4], True, lambda _: True


def _count(found: dict[str, list[int]], level: str, is_found: bool) -> None:
    numbers = found.setdefault(level, [0, 0])
    numbers[0] += is_found
    numbers[1] += 1


def prepare_game(rules: Rules, seed: int, layout: Layout | None = None) -> Game:
    """Return the game of a seed: the same layout for everybody, begun in the middle where the rules promise safety."""
    middle = (rules.rows // 2, rules.cols // 2)
    game = Game(rules, seed, layout or generate_layout(rules, seed, middle))
    if rules.first_click != "any":
        game.open(*middle)
        if rules.first_click == "opening" and game.observation.cells[middle] != 0:
            raise InputError("This layout has no opening in the middle.")
    return game


def play_judged(rules: Rules, seed: int, agent: Agent, game: Game | None = None) -> tuple[Tally, list[Cell | None]]:
    """Play and judge a game, by default that of the seed; return what was counted, and the cells that were opened."""
    game, judge, tally = game or prepare_game(rules, seed), Judge(rules, agent), Tally()
    opened: list[Cell | None] = []
    # What was open at the start comes first.
    order: list[Cell] = [(int(row), int(col)) for row, col in np.argwhere(~game.observation.closed)]
    seconds, forfeit = 0.0, ""
    faults: set[str] = set()
    # Claims and times are those of a foreign agent.
    nothing: Claims = (frozenset(), frozenset())

    def note(kind: str, before: Observation, cell: Cell | None, detail: str = "") -> None:
        faults.add(kind)
        position = str(before.without_flags())
        tally.add_fault(
            Example(kind, str(rules), seed, position, str(game.layout), cell, detail, 1 + len(opened), tuple(order))
        )

    try:
        for step in steps(game, agent):
            seconds += getattr(agent, "cpu", 0.0)
            # CS50's agents reason when a clue is added, and no clue is added where a mine went off.
            went_off = bool(opened) and opened[-1] is not None and step.before.cells[opened[-1]] == EXPLODED
            reasons = not (went_off and getattr(agent, "name", "").startswith("cs50:"))
            try:
                claims = getattr(agent, "claims", nothing)
                found = judge.look(step.before, step.decision, claims, tally, reasons=reasons)
            except (TooHard, Contradiction):
                found = {}
            for kind, cell in found.items():
                note(kind, step.before, cell)
            for kind, what in getattr(agent, "noted", {}).items():
                if kind not in faults:
                    note(kind, step.before, None, what)
            opened.append(step.decision.cell)
            new = step.before.closed & ~step.after.closed
            order += sorted(((int(row), int(col)) for row, col in np.argwhere(new)), key=lambda one: one != opened[-1])
    except Forfeit as fault:
        forfeit = fault.kind
        last = fault.output.strip().splitlines()
        # Programs say there what is wrong; of a submission, the error is known.
        says = (
            bool(last) and getattr(agent, "name", "").startswith("program:") and fault.kind not in ("illegal", "none")
        )
        said = f" It had printed: {last[-1][:120]}" if says else ""
        note(fault.kind, game.observation, None, f"{fault.detail}{said}")
    tally.printed = getattr(agent, "printed", 0)
    if tally.printed and not forfeit:
        note(PRINTS, game.observation, None, f"It printed {tally.printed:,} bytes in {len(opened)} moves.")
    survey = rules.opened_mine == "explodes"
    won = not forfeit and (not game.counters.detonations if survey else game.outcome is Outcome.WON)
    score = (0.0 if forfeit else game.score) if survey else -1.0
    tally.games.append([int(won), score, len(opened), seconds, int(bool(forfeit))])
    tally.faults = dict.fromkeys(faults, 1)
    return tally, opened


def read_layout(example: Example) -> Layout:
    """Return the layout of an example."""
    return Layout.parse(example.layout)
