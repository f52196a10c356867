"""Find positions in games: crossroads, where a guess is needed, and moments, where one level of reasoning is needed.

At a crossroads everything certain has been played. At a moment everything that easier reasoning proves has been played
(safe cells opened, mines flagged), and the level proves more. Most games have no moment of a given level, so compiled
code, whose levels are a little coarser, filters random layouts first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sapper.inference.facts import Facts, cells_of
from sapper.inference.posterior.exact import Posterior, mine_probabilities
from sapper.inference.posterior.workspace import cache_in_thread
from sapper.kernels import Field, reveal
from sapper.kernels.codes import SAFE
from sapper.layout import Layout
from sapper.observation import FLAG, HIDDEN, Observation
from sapper.play.noguess.generate import REASONINGS, Reasoning, SearchMemory, random_numbers
from sapper.rules import Rules
from sapper.topology import USUAL_DEGREE, Cell
from sapper.train.kinds import LEVELS, Level, reason
from sapper.world.game import Game, Outcome
from sapper.world.generation import generate_mines

_MAX_STARTS, _GAMES_PER_START = 40, 64  # first cells, and games from each
_BATCH = 16  # games drawn at once
_GAME_STREAM = 4  # of random numbers


def crossroads(rules: Rules, seed: int) -> Iterator[Posterior]:
    """Generate positions in which nothing is certain, game by game.

    After a crossroads, the safest cell is opened; if it is a mine, the next game starts. Compiled code skips games that
    need no guess, which are the majority on small boards.
    """
    generator = np.random.PCG64(np.random.SeedSequence((seed, _GAME_STREAM)))
    for _ in range(_MAX_STARTS):
        first, *words = generator.random_raw(1 + _GAMES_PER_START).tolist()
        first %= rules.n_cells
        search = SearchMemory(rules, first, REASONINGS.index("count"))
        for at in range(0, _GAMES_PER_START, _BATCH):
            seeds = [word >> 1 for word in words[at : at + _BATCH]]
            for mines, clues in zip(*_draw(rules, seeds, first), strict=True):
                if not search.clears_mines(mines, clues):
                    yield from _stops(rules, mines, clues, first)


def _draw(rules: Rules, seeds: list[int], first: int) -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
    """Return the mines of some games and the clues of all their cells, both of shape (n_seeds, n_cells)."""
    board = rules.topology
    mines = generate_mines(rules, seeds, board.cell(first))
    # Vectorised `Layout.clues`.
    padded = np.zeros((len(seeds), board.n_cells + 1), dtype=np.bool_)
    padded[:, :-1] = mines
    return mines, np.ascontiguousarray(padded[:, board.table].sum(axis=2, dtype=np.int8))


def _stops(rules: Rules, mines: NDArray[np.bool_], clues: NDArray[np.int8], first: int) -> Iterator[Posterior]:
    """Generate the crossroads of one game, played on an array for speed: most games lead to no puzzle."""
    board = rules.topology
    cells = np.full(board.n_cells, HIDDEN, dtype=np.int8)
    field = Field(cells, clues, np.empty(board.n_cells, dtype=np.int32))
    reveal(field, board.graph, first, True)
    while np.count_nonzero(cells == HIDDEN) > rules.mines:
        posterior = mine_probabilities(Observation.of_game(board, cells, rules.mines, rules.channel))
        safe: list[int] = np.flatnonzero(posterior.verdicts == SAFE).tolist()
        if not safe:
            yield posterior
            number = board.number(posterior.safest[0])
            if mines[number]:
                return
            safe = [number]
        for number in safe:
            # A zero may have opened this cell already.
            if cells[number] == HIDDEN:
                reveal(field, board.graph, number, True)


def with_flags(posterior: Posterior) -> Observation:
    """Return the position with a flag on every certain mine."""
    seen = posterior.observation
    cells = seen.cells.copy()
    for cell in posterior.mines:
        cells[cell] = FLAG
    return Observation(seen.topology, cells, seen.total, seen.channel)


# By level: the compiled reasoning that must be exhausted, never stronger than the level below, and the one that must
# then make progress.
_BETWEEN: dict[Level, tuple[Reasoning, Reasoning]] = {
    "subsets": ("single", "subsets"),
    "one-two": ("subsets", "pairs"),
    "pairs": ("subsets", "pairs"),
    "cases": ("pairs", "complete"),
    "total": ("pairs", "count"),
}
MAX_CLUES = 6  # in a puzzle's proof: more are too many to keep in mind

# Sparse boards may have no moment at all; there, this limit takes about a second. Elsewhere a moment comes much sooner.
_MAX_CELLS_TRIED = 81 << 18
_MAX_TRIES = 1 << 18  # layouts
# If cells have more than eight neighbours, a layout takes milliseconds and a proof tenths of a second.
_MAX_CROWDED_TRIES, _MAX_CROWDED_MOMENTS = 1 << 10, 64
_MAX_GAMES = 256
_WARM_UPS = 4  # rounds of opening in a game for single-clue puzzles
_STREAM = 3  # of random numbers


class Moment(NamedTuple):
    """A position in which all easier reasoning is exhausted, and what the level proves there."""

    position: Observation  # with flags on the mines that easier reasoning proves
    safe: tuple[Cell, ...]  # in random order
    mines: tuple[Cell, ...]  # without flags, in random order


def moments(rules: Rules, level: Level, seed: int) -> Iterator[Moment]:
    """Generate moments of this level, game by game: the same for the same seed on every machine."""
    return islice(_moments(rules, level, seed), _MAX_CROWDED_MOMENTS if _is_crowded(rules) else None)


def _is_crowded(rules: Rules) -> bool:
    return int(rules.topology.degree.max()) > USUAL_DEGREE


def _moments(rules: Rules, level: Level, seed: int) -> Iterator[Moment]:
    generator = np.random.PCG64(np.random.SeedSequence((seed, _STREAM, LEVELS.index(level))))
    first = int(generator.random_raw(1)[0]) % rules.n_cells
    if level == "single":
        for word in generator.random_raw(_MAX_GAMES).tolist():
            game = Game(rules, word >> 1)
            game.open(*rules.topology.cell(first))
            yield from _first_steps(game, generator)
        return
    for layout, opened in _layouts(rules, first, level, generator):
        game = Game(rules, 0, layout)
        _open(game, opened)
        yield from _walk(game, level)


def _layouts(rules: Rules, first: int, level: Level, generator: np.random.PCG64) -> Iterator[tuple[Layout, list[Cell]]]:
    """Generate layouts that pass the compiled filter, each with the cells that are open by then."""
    board = rules.topology
    easy, hard = _BETWEEN[level]
    memory = _memory(rules, first, easy, hard)
    beside = 1 if rules.shape == "hex" else rules.cols
    cols = beside if level == "pairs" else 0
    n_tries, n_batch = 0, 8
    most_tries = _MAX_CROWDED_TRIES if _is_crowded(rules) else min(_MAX_TRIES, _MAX_CELLS_TRIED // rules.n_cells)
    while n_tries < most_tries:
        numbers = random_numbers(generator, n_batch * rules.mines)
        place = 0
        while place < n_batch and memory.find_moment(
            numbers[place * rules.mines :], n_batch - place, _rank(hard), cols
        ):
            place += memory.search.n_tries
            yield (
                Layout(board, memory.mines == 1),
                [board.cell(at) for at in np.flatnonzero(memory.marks == 3).tolist()],
            )
        n_tries += n_batch
        n_batch = min(2 * n_batch, 1024)


def _walk(game: Game, level: Level) -> Iterator[Moment]:
    """Generate the moments of a game that passed the filter, played to its end."""
    below = LEVELS[LEVELS.index(level) - 1]
    cell = game.rules.topology.cell
    while game.outcome is Outcome.PLAYING:
        facts = Facts(game.observation)
        reason(facts, below)
        if not facts.safe:
            flagged, unknown = facts.mines, facts.unknown
            reason(facts, level)
            if facts.unknown != unknown:
                yield moment_of(game.observation, facts, flagged)
        # To continue the game, open also what only harder reasoning proves.
        safe = [cell(index) for index in facts.safe] or mine_probabilities(game.observation).safe
        if not safe:
            return
        _open(game, safe)


def _first_steps(game: Game, generator: np.random.PCG64) -> Iterator[Moment]:
    """Generate the first moments of a game in which half of the safe cells are opened each round, without flags."""
    cell = game.rules.topology.cell
    for _ in range(_WARM_UPS):
        if game.outcome is not Outcome.PLAYING:
            return
        facts = Facts(game.observation)
        reason(facts, "single")
        if not facts.safe:
            return
        yield moment_of(game.observation, facts, 0)
        safe = [cell(index) for index in facts.safe]
        order = np.argsort(generator.random_raw(len(safe)), kind="stable")
        _open(game, [safe[place] for place in order[: (len(safe) + 1) // 2].tolist()])


def moment_of(seen: Observation, facts: Facts, flagged: int) -> Moment:
    """Return the moment of a position: ``flagged`` cells (bits) get flags, and ``facts`` are what the level proved."""
    board = seen.topology
    cells = seen.cells.copy()
    cells.ravel()[cells_of(flagged)] = FLAG
    position = Observation(board, cells, seen.total, seen.channel)
    mines = [cell for cell in cells_of(facts.mines & ~flagged) if seen.closed.flat[cell]]
    return Moment(position, _shuffled(position, sorted(facts.safe)), _shuffled(position, mines))


def _shuffled(position: Observation, numbers: list[int]) -> tuple[Cell, ...]:
    """Shuffle cells by a hash of the position, so that no corner of the board is preferred."""
    words = np.random.PCG64(crc32(position.cells.tobytes())).random_raw(len(numbers))
    return tuple(position.topology.cell(numbers[place]) for place in np.argsort(words, kind="stable").tolist())


def _open(game: Game, cells: Iterable[Cell]) -> None:
    for cell in cells:
        if game.outcome is Outcome.PLAYING and game.observation.closed[cell]:
            game.open(*cell)


def _rank(reasoning: Reasoning) -> int:
    return REASONINGS.index(reasoning)


@cache_in_thread(8)
def _memory(rules: Rules, first: int, easy: Reasoning, hard: Reasoning) -> SearchMemory:
    return SearchMemory(rules, first, _rank(easy), counts=hard == "count")
