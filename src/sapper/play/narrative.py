"""A game of an agent, step by step: what it deduced from which clues, what it chose and why, and the outcome.

>>> from sapper.rules import Rules
>>> game = narrate_game(Rules.parse("1x4/1 first-any"), "basic", seed=5)
>>> game.steps[0].notes
('Exact risk 25.0%; the agent has no estimate.', 'It showed 1.')
>>> game.ending
('Won after 2 moves, score 0/1.',)

The play-by-plays of student reports 000 and 003 are repeated too. Report 000 shows a 4 x 4 board after every click,
with what its program then deduced. Report 003 prints its grid every round (``?`` hidden, ``m`` a mine, digits) and a
message when the One-Two Punch finds a mine; there, the pattern waits for the cell beyond the 2, which the report's text
does not require.

>>> print(draw_grid(Observation.parse("01F/0*#")))
[['0' '1' 'm']
 ['0' 'm' '?']]
>>> print(draw_board(Observation.parse("01F/0*#")))
0 1 .
0 X .
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from sapper.agents.guessing import Guess, QueueGuess
from sapper.agents.reasoning import ReasoningAgent
from sapper.agents.registry import make_agent, make_puncher, make_stater
from sapper.errors import Forfeit, InputError, TooHard
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.reasoning.single import Deduction, deduce_single
from sapper.inference.reasoning.subsets import deduce_subsets
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, SYMBOLS, Observation
from sapper.play.dealt import DealtGame, DealtGuess, start_game
from sapper.play.match import MatchStep, steps
from sapper.play.record import Move, Record, describe_stop
from sapper.play.review.sentences import describe_judgement
from sapper.rules import PRESETS, Rules
from sapper.topology import Cell
from sapper.words import count, join_words, percent
from sapper.world.game import Game, Outcome

MESSAGE = "Found hidden mine with method"

# The agents that can play as reported, and whether they open corners and edges first.
STATEMENTS = ("statements", "statements-reported")
PUNCHERS = {
    "one-two": False,
    "one-two-reported": False,
    "one-two-corners": True,
    "one-two-corners-reported": True,
}

_LAYOUT_000 = "**--/-*--/---*/*--*"
_CLICKED = ((0, 3), (2, 3), (2, 0), (3, 3), (0, 0))  # at random, as the report's program did
# Click → the figure of the report that shows the board after it; the seventh shows two clicks.
FIGURES = {(0, 3): 1, (2, 3): 2, (2, 2): 3, (2, 1): 4, (2, 0): 5, (3, 3): 6, (3, 1): 7, (0, 0): 8, (1, 0): 9}

# The clues of the last grid of report 003 determine the left half. In the rest, one mine is near (1, 4); its place and
# the sixth mine are our choice.
_LAYOUT_003 = "----*/--*--/-----/--*--/--***"
# What its first grid shows, in an order that its queue allows: two guesses, then the neighbours of zeros.
_OPENED = ((4, 3), (1, 4), (0, 0), (0, 1), (1, 0), (1, 1), (2, 1))


def make_reported(agent: str, seed: int, *, own_game: bool = False) -> ReasoningAgent:
    """Make the report's version of an agent; in report 000's own game, its random clicks are those of the report."""
    rng = np.random.default_rng(seed)
    if agent in STATEMENTS:
        return make_stater(rng, guesser=_Scripted(_CLICKED, rng) if own_game else None)
    if agent in PUNCHERS:
        return make_puncher(rng, corners_first=PUNCHERS[agent], waits=True)
    known = (STATEMENTS[0], *(name for name in PUNCHERS if not name.endswith("reported")))
    raise InputError(f"Only {', '.join(known[:-1])} and {known[-1]} play as reported, not {agent}.")


def reported_game(agent: str, seed: int) -> tuple[Game, tuple[Move, ...]]:
    """Return the game that an agent's report shows, at its first step, and the moves that led there."""
    if agent in STATEMENTS:
        return Game(PRESETS["report-000"], seed, Layout.parse(_LAYOUT_000)), ()
    game = Game(PRESETS["report-003-play"], seed, Layout.parse(_LAYOUT_003))
    moves = tuple(Move("open", *cell, reason="as in the report") for cell in _OPENED)
    for move in moves:
        move.play(game)
    return game, moves


class _Scripted:
    """Guesses the cells that a report's agent clicked at random, then those of a queue."""

    def __init__(self, cells: tuple[Cell, ...], rng: np.random.Generator) -> None:
        self._cells = list(cells)
        self._queue = QueueGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Return the next cell."""
        if not self._cells:
            return self._queue.guess(facts)
        return Guess(facts.board.index(*self._cells.pop(0)), None, "at random, as in the report")


def find_missed(observation: Observation) -> list[Deduction]:
    """Return what report 000's own rules prove safe in a position."""
    facts = Facts(observation)
    for cell in np.flatnonzero(observation.cells == FLAG).tolist():
        facts.learn(cell, True)
    found: list[Deduction] = []
    while new := [*deduce_single(facts, list(facts.clues)), *deduce_subsets(facts, list(facts.clues))]:
        found += new
    return [one for one in found if not one.is_mine]


def draw_grid(observation: Observation) -> str:
    """Write a position as report 003's program prints its array."""
    symbols = {**SYMBOLS, HIDDEN: "?", FLAG: "m", EXPLODED: "m"}
    rows = [" ".join(f"'{symbols[code]}'" for code in row) for row in observation.cells.tolist()]
    return "[[" + "]\n [".join(rows) + "]]"


def draw_board(observation: Observation) -> str:
    """Write a position as report 000's figures show it: an exploded mine is X, hidden cells are empty."""
    symbols = {**SYMBOLS, HIDDEN: ".", FLAG: ".", EXPLODED: "X"}
    return "\n".join(" ".join(symbols[code] for code in row) for row in observation.cells.tolist())


_LINES_SHOWN = 12  # of what a foreign agent printed before it failed
MAX_RESTARTS = 1000  # in a row; on a board without zeros, every game would restart


@dataclass(frozen=True, slots=True)
class NarratedStep:
    """A step and the sentences about it."""

    number: int  # from 1
    step: MatchStep
    chosen: Cell | None  # the cell that was opened or queried
    clues: tuple[Cell, ...]  # that prove the choice; none for a guess
    uncovered: tuple[Cell, ...]  # all cells that opened, row by row
    p_exact: float | None  # exact risk of a guess; None: not a guess, or too hard
    deductions: tuple[str, ...]
    decision: str
    notes: tuple[str, ...]

    def as_plain_values(self) -> dict[str, object]:
        """Return everything for JSON."""
        return {
            "step": self.number,
            "deductions": [found._asdict() for found in self.step.decision.deductions],
            "cell": self.chosen,
            "p_agent": self.step.decision.p_mine,
            "p_exact": self.p_exact,
            "reason": self.decision,
            "notes": self.notes,
            "clues": self.clues,
            "opened": self.uncovered,
            "moves": [f"{move.action} {move.row},{move.col}" for move in self.step.moves],
            "before": str(self.step.before),
            "after": str(self.step.after),
        }


@dataclass(frozen=True, slots=True)
class GameNarrative:
    """A whole game and the sentences about it."""

    game: Game
    agent: str
    lost_seeds: tuple[int, ...]  # of games that hit a mine before their opening and do not count
    steps: tuple[NarratedStep, ...]
    before: tuple[Move, ...] = ()  # moves before the first step
    forfeit: Forfeit | None = None  # why a foreign agent did not finish it

    @property
    def title(self) -> str:
        """The agent, the rules and the seed."""
        board = "" if self.game.given_layout is None else ", on the layout given"
        return f"Agent {self.agent} on {self.game.rules.in_short}, seed {self.game.seed}{board}"

    @property
    def about(self) -> tuple[str, ...]:
        """What preceded the first step."""
        lines = [
            f"Seed {seed} hit a mine before a zero had opened; played again with seed {seed + 1}."
            for seed in self.lost_seeds
        ]
        if self.before:
            lines.append(f"The first {count(len(self.before), 'move was', 'moves were')} made earlier.")
        channel = self.game.rules.channel
        if channel.redraws:
            chance = percent(1 - channel.p, channel.p in (0.0, 1.0))
            lines.append(f"A cell without a clue may be queried; each query has a {chance} chance of showing one.")
        return tuple(lines)

    @property
    def record(self) -> Record:
        """The record of the game."""
        moves = [move for narrated in self.steps for move in narrated.step.moves]
        return Record.of(self.game, (*self.before, *moves), self.agent)

    @property
    def has_stopped(self) -> bool:
        """Whether the agent stopped before the end, with all mines found."""
        return bool(self.steps) and self.steps[-1].chosen is None and self.game.outcome is Outcome.PLAYING

    @property
    def ending(self) -> tuple[str, ...]:
        """The result, and the score of a survey; or why the agent forfeited the game, and what it had printed."""
        if self.forfeit is not None:
            printed = self.forfeit.output.strip()
            last = [f"The last that it printed: {line}" for line in printed.splitlines()[-_LINES_SHOWN:]]
            return f"Lost by forfeit. {self.forfeit.detail}", *last
        record = self.record
        result = describe_stop(self.game, len(record.moves)) if self.has_stopped else record.result
        result = f"{result.capitalize()}."
        if self.game.rules.opened_mine == "ends":
            return (result,)
        n_exploded = self.game.counters.detonations
        mines = f"{count(n_exploded, 'mine')} exploded"
        return result, f"Score {self.game.score:.2f}: mines safely identified / mines; {mines}."

    def as_plain_values(self) -> dict[str, object]:
        """Return everything for JSON."""
        return {
            "rules": str(self.game.rules),
            "seed": self.game.seed,
            "agent": self.agent,
            "lost_seeds": self.lost_seeds,
            "steps": [narrated.as_plain_values() for narrated in self.steps],
            "result": self.record.result if self.forfeit is None else f"lost by forfeit: {self.forfeit.kind}",
            "score": self.game.score if self.forfeit is None else 0.0,
        }


def narrate_game(
    rules: Rules, agent: str, seed: int, *, restart_opening: bool = False, layout: Layout | None = None
) -> GameNarrative:
    """Play a game with an agent and describe it; the seed is the agent's and, unless a layout is given, the board's.

    ``restart_opening`` is report 001's mode: a game that hits a mine before its first zero does not count, and the next
    seed is played instead. Raises `InputError` after `MAX_RESTARTS` such games.
    """
    lost_seeds: list[int] = []
    while (played := _play(rules, agent, seed, restart_opening, layout)) is None:
        lost_seeds.append(seed)
        if len(lost_seeds) == MAX_RESTARTS:
            raise InputError(f"{MAX_RESTARTS} games in a row hit a mine before a zero had opened.")
        seed += 1
    game, made, forfeit = played
    return GameNarrative(game, agent, tuple(lost_seeds), _narrate_steps(game, made), forfeit=forfeit)


def narrate_as_reported(
    agent: str, seed: int, rules: Rules | None = None, layout: Layout | None = None
) -> GameNarrative:
    """Play as report 000 or 003 describes its agent, under these rules or in the report's own game.

    Raises `InputError` for other agents.
    """
    player = make_reported(agent, seed, own_game=rules is None)
    game, before = reported_game(agent, seed) if rules is None else (start_game(rules, seed, layout), ())
    made = list(steps(game, player, flags=True))
    return GameNarrative(game, agent, (), _narrate_steps(game, made), before)


def _narrate_steps(game: Game, made: list[MatchStep]) -> tuple[NarratedStep, ...]:
    proofs: dict[Cell, Deduction] = {}
    # On a fair, kind or cruel board; no cell is guessed twice.
    guesses = {guess.cell: guess for guess in game.guesses} if isinstance(game, DealtGame) else {}
    narrated = []
    for number, step in enumerate(made, start=1):
        proofs |= {found.cell: found for found in step.decision.deductions if not found.is_mine}
        narrated.append(_narrate(number, step, game.rules, proofs, guesses))
    return tuple(narrated)


def _play(
    rules: Rules, agent: str, seed: int, restart_opening: bool, layout: Layout | None
) -> tuple[Game, list[MatchStep], Forfeit | None] | None:
    """Play one game; return None if it does not count."""
    game = start_game(rules, seed, layout)
    made = []
    try:
        for step in steps(game, make_agent(agent, seed), flags=True):
            made.append(step)
            if restart_opening and (step.after.cells == EXPLODED).any() and not (step.after.cells == 0).any():
                return None
    except Forfeit as forfeit:
        return game, made, forfeit
    return game, made, None


def _narrate(
    number: int, step: MatchStep, rules: Rules, proofs: dict[Cell, Deduction], guesses: dict[Cell, DealtGuess]
) -> NarratedStep:
    decision = step.decision
    opening = next((move for move in step.moves if move.action == "open"), None)
    chosen = None if opening is None else (opening.row, opening.col)
    changed = (step.before.cells != step.after.cells) & ~step.after.closed
    uncovered = tuple((int(row), int(col)) for row, col in np.argwhere(changed))
    deductions = tuple(_name_clues(found) for found in decision.deductions)
    if chosen is None:
        why = "Stopped: all mines are found." if decision.has_all else "Nothing is left to open."
        return NarratedStep(number, step, None, (), uncovered, None, deductions, why, ())
    p_exact, notes = None, []
    if step.before.closed[chosen] and decision.p_mine != 0.0:
        if rules.promises_safety(step.before.closed):
            p_exact = 0.0
            notes.append("The rules promise that the first cell is safe.")
        else:
            with suppress(TooHard):
                posterior = mine_probabilities(step.before)
                p_exact = float(posterior.p_mine[chosen])
                notes += _weigh(chosen, decision.p_mine, posterior)
        if chosen in guesses:
            notes.append(describe_judgement(guesses[chosen], step.before))
    notes.append(_describe_result(step, chosen, len(uncovered)))
    proof = proofs.get(chosen)
    # A queried cell is open already, so no proof applies to it.
    clues = proof.clues if proof is not None and decision.p_mine == 0.0 and step.before.closed[chosen] else ()
    return NarratedStep(number, step, chosen, clues, uncovered, p_exact, deductions, decision.reason, tuple(notes))


def _name_clues(found: Deduction) -> str:
    """Return a deduction with the clues that its reason does not name."""
    silent = [str(clue) for clue in found.clues if str(clue) not in found.reason]
    return f"{str(found).removesuffix('.')} (by the clues at {join_words(silent)})." if silent else str(found)


def _weigh(chosen: Cell, p_agent: float | None, posterior: Posterior) -> list[str]:
    """Compare the exact risk of a guess with the agent's estimate, and name what it overlooked."""
    if chosen in posterior.safe:
        return ["Exact risk 0%: the cell is safe, which this agent does not see."]
    p = float(posterior.p_mine[chosen])
    certain = chosen in posterior.mines
    risk = f"Exact risk {percent(p, certain, 1)}"
    if certain:
        risk += ": the cell is a certain mine, which this agent does not see"
    if p_agent is None:
        notes = [f"{risk}; the agent has no estimate."]
    elif abs(p_agent - p) < 1e-9:
        notes = [f"{risk}, as the agent says."]
    else:
        notes = [f"{risk}; the agent's own estimate is {percent(p_agent, p_agent in (0.0, 1.0), 1)}."]
    if posterior.safe:
        cells = [str(cell) for cell in posterior.safe[:6]]
        if len(posterior.safe) > 6:
            cells.append(f"{len(posterior.safe) - 6} more")
        notes.append(f"Overlooked safe cells: {join_words(cells)}.")
    return notes


def _describe_result(step: MatchStep, chosen: Cell, n_uncovered: int) -> str:
    code = int(step.after.cells[chosen])
    was_closed = bool(step.before.closed[chosen])
    if code == EXPLODED:
        return "It was a mine."
    if code == NO_CLUE:
        return "It showed no clue." if was_closed else "It showed no clue again."
    more = f" and opened {count(n_uncovered - 1, 'more cell')}" if n_uncovered > 1 else ""
    return f"{'It' if was_closed else 'This time it'} showed {SYMBOLS[code]}{more}."
