"""``sapper analyse``: the exact mine probabilities of a position, or of a stream of positions."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING

import typer

from sapper.cli.files import in_words, load_position, read_bytes
from sapper.cli.options import DENSITY_HELP, POSITION_HELP, refuse_with
from sapper.cli.terminal import show_bar
from sapper.errors import Contradiction, InputError, SapperError, TooHard
from sapper.words import count as count_of
from sapper.words import percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.inference.posterior.exact import Posterior
    from sapper.observation import Observation


def analyse(
    position: str = typer.Argument(help=POSITION_HELP),
    count: bool = typer.Option(False, "--count", help="Count the layouts exactly, however many digits that takes."),
    trust_flags: bool = typer.Option(False, "--trust-flags", help="Treat flags as mines, not as the player's opinion."),
    density: float = typer.Option(0.5, help=DENSITY_HELP),
    jsonl: bool = typer.Option(
        False,
        "--jsonl",
        help="Read a JSON object (id, width, height, mines, rows) per line, and answer on a line each.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the answer as JSON."),
) -> None:
    """Give the exact mine probability of every hidden cell, what is certain, and how many layouts fit.

    Blue is safe, orange is dangerous; the safest cells are in angle brackets. A percentage is 0 or 100 only if it is
    certain. If the position is impossible, the answer is a smallest set of clues that cannot all be true.

    Example: sapper analyse '2#1/###/#3#'
    """
    from sapper.inference.posterior.exact import mine_probabilities

    if jsonl:
        refuse_with("--jsonl", "--count", "--json")
        _analyse_stream(position, density, trust_flags)
        return

    observation = load_position(position)
    refuse_density(observation)
    found = mine_probabilities(observation, density=density, trust_flags=trust_flags)
    if as_json:
        answer = as_plain_values(found)
        if count:
            answer["layouts"] = found.n_layouts
        print(json.dumps(answer))
    else:
        _print_board(found, count)


def refuse_density(observation: Observation) -> None:
    """Raise `InputError` if a density was typed for a position that says how many mines there are."""
    if observation.total is not None:
        refuse_with("a position that says the number of mines", "--density")


def as_plain_values(found: Posterior) -> dict[str, object]:
    """Return a posterior as plain values for JSON: cells by number, row by row."""
    cols = found.observation.cols
    return {
        "p": [None if p != p else p for p in found.p_mine.ravel().tolist()],
        "safe": [row * cols + col for row, col in found.safe],
        "mines": [row * cols + col for row, col in found.mines],
        "log_layouts": found.log_layouts,
    }


def _print_board(found: Posterior, count: bool) -> None:
    from rich.console import Console

    from sapper.draw.terminal import chances_lines

    observation = found.observation
    best = found.safest
    console = Console(highlight=False, soft_wrap=True)
    for line in chances_lines(observation, found.p_mine, found.safe, found.mines, best):
        console.print(line)
    print(observation.caption())
    if best:
        p = float(found.p_mine[best[0]])
        cells = ", ".join(str(cell) for cell in best[:8]) + (f" and {len(best) - 8} more" if len(best) > 8 else "")
        certain = best[0] in found.safe
        print(f"Safest: {cells}, {'safe' if certain else percent(p, best[0] in found.mines, 2) + ' risk'}.")
    print(f"Certain: {len(found.safe)} safe, {count_of(len(found.mines), 'mine')}.")
    if count:
        print(f"Layouts: {found.n_layouts:,}.")
    else:
        print(f"Layouts: {readable_count(found.log_layouts)}.")


def readable_count(log_count: float) -> str:
    """Write a number given by its natural logarithm.

    >>> readable_count(0.0), readable_count(6.9077552789821), readable_count(1000.0)
    ('1', '1,000', '1.97e+434')
    """
    if log_count < math.log(1e9):
        return f"{round(math.exp(log_count)):,}"
    exponent = math.floor(log_count / math.log(10))
    return f"{math.exp(log_count - exponent * math.log(10)):.2f}e+{exponent}"


def _analyse_stream(name: str, density: float, trust_flags: bool) -> None:
    data, name = read_bytes(name), in_words(name)
    try:
        lines = data.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start} is not UTF-8 text.") from None
    answers = _answer_lines(name, lines, density, trust_flags)
    with show_bar("Analysing", "positions") as watch:
        for n_done, answer in enumerate(answers, start=1):
            sys.stdout.write(answer)
            watch(n_done, len(lines))


def _answer_lines(name: str, lines: list[str], density: float, trust_flags: bool) -> Iterator[str]:
    from sapper.inference.posterior.exact import mine_probabilities

    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        entry, observation = _read_entry(name, number, line)
        answer: dict[str, object] = {"id": entry.get("id", number)}
        try:
            answer |= as_plain_values(mine_probabilities(observation, density=density, trust_flags=trust_flags))
        except (Contradiction, TooHard) as error:
            # One impossible position in a thousand is an answer about that one, not a reason to stop.
            answer["error"] = str(error)
        except SapperError as error:
            raise type(error)(f"{name}, line {number}: {error}") from error
        yield json.dumps(answer) + "\n"


def _read_entry(name: str, number: int, line: str) -> tuple[dict[str, object], Observation]:
    from sapper.observation import Observation

    try:
        entry = json.loads(line)
        rows, mines = entry["rows"], entry.get("mines")
        if not (isinstance(rows, list) and rows and all(isinstance(row, str) and row for row in rows)):
            raise InputError("'rows' should be a list of strings.")
        if not (mines is None or (isinstance(mines, int) and not isinstance(mines, bool))):
            raise InputError("'mines' should be a whole number or null.")
        observation = Observation.parse("/".join(rows) + ("" if mines is None else f" {mines}"))
        for key, size in (("height", observation.rows), ("width", observation.cols)):
            if entry.get(key, size) != size:
                raise InputError(f"{key!r} is {entry[key]}, but the rows say {size}.")
    except (SapperError, ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        what = str(error) if isinstance(error, SapperError) else "expected a JSON object with 'rows' and 'mines'."
        raise InputError(f"{name}, line {number}: {what}") from None
    return entry, observation
