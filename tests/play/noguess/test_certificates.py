"""Certificates: they hold, they come back from paper, and whoever changes one is found out."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_boards import mixed

from sapper.errors import FalseCertificate, InputError, NeedsGuess, RulesError, SapperError
from sapper.layout import Layout
from sapper.play.noguess.certificate import HARDEST_KIND, KINDS, Certificate, CertificateStep
from sapper.play.noguess.certify import certify
from sapper.play.noguess.generate import REASONINGS, NoGuessMaker, Reasoning, generate_no_guess, needs_no_guess
from sapper.play.noguess.verify import consolidated, possible_totals, verify
from sapper.rules import Rules
from sapper.topology import SHAPES, write_neighbourhood
from sapper.world.generation import generate_layout


def make(text: str, seed: int, number: int, how: Reasoning | None = None) -> Certificate:
    rules = Rules.parse(text)
    first = rules.topology.cell(number)
    return certify(rules, generate_no_guess(rules, seed, first, reasoning=how), first, how)


@given(st.data())
def test_certificates_hold_and_come_back(data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(("", "first-opening", "no-cascade", "total-hidden", "first-any", "survey")))
    shape = data.draw(st.sampled_from((*SHAPES, write_neighbourhood(mixed(6, 6)))))
    rules = Rules.parse(f"6x6/{data.draw(st.integers(3, 9))} {shape} {words}")
    how = data.draw(st.sampled_from(REASONINGS if rules.total_known else REASONINGS[:-1]))
    first = rules.topology.cell(data.draw(st.integers(0, rules.n_cells - 1)))
    certificate = certify(
        rules, generate_no_guess(rules, data.draw(st.integers(0, 2**62)), first, reasoning=how), first, how
    )
    verify(certificate)
    assert Certificate.parse(str(certificate)) == certificate
    allowed = KINDS[: KINDS.index(HARDEST_KIND[how]) + 1]
    assert {step.kind for step in certificate.steps} <= {*allowed}


@given(st.integers(0, 2**40), st.integers(0, 24), st.sampled_from(REASONINGS))
def test_a_layout_has_a_certificate_exactly_if_it_needs_no_guess(seed: int, number: int, how: Reasoning) -> None:
    rules = Rules.parse("5x5/5")
    first = rules.topology.cell(number)
    layout = generate_layout(rules, seed, first)
    if needs_no_guess(rules, layout, first, how):
        verify(certify(rules, layout, first, how))
    else:
        with pytest.raises(NeedsGuess, match="then gets stuck"):
            certify(rules, layout, first, how)


@pytest.mark.slow
def test_every_kind_of_step_is_needed_somewhere_and_checked() -> None:
    kinds = {step.kind for seed in range(40) for step in make("9x9/20 torus", seed, 0).steps}
    assert kinds == {*KINDS}


@pytest.mark.slow
def test_a_board_of_ten_thousand_cells() -> None:
    certificate = make("100x100/2000 first-opening", 1, 5050)
    verify(certificate)
    # Proofs for people: never more than a handful of clues at once.
    assert max(len(step.clues) for step in certificate.steps) < 20


# -- brute force, which knows nothing of boxes ----------------------------------------------------------------


def brute_totals(statements: list[tuple[frozenset[int], int]], cell: int, is_mine: bool) -> set[int]:
    cells = sorted({cell}.union(*(some for some, _ in statements)))
    found = set()
    for values in product((0, 1), repeat=len(cells)):
        placed = dict(zip(cells, values, strict=True))
        if placed[cell] == is_mine and all(sum(placed[one] for one in some) == n for some, n in statements):
            found.add(sum(values))
    return found


statements = st.lists(
    st.tuples(st.frozensets(st.integers(0, 7), min_size=1, max_size=5), st.integers(0, 4)), max_size=4
)


@given(statements, st.integers(0, 8), st.booleans())
def test_the_checker_counts_as_brute_force_does(
    some: list[tuple[frozenset[int], int]], cell: int, is_mine: bool
) -> None:
    assert possible_totals(some, cell, is_mine) == brute_totals(some, cell, is_mine)


@given(st.frozensets(st.integers(0, 7), max_size=4), st.lists(st.frozensets(st.integers(0, 7), min_size=1), max_size=4))
def test_the_checkers_subsets_are_sound(mines: frozenset[int], sets: list[frozenset[int]]) -> None:
    for cells, (low, high) in consolidated([(some, len(some & mines)) for some in sets]).items():
        assert low <= len(cells & mines) <= high


# -- tampering ------------------------------------------------------------------------------------------------


def with_sums(value: dict[str, Any]) -> Certificate:
    """Read a certificate after making its sums fit."""
    steps = [
        CertificateStep(kind, tuple(clues), tuple(safe), tuple(mines)) for kind, clues, safe, mines in value["steps"]
    ]
    value["score"] = sum(step.weight for step in steps)
    value["hardest"] = max((step.kind for step in steps), key=KINDS.index, default="none")
    return Certificate.parse(json.dumps(value))


def refused(value: dict[str, Any]) -> str:
    """Return why a certificate is refused; fails if it is not."""
    with pytest.raises(SapperError) as caught:
        verify(with_sums(value))
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    return message


def is_proved(certificate: Certificate) -> bool:
    """Whether the steps prove what they say, by listing every placement around their clues."""
    board, rules = certificate.layout.topology, certificate.rules
    truth, clues = certificate.layout.mines.ravel().tolist(), certificate.layout.clues().ravel().tolist()
    around = [board.neighbours_of(cell) for cell in range(board.n_cells)]
    opened: set[int] = set()
    mines: set[int] = set()

    def open_cell(cell: int) -> None:
        if cell not in opened:
            opened.add(cell)
            for other in around[cell] if clues[cell] == 0 else ():
                open_cell(other)

    first = board.number(certificate.first)
    if truth[first]:
        return False
    open_cell(first)
    for step in certificate.steps:
        step_clues, step_safe, step_mines = (
            [board.number(cell) for cell in some] for some in (step.clues, step.safe, step.mines)
        )
        unknown = set(range(board.n_cells)) - opened - mines
        if not {*step_clues} <= opened or not {*step_safe, *step_mines} <= unknown:
            return False
        said = [
            (frozenset(unknown.intersection(around[clue])), clues[clue] - len(mines.intersection(around[clue])))
            for clue in step_clues
        ]
        left = rules.mines - len(mines)
        for cell, is_mine in [*((cell, False) for cell in step_safe), *((cell, True) for cell in step_mines)]:
            n_outside = len(unknown - {cell}.union(*(cells for cells, _ in said)))
            totals = brute_totals(said, cell, not is_mine)
            if any(not step.total or left - n_outside <= total <= left for total in totals):
                return False
        mines |= {*step_mines}
        for cell in step_safe:
            open_cell(cell)
    return len(opened) == board.n_cells - rules.mines


@pytest.fixture(scope="module")
def honest() -> str:
    """A certificate whose steps take so few clues that every placement around them can be listed."""
    return str(make("9x9/18 torus", 3, 0))


@pytest.fixture(scope="module", params=["subset", "complete", "total"])
def hard(request: pytest.FixtureRequest) -> str:
    """A certificate that takes a certain kind of reasoning."""
    made = (make("9x9/20 torus", seed, 0) for seed in range(200))
    return str(next(one for one in made if request.param in {step.kind for step in one.steps}))


def test_the_honest_one_is_proved(honest: str) -> None:
    certificate = Certificate.parse(honest)
    verify(certificate)
    assert is_proved(certificate)


def tamper(steps: list[Any], rng: random.Random, n_cells: int) -> None:
    """Change something about the steps: order, claims, clues, cells."""
    number = rng.randrange(len(steps))
    which = rng.choice((1, 2, 3))
    cells = steps[number][which]
    match rng.randrange(7):
        case 0:
            del steps[number]
        case 1:
            steps.insert(rng.randrange(len(steps)), steps.pop(number))
        case 2:
            steps[number][2], steps[number][3] = steps[number][3], steps[number][2]
        case 3:
            steps[number][which] = [cell for cell in cells if cell != (rng.choice(cells) if cells else None)]
        case 4:
            steps[number][which] = sorted({*cells, rng.randrange(n_cells)})
        case 5:
            steps[number][which] = sorted({min(cell + 1, n_cells - 1) for cell in cells})
        case _:
            other = rng.randrange(len(steps))
            steps[number][1], steps[other][1] = steps[other][1], steps[number][1]


@pytest.mark.slow
def test_tampered_steps_are_accepted_only_if_they_still_prove_it(honest: str) -> None:
    rng = random.Random(5)
    n_refused = 0
    for _ in range(400):
        value = json.loads(honest)
        tamper(value["steps"], rng, 81)
        certificate = with_sums(value)
        try:
            verify(certificate)
        except FalseCertificate:
            n_refused += 1
        else:
            # Some changes do no harm: a step whose cells another's cascade opens, a mark that nobody needs.
            assert is_proved(certificate)
    assert n_refused > 300


def test_steps_that_come_too_early_are_refused(hard: str) -> None:
    value = json.loads(hard)
    value["steps"].reverse()
    refused(value)


def test_every_claim_turned_round_is_refused(hard: str) -> None:
    for number, (_, _, safe, mines) in enumerate(json.loads(hard)["steps"]):
        value = json.loads(hard)
        value["steps"][number][2:] = [mines, safe]
        assert "do not prove" in refused(value)


def test_a_harder_step_under_an_easier_name_is_refused(hard: str) -> None:
    for number, (kind, clues, _, _) in enumerate(json.loads(hard)["steps"]):
        for easier in KINDS[: KINDS.index(kind)] if kind != "pair" else ("single",):
            # Two clues of which one would do are a pair in name only, and a subset may be one.
            if easier == "complete" or len(clues) > 2:
                value = json.loads(hard)
                value["steps"][number][0] = easier
                assert "do not prove" in refused(value) or "cannot have" in refused(value)


@pytest.mark.slow
def test_every_mine_moved_is_noticed(hard: str) -> None:
    text = json.loads(hard)["layout"]
    places = [place for place, character in enumerate(text) if character != "/"]
    mined = [place for place in places if text[place] == "*"]
    clear = [place for place in places if text[place] == "-"]
    rng = random.Random(1)
    for one, other in rng.sample(list(product(mined, clear)), 200):
        value = json.loads(hard)
        changed = [*text]
        changed[one], changed[other] = "-", "*"
        value["layout"] = "".join(changed)
        refused(value)


def test_headers_changed_are_refused(honest: str) -> None:
    rules = json.loads(honest)["rules"]
    for name, wrong, message in (
        ("reasoning", "single", "harder than the single"),
        ("reasoning", "magic", "There is no reasoning 'magic'"),
        ("first", 81, '"first" is not the number of a cell'),
        ("first", True, '"first" is not the number of a cell'),
        ("rules", "9x9/17 torus", "The layout has 18 mines, the rules 17"),
        ("rules", "9x9/18", ""),
        ("rules", "3x27/18 torus", "are not those of the rules"),
        ("rules", f"{rules} withheld:0.3", "need exact clues"),
        ("rules", f"{rules} total-hidden", "hide the number of mines"),
        ("layout", 5, 'has no text "layout"'),
        ("steps", {}, ""),
        ("sapper_certificate", 2, "This is not a certificate"),
    ):
        value = json.loads(honest)
        value[name] = wrong
        if name == "steps":
            with pytest.raises(InputError, match='no list of "steps"'):
                Certificate.parse(json.dumps(value))
        else:
            assert message in refused(value)


def test_sums_changed_are_refused(honest: str) -> None:
    for name, wrong in (("score", 1), ("hardest", "single"), ("score", "7"), ("hardest", None)):
        value = json.loads(honest)
        value[name] = wrong
        with pytest.raises(InputError, match=f'"{name}" does not match its steps'):
            Certificate.parse(json.dumps(value))
        del value[name]
        with pytest.raises(InputError, match=f'has no "{name}"'):
            Certificate.parse(json.dumps(value))


def test_steps_that_are_none_are_refused(honest: str) -> None:
    for wrong, message in (
        ("single", "Step 1 must be a list"),
        (["magic", [1], [2], []], "Step 1 must be a list"),
        (["single", [1], [2]], "Step 1 must be a list"),
        ([["single"], [1], [2], []], "Step 1 must be a list"),
        (["single", [1], ["2"], []], "Step 1 names something"),
        (["single", [1], [81], []], "Step 1 names something"),
        (["single", [-1], [3], []], "Step 1 names something"),
        (["single", [1], [3, 2], []], "ascending order"),
        (["single", [1], [3, 3], []], "ascending order"),
        (["single", [1], 3, []], "Step 1 names something"),
    ):
        value = json.loads(honest)
        value["steps"][0] = wrong
        with pytest.raises(InputError, match=message):
            Certificate.parse(json.dumps(value))


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "null", '{"steps": []}', "[" * 100_000])
def test_what_is_no_certificate(text: str) -> None:
    with pytest.raises(InputError):
        Certificate.parse(text)


def test_steps_about_what_is_known_or_hidden_are_refused() -> None:
    rules, layout = Rules.parse("3x4/2"), Layout.parse("*---/*---/----")
    certificate = certify(rules, layout, (0, 3))

    def fault(*steps: CertificateStep) -> str:
        with pytest.raises(FalseCertificate) as caught:
            verify(replace(certificate, steps=steps))
        return str(caught.value)

    corner, above = (0, 0), ((0, 1),)
    assert "is known already" in fault(CertificateStep("single", above, ((1, 1),), ()))
    assert "is not open yet" in fault(CertificateStep("single", ((2, 0),), (), (corner,)))
    assert "it proves nothing" in fault(CertificateStep("single", above, (), ()))
    assert "safe and a mine" in fault(CertificateStep("single", above, (corner,), (corner,)))
    assert "Step 1: There is no cell (7, 0)" in fault(CertificateStep("single", above, ((7, 0),), ()))
    assert "leave 1 safe cell hidden" in fault()
    # The truth is no proof: that two cells are left for two mines says the total, and no clue far from them.
    assert "do not prove" in fault(CertificateStep("complete", ((2, 1),), (), (corner,)))
    with pytest.raises(FalseCertificate, match="is a mine"):
        verify(replace(certificate, first=corner))
    with pytest.raises(FalseCertificate, match="not an opening"):
        verify(replace(certificate, first=(1, 1), rules=replace(rules, first_click="opening")))


@pytest.mark.slow
def test_too_many_cases_are_refused_and_not_waited_for() -> None:
    rng = random.Random(2)
    some = [(frozenset(rng.sample(range(60), 12)), 6) for _ in range(24)]
    with pytest.raises(FalseCertificate, match="too many cases"):
        possible_totals(some, 0, True)
    nested = [(frozenset(range(100)) - {cell}, 50) for cell in range(100)]
    nested += [(frozenset(rng.sample(range(100), 3)), 1) for _ in range(60)]
    with pytest.raises(FalseCertificate, match="too many statements"):
        consolidated(nested)


@pytest.mark.slow
def test_the_checker_uses_neither_the_engine_nor_the_reasoners(hard: str) -> None:
    # A board comes with the form of it that kernels take. Everything else of theirs is taken away.
    code = (
        "import sys, sapper.kernels\n"
        "for name in set(sapper.kernels.__all__) - {'Board'}: delattr(sapper.kernels, name)\n"
        "from sapper.play.noguess.certificate import Certificate\n"
        "from sapper.play.noguess.verify import verify\n"
        "verify(Certificate.parse(sys.stdin.read()))\n"
        "wrong = [name for name in sys.modules if name.startswith(('sapper.inference', 'sapper.knowledge', "
        "'sapper.agents', 'sapper.play.noguess.generate', 'sapper.play.noguess.certify'))]\n"
        "sys.exit(', '.join(wrong) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=hard, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_layouts_that_do_not_fit() -> None:
    with pytest.raises(RulesError, match="does not fit"):
        certify(Rules.parse("3x3/2"), Layout.parse("*--/---/---"), (2, 2))
    with pytest.raises(NeedsGuess, match="is a mine"):
        certify(Rules.parse("3x3/1"), Layout.parse("*--/---/---"), (0, 0))


def test_harder_boards_score_more() -> None:
    """The same boards count for more where the proof takes more clues: on average, not board by board."""
    means = []
    for how in ("single", "count"):
        maker = NoGuessMaker(Rules.parse("16x16/51 first-opening"), (0, 0), reasoning=how)
        boards = [maker.make(seed) for seed in range(12)]
        means.append(sum(certify(one.rules, one.layout, (0, 0), one.reasoning).score for one in boards) / 12)
    assert means[0] < means[1]
