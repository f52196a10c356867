"""Print puzzles: a page of tasks, then separate pages of solutions with their proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from sapper.draw.pages import html_page
from sapper.draw.palette import LIGHT
from sapper.draw.svg import draw_svg
from sapper.errors import InputError
from sapper.topology import Cell
from sapper.train.puzzle import Puzzle
from sapper.words import count

_WIDEST_OF_TWO = 18  # columns of a board that fits beside another on A4
_CELL, _MARGIN = 5.4, 6.0  # millimetres, unless the picture must shrink
_HALF, _FULL = 84.0, 180.0  # millimetres of width available

_STYLE = "\n" + (files("sapper.data") / "sheet.css").read_text("utf-8")


def sheet(puzzles: Iterable[Puzzle], title: str = "Minesweeper puzzles") -> str:
    """Return an HTML page for A4: every puzzle with room for the answer, then every solution with its proof.

    >>> from sapper.train.making import puzzle
    >>> "Solutions" in sheet([puzzle("subsets", 1), puzzle("area", 2)])
    True
    """
    chosen = list(puzzles)
    if not chosen:
        raise InputError("A sheet needs at least one puzzle.")
    flags = any(one.kind != "single" for one in chosen)
    notice = "Rows and columns count from 0 at the top left." + (" Every flag is on a mine." if flags else "")
    body = [
        "<section>",
        f'<header><h1>{escape(title)}</h1><span class="name">Name</span></header>',
        f'<p class="intro">{count(len(chosen), "puzzle")}. {notice}</p>',
        '<div class="puzzles">',
        *(_ask(number, one) for number, one in enumerate(chosen, start=1)),
        "</div>",
        "</section>",
        "<section>",
        "<h2>Solutions</h2>",
        '<div class="solutions">',
        *(_solve(number, one) for number, one in enumerate(chosen, start=1)),
        "</div>",
        "</section>",
    ]
    return html_page(title, _STYLE, body, "img-src 'none'")


def _ask(number: int, puzzle: Puzzle) -> str:
    room = _FULL if _is_wide(puzzle) else _HALF
    width = min(_MARGIN + _CELL * puzzle.position.cols, room)
    return (
        f'<article{_class(puzzle)} style="--width:{width:.1f}mm">'
        f"<h3>{number}. {puzzle.kind} <small>rating {puzzle.difficulty}</small></h3>"
        f"{_draw(puzzle, puzzle.marked)}"
        f'<p>{escape(puzzle.task)}</p><p class="answer">Answer:</p></article>'
    )


def _solve(number: int, puzzle: Puzzle) -> str:
    proof = puzzle.proof
    parts = [f"<h3>{number}. {escape(puzzle.answer)}</h3>"]
    if proof is None:
        parts += [f"<p>{escape(sentence)}</p>" for sentence in puzzle.explanation]
    else:
        parts += [f"<p>{escape(sentence)}</p>" for sentence in (puzzle.reason, *proof.summary) if sentence]
        steps = [f'<li style="margin-left:{1.5 * step.depth:g}em">{escape(step.sentence)}</li>' for step in proof.steps]
        parts.append(f"<ol>{''.join(steps)}</ol>")
    return f"<article{_class(puzzle)}>{_draw(puzzle, _to_look_at(puzzle))}<div>{''.join(parts)}</div></article>"


def _to_look_at(puzzle: Puzzle) -> Sequence[Cell]:
    """Return the cells to highlight beside a solution: the proof's clues and cell, or else the answer."""
    if puzzle.proof is not None:
        return (*puzzle.proof.clues, puzzle.proof.cell)
    return puzzle.marked or puzzle.solution


def _draw(puzzle: Puzzle, ringed: Sequence[Cell]) -> str:
    board = puzzle.position.topology
    return draw_svg(puzzle.position, [board.index(*cell) for cell in ringed], LIGHT, pointing=False)


def _class(puzzle: Puzzle) -> str:
    return ' class="wide"' if _is_wide(puzzle) else ""


def _is_wide(puzzle: Puzzle) -> bool:
    return puzzle.position.cols > _WIDEST_OF_TWO
