"""Write the binary replays that the tests read: games with flags and chords, one won (.evf) and one lost (.avf).

No program of ours writes these formats: ms-toollib records the .evf, `tests/support/replay_files.py` lays out the .avf.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sapper.inference.posterior.exact import mine_probabilities
from sapper.observation import FLAG, HIDDEN
from sapper.play.record import Move, Record
from sapper.rules import Rules
from sapper.world.game import Game, Outcome

if TYPE_CHECKING:
    from sapper.observation import Observation

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "data" / "replays"


def play(rules: str, seed: int) -> Record:
    """Play as people do: flag what a clue shows at a glance, chord where all is flagged, else open the safest cell."""
    game = Game(Rules.parse(rules), seed)
    moves = [Move("open", 0, 0)]
    moves[0].play(game)
    while game.outcome is Outcome.PLAYING:
        move = _next_move(game.observation)
        move.play(game)
        moves.append(move)
    return Record.of(game, tuple(moves))


def _next_move(position: Observation) -> Move:
    board = position.topology
    for index in range(board.n_cells):
        row, col = board.cell(index)
        clue = position.cells[row, col]
        if clue <= 0:
            continue
        around = [board.cell(cell) for cell in board.neighbours_of(index)]
        hidden = [cell for cell in around if position.cells[cell] == HIDDEN]
        n_flags = sum(position.cells[cell] == FLAG for cell in around)
        if hidden and n_flags == clue:
            return Move("chord", row, col)
        if hidden and n_flags + len(hidden) == clue:
            return Move("flag", *hidden[0])
    best = mine_probabilities(position).safest
    return Move("open", *next(cell for cell in best if position.cells[cell] == HIDDEN))


def main() -> None:
    """Write both files and the records of the same games beside them."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from replay_files import write_avf, write_evf

    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, write, rules, seed in (("won.evf", write_evf, "8x8/10", 5), ("lost.avf", write_avf, "16x30/99", 8)):
        record = play(rules, seed)
        layout = record.final_game().layout
        assert layout is not None
        (FOLDER / name).write_bytes(write(layout, record.moves))
        (FOLDER / name).with_suffix(".record").write_text(str(record), encoding="utf-8")
        print(f"{name}: {record.result}")


if __name__ == "__main__":
    main()
