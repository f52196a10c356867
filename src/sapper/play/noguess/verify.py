"""Check certificates by simple, independent means: neither the engine nor any other reasoning of Sapper is used.

A step is right if its claim follows from its clues. The opposite is assumed, and every placement of mines around these
clues is tried, box by box, by dynamic programming over what the clues still need. The kind of a step is checked too: a
single clue, two clues, nested statements subtracted from each other, any number of clues, or these with the number of
mines on the board. The cost depends only on the few clues of each step.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sapper.errors import FalseCertificate, InputError, check_type
from sapper.play.noguess.certificate import HARDEST_KIND, KINDS, Certificate, CertificateStep
from sapper.words import count, name_size

Statement = tuple[frozenset[int], int]  # unknown cells, and the number of mines among them

# States of the dynamic programme; proofs for people need dozens.
_MAX_STATES = 50_000
# Statements that a subset step may derive.
_MAX_STATEMENTS = 1_000


def verify(certificate: Certificate) -> Certificate:
    """Return a certificate if it proves that its layout needs no guess; else raise `FalseCertificate`.

    >>> from sapper.layout import Layout
    >>> from sapper.play.noguess.certificate import Certificate, CertificateStep
    >>> from sapper.rules import Rules
    >>> rules, layout = Rules.parse("3x4/2"), Layout.parse("*---/*---/----")
    >>> steps = (
    ...     CertificateStep("single", ((0, 1),), (), ((0, 0), (1, 0))),
    ...     CertificateStep("single", ((2, 1),), ((2, 0),), ()),
    ... )
    >>> bool(verify(Certificate(rules, layout, (0, 3), "single", steps)))
    True
    >>> verify(Certificate(rules, layout, (0, 3), "single", steps[1:]))
    Traceback (most recent call last):
    ...
    sapper.errors.FalseCertificate: Step 1: the clues do not prove that (2, 0) is safe.
    """
    check_type(certificate, Certificate, "a certificate")
    check = _Check(certificate)
    check.begin()
    for number, step in enumerate(certificate.steps, start=1):
        check.follow(number, step)
    check.end()
    return certificate


class _Numbered(NamedTuple):
    """A step with its cells by number."""

    kind: str
    clues: tuple[int, ...]
    safe: tuple[int, ...]
    mines: tuple[int, ...]


class _Claim(NamedTuple):
    cell: int
    is_mine: bool


class _Check:
    """The state of a check: what is open and proved so far."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.rules = certificate.rules
        board = certificate.layout.topology
        self.board = board
        if board != self.rules.topology:
            raise FalseCertificate(
                f"The layout has {name_size(board.rows, board.cols)}, which are not those of the rules."
            )
        self.around = [board.neighbours_of(cell) for cell in range(board.n_cells)]
        self.is_mined = certificate.layout.mines.ravel().tolist()
        if sum(self.is_mined) != self.rules.mines:
            raise FalseCertificate(f"The layout has {count(sum(self.is_mined), 'mine')}, the rules {self.rules.mines}.")
        if self.rules.channel.kind != "exact":
            raise FalseCertificate("Certificates need exact clues.")
        if certificate.reasoning == "count" and not self.rules.total_known:
            raise FalseCertificate("The rules hide the number of mines, so it cannot be used for counting.")
        self.open: dict[int, int] = {}  # cell → its clue
        self.unknown = set(range(board.n_cells))  # neither open nor proved a mine
        self.mines: set[int] = set()  # proved

    def begin(self) -> None:
        first = self.board.number(self.certificate.first)
        if self.is_mined[first]:
            raise FalseCertificate(f"The first cell {self.board.cell(first)} is a mine.")
        if self.rules.first_click == "opening" and any(self.is_mined[cell] for cell in self.around[first]):
            raise FalseCertificate(
                f"The first cell {self.board.cell(first)} is not an opening, although the rules promise one."
            )
        self._open_cell(first)

    def end(self) -> None:
        n_left = len(self.is_mined) - self.rules.mines - len(self.open)
        if n_left:
            raise FalseCertificate(f"The steps leave {count(n_left, 'safe cell')} hidden.")

    def follow(self, number: int, written: CertificateStep) -> None:
        """Check a step and carry it out."""
        cells = (written.clues, written.safe, written.mines)
        try:
            step = _Numbered(written.kind, *(tuple(map(self.board.number, some)) for some in cells))
        except InputError as error:
            raise FalseCertificate(f"Step {number}: {error}") from None
        try:
            self._check_form(step)
            statements = [self._read(clue) for clue in step.clues]
            claims = [*(_Claim(cell, False) for cell in step.safe), *(_Claim(cell, True) for cell in step.mines)]
            proves = _PROVERS[step.kind]
            for claim in self._one_per_box(claims, statements):
                if not proves(self, claim, statements):
                    raise FalseCertificate(
                        f"the clues do not prove that {self.board.cell(claim.cell)} is "
                        f"{'a mine' if claim.is_mine else 'safe'}."
                    )
        except FalseCertificate as error:
            raise FalseCertificate(f"Step {number}: {error}") from None
        for cell in step.mines:
            self.mines.add(cell)
            self.unknown.discard(cell)
        for cell in step.safe:
            self._open_cell(cell)

    def _check_form(self, step: _Numbered) -> None:
        if KINDS.index(step.kind) > KINDS.index(HARDEST_KIND[self.certificate.reasoning]):
            raise FalseCertificate(
                f"{step.kind} is harder than the {self.certificate.reasoning} reasoning that is allowed."
            )
        fewest, most = _N_CLUES[step.kind]
        if not fewest <= len(step.clues) <= most:
            raise FalseCertificate(f"a step of the kind {step.kind} cannot have {count(len(step.clues), 'clue')}.")
        if not (step.safe or step.mines):
            raise FalseCertificate("it proves nothing.")
        for clue in step.clues:
            if clue not in self.open:
                raise FalseCertificate(f"the clue at {self.board.cell(clue)} is not open yet.")
        claimed = [*step.safe, *step.mines]
        if len(set(claimed)) != len(claimed):
            raise FalseCertificate("it calls the same cell safe and a mine.")
        for cell in claimed:
            if cell not in self.unknown:
                raise FalseCertificate(f"{self.board.cell(cell)} is known already.")

    def _read(self, clue: int) -> Statement:
        cells = frozenset(self.unknown.intersection(self.around[clue]))
        return cells, self.open[clue] - len(self.mines.intersection(self.around[clue]))

    def _open_cell(self, start: int) -> None:
        """Open a cell and, where the rules say so, everything around zeros."""
        waiting = [start]
        while waiting:
            cell = waiting.pop()
            if cell in self.open:
                continue
            if self.is_mined[cell]:
                raise AssertionError("a proof of a false claim")
            self.open[cell] = sum(self.is_mined[other] for other in self.around[cell])
            self.unknown.discard(cell)
            if self.open[cell] == 0 and self.rules.cascade:
                waiting += self.around[cell]

    def _one_per_box(self, claims: Iterable[_Claim], statements: list[Statement]) -> list[_Claim]:
        """Yield one claim for all cells that the same statements touch: what holds for one holds for each."""
        chosen: dict[tuple[bool, ...], _Claim] = {}
        for claim in claims:
            chosen.setdefault((claim.is_mine, *(claim.cell in cells for cells, _ in statements)), claim)
        return list(chosen.values())

    def prove_by_cases(self, claim: _Claim, statements: list[Statement]) -> bool:
        """Return whether no placement of mines fits the statements and the opposite of the claim."""
        return not possible_totals(statements, claim.cell, not claim.is_mine)

    def prove_by_total(self, claim: _Claim, statements: list[Statement]) -> bool:
        """Return the same for placements that the number of mines on the board allows."""
        touched = frozenset().union(*(cells for cells, _ in statements)) | {claim.cell}
        n_outside = len(self.unknown - touched)
        left = self.rules.mines - len(self.mines)
        totals = possible_totals(statements, claim.cell, not claim.is_mine)
        return not any(left - n_outside <= total <= left for total in totals)

    def prove_by_subsets(self, claim: _Claim, statements: list[Statement]) -> bool:
        """Return whether subtracting statements from those that contain them decides the cell."""
        return any(
            claim.cell in cells and (low == len(cells) if claim.is_mine else high == 0)
            for cells, (low, high) in consolidated(statements).items()
        )


# Kind of step → its check, and the least and greatest number of clues.
_PROVERS = {
    "single": _Check.prove_by_cases,
    "subset": _Check.prove_by_subsets,
    "pair": _Check.prove_by_cases,
    "complete": _Check.prove_by_cases,
    "total": _Check.prove_by_total,
}
_N_CLUES = {"single": (1, 1), "subset": (1, 10**6), "pair": (2, 2), "complete": (1, 10**6), "total": (0, 10**6)}


def possible_totals(statements: list[Statement], cell: int, is_mine: bool) -> set[int]:
    """Return the possible numbers of mines in these statements' cells and one more, if that one is a mine, or is safe.

    The cells that the same statements touch are a box; only the number of mines in it matters. Boxes are filled one by
    one; fillings after which every statement needs the same number of mines are merged.
    """
    boxes: dict[tuple[int, ...], int] = {}
    everything = frozenset().union(*(cells for cells, _ in statements)) - {cell}
    for one in everything:
        touching = tuple(number for number, (cells, _) in enumerate(statements) if one in cells)
        boxes[touching] = boxes.get(touching, 0) + 1
    own = tuple(number for number, (cells, _) in enumerate(statements) if cell in cells)
    needs = tuple(n - (is_mine and number in own) for number, (_, n) in enumerate(statements))
    if min(needs, default=0) < 0:
        return set()
    # The most mines that the remaining boxes can give each statement; less than it needs is a dead end.
    rest = [sum(size for touching, size in boxes.items() if number in touching) for number in range(len(statements))]
    states: dict[tuple[int, ...], set[int]] = {needs: {int(is_mine)}}
    for touching, size in sorted(boxes.items()):
        for number in touching:
            rest[number] -= size
        following: dict[tuple[int, ...], set[int]] = {}
        for needed, totals in states.items():
            for n_mines in range(min(size, *(needed[number] for number in touching)) + 1):
                left = tuple(need - n_mines if number in touching else need for number, need in enumerate(needed))
                if all(left[number] <= rest[number] for number in touching):
                    following.setdefault(left, set()).update(total + n_mines for total in totals)
        states = following
        if len(states) > _MAX_STATES:
            raise FalseCertificate("it takes too many cases to be checked.")
    return set().union(*(totals for needed, totals in states.items() if not any(needed)))


def consolidated(statements: list[Statement]) -> dict[frozenset[int], tuple[int, int]]:
    """Return what follows by subtracting statements from those that contain them: cells → fewest and most mines."""
    known: dict[frozenset[int], tuple[int, int]] = {}
    waiting: list[frozenset[int]] = []

    def state(cells: frozenset[int], low: int, high: int) -> None:
        was_low, was_high = known.get(cells, (0, len(cells)))
        bounds = max(low, was_low), min(high, was_high)
        if cells and (cells not in known or bounds != (was_low, was_high)):
            known[cells] = bounds
            waiting.append(cells)

    for cells, n in statements:
        state(cells, n, n)
    while waiting:
        one = waiting.pop()
        if len(known) > _MAX_STATEMENTS:
            raise FalseCertificate("it takes too many statements to be checked.")
        for other in list(known):
            if one != other and (one < other or other < one):
                smaller, larger = (one, other) if one < other else (other, one)
                (low1, high1), (low2, high2) = known[smaller], known[larger]
                state(larger - smaller, low2 - high1, high2 - low1)
    return known
