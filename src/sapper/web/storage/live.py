"""The games that are being played: replayed from the store when somebody asks, and kept at hand for the next move."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sapper.errors import IllegalMove
from sapper.layout import Layout
from sapper.play.dealt import start_game
from sapper.play.record import Move, Record
from sapper.rules import Rules
from sapper.web.storage.results import Ending, Results
from sapper.web.storage.states import changed_cells, describe_game, measure, settings_text
from sapper.web.storage.store import Deal
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from sapper.observation import Observation
    from sapper.web.storage.store import GameStore, StoredGame


# Seeds that are drawn here: those that every program can write, JavaScript too, and far too many to try out.
SEEDS = 2**53

NEVER_SEEN = -1  # whoever plays in it looks it up in the store first

# Cells of all games at hand together; each takes some 20 bytes.
MOST_CELLS_AT_HAND = 4_000_000
# Larger boards and longer games leave a result too, but nobody works out the risks in them.
MOST_APPRAISED_CELLS = 1000
MOST_APPRAISED_MOVES = 2000


class NeedsLayout(Exception):
    """The first cell of a game without guesses is to be opened, and its layout is not found yet."""

    def __init__(self, stored: StoredGame) -> None:
        super().__init__(stored.id)
        self.stored = stored


@dataclass(slots=True)
class Live:
    """A game at hand, as of one version in the store."""

    game: Game
    stored: StoredGame
    seen: int  # what others had written to the store when it was looked up: see `GameStore.others_wrote`
    settings: str  # the words behind the board in its positions
    metrics: dict[str, object] | None = None  # once it is over


class LiveGames:
    """Moves in games. Blocking, for threads; a game must not be moved in and looked at at once."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._results = Results(store)
        self._lock = threading.Lock()
        self._at_hand: OrderedDict[str, Live] = OrderedDict()
        self._n_cells = 0

    # -- what a player may ask ----------------------------------------------------------------------------

    def begin(self, owner: str, rules: Rules, seed: int | None, no_guess: bool) -> dict[str, object]:
        """Begin a game; its state."""
        chosen = secrets.randbelow(SEEDS) if seed is None else seed
        stored = self._store.create(owner, str(rules), chosen, Deal(seed_given=seed is not None, no_guess=no_guess))
        return self._describe(stored, self._bring(stored))

    def begin_onward(
        self, owner: str, rules: str, seed: int, layout: str | None, moves: list[Move]
    ) -> dict[str, object]:
        """Begin a game that goes on from a position of another: on a given layout, with the moves that lead there."""
        check_moves(Rules.parse(rules), len(moves))
        stored = self._store.create(owner, rules, seed, Deal(layout=layout, played_on=True), moves)
        return self._describe(stored, self._keep(stored, _replay(stored, moves)))

    def look(self, game_id: str, owner: str) -> dict[str, object]:
        """The state of a game."""
        stored = self._store.find(game_id, owner)
        return self._describe(stored, self._bring(stored))

    def see(self, game_id: str, owner: str) -> tuple[Observation, Rules]:
        """What the player of a game that goes on sees, and its rules; for help, which is noted."""
        live = self._bring(self._store.find(game_id, owner))
        game = live.game
        if game.outcome is not Outcome.PLAYING:
            raise IllegalMove(f"The game is over: {game.outcome.value}.")
        self._store.note_help(live.stored)
        return game.observation, game.rules

    def lay(self, stored: StoredGame, layout: str) -> None:
        """Note the layout that was found."""
        self._store.lay(stored, layout)
        self._drop(stored.id)

    def play(self, game_id: str, owner: str, move: Move) -> dict[str, object]:
        """Make a move: commit it, then say what the game looks like."""
        seen = self._store.others_wrote()
        with self._lock:
            live = self._at_hand.get(game_id)
        if live is None or live.stored.owner != owner or live.seen != seen:
            live = self._bring(self._store.find(game_id, owner))
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
            # The game at hand is ahead of the store.
            self._drop(game_id)
            self._store.find(game_id, owner)  # which says so if it has made room for others
            raise
        live.stored = stored
        state = self._describe(stored, live)
        state["changed"] = changed_cells(before, game.observation.cells)
        if ending is not None:
            state["result"] = self._describe_result(game_id, stored)
        return state

    def _end(self, live: Live, last: Move) -> Ending:
        """What the store is told of a game that a move has ended."""
        live.metrics = metrics = measure(live.game)
        moves = (*self._store.moves(live.stored.id), last)
        is_long = live.game.rules.n_cells > MOST_APPRAISED_CELLS or len(moves) > MOST_APPRAISED_MOVES
        record = None if is_long else str(Record.of(live.game, moves))
        if metrics is None:
            return Ending(None, 0, record)
        return Ending(cast("int", metrics["3bv"]), cast("int", metrics["clicks"]), record)

    def _describe_result(self, game_id: str, stored: StoredGame) -> dict[str, object] | None:
        """Whether a game counts, and what there was to beat; None if it counts for nothing."""
        found = self._results.standing(game_id)
        if found is None or stored.played_on:
            return None
        counts, before = found
        # A loss that was taken back has left the result; what came of it later does not count.
        return {"counts": counts and not stored.undone, "before": before._asdict()}

    def undo(self, game_id: str, owner: str) -> dict[str, object]:
        """Take back the last move: the others are played again."""
        stored = self._store.find(game_id, owner)
        moves = self._store.moves(game_id)
        if not moves:
            raise IllegalMove("There is no move to take back.")
        game = _replay(stored, moves[:-1])
        stored = self._store.take_back(stored, game.outcome.value)
        return self._describe(stored, self._keep(stored, game))

    def again(self, game_id: str, owner: str) -> dict[str, object]:
        """Begin a new game on the layout of one that is over: same seed, and the same first cell is opened."""
        stored = self._store.find(game_id, owner)
        self._require_over(stored)
        first = next((move for move in self._store.moves(game_id) if move.action == "open"), None)
        # The seed was shown at the end of the old game.
        deal = Deal(seed_given=True, no_guess=stored.no_guess, layout=stored.layout, played_on=stored.played_on)
        new = self._store.create(owner, stored.rules, stored.seed, deal)
        if first is None:
            return self._describe(new, self._bring(new))
        return self.play(new.id, owner, first)

    def record(self, game_id: str, owner: str) -> Record:
        """The record of a game that is over."""
        stored = self._store.find(game_id, owner)
        self._require_over(stored)
        return Record.of(self._bring(stored).game, tuple(self._store.moves(game_id)), player="person")

    def layout(self, game_id: str, owner: str) -> Layout:
        """The layout of a game that is over."""
        stored = self._store.find(game_id, owner)
        self._require_over(stored)
        layout = self._bring(stored).game.layout
        if layout is None:
            raise IllegalMove("The game was over before its mines were laid.")
        return layout

    def position(self, game_id: str, owner: str) -> Observation:
        """What the player sees, at any time."""
        return self._bring(self._store.find(game_id, owner)).game.observation

    def forget(self, owner: str) -> int:
        """Remove everything that is kept of a visitor; how many games."""
        names = self._store.forget(owner)
        for name in names:
            self._drop(name)
        return len(names)

    # -- inside -------------------------------------------------------------------------------------------

    def _require_over(self, stored: StoredGame) -> None:
        if stored.outcome == Outcome.PLAYING.value:
            raise IllegalMove("That would give the mines away: the game is not over yet.")

    def _describe(self, stored: StoredGame, live: Live) -> dict[str, object]:
        if live.metrics is None and live.game.outcome is not Outcome.PLAYING:
            live.metrics = measure(live.game)
        return describe_game(stored, live.game, live.settings, live.metrics)

    def _bring(self, stored: StoredGame) -> Live:
        with self._lock:
            live = self._at_hand.get(stored.id)
            if live is not None:
                self._at_hand.move_to_end(stored.id)
        # Another server may have played in it.
        if live is not None and live.stored.version == stored.version:
            live.stored = stored
            return live
        return self._keep(stored, _replay(stored, self._store.moves(stored.id)))

    def _keep(self, stored: StoredGame, game: Game) -> Live:
        live = Live(game, stored, NEVER_SEEN, settings_text(game.observation))
        with self._lock:
            self._remove(stored.id)
            self._at_hand[stored.id] = live
            self._n_cells += game.rules.n_cells
            while self._n_cells > MOST_CELLS_AT_HAND and len(self._at_hand) > 1:
                _, oldest = self._at_hand.popitem(last=False)
                self._n_cells -= oldest.game.rules.n_cells
        return live

    def _drop(self, game_id: str) -> None:
        with self._lock:
            self._remove(game_id)

    def _remove(self, game_id: str) -> None:
        live = self._at_hand.pop(game_id, None)
        if live is not None:
            self._n_cells -= live.game.rules.n_cells


def check_moves(rules: Rules, n_moves: int) -> None:
    """Refuse a game of more moves than anybody needs; those that are left can be replayed in a second."""
    most = 1000 + 2 * rules.n_cells
    if n_moves > most:
        raise IllegalMove(f"A game on this board takes at most {most:,} moves.")


def _replay(stored: StoredGame, moves: list[Move]) -> Game:
    rules = Rules.parse(stored.rules)
    layout = None if stored.layout is None else Layout.parse(stored.layout, rules.own or rules.shape)
    game = start_game(rules, stored.seed, layout)
    for move in moves:
        move.play(game)
    return game
