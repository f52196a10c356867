"""Boards of one's own: whatever the page asks for is there, and a table that is wrong or too long gets a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from own_boards import CROWD, MIXED, OWN_RULES, RING, crowd, mixed, words_of
from visitor import Visitor

from sapper.agents.registry import make_agent
from sapper.observation import Observation
from sapper.play.match import play_match
from sapper.rules import Rules
from sapper.train import read_link
from sapper.web.settings import MAX_TABLE
from sapper.world.game import Game

BOARDS = pytest.mark.parametrize("text", OWN_RULES.values(), ids=OWN_RULES)
TOO_LONG = words_of(mixed(16, 30), 60)


@BOARDS
def test_a_game_is_played_to_its_end_and_reviewed(visitor: Visitor, text: str) -> None:
    state = visitor.begin(text, seed=4)
    assert state["rules"] == text
    visitor.move(state, "open", 0, 0)
    hint = visitor.get(f"/api/games/{state['id']}/hint")
    assert len(hint["cell"]) == 2
    twin = Game(Rules.parse(text), 4)
    twin.open(0, 0)
    assert twin.layout is not None
    for row in range(twin.rules.rows):
        for col in range(twin.rules.cols):
            if not twin.layout.mines[row, col] and twin.observation.closed[row, col]:
                twin.open(row, col)
                state = visitor.move(state, "open", row, col)
    assert state["outcome"] == "won"
    assert state["position"].split(" ")[2] == text.split()[1]
    assert visitor.post("/api/review", game=state["id"])["rules"] == text
    assert visitor.ask("GET", f"/api/games/{state['id']}/download?format=mbf").status == 422
    assert visitor.get("/api/games")[0]["rules"] == text


def test_results_are_told_by_board(visitor: Visitor) -> None:
    boards = {RING, f"{MIXED} fair"}
    for text in boards:
        state = visitor.begin(text)
        while state["outcome"] == "playing":
            position = Observation.parse(visitor.get(f"/api/games/{state['id']}")["position"])
            row, col = np.argwhere(position.closed)[0].tolist()
            state = visitor.move(state, "open", row, col)
    told = visitor.get("/api/you")
    assert {board["rules"] for board in told["boards"]} == boards


@BOARDS
def test_agents_are_watched_and_their_games_go_on(visitor: Visitor, text: str) -> None:
    told = visitor.post("/api/watch", rules=text, seed=3, agent="exact")
    assert told["over"]
    rules = Rules.parse(text)
    assert Observation.parse(told["start"]).topology == rules.topology
    record = str(play_match(Game(rules, 3), make_agent("exact", 3)))
    assert visitor.post("/api/games/onward", 201, record=record, moves=1)["rules"] == text


def test_positions_are_analysed_explained_and_played_on(visitor: Visitor) -> None:
    position = "1##1## 2 own:1,5/2/3/4/5"
    told = visitor.post("/api/analyse", position=position)
    assert told["p"] == [[None, 0.5, 0.5, None, 0.5, 0.5]]
    assert visitor.post("/api/explain", position=position, row=0, col=1)["p_mine"] == 0.5
    assert visitor.post("/api/best", position=position, seconds=0)["cell"] in ([0, 1], [0, 2], [0, 4], [0, 5])
    assert visitor.post("/api/games/onward", 201, position=position)["position"] == position
    large = f"a#####/######/######/###### 16 {CROWD.split()[1]}"
    assert visitor.post("/api/analyse", position=large)["position"] == large


def test_puzzles_come_from_them_and_are_answered(visitor: Visitor) -> None:
    told = visitor.post("/api/train/next", kind="single", board=MIXED)
    link = told["puzzle"]["link"]
    assert MIXED.split()[1] in link
    row, col = read_link(link).solution[0]
    assert visitor.post("/api/train/check", link=link, board=MIXED, row=row, col=col)["right"]


def test_the_largest_table_goes_everywhere(visitor: Visitor) -> None:
    text = words_of(crowd(16, 16), 12)
    assert 6_000 < len(text) <= MAX_TABLE
    assert visitor.begin(text)["rules"] == text
    assert visitor.post("/api/watch", rules=text, seed=1, agent="basic")["rules"] == text
    link = visitor.post("/api/train/next", kind="single", board=text)["puzzle"]["link"]
    row, col = read_link(link).solution[0]
    assert visitor.post("/api/train/check", link=link, board=text, kind="single", row=row, col=col)["right"]


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("1,", "is not a table of neighbours"),
        ("9", "Cell 0 touches cell 9; they are numbered from 0 to 5"),
        ("0", "Cell 0 touches itself"),
        ("1//////", "has 7 cells, but the board has only 6"),
    ],
)
def test_a_wrong_table_gets_one_sentence(visitor: Visitor, table: str, why: str) -> None:
    asked: list[tuple[str, dict[str, object]]] = [
        ("/api/games", {"rules": f"1x6/2 own:{table}"}),
        ("/api/watch", {"rules": f"1x6/2 own:{table}", "agent": "basic"}),
        ("/api/analyse", {"position": f"###### 2 own:{table}"}),
        ("/api/train/next", {"board": f"1x6/2 own:{table}"}),
        ("/api/lab", {"agents": ["basic"], "size": "1x6", "words": f"own:{table}"}),
    ]
    for path, fields in asked:
        assert why in visitor.post(path, 422, **fields)["error"], path


def test_a_table_that_is_too_long_gets_one_sentence(visitor: Visitor) -> None:
    rules, board = Rules.parse(TOO_LONG), TOO_LONG.split()[1]
    position = f"{'/'.join(['#' * 30] * 16)} 60 {board}"
    record = str(play_match(Game(rules, 1), make_agent("random", 1)))
    asked: list[tuple[str, dict[str, object]]] = [
        ("/api/games", {"rules": TOO_LONG}),
        ("/api/watch", {"rules": TOO_LONG, "agent": "basic"}),
        ("/api/analyse", {"position": position}),
        ("/api/games/onward", {"position": position}),
        ("/api/review", {"record": record}),
        ("/api/train/next", {"board": TOO_LONG}),
        ("/api/lab", {"agents": ["basic"], "size": "16x30", "words": board}),
    ]
    for path, fields in asked:
        assert visitor.post(path, 422, **fields)["error"] == (
            f"This custom board is too large for the web app: its table has {len(board):,} characters; the limit is "
            "8,000."
        )
    # Written the other way round it is shorter, but not as we keep it.
    assert "too large for the web app" in visitor.post("/api/games", 422, rules=_written_backwards(rules))["error"]


def _written_backwards(rules: Rules) -> str:
    """The same rules, every pair with the later cell."""
    board = rules.topology
    before = [[other for other in board.neighbours_of(cell) if other < cell] for cell in range(board.n_cells)]
    return f"{rules.rows}x{rules.cols}/{rules.mines} own:" + "/".join(",".join(map(str, one)) for one in before)
