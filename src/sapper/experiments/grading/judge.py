"""What is right and wrong with an agent's moves: each is judged by the engine, against all layouts that fit.

A fault has a kind, one of `FAULTS`, and a position that shows it. Completeness is counted by decisions: at each one at
which a safe cell is certain, the easiest reasoning that proves one is its level, and it is found if the agent opens a
cell that is certain to be safe, and knows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sapper.errors import FORFEITS, Contradiction, Forfeit, TooHard
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
SAFE_CLAIM, MINE_CLAIM, OPENS_MINE, RISK = "safe-claim", "mine-claim", "opens-mine", "risk"
PRINTS, NOT_REPEATABLE, SNOOPS = "prints", "not-repeatable", "snoops"
# The order in which to mend them: what stops the agent first, then what is wrong, then what is missing.
FAULTS = (*FORFEITS, SAFE_CLAIM, MINE_CLAIM, *MISSED.values(), OPENS_MINE, RISK, SNOOPS, NOT_REPEATABLE, PRINTS)
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
    found: dict[str, list[int]] = field(default_factory=dict)  # level → found, chances
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
        for level, (found, chances) in other.found.items():
            mine = self.found.setdefault(level, [0, 0])
            mine[0] += found
            mine[1] += chances
        self.claims = [one + two for one, two in zip(self.claims, other.claims, strict=True)]
        self.guesses = [one + two for one, two in zip(self.guesses, other.guesses, strict=True)]
        self.printed += other.printed
        for example in other.examples.values():
            self.add_fault(example)


class Judge:
    """Judges the decisions of one game in turn, or of one position."""

    def __init__(self, rules: Rules) -> None:
        self._density = min(max(rules.mines / rules.n_cells, 0.001), 0.999)
        self._facts: Facts | None = None
        self._claimed: set[tuple[Cell, bool]] = set()

    def look(
        self, before: Observation, decision: Decision, claims: Claims, tally: Tally, *, reasons: bool = True
    ) -> dict[str, Cell | None]:
        """Judge a decision; return its faults with the cell that each is about, and count them.

        An agent that ``reasons`` not, because nobody asked it to, misses nothing.
        """
        posterior = mine_probabilities(before.without_flags(), density=self._density)
        faults = self._judge_claims(posterior, claims, tally)
        cell = decision.cell
        level = self._level_of(posterior)
        verdict = None if cell is None else int(posterior.verdicts[cell])
        if cell is not None and verdict == MINE:
            faults[OPENS_MINE] = cell
        if level is not None and cell is not None and not reasons:
            return faults
        if level is not None and cell is not None:
            knows = cell in claims[1] or decision.p_mine == 0.0 or (decision.p_mine is None and not claims[1])
            is_found = verdict == SAFE and knows
            counted = tally.found.setdefault(level, [0, 0])
            counted[0] += is_found
            counted[1] += 1
            if not is_found:
                faults[MISSED[level]] = cell
        elif cell is not None and not (before.closed.all()):
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

    def _level_of(self, posterior: Posterior) -> str | None:
        """Return the easiest reasoning that proves a safe cell, or None if no cell is certain to be safe."""
        if not posterior.safe:
            return None
        observation = posterior.observation
        facts = self._facts
        if facts is None or not facts.take(observation):
            facts = self._facts = Facts(observation)
        touched, facts.touched = facts.touched, 0
        deduce_single(facts, [clue for clue in facts.clues if touched >> clue & 1])
        facts.touched = 0
        if facts.safe:
            return LEVELS[0]
        # Harder proofs are rare; the facts that they teach must not make the next position look easier.
        other = Facts(observation)
        for level, ways in ((1, (deduce_single, deduce_subsets)), (2, (deduce_single, deduce_subsets, deduce_pairs))):
            while not other.safe and any(way(other, sorted(other.clues)) for way in ways):
                pass
            if other.safe:
                return LEVELS[level]
        if observation.total is None:
            return LEVELS[3]
        # What does not need the number of mines follows without it.
        without = mine_probabilities(replace(observation, total=None), density=self._density)
        return LEVELS[3] if without.safe else LEVELS[4]


def prepare_game(rules: Rules, seed: int) -> Game:
    """Return the game of a seed: the same layout for everybody, begun in the middle where the rules promise safety."""
    middle = (rules.rows // 2, rules.cols // 2)
    game = Game(rules, seed, generate_layout(rules, seed, middle))
    if rules.first_click != "any":
        game.open(*middle)
    return game


def play_judged(rules: Rules, seed: int, agent: Agent) -> tuple[Tally, list[Cell | None]]:
    """Play and judge a game; return what was counted, and the cells that the agent opened."""
    game, judge, tally = prepare_game(rules, seed), Judge(rules), Tally()
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
            opened.append(step.decision.cell)
            new = step.before.closed & ~step.after.closed
            order += sorted(((int(row), int(col)) for row, col in np.argwhere(new)), key=lambda one: one != opened[-1])
        for what in sorted(getattr(agent, "noted", ())):
            note(SNOOPS, game.observation, None, f"It calls {what}.")
    except Forfeit as fault:
        forfeit = fault.kind
        last = fault.output.strip().splitlines()
        said = f" It had printed: {last[-1][:120]}" if last and fault.kind not in ("illegal", "none") else ""
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
