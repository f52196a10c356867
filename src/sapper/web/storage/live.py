"""Games in progress: replayed from the store on request, and cached for the next move."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from typing import cast

from sapper.errors import IllegalMove
from sapper.layout import Layout
from sapper.observation import Observation
from sapper.play.dealt import start_game
from sapper.play.record import Move, Record
from sapper.rules import Rules
from sapper.web.cache import LruDict
from sapper.web.storage.results import GameEnding, ResultStore
from sapper.web.storage.states import changed_cells, describe_game, measure, settings_text
from sapper.web.storage.store import Deal, GameStore, StoredGame
from sapper.world.game import Game, Outcome

# Seeds drawn here: exact in JavaScript too, and far too many to try out.
SEEDS = 2**53

NEVER_SEEN = -1  # the store is read before the next move

MAX_CACHED_CELLS = 4_000_000  # of all games; each takes about 20 bytes
# The risks of larger boards and longer games are not computed; their results are stored all the same.
MAX_REVIEWED_CELLS = 1000
MAX_REVIEWED_MOVES = 2000


class NeedsLayout(Exception):
    """The first click of a no-guess game, whose layout is not found yet."""

    def __init__(self, stored: StoredGame) -> None:
        super().__init__(stored.id)
        self.stored = stored


@dataclass(slots=True)
class Live:
    """A cached game, as of one version in the store."""

    game: Game
    stored: StoredGame
    seen: int  # `GameStore.data_version` when it was read from the store
    settings: str  # the words that follow the board in its positions
    metrics: dict[str, object] | None = None  # once it is over


class LiveGames:
    """Plays moves in games. Its methods block, so call them in threads, one at a time for each game."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._results = ResultStore(store)
        self._lock = threading.Lock()
        self._cache: LruDict[str, Live] = LruDict(MAX_CACHED_CELLS, lambda live: live.game.rules.n_cells)

    # -- requests of a player -----------------------------------------------------------------------------

    def begin(self, owner: str, rules: Rules, seed: int | None, no_guess: bool) -> dict[str, object]:
        """Begin a game and return its state."""
        chosen = secrets.randbelow(SEEDS) if seed is None else seed
        stored = self._store.create(owner, str(rules), chosen, Deal(seed_given=seed is not None, no_guess=no_guess))
        return self._describe(stored, self._load(stored))

    def begin_continued(
        self, owner: str, rules: str, seed: int, layout: str | None, moves: list[Move]
    ) -> dict[str, object]:
        """Begin a game that continues another from one of its positions: its layout, and the moves that lead there."""
        check_moves(Rules.parse(rules), len(moves))
        stored = self._store.create(owner, rules, seed, Deal(layout=layout, played_on=True), moves)
        return self._describe(stored, self._keep(stored, _replay(stored, moves)))

    def look(self, game_id: str, owner: str) -> dict[str, object]:
        """Return the state of a game."""
        stored = self._store.find(game_id, owner)
        return self._describe(stored, self._load(stored))

    def see(self, game_id: str, owner: str) -> tuple[Observation, Rules]:
        """Return the position and the rules of a game in progress, and note that the player had help."""
        live = self._load(self._store.find(game_id, owner))
        game = live.game
        if game.outcome is not Outcome.PLAYING:
            raise IllegalMove(f"The game is over: {game.outcome.value}.")
        self._store.note_help(live.stored)
        return game.observation, game.rules

    def lay(self, stored: StoredGame, layout: str) -> None:
        """Store the layout that was found."""
        self._store.lay(stored, layout)
        self._drop(stored.id)

    def play(self, game_id: str, owner: str, move: Move) -> dict[str, object]:
        """Make a move, commit it and return the state of the game."""
        seen = self._store.data_version()
        with self._lock:
            live = self._cache.get(game_id)
        if live is None or live.stored.owner != owner or live.seen != seen:
            live = self._load(self._store.find(game_id, owner))
            live.seen = seen
        stored, game = live.stored, live.game
        if stored.no_guess and stored.layout is None and move.action == "open":
            raise NeedsLayout(stored)
        check_moves(game.rules, stored.n_moves + 1)
        before = game.observation.cells
        move.play(game)
        try:
            ending = None if game.outcome is Outcome.PLAYING else self._end(live, move)
            stored = self._store.add_move(stored, move, game.outcome.value, ending)
        except BaseException:
            # The cached game is ahead of the store.
            self._drop(game_id)
            self._store.find(game_id, owner)  # which raises if it was removed to make room
            raise
        live.stored = stored
        state = self._describe(stored, live)
        state["changed"] = changed_cells(before, game.observation.cells)
        if ending is not None:
            state["result"] = self._describe_result(game_id, stored)
        return state

    def _end(self, live: Live, last: Move) -> GameEnding:
        """Return what is stored about a game that a move has ended."""
        live.metrics = metrics = measure(live.game)
        moves = (*self._store.moves(live.stored.id), last)
        is_long = live.game.rules.n_cells > MAX_REVIEWED_CELLS or len(moves) > MAX_REVIEWED_MOVES
        record = None if is_long else str(Record.of(live.game, moves, n_given=live.stored.n_given))
        if metrics is None:
            return GameEnding(None, 0, record)
        return GameEnding(cast("int", metrics["3bv"]), cast("int", metrics["clicks"]), record)

    def _describe_result(self, game_id: str, stored: StoredGame) -> dict[str, object] | None:
        """Return whether a game counts and the best results before it; None for games that never count."""
        found = self._results.standing(game_id)
        if found is None or stored.played_on:
            return None
        counts, before = found
        # After undoing a loss, the result is the loss; later moves do not count.
        return {"counts": counts and not stored.undone, "before": before._asdict()}

    def undo(self, game_id: str, owner: str) -> dict[str, object]:
        """Undo the last move by replaying the others."""
        stored = self._store.find(game_id, owner)
        moves = self._store.moves(game_id)
        if stored.n_own == 0:
            raise IllegalMove("There is no move to undo.")
        game = _replay(stored, moves[:-1])
        stored = self._store.undo(stored, game.outcome.value)
        return self._describe(stored, self._keep(stored, game))

    def again(self, game_id: str, owner: str) -> dict[str, object]:
        """Begin a new game on the layout of one that is over: same seed, and the same first cell is opened.

        A continued game begins again at its first position.
        """
        stored = self._store.find(game_id, owner)
        self._require_over(stored)
        moves = self._store.moves(game_id)
        if stored.n_given:
            return self.begin_continued(owner, stored.rules, stored.seed, stored.layout, moves[: stored.n_given])
        first = next((move for move in moves if move.action == "open"), None)
        # The seed was shown at the end of the old game.
        deal = Deal(
            seed_given=True,
            no_guess=stored.no_guess,
            layout=stored.layout,
            played_on=stored.played_on,
            practice=stored.daily or stored.practice,
        )
        new = self._store.create(owner, stored.rules, stored.seed, deal)
        if first is None:
            return self._describe(new, self._load(new))
        return self.play(new.id, owner, first)

    def record(self, game_id: str, owner: str) -> Record:
        """Return the record of a finished game."""
        stored = self._store.find(game_id, owner)
        self._require_over(stored)
        moves = tuple(self._store.moves(game_id))
        return Record.of(self._load(stored).game, moves, player="person", n_given=stored.n_given)

    def layout(self, game_id: str, owner: str) -> Layout:
        """Return the layout of a finished game."""
        stored = self._store.find(game_id, owner)
        self._require_over(stored)
        layout = self._load(stored).game.layout
        if layout is None:
            raise IllegalMove("The game ended before its mines were placed.")
        return layout

    def position(self, game_id: str, owner: str) -> Observation:
        """Return what the player sees, at any time."""
        return self._load(self._store.find(game_id, owner)).game.observation

    def forget(self, owner: str) -> int:
        """Remove all data of a visitor; return the number of games."""
        names = self._store.forget(owner)
        for name in names:
            self._drop(name)
        return len(names)

    # -- inside -------------------------------------------------------------------------------------------

    def _require_over(self, stored: StoredGame) -> None:
        if stored.outcome == Outcome.PLAYING.value:
            raise IllegalMove("This would reveal the mines. Finish the game first.")

    def _describe(self, stored: StoredGame, live: Live) -> dict[str, object]:
        if live.metrics is None and live.game.outcome is not Outcome.PLAYING:
            live.metrics = measure(live.game)
        return describe_game(stored, live.game, live.settings, live.metrics)

    def _load(self, stored: StoredGame) -> Live:
        with self._lock:
            live = self._cache.get(stored.id)
        # Another server may have played in it.
        if live is not None and live.stored.version == stored.version:
            live.stored = stored
            return live
        return self._keep(stored, _replay(stored, self._store.moves(stored.id)))

    def _keep(self, stored: StoredGame, game: Game) -> Live:
        live = Live(game, stored, NEVER_SEEN, settings_text(game.observation))
        with self._lock:
            self._cache.put(stored.id, live)
        return live

    def _drop(self, game_id: str) -> None:
        with self._lock:
            self._cache.pop(game_id)


def check_moves(rules: Rules, n_moves: int) -> None:
    """Refuse more moves than any game needs, so that a game can be replayed in a second."""
    limit = 1000 + 2 * rules.n_cells
    if n_moves > limit:
        raise IllegalMove(f"A game on this board has at most {limit:,} moves.")


def _replay(stored: StoredGame, moves: list[Move]) -> Game:
    rules = Rules.parse(stored.rules)
    layout = None if stored.layout is None else Layout.parse(stored.layout, rules.own or rules.shape)
    game = start_game(rules, stored.seed, layout)
    for move in moves:
        move.play(game)
    return game
