"""``sapper generate`` generates boards, random ones or no-guess boards with their proofs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.errors import give_up
from sapper.cli.files import check_target, write_bytes
from sapper.cli.options import (
    BOARD_HELP,
    KINDS_HELP,
    BoardSeed,
    FirstCell,
    first_cell,
    grouped,
    read_method,
    refuse_with,
    refuse_without,
)
from sapper.cli.terminal import show_progress
from sapper.errors import GaveUp, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sapper.layout import Layout
    from sapper.play.noguess.certificate import Certificate
    from sapper.play.noguess.generate import NoGuessBoard, NoGuessMaker
    from sapper.rules import Rules
    from sapper.topology import Cell


FORMATS_HERE = ("text", "mbf", "ptta", "tatham")


@dataclass(frozen=True, slots=True)
class NoGuessOptions:
    """How to find no-guess boards."""

    no_guess: Annotated[
        str | None,
        typer.Option(metavar="[KIND]", help=f"Generate only boards that reasoning alone clears; {KINDS_HELP}."),
    ] = None
    method: Annotated[
        str | None,
        typer.Option(
            metavar="repair|reject",
            help="repair (the default) works on any size; with reject, all such boards are equally likely. With "
            "repair:N, N random pairs of cells are swapped afterwards, as long as no guess is needed.",
        ),
    ] = None
    limit: Annotated[
        int | None,
        typer.Option(
            min=1, max=10**9, help="Give up after this many layouts; by default 1,000, or 100,000 with reject."
        ),
    ] = None

    def maker(self, rules: Rules, first: Cell) -> NoGuessMaker:
        """Return what finds such boards for this first cell."""
        from sapper.play.noguess.generate import NoGuessMaker

        method, mix = read_method(self.method or "repair")
        reasoning = None if self.no_guess == "any" else self.no_guess
        return NoGuessMaker(
            rules,
            first,
            reasoning=reasoning,  # type: ignore[arg-type]
            method=method,  # type: ignore[arg-type]
            most_tries=self.limit,
            mix=mix,
        )


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How boards are written, and where to."""

    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT", help="Write boards as text, mbf, ptta or tatham.", show_default="by --output, else text"
        ),
    ] = None
    certificates: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the proofs to this file, one per line; sapper verify checks them."),
    ] = None
    output: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Where to write the boards; several mbf boards need a folder.",
            show_default="standard output",
        ),
    ] = "-"
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per board, with all that is known about it.")
    ] = False

    @property
    def format_name(self) -> str:
        """The format of the boards: that of --to, else that of the suffix, else text."""
        suffix = Path(self.output).suffix.lower()
        by_suffix = {".mbf": "mbf", ".abf": "mbf", ".ptta": "ptta", ".tatham": "tatham"}
        return by_suffix.get(suffix, "text") if self.to is None else self.to

    @property
    def needs_certificates(self) -> bool:
        """Whether the proofs are needed; they take longer than the boards."""
        return bool(self.certificates) or self.as_json

    def check_format(self) -> None:
        """Raise `InputError` if there is no such format."""
        if self.format_name not in FORMATS_HERE:
            raise InputError(
                f"There is no format {self.format_name[:40]!r} for boards; choose from {', '.join(FORMATS_HERE)}."
            )

    def open_target(self, count: int) -> _Target:
        """Return where ``count`` boards go, or raise `InputError` if they cannot be written there."""
        if self.certificates is not None and self.certificates == self.output:
            raise InputError(f"Boards and certificates cannot both go to {self.output}.")
        folder = None
        if self.format_name == "mbf" and count > 1 and not self.as_json:
            if not Path(self.output).is_dir():
                raise InputError("To write several mbf boards, --output should be a folder.")
            folder = Path(self.output)
        else:
            check_target(self.output)
        if self.certificates is not None:
            check_target(self.certificates)
        return _Target(self, folder)


@grouped
def generate(
    *,
    board: str = typer.Option("expert", help=BOARD_HELP),
    count: int = typer.Option(1, min=1, max=10**6, help="How many boards to generate."),
    seed: BoardSeed = 0,
    first: FirstCell = None,
    search: NoGuessOptions,
    writing: WriteOptions,
) -> None:
    """Generate boards from a seed; with --no-guess, boards that never need a guess, and the proof of that.

    Same seed, same board. In text, * is a mine and - is not.

    Example: sapper generate --board beginner --count 3

    Example: sapper generate --board beginner --no-guess subsets --certificates proofs.jsonl
    """
    from sapper.rules import Rules

    rules = Rules.parse(board)
    cell = first_cell(rules, first)
    seeds = range(seed, seed + count)
    writing.check_format()
    if search.no_guess is None:
        refuse_without("--no-guess", "--method", "--limit", "--certificates")
    if writing.as_json:
        refuse_with("--json", "--to")
    target = writing.open_target(count)
    if search.no_guess is not None:
        _write_all(_make_no_guess(search.maker(rules, cell), seeds, writing.needs_certificates), target, count)
    else:
        _write_all(_make_plain(rules, cell, seeds), target, count)


def _write_all(made: Iterator[_Made], target: _Target, count: int) -> None:
    """Write boards as they are generated; if that stops early, those before are kept."""
    try:
        with show_progress("Generating", "boards") as watch:
            for number, one in enumerate(made, start=1):
                target.add(one)
                watch(number, count)
    except GaveUp as gave_up:
        target.close()
        n = target.n_boards
        kept = "" if not n else " The board before it is kept." if n == 1 else f" The {n:,} boards before it are kept."
        raise give_up(gave_up, kept) from None
    except KeyboardInterrupt:
        target.close()
        raise
    target.close()


@dataclass
class _Made:
    """A board, and how it came about."""

    rules: Rules
    seed: int
    first: Cell
    layout: Layout
    found: NoGuessBoard | None = None
    certificate: Certificate | None = None

    def describe(self) -> dict[str, object]:
        """Return all that is known of it, for JSON."""
        from sapper.play.metrics import board_metrics

        metrics = board_metrics(self.layout)
        described: dict[str, object] = {
            "rules": str(self.rules), "seed": self.seed, "first": list(self.first), "layout": str(self.layout),
            "3bv": metrics.bbbv, "openings": metrics.openings,
        }  # fmt: skip
        if self.found is not None and self.certificate is not None:
            described |= {
                "reasoning": self.found.reasoning, "method": self.found.method, "tries": self.found.n_tries,
                "repairs": self.found.n_repairs, "hardest": self.certificate.hardest, "score": self.certificate.score,
            }  # fmt: skip
        return described

    def write(self, format_name: str) -> bytes:
        """Return the board in a format."""
        from sapper.formats import FORMATS, convert

        if format_name == "text":
            return f"{self.layout}\n".encode()
        return convert(self.layout, FORMATS[format_name], self.first if format_name == "tatham" else None)


class _Target:
    """Where boards and certificates go: everything to standard output at once, files whole or not at all."""

    def __init__(self, options: WriteOptions, folder: Path | None) -> None:
        self._options = options
        self._folder = folder  # for boards that get a file each
        self._data: list[bytes] = []
        self._certificates: list[str] = []
        self.n_boards = 0

    def add(self, made: _Made) -> None:
        """Add a board."""
        options = self._options
        data = f"{json.dumps(made.describe())}\n".encode() if options.as_json else made.write(options.format_name)
        if self._folder is not None:
            write_bytes(str(self._folder / f"board-{made.seed}.mbf"), data)
        elif options.output == "-":
            write_bytes("-", data)
        else:
            self._data.append(data)
        if options.certificates is not None and made.certificate is not None:
            self._certificates.append(f"{made.certificate}\n")
        self.n_boards += 1

    def close(self) -> None:
        """Write the files, if there is anything to write: an earlier file is not replaced by nothing."""
        options = self._options
        if not self.n_boards:
            return
        if self._folder is None and options.output != "-":
            write_bytes(options.output, b"".join(self._data))
        if options.certificates is not None:
            write_bytes(options.certificates, "".join(self._certificates).encode())


def _make_plain(rules: Rules, first: Cell, seeds: range) -> Iterator[_Made]:
    from sapper.world.generation import generate_layout

    if rules.dealing != "laid":
        raise InputError(f"The mines of a {rules.dealing} board are not laid beforehand; leave out the word.")

    for seed in seeds:
        yield _Made(rules, seed, first, generate_layout(rules, seed, first))


def _make_no_guess(maker: NoGuessMaker, seeds: range, with_certificate: bool) -> Iterator[_Made]:
    from sapper.play.noguess.certify import certify

    rules, first = maker.rules, maker.first
    for seed in seeds:
        found = maker.make(seed)
        proof = certify(rules, found.layout, first, found.reasoning) if with_certificate else None
        yield _Made(rules, seed, first, found.layout, found, proof)
