"""What `expert` opens where nothing is safe: as perfect play does, where that can be found out, or the best ahead."""

from __future__ import annotations

from math import log

from sapper.kernels.language import Int, inner
from sapper.kernels.players.ahead.lookahead import pick_by_lookahead
from sapper.kernels.players.endgame import pick_perfectly
from sapper.kernels.players.parts import pick_in_part
from sapper.kernels.players.player import Player


@inner
def pick_for_sure(player: Player) -> Int:
    """Return the cell that perfect play opens, on all of the board or a part; -1 where that is too much."""
    cell: Int = -1
    player.log_now = player.ws.log_weight
    if player.asked.total >= 0 and player.log_now <= log(player.most) + 1e-9:
        cell = pick_perfectly(player.ending, player.board, player.position, player.asked.total, 0)
    if cell < 0:
        cell = pick_in_part(player.ending, player.board, player.position, 0)
    return cell


@inner
def pick_expertly(player: Player) -> Int:
    """Return the cell to open where nothing is safe; negative, with the player's status, if that takes more memory."""
    cell = pick_for_sure(player)
    return cell if cell >= 0 else pick_by_lookahead(player)
