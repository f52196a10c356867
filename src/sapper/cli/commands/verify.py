"""``sapper verify`` checks the proofs of no-guess boards."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from sapper.cli.errors import Status
from sapper.cli.files import in_words, read_bytes
from sapper.cli.terminal import show_progress
from sapper.errors import FalseCertificate, InputError, SapperError
from sapper.words import plural

if TYPE_CHECKING:
    from sapper.play.noguess.certificate import Certificate


FILES = typer.Argument(metavar="FILE...", help="Files with one certificate per line, or - for standard input.")


def verify(
    files: list[str] = FILES,
    as_json: bool = typer.Option(False, "--json", help="Print one line of JSON per certificate."),
) -> None:
    """Check the proofs of no-guess boards: every step from its own clues, without the engine that made it.

    sapper generate --no-guess --certificates writes such proofs. The exit status is 0 if all of them hold, else 1.

    Example: sapper verify proofs.jsonl
    """
    # Unreadable files fail before anything is checked.
    certificates = [read for name in files for read in _read(name)]
    n_false = 0
    held: list[Certificate] = []
    with show_progress("Checking", "certificates") as watch:
        for done, (name, number, certificate) in enumerate(certificates, start=1):
            fault = _fault_of(certificate)
            n_false += fault is not None
            if as_json:
                print(json.dumps(_describe(name, number, certificate, fault)))
            elif fault is not None:
                print(f"{name}, line {number}: {fault}")
            if fault is None:
                held.append(certificate)
            watch(done, len(certificates))
    if not as_json:
        print(_summary(held, n_false))
    if n_false:
        raise typer.Exit(Status.NO)


def _read(name: str) -> list[tuple[str, int, Certificate]]:
    """Read the certificates of a file, each with the file's name and the number of its line."""
    from sapper.play.noguess.certificate import Certificate

    try:
        text = read_bytes(name).decode()
    except UnicodeDecodeError:
        raise InputError(f"{in_words(name)} is not a text file.") from None
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append((name, number, Certificate.parse(line)))
        except SapperError as error:
            raise InputError(f"{in_words(name)}, line {number}: {error}") from error
    if not found:
        raise InputError(f"{in_words(name)} does not contain a certificate.")
    return found


def _fault_of(certificate: Certificate) -> str | None:
    """Return what is wrong with a certificate, if anything is."""
    from sapper.play.noguess.verify import verify as check

    try:
        check(certificate)
    except FalseCertificate as error:
        return str(error)
    return None


def _describe(name: str, number: int, certificate: Certificate, fault: str | None) -> dict[str, object]:
    return {
        "file": name, "line": number, "holds": fault is None, "fault": fault, "rules": str(certificate.rules),
        "reasoning": certificate.reasoning, "hardest": certificate.hardest, "score": certificate.score,
        "steps": len(certificate.steps),
    }  # fmt: skip


def _summary(held: list[Certificate], n_false: int) -> str:
    if not held:
        return f"None of the {n_false:,} certificates holds." if n_false > 1 else "The certificate does not hold."
    from sapper.play.noguess.certificate import KINDS

    scores = sorted(certificate.score for certificate in held)
    n_steps = sum(len(certificate.steps) for certificate in held)
    hardest = max((one.hardest for one in held), key=("none", *KINDS).index)
    what = "1 certificate holds" if len(held) == 1 else f"{len(held):,} certificates hold"
    middle = scores[len(scores) // 2]
    difficulty = f"{middle}" if len(held) == 1 else f"{scores[0]} to {scores[-1]}, median {middle}"
    false = f"; {n_false:,} {'does' if n_false == 1 else 'do'} not" if n_false else ""
    return f"{what}{false}: {n_steps:,} {plural(n_steps, 'step')}, hardest kind {hardest}, difficulty {difficulty}."
