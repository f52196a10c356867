"""Boards on which the cells that touch are not those side by side: pointing at one lights up the others."""

from __future__ import annotations

import numpy as np
import pytest
from driver import Driver
from own_boards import random_board
from playwright.sync_api import Locator, expect

from sapper.errors import InputError
from sapper.neighbourhoods import read_neighbourhood, write_neighbourhood
from sapper.topology import SHAPES, Shape, topology

pytestmark = pytest.mark.browser

NEIGHBOURS = """async ([shape, rows, cols]) => {
    const script = [...document.querySelectorAll("link[rel=modulepreload], script[type=module]")]
        .map((one) => one.href || one.src).find((address) => address.includes("board/cells/topology"));
    const { neighboursOf } = await import(script);
    const found = [];
    for (let row = 0; row < rows; row += 1) {
        for (let col = 0; col < cols; col += 1) {
            const cells = neighboursOf({ shape, rows, cols }, row, col).map(([r, c]) => r * cols + c);
            found.push(cells.sort((a, b) => a - b));
        }
    }
    return found;
}"""


MISTAKE = """async ([table, nCells]) => {
    const script = [...document.querySelectorAll("link[rel=modulepreload], script[type=module]")]
        .map((one) => one.href || one.src).find((address) => address.includes("board/cells/table"));
    return (await import(script)).mistakeIn(table, nCells, 8000);
}"""


def lit(driver: Driver, n_cells: int) -> set[int]:
    """The cells that are lit now."""
    return {cell for cell in range(n_cells) if driver.board(f"neighbours.has({cell})")}


def around(shape: Shape, size: int, row: int, col: int) -> set[int]:
    board = topology(shape, size, size)
    return set(board.neighbours_of(board.index(row, col)))


def place(rules: str, mode: str = "play") -> str:
    return f"{mode}?rules={rules.replace(' ', '+')}&seed=3"


def choice(driver: Driver, label: str) -> Locator:
    """The choice with this label."""
    fields = driver.page.locator("section.mode:not([hidden]) label.field")
    return fields.filter(has=driver.page.get_by_text(label, exact=True)).locator("select")


def test_the_page_knows_the_same_neighbours(desk: Driver) -> None:
    desk.visit("play")
    for shape in SHAPES:
        for rows, cols in ((1, 1), (2, 3), (5, 6)):
            board = topology(shape, rows, cols)
            expected = [list(board.neighbours_of(cell)) for cell in range(board.n_cells)]
            assert desk.page.evaluate(NEIGHBOURS, [shape, rows, cols]) == expected, shape


def test_the_page_reads_tables_as_the_library_does(desk: Driver) -> None:
    desk.visit("play")
    rng = np.random.default_rng(21)
    for rows, cols, share in ((1, 1, 1.0), (1, 6, 0.5), (4, 5, 0.1), (4, 5, 0.9), (7, 9, 0.2)):
        board = random_board(rows, cols, share, rng)
        around = [list(board.neighbours_of(cell)) for cell in range(board.n_cells)]
        assert desk.page.evaluate(NEIGHBOURS, [write_neighbourhood(board), rows, cols]) == around
        # Whoever writes every pair twice, and in any order, means the same.
        both_ways = "own:" + "/".join(",".join(str(other) for other in rng.permutation(found)) for found in around)
        assert read_neighbourhood(both_ways, rows, cols) == board
        assert desk.page.evaluate(NEIGHBOURS, [both_ways, rows, cols]) == around


def test_the_page_finds_the_same_tables_wrong(desk: Driver) -> None:
    desk.visit("play")
    rng = np.random.default_rng(22)
    tables = ["", "1", "1,5/2/3/4/5", "0", "6", "5/", "1,", "a", "-1", "1//,", "/////0", "//////", "1 2", "+1", "1,1/2"]
    # Mostly wrong: any numbers, in any places.
    tables += [
        "/".join(",".join(map(str, rng.integers(0, 7, rng.integers(0, 3)))) for _ in range(6)) for _ in range(80)
    ]
    crowded = ",".join(map(str, range(1, 17)))
    for table, n_cells in [*((table, 6) for table in tables), (crowded, 20), (crowded[:-3], 20)]:
        said = desk.page.evaluate(MISTAKE, [table, n_cells])
        assert (said is None) == is_table(table, n_cells), (table, said)
    assert desk.page.evaluate(MISTAKE, ["/".join(["1"] * 5000), 40_000]) == (
        "The table has 10,003 characters; the limit is 8,000."
    )


def is_table(table: str, n_cells: int) -> bool:
    """Whether the library makes a board of it."""
    try:
        return read_neighbourhood(f"own:{table}", 1, n_cells).n_cells == n_cells
    except InputError:
        return False


@pytest.mark.parametrize("shape", ["knight", "orthogonal"])
def test_mouse_and_keyboard_light_up_what_a_cell_touches(desk: Driver, shape: Shape) -> None:
    desk.visit(place(f"7x7/5 {shape}"))
    desk.page.mouse.move(*desk.place(3, 3))
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == around(shape, 7, 3, 3)
    desk.page.mouse.move(*desk.place(0, 0))
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == around(shape, 7, 0, 0)
    desk.page.mouse.move(1, 1)
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == set()
    desk.press_on(desk.cell(0, 0), "ArrowDown", "ArrowRight")
    desk.page.wait_for_timeout(120)
    assert lit(desk, 49) == around(shape, 7, 1, 1)
    said = desk.cell(1, 1).get_attribute("aria-description")
    assert said is not None
    assert said.count("column") == len(around(shape, 7, 1, 1))


def test_a_finger_lights_up_what_it_touched_last(phone: Driver) -> None:
    phone.visit(place("7x7/5 knight"))
    phone.tap(3, 3)
    phone.page.wait_for_timeout(120)
    assert lit(phone, 49) == around("knight", 7, 3, 3)
    phone.hold(6, 6)
    phone.page.wait_for_timeout(120)
    assert lit(phone, 49) == around("knight", 7, 6, 6)


def test_squares_and_hexagons_show_it_by_themselves(desk: Driver) -> None:
    for shape in ("square", "torus", "hex"):
        desk.visit(place(f"7x7/5 {shape}"))
        desk.page.mouse.move(*desk.place(3, 3))
        desk.page.wait_for_timeout(80)
        assert lit(desk, 49) == set()
        assert desk.cell(3, 3).get_attribute("aria-description") is None


def test_a_board_nobody_plays_on_lights_up_too(desk: Driver) -> None:
    desk.visit(place("7x7/5 knight", "watch"))
    solved = "document.querySelector('section.mode:not([hidden])').boards[0]"
    desk.wait_until(f"() => {solved}.position.rows === 7 && {solved}.geometry !== undefined")
    found = desk.page.evaluate(f"{solved}.placeOf(3, 3)")
    desk.page.mouse.move(found["x"], found["y"])
    desk.page.wait_for_timeout(150)
    lit_there = desk.page.evaluate(f"[...Array(49).keys()].filter((cell) => {solved}.neighbours.has(cell))")
    assert set(lit_there) == around("knight", 7, 3, 3)


def test_a_custom_board_of_liars(desk: Driver) -> None:
    desk.visit("play")
    desk.page.get_by_text("Custom board").click()
    form = desk.page.locator("section.mode:not([hidden]) form").first
    form.get_by_label("Rows", exact=True).fill("6")
    form.get_by_label("Columns", exact=True).fill("6")
    form.get_by_label("Mines", exact=True).fill("4")
    choice(desk, "Topology").select_option("knight")
    choice(desk, "Clues").select_option("liar")
    form.get_by_role("button", name="Start this board").click()
    desk.wait_until("() => location.hash.includes('liar')")
    desk.click(2, 2)
    # One cell alone: where every clue is wrong, no zero opens anything.
    desk.wait_until(
        "() => document.querySelector('section.mode:not([hidden])').board.position.cells.some((code) => code >= 0)"
    )
    cells = desk.board("position.cells.reduce((n, code) => n + (code >= 0), 0)")
    assert cells == 1
    assert desk.board("position.channel") == "liar"


def test_analyse_reads_liars_and_offers_them(desk: Driver) -> None:
    desk.visit("analyse?position=1%23/%23%23+liar")
    expect(choice(desk, "Clues")).to_have_value("liar")
    desk.wait_until("() => document.querySelector('section.mode:not([hidden])').board.chanceAt(0, 1) !== null")
    assert abs(desk.board("chanceAt(0, 1)")["p"] - 0.4) < 1e-9
    choice(desk, "Clues").select_option("exact")
    desk.wait_until(
        "() => Math.abs(document.querySelector('section.mode:not([hidden])').board.chanceAt(0, 1)?.p - 1 / 3) < 1e-9"
    )
    expect(desk.page.get_by_label("Position as text")).to_have_value("1#/##")
    choice(desk, "Clues").select_option("liar:0.3")
    expect(desk.page.get_by_label("Position as text")).to_have_value("1#/## liar:0.3")
