"""A server that is killed, two servers on one file, hard positions, and how a server ends."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from processes import are_gone, children_of, wait_until, workers_of
from visitor import Server, Visitor, serving

pytestmark = pytest.mark.slow

# A lattice of isolated clues as wide as it is high: its exact sum needs more states than any server allows.
HARD = "/".join(("#" * 60 if row % 2 == 0 else "#2" * 30) for row in range(60)) + " 900"


def test_a_killed_server_goes_on_with_every_game(tmp_path: Path) -> None:
    first = Server(tmp_path, "--rate", "1000")
    try:
        visitors = [first.visitor() for _ in range(5)]
        states = []
        for number, visitor in enumerate(visitors):
            state = visitor.begin("16x16/40", **({"seed": 9} if number == 0 else {}))
            state = visitor.move(state, "open", 8, 8)
            for col in (0, 1, 0):
                if state["position"][col] in "#F":
                    state = visitor.move(state, "flag", 0, col)
            states.append(state)
        workers = children_of(first.process.pid)
        first.kill()
        wait_until(lambda: are_gone(workers), "the processes of a killed server end too")
    finally:
        if first.process.poll() is None:
            first.kill()
    second = Server(tmp_path, "--rate", "1000", port=first.port)
    try:
        for visitor, state in zip(visitors, states, strict=True):
            now = visitor.get(f"/api/games/{state['id']}")
            for name in ("position", "outcome", "moves", "rules", "undone", "mines_left"):
                assert now[name] == state[name], name
            assert now.get("seed") == state.get("seed")
            if not now["over"]:
                moved = visitor.move(now, "flag", 15, 15) if now["position"].split()[0][-1] == "#" else now
                assert visitor.post(f"/api/games/{state['id']}/undo")["moves"] == moved["moves"] - 1
    finally:
        second.stop()


def test_moves_that_were_answered_survive_a_kill_in_the_middle_of_play(tmp_path: Path) -> None:
    server = Server(tmp_path, "--rate", "1000")
    answered: dict[int, int] = {}
    visitors = [server.visitor() for _ in range(4)]
    games = [visitor.begin("20x20/60", seed=number) for number, visitor in enumerate(visitors)]

    def play(number: int) -> None:
        try:
            for move in range(10_000):
                row, col = divmod(move % 400, 20)
                state = visitors[number].move(games[number], "flag", row, col)
                answered[number] = state["moves"]
        except (OSError, AssertionError, Exception):  # noqa: BLE001 - the server is gone, in whatever way that shows
            return

    threads = [threading.Thread(target=play, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(answered) == 4 and min(answered.values()) >= 20, "everybody plays")
    server.kill()
    for thread in threads:
        thread.join()
    with serving(tmp_path) as after:
        for number, visitor in enumerate(visitors):
            visitor.port = after.port
            # One more may have been committed whose answer did not arrive.
            assert visitor.get(f"/api/games/{games[number]['id']}")["moves"] - answered[number] in (0, 1)


def test_two_servers_on_one_file_never_disagree(tmp_path: Path) -> None:
    with serving(tmp_path) as one, serving(tmp_path) as other:
        visitor = one.visitor()
        state = visitor.move(visitor.begin("9x9/10", seed=3), "open", 0, 0)
        for turn, server in enumerate((other, one, other, other, one)):
            visitor.port = server.port
            state = visitor.move(state, "flag", 8, turn)
            assert state["moves"] == 2 + turn
        assert state["position"].split("/")[8].startswith("FFFFF")


def test_hard_positions_of_many_stall_no_player_and_get_a_sentence(tmp_path: Path) -> None:
    with serving(tmp_path, "--rate", "1000", "--workers", "2") as server:
        calm = server.visitor()
        state = calm.move(calm.begin("9x9/10", seed=3), "open", 0, 0)
        calm.get(f"/api/games/{state['id']}/hint")
        said: list[tuple[int, str]] = []

        def ask(greedy: Visitor) -> None:
            reply = greedy.ask("POST", "/api/analyse", b'{"position":"' + HARD.encode() + b'"}')
            said.append((reply.status, reply.value["error"]))

        # More of them than there are processes, so that some are always waiting.
        crowd = [server.visitor() for _ in range(3)]
        threads = [threading.Thread(target=ask, args=(greedy,)) for greedy in crowd]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        n_answered = 0
        while any(thread.is_alive() for thread in threads):
            calm.get(f"/api/games/{state['id']}")
            calm.get(f"/api/games/{state['id']}/hint")
            n_answered += 1
        for thread in threads:
            thread.join()
        assert len(said) == len(crowd)
        for status, sentence in said:
            assert status in (422, 503)
            assert sentence.endswith(".")
        # Without a process of its own each answer would wait for a hard one.
        assert n_answered > len(crowd)
        assert crowd[0].post("/api/analyse", position="1#")["mines"] == [[0, 1]]


def test_a_process_that_died_with_nothing_to_do_costs_nobody_an_answer(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        visitor = server.visitor()
        state = visitor.begin("9x9/10", seed=3)
        hint = f"/api/games/{state['id']}/hint"
        visitor.get(hint)
        visitor.post("/api/watch", rules="5x5/3", seed=1, agent="basic")
        workers = workers_of(server.process.pid)
        assert len(workers) >= 3
        for pid in workers:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: are_gone(workers), "they are gone")
        for _ in range(3):
            visitor.get(hint)
        visitor.post("/api/watch", rules="5x5/3", seed=1, agent="basic")


def test_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    server = Server(tmp_path)
    visitor = server.visitor()
    state = visitor.begin("beginner")
    visitor.get(f"/api/games/{state['id']}/hint")
    workers = children_of(server.process.pid)
    assert workers
    said = server.stop()
    assert said.strip().splitlines()[-1] == "Stopped; every game is kept."
    assert "Traceback" not in said
    assert server.process.returncode == 0
    wait_until(lambda: are_gone(workers), "its processes end with it")


def test_a_store_that_is_none_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"this is no database, and long enough to be looked at" * 50)
    with pytest.raises(AssertionError, match="no"):
        Server(tmp_path)
    assert (tmp_path / "games.sqlite").read_bytes().startswith(b"this is no database")
