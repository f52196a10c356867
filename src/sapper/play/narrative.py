"""The play-by-plays of reports 000 and 003 as they stand there: their games, their grids, and what they missed.

Report 000 shows a 4 x 4 board after every click, with what its program then deduced. Report 003 prints its grid every
round (``?`` hidden, ``m`` a mine, digits) and a message when the One-Two Punch finds a mine; there the pattern waits
for the cell beyond the 2, which the report's text does not ask for.

>>> print(draw_grid(Observation.parse("01F/0*#")))
[['0' '1' 'm']
 ['0' 'm' '?']]
>>> print(draw_board(Observation.parse("01F/0*#")))
0 1 .
0 X .

A game of an agent told step by step: what it deduced from which clues, what it chose and why, what came of it.

>>> from sapper.rules import Rules
>>> told = narrate_game(Rules.parse("1x4/1 first-any"), "basic", seed=5)
>>> told.steps[0].notes
('Exact risk 25.0%; the agent has no estimate.', 'It showed 1.')
>>> told.ending
('Won after 2 moves, score 0/1.',)
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sapper.agents.guessing import Guess, QueueGuess
from sapper.agents.registry import make_agent, make_puncher, make_stater
from sapper.errors import InputError, TooHard
from sapper.inference.facts import Facts
from sapper.inference.posterior.exact import mine_probabilities
from sapper.inference.reasoning.single import deduce_single
from sapper.inference.reasoning.subsets import deduce_subsets
from sapper.layout import Layout
from sapper.observation import EXPLODED, FLAG, HIDDEN, NO_CLUE, SYMBOLS, Observation
from sapper.play.dealt import DealtGame, start_game
from sapper.play.match import MatchStep, steps
from sapper.play.record import Move, Record, describe_stop
from sapper.play.review.sentences import tell_judgement
from sapper.rules import PRESETS
from sapper.words import count, join_words, percent
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from sapper.agents.reasoning import ReasoningAgent
    from sapper.inference.posterior.exact import Posterior
    from sapper.inference.reasoning.single import Deduction
    from sapper.play.dealt import DealtGuess
    from sapper.rules import Rules
    from sapper.topology import Cell


MESSAGE = "Found hidden mine with method"

# Who plays as reported, by the name of the sound agent or its own; and whether it takes corners and edges first.
STATEMENTS = ("statements", "statements-reported")
PUNCHERS = {
    "one-two": False,
    "one-two-reported": False,
    "one-two-corners": True,
    "one-two-corners-reported": True,
}

_LAYOUT_000 = "**--/-*--/---*/*--*"
_CLICKED = ((0, 3), (2, 3), (2, 0), (3, 3), (0, 0))  # at random, as the report's program did
# The figure of the report that shows the board after a click; the seventh comes after two.
FIGURES = {(0, 3): 1, (2, 3): 2, (2, 2): 3, (2, 1): 4, (2, 0): 5, (3, 3): 6, (3, 1): 7, (0, 0): 8, (1, 0): 9}

# The clues of the last grid of report 003 settle the left half. Of the rest they say that one mine is near (1, 4);
# where it lies, and the sixth mine, are our choice.
_LAYOUT_003 = "----*/--*--/-----/--*--/--***"
# What its first grid shows, in an order that its fringe allows: two guesses, then the neighbours of zeros.
_OPENED = ((4, 3), (1, 4), (0, 0), (0, 1), (1, 0), (1, 1), (2, 1))


def make_reported(agent: str, seed: int, *, own_game: bool = False) -> ReasoningAgent:
    """Make the report's version of an agent; in report 000's own game it clicks at random where the report's did."""
    rng = np.random.default_rng(seed)
    if agent in STATEMENTS:
        return make_stater(rng, guesser=_Scripted(_CLICKED, rng) if own_game else None)
    if agent in PUNCHERS:
        return make_puncher(rng, corners_first=PUNCHERS[agent], waits=True)
    known = (STATEMENTS[0], *(name for name in PUNCHERS if not name.endswith("reported")))
    raise InputError(f"Only {', '.join(known[:-1])} and {known[-1]} play as reported, not {agent}.")


def reported_game(agent: str, seed: int) -> tuple[Game, tuple[Move, ...]]:
    """Return the own game of an agent's report, as far as it shows no step of it, and the moves that led there."""
    if agent in STATEMENTS:
        return Game(PRESETS["report-000"], seed, Layout.parse(_LAYOUT_000)), ()
    game = Game(PRESETS["report-003-play"], seed, Layout.parse(_LAYOUT_003))
    moves = tuple(Move("open", *cell, reason="as in the report") for cell in _OPENED)
    for move in moves:
        move.play(game)
    return game, moves


class _Scripted:
    """The cells that a report's agent clicked at random; then those of a queue."""

    def __init__(self, cells: tuple[Cell, ...], rng: np.random.Generator) -> None:
        self._cells = list(cells)
        self._queue = QueueGuess(rng)

    def guess(self, facts: Facts) -> Guess:
        """Take the next one."""
        if not self._cells:
            return self._queue.guess(facts)
        return Guess(facts.board.index(*self._cells.pop(0)), None, "at random, as in the report")


def find_missed(observation: Observation) -> list[Deduction]:
    """The cells that report 000's own rules prove safe in a position, with the statements that do."""
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
    """Write a position as report 000's figures show it: a mine that went off is X, what is not open is empty."""
    symbols = {**SYMBOLS, HIDDEN: ".", FLAG: ".", EXPLODED: "X"}
    return "\n".join(" ".join(symbols[code] for code in row) for row in observation.cells.tolist())


# So many games in a row may end before their opening; on a board that has no zeros they all do.
MAX_RESTARTS = 1000


@dataclass(frozen=True, slots=True)
class NarratedStep:
    """A step and the sentences about it."""

    number: int  # from 1
    step: MatchStep
    chosen: Cell | None  # the cell that was opened, or asked again
    clues: tuple[Cell, ...]  # what the choice follows from; none for a guess
    uncovered: tuple[Cell, ...]  # everything that opened, row by row
    p_exact: float | None  # exact risk of a guess; None: no guess, or too hard
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
    """A whole game with the sentences about it."""

    game: Game
    agent: str
    lost_seeds: tuple[int, ...]  # games that hit a mine before their opening and do not count
    steps: tuple[NarratedStep, ...]
    before: tuple[Move, ...] = ()  # moves that were made before the first step

    @property
    def title(self) -> str:
        """Who played what."""
        board = "" if self.game.given_layout is None else ", on the layout given"
        return f"Agent {self.agent} on {self.game.rules.in_short}, seed {self.game.seed}{board}"

    @property
    def about(self) -> tuple[str, ...]:
        """What came before the first step."""
        lines = [
            f"Seed {seed} hit a mine before a zero had opened; played again with seed {seed + 1}."
            for seed in self.lost_seeds
        ]
        if self.before:
            lines.append(f"The first {count(len(self.before), 'move was', 'moves were')} made before this.")
        channel = self.game.rules.channel
        if channel.redraws:
            chance = percent(1 - channel.p, channel.p in (0.0, 1.0))
            lines.append(f"A silent cell may be asked again; each time it answers with a chance of {chance}.")
        return tuple(lines)

    @property
    def record(self) -> Record:
        """The record of the game."""
        moves = [move for told in self.steps for move in told.step.moves]
        return Record.of(self.game, (*self.before, *moves), self.agent)

    @property
    def has_stopped(self) -> bool:
        """Whether the agent stopped before the end, with all mines found."""
        return bool(self.steps) and self.steps[-1].chosen is None and self.game.outcome is Outcome.PLAYING

    @property
    def ending(self) -> tuple[str, ...]:
        """How it ended, and the score where it means something."""
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
            "steps": [told.as_plain_values() for told in self.steps],
            "result": self.record.result,
            "score": self.game.score,
        }


def narrate_game(
    rules: Rules, agent: str, seed: int, *, restart_opening: bool = False, layout: Layout | None = None
) -> GameNarrative:
    """Let an agent play a game and tell it; the seed is that of the agent and, unless a layout is given, of the board.

    ``restart_opening`` is report 001's mode: a game that hits a mine before its first zero has opened does not count,
    and the next seed is played instead. Raises `InputError` if `MAX_RESTARTS` games in a row do.
    """
    lost_seeds: list[int] = []
    while (played := _play(rules, agent, seed, restart_opening, layout)) is None:
        lost_seeds.append(seed)
        if len(lost_seeds) == MAX_RESTARTS:
            raise InputError(f"{MAX_RESTARTS} games in a row hit a mine before a zero had opened.")
        seed += 1
    game, made = played
    return GameNarrative(game, agent, tuple(lost_seeds), _tell_steps(game, made))


def narrate_as_reported(
    agent: str, seed: int, rules: Rules | None = None, layout: Layout | None = None
) -> GameNarrative:
    """Let an agent of report 000 or 003 play as the report tells it, on these rules or in the report's own game.

    Raises `InputError` for an agent of another report, or of none.
    """
    player = make_reported(agent, seed, own_game=rules is None)
    game, before = reported_game(agent, seed) if rules is None else (start_game(rules, seed, layout), ())
    made = list(steps(game, player, flags=True))
    return GameNarrative(game, agent, (), _tell_steps(game, made), before)


def _tell_steps(game: Game, made: list[MatchStep]) -> tuple[NarratedStep, ...]:
    proofs: dict[Cell, Deduction] = {}
    # On a fair, kind or cruel board: no cell is guessed twice.
    guesses = {guess.cell: guess for guess in game.guesses} if isinstance(game, DealtGame) else {}
    told = []
    for number, step in enumerate(made, start=1):
        proofs |= {found.cell: found for found in step.decision.deductions if not found.is_mine}
        told.append(_tell(number, step, game.rules, proofs, guesses))
    return tuple(told)


def _play(
    rules: Rules, agent: str, seed: int, restart_opening: bool, layout: Layout | None
) -> tuple[Game, list[MatchStep]] | None:
    """Play one game; None if it does not count."""
    game = start_game(rules, seed, layout)
    made = []
    for step in steps(game, make_agent(agent, seed), flags=True):
        made.append(step)
        if restart_opening and (step.after.cells == EXPLODED).any() and not (step.after.cells == 0).any():
            return None
    return game, made


def _tell(
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
            notes.append(tell_judgement(guesses[chosen], step.before))
    notes.append(_tell_result(step, chosen, len(uncovered)))
    proof = proofs.get(chosen)
    # A silent cell is asked because it is silent; why it was safe to open is past.
    clues = proof.clues if proof is not None and decision.p_mine == 0.0 and step.before.closed[chosen] else ()
    return NarratedStep(number, step, chosen, clues, uncovered, p_exact, deductions, decision.reason, tuple(notes))


def _name_clues(found: Deduction) -> str:
    """A deduction with the clues that its reason does not name already."""
    silent = [str(clue) for clue in found.clues if str(clue) not in found.reason]
    return f"{str(found).removesuffix('.')} (by the clues at {join_words(silent)})." if silent else str(found)


def _weigh(chosen: Cell, p_agent: float | None, posterior: Posterior) -> list[str]:
    """The exact risk of a guess beside the agent's own, and what it overlooked."""
    if chosen in posterior.safe:
        return ["Exact risk 0%: the cell is certainly safe, which this agent does not see."]
    p = float(posterior.p_mine[chosen])
    certain = chosen in posterior.mines
    risk = f"Exact risk {percent(p, certain, 1)}"
    if certain:
        risk += ": the cell is certainly a mine, which this agent does not see"
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
        notes.append(f"Overlooked, and certainly safe: {join_words(cells)}.")
    return notes


def _tell_result(step: MatchStep, chosen: Cell, n_uncovered: int) -> str:
    code = int(step.after.cells[chosen])
    was_closed = bool(step.before.closed[chosen])
    if code == EXPLODED:
        return "It was a mine."
    if code == NO_CLUE:
        return "It showed no clue." if was_closed else "It showed no clue again."
    more = f" and opened {count(n_uncovered - 1, 'more cell')}" if n_uncovered > 1 else ""
    return f"{'It' if was_closed else 'This time it'} showed {SYMBOLS[code]}{more}."
