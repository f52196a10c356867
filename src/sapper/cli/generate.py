"""``sapper generate`` makes boards, with a proof that they need no guess if that is asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sapper.cli.game import BOARD_HELP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.layout import Layout
    from sapper.play.certificate import Certificate
    from sapper.play.noguess import NoGuessBoard
    from sapper.rules import Rules

FORMATS_HERE = ("text", "mbf", "ptta", "tatham")
STATUS_GAVE_UP = 3


def generate(
    board: str = typer.Option("expert", help=BOARD_HELP),
    no_guess: bool = typer.Option(False, "--no-guess", help="Only boards that can be cleared by reasoning alone."),
    count: int = typer.Option(1, min=1, max=10**6, help="How many boards."),
    seed: int = typer.Option(0, min=0, max=2**62, help="The first board's seed; the others follow."),
    first: str | None = typer.Option(None, metavar="ROW,COL", help="The cell to open first; the middle of the board."),
    reasoning: str | None = typer.Option(
        None, metavar="HOW", help="The hardest that may be needed: single, subsets, pairs, complete or count (usual)."
    ),
    method: str | None = typer.Option(
        None, metavar="HOW", help="repair (usual; any size) or reject (every such board equally likely)."
    ),
    tries: int | None = typer.Option(
        None, min=1, max=10**9, help="Give up after so many layouts, with status 3; 1,000, or 100,000 with reject."
    ),
    mix: int | None = typer.Option(
        None, min=0, max=10**6, help="Exchange so many random pairs of cells, as far as no guess comes of it; 0."
    ),
    format_name: str = typer.Option("text", "--format", metavar="FORMAT", help="text, mbf, ptta or tatham."),
    output: str = typer.Option(
        "-", metavar="FILE", help="Where to write them; several mbf boards need a folder. Else standard output."
    ),
    certificates: str | None = typer.Option(
        None, metavar="FILE", help="Write the proof of each board here, a line each; see sapper verify."
    ),
    as_json: bool = typer.Option(False, "--json", help="Write a line of JSON per board with all that is known of it."),
) -> None:
    """Make boards from a seed; with --no-guess such as never need one, each with a certificate.

    Example: sapper generate --board expert --no-guess --count 100 --format ptta --certificates proofs.jsonl
    """
    from sapper.errors import GaveUp, InputError
    from sapper.rules import Rules

    rules = Rules.parse(board)
    cell = read_first(rules, first)
    if format_name not in FORMATS_HERE:
        raise InputError(f"There is no format {format_name[:40]!r} here; choose from {', '.join(FORMATS_HERE)}.")
    if not no_guess:
        for value, name in (
            (reasoning, "reasoning"),
            (method, "method"),
            (tries, "tries"),
            (mix, "mix"),
            (certificates, "certificates"),
        ):
            if value is not None:
                raise InputError(f"--{name} goes with --no-guess.")
    target = _Target(output, format_name, count, certificates, as_json)
    made: Iterator[_Made] = (
        _make_no_guess(rules, cell, seed, count, reasoning, method, tries, mix, bool(certificates) or as_json)
        if no_guess
        else _make_plain(rules, cell, seed, count)
    )
    from sapper.cli.progress import show_progress

    try:
        with show_progress("Making boards", "boards") as watch:
            for number, one in enumerate(made, start=1):
                target.add(one)
                watch(number, count)
    except GaveUp as gave_up:
        import sys

        target.close()
        kept = f" The {target.n_boards:,} before it are kept." if target.n_boards else ""
        sys.stdout.flush()
        print(f"sapper: {gave_up}{kept}", file=sys.stderr)
        raise typer.Exit(STATUS_GAVE_UP) from None
    except KeyboardInterrupt:
        target.close()
        raise
    target.close()


class _Made:
    """A board, and how it came about."""

    def __init__(self, rules: Rules, seed: int, first: int, layout: Layout) -> None:
        self.rules = rules
        self.seed = seed
        self.first = layout.topology.cell(first)
        self.layout = layout
        self.found: NoGuessBoard | None = None
        self.certificate: Certificate | None = None

    def describe(self) -> dict[str, object]:
        """All that is known of it, for JSON."""
        from sapper.play.metrics import board_metrics

        metrics = board_metrics(self.layout)
        told: dict[str, object] = {
            "rules": str(self.rules), "seed": self.seed, "first": list(self.first), "layout": str(self.layout),
            "3bv": metrics.bbbv, "openings": metrics.openings,
        }  # fmt: skip
        if self.found is not None and self.certificate is not None:
            told |= {
                "reasoning": self.found.reasoning, "method": self.found.method, "tries": self.found.n_tries,
                "repairs": self.found.n_repairs, "hardest": self.certificate.hardest, "score": self.certificate.score,
            }  # fmt: skip
        return told

    def write(self, format_name: str) -> bytes:
        """The board in a format."""
        from sapper.formats import FORMATS, convert

        if format_name == "text":
            return f"{self.layout}\n".encode()
        return convert(self.layout, FORMATS[format_name], self.first if format_name == "tatham" else None)


class _Target:
    """Where boards and certificates go: everything to standard output at once, files whole or not at all."""

    def __init__(self, output: str, format_name: str, count: int, certificates: str | None, as_json: bool) -> None:
        from sapper.cli.files import check_target
        from sapper.errors import InputError

        self._output, self._format, self._certificates_to, self._as_json = output, format_name, certificates, as_json
        self._data: list[bytes] = []
        self._certificates: list[str] = []
        self._folder: Path | None = None
        self.n_boards = 0
        if certificates is not None and certificates == output:
            raise InputError(f"Boards and certificates cannot both go to {output}.")
        if format_name == "mbf" and count > 1 and not as_json:
            if not Path(output).is_dir():
                raise InputError("Several mbf boards need an --output that is a folder.")
            self._folder = Path(output)
        else:
            check_target(output)
        if certificates is not None:
            check_target(certificates)

    def add(self, made: _Made) -> None:
        """Take a board."""
        from sapper.cli.files import write_bytes

        data = f"{json.dumps(made.describe())}\n".encode() if self._as_json else made.write(self._format)
        if self._folder is not None:
            write_bytes(str(self._folder / f"board-{made.seed}.mbf"), data)
        elif self._output == "-":
            write_bytes("-", data)
        else:
            self._data.append(data)
        if self._certificates_to is not None and made.certificate is not None:
            self._certificates.append(f"{made.certificate}\n")
        self.n_boards += 1

    def close(self) -> None:
        """Write the files."""
        from sapper.cli.files import write_bytes

        if self._folder is None and self._output != "-":
            write_bytes(self._output, b"".join(self._data))
        if self._certificates_to is not None:
            write_bytes(self._certificates_to, "".join(self._certificates).encode())


def _make_plain(rules: Rules, first: int, seed: int, count: int) -> Iterator[_Made]:
    from sapper.world.generate import generate_layout

    for one in range(seed, seed + count):
        yield _Made(rules, one, first, generate_layout(rules, one, first))


def _make_no_guess(
    rules: Rules,
    first: int,
    seed: int,
    count: int,
    reasoning: str | None,
    method: str | None,
    tries: int | None,
    mix: int | None,
    with_certificate: bool,
) -> Iterator[_Made]:
    from sapper.play.certify import certify
    from sapper.play.noguess import NoGuessMaker

    maker = NoGuessMaker(
        rules,
        first,
        reasoning=reasoning,  # type: ignore[arg-type]
        method=method or "repair",  # type: ignore[arg-type]
        most_tries=tries,
        mix=mix or 0,
    )
    for one in range(seed, seed + count):
        found = maker.make(one)
        made = _Made(rules, one, first, found.layout)
        made.found = found
        if with_certificate:
            made.certificate = certify(rules, found.layout, first, found.reasoning)
        yield made


def read_first(rules: Rules, text: str | None) -> int:
    """The number of the first cell; without a word, the middle of the board."""
    import re

    from sapper.errors import InputError

    if text is None:
        return rules.topology.index(rules.rows // 2, rules.cols // 2)
    match = re.fullmatch(r"(\d{1,6}),(\d{1,6})", text, re.ASCII)
    if match is None:
        raise InputError(f"--first {text[:40]!r} should read like 3,4.")
    return rules.topology.index(int(match[1]), int(match[2]))
