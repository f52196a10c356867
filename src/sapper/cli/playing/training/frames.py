"""A frame of a lesson's example in the terminal: what is lit up stands in brackets, and a line says what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text

from sapper.draw.palette import INK_ON_SCALE, LIGHT, MINE_COLOUR, SAFE_COLOUR, SCALE
from sapper.draw.terminal import FAINT, GLYPHS, board_lines, cell_style
from sapper.observation import FLAG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sapper.topology import Cell
    from sapper.train import Frame
    from sapper.train.course import Role

_WHITE = LIGHT.edge
_AREA = Style(color=LIGHT.ink, bgcolor=LIGHT.hidden, bold=True)
_SUPPOSED = Style(color=INK_ON_SCALE, bgcolor=SCALE[-1], bold=True)

# By role: how the cell is written, in which the dot stands for what it shows, its colours, and what that means.
_LOOKS: dict[Role, tuple[str, Style | None, str]] = {
    "clue": (">.<", None, "look here"),
    "area": ("[.]", _AREA, "the cells in question"),
    "safe": ("[✓]", Style(color=_WHITE, bgcolor=SAFE_COLOUR, bold=True), "safe"),
    "mine": ("[*]", Style(color=_WHITE, bgcolor=MINE_COLOUR, bold=True), "mine"),
    "supposed-safe": ("(✓)", _SUPPOSED, "safe, if so"),
    "supposed-mine": ("(*)", _SUPPOSED, "mine, if so"),
}


def frame_lines(frame: Frame) -> Iterator[Text]:
    """Give the board of a frame line by line, then the number of mines and what the brackets mean."""
    percents = {cell: f"{100 * p:.0f}%" for cell, p in (*frame.risks, *frame.chances)}
    lit = {cell: role for role, cells in frame.lit for cell in cells}

    def label(row: int, col: int, code: int) -> tuple[str, Style]:
        role, percent = lit.get((row, col)), percents.get((row, col))
        if percent is not None:
            return percent, _AREA
        if role is None:
            return GLYPHS[code], cell_style(code)
        look, style, _ = _LOOKS[role]
        # A flag stays a flag: the mine under it is known already.
        written = "[.]" if code == FLAG else look
        return written.replace(".", GLYPHS[code]), style or cell_style(code)

    widest = max(map(len, percents.values()), default=2)
    yield from board_lines(frame.position, max(3, widest + 1, len(str(frame.position.cols - 1)) + 1), label)
    caption = frame.position.caption()
    yield Text(f">{caption}<" if frame.total else caption, Style() if frame.total else FAINT)
    meanings = [f"{_written(frame, role, cells)} {_LOOKS[role][2]}" for role, cells in frame.lit]
    meanings += ["%  chance of a mine"] * bool(frame.risks) + ["%  chance to win"] * bool(frame.chances)
    if meanings:
        yield Text("    ".join(meanings), FAINT)


def _written(frame: Frame, role: Role, cells: Iterable[Cell]) -> str:
    """The brackets of a role, as they stand on this board."""
    is_flagged = role == "mine" and all(frame.position.cells[cell] == FLAG for cell in cells)
    return "[F]" if is_flagged else _LOOKS[role][0].replace(".", " ")
